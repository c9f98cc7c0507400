/**
 * A simulated user: the real statement client over the simulated network, with a drawn behaviour. Whatever the user does to a query, the
 * rows are compared with the reference.
 */
import { ClientError } from "../src/client/requester.ts";
import { type ClientSession, clientSession } from "../src/client/session.ts";
import { StatementClient, type StatementRun } from "../src/client/statement-client.ts";
import type { Clock } from "../src/ports/clock.ts";
import { sleep } from "../src/ports/clock.ts";
import { type HttpRequest, type HttpResponse, type Network, NetworkError, type RequestOptions } from "../src/ports/network.ts";
import { parseJson } from "../src/protocol/json.ts";
import { decodeUtf8, encodeUtf8 } from "../src/types/utf8.ts";
import type { Behaviour, PlannedStatement, PlannedUser } from "./plan.ts";
import { Inquirer } from "./inquiries/inquirer.ts";
import { ScriptClient } from "./inquiries/script-client.ts";
import { scriptOf } from "./inquiries/scripts.ts";
import { setRoleText, vault } from "./workload/grants.ts";
import { nanosPerMs } from "./world/world.ts";
import type { Outcome } from "./checkers/results/results.ts";

/** Number of turns in which a user requests two tokens at once. */
const pollTwoMax = 6;
/** A slow reader hurries after so many answers: an unbounded result of small segments would outlast every time-out of a run. */
const slowPollsMax = 100;
/** Delay after which a client that trespasses does so, and number of queries that it tries. */
const trespassMs = 150;
const trespassMax = 3;
/** Number of queries of others that a user with rights of its own asks for. */
const peeksMax = 6;
/**
 * How long a client waits for the answer to a submission. The coordinator answers after a second at most once the faults are over, so a
 * client that waits longer has lost its request, and the cluster would be idle meanwhile.
 */
const submitTimeoutMs = 60_000;
/** Delays after which a submission is repeated: while its query begins, and when most of its work may be done. */
const submittedAgainMs = [20, 400] as const;

const oddLabels = { GET: "odd-poll", DELETE: "odd-cancel", PUT: "odd-submission" } as const;

/** The end of a statement. */
export type Ending =
  /** `isCut`: the user cancelled stages of the query, and a warning says so: rows may be missing. */
  | { readonly kind: "outcome"; readonly outcome: Outcome; readonly isCut?: true }
  | { readonly kind: "canceled" }
  | { readonly kind: "vanished" }
  | { readonly kind: "unanswered"; readonly message: string };

/** The client's session when it submitted a statement, and after it. */
export interface Carried {
  readonly before: ClientSession;
  readonly after: ClientSession;
}

export interface UserHooks {
  onSubmit(user: string, sql: string): void;
  onPoll(): void;
  /** Ids of queries of all users, as a user may learn them from logs. */
  heardOf(): readonly string[];
  onAnswer(user: string, request: HttpRequest, response: HttpResponse): void;
  onEnd(user: string, statement: PlannedStatement, ending: Ending, carried: Carried): void;
  /** Reports a deliberate probe; `allowed` lists the accepted status codes. */
  onProbe(user: string, question: string, status: number | string, allowed: readonly (number | string)[]): void;
}

export interface UserOptions {
  readonly planned: PlannedUser;
  readonly network: Network;
  readonly clock: Clock;
  readonly server: string;
  readonly catalog: string;
  readonly schema: string;
  readonly hooks: UserHooks;
}

export class User {
  readonly #options: UserOptions;
  /** Whether each token is requested twice. */
  #twice = false;
  #number = 0;
  /** Session at the start of each statement. For a user who changes it, it is the session that the last statement left. */
  #session: ClientSession;

  constructor(options: UserOptions) {
    this.#options = options;
    const { planned, catalog, schema } = options;
    this.#session = clientSession(planned.name, { source: "simulator", catalog, schema, properties: planned.session ?? {} });
  }

  /** Resolves when the last statement has ended in any way. */
  async live(): Promise<void> {
    const { planned, clock } = this.#options;
    await sleep(clock, "user-start", planned.startNanos / nanosPerMs);
    if (planned.inquires !== undefined) {
      await this.#inquire(planned.inquires);
    }
    for (const statement of planned.statements) {
      await sleep(clock, "user-think", statement.thinkNanos / nanosPerMs);
      await this.#run(statement);
    }
  }

