/**
 * What has happened in this world to whom, told by the world's own notes: who crashed, whose messages went astray, whose disk failed, who was told to leave. An
 * error that a cluster declares is held against it. Knows the network's and the cluster's notes, nothing of the engine.
 */
import { nanosPerMs } from "../world/world.ts";

/** Notes about messages that did not do what messages do; the detail begins with `m17 c>w1 `. */
const messageTroubles: ReadonlySet<string> = new Set([
  "lost",
  "reset",
  "answer-lost",
  "answer-reset",
  "truncated",
  "cut",
  "refused",
  "timed-out",
  "never-answered",
  "turned-away",
  "network-error",
  "duplicated",
  "overtaken",
]);

const noneYet = 0;

/** Faults that hit no message, no work and no life. */
const harmless = /^(clock-step|clock-drift|full-disk|slow-disk|disk-errors|corrupt-reads|memory-pressure) /;

/** What an exchange asks and is answered: `m17 w1>w2 exchange-fetch GET /v1/task/T/results/0/3`, `m17 w1>w2 exchange-fetch 200`. */
const exchange = /^(m\d+) (\S+)>(\S+) exchange-(fetch|close) (?:\S+ (\/v1\/task\/[^/]+\/results\/\d+)|(\S+))/;

/** Overloaded, or another life than the one that was meant: both are asked again. */
const refusalEnd = / (?:503|412)$/;

/** Trouble on one link: how often, and from when to when. */
interface Span {
  count: number;
  readonly firstNanos: number;
  lastNanos: number;
}

/** From the first of several failures to the last; the first request had been under way for a while, and the last one's end is told later. */
const spanShare = 0.9;
/** Times are rounded to milliseconds. */
const roundingNanos = nanosPerMs;

/** Who was told to leave has so long, by its own clock. */
interface Leave {
  readonly sinceNanos: number;
  readonly graceNanos: number;
  /** The most that its clock counted in a nanosecond of the world's since then. */
  rateMax: number;
}

function placesIn(text: string): readonly string[] {
  return text.match(/\b[cw]\d*\b/g) ?? [];
}

function add<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? noneYet) + 1);
}

function prolong(spans: Map<string, Span>, link: string, nowNanos: number): void {
  const span = spans.get(link) ?? { count: 0, firstNanos: nowNanos, lastNanos: nowNanos };
  span.count++;
  span.lastNanos = nowNanos;
  spans.set(link, span);
}

const noSpan: Span = { count: 0, firstNanos: Number.POSITIVE_INFINITY, lastNanos: Number.NEGATIVE_INFINITY };

function together(a: Span = noSpan, b: Span = noSpan): Span {
  return { count: a.count + b.count, firstNanos: Math.min(a.firstNanos, b.firstNanos), lastNanos: Math.max(a.lastNanos, b.lastNanos) };
}

export class Facts {
  /** Messages that went astray, by `from>to` of their request. */
  readonly #links = new Map<string, Span>();
  /** Failures in a row of what one task reads of one buffer, by `from>to path`, with the longest of them so far; and what a request on its way asks for. */
  readonly #reads = new Map<string, { current: Span; longest: Span }>();
  readonly #asked = new Map<string, string>();
  /** Requests that a node turned away, by `from>to`. */
  readonly #refusals = new Map<string, Span>();
  /** Messages that have been told of, and when first: what is lost is given up later, which is no trouble of its own. */
  readonly #astray = new Map<string, number>();
  /** For how long at the most somebody waited for the answer to a message that had gone astray, by `from>to`. */
  readonly #waits = new Map<string, number>();
  /** When a message between two went astray, by `from>to`. */
  readonly #troubleNanos = new Map<string, number[]>();
  readonly #incarnations = new Map<string, number>();
  readonly #ends = new Map<string, number>();
  /** Nanoseconds of its own that a place's clock counts in one of the world's, now and at the most so far. */
  readonly #rateOf: (place: string) => number;
  readonly #rateMax = new Map<string, number>();
  readonly #leaving = new Map<string, Leave>();
  #wasOutOfTime = false;
  readonly #faults = new Map<string, number>();
  /** When a fault that stops messages, work or lives struck a place last, and those that last. */
  readonly #faultPlaces = new Map<string, number>();
  readonly #lasting = new Set<string>();
  readonly #disks = new Set<string>();
  /** Places that answered a task request with something else than success, and with 503. */
  readonly #oddAnswers = new Set<string>();
  readonly #overloaded = new Set<string>();
  readonly #truncated = new Set<string>();
  readonly #cancels = new Set<string>();
  readonly #stageEnds = new Set<string>();
  /** Messages that submit a statement under no id of the client's: a copy of one is a query of its own. */
  readonly #posts = new Set<string>();
  /** Such messages that arrived twice, by user. */
  readonly #copies = new Map<string, number>();

