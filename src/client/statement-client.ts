/**
 * The statement client: submits SQL, follows nextUri to the end, cancels, and keeps the session that the answers change (the interface, section 4.1). Used by
 * the command line, by simulated users and by tests. It knows ports and documents, nothing of the engine.
 *
 *   const run = client.submit("SELECT ...");
 *   while (await run.advance()) { use(run.rows); }
 *   run.error // what the query met, if it failed
 */
import type { Clock } from "../ports/clock.ts";
import type { HttpResponse, Network } from "../ports/network.ts";
import { bareRequest, responseText } from "../protocol/http/http.ts";
import type { HeaderFamily } from "../protocol/http/headers.ts";
import { JsonSyntaxError, parseJson } from "../protocol/json.ts";
import { type ColumnDocument, type QueryResults, queryResultsReader, type StatementError } from "../protocol/documents/statement.ts";
import { encodeUtf8 } from "../types/utf8.ts";
import { spooledDataSchema } from "../protocol/documents/spooling.ts";
import { ClientError, refusal, Requester } from "./requester.ts";
import { SegmentReader } from "./segments.ts";
import { type ClientSession, sessionAfter, statementHeaders, submitHeaders, userHeader } from "./session.ts";

export interface StatementClientOptions {
  readonly network: Network;
  readonly clock: Clock;
  /** `http://host:port` */
  readonly server: string;
  readonly session: ClientSession;
  /** Of the headers; `engine` when absent. */
  readonly family?: HeaderFamily;
  /** Encodings of rows that a client of the family `trino` asks for: it gets segments, and reads those of `readableEncodings`. None when absent. */
  readonly queryDataEncodings?: readonly string[];
  /** Of a GET, PUT or DELETE; the server's own long poll is about a second. */
  readonly requestTimeoutMs?: number;
  /** Of a POST, which answers when the query is planned and cannot be asked again. */
  readonly submitTimeoutMs?: number;
  /** How long a refused connection or an overloaded server is tried again for a submission. */
  readonly submitRetryMsMax?: number;
  /** How long a lost connection is tried again while the query runs. */
  readonly pollRetryMsMax?: number;
}

/** With it the submission is a PUT, which can be asked again whatever became of it. */
export interface ChosenQuery {
  readonly queryId: string;
  readonly slug: string;
}

/** A row as it comes: values in the order of the columns, integers beyond 2^53 as bigint. */
export type Row = readonly unknown[];

export type RunState = "READY" | "RUNNING" | "FINISHED" | "FAILED" | "CANCELED";

const defaults = {
  family: "engine" as const,
  requestTimeoutMs: 30_000,
  submitTimeoutMs: 300_000,
  submitRetryMsMax: 10_000,
  pollRetryMsMax: 120_000,
};

export class StatementClient {
  readonly #options: Required<StatementClientOptions>;
  /** As the answers so far have made it; statements submitted from now on carry it. */
  session: ClientSession;

  constructor(options: StatementClientOptions) {
    const queryDataEncodings = options.queryDataEncodings ?? [];
    this.#options = { ...defaults, ...options, queryDataEncodings, server: options.server.replace(/\/+$/, "") };
    this.session = options.session;
  }

