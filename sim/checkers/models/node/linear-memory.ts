/**
 * The linear memory of a node, written from docs/architecture.md (Pages, kernels, memory), docs/configuration.md
 * (`node.memory-return-delay`) and decision 29. Looked at from inside the node:
 * - What is in use is resident, and no more is resident than there is. If nothing is charged to anybody, nothing is in use.
 * - A node that has been idle for the delay gives memory back: what is resident and not in use is then less than the bound of waste, or
 *   less than what is in use.
 */
import type { Accounts } from "../../../../src/node-accounts.ts";
import { durationProperty } from "../../../properties.ts";
import { nanosPerMs, nanosPerSecond } from "../../../world/world.ts";
import type { Judged, Model, ModelKind, Note } from "../model.ts";

const defaultWasteBytes = 128 * 2 ** 20;
/** Resident memory is counted in steps of 1 MiB, and each end of what is in use may be in the midst of one. */
const stepBytes = 2 * 2 ** 20;
/** Slack for the loop of a node, and for clocks that drift. */
const lateNanos = 5 * nanosPerSecond;

interface Idle {
  readonly sinceNanos: number;
}

class LinearMemoryModel implements Model {
  readonly notes = ["start", "serve"];
  readonly #context: Judged;
  readonly #places: readonly string[];
  readonly #wasteBytesMax: number;
  readonly #delayNanos: number;
  /** Workers that have done nothing since that time, by their own clock. */
  readonly #idle = new Map<string, Idle>();
  #looks = 0;

  constructor(context: Judged) {
    this.#context = context;
    this.#places = [context.plan.coordinator, ...context.plan.workers].map(({ name }) => name);
    this.#wasteBytesMax = context.plan.knobs?.["idle-memory-bytes"] ?? defaultWasteBytes;
    this.#delayNanos = durationProperty(context.plan.properties, "node.memory-return-delay") * nanosPerMs + lateNanos;
  }

  /** Tasks, tables and catalogs change by requests; a request that only asks how the node is changes nothing. */
  note({ place, kind, detail }: Note): void {
    if (kind === "start" || !/ HEAD \/v1\/status$| GET \/(?:v1\/info|livez|readyz)/.test(detail)) {
      this.#idle.delete(place);
    }
  }

  look(): void {
    const place = this.#places[this.#looks++ % this.#places.length] ?? "";
    const accounts = this.#context.node(place)?.accounts();
    if (accounts !== undefined) {
      this.#bounds(place, accounts);
      this.#returned(place, accounts);
    }
  }

  #bounds(place: string, { sizeBytes, reservedBytes, usedBytes, residentBytes }: Accounts): void {
    this.#context.check(
      usedBytes <= residentBytes && residentBytes <= sizeBytes && (reservedBytes > 0 || usedBytes === 0),
      () => `${place} has ${usedBytes} bytes in use, ${residentBytes} resident of ${sizeBytes}, and ${reservedBytes} charged`,
    );
  }

  /** The coordinator also works for queries that no request tells of. */
  #returned(place: string, { queries, tasks, residentBytes, usedBytes }: Accounts): void {
    if (place === this.#places[0]) {
      return;
    }
    const now = this.#context.localNanos(place);
    const isBusy = queries.length > 0 || tasks.some(({ state }) => !/^(?:FINISHED|CANCELED|ABORTED|FAILED)$/.test(state));
    const idle = isBusy ? undefined : (this.#idle.get(place) ?? { sinceNanos: now });
    if (idle === undefined) {
      this.#idle.delete(place);
      return;
    }
    this.#idle.set(place, idle);
    const waste = residentBytes - usedBytes;
    this.#context.check(
      now - idle.sinceNanos < this.#delayNanos || waste < Math.max(this.#wasteBytesMax, usedBytes) + stepBytes,
      () =>
        `${place} has been idle for ${((now - idle.sinceNanos) / nanosPerSecond).toFixed(1)} s and keeps ${waste} bytes that are not in use, ` +
        `of ${this.#wasteBytesMax} allowed`,
    );
  }
}

export const linearMemory: ModelKind = {
  invariant: {
    name: "linear-memory",
    sentence:
      "What is in use of a node's memory is resident, nothing is in use that is charged to nobody, and an idle node gives back what it does not use.",
    kind: "leak",
    checkedIn: "checkers/models/node/linear-memory.ts",
  },
  create: (context) => new LinearMemoryModel(context),
};
