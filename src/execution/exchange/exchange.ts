/**
 * The exchange client of one RemoteSource node: fetches ahead from all its sources within a bound, and hands frames out source by source as the
 * operators ask. The order in which answers arrive never matters. A source that an operator waits for may always fetch, whatever the others
 * hold, so that the bound cannot stop the rotation. Used by exchange-operators.ts.
 */
import type { MemoryContext } from "../../memory/memory.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Network } from "../../ports/network.ts";
import type { FaultPoints } from "../../ports/points.ts";
import { assert } from "../../protocol/errors.ts";
import type { ExchangeInfoSnapshot, ExecutionLimits } from "../task/api.ts";
import { Signal } from "../../ports/signal.ts";
import { ExchangeSource } from "./exchange-source.ts";

const requestBytesMin = 262_144;

export interface ExchangeOptions {
  readonly clock: Clock;
  readonly network: Network;
  readonly points: FaultPoints;
  readonly limits: ExecutionLimits;
  /** The sources are ended together with their reader: their buffers need not be closed. */
  readonly leavesBuffers?: boolean;
  /** Bytes of frames that wait are reserved here. */
  readonly memory: MemoryContext;
}

interface Source {
  readonly fragmentId: number;
  readonly client: ExchangeSource;
  readonly frames: Uint8Array[];
  /** An operator waits for its next frame. */
  wanted: boolean;
}

export type Polled = { readonly kind: "frame"; readonly frame: Uint8Array } | { readonly kind: "wait" } | { readonly kind: "end" };

const wait: Polled = Object.freeze({ kind: "wait" });
const end: Polled = Object.freeze({ kind: "end" });

export class ExchangeClient {
  readonly #options: ExchangeOptions;
  readonly #points: FaultPoints;
  /** By fragment, then as added. */
  #sources: Source[] = [];
  readonly #arrived = new Signal();
  #noMoreSources = false;
  #heldBytes = 0;
  #failure: { readonly error: unknown } | undefined;
  #closed = false;
  receivedBytes = 0;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#points = options.points;
  }

  addSource(location: string, fragmentId: number): void {
    if (this.#closed) {
      return;
    }
    assert(!this.#noMoreSources, "no source follows the last");
    const frames: Uint8Array[] = [];
    const client = new ExchangeSource({
      location,
      clock: this.#options.clock,
      network: this.#options.network,
      points: this.#points,
      errorDurationMs: this.#options.limits.exchangeErrorDurationMs,
      leavesBuffer: this.#options.leavesBuffers === true,
      onFrames: (received) => this.#take(frames, received),
      onChange: () => this.#advance(),
      onFailed: (error) => this.#failed(error),
    });
    const source: Source = { fragmentId, client, frames, wanted: false };
    const position = this.#sources.findIndex((other) => other.fragmentId > fragmentId);
    this.#sources.splice(position < 0 ? this.#sources.length : position, 0, source);
    this.#schedule();
  }

  setNoMoreSources(): void {
    this.#noMoreSources = true;
    this.#arrived.fire();
  }

  /** How many there are is known: only then can the rotation begin. */
  get ready(): boolean {
    return this.#noMoreSources;
  }

  get sourceCount(): number {
    return this.#sources.length;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** The next frame of a source. After `wait`, `blocked()` says when to ask again. Throws what ended the exchange. */
  poll(index: number): Polled {
    if (this.#failure !== undefined) {
      throw this.#failure.error;
    }
    const source = this.#sources[index] as Source;
    const frame = source.frames.shift();
    if (frame !== undefined) {
      source.wanted = false;
      this.#heldBytes -= frame.length;
      this.#options.memory.release(frame.length);
      this.#schedule();
      return { kind: "frame", frame };
    }
    if (source.client.completed) {
      return end;
    }
    source.wanted = true;
    this.#schedule();
    return wait;
  }

  /** Resolves when a frame arrived or the number of sources became known; undefined after a failure, which poll throws. */
  blocked(): Promise<void> | undefined {
    return this.#failure !== undefined || this.#closed ? undefined : this.#arrived.next();
  }

  /** Reads no more and tells the producers. */
  close(): void {
    if (this.#closed) {
      return;
    }
    this.#closed = true;
    for (const source of this.#sources) {
      source.client.close();
      source.frames.length = 0;
    }
    this.#options.memory.release(this.#heldBytes);
    this.#heldBytes = 0;
    this.#arrived.fire();
  }

  info(): ExchangeInfoSnapshot {
    const requests = this.#sources.reduce((sum, source) => sum + source.client.requestsCompleted, 0);
    return {
      bufferedBytes: this.#heldBytes,
      averageBytesPerRequest: requests === 0 ? 0 : Math.floor(this.receivedBytes / requests),
      bufferedPages: this.#sources.reduce((sum, source) => sum + source.frames.length, 0),
      clients: this.#sources.map(({ client }) => ({
        uri: client.location,
        state: client.state,
        lastUpdateMillis: client.lastUpdateMillis,
        pagesReceived: client.pagesReceived,
        requestsScheduled: client.requestsScheduled,
        requestsCompleted: client.requestsCompleted,
        requestsFailed: client.requestsFailed,
        httpRequestState: client.httpRequestState,
      })),
    };
  }

  #take(frames: Uint8Array[], received: readonly Uint8Array[]): void {
    if (this.#closed) {
      return;
    }
    let bytes = 0;
    for (const frame of received) {
      bytes += frame.length;
    }
    this.#options.memory.reserve(bytes);
    this.#heldBytes += bytes;
    this.receivedBytes += bytes;
    frames.push(...received);
  }

  #advance(): void {
    if (!this.#closed) {
      this.#schedule();
      this.#arrived.fire();
    }
  }

  #failed(error: unknown): void {
    if (!this.#closed) {
      this.#failure ??= { error };
      this.#arrived.fire();
    }
  }

  /** Sends the requests that the bound allows, and those that are waited for in any case. */
  #schedule(): void {
    if (this.#closed || this.#failure !== undefined) {
      return;
    }
    const { exchangeBufferBytesMax, exchangeResponseBytesMax } = this.#options.limits;
    const open = this.#sources.filter((source) => !source.client.completed);
    const share = Math.min(
      exchangeResponseBytesMax,
      Math.max(requestBytesMin, Math.floor(exchangeBufferBytesMax / Math.max(1, open.length))),
    );
    let expectedBytes = this.#heldBytes;
    for (const source of open) {
      expectedBytes += source.client.requestBytes;
    }
    for (const source of open) {
      if (source.client.busy) {
        continue;
      }
      const isTurn = source.wanted && source.frames.length === 0;
      const fits = expectedBytes + share <= exchangeBufferBytesMax && !this.#points.fires("exchange-does-not-fetch-ahead");
      if (isTurn || fits) {
        expectedBytes += share;
        source.client.fetch(this.#points.fires("exchange-asks-for-little") ? 1 : share);
      }
    }
  }
}
