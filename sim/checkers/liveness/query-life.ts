/**
 * The life of a query: it ends once and stays ended, its tasks go with it, what the service tells of it afterwards is what its user saw, it is forgotten when others
 * have come, and nobody without its slug sees anything. And of a node: no rows from one that is not ready, and what it says of itself is so.
 */
import type { OrreryNode } from "../../../src/node.ts";
import type { RequestContext } from "../../../src/ports/network.ts";
import { decodeUtf8 } from "../../../src/types/utf8.ts";
import { nanosPerMs, nanosPerSecond, type World } from "../../world/world.ts";
import type { Facts } from "../facts.ts";
import type { StatisticsOracle } from "../results/counter-sums.ts";
import { check, type Verdict } from "../violation.ts";
import type { Observed } from "../protocol/wire.ts";

const oracle = "query-life";
const readiness = "ready";
const ends: ReadonlySet<string> = new Set(["FINISHED", "FAILED"]);
/** A coordinator that can talk to a worker has ended the tasks of an ended query there by then. */
const tasksGoneNanos = 10 * nanosPerSecond;
/** And where a message was lost, by then: it was sent again after the time-out of a request. */
const tasksGoneAtLastNanos = 45 * nanosPerSecond;
const tasksGoneAtLastNanosMin = 24 * nanosPerSecond;
/** So much before a task ends by itself it is looked for. */
const beforeTimeoutNanos = 4 * nanosPerSecond;
const beforeEndNanos = 15 * nanosPerSecond;
/** So many lost messages in a row are no mere loss. */
const messageTroublesMax = 2;
/** However young they are, more ended queries that nobody waits for than this many times the history are not kept. */
const historyFactorMax = 3;
/** Who measures ages does so by a clock that a fault may drive, and looks now and then. */
const clockShareMin = 0.8;
const forgottenNanos = 3 * nanosPerSecond;
/** One answer in so many is asked for again without the slug. */
const strangerEvery = 8;

export interface StatementDocument {
  readonly id: string;
  readonly nextUri?: string;
  readonly columns?: readonly { readonly name: string }[];
  /** Rows, or segments of rows. */
  readonly data?: readonly unknown[] | { readonly segments: readonly { readonly metadata: { readonly rowsCount: number } }[] };
  readonly stats: Parameters<StatisticsOracle["observeClient"]>[1] & { readonly state: string };
}

interface Told {
  state: string;
  rows: number;
  readonly user: string;
  readonly sql: string;
  /** Its user saw every answer, each once. */
  readonly tokens: Set<string>;
}

/** A query that has ended. */
interface Ended {
  readonly id: string;
  readonly endedNanos: number;
  /** It is known to be forgotten. */
  forgotten: boolean;
}

export interface QueryLifeOptions {
  readonly verdict: Verdict;
  readonly world: World;
  readonly facts: Facts;
  readonly statistics: StatisticsOracle;
  readonly coordinator: string;
  readonly workers: readonly string[];
  readonly node: (name: string) => OrreryNode | undefined;
  /** Tasks that nobody asks for end by themselves after so long. */
  readonly taskTimeoutMs: number;
  /** query.max-history */
  readonly historyMax: number;
  /** query.min-expire-age */
  readonly expireAgeMs: number;
  /** query.client.timeout */
  readonly clientTimeoutMs: number;
}

function rowCountOf(data: StatementDocument["data"] = []): number {
  return "segments" in data ? data.segments.reduce((sum, { metadata }) => sum + metadata.rowsCount, 0) : data.length;
}

export class QueryLifeOracle {
  readonly #options: QueryLifeOptions;
  readonly #told = new Map<string, Told>();
  readonly #slugs = new Map<string, string>();
  readonly #ended = new Map<string, number>();
  readonly #known = new Set<string>();
  readonly #started = new Set<string>();
  /** Queries that have ended, by the coordinator's life, in the order of their ends. */
  readonly #endedOf = new Map<number, Ended[]>();
  /** Queries of which the last document has left the coordinator, or that were cancelled, by its life. */
  readonly #released = new Set<string>();
  /** When the coordinator last answered something about a query, by its life. */
  readonly #askedNanos = new Map<string, number>();
  /** Queries whose clients came back after their rows may have been given up, by the coordinator's life. */
  readonly #expired = new Set<string>();
  #answers = 0;

  constructor(options: QueryLifeOptions) {
    this.#options = options;
  }

