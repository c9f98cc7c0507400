/**
 * A task on another node: creates it, follows its status by long polling, ends and deletes it. One request is in flight at a time, except
 * for splits and dynamic filters, which are sent beside the status poll. Between polls it rests: whatever a query waits for comes another
 * way, except for dynamic filters. Updates are idempotent, so lost answers are harmless. A failure of
 * the node becomes the failure of the task. This file knows the task resource, not what the task executes.
 */
import { knobOf } from "../../ports/knobs.ts";
import type { FailureInfo, FilterDomains, ReplacedSource, TaskState } from "../../execution/task/api.ts";
import { everything, type FilterDomain } from "../../execution/dynamic-filter/filter-domain.ts";
import { type HttpMethod, type HttpResponse, NetworkError, noBody } from "../../ports/network.ts";
import type { Ports } from "../../ports/ports.ts";
import { type MonotonicNanos, sleep } from "../../ports/clock.ts";
import { noSums, withoutFalls } from "../../protocol/counter-sums.ts";
import { firstHeader } from "../../protocol/http/headers.ts";
import { coordinatorIncarnationHeader, nodeIncarnationHeader, nodeStateHeader } from "../../protocol/documents/info.ts";
import { otherIncarnationStatus, taskAnswerHeader, type TaskDocument } from "../../protocol/documents/task.ts";
import type { Warning } from "../../protocol/documents/warnings.ts";
import type { ClusterView, CoordinatorConfig, WorkerNode } from "../context.ts";
import { ErrorTracker } from "./error-tracker.ts";
import { toFailure } from "../../execution/driver/failure.ts";
import { isEndedTask } from "../../execution/task/state.ts";
import type { ReportedDocument } from "./reported-document.ts";
import type { StageTask, TaskCounters } from "./stage-task.ts";
import type { TaskReport, TaskWire } from "./task-wire.ts";

/** The bodies of requests, each made when it is needed: a body can be large. */
export interface TaskBodies {
  create(): Uint8Array;
  /** Body of the next request with splits that the creation did not include; undefined after the last one. */
  nextSplits(): Uint8Array | undefined;
  filters(domains: FilterDomains): Uint8Array;
  replacedSources(sources: readonly ReplacedSource[]): Uint8Array;
}

export interface RemoteTaskOptions {
  readonly taskId: string;
  readonly node: WorkerNode;
  /** Incarnation of the coordinator; a worker refuses requests of another incarnation for the same task. */
  readonly coordinatorIncarnation: string;
  readonly bufferCount: number;
  readonly bodies: TaskBodies;
  /** Dynamic filters of this task for which others wait: until it has told all of them, its status is polled without a rest. */
  readonly remoteFilterIds: readonly string[];
  readonly wire: TaskWire;
  readonly ports: Ports;
  readonly cluster: ClusterView;
  readonly config: CoordinatorConfig;
  /** Whether it can run again elsewhere now, rather than wait for a node that does not respond. */
  readonly mayLeaveNode: () => boolean;
  /** Called after every change of state or counters. */
  readonly onChange: () => void;
}

interface TaskRequest {
  readonly label: string;
  readonly method: HttpMethod;
  readonly path: string;
  /** Headers of each attempt. */
  readonly headers: () => Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly timeoutMs: number;
}

/** Above every version of a worker: a state that the coordinator determined by itself is final. */
const localVersion = Number.MAX_SAFE_INTEGER;
/** Delay of a request for which the fault point fires, in milliseconds. */
const lateMs = 500;
/**
 * Longest wait for the announcement and heartbeat of a restarted node, in milliseconds. After that, the node is not the one the task was
 * meant for.
 */
const newIncarnationWaitMs = 5000;
/** The longest rest before a poll, in times of the first. */
const longestRest = 4;
/** Age of a task whose document is fetched for the first time, in milliseconds. A shorter task tells it at its end. */
const firstInfoMs = 100;
const noHeaders = (): Readonly<Record<string, string>> => ({});

