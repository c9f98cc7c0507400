/**
 * The tasks of a node: creates them from update requests, keeps them until they are deleted, ends tasks that the coordinator has abandoned,
 * and holds the memory of their queries. Independent of HTTP, except for the errors that it throws.
 */
import { knobOf } from "../ports/knobs.ts";
import { isEndedTask } from "../execution/task/state.ts";
import type { TaskExecution, TaskOptions } from "../execution/task/api.ts";
import type { PlanFragment } from "../planner/fragmenter/fragment.ts";
import { hexDigits } from "../ports/random.ts";
import type { Timer } from "../ports/clock.ts";
import type { Ports } from "../ports/ports.ts";
import { assert } from "../protocol/errors.ts";
import { HttpError } from "../protocol/http/http.ts";
import { nodeStateHeader } from "../protocol/documents/info.ts";
import { parseTaskId } from "../protocol/query-id.ts";
import { RecentIds } from "../protocol/recent-ids.ts";
import type { TaskUpdateRequest } from "../protocol/documents/task.ts";
import { formatTimestamp } from "../protocol/timestamp.ts";
import type { QueryMemories } from "./query-memories.ts";

export interface TaskRegistryConfig {
  /** task.client.timeout */
  readonly clientTimeoutMs: number;
  /** task.info.max-age */
  readonly infoAgeMaxMs: number;
  /** task.max-tasks */
  readonly tasksMax: number;
}

export interface TaskRegistryOptions {
  readonly ports: Ports;
  readonly config: TaskRegistryConfig;
  readonly memories: QueryMemories;
  readonly createTask: (options: TaskOptions) => TaskExecution;
}

/** A registered task. */
export interface RegisteredTask {
  readonly taskId: string;
  readonly execution: TaskExecution;
  /** Drawn for each task object: another value under the same task id is another task. */
  readonly instanceId: string;
  /** Time of the last update, status or information request, in epoch milliseconds. */
  readonly lastHeartbeatMillis: number;
}

interface Entry extends RegisteredTask {
  readonly queryId: string;
  /** Incarnation of the coordinator that created the task; empty if its build does not send one. */
  readonly creator: string;
  readonly stopWatching: () => void;
  lastHeartbeatMillis: number;
  lastHeartbeatNanos: number;
  endedNanos: number | undefined;
}

/** Number of deleted task ids that are remembered, so that a late or repeated request does not create the task again. */
const tombstonesMax = 10_000;
/** Requests that wait for tasks which their coordinator has yet to create. Further ones are answered at once. */
const waitingReadersMax = 10_000;

export class TaskRegistry {
  readonly #options: TaskRegistryOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #tombstones = new RecentIds(tombstonesMax);
  readonly #idleCallbacks: (() => void)[] = [];
  /** Wake requests that wait for a task, by its id. */
  readonly #awaited = new Map<string, Set<() => void>>();
  #awaitedCount = 0;
  #liveCount = 0;
  #timer: Timer | undefined;
  #refusing = false;
  #closed = false;

  constructor(options: TaskRegistryOptions) {
    this.#options = options;
  }

  /** Tasks in order of creation. */
  list(): readonly RegisteredTask[] {
    return [...this.#entries.values()];
  }

  get taskCount(): number {
    return this.#entries.size;
  }

  /** Number of tasks that have not ended. */
  get liveCount(): number {
    return this.#liveCount;
  }

  get hasTimer(): boolean {
    return this.#timer !== undefined;
  }

  /** Returns the task without recording a heartbeat: for reads of its pages and for internal inspection. */
  find(taskId: string): RegisteredTask | undefined {
    return this.#entries.get(taskId);
  }

  /**
   * Calls `wake` once, when the task is created or will not be. Undefined if it exists, will not be created, or too many requests wait;
   * otherwise a function that ends the waiting.
   */
  onceCreated(taskId: string, wake: () => void): (() => void) | undefined {
    const isDecided = this.#entries.has(taskId) || this.#tombstones.has(taskId);
    if (isDecided || this.#closed || this.#refusing || this.#awaitedCount >= waitingReadersMax) {
      return undefined;
    }
    const waiting = this.#awaited.get(taskId) ?? new Set();
    this.#awaited.set(taskId, waiting);
    waiting.add(wake);
    this.#awaitedCount += 1;
    return () => {
      if (waiting.delete(wake)) {
        this.#awaitedCount -= 1;
      }
      if (waiting.size === 0 && this.#awaited.get(taskId) === waiting) {
        this.#awaited.delete(taskId);
      }
    };
  }

  /** True if the task was here and is not any more. */
  wasDeleted(taskId: string): boolean {
    return this.#tombstones.has(taskId);
  }

  #wake(taskId: string): void {
    const waiting = this.#awaited.get(taskId);
    this.#awaited.delete(taskId);
    for (const wake of waiting ?? []) {
      waiting?.delete(wake);
      this.#awaitedCount -= 1;
      wake();
    }
  }