  /** A query of the coordinator's life `life` changed its state. */
  observeTransition(incarnation: number, id: string, to: string): void {
    const key = `${incarnation} ${id}`;
    this.#known.add(key);
    if (!ends.has(to)) {
      return;
    }
    this.#check(!this.#ended.has(key), () => `${id} ended a second time, as ${to}`);
    const { world } = this.#options;
    this.#ended.set(key, world.nowNanos);
    const endedNanos = world.nowNanos;
    this.#endedIn(incarnation).push({ id, endedNanos, forgotten: false });
    world.at(endedNanos + tasksGoneNanos, "tasks-gone", () => this.#checkTasksGone({ id, incarnation, endedNanos, isLast: false }));
    const lastNanos = Math.min(tasksGoneAtLastNanos, this.#options.taskTimeoutMs * nanosPerMs - beforeTimeoutNanos);
    if (lastNanos >= tasksGoneAtLastNanosMin) {
      world.at(endedNanos + lastNanos, "tasks-gone", () => this.#checkTasksGone({ id, incarnation, endedNanos, isLast: true }));
    }
  }

  /** As a user's client receives it. */
  observeClient(user: string, sql: string, document: StatementDocument, token: string): void {
    const { id, stats, data, nextUri } = document;
    const told = this.#told.get(id) ?? { state: "", rows: 0, user, sql, tokens: new Set<string>() };
    this.#told.set(id, told);
    if (told.tokens.has(token)) {
      return;
    }
    told.tokens.add(token);
    this.#check(
      !ends.has(told.state) || told.state === stats.state,
      () => `${user} saw ${id} as ${stats.state} after it was ${told.state}`,
    );
    told.state = stats.state;
    told.rows += rowCountOf(data);
    this.#options.statistics.observeClient(id, stats, this.#incarnation);
    const slug = /[?&]slug=([^&]+)/.exec(nextUri ?? "")?.[1];
    if (slug !== undefined) {
      this.#slugs.set(id, slug);
      if (this.#answers++ % strangerEvery === 0) {
        this.#askAsStranger(id, (nextUri ?? "").replace(/^http:\/\/[^/]+/, "").replace(slug, `${slug}0`));
      }
    }
    if (nextUri === undefined && ends.has(stats.state)) {
      this.#lookBack(id, told, document);
    }
  }

  /** An answer of any node with rows, or about whether it is ready. */
  observe(observed: Observed): void {
    const { to, path, request, response, ...answer } = observed;
    if (to === this.#options.coordinator && path.startsWith("/v1/statement")) {
      this.#observeStatement(observed);
    }
    if (path === "/v1/info" && response.status === 200) {
      const key = `${to}#${this.#options.facts.livesOf(to)}`;
      const starting = answer.text().includes('"starting":true');
      const node = this.#options.node(to);
      // A coordinator starts again when it has lost its workers; another node has started for good.
      const isBack = starting && this.#started.has(key) && (to !== this.#options.coordinator || node?.isComplete === true);
      this.#ready(!isBack, () => `${to} is starting after it had started`);
      this.#ready(node === undefined || starting !== (node.isReady && node.isComplete), () => `${to} says that starting is ${starting}`);
      if (!starting) {
        this.#started.add(key);
      }
    } else if (
      path.startsWith("/v1/statement") &&
      request.method !== "DELETE" &&
      response.status === 200 &&
      answer.text().includes('"data":')
    ) {
      this.#ready(this.#options.node(to)?.isReady !== false, () => `${to} gave rows before it was ready`);
    }
  }

  #endedIn(incarnation: number): Ended[] {
    let ended = this.#endedOf.get(incarnation);
    if (ended === undefined) {
      ended = [];
      this.#endedOf.set(incarnation, ended);
    }
    return ended;
  }

  get #incarnation(): number {
    return this.#options.facts.livesOf(this.#options.coordinator);
  }

