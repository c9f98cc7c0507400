/**
 * What has happened in this world to whom, told by the world's own notes: who crashed, whose messages went astray, whose disk failed, who was told to leave. An
 * error that a cluster declares is held against it. Knows the network's and the cluster's notes, nothing of the engine.
 */

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

function add<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? noneYet) + 1);
}

export class Facts {
  /** Messages that went astray, by `from>to` of their request. */
  readonly #links = new Map<string, number>();
  readonly #lives = new Map<string, number>();
  readonly #ends = new Map<string, number>();
  readonly #leaving = new Set<string>();
  readonly #faults = new Map<string, number>();
  readonly #faultPlaces = new Set<string>();
  readonly #disks = new Set<string>();
  /** Places that answered a task request with something else than success, and with 503. */
  readonly #oddAnswers = new Set<string>();
  readonly #overloaded = new Set<string>();
  readonly #truncated = new Set<string>();
  readonly #cancels = new Set<string>();

  /** Every note of the world. */
  note(place: string, kind: string, detail: string): void {
    switch (kind) {
      case "start":
        add(this.#lives, place);
        return;
      case "crash":
      case "stopped":
        add(this.#ends, place);
        return;
      case "fault":
        this.#fault(detail);
        return;
      case "disk-error":
      case "corrupt-read":
        this.#disks.add(place);
        return;
      case "log-info":
        if (detail.startsWith("shutdown-started")) {
          this.#leaving.add(place);
        }
        return;
      default:
        // Whoever gives up a request by itself has no trouble.
        if (messageTroubles.has(kind) && !detail.endsWith(" ABORTED")) {
          this.#message(kind, detail);
        }
    }
  }

  #fault(text: string): void {
    add(this.#faults, text.split(" ", 1)[0] ?? "");
    for (const place of text.match(/\b[cw]\d*\b/g) ?? []) {
      this.#faultPlaces.add(place);
    }
  }

  #message(kind: string, detail: string): void {
    const link = detail.split(" ", 2)[1] ?? "";
    add(this.#links, link);
    const to = link.split(">")[1] ?? "";
    if (kind === "turned-away") {
      this.#overloaded.add(to);
    } else if (kind === "truncated") {
      this.#truncated.add(to);
    }
  }

  /** A node's task resource answered with `status`, which is no success. */
  refused(place: string, status: number): void {
    (status === 503 ? this.#overloaded : this.#oddAnswers).add(place);
  }

  /** Somebody has sent a DELETE for the query. */
  canceled(queryId: string, user: string): void {
    this.#cancels.add(queryId);
    this.#cancels.add(user);
  }

  livesOf(place: string): number {
    return this.#lives.get(place) ?? noneYet;
  }

  /** It crashed or stopped at least once. */
  hasEnded(place: string): boolean {
    return this.#ends.has(place);
  }

  anyWorkerEnded(): boolean {
    return [...this.#ends.keys()].some((place) => place.startsWith("w"));
  }

  anybodyToldToLeave(): boolean {
    return this.#leaving.size > 0;
  }

  /** A message between the two went astray, either way. */
  linkTroubled(a: string, b: string): boolean {
    return this.#links.has(`${a}>${b}`) || this.#links.has(`${b}>${a}`);
  }

  /** It ended, a fault struck it, or a message from or to it went astray. */
  placeTroubled(place: string): boolean {
    return this.hasEnded(place) || this.#faultPlaces.has(place) || [...this.#links.keys()].some((link) => link.split(">").includes(place));
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
