/**
 * The statement resource: submit, poll, cancel (the interface, section 4.1; docs/interface.md describes what it leaves open).
 */
import type { HttpRequest, HttpResponse } from "../../ports/network.ts";
import type { Ports } from "../../ports/ports.ts";
import { QueryError } from "../../protocol/errors.ts";
import { displayNames, parseSessionRequest, type SessionRequest } from "../../protocol/http/headers.ts";
import { emptyResponse, HttpError, type Route, type RoutedRequest, route } from "../../protocol/http/http.ts";
import { isQueryId } from "../../protocol/query-id.ts";
import { parseDataSize, parseDurationMs } from "../../protocol/units.ts";
import { parseStatement } from "../../sql/parser/parser.ts";
import { decodeUtf8 } from "../../types/utf8.ts";
import type { CoordinatorContext } from "../context.ts";
import type { Dispatcher } from "../query/dispatcher.ts";
import { Query } from "../query/query.ts";
import type { JournaledQuery } from "../recovery/journal-records.ts";
import type { QueryJournal } from "../recovery/query-journal.ts";
import { resumptionOf } from "../recovery/resumption.ts";
import type { WaitingQueries } from "../recovery/waiting-queries.ts";
import { targetResultBytesMax } from "../results/result-size.ts";
import type { QuerySession } from "../query/session.ts";
import { requestUser } from "./request-user.ts";
import { encodingOf, type Spooling } from "../results/spooling/spooled-rows.ts";
import { defaultPoll, pollWaitMsMax, StatementResults } from "../results/statement-results.ts";

const slugPattern = /^[\w.~-]{1,200}$/;

/** Bytes of the last documents of all ended queries together. */
const lastBytesMax = 32 * 1024 * 1024;

/** Queries that survive the coordinator. */
export interface Recovery {
  readonly journal: QueryJournal;
  readonly waiting: WaitingQueries;
}

export class StatementResource {
  readonly #dispatcher: Dispatcher;
  readonly #ports: Pick<Ports, "clock" | "points">;
  readonly #spooling: Spooling | undefined;
  readonly #access: CoordinatorContext["access"];
  readonly #recovery: Recovery | undefined;
  readonly #results = new Map<string, StatementResults>();
  /** Size of each last document that is kept, oldest first. */
  readonly #lastBytes = new Map<string, number>();
  #lastBytesSum = 0;
  readonly routes: readonly Route[] = [
    route("POST", "/v1/statement", (request) => this.#post(request)),
    route("PUT", "/v1/statement/{queryId}", (request) => this.#put(request)),
    route("GET", "/v1/statement/{queryId}/{token}", (request) => this.#get(request)),
    route("HEAD", "/v1/statement/{queryId}/{token}", (request) => this.#head(request)),
    route("DELETE", "/v1/statement/{queryId}/{token}", (request) => this.#delete(request)),
  ];

  constructor(
    dispatcher: Dispatcher,
    { access, ports, spooling }: Pick<CoordinatorContext, "access" | "ports" | "spooling">,
    recovery: Recovery | undefined,
  ) {
    this.#recovery = recovery;
    this.#access = access;
    this.#dispatcher = dispatcher;
    this.#ports = ports;
    this.#spooling = spooling;
  }

  #post(request: RoutedRequest): Promise<HttpResponse> {
    return this.#submit(request, undefined);
  }

  async #put(request: RoutedRequest): Promise<HttpResponse> {
    const id = request.parameters["queryId"] ?? "";
    const slug = request.query["slug"] ?? "";
    if (!isQueryId(id)) {
      throw new HttpError(400, "Query id may contain only lower case letters, digits and underscores");
    }
    if (!slugPattern.test(slug)) {
      throw new HttpError(400, "Query parameter slug is missing or not valid");
    }
    const known = this.#dispatcher.tracker.get(id) ?? (await this.#resumeFirst(id, slug, sqlOf(request.http)));
    if (known === undefined) {
      if (this.#dispatcher.tracker.wasForgotten(id)) {
        throw forgotten();
      }
      return this.#submit(request, { id, slug });
    }
    const results = this.#resultsOf(known);
    if (known.slug !== slug || known.sql !== sqlOf(request.http) || results.polled) {
      throw new HttpError(409, "Query already exists");
    }
    known.heartbeat();
    return results.first(request.context.baseUri);
  }

  #submit(request: RoutedRequest, chosen: { readonly id: string; readonly slug: string } | undefined): Promise<HttpResponse> {
    const sql = sqlOf(request.http);
    const session = this.#session(request);
    const query = this.#dispatcher.submit({ sql, session, ...(chosen === undefined ? {} : { chosen }) });
    return this.#resultsOf(query).first(request.context.baseUri);
  }

  async #get(request: RoutedRequest): Promise<HttpResponse> {
    const query = this.#known(request) ?? (await this.#resumed(request));
    if (query === "acknowledged") {
      return emptyResponse(410);
    }
    const results = this.#resultsOf(query);
    const { maxWait, targetResultSize } = request.query;
    return results.poll(tokenOf(request), {
      baseUri: request.context.baseUri,
      waitMs: Math.min(pollWaitMsMax, parameter(maxWait, parseDurationMs, "maxWait") ?? defaultPoll.waitMs),
      bytesMax: Math.min(targetResultBytesMax, parameter(targetResultSize, parseDataSize, "targetResultSize") ?? defaultPoll.bytesMax),
    });
  }

  /** Heartbeat of a client that is busy with segments. It neither produces a document nor acknowledges one. */
  async #head(request: RoutedRequest): Promise<HttpResponse> {
    const query = this.#known(request) ?? (await this.#waiting(request));
    tokenOf(request);
    if (query instanceof Query) {
      query.heartbeat();
    }
    return emptyResponse(200);
  }

