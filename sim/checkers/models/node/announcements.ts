/**
 * Announcements of workers, written from docs/configuration.md (discovery.announce-interval) and docs/interface.md (Node), by the clock of
 * the worker:
 * - After one that the coordinator has accepted, the next comes after the interval: sooner only if it says something new, or if a catalog
 *   of the worker was assigned or dropped, and not later.
 * - Between two the worker waits at the coordinator. When that wait is refused or its connection breaks, the next comes at once.
 */
import { durationProperty } from "../../../properties.ts";
import { nanosPerMs, nanosPerSecond } from "../../../world/world.ts";
import { readBody } from "../../protocol/bodies.ts";
import type { Observed } from "../../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note } from "../model.ts";

/** A timer that runs while a fault changes the speed of its clock keeps its old end. */
const clockShareMin = 0.7;
/** A node that computes is late. */
const lateNanos = 3 * nanosPerSecond;
/** As `lateNanos`, for the one that follows a broken wait: less than the shortest interval, or the rule would say nothing. */
const lateAfterWaitNanos = nanosPerSecond / 2;
const waitLabel = " announcement-watch";

interface Announcer {
  /** Last accepted announcement, by the worker's clock and by the world's. */
  accepted: { readonly localNanos: number; readonly nanos: number } | undefined;
  readonly inFlight: Set<string>;
  /** When its wait at the coordinator was refused or broke, by the worker's clock and by the world's. */
  unknown: { readonly localNanos: number; readonly nanos: number } | undefined;
  /** Pause before an announcement that came before its time, until the coordinator has received it. */
  early: number | undefined;
  text: string;
}

const nothingSaid = { accepted: undefined, unknown: undefined, early: undefined, text: "" };

class Announcements implements Model {
  readonly notes = ["request", "answer", "network-error", "duplicated", "point", "start", "serve"];
  readonly #context: Judged;
  readonly #coordinator: string;
  readonly #intervalNanos: number;
  readonly #announcers = new Map<string, Announcer>();
  /** Workers whose announcements the network has delivered twice, or that a fault point repeats or leaves out. */
  readonly #unclear = new Set<string>();

  constructor(context: Judged) {
    this.#context = context;
    this.#coordinator = context.plan.coordinator.name;
    this.#intervalNanos = durationProperty(context.plan.properties, "discovery.announce-interval") * nanosPerMs;
  }

  note({ place, kind, detail, nowNanos }: Note): void {
    if (kind === "start") {
      this.#announcers.delete(place);
    } else if (kind === "point") {
      if (detail.startsWith("announcement-")) {
        this.#unclear.add(place);
      }
    } else if (kind === "serve") {
      const announcer = detail.includes(" /v1/catalog/") ? this.#announcers.get(place) : undefined;
      if (announcer !== undefined) {
        announcer.accepted = undefined;
      }
    } else if (detail.includes(waitLabel)) {
      this.#waited(place, kind, detail, nowNanos);
    } else if (detail.includes(" announcement")) {
      const [message = "", , , outcome = ""] = detail.split(" ", 4);
      const announcer = this.#announcers.get(place) ?? { ...nothingSaid, inFlight: new Set<string>() };
      this.#announcers.set(place, announcer);
      if (kind === "duplicated") {
        this.#unclear.add(place);
      } else if (kind === "request") {
        this.#sent(place, announcer);
        announcer.inFlight.add(message);
      } else if (announcer.inFlight.delete(message)) {
        const isAccepted = kind === "answer" && /^2\d\d$/.test(outcome) && announcer.inFlight.size === 0;
        announcer.accepted = isAccepted ? { localNanos: this.#context.localNanos(place), nanos: nowNanos } : undefined;
      }
    }
  }

  #waited(place: string, kind: string, detail: string, nowNanos: number): void {
    const announcer = this.#announcers.get(place);
    const isRefused = kind === "network-error" || (kind === "answer" && !/^2\d\d$/.test(detail.split(" ", 4)[3] ?? ""));
    // Answers of both kinds may come in one event, in any order, while an announcement is under way.
    if (isRefused && announcer?.accepted !== undefined && announcer.inFlight.size === 0) {
      announcer.unknown = { localNanos: this.#context.localNanos(place), nanos: nowNanos };
    }
  }

  #sent(place: string, announcer: Announcer): void {
    const { accepted, inFlight, unknown } = announcer;
    announcer.accepted = undefined;
    announcer.early = undefined;
    announcer.unknown = undefined;
    if (accepted === undefined || inFlight.size > 0) {
      return;
    }
    if (unknown !== undefined) {
      const late = this.#context.localNanos(place) - unknown.localNanos;
      this.#context.check(
        late <= lateAfterWaitNanos || this.#unclear.has(place) || this.#context.facts.hitSince(place, unknown.nanos),
        () => `${place} announces itself ${ms(late)} ms after the coordinator did not know it any more`,
      );
      return;
    }
    const pause = this.#context.localNanos(place) - accepted.localNanos;
    announcer.early = pause < this.#intervalNanos * clockShareMin ? pause : undefined;
    this.#context.check(
      pause <= this.#intervalNanos / clockShareMin + lateNanos ||
        this.#unclear.has(place) ||
        this.#context.facts.hitSince(place, accepted.nanos),
      () => `${place} announces itself ${ms(pause)} ms after it was accepted, of an interval of ${ms(this.#intervalNanos)} ms`,
    );
  }

  observe({ from, to, path, request, response }: Observed): void {
    const announcer = to === this.#coordinator && request.method === "PUT" ? this.#announcers.get(from) : undefined;
    if (announcer === undefined || !path.startsWith("/v1/announcement/")) {
      return;
    }
    const text = readBody(request.body).text();
    const { early } = announcer;
    if (early !== undefined) {
      announcer.early = undefined;
      this.#context.check(
        text !== announcer.text || this.#unclear.has(from),
        () =>
          `${from} says nothing new ${ms(early)} ms after its announcement was accepted, before the interval of ${ms(this.#intervalNanos)} ms`,
      );
    }
    announcer.text = response.status < 300 ? text : announcer.text;
  }
}

function ms(nanos: number): string {
  return (nanos / nanosPerMs).toFixed(0);
}

export const announcements: ModelKind = {
  invariant: {
    name: "announcements",
    sentence:
      "A worker that was accepted announces itself again after the interval, sooner only with news or when its wait at the coordinator broke, and not later.",
    kind: "safety",
    checkedIn: "checkers/models/node/announcements.ts",
  },
  create: (context) => new Announcements(context),
};