  /** Nothing is sent before the first `advance`. */
  submit(sql: string, chosen?: ChosenQuery): StatementRun {
    return new StatementRun(this, this.#options, sql, chosen);
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
  /** The request of `advance` that is going on. */
  #advancing: Promise<boolean> | undefined;
  #canceling: Promise<void> | undefined;

  constructor(client: StatementClient, options: Required<StatementClientOptions>, sql: string, chosen: ChosenQuery | undefined) {
    this.#client = client;
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

  /** The newest document. */
  get results(): QueryResults | undefined {
    return this.#results;
  }

  get queryId(): string | undefined {
    return this.#results?.id ?? this.#chosen?.queryId;
  }

  get columns(): readonly ColumnDocument[] | undefined {
    return this.#columns;
  }

  /** Rows of the newest document only. */
  get rows(): readonly Row[] {
    return this.#rows;
  }

  /** Why the query failed. */
  get error(): StatementError | undefined {
    return this.#results?.error;
  }

  /**
   * Asks for the next document. False when there is none, because the last one was the last or the run was cancelled.
   * Throws ClientError when no document can be had; the run is then over.
   */
  async advance(): Promise<boolean> {
    if (this.#state !== "READY" && this.#state !== "RUNNING") {
      this.#rows = [];
      return false;
    }
    this.#advancing = this.#advance();
    try {
      return await this.#advancing;
    } finally {
      this.#advancing = undefined;
    }
  }

  async #advance(): Promise<boolean> {
    const first = this.#state === "READY";
    this.#state = "RUNNING";
    this.#rows = [];
    try {
      const response = await (first ? this.#ask() : this.#poll());
      this.#client.session = sessionAfter(this.#client.session, response, this.#options.family);
      const results = documentOf(response);
      this.#take(results, await this.#rowsOf(results));
    } catch (error) {
      if (this.#isCanceled()) {
        return false;
      }
      this.#state = "FAILED";
      throw error;
    }
    return !this.#isCanceled();
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
    // A cache or a proxy may mix answers up: rows of another query, or rows that were taken already, must not pass for these.
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
   * Ends the query on the server. `advance` gives false from now on. Resolves when the server knows, or cannot be told; never rejects.
   * Without effect once the run is over.
   */
  cancel(): Promise<void> {
    if (this.#state === "FINISHED" || this.#state === "FAILED") {
      return Promise.resolve();
    }
    this.#canceling ??= this.#cancel();
    return this.#canceling;
  }

  async #cancel(): Promise<void> {
    const submitted = this.#state !== "READY";
    this.#state = "CANCELED";
    this.#rows = [];
    // A submission that was sent is waited for: its answer has the address to cancel at. A poll is not worth waiting for.
    if (this.#results !== undefined || this.#chosen !== undefined) {
      this.#requester.interrupt();
    } else {
      this.#requester.makeLastAttempt();
    }
    await this.#advancing?.catch(() => false);
    const url = this.#cancelUri();
    if (submitted && url !== undefined) {
      await this.#delete(url, "statement-cancel");
    }
  }

  #cancelUri(): string | undefined {
    if (this.#results !== undefined) {
      return this.#results.nextUri;
    }
    return this.#chosen === undefined
      ? undefined
      : `${this.#options.server}/v1/statement/${this.#chosen.queryId}/0?slug=${encodeURIComponent(this.#chosen.slug)}`;
  }

  /** Ends the stage that the server offers to end early: the query goes on with the rows it has. False when it offers none. */
  async cancelLeafStage(): Promise<boolean> {
    const url = this.#results?.partialCancelUri;
    return this.#state === "RUNNING" && url !== undefined && (await this.#delete(url, "statement-partial-cancel"));
  }

  async #delete(url: string, label: string): Promise<boolean> {
    // Not the run's own requester: that one has been interrupted.
    const requester = new Requester({
      network: this.#options.network,
      clock: this.#options.clock,
      retryMsMax: this.#options.submitRetryMsMax,
    });
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

  /** All that is left, to the end. For results that are known to be small. */
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

/** Rows are checked by hand. */
function documentOf(response: HttpResponse): QueryResults {
  const { data, ...rest } = jsonObject(responseText(response));
  const parsed = queryResultsReader.safeParse(rest);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new ClientError("BAD_ANSWER", `The server's answer is not valid: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
  }
  if (data === undefined) {
    return parsed.data;
  }
  const spooled = Array.isArray(data) ? undefined : spooledDataSchema.safeParse(data);
  if (spooled?.success === true) {
    return { ...parsed.data, data: spooled.data };
  }
  if (!Array.isArray(data) || !data.every((row) => Array.isArray(row))) {
    throw new ClientError("BAD_ANSWER", "The server's answer is not valid: data: expected an array of arrays");
  }
  return { ...parsed.data, data };
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
  throw new ClientError("BAD_ANSWER", `The server's answer is not a results document: ${text.slice(0, 200)}`);
}
