/**
 * Moves a session through time: plays, pauses, goes back by a replay from the start, and compares the replay with what happened before.
 * Acts after the present are known until somebody does something else: then they are dropped, and the run takes another course.
 */
import type { SharedState } from "../shared.ts";
import type { TraceEntry } from "../world/world.ts";
import type { ShownStatement } from "./clients.ts";
import { type Deed, readyNanos, type Script } from "./script.ts";
import { Session, type ShownLink, type ShownNode } from "./session.ts";

/** Simulated nanoseconds of activity in a second; `fastest` plays as fast as the engine computes. */
export type Speed = number | "fastest";

export type Order =
  | { readonly kind: "open"; readonly script: Script; readonly atNanos: number | undefined; readonly fingerprint: string }
  | { readonly kind: "play"; readonly speed: Speed }
  | { readonly kind: "pause" }
  /** To the next entry of the run. */
  | { readonly kind: "step" }
  | { readonly kind: "seek"; readonly atNanos: number }
  | { readonly kind: "act"; readonly deed: Deed };

export interface Replay {
  readonly events: number;
  /** Whether every event was the same as before. */
  readonly isSame: boolean;
}

export interface Update {
  readonly nowNanos: number;
  /** Latest time that the run is known at. */
  readonly endNanos: number;
  readonly events: number;
  readonly fingerprint: string;
  readonly isPlaying: boolean;
  readonly isReplaying: boolean;
  readonly script: Script;
  /** Number of acts that have been done by now. */
  readonly actsDone: number;
  readonly nodes: readonly ShownNode[];
  readonly links: readonly ShownLink[];
  /** Of the run up to now, by number; absent if they are as in the last update. */
  readonly statements?: readonly ShownStatement[];
  /** Number of entries that are still valid; `entries` follow them. */
  readonly entriesKept: number;
  readonly entries: readonly TraceEntry[];
  /** The last replay, until the next act. */
  readonly replay: Replay | undefined;
}

/** Silences longer than this are shortened while playing, as the activity scale of the page does. */
const calmNanos = 2_000_000;
/** Without a running statement, playing stops after this much simulated time. */
const idleNanosMax = 60_000_000_000;

export interface PlayerOptions {
  readonly shared: SharedState;
  readonly post: (update: Update) => void;
  /** Real milliseconds, for the bound of a piece of work. */
  readonly nowMs: () => number;
  /** Whether a replay shall be given up, because another order waits. */
  readonly isInterrupted: () => boolean;
}

/** Work between two updates, in real milliseconds. */
const pieceMs = 40;

export class Player {
  readonly #options: PlayerOptions;
  #session: Session | undefined;
  #script: Script = { cluster: { seed: "", workers: 1 }, acts: [] };
  #actsDone = 0;
  #speed: Speed | undefined;
  /** Activity that may still be played, in nanoseconds. */
  #credit = 0;
  #playedFromNanos = 0;
  /** Statements that have ended: now, and when playing began. */
  #ended = 0;
  #endedBefore = 0;
  #endNanos = 0;
  /** Digests by event of the run as it is known. */
  #digests: string[] = [];
  /** Number of entries of this session, of the known run, and those that are not posted yet. */
  #entryCount = 0;
  #entriesKnown = 0;
  #entriesKept = 0;
  #newEntries: TraceEntry[] = [];
  #statements = new Map<number, ShownStatement>();
  #areStatementsNew = true;
  #replay: Replay | undefined;
  /** The session began again to go back, and has not reached its goal: another order has given it a new one. */
  #isGoingBack = false;
  #differs = false;
  #isReplaying = false;

  constructor(options: PlayerOptions) {
    this.#options = options;
  }

  get isPlaying(): boolean {
    return this.#speed !== undefined;
  }

