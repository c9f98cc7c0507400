/**
 * Facts about the run, derived from the world's notes: which node crashed, whose messages failed, whose disk failed, which node was told to
 * shut down. A declared error must be explained by them. Knows the notes of the network and the cluster, and nothing of the engine.
 */
import { nanosPerMs } from "../world/world.ts";

/** Kinds of notes about failed messages; the detail begins with `m17 c>w1 `. */
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

/** Faults that affect no message, no work and no incarnation. */
const harmless = /^(clock-step|clock-drift|full-disk|slow-disk|disk-errors|corrupt-reads|memory-pressure) /;

/** Request and response of an exchange: `m17 w1>w2 exchange-fetch GET /v1/task/T/results/0/3`, `m17 w1>w2 exchange-fetch 200`. */
const exchange = /^(m\d+) (\S+)>(\S+) exchange-(fetch|close) (?:\S+ (\/v1\/task\/[^/]+\/results\/\d+)|(\S+))/;

/** Overloaded, or the wrong incarnation; both are retried. */
const refusalEnd = / (?:503|412)$/;

/** Failures on one link: number, first and last time. */
interface Span {
  count: number;
  readonly firstNanos: number;
  lastNanos: number;
}

/**
 * Share of a time-out that must lie between the first and the last of several failures. The first request began earlier, and the end of the
 * last is reported later.
 */
const spanShare = 0.9;
/** Times are rounded to milliseconds. */
const roundingNanos = nanosPerMs;

/** The grace period of a node that was told to shut down, by its own clock. */
interface Leave {
  readonly sinceNanos: number;
  readonly graceNanos: number;
  /** Maximum speed of its clock since then, in its nanoseconds per nanosecond of the world. */
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

const creation = " task-update POST /v1/task/";

export class Facts {
  /** Messages that failed, by `from>to` of their request. */
  readonly #links = new Map<string, Span>();
  /**
   * Consecutive failures of one task's reads of one buffer, by `from>to path`: the current series and the longest one. `#asked` maps a
   * request in flight to that key.
   */
  readonly #reads = new Map<string, { current: Span; longest: Span }>();
  readonly #asked = new Map<string, string>();
  /** Requests that a node rejected, by `from>to`. */
  readonly #refusals = new Map<string, Span>();
  /** First report of each message that failed. The later time-out of a lost message is not a second failure. */
  readonly #astray = new Map<string, number>();
  /** Longest wait for the response to a message that failed, by `from>to`. */
  readonly #waits = new Map<string, number>();
  /** Times at which messages failed, by `from>to`. */
  readonly #troubleNanos = new Map<string, number[]>();
  readonly #incarnations = new Map<string, number>();
  readonly #ends = new Map<string, number>();
  /** Time at which the place was last started again; infinity while it is down. */
  readonly #downNanos = new Map<string, number>();
  /** Current speed of a place's clock, in its nanoseconds per nanosecond of the world; `#rateMax` holds the maximum so far. */
  readonly #rateOf: (place: string) => number;
  readonly #rateMax = new Map<string, number>();
  readonly #leaving = new Map<string, Leave>();
  #wasOutOfTime = false;
  readonly #faults = new Map<string, number>();
  /**
   * Time at which a fault that stops messages, work or incarnations last began or ended at a place; `#lasting` holds the faults in effect.
   */
  readonly #faultPlaces = new Map<string, number>();
  readonly #lasting = new Set<string>();
  readonly #disks = new Set<string>();
  /** Crashes of the process alone, by place: all that it has written stays. */
  readonly #keptCrashes = new Map<string, number>();
  /** Places that answered a task request with an error other than 503; `#overloaded` holds those that answered 503. */
  readonly #oddAnswers = new Set<string>();
  readonly #overloaded = new Set<string>();
  readonly #truncated = new Set<string>();
  readonly #cancels = new Set<string>();
  readonly #stageEnds = new Set<string>();
  /** Life of the coordinator that has first asked for each task: the next one does not know it. */
  readonly #creations = new Map<string, number>();
  readonly #reruns = new Set<string>();
  readonly #queriesOfReruns = new Set<string>();
  /** Messages that submit a statement without a client-assigned id. A duplicate of one is a query of its own. */
  readonly #posts = new Set<string>();
  /** Such messages that arrived twice, by user. */
  readonly #copies = new Map<string, number>();

  constructor(rateOf: (place: string) => number = () => 1) {
    this.#rateOf = rateOf;
  }

