/**
 * What a server program adds to its node for those who operate it: metrics, log lines about queries, query log, event listener, traces, and
 * the OpenAPI document of its resources. The node is observed through hooks and read when it is asked; nothing here changes what it does.
 */
import type { QueryEvent } from "../../coordinator/context.ts";
import type { HttpResponse } from "../../ports/network.ts";
import type { Log } from "../../ports/ports.ts";
import { engineVersion } from "../../config.ts";
import { jsonResponse, textResponse } from "../../protocol/http/http.ts";
import { AuditLog, type Refusal } from "./events/audit-log.ts";
import type { EventConfiguration } from "./events/configuration.ts";
import type { EventConsumer } from "./events/event-consumer.ts";
import { HttpListener } from "./events/http-listener.ts";
import { QueryLogLines } from "./events/log-lines.ts";
import { QueryLog } from "./events/query-log.ts";
import { metricsResponse } from "./metrics/exposition.ts";
import { NodeMetrics } from "./metrics/node-metrics.ts";
import { collectProcess } from "./metrics/runtime-metrics.ts";
import { Collection, type CollectedMetric } from "./metrics/series.ts";
import type { ObservedNode, OperationHooks } from "./observed-node.ts";
import { type ResourceHandler, ServerResources } from "./resources.ts";
import { unsupportedProtocol, wantsTraces } from "./tracing/environment.ts";
import type { QueryTracer } from "./tracing/tracer.ts";

export interface OperationsOptions {
  readonly log: Log;
  /** Absent on a worker, which has no queries. */
  readonly events?: EventConfiguration;
  /** Absent if no traces are wanted. */
  readonly tracer?: QueryTracer | undefined;
  /** Whether the server has the resources of chaos. */
  readonly hasChaos?: boolean;
}

/** Loads OpenTelemetry if its environment variables ask for traces. */
export async function createTracer({
  environmentName,
  log,
  nodeId,
  tracesStatements,
}: {
  readonly nodeId: string;
  readonly environmentName: string;
  readonly tracesStatements: boolean;
  readonly log: Log;
}): Promise<QueryTracer | undefined> {
  if (!wantsTraces(process.env)) {
    return undefined;
  }
  const protocol = unsupportedProtocol(process.env);
  if (protocol !== undefined) {
    log.warn("trace-protocol-not-supported", { protocol, used: "http/json" });
  }
  const { QueryTracer: Tracer } = await import("./tracing/tracer.ts");
  return new Tracer({
    nodeId,
    version: engineVersion,
    environment: environmentName,
    includesStatements: tracesStatements,
    onError: complaints(log, "trace-export-failed"),
  });
}

/** Time between two log lines about a consumer that fails, in milliseconds. */
const complaintMs = 60_000;
/** Longest wait for the final documents of the tasks of a failed query, in milliseconds. */
const settleWaitMs = 1000;

export class Operations {
  readonly resources: ServerResources;
  /** Hooks of the observed node. */
  readonly hooks: OperationHooks;
  readonly #log: Log;
  readonly #metrics = new NodeMetrics();
  readonly #consumers: readonly EventConsumer[];
  /** Failed queries whose tasks have not settled, with the function that reports them at once. */
  readonly #settling = new Map<QueryEvent, () => void>();
  readonly #hasChaos: boolean;
  readonly #audit: AuditLog | undefined;
  #observed: ObservedNode | undefined;

