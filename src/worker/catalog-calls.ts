/**
 * Calls between the instances of one catalog on different nodes: `POST /v1/catalog/{catalog}/call`, JSON in, and JSON or one page out,
 * between servers only. Connectors use `callNode`, `readNode` and `handleCall`. A call whose answer was lost may have been executed, so
 * handlers must be idempotent.
 */
import { type CallAnswer, type Json, MalformedCall } from "../connectors/spi.ts";
import { Frame } from "../page/frame.ts";
import { sealed } from "../page/serde.ts";
import { type HttpResponse, type Network, NetworkError, noBody } from "../ports/network.ts";
import { QueryError } from "../protocol/errors.ts";
import { pagesMediaType } from "../protocol/documents/task.ts";
import { failure, failureDocument, failureFacts } from "../protocol/documents/fields.ts";
import {
  HttpError,
  jsonRequest,
  jsonResponse,
  requestJson,
  responseHeaderText,
  responseText,
  route,
  type Route,
} from "../protocol/http/http.ts";
import type { ServiceList } from "../protocol/documents/info.ts";
import { parseJson } from "../protocol/json.ts";
import type { ServiceDirectory } from "./service-directory.ts";

/** Returns the call handler of a catalog; undefined if the catalog does not exist or handles no calls. */
export type CallHandler = (catalog: string) => ((request: Json) => Promise<CallAnswer>) | undefined;

export function catalogCallRoutes(handlerOf: CallHandler): readonly Route[] {
  return [
    route("POST", "/v1/catalog/{catalog}/call", async (request) => {
      const catalog = request.parameters["catalog"] as string;
      const handler = handlerOf(catalog);
      if (handler === undefined) {
        throw new HttpError(404, `Catalog ${catalog} takes no calls on this node`);
      }
      try {
        const answer = await handler(requestJson(request.http) as Json);
        return answer instanceof Frame ? pageResponse(answer, request.context.takesLent === true) : jsonResponse(200, { result: answer });
      } catch (error) {
        if (error instanceof MalformedCall) {
          throw new HttpError(400, `The call of catalog ${catalog} is not valid: ${error.message}`);
        }
        if (error instanceof QueryError) {
          const facts = {
            errorName: error.errorName,
            message: error.message,
            ...(error.location === undefined ? {} : { location: error.location }),
          };
          return jsonResponse(200, { error: failureDocument(facts) });
        }
        throw error;
      }
    }),
  ];
}

function pageResponse(frame: Frame, takesLent: boolean): HttpResponse {
  const answer = { status: 200, headers: { "content-type": pagesMediaType } };
  if (takesLent) {
    return { ...answer, body: noBody, lent: [frame] };
  }
  const body = frame.isPooled ? sealed(frame).slice() : sealed(frame);
  frame.release();
  return { ...answer, body };
}

export interface CatalogCall {
  readonly network: Network;
  readonly catalog: string;
  readonly nodeId: string;
  /** `http://host:port` of the node; undefined if it is not known. */
  readonly uri: string | undefined;
  readonly request: Json;
  readonly timeoutMs: number;
}

/** Throws the QueryError of the remote handler, or one that says why the node could not be reached. */
export async function callCatalog(call: CatalogCall): Promise<CallAnswer> {
  const { catalog, nodeId, uri } = call;
  if (uri === undefined) {
    throw new QueryError("REMOTE_HOST_GONE", `Node ${nodeId} is not known`);
  }
  let response: HttpResponse;
  try {
    const request = jsonRequest("POST", `${uri}/v1/catalog/${encodeURIComponent(catalog)}/call`, call.request);
    response = await call.network.request(request, { timeoutMs: call.timeoutMs, label: "catalog-call", takesLent: true });
  } catch (error) {
    if (error instanceof NetworkError) {
      throw new QueryError("REMOTE_HOST_GONE", `Node ${nodeId} cannot be reached: ${error.message}`);
    }
    throw error;
  }
  if (response.status === 200 && responseHeaderText(response, "content-type") === pagesMediaType) {
    return pageOf(response);
  }
  const text = responseText(response);
  if (response.status === 503) {
    // A node under pressure, or one that leaves, takes no calls. The query may run again.
    throw new QueryError("REMOTE_HOST_GONE", `Node ${nodeId} cannot be reached: ${uri} answered 503: ${text}`);
  }
  if (response.status !== 200) {
    throw new QueryError("GENERIC_INTERNAL_ERROR", `Catalog ${catalog} on node ${nodeId} answered ${response.status}: ${text}`);
  }
  const answer = parseJson(text) as { readonly result?: Json; readonly error?: unknown };
  if (answer.error !== undefined) {
    const facts = failureFacts(failure.parse(answer.error));
    throw new QueryError(facts.errorName, facts.message);
  }
  return answer.result ?? null;
}

/**
 * A call by a worker. It asks for the list of services if the node may have joined after the last announcement, if the cluster is too large
 * to list all nodes in the answer, or if the node may have moved to another address.
 */
export async function callByDirectory(
  call: Omit<CatalogCall, "uri">,
  directory: ServiceDirectory,
  services: () => Promise<ServiceList | undefined>,
): Promise<CallAnswer> {
  const refreshed = async (): Promise<string | undefined> => {
    const list = await services();
    if (list !== undefined) {
      directory.update(list);
    }
    return directory.address(call.nodeId);
  };
  const known = directory.address(call.nodeId);
  if (known === undefined) {
    return callCatalog({ ...call, uri: await refreshed() });
  }
  try {
    return await callCatalog({ ...call, uri: known });
  } catch (error) {
    const uri = error instanceof QueryError && error.errorName === "REMOTE_HOST_GONE" ? await refreshed() : known;
    if (uri === undefined || uri === known) {
      throw error;
    }
    return callCatalog({ ...call, uri });
  }
}

function pageOf({ body, lent }: HttpResponse): Frame {
  const [part] = lent ?? [];
  return part === undefined ? new Frame(body, { isForeign: true }) : new Frame(part.bytes, { onFreed: () => part.release() });
}
