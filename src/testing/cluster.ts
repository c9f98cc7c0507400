/**
 * A cluster for tests: a coordinator and workers in this process, ready to answer, with faults on demand.
 *
 *   await using cluster = await withCluster({ workers: 2 });
 *   const { rows } = await cluster.query("SELECT count(*) FROM tpch.tiny.nation");
 */
import "./dispose.ts";
import { KernelModuleCache } from "../codegen/runtime.ts";
import type { HttpMethod } from "../ports/network.ts";
import type { Log } from "../ports/ports.ts";
import { RealClock } from "../server/ports/clock.ts";
import type { RealNetwork } from "../server/transport/network.ts";
import { Chaos, type ChaosRule, type Fault } from "./chaos.ts";
import { clientPlace, Fabric } from "./fabric.ts";
import type { FetchResponse } from "./globals.ts";
import { type LoadOptions, loadStatements, type Rows } from "./load.ts";
import { socketsOn, TestNode } from "./node.ts";
import { type ClusterOptions, resolveOptions } from "./options.ts";
import { type QueryOptions, type QueryResult, runQuery, type Sender } from "./query.ts";
import { type Tape, tapeOf } from "./tape.ts";
import { Timers } from "./timers.ts";

const coordinatorName = "coordinator";

export interface PartitionOptions {
  /** The places that are cut off from the others; all other nodes if absent. `client` is none of them unless it is named. */
  readonly from?: string | readonly string[];
  /** Only messages from the first group are lost; those in the other direction arrive. */
  readonly oneWay?: boolean;
}

export interface SlowOptions {
  /** The node works this many times slower. */
  readonly factor?: number;
  /** Every message from and to the node takes this much longer, in milliseconds. */
  readonly delayMs?: number;
}

const readyTimeoutMsUsual = 30_000;
const pollMs = 1;

export class Cluster implements AsyncDisposable {
  readonly #options: ClusterOptions;
  readonly #timers = new Timers();
  readonly #chaos: Chaos;
  readonly #fabric: Fabric;
  readonly #nodes: ReadonlyMap<string, TestNode>;
  readonly #faults = new Set<Fault>();
  readonly #clientClock = new RealClock();
  /** Sockets of `query` and `fetch`; undefined without HTTP. */
  readonly #clientSockets: RealNetwork | undefined;
  readonly #rules: readonly ChaosRule[];
  #closing: Promise<void> | undefined;

  /** Resolves after a query has run on a worker and has come back by way of the client. */
  static async start(options: ClusterOptions): Promise<Cluster> {
    const cluster = new Cluster(options);
    try {
      await cluster.#start();
    } catch (error) {
      await cluster.close();
      throw error;
    }
    return cluster;
  }

