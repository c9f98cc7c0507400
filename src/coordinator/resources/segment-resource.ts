/**
 * The resource of the spooled protocol: clients fetch segments and acknowledge them, at the addresses of Trino's coordinator.
 */
import type { HttpResponse } from "../../ports/network.ts";
import { emptyResponse, HttpError, type Route, type RoutedRequest, route } from "../../protocol/http/http.ts";
import { segmentPath } from "../../protocol/documents/spooling.ts";
import { StorageError } from "../../ports/storage.ts";
import type { SegmentStore } from "../results/spooling/segment-store.ts";

export function segmentRoutes(store: SegmentStore): readonly Route[] {
  const idOf = (request: RoutedRequest): string => request.parameters["id"] ?? "";
  return [
    route("GET", `${segmentPath}/download/{id}`, (request) => download(store, idOf(request))),
    // A repeated acknowledgement succeeds, because the first answer may have been lost.
    route("GET", `${segmentPath}/ack/{id}`, (request) => {
      store.acknowledge(idOf(request));
      return emptyResponse(200);
    }),
  ];
}

async function download(store: SegmentStore, id: string): Promise<HttpResponse> {
  let body: Uint8Array | undefined;
  try {
    body = await store.read(id);
  } catch (error) {
    if (error instanceof StorageError) {
      throw new HttpError(500, "Segment cannot be read");
    }
    throw error;
  }
  if (body === undefined) {
    throw new HttpError(404, "Segment not found");
  }
  return { status: 200, headers: { "content-type": "application/octet-stream", "x-content-type-options": "nosniff" }, body };
}
