/**
 * What a server program adds to its node for those who operate it: metrics. The node is observed through hooks and read when it is asked;
 * nothing here changes what it does.
 */
import type { NodeOptions, OrreryNode } from "../../node.ts";
import type { HttpResponse } from "../../ports/network.ts";
import { textResponse } from "../../protocol/http/http.ts";
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

export class Operations {
  readonly resources: ServerResources;
  /** Hooks of the observed node. */
  readonly hooks: Pick<NodeOptions, "onQueryEvent" | "onAnswered">;
  readonly #metrics = new NodeMetrics();
  #node: OrreryNode | undefined;
  #others: (() => Promise<readonly NodeScrape[]>) | undefined;

  constructor() {
    const { onAnswered } = this.#metrics;
    this.hooks = { onAnswered, onQueryEvent: (event) => this.#metrics.onQueryEvent(event) };
    this.resources = new ServerResources(new Map([["/metrics", (accept) => this.#scrape(accept)]]), onAnswered);
  }

  /** The node has started. `others` asks the other nodes of this process for their metrics. */
  attach(node: OrreryNode, others?: () => Promise<readonly NodeScrape[]>): void {
    this.#node = node;
    this.#others = others;
  }

  /** Metrics of the node alone; empty before it has started. */
  async collect(): Promise<readonly CollectedMetric[]> {
    return this.#node === undefined ? [] : this.#metrics.collect(this.#node, []);
  }

  close(): void {
    this.#metrics.close();
  }

  async #scrape(accept: string): Promise<HttpResponse> {
    if (this.#node === undefined) {
      return textResponse(503, "Server is starting", { "retry-after": "1" });
    }
    const process = new Collection(this.#node.nodeId);
    collectProcess(process);
    const others = await (this.#others?.() ?? []);
    const own = await this.collect();
    return metricsResponse([own, process.metrics, ...others.map(({ metrics, nodeId }) => metrics ?? downNode(nodeId))], accept);
  }
}

function downNode(nodeId: string): readonly CollectedMetric[] {
  const collection = new Collection(nodeId);
  collection.set("orrery_node_up", 0);
  return collection.metrics;
}
