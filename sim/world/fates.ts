/**
 * What the network does to one leg of a message: the request, or the response. The name of a leg, `c>w1 task-update #3 request`, consists
 * of its endpoints, its label and its ordinal among messages of that kind. The fate is drawn by that name, or read from a list that
 * reproduces the same run as single events.
 */
import type { FateKind, Leg } from "../../src/ports/fates.ts";
import type { NamedDraws } from "./named-draws.ts";

/** A stray duplicate may arrive long after the original request was completed. */
const strayNanosMax = 5_000_000_000;

/** One entry of the list in a plan or result; plain data. */
export interface MessageFate {
  /** Name of the leg: `c>w1 task-update #3 request`. */
  readonly message: string;
  readonly kind: FateKind;
  /** Delay on top of the latency, for `delayed`. */
  readonly extraNanos?: number;
}

/** What a link does to the messages on it. Probabilities in parts per 10,000 messages; times in nanoseconds. */
export interface LinkConditions {
  readonly latencyNanosMin: number;
  readonly latencyNanosMax: number;
  /** Probability that a message takes up to `tailNanosMax` longer. */
  readonly tailPer10k: number;
  readonly tailNanosMax: number;
  /** Neither side is notified; the sender waits until its time-out. */
  readonly lossPer10k: number;
  /** The sender sees a reset connection. Half of these messages arrive nevertheless. */
  readonly resetPer10k: number;
  readonly duplicatePer10k: number;
  /** The message waits until one that was sent after it has arrived. */
  readonly overtakenPer10k: number;
  /** Requests only: the connection is accepted and stays silent. */
  readonly neverAnsweredPer10k: number;
  /** Responses only: the connection ends in the middle of the body. */
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

/** Everything that happens to one leg. Latency always applies; several faults can combine. */
export interface LegFate {
  readonly latencyNanos: number;
  readonly extraNanos: number;
  readonly lost: boolean;
  readonly reset: boolean;
  /** Whether a leg that was reset arrived nevertheless. */
  readonly delivered: boolean;
  readonly duplicated: boolean;
  /** Delay of the duplicate after the first arrival. */
  readonly duplicateNanos: number;
  readonly overtaken: boolean;
  readonly neverAnswered: boolean;
  readonly truncated: boolean;
}

/** Fate of a message that crosses no link. */
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

/**
 * Draws the fate of a leg. The order of draws is fixed, so that changing one probability does not shift the other draws; draws without a
 * probability come first.
 */
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

/** Returns the fate that a list specifies. Legs that the list does not name arrive after their drawn latency. */
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

/** Converts a fate to entries of a list. A leg that arrived normally has no entries. */
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