  async #delete(request: RoutedRequest): Promise<HttpResponse> {
    const found = this.#known(request) ?? (await this.#waiting(request));
    tokenOf(request);
    const query = found instanceof Query ? found : this.#claim(found);
    if (query === undefined) {
      this.#recovery?.journal.end(found.id);
      return emptyResponse(204);
    }
    query.fail({ errorName: "USER_CANCELED", message: "Query was canceled" });
    this.#spooling?.store.dropQuery(query.id);
    this.#dispatcher.tracker.release(query);
    this.#recovery?.journal.end(query.id);
    return emptyResponse(204);
  }

  /** A wrong slug gets the answer of an unknown query, so that it does not reveal which ids exist. Undefined for an unknown query. */
  #known(request: RoutedRequest): Query | undefined {
    const query = this.#dispatcher.tracker.get(request.parameters["queryId"] ?? "");
    if (query !== undefined && request.query["slug"] !== query.slug) {
      throw new HttpError(404, "Query not found");
    }
    return query;
  }

  /** A query of a former incarnation. Throws HttpError 404. */
  async #waiting(request: RoutedRequest): Promise<JournaledQuery | Query> {
    const found = await this.#recovery?.waiting.find(request.parameters["queryId"] ?? "", request.query["slug"]);
    const query = found ?? this.#known(request);
    if (query === undefined) {
      throw new HttpError(404, "Query not found");
    }
    return query;
  }

  async #resumed(request: RoutedRequest): Promise<Query | "acknowledged"> {
    const query = await this.#waiting(request);
    return query instanceof Query ? query : this.#resume(query, tokenOf(request));
  }

  /** A submission repeated with PUT. */
  async #resumeFirst(id: string, slug: string, sql: string): Promise<Query | undefined> {
    const query = await this.#recovery?.waiting.find(id, slug);
    // The client of a former incarnation's query, which has another slug, may come: nobody takes its id.
    const isTaken = query === undefined && (await this.#recovery?.waiting.has(id)) === true;
    const wasOver = (await this.#recovery?.journal.wasOver(id)) === true;
    const known = this.#dispatcher.tracker.get(id);
    if (known === undefined && wasOver) {
      throw forgotten();
    }
    if (known !== undefined || (query === undefined && !isTaken)) {
      return known;
    }
    const resumed = query?.sql === sql ? this.#resume(query, 0) : "acknowledged";
    if (resumed === "acknowledged") {
      throw new HttpError(409, "Query already exists");
    }
    return resumed;
  }

  /** The client of a query of a former incarnation asks for a token. */
  #resume(query: JournaledQuery, token: number): Query | "acknowledged" {
    const { id, session, slug, sql } = query;
    const usesSegments = this.#spooling !== undefined && encodingOf(session.queryDataEncodings, this.#spooling) !== undefined;
    const resumption = resumptionOf(query, token, usesSegments);
    if (resumption === undefined) {
      return "acknowledged";
    }
    return this.#claim(query) ?? this.#dispatcher.submit({ sql, session, chosen: { id, slug }, resumption });
  }

  /**
   * The query waits no longer. Requests that came before the journal was loaded have all found it: returns the query if another one has
   * resumed it. Throws HttpError 404 if another one has canceled it.
   */
  #claim({ id }: JournaledQuery): Query | undefined {
    if (this.#recovery?.waiting.remove(id) === true) {
      return undefined;
    }
    const resumed = this.#dispatcher.tracker.get(id);
    if (resumed === undefined) {
      throw new HttpError(404, "Query not found");
    }
    return resumed;
  }

  #resultsOf(query: Query): StatementResults {
    const known = this.#results.get(query.id);
    if (known !== undefined) {
      return known;
    }
    const journal = this.#recovery?.journal;
    const onLast = (bytes: number): void => {
      journal?.end(query.id);
      this.#keepLast(query.id, bytes);
      this.#dispatcher.tracker.release(query);
      if (query.state === "FAILED") {
        this.#spooling?.store.dropQuery(query.id);
      }
    };
    const results = new StatementResults({ query, ports: this.#ports, spooling: this.#spooling, journal, onLast });
    this.#results.set(query.id, results);
    this.#dispatcher.tracker.listen(query, {
      onExpired: () => {
        results.drop();
        journal?.end(query.id);
      },
      onForgotten: () => this.#forget(query.id),
    });
    query.onEnd(() => {
      if (query.state === "FAILED") {
        this.#spooling?.store.dropQuery(query.id);
      }
    });
    return results;
  }

  /**
   * Keeps the last document for clients that lost the answer. The total of all queries is bounded; the oldest documents are dropped first.
   */
  #keepLast(queryId: string, bytes: number): void {
    this.#lastBytes.set(queryId, bytes);
    this.#lastBytesSum += bytes;
    for (const [oldest, size] of this.#lastBytes) {
      if (this.#lastBytesSum <= lastBytesMax || oldest === queryId) {
        return;
      }
      this.#lastBytes.delete(oldest);
      this.#lastBytesSum -= size;
      this.#results.get(oldest)?.drop();
    }
  }

  #forget(queryId: string): void {
    this.#lastBytesSum -= this.#lastBytes.get(queryId) ?? 0;
    this.#lastBytes.delete(queryId);
    this.#results.delete(queryId);
  }

  #session(request: RoutedRequest): QuerySession {
    const { headers } = request.http;
    const session = parseSessionRequest(headers);
    checkPrepared(session);
    return {
      ...session,
      ...requestUser(headers, this.#access(), session),
      remoteUserAddress: request.context.remoteAddress,
      startMillis: this.#ports.clock.wallMillis(),
    };
  }
}

