/** The same cluster for the same tests in both worlds: simulated behind `sim serve`, and a real server with --chaos. */
import { request as httpRequest } from "node:http";
import { calmPlan, serve } from "../../sim/serve/serve.ts";
import { startServer, stopServer } from "../support/programs/server-process.ts";

export interface ChaosWorld {
  readonly uri: string;
  readonly workers: readonly string[];
  readonly isReal: boolean;
  stop(): Promise<void>;
}

async function simulated(): Promise<ChaosWorld> {
  const failures: unknown[] = [];
  const served = await serve({
    plan: calmPlan("7", 2),
    host: "127.0.0.1",
    port: 0,
    speed: 10,
    onFailure: (error) => failures.push(error),
  });
  return {
    uri: served.uri,
    workers: served.cluster.workers,
    isReal: false,
    async stop() {
      await served.close();
      if (failures.length > 0) {
        throw new Error("the simulated world failed", { cause: failures[0] });
      }
    },
  };
}

async function real(): Promise<ChaosWorld> {
  const server = await startServer(["--workers", "2", "--chaos", "7"], {
    environment: { ORRERY_DISCOVERY_ANNOUNCE_INTERVAL: "500ms" },
  });
  return {
    uri: server.uri,
    workers: ["worker-1", "worker-2"],
    isReal: true,
    async stop() {
      await stopServer(server);
    },
  };
}

export const worlds: readonly { readonly name: string; readonly start: () => Promise<ChaosWorld> }[] = [
  { name: "simulated", start: simulated },
  { name: "real", start: real },
];

/** What a client sees of one request. */
export type Seen =
  | { readonly kind: "answer"; readonly status: number; readonly headers: Readonly<Record<string, unknown>>; readonly text: string }
  /** The connection ended early; `bytes` of the body had arrived. */
  | { readonly kind: "broken"; readonly bytes: number; readonly length: number | undefined }
  | { readonly kind: "silent" };

/** One request on a connection of its own. A connection without an answer is given up after `patienceMs`. */
export function ask(
  url: string,
  options: {
    readonly method?: string;
    readonly headers?: Record<string, string>;
    readonly body?: string;
    readonly patienceMs?: number;
  } = {},
): Promise<Seen> {
  const { body, headers = {}, method = body === undefined ? "GET" : "POST", patienceMs } = options;
  return new Promise((resolve) => {
    const request = httpRequest(url, { method, headers: { "x-trino-user": "bob", ...headers }, agent: false }, (response) => {
      const parts: Buffer[] = [];
      const length = response.headers["content-length"];
      const bytes = (): number => parts.reduce((sum, part) => sum + part.length, 0);
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", () => undefined);
      response.on("close", () => {
        const text = Buffer.concat(parts).toString();
        resolve(
          response.complete
            ? { kind: "answer", status: response.statusCode ?? 0, headers: response.headers, text }
            : { kind: "broken", bytes: bytes(), length: length === undefined ? undefined : Number(length) },
        );
      });
    });
    request.on("error", () => resolve({ kind: "broken", bytes: 0, length: undefined }));
    if (patienceMs !== undefined) {
      request.setTimeout(patienceMs, () => {
        resolve({ kind: "silent" });
        request.destroy();
      });
    }
    request.end(body);
  });
}
