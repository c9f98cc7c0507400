/**
 * Many seeds at the terminal: progress, failures as they occur, and totals. Ctrl-C ends the sweep and prints the totals so far.
 */
import { writeFileSync } from "node:fs";
import { drawRun } from "../draw/draw.ts";
import { Fingerprint } from "../world/fingerprint.ts";
import { exitCodes } from "../checkers/violation.ts";
import type { SavedSweep } from "../report/saved.ts";
import { StatusLine } from "../status-line.ts";
import { paintFor } from "../terminal/paint.ts";
import { summarizeSweep, sweepVerdict, type SweepSummary } from "../terminal/summary.ts";
import { addTally, describeGroups, describeTally, FailureGroups, sweepSeeds } from "../sweep.ts";
import { configOf, identifyProgram, type ProgramIdentity, writeToken } from "../token.ts";

export interface SweepRequest {
  readonly seeds: { readonly from: number; readonly to: number };
  readonly jobs: number;
  /** Stops after this many failures. */
  readonly failFast?: number;
  readonly minutes?: number;
  /** File name for the totals. */
  readonly json?: string;
  /** Prints every counter, and the token of each failure. */
  readonly verbose?: boolean;
}

const msPerMinute = 60_000;
/** Exit code that a shell reports for a program ended by Ctrl-C. */
const interruptedCode = 130;

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Returns the exit code of the first failure in the order of the seeds. */
export async function sweep({ seeds, jobs, failFast, minutes, json, verbose }: SweepRequest): Promise<number> {
  const status = new StatusLine();
  const wanted = seeds.to - seeds.from + 1;
  const sums: Record<string, number> = {};
  const fingerprints = new Fingerprint();
  const failures = new FailureGroups();
  const stop = new AbortController();
  let count = 0;
  let failed = 0;
  let firstFailed: { readonly seed: string } | undefined;
  const program: ProgramIdentity = identifyProgram(process.argv[1] ?? "");
  let exitCode: number = exitCodes.pass;
  const isOver = (): boolean =>
    (minutes !== undefined && status.seconds * 1000 >= minutes * msPerMinute) || failed >= (failFast ?? Number.POSITIVE_INFINITY);
  const interrupt = (): void => stop.abort();
  process.once("SIGINT", interrupt);
  await sweepSeeds({
    ...seeds,
    jobs,
    isOver,
    signal: stop.signal,
    onSummary: ({ seed, violation, tally, fingerprint }) => {
      count++;
      fingerprints.text(fingerprint);
      addTally(sums, tally);
      if (violation !== undefined) {
        failed++;
        firstFailed ??= { seed };
        exitCode = exitCode === exitCodes.pass ? exitCodes[violation.kind] : exitCode;
        failures.add(seed, violation);
        status.clear();
        say(`seed ${seed}: FAIL ${violation.kind} [${violation.oracle}] ${violation.sentence}`);
        if (verbose === true) {
          const token = writeToken({ program, subject: { kind: "seed", seed }, config: configOf(drawRun(seed)), event: violation.event });
          say(`  npm run sim -- --seed ${seed}\n  npm run sim -- --token ${token}`);
        }
      }
    },
    onProgress: (done) => status.show(() => describeProgress(status, { done, wanted, failed })),
  });
  process.off("SIGINT", interrupt);
  status.clear();
  const realMs = status.seconds * 1000;
  const summary: SweepSummary = {
    ...seeds,
    count,
    failed,
    firstFailed: firstFailed?.seed,
    sums,
    realMs,
    jobs,
    fingerprint: fingerprints.digest(),
    paint: paintFor(process.stdout.isTTY, process.env),
  };
  say(sweepVerdict(summary));
  if (failed > 0) {
    say(describeGroups(failures.all).join("\n"));
  }
  if (verbose === true) {
    say(describeTally(sums).join("\n"));
  }
  say(summarizeSweep(summary).join("\n"));
  if (json !== undefined) {
    const totals: SavedSweep = {
      orrerySweep: 1,
      program: { commit: program.commit ?? null, dirty: program.dirty, hash: program.hash },
      from: seeds.from,
      to: seeds.to,
      seeds: count,
      failed,
      jobs,
      realMs: Math.round(realMs),
      fingerprint: fingerprints.digest(),
      failures: failures.all,
      tally: sums,
    };
    writeFileSync(json, `${JSON.stringify(totals, undefined, 2)}\n`);
    say(`totals written to ${json}`);
  }
  return stop.signal.aborted && exitCode === exitCodes.pass ? interruptedCode : exitCode;
}

const barWidth = 24;

function describeProgress(
  status: StatusLine,
  { done, wanted, failed }: { readonly done: number; readonly wanted: number; readonly failed: number },
): string {
  const left = status.secondsLeft(done, wanted);
  const filled = Math.round((done / wanted) * barWidth);
  const bar = `${"█".repeat(filled)}${"░".repeat(barWidth - filled)}`;
  const time = left < 60 ? `${left} s` : `${Math.floor(left / 60)} min ${left % 60} s`;
  return `${bar} ${done}/${wanted} seeds, ${failed} failed, ${(done / status.seconds).toFixed(1)}/s, ${time} left`;
}
