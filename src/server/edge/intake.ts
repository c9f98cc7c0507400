/**
 * Takes the bodies of requests, within three bounds: the size of one, the time without a byte of it, and what all requests under way hold together. Small requests are
 * let in however full it is: the number of connections bounds them.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { noBody } from "../../ports/network.ts";
import { bodyTooLarge } from "../transport/pending.ts";

export interface IntakeLimits {
  /** Of one body. */
  readonly bodyBytesMax: number;
  /** Of all requests that are being received or answered, small ones apart. */
  readonly heldBytesMax: number;
  /** From one part of a body to the next. */
  readonly bodyIdleMsMax: number;
}

/** Answered with its status and its message as plain text; the connection is closed then, as the rest of the request may still come. */
export class RefusedRequest extends Error {
  override readonly name = "RefusedRequest";
  constructor(
    readonly statusCode: number,
    message: string,
  ) {
    super(message);
  }
}

/** Headers and body of a request that counts for nothing. */
const smallBytesMax = 64 * 1024;

export class RequestIntake {
  readonly #limits: IntakeLimits;
  readonly #responses = new WeakMap<IncomingMessage, ServerResponse>();
  readonly #held = new Map<IncomingMessage, number>();
  #heldBytes = 0;

  constructor(limits: IntakeLimits) {
    this.#limits = limits;
  }

  /** Of all requests under way that are not small. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** The headers of a request are here. Why it is refused; undefined when it is not. */
  admit(request: IncomingMessage, response: ServerResponse): RefusedRequest | undefined {
    this.#responses.set(request, response);
    return this.#hold(request, headerBytes(request)) ? undefined : tooFull();
  }

  /** The whole body of a request that was admitted; rejects with RefusedRequest. What it holds is given back when the answer is sent or the client is gone. */
  body(request: IncomingMessage): Promise<Uint8Array> {
    const { bodyBytesMax, bodyIdleMsMax } = this.#limits;
    const headers = headerBytes(request);
    return new Promise((resolve, reject) => {
      let body = noBody;
      let bytes = 0;
      const stop = (): void => {
        clearTimeout(timer);
        request.off("data", take).off("end", end).off("error", fail).off("close", fail);
      };
      const refuse = (error: RefusedRequest): void => {
        stop();
        body = noBody;
        reject(error);
      };
      const late = (): void => refuse(new RefusedRequest(408, "The body of the request did not arrive in time"));
      const fail = (): void => refuse(new RefusedRequest(400, "The body of the request is not complete"));
      const take = (part: Uint8Array): void => {
        if (bytes + part.length > bodyBytesMax) {
          refuse(tooLarge(bodyBytesMax));
          return;
        }
        if (bytes + part.length > body.length) {
          // One buffer that grows: a list of parts would let a client that sends byte by byte hold a hundred times what it has sent.
          const length = Math.max(bytes + part.length, 2 * body.length);
          if (!this.#hold(request, headers + length)) {
            refuse(tooFull());
            return;
          }
          body = grown(body, length);
        }
        body.set(part, bytes);
        bytes += part.length;
        timer.refresh();
      };
      const end = (): void => {
        stop();
        resolve(body.subarray(0, bytes));
      };
      const timer = setTimeout(late, bodyIdleMsMax);
      if (Number(request.headers["content-length"]) > bodyBytesMax) {
        refuse(tooLarge(bodyBytesMax));
        return;
      }
      request.on("data", take).on("end", end).on("error", fail).on("close", fail);
    });
  }

  /** False when there is no room. */
  #hold(request: IncomingMessage, bytes: number): boolean {
    const before = this.#held.get(request);
    if (before === undefined && bytes <= smallBytesMax) {
      return true;
    }
    const more = bytes - (before ?? 0);
    if (this.#heldBytes + more > this.#limits.heldBytesMax) {
      return false;
    }
    this.#heldBytes += more;
    this.#held.set(request, bytes);
    if (before === undefined) {
      this.#responses.get(request)?.once("close", () => this.#release(request));
    }
    return true;
  }

  #release(request: IncomingMessage): void {
    this.#heldBytes -= this.#held.get(request) ?? 0;
    this.#held.delete(request);
  }
}

function tooFull(): RefusedRequest {
  return new RefusedRequest(503, "The server holds too many large requests, try again");
}

function tooLarge(bodyBytesMax: number): RefusedRequest {
  return new RefusedRequest(413, bodyTooLarge(bodyBytesMax));
}

function headerBytes(request: IncomingMessage): number {
  return request.rawHeaders.reduce((sum, text) => sum + text.length, request.url?.length ?? 0);
}

function grown(body: Uint8Array, length: number): Uint8Array {
  const larger = new Uint8Array(length);
  larger.set(body);
  return larger;
}
