/**
 * The client of one remote output buffer (Presto's HttpPageBufferClient). It requests pages by token, retries failed requests and closes
 * the buffer at the end. It has one request at a time. A failed or lost producer never looks like the end of its data: only an answer with
 * the complete flag ends the source. The close request for a buffer that has given all its pages waits for a rest: by then a short query is
 * over, and the coordinator has deleted the producer.
 */
import type { Clock, Timer } from "../../ports/clock.ts";
import { type HttpResponse, type Network, NetworkError, noBody } from "../../ports/network.ts";
import type { FaultPoints } from "../../ports/points.ts";
import { Frame, releaseAll } from "../../page/frame.ts";
import { splitFrames } from "../../page/serde.ts";
import { QueryError } from "../../protocol/errors.ts";
import { PagesDigest } from "../../page/pages-digest.ts";
import { pagesDigestHeader, pagesMediaType, promisedTaskHeader, readerHeader } from "../../protocol/documents/task.ts";

/** Maximum time for which the producer may hold a request open. */
export const exchangeWait: { readonly text: string; readonly ms: number } = Object.freeze({ text: "2s", ms: 2000 });

const requestTimeoutMs = 10_000;
/** Delay before attempt k + 1 after k consecutive failures, in milliseconds. */
const backoffMs: readonly number[] = Object.freeze([0, 50, 100, 200, 500]);
const failuresMin = 3;
/** Maximum number of failed deletes after the task has ended. After that the client relies on the coordinator, which ends the producer. */
const deleteFailuresAfterEndMax = 3;
const nanosPerMilli = 1_000_000;

const promisedTask = Object.freeze({ [promisedTaskHeader]: "true" });

const mismatchMessage =
  "Could not communicate with the remote task. The node may have crashed or be under too much load. " +
  "This is probably a transient issue, so please retry your query in a few minutes.";
const tooManyErrorsMessage =
  "Encountered too many errors talking to a worker node. The node may have crashed or be under too much load. " +
  "This is probably a transient issue, so please retry your query in a few minutes.";

/** A failed exchange, with the remote task. */
export class RemoteError extends QueryError {
  constructor(
    errorName: "PAGE_TRANSPORT_ERROR" | "PAGE_TRANSPORT_TIMEOUT" | "REMOTE_TASK_MISMATCH" | "REMOTE_BUFFER_CLOSE_FAILED",
    message: string,
    readonly remoteHost: string,
  ) {
    super(errorName, message);
  }
}

export interface ExchangeSourceOptions {
  readonly location: string;
  readonly clock: Clock;
  readonly network: Network;
  readonly points: FaultPoints;
  readonly errorDurationMs: number;
  /** Whether the buffer needs no close request now. */
  readonly leavesBuffer: () => boolean;
  /** Whether a buffer that has given all its pages needs none when the reader ends. */
  readonly leavesTakenBuffer: () => boolean;
  /** Rest before the close request for a buffer that has given all its pages, in milliseconds. */
  readonly closeRestMs: number;
  /** A lost producer is run again: it is asked for until `replace` says where, and failures are for good only then. */
  readonly isAwaited: boolean;
  /** Number of the reading task, if it is run again when it is lost. */
  readonly reader: number | undefined;
  /** Takes the frames of one answer, before `onChange`. If it throws, it has taken none. */
  readonly onFrames: (frames: readonly Frame[]) => void;
  /** Called when the client can take another request or has completed. */
  readonly onChange: () => void;
  readonly onFailed: (error: unknown) => void;
}

interface SentRequest {
  readonly number: number;
  /** It closes the buffer. */
  readonly deleting: boolean;
  readonly startNanos: number;
}

export type ExchangeSourceState = "queued" | "scheduled" | "running" | "completed" | "closed";

export class ExchangeSource {
  readonly #options: ExchangeSourceOptions;
  #location: string;
  #host: string;
  #token = 0;
  #taskInstanceId: string | undefined;
  #abort: (() => void) | undefined;
  #inFlight = false;
  /** Number of the last request; an answer to an earlier one comes too late. */
  #requests = 0;
  #timer: Timer | undefined;
  /** Rest before the close request. */
  #rest: Timer | undefined;
  #completed = false;
  #deleted = false;
  #ended = false;
  #failures = 0;
  /** Of the pages below the token; undefined if nobody asks for it. */
  readonly #digest: PagesDigest | undefined;
  readonly #readerHeaders: Readonly<Record<string, string>>;
  /** The next request goes to another run of the producer than the one that has given the pages so far. */
  #resumes = false;
  #firstFailureNanos = 0;
  #failedRequestNanos = 0;
  #requestBytes = 0;
  #httpRequestState = "not scheduled";
  lastUpdateMillis: number;
  /** These numbers are of the address. */
  pagesReceived = 0;
  requestsScheduled = 0;
  requestsCompleted = 0;
  requestsFailed = 0;
  bytesReceived = 0;

