/**
 * The task resource (the interface, section 4.2): coordinators create, watch and delete tasks, and tasks read each other's output. Between
 * servers only.
 */
import { type Frame, releaseAll } from "../page/frame.ts";
import { sealed } from "../page/serde.ts";
import { type HttpResponse, noBody } from "../ports/network.ts";
import { isEndedTask } from "../execution/task/state.ts";
import type { Clock } from "../ports/clock.ts";
import type { FaultPoints } from "../ports/points.ts";
import { firstHeader } from "../protocol/http/headers.ts";
import { durationHeader, sizeHeader } from "../protocol/http/parsed-headers.ts";
import { emptyResponse, HttpError, jsonResponse, requestDocument, route, type Route, type RoutedRequest } from "../protocol/http/http.ts";
import { coordinatorIncarnationHeader, nodeIncarnationHeader } from "../protocol/documents/info.ts";
import {
  asksForTaskStatus,
  otherIncarnationStatus,
  pagesDigestHeader,
  pagesMediaType,
  promisedTaskHeader,
  readerHeader,
  taskUpdateReader,
} from "../protocol/documents/task.ts";
import { taskDocument, type TaskFacts, taskStatusDocument } from "./task-document.ts";
import type { RegisteredTask, TaskRegistry } from "./task-registry.ts";

export interface TaskResourceOptions {
  readonly clock: Clock;
  readonly points: FaultPoints;
  readonly nodeId: string;
  /** Incarnation of this node. */
  readonly incarnation: string;
  /** `http://host:port` of this node. */
  readonly selfUri: () => string;
  readonly registry: TaskRegistry;
  /** exchange.max-response-size, the default if the request names no size. */
  readonly responseBytesMax: number;
}

const resultsWaitMs = 2000;
/** Upper bound of the wait that a request may ask for, in milliseconds. */
const waitMsMax = 60_000;

export function taskRoutes(options: TaskResourceOptions): readonly Route[] {
  const resource = new TaskResource(options);
  return [
    route("GET", "/v1/task", (request) => resource.list(request)),
    route("POST", "/v1/task/{taskId}", (request) => resource.update(request)),
    route("GET", "/v1/task/{taskId}", (request) => resource.info(request)),
    route("GET", "/v1/task/{taskId}/status", (request) => resource.status(request)),
    route("DELETE", "/v1/task/{taskId}", (request) => resource.delete(request)),
    route("GET", "/v1/task/{taskId}/results/{bufferId}/{token}", (request) => resource.results(request)),
    route("GET", "/v1/task/{taskId}/results/{bufferId}/{token}/acknowledge", (request) => resource.acknowledge(request)),
    route("DELETE", "/v1/task/{taskId}/results/{bufferId}", (request) => resource.destroy(request)),
  ];
}

class TaskResource {
  readonly #options: TaskResourceOptions;
  readonly #points: FaultPoints;

  constructor(options: TaskResourceOptions) {
    this.#options = options;
    this.#points = options.points;
  }

  list(request: RoutedRequest): HttpResponse {
    const documents = this.#options.registry.list().map((task) => this.#document(task));
    return jsonResponse(200, documents, request);
  }

  update(request: RoutedRequest): HttpResponse {
    this.#checkIncarnation(request);
    if (this.#points.fires("task-update-turned-away")) {
      throw new HttpError(503, "The node takes no task now", { "retry-after": "1" });
    }
    const update = requestDocument(request.http, taskUpdateReader);
    const creator = firstHeader(request.http.headers, coordinatorIncarnationHeader) ?? "";
    const task = this.#options.registry.update(taskIdOf(request), update, creator);
    return jsonResponse(
      200,
      asksForTaskStatus(request.http) ? taskStatusDocument(task.execution, this.#facts(task)) : this.#document(task),
      request,
    );
  }

  /**
   * A task belongs to one incarnation of its node. A former incarnation may have consumed part of the input and delivered output, so this
   * one would produce another result from what is left. Requests without an incarnation come from older builds and are accepted.
   */
  #checkIncarnation(request: RoutedRequest): void {
    const meant = firstHeader(request.http.headers, nodeIncarnationHeader) ?? "";
    if (meant !== "" && meant !== this.#options.incarnation) {
      throw new HttpError(otherIncarnationStatus, `Task ${taskIdOf(request)} is meant for another life of this node`);
    }
  }