export class RemoteTask implements StageTask {
  readonly taskId: string;
  readonly nodeId: string;
  readonly nodeUri: string;
  readonly #options: Omit<RemoteTaskOptions, "bodies">;
  /** Undefined once the task was deleted: plans and splits of a query that has ended are not kept for it. */
  #bodies: TaskBodies | undefined;
  readonly #uri: string;
  /** Incarnation of the node that the task is meant for. */
  #incarnation: string;
  /** That incarnation may have created the task: an attempt got no answer that rules it out. */
  #mayExist = false;
  /** Time at which an unknown incarnation first answered. */
  #strangerSinceNanos: MonotonicNanos | undefined;
  readonly #stopWatchingCluster: () => void;
  #state: TaskState = "PLANNED";
  #version = -1;
  #instanceId: string | undefined;
  #failure: FailureInfo | undefined;
  #counters: TaskCounters | undefined;
  reported: ReportedDocument | undefined;
  #warnings: readonly Warning[] = [];
  #filters: FilterDomains | undefined;
  #infoNanos: number;
  /** Set when the task is being ended: only the DELETE request is sent from then on. */
  #ending: Promise<void> | undefined;
  #awaitsSplits = false;
  #waitsForMemory = false;
  #started: Promise<boolean> | undefined;
  #abortPoll: (() => void) | undefined;
  #endSplits: (() => void) | undefined;
  #lost = false;
  /** The last update about replaced sources: they are told in order. */
  #replacing: Promise<void> = Promise.resolve();

  constructor({ bodies, ...options }: RemoteTaskOptions) {
    this.#options = options;
    this.#bodies = bodies;
    this.taskId = options.taskId;
    this.nodeId = options.node.nodeId;
    this.nodeUri = options.node.uri;
    this.#incarnation = options.node.incarnation;
    this.#uri = `${options.node.uri}/v1/task/${options.taskId}`;
    this.#infoNanos = options.ports.clock.monotonicNanos();
    this.#stopWatchingCluster = options.cluster.onChange(() => this.#checkGone());
  }

  get state(): TaskState {
    return this.#state;
  }

  get failure(): FailureInfo | undefined {
    return this.#failure;
  }

  get counters(): TaskCounters | undefined {
    return this.#counters;
  }

  get hasCounters(): boolean {
    return this.#counters !== undefined;
  }

  get document(): TaskDocument | undefined {
    return this.reported?.read();
  }

  get waitsForMemory(): boolean {
    return this.#waitsForMemory && !isEndedTask(this.#state);
  }

  get warnings(): readonly Warning[] {
    return this.#warnings;
  }