/** Each prepared statement must parse, even if it is not executed. */
function checkPrepared({ family, preparedStatements }: SessionRequest): void {
  for (const sql of Object.values(preparedStatements)) {
    try {
      parseStatement(sql);
    } catch (error) {
      if (error instanceof QueryError) {
        throw new HttpError(400, `Invalid ${displayNames[family]}Prepared-Statement header: ${error.message}`);
      }
      throw error;
    }
  }
}

function sqlOf(request: HttpRequest): string {
  const sql = decodeUtf8(request.body);
  if (sql.trim() === "") {
    throw new HttpError(400, "SQL statement is empty");
  }
  return sql;
}

function tokenOf(request: RoutedRequest): number {
  const text = request.parameters["token"] ?? "";
  if (!/^\d{1,15}$/.test(text)) {
    throw new HttpError(404, "Unknown token");
  }
  return Number(text);
}

function parameter(text: string | undefined, parse: (text: string) => number | undefined, name: string): number | undefined {
  if (text === undefined || text === "") {
    return undefined;
  }
  const value = parse(text);
  if (value === undefined) {
    throw new HttpError(400, `Query parameter ${name} is not valid: ${text}`);
  }
  return value;
}

/** A statement does not run twice because its client asks twice. */
function forgotten(): HttpError {
  return new HttpError(410, "Query has ended and was forgotten");
}
