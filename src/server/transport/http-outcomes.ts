/**
 * What became of a request, in the terms of the network port. Apart from the client, whose library is loaded by its first request.
 */
import { type Headers, NetworkError, type NetworkErrorKind } from "../../ports/network.ts";

export function lowerCase(headers: Record<string, string | string[] | undefined>): Headers {
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name.toLowerCase(), value]])));
}

export function networkError(
  error: NodeJS.ErrnoException,
  facts: { timedOut: boolean; aborted: boolean; url: string; timeoutMs: number },
): NetworkError {
  // Other servers' answers name addresses that are none.
  const origin = URL.canParse(facts.url) ? new URL(facts.url).origin : "the address";
  if (facts.timedOut) {
    return new NetworkError("TIMEOUT", `no answer from ${origin} within ${facts.timeoutMs} ms`);
  }
  if (facts.aborted) {
    return new NetworkError("ABORTED", "request aborted");
  }
  const kinds: Readonly<Record<string, NetworkErrorKind>> = {
    ECONNREFUSED: "CONNECTION_REFUSED",
    ECONNRESET: "CONNECTION_RESET",
    EPIPE: "CONNECTION_RESET",
    UND_ERR_SOCKET: "CONNECTION_RESET",
    UND_ERR_CLOSED: "CONNECTION_RESET",
    UND_ERR_DESTROYED: "CONNECTION_RESET",
    UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "CONNECTION_RESET",
    UND_ERR_CONNECT_TIMEOUT: "HOST_UNREACHABLE",
    ENOTFOUND: "HOST_UNREACHABLE",
    EAI_AGAIN: "HOST_UNREACHABLE",
    EHOSTUNREACH: "HOST_UNREACHABLE",
    EHOSTDOWN: "HOST_UNREACHABLE",
    ENETDOWN: "HOST_UNREACHABLE",
    ENETUNREACH: "HOST_UNREACHABLE",
    EADDRNOTAVAIL: "HOST_UNREACHABLE",
    ETIMEDOUT: "TIMEOUT",
  };
  const code = error.code ?? (error.cause as NodeJS.ErrnoException | undefined)?.code ?? "";
  return new NetworkError(kinds[code] ?? "PROTOCOL_ERROR", `${origin}: ${error.message}`);
}
