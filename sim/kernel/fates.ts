/**
 * What the network does to one leg of a message (the request on its way there, the answer on its way back). A leg has a name, `c>w1 task-update #3 request`: ends,
 * label, and which one of its kind it is. Its fate is drawn by that name, or read from a list: the same run, told as single events.
 */
import type { NamedDraws } from "./named-draws.ts";
import type { LinkConditions } from "./network.ts";

export type FateKind =
  /** It never arrives, and neither side learns of it. */
  | "lost"
  /** The connection is reset before it arrives. */
  | "reset"
  /** The connection is reset, and the request arrived all the same. */
  | "reset-delivered"
  | "duplicated"
  /** Later than the link's latency. */
  | "delayed";

/** One entry of a plan's or a result's list; plain data. */
export interface MessageFate {
  /** `c>w1 task-update #3 request`. */
  readonly message: string;
  readonly kind: FateKind;
  /** On top of the latency, for `delayed`. */
  readonly extraNanos?: number;
}

/** What becomes of one leg. Several things can happen to it; latency always does. */
export interface LegFate {
  readonly latencyNanos: number;
  readonly extraNanos: number;
  readonly lost: boolean;
  readonly reset: boolean;
  /** Of a reset leg: it arrived all the same. */
  readonly delivered: boolean;
  /** Arrives a second time, so much later than the first. */
  readonly duplicateNanos: number | undefined;
}

/** Draws a leg's fate. Always in the same order, so that a changed probability moves nothing else. */
export function drawFate(draws: NamedDraws, message: string, conditions: LinkConditions): LegFate {
  const dice = draws.of(message);
  const latencyNanos = dice.between(conditions.latencyNanosMin, conditions.latencyNanosMax);
  const tail = dice.chance(conditions.tailPer10k, 10_000);
  const tailNanos = dice.between(0, conditions.tailNanosMax);
  const lost = dice.chance(conditions.lossPer10k, 10_000);
  const reset = dice.chance(conditions.resetPer10k, 10_000);
  const delivered = dice.chance(1, 2);
  const duplicated = dice.chance(conditions.duplicatePer10k, 10_000);
  const later = dice.between(conditions.latencyNanosMin, conditions.latencyNanosMax);
  return {
    latencyNanos,
    extraNanos: tail ? tailNanos : 0,
    lost,
    reset: reset && !lost,
    delivered,
    duplicateNanos: duplicated && !lost ? later : undefined,
  };
}

/** The fate that a list gives; legs that it does not name arrive after their drawn latency. */
export function listedFate(listed: readonly MessageFate[], drawn: LegFate): LegFate {
  let fate: LegFate = { ...drawn, extraNanos: 0, lost: false, reset: false, delivered: false, duplicateNanos: undefined };
  for (const { kind, extraNanos } of listed) {
    switch (kind) {
      case "lost":
        fate = { ...fate, lost: true };
        break;
      case "reset":
        fate = { ...fate, reset: true };
        break;
      case "reset-delivered":
        fate = { ...fate, reset: true, delivered: true };
        break;
      case "duplicated":
        fate = { ...fate, duplicateNanos: drawn.duplicateNanos ?? drawn.latencyNanos };
        break;
      case "delayed":
        fate = { ...fate, extraNanos: extraNanos ?? 0 };
        break;
    }
  }
  return fate;
}

/** A leg's fate as entries of a list: nothing for a leg that just arrived. */
export function tellFate(message: string, fate: LegFate): readonly MessageFate[] {
  const told: MessageFate[] = [];
  if (fate.lost) {
    told.push({ message, kind: "lost" });
  }
  if (fate.reset) {
    told.push({ message, kind: fate.delivered ? "reset-delivered" : "reset" });
  }
  if (fate.duplicateNanos !== undefined) {
    told.push({ message, kind: "duplicated" });
  }
  if (fate.extraNanos > 0) {
    told.push({ message, kind: "delayed", extraNanos: fate.extraNanos });
  }
  return told;
}
