/**
 * A network that responds from a script, and a clock whose timers fire at once and advance its time.
 */
import type { Clock, MonotonicNanos, Timer, WallMillis } from "../../../src/ports/clock.ts";
import {
  type Headers,
  type HttpRequest,
  type HttpResponse,
  type Network,
  NetworkError,
  type RequestOptions,
} from "../../../src/ports/network.ts";
import { stringifyJson } from "../../../src/protocol/json.ts";
import type { QueryResults } from "../../../src/protocol/documents/statement.ts";
import { encodeUtf8 } from "../../../src/types/utf8.ts";

export type Answer = HttpResponse | NetworkError | Promise<HttpResponse>;

export class ScriptedNetwork implements Network {
  readonly selfUri = "";
  readonly requests: HttpRequest[] = [];
  /** Aborts the current request. */
  abort: () => void = () => undefined;
  readonly #answer: (request: HttpRequest, index: number) => Answer;

  constructor(answer: ((request: HttpRequest, index: number) => Answer) | readonly Answer[]) {
    this.#answer =
      typeof answer === "function"
        ? answer
        : (_request, index) => {
            const scripted = answer[index];
            if (scripted === undefined) {
              throw new Error(`no answer for request ${index}`);
            }
            return scripted;
          };
  }

  /** Request lines, such as `POST /v1/statement` and `GET /v1/statement/q/1?slug=s`. */
  get lines(): readonly string[] {
    return this.requests.map(({ method, url }) => `${method} ${url.replace(/^https?:\/\/[^/]+/, "")}`);
  }

  request(request: HttpRequest, options: RequestOptions): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      this.abort = () => reject(new NetworkError("ABORTED", "aborted"));
      options.onAbortable?.(this.abort);
      this.requests.push(request);
      const answer = this.#answer(request, this.requests.length - 1);
      if (answer instanceof NetworkError) {
        reject(answer);
      } else {
        // Not resolve(answer): a response that never comes must leave the request abortable.
        void Promise.resolve(answer).then(resolve, reject);
      }
    });
  }

  serve(): Promise<void> {
    return Promise.reject(new Error("a client does not serve"));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

export class HastyClock implements Clock {
  #nanos = 0;
  readonly pausesMs: number[] = [];

  monotonicNanos(): MonotonicNanos {
    return this.#nanos as MonotonicNanos;
  }

  wallMillis(): WallMillis {
    return (1_700_000_000_000 + this.#nanos / 1e6) as WallMillis;
  }

  cpuNanos(): number {
    return this.#nanos;
  }

  timer(_label: string, delayMs: number, callback: () => void): Timer {
    let cancelled = false;
    this.pausesMs.push(delayMs);
    void Promise.resolve().then(() => {
      if (!cancelled) {
        this.#nanos += delayMs * 1e6;
        callback();
      }
    });
    return {
      cancel: () => {
        cancelled = true;
      },
    };
  }

  turn(): Promise<void> {
    return Promise.resolve();
  }
}

const counters = {
  nodes: 0,
  totalSplits: 0,
  queuedSplits: 0,
  runningSplits: 0,
  completedSplits: 0,
  cpuTimeMillis: 0,
  wallTimeMillis: 0,
  processedRows: 0,
  processedBytes: 0,
};

export function results(parts: Partial<QueryResults> = {}): QueryResults {
  return {
    id: "q1",
    infoUri: "http://server/v1/query/q1",
    stats: { state: parts.nextUri === undefined ? "FINISHED" : "RUNNING", scheduled: true, ...counters },
    ...parts,
  };
}

export function nextUri(token: number): string {
  return `http://server/v1/statement/q1/${token}?slug=s`;
}

export function json(document: unknown, headers: Headers = {}): HttpResponse {
  return { status: 200, headers: { "content-type": "application/json", ...headers }, body: encodeUtf8(stringifyJson(document)) };
}

export function text(status: number, body: string, headers: Headers = {}): HttpResponse {
  return { status, headers, body: encodeUtf8(body) };
}

export const columnN = { name: "n", type: "bigint", typeSignature: { rawType: "bigint", arguments: [] } };

export const failure = {
  message: "line 1:8: Column 'x' cannot be resolved",
  errorCode: 47,
  errorName: "COLUMN_NOT_FOUND",
  errorType: "USER_ERROR" as const,
  errorLocation: { lineNumber: 1, columnNumber: 8 },
};
