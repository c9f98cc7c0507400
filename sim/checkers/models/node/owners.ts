/**
 * Memory, files and tasks have owners, written from docs/architecture.md (Pages, kernels, memory; Failing well), docs/configuration.md
 * (Tasks and exchanges) and section 4.7 of the reference:
 * - What a query holds on a node, a task of it holds there that has not ended, or the coordinator while the query runs.
 * - A task that has ended holds no memory, no page and no file. Its exchanges have closed all their sources.
 * - A file of spilled pages belongs to a task that has not ended, of the current incarnation. Whatever ends a task removes it.
 * - A task that nobody asks about is abandoned after `task.client.timeout`; one that ended and was not deleted is forgotten after
 *   `task.info.max-age`.
 */
import type { Accounts } from "../../../../src/node-accounts.ts";
import { parseDataSize } from "../../../../src/protocol/units.ts";
import { durationProperty } from "../../../properties.ts";
import { nanosPerMs, nanosPerSecond } from "../../../world/world.ts";
import type { Observed } from "../../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note, Transition } from "../model.ts";

/** Nodes of a large cluster are looked at in turns. */
const placesAtOnce = 6;
/** Removing a file takes time, and so does starting. */
const removedNanos = 4 * nanosPerSecond;
/** Ages are checked periodically, by a clock whose speed a fault may change. */
const lateNanos = 4 * nanosPerSecond;
const clockShareMax = 1.3;
const sizeShare = 1.01;

const isOver = (state: string): boolean => /^(?:FINISHED|CANCELED|ABORTED|FAILED)$/.test(state);
const asked = / task-(?:update|status|info) \w+ \/v1\/task\/([^/?]+)/;
const spilled = /^spill\/([^/]+)\/([^/~]+\.\d+\.\d+)(?:~[^/]*)?\//;

interface Known {
  /** Local time of the last request about the task, and of the first look that found it ended. */
  askedNanos: number;
  endedNanos: number | undefined;
}

interface Document {
  readonly taskId: string;
  readonly state: string;
  readonly stats: {
    readonly memoryReservation: string;
    readonly peakMemoryReservation: string;
    readonly pipelines: readonly {
      readonly operatorSummaries: readonly {
        readonly info?: {
          readonly bufferedPages: number;
          readonly bufferedBytes: number;
          readonly pageBufferClientStatuses: readonly { readonly uri: string; readonly state: string }[];
        };
      }[];
    }[];
  };
}

/** A query that goes on after a restart has attempts from a hundred on, and from two hundred after the next one (decision 107). */
const attemptsOfLife = 100;

/** The name of a root task by its attempt in the current life. */
function withinLife(taskId: string): string {
  return taskId.replace(/\.0\.(\d+)$/, (_, number) => `.0.${Number(number) % attemptsOfLife}`);
}

class OwnersModel implements Model {
  readonly notes = ["serve", "start"];
  readonly #context: Judged;
  readonly #places: readonly string[];
  readonly #clientTimeoutNanos: number;
  readonly #infoAgeNanos: number;
  /** Tasks by place; a new incarnation has none. */
  readonly #tasks = new Map<string, Map<string, Known>>();
  /** World's time at which a file without an owner was first seen, by place and path. */
  readonly #orphans = new Map<string, number>();
  /** Number of times that a query's root stage has begun, in the coordinator's incarnation. */
  readonly #attempts = new Map<string, number>();
  /** Largest memory of a task that a document told, by task and place. */
  readonly #most = new Map<string, number>();
  /** Places whose disk is slow for a while: they remove what is left late. */
  readonly #slow: ReadonlySet<string>;
  #looked = 0;

  constructor(context: Judged) {
    const { plan } = context;
    this.#context = context;
    this.#places = [plan.coordinator, ...plan.workers].map(({ name }) => name);
    this.#slow = new Set(plan.faults.flatMap((fault) => (fault.kind === "slow-disk" ? [fault.node] : [])));
    this.#clientTimeoutNanos = durationProperty(plan.properties, "task.client.timeout") * nanosPerMs;
    this.#infoAgeNanos = durationProperty(plan.properties, "task.info.max-age") * nanosPerMs;
  }

  note({ place, kind, detail }: Note): void {
    if (kind === "start") {
      this.#tasks.delete(place);
      if (place === this.#context.plan.coordinator.name) {
        this.#attempts.clear();
      }
      // The new incarnation has its own time to remove what the former one left.
      for (const key of this.#orphans.keys()) {
        if (key.startsWith(`${place} `)) {
          this.#orphans.delete(key);
        }
      }
      return;
    }
    const taskId = detail.includes(" task-") ? asked.exec(detail)?.[1] : undefined;
    if (taskId !== undefined) {
      this.#known(place, taskId).askedNanos = this.#context.localNanos(place);
    }
  }

  observeTransition({ kind, id, from }: Transition): void {
    if (kind === "stage" && from === "PLANNED" && id.endsWith(".0")) {
      const queryId = id.slice(0, -".0".length);
      this.#attempts.set(queryId, (this.#attempts.get(queryId) ?? 0) + 1);
    }
  }

  observe({ to, task, request, response, json }: Observed): void {
    if (task?.what === "task" && response.status === 200 && request.method !== "POST") {
      this.#document(to, json() as Document);
    }
  }

