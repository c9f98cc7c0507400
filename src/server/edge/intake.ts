/**
 * Receives request bodies within three limits: the size of one body, the time without a byte of it, and the bytes of all requests in
 * progress. Small requests are always admitted, because the limit of connections bounds them.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { noBody } from "../../ports/network.ts";
import { bodyTooLarge } from "../transport/pending.ts";

export interface IntakeLimits {
  /** Size of one body, in bytes. */
  readonly bodyBytesMax: number;
  /** Bytes of all requests that are being received or answered, except small ones. */
  readonly heldBytesMax: number;
  /** Longest pause between two parts of a body, in milliseconds. */
  readonly bodyIdleMsMax: number;
}

/**
 * Becomes a plain-text response with this status and message. The connection is then closed, because the rest of the request may still
 * arrive.
 */
export class RefusedRequest extends Error {
  override readonly name = "RefusedRequest";
  constructor(
    readonly statusCode: number,
    message: string,
    readonly headers: Readonly<Record<string, string | string[]>> = {},
  ) {
    super(message);
  }
}

/** Size of headers and body up to which a request is not counted. */
const smallBytesMax = 64 * 1024;

export class RequestIntake {
  readonly #limits: IntakeLimits;
  readonly #responses = new WeakMap<IncomingMessage, ServerResponse>();
  readonly #held = new Map<IncomingMessage, number>();
  #heldBytes = 0;

  constructor(limits: IntakeLimits) {
    this.#limits = limits;
  }

  /** Bytes of all requests in progress that are not small. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Called when the headers of a request are complete. Returns the refusal, or undefined if the request is admitted. */
  admit(request: IncomingMessage, response: ServerResponse): RefusedRequest | undefined {
    this.#responses.set(request, response);
    return this.#hold(request, headerBytes(request)) ? undefined : tooFull();
  }

  /**
   * The whole body of an admitted request; rejects with RefusedRequest. Its bytes are released when the response is sent or the client
   * disconnects.
   */
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
          // A single growing buffer: with a list of parts, a client that sends byte by byte could hold a hundred times the bytes it sent.
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

  /** Returns false if there is no room. */
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
