/**
 * The command `coverage` of `npm run fuzz`: prints the productions that are drawn and those that are not.
 */
import { projectRoot } from "../../../../sim/mutants/bank.ts";
import { StatusLine } from "../../../../sim/status-line.ts";
import { drawCoverage, reportCoverage } from "./coverage.ts";

export interface CoverageProgramOptions {
  readonly seed: number;
  readonly statements: number;
}

/** Returns whether every production is drawn or excused. */
export async function runCoverage({ seed, statements }: CoverageProgramOptions): Promise<boolean> {
  const status = new StatusLine();
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  process.on("SIGINT", interrupt);
  try {
    const coverage = await drawCoverage({
      seed,
      count: statements,
      root: projectRoot(),
      stopped: () => interruption.signal.aborted,
      onProgress: (drawn) => status.show(() => `${drawn} statements, ${(drawn / status.seconds).toFixed(1)} a second`),
    });
    status.clear();
    const { text, isClosed } = reportCoverage(coverage, seed);
    process.stdout.write(`${text}\n`);
    return isClosed;
  } finally {
    process.off("SIGINT", interrupt);
  }
}