  /** Returns the task of a status or information request, which counts as a heartbeat. */
  touch(taskId: string): RegisteredTask | undefined {
    const entry = this.#entries.get(taskId);
    if (entry !== undefined) {
      entry.lastHeartbeatMillis = this.#options.ports.clock.wallMillis();
      entry.lastHeartbeatNanos = this.#options.ports.clock.monotonicNanos();
    }
    return entry;
  }

  /**
   * Creates the task, or adds splits or dynamic filters to it. Idempotent: a repeated request has no effect. `creator` is the incarnation
   * of the requesting coordinator, empty if unknown. Throws HttpError 410 for a task of another incarnation, whose splits and rows differ.
   */
  update(taskId: string, request: TaskUpdateRequest, creator = ""): RegisteredTask {
    const known = this.#entries.get(taskId);
    if (known !== undefined && known.creator !== creator && known.creator !== "" && creator !== "") {
      throw new HttpError(410, `Task ${taskId} is of another life of its coordinator`);
    }
    const entry = this.touch(taskId) ?? this.#create(taskId, request, creator);
    for (const source of request.sources) {
      entry.execution.addSplits(source.planNodeId, source.splits as never);
      if (source.noMoreSplits) {
        entry.execution.setNoMoreSplits(source.planNodeId);
      }
    }
    for (const source of request.replacedSources ?? []) {
      entry.execution.replaceSource(source);
    }
    if (request.dynamicFilterDomains !== undefined) {
      entry.execution.setDynamicFilters(request.dynamicFilterDomains);
    }
    return entry;
  }

  /** Ends the task if it runs and removes it. Returns undefined if there is none. In either case the id cannot be used again. */
  delete(taskId: string, how: "cancel" | "abort"): RegisteredTask | undefined {
    this.#tombstones.add(taskId);
    const entry = this.#entries.get(taskId);
    if (entry === undefined) {
      this.#wake(taskId);
      return undefined;
    }
    if (how === "abort") {
      entry.execution.abort();
    } else {
      entry.execution.cancel();
    }
    this.#forget(entry);
    return entry;
  }