  async #inquire({ asks, pauseNanos, script }: NonNullable<PlannedUser["inquires"]>): Promise<void> {
    const { clock, network, server, hooks, planned } = this.#options;
    const onAnswer = (question: string, status: number | string, allowed: readonly (number | string)[]): void =>
      hooks.onProbe(planned.name, question, status, [...allowed, 503]);
    if (script !== undefined) {
      await new ScriptClient({ clock, network, server, user: planned.name, onAnswer }).run(scriptOf(script));
    }
    await new Inquirer({ asks, clock, network, server, pauseMs: pauseNanos / nanosPerMs, onAnswer }).ask();
  }

  async #run(statement: PlannedStatement): Promise<void> {
    const { planned, clock, server, hooks } = this.#options;
    const { sql, behaviour } = statement;
    const before = this.#sessionOf(statement);
    this.#twice = behaviour.kind === "asks-twice";
    const client = new StatementClient({
      network: this.#network(),
      clock,
      server,
      session: before,
      ...(planned.family === undefined ? {} : { family: planned.family }),
      ...(planned.queryDataEncodings === undefined ? {} : { queryDataEncodings: planned.queryDataEncodings }),
      submitTimeoutMs,
    });
    hooks.onSubmit(planned.name, sql);
    const run = client.submit(sql, behaviour.kind === "retries" ? this.#chosen() : undefined);
    if (planned.trespasses === true) {
      void this.#trespass(run);
    }
    if (planned.peeks === true) {
      void this.#peek();
    }
    let ending: Ending;
    try {
      ending = await this.#follow(run, behaviour);
    } catch (error) {
      if (!(error instanceof ClientError) && !(error instanceof NetworkError)) {
        throw error;
      }
      ending = { kind: "unanswered", message: error.message };
    }
    const after = client.session;
    if (planned.statements.some(({ sessionStep }) => sessionStep !== undefined)) {
      this.#session = after;
    }
    hooks.onEnd(planned.name, statement, ending, { before, after });
  }

  #sessionOf({ granting }: PlannedStatement): ClientSession {
    const role = granting === undefined ? undefined : setRoleText(granting);
    return role === undefined ? this.#session : { ...this.#session, roles: { [vault.name]: role } };
  }

  async #follow(run: StatementRun, behaviour: Behaviour): Promise<Ending> {
    const { clock, hooks } = this.#options;
    const rows: unknown[] = [];
    let polls = 0;
    let previous: string | undefined;
    let ended = 0;
    if (behaviour.kind === "cancels-at") {
      void sleep(clock, "user-cancel", behaviour.afterNanos / nanosPerMs).then(() => run.cancel());
    } else if (behaviour.kind === "ends-stages") {
      void this.#endStages(run, behaviour, () => ended++);
    }
    for (;;) {
      const over = run.state !== "READY" && run.state !== "RUNNING";
      if (!over && behaviour.kind === "vanishes" && polls > behaviour.afterPolls) {
        return { kind: "vanished" };
      }
      const current = run.results?.nextUri;
      if (isCancel(behaviour) && polls > behaviour.afterPolls) {
        const isCancelled = await run.cancel();
        if (!over) {
          await this.#afterCancel(behaviour, current);
          return { kind: isCancelled ? "canceled" : "vanished" };
        }
      }
      if (!over && current !== undefined && (behaviour.kind === "never-reads" || behaviour.kind === "polls-two")) {
        await (behaviour.kind === "polls-two" ? this.#pollTwo(current) : this.#readLate(current, behaviour.pauseNanos));
        return { kind: "vanished" };
      }
      if (!(await run.advance())) {
        break;
      }
      hooks.onPoll();
      polls++;
      if (behaviour.kind === "retries-late" && polls <= slowPollsMax && current !== undefined && run.state === "RUNNING") {
        await sleep(clock, "user-pause", behaviour.pauseNanos / nanosPerMs);
        await this.#probe(current, "a token again after a while", [200]);
      }
      rows.push(...run.rows);
      if (behaviour.kind === "retries" && previous !== undefined && run.results?.nextUri !== undefined) {
        // The client has received a later response, so that token is old.
        await this.#probe(previous, "an old token", [410]);
      }
      previous = current;
      if (behaviour.kind === "slow" && polls <= slowPollsMax) {
        await sleep(clock, "user-pause", behaviour.pauseNanos / nanosPerMs);
      }
    }
    if (behaviour.kind === "closes" && previous !== undefined) {
      await this.#probe(previous, "to cancel what has ended", [204], "DELETE");
    }
    if (run.state === "CANCELED") {
      // Of a query that was not told to stop, nobody knows what it will do.
      return { kind: (await run.cancel()) ? "canceled" : "vanished" };
    }
    const { error } = run;
    const cut = ended > 0 && isWarnedOfCut(run) ? ({ isCut: true } as const) : undefined;
    if (error !== undefined) {
      return { kind: "outcome", outcome: { kind: "error", errorName: error.errorName, message: error.message }, ...cut };
    }
    return { kind: "outcome", outcome: { kind: "rows", rows, shape: shapeOf(run) }, ...cut };
  }

  async #endStages(
    run: StatementRun,
    { afterNanos, times }: Extract<Behaviour, { kind: "ends-stages" }>,
    onSent: () => void,
  ): Promise<void> {
    for (let turn = 0; turn < times; turn++) {
      await sleep(this.#options.clock, "user-cancel", afterNanos / nanosPerMs);
      if (run.state === "RUNNING" && run.results?.partialCancelUri !== undefined) {
        onSent();
        await run.cancelLeafStage();
      }
    }
  }

  async #afterCancel(behaviour: Behaviour, uri: string | undefined): Promise<void> {
    if (uri === undefined) {
      return;
    }
    if (behaviour.kind === "cancels-twice") {
      await this.#probe(uri, "to cancel again", [204], "DELETE");
    } else if (behaviour.kind === "cancels-then-asks") {
      await this.#probe(uri, "for rows of what it cancelled", [200, 410]);
    }
  }

  /** By then the query may have been failed as abandoned, and even forgotten. */
  async #readLate(uri: string, pauseNanos: number): Promise<void> {
    await sleep(this.#options.clock, "user-pause", pauseNanos / nanosPerMs);
    await this.#probe(uri, "a token that it had not asked for in time", [200, 404, 410]);
  }

  /** The first of the two requests to arrive determines the response to the other. */
  async #pollTwo(first: string): Promise<void> {
    let uri = first;
    for (let turn = 0; turn < pollTwoMax; turn++) {
      const behind = uri.replace(/\/(\d+)\?/, (_, token: string) => `/${Number(token) + 1}?`);
      const answers = await Promise.all([
        this.#probe(uri, "two tokens at once, the first", [200, 410]),
        this.#probe(behind, "two tokens at once, the second", [200, 404]),
      ]);
      const latest = answers.findLast((answer) => answer?.status === 200);
      const next = latest === undefined ? undefined : nextUriOf(latest);
      if (next === undefined) {
        return;
      }
      uri = next;
    }
    await this.#probe(uri, "to cancel", [204], "DELETE");
  }

  async #probe(
    uri: string,
    what: string,
    allowed: readonly number[],
    method: "GET" | "DELETE" | "PUT" = "GET",
  ): Promise<HttpResponse | undefined> {
    const { planned, network, hooks } = this.#options;
    try {
      const response = await network.request(
        { method, url: uri, headers: {}, body: encodeUtf8(method === "PUT" ? "SELECT 'stranger'" : "") },
        { timeoutMs: 30_000, label: oddLabels[method] },
      );
      hooks.onProbe(planned.name, `${what}, ${pathOf(uri)}`, response.status, [...allowed, 503]);
      return response;
    } catch (error) {
      if (!(error instanceof NetworkError)) {
        throw error;
      }
      return undefined;
    }
  }

  #trespasses = 0;

  /** Asks for queries of any user with a slug that is not theirs, and for a token of its own query that does not exist. */
  async #trespass(run: StatementRun): Promise<void> {
    const { clock, server } = this.#options;
    await sleep(clock, "user-trespass", trespassMs);
    const listed = await this.#probe(`${server}/v1/query`, "for all queries", [200]);
    const queries =
      listed?.status === 200 ? (parseJson(decodeUtf8(listed.body)) as unknown as readonly { readonly queryId: string }[]) : [];
    for (const { queryId } of queries.slice(-trespassMax)) {
      // Not that of an own PUT before, which makes a query of the id once its own is forgotten.
      const uri = `${server}/v1/statement/${queryId}/1?slug=stranger${++this.#trespasses}`;
      await this.#probe(uri, "for rows with another slug", [404]);
      await this.#probe(uri, "to cancel with another slug", [404], "DELETE");
      await this.#probe(uri.replace("/1?", "?"), "a PUT with another slug", [409], "PUT");
    }
    const next = run.state === "RUNNING" ? run.results?.nextUri : undefined;
    if (next !== undefined) {
      await this.#probe(
        next.replace(/\/(\d+)\?/, (_, token: string) => `/${Number(token) + 7}?`),
        "a token that does not exist",
        [404],
      );
    }
  }

  /** Asks for the queries of others, and tries to end some, by the rights that it has. */
  async #peek(): Promise<void> {
    const { clock, hooks, server } = this.#options;
    await sleep(clock, "user-peek", trespassMs);
    await this.#ask("GET", `${server}/v1/query`);
    for (const [index, queryId] of hooks.heardOf().slice(-peeksMax).entries()) {
      const uri = `${server}/v1/query/${queryId}`;
      await this.#ask("GET", uri);
      if (index % 2 === 0) {
        await this.#ask("DELETE", uri);
      }
    }
  }

  /** A request in the user's name, without expectations. */
  async #ask(method: "GET" | "DELETE", url: string): Promise<HttpResponse | undefined> {
    const { network, planned } = this.#options;
    try {
      const headers = { "x-engine-user": planned.name };
      return await network.request({ method, url, headers, body: encodeUtf8("") }, { timeoutMs: 30_000, label: "peek" });
    } catch (error) {
      if (!(error instanceof NetworkError)) {
        throw error;
      }
      return undefined;
    }
  }

  #chosen(): { queryId: string; slug: string } {
    this.#number++;
    const name = this.#options.planned.name.replaceAll(/[^a-z0-9]/g, "0");
    return {
      queryId: `20260101_000000_${String(this.#number).padStart(5, "0")}_${name.padStart(5, "x").slice(-5)}`,
      slug: `x${name}${this.#number}`,
    };
  }

  /** The client's network. Every response is observed; submissions by PUT and, for some users, polls are sent twice. */
  #network(): Network {
    const { network, hooks, planned } = this.#options;
    const ask = async (request: HttpRequest, options: RequestOptions): Promise<HttpResponse> => {
      const response = await network.request(request, options);
      hooks.onAnswer(planned.name, request, response);
      return response;
    };
    return {
      selfUri: network.selfUri,
      serve: () => network.serve(() => Promise.reject(new Error("a user serves nothing"))),
      close: () => network.close(),
      request: async (asked, options) => {
        const sized = asked.method === "GET" && planned.targetResultSize !== undefined;
        const request = sized ? { ...asked, url: withParameter(asked.url, `targetResultSize=${planned.targetResultSize}`) } : asked;
        const repeat = async (): Promise<void> => {
          try {
            const second = await ask(request, { ...options, label: `${options.label}-again` });
            hooks.onProbe(planned.name, `the same request again, ${request.method} ${pathOf(request.url)}`, second.status, [200, 503]);
          } catch (error) {
            if (!(error instanceof NetworkError)) {
              throw error;
            }
          }
        };
        if (this.#twice && isAskedAtOnce(request)) {
          const [response] = await Promise.allSettled([ask(request, options), repeat()]);
          if (response.status === "rejected") {
            throw response.reason;
          }
          return response.value;
        }
        const response = await ask(request, options);
        if (response.status === 200 && request.method === "PUT") {
          // The query has progressed by then; the response to its submission must be unchanged.
          for (const pauseMs of submittedAgainMs) {
            await sleep(this.#options.clock, "user-pause", pauseMs);
            await repeat();
          }
        } else if (response.status === 200 && this.#twice && request.method === "GET") {
          await repeat();
        }
        return response;
      },
    };
  }
}

