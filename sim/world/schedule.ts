/**
 * The order in which nearly simultaneous messages arrive. A network draws a latency for each message, and most orders of two messages are
 * then either usual or rare. A schedule makes rare orders usual:
 * - `pct` gives each class of messages a random priority and delays a message by its rank, so that a whole chain of messages of one class
 *   overtakes one message of another. At a few change points the class of the next message becomes the last (probabilistic concurrency
 *   testing).
 * - `races` swaps messages that race: one that arrives while another is on its way to the same place may be held until the other has
 *   arrived. The other was sent before, so it does not depend on the first, and both orders are legal.
 *
 * A schedule only delays messages, so it changes nothing that a slow network could not do. It ends with the faults.
 */
import type { NamedDraws } from "./named-draws.ts";

export type PlannedSchedule =
  | {
      readonly kind: "pct";
      /** Messages of one class have one priority: those of a link, with one label, or to one place. */
      readonly by: "link" | "label" | "receiver";
      readonly ranks: number;
      /** Delay of a message for each rank of its class. */
      readonly gapNanos: number;
      /** Numbers of messages at which the priority of a class drops below all others. */
      readonly changePoints: readonly number[];
    }
  | {
      readonly kind: "races";
      /** Swapped races of 1,000. */
      readonly per1000: number;
      /** Maximum time between the two messages of a race. */
      readonly windowNanos: number;
    };

/** One leg of a message, as the network sends it. */
export interface ScheduledLeg {
  /** `c>w1 task-update #3 request`. */
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

/** Interval by which a held message follows the other. */
const behindNanos = 1_000;
/** Messages without which a node counts as failed; a schedule does not delay them. */
const signsOfLife: ReadonlySet<string> = new Set(["heartbeat", "announcement"]);

interface OnTheWay {
  readonly name: string;
  readonly atNanos: number;
}

export class Schedule {
  readonly #planned: PlannedSchedule;
  readonly #draws: NamedDraws;
  readonly #isOver: () => boolean;
  #messages = 0;
  /** Classes whose priority dropped, in the order of their drops. */
  readonly #dropped = new Map<string, number>();
  readonly #onTheWay = new Map<string, Map<string, OnTheWay>>();
  /** Messages that were held once; they are not held again. */
  readonly #held = new Set<string>();

  constructor(planned: PlannedSchedule, { draws, isOver }: { readonly draws: NamedDraws; readonly isOver: () => boolean }) {
    this.#planned = planned;
    this.#draws = draws;
    this.#isOver = isOver;
  }

  /** Delay of a leg that is sent now, in nanoseconds. */
  delayOf(leg: ScheduledLeg): number {
    const { kind } = this.#planned;
    if (kind !== "pct" || this.#isOver() || signsOfLife.has(leg.label)) {
      return 0;
    }
    const { by, ranks, gapNanos, changePoints } = this.#planned;
    const name = by === "link" ? `${leg.from}>${leg.to}` : by === "label" ? leg.label : leg.to;
    if (changePoints.includes(++this.#messages)) {
      this.#dropped.set(name, this.#dropped.size);
    }
    const dropped = this.#dropped.get(name);
    return gapNanos * (dropped === undefined ? this.#draws.of(`priority of ${name}`).nextInt(ranks) : ranks + dropped);
  }

  /** Registers a leg that will arrive at its place at this time. */
  sent({ name, to, label }: ScheduledLeg, atNanos: number): void {
    if (this.#planned.kind === "races" && !signsOfLife.has(label)) {
      const legs = this.#onTheWay.get(to) ?? new Map<string, OnTheWay>();
      this.#onTheWay.set(to, legs);
      legs.set(name, { name, atNanos });
    }
  }

  /** Time for which a leg that arrives now is held, in nanoseconds; 0 if it is delivered. */
  hold({ name, to }: ScheduledLeg, nowNanos: number): number {
    const legs = this.#onTheWay.get(to);
    if (this.#planned.kind !== "races" || legs?.delete(name) !== true || this.#held.has(name) || this.#isOver()) {
      return 0;
    }
    const { per1000, windowNanos } = this.#planned;
    const others = [...legs.values()].filter(({ atNanos }) => atNanos >= nowNanos && atNanos <= nowNanos + windowNanos);
    const draws = this.#draws.of(`race of ${name}`);
    if (others.length === 0 || !draws.chance(per1000, 1_000, "swapped")) {
      return 0;
    }
    this.#held.add(name);
    return draws.pick(others, "other").atNanos - nowNanos + behindNanos;
  }
}
