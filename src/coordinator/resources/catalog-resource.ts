/**
 * Creates and drops catalogs of the cluster over HTTP: `POST /v1/catalog` and `DELETE /v1/catalog/{catalog}` do what CREATE CATALOG and
 * DROP CATALOG do.
 */
import { createCatalog, type CatalogStore, dropCatalog } from "../../planner/statements/definition/catalogs.ts";
import { newCatalogSchema } from "../../protocol/documents/catalog.ts";
import type { HttpRequest } from "../../ports/network.ts";
import { emptyResponse, HttpError, requestDocument, route, type Route } from "../../protocol/http/http.ts";
import type { AccessControl } from "../../security/access-control.ts";
import { requestUser } from "./request-user.ts";
import { refusalOf } from "../../worker/catalog-resource.ts";

export function catalogRoutes(store: CatalogStore | undefined, access: () => AccessControl | undefined): readonly Route[] {
  const requireOwner = ({ headers }: HttpRequest, catalog: string, what: "create" | "drop"): void => {
    const rights = access();
    if (rights !== undefined && !rights.canAccessCatalog(requestUser(headers, rights).user, catalog, "own")) {
      throw new HttpError(403, `Access Denied: Cannot ${what} catalog ${catalog}`);
    }
  };
  return [
    route("POST", "/v1/catalog", async (request) => {
      const { catalogName, connectorName, properties = {} } = requestDocument(request.http, newCatalogSchema);
      requireOwner(request.http, catalogName, "create");
      const catalog = { name: catalogName, connector: connectorName, properties, ifNotExists: false };
      await createCatalog(catalog, store).catch(refuse);
      return emptyResponse(204);
    }),
    route("DELETE", "/v1/catalog/{catalog}", async (request) => {
      const name = request.parameters["catalog"] as string;
      requireOwner(request.http, name, "drop");
      await dropCatalog({ name, ifExists: false }, store).catch(refuse);
      return emptyResponse(204);
    }),
  ];
}

function refuse(error: unknown): never {
  throw refusalOf(error);
}
