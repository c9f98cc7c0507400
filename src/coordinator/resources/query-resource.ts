/**
 * The query and stage resources: list queries, show one, and end queries and stages (the interface, section 4.4; the rest follows Presto).
 */
import type { HttpResponse } from "../../ports/network.ts";
import { emptyResponse, HttpError, jsonResponse, type Route, type RoutedRequest, route, textResponse } from "../../protocol/http/http.ts";
import { parseStageId } from "../../protocol/query-id.ts";
import { decodeUtf8 } from "../../types/utf8.ts";
import type { Dispatcher } from "../query/dispatcher.ts";
import { killed, preempted } from "../query/failure.ts";
import type { Query } from "../query/query.ts";
import { listParameters } from "../listing/list-parameters.ts";
import type { QueryList } from "../listing/query-list.ts";
import { basicQueryInfo } from "../listing/row-documents.ts";
import { queryInfo } from "../query/query-documents.ts";
import { waitOf } from "../query/query-wait.ts";

export class QueryResource {
  readonly #dispatcher: Dispatcher;
  readonly #queries: QueryList;
  readonly routes: readonly Route[] = [
    route("GET", "/v1/query", (request) => this.#list(request)),
    route("GET", "/v1/query/{queryId}", (request) => this.#detail(request)),
    route("DELETE", "/v1/query/{queryId}", (request) => this.#cancel(request)),
    route("PUT", "/v1/query/{queryId}/killed", (request) => this.#kill(request, "killed")),
    route("PUT", "/v1/query/{queryId}/preempted", (request) => this.#kill(request, "preempted")),
    route("DELETE", "/v1/stage/{stageId}", (request) => this.#cancelStage(request)),
    route("DELETE", "/v1/query/stage/{stageId}", (request) => this.#cancelStage(request)),
  ];

  constructor(dispatcher: Dispatcher, queries: QueryList) {
    this.#dispatcher = dispatcher;
    this.#queries = queries;
  }

  #list(request: RoutedRequest): HttpResponse {
    const parameters = listParameters(request.query);
    const { matchCount, rows } = this.#queries.page(parameters);
    const { baseUri } = request.context;
    const list = rows.map((row) => basicQueryInfo(row, { baseUri, text: row.text.slice(0, parameters.preview) }));
    return jsonResponse(200, list, { pretty: request.pretty, headers: { "x-total-count": String(matchCount) } });
  }

  #detail(request: RoutedRequest): HttpResponse {
    const query = this.#find(request);
    if (query === undefined) {
      return textResponse(410, "Query not found");
    }
    const { baseUri } = request.context;
    const wait = waitOf(query, this.#dispatcher.waitFacts());
    return jsonResponse(200, queryInfo(query, { baseUri, wait }), { pretty: request.pretty });
  }

  /** Answers 204 in every state, also for unknown queries. */
  #cancel(request: RoutedRequest): HttpResponse {
    this.#find(request)?.fail({ errorName: "USER_CANCELED", message: "Query was canceled" });
    return emptyResponse(204);
  }

  #kill(request: RoutedRequest, kind: "killed" | "preempted"): HttpResponse {
    const query = this.#find(request);
    if (query === undefined) {
      throw new HttpError(410, "Query not found");
    }
    if (query.done) {
      throw new HttpError(409, `Query has already ended: ${query.id}`);
    }
    const message = decodeUtf8(request.http.body).trim();
    query.fail(kind === "killed" ? killed(message) : preempted(message));
    return emptyResponse(202);
  }

  /** Ends the stage early; its query continues with the rows it has. Answers 204 also if the stage is unknown or has ended. */
  #cancelStage(request: RoutedRequest): HttpResponse {
    const id = parseStageId(request.parameters["stageId"] ?? "");
    if (id === undefined) {
      throw new HttpError(400, "Stage id is not valid");
    }
    const execution = this.#dispatcher.tracker.get(id.queryId)?.execution;
    const stage = execution?.stage(id.stageId);
    if (execution !== undefined && stage !== undefined) {
      execution.cancelStage(stage);
    }
    return emptyResponse(204);
  }

  #find(request: RoutedRequest): Query | undefined {
    return this.#dispatcher.tracker.get(request.parameters["queryId"] ?? "");
  }
}
