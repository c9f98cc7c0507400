/**
 * Alternatives to a failing run: the run without one fault or without one message's fate, or with two consecutive deliveries at a place in
 * reverse order, which is achieved by delaying the first. Everything else stays unchanged.
 */
import { describeFault } from "../faults/faults.ts";
import type { MessageFate } from "../world/fates.ts";
import type { RunPlan } from "../plan.ts";
import { type Causes, violationIn } from "../trace/causes.ts";
import { consecutive, deliveriesIn, isIndependent, swapNanos } from "../trace/races.ts";
import { relevantTo } from "./relevance.ts";

export interface Alternative {
  /** Description: `without crash w2 ...`. */
  readonly text: string;
  readonly plan: RunPlan;
}

/** Number of deliveries examined, backwards from the violation. */
const swapsMax = 8;

export function alternativesTo(plan: RunPlan, causes: Causes, oracle: string): readonly Alternative[] {
  return [...withoutFaults(plan), ...withoutFates(plan), ...withSwaps(plan, causes, oracle)];
}

function withoutFaults(plan: RunPlan): readonly Alternative[] {
  return plan.faults.map((fault, index) => ({
    text: `without ${describeFault(fault)}`,
    plan: { ...plan, faults: plan.faults.filter((_, at) => at !== index) },
  }));
}

function withoutFates(plan: RunPlan): readonly Alternative[] {
  const fates = plan.fates ?? [];
  return fates.map(({ message, kind }, index) => ({
    text: `without ${kind}: ${message}`,
    plan: { ...plan, fates: fates.filter((_, at) => at !== index) },
  }));
}

/** The last pairs of messages that reach one place consecutively, of which at least one is a cause of the violation. */
function withSwaps(plan: RunPlan, causes: Causes, oracle: string): readonly Alternative[] {
  const violation = violationIn(causes.entries, oracle);
  if (violation === undefined) {
    return [];
  }
  const relevant = new Set(relevantTo(violation, causes).entries.flatMap((entry) => causes.messageOf(entry)?.id ?? []));
  const pairs = consecutive(deliveriesIn(causes, violation)).filter(
    ([first, second]) => (relevant.has(first.message.id) || relevant.has(second.message.id)) && isIndependent(first, second, causes),
  );
  return pairs.slice(-swapsMax).map(([first, second]) => ({
    text: `if ${second.name} reached ${second.entry.place} before ${first.name}`,
    plan: {
      ...plan,
      fates: delayed(plan.fates ?? [], first.name, swapNanos(first, second)),
    },
  }));
}

function delayed(fates: readonly MessageFate[], message: string, extraNanos: number): readonly MessageFate[] {
  const known = fates.find((fate) => fate.message === message && fate.kind === "delayed")?.extraNanos ?? 0;
  return [
    ...fates.filter((fate) => fate.message !== message || fate.kind !== "delayed"),
    { message, kind: "delayed", extraNanos: known + extraNanos },
  ];
}