  constructor(rateOf: (place: string) => number = () => 1) {
    this.#rateOf = rateOf;
  }

  /** Every note of the world. */
  note(place: string, kind: string, detail: string, nowNanos: number): void {
    switch (kind) {
      case "start":
        add(this.#incarnations, place);
        this.#rateMaxOf(place);
        return;
      case "crash":
      case "stopped":
        add(this.#ends, place);
        this.#wasOutOfTime ||= this.#isOutOfTime(place, nowNanos);
        this.#leaving.delete(place);
        return;
      case "fault":
        // One that slows a clock down, or ends what drove it, finds it as fast as it gets.
        this.#lookAtClocks();
        this.#fault(detail, nowNanos);
        return;
      case "heal":
        // A clock that a fault drives is as fast as it gets right before that ends.
        this.#lookAtClocks();
        this.#heal(detail, nowNanos);
        return;
      case "disk-error":
      case "corrupt-read":
        this.#disks.add(place);
        return;
      case "log-info":
        if (detail.startsWith("shutdown-started")) {
          const graceNanos = Number(/"graceMs":(\d+)/.exec(detail)?.[1] ?? 0) * nanosPerMs;
          this.#leaving.set(place, { sinceNanos: nowNanos, graceNanos, rateMax: this.#rateOf(place) });
        }
        return;
      default:
        if ((kind === "request" || kind === "answer" || kind === "network-error") && detail.includes(" exchange-")) {
          this.#read(kind, detail, nowNanos);
        } else if (kind === "request" && detail.includes(" statement-submit POST ")) {
          this.#posts.add(detail.slice(0, detail.indexOf(" ")));
        } else if (kind === "answer" && refusalEnd.test(detail)) {
          this.#heardRefusal(detail.split(" ", 2)[1] ?? "", nowNanos);
        }
        // Whoever gives up a request by itself has no trouble.
        if (messageTroubles.has(kind) && !detail.endsWith(" ABORTED")) {
          this.#message(kind, detail, nowNanos);
        }
    }
  }

  #fault(text: string, nowNanos: number): void {
    add(this.#faults, text.split(" ", 1)[0] ?? "");
    if (!harmless.test(text)) {
      this.#lasting.add(text);
      this.#touch(text, nowNanos);
    }
  }

  #heal(text: string, nowNanos: number): void {
    if (this.#lasting.delete(text)) {
      this.#touch(text, nowNanos);
    }
  }

  #touch(text: string, nowNanos: number): void {
    for (const place of placesIn(text)) {
      this.#faultPlaces.set(place, nowNanos);
    }
  }