  /** Refuses to create tasks from now on. */
  refuseNew(): void {
    this.#refusing = true;
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const taskId of this.#awaited.keys()) {
      this.#wake(taskId);
    }
  }

  failAll(errorName: "SERVER_SHUTTING_DOWN", message: string): void {
    for (const entry of this.#entries.values()) {
      entry.execution.fail({ errorName, message });
    }
  }

  /** Calls `callback` once, when no task runs (`live`) or no task is registered (`known`); immediately if that holds already. */
  whenIdle(what: "live" | "known", callback: () => void): void {
    this.#watch(() => (what === "live" ? this.#liveCount : this.#entries.size) === 0, callback);
  }

  #watch(check: () => boolean, callback: () => void): void {
    if (check()) {
      callback();
      return;
    }
    const watch = (): void => {
      if (check()) {
        const index = this.#idleCallbacks.indexOf(watch);
        this.#idleCallbacks.splice(index, 1);
        callback();
      }
    };
    this.#idleCallbacks.push(watch);
  }

  /** Calls `callback` once the tasks that run now have ended; immediately if none runs. */
  afterTasks(callback: () => void): void {
    const running = [...this.#entries.values()].filter((entry) => entry.endedNanos === undefined);
    this.#watch(() => running.every((entry) => entry.endedNanos !== undefined), callback);
  }

  /** Ends and removes all tasks. */
  close(): void {
    this.#closed = true;
    this.#wakeAll();
    for (const entry of this.#entries.values()) {
      entry.execution.abort();
      this.#forget(entry);
    }
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #create(taskId: string, request: TaskUpdateRequest, creator: string): Entry {
    const { ports, config } = this.#options;
    const parts = parseTaskId(taskId);
    if (parts === undefined) {
      throw new HttpError(400, `Invalid task id: ${taskId}`);
    }
    if (this.#tombstones.has(taskId)) {
      throw new HttpError(410, `Task ${taskId} was deleted`);
    }
    if (request.fragment === undefined) {
      throw new HttpError(404, `Task ${taskId} is not known; the request that creates it must carry the fragment`);
    }
    if (this.#refusing || this.#closed) {
      throw new HttpError(503, "Server is shutting down", { "retry-after": "1", [nodeStateHeader]: "SHUTTING_DOWN" });
    }
    if (this.#entries.size >= config.tasksMax) {
      throw new HttpError(503, `The node has ${config.tasksMax} tasks, which is its limit`, { "retry-after": "1" });
    }
    const { memories } = this.#options;
    const memory = memories.enter(parts.queryId);
    let execution: TaskExecution;
    try {
      execution = this.#options.createTask({
        taskId,
        fragment: request.fragment as unknown as PlanFragment,
        outputBuffers: request.outputIds,
        session: request.session as TaskOptions["session"],
        queryMemory: memory,
        tasksOfQuery: () => memories.holdersOf(parts.queryId),
        ...(request.partition === undefined ? {} : { partition: Number(request.partition) }),
        isRetried: request.retryPolicy === "TASK",
        isRerun: request.retryPolicy === "TASK" && request.partition !== undefined,
      });
    } catch (error) {
      memories.leave(parts.queryId);
      throw error;
    }
    this.#liveCount += 1;
    const entry: Entry = {
      taskId,
      queryId: parts.queryId,
      creator,
      execution,
      instanceId: ports.random.stream("task-instance").nextText(16, hexDigits),
      stopWatching: execution.onChange(() => this.#checkEnded(entry)),
      lastHeartbeatMillis: ports.clock.wallMillis(),
      lastHeartbeatNanos: ports.clock.monotonicNanos(),
      endedNanos: undefined,
    };
    this.#entries.set(taskId, entry);
    this.#checkEnded(entry);
    this.#schedule();
    this.#wake(taskId);
    return entry;
  }

  #checkEnded(entry: Entry): void {
    if (entry.endedNanos !== undefined || !isEndedTask(entry.execution.state)) {
      return;
    }
    entry.endedNanos = this.#options.ports.clock.monotonicNanos();
    this.#liveCount -= 1;
    this.#options.memories.leave(entry.queryId);
    this.#tellIdle();
  }

  #forget(entry: Entry): void {
    this.#checkEnded(entry);
    assert(entry.endedNanos !== undefined, `task ${entry.taskId} is forgotten only after its end`);
    entry.stopWatching();
    this.#entries.delete(entry.taskId);
    if (this.#entries.size === 0) {
      this.#timer?.cancel();
      this.#timer = undefined;
    }
    this.#tellIdle();
  }

  #tellIdle(): void {
    for (const watch of this.#idleCallbacks.slice()) {
      watch();
    }
  }

  #schedule(): void {
    if (this.#timer === undefined && this.#entries.size > 0 && !this.#closed) {
      const { ports } = this.#options;
      this.#timer = ports.clock.timer("task-housekeeping", knobOf(ports, "housekeeping-ms"), () => {
        this.#timer = undefined;
        this.#tidy();
        this.#schedule();
      });
    }
  }

  #tidy(): void {
    const { config, ports } = this.#options;
    const now = ports.clock.monotonicNanos();
    for (const entry of this.#entries.values()) {
      if (entry.endedNanos !== undefined) {
        if (now - entry.endedNanos >= config.infoAgeMaxMs * 1e6) {
          this.#tombstones.add(entry.taskId);
          this.#forget(entry);
        }
      } else if (now - entry.lastHeartbeatNanos >= config.clientTimeoutMs * 1e6) {
        const since = formatTimestamp(entry.lastHeartbeatMillis);
        entry.execution.fail({ errorName: "ABANDONED_TASK", message: `Task ${entry.taskId} has not been accessed since ${since}` });
      }
    }
  }
}
