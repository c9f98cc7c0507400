/**
 * `npm test`: every check of the project, one after the other, with progress; the last line sums them up as `N passed, N failed`.
 * `npm test -- unit/sql` runs only the test files whose path holds the given text.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const filters = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));

if (process.argv.includes("--help")) {
  process.stdout.write(
    "npm test                 all checks: types, lint, format, all test files\nnpm test -- TEXT ...     only the test files whose path holds TEXT\n",
  );
  process.exit(0);
}

interface Check {
  readonly name: string;
  readonly command: readonly string[];
}

const staticChecks: readonly Check[] = [
  { name: "types of the engine, with its restricted libraries", command: ["tsc", "-p", "tsconfig.json"] },
  { name: "types of everything", command: ["tsc", "-p", "tsconfig.node.json"] },
  { name: "lint", command: ["oxlint", "--type-aware", "--deny-warnings"] },
  { name: "format", command: ["biome", "format", "."] },
];

function run(command: readonly string[]): Promise<number> {
  const [program, ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(join(root, "node_modules", ".bin", program as string), args, {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
    });
    child.on("error", () => resolve(127));
    child.on("exit", (code) => resolve(code ?? 1));
  });
}

let passed = 0;
let failed = 0;

if (filters.length === 0) {
  for (const check of staticChecks) {
    const status = await run(check.command);
    process.stdout.write(`${status === 0 ? "passed" : "FAILED"}: ${check.name}\n`);
    if (status === 0) {
      passed++;
    } else {
      failed++;
    }
  }
}

const folder = mkdtempSync(join(tmpdir(), "orrery-test-"));
const report = join(folder, "report.json");
const status = await run(["vitest", "run", ...filters, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`]);
try {
  const counts = JSON.parse(readFileSync(report, "utf8")) as {
    numPassedTests: number;
    numFailedTests: number;
    numFailedTestSuites: number;
  };
  passed += counts.numPassedTests;
  failed += counts.numFailedTests;
  // A file that does not even load has no failed test, and errors outside tests have none either.
  if (status !== 0 && counts.numFailedTests === 0) {
    failed += Math.max(1, counts.numFailedTestSuites);
  }
} catch {
  process.stdout.write("The test runner wrote no report.\n");
  failed++;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