  #message(kind: string, detail: string, nowNanos: number): void {
    const link = detail.split(" ", 2)[1] ?? "";
    prolong(this.#links, link, nowNanos);
    const id = detail.slice(0, detail.indexOf(" "));
    const sinceNanos = this.#astray.get(id);
    if (sinceNanos !== undefined && kind === "timed-out") {
      this.#waits.set(link, Math.max(this.#waits.get(link) ?? 0, nowNanos - sinceNanos));
    }
    if (sinceNanos === undefined) {
      this.#astray.set(id, nowNanos);
      const times = this.#troubleNanos.get(link) ?? [];
      this.#troubleNanos.set(link, times);
      times.push(nowNanos);
    }
    const to = link.split(">")[1] ?? "";
    if (kind === "turned-away") {
      this.#overloaded.add(to);
    } else if (kind === "truncated") {
      this.#truncated.add(to);
    } else if (kind === "duplicated" && this.#posts.has(id)) {
      add(this.#copies, link.split(">")[0] ?? "");
    }
  }

  /** An answer that turns away counts from when it is heard, which may be long after it was made. */
  #heardRefusal(link: string, nowNanos: number): void {
    const span = this.#refusals.get(link);
    if (span !== undefined) {
      span.lastNanos = nowNanos;
    }
  }

