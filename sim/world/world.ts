/**
 * The simulated world: one event queue; each event is drained completely before the next runs. Nodes run in incarnations (class `Life`). A
 * crash ends an incarnation, and its queued events never run.
 */
import { EventQueue, type QueuedEvent } from "./event-queue.ts";
import { Fingerprint } from "./fingerprint.ts";
import type { StreamTree } from "./streams.ts";
import { TrapError, type TrapListener, type Traps } from "./traps.ts";

export const nanosPerMs = 1_000_000;
export const nanosPerSecond = 1_000_000_000;

/** One entry of the trace. `detail` is free text. */
export interface TraceEntry {
  readonly atNanos: number;
  /** Number of the event in which it happened; 0 before the first event. */
  readonly event: number;
  /**
   * Number of the event that caused this event. Events that wrote no entry are skipped, and the nearest ancestor that wrote one is used.
   */
  readonly parent: number;
  readonly place: string;
  readonly kind: string;
  readonly detail: string;
}

export type TraceSink = (entry: TraceEntry) => void;

/** Receives the current fingerprint at a fixed interval of events, so that a bisection can find where two runs diverge. */
export interface Checkpoints {
  readonly everyEvents: number;
  readonly reached: (event: number, digest: string) => void;
}

/** From event `atEvent`, every draw comes from other streams: the beginning stays the same, the rest differs. */
export interface Branch {
  readonly atEvent: number;
  readonly seed: string;
}

/** Additional content of a trace. It is not part of the fingerprint. */
export interface TraceExtras {
  /** Every random draw with its site, reason and result. */
  readonly draws?: boolean;
  /** Headers and bytes of every message that is part of the fingerprint. */
  readonly bytes?: boolean;
}

export interface RunLimits {
  readonly untilNanos: number;
  readonly eventsMax: number;
  readonly done: () => boolean;
}

/** Number of events after which the host may handle signals, messages and timers. */
const eventsOfBatch = 64;

/** A future event on a node. It runs unless it is cancelled or the node's incarnation ends first. */
class Pending {
  event: QueuedEvent | undefined;

  constructor(readonly incarnation: Incarnation) {}

  cancel(): void {
    if (this.event !== undefined) {
      this.event.cancelled = true;
      this.event = undefined;
    }
    this.incarnation.pending.delete(this);
  }
}

/** One incarnation of a node, from start to crash or stop. */
export class Incarnation {
  alive = true;
  /** Events of a paused node wait until this time. */
  pausedUntilNanos = 0;
  /** The node computes until this time; its events wait. */
  busyUntilNanos = 0;
  readonly pending = new Set<Pending>();

  constructor(
    readonly place: string,
    readonly number: number,
  ) {}
}

export class World {
  readonly queue = new EventQueue();
  readonly fingerprint = new Fingerprint();
  readonly streams: StreamTree;
  readonly #trace: TraceSink | undefined;
  readonly #checkpoints: Checkpoints | undefined;
  readonly #trapped: TrapListener;
  readonly #branch: Branch | undefined;
  #running: QueuedEvent | undefined;
  #nowNanos = 0;
  /** Number of the event that caused the running event. */
  #parent = 0;
  /** While a trace is written: for each event, the nearest event of its causal chain (itself included) that wrote an entry. */
  readonly #told: number[] = [0];
  #wrote = false;
  /** Number of events so far, which is also the number of the running event. */
  events = 0;
  /** Armed while the code of an event may run. */
  traps: Traps | undefined;
  /** Receives every note. */
  watcher: ((place: string, kind: string, detail: string) => void) | undefined;
  /** Called with the place of each event after the event is drained. */
  onEventDone: ((place: string) => void) | undefined;
  /** The first failure that must never happen anywhere: an unhandled rejection, or a broken assertion in the world. */
  failure: Error | undefined;

