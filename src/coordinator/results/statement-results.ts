/**
 * The chain of result documents of one query, one per token. The latest document is kept as bytes, so that a request repeated after a lost
 * answer gets the same bytes. A request for token t + 1 acknowledges document t.
 */
import { knobOf, type Knobs } from "../../ports/knobs.ts";
import type { HttpResponse } from "../../ports/network.ts";
import type { Clock } from "../../ports/clock.ts";
import type { FaultPoints } from "../../ports/points.ts";
import { emptyResponse, HttpError, jsonTextResponse } from "../../protocol/http/http.ts";
import { stringifyJson } from "../../protocol/json.ts";
import {
  type ColumnDocument,
  columnDocument,
  type ColumnOptions,
  type QueryResults,
  type StageStatsDocument,
  statementError,
  typeTextsOf,
} from "../../protocol/documents/statement.ts";
import { typeOfText } from "../../connectors/shared/remote/statement/types.ts";
import { decodeUtf8, encodeUtf8 } from "../../types/utf8.ts";
import type { Query } from "../query/query.ts";
import type { QueryJournal } from "../recovery/query-journal.ts";
import { type ChainRules, chainRulesOf } from "./chain-rules.ts";
import { effectHeaders } from "./effect-headers.ts";
import { targetResultBytes } from "./result-size.ts";
import type { TakenRows } from "./rows.ts";
import { parametricDatetime } from "../query/session.ts";
import { encodingOf, SpooledRows, type Spooling } from "./spooling/spooled-rows.ts";
import type { Stage } from "../scheduler/stage.ts";
import { queuedStatistics, statementStatistics } from "../query/query-statistics.ts";

export interface PollOptions {
  readonly baseUri: string;
  /** maxWait, capped by `pollWaitMsMax`. */
  readonly waitMs: number;
  /** targetResultSize */
  readonly bytesMax: number;
}

/** Longest time that a request is held, in milliseconds. */
export const pollWaitMsMax = 1000;
/** Enough for `[[9223372036854775807]]`. */
const updateCountBytesMax = 32;

interface ServedResponse {
  readonly token: number;
  readonly response: HttpResponse;
  /** There is no next token. */
  readonly last: boolean;
}

/** Inputs of one answer. */
interface Facts {
  readonly token: number;
  readonly baseUri: string;
  /** The `data` member. */
  readonly data: Uint8Array | undefined;
  readonly last: boolean;
  readonly stats: QueryResults["stats"];
}

export interface StatementResultsOptions {
  readonly query: Query;
  readonly ports: { readonly clock: Clock; readonly points: FaultPoints; readonly knobs?: Knobs };
  readonly spooling: Spooling | undefined;
  /** Undefined if queries do not survive the coordinator. */
  readonly journal: Pick<QueryJournal, "give"> | undefined;
  /** Called with the size of the last document, in bytes. */
  readonly onLast: (bytes: number) => void;
}

export class StatementResults {
  readonly query: Query;
  readonly #rules: ChainRules;
  /** Defined if the client uses the spooled protocol. */
  readonly #spooled: SpooledRows | undefined;
  /** Number of target sizes that one answer gathers: one per segment, or 1 without segments. */
  readonly #targets: number;
  readonly #clock: Clock;
  readonly #points: FaultPoints;
  /** Extra wait for more rows when some rows are available but not a full response, in milliseconds. */
  readonly #gatherMs: number;
  readonly #onLast: (bytes: number) => void;
  readonly #journal: StatementResultsOptions["journal"];
  /** False once a document has had rows that are not counted. */
  #isKnown: boolean;
  #served: ServedResponse | undefined;
  #first: Promise<HttpResponse> | undefined;
  #pending: { readonly token: number; readonly response: Promise<HttpResponse> } | undefined;
  /**
   * Update count of a statement that writes, set when its row is taken. Later answers repeat it, because clients keep the value of the last
   * answer.
   */
  #updateCount: bigint | undefined;

  constructor({ query, ports, spooling, journal, onLast }: StatementResultsOptions) {
    this.query = query;
    this.#journal = journal;
    this.#isKnown = query.resumption?.hasAll !== true;
    this.#served = formerResponse(query);
    this.#rules = chainRulesOf(query.session.family);
    this.#spooled = spooledRows(query, spooling);
    this.#targets = this.#spooled?.segmentsMax ?? 1;
    this.#clock = ports.clock;
    this.#points = ports.points;
    this.#gatherMs = knobOf(ports, "gather-ms");
    this.#onLast = onLast;
  }

