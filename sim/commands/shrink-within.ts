/**
 * Shrinks a plan within a time budget and shows progress on the terminal; shared by `shrink` and `explain`.
 */
import type { Laboratory } from "../shrink/trial.ts";
import type { Search } from "../shrink/search.ts";
import { shrink, type Shrunk } from "../shrink/shrink.ts";
import { Deadline } from "./deadline.ts";
import type { PlanSource } from "./plan-source.ts";
import { StatusLine } from "../status-line.ts";

/** Share of the budget reserved for the story at the end. */
const storyShare = 0.05;

export async function shrinkWithin(
  source: PlanSource,
  options: { readonly budgetSeconds: number; readonly laboratory: Laboratory; readonly stop: AbortSignal },
): Promise<Shrunk> {
  const { budgetSeconds, laboratory, stop } = options;
  const status = new StatusLine();
  const deadline = new Deadline(budgetSeconds * (1 - storyShare), stop);
  const onTrial = ({ stage, runs, adopted, trial }: Search): void =>
    status.show(
      () =>
        `${source.title}: ${stage}, ${runs} runs, ${adopted} steps, ${trial.events} events, ${status.seconds.toFixed(0)} of ${budgetSeconds} s`,
    );
  try {
    return await shrink(source.plan, { laboratory, signal: deadline.signal, onTrial });
  } finally {
    deadline.clear();
    status.clear();
  }
}