  async order(order: Order): Promise<void> {
    switch (order.kind) {
      case "open":
        await this.#open(order);
        break;
      case "play":
        this.#speed = order.speed;
        this.#credit = 0;
        this.#playedFromNanos = this.#live.reachedNanos;
        this.#endedBefore = this.#ended;
        break;
      case "pause":
        this.#speed = undefined;
        break;
      case "step":
        this.#speed = undefined;
        await this.#step();
        break;
      case "seek":
        this.#speed = undefined;
        await this.#seek(order.atNanos);
        break;
      case "act":
        await this.#act(order.deed);
        break;
    }
    this.#post();
  }

  /** Plays on for a piece of real time. */
  async tick(elapsedMs: number): Promise<void> {
    const overMs = this.#options.nowMs() + pieceMs;
    if (this.#speed === "fastest") {
      await this.#pass(this.#live.reachedNanos + idleNanosMax, () => this.#isAtRest() || this.#options.nowMs() > overMs);
    } else if (this.#speed !== undefined) {
      await this.#playPaced((elapsedMs / 1000) * this.#speed, overMs);
    }
    if (this.#isAtRest()) {
      this.#speed = undefined;
      // The last statement may have ended in the middle of an instant. A replay of this time has the instant whole.
      await this.#live.advance(this.#live.reachedNanos);
    }
    this.#post();
  }