  constructor(options: OperationsOptions) {
    this.#log = options.log;
    this.#hasChaos = options.hasChaos ?? false;
    const { tracer } = options;
    const auditLog = options.events?.auditLog;
    this.#audit = auditLog && new AuditLog({ ...auditLog, onError: complaints(options.log, "audit-log-failed") });
    const consumers = options.events === undefined ? [] : this.#createConsumers(options.events);
    this.#consumers = [...consumers, ...(this.#audit === undefined ? [] : [this.#audit]), ...(tracer === undefined ? [] : [tracer])];
    const { onAnswered } = this.#metrics;
    this.hooks = {
      onAnswered,
      onQueryEvent: (event) => this.#onQueryEvent(event),
      ...(tracer === undefined ? {} : { traceQuery: tracer.begin }),
    };
    this.resources = new ServerResources(
      new Map<string, ResourceHandler>([
        ["/metrics", (accept) => this.#scrape(accept)],
        ["/v1/openapi.json", () => this.#openApi()],
      ]),
      onAnswered,
    );
  }

  /** The node has started. */
  attach(observed: ObservedNode): void {
    this.#observed = observed;
  }

  /** Metrics of the node alone; empty before it has started. */
  async collect(): Promise<readonly CollectedMetric[]> {
    const deliveries = this.#consumers.flatMap(({ counts }) => counts ?? []);
    return this.#observed === undefined ? [] : this.#metrics.collect(this.#observed, deliveries);
  }

  /** The node has closed. Delivers the events that wait, for at most `waitMs`. */
  async close(waitMs: number): Promise<void> {
    for (const report of this.#settling.values()) {
      report();
    }
    await Promise.all(this.#consumers.map((consumer) => consumer.close(waitMs)));
    this.#metrics.close();
  }

  /** Writes the refusal of a request into the audit log, if there is one. */
  refused(refusal: Refusal): void {
    this.#audit?.refused(refusal);
  }

  #createConsumers({ listener, queryLog, slowQueryMs }: EventConfiguration): readonly EventConsumer[] {
    const server = () => ({
      address: this.#observed?.node.selfUri ?? "",
      version: this.#observed?.node.config.nodeVersion ?? "",
      environment: this.#observed?.node.config.environment ?? "",
    });
    return [
      new QueryLogLines(this.#log, slowQueryMs),
      ...(queryLog === undefined ? [] : [new QueryLog({ ...queryLog, onError: complaints(this.#log, "query-log-failed") })]),
      ...(listener === undefined
        ? []
        : [new HttpListener({ configuration: listener, server, onError: complaints(this.#log, "event-listener-failed") })]),
    ];
  }

  /** A failed query is reported when the final documents of its tasks are known, or after a while without them. */
  #onQueryEvent(event: QueryEvent): void {
    if (event.kind === "created" || event.measures.errorName === undefined) {
      this.#report(event);
      return;
    }
    const report = (): void => {
      clearTimeout(timer);
      if (this.#settling.delete(event)) {
        this.#observe(() => this.#report(event));
      }
    };
    this.#settling.set(event, report);
    const timer = setTimeout(report, settleWaitMs);
    void event.settled.then(report);
  }

  #observe(work: () => void): void {
    if (this.#observed === undefined) {
      work();
    } else {
      this.#observed.observe(work);
    }
  }

  #report(event: QueryEvent): void {
    this.#metrics.onQueryEvent(event);
    for (const consumer of this.#consumers) {
      consumer.onQueryEvent(event);
    }
  }

  async #openApi(): Promise<HttpResponse> {
    if (this.#observed === undefined) {
      return textResponse(503, "Server is starting", { "retry-after": "1" });
    }
    const routes = this.#observed.node.routes.map(({ method, pattern }) => `${method} ${pattern}`);
    const known = new Set([...routes, ...this.resources.paths.map((path) => `GET ${path}`)]);
    const [{ openApiDocument }, { chaosOperations }] = await Promise.all([
      import("./openapi/openapi.ts"),
      import("./openapi/operations.ts"),
    ]);
    const ofChaos = this.#hasChaos ? chaosOperations : [];
    return jsonResponse(
      200,
      openApiDocument((operation) => known.has(operation) || ofChaos.includes(operation)),
    );
  }

  async #scrape(accept: string): Promise<HttpResponse> {
    const { node, others: askOthers } = this.#observed ?? {};
    if (node === undefined) {
      return textResponse(503, "Server is starting", { "retry-after": "1" });
    }
    const process = new Collection(node.nodeId);
    collectProcess(process);
    const others = (await askOthers?.()) ?? [];
    const own = await this.collect();
    return metricsResponse([own, process.metrics, ...others.map(({ metrics, nodeId }) => metrics ?? downNode(nodeId))], accept);
  }
}

/** A consumer that fails is logged, at most once in a while. Its address and headers, which may hold secrets, are not. */
function complaints(log: Log, event: string): (error: unknown) => void {
  let last = Number.NEGATIVE_INFINITY;
  let silent = 0;
  return (error) => {
    const now = performance.now();
    if (now - last < complaintMs) {
      silent += 1;
      return;
    }
    const { code, message } = error as NodeJS.ErrnoException;
    log.warn(event, { reason: code ?? message, failures: silent + 1 });
    last = now;
    silent = 0;
  };
}

function downNode(nodeId: string): readonly CollectedMetric[] {
  const collection = new Collection(nodeId);
  collection.set("orrery_node_up", 0);
  return collection.metrics;
}
