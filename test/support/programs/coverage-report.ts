/**
 * Prints, by room, how much of the source ran in the programs that tests and sweeps started: V8's coverage through c8 and the build's
 * source maps.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

interface Counts {
  readonly total: number;
  readonly covered: number;
}

type Summary = Readonly<Record<string, { readonly lines: Counts; readonly branches: Counts; readonly functions: Counts }>>;

/** Never fails: there is no required coverage. */
export async function printCoverage(options: {
  readonly root: string;
  /** Directory with V8's coverage files. */
  readonly coverage: string;
  readonly reports: string;
}): Promise<void> {
  if (!existsSync(options.coverage)) {
    process.stdout.write("Coverage: no program ran\n");
    return;
  }
  const args = ["report", "--temp-directory", options.coverage, "--reports-dir", options.reports, "--reporter", "json-summary"];
  // V8 sees the bundles; the table omits their code from packages.
  const filters = ["--merge-async", "--include", "dist/**", "--exclude", "node_modules/**"];
  const status = await new Promise<number>((resolve) => {
    const child = spawn(process.execPath, [join(options.root, "node_modules", ".bin", "c8"), ...args, ...filters], {
      cwd: options.root,
      stdio: ["ignore", "ignore", "inherit"],
    });
    child.on("error", () => resolve(127));
    child.on("exit", (code) => resolve(code ?? 1));
  });
  const file = join(options.reports, "coverage-summary.json");
  if (status !== 0 || !existsSync(file)) {
    process.stdout.write(`Coverage: c8 ended with ${status}\n`);
    return;
  }
  const summary = JSON.parse(readFileSync(file, "utf8")) as Summary;
  process.stdout.write(`Coverage of the programs that ran, by c8 (unit tests not counted):\n${tableOf(options.root, summary)}`);
}

function tableOf(root: string, summary: Summary): string {
  const rooms = new Map<string, { lines: Counts; functions: Counts; branches: Counts }>();
  const none: Counts = { total: 0, covered: 0 };
  const add = (a: Counts, b: Counts): Counts => ({ total: a.total + b.total, covered: a.covered + b.covered });
  for (const [path, counts] of Object.entries(summary)) {
    const parts = relative(root, path).split(sep);
    if (parts[0] !== "src" || parts.length < 2) {
      continue;
    }
    for (const room of [parts.length === 2 ? "src" : `src/${parts[1]}`, "total"]) {
      const before = rooms.get(room) ?? { lines: none, functions: none, branches: none };
      rooms.set(room, {
        lines: add(before.lines, counts.lines),
        functions: add(before.functions, counts.functions),
        branches: add(before.branches, counts.branches),
      });
    }
  }
  const percent = ({ total, covered }: Counts): string => (total === 0 ? "-" : `${((100 * covered) / total).toFixed(1)} %`).padStart(9);
  const line = (name: string, cells: readonly string[]): string => `  ${name.padEnd(18)}${cells.join("")}\n`;
  const body = [...rooms]
    .sort(([a], [b]) => Number(a === "total") - Number(b === "total") || (a < b ? -1 : 1))
    .map(([room, counts]) => line(room, [percent(counts.lines), percent(counts.functions), percent(counts.branches)]));
  return line("", ["lines".padStart(9), "functions".padStart(10), "branches".padStart(9)]) + body.join("");
}
