/** Both ends of a request that waits for its answer, whatever carries it. */
import {
  type HttpResponse,
  NetworkError,
  type NetworkErrorKind,
  noBody,
  type RequestContext,
  type RequestOptions,
} from "../../ports/network.ts";

/** Whoever asked, as the handler knows of it. */
export class Peer implements RequestContext {
  readonly #callbacks: (() => void)[] = [];
  #isGone = false;

  constructor(
    readonly remoteAddress: string,
    readonly baseUri: string,
  ) {}

  isAborted(): boolean {
    return this.#isGone;
  }

  onAbort(callback: () => void): void {
    this.#callbacks.push(callback);
  }

  /** It does not wait for the answer any more. Called once at most. */
  leave(): void {
    this.#isGone = true;
    this.#callbacks.forEach((callback) => callback());
  }
}

/** That waits for its answer, for the end of its time, or for whoever asked to give it up, whatever comes first. */
export class PendingRequest {
  readonly answer: Promise<HttpResponse>;
  #resolve: (response: HttpResponse) => void = () => undefined;
  #reject: (error: NetworkError) => void = () => undefined;
  readonly #timeout: NodeJS.Timeout;
  readonly #onOver: (wasAnswered: boolean) => void;
  #isOver = false;

  /** `place` is who was asked. `onOver` is called once, after the answer has been settled. */
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

/** What a handler that rejects is answered with. */
export const handlerFailed: HttpResponse = { status: 500, headers: { "content-type": "text/plain" }, body: noBody };

export function bodyTooLarge(bytesMax: number): string {
  return `Request body is larger than ${bytesMax} bytes`;
}