/** Alternates: one token is requested twice at the same time, the next one twice in sequence. */
function isAskedAtOnce({ method, url }: HttpRequest): boolean {
  return method === "GET" && /\/\d*[13579](?:\?|$)/.test(url);
}

/** Columns with their types, and the kind of update if any. */
function shapeOf({ columns, results }: StatementRun): string {
  const written = results?.updateType === undefined ? "" : `; ${results.updateType} ${String(results.updateCount ?? "")}`;
  return `${(columns ?? []).map(({ name, type }) => `${name} ${engineSpelling(type)}`).join(", ")}${written}`;
}

/** The header families spell the same type with different spaces and capitals. */
function isWarnedOfCut({ results }: StatementRun): boolean {
  return results?.warnings?.some(({ message }) => message.endsWith("was canceled: rows may be missing from the result")) === true;
}

function engineSpelling(type: string): string {
  return type.replaceAll(/,(?=\S)/g, ", ").replaceAll(/INTERVAL (?:DAY TO SECOND|YEAR TO MONTH)/g, (text) => text.toLowerCase());
}

function isCancel(behaviour: Behaviour): behaviour is Extract<Behaviour, { kind: "cancels" | "cancels-twice" | "cancels-then-asks" }> {
  return behaviour.kind === "cancels" || behaviour.kind === "cancels-twice" || behaviour.kind === "cancels-then-asks";
}

function nextUriOf(response: HttpResponse): string | undefined {
  const { nextUri } = parseJson(decodeUtf8(response.body)) as { readonly nextUri?: unknown };
  return typeof nextUri === "string" ? nextUri : undefined;
}

/** The path without the slug, which only its own client may know. */
function pathOf(url: string): string {
  return url.replace(/^.*\/v1/, "/v1").replace(/\?.*/, "");
}

function withParameter(url: string, parameter: string): string {
  return `${url}${url.includes("?") ? "&" : "?"}${parameter}`;
}
