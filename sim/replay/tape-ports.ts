/**
 * Ports driven by a tape: every read returns the recorded value; every request, timer, turn and disk operation waits until the tape
 * provides its result. Ids are ordinals in the order of requests, as the recorder counted them.
 */
import type { Clock, MonotonicNanos, WallMillis } from "../../src/ports/clock.ts";
import { type HttpRequest, type HttpResponse, NetworkError, type RequestContext, type RequestHandler } from "../../src/ports/network.ts";
import { noPoints } from "../../src/ports/points.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { type Storage, type StorageEntry, StorageError } from "../../src/ports/storage.ts";
import { joinBytes } from "../../src/types/bytes.ts";
import { type Content, causeHeader, type InputEntry, type ReadEntry } from "../../src/recording/entries.ts";

interface Waiting<T> {
  resolve(value: T): void;
  reject(error: Error): void;
}

/** The effect of a completed disk operation on the node's files, or its result. */
type DiskWork = (files: Map<string, Uint8Array>) => Uint8Array | undefined;

/** Provides an input's bytes if the tape does not hold them, or if a replayed node sent them. */
export type ContentOf = (recorded: Content) => Uint8Array;

export class TapePorts implements Ports {
  readonly clock: Clock;
  readonly network: Ports["network"];
  readonly random: Ports["random"];
  readonly storage: Storage;
  readonly log: Ports["log"];
  readonly points: Ports["points"] = noPoints;
  readonly #reads: ReadEntry[] = [];
  #inputNanos: number | undefined;
  readonly #requests = new Map<number, Waiting<HttpResponse>>();
  #requestCount = 0;
  /** Sent bodies by id, for the replay of the receiver. */
  readonly sentBodies = new Map<number, Uint8Array>();
  readonly answerBodies = new Map<number, Uint8Array>();
  readonly #timers = new Map<number, () => void>();
  #timerCount = 0;
  readonly #turns = new Map<number, () => void>();
  #turnCount = 0;
  readonly #operations = new Map<number, { readonly waiting: Waiting<never>; readonly work: DiskWork }>();
  #operationCount = 0;
  readonly #files = new Map<string, Uint8Array>();
  #handler: RequestHandler | undefined;
  #onServed: (() => void) | undefined;
  #onClosed: (() => void) | undefined;
  #selfUri = "";
  readonly #aborts = new Map<number, () => void>();

  constructor() {
    this.clock = this.#makeClock();
    this.network = this.#makeNetwork();
    this.random = this.#makeRandom();
    this.storage = this.#makeStorage(true);
    const silent = (): void => undefined;
    this.log = { info: silent, warn: silent, error: silent };
  }

  openFolder(): Storage {
    return this.#makeStorage(false);
  }

  /** Sets the reads that the node will perform while it processes the next input. */
  expectReads(reads: readonly ReadEntry[]): void {
    this.#reads.length = 0;
    this.#reads.push(...reads);
  }

