/**
 * What the network does to one leg of a message (the request on its way there, the answer on its way back). A leg has a name, `c>w1 task-update #3 request`: ends,
 * label, and which one of its kind it is. Its fate is drawn by that name, or read from a list: the same run, told as single events.
 */
import type { NamedDraws } from "./named-draws.ts";

/** A duplicate that strays may come when what it was about is long over. */
const strayNanosMax = 5_000_000_000;

export type Leg = "request" | "answer";

export type FateKind =
  /** It never arrives, and neither side learns of it. */
  | "lost"
  /** The connection is reset before it arrives. */
  | "reset"
  /** The connection is reset, and the request arrived all the same. */
  | "reset-delivered"
  /** A request that arrives twice. */
  | "duplicated"
  /** Later than the link's latency. */
  | "delayed"
  /** It waits until a message that was sent after it has arrived: the order of the two is turned round. */
  | "overtaken"
  /** The connection of a request is taken and stays silent: the node never sees the request, and only its end or a time-out ends the wait. */
  | "never-answered"
  /** The connection ends in the middle of the answer's body: the request was carried out. */
  | "truncated";

/** One entry of a plan's or a result's list; plain data. */
export interface MessageFate {
  /** `c>w1 task-update #3 request`. */
  readonly message: string;
  readonly kind: FateKind;
  /** On top of the latency, for `delayed`. */
  readonly extraNanos?: number;
}

/** What a link does to the messages on it. Probabilities in parts per 10,000 messages; times in nanoseconds. */
export interface LinkConditions {
  readonly latencyNanosMin: number;
  readonly latencyNanosMax: number;
  /** One message in 10,000 / this takes up to `tailNanosMax` longer. */
  readonly tailPer10k: number;
  readonly tailNanosMax: number;
  /** Neither side learns of it: the sender waits until its time-out. */
  readonly lossPer10k: number;
  /** The sender sees a reset connection; the message may have arrived (half of them). */
  readonly resetPer10k: number;
  readonly duplicatePer10k: number;
  /** Waits until a message that was sent after it has arrived. */
  readonly overtakenPer10k: number;
  /** Of requests: the connection is taken and stays silent. */
  readonly neverAnsweredPer10k: number;
  /** Of answers: the connection ends in the middle of the body. */
  readonly truncatedPer10k: number;
}

export const calmLink: LinkConditions = {
  latencyNanosMin: 100_000,
  latencyNanosMax: 400_000,
  tailPer10k: 0,
  tailNanosMax: 0,
  lossPer10k: 0,
  resetPer10k: 0,
  duplicatePer10k: 0,
  overtakenPer10k: 0,
  neverAnsweredPer10k: 0,
  truncatedPer10k: 0,
};

/** What becomes of one leg. Several things can happen to it; latency always does. */
export interface LegFate {
  readonly latencyNanos: number;
  readonly extraNanos: number;
  readonly lost: boolean;
  readonly reset: boolean;
  /** Of a reset leg: it arrived all the same. */
  readonly delivered: boolean;
  readonly duplicated: boolean;
  /** How much later than the first a second one arrives. */
  readonly duplicateNanos: number;
  readonly overtaken: boolean;
  readonly neverAnswered: boolean;
  readonly truncated: boolean;
}

/** Of what crosses no link. */
export const calmFate: LegFate = {
  latencyNanos: 0,
  extraNanos: 0,
  lost: false,
  reset: false,
  delivered: false,
  duplicated: false,
  duplicateNanos: 0,
  overtaken: false,
  neverAnswered: false,
  truncated: false,
};

/** Draws a leg's fate. Always in the same order, so that a changed probability moves nothing else; what needs no probability comes first. */
export function drawFate(draws: NamedDraws, message: string, leg: Leg, conditions: LinkConditions): LegFate {
  const dice = draws.of(message);
  const latencyNanos = dice.between(conditions.latencyNanosMin, conditions.latencyNanosMax, "latency");
  const closeNanos = dice.between(conditions.latencyNanosMin, conditions.latencyNanosMax, "latency of the duplicate");
  const strayNanos = dice.between(0, strayNanosMax, "latency of a stray duplicate");
  const duplicateNanos = dice.chance(1, 2, "stray") ? strayNanos : closeNanos;
  const chance = (per10k: number, reason: string): boolean => dice.chance(per10k, 10_000, reason);
  const lost = chance(conditions.lossPer10k, "lost");
  const reset = chance(conditions.resetPer10k, "reset");
  const delivered = chance(5_000, "delivered");
  const duplicated = chance(conditions.duplicatePer10k, "duplicated");
  const overtaken = chance(conditions.overtakenPer10k, "overtaken");
  const neverAnswered = chance(conditions.neverAnsweredPer10k, "never answered");
  const truncated = chance(conditions.truncatedPer10k, "truncated");
  const tail = chance(conditions.tailPer10k, "tail");
  const tailNanos = dice.between(0, conditions.tailNanosMax, "length of the tail");
  const isRequest = leg === "request";
  const ends = lost || reset;
  return {
    latencyNanos,
    extraNanos: tail ? tailNanos : 0,
    lost,
    reset: reset && !lost,
    delivered: reset && !lost && isRequest && delivered,
    duplicated: duplicated && isRequest && !lost && !(reset && !delivered),
    duplicateNanos,
    overtaken: overtaken && !ends,
    neverAnswered: neverAnswered && isRequest && !ends,
    truncated: truncated && !isRequest && !ends,
  };
}

/** The fate that a list gives; legs that it does not name arrive after their drawn latency. */
export function listedFate(listed: readonly MessageFate[], { latencyNanos, duplicateNanos }: LegFate): LegFate {
  const has = (kind: FateKind): boolean => listed.some((fate) => fate.kind === kind);
  return {
    latencyNanos,
    duplicateNanos,
    extraNanos: listed.find(({ kind }) => kind === "delayed")?.extraNanos ?? 0,
    lost: has("lost"),
    reset: has("reset") || has("reset-delivered"),
    delivered: has("reset-delivered"),
    duplicated: has("duplicated"),
    overtaken: has("overtaken"),
    neverAnswered: has("never-answered"),
    truncated: has("truncated"),
  };
}

/** A leg's fate as entries of a list: nothing for a leg that just arrived. */
export function tellFate(message: string, fate: LegFate): readonly MessageFate[] {
  const told: MessageFate[] = [];
  const tell = (holds: boolean, kind: FateKind): void => {
    if (holds) {
      told.push({ message, kind });
    }
  };
  tell(fate.lost, "lost");
  tell(fate.reset, fate.delivered ? "reset-delivered" : "reset");
  tell(fate.duplicated, "duplicated");
  tell(fate.overtaken, "overtaken");
  tell(fate.neverAnswered, "never-answered");
  tell(fate.truncated, "truncated");
  if (fate.extraNanos > 0) {
    told.push({ message, kind: "delayed", extraNanos: fate.extraNanos });
  }
  return told;
}
