/**
 * The catalog resource: `GET /v1/catalog` lists the catalogs of a node. On a worker with `catalog.management=dynamic`, the coordinator
 * assigns catalogs with PUT and takes them away with DELETE; the answer comes after the worker has announced the change.
 */
import type { HttpResponse } from "../ports/network.ts";
import { assignedCatalogSchema } from "../protocol/documents/catalog.ts";
import { QueryError } from "../protocol/errors.ts";
import { emptyResponse, HttpError, jsonResponse, requestDocument, route, type Route, textResponse } from "../protocol/http/http.ts";
import type { DynamicCatalogs } from "./dynamic-catalogs.ts";

export interface CatalogRoutesOptions {
  readonly catalogs: DynamicCatalogs;
  /** False with catalog.management=static. */
  readonly isDynamic: boolean;
  /** Announces this worker with its catalogs. Resolves to true if the coordinator accepted it. */
  readonly announce: () => Promise<boolean>;
}

export function catalogListRoute(catalogs: DynamicCatalogs): Route {
  return route("GET", "/v1/catalog", (request) => jsonResponse(200, catalogs.list(), request));
}

export function assignedCatalogRoutes({ announce, catalogs, isDynamic }: CatalogRoutesOptions): readonly Route[] {
  const requireDynamic = (): void => {
    if (!isDynamic) {
      throw new HttpError(409, "The catalogs of this node are static; set catalog.management=dynamic");
    }
  };
  const announced = async (): Promise<HttpResponse> =>
    (await announce()) ? emptyResponse(204) : textResponse(503, "The coordinator did not accept the announcement");
  return [
    route("PUT", "/v1/catalog/{catalog}", async (request) => {
      requireDynamic();
      const { connectorName: connector, properties, version } = requestDocument(request.http, assignedCatalogSchema);
      answering(() => catalogs.put({ name: request.parameters["catalog"] as string, connector, properties, version }));
      return announced();
    }),
    route("DELETE", "/v1/catalog/{catalog}", async (request) => {
      requireDynamic();
      answering(() => catalogs.drop(request.parameters["catalog"] as string));
      return announced();
    }),
  ];
}

/** Runs a change; an error of the user's becomes a refusal with its message. */
function answering<T>(change: () => T): T {
  try {
    return change();
  } catch (error) {
    throw refusalOf(error);
  }
}

export function refusalOf(error: unknown): unknown {
  if (!(error instanceof QueryError)) {
    return error;
  }
  const status = error.errorName === "ALREADY_EXISTS" ? 409 : error.errorName === "CATALOG_NOT_FOUND" ? 404 : 400;
  return new HttpError(status, error.message);
}
