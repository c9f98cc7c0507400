/**
 * `npm run sim -- report`: one page about one or more saved sweeps.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import type { Command } from "commander";
import { exitCodes } from "../../checkers/violation.ts";
import { type ReportedSweep, reportPage } from "../../report/page.ts";
import { readSavedSweep } from "../../report/saved.ts";

interface Options {
  readonly out: string;
}

export function addReportCommand(program: Command): void {
  program
    .command("report")
    .description("write one HTML page about sweeps that --json saved: failures, work, coverage, and the trend from the first to the last")
    .argument("<files...>", "totals that `--seeds A..B --json FILE` wrote, the oldest first")
    .option("--out <file>", "file of the page", "orrery-report.html")
    .action((files: readonly string[], { out }: Options) => {
      process.exitCode = report(files, out);
    });
}

function report(files: readonly string[], out: string): number {
  const sweeps: ReportedSweep[] = [];
  for (const file of files) {
    try {
      sweeps.push({ name: basename(file), sweep: readSavedSweep(readFileSync(file, "utf8")) });
    } catch (error) {
      process.stderr.write(`Cannot read ${file}: ${error instanceof Error ? error.message : String(error)}\n`);
      return exitCodes.usage;
    }
  }
  const page = reportPage(sweeps);
  try {
    writeFileSync(out, page);
  } catch (error) {
    process.stderr.write(`Cannot write ${out}: ${error instanceof Error ? error.message : String(error)}\n`);
    return exitCodes.usage;
  }
  process.stdout.write(`wrote ${out} (${Math.ceil(page.length / 1024)} kB): open it in a browser\n`);
  return exitCodes.pass;
}