  constructor(options: ExchangeSourceOptions) {
    this.#options = options;
    this.#digest = options.isAwaited ? new PagesDigest() : undefined;
    this.#readerHeaders = options.reader === undefined ? {} : { [readerHeader]: String(options.reader) };
    this.#location = options.location;
    this.#host = hostOf(options.location);
    this.lastUpdateMillis = options.clock.wallMillis();
  }

  get location(): string {
    return this.#location;
  }

  /** True if the producer has reported the buffer complete. */
  get completed(): boolean {
    return this.#completed;
  }

  /** True while a request or its retry is in progress. */
  get busy(): boolean {
    return this.#inFlight || this.#timer !== undefined;
  }

  get requestBytes(): number {
    return this.busy && !this.#completed ? this.#requestBytes : 0;
  }

  get state(): ExchangeSourceState {
    if (this.#deleted || this.#ended) {
      return "closed";
    }
    if (this.#inFlight) {
      return "running";
    }
    if (this.#timer !== undefined) {
      return "scheduled";
    }
    return this.#completed ? "completed" : "queued";
  }

  get httpRequestState(): string {
    return this.#httpRequestState;
  }

  fetch(bytesMax: number): void {
    this.#requestBytes = bytesMax;
    this.#send();
  }

  /** The producer was run again: goes on with the next page of its new run, or closes the buffer there if it has all pages. */
  replace(location: string): void {
    const wasBusy = this.busy;
    this.#stopAsking();
    this.#location = location;
    this.#host = hostOf(location);
    this.#taskInstanceId = undefined;
    this.#failures = 0;
    this.#resumes = this.#token > 0;
    this.pagesReceived = 0;
    this.requestsScheduled = 0;
    this.requestsCompleted = 0;
    this.requestsFailed = 0;
    if (this.#completed) {
      this.#deleted = false;
      this.#closeBuffer();
    } else if (this.#resumes && this.#digest?.text === undefined) {
      this.#options.onFailed(this.#mismatch());
    } else if (wasBusy) {
      this.#send();
    }
  }

