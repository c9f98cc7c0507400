/**
 * The life cycle of a query: it ends once and stays ended; its tasks end with it; the service later reports what its user saw; it is
 * forgotten when newer queries have ended; and no client without its slug sees anything. Also the readiness of a node: it returns no rows
 * before it is ready, and reports its state correctly.
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
/** Time within which a coordinator that can reach a worker has ended the tasks of an ended query there. */
const tasksGoneNanos = 10 * nanosPerSecond;
/** The same bound if a message was lost and sent again after the time-out of a request. */
const tasksGoneAtLastNanos = 45 * nanosPerSecond;
const tasksGoneAtLastNanosMin = 24 * nanosPerSecond;
/** The check runs this long before a task would end by itself. */
const beforeTimeoutNanos = 4 * nanosPerSecond;
const beforeEndNanos = 15 * nanosPerSecond;
/** Maximum number of failed messages that still counts as mere message loss. */
const messageTroublesMax = 2;
/** Ended queries without a waiting client are kept up to this multiple of the history size, however young they are. */
const historyFactorMax = 3;
/** Ages are measured by a clock that a fault may drive, and checked only periodically. */
const clockShareMin = 0.8;
const forgottenNanos = 3 * nanosPerSecond;
/** One in this many responses is requested again without the slug. */
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
  /** Tokens of the documents that the user received, each counted once. */
  readonly tokens: Set<string>;
}

/** A query that has ended. */
interface Ended {
  readonly id: string;
  readonly endedNanos: number;
  /** Whether its removal was already checked. */
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
  /** Whether the query has begun to run again. */
  readonly hasRunAgain: (queryId: string, incarnation: number) => boolean;
  /** Statements may run on another cluster: they wait for no worker. */
  readonly hasRemote: boolean;
  /** Time after which an abandoned task ends by itself, in milliseconds. */
  readonly taskTimeoutMs: number;
  /** Value of query.max-history. */
  readonly historyMax: number;
  /** Value of query.min-expire-age, in milliseconds. */
  readonly expireAgeMs: number;
  /** Value of query.client.timeout, in milliseconds. */
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
  /** Ended queries by the coordinator's incarnation, in the order of their ends. */
  readonly #endedOf = new Map<number, Ended[]>();
  /** Queries whose last document has left the coordinator, or that were cancelled, by its incarnation. */
  readonly #released = new Set<string>();
  /** Time of the coordinator's last response about a query, by its incarnation. */
  readonly #askedNanos = new Map<string, number>();
  /** Queries whose clients returned after their rows may have been discarded, by the coordinator's incarnation. */
  readonly #expired = new Set<string>();
  /** Incarnation that has made the last answer, by query and token: an answer may reach its client in another one. */
  readonly #madeBy = new Map<string, number>();
  #answers = 0;

  constructor(options: QueryLifeOptions) {
    this.#options = options;
  }

  /** Handles a state transition of a query in the coordinator's incarnation `life`. */
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

  /** Handles a statement document as the user's client receives it. */
  observeClient(user: string, sql: string, document: StatementDocument, token: string): void {
    const { id, stats, data, nextUri } = document;
    const told = this.#told.get(id) ?? { state: "", rows: 0, user, sql, tokens: new Set<string>() };
    this.#told.set(id, told);
    if (told.tokens.has(token)) {
      return;
    }
    told.tokens.add(token);
    const goesOn = ends.has(told.state) && told.state !== stats.state;
    this.#check(!goesOn || this.#mayForget, () => `${user} saw ${id} as ${stats.state} after it was ${told.state}`);
    told.state = stats.state;
    if (goesOn) {
      return;
    }
    told.rows += rowCountOf(data);
    const incarnation = this.#madeBy.get(`${id} ${token}`) ?? this.#incarnation;
    this.#options.statistics.observeClient(id, stats, { incarnation, runsAgain: this.#options.hasRunAgain(id, incarnation) });
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

  /** Handles a response of any node that contains rows or reports readiness. */
  observe(answer: Observed): void {
    const { to, path, request, response } = answer;
    if (to === this.#options.coordinator && path.startsWith("/v1/statement")) {
      this.#observeStatement(answer);
    }
    if (path === "/v1/info" && response.status === 200) {
      const key = `${to}#${this.#options.facts.livesOf(to)}`;
      const starting = /"starting"\s*:\s*true/.test(answer.text());
      const node = this.#options.node(to);
      // A coordinator returns to the starting state when it loses its workers; another node starts only once.
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
      this.#ready(this.#options.hasRemote || this.#options.node(to)?.isReady !== false, () => `${to} gave rows before it was ready`);
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

  /** A client that has received the last document, or has cancelled, waits for nothing. A client that is silent for long has left. */
  #observeStatement(answer: Observed): void {
    const { path, request, response, nowNanos } = answer;
    const id = path.split("/")[3] ?? /"id":"([^"]+)"/.exec(answer.text())?.[1] ?? "";
    const key = `${this.#incarnation} ${id}`;
    if (response.status < 300) {
      this.#madeBy.set(`${id} ${path.split("/")[4] ?? "submission"}`, this.#incarnation);
      if (this.mayHaveExpired(id)) {
        this.#expired.add(key);
      }
      this.#askedNanos.set(key, nowNanos);
      // A heartbeat (HEAD) is answered without a document and takes nothing.
      if (request.method === "DELETE" || (request.method !== "HEAD" && !answer.text().includes('"nextUri":'))) {
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

  /** Whether no client waits for the query: its client has received everything, or has been silent since `heardNanos` for too long. */
  #isOver(id: string, heardNanos: number, share: number): boolean {
    return this.#released.has(`${this.#incarnation} ${id}`) || this.#isSilent(heardNanos, share);
  }

  /** Whether the client was silent for `share` of the allowed time. */
  #isSilent(heardNanos: number, share: number): boolean {
    const { clientTimeoutMs, world } = this.#options;
    return world.nowNanos - heardNanos >= clientTimeoutMs * nanosPerMs * share;
  }

  /** A client counts as silent since the coordinator's last response to it, whether or not the query had ended by then. */
  #heardNanos({ id, endedNanos }: Ended): number {
    return this.#askedNanos.get(`${this.#incarnation} ${id}`) ?? endedNanos;
  }

