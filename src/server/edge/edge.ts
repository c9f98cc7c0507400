/**
 * What stands between clients and a node's handler: bounds on connections and on requests that are not complete, and the answer of a node under pressure. A client that
 * is slow, idle or hostile costs a bounded share of descriptors and memory, for a bounded time.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Connections } from "./connections.ts";
import { EventLoopDelay } from "./event-loop-delay.ts";
import { RefusedRequest, RequestIntake } from "./intake.ts";

export interface EdgeLimits {
  /** Past it an idle connection makes room for a new one. */
  readonly connectionsMax: number;
  /** From the first byte of a request, or the beginning of its connection, to the end of its headers. */
  readonly headerMsMax: number;
  /** From one part of a body to the next. */
  readonly bodyIdleMsMax: number;
  /** From the first byte of a request to the last. */
  readonly requestMsMax: number;
  /** Without a byte in either direction, whatever the connection waits for. */
  readonly idleMsMax: number;
  /** Of one request. */
  readonly bodyBytesMax: number;
  /** Of all requests under way, headers and bodies. */
  readonly heldBytesMax: number;
  /** Of all headers that are not complete. */
  readonly unfinishedBytesMax: number;
}

const mebibyte = 1024 * 1024;

export const usualEdgeLimits: EdgeLimits = Object.freeze({
  connectionsMax: 10_000,
  headerMsMax: 20_000,
  bodyIdleMsMax: 30_000,
  requestMsMax: 300_000,
  idleMsMax: 200_000,
  bodyBytesMax: 64 * mebibyte,
  heldBytesMax: 256 * mebibyte,
  unfinishedBytesMax: 64 * mebibyte,
});

/** Answered even under pressure: whoever watches the node must see that it lives. */
const alwaysAnswered = /^\/(livez|readyz|v1\/status|v1\/info)(\/|\?|$)/;
const sampleMsMin = 1000;

export class Edge {
  readonly #connections: Connections;
  readonly #intake: RequestIntake;
  readonly #delay: EventLoopDelay;
  readonly #delayMsMax: number;

  constructor(server: Server, limits: EdgeLimits, eventLoopDelayMsMax: number) {
    this.#connections = new Connections(server, limits);
    this.#intake = new RequestIntake(limits);
    this.#delay = new EventLoopDelay(Math.max(sampleMsMin, 2 * eventLoopDelayMsMax));
    this.#delayMsMax = eventLoopDelayMsMax;
  }

  /** The headers of a request are here; `path` is what it asks for. Why it is refused; undefined when it is not. */
  admit(request: IncomingMessage, response: ServerResponse, path: string): RefusedRequest | undefined {
    return this.#delay.meanMs > this.#delayMsMax && !alwaysAnswered.test(path)
      ? new RefusedRequest(503, "Server is overloaded, try again")
      : this.#intake.admit(request, response);
  }

  /** Rejects with RefusedRequest. */
  body(request: IncomingMessage): Promise<Uint8Array> {
    return this.#intake.body(request);
  }

  close(): void {
    this.#connections.close();
    this.#delay.close();
  }
}
