/**
 * The pace at which the coordinator writes its history, written from decision 42, by the coordinator's clock:
 * - Ended queries are written in batches, one batch after a delay.
 * - A batch that the disk refuses is tried again after a longer delay, not sooner and not later.
 *
 * Coordinators that take over from each other write under one name, so their paces cannot be told apart.
 */
import { type KnobName, knobs } from "../../../../src/ports/knobs.ts";
import { nanosPerMs, nanosPerSecond } from "../../../world/world.ts";
import type { Judged, Model, ModelKind, Note } from "../model.ts";

const timerName = "query-history";
/** A timer that runs while a fault changes the speed of its clock keeps its old end. */
const clockShareMin = 0.7;
/** A coordinator that computes is late. */
const lateNanos = 3 * nanosPerSecond;

interface Moment {
  readonly localNanos: number;
  readonly nanos: number;
}

/** Of one life of a coordinator. */
interface Writer {
  /** When a batch was begun last. */
  begun?: Moment;
  /** When the disk refused the last batch; absent after the next was begun. */
  refused?: Moment | undefined;
}

class HistoryPace implements Model {
  readonly notes: readonly string[];
  readonly #context: Judged;
  readonly #writeNanos: number;
  readonly #againNanos: number;
  readonly #writers = new Map<string, Writer>();

  constructor(context: Judged) {
    const valueOf = (name: KnobName): number => context.plan.knobs?.[name] ?? knobs[name].default;
    this.#context = context;
    this.notes = context.plan.standby === undefined ? ["timer", "log-warn", "start"] : [];
    this.#writeNanos = valueOf("history-write-ms") * nanosPerMs;
    this.#againNanos = valueOf("history-again-ms") * nanosPerMs;
  }

  note({ place, kind, detail, nowNanos }: Note): void {
    if (kind === "start") {
      this.#writers.delete(place);
    } else if (kind === "timer" ? detail === timerName : detail.startsWith("query-history-not-written")) {
      const moment = { localNanos: this.#context.localNanos(place), nanos: nowNanos };
      const writer = this.#writers.get(place) ?? {};
      this.#writers.set(place, writer);
      if (kind === "timer") {
        this.#begins(place, writer, moment);
      } else {
        writer.refused = moment;
      }
    }
  }

  /** A try that never comes. */
  look(): void {
    for (const [place, { refused }] of this.#writers) {
      if (refused !== undefined) {
        this.#checkLate(place, refused, this.#context.localNanos(place));
      }
    }
  }

  #begins(place: string, writer: Writer, moment: Moment): void {
    const { begun, refused } = writer;
    if (begun !== undefined) {
      const pause = moment.localNanos - (refused ?? begun).localNanos;
      const least = refused === undefined ? this.#writeNanos : this.#againNanos;
      this.#context.check(
        pause >= least * clockShareMin,
        () =>
          `${place} writes its history ${ms(pause)} ms after ${refused === undefined ? "it did" : "the disk refused it"}, not ${ms(least)}`,
      );
    }
    if (refused !== undefined) {
      this.#checkLate(place, refused, moment.localNanos);
    }
    writer.begun = moment;
    writer.refused = undefined;
  }

  #checkLate(place: string, refused: Moment, localNanos: number): void {
    const pause = localNanos - refused.localNanos;
    this.#context.check(
      pause <= this.#againNanos / clockShareMin + lateNanos || this.#context.facts.hitSince(place, refused.nanos) || this.#isLeaving(place),
      () =>
        `${place} has not tried to write its history again for ${ms(pause)} ms after the disk refused it, not for ${ms(this.#againNanos)}`,
      "liveness",
    );
  }

  #isLeaving(place: string): boolean {
    return (this.#context.node(place)?.state ?? "ACTIVE") !== "ACTIVE" || this.#context.facts.hasEnded(place);
  }
}

function ms(nanos: number): string {
  return (nanos / nanosPerMs).toFixed(0);
}

export const historyPace: ModelKind = {
  invariant: {
    name: "history-pace",
    sentence:
      "The coordinator writes batches of its history a delay apart, and tries one that the disk has refused after a longer delay, not sooner and not later.",
    kind: "safety",
    checkedIn: "checkers/models/query/history-pace.ts",
  },
  create: (context) => new HistoryPace(context),
};