  async info(request: RoutedRequest): Promise<HttpResponse> {
    const task = await this.#awaited(request);
    return jsonResponse(200, this.#document(task), request);
  }

  async status(request: RoutedRequest): Promise<HttpResponse> {
    const task = await this.#awaited(request);
    return jsonResponse(200, taskStatusDocument(task.execution, this.#facts(task)), request);
  }

  delete(request: RoutedRequest): HttpResponse {
    const how = request.query["abort"] === "false" ? "cancel" : "abort";
    const task = this.#options.registry.delete(taskIdOf(request), how);
    if (task === undefined) {
      throw unknownTask(taskIdOf(request));
    }
    return jsonResponse(200, this.#document(task), request);
  }

  async results(request: RoutedRequest): Promise<HttpResponse> {
    const { clock, registry } = this.#options;
    let waitMs = Math.min(waitMsMax, durationHeader(request, "x-engine-max-wait") ?? resultsWaitMs);
    let task = registry.find(taskIdOf(request));
    if (task === undefined) {
      const startNanos = clock.monotonicNanos();
      task = await this.#promised(request, waitMs);
      waitMs = Math.max(0, waitMs - Math.floor((clock.monotonicNanos() - startNanos) / 1e6));
    }
    if (this.#points.fires("task-results-turned-away")) {
      throw new HttpError(503, "The node gives no pages now", { "retry-after": "1" });
    }
    const result = await task.execution.readBuffer({
      bufferId: wholeNumber(request, "bufferId"),
      token: wholeNumber(request, "token"),
      bytesMax: sizeHeader(request, "x-engine-max-size") ?? this.#options.responseBytesMax,
      waitMs,
      digest: firstHeader(request.http.headers, pagesDigestHeader),
      reader: readerOf(request),
    });
    if (result.hasFollower === true) {
      throw new HttpError(410, "A later run of the reader reads the pages");
    }
    if (result.gone === true) {
      throw new HttpError(410, `Page ${result.token} was acknowledged before and is gone`);
    }
    const headers = {
      "x-engine-task-instance-id": task.instanceId,
      "x-engine-page-sequence-id": String(result.token),
      "x-engine-page-end-sequence-id": String(result.nextToken),
      "x-engine-buffer-complete": String(result.complete),
    };
    if (result.frames.length === 0) {
      return emptyResponse(204, headers);
    }
    const answer = { status: 200, headers: { ...headers, "content-type": pagesMediaType } };
    if (request.context.takesLent === true) {
      return { ...answer, body: noBody, lent: result.frames };
    }
    const body = concatenate(result.frames);
    releaseAll(result.frames);
    return { ...answer, body };
  }

  acknowledge(request: RoutedRequest): HttpResponse {
    const task = this.#known(this.#options.registry.find(taskIdOf(request)), request);
    task.execution.acknowledgeBuffer(wholeNumber(request, "bufferId"), wholeNumber(request, "token"), readerOf(request));
    return emptyResponse(204);
  }

  destroy(request: RoutedRequest): HttpResponse | Promise<HttpResponse> {
    const destroyed = ({ execution }: RegisteredTask): HttpResponse => {
      if (!execution.destroyBuffer(wholeNumber(request, "bufferId"), readerOf(request))) {
        throw new HttpError(410, "A later run of the reader reads the pages");
      }
      return emptyResponse(204);
    };
    const task = this.#options.registry.find(taskIdOf(request));
    return task === undefined ? this.#promised(request, resultsWaitMs).then(destroyed) : destroyed(task);
  }

  /**
   * The task that the reader's coordinator is creating; a reader may come before it. Throws HttpError 503 if it has not come in time, and
   * 404 if it will not come, or is not promised.
   */
  async #promised(request: RoutedRequest, waitMs: number): Promise<RegisteredTask> {
    const { registry } = this.#options;
    const taskId = taskIdOf(request);
    if (firstHeader(request.http.headers, promisedTaskHeader) !== undefined) {
      await this.#creationOf(taskId, request, waitMs);
      if (registry.find(taskId) === undefined && !registry.wasDeleted(taskId)) {
        throw new HttpError(503, `Task ${taskId} is not created yet`, { "retry-after": "1" });
      }
    }
    return this.#known(registry.find(taskId), request);
  }

  /** Resolves when the task is there or will not be, or the wait is over. */
  #creationOf(taskId: string, { context }: RoutedRequest, waitMs: number): Promise<void> {
    if (context.isAborted()) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const done = (): void => {
        timer.cancel();
        stop?.();
        resolve();
      };
      const timer = this.#options.clock.timer("task-promised", waitMs, done);
      const stop = this.#options.registry.onceCreated(taskId, done);
      if (stop === undefined) {
        done();
      } else {
        context.onAbort(done);
      }
    });
  }