  /** An ended task, or a worker whose build does not support dynamic filters, will report no domain. */
  filterOf(id: string): FilterDomain | undefined {
    const tellsNone = isEndedTask(this.#state) || (this.#version >= 0 && this.#filters === undefined);
    return this.#filters?.[id] ?? (tellsNone ? everything : undefined);
  }

  get awaitsSplits(): boolean {
    return this.#awaitsSplits;
  }

  giveFilters(domains: FilterDomains): void {
    this.#give(domains).catch((error: unknown) => this.#fail("GENERIC_INTERNAL_ERROR", toFailure(error).message));
  }

  /** Tells the task where its sources were run again, once it exists. An error becomes the task's failure. */
  replaceSources(sources: readonly ReplacedSource[]): void {
    this.#replacing = this.#replacing
      .then(() => this.#send("task-sources", (bodies) => bodies.replacedSources(sources)))
      .catch((error: unknown) => this.#fail("GENERIC_INTERNAL_ERROR", toFailure(error).message));
  }

  /** The present document of the task; undefined if its node does not answer in time, or the task is over for the coordinator. */
  async ask(timeoutMs: number): Promise<TaskDocument | undefined> {
    // A deletion that its node has not answered leaves the task without an end.
    if (this.#stopped || this.#options.cluster.isGone(this.nodeUri)) {
      return undefined;
    }
    const answer = await this.#attempt({ label: "task-info", method: "GET", path: "", headers: noHeaders, body: noBody, timeoutMs }, false);
    if (!this.#stopped && !(answer instanceof NetworkError) && answer.status === 200) {
      this.#take(() => this.#options.wire.readInfo(answer.body));
      return this.document;
    }
    return undefined;
  }

  start(): Promise<boolean> {
    this.#started ??= this.#create();
    return this.#started;
  }

  finishEarly(): void {
    this.leaveBuffers(Array.from({ length: this.#options.bufferCount }, (_, bufferId) => bufferId));
  }

  /** No consumer reads these buffers. Best effort. */
  leaveBuffers(bufferIds: readonly number[]): void {
    for (const bufferId of this.#stopped ? [] : bufferIds) {
      void this.#attempt(
        {
          label: "buffer-delete",
          method: "DELETE",
          path: `/results/${bufferId}`,
          headers: noHeaders,
          body: noBody,
          timeoutMs: this.#options.config.requestTimeoutMs,
        },
        false,
      );
    }
  }

  end(kind: "cancel" | "abort"): Promise<void> {
    this.#ending ??= this.#delete(kind);
    return this.#ending;
  }

  async #create(): Promise<boolean> {
    const { clock, points } = this.#options.ports;
    if (points.fires("task-created-late")) {
      await sleep(clock, "task-created-late", lateMs);
    }
    if (this.#bodies === undefined) {
      return false;
    }
    const request = this.#update("task-update", this.#bodies.create());
    let response = await this.#ask(request);
    if (response !== undefined && points.fires("task-created-twice")) {
      response = await this.#ask(request);
    }
    if (response === undefined) {
      return false;
    }
    this.#take(() => this.#options.wire.readUpdated(response.body));
    if (this.#stopped) {
      return false;
    }
    const failed = (error: unknown): void => this.#fail("GENERIC_INTERNAL_ERROR", toFailure(error).message);
    this.#giveSplits().catch(failed);
    this.#follow().catch(failed);
    return true;
  }

  /** Sends one request at a time with a pause before each, so that a task that needs no more rows gets no more splits. */
  async #giveSplits(): Promise<void> {
    for (;;) {
      const body = this.#bodies?.nextSplits();
      this.#awaitsSplits = body !== undefined;
      if (body === undefined) {
        return;
      }
      await this.#restBeforeSplits();
      const isOver = this.#stopped || isEndedTask(this.#state);
      const response = isOver ? undefined : await this.#ask(this.#update("task-splits", body));
      if (response === undefined) {
        return;
      }
      this.#take(() => this.#options.wire.readUpdated(response.body));
    }
  }

  #restBeforeSplits(): Promise<void> {
    return new Promise((resolve) => {
      // In this time a task reads far fewer splits than one request holds.
      const { ports } = this.#options;
      const timer = ports.clock.timer("task-splits", knobOf(ports, "splits-rest-ms"), resolve);
      this.#endSplits = () => {
        timer.cancel();
        resolve();
      };
    });
  }

  #update(label: string, body: Uint8Array): TaskRequest {
    return {
      label,
      method: "POST",
      path: "",
      headers: () => ({
        "content-type": "application/json",
        [coordinatorIncarnationHeader]: this.#options.coordinatorIncarnation,
        [taskAnswerHeader]: "status",
        ...(this.#incarnation === "" ? {} : { [nodeIncarnationHeader]: this.#incarnation }),
      }),
      body,
      timeoutMs: this.#options.config.requestTimeoutMs,
    };
  }

  /** Runs beside the status poll. An ended task ignores the filters. */
  #give(domains: FilterDomains): Promise<void> {
    return this.#send("task-filter", (bodies) => bodies.filters(domains));
  }