  /** Receives every note of the world. */
  note(place: string, kind: string, detail: string, nowNanos: number): void {
    switch (kind) {
      case "start":
        add(this.#incarnations, place);
        if (this.hasEnded(place)) {
          this.#downNanos.set(place, nowNanos);
        }
        this.#rateMaxOf(place);
        return;
      case "crash":
      case "stopped":
        add(this.#ends, place);
        this.#downNanos.set(place, Number.POSITIVE_INFINITY);
        this.#wasOutOfTime ||= this.#isOutOfTime(place, nowNanos);
        this.#leaving.delete(place);
        return;
      case "fault":
        // A fault may slow a clock down, or end what drives it, so the maximum is recorded before.
        this.#lookAtClocks();
        this.#fault(detail, nowNanos);
        return;
      case "heal":
        // A clock that a fault drives is fastest right before the fault ends.
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
        this.#ranAgain(/^task-runs-again \{"taskId":"([^"]+)"/.exec(detail)?.[1]);
        return;
      default:
        if ((kind === "request" || kind === "answer" || kind === "network-error") && detail.includes(" exchange-")) {
          this.#read(kind, detail, nowNanos);
        } else if (kind === "request" && detail.includes(" statement-submit POST ")) {
          this.#posts.add(detail.slice(0, detail.indexOf(" ")));
        } else if (kind === "request" && detail.includes(creation)) {
          const taskId = detail.slice(detail.indexOf(creation) + creation.length);
          this.#creations.set(taskId, this.#creations.get(taskId) ?? this.livesOf(place));
        } else if (kind === "answer" && refusalEnd.test(detail)) {
          this.#heardRefusal(detail.split(" ", 2)[1] ?? "", nowNanos);
        }
        // A client that aborts its own request has no trouble.
        if (messageTroubles.has(kind) && !detail.endsWith(" ABORTED")) {
          this.#message(kind, detail, nowNanos);
        }
    }
  }

  #ranAgain(taskId: string | undefined): void {
    if (taskId !== undefined) {
      this.#reruns.add(taskId);
      this.#queriesOfReruns.add(taskId.split(".", 1)[0] ?? "");
    }
  }

  #fault(text: string, nowNanos: number): void {
    const [kind = "", place = ""] = text.split(" ", 2);
    add(this.#faults, kind);
    if (kind === "coordinator-crash" && !text.includes("(disk ")) {
      add(this.#keptCrashes, place);
    }
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

  /** A rejection counts from its arrival at the client, which may be long after it was sent. */
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
    // A consumer that closes a buffer may be made to forget the response, so only responses to fetches end a series.
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

  /** Whether reads of one buffer at the place failed for at least this long, by the reader's clock, without a response in between. */
  readFailedFor(to: string, nanos: number, countMin: number): boolean {
    return [...this.#reads].some(([key, { longest }]) => {
      const [link = ""] = key.split(" ", 1);
      const [from = "", target] = link.split(">");
      return (
        target === to && longest.count >= countMin && (longest.lastNanos - longest.firstNanos) * this.#rateMaxOf(from) >= nanos * spanShare
      );
    });
  }

  /**
   * Time of the last trouble of a place: a failed or rejected message of it, a fault there, a restart. Negative infinity if there was none;
   * infinity while a fault is in effect, or the place is down.
   */
  lastTroubleNanos(place: string): number {
    if ([...this.#lasting].some((text) => placesIn(text).includes(place))) {
      return Number.POSITIVE_INFINITY;
    }
    const times = [...this.#links, ...this.#refusals].flatMap(([link, { lastNanos }]) =>
      link.split(">").includes(place) ? [lastNanos] : [],
    );
    const never = Number.NEGATIVE_INFINITY;
    return Math.max(this.#faultPlaces.get(place) ?? never, this.#downNanos.get(place) ?? never, ...times);
  }

  /** Records that a node's task resource answered `from` with an error status. */
  refused(place: string, { from, status, nowNanos }: { readonly from: string; readonly status: number; readonly nowNanos: number }): void {
    (status === 503 ? this.#overloaded : this.#oddAnswers).add(place);
    if (status === 503 || status === 412) {
      prolong(this.#refusals, `${from}>${place}`, nowNanos);
    }
  }

  /** Records that a client sent a DELETE for the query. */
  canceled(queryId: string, user: string): void {
    this.#cancels.add(queryId);
    this.#cancels.add(user);
  }

  /** Records that the user cancelled a single stage of the query. */
  stageEnded(queryId: string, user: string): void {
    this.#stageEnds.add(queryId);
    this.#stageEnds.add(user);
  }

  /** Whether a single stage of the query, or of any query of the user, was cancelled. */
  hasEndedStages(queryOrUser: string): boolean {
    return this.#stageEnds.has(queryOrUser);
  }

  /** Whether a former run of the task may have given pages to its readers. */
  isRerun(taskId: string): boolean {
    return this.#reruns.has(taskId);
  }

  /** Whether tasks of the query, that of a task or a stage too, were run again one by one. */
  hasReruns(id: string): boolean {
    return this.#queriesOfReruns.has(id.split(".", 1)[0] ?? "");
  }

  /** Number of the user's statements that were submitted once and may run twice. */
  copiesOf(user: string): number {
    return this.#copies.get(user) ?? noneYet;
  }

  /** The life of the coordinator that has asked for the task; 0 if none has. */
  lifeOfTask(taskId: string): number {
    return this.#creations.get(taskId) ?? 0;
  }

  livesOf(place: string): number {
    return this.#incarnations.get(place) ?? noneYet;
  }

  /** Whether the place crashed or stopped at least once. */
  hasEnded(place: string): boolean {
    return this.#ends.has(place);
  }

  anyWorkerEnded(): boolean {
    return [...this.#ends.keys()].some((place) => place.startsWith("w"));
  }

  /** Whether any node that was told to shut down has used up its grace period, by its own clock. */
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

  /** Whether a message between the two failed, in either direction. */
  linkTroubled(a: string, b: string): boolean {
    return this.#links.has(`${a}>${b}`) || this.#links.has(`${b}>${a}`);
  }

  /** Whether the place crashed or stopped, was hit by a fault, or sent or should have received a message that failed. */
  placeTroubled(place: string): boolean {
    return this.hasEnded(place) || this.#faultPlaces.has(place) || [...this.#links.keys()].some((link) => link.split(">").includes(place));
  }

  /** Whether there was trouble between the two since that time: a failed message, a fault, or the end of an incarnation. */
  troubledSince(a: string, b: string, nanos: number): boolean {
    const spans = [this.#links.get(`${a}>${b}`), this.#links.get(`${b}>${a}`)];
    return spans.some((span) => span !== undefined && span.lastNanos >= nanos) || [a, b].some((place) => this.hitSince(place, nanos));
  }

  /** Whether a message between any two nodes failed since that time. */
  anyMessageTroubleSince(nanos: number): boolean {
    return [...this.#links.values()].some(({ lastNanos }) => lastNanos >= nanos);
  }

  /** Number of messages between the two that failed since that time. */
  messageTroubles(a: string, b: string, nanos: number): number {
    const of = (link: string): number => (this.#troubleNanos.get(link) ?? []).filter((time) => time >= nanos).length;
    return of(`${a}>${b}`) + of(`${b}>${a}`);
  }

  /** Whether a fault has begun or ended at the place since that time, or is in effect there. */
  hitSince(place: string, nanos: number): boolean {
    return (
      (this.#faultPlaces.get(place) ?? Number.NEGATIVE_INFINITY) >= nanos ||
      [...this.#lasting].some((text) => placesIn(text).includes(place))
    );
  }

  /** Whether consecutive requests to the place failed or were rejected for at least this long, by the sender's clock. */
  failedFor(to: string, nanos: number, countMin: number): boolean {
    return [...this.#links.keys(), ...this.#refusals.keys()].some((link) => {
      const span = together(this.#links.get(link), this.#refusals.get(link));
      const [from = "", target] = link.split(">");
      return target === to && span.count >= countMin && (span.lastNanos - span.firstNanos) * this.#rateMaxOf(from) >= nanos * spanShare;
    });
  }

  /** Whether `from` waited at least this long for the response to a failed message, by the clock of `to`. */
  waitedFor(from: string, to: string, nanos: number): boolean {
    return (this.#waits.get(`${from}>${to}`) ?? 0) * this.#rateMaxOf(to) >= nanos * spanShare;
  }

  /** Whether the place restarted, or one of its responses was truncated. */
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

  /** Whether an end of the place may have lost what was written last: its machine has died, or it was stopped. */
  mayHaveLost(place: string): boolean {
    return (this.#ends.get(place) ?? 0) > (this.#keptCrashes.get(place) ?? 0);
  }

  /** Whether the disk of the place may not have what was written last. */
  mayForget(place: string): boolean {
    return this.mayHaveLost(place) || this.diskFailed(place);
  }

  struck(...kinds: readonly string[]): boolean {
    return kinds.some((kind) => this.#faults.has(kind));
  }

  /** Whether the query, or any query of the user, was cancelled. */
  wasCanceled(queryOrUser: string): boolean {
    return this.#cancels.has(queryOrUser);
  }

  anyTrouble(): boolean {
    return this.#faults.size > 0 || this.#links.size > 0;
  }
}
