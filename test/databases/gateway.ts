/** A server between two clusters of a test, which can be made to fail. */
import { createServer, type IncomingHttpHeaders, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export type Fault = "503" | "reset" | "404" | undefined;

/** Passes requests on. `fault` decides for each, counted from 0, what happens instead. */
export interface Gateway {
  readonly port: number;
  readonly statements: string[];
  readonly seen: { readonly method: string; readonly url: string; readonly headers: IncomingHttpHeaders }[];
  fault: (method: string, number: number) => Fault;
  close(): Promise<void>;
}

export async function gatewayTo(target: string): Promise<Gateway> {
  const seen: { method: string; url: string; headers: IncomingHttpHeaders }[] = [];
  const statements: string[] = [];
  const server: Server = createServer((incoming, outgoing) => {
    const method = incoming.method ?? "GET";
    const fault = gateway.fault(method, seen.push({ method, url: incoming.url ?? "", headers: incoming.headers }) - 1);
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      if (fault === "reset") {
        outgoing.destroy();
        return;
      }
      if (fault !== undefined) {
        outgoing.writeHead(Number(fault)).end();
        return;
      }
      if (method === "POST") {
        statements.push(Buffer.concat(chunks).toString());
      }
      // With the host of the gateway, which the cluster's addresses then have.
      const onward = httpRequest(`${target}${incoming.url}`, { method, headers: incoming.headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(outgoing);
      });
      onward.on("error", () => outgoing.destroy());
      onward.end(Buffer.concat(chunks));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const gateway: Gateway = {
    port: (server.address() as AddressInfo).port,
    statements,
    seen,
    fault: () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return gateway;
}
