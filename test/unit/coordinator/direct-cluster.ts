/**
 * A coordinator and workers in one process, with direct calls and real time: the whole engine without a server.
 */
import { type KnobValues, knobsOf } from "../../../src/ports/knobs.ts";
import { noPoints } from "../../../src/ports/points.ts";
import { createNode, type NodeOptions, type OrreryNode } from "../../../src/node.ts";
import { nodeConfig } from "../../../src/config.ts";
import type { CatalogConfig } from "../../../src/worker/catalogs.ts";
import type { Ports } from "../../../src/ports/ports.ts";
import type { Headers } from "../../../src/ports/network.ts";
import { noBody } from "../../../src/ports/network.ts";
import { type JsonValue, parseJson } from "../../../src/protocol/json.ts";
import { queryResultsSchema } from "../../../src/protocol/documents/statement.ts";
import { RealClock } from "../../../src/server/ports/clock.ts";
import { SeededRandom } from "../../support/seeded-random.ts";
import { encodeUtf8, decodeUtf8 } from "../../../src/types/utf8.ts";
import { DirectLinks, type DirectNetwork } from "./direct-network.ts";
import { MemoryStorage } from "../../../src/testing/memory-storage.ts";

export interface DirectClusterOptions extends Required<Pick<NodeOptions, "factories">>, Pick<NodeOptions, "planner" | "modules"> {
  /** 0: the coordinator runs all tasks itself. */
  readonly workerCount: number;
  readonly catalogs: readonly CatalogConfig[];
  readonly properties?: Readonly<Record<string, string>>;
  /** Bounds of all nodes. */
  readonly knobs?: KnobValues;
  /** Record neither `transitions` nor `warnings`; for clusters that run tens of thousands of statements. */
  readonly forgetful?: boolean;
}

export interface StatementOutcome {
  readonly documents: readonly Readonly<Record<string, JsonValue>>[];
  readonly rows: readonly (readonly JsonValue[])[];
  readonly columns: readonly string[];
  readonly state: string;
  readonly error: { readonly errorName: string; readonly message: string } | undefined;
  readonly headers: Headers;
}

/** The tables of tests are small, and their stages should have several tasks all the same. */
const smallTables = { "optimizer.min-input-rows-per-task": "1", "query.hash-partition-count": "3" };

const memoryBytes = 256 * 1024 * 1024;

export class DirectCluster {
  readonly links = new DirectLinks();
  readonly nodes: OrreryNode[] = [];
  readonly transitions: string[] = [];
  readonly warnings: string[] = [];
  readonly #client: DirectNetwork = this.links.network("http://client:1");
  readonly #clocks: RealClock[] = [];

  static async start(options: DirectClusterOptions): Promise<DirectCluster> {
    const cluster = new DirectCluster();
    const coordinator = await cluster.#node("coordinator", options, undefined);
    for (let number = 0; number < options.workerCount; number++) {
      await cluster.#node(`worker-${number}`, options, coordinator.selfUri);
    }
    await coordinator.ready();
    return cluster;
  }

  get coordinator(): OrreryNode {
    return this.nodes[0] as OrreryNode;
  }

  /** Ends a statement with more rows than `rowsMax`, once the client has that many. */
  async run(sql: string, headers: Headers = {}, rowsMax = Number.POSITIVE_INFINITY): Promise<StatementOutcome> {
    const first = await this.ask("POST", `${this.coordinator.selfUri}/v1/statement`, sql, { "x-engine-user": "test", ...headers });
    return this.#chain(first, rowsMax);
  }

  /** Follows the chain from an address to its end. */
  async follow(nextUri: string): Promise<StatementOutcome> {
    return this.#chain(await this.ask("GET", nextUri), Number.POSITIVE_INFINITY);
  }

