/**
 * The statement client: submits SQL, follows nextUri to the end, cancels, and applies session changes (the interface, section 4.1). It
 * depends on ports and documents only, not on the engine.
 *
 *   const run = client.submit("SELECT ...");
 *   while (await run.advance()) { use(run.rows); }
 *   run.error // the query's error, if it failed
 */
import { type Clock, sleep } from "../ports/clock.ts";
import type { HttpResponse, Network } from "../ports/network.ts";
import { bareRequest, describeIssue, responseText } from "../protocol/http/http.ts";
import type { HeaderFamily } from "../protocol/http/headers.ts";
import { JsonSyntaxError, parseJson } from "../protocol/json.ts";
import { type ColumnDocument, type QueryResults, queryResultsReader, type StatementError } from "../protocol/documents/statement.ts";
import { encodeUtf8 } from "../types/utf8.ts";
import { spooledDataSchema } from "../protocol/documents/spooling.ts";
import { divideDocument, type RawRows } from "./raw-rows.ts";
import { ClientError, refusal, Requester } from "./requester.ts";
import { SegmentReader } from "./segments.ts";
import {
  type ClientSession,
  sessionAfter,
  type SessionChanges,
  sessionChanges,
  statementHeaders,
  submitHeaders,
  userHeader,
} from "./session.ts";
import { withKnownStates } from "./states.ts";

export interface StatementClientOptions {
  readonly network: Network;
  readonly clock: Clock;
  /** `http://host:port` */
  readonly server: string;
  readonly session: ClientSession;
  /** Header family; `engine` if absent. */
  readonly family?: HeaderFamily;
  /** Segment encodings to request; only for the family `trino`, and only those of `readableEncodings`. None if absent. */
  readonly queryDataEncodings?: readonly string[];
  /** Timeout of a GET, PUT or DELETE, in milliseconds; the server's own long poll takes about a second. */
  readonly requestTimeoutMs?: number;
  /** Timeout of a POST, in milliseconds. Its response comes after planning, and it cannot be repeated. */
  readonly submitTimeoutMs?: number;
  /** How long a submission is retried when the connection is refused or the server is overloaded, in milliseconds. */
  readonly submitRetryMsMax?: number;
  /** How long a lost connection is retried while the query runs, in milliseconds. */
  readonly pollRetryMsMax?: number;
  /** Rows are not read: `rawRows` has them as the server wrote them. Without segments. False if absent. */
  readonly keepsRowsRaw?: boolean;
}

/** Makes the submission a PUT, which can be repeated in any case. */
export interface ChosenQuery {
  readonly queryId: string;
  readonly slug: string;
}

/** A row as received: values in column order, integers beyond 2^53 as bigint. */
export type Row = readonly unknown[];

export type RunState = "READY" | "RUNNING" | "FINISHED" | "FAILED" | "CANCELED";

/** Answers without rows that are normal while a query starts. */
const emptyAnswersMin = 3;
/** Longest pause between two answers without rows, in milliseconds. */
const emptyPauseMsMax = 64;

/** Of an answer that is no document, in the error. */
const shownCharacters = 200;

const defaults = {
  family: "engine" as const,
  requestTimeoutMs: 30_000,
  submitTimeoutMs: 300_000,
  submitRetryMsMax: 10_000,
  pollRetryMsMax: 120_000,
  keepsRowsRaw: false,
};

export class StatementClient {
  readonly #options: Required<StatementClientOptions>;
  /** The session after all responses so far; later statements use it. */
  session: ClientSession;

  constructor(options: StatementClientOptions) {
    const queryDataEncodings = options.queryDataEncodings ?? [];
    this.#options = { ...defaults, ...options, queryDataEncodings, server: options.server.replace(/\/+$/, "") };
    this.session = options.session;
  }