  #read(kind: "request" | "answer" | "network-error", detail: string, nowNanos: number): void {
    const [, id = "", from = "", to = "", what, path = "", ending] = exchange.exec(detail) ?? [];
    if (kind === "request") {
      this.#asked.set(id, `${from}>${to} ${path}`);
      return;
    }
    const key = this.#asked.get(id);
    this.#asked.delete(id);
    if (key === undefined || ending === "ABORTED") {
      return;
    }
    const read = this.#reads.get(key) ?? { current: noSpan, longest: noSpan };
    this.#reads.set(key, read);
    // Whoever closes may be made to forget that it was answered.
    if (kind === "answer" && ending !== "503" && what === "fetch") {
      read.current = noSpan;
      return;
    }
    read.current = together(read.current, { count: 1, firstNanos: nowNanos, lastNanos: nowNanos });
    const nanosOf = ({ firstNanos, lastNanos }: Span): number => lastNanos - firstNanos;
    if (read.longest === noSpan || nanosOf(read.current) >= nanosOf(read.longest)) {
      read.longest = read.current;
    }
  }

  /** Somebody read a buffer of the place, and that failed again and again for so long, by its own clock, with no answer in between. */
  readFailedFor(to: string, nanos: number, countMin: number): boolean {
    return [...this.#reads].some(([key, { longest }]) => {
      const [link = ""] = key.split(" ", 1);
      const [from = "", target] = link.split(">");
      return (
        target === to && longest.count >= countMin && (longest.lastNanos - longest.firstNanos) * this.#rateMaxOf(from) >= nanos * spanShare
      );
    });
  }

  /** A node's task resource answered `from` with `status`, which is no success. */
  refused(place: string, { from, status, nowNanos }: { readonly from: string; readonly status: number; readonly nowNanos: number }): void {
    (status === 503 ? this.#overloaded : this.#oddAnswers).add(place);
    if (status === 503 || status === 412) {
      prolong(this.#refusals, `${from}>${place}`, nowNanos);
    }
  }

  /** Somebody has sent a DELETE for the query. */
  canceled(queryId: string, user: string): void {
    this.#cancels.add(queryId);
    this.#cancels.add(user);
  }

  /** The user has ended a stage of the query by itself. */
  stageEnded(queryId: string, user: string): void {
    this.#stageEnds.add(queryId);
    this.#stageEnds.add(user);
  }

  /** A stage of the query, or of some query of the user's, was ended by itself. */
  hasEndedStages(queryOrUser: string): boolean {
    return this.#stageEnds.has(queryOrUser);
  }

  /** Statements of the user's that were submitted once and may run twice. */
  copiesOf(user: string): number {
    return this.#copies.get(user) ?? noneYet;
  }

  livesOf(place: string): number {
    return this.#incarnations.get(place) ?? noneYet;
  }

  /** It crashed or stopped at least once. */
  hasEnded(place: string): boolean {
    return this.#ends.has(place);
  }

  anyWorkerEnded(): boolean {
    return [...this.#ends.keys()].some((place) => place.startsWith("w"));
  }

  /** Somebody who was told to leave has had, by its own clock, all the time it was given. */
  anybodyOutOfTime(nowNanos: number): boolean {
    return this.#wasOutOfTime || [...this.#leaving.keys()].some((place) => this.#isOutOfTime(place, nowNanos));
  }

  #isOutOfTime(place: string, nowNanos: number): boolean {
    this.#rateMaxOf(place);
    const leave = this.#leaving.get(place);
    return leave !== undefined && (nowNanos - leave.sinceNanos) * leave.rateMax >= leave.graceNanos - roundingNanos;
  }

  #rateMaxOf(place: string): number {
    const now = this.#rateOf(place);
    const leave = this.#leaving.get(place);
    if (leave !== undefined) {
      leave.rateMax = Math.max(leave.rateMax, now);
    }
    const rate = Math.max(this.#rateMax.get(place) ?? 0, now);
    this.#rateMax.set(place, rate);
    return rate;
  }

  #lookAtClocks(): void {
    for (const place of this.#incarnations.keys()) {
      this.#rateMaxOf(place);
    }
  }

  /** A message between the two went astray, either way. */
  linkTroubled(a: string, b: string): boolean {
    return this.#links.has(`${a}>${b}`) || this.#links.has(`${b}>${a}`);
  }

  /** It ended, a fault struck it, or a message from or to it went astray. */
  placeTroubled(place: string): boolean {
    return this.hasEnded(place) || this.#faultPlaces.has(place) || [...this.#links.keys()].some((link) => link.split(">").includes(place));
  }

  /** Trouble between the two since then: a message, a fault that struck or lasted, an end. */
  troubledSince(a: string, b: string, nanos: number): boolean {
    const spans = [this.#links.get(`${a}>${b}`), this.#links.get(`${b}>${a}`)];
    return spans.some((span) => span !== undefined && span.lastNanos >= nanos) || [a, b].some((place) => this.hitSince(place, nanos));
  }

  /** Messages between the two that went astray since then. */
  messageTroubles(a: string, b: string, nanos: number): number {
    const of = (link: string): number => (this.#troubleNanos.get(link) ?? []).filter((time) => time >= nanos).length;
    return of(`${a}>${b}`) + of(`${b}>${a}`);
  }

  /** A fault has struck the place since then, lasts there, or it has ended. */
  hitSince(place: string, nanos: number): boolean {
    return (
      (this.#faultPlaces.get(place) ?? Number.NEGATIVE_INFINITY) >= nanos ||
      [...this.#lasting].some((text) => placesIn(text).includes(place))
    );
  }

  /** Requests to the place failed or were turned away for so long, by the clock of who sent them, one after the other. */
  failedFor(to: string, nanos: number, countMin: number): boolean {
    return [...this.#links.keys(), ...this.#refusals.keys()].some((link) => {
      const span = together(this.#links.get(link), this.#refusals.get(link));
      const [from = "", target] = link.split(">");
      return target === to && span.count >= countMin && (span.lastNanos - span.firstNanos) * this.#rateMaxOf(from) >= nanos * spanShare;
    });
  }

  /** `from` waited for the answer to a message that had gone astray for so long, by the clock of whom it asked. */
  waitedFor(from: string, to: string, nanos: number): boolean {
    return (this.#waits.get(`${from}>${to}`) ?? 0) * this.#rateMaxOf(to) >= nanos * spanShare;
  }

  /** It was started anew, or a part of what it said was all that arrived. */
  forgotOrBroke(place: string): boolean {
    return this.livesOf(place) > 1 || this.hasEnded(place) || this.#truncated.has(place);
  }

  answeredOddly(place: string): boolean {
    return this.#oddAnswers.has(place) || this.#truncated.has(place);
  }

  turnedAway(place: string): boolean {
    return this.#overloaded.has(place);
  }

  diskFailed(place?: string): boolean {
    return place === undefined ? this.#disks.size > 0 : this.#disks.has(place);
  }

  struck(...kinds: readonly string[]): boolean {
    return kinds.some((kind) => this.#faults.has(kind));
  }

  /** A query or anything of a user's. */
  wasCanceled(queryOrUser: string): boolean {
    return this.#cancels.has(queryOrUser);
  }

  anyTrouble(): boolean {
    return this.#faults.size > 0 || this.#links.size > 0;
  }
}
