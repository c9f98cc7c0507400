/**
 * What a server program adds to its node for those who operate it: metrics, log lines about queries, query log, event listener. The node is
 * observed through hooks and read when it is asked; nothing here changes what it does.
 */
import type { QueryEvent } from "../../coordinator/context.ts";
import type { NodeOptions, OrreryNode } from "../../node.ts";
import type { HttpResponse } from "../../ports/network.ts";
import type { Log } from "../../ports/ports.ts";
import { textResponse } from "../../protocol/http/http.ts";
import type { EventConfiguration } from "./events/configuration.ts";
import type { EventConsumer } from "./events/event-consumer.ts";
import { HttpListener } from "./events/http-listener.ts";
import { QueryLogLines } from "./events/log-lines.ts";
import { QueryLog } from "./events/query-log.ts";
import { metricsResponse } from "./metrics/exposition.ts";
import { NodeMetrics } from "./metrics/node-metrics.ts";
import { collectProcess } from "./metrics/runtime-metrics.ts";
import { Collection, type CollectedMetric } from "./metrics/series.ts";
import { ServerResources } from "./resources.ts";

/** Metrics of another node of this process; undefined if it did not answer in time. */
export interface NodeScrape {
  readonly nodeId: string;
  readonly metrics: readonly CollectedMetric[] | undefined;
}

export interface OperationsOptions {
  readonly log: Log;
  /** Absent on a worker, which has no queries. */
  readonly events?: EventConfiguration;
}

/** Time between two log lines about a consumer that fails, in milliseconds. */
const complaintMs = 60_000;

export class Operations {
  readonly resources: ServerResources;
  /** Hooks of the observed node. */
  readonly hooks: Pick<NodeOptions, "onQueryEvent" | "onAnswered">;
  readonly #log: Log;
  readonly #metrics = new NodeMetrics();
  readonly #consumers: readonly EventConsumer[];
  #node: OrreryNode | undefined;
  #others: (() => Promise<readonly NodeScrape[]>) | undefined;

  constructor(options: OperationsOptions) {
    this.#log = options.log;
    this.#consumers = options.events === undefined ? [] : this.#createConsumers(options.events);
    const { onAnswered } = this.#metrics;
    this.hooks = { onAnswered, onQueryEvent: (event) => this.#onQueryEvent(event) };
    this.resources = new ServerResources(new Map([["/metrics", (accept) => this.#scrape(accept)]]), onAnswered);
  }

  /** The node has started. `others` asks the other nodes of this process for their metrics. */
  attach(node: OrreryNode, others?: () => Promise<readonly NodeScrape[]>): void {
    this.#node = node;
    this.#others = others;
  }

  /** Metrics of the node alone; empty before it has started. */
  async collect(): Promise<readonly CollectedMetric[]> {
    const deliveries = this.#consumers.flatMap(({ counts }) => counts ?? []);
    return this.#node === undefined ? [] : this.#metrics.collect(this.#node, deliveries);
  }

  /** The node has closed. Delivers the events that wait, for at most `waitMs`. */
  async close(waitMs: number): Promise<void> {
    await Promise.all(this.#consumers.map((consumer) => consumer.close(waitMs)));
    this.#metrics.close();
  }

  #createConsumers({ listener, queryLog, slowQueryMs }: EventConfiguration): readonly EventConsumer[] {
    const server = () => ({
      address: this.#node?.selfUri ?? "",
      version: this.#node?.config.nodeVersion ?? "",
      environment: this.#node?.config.environment ?? "",
    });
    return [
      new QueryLogLines(this.#log, slowQueryMs),
      ...(queryLog === undefined ? [] : [new QueryLog({ ...queryLog, onError: this.#complaints("query-log-failed") })]),
      ...(listener === undefined
        ? []
        : [new HttpListener({ configuration: listener, server, onError: this.#complaints("event-listener-failed") })]),
    ];
  }

  /** A consumer that fails is logged, at most once in a while. Its address and headers, which may hold secrets, are not. */
  #complaints(event: string): (error: unknown) => void {
    let last = Number.NEGATIVE_INFINITY;
    let silent = 0;
    return (error) => {
      const now = performance.now();
      if (now - last < complaintMs) {
        silent += 1;
        return;
      }
      const { code, message } = error as NodeJS.ErrnoException;
      this.#log.warn(event, { reason: code ?? message, failures: silent + 1 });
      last = now;
      silent = 0;
    };
  }

  #onQueryEvent(event: QueryEvent): void {
    this.#metrics.onQueryEvent(event);
    for (const consumer of this.#consumers) {
      consumer.onQueryEvent(event);
    }
  }

  async #scrape(accept: string): Promise<HttpResponse> {
    if (this.#node === undefined) {
      return textResponse(503, "Server is starting", { "retry-after": "1" });
    }
    const process = new Collection(this.#node.nodeId);
    collectProcess(process);
    const others = (await this.#others?.()) ?? [];
    const own = await this.collect();
    return metricsResponse([own, process.metrics, ...others.map(({ metrics, nodeId }) => metrics ?? downNode(nodeId))], accept);
  }
}

function downNode(nodeId: string): readonly CollectedMetric[] {
  const collection = new Collection(nodeId);
  collection.set("orrery_node_up", 0);
  return collection.metrics;
}
