/**
 * Requests of the statement client, with retries. An idempotent request is repeated after Presto's delays (0, 50, 100, 200, 500 ms ...) or
 * the one in Retry-After, until a response arrives or the time limit is reached. One requester per statement; it can be interrupted.
 */
import type { Clock } from "../ports/clock.ts";
import { type HttpRequest, type HttpResponse, type Network, NetworkError, type NetworkErrorKind } from "../ports/network.ts";
import { responseHeaderText, responseText } from "../protocol/http/http.ts";

export type ClientErrorKind =
  /** No response from the server. */
  | "UNREACHABLE"
  /** An HTTP error; see `status`. */
  | "REFUSED"
  /** A malformed response. */
  | "BAD_ANSWER"
  /** A value cannot be sent in a header. */
  | "BAD_REQUEST"
  | "INTERRUPTED";

/** The result of a statement could not be fetched. An error of the query itself is not a ClientError, but the `error` of its results. */
export class ClientError extends Error {
  override readonly name = "ClientError";
  constructor(
    readonly kind: ClientErrorKind,
    message: string,
    readonly status?: number,
  ) {
    super(message);
  }
}

export interface RequesterOptions {
  readonly network: Network;
  readonly clock: Clock;
  /** Time limit from the first of consecutive failures on, in milliseconds. At least three attempts are made in any case. */
  readonly retryMsMax: number;
}

export interface AskOptions {
  readonly label: string;
  readonly timeoutMs: number;
  /** False for a POST: it is repeated only if it was certainly not executed. */
  readonly idempotent: boolean;
  readonly retryMsMax?: number;
}

const backoffMs: readonly number[] = [0, 50, 100, 200, 500];
const attemptsMin = 3;
const redirectsMax = 5;
const retryAfterMsMax = 60_000;
const transientStatuses: readonly number[] = [429, 502, 503, 504];
/** Statuses of requests that the server refused before processing the statement. */
const untouchedStatuses: readonly number[] = [429, 503];
const headerText = /^[\t\x20-\x7e\x80-\xff]*$/;

export class Requester {
  readonly #options: RequesterOptions;
  #interrupted = false;
  #lastAttempt = false;
  #abort: (() => void) | undefined;
  #endPause: (() => void) | undefined;

  constructor(options: RequesterOptions) {
    this.#options = options;
  }

  /** Aborts the current request or delay. It fails with ClientError INTERRUPTED, and so do all later requests. */
  interrupt(): void {
    this.#interrupted = true;
    this.#abort?.();
    this.#endPause?.();
  }

  /** The current attempt is the last one: its outcome is final. */
  makeLastAttempt(): void {
    this.#lastAttempt = true;
    this.#endPause?.();
  }

  async ask(request: HttpRequest, options: AskOptions): Promise<HttpResponse> {
    checkHeaders(request);
    const startNanos = this.#options.clock.monotonicNanos();
    let current = request;
    let redirects = 0;
    for (let failures = 0; ; ) {
      if (this.#interrupted) {
        throw new ClientError("INTERRUPTED", "interrupted");
      }
      const outcome = await this.#attempt(current, options);
      const target = redirectTarget(outcome);
      if (target !== undefined && redirects < redirectsMax) {
        current = { ...current, url: target };
        redirects++;
        continue;
      }
      if (!this.#mayRetry(outcome, options)) {
        return answerOf(outcome);
      }
      failures++;
      const elapsedMs = (this.#options.clock.monotonicNanos() - startNanos) / 1e6;
      if (failures >= attemptsMin && elapsedMs >= (options.retryMsMax ?? this.#options.retryMsMax)) {
        return answerOf(outcome);
      }
      await this.#pause(Math.max(backoffMs[Math.min(failures - 1, backoffMs.length - 1)] ?? 0, retryAfterMs(outcome)));
      if (this.#lastAttempt) {
        return answerOf(outcome);
      }
    }
  }

  async #attempt(request: HttpRequest, options: AskOptions): Promise<HttpResponse | NetworkError> {
    try {
      return await this.#options.network.request(request, {
        timeoutMs: options.timeoutMs,
        label: options.label,
        onAbortable: (abort) => {
          this.#abort = abort;
        },
      });
    } catch (error) {
      if (error instanceof NetworkError) {
        return error;
      }
      throw error;
    } finally {
      this.#abort = undefined;
    }
  }

  #mayRetry(outcome: HttpResponse | NetworkError, options: AskOptions): boolean {
    if (this.#interrupted || this.#lastAttempt) {
      return false;
    }
    if (outcome instanceof NetworkError) {
      const hopeless: readonly NetworkErrorKind[] = ["ABORTED", "PROTOCOL_ERROR"];
      return outcome.kind === "CONNECTION_REFUSED" || (options.idempotent && !hopeless.includes(outcome.kind));
    }
    return (options.idempotent ? transientStatuses : untouchedStatuses).includes(outcome.status);
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        timer.cancel();
        this.#endPause = undefined;
        resolve();
      };
      const timer = this.#options.clock.timer("client-retry", delayMs, end);
      this.#endPause = end;
    });
  }
}

function answerOf(outcome: HttpResponse | NetworkError): HttpResponse {
  if (!(outcome instanceof NetworkError)) {
    return outcome;
  }
  throw new ClientError(outcome.kind === "ABORTED" ? "INTERRUPTED" : "UNREACHABLE", outcome.message);
}

function redirectTarget(outcome: HttpResponse | NetworkError): string | undefined {
  if (outcome instanceof NetworkError || (outcome.status !== 307 && outcome.status !== 308)) {
    return undefined;
  }
  const location = responseHeaderText(outcome, "location");
  return location !== undefined && /^https?:\/\//.test(location) ? location : undefined;
}

/** Supports seconds only; a date would require synchronized clocks. */
function retryAfterMs(outcome: HttpResponse | NetworkError): number {
  const text = outcome instanceof NetworkError ? undefined : responseHeaderText(outcome, "retry-after");
  return text !== undefined && /^\d{1,6}$/.test(text) ? Math.min(Number(text) * 1000, retryAfterMsMax) : 0;
}

function checkHeaders(request: HttpRequest): void {
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === "string" && !headerText.test(value)) {
      throw new ClientError("BAD_REQUEST", `${JSON.stringify(value)} cannot be sent in header ${name}`);
    }
  }
}

/** The error of a response whose status is not 200, for the user. */
export function refusal(response: HttpResponse): ClientError {
  const text = responseText(response).trim();
  const shown = text === "" || text.startsWith("<") ? "" : `: ${text.slice(0, 2000)}`;
  return new ClientError("REFUSED", `Server answered with status ${response.status}${shown}`, response.status);
}
