/** Fates of messages: first told one by one instead of drawn, then left out, then shorter delays. */
import type { MessageFate } from "../world/fates.ts";
import type { RunPlan } from "../plan.ts";
import { lazily, type Search } from "./search.ts";
import { shorterSpans } from "./numbers.ts";

/** The same run with what the links did as a list; nothing else is drawn for messages but their latency. */
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
