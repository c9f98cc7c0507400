/**
 * Both ends of a pending request, independent of the transport.
 */
import {
  type HttpResponse,
  NetworkError,
  type NetworkErrorKind,
  noBody,
  type RequestContext,
  type RequestOptions,
} from "../../ports/network.ts";
import { releaseAll } from "../../page/frame.ts";

/** The requester, as seen by the handler. */
export class Peer implements RequestContext {
  readonly #callbacks: (() => void)[] = [];
  #isGone = false;

  constructor(
    readonly remoteAddress: string,
    readonly baseUri: string,
    readonly takesLent = false,
  ) {}

  isAborted(): boolean {
    return this.#isGone;
  }

  onAbort(callback: () => void): void {
    this.#callbacks.push(callback);
  }

  /** The requester no longer waits for the response. Called at most once. */
  leave(): void {
    this.#isGone = true;
    this.#callbacks.forEach((callback) => callback());
  }
}

/** A request that ends with its response, its timeout or an abort by the requester, whichever comes first. */
export class PendingRequest {
  readonly answer: Promise<HttpResponse>;
  #resolve: (response: HttpResponse) => void = () => undefined;
  #reject: (error: NetworkError) => void = () => undefined;
  readonly #timeout: NodeJS.Timeout;
  readonly #onOver: (wasAnswered: boolean) => void;
  #isOver = false;

  /** `place` is the target's name. `onOver` is called once, after the promise has been settled. */
  constructor(place: string, { timeoutMs, onAbortable }: RequestOptions, onOver: (wasAnswered: boolean) => void) {
    this.#onOver = onOver;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#timeout = setTimeout(() => this.fail("TIMEOUT", `no answer from ${place} within ${timeoutMs} ms`), timeoutMs);
    onAbortable?.(() => this.fail("ABORTED", "request aborted"));
  }

  succeed(response: HttpResponse): void {
    if (this.#isOver) {
      releaseAll(response.lent ?? []);
    }
    this.#end(true, () => this.#resolve(response));
  }

  fail(kind: NetworkErrorKind, message: string): void {
    this.#end(false, () => this.#reject(new NetworkError(kind, message)));
  }

  #end(isAnswered: boolean, settle: () => void): void {
    if (this.#isOver) {
      return;
    }
    this.#isOver = true;
    clearTimeout(this.#timeout);
    settle();
    this.#onOver(isAnswered);
  }
}

/** The response if a handler rejects. */
export const handlerFailed: HttpResponse = { status: 500, headers: { "content-type": "text/plain" }, body: noBody };

export function bodyTooLarge(bytesMax: number): string {
  return `Request body is larger than ${bytesMax} bytes`;
}

/**
 * Rejection of a handler whose response must not arrive whole: the connection ends before the response, or in the middle of its body. Only
 * `orrery/testing` makes one.
 */
export class BrokenAnswer extends Error {
  override readonly name = "BrokenAnswer";
  constructor(readonly response?: HttpResponse) {
    super("the connection ends before the response does");
  }
}
