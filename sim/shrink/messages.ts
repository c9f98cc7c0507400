/**
 * Simplifies message fates: lists them instead of drawing them, then removes single ones, then shortens delays.
 */
import type { MessageFate } from "../world/fates.ts";
import type { RunPlan } from "../plan.ts";
import { lazily, type Search } from "./search.ts";
import { shorterSpans } from "./numbers.ts";

/** The same run with its fates as a list; only latencies are still drawn for messages. */
export function withListedFates(plan: RunPlan, fates: readonly MessageFate[]): RunPlan {
  return { ...plan, fates };
}

export async function reduceFates(search: Search): Promise<void> {
  await search.reduce(search.best.fates ?? [], withListedFates);
}

export async function simplifyFates(search: Search): Promise<void> {
  const fates = search.best.fates ?? [];
  for (const [index, { kind, extraNanos }] of fates.entries()) {
    if (kind === "delayed" && extraNanos !== undefined) {
      await search.first(lazily(shorterSpans(extraNanos), (nanos) => replaceFate(search.best, index, { extraNanos: nanos })));
    }
  }
}

function replaceFate(plan: RunPlan, index: number, change: Partial<MessageFate>): RunPlan {
  return withListedFates(
    plan,
    (plan.fates ?? []).map((fate, at) => (at === index ? { ...fate, ...change } : fate)),
  );
}