  async #send(label: string, bodyOf: (bodies: TaskBodies) => Uint8Array): Promise<void> {
    if (!(await this.#started) || isEndedTask(this.#state) || this.#bodies === undefined) {
      return;
    }
    const response = await this.#ask(this.#update(label, bodyOf(this.#bodies)));
    if (response !== undefined) {
      this.#take(() => this.#options.wire.readUpdated(response.body));
    }
  }

  async #follow(): Promise<void> {
    const { config, ports, wire } = this.#options;
    for (let polls = 0; ; polls++) {
      await this.#restBeforePoll(polls);
      if (this.#stopped || isEndedTask(this.#state)) {
        return;
      }
      const infoIntervalMs = Math.min(config.infoUpdateIntervalMs, this.reported === undefined ? firstInfoMs : Number.POSITIVE_INFINITY);
      const wantsInfo =
        ports.clock.monotonicNanos() - this.#infoNanos >= infoIntervalMs * 1e6 || ports.points.fires("task-info-instead-of-status");
      const response = await this.#ask({
        label: wantsInfo ? "task-info" : "task-status",
        method: "GET",
        path: wantsInfo ? "" : "/status",
        headers: wantsInfo ? noHeaders : () => wire.statusHeaders(this.#version, config.statusRefreshMaxWaitMs),
        body: noBody,
        timeoutMs: config.requestTimeoutMs + (wantsInfo ? 0 : config.statusRefreshMaxWaitMs),
      });
      if (response === undefined) {
        return;
      }
      if (wantsInfo) {
        this.#infoNanos = ports.clock.monotonicNanos();
      }
      this.#take(() => (wantsInfo ? wire.readInfo(response.body) : wire.readStatus(response.body)));
    }
  }

  #restBeforePoll(polls: number): Promise<void> {
    const restMs = this.#options.config.taskFollowDelayMs * Math.min(polls + 1, longestRest);
    if (restMs === 0 || this.#stopped || isEndedTask(this.#state) || this.#owesFilters) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const timer = this.#options.ports.clock.timer("task-follow", restMs, resolve);
      this.#setAbort(() => {
        timer.cancel();
        resolve();
      });
    });
  }

  /**
   * Returns the answer with status 200. Returns undefined if the task is over for the coordinator, through its end or a failure found by
   * this call.
   */
  async #ask(request: TaskRequest): Promise<HttpResponse | undefined> {
    const tracker = new ErrorTracker(this.#options.ports.clock, this.#options.config.remoteTaskErrorDurationMaxMs);
    while (!this.#stopped) {
      const answer = await this.#attempt(request, request.method === "GET");
      if (this.#stopped) {
        return undefined;
      }
      if (!(answer instanceof NetworkError)) {
        if (answer.status === 200) {
          this.#mayExist = true;
          return answer;
        }
        if (answer.status === otherIncarnationStatus) {
          if (!this.#meansAnotherIncarnation()) {
            this.#failLost();
            return undefined;
          }
        } else if (answer.status !== 503) {
          this.#fail("REMOTE_TASK_ERROR", answerText(this.#uri, request, answer));
          return undefined;
        }
      }
      this.#mayExist ||= !wasNotTaken(answer);
      const verdict = tracker.failed();
      if (verdict.permanent) {
        this.#fail(
          "TOO_MANY_REQUESTS_FAILED",
          `Encountered too many errors talking to a worker node. The node may have crashed or be under too much load. This is probably a transient issue, so please retry your query in a few minutes. (${this.#uri} - ${verdict.failures} failures, failure duration ${(verdict.durationMs / 1000).toFixed(2)}s)`,
        );
        return undefined;
      }
      await this.#pause(verdict.delayMs);
    }
    return undefined;
  }

  async #attempt(request: TaskRequest, abortable: boolean): Promise<HttpResponse | NetworkError> {
    try {
      return await this.#options.ports.network.request(
        { method: request.method, url: this.#uri + request.path, headers: request.headers(), body: request.body },
        {
          timeoutMs: request.timeoutMs,
          label: request.label,
          ...(abortable ? { onAbortable: (abort: () => void) => this.#setAbort(abort) } : {}),
        },
      );
    } catch (error) {
      if (error instanceof NetworkError) {
        this.#options.cluster.requestFailed(this.nodeUri, error);
        return error;
      }
      throw error;
    } finally {
      if (abortable) {
        this.#setAbort(undefined);
      }
    }
  }

  #setAbort(abort: (() => void) | undefined): void {
    this.#abortPoll = abort;
  }

  #pause(delayMs: number): Promise<void> {
    const { clock, points } = this.#options.ports;
    if (delayMs === 0 || points.fires("task-retries-at-once")) {
      return Promise.resolve();
    }
    return sleep(clock, "task-request-backoff", points.fires("task-retries-late") ? lateMs : delayMs);
  }

  /** Deletes the task on its node and adopts its final document. A task that was never sent only changes its state. */
  async #delete(kind: "cancel" | "abort"): Promise<void> {
    this.#abortPoll?.();
    this.#endSplits?.();
    const sent = this.#started !== undefined;
    await this.#started;
    this.#stopWatchingCluster();
    if (sent && !this.#lost) {
      await this.#deleteRemote(kind);
    }
    if (!isEndedTask(this.#state)) {
      this.#state = kind === "cancel" ? "CANCELED" : "ABORTED";
      this.#version = localVersion;
    }
    this.#bodies = undefined;
    this.#options.onChange();
  }

  async #deleteRemote(kind: "cancel" | "abort"): Promise<void> {
    const { cluster, config, ports } = this.#options;
    if (ports.points.fires("task-deleted-late")) {
      await sleep(ports.clock, "task-deleted-late", lateMs);
    }
    const tracker = new ErrorTracker(ports.clock, config.remoteTaskErrorDurationMaxMs);
    while (!cluster.isGone(this.nodeUri)) {
      const answer = await this.#attempt(
        {
          label: "task-delete",
          method: "DELETE",
          path: `?abort=${kind === "abort"}`,
          headers: noHeaders,
          body: noBody,
          timeoutMs: config.requestTimeoutMs,
        },
        false,
      );
      if (!(answer instanceof NetworkError) && answer.status !== 503) {
        if (answer.status === 200) {
          this.#takeFinal(answer.body);
        }
        return;
      }
      const verdict = tracker.failed();
      if (verdict.permanent) {
        return;
      }
      await this.#pause(verdict.delayMs);
    }
  }

  #takeFinal(body: Uint8Array): void {
    try {
      const report = this.#options.wire.readInfo(body);
      if (this.#instanceId === undefined || report.instanceId === "" || report.instanceId === this.#instanceId) {
        this.#adopt(report);
      }
    } catch {
      // The task is deleted as requested; only its final counters are lost.
      this.#options.ports.log.warn("task-final-info-unreadable", { taskId: this.taskId });
    }
  }

  #take(read: () => TaskReport): void {
    let report: TaskReport;
    try {
      report = read();
    } catch (error) {
      this.#fail("REMOTE_TASK_ERROR", `${this.#uri}: ${toFailure(error).message}`);
      return;
    }
    // Some builds omit the instance id in some documents.
    const instanceId = report.instanceId === "" ? this.#instanceId : report.instanceId;
    if (this.#instanceId !== undefined && instanceId !== this.#instanceId) {
      this.#failLost();
      return;
    }
    this.#instanceId = instanceId;
    this.#adopt(report);
    this.#options.onChange();
  }

  /** The node restarted; the task was lost with the former incarnation. */
  #failLost(): void {
    this.#lost = true;
    this.#fail(
      "REMOTE_TASK_MISMATCH",
      `Could not communicate with the remote task. The node may have crashed or be under too much load. This is probably a transient issue, so please retry your query in a few minutes. (${this.#uri})`,
    );
  }

  /**
   * The intended incarnation is gone. If it never had the task, the task moves to the next incarnation as soon as the cluster view shows
   * it; so a query that is being scheduled survives an orderly restart. Returns false if the task is lost. A proxy that sends one request
   * to two incarnations defeats this check; the input that the first one took is then gone, and the producers report it.
   */
  #meansAnotherIncarnation(): boolean {
    const { cluster, ports } = this.#options;
    if (this.#mayExist) {
      return false;
    }
    const known = cluster.activeWorkers().find((node) => node.nodeId === this.nodeId && node.uri === this.nodeUri);
    if (known !== undefined && known.incarnation !== this.#incarnation) {
      this.#incarnation = known.incarnation;
      this.#strangerSinceNanos = undefined;
      return true;
    }
    const now = ports.clock.monotonicNanos();
    this.#strangerSinceNanos ??= now;
    return now - this.#strangerSinceNanos < newIncarnationWaitMs * 1e6;
  }

  /** Ignores older reports. A final state is never replaced. */
  #adopt(report: TaskReport): void {
    if (report.version < this.#version) {
      return;
    }
    this.#counters = withoutFalls(this.#counters ?? noSums, report.counters);
    this.reported = report.document ?? this.reported;
    this.#filters = report.dynamicFilters === undefined ? this.#filters : { ...this.#filters, ...report.dynamicFilters };
    this.#warnings = report.warnings ?? this.#warnings;
    if (isEndedTask(this.#state)) {
      return;
    }
    this.#version = report.version;
    this.#waitsForMemory = report.waitsForMemory;
    this.#state = report.state;
    this.#failure = report.state === "FAILED" ? withHost(report.failures[0], this.nodeUri) : undefined;
  }

  #fail(errorName: FailureInfo["errorName"], message: string): void {
    if (isEndedTask(this.#state)) {
      return;
    }
    this.#state = "FAILED";
    this.#version = localVersion;
    this.#failure = { errorName, message, remoteHost: this.nodeUri };
    this.#options.onChange();
  }

  #checkGone(): void {
    const { cluster, mayLeaveNode } = this.#options;
    if (this.#stopped || isEndedTask(this.#state)) {
      return;
    }
    const isGone = cluster.isGone(this.nodeUri);
    if (isGone || (cluster.isUnresponsive(this.nodeUri) && mayLeaveNode())) {
      this.#fail(isGone ? "REMOTE_HOST_GONE" : "TOO_MANY_REQUESTS_FAILED", `The node may have crashed or be unreachable: ${this.nodeUri}`);
      this.#abortPoll?.();
    }
  }

  get #owesFilters(): boolean {
    return this.#options.remoteFilterIds.some((id) => this.filterOf(id) === undefined);
  }

  get #stopped(): boolean {
    return this.#ending !== undefined || this.#version === localVersion;
  }
}

function withHost(failure: FailureInfo | undefined, remoteHost: string): FailureInfo {
  return failure === undefined ? { errorName: "GENERIC_INTERNAL_ERROR", message: "Task failed", remoteHost } : { remoteHost, ...failure };
}

/**
 * True if neither this attempt nor a delayed copy of it can create the task: nothing listened, or the incarnation that answered does not
 * create it.
 */
function wasNotTaken(answer: HttpResponse | NetworkError): boolean {
  return answer instanceof NetworkError
    ? answer.kind === "CONNECTION_REFUSED"
    : answer.status === otherIncarnationStatus || firstHeader(answer.headers, nodeStateHeader) === "SHUTTING_DOWN";
}

function answerText(uri: string, request: TaskRequest, answer: HttpResponse): string {
  return answer.status === 404
    ? `Task is unknown to its node, which may have been restarted (${request.label} ${uri})`
    : `Unexpected response from ${uri}: ${request.label} was answered with status ${answer.status}`;
}
