/** Requests to one cluster, with its credentials. */
import { type HttpRequest, type HttpResponse, type Network, NetworkError, type RequestOptions } from "../../ports/network.ts";
import type { Outbound, OutboundTls } from "../../ports/outbound.ts";
import type { DatabaseAddress } from "../../ports/databases.ts";
import { encodeBase64 } from "../../types/base64.ts";
import { encodeUtf8 } from "../../types/utf8.ts";

/** Bytes of one answer. Clusters send a few megabytes, unless a single row is longer. */
const answerBytesMax = 64 * 1024 * 1024;

/** `http://host:port` */
export function originOf({ host, port, tls }: DatabaseAddress): string {
  return `${tls.mode === "disable" ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Credentials go to the address of the cluster alone, wherever its answers point. */
export function clusterNetwork(outbound: Outbound, address: DatabaseAddress): Network {
  const { user, password, tls } = address;
  const own = `${originOf(address)}/`;
  const checks: OutboundTls = {
    verifies: tls.mode !== "require",
    ...(tls.rootCertificate !== undefined && { rootCertificate: tls.rootCertificate }),
  };
  const authorization = user === undefined ? undefined : `Basic ${encodeBase64(encodeUtf8(`${user}:${password ?? ""}`))}`;
  return {
    selfUri: "",
    request: (request: HttpRequest, options: RequestOptions): Promise<HttpResponse> => {
      const isOwn = authorization !== undefined && request.url.startsWith(own);
      return outbound.request(isOwn ? { ...request, headers: { ...request.headers, authorization } } : request, {
        ...options,
        bodyBytesMax: answerBytesMax,
        ...(tls.mode !== "disable" && { tls: checks }),
      });
    },
    serve: () => Promise.reject(new NetworkError("PROTOCOL_ERROR", "this network only sends requests")),
    close: () => Promise.resolve(),
  };
}
