/**
 * Recording ports. `recordNode` wraps a node's ports: inputs pass the gate and are recorded in the order in which the node observes them;
 * of outputs, only length and hash are recorded. It wraps the production ports to record, and a tape's ports to compare.
 */
import type { Clock, MonotonicNanos, Timer, WallMillis } from "../ports/clock.ts";
import {
  type HttpRequest,
  type HttpResponse,
  type Network,
  NetworkError,
  type RequestContext,
  type RequestHandler,
  type RequestOptions,
} from "../ports/network.ts";
import type { Ports } from "../ports/ports.ts";
import type { Random, RandomStream } from "../ports/random.ts";
import { type Cause, causeHeader } from "./entries.ts";
import type { RecordingContext } from "./context.ts";
import { type AfterContinuations, Gate } from "./gate.ts";
import type { Scrubber } from "./scrub.ts";
import { recordedStorage } from "./storage.ts";
import type { RecordingWriter } from "./writer.ts";

export interface RecordOptions {
  /** Id of this recording; sent with every request to another node. */
  readonly id: string;
  readonly writer: RecordingWriter;
  readonly scrubber: Scrubber;
  readonly after: AfterContinuations;
  /** Called for every response to an incoming request, before it is sent. */
  readonly onAnswer?: (request: HttpRequest, response: HttpResponse) => void;
}

export interface RecordedNode {
  readonly ports: Ports;
  /** Runs an operation on the node that is not a request, such as `join` with an address, when its turn comes. */
  outside<T>(name: string, value: string, work: () => Promise<T> | T): Promise<T>;
  /** Reads the node's state from outside. The clock that the work reads is not recorded, because a replay does not do the work. */
  observe<T>(work: () => T): T;
}

export function recordNode(ports: Ports, options: RecordOptions): RecordedNode {
  const gate = new Gate(options.after);
  const recording = new Recording(ports, gate, options);
  return {
    ports: recording,
    outside: (name, value, work) => recording.outside(name, value, work),
    observe: (work) => recording.observe(work),
  };
}

class Recording implements Ports, RecordingContext {
  readonly clock: Clock;
  readonly network: Network;
  readonly random: Random;
  readonly storage: Ports["storage"];
  readonly log: Ports["log"];
  readonly points: Ports["points"];
  readonly writer: RecordingWriter;
  readonly scrubber: Scrubber;
  readonly #base: Ports;
  readonly #gate: Gate;
  readonly #openFolder: Ports["openFolder"];
  #isObserved = false;

  constructor(base: Ports, gate: Gate, options: RecordOptions) {
    this.#base = base;
    this.#gate = gate;
    this.writer = options.writer;
    this.scrubber = options.scrubber;
    this.clock = new RecordedClock(base.clock, this);
    this.network = new RecordedNetwork(base.network, this, options);
    this.random = new RecordedRandom(base.random, this.writer);
    this.log = base.log;
    this.points = base.points;
    const storages = recordedStorage(base, this);
    this.storage = storages.own;
    this.#openFolder = storages.openFolder;
  }

  openFolder(...call: Parameters<Ports["openFolder"]>): Ports["storage"] {
    return this.#openFolder(...call);
  }

  input(record: (atNanos: number) => void, deliver: () => void): void {
    this.#gate.pass(() => {
      record(this.#base.clock.monotonicNanos());
      deliver();
    });
  }

  get isObserved(): boolean {
    return this.#isObserved;
  }

  observe<T>(work: () => T): T {
    const before = this.#isObserved;
    this.#isObserved = true;
    try {
      return work();
    } finally {
      this.#isObserved = before;
    }
  }

  outside<T>(name: string, value: string, work: () => Promise<T> | T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.input(
        (atNanos) => this.writer.outside(atNanos, name, value),
        () => {
          try {
            resolve(work());
          } catch (error) {
            reject(error as Error);
          }
        },
      );
    });
  }
}