  async #chain(first: Awaited<ReturnType<DirectCluster["ask"]>>, rowsMax: number): Promise<StatementOutcome> {
    const documents: Readonly<Record<string, JsonValue>>[] = [];
    let rowCount = 0;
    let response = first;
    for (;;) {
      if (response.status !== 200) {
        throw new Error(`status ${response.status}: ${response.text}`);
      }
      const document = parseJson(response.text) as Record<string, JsonValue>;
      queryResultsSchema.parse(document);
      documents.push(document);
      const next = document["nextUri"];
      if (typeof next !== "string") {
        break;
      }
      rowCount += ((document["data"] ?? []) as JsonValue[][]).length;
      if (rowCount > rowsMax) {
        await this.ask("DELETE", next);
        break;
      }
      response = await this.ask("GET", next);
    }
    const last = documents.at(-1) ?? {};
    return {
      documents,
      rows: documents.flatMap((document) => (document["data"] ?? []) as JsonValue[][]),
      columns: ((last["columns"] ?? []) as { name: string; type: string }[]).map((column) => `${column.name} ${column.type}`),
      state: (last["stats"] as { state: string }).state,
      error: last["error"] as StatementOutcome["error"],
      headers: response.headers,
    };
  }

  async rows(sql: string, headers: Headers = {}): Promise<StatementOutcome["rows"]> {
    const outcome = await this.run(sql, headers);
    if (outcome.error !== undefined) {
      throw new Error(`${outcome.error.errorName}: ${outcome.error.message}`);
    }
    return outcome.rows;
  }

  async ask(method: "GET" | "POST" | "PUT" | "DELETE", url: string, body: string | Uint8Array = "", headers: Headers = {}) {
    const bytes = typeof body === "string" ? (body === "" ? noBody : encodeUtf8(body)) : body;
    const response = await this.#client.request({ method, url, headers, body: bytes }, { timeoutMs: 30_000, label: "client" });
    return { ...response, text: decodeUtf8(response.body) };
  }

  /** Waits until the coordinator sees exactly this many workers. */
  async untilWorkers(count: number): Promise<void> {
    const { cluster } = this.coordinator;
    while (cluster !== undefined && cluster.activeWorkers().length !== count) {
      await new Promise<void>((resolve) => {
        const stop = cluster.onChange(() => {
          stop();
          resolve();
        });
      });
    }
  }

  /** Waits for messages in flight between nodes: the workers learn of a failed query after its client. */
  async quiet(): Promise<void> {
    for (let round = 0; round < 1000 && this.nodes.some((node) => node.leftovers().tasks > 0); round++) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async close(): Promise<void> {
    for (const node of this.nodes.toReversed()) {
      await node.close();
    }
    for (const clock of this.#clocks) {
      clock.close();
    }
  }

  async #node(nodeId: string, options: DirectClusterOptions, coordinatorUri: string | undefined): Promise<OrreryNode> {
    const clock = new RealClock();
    this.#clocks.push(clock);
    const storage = new MemoryStorage();
    const forgetful = options.forgetful === true;
    const log = (event: string, fields?: object): void => {
      if (!forgetful) {
        this.warnings.push(`${nodeId} ${event} ${JSON.stringify(fields ?? {})}`);
      }
    };
    const ports: Ports = {
      clock,
      network: this.links.network(`http://${nodeId}:1`),
      random: new SeededRandom(nodeId),
      storage,
      openFolder: () => storage,
      log: { info: () => {}, warn: log, error: log },
      points: noPoints,
      ...(options.knobs === undefined ? {} : { knobs: knobsOf(options.knobs) }),
    };
    const identity = {
      nodeId,
      role: coordinatorUri !== undefined ? ("worker" as const) : options.workerCount === 0 ? ("both" as const) : ("coordinator" as const),
      catalogs: options.catalogs,
      ...(coordinatorUri === undefined ? {} : { discoveryUri: coordinatorUri }),
    };
    const config = nodeConfig(identity, { ...smallTables, "node.memory": `${memoryBytes}B`, ...options.properties });
    const node = await createNode(config, ports, {
      factories: options.factories,
      ...(options.planner === undefined ? {} : { planner: options.planner }),
      ...(options.modules === undefined ? {} : { modules: options.modules }),
      ...(forgetful ? {} : { onTransition: (kind, id, from, to) => this.transitions.push(`${kind} ${id} ${from} ${to}`) }),
    });
    this.nodes.push(node);
    return node;
  }
}