  private constructor(options: ClusterOptions) {
    const { workerNames, catalogs, factories, properties, chaos } = resolveOptions(options);
    const names = [coordinatorName, ...workerNames];
    const http = options.http ?? true;
    this.#options = options;
    this.#rules = chaos;
    this.#chaos = new Chaos({ places: [clientPlace, ...names], seed: options.seed ?? 1 });
    chaos.forEach((rule) => this.#checkRule(rule));
    this.#fabric = new Fabric(this.#chaos, this.#timers);
    this.#clientSockets = http ? socketsOn(0) : undefined;
    const modules = new KernelModuleCache();
    this.#nodes = new Map(
      names.map((name) => {
        const role = name !== coordinatorName ? "worker" : workerNames.length === 0 ? "both" : "coordinator";
        const log = this.#log(name);
        const queryRouting = name === coordinatorName ? options.queryRouting : undefined;
        const shared = {
          queryRouting,
          catalogs,
          factories,
          properties,
          modules,
          http,
          fabric: this.#fabric,
          records: options.record ?? false,
        };
        return [name, new TestNode({ ...shared, name, role, log, points: this.#chaos.pointsOf(name) })] as const;
      }),
    );
  }

  /** Address of the coordinator: `http://127.0.0.1:PORT`. Without HTTP, an address that only `fetch` reaches. */
  get uri(): string {
    return this.#coordinator.uri;
  }

  /** Names of the workers: `worker-1` and so on. */
  get workers(): readonly string[] {
    return [...this.#nodes.keys()].filter((name) => name !== coordinatorName);
  }

  /** Names of the workers that the coordinator uses now. */
  get activeWorkers(): readonly string[] {
    return (this.#coordinator.node?.cluster?.activeWorkers() ?? []).map(({ nodeId }) => nodeId);
  }

  /** Address of a node. */
  uriOf(name: string): string {
    return this.#node(name).uri;
  }

  /** Runs a statement to its end. Rejects with QueryFailedError if the query fails, with ClientError if the server cannot be reached. */
  query(sql: string, options: QueryOptions = {}): Promise<QueryResult> {
    return runQuery(sql, options, this.#sender());
  }

  /**
   * Creates a table and fills it: `load("memory.default.t", [{ id: 1n, name: "a" }])`. Types of columns follow from the values: BIGINT for
   * bigint and whole numbers, DOUBLE, VARCHAR, BOOLEAN, TIMESTAMP(3) for Date, VARBINARY for Uint8Array; `types` names others.
   */
  async load(table: string, rows: Rows, options: LoadOptions = {}): Promise<void> {
    for (const sql of loadStatements(table, rows, options)) {
      await this.query(sql);
    }
  }

  /** A request to the coordinator as fetch() makes it, also without HTTP: `fetch("/v1/query")`. */
  async fetch(
    path: string,
    init: { readonly method?: HttpMethod; readonly headers?: Record<string, string>; readonly body?: string } = {},
  ): Promise<FetchResponse> {
    const { network } = this.#sender();
    const { method = "GET", headers = {}, body = "" } = init;
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const url = new URL(path, this.uri).href;
    const request = { method, url, headers: lower, body: new TextEncoder().encode(body) };
    const response = await network.request(request, { timeoutMs: 60_000, label: "http" });
    const sent = Object.entries(response.headers).flatMap(([name, value]) =>
      (typeof value === "string" ? [value] : value).map((one): [string, string] => [name, one]),
    );
    const hasBody = response.body.length > 0;
    return new Response(hasBody ? new Uint8Array(response.body) : null, { status: response.status, headers: sent });
  }

  /** Crashes a node, as SIGKILL would: it sends nothing more, and connections to it are refused. Tables in its memory are lost. */
  async kill(name: string): Promise<void> {
    await this.#node(name).kill();
  }

  /** Shuts a node down as SIGTERM does: it takes no new work, finishes what runs within `graceMs` and leaves. */
  async shutdown(name: string, options: { readonly graceMs?: number } = {}): Promise<void> {
    await this.#node(name).shutdown(options.graceMs ?? 30_000);
  }

  /** Starts a node again at its former address, after a crash if it runs. Resolves when the coordinator uses it. */
  async restart(name: string): Promise<void> {
    const node = this.#node(name);
    await node.kill();
    await node.start(name === coordinatorName ? undefined : this.uri);
    await this.#until(() => (name === coordinatorName ? this.#hasLiveWorkers() : this.#isUsed(node)), `${name} is not used again`);
  }

  /** Cuts nodes off: messages from and to them are lost without a notice, until the fault is healed. */
  partition(nodes: string | readonly string[], options: PartitionOptions = {}): Fault {
    const inside = typeof nodes === "string" ? [nodes] : nodes;
    const { from, oneWay = false } = options;
    const outside = from === undefined ? [...this.#nodes.keys()] : typeof from === "string" ? [from] : from;
    for (const name of [...inside, ...outside]) {
      this.#checkPlace(name);
    }
    const cuts = inside.flatMap((one) =>
      outside
        .filter((other) => !inside.includes(other))
        .flatMap((other) => [this.#fabric.cut(one, other), ...(oneWay ? [] : [this.#fabric.cut(other, one)])]),
    );
    return this.#fault(() => cuts.forEach((undo) => undo()));
  }

  /** Makes a node slow: its work by a factor, its messages by a delay. */
  slow(name: string, { factor = 1, delayMs = 0 }: SlowOptions): Fault {
    const node = this.#node(name);
    if (!(factor >= 1 && delayMs >= 0 && (factor > 1 || delayMs > 0))) {
      throw new TypeError("expected a 'factor' above 1 or a positive 'delayMs'");
    }
    const others = [clientPlace, ...this.#nodes.keys()].filter((other) => other !== name);
    const links =
      delayMs === 0 ? [] : others.flatMap((other) => [this.#fabric.slow(name, other, delayMs), this.#fabric.slow(other, name, delayMs)]);
    node.slowness *= factor;
    return this.#fault(() => {
      node.slowness /= factor;
      links.forEach((undo) => undo());
    });
  }

  /** Puts a rule in force. Throws a TypeError for a rule that can never match. */
  chaos(rule: ChaosRule): Fault {
    this.#checkRule(rule);
    const fault = this.#chaos.add(rule);
    this.#faults.add(fault);
    return fault;
  }

  /** Ends all faults. Nodes that were killed stay dead. */
  heal(): void {
    for (const fault of Array.from(this.#faults)) {
      fault.heal();
    }
    this.#faults.clear();
  }

  /** Resolves when the node has a running task, so that a fault hits it at work. Rejects after `timeoutMs`. */
  async working(name: string, options: { readonly timeoutMs?: number } = {}): Promise<void> {
    const node = this.#node(name);
    await this.#until(() => (node.node?.leftovers().liveTasks ?? 0) > 0, `${name} has no task`, options.timeoutMs);
  }

  /** Resolves when the coordinator uses exactly this many workers. Rejects after `timeoutMs`. */
  async untilActive(count: number, options: { readonly timeoutMs?: number } = {}): Promise<void> {
    await this.#until(() => this.activeWorkers.length === count, `there are not ${count} active workers`, options.timeoutMs);
  }

  /** What all nodes observed and did so far. Throws unless the cluster was made with `record: true`. */
  tape(): Tape {
    if (this.#options.record !== true) {
      throw new TypeError("this cluster does not record; make it with 'record: true'");
    }
    return tapeOf([...this.#nodes.values()].flatMap(({ recordings }) => recordings));
  }

  /** Ends all nodes and closes all sockets and timers. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #start(): Promise<void> {
    const [coordinator, ...workers] = [...this.#nodes.values()] as [TestNode, ...TestNode[]];
    await coordinator.start();
    await Promise.all(workers.map((worker) => worker.start(coordinator.uri)));
    await this.#until(() => workers.every((worker) => this.#isUsed(worker)), "the workers have not joined");
    await this.query("SELECT count(*) FROM TABLE(system.builtin.sequence(1, 1))", { user: "orrery", source: "readiness" });
    for (const rule of this.#rules) {
      this.chaos(rule);
    }
  }

  get #coordinator(): TestNode {
    return this.#node(coordinatorName);
  }

  #node(name: string): TestNode {
    const node = this.#nodes.get(name);
    if (node === undefined) {
      throw new TypeError(`there is no node '${name}'; the cluster has ${[...this.#nodes.keys()].join(", ")}`);
    }
    return node;
  }

  #checkRule(rule: ChaosRule): void {
    this.#chaos.check(rule);
    if ("point" in rule && this.#options.record === true) {
      throw new TypeError("fault points are not on a tape; a cluster that records takes rules for messages only");
    }
  }

  #checkPlace(name: string): void {
    if (name !== clientPlace) {
      this.#node(name);
    }
  }

  #isUsed({ node }: TestNode): boolean {
    const active = this.#coordinator.node?.cluster?.activeWorkers() ?? [];
    return node !== undefined && active.some(({ incarnation }) => incarnation === node.incarnation);
  }

  #hasLiveWorkers(): boolean {
    return [...this.#nodes.values()].every((node) => node.name === coordinatorName || node.node === undefined || this.#isUsed(node));
  }

  #sender(): Sender {
    if (this.#closing !== undefined) {
      throw new TypeError("the cluster is closed");
    }
    const client = this.#fabric.client();
    return { network: this.#clientSockets ?? client, clock: this.#clientClock, server: this.uri };
  }

  #fault(undo: () => void): Fault {
    let isOver = false;
    const heal = (): void => {
      if (!isOver) {
        isOver = true;
        undo();
        this.#faults.delete(fault);
      }
    };
    const fault: Fault = { hits: 1, heal, [Symbol.dispose]: heal };
    this.#faults.add(fault);
    return fault;
  }

  async #until(holds: () => boolean, otherwise: string, timeoutMs = this.#options.readyTimeoutMs ?? readyTimeoutMsUsual): Promise<void> {
    const startMs = performance.now();
    while (!holds()) {
      const waitedMs = performance.now() - startMs;
      if (waitedMs >= timeoutMs) {
        throw new Error(`${otherwise} after ${timeoutMs} ms`);
      }
      await this.#timers.pause(waitedMs < 50 ? 0 : pollMs);
    }
  }

  #log(node: string): Log {
    const { onLog } = this.#options;
    const line =
      (level: "info" | "warn" | "error"): Log["info"] =>
      (event, fields = {}) =>
        onLog?.({ node, level, event, fields });
    return { info: line("info"), warn: line("warn"), error: line("error") };
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#nodes.values()].map((node) => node.kill()));
    await this.#clientSockets?.close();
    this.#fabric.closeClient();
    this.#clientClock.close();
    this.#timers.cancelAll();
  }
}