  /** Sends nothing before the first `advance`. */
  submit(sql: string, chosen?: ChosenQuery): StatementRun {
    return new StatementRun(this, this.#options, sql, chosen);
  }

  /** Goes on with a statement that another client has submitted: the first `advance` asks for the document at `nextUri`. */
  resume(sql: string, known: Pick<QueryResults, "id" | "infoUri" | "nextUri" | "stats">): StatementRun {
    return new StatementRun(this, this.#options, sql, undefined, { ...known, warnings: [] });
  }
}

export class StatementRun {
  readonly #client: StatementClient;
  readonly #options: Required<StatementClientOptions>;
  readonly #requester: Requester;
  readonly #chosen: ChosenQuery | undefined;
  readonly #segments: SegmentReader;
  readonly sql: string;
  #state: RunState = "READY";
  #results: QueryResults | undefined;
  #columns: readonly ColumnDocument[] | undefined;
  #rows: readonly Row[] = [];
  #rawRows: RawRows | undefined;
  #changes: SessionChanges | undefined;
  /** The current call of `advance`. */
  #advancing: Promise<boolean> | undefined;
  /** Consecutive answers without rows. */
  #emptyAnswers = 0;
  #canceling: Promise<boolean> | undefined;
  /** Requests of the cancellation. */
  #ending: Requester | undefined;

  constructor(
    client: StatementClient,
    options: Required<StatementClientOptions>,
    sql: string,
    chosen: ChosenQuery | undefined,
    known?: QueryResults,
  ) {
    this.#client = client;
    this.#results = known;
    this.#state = known === undefined ? "READY" : "RUNNING";
    this.#options = options;
    this.#requester = new Requester({ network: options.network, clock: options.clock, retryMsMax: options.pollRetryMsMax });
    this.#chosen = chosen;
    this.#segments = new SegmentReader({
      fetch: (uri, headers) => this.#fetchSegment(uri, headers),
      acknowledge: (uri) => this.#acknowledge(uri),
    });
    this.sql = sql;
  }

  get state(): RunState {
    return this.#state;
  }

  /** The latest document. */
  get results(): QueryResults | undefined {
    return this.#results;
  }

  get queryId(): string | undefined {
    return this.#results?.id ?? this.#chosen?.queryId;
  }

  get columns(): readonly ColumnDocument[] | undefined {
    return this.#columns;
  }

  /** Rows of the latest document only. */
  get rows(): readonly Row[] {
    return this.#rows;
  }

  /** Rows of the latest document only, with `keepsRowsRaw`. */
  get rawRows(): RawRows | undefined {
    return this.#rawRows;
  }

  /** What the latest response has changed in the session. */
  get changes(): SessionChanges | undefined {
    return this.#changes;
  }

  /** The query's error. */
  get error(): StatementError | undefined {
    return this.#results?.error;
  }

  /**
   * Fetches the next document. Returns false if there is none, because the chain has ended or the run was cancelled. Throws ClientError if
   * no document can be fetched; the run is then over.
   */
  async advance(): Promise<boolean> {
    if (this.#state !== "READY" && this.#state !== "RUNNING") {
      this.#dropRows();
      return false;
    }
    this.#advancing = this.#advance();
    try {
      return await this.#advancing;
    } finally {
      this.#advancing = undefined;
    }
  }

