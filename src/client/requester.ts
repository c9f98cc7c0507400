/**
 * Requests of the statement client, with retries: what may be asked again is, after the pauses that Presto makes (0, 50, 100, 200, 500 ms ...) or that
 * Retry-After names, until an answer comes or patience ends. One requester per statement; it can be interrupted.
 */
import type { Clock } from "../ports/clock.ts";
import { type HttpRequest, type HttpResponse, type Network, NetworkError, type NetworkErrorKind } from "../ports/network.ts";
import { responseHeaderText, responseText } from "../protocol/http/http.ts";

export type ClientErrorKind =
  /** No answer from the server. */
  | "UNREACHABLE"
  /** An answer that says no: see `status`. */
  | "REFUSED"
  /** An answer that makes no sense. */
  | "BAD_ANSWER"
  /** A header cannot carry this value. */
  | "BAD_REQUEST"
  | "INTERRUPTED";

/** A statement's result could not be had. What the query itself met is no ClientError but the `error` of its results. */
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
  /** From the first of a row of failures on; at least three attempts are made in any case. */
  readonly retryMsMax: number;
}

export interface AskOptions {
  readonly label: string;
  readonly timeoutMs: number;
  /** False for a POST: it is only asked again when it certainly was not carried out. */
  readonly idempotent: boolean;
  readonly retryMsMax?: number;
}

const backoffMs: readonly number[] = [0, 50, 100, 200, 500];
const attemptsMin = 3;
const redirectsMax = 5;
const retryAfterMsMax = 60_000;
const transientStatuses: readonly number[] = [429, 502, 503, 504];
/** Refused before the server looked at the statement. */
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

  /** Ends the request or the pause that is going on; the asker gets a ClientError INTERRUPTED, now and from here on. */
  interrupt(): void {
    this.#interrupted = true;
    this.#abort?.();
    this.#endPause?.();
  }

  /** The request that is going on is waited for, but not repeated: what it has met so far is its outcome. */
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

/** Seconds; a date would need a clock that both sides share. */
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

/** What a person needs to know of an answer that is not 200. */
export function refusal(response: HttpResponse): ClientError {
  const text = responseText(response).trim();
  const shown = text === "" || text.startsWith("<") ? "" : `: ${text.slice(0, 2000)}`;
  return new ClientError("REFUSED", `Server answered with status ${response.status}${shown}`, response.status);
}