class RecordedClock implements Clock {
  readonly #base: Clock;
  readonly #context: RecordingContext;
  readonly #writer: RecordingWriter;
  #timers = 0;
  #turns = 0;

  constructor(base: Clock, context: RecordingContext) {
    this.#base = base;
    this.#context = context;
    this.#writer = context.writer;
  }

  monotonicNanos(): MonotonicNanos {
    const nanos = this.#base.monotonicNanos();
    if (!this.#context.isObserved) {
      this.#writer.monotonic(nanos);
    }
    return nanos;
  }

  wallMillis(): WallMillis {
    const millis = this.#base.wallMillis();
    if (!this.#context.isObserved) {
      this.#writer.wall(millis);
    }
    return millis;
  }

  cpuNanos(workUnits: number): number {
    const nanos = this.#base.cpuNanos(workUnits);
    if (!this.#context.isObserved) {
      this.#writer.cpu(nanos);
    }
    return nanos;
  }

  timer(label: string, delayMs: number, callback: () => void): Timer {
    const id = this.#timers++;
    const writer = this.#writer;
    writer.timer(id, label, delayMs);
    let over = false;
    const timer = this.#base.timer(label, delayMs, () => {
      this.#context.input(
        (atNanos) => {
          if (!over) {
            writer.fired(atNanos, id);
          }
        },
        () => {
          // An earlier input may have cancelled it.
          if (!over) {
            over = true;
            callback();
          }
        },
      );
    });
    return {
      cancel() {
        if (!over) {
          over = true;
          writer.cancel(id);
          timer.cancel();
        }
      },
    };
  }

  turn(workUnits: number): Promise<void> {
    const id = this.#turns++;
    this.#writer.turn(id, workUnits);
    return new Promise((resolve) => {
      void this.#base.turn(workUnits).then(() => this.#context.input((atNanos) => this.#writer.resumed(atNanos, id), resolve));
    });
  }
}

class RecordedNetwork implements Network {
  readonly #base: Network;
  readonly #context: RecordingContext;
  readonly #options: RecordOptions;
  #requests = 0;
  #arrivals = 0;
  /** The value that the node was told. */
  #selfUri = "";

  constructor(base: Network, context: RecordingContext, options: RecordOptions) {
    this.#base = base;
    this.#context = context;
    this.#options = options;
  }

  get selfUri(): string {
    return this.#selfUri;
  }