  async #playPaced(activityNanos: number, overMs: number): Promise<void> {
    const session = this.#live;
    this.#credit += activityNanos;
    for (;;) {
      const nextAct = this.#script.acts[this.#actsDone]?.atNanos ?? Number.POSITIVE_INFINITY;
      const next = Math.min(session.nextNanos ?? Number.POSITIVE_INFINITY, nextAct);
      const cost = costOf(next - session.reachedNanos);
      if (next === Number.POSITIVE_INFINITY || cost > this.#credit || this.#options.nowMs() > overMs || this.#isAtRest()) {
        break;
      }
      this.#credit -= cost;
      await this.#pass(next, () => this.#isAtRest());
    }
    // What the engine could not compute in time is not made up for.
    this.#credit = Math.min(this.#credit, costOf(idleNanosMax));
  }

  /** Whether playing has come to its end: the last statement has just ended, or nothing has run for long. */
  #isAtRest(): boolean {
    const session = this.#live;
    if (this.#actsDone < this.#script.acts.length || session.openStatements > 0) {
      return false;
    }
    return this.#ended > this.#endedBefore || session.reachedNanos - this.#playedFromNanos > idleNanosMax;
  }

  get #live(): Session {
    if (this.#session === undefined) {
      throw new Error("no run is open");
    }
    return this.#session;
  }

  async #open({ script, atNanos, fingerprint }: Extract<Order, { kind: "open" }>): Promise<void> {
    this.#script = script;
    this.#digests = [];
    this.#entriesKnown = 0;
    this.#entriesKept = 0;
    this.#newEntries = [];
    this.#endNanos = 0;
    this.#speed = undefined;
    this.#replay = undefined;
    this.#restart();
    await this.#replayUntil(atNanos ?? readyNanos);
    if (fingerprint !== "") {
      this.#replay = { events: this.#live.events, isSame: fingerprint === this.#live.fingerprint };
    }
  }

  #restart(): void {
    this.#session?.close();
    this.#isGoingBack = false;
    this.#entryCount = 0;
    this.#actsDone = 0;
    this.#statements = new Map();
    this.#areStatementsNew = true;
    this.#differs = false;
    this.#session = new Session(this.#script.cluster, {
      shared: this.#options.shared,
      hooks: {
        onEntry: (entry) => this.#takeEntry(entry),
        onStatement: (statement) => {
          this.#statements.set(statement.number, statement);
          this.#areStatementsNew = true;
          this.#ended += statement.isOver ? 1 : 0;
        },
        onDigest: (event, digest) => {
          const known = this.#digests[event];
          this.#digests[event] = digest;
          this.#differs ||= known !== undefined && known !== digest;
        },
      },
    });
  }

  #takeEntry(entry: TraceEntry): void {
    this.#entryCount++;
    if (this.#entryCount > this.#entriesKnown) {
      this.#entriesKnown = this.#entryCount;
      this.#newEntries.push(entry);
    }
  }

  /** Lets time pass, with the acts of the script at their times. Returns false if it stopped early. */
  async #pass(untilNanos: number, isOver: () => boolean): Promise<boolean> {
    const session = this.#live;
    for (let act = this.#script.acts[this.#actsDone]; act !== undefined && act.atNanos <= untilNanos; ) {
      if (session.reachedNanos < act.atNanos) {
        await session.advance(act.atNanos, isOver);
        if (session.reachedNanos < act.atNanos || isOver()) {
          return false;
        }
      }
      await session.act(act);
      act = this.#script.acts[++this.#actsDone];
    }
    await session.advance(untilNanos, isOver);
    this.#endNanos = Math.max(this.#endNanos, session.reachedNanos);
    return session.hasPassed(untilNanos);
  }

  async #replayUntil(atNanos: number): Promise<void> {
    const { nowMs, isInterrupted } = this.#options;
    this.#isReplaying = true;
    let overMs = nowMs() + pieceMs;
    while (!(await this.#pass(atNanos, () => nowMs() > overMs)) && !isInterrupted()) {
      this.#post();
      overMs = nowMs() + pieceMs;
    }
    this.#isReplaying = false;
  }

  async #seek(atNanos: number): Promise<void> {
    const wanted = Math.max(0, Math.min(atNanos, this.#endNanos));
    if (wanted < this.#live.reachedNanos) {
      this.#restart();
      this.#isGoingBack = true;
    }
    await this.#replayUntil(wanted);
    if (this.#isGoingBack && this.#live.hasPassed(wanted)) {
      this.#isGoingBack = false;
      this.#replay = { events: this.#live.events, isSame: !this.#differs };
    }
  }

  /** To the end of the instant of the next entry: in the middle of an instant, a shared address could not say where it is. */
  async #step(): Promise<void> {
    const before = this.#entryCount;
    await this.#pass(this.#live.reachedNanos + idleNanosMax, () => this.#entryCount > before);
    await this.#live.advance(this.#live.reachedNanos);
    this.#endNanos = Math.max(this.#endNanos, this.#live.reachedNanos);
  }

  async #act(deed: Deed): Promise<void> {
    const session = this.#live;
    const act = { ...deed, atNanos: session.reachedNanos };
    this.#script = { ...this.#script, acts: [...this.#script.acts.slice(0, this.#actsDone), act] };
    // Everything that happens at this time happens before it. What was known after it may come otherwise.
    await session.advance(act.atNanos);
    this.#forgetFuture();
    await session.act(act);
    this.#actsDone++;
    this.#endNanos = session.reachedNanos;
    this.#playedFromNanos = session.reachedNanos;
    this.#replay = undefined;
    this.#isGoingBack = false;
  }

  #forgetFuture(): void {
    this.#digests.length = Math.min(this.#digests.length, this.#live.events + 1);
    const unposted = this.#newEntries.length;
    const posted = this.#entriesKnown - unposted;
    this.#newEntries.length = Math.max(0, this.#entryCount - posted);
    this.#entriesKept = Math.min(this.#entriesKept, this.#entryCount);
    this.#entriesKnown = this.#entryCount;
  }

  #post(): void {
    const session = this.#live;
    const entries = this.#newEntries;
    this.#newEntries = [];
    this.#options.post({
      nowNanos: session.reachedNanos,
      endNanos: this.#endNanos,
      events: session.events,
      fingerprint: session.fingerprint,
      isPlaying: this.isPlaying,
      isReplaying: this.#isReplaying,
      script: this.#script,
      actsDone: this.#actsDone,
      nodes: session.nodes,
      links: session.links,
      ...(this.#areStatementsNew ? { statements: [...this.#statements.values()] } : {}),
      entriesKept: this.#entriesKept,
      entries,
      replay: this.#replay,
    });
    this.#entriesKept += entries.length;
    this.#areStatementsNew = false;
  }
}

/** A silence costs less than its length: its logarithm. */
function costOf(nanos: number): number {
  return nanos <= calmNanos ? nanos : calmNanos * (1 + 1.5 * Math.log2(nanos / calmNanos));
}