  /**
   * `advance` as programs use it. A server that answers at once without rows, instead of waiting for news, is asked less and less often. A
   * query whose answers cannot be used is ended on the server, unless the server no longer knows it.
   */
  async follow(): Promise<boolean> {
    const { clock } = this.#options;
    if (this.#emptyAnswers >= emptyAnswersMin) {
      await sleep(clock, "empty-answers", Math.min(emptyPauseMsMax, 2 ** (this.#emptyAnswers - emptyAnswersMin)));
    }
    try {
      const isMore = await this.advance();
      this.#emptyAnswers = isMore && this.#rows.length === 0 && this.#rawRows === undefined ? this.#emptyAnswers + 1 : 0;
      return isMore;
    } catch (error) {
      const url = this.#cancelUri();
      if (url !== undefined && error instanceof ClientError && error.status !== 404 && error.status !== 410) {
        await this.#delete(url, "statement-cancel");
      }
      throw error;
    }
  }

  async #advance(): Promise<boolean> {
    const first = this.#state === "READY";
    this.#state = "RUNNING";
    this.#dropRows();
    try {
      const response = await (first ? this.#ask() : this.#poll());
      const { family } = this.#options;
      this.#client.session = sessionAfter(this.#client.session, response, family);
      if (this.#options.keepsRowsRaw) {
        const { results, data } = rawDocumentOf(response);
        this.#take(results, []);
        this.#changes = sessionChanges(response, family);
        this.#rawRows = this.#isCanceled() ? undefined : data;
      } else {
        const results = documentOf(responseText(response));
        this.#take(results, await this.#rowsOf(results));
      }
    } catch (error) {
      if (this.#isCanceled()) {
        return false;
      }
      this.#state = "FAILED";
      throw error;
    }
    return !this.#isCanceled();
  }

  #dropRows(): void {
    this.#rows = [];
    this.#rawRows = undefined;
  }

  #isCanceled(): boolean {
    return this.#state === "CANCELED";
  }

  async #ask(): Promise<HttpResponse> {
    const { family, server, requestTimeoutMs, submitTimeoutMs, submitRetryMsMax } = this.#options;
    const encodings = family === "trino" ? this.#options.queryDataEncodings.join(",") : "";
    const asked = encodings === "" ? {} : { "x-trino-query-data-encoding": encodings };
    const headers = { ...submitHeaders(this.#client.session, family), ...asked, "content-type": "text/plain; charset=utf-8" };
    const body = encodeUtf8(this.sql);
    if (this.#chosen === undefined) {
      const request = { method: "POST" as const, url: `${server}/v1/statement`, headers, body };
      return expectDocument(
        await this.#requester.ask(request, {
          label: "statement-submit",
          timeoutMs: submitTimeoutMs,
          idempotent: false,
          retryMsMax: submitRetryMsMax,
        }),
      );
    }
    const url = `${server}/v1/statement/${this.#chosen.queryId}?slug=${encodeURIComponent(this.#chosen.slug)}`;
    const options = { label: "statement-submit", timeoutMs: requestTimeoutMs, idempotent: true };
    return expectDocument(await this.#requester.ask({ method: "PUT", url, headers, body }, options));
  }

  async #poll(): Promise<HttpResponse> {
    const url = this.#results?.nextUri ?? "";
    const request = bareRequest("GET", url, userHeader(this.#client.session.user, this.#options.family));
    const options = { label: "statement-poll", timeoutMs: this.#options.requestTimeoutMs, idempotent: true };
    const response = await this.#requester.ask(request, options);
    if (response.status === 404 || response.status === 410) {
      throw new ClientError("REFUSED", `Query ${this.queryId ?? ""} is gone: the server does not know it any more`, response.status);
    }
    return expectDocument(response);
  }

  async #rowsOf({ data = [] }: QueryResults): Promise<readonly Row[]> {
    return Array.isArray(data) ? data : this.#segments.rows(data);
  }

  async #fetchSegment(uri: string, headers: Readonly<Record<string, readonly string[]>>): Promise<Uint8Array> {
    const options = { label: "segment-fetch", timeoutMs: this.#options.requestTimeoutMs, idempotent: true };
    const response = await this.#requester.ask(bareRequest("GET", uri, headers), options);
    if (response.status !== 200) {
      throw refusal(response);
    }
    return response.body;
  }

  async #acknowledge(uri: string): Promise<void> {
    const options = { label: "segment-acknowledge", timeoutMs: this.#options.requestTimeoutMs, idempotent: true, retryMsMax: 0 };
    try {
      await this.#requester.ask(bareRequest("GET", uri), options);
    } catch (error) {
      if (!(error instanceof ClientError) || error.kind === "INTERRUPTED") {
        throw error;
      }
    }
  }

  #take(results: QueryResults, rows: readonly Row[]): void {
    const before = this.#results;
    // A cache or proxy may mix up responses: rows of another query, or rows that were already taken, must be rejected.
    if (before !== undefined && (results.id !== before.id || (results.nextUri !== undefined && results.nextUri === before.nextUri))) {
      throw new ClientError("BAD_ANSWER", `The server answered ${before.nextUri ?? ""} with a document of another request`);
    }
    this.#results = results;
    this.#columns = results.columns ?? this.#columns;
    if (this.#isCanceled()) {
      return;
    }
    this.#rows = rows;
    if (results.error !== undefined) {
      this.#state = "FAILED";
    } else if (results.nextUri === undefined) {
      this.#state = "FINISHED";
    }
  }

  /**
   * Cancels the query on the server. `advance` returns false from now on. Resolves when the server has been notified or cannot be, which
   * is false: the query may still run then. Never rejects. No effect once the run is over.
   */
  cancel(): Promise<boolean> {
    if (this.#state === "FINISHED" || this.#state === "FAILED") {
      return Promise.resolve(true);
    }
    this.#canceling ??= this.#cancel();
    return this.#canceling;
  }

  async #cancel(): Promise<boolean> {
    const submitted = this.#state !== "READY";
    this.#state = "CANCELED";
    this.#dropRows();
    // Waits for a submission that was sent, because its response has the address for the cancellation. A poll is aborted.
    if (this.#results !== undefined || this.#chosen !== undefined) {
      this.#requester.interrupt();
    } else {
      this.#requester.makeLastAttempt();
    }
    await this.#advancing?.catch(() => false);
    const url = this.#cancelUri();
    // A submission without an answer may have begun a query.
    return !submitted || (url !== undefined && (await this.#delete(url, "statement-cancel")));
  }

  /** `cancel` without waiting for the server: what is under way is aborted. */
  giveUp(): void {
    void this.cancel();
    this.#requester.interrupt();
    this.#ending?.interrupt();
  }

  #cancelUri(): string | undefined {
    if (this.#results !== undefined) {
      return this.#results.nextUri;
    }
    return this.#chosen === undefined
      ? undefined
      : `${this.#options.server}/v1/statement/${this.#chosen.queryId}/0?slug=${encodeURIComponent(this.#chosen.slug)}`;
  }

  /**
   * Ends the stage at the server's partialCancelUri early: the query continues with the rows it has. Returns false if the server offers
   * none.
   */
  async cancelLeafStage(): Promise<boolean> {
    const url = this.#results?.partialCancelUri;
    return this.#state === "RUNNING" && url !== undefined && (await this.#delete(url, "statement-partial-cancel"));
  }

  async #delete(url: string, label: string): Promise<boolean> {
    // The run's own requester has been interrupted.
    const requester = new Requester({
      network: this.#options.network,
      clock: this.#options.clock,
      retryMsMax: this.#options.submitRetryMsMax,
    });
    this.#ending = requester;
    const request = bareRequest("DELETE", url, statementHeaders(this.#client.session, this.#options.family));
    try {
      const response = await requester.ask(request, { label, timeoutMs: this.#options.requestTimeoutMs, idempotent: true });
      return response.status >= 200 && response.status < 300;
    } catch (error) {
      if (error instanceof ClientError) {
        return false;
      }
      throw error;
    }
  }

  /** All remaining rows. For small results only. */
  async collect(): Promise<readonly Row[]> {
    const rows: Row[] = [];
    while (await this.advance()) {
      for (const row of this.#rows) {
        rows.push(row);
      }
    }
    return rows;
  }
}

function expectDocument(response: HttpResponse): HttpResponse {
  if (response.status !== 200) {
    throw refusal(response);
  }
  return response;
}

function rawDocumentOf(response: HttpResponse): { readonly results: QueryResults; readonly data: RawRows | undefined } {
  const divided = divideDocument(response.body);
  if (divided === undefined) {
    const text = responseText(response).slice(0, shownCharacters);
    throw new ClientError("BAD_ANSWER", `The server's answer is not a results document with rows: ${text}`);
  }
  const { data: _null, ...rest } = jsonObject(divided.text);
  return { results: facts(rest), data: divided.data };
}

/** The document without its rows. Throws ClientError. */
function facts(document: Readonly<Record<string, unknown>>): QueryResults {
  const parsed = queryResultsReader.safeParse(document);
  if (parsed.success) {
    return parsed.data;
  }
  const translated = queryResultsReader.safeParse(withKnownStates(document));
  if (translated.success) {
    return translated.data;
  }
  throw new ClientError("BAD_ANSWER", `The server's answer is not valid: ${describeIssue(parsed.error.issues[0])}`);
}

/** Rows are not validated by the schema but below. */
function documentOf(text: string): QueryResults {
  const { data, ...rest } = jsonObject(text);
  const results = facts(rest);
  if (data === undefined) {
    return results;
  }
  const spooled = Array.isArray(data) ? undefined : spooledDataSchema.safeParse(data);
  if (spooled?.success === true) {
    return { ...results, data: spooled.data };
  }
  if (!Array.isArray(data) || !data.every((row) => Array.isArray(row))) {
    throw new ClientError("BAD_ANSWER", "The server's answer is not valid: data: expected an array of arrays");
  }
  return { ...results, data };
}

function jsonObject(text: string): { readonly [key: string]: unknown } {
  try {
    const value = parseJson(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value;
    }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) {
      throw error;
    }
  }
  throw new ClientError("BAD_ANSWER", `The server's answer is not a results document: ${text.slice(0, shownCharacters)}`);
}
