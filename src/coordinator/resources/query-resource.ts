/**
 * The query and stage resources: list queries, show one, and end queries and stages (the interface, section 4.4; the rest follows Presto).
 */
import type { HttpResponse } from "../../ports/network.ts";
import { emptyResponse, HttpError, jsonResponse, type Route, type RoutedRequest, route, textResponse } from "../../protocol/http/http.ts";
import { parseStageId } from "../../protocol/query-id.ts";
import { decodeUtf8 } from "../../types/utf8.ts";
import type { Dispatcher } from "../query/dispatcher.ts";
import { killed, preempted } from "../query/failure.ts";
import { withAddresses } from "../history/history-detail.ts";
import type { QueryHistory } from "../history/query-history.ts";
import type { WaitingQueries } from "../recovery/waiting-queries.ts";
import type { FailureInfo } from "../../execution/task/api.ts";
import type { QueryRow } from "../listing/query-row.ts";
import type { BasicQueryInfo } from "../../protocol/documents/query.ts";
import type { Query } from "../query/query.ts";
import { listParameters } from "../listing/list-parameters.ts";
import type { QueryList } from "../listing/query-list.ts";
import { basicQueryInfo } from "../listing/row-documents.ts";
import type { CoordinatorContext } from "../context.ts";
import { requireQueryRight, visibleOwners } from "./request-user.ts";
import { queryInfo } from "../query/query-documents.ts";
import { waitOf } from "../query/query-wait.ts";

export interface QueryResourceOptions {
  readonly dispatcher: Dispatcher;
  readonly queries: QueryList;
  readonly history: QueryHistory | undefined;
  /** Queries of former incarnations; undefined if none are recorded. */
  readonly waiting: WaitingQueries | undefined;
  readonly access: CoordinatorContext["access"];
}

