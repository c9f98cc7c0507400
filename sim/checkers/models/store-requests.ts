/**
 * Model of reads from an object store, and of the parts that are written to it. Written from docs/architecture.md (Failing well: whatever
 * ends a query frees its tasks, buffers, memory, timers and slot) and docs/connectors.md (What a query waits for in a store ends with it; a
 * write removes what it has left, for a declared time). A node that has no task, and a coordinator that has no query either, neither lists
 * and reads objects nor sends parts of one, and none of these requests is under way. A node that removes what is left has more time.
 */
import { knobsOf } from "../../../src/ports/knobs.ts";
import { nanosPerMs } from "../../world/world.ts";
import type { Judged, Model, ModelKind, Note, Transition } from "./model.ts";

const noted = /^(\d+) ((?:s3|azure)-[a-z-]+)$/;
const judged = /-(?:get|head|list|upload-part)$/;
const removes = /-(?:upload-list|upload-abort|delete)$/;
const ended = /^(?:FINISHED|FAILED|CANCELED|ABORTED)$/;
/** Drivers close their sources at the end of a slice, and a node may compute for a while. */
const lateNanos = 400 * nanosPerMs;

/** The files of a write and the mark of its table are removed one after the other. */
const graces = 3;

interface Place {
  /** Tasks and queries that run. */
  readonly running: Set<string>;
  /** Requests under way, by their numbers. */
  readonly requests: Map<string, string>;
  /** Time at which the last of them ended; undefined while there are some, and before the first. */
  idleSinceNanos: number | undefined;
  /** It has begun to remove what was left, since then. */
  isRemoving: boolean;
}

class StoreRequests implements Model {
  readonly notes = ["store-request", "store-answer", "start", "crash", "stopped"];
  readonly #context: Judged;
  readonly #graceNanos: number;
  readonly #places = new Map<string, Place>();

  constructor(context: Judged) {
    this.#context = context;
    this.#graceNanos = graces * knobsOf(context.plan.knobs ?? {}).value("store-cleanup-ms") * nanosPerMs;
  }

  note({ place, kind, detail, nowNanos }: Note): void {
    if (kind === "start" || kind === "crash" || kind === "stopped") {
      // The requests of a process end with it.
      this.#places.delete(place);
      return;
    }
    const [, number = "", label] = noted.exec(detail) ?? [];
    if (label === undefined) {
      return;
    }
    const known = this.#of(place);
    if (kind === "store-request") {
      known.isRemoving ||= removes.test(label);
      if (removes.test(label) || !judged.test(label)) {
        return;
      }
      known.requests.set(number, label);
      this.#check(place, known, nowNanos, `${label} begins`);
    } else if (known.requests.delete(number)) {
      this.#check(place, known, nowNanos, `${label} was under way`);
    }
  }

  observeTransition({ kind, id, to, place, nowNanos }: Transition): void {
    if (kind !== "task" && kind !== "query") {
      return;
    }
    const known = this.#of(place);
    if (!ended.test(to)) {
      known.running.add(`${kind} ${id}`);
      known.idleSinceNanos = undefined;
      known.isRemoving = false;
    } else if (known.running.delete(`${kind} ${id}`) && known.running.size === 0) {
      known.idleSinceNanos = nowNanos;
    }
  }

  end(): void {
    for (const [place, known] of this.#places) {
      for (const label of known.requests.values()) {
        this.#check(place, known, this.#context.nowNanos(), `${label} is under way at the end`);
      }
    }
  }

  #check(place: string, { idleSinceNanos, isRemoving }: Place, nowNanos: number, what: string): void {
    this.#context.check(
      idleSinceNanos === undefined || nowNanos <= idleSinceNanos + lateNanos + (isRemoving ? this.#graceNanos : 0),
      () => `${place}: ${what} ${Math.round((nowNanos - (idleSinceNanos ?? 0)) / nanosPerMs)} ms after the last query and task there ended`,
    );
  }

  #of(place: string): Place {
    const known = this.#places.get(place) ?? { running: new Set(), requests: new Map(), idleSinceNanos: undefined, isRemoving: false };
    this.#places.set(place, known);
    return known;
  }
}

export const storeRequests: ModelKind = {
  invariant: {
    name: "store-requests",
    sentence:
      "What a query reads from an object store, and the parts that it writes there, end with it: a node without tasks and queries has no such request under way and begins none.",
    kind: "leak",
    checkedIn: "checkers/models/store-requests.ts",
  },
  create: (context) => new StoreRequests(context),
};