  look(): void {
    for (let left = Math.min(placesAtOnce, this.#places.length); left > 0; left--) {
      const place = this.#places[this.#looked++ % this.#places.length] ?? "";
      const node = this.#context.node(place);
      if (node !== undefined) {
        const accounts = node.accounts();
        this.#memory(place, accounts);
        this.#files(place, node.incarnation, accounts);
        this.#ages(place, accounts);
      }
    }
  }

  #memory(place: string, { queries, tasks }: Accounts): void {
    const isCoordinator = place === this.#context.plan.coordinator.name;
    for (const { queryId, holders, reservedBytes } of queries) {
      const own = tasks.filter(({ taskId, state }) => taskId.startsWith(`${queryId}.`) && !isOver(state));
      // The coordinator holds the query itself and its root task, which is not in the list of tasks.
      this.#check(
        holders >= own.length && holders <= own.length + (isCoordinator ? 2 : 0),
        () => `${queryId} has ${holders} holders of its memory on ${place}, and ${own.length} tasks that have not ended`,
      );
      const buffered = own.reduce((sum, { output }) => sum + (output.memoryBytes ?? 0), 0);
      this.#check(
        buffered <= reservedBytes,
        () => `the output buffers of ${queryId} on ${place} hold ${buffered} bytes, of ${reservedBytes} that are charged to it`,
      );
    }
    for (const { taskId, state, output } of tasks) {
      this.#check(isOver(state) ? output.bufferedBytes === 0 : queries.some(({ queryId }) => taskId.startsWith(`${queryId}.`)), () =>
        isOver(state)
          ? `${taskId} on ${place} is ${state} and its output holds ${output.bufferedBytes} bytes`
          : `${taskId} on ${place} is ${state} and its query has no memory there`,
      );
    }
  }

  #files(place: string, incarnation: string, { queries, tasks }: Accounts): void {
    const owners = new Set(tasks.filter(({ state }) => !isOver(state)).map(({ taskId }) => taskId));
    if (place === this.#context.plan.coordinator.name) {
      // The root task of a query is not in the list of tasks. It holds its pages until a client has read them, or its attempt ends. The
      // root stage has one task, so the number of the task is that of the attempt.
      for (const { queryId } of queries) {
        owners.add(withinLife(`${queryId}.0.${Math.max(0, (this.#attempts.get(queryId) ?? 0) - 1)}`));
      }
    }
    const now = this.#context.nowNanos();
    const { facts } = this.#context;
    for (const path of this.#context.files(place)) {
      const [, life, taskId = ""] = spilled.exec(path) ?? [];
      if (life === undefined) {
        continue;
      }
      const key = `${place} ${path}`;
      if (life === incarnation && owners.has(withinLife(taskId))) {
        this.#orphans.delete(key);
        this.#check(true, () => "");
        continue;
      }
      const since = this.#orphans.get(key) ?? now;
      this.#orphans.set(key, since);
      const excused = facts.diskFailed(place) || this.#slow.has(place) || facts.hitSince(place, since - removedNanos);
      this.#check(
        now - since < removedNanos || excused,
        () => `${place} keeps ${path} for ${((now - since) / nanosPerSecond).toFixed(1)} s, and ${taskId} has ended`,
      );
    }
  }

  #ages(place: string, { tasks }: Accounts): void {
    const now = this.#context.localNanos(place);
    for (const { taskId, state } of tasks) {
      const known = this.#known(place, taskId);
      known.endedNanos ??= isOver(state) ? now : undefined;
      const [what, since, max] =
        known.endedNanos === undefined
          ? ["has not been asked for", known.askedNanos, this.#clientTimeoutNanos]
          : ["has ended", known.endedNanos, this.#infoAgeNanos];
      const age = now - since;
      const late = max * clockShareMax + lateNanos;
      this.#check(
        age <= late || this.#context.facts.hitSince(place, this.#context.nowNanos() - age * clockShareMax),
        () =>
          `${taskId} on ${place} is ${state} and ${what} for ${(age / nanosPerSecond).toFixed(1)} s, of ${max / nanosPerSecond} allowed`,
      );
    }
  }

  #document(place: string, { taskId, state, stats }: Document): void {
    const bytes = (text: string): number => parseDataSize(text) ?? Number.NaN;
    const key = `${place}#${this.#context.facts.livesOf(place)} ${taskId}`;
    const most = Math.max(this.#most.get(key) ?? 0, bytes(stats.memoryReservation));
    this.#most.set(key, most);
    this.#check(
      bytes(stats.peakMemoryReservation) * sizeShare >= most,
      () => `${taskId} on ${place} has held ${most} bytes, and its peak is ${stats.peakMemoryReservation}`,
    );
    if (!isOver(state)) {
      return;
    }
    for (const { operatorSummaries } of stats.pipelines) {
      for (const { info } of operatorSummaries) {
        const open = info?.pageBufferClientStatuses.find((client) => client.state !== "closed");
        this.#check(
          info === undefined || (info.bufferedPages === 0 && info.bufferedBytes === 0 && open === undefined),
          () =>
            `${taskId} on ${place} is ${state}, its exchange holds ${info?.bufferedPages ?? 0} pages and ${open?.uri ?? ""} is ${open?.state ?? ""}`,
        );
      }
    }
  }

  #known(place: string, taskId: string): Known {
    const tasks = this.#tasks.get(place) ?? new Map<string, Known>();
    this.#tasks.set(place, tasks);
    const known = tasks.get(taskId) ?? { askedNanos: this.#context.localNanos(place), endedNanos: undefined };
    tasks.set(taskId, known);
    return known;
  }

  #check(holds: boolean, sentence: () => string): void {
    this.#context.check(holds, sentence, "leak");
  }
}

export const owners: ModelKind = {
  invariant: {
    name: "owners",
    sentence:
      "Memory and spilled files belong to a task that has not ended; a task without requests is abandoned after its time-out, an ended one holds nothing and is forgotten after its age.",
    kind: "leak",
    checkedIn: "checkers/models/node/owners.ts",
  },
  create: (context) => new OwnersModel(context),
};