  request(request: HttpRequest, options: RequestOptions): Promise<HttpResponse> {
    const { writer, scrubber } = this.#context;
    const id = this.#requests++;
    writer.request(id, {
      label: options.label,
      timeoutMs: options.timeoutMs,
      method: request.method,
      url: request.url,
      headers: scrubber.headers(request.headers),
      body: scrubber.output(request.body),
    });
    let abortBase: (() => void) | undefined;
    let aborted = false;
    let over = false;
    options.onAbortable?.(() => {
      if (!aborted && !over) {
        aborted = true;
        writer.abort(id);
        abortBase?.();
      }
    });
    const sent = { ...request, headers: { ...request.headers, [causeHeader]: `${this.#options.id}/${id}` } };
    return new Promise((resolve, reject) => {
      const baseOptions: RequestOptions = {
        timeoutMs: options.timeoutMs,
        label: options.label,
        onAbortable: (abort) => {
          abortBase = abort;
        },
      };
      this.#base.request(sent, baseOptions).then(
        (response) =>
          this.#context.input(
            (atNanos) => {
              over = true;
              const { status } = response;
              writer.answered(atNanos, id, { status, headers: scrubber.headers(response.headers), body: scrubber.body(response.body) });
            },
            () => resolve(response),
          ),
        (error: unknown) =>
          this.#context.input(
            (atNanos) => {
              over = true;
              const { kind, message } = error instanceof NetworkError ? error : { kind: "PROTOCOL_ERROR" as const, message: String(error) };
              writer.failed(atNanos, id, { error: kind, message });
            },
            () => reject(error as Error),
          ),
      );
    });
  }

  serve(handler: RequestHandler): Promise<void> {
    this.#context.writer.serve();
    return new Promise((resolve, reject) => {
      this.#base
        .serve((request, context) => this.#arrive(handler, request, context))
        .then(
          () =>
            this.#context.input((atNanos) => {
              this.#selfUri = this.#base.selfUri;
              this.#context.writer.served(atNanos, this.#selfUri);
            }, resolve),
          reject,
        );
    });
  }

  close(): Promise<void> {
    this.#context.writer.close();
    return new Promise((resolve, reject) => {
      this.#base.close().then(() => this.#context.input((atNanos) => this.#context.writer.closed(atNanos), resolve), reject);
    });
  }

  #arrive(handler: RequestHandler, request: HttpRequest, context: RequestContext): Promise<HttpResponse> {
    const { writer, scrubber } = this.#context;
    const id = this.#arrivals++;
    const { cause, headers } = splitCause(request);
    const seen: HttpRequest = headers === request.headers ? request : { ...request, headers };
    let gone = false;
    let over = false;
    const callbacks: (() => void)[] = [];
    context.onAbort(() =>
      this.#context.input(
        (atNanos) => {
          if (!over) {
            writer.gone(atNanos, id);
          }
        },
        () => {
          if (!over) {
            gone = true;
            for (const callback of callbacks.splice(0)) {
              callback();
            }
          }
        },
      ),
    );
    const seenContext: RequestContext = {
      remoteAddress: context.remoteAddress,
      baseUri: context.baseUri,
      isAborted: () => gone,
      onAbort: (callback) => callbacks.push(callback),
    };
    return new Promise((resolve, reject) => {
      this.#context.input(
        (atNanos) =>
          writer.arrived(atNanos, id, {
            cause,
            remoteAddress: context.remoteAddress,
            baseUri: context.baseUri,
            method: request.method,
            url: request.url,
            headers: scrubber.headers(headers),
            body: scrubber.requestBody(request.method, request.url, request.body),
          }),
        () => {
          handler(seen, seenContext).then(
            (response) => {
              over = true;
              const { status, body } = response;
              writer.answer(id, status, scrubber.headers(response.headers), scrubber.output(body));
              this.#options.onAnswer?.(seen, response);
              resolve(response);
            },
            (error: unknown) => {
              over = true;
              writer.noAnswer(id);
              reject(error as Error);
            },
          );
        },
      );
    });
  }
}

function splitCause(request: HttpRequest): { readonly cause: Cause | undefined; readonly headers: HttpRequest["headers"] } {
  const value = request.headers[causeHeader];
  if (value === undefined) {
    return { cause: undefined, headers: request.headers };
  }
  // A rest pattern would create an object with slow property access.
  const headers: Record<string, string | readonly string[]> = {};
  for (const name in request.headers) {
    if (name !== causeHeader) {
      headers[name] = request.headers[name] as string | readonly string[];
    }
  }
  const match = typeof value === "string" ? /^([\w.-]{1,200})\/(\d{1,15})$/.exec(value) : null;
  return { cause: match === null ? undefined : { from: match[1] as string, request: Number(match[2]) }, headers };
}

class RecordedRandom implements Random {
  readonly #base: Random;
  readonly #writer: RecordingWriter;
  readonly #streams = new Map<string, RandomStream>();

  constructor(base: Random, writer: RecordingWriter) {
    this.#base = base;
    this.#writer = writer;
  }

  stream(name: string): RandomStream {
    const known = this.#streams.get(name);
    if (known !== undefined) {
      return known;
    }
    const base = this.#base.stream(name);
    const writer = this.#writer;
    const stream: RandomStream = {
      nextInt(bound) {
        const value = base.nextInt(bound);
        writer.drawnNumber(name, bound, value);
        return value;
      },
      nextText(length, alphabet) {
        const text = base.nextText(length, alphabet);
        writer.drawnText(name, alphabet, text);
        return text;
      },
    };
    this.#streams.set(name, stream);
    return stream;
  }
}