  constructor(options: {
    readonly streams: StreamTree;
    readonly trace?: TraceSink | undefined;
    readonly traceExtras?: TraceExtras | undefined;
    readonly checkpoints?: Checkpoints | undefined;
    readonly traps?: Traps | undefined;
    readonly branch?: Branch | undefined;
  }) {
    this.streams = options.streams;
    this.#trace = options.trace;
    this.#checkpoints = options.checkpoints;
    this.traps = options.traps;
    this.#branch = options.branch;
    this.#trapped = (route) => {
      const error = new TrapError(route, this.#describeRunning());
      this.failure ??= error;
      return error;
    };
    if (options.traceExtras?.draws === true) {
      options.streams.onDraw = ({ site, reason, of, value }) => this.#tell("draw", `${site} ${reason} of ${of}: ${value}`);
    }
    if (options.traceExtras?.bytes === true) {
      this.fingerprint.onHeaders = (headers) => this.#tell("headers", JSON.stringify(headers));
      this.fingerprint.onBytes = (bytes) => this.#tell("bytes", new TextDecoder("latin1").decode(bytes));
    }
  }

  get nowNanos(): number {
    return this.#nowNanos;
  }

  /** Adds an entry to the fingerprint and the trace. */
  note(place: string, kind: string, detail: string): void {
    this.fingerprint.number(this.#nowNanos);
    this.fingerprint.text(place);
    this.fingerprint.text(kind);
    this.fingerprint.text(detail);
    this.#wrote = true;
    this.watcher?.(place, kind, detail);
    if (this.#trace !== undefined) {
      this.#writeTrace(place, kind, detail);
    }
  }

  /** Adds an entry to the trace only. */
  #tell(kind: string, detail: string): void {
    this.#writeTrace(this.#place, kind, detail);
  }

  #writeTrace(place: string, kind: string, detail: string): void {
    const entry: TraceEntry = { atNanos: this.#nowNanos, event: this.events, parent: this.#parent, place, kind, detail };
    if (this.traps === undefined) {
      this.#trace?.(entry);
    } else {
      this.traps.unarmed(() => this.#trace?.(entry));
    }
  }

  get #place(): string {
    const place = this.#running?.place ?? "";
    return place === "" ? "world" : place;
  }

