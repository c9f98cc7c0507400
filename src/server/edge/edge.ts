/**
 * The edge between clients and a node's handler: limits of connections and incomplete requests, and the responses of an overloaded node. A
 * slow, idle or hostile client uses a bounded share of descriptors and memory for a bounded time.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Connections } from "./connections.ts";
import { EventLoopDelay } from "./event-loop-delay.ts";
import { type RefusedRequest, RequestIntake } from "./intake.ts";

export interface EdgeLimits {
  /** Above this number, an idle connection is closed for a new one. */
  readonly connectionsMax: number;
  /** The same for connections of one client address; no limit if absent. */
  readonly connectionsPerAddressMax?: number;
  /** Longest time from the first byte of a request, or the start of its connection, to the end of its headers, in milliseconds. */
  readonly headerMsMax: number;
  /** Longest pause between two parts of a body, in milliseconds. */
  readonly bodyIdleMsMax: number;
  /** Longest time from the first byte of a request to the last, in milliseconds. */
  readonly requestMsMax: number;
  /** Longest time without a byte in either direction, in milliseconds, whatever the connection waits for. */
  readonly idleMsMax: number;
  /** Size of one body, in bytes. */
  readonly bodyBytesMax: number;
  /** Bytes of all requests in progress, headers and bodies. */
  readonly heldBytesMax: number;
  /** Bytes of all incomplete headers. */
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

const sampleMsMin = 1000;

export class Edge {
  readonly #connections: Connections;
  readonly #intake: RequestIntake;
  readonly #delay: EventLoopDelay;
  readonly #delayMsMax: number;

  constructor(servers: readonly Server[], limits: EdgeLimits, eventLoopDelayMsMax: number) {
    this.#connections = new Connections(servers, limits);
    this.#intake = new RequestIntake(limits);
    this.#delay = new EventLoopDelay(Math.max(sampleMsMin, 2 * eventLoopDelayMsMax));
    this.#delayMsMax = eventLoopDelayMsMax;
  }

  get eventLoopDelayMs(): number {
    return this.#delay.meanMs;
  }

  get isUnderPressure(): boolean {
    return this.#delay.meanMs > this.#delayMsMax;
  }

  /** Called when the headers of a request are complete. Returns the refusal, or undefined if the request is admitted. */
  admit(request: IncomingMessage, response: ServerResponse): RefusedRequest | undefined {
    return this.#intake.admit(request, response);
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
