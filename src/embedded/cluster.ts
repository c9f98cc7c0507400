/**
 * A cluster in this process and thread: a coordinator and workers that call each other without sockets. With `http` the coordinator also
 * listens, for clients and drivers. For one node a core, start the server (`npx orrery server`), whose workers are threads.
 */
import { Client, type Query, type QueryOptions, type SessionOptions } from "../client/index.ts";
import {
  type HttpRequest,
  type HttpResponse,
  type Network,
  NetworkError,
  type RequestHandler,
  type RequestOptions,
} from "../ports/network.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ports } from "../ports/ports.ts";
import { RealClock } from "../server/ports/clock.ts";
import type { HttpOptions } from "./http.ts";
import { Links } from "./links.ts";
import { type CommonOptions, httpOf, type Node, type StartedNode, startNode } from "./node.ts";

export interface ClusterOptions extends CommonOptions {
  /** Number of workers; 0, the default, lets the coordinator run the tasks. */
  readonly workers?: number;
  /** Where the coordinator listens. Without it nothing listens: only clients of this process reach the cluster. */
  readonly http?: HttpOptions;
  /** Replace single ports of every node, such as `clock`, `log` and `openFolder`. */
  readonly ports?: Partial<Omit<Ports, "network">>;
}

export interface Cluster extends AsyncDisposable {
  /** Address of the coordinator. It is reachable from outside of this process only with `http`. */
  readonly uri: string;
  /** The coordinator first. */
  readonly nodes: readonly Node[];
  /** The network of a client: its requests reach the nodes of the cluster, and closing it closes the cluster. */
  network(): Network;
  /** A session of its own. */
  client(options?: SessionOptions): Client;
  /** Runs a statement in a session of its own. */
  query(sql: string, options?: SessionOptions & QueryOptions): Query;
  /** Ends all queries and nodes. Idempotent. */
  close(): Promise<void>;
}

const coordinatorId = "coordinator";

/** Nodes of one thread are busy at the same time, so a late heartbeat means nothing. */
const patience = { "failure-detector.heartbeat-timeout": "5m" };

/** Resolves when all workers have joined: statements run at once. */
export async function createCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { workers = 0 } = options;
  if (!Number.isSafeInteger(workers) || workers < 0 || workers > 1000) {
    throw new RangeError(`workers is ${workers}: expected a whole number from 0 to 1000`);
  }
  const links = new Links();
  const started: StartedNode[] = [];
  const closeAll = async (): Promise<void> => {
    // Workers first: they withdraw from a coordinator that is still there.
    for (const { node } of started.toReversed()) {
      await node.close();
    }
  };
  const properties = { ...patience, "query-manager.required-workers": String(Math.max(1, workers)), ...options.properties };
  const common = { ...options, properties, nodesOfProcess: workers + 1 };
  try {
    const identity = { nodeId: coordinatorId, properties, role: "coordinator" } as const;
    const door =
      options.http === undefined ? links.network(addressOf(coordinatorId)) : new Door(await httpOf(options.http, identity), links);
    started.push(await startNode({ ...common, nodeId: coordinatorId, role: workers === 0 ? "both" : "coordinator", network: door }));
    const coordinatorUri = door.selfUri;
    for (let index = 1; index <= workers; index++) {
      const nodeId = `worker-${index}`;
      const network = links.network(addressOf(nodeId));
      started.push(await startNode({ ...common, nodeId, role: "worker", coordinatorUri, network }));
    }
    await started[0]?.node.ready();
    return new RunningCluster(
      links,
      coordinatorUri,
      started.map(({ node }) => node),
      closeAll,
    );
  } catch (error) {
    await closeAll();
    throw error;
  }
}

function addressOf(nodeId: string): string {
  return `http://${nodeId}.orrery:8080`;
}

class RunningCluster implements Cluster {
  readonly uri: string;
  readonly nodes: readonly Node[];
  readonly #links: Links;
  readonly #clock: Clock & { close(): void } = new RealClock();
  readonly #closeAll: () => Promise<void>;
  #closing: Promise<void> | undefined;

  constructor(links: Links, uri: string, nodes: readonly Node[], closeAll: () => Promise<void>) {
    this.#links = links;
    this.uri = uri;
    this.nodes = nodes;
    this.#closeAll = closeAll;
  }

  network(): Network {
    const network = this.#links.network();
    return {
      selfUri: "",
      request: (request, options) => network.request(request, options),
      serve: () => Promise.reject(new NetworkError("PROTOCOL_ERROR", "the network of a client only sends requests")),
      close: async () => {
        await this.close();
        await network.close();
      },
    };
  }

  client(options: SessionOptions = {}): Client {
    return new Client({ network: this.#links.network(), clock: this.#clock, server: this.uri }, options);
  }

  query(sql: string, options: SessionOptions & QueryOptions = {}): Query {
    return this.client(options).query(sql, options);
  }

  close(): Promise<void> {
    this.#closing ??= this.#closeAll().finally(() => this.#clock.close());
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** The coordinator's network: requests to nodes of this thread are calls; the others, and clients, use HTTP. */
class Door implements Network {
  readonly #http: Network;
  readonly #links: Links;
  #inner: Network | undefined;

  constructor(http: Network, links: Links) {
    this.#http = http;
    this.#links = links;
  }

  get selfUri(): string {
    return this.#http.selfUri;
  }

  request(request: HttpRequest, options: RequestOptions): Promise<HttpResponse> {
    return this.#links.has(request.url) ? this.#links.network().request(request, options) : this.#http.request(request, options);
  }

  async serve(handler: RequestHandler): Promise<void> {
    await this.#http.serve(handler);
    this.#inner = this.#links.network(this.#http.selfUri);
    await this.#inner.serve(handler);
  }

  async close(): Promise<void> {
    await this.#inner?.close();
    await this.#http.close();
  }
}