  /**
   * Resolves with the task when it has a newer version or the wait is over. A task that was deleted meanwhile is returned in its final
   * state.
   */
  async #awaited(request: RoutedRequest): Promise<RegisteredTask> {
    const task = this.#known(this.#options.registry.touch(taskIdOf(request)), request);
    const waitMs = durationHeader(request, "x-engine-max-wait");
    const version = firstHeader(request.http.headers, "x-engine-current-version");
    const state = firstHeader(request.http.headers, "x-engine-current-state");
    if (waitMs !== undefined && (version !== undefined || state !== undefined)) {
      if (version !== undefined && !/^-?\d{1,19}$/.test(version)) {
        throw new HttpError(400, `Invalid X-Engine-Current-Version header: ${version}`);
      }
      const hasNews = (): boolean =>
        isEndedTask(task.execution.state) ||
        (version !== undefined && task.execution.version > Number(version)) ||
        (state !== undefined && task.execution.state !== state);
      await this.#news(task, hasNews, request, Math.min(waitMs, waitMsMax));
      // A long poll counts as a heartbeat at its end, too.
      this.#options.registry.touch(task.taskId);
    }
    return task;
  }

  #news(task: RegisteredTask, hasNews: () => boolean, request: RoutedRequest, waitMs: number): Promise<void> {
    if (hasNews() || waitMs <= 0 || request.context.isAborted() || this.#points.fires("task-status-at-once")) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const done = (): void => {
        timer.cancel();
        stop();
        resolve();
      };
      const timer = this.#options.clock.timer("task-long-poll", waitMs, done);
      const stop = task.execution.onChange(() => {
        if (hasNews()) {
          done();
        }
      });
      request.context.onAbort(done);
    });
  }

  #known(task: RegisteredTask | undefined, request: RoutedRequest): RegisteredTask {
    if (task === undefined) {
      throw unknownTask(taskIdOf(request));
    }
    return task;
  }

  #document(task: RegisteredTask): ReturnType<typeof taskDocument> {
    return taskDocument(task.execution, this.#facts(task));
  }

  #facts(task: RegisteredTask): TaskFacts {
    return {
      nodeId: this.#options.nodeId,
      taskInstanceId: task.instanceId,
      self: `${this.#options.selfUri()}/v1/task/${task.taskId}`,
      lastHeartbeatMillis: task.lastHeartbeatMillis,
    };
  }
}

function unknownTask(taskId: string): HttpError {
  return new HttpError(404, `Task not found: ${taskId}`);
}

function taskIdOf(request: RoutedRequest): string {
  return request.parameters["taskId"] as string;
}

function wholeNumber(request: RoutedRequest, name: string): number {
  const text = request.parameters[name] as string;
  if (!/^\d{1,15}$/.test(text)) {
    throw new HttpError(400, `Invalid ${name}: ${text}`);
  }
  return Number(text);
}

function readerOf({ http }: RoutedRequest): number | undefined {
  const text = firstHeader(http.headers, readerHeader);
  if (text !== undefined && !/^\d{1,15}$/.test(text)) {
    throw new HttpError(400, `Invalid ${readerHeader}: ${text}`);
  }
  return text === undefined ? undefined : Number(text);
}

/** The frames as a body for another process. The bytes of a pooled frame are copied, because they are used again. */
function concatenate(frames: readonly Frame[]): Uint8Array {
  const [first] = frames;
  if (frames.length === 1 && first?.isPooled === false) {
    return sealed(first);
  }
  const body = new Uint8Array(frames.reduce((bytes, frame) => bytes + frame.length, 0));
  let at = 0;
  for (const frame of frames) {
    body.set(sealed(frame), at);
    at += frame.length;
  }
  return body;
}