  #stopAsking(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#rest?.cancel();
    this.#rest = undefined;
    this.#abort?.();
    this.#abort = undefined;
    this.#inFlight = false;
    this.#requests++;
  }

  /** Stops reading and closes the producer's buffer. Idempotent. */
  close(): void {
    if (this.#ended) {
      return;
    }
    this.#ended = true;
    const deleting = this.#completed && this.busy;
    if (!deleting) {
      const leaves = this.#completed && this.#options.leavesTakenBuffer();
      this.#stopAsking();
      this.#completed = true;
      this.#failures = 0;
      this.#deleted ||= leaves;
      this.#closeBuffer();
    }
  }

  #send(): void {
    const { clock, network } = this.#options;
    const deleting = this.#completed;
    this.#inFlight = true;
    this.requestsScheduled++;
    this.#httpRequestState = "WAITING_FOR_CONNECTION";
    const startNanos = clock.monotonicNanos();
    const promised = this.#taskInstanceId === undefined ? promisedTask : undefined;
    const digest = this.#resumes ? this.#digest?.text : undefined;
    const wanted = {
      "x-engine-max-size": `${this.#requestBytes}B`,
      "x-engine-max-wait": exchangeWait.text,
      ...(digest === undefined ? {} : { [pagesDigestHeader]: digest }),
      ...this.#readerHeaders,
    };
    const request = deleting
      ? ({ method: "DELETE", url: this.location, headers: { ...this.#readerHeaders, ...promised }, body: noBody } as const)
      : ({
          method: "GET",
          url: `${this.location}/${this.#token}`,
          headers: promised === undefined ? wanted : { ...wanted, ...promised },
          body: noBody,
        } as const);
    const onAbortable = (abort: () => void): void => {
      this.#abort = abort;
    };
    const label = deleting ? "exchange-close" : "exchange-fetch";
    const sent: SentRequest = { number: ++this.#requests, deleting, startNanos };
    network.request(request, { timeoutMs: requestTimeoutMs, label, onAbortable, takesLent: !deleting }).then(
      (response) => this.#answered(sent, response),
      (error: unknown) => this.#notAnswered(sent, error),
    );
  }

  #answered(sent: SentRequest, response: HttpResponse): void {
    const { deleting, startNanos } = sent;
    if (sent.number !== this.#requests) {
      // Answer to a read that was cancelled.
      releaseAll(response.lent ?? []);
      return;
    }
    this.#requestEnded("DONE");
    if (response.status === 503 || (deleting && this.#forgetsClosing())) {
      this.#failed(deleting, `${response.status}`, startNanos);
      return;
    }
    if (this.#isLost(response)) {
      this.#failed(deleting, `${response.status}`, startNanos);
      return;
    }
    this.requestsCompleted++;
    this.#failures = 0;
    if (deleting) {
      this.#closed(response);
      return;
    }
    try {
      if (!this.#take(response)) {
        releaseAll(response.lent ?? []);
      }
    } catch (error) {
      releaseAll(response.lent ?? []);
      this.#options.onFailed(error);
      return;
    }
    if (this.#completed) {
      this.#closeLater();
    }
    this.#options.onChange();
  }

  /** The task is not there any more, and is run again. */
  #isLost({ headers, status }: HttpResponse): boolean {
    const instanceId = headers["x-engine-task-instance-id"];
    const isOther = this.#taskInstanceId !== undefined && typeof instanceId === "string" && instanceId !== this.#taskInstanceId;
    return this.#options.isAwaited && !this.#completed && (status === 404 || isOther);
  }

  /** Injected fault: treats the answer to a delete as lost. The producer may be gone by the retry. */
  #forgetsClosing(): boolean {
    return this.#failures === 0 && this.#options.points.fires("exchange-forgets-an-answer");
  }

  #closeLater(): void {
    const { clock, closeRestMs } = this.#options;
    if (closeRestMs === 0) {
      this.#closeBuffer();
      return;
    }
    this.#rest = clock.timer("exchange-close", closeRestMs, () => {
      this.#rest = undefined;
      this.#closeBuffer();
    });
  }

  #closeBuffer(): void {
    if (this.#options.leavesBuffer()) {
      this.#deleted = true;
    } else if (!this.#deleted) {
      this.#send();
    }
  }

  #notAnswered({ deleting, number, startNanos }: SentRequest, error: unknown): void {
    if (number !== this.#requests) {
      return;
    }
    this.#requestEnded("FAILED");
    if (error instanceof NetworkError) {
      this.#failed(deleting, error.message, startNanos);
    } else {
      this.#options.onFailed(error);
    }
  }

  #requestEnded(httpRequestState: string): void {
    this.#inFlight = false;
    this.#abort = undefined;
    this.#httpRequestState = httpRequestState;
    this.lastUpdateMillis = this.#options.clock.wallMillis();
  }

  #closed(response: HttpResponse): void {
    // 404 means that the task is gone, and its buffer with it; 410 that a later run of this task reads the buffer.
    const { status } = response;
    if ((status >= 200 && status < 300) || status === 404 || status === 410 || this.#ended) {
      this.#deleted = true;
      this.#options.onChange();
    } else {
      this.#options.onFailed(
        new RemoteError("REMOTE_BUFFER_CLOSE_FAILED", `Error closing remote buffer (${this.location} - ${response.status})`, this.#host),
      );
    }
  }

  /** False if the frames are not taken. */
  #take(response: HttpResponse): boolean {
    const { status, headers } = response;
    if (status !== 200 && status !== 204) {
      throw this.#transportError(`Expected response code to be 200, but was ${status}`);
    }
    if (status === 200 && headers["content-type"] !== pagesMediaType) {
      throw this.#transportError(`Expected ${pagesMediaType} response from server but got ${String(headers["content-type"])}`);
    }
    const instanceId = headers["x-engine-task-instance-id"];
    if (typeof instanceId !== "string" || instanceId === "") {
      throw this.#transportError("Expected a task instance id header");
    }
    this.#taskInstanceId ??= instanceId;
    if (this.#taskInstanceId !== instanceId) {
      throw this.#mismatch();
    }
    const token = this.#numberHeader(response, "x-engine-page-sequence-id");
    const nextToken = this.#numberHeader(response, "x-engine-page-end-sequence-id");
    if (token !== this.#token || this.#options.points.fires("exchange-forgets-an-answer")) {
      // Answer to an earlier request: its frames are not the next ones.
      return false;
    }
    const frames = status === 200 ? this.#frames(response) : [];
    if (nextToken - token !== frames.length) {
      throw this.#transportError(`Expected ${nextToken - token} pages but got ${frames.length}`);
    }
    this.#token = nextToken;
    this.#resumes &&= frames.length === 0;
    for (const frame of frames) {
      this.#digest?.add(frame);
    }
    this.pagesReceived += frames.length;
    this.bytesReceived += frames.reduce((bytes, frame) => bytes + frame.length, 0);
    this.#completed = headers["x-engine-buffer-complete"] === "true";
    this.#options.onFrames(frames);
    return true;
  }

  #frames({ body, lent }: HttpResponse): readonly Frame[] {
    if (lent !== undefined) {
      return lent.map((part) => new Frame(part.bytes, { onFreed: () => part.release() }));
    }
    try {
      return splitFrames(body).map((bytes) => new Frame(bytes, { isForeign: true }));
    } catch {
      throw this.#transportError("The response is not a sequence of pages");
    }
  }

  #numberHeader(response: HttpResponse, name: string): number {
    const value = Number(response.headers[name]);
    if (!Number.isSafeInteger(value) || value < 0) {
      throw this.#transportError(`Expected a number in header ${name}`);
    }
    return value;
  }

  #mismatch(): RemoteError {
    return new RemoteError("REMOTE_TASK_MISMATCH", `${mismatchMessage} (${this.location})`, this.#host);
  }

  #transportError(details: string): RemoteError {
    return new RemoteError("PAGE_TRANSPORT_ERROR", `Error fetching ${this.location}/${this.#token}: ${details}`, this.#host);
  }

  /** Retries after a delay, or gives up. */
  #failed(deleting: boolean, reason: string, startNanos: number): void {
    const { clock, errorDurationMs } = this.#options;
    const nowNanos = clock.monotonicNanos();
    this.requestsFailed++;
    if (this.#failures === 0) {
      this.#firstFailureNanos = nowNanos;
      this.#failedRequestNanos = 0;
    }
    this.#failures++;
    this.#failedRequestNanos += nowNanos - startNanos;
    const durationMs = (nowNanos - this.#firstFailureNanos) / nanosPerMilli;
    const givesUp = this.#ended
      ? this.#failures >= deleteFailuresAfterEndMax
      : this.#failures >= failuresMin && durationMs >= errorDurationMs;
    if (givesUp) {
      this.#giveUp(deleting, durationMs, reason);
      return;
    }
    const delayMs = backoffMs[Math.min(this.#failures - 1, backoffMs.length - 1)] as number;
    this.#timer = clock.timer("exchange-retry", this.#forcedDelayMs() ?? delayMs, () => {
      this.#timer = undefined;
      this.#send();
    });
  }

  #forcedDelayMs(): number | undefined {
    const { points } = this.#options;
    if (points.fires("exchange-retries-at-once")) {
      return 0;
    }
    return points.fires("exchange-retries-late") ? backoffMs.at(-1) : undefined;
  }

  #giveUp(deleting: boolean, durationMs: number, reason: string): void {
    if (this.#ended) {
      this.#deleted = true;
      return;
    }
    // What failed for good is not asked for again when the reader ends.
    this.#deleted ||= deleting;
    const details = `(${this.location} - ${this.#failures} failures, failure duration ${seconds(durationMs)}, total failed request time ${seconds(this.#failedRequestNanos / nanosPerMilli)}, last: ${reason})`;
    this.#options.onFailed(
      deleting
        ? new RemoteError("REMOTE_BUFFER_CLOSE_FAILED", `Error closing remote buffer ${details}`, this.#host)
        : new RemoteError("PAGE_TRANSPORT_TIMEOUT", `${tooManyErrorsMessage} ${details}`, this.#host),
    );
  }
}

/** `http://host:port` of a buffer's address. */
function hostOf(location: string): string {
  return location.split("/", 3).join("/");
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)}s`;
}