  /** Drops the response that is kept: from now on a repeated request is answered with 410. */
  drop(): void {
    if (this.#served !== undefined) {
      this.#keep({ ...this.#served, response: emptyResponse(410) });
    }
    this.#first = undefined;
  }

  /** True if any document after the initial one was requested. */
  get polled(): boolean {
    return this.#pending !== undefined || (this.#served?.token ?? 0) > 0;
  }

  /** The answer to POST and PUT, token 0. A repeated request gets the same answer, or 410 after the rows were given up. */
  first(baseUri: string): Promise<HttpResponse> {
    if (this.#first === undefined && this.query.resultsExpired) {
      return Promise.resolve(emptyResponse(410));
    }
    this.#first ??= this.query.awaited(this.#makeFirst(baseUri));
    return this.#first;
  }

  /** The answer to GET. 410 for an acknowledged token, 404 for a token that was never issued. */
  poll(token: number, options: PollOptions): Promise<HttpResponse> {
    this.query.heartbeat();
    const served = this.#served;
    if (this.#pending?.token === token) {
      return this.#pending.response;
    }
    if (served === undefined) {
      return token === 0 && this.#first !== undefined ? this.#first : Promise.reject(unknownToken());
    }
    if (token === served.token) {
      return Promise.resolve(served.response);
    }
    if (token < served.token) {
      return Promise.resolve(emptyResponse(410));
    }
    if (token > served.token + 1 || served.last) {
      return Promise.reject(unknownToken());
    }
    if (this.query.resultsExpired) {
      return Promise.resolve(emptyResponse(410));
    }
    const response = this.query.awaited(this.#makeNext(token, options)).finally(() => {
      this.#pending = undefined;
    });
    this.#pending = { token, response };
    return response;
  }

  async #makeFirst(baseUri: string): Promise<HttpResponse> {
    const { query } = this;
    await query.recorded;
    if (this.#rules.beginsQueued) {
      return this.#serve({ token: 0, baseUri, data: undefined, last: false, stats: queuedStatistics });
    }
    const planned = (): boolean => query.initialStatistics !== undefined || query.done;
    await query.changed.waitUntil(planned, { clock: this.#clock, label: "statement-submit", waitMs: pollWaitMsMax });
    await query.transaction?.recorded;
    if (query.failureRecorded !== undefined) {
      await query.failureRecorded;
    }
    const initial = query.initialStatistics;
    // A running query is shown as it was when it began, even if it has ended since: its end belongs to the next document.
    return initial === undefined
      ? this.#serve({ token: 0, baseUri, data: undefined, last: query.done, stats: statementStatistics(query) })
      : this.#serve({ token: 0, baseUri, data: undefined, last: false, stats: initial });
  }

  async #makeNext(token: number, options: PollOptions): Promise<HttpResponse> {
    const { query } = this;
    query.results?.want(options.bytesMax * this.#targets);
    if (!this.#points.fires("statement-poll-at-once")) {
      await this.#waitForNews(options);
    }
    query.heartbeat();
    const failedBefore = query.state === "FAILED";
    const keepsRows = failedBefore || !this.#givesRows() || this.#points.fires("statement-answers-without-rows");
    const bytesMax = this.#points.fires("statement-answers-few-rows") ? 1 : options.bytesMax;
    const countBefore = query.given.rowCount;
    const rows = keepsRows ? undefined : await this.#takeRows({ ...options, bytesMax });
    this.#isKnown &&= rows === undefined || query.given.rowCount > countBefore;
    if (!this.#isLast(rows)) {
      const { checksum, rowCount } = query.given;
      await this.#journal?.give(query.id, { token, rowCount, checksum, isKnown: this.#isKnown });
    }
    // The client learns of a failure once its transaction is aborted in any incarnation.
    await query.transaction?.recorded;
    if (query.failureRecorded !== undefined) {
      // A query that its client knows as failed gives no rows in another incarnation.
      await query.failureRecorded;
    }
    // Making segments takes time, in which the query may have failed or its rows may have been given up.
    if (query.resultsExpired) {
      return emptyResponse(410);
    }
    const failed = query.state === "FAILED";
    const data = failed ? undefined : rows;
    return this.#serve({
      token,
      baseUri: options.baseUri,
      data,
      last: this.#isLast(data),
      stats: statementStatistics(query),
    });
  }

  /** Whether the document with these rows ends the chain. */
  #isLast(data: Uint8Array | undefined): boolean {
    const { done, results, state } = this.query;
    const isDrained = (results?.availableBytes ?? 0) === 0 && !(this.#rules.endsEmpty && data !== undefined);
    return done && (state === "FAILED" || isDrained);
  }

  async #takeRows({ baseUri, bytesMax }: PollOptions): Promise<Uint8Array | undefined> {
    const { query } = this;
    const take = (wanted: number): TakenRows | undefined => {
      const rows = query.results?.takeRows(wanted);
      this.#updateCount ??= updateCountOf(query, rows?.json);
      return rows;
    };
    if (this.#spooled === undefined) {
      return take(bytesMax)?.json;
    }
    const data = await this.#spooled.data((wanted) => take(Math.min(wanted, bytesMax)), { baseUri });
    return data === undefined ? undefined : encodeUtf8(stringifyJson(data));
  }

  /** If the last answer must carry rows, a complete result waits for the end of the query. */
  #givesRows(): boolean {
    const { done, results } = this.query;
    return done || (results !== undefined && (this.#rules.endsEmpty || !results.complete));
  }

  /**
   * Waits until the query has ended, a full response is available, or the time is over. A response with some rows waits a little longer for
   * more.
   */
  async #waitForNews(options: PollOptions): Promise<void> {
    const { query } = this;
    const available = (): number => (this.#givesRows() ? (query.results?.availableBytes ?? 0) : 0);
    const full = (): boolean =>
      query.done || available() >= options.bytesMax * this.#targets || (available() > 0 && query.results?.isWhole === true);
    const begun = (): boolean => query.done || available() > 0;
    const started = this.#clock.monotonicNanos();
    const leftMs = (): number => options.waitMs - (this.#clock.monotonicNanos() - started) / 1e6;
    do {
      await query.changed.waitUntil(begun, { clock: this.#clock, label: "statement-poll", waitMs: leftMs() });
      await query.changed.waitUntil(full, { clock: this.#clock, label: "statement-gather", waitMs: Math.min(leftMs(), this.#gatherMs) });
      // Rows that were there are gone if the query runs again meanwhile.
    } while (!begun() && leftMs() > 0);
  }

  #serve(facts: Facts): HttpResponse {
    const document = this.#document(facts);
    const body = withData(encodeUtf8(stringifyJson(document)), facts.data);
    const begins = facts.token === 0 && this.#rules.beginsQueued;
    const response = jsonTextResponse(200, body, begins ? {} : effectHeaders(this.query));
    if (facts.token > 0) {
      // A client that has polled asks for the first response no more.
      this.#first = undefined;
    }
    this.#keep({ token: facts.token, response, last: facts.last });
    if (facts.last) {
      this.#onLast(response.body.length);
    }
    return response;
  }

  #keep(served: ServedResponse): void {
    this.#served = served;
    this.query.servedBytes = served.response.body.length;
  }

  #document(facts: Facts): QueryResults {
    const { query } = this;
    const { baseUri, last, token } = facts;
    const uris = { id: query.id, infoUri: `${baseUri}/v1/query/${query.id}` };
    const nextUri = `${baseUri}/v1/statement/${query.id}/${token + 1}?slug=${query.slug}`;
    if (token === 0 && this.#rules.beginsQueued) {
      return { ...uris, nextUri, stats: facts.stats, warnings: [...query.warnings] };
    }
    // Only the document with the last rows says FINISHED.
    const stats = facts.stats.state === "FINISHED" && !last ? { ...facts.stats, state: "FINISHING" as const } : facts.stats;
    // The first response shows the query as it was when it began.
    const cancelable = last ? undefined : cancelableStageId(query, { asBegun: facts.stats === query.initialStatistics });
    const updateCount = this.#updateCount ?? query.routed?.updateCount;
    const options = { family: query.session.family, typeTexts: typeTextsOf(query.session.family, parametricDatetime(query.session)) };
    return {
      ...uris,
      ...(cancelable === undefined ? {} : { partialCancelUri: `${baseUri}/v1/stage/${cancelable}` }),
      ...(last ? {} : { nextUri }),
      ...(query.columns === undefined ? {} : { columns: columnsOf(query, options) }),
      stats,
      ...(last && query.failure !== undefined ? { error: statementError(query.failure, query.session.family) } : {}),
      warnings: [...query.warnings],
      ...(query.updateType === undefined ? {} : { updateType: query.updateType }),
      ...(updateCount === undefined ? {} : { updateCount }),
    };
  }
}

/** A client that comes from a former incarnation has acknowledged all tokens before its own. */
function formerResponse({ resumption }: Query): ServedResponse | undefined {
  const token = (resumption?.token ?? 0) - 1;
  return token < 0 ? undefined : { token, response: emptyResponse(410), last: false };
}

/** Update count of a statement that writes: the only cell of its only row. */
function updateCountOf(query: Query, rows: Uint8Array | undefined): bigint | undefined {
  if (query.updateType === undefined || rows === undefined || rows.length > updateCountBytesMax) {
    return undefined;
  }
  const count = /^\[\[(\d+)\]\]$/.exec(decodeUtf8(rows))?.[1];
  return count === undefined ? undefined : BigInt(count);
}

/** Returns undefined if the client does not ask for segments, or only in encodings that the coordinator does not support. */
function spooledRows({ id, session }: Query, spooling: Spooling | undefined): SpooledRows | undefined {
  const encoding = spooling === undefined ? undefined : encodingOf(session.queryDataEncodings, spooling);
  return spooling === undefined || encoding === undefined ? undefined : new SpooledRows(spooling, { id, encoding });
}

function unknownToken(): HttpError {
  return new HttpError(404, "Unknown token");
}

/** Those of another cluster are as it spells them, if the client has the same protocol or the engine does not have the type. */
function columnsOf({ columns = [], routed }: Query, options: ColumnOptions): ColumnDocument[] {
  const isForeign = routed !== undefined && routed.family !== options.family;
  return columns.map(({ name, type }, index) => {
    const given = routed?.columns?.[index];
    return given === undefined || (isForeign && typeOfText(given.type) !== undefined) ? columnDocument(name, type, options) : given;
  });
}

function cancelableStageId(query: Query, options: { readonly asBegun: boolean }): string | undefined {
  const { id, routed } = query;
  if (routed !== undefined) {
    const stage = options.asBegun ? firstLeaf(query.initialStatistics?.rootStage) : routed.cancelableStage;
    return stage === undefined ? undefined : `${id}.${stage}`;
  }
  return cancelableStage(query, options)?.stageId;
}

function firstLeaf(root: StageStatsDocument | undefined): string | undefined {
  let stage = root;
  while (stage?.subStages[0] !== undefined) {
    stage = stage.subStages[0];
  }
  return stage?.stageId;
}

/** The deepest running stage, leftmost first. Ending it ends the query with the rows it has. */
function cancelableStage(query: Query, { asBegun }: { readonly asBegun: boolean }): Stage | undefined {
  const { execution } = query;
  if (execution === undefined) {
    return undefined;
  }
  let stage = execution.root;
  for (;;) {
    const next = execution.childrenOf(stage).find((child) => asBegun || !child.done);
    if (next === undefined) {
      return stage.done && !asBegun ? undefined : stage;
    }
    stage = next;
  }
}

/** Appends `data` as the last member. */
function withData(document: Uint8Array, data: Uint8Array | undefined): Uint8Array {
  if (data === undefined) {
    return document;
  }
  const name = encodeUtf8(',"data":');
  const body = new Uint8Array(document.length + name.length + data.length);
  const end = document.length - 1;
  body.set(document.subarray(0, end));
  body.set(name, end);
  body.set(data, end + name.length);
  body.set(document.subarray(end), end + name.length + data.length);
  return body;
}

export const defaultPoll: Omit<PollOptions, "baseUri"> = Object.freeze({
  waitMs: pollWaitMsMax,
  bytesMax: targetResultBytes,
});
