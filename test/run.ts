/**
 * `npm test`: runs every check of the project in sequence, with progress; the last line is the sum `N passed, N failed`. `npm test --
 * unit/sql` runs only the test files whose path contains the given text.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { setPriority, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findPostgresql, howToInstallPostgresql, isPostgresqlRequired } from "./support/programs/postgresql.ts";
import { findAzurite, howToInstallAzurite } from "./support/programs/azurite.ts";
import { findMariadb, howToInstallMariadb } from "./support/programs/mariadb.ts";
import { findChromium, howToInstall, isChromiumRequired } from "./support/programs/chromium.ts";
import { printCoverage } from "./support/programs/coverage-report.ts";
import { seedOfArguments, seedOfSources } from "./support/programs/draws.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const given = process.argv.slice(2);
const filters = given.filter((argument, index) => !argument.startsWith("--") && given[index - 1] !== "--seed");

if (given.includes("--help")) {
  process.stdout.write(
    "npm test                 all checks: types, lint, format, unused exports, all test files, a sweep of the simulator;\n" +
      "                         coverage at the end\n" +
      "npm test -- TEXT ...     only the test files whose path holds TEXT\n" +
      "npm test -- --seed N     properties draw by this seed; 'random' draws one. Without it, by a hash of the\n" +
      "                         sources: the same sources draw the same\n",
  );
  process.exit(0);
}

interface Check {
  readonly name: string;
  /** A file in node_modules/.bin, or in the project if it ends in .mjs, followed by arguments. */
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const staticChecks: readonly Check[] = [
  { name: "types of the engine, with its restricted libraries", command: ["tsc", "-p", "tsconfig.json"] },
  { name: "types of everything", command: ["tsc", "-p", "tsconfig.node.json"] },
  { name: "types of the page that shows a run, with the browser's libraries", command: ["tsc", "-p", "tsconfig.page.json"] },
  { name: "types of the web interface, with the browser's libraries", command: ["tsc", "-p", "tsconfig.web.json"] },
  { name: "lint", command: ["oxlint", "--type-aware", "--deny-warnings"] },
  { name: "format", command: ["biome", "format", "."] },
  { name: "no unused exports, files and packages", command: ["knip", "--no-progress"] },
  { name: "no exports of production code that only tests use", command: ["knip", "--no-progress", "--production"] },
];

/** Priority of what runs beside the test files: many of those wait for processes and browsers. */
const besidePriority = 5;

interface Ended {
  readonly status: number;
  /** Empty unless it ran beside others. */
  readonly output: string;
}

/** The exit code; a process ended by a signal counts as a failure. `isBeside`: at a lower priority, and its output is kept. */
function run({ command: [program = "", ...args], environment = {} }: Omit<Check, "name">, isBeside = false): Promise<Ended> {
  const file = program.endsWith(".mjs") ? join(root, program) : join(root, "node_modules", ".bin", program);
  return new Promise((resolve) => {
    // Uses the Node that runs this file.
    const child = spawn(process.execPath, [file, ...args], {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: isBeside ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
    });
    if (isBeside && child.pid !== undefined) {
      setPriority(child.pid, besidePriority);
    }
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
    }
    child.on("error", (error) => resolve({ status: 127, output: error.message }));
    child.on("close", (code) => resolve({ status: code ?? 1, output }));
  });
}

let passed = 0;
let failed = 0;

async function check(one: Check, isBeside = false): Promise<void> {
  const started = performance.now();
  const { status, output } = await run(one, isBeside);
  process.stdout.write(
    `${output}${status === 0 ? "passed" : "FAILED"}: ${one.name} (${((performance.now() - started) / 1000).toFixed(1)} s)\n`,
  );
  if (status === 0) {
    passed++;
  } else {
    failed++;
  }
}

async function runTestFiles(folder: string, environment: Readonly<Record<string, string>>): Promise<void> {
  const report = join(folder, "report.json");
  const { status } = await run({ command: ["vitest", "run", ...filters], environment: { ...environment, TEST_REPORT: report } });
  try {
    const counts = JSON.parse(readFileSync(report, "utf8")) as {
      numPassedTests: number;
      numFailedTests: number;
      testResults: readonly { readonly status: string; readonly assertionResults: readonly { readonly status: string }[] }[];
    };
    passed += counts.numPassedTests;
    failed += counts.numFailedTests;
    // A file that does not load, or whose setup fails, has no failed test; neither have errors outside of files.
    const files = counts.testResults.filter(
      (file) => file.status === "failed" && !file.assertionResults.some((result) => result.status === "failed"),
    );
    failed += files.length;
    if (status !== 0 && counts.numFailedTests + files.length === 0) {
      failed++;
    }
  } catch {
    process.stdout.write("The test runner wrote no report.\n");
    failed++;
  }
}

const everything = filters.length === 0;
let seed = 0;
try {
  seed = seedOfArguments(given, Math.random) ?? seedOfSources(root);
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n0 passed, 1 failed\n`);
  process.exit(1);
}
const again = `Properties drew by seed ${String(seed)}; npm test -- --seed ${String(seed)} draws the same.\n`;
const folder = mkdtempSync(join(tmpdir(), "orrery-test-"));
try {
  // Programs started by tests write their coverage here (support/server-process.ts); the tests' own threads do not.
  const coverage = join(folder, "coverage");
  let weekly: Promise<void> | undefined;
  if (everything) {
    process.stdout.write("The generated mutants of the week run beside the other checks; what they print comes when they are done.\n");
    weekly = check({ name: "the generated mutants of the week are found", command: ["build.mjs", "sim", "mutants", "--weekly"] }, true);
    for (const one of staticChecks) {
      await check(one);
    }
  }
  await runTestFiles(folder, { TEST_SEED: String(seed), ...(everything && { PROGRAM_COVERAGE: coverage }) });
  if (everything) {
    const sweep = ["build.mjs", "sim", "--seeds", "1..20"];
    await check({ name: "the simulator's seeds 1 to 20", command: sweep, environment: { NODE_V8_COVERAGE: coverage } });
    await weekly;
    await printCoverage({ root, coverage, reports: join(folder, "coverage-report") });
  }
} catch (error) {
  process.stdout.write(`The checks did not come to their end: ${error instanceof Error ? error.message : String(error)}\n`);
  failed++;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (findChromium() === undefined && !isChromiumRequired()) {
  process.stdout.write(`Not run: the tests in a browser (test/browser). ${howToInstall}\n`);
}
if (findPostgresql() === undefined && !isPostgresqlRequired()) {
  process.stdout.write(`Not run: the tests with PostgreSQL (test/databases). ${howToInstallPostgresql}\n`);
}
if (!findMariadb() && !isPostgresqlRequired()) {
  process.stdout.write(`Not run: the tests with MariaDB (test/databases). ${howToInstallMariadb}\n`);
}
if (findAzurite() === undefined && !isPostgresqlRequired()) {
  process.stdout.write(`Not run: the tests with Azure Storage (test/testing/azure.test.ts). ${howToInstallAzurite}\n`);
}
process.stdout.write(`${failed === 0 ? "" : again}${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
