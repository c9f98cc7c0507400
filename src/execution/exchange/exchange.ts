/**
 * The exchange client of one RemoteSource node. It prefetches from all its sources within a bound of bytes. Operators take frames source by
 * source, so the order in which answers arrive never matters. A source that an operator waits for may always fetch, whatever the other
 * sources hold; the bound therefore cannot block the rotation.
 */
import type { MemoryContext } from "../../memory/memory.ts";
import { bufferBound } from "../../memory/headroom.ts";
import { type Frame, releaseAll } from "../../page/frame.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Network } from "../../ports/network.ts";
import type { FaultPoints } from "../../ports/points.ts";
import { assert } from "../../protocol/errors.ts";
import type { ExchangeInfoSnapshot, ExecutionLimits } from "../task/api.ts";
import { Signal } from "../../ports/signal.ts";
import { ExchangeSource } from "./exchange-source.ts";

export interface ExchangeOptions {
  readonly clock: Clock;
  readonly network: Network;
  readonly points: FaultPoints;
  readonly limits: ExecutionLimits;
  /** Whether a source that is closed now needs no close request for its buffer, because its coordinator ends it or reads it again. */
  readonly leavesBuffers?: () => boolean;
  /** The same for a source that has given all its pages. */
  readonly leavesTakenBuffers?: () => boolean;
  /** A source that does not answer, or has lost the buffer, is asked until it is replaced, and fails the exchange only then. */
  readonly awaitsSources?: boolean;
  /** Number of the task, if it is run again when it is lost. */
  readonly reader?: number | undefined;
  /** Called once, when the last source has told its end. */
  readonly onReceived?: () => void;
  /** Reserves the bytes of buffered frames. */
  readonly memory: MemoryContext;
}

interface Source {
  readonly fragmentId: number;
  readonly client: ExchangeSource;
  readonly frames: Frame[];
  /** True while an operator waits for the next frame. */
  wanted: boolean;
}

/** The caller releases the frame. */
export type Polled = { readonly kind: "frame"; readonly frame: Frame } | { readonly kind: "wait" } | { readonly kind: "end" };

const closesBuffer = (): boolean => false;
const wait: Polled = Object.freeze({ kind: "wait" });
const end: Polled = Object.freeze({ kind: "end" });

export class ExchangeClient {
  readonly #options: ExchangeOptions;
  readonly #points: FaultPoints;
  /** Ordered by fragment, then by insertion. */
  #sources: Source[] = [];
  readonly #arrived = new Signal();
  #noMoreSources = false;
  #heldBytes = 0;
  #failure: { readonly error: unknown } | undefined;
  #received = false;
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
    const frames: Frame[] = [];
    const client = new ExchangeSource({
      location,
      clock: this.#options.clock,
      network: this.#options.network,
      points: this.#points,
      errorDurationMs: this.#options.limits.exchangeErrorDurationMs,
      leavesBuffer: this.#options.leavesBuffers ?? closesBuffer,
      leavesTakenBuffer: this.#options.leavesTakenBuffers ?? closesBuffer,
      // A former run must not close what its successor reads.
      closeRestMs: this.#options.awaitsSources === true ? 0 : this.#options.memory.knobs.value("exchange-close-rest-ms"),
      isAwaited: this.#options.awaitsSources === true,
      reader: this.#options.reader,
      onFrames: (received) => this.#take(frames, received),
      onChange: () => this.#advance(),
      onFailed: (error) => this.#failed(error),
    });
    const source: Source = { fragmentId, client, frames, wanted: false };
    const position = this.#sources.findIndex((other) => other.fragmentId > fragmentId);
    this.#sources.splice(position < 0 ? this.#sources.length : position, 0, source);
    this.#schedule();
  }

  /** The source goes on with its next page at another address, or closes the buffer there. No effect if there is no source `from`. */
  replaceSource(from: string, to: string): void {
    this.#sources.find(({ client }) => client.location === from)?.client.replace(to);
  }

  setNoMoreSources(): void {
    this.#noMoreSources = true;
    this.#checkReceived();
    this.#arrived.fire();
  }

  /** True if the number of sources is known. The rotation cannot start before. */
  get ready(): boolean {
    return this.#noMoreSources;
  }

  get sourceCount(): number {
    return this.#sources.length;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /**
   * Returns the next frame of a source. After `wait`, `blocked()` resolves when to poll again. Throws the error that ended the exchange.
   */
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

  /** Resolves when a frame arrives or the number of sources becomes known. Returns undefined after a failure, which `poll` throws. */
  blocked(): Promise<void> | undefined {
    return this.#failure !== undefined || this.#closed ? undefined : this.#arrived.next();
  }

  /** Stops reading and closes the producers' buffers. */
  close(): void {
    if (this.#closed) {
      return;
    }
    this.#closed = true;
    for (const source of this.#sources) {
      source.client.close();
      releaseAll(source.frames.splice(0));
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

  #take(frames: Frame[], received: readonly Frame[]): void {
    if (this.#closed) {
      releaseAll(received);
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
      this.#checkReceived();
      this.#schedule();
      this.#arrived.fire();
    }
  }

  #checkReceived(): void {
    if (!this.#received && !this.#closed && this.#noMoreSources && this.#sources.every(({ client }) => client.completed)) {
      this.#received = true;
      this.#options.onReceived?.();
    }
  }

  #failed(error: unknown): void {
    if (!this.#closed) {
      this.#failure ??= { error };
      this.#arrived.fire();
    }
  }

  /** Sends the requests that the bound allows, and always those that an operator waits for. */
  #schedule(): void {
    if (this.#closed || this.#failure !== undefined) {
      return;
    }
    const { exchangeResponseBytesMax } = this.#options.limits;
    const exchangeBufferBytesMax = bufferBound(this.#options.memory, this.#options.limits.exchangeBufferBytesMax);
    const open = this.#sources.filter((source) => !source.client.completed);
    const share = Math.min(
      exchangeResponseBytesMax,
      Math.max(this.#options.memory.knobs.value("exchange-request-bytes"), Math.floor(exchangeBufferBytesMax / Math.max(1, open.length))),
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
