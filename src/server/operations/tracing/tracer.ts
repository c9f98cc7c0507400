/**
 * Traces of queries, sent by OTLP over HTTP. The span of a query begins with its submission, as a child of the client's span if the client
 * sends a traceparent. Phases, stages and tasks become spans when the query has ended, from its final document, with the times that the
 * document says.
 */
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace, type Tracer } from "@opentelemetry/api";
import { parseTraceParent, setGlobalErrorHandler } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { QueryEvent, TraceHook } from "../../../coordinator/context.ts";
import type { EventConsumer } from "../events/event-consumer.ts";
import { type ChildSpan, queryAttributes, spansOf } from "./spans.ts";

export interface TracerOptions {
  readonly nodeId: string;
  readonly version: string;
  readonly environment: string;
  /** Whether spans have the texts of statements. */
  readonly includesStatements: boolean;
  readonly onError: (error: unknown) => void;
}

/** Spans that wait for their export. A query with many tasks makes many at once. */
const queueMax = 16_384;

export class QueryTracer implements EventConsumer {
  readonly #provider: BasicTracerProvider;
  readonly #tracer: Tracer;
  readonly #includesStatements: boolean;
  /** Spans of queries that have not ended, by query id. */
  readonly #live = new Map<string, Span>();

  constructor(options: TracerOptions) {
    setGlobalErrorHandler(options.onError);
    const own = resourceFromAttributes({
      "service.name": "orrery",
      "service.version": options.version,
      "service.instance.id": options.nodeId,
      "deployment.environment.name": options.environment,
    });
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win.
    const given = detectResources({ detectors: [envDetector] });
    const name = process.env["OTEL_SERVICE_NAME"]?.trim() ?? "";
    const named = resourceFromAttributes(name === "" ? {} : { "service.name": name });
    const limits = process.env["OTEL_BSP_MAX_QUEUE_SIZE"] === undefined ? { maxQueueSize: queueMax } : {};
    this.#provider = new BasicTracerProvider({
      resource: defaultResource().merge(own).merge(given).merge(named),
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter(), limits)],
    });
    this.#tracer = this.#provider.getTracer("orrery", options.version);
    this.#includesStatements = options.includesStatements;
  }

  readonly begin: TraceHook = ({ parent, queryId }) => {
    const outer = parent === undefined ? null : parseTraceParent(parent);
    const context = outer === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...outer, isRemote: true });
    const attributes = { "orrery.query.id": queryId, "db.system.name": "orrery", "db.system": "orrery" };
    const span = this.#tracer.startSpan("query", { kind: SpanKind.SERVER, startTime: Date.now(), attributes }, context);
    this.#live.set(queryId, span);
    const { spanId, traceFlags, traceId } = span.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
  };

  onQueryEvent(event: QueryEvent): void {
    if (event.kind !== "completed") {
      return;
    }
    const { queryId } = event.info;
    const span = this.#live.get(queryId);
    this.#live.delete(queryId);
    if (span?.isRecording() !== true) {
      return;
    }
    span.setAttributes(queryAttributes(event, this.#includesStatements));
    const { children, endMillis } = spansOf(event);
    const context = trace.setSpan(ROOT_CONTEXT, span);
    for (const child of children) {
      this.#add(child, context);
    }
    const { errorName } = event.measures;
    if (errorName !== undefined) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: event.info.failureInfo?.message ?? errorName });
    }
    span.end(endMillis);
  }

  /** Exports what waits, for at most `waitMs`. */
  async close(waitMs: number): Promise<void> {
    let late: NodeJS.Timeout | undefined;
    const given = new Promise<void>((resolve) => {
      late = setTimeout(resolve, waitMs);
    });
    // A failure has been reported to the error handler.
    await Promise.race([this.#provider.shutdown().catch(() => undefined), given]);
    clearTimeout(late);
  }

  #add({ attributes, children, endMillis, hasFailed, name, startMillis }: ChildSpan, parent: Context): void {
    const span = this.#tracer.startSpan(name, { startTime: startMillis, attributes }, parent);
    const context = trace.setSpan(ROOT_CONTEXT, span);
    for (const child of children) {
      this.#add(child, context);
    }
    if (hasFailed) {
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end(endMillis);
  }
}
