/**
 * What would have happened otherwise: every alternative is run as it is, and then with other latencies drawn, as often as there is time for. Where the
 * failure goes away it is what the failure needs.
 */
import type { RunPlan } from "../plan.ts";
import type { Signature } from "../shrink/signature.ts";
import type { Laboratory } from "../shrink/trial.ts";
import type { Alternative } from "./alternatives.ts";

export interface Counterfactual {
  readonly text: string;
  /** The run that differs in nothing else fails. */
  readonly fails: boolean;
  /** Of so many runs with other latencies ... */
  redrawn: number;
  /** ... so many fail. */
  redrawnFailing: number;
}

export interface CounterfactualOptions {
  readonly laboratory: Laboratory;
  readonly signature: Signature;
  /** Runs with other latencies of each alternative. */
  readonly redrawsMax: number;
  readonly eventsMax: number;
  readonly signal?: AbortSignal | undefined;
  readonly onRun?: ((done: number, all: number) => void) | undefined;
}

/** The first is the run itself. */
export async function counterfactuals(
  plan: RunPlan,
  alternatives: readonly Alternative[],
  options: CounterfactualOptions,
): Promise<readonly Counterfactual[]> {
  const { redrawsMax, signal, onRun } = options;
  const all: readonly Alternative[] = [{ text: "as it was", plan }, ...alternatives];
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
    // An answer that the end of time has cut off is none.
    return isOver() ? undefined : trial.violation !== undefined;
  };
  const exact = await Promise.all(all.map(({ plan: candidate }) => fails(candidate)));
  const rows = all.flatMap(({ text }, index): Counterfactual[] => {
    const failed = exact[index];
    return failed === undefined ? [] : [{ text, fails: failed, redrawn: 0, redrawnFailing: 0 }];
  });
  // Round by round, so that whenever time is over all alternatives had as many runs.
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

/** The same faults and fates over links whose latencies are drawn anew, from half to twice what they were. */
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
    `${"".padEnd(width)}  exactly so  other latencies`,
    ...cells.map(({ text, verdict, share, conclusion }, index) =>
      `${text.padEnd(width)}  ${verdict.padEnd(10)}  ${share.padEnd(11)}${index === 0 ? "" : `  ${conclusion}`}`.trimEnd(),
    ),
  ];
}

function conclusionOf({ fails, runs, failing }: { readonly fails: boolean; readonly runs: number; readonly failing: number }): string {
  if (fails) {
    return "no matter";
  }
  if (runs > 0 && failing === 0) {
    return "NEEDED: without it the failure vanishes";
  }
  return failing === 0 ? "NEEDED" : "needed here; other timings fail without it";
}
