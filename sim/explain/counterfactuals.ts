/**
 * Counterfactual runs: every alternative is run unchanged, then with redrawn latencies as often as time allows. If the failure disappears
 * without something, the failure needs it.
 */
import type { RunPlan } from "../plan.ts";
import type { Signature } from "../shrink/signature.ts";
import type { Laboratory } from "../shrink/trial.ts";
import type { Alternative } from "./alternatives.ts";

export interface Counterfactual {
  readonly text: string;
  /** Whether the alternative with the original latencies fails. */
  readonly fails: boolean;
  /** Number of runs with redrawn latencies. */
  redrawn: number;
  /** Number of those runs that fail. */
  redrawnFailing: number;
}

export interface CounterfactualOptions {
  readonly laboratory: Laboratory;
  readonly signature: Signature;
  /** Maximum runs with redrawn latencies for each alternative. */
  readonly redrawsMax: number;
  readonly eventsMax: number;
  readonly signal?: AbortSignal | undefined;
  readonly onRun?: ((done: number, all: number) => void) | undefined;
}

/** The first result is the run itself. */
export async function counterfactuals(
  plan: RunPlan,
  alternatives: readonly Alternative[],
  options: CounterfactualOptions,
): Promise<readonly Counterfactual[]> {
  const { redrawsMax, signal, onRun } = options;
  const all: readonly Alternative[] = [{ text: "the original run", plan }, ...alternatives];
  const total = all.length * (redrawsMax + 1);
  let done = 0;
  const isOver = (): boolean => signal?.aborted === true;
  const fails = async (candidate: RunPlan): Promise<boolean | undefined> => {
    if (isOver()) {
      return undefined;
    }
    const { laboratory, signature, eventsMax } = options;
    const trial = await laboratory.try({ plan: candidate, signature, eventsMax });
    onRun?.(++done, total);
    // A trial that the time limit cut off gives no result.
    return isOver() ? undefined : trial.violation !== undefined;
  };
  const exact = await Promise.all(all.map(({ plan: candidate }) => fails(candidate)));
  const rows = all.flatMap(({ text }, index): Counterfactual[] => {
    const failed = exact[index];
    return failed === undefined ? [] : [{ text, fails: failed, redrawn: 0, redrawnFailing: 0 }];
  });
  // Round by round, so that all alternatives have the same number of runs whenever time is over.
  for (let round = 1; round <= redrawsMax && !isOver(); round++) {
    const failed = await Promise.all(all.slice(0, rows.length).map(({ plan: candidate }) => fails(redrawn(candidate, round))));
    if (failed.includes(undefined)) {
      break;
    }
    for (const [index, row] of rows.entries()) {
      row.redrawn++;
      row.redrawnFailing += failed[index] === true ? 1 : 0;
    }
  }
  return rows;
}

/** The same faults and fates with redrawn latencies, from half to twice the original ones. */
function redrawn(plan: RunPlan, round: number): RunPlan {
  const { latencyNanosMin, latencyNanosMax } = plan.link;
  return {
    ...plan,
    seed: `${plan.seed}~${round}`,
    link: { ...plan.link, latencyNanosMin: Math.floor(latencyNanosMin / 2), latencyNanosMax: latencyNanosMax * 2 },
  };
}

export function describeCounterfactuals(rows: readonly Counterfactual[]): readonly string[] {
  const cells = rows.map(({ text, fails, redrawn: runs, redrawnFailing }) => ({
    text,
    verdict: fails ? "fails" : "passes",
    share: runs === 0 ? "-" : `${redrawnFailing} of ${runs}`,
    conclusion: conclusionOf({ fails, runs, failing: redrawnFailing }),
  }));
  const width = Math.max(...cells.map(({ text }) => text.length));
  return [
    `${"".padEnd(width)}  unchanged   redrawn latencies`,
    ...cells.map(({ text, verdict, share, conclusion }, index) =>
      `${text.padEnd(width)}  ${verdict.padEnd(10)}  ${share.padEnd(17)}${index === 0 ? "" : `  ${conclusion}`}`.trimEnd(),
    ),
  ];
}

function conclusionOf({ fails, runs, failing }: { readonly fails: boolean; readonly runs: number; readonly failing: number }): string {
  if (fails) {
    return "irrelevant";
  }
  if (runs > 0 && failing === 0) {
    return "NEEDED: the failure disappears without it";
  }
  return failing === 0 ? "NEEDED" : "needed here; fails without it with other timings";
}