  /** Whoever has the last document of a query, or wants none, waits for nothing any more; whoever is silent for long has left. */
  #observeStatement({ path, request, response, nowNanos, ...answer }: Observed): void {
    const id = path.split("/")[3] ?? /"id":"([^"]+)"/.exec(answer.text())?.[1] ?? "";
    const key = `${this.#incarnation} ${id}`;
    if (response.status < 300) {
      if (this.mayHaveExpired(id)) {
        this.#expired.add(key);
      }
      this.#askedNanos.set(key, nowNanos);
      if (request.method === "DELETE" || !answer.text().includes('"nextUri":')) {
        this.#released.add(key);
      }
    } else if (response.status === 404 && answer.text() === "Query not found") {
      const slug = /[?&]slug=([^&]+)/.exec(request.url)?.[1];
      const isItsOwn = slug !== undefined && slug === this.#slugs.get(id) && this.#known.has(key);
      this.#check(
        !isItsOwn || this.mayBeForgotten(id),
        () => `${id} was not to be forgotten yet, and its client is told that it is not known`,
      );
    }
  }

  /** Nobody waits for anything of the query: its client has all, or was silent for so long since `heardNanos`. */
  #isOver(id: string, heardNanos: number, share: number): boolean {
    return this.#released.has(`${this.#incarnation} ${id}`) || this.#isSilent(heardNanos, share);
  }

  /** For `share` of the time that a client may be. */
  #isSilent(heardNanos: number, share: number): boolean {
    const { clientTimeoutMs, world } = this.#options;
    return world.nowNanos - heardNanos >= clientTimeoutMs * nanosPerMs * share;
  }

  /** The coordinator's clients are silent from its last answer on, whether the query has ended by then or not. */
  #heardNanos({ id, endedNanos }: Ended): number {
    return this.#askedNanos.get(`${this.#incarnation} ${id}`) ?? endedNanos;
  }

  /** Its rows may have been given up: it has ended, and its client was silent for as long as it may be. */
  mayHaveExpired(id: string): boolean {
    const query = this.#endedIn(this.#incarnation).find((candidate) => candidate.id === id);
    return (
      query !== undefined && (this.#expired.has(`${this.#incarnation} ${id}`) || this.#isSilent(this.#heardNanos(query), clockShareMin))
    );
  }

  /** The coordinator need not know the query any more: nobody waits for it, and enough others have ended since. */
  mayBeForgotten(id: string): boolean {
    const { historyMax, expireAgeMs, world } = this.#options;
    const ended = this.#endedIn(this.#incarnation);
    const place = ended.findIndex((query) => query.id === id);
    const query = ended[place];
    if (query === undefined || !this.#isOver(id, this.#heardNanos(query), clockShareMin)) {
      return false;
    }
    const later = ended.length - 1 - place;
    const isOld = world.nowNanos - query.endedNanos >= expireAgeMs * nanosPerMs * clockShareMin;
    return later >= historyMax * historyFactorMax || (later >= historyMax && isOld);
  }

  /**
   * Ended queries are forgotten, however they ended: a coordinator does not grow with all that it was ever asked. Those that somebody waits for are kept, the newest
   * others of the history, and those that are young, up to a bound. Called now and then.
   */
  checkHistory(): void {
    const { coordinator, historyMax, expireAgeMs, world } = this.#options;
    const node = this.#options.node(coordinator);
    const keptMax = historyMax * historyFactorMax;
    // A question that is still under way when the query ends is answered after that.
    const over = this.#endedIn(this.#incarnation).filter((query) =>
      this.#isOver(query.id, Math.max(query.endedNanos, this.#heardNanos(query)), 1 / clockShareMin),
    );
    const oldNanos = world.nowNanos - (expireAgeMs * nanosPerMs) / clockShareMin - forgottenNanos;
    const overdue = over.slice(0, -historyMax).filter(({ endedNanos, forgotten }) => !forgotten && endedNanos < oldNanos);
    if (node === undefined || (over.length <= keptMax && overdue.length === 0)) {
      return;
    }
    for (const query of overdue) {
      query.forgotten = true;
    }
    const overIds = new Set(over.map(({ id }) => id));
    void node.handle({ method: "GET", url: "/v1/query", headers: {}, body: new Uint8Array(0) }, nobody).then(({ status, body }) => {
      if (status === 200) {
        const listed = JSON.parse(decodeUtf8(body)) as readonly { readonly queryId: string; readonly state: string }[];
        const kept = listed.filter(({ queryId, state }) => ends.has(state) && overIds.has(queryId));
        this.#check(
          kept.length <= keptMax,
          () => `the coordinator remembers ${kept.length} ended queries that nobody waits for, with a history of ${historyMax}`,
        );
        for (const { id, endedNanos } of overdue) {
          const ago = ((world.nowNanos - endedNanos) / nanosPerSecond).toFixed(1);
          this.#check(
            kept.every(({ queryId }) => queryId !== id),
            () => `${id} ended ${ago} s ago, ${historyMax} others have since, and the coordinator still remembers it`,
          );
        }
      }
    });
  }

  /** Without the slug, or with another, a query is not there. */
  #askAsStranger(id: string, path: string): void {
    const node = this.#options.node(this.#options.coordinator);
    if (node === undefined) {
      return;
    }
    void node
      .handle({ method: "GET", url: path, headers: { "x-engine-user": "stranger" }, body: new Uint8Array(0) }, nobody)
      .then(({ status }) =>
        this.#check(status === 404 || status === 503, () => `a stranger asked for ${id} with another slug and was answered ${status}`),
      );
  }

  /** What the query resource says of an ended query is what its user saw. */
  #lookBack(id: string, told: Told, last: StatementDocument): void {
    const node = this.#options.node(this.#options.coordinator);
    if (node === undefined || !this.#ended.has(`${this.#options.facts.livesOf(this.#options.coordinator)} ${id}`)) {
      return;
    }
    const url = `/v1/query/${id}`;
    void node.handle({ method: "GET", url, headers: {}, body: new Uint8Array(0) }, nobody).then(({ status, body }) => {
      // A coordinator whose time is up fails its queries and is gone: what it has of them is gone with it.
      const isGoing = status === 503 && node.state === "SHUTTING_DOWN";
      const isForgotten = status === 410 && this.mayBeForgotten(id);
      this.#check(status === 200 || isGoing || isForgotten, () => `${id} has just ended, and ${url} answers ${status}`);
      if (status !== 200) {
        return;
      }
      const text = decodeUtf8(body);
      const info = JSON.parse(text) as QueryInfo;
      const slug = this.#slugs.get(id);
      this.#check(slug === undefined || !text.includes(slug), () => `${url} tells the slug of ${id}`);
      this.#check(info.state === told.state, () => `${id} ended as ${told.state} for its user and as ${info.state} for others`);
      this.#check(info.query === told.sql && info.session.user === told.user, () => `${url} tells of another statement or user`);
      const names = last.columns?.map(({ name }) => name).join(",");
      this.#check(names === undefined || info.state !== "FINISHED" || info.fieldNames.join(",") === names, () => {
        return `${id} has the columns ${String(names)} for its user and ${info.fieldNames.join(",")} for others`;
      });
      // Rows of a stage that its user has ended need not have been fetched.
      if (info.state === "FINISHED" && info.queryStats.totalTasks > 0 && !this.#options.facts.hasEndedStages(id)) {
        this.#options.statistics.observeEnd(id, info.queryStats.outputPositions, told.rows);
      }
    });
  }

  #checkTasksGone({
    id,
    incarnation,
    endedNanos,
    isLast,
  }: {
    readonly id: string;
    readonly incarnation: number;
    readonly endedNanos: number;
    readonly isLast: boolean;
  }): void {
    const { facts, coordinator, workers, node, world } = this.#options;
    const sinceNanos = endedNanos - beforeEndNanos;
    if (facts.livesOf(coordinator) !== incarnation) {
      return;
    }
    for (const worker of workers) {
      // Lost messages are sent again; a node that is cut off, paused or gone is given up, and ends its tasks by itself.
      const excused = isLast
        ? facts.hitSince(worker, sinceNanos) ||
          facts.hitSince(coordinator, sinceNanos) ||
          facts.messageTroubles(coordinator, worker, sinceNanos) > messageTroublesMax
        : facts.troubledSince(coordinator, worker, sinceNanos);
      if (excused) {
        continue;
      }
      const left = node(worker)
        ?.accounts()
        .tasks.find(({ taskId }) => taskId.startsWith(`${id}.`));
      const ago = (world.nowNanos - endedNanos) / nanosPerSecond;
      this.#check(left === undefined, () => `${id} ended ${ago} s ago, and ${worker} still has ${left?.taskId ?? ""} ${left?.state ?? ""}`);
    }
  }

  #check(holds: boolean, sentence: () => string): void {
    this.#say(oracle, holds, sentence);
  }

  #ready(holds: boolean, sentence: () => string): void {
    this.#say(readiness, holds, sentence);
  }

  #say(name: string, holds: boolean, sentence: () => string): void {
    check(this.#options.verdict, "safety", name, holds, sentence);
  }
}

interface QueryInfo {
  readonly state: string;
  readonly query: string;
  readonly fieldNames: readonly string[];
  readonly session: { readonly user: string };
  readonly queryStats: { readonly totalTasks: number; readonly outputPositions: number };
}

/** Somebody who looks from within: no message, no time. */
const nobody: RequestContext = {
  remoteAddress: "oracle",
  baseUri: "http://c:8080",
  isAborted: () => false,
  onAbort: () => undefined,
};
