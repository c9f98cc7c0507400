/**
 * Races of a run: two messages that reach one place one right after the other, of which the second does not depend on the first. The other
 * order is legal as well; a delay of the first message brings it about.
 */
import type { TraceEntry } from "../world/world.ts";
import type { Causes } from "./causes.ts";
import type { Message } from "./messages.ts";

export interface Delivery {
  readonly entry: TraceEntry;
  readonly message: Message;
  /** Name used by fates: `c>w1 task-update #3 request`. */
  readonly name: string;
}

/** Delay of the first delivery after the second. */
const behindNanos = 1_000;

/** Deliveries in order: requests where they are served, responses where they are received. Ends before `until`. */
export function deliveriesIn(causes: Causes, until?: TraceEntry): readonly Delivery[] {
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

/** Consecutive deliveries at one place, in the order of the second. */
export function consecutive(deliveries: readonly Delivery[]): readonly (readonly [Delivery, Delivery])[] {
  const last = new Map<string, Delivery>();
  return deliveries.flatMap((delivery) => {
    const before = last.get(delivery.entry.place);
    last.set(delivery.entry.place, delivery);
    return before === undefined || before.message.id === delivery.message.id ? [] : [[before, delivery] as const];
  });
}

/** Whether the second message does not depend on the first. */
export function isIndependent(first: Delivery, second: Delivery, causes: Causes): boolean {
  return !causes.sliceTo(second.entry).includes(first.entry);
}

/** Delay of the first message with which it arrives right after the second. */
export function swapNanos(first: Delivery, second: Delivery): number {
  return second.entry.atNanos - first.entry.atNanos + behindNanos;
}

/** A race as plain data: delayed by this much, the first message arrives after the second. */
export interface Race {
  readonly first: string;
  readonly second: string;
  readonly place: string;
  readonly delayNanos: number;
}

/** Messages of the background, whose order rarely matters, and those of a node to itself, which cross no link. */
const background = /^\S+ (heartbeat|announcement|withdrawal|operator) |^([^>]+)>\2 /;
/** Pairs that are examined for each race wanted. */
const looksForRace = 4;

/** Some races of a run, chosen by `shuffle` among all its pairs. */
export function someRaces(
  causes: Causes,
  { racesMax, shuffle }: { readonly racesMax: number; readonly shuffle: <T>(items: readonly T[]) => readonly T[] },
): readonly Race[] {
  const pairs = consecutive(deliveriesIn(causes)).filter(([first, second]) => ![first, second].some(({ name }) => background.test(name)));
  const races: Race[] = [];
  for (const [first, second] of shuffle(pairs).slice(0, racesMax * looksForRace)) {
    if (races.length < racesMax && isIndependent(first, second, causes)) {
      races.push({ first: first.name, second: second.name, place: second.entry.place, delayNanos: swapNanos(first, second) });
    }
  }
  return races;
}
