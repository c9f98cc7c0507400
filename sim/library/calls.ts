/** Calls between nodes with JSON documents, over the Network port. */
import { NetworkError, type Network } from "../../src/ports/network.ts";
import { decodeUtf8, encodeUtf8 } from "../../src/types/utf8.ts";
import { SimulatedNetwork } from "../world/network.ts";

const timeoutMsDefault = 1_000;

/** Calls `name` of another node. Rejects with a NetworkError if there is no answer, or if the other node's handler failed. */
export async function callNode(
  network: Network,
  to: string,
  call: { readonly name: string; readonly body?: unknown; readonly timeoutMs?: number },
): Promise<unknown> {
  const { name, body = null, timeoutMs = timeoutMsDefault } = call;
  const url = `${SimulatedNetwork.uriOf(to)}/${encodeURIComponent(name)}`;
  const request = { method: "POST" as const, url, headers: {}, body: encodeUtf8(JSON.stringify(body)) };
  const response = await network.request(request, { timeoutMs, label: name });
  if (response.status !== 200) {
    throw new NetworkError("PROTOCOL_ERROR", `${to} answered ${name} with ${response.status}`);
  }
  return documentOf(response.body);
}

/** Serves calls by name. The document that a handler returns is the answer. */
export function serveCalls(network: Network, handlers: Readonly<Record<string, (body: unknown) => unknown>>): Promise<void> {
  return network.serve(async ({ url, body }) => {
    const handler = handlers[decodeURIComponent(url.slice(1))];
    if (handler === undefined) {
      return { status: 404, headers: {}, body: encodeUtf8("") };
    }
    const answer = await handler(documentOf(body));
    return { status: 200, headers: {}, body: encodeUtf8(JSON.stringify(answer ?? null)) };
  });
}

function documentOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeUtf8(bytes)) as unknown;
  } catch (error) {
    throw new NetworkError("PROTOCOL_ERROR", `the body is no document: ${String(error)}`);
  }
}