  #describeRunning(): string {
    return `event ${this.events} (${this.#running?.label ?? "start"} on ${this.#place} at ${(this.#nowNanos / nanosPerSecond).toFixed(6)} s)`;
  }

  /** Queues an event of the world itself: a fault, or an action of a user. */
  at(atNanos: number, label: string, run: () => void): QueuedEvent {
    return this.queue.add({ atNanos: Math.max(atNanos, this.#nowNanos), label, place: "", parent: this.events, run });
  }

  /** Queues an event of a node's incarnation. It never runs after the incarnation ends, and waits while the node is paused or busy. */
  on(incarnation: Incarnation, atNanos: number, label: string, run: () => void): Pending {
    const pending = new Pending(incarnation);
    incarnation.pending.add(pending);
    this.#queueOn(pending, { atNanos, label, parent: this.events, run });
    return pending;
  }

  #queueOn(
    pending: Pending,
    what: { readonly atNanos: number; readonly label: string; readonly parent: number; readonly run: () => void },
  ): void {
    const { incarnation } = pending;
    pending.event = this.queue.add({
      atNanos: Math.max(what.atNanos, this.#nowNanos),
      label: what.label,
      parent: what.parent,
      place: incarnation.place,
      run: () => {
        const free = Math.max(incarnation.pausedUntilNanos, incarnation.busyUntilNanos);
        if (free > this.#nowNanos) {
          this.#queueOn(pending, { ...what, atNanos: free });
          return;
        }
        incarnation.pending.delete(pending);
        pending.event = undefined;
        what.run();
      },
    });
  }

  endIncarnation(incarnation: Incarnation): void {
    incarnation.alive = false;
    for (const pending of incarnation.pending) {
      pending.cancel();
    }
  }

  /** Runs events until `done` holds, the queue is empty, or simulated time reaches `untilNanos`. Returns whether `done` holds. */
  async run(options: RunLimits): Promise<boolean> {
    await drain();
    this.#throwFailure();
    // A sink of a trace may leave work for the host behind, which must not run between the code of an event and the promises it resolved.
    return drainAtOnce === undefined || this.#trace !== undefined ? this.#runInTasks(options) : this.#runInBatches(options, drainAtOnce);
  }

  async #runInTasks(options: RunLimits): Promise<boolean> {
    for (;;) {
      const event = this.#next(options);
      if (typeof event === "boolean") {
        return event;
      }
      this.#begin(event);
      // Created before the traps are armed, because it uses a timer of the host.
      const drained = drain();
      this.traps?.arm(this.#trapped);
      this.#runCode(event);
      await drained;
      this.#end(event);
    }
  }

  /** A task of the host costs more than the code of many an event, so a task runs a batch of events. */
  #runInBatches(options: RunLimits, drainNow: () => void): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const runBatch = (): void => {
        try {
          for (let left = eventsOfBatch; left > 0; left--) {
            const event = this.#next(options);
            if (typeof event === "boolean") {
              resolve(event);
              return;
            }
            this.#begin(event);
            this.traps?.armUntilDisarmed(this.#trapped);
            try {
              this.#runCode(event);
              drainNow();
            } finally {
              this.traps?.disarm();
            }
            this.#end(event);
          }
          setImmediate(runBatch);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      };
      // In a task of the host no promises are being settled, so they can be settled from within.
      setImmediate(runBatch);
    });
  }

  /** The next event, or whether `done` holds at the end of the run. */
  #next({ done, untilNanos, eventsMax }: RunLimits): QueuedEvent | boolean {
    if (done()) {
      return true;
    }
    const next = this.queue.peekNanos();
    if (next === undefined || next > untilNanos || this.events >= eventsMax) {
      return done();
    }
    return this.queue.take() ?? done();
  }

  #begin(event: QueuedEvent): void {
    this.#nowNanos = event.atNanos;
    this.events++;
    this.#parent = this.#told[event.parent] ?? event.parent;
    this.#wrote = false;
    this.#running = event;
    if (this.events === this.#branch?.atEvent) {
      this.streams.branch(`${this.#branch.atEvent}/${this.#branch.seed}`);
    }
  }

  #runCode(event: QueuedEvent): void {
    try {
      event.run();
    } catch (error) {
      // The failure is thrown when the event is over, because the caller of this run must not continue while the traps are armed.
      this.failure ??= error instanceof Error ? error : new Error(String(error));
    }
  }

  /** Handles an event that is drained. */
  #end(event: QueuedEvent): void {
    if (this.onEventDone !== undefined && event.place !== "") {
      this.onEventDone(event.place);
    }
    this.#throwFailure();
    if (this.#trace !== undefined) {
      this.#told[this.events] = this.#wrote ? this.events : this.#parent;
    }
    if (this.#checkpoints !== undefined && this.events % this.#checkpoints.everyEvents === 0) {
      this.#checkpoints.reached(this.events, this.fingerprint.digest());
    }
  }

  #throwFailure(): void {
    if (this.failure !== undefined) {
      throw this.failure;
    }
  }
}

/**
 * Settles every promise that can be settled, and returns. Node itself does this whenever it has called back into a program; a browser has
 * nothing of the kind. Only in a task of the host: within the code of a promise it does nothing.
 */
const drainAtOnce = typeof process === "object" ? (process as unknown as { readonly _tickCallback?: () => void })._tickCallback : undefined;

/** Lets every promise that the last event resolved run to its end. Promises wait for ports only, so nothing else is pending. */
export function drain(): Promise<void> {
  return new Promise(typeof setImmediate === "function" ? (resolve) => void setImmediate(resolve) : nextTask);
}

/** One end of a channel, in Node and in a browser. */
interface Port {
  onmessage: (() => void) | null;
  postMessage(message: unknown): void;
}

/** Tasks that wait for a message of the channel; a browser has no `setImmediate`. */
let tasks: { readonly waiting: (() => void)[]; readonly port: Port } | undefined;

/** Runs in a task of its own, after all microtasks. A timer of a browser would take milliseconds. */
function nextTask(run: () => void): void {
  if (tasks === undefined) {
    const { port1, port2 } = new MessageChannel() as unknown as { readonly port1: Port; readonly port2: Port };
    const waiting: (() => void)[] = [];
    port1.onmessage = () => waiting.shift()?.();
    tasks = { waiting, port: port2 };
  }
  tasks.waiting.push(run);
  tasks.port.postMessage(undefined);
}
