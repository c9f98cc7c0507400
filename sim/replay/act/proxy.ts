/**
 * A proxy in front of one real node that emulates a bad network for single requests and responses: it holds them back, delays them, drops
 * them, or resets the connection before or within a response. It parses HTTP, so it knows the client (from the recorder's header) and the
 * purpose of a request.
 */
import { createServer, type IncomingMessage, request as httpRequest, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { causeHeader } from "../../../src/recording/entries.ts";
import { alwaysAnswered } from "../../faults/ports.ts";
import type { MessageFate } from "../../world/fates.ts";

export interface ProxyFacts {
  /** Name of the node behind the proxy. */
  readonly to: string;
  /** The node's URI in the cluster: `http://127.0.0.2:4711`. */
  readonly uri: string;
}

/** Network conditions shared by all proxies of a cluster. */
export class Weather {
  readonly #cuts = new Map<string, number>();
  readonly #delaysMs = new Map<string, number>();
  readonly #swallowing = new Map<string, number>();
  /** Percentage of requests to each node that are rejected. */
  readonly #turningAway = new Map<string, number>();
  #asked = 0;
  /** Number of rejected requests so far. */
  turnedAway = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #fates: ReadonlyMap<string, readonly MessageFate[]>;
  readonly #counts = new Map<string, number>();
  /** Receives every response of a node, before the network applies a fate to it. */
  onAnswer: (answer: {
    readonly from: string;
    readonly to: string;
    readonly method: string;
    readonly path: string;
    readonly status: number;
  }) => void = () => {};
  /** Receives each fate of the plan's list that was applied. */
  onFate: (fate: MessageFate) => void = () => {};

  constructor(fates: readonly MessageFate[]) {
    const byMessage = new Map<string, MessageFate[]>();
    for (const fate of fates) {
      byMessage.set(fate.message, [...(byMessage.get(fate.message) ?? []), fate]);
    }
    this.#fates = byMessage;
  }

  /** Holds back messages from one node to the other until the returned function is called; then they continue. */
  cut(from: string, to: string): () => void {
    return this.#raise(this.#cuts, `${from}>${to}`);
  }

  /** Accepts connections to the node and never responds. */
  swallow(to: string): () => void {
    return this.#raise(this.#swallowing, to);
  }

  /** Rejects this percentage of requests with the response of an overloaded node. */
  turnAway(to: string, percent: number): () => void {
    this.#turningAway.set(to, percent);
    return () => void this.#turningAway.delete(to);
  }

  turnsAway(to: string, path: string): boolean {
    const percent = this.#turningAway.get(to) ?? 0;
    const hit = percent > 0 && !alwaysAnswered.test(path) && (this.#asked++ * 37) % 100 < percent;
    this.turnedAway += hit ? 1 : 0;
    return hit;
  }

  delay(from: string, to: string, ms: number): () => void {
    const link = `${from}>${to}`;
    this.#delaysMs.set(link, (this.#delaysMs.get(link) ?? 0) + ms);
    return () => void this.#delaysMs.set(link, Math.max(0, (this.#delaysMs.get(link) ?? 0) - ms));
  }

  swallows(to: string): boolean {
    return (this.#swallowing.get(to) ?? 0) > 0;
  }

  /** Resolves when a message may cross the link. */
  async cross(from: string, to: string): Promise<void> {
    const delayMs = this.#delaysMs.get(`${from}>${to}`) ?? 0;
    if (delayMs > 0) {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
    while ((this.#cuts.get(`${from}>${to}`) ?? 0) > 0) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Listed fates of both legs of the next message with that name. */
  fatesOf(from: string, to: string, label: string): { readonly request: readonly MessageFate[]; readonly answer: readonly MessageFate[] } {
    const name = `${from}>${to} ${label}`;
    const ordinal = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, ordinal);
    const leg = (kind: string): readonly MessageFate[] => this.#fates.get(`${name} #${ordinal} ${kind}`) ?? [];
    return { request: leg("request"), answer: leg("answer") };
  }

  #raise(levels: Map<string, number>, key: string): () => void {
    levels.set(key, (levels.get(key) ?? 0) + 1);
    let over = false;
    return () => {
      if (!over) {
        over = true;
        levels.set(key, (levels.get(key) ?? 1) - 1);
        for (const go of this.#waiting.splice(0)) {
          go();
        }
      }
    };
  }
}

/** The label that the engine gives to such a request. */
function labelOf(method: string, path: string): string {
  const [, , room, , what] = path.split("?", 1)[0]?.split("/") ?? [];
  if (room === "task") {
    if (what === "results") {
      return method === "DELETE" ? "exchange-close" : "exchange-fetch";
    }
    const labels: Readonly<Record<string, string>> = { POST: "task-update", DELETE: "task-delete" };
    return what === "status" ? "task-status" : (labels[method] ?? "task-info");
  }
  if (room === "announcement") {
    return method === "DELETE" ? "withdrawal" : "announcement";
  }
  return room === "status" || room === "info" ? "heartbeat" : (room ?? "");
}

export class Proxy {
  readonly facts: ProxyFacts;
  readonly #host: string;
  readonly #port: number;
  readonly #targetPort: number;
  readonly #weather: Weather;
  #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(options: {
    readonly to: string;
    readonly host: string;
    readonly port: number;
    readonly weather: Weather;
    readonly server: Server;
  }) {
    this.#host = options.host;
    this.#port = options.port;
    this.#targetPort = options.port;
    this.#weather = options.weather;
    this.#server = options.server;
    this.facts = { to: options.to, uri: `http://${options.host}:${options.port}` };
  }

  /** Listens on a loopback address of its own; the node listens on the same port of 127.0.0.1. */
  static async start(to: string, host: string, weather: Weather): Promise<Proxy> {
    const server = createServer();
    await listen(server, host, 0);
    const address = server.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    const proxy = new Proxy({ to, host, port, weather, server });
    proxy.#attach(server);
    return proxy;
  }

  get port(): number {
    return this.#port;
  }

  /** Emulates a dead node: refuses new connections and resets open ones. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) {
      socket.resetAndDestroy();
    }
    await closed;
  }

  async open(): Promise<void> {
    const server = createServer();
    this.#server = server;
    this.#attach(server);
    await listen(server, this.#host, this.#port);
  }

  #attach(server: Server): void {
    server.keepAliveTimeout = 120_000;
    server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
      socket.on("error", () => undefined);
    });
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      this.#serve(request, response).catch(() => request.socket.resetAndDestroy());
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { to } = this.facts;
    const cause = request.headers[causeHeader];
    const from = typeof cause === "string" ? cause.replace(/-[0-9a-f]+\/\d+$/, "") : "client";
    const method = request.method ?? "GET";
    const path = request.url ?? "/";
    const body = await readAll(request);
    const fates = this.#weather.fatesOf(from, to, labelOf(method, path));
    const reset = (): void => void request.socket.resetAndDestroy();
    await this.#leg(fates.request, from, to);
    if (this.#weather.swallows(to) || has(fates.request, "lost", "never-answered")) {
      this.#tell(fates.request, "lost", "never-answered");
      return;
    }
    if (has(fates.request, "reset")) {
      this.#tell(fates.request, "reset");
      reset();
      return;
    }
    if (this.#weather.turnsAway(to, path)) {
      response.writeHead(503, { "retry-after": "1", "content-type": "text/plain" }).end("Server is overloaded, try again");
      return;
    }
    if (has(fates.request, "duplicated")) {
      this.#tell(fates.request, "duplicated");
      void this.#forward(request, method, path, body);
    }
    const answer = await this.#forward(request, method, path, body);
    if (answer === undefined) {
      reset();
      return;
    }
    this.#weather.onAnswer({ from, to, method, path, status: answer.status });
    await this.#leg(fates.answer, to, from);
    if (has(fates.answer, "lost")) {
      this.#tell(fates.answer, "lost");
      return;
    }
    if (has(fates.request, "reset-delivered") || has(fates.answer, "reset")) {
      this.#tell(fates.request, "reset-delivered");
      this.#tell(fates.answer, "reset");
      reset();
      return;
    }
    response.writeHead(answer.status, answer.headers);
    if (has(fates.answer, "truncated")) {
      this.#tell(fates.answer, "truncated");
      // Half of the body reaches the client before the connection ends.
      response.write(answer.body.subarray(0, Math.floor(answer.body.length / 2)), () => setTimeout(reset, 20));
      return;
    }
    response.end(answer.body);
  }

  async #leg(fates: readonly MessageFate[], from: string, to: string): Promise<void> {
    const extraNanos = fates.find(({ kind }) => kind === "delayed")?.extraNanos ?? 0;
    if (extraNanos > 0) {
      this.#tell(fates, "delayed");
      await new Promise((resolve) => setTimeout(resolve, extraNanos / 1e6));
    }
    await this.#weather.cross(from, to);
  }

  #tell(fates: readonly MessageFate[], ...kinds: readonly string[]): void {
    for (const fate of fates) {
      if (kinds.includes(fate.kind)) {
        this.#weather.onFate(fate);
      }
    }
  }

  #forward(
    incoming: IncomingMessage,
    method: string,
    path: string,
    body: Buffer,
  ): Promise<{ readonly status: number; readonly headers: IncomingMessage["headers"]; readonly body: Buffer } | undefined> {
    return new Promise((resolve) => {
      const { connection: _connection, "transfer-encoding": _encoding, ...headers } = incoming.headers;
      const outgoing = httpRequest({ host: "127.0.0.1", port: this.#targetPort, method, path, headers, agent: false }, (answer) => {
        readAll(answer).then(
          (bytes) => {
            const { connection: _c, "transfer-encoding": _t, "keep-alive": _k, ...rest } = answer.headers;
            resolve({ status: answer.statusCode ?? 502, headers: { ...rest, "content-length": String(bytes.length) }, body: bytes });
          },
          () => resolve(undefined),
        );
      });
      // The client has disconnected, and the node should be notified.
      const abandon = (): void => void outgoing.destroy();
      incoming.socket.once("close", abandon);
      outgoing.once("close", () => incoming.socket.off("close", abandon));
      outgoing.on("error", () => resolve(undefined));
      outgoing.end(body);
    });
  }
}

function has(fates: readonly MessageFate[], ...kinds: readonly string[]): boolean {
  return fates.some(({ kind }) => kinds.includes(kind));
}

function readAll(stream: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    stream.on("data", (piece: Buffer) => pieces.push(piece));
    stream.on("end", () => resolve(Buffer.concat(pieces)));
    stream.on("aborted", () => reject(new Error("cut off")));
    stream.on("error", reject);
  });
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
