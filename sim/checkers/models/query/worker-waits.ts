/**
 * Model of queries that wait for workers. Written from docs/configuration.md (query-manager.required-workers and its maximum wait,
 * node-scheduler.allowed-no-matching-node-period). That a query goes on when there are enough workers is judged by promptness.
 * - It waits no longer than query-manager.required-workers-max-wait.
 * - If a cluster that was complete has lost all of its workers, it waits no longer than node-scheduler.allowed-no-matching-node-period.
 */
import { durationProperty, numberProperty } from "../../../properties.ts";
import { nanosPerMs } from "../../../world/world.ts";
import type { Observed } from "../../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note, Transition } from "../model.ts";

const waiting = "WAITING_FOR_RESOURCES";
/** Work of the coordinator that may come first. */
const lateMs = 1_000;
/** Faults after which a coordinator acts late. */
const delays = /^(?:pause|slow-node) (\S+)/;

class WorkerWaits implements Model {
  readonly notes = ["start", "fault", "log-info"];
  readonly #context: Judged;
  readonly #coordinator: string;
  readonly #requiredWorkers: number;
  /** Since when each query waits. */
  readonly #waits = new Map<string, number>();
  #isDelayed = false;
  /** Whether this incarnation of the coordinator has had all workers that it requires. */
  #wasComplete = false;
  /** Since when each look found no worker, and none announced itself. */
  #noneSinceMs: number | undefined;

  constructor(context: Judged) {
    this.#context = context;
    this.#coordinator = context.plan.coordinator.name;
    this.#requiredWorkers = numberProperty(context.plan.properties, "query-manager.required-workers");
  }

  note({ detail, kind, place }: Note): void {
    if (kind === "start" && place === this.#coordinator) {
      this.#waits.clear();
      this.#isDelayed = false;
      this.#wasComplete = false;
      this.#noneSinceMs = undefined;
    }
    // A coordinator that leaves admits nothing.
    const isLeaving = place === this.#coordinator && kind === "log-info" && detail.startsWith("shutdown-started");
    this.#isDelayed ||= isLeaving || (kind === "fault" && delays.exec(detail)?.[1] === this.#coordinator);
  }

  observeTransition({ from, id, kind, place, to }: Transition): void {
    if (kind !== "query" || place !== this.#coordinator) {
      return;
    }
    if (to === waiting) {
      this.#waits.set(id, this.#nowMs);
    } else if (from === waiting) {
      this.look();
      this.#waits.delete(id);
    }
  }

  observe({ path, to }: Observed): void {
    if (to === this.#coordinator && path.startsWith("/v1/announcement")) {
      this.#noneSinceMs = undefined;
    }
  }

  look(): void {
    const active = this.#context.node(this.#coordinator)?.cluster?.activeWorkers().length;
    if (active === undefined) {
      return;
    }
    const nowMs = this.#nowMs;
    this.#wasComplete ||= active >= this.#requiredWorkers;
    this.#noneSinceMs = active === 0 && this.#wasComplete ? (this.#noneSinceMs ?? nowMs) : undefined;
    for (const [id, sinceMs] of this.#isDelayed ? [] : this.#waits) {
      // One that has its workers may wait for its turn.
      this.#judge(id, active < this.#requiredWorkers ? sinceMs : nowMs, nowMs);
    }
  }

  #judge(id: string, sinceMs: number, nowMs: number): void {
    const { check, plan } = this.#context;
    const noneSinceMs = Math.max(sinceMs, this.#noneSinceMs ?? Infinity);
    const rules: readonly (readonly [sinceMs: number, mayWaitMs: number, why: string])[] = [
      [sinceMs, durationProperty(plan.properties, "query-manager.required-workers-max-wait"), "it began to wait"],
      [noneSinceMs, durationProperty(plan.properties, "node-scheduler.allowed-no-matching-node-period"), "all workers were lost"],
    ];
    for (const [from, mayWaitMs, why] of rules) {
      const waitedMs = nowMs - from;
      check(
        waitedMs <= mayWaitMs + lateMs,
        () => `${id} waits for workers ${waitedMs.toFixed(0)} ms after ${why}, and may wait ${mayWaitMs} ms`,
        "liveness",
      );
    }
  }

  get #nowMs(): number {
    return this.#context.localNanos(this.#coordinator) / nanosPerMs;
  }
}

export const workerWaits: ModelKind = {
  invariant: {
    name: "worker-waits",
    sentence: "A query waits for workers no longer than the maximum wait, or than the period without any worker.",
    kind: "liveness",
    checkedIn: "checkers/models/query/worker-waits.ts",
  },
  create: (context) => new WorkerWaits(context),
};
