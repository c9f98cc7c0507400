/** Requests out of the cluster over the simulated network, which has the addresses of other clusters too. */
import type { Network } from "../../src/ports/network.ts";
import type { Outbound } from "../../src/ports/outbound.ts";

export function outboundOf(network: Network): Outbound {
  return {
    request: (request, options) => network.request(request, options),
    accessKeys: () => Promise.resolve(undefined),
    azureSettings: () => Promise.resolve({}),
    googleCredentials: () => Promise.resolve(undefined),
    rsaSignature: () => Promise.resolve(undefined),
  };
}
