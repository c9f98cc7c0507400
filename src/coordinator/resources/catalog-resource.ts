/**
 * Creates and drops catalogs of the cluster over HTTP: `POST /v1/catalog` and `DELETE /v1/catalog/{catalog}` do what CREATE CATALOG and
 * DROP CATALOG do.
 */
import { createCatalog, type CatalogStore, dropCatalog } from "../../planner/statements/definition/catalogs.ts";
import { newCatalogSchema } from "../../protocol/documents/catalog.ts";
import { emptyResponse, requestDocument, route, type Route } from "../../protocol/http/http.ts";
import { refusalOf } from "../../worker/catalog-resource.ts";

export function catalogRoutes(store: CatalogStore | undefined): readonly Route[] {
  return [
    route("POST", "/v1/catalog", async (request) => {
      const { catalogName, connectorName, properties = {} } = requestDocument(request.http, newCatalogSchema);
      const catalog = { name: catalogName, connector: connectorName, properties, ifNotExists: false };
      await createCatalog(catalog, store).catch(refuse);
      return emptyResponse(204);
    }),
    route("DELETE", "/v1/catalog/{catalog}", async (request) => {
      await dropCatalog({ name: request.parameters["catalog"] as string, ifExists: false }, store).catch(refuse);
      return emptyResponse(204);
    }),
  ];
}

function refuse(error: unknown): never {
  throw refusalOf(error);
}
