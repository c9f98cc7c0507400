/**
 * The sockets that a node listens on: plain HTTP, HTTPS, or both with the same handler and the same limits.
 */
import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { EdgeLimits } from "../edge/edge.ts";
import type { Tls } from "../security/tls.ts";

/** How long an idle connection is kept, in milliseconds; clients close theirs earlier. */
const keepAliveMs = 75_000;
export const headerBytesMax = 2 * 1024 * 1024;

export interface ListenOptions {
  readonly limits: EdgeLimits;
  readonly handler: RequestListener;
}

export function plainServer({ handler, limits }: ListenOptions): Server {
  return bounded(createServer(serverOptions(limits), handler), limits);
}

/** Serves new connections with new certificates when their files change. */
export function secureServer(tls: Tls, { handler, limits }: ListenOptions): Server {
  const server = createSecureServer(
    {
      ...serverOptions(limits),
      ...tls.context,
      handshakeTimeout: limits.headerMsMax,
      requestCert: tls.requestsCertificates,
      // The gate judges certificates: resources that need none are open to clients without a trusted one.
      rejectUnauthorized: false,
    },
    handler,
  );
  tls.watch(() => server.setSecureContext(tls.context));
  return bounded(server, limits);
}

function serverOptions({ headerMsMax, idleMsMax, requestMsMax }: EdgeLimits): ServerOptions {
  return {
    maxHeaderSize: headerBytesMax,
    headersTimeout: headerMsMax,
    connectionsCheckingInterval: Math.min(1000, headerMsMax),
    keepAliveTimeout: Math.min(keepAliveMs, idleMsMax),
    requestTimeout: requestMsMax,
  };
}

function bounded<S extends Server>(server: S, { idleMsMax }: EdgeLimits): S {
  server.setTimeout(idleMsMax);
  return server;
}

/** Resolves to the port. */
export function listen(server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Connections end at once. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