export class QueryResource {
  readonly #dispatcher: Dispatcher;
  readonly #queries: QueryList;
  readonly #history: QueryHistory | undefined;
  readonly #waiting: WaitingQueries | undefined;
  readonly #access: CoordinatorContext["access"];
  readonly routes: readonly Route[] = [
    route("GET", "/v1/query", (request) => this.#list(request)),
    route("GET", "/v1/query/{queryId}", (request) => this.#detail(request)),
    route("DELETE", "/v1/query/{queryId}", (request) => this.#cancel(request)),
    route("PUT", "/v1/query/{queryId}/killed", (request) => this.#kill(request, "killed")),
    route("PUT", "/v1/query/{queryId}/preempted", (request) => this.#kill(request, "preempted")),
    route("DELETE", "/v1/stage/{stageId}", (request) => this.#cancelStage(request)),
    route("DELETE", "/v1/query/stage/{stageId}", (request) => this.#cancelStage(request)),
  ];

  constructor({ access, dispatcher, history, queries, waiting }: QueryResourceOptions) {
    this.#access = access;
    this.#dispatcher = dispatcher;
    this.#history = history;
    this.#queries = queries;
    this.#waiting = waiting;
  }

  async #list(request: RoutedRequest): Promise<HttpResponse> {
    const parameters = listParameters(request.query);
    const { matchCount, rows } = await this.#queries.page(parameters, visibleOwners(request.http.headers, this.#access()));
    const { baseUri } = request.context;
    const list: BasicQueryInfo[] = [];
    for (const row of rows) {
      list.push(basicQueryInfo(row, { baseUri, text: await this.#textOf(row, parameters.preview ?? row.textLength) }));
    }
    return jsonResponse(200, list, { pretty: request.pretty, headers: { "x-total-count": String(matchCount) } });
  }

  /** The history has only the beginning of a statement in memory. */
  async #textOf(row: QueryRow, length: number): Promise<string> {
    const isThere = row.text.length >= Math.min(length, row.textLength);
    const text = isThere ? row.text : ((await this.#history?.detail(row.id))?.query ?? row.text);
    return text.slice(0, length);
  }

  async #detail(request: RoutedRequest): Promise<HttpResponse> {
    const query = this.#find(request);
    const { baseUri } = request.context;
    if (query === undefined) {
      await this.#history?.load();
    }
    const owner = query?.session.user ?? this.#history?.index.find(request.parameters["queryId"] ?? "")?.user;
    if (owner !== undefined) {
      requireQueryRight(request.http.headers, owner, "view", this.#access());
    }
    if (query === undefined) {
      const old = await this.#history?.detail(request.parameters["queryId"] ?? "");
      return old === undefined
        ? textResponse(410, "Query not found")
        : jsonResponse(200, withAddresses(old, baseUri), { pretty: request.pretty });
    }
    const wait = waitOf(query, this.#dispatcher.waitFacts());
    return jsonResponse(200, queryInfo(query, { baseUri, wait }), { pretty: request.pretty });
  }

  /** Answers 204 in every state, also for unknown queries. */
  async #cancel(request: RoutedRequest): Promise<HttpResponse> {
    const failure: FailureInfo = { errorName: "USER_CANCELED", message: "Query was canceled" };
    if ((await this.#failWaiting(request, failure)) !== undefined) {
      return emptyResponse(204);
    }
    const query = this.#find(request);
    this.#requireKill(request, query);
    query?.fail(failure);
    await query?.failureRecorded;
    return emptyResponse(204);
  }

  async #kill(request: RoutedRequest, kind: "killed" | "preempted"): Promise<HttpResponse> {
    const message = decodeUtf8(request.http.body).trim();
    const failure = kind === "killed" ? killed(message) : preempted(message);
    const waiting = await this.#failWaiting(request, failure);
    if (waiting === "had-failed") {
      throw new HttpError(409, `Query has already ended: ${request.parameters["queryId"] ?? ""}`);
    }
    if (waiting === "failed") {
      return emptyResponse(202);
    }
    const query = this.#find(request);
    if (query === undefined) {
      await this.#history?.load();
    }
    if (query === undefined && this.#history?.index.find(request.parameters["queryId"] ?? "") !== undefined) {
      throw new HttpError(409, `Query has already ended: ${request.parameters["queryId"] ?? ""}`);
    }
    if (query === undefined) {
      throw new HttpError(410, "Query not found");
    }
    this.#requireKill(request, query);
    if (query.done) {
      throw new HttpError(409, `Query has already ended: ${query.id}`);
    }
    query.fail(failure);
    await query.failureRecorded;
    return emptyResponse(202);
  }

  /** Ends a query of a former incarnation that waits for its client; undefined if there is none. Throws HttpError 403. */
  async #failWaiting(request: RoutedRequest, failure: FailureInfo): Promise<"failed" | "had-failed" | undefined> {
    const id = request.parameters["queryId"] ?? "";
    const owner = this.#find(request) === undefined ? await this.#waiting?.ownerOf(id) : undefined;
    if (owner === undefined) {
      return undefined;
    }
    requireQueryRight(request.http.headers, owner, "kill", this.#access());
    return this.#waiting?.fail(id, failure);
  }

  /** Ends the stage early; its query continues with the rows it has. Answers 204 also if the stage is unknown or has ended. */
  #cancelStage(request: RoutedRequest): HttpResponse {
    const id = parseStageId(request.parameters["stageId"] ?? "");
    if (id === undefined) {
      throw new HttpError(400, "Stage id is not valid");
    }
    const query = this.#dispatcher.tracker.get(id.queryId);
    this.#requireKill(request, query);
    query?.routed?.cancelStage();
    const execution = query?.execution;
    const stage = execution?.stage(id.stageId);
    if (execution !== undefined && stage !== undefined) {
      execution.cancelStage(stage);
    }
    return emptyResponse(204);
  }

  /** Throws HttpError 403. */
  #requireKill(request: RoutedRequest, query: Query | undefined): void {
    if (query !== undefined) {
      requireQueryRight(request.http.headers, query.session.user, "kill", this.#access());
    }
  }

  #find(request: RoutedRequest): Query | undefined {
    return this.#dispatcher.tracker.get(request.parameters["queryId"] ?? "");
  }
}