  /** Delivers an input. Returns a sentence if the node is not waiting for it. The caller handles `outside` inputs. */
  deliver(input: Exclude<InputEntry, { kind: "outside" }>, contentOf: ContentOf): string | undefined {
    this.expectInput(input.atNanos);
    switch (input.kind) {
      case "arrived":
        return this.#arrive(input, contentOf);
      case "gone":
        return take(this.#aborts, input.id, (abort) => abort()) ? undefined : `no request #${input.id} is being answered`;
      case "answered": {
        const response = { status: input.status, headers: input.headers, body: contentOf(input.body) };
        return take(this.#requests, input.id, (waiting) => waiting.resolve(response)) ? undefined : `no request #${input.id} was sent`;
      }
      case "failed": {
        const error = new NetworkError(input.error, input.message);
        return take(this.#requests, input.id, (waiting) => waiting.reject(error)) ? undefined : `no request #${input.id} was sent`;
      }
      case "fired":
        return take(this.#timers, input.id, (fire) => fire()) ? undefined : `no timer #${input.id} is set`;
      case "resumed":
        return take(this.#turns, input.id, (resume) => resume()) ? undefined : `no turn #${input.id} is waited for`;
      case "stored":
      case "storage-failed":
        return this.#finishOperation(input, contentOf);
      case "served":
        this.#selfUri = input.selfUri;
        return call(this.#onServed, "the node does not serve");
      case "closed":
        return call(this.#onClosed, "the node does not close");
    }
  }

  /** The recorder reads the time of the input before the node reads anything. */
  expectInput(atNanos: number): void {
    this.#inputNanos = atNanos;
  }

  /** Takes the next expected read of a kind. */
  #read<K extends ReadEntry["kind"]>(kind: K): Extract<ReadEntry, { kind: K }> | undefined {
    const next = this.#reads[0];
    if (next?.kind !== kind) {
      // The comparison of the step reports it; the node gets a placeholder and the replay ends there.
      return undefined;
    }
    this.#reads.shift();
    return next as Extract<ReadEntry, { kind: K }>;
  }

  #makeClock(): Clock {
    let lastNanos = 0;
    let lastMillis = 0;
    return {
      monotonicNanos: () => {
        if (this.#inputNanos !== undefined) {
          const nanos = this.#inputNanos;
          this.#inputNanos = undefined;
          return nanos as MonotonicNanos;
        }
        lastNanos = this.#read("monotonic")?.nanos ?? lastNanos;
        return lastNanos as MonotonicNanos;
      },
      wallMillis: () => {
        lastMillis = this.#read("wall")?.millis ?? lastMillis;
        return lastMillis as WallMillis;
      },
      cpuNanos: () => this.#read("cpu")?.nanos ?? 0,
      timer: (_label, _delayMs, callback) => {
        const id = this.#timerCount++;
        this.#timers.set(id, callback);
        return { cancel: () => void this.#timers.delete(id) };
      },
      turn: () => {
        const id = this.#turnCount++;
        return new Promise((resolve) => this.#turns.set(id, resolve));
      },
    };
  }

  #makeRandom(): Ports["random"] {
    return {
      stream: () => ({
        nextInt: () => this.#read("drawn-number")?.value ?? 0,
        nextText: (length) => this.#read("drawn-text")?.text ?? "0".repeat(length),
      }),
    };
  }

  #makeNetwork(): Ports["network"] {
    const uri = (): string => this.#selfUri;
    return {
      get selfUri() {
        return uri();
      },
      request: (request: HttpRequest) => {
        const id = this.#requestCount++;
        this.sentBodies.set(id, request.body);
        return new Promise<HttpResponse>((resolve, reject) => this.#requests.set(id, { resolve, reject }));
      },
      serve: (handler) => {
        this.#handler = handler;
        return new Promise((resolve) => {
          this.#onServed = resolve;
        });
      },
      close: () =>
        new Promise((resolve) => {
          this.#onClosed = resolve;
        }),
    };
  }

  #arrive(input: Extract<InputEntry, { kind: "arrived" }>, contentOf: ContentOf): string | undefined {
    if (this.#handler === undefined) {
      return "the node serves nothing";
    }
    const headers =
      input.cause === undefined ? input.headers : { ...input.headers, [causeHeader]: `${input.cause.from}/${input.cause.request}` };
    const context: RequestContext = {
      remoteAddress: input.remoteAddress,
      baseUri: input.baseUri,
      isAborted: () => false,
      onAbort: (callback) => void this.#aborts.set(input.id, callback),
    };
    const keep = (response: HttpResponse): void => void this.answerBodies.set(input.id, response.body);
    // A handler that rejects is a separate kind of output.
    void this.#handler({ method: input.method, url: input.url, headers, body: contentOf(input.body) }, context).then(keep, () => undefined);
    return undefined;
  }

  #finishOperation(input: Extract<InputEntry, { kind: "stored" | "storage-failed" }>, contentOf: ContentOf): string | undefined {
    const operation = this.#operations.get(input.id);
    if (operation === undefined) {
      return `no disk operation #${input.id} was begun`;
    }
    this.#operations.delete(input.id);
    if (input.kind === "storage-failed") {
      operation.waiting.reject(new StorageError(input.error, input.path, input.message));
      return undefined;
    }
    const own = operation.work(this.#files);
    const { entries, body } = input;
    const bytes = body.bytes === undefined && own !== undefined ? own : contentOf(body);
    // A list returns several entries, a stat returns one, a read returns bytes, and other operations return nothing.
    (operation.waiting as Waiting<unknown>).resolve(entries === undefined ? bytes : entries);
    return undefined;
  }

  /** Bytes that the replayed node's own disk holds for an operation about to complete. */
  peekOwn(id: number): Uint8Array | undefined {
    return this.#operations.get(id)?.work(new Map(this.#files));
  }

  #makeStorage(own: boolean): Storage {
    const run = <T>(work: DiskWork): Promise<T> => {
      const id = this.#operationCount++;
      return new Promise<T>((resolve, reject) => {
        this.#operations.set(id, { waiting: { resolve: resolve as (value: never) => void, reject }, work: own ? work : () => undefined });
      });
    };
    const change = async (work: (files: Map<string, Uint8Array>) => void): Promise<void> => {
      await run((files) => {
        work(files);
        return undefined;
      });
    };
    return {
      list: (): Promise<readonly StorageEntry[]> => run(() => undefined),
      stat: () => run<readonly StorageEntry[]>(() => undefined).then((entries) => entries[0] as StorageEntry),
      read: (path, offset, length) => run((files) => files.get(path)?.subarray(offset, offset + length)),
      write: (path, bytes) => change((files) => files.set(path, bytes.slice())),
      append: (path, bytes) => change((files) => files.set(path, joinBytes([files.get(path) ?? new Uint8Array(0), bytes]))),
      rename: (from, to) =>
        change((files) => {
          files.set(to, files.get(from) ?? new Uint8Array(0));
          files.delete(from);
        }),
      remove: (path) =>
        change((files) => {
          for (const name of files.keys()) {
            if (name === path || name.startsWith(`${path}/`)) {
              files.delete(name);
            }
          }
        }),
      sync: () => change(() => undefined),
    };
  }
}

function take<T>(waiting: Map<number, T>, id: number, use: (value: T) => void): boolean {
  const value = waiting.get(id);
  if (value === undefined) {
    return false;
  }
  waiting.delete(id);
  use(value);
  return true;
}

function call(callback: (() => void) | undefined, otherwise: string): string | undefined {
  callback?.();
  return callback === undefined ? otherwise : undefined;
}