  /** Whether the rows may have been discarded: the query has ended, and its client was silent for the allowed time. */
  mayHaveExpired(id: string): boolean {
    const query = this.#endedIn(this.#incarnation).find((candidate) => candidate.id === id);
    return (
      query !== undefined && (this.#expired.has(`${this.#incarnation} ${id}`) || this.#isSilent(this.#heardNanos(query), clockShareMin))
    );
  }

  /** Whether the coordinator may have forgotten the query: no client waits for it, and enough other queries have ended since. */
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
   * Ended queries are forgotten, however they ended, so that a coordinator's memory is bounded. It keeps queries with a waiting client, the
   * newest others up to the history size, and young ones up to a bound. Called periodically.
   */
  checkHistory(): void {
    const { coordinator, historyMax, expireAgeMs, world } = this.#options;
    const node = this.#options.node(coordinator);
    const keptMax = historyMax * historyFactorMax;
    // A request in flight when the query ends is answered after that.
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

  /** A request without the slug, or with another one, must not find the query. */
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

  /** Checks that the query resource reports an ended query as its user saw it. */
  #lookBack(id: string, told: Told, last: StatementDocument): void {
    const node = this.#options.node(this.#options.coordinator);
    if (node === undefined || !this.#ended.has(`${this.#options.facts.livesOf(this.#options.coordinator)} ${id}`)) {
      return;
    }
    const url = `/v1/query/${id}`;
    void node.handle({ method: "GET", url, headers: {}, body: new Uint8Array(0) }, nobody).then(({ status, body }) => {
      // A coordinator whose grace period is over fails its queries and stops; their information is lost with it.
      // One that was cut off from its directory may have an heir, and answers nothing.
      const isGoing = status === 503 && (node.state === "SHUTTING_DOWN" || this.#options.facts.struck("directory-cut"));
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
      // Rows of a stage that its user has cancelled need not have been fetched.
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
      // Lost messages are sent again. A node that is cut off, paused or gone is declared failed, and ends its tasks by itself.
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
        // One of a former life, which this one does not know, ends when nobody asks for it.
        .tasks.find(({ taskId }) => taskId.startsWith(`${id}.`) && facts.lifeOfTask(taskId) === incarnation);
      const ago = (world.nowNanos - endedNanos) / nanosPerSecond;
      this.#check(left === undefined, () => `${id} ended ${ago} s ago, and ${worker} still has ${left?.taskId ?? ""} ${left?.state ?? ""}`);
    }
  }

  /** Another life of the coordinator may not know what its client was told: the disk has lost the end of the journal. */
  get #mayForget(): boolean {
    const { coordinator, facts } = this.#options;
    return facts.livesOf(coordinator) > 1 && (facts.mayForget(coordinator) || facts.struck("full-disk"));
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

/** Context of requests that the checker makes directly: without messages and without simulated time. */
const nobody: RequestContext = {
  remoteAddress: "oracle",
  baseUri: "http://c:8080",
  isAborted: () => false,
  onAbort: () => undefined,
};
