/**
 * The simulated world: one queue of events, one place after the other, each event drained completely before the next. Nodes live here in
 * lives: a crash ends a life, and whatever that life had queued never happens.
 */
import { EventQueue, type QueuedEvent } from "./event-queue.ts";
import { Fingerprint } from "./fingerprint.ts";
import type { StreamTree } from "./streams.ts";
import { TrapError, type TrapListener, type Traps } from "./traps.ts";

export const nanosPerMs = 1_000_000;
export const nanosPerSecond = 1_000_000_000;

/** One entry of the trace; `detail` is free text for people. */
export interface TraceEntry {
  readonly atNanos: number;
  /** Number of the event in which it happened; 0 before the first. */
  readonly event: number;
  /** Number of the event that brought that event about; one that wrote no entry is passed over for what brought it about in turn. */
  readonly parent: number;
  readonly place: string;
  readonly kind: string;
  readonly detail: string;
}

export type TraceSink = (entry: TraceEntry) => void;

/** Told the fingerprint so far after every so many events: where two runs part can be found by halves. */
export interface Checkpoints {
  readonly everyEvents: number;
  readonly reached: (event: number, digest: string) => void;
}

/** From event `atEvent` on every draw comes from other streams: the same beginning, another end. */
export interface Branch {
  readonly atEvent: number;
  readonly seed: string;
}

/** What a trace holds besides what happened: neither is part of the fingerprint. */
export interface TraceExtras {
  /** Every random draw: its site, its reason and what came of it. */
  readonly draws?: boolean;
  /** Headers and bytes of every message that is part of the fingerprint. */
  readonly bytes?: boolean;
}

/** Something that will happen on a node, unless it is cancelled or the node's life ends first. */
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

/** One life of a node, from start to crash or stop. */
export class Incarnation {
  alive = true;
  /** Events of a paused node wait until it goes on. */
  pausedUntilNanos = 0;
  /** The node computes until then: events wait. */
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
  readonly #traps: Traps | undefined;
  readonly #trapped: TrapListener;
  readonly #branch: Branch | undefined;
  #running: QueuedEvent | undefined;
  #nowNanos = 0;
  /** Number of the event that brought about the one that runs. */
  #parent = 0;
  /** While a trace is written, by event: the last one up its chain, itself included, that wrote an entry. */
  readonly #told: number[] = [0];
  #wrote = false;
  /** Events so far: the number of the one that runs. */
  events = 0;
  /** Told of every note. */
  watcher: ((place: string, kind: string, detail: string) => void) | undefined;
  /** Told of every event after it is drained, by the place where it was. */
  onEventDone: ((place: string) => void) | undefined;
  /** Set by the first thing that must not happen anywhere (an unhandled rejection, a broken assertion in the world). */
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
    this.#traps = options.traps;
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

  /** Writes into fingerprint and trace. */
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

  /** Into the trace alone. */
  #tell(kind: string, detail: string): void {
    this.#writeTrace(this.#place, kind, detail);
  }

  #writeTrace(place: string, kind: string, detail: string): void {
    const entry: TraceEntry = { atNanos: this.#nowNanos, event: this.events, parent: this.#parent, place, kind, detail };
    if (this.#traps === undefined) {
      this.#trace?.(entry);
    } else {
      this.#traps.unarmed(() => this.#trace?.(entry));
    }
  }

  get #place(): string {
    const place = this.#running?.place ?? "";
    return place === "" ? "world" : place;
  }

  #describeRunning(): string {
    return `event ${this.events} (${this.#running?.label ?? "start"} on ${this.#place} at ${(this.#nowNanos / nanosPerSecond).toFixed(6)} s)`;
  }

  /** An event of the world itself: faults, users. */
  at(atNanos: number, label: string, run: () => void): QueuedEvent {
    return this.queue.add({ atNanos: Math.max(atNanos, this.#nowNanos), label, place: "", parent: this.events, run });
  }

  /** An event on a node's life: never runs once the life is over, waits while the node is paused or busy. */
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

  /** Runs events until `done` holds, the queue is empty, or simulated time reaches `untilNanos`. Returns whether `done` held. */
  async run(options: { readonly untilNanos: number; readonly eventsMax: number; readonly done: () => boolean }): Promise<boolean> {
    await drain();
    this.#throwFailure();
    while (!options.done()) {
      const next = this.queue.peekNanos();
      if (next === undefined || next > options.untilNanos || this.events >= options.eventsMax) {
        return options.done();
      }
      const event = this.queue.take();
      if (event === undefined) {
        return options.done();
      }
      this.#nowNanos = event.atNanos;
      this.events++;
      this.#parent = this.#told[event.parent] ?? event.parent;
      this.#wrote = false;
      this.#running = event;
      if (this.events === this.#branch?.atEvent) {
        this.streams.branch(`${this.#branch.atEvent}/${this.#branch.seed}`);
      }
      // Before the traps are armed: it takes a timer of the host.
      const drained = drain();
      this.#traps?.arm(this.#trapped);
      try {
        event.run();
      } catch (error) {
        // Told when the event is over: whoever waits for this run must not go on while its traps are armed.
        this.failure ??= error instanceof Error ? error : new Error(String(error));
      }
      await drained;
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
    return true;
  }

  #throwFailure(): void {
    if (this.failure !== undefined) {
      throw this.failure;
    }
  }
}

/** Lets every promise that the last event resolved run to its end: promises wait for ports only, so nothing else is pending. */
export function drain(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
