/**
 * W3C Trace Context: the `traceparent` header of clients, and its way to the other nodes. The engine makes no spans; it passes on which
 * trace a request belongs to.
 */
import type { Headers, Network } from "../../ports/network.ts";

const header = "traceparent";
const pattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The value of the header; undefined if it is absent or malformed, which ends the trace, as the standard asks. */
export function traceParentOf(headers: Headers): string | undefined {
  const value = headers[header];
  const text = typeof value === "string" ? value.trim() : undefined;
  return text !== undefined && pattern.test(text) ? text : undefined;
}

export function traceIdOf(traceParent: string | undefined): string | undefined {
  return traceParent === undefined ? undefined : pattern.exec(traceParent)?.[1];
}

/** The network for requests that belong to the trace. */
export function tracedNetwork(network: Network, traceParent: string | undefined): Network {
  if (traceParent === undefined) {
    return network;
  }
  return {
    get selfUri() {
      return network.selfUri;
    },
    get lends() {
      return network.lends === true;
    },
    lendsTo: (uri) => network.lendsTo?.(uri) ?? network.lends === true,
    request: (request, options) => network.request({ ...request, headers: { ...request.headers, [header]: traceParent } }, options),
    serve: (handler) => network.serve(handler),
    close: () => network.close(),
  };
}
