/**
 * Many seeds, summed up: on all cores by child processes that each run one seed after the other, told in the order of the seeds. Every seed is a world of
 * its own, so which process runs it changes nothing.
 */
import { type ChildProcess, fork } from "node:child_process";
import { drawRun, faultKinds } from "./draw/draw.ts";
import type { Violation } from "./oracles/violation.ts";
import type { RunResult } from "./result.ts";
import { runPlan } from "./run.ts";
import { SharedState } from "./shared.ts";

/** The flag by which this program is told to be such a child. */
export const sweepWorkerFlag = "--sweep-worker";

/** Counters by name, `fault landed crash` for example; they add up over seeds. */
export type Tally = Readonly<Record<string, number>>;

export interface SeedSummary {
  readonly seed: string;
  readonly fingerprint: string;
  readonly violation: Violation | undefined;
  readonly tally: Tally;
}

function summarize(result: RunResult): SeedSummary {
  const tally: Record<string, number> = {};
  const add = (name: string, count: number): void => {
    tally[name] = (tally[name] ?? 0) + count;
  };
  const { work } = result;
  add("simulatedMs", Math.round(result.simulatedNanos / 1e6));
  add("events", result.events);
  add("statements", work.submitted);
  add("finished", work.finished);
  add("cancelled", work.canceled);
  add("abandoned", work.vanished);
  add("unanswered", work.unanswered);
  add("rows", work.rows);
  add("tasks", work.tasks);
  add("pages", work.pages);
  add("spills", result.spills);
  for (const [error, count] of Object.entries(work.failed)) {
    add(`error ${error}`, count);
  }
  for (const [kind, count] of Object.entries(work.kinds)) {
    add(`statement ${kind}`, count);
  }
  for (const fault of result.faults) {
    add(`struck ${fault.kind}`, 1);
    add(`landed ${fault.kind}`, fault.landed ? 1 : 0);
  }
  for (const [oracle, count] of Object.entries(result.checks)) {
    add(`checked ${oracle}`, count);
  }
  return { seed: result.plan.seed, fingerprint: result.fingerprint, violation: result.violations[0], tally };
}

export interface SweepOptions {
  readonly from: number;
  readonly to: number;
  readonly jobs: number;
  /** In the order of the seeds. */
  readonly onSummary: (summary: SeedSummary) => void;
  /** As soon as a seed is done, whichever it is. */
  readonly onProgress: (done: number) => void;
}

export async function sweepSeeds(options: SweepOptions): Promise<void> {
  const { from, to, jobs, onSummary, onProgress } = options;
  const done = new Map<number, SeedSummary>();
  let next = from;
  let told = from;
  let count = 0;
  const take = (summary: SeedSummary): void => {
    done.set(Number(summary.seed), summary);
    onProgress(++count);
    for (let ready = done.get(told); ready !== undefined; ready = done.get(told)) {
      done.delete(told++);
      onSummary(ready);
    }
  };
  if (jobs === 1) {
    const shared = new SharedState();
    while (next <= to) {
      take(summarize(await runPlan(drawRun(String(next++)), { shared })));
    }
    return;
  }
  const takeSeed = (): number | undefined => (next <= to ? next++ : undefined);
  await Promise.all(Array.from({ length: Math.min(jobs, to - from + 1) }, () => superviseChild(takeSeed, take)));
}

/** Feeds one child after the other with seeds until there are none: a child that dies takes its seed with it, and another takes its place. */
async function superviseChild(takeSeed: () => number | undefined, take: (summary: SeedSummary) => void): Promise<void> {
  for (let seed = takeSeed(); seed !== undefined; seed = takeSeed()) {
    const child = fork(process.argv[1] ?? "", [sweepWorkerFlag], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    while (seed !== undefined) {
      const summary = await askChild(child, seed);
      take(summary ?? lostSeed(seed));
      if (summary === undefined) {
        break;
      }
      seed = takeSeed();
    }
    child.disconnect();
  }
}

/** undefined when the child died of it. */
function askChild(child: ChildProcess, seed: number): Promise<SeedSummary | undefined> {
  return new Promise((resolve) => {
    const onExit = (): void => resolve(undefined);
    child.once("exit", onExit);
    child.once("message", (summary) => {
      child.off("exit", onExit);
      resolve(summary as SeedSummary);
    });
    child.send(seed);
  });
}

function lostSeed(seed: number): SeedSummary {
  const sentence = "the process that ran this seed died";
  return { seed: String(seed), fingerprint: "", violation: { kind: "crash", oracle: "process", sentence, atNanos: 0 }, tally: {} };
}

/** The whole life of a child. */
export function serveSweep(): Promise<void> {
  const shared = new SharedState();
  return new Promise((resolve) => {
    process.on("message", (seed) => {
      void runPlan(drawRun(String(seed)), { shared }).then(
        (result) => process.send?.(summarize(result)),
        (error: unknown) => {
          process.stderr.write(`seed ${String(seed)}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
          process.exit(1);
        },
      );
    });
    process.on("disconnect", resolve);
  });
}

export function addTally(sums: Record<string, number>, tally: Tally): void {
  for (const [name, count] of Object.entries(tally)) {
    sums[name] = (sums[name] ?? 0) + count;
  }
}

/** What the seeds did, in lines for a person. */
export function describeTally(sums: Tally): readonly string[] {
  const count = (name: string): number => sums[name] ?? 0;
  const withPrefix = (prefix: string): string =>
    Object.keys(sums)
      .filter((name) => name.startsWith(prefix))
      .sort((a, b) => count(b) - count(a) || (a < b ? -1 : 1))
      .map((name) => `${name.slice(prefix.length)} ${count(name)}`)
      .join(", ");
  const faults = faultKinds.map((kind) => `${kind} ${count(`landed ${kind}`)}/${count(`struck ${kind}`)}`).join(", ");
  return [
    `work: ${count("statements")} statements, ${count("finished")} finished, ${count("cancelled")} cancelled, ${count("abandoned")} abandoned, ${count("unanswered")} unanswered; ${count("rows")} rows, ${count("tasks")} tasks, ${count("pages")} pages, ${count("spills")} of them spilled`,
    `statements: ${withPrefix("statement ")}`,
    `declared errors: ${withPrefix("error ")}`,
    `faults that landed on work, of those that struck: ${faults}`,
    `checked: ${withPrefix("checked ")}`,
  ];
}
