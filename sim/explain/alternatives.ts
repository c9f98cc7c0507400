/**
 * Alternatives to a failing run: the run without one fault or without one message's fate, or with two consecutive deliveries at a place in
 * reverse order, which is achieved by delaying the first. Everything else stays unchanged.
 */
import { describeFault } from "../faults/faults.ts";
import type { MessageFate } from "../world/fates.ts";
import type { TraceEntry } from "../world/world.ts";
import type { RunPlan } from "../plan.ts";
import { type Causes, violationIn } from "../trace/causes.ts";
import type { Message } from "../trace/messages.ts";
import { relevantTo } from "./relevance.ts";

export interface Alternative {
  /** Description: `without crash w2 ...`. */
  readonly text: string;
  readonly plan: RunPlan;
}

/** Number of deliveries examined, backwards from the violation. */
const swapsMax = 8;
/** Delay of the first delivery after the second. */
const behindNanos = 1_000;

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

interface Delivery {
  readonly entry: TraceEntry;
  readonly message: Message;
  /** Name used by fates: `c>w1 task-update #3 request`. */
  readonly name: string;
}

/** The last pairs of messages that reach one place consecutively, of which at least one is a cause of the violation. */
function withSwaps(plan: RunPlan, causes: Causes, oracle: string): readonly Alternative[] {
  const violation = violationIn(causes.entries, oracle);
  if (violation === undefined) {
    return [];
  }
  const relevant = new Set(relevantTo(violation, causes).entries.flatMap((entry) => causes.messageOf(entry)?.id ?? []));
  const deliveries = deliveriesIn(causes, violation);
  const last = new Map<string, Delivery>();
  const pairs: (readonly [Delivery, Delivery])[] = [];
  for (const delivery of deliveries) {
    const before = last.get(delivery.entry.place);
    last.set(delivery.entry.place, delivery);
    const isNear = relevant.has(delivery.message.id) || (before !== undefined && relevant.has(before.message.id));
    if (before !== undefined && isNear && before.message.id !== delivery.message.id && isIndependent(before, delivery, causes)) {
      pairs.push([before, delivery]);
    }
  }
  return pairs.slice(-swapsMax).map(([first, second]) => ({
    text: `if ${second.name} reached ${second.entry.place} before ${first.name}`,
    plan: {
      ...plan,
      fates: delayed(plan.fates ?? [], first.name, second.entry.atNanos - first.entry.atNanos + behindNanos),
    },
  }));
}

/** Whether the second message does not depend on the first. */
function isIndependent(first: Delivery, second: Delivery, causes: Causes): boolean {
  return !causes.sliceTo(second.entry).includes(first.entry);
}

function delayed(fates: readonly MessageFate[], message: string, extraNanos: number): readonly MessageFate[] {
  const known = fates.find((fate) => fate.message === message && fate.kind === "delayed")?.extraNanos ?? 0;
  return [
    ...fates.filter((fate) => fate.message !== message || fate.kind !== "delayed"),
    { message, kind: "delayed", extraNanos: known + extraNanos },
  ];
}

/** Deliveries, with the names that fates use: requests where they are served, responses where they are received. */
function deliveriesIn(causes: Causes, until: TraceEntry): readonly Delivery[] {
  const ordinals = new Map<string, number>();
  const names = new Map<number, string>();
  const deliveries: Delivery[] = [];
  const seen = new Set<string>();
  for (const entry of causes.entries) {
    if (entry === until) {
      break;
    }
    const message = causes.messageOf(entry);
    if (message === undefined) {
      continue;
    }
    if (entry.kind === "request") {
      const kind = `${message.from}>${message.to} ${message.label}`;
      const ordinal = (ordinals.get(kind) ?? 0) + 1;
      ordinals.set(kind, ordinal);
      names.set(message.id, `${kind} #${ordinal}`);
    }
    const name = names.get(message.id);
    const key = `${message.id} ${entry.kind}`;
    if (name !== undefined && (entry.kind === "serve" || entry.kind === "answer") && !seen.has(key)) {
      seen.add(key);
      deliveries.push({ entry, message, name: `${name} ${entry.kind === "serve" ? "request" : "answer"}` });
    }
  }
  return deliveries;
}
