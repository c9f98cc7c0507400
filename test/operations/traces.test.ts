/** Traces of real queries, as a collector gets them: the tree of spans, their times, and the trace of the client. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { traceIdOf, traceParentOf } from "../../src/protocol/http/trace-parent.ts";
import { unsupportedProtocol, wantsTraces } from "../../src/server/operations/tracing/environment.ts";
import { type RunningServer, startServer, stopServer } from "../support/programs/server-process.ts";
import { Receiver } from "./receiver.ts";

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string; readonly doubleValue?: number };
}

interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number; readonly message?: string };
}

/** OTLP's JSON. */
interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[];
  }[];
}

function valuesOf(attributes: readonly Attribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.doubleValue]));
}

class Collector {
  readonly receiver: Receiver;

  constructor(receiver: Receiver) {
    this.receiver = receiver;
  }

  get exports(): readonly ExportRequest[] {
    return this.receiver.requests.map(({ body }) => JSON.parse(body.toString("utf8")) as ExportRequest);
  }

  get spans(): readonly ReceivedSpan[] {
    return this.exports.flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)));
  }

  /** The spans of a query, once that of the query itself has come; it ends last. */
  async ofQuery(queryId: string): Promise<readonly ReceivedSpan[]> {
    const find = (): ReceivedSpan | undefined => this.spans.find(({ attributes }) => valuesOf(attributes)["orrery.query.id"] === queryId);
    await this.receiver.until(() => find() !== undefined);
    return this.spans.filter(({ traceId }) => traceId === find()?.traceId);
  }
}

interface Asked {
  readonly queryId: string;
  readonly detail: { readonly session: { readonly traceId?: string; readonly traceToken?: string } };
}

async function ask(server: RunningServer, sql: string, headers: Readonly<Record<string, string>> = {}): Promise<Asked> {
  const send = { "x-trino-user": "ada", "x-trino-source": "notebook", "x-trino-catalog": "tpch", "x-trino-schema": "tiny", ...headers };
  let answer = await fetch(`${server.uri}/v1/statement`, { method: "POST", body: sql, headers: send });
  for (;;) {
    const { id, nextUri } = (await answer.json()) as { readonly id: string; readonly nextUri?: string };
    if (nextUri === undefined) {
      const detail = await fetch(`${server.uri}/v1/query/${id}`);
      return { queryId: id, detail: (await detail.json()) as Asked["detail"] };
    }
    answer = await fetch(nextUri);
  }
}

const nanos = (text: string): bigint => BigInt(text);

describe("traces", () => {
  let collector: Collector;
  let server: RunningServer;

  beforeAll(async () => {
    collector = new Collector(await Receiver.start());
    server = await startServer(["--workers", "2"], {
      environment: {
        ORRERY_FAILURE_DETECTOR_HEARTBEAT_TIMEOUT: "5m",
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.receiver.uri,
        OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20x",
        OTEL_SERVICE_NAME: "warehouse",
        OTEL_RESOURCE_ATTRIBUTES: "team=data",
        OTEL_BSP_SCHEDULE_DELAY: "50",
      },
    });
  });

  afterAll(async () => {
    server.kill("SIGKILL");
    await server.ended;
    await collector.receiver.close();
  });

  it("have a span for the query, its phases, stages and tasks, each within its parent", async () => {
    const { detail, queryId } = await ask(server, "SELECT regionkey, count(*) FROM nation GROUP BY regionkey");
    const spans = await collector.ofQuery(queryId);
    const [query] = spans.filter(({ name }) => name === "query");
    expect(query?.parentSpanId ?? "").toBe("");
    expect(query?.kind).toBe(2);
    expect(valuesOf(query?.attributes ?? [])).toMatchObject({
      "db.system.name": "orrery",
      "db.namespace": "tpch.tiny",
      "db.operation.name": "SELECT",
      "db.user": "ada",
      "orrery.query.source": "notebook",
      "orrery.query.state": "FINISHED",
      "orrery.query.input_rows": 25,
      "db.response.returned_rows": 5,
    });
    expect(JSON.stringify(query?.attributes)).not.toContain("GROUP BY");
    expect(detail.session.traceId).toBe(query?.traceId);

    const byId = new Map(spans.map((span) => [span.spanId, span]));
    for (const span of spans) {
      const parent = byId.get(span.parentSpanId ?? "");
      expect(nanos(span.startTimeUnixNano) <= nanos(span.endTimeUnixNano)).toBe(true);
      if (span !== query) {
        expect(parent?.name).toBe(span.name === "task" ? "stage" : "query");
        expect(nanos(span.startTimeUnixNano) >= nanos(parent?.startTimeUnixNano ?? "")).toBe(true);
        expect(nanos(span.endTimeUnixNano) <= nanos(parent?.endTimeUnixNano ?? "")).toBe(true);
      }
    }
    const stages = spans.filter(({ name }) => name === "stage");
    const tasks = spans.filter(({ name }) => name === "task");
    expect(new Set(stages.map(({ attributes }) => valuesOf(attributes)["orrery.stage.id"]))).toEqual(
      new Set(stages.map((_, index) => `${queryId}.${index}`)),
    );
    expect(stages.length).toBeGreaterThan(1);
    expect(tasks.map(({ attributes }) => valuesOf(attributes)["orrery.task.state"])).toEqual(tasks.map(() => "FINISHED"));
    expect(new Set(tasks.map(({ attributes }) => valuesOf(attributes)["orrery.node.id"])).size).toBeGreaterThan(1);
    expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining(["planning"]));
  });

  it("end with the error of a query that fails", async () => {
    const { queryId } = await ask(server, "SELECT 1 / (nationkey - nationkey) FROM nation");
    const spans = await collector.ofQuery(queryId);
    const query = spans.find(({ name }) => name === "query");
    expect(query?.status).toMatchObject({ code: 2, message: expect.stringContaining("Division by zero") });
    expect(valuesOf(query?.attributes ?? [])).toMatchObject({ "error.type": "DIVISION_BY_ZERO", "db.response.status_code": "8" });
    expect(spans.some(({ name, status }) => name === "task" && status.code === 2)).toBe(true);
  });

  it("continue the trace of the client, and leave out what the client does not sample", async () => {
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const sampled = await ask(server, "SELECT count(*) FROM region", {
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
      "x-trino-trace-token": "token-1",
    });
    expect(sampled.detail.session).toMatchObject({ traceId, traceToken: "token-1" });
    const spans = await collector.ofQuery(sampled.queryId);
    expect(spans.find(({ name }) => name === "query")).toMatchObject({ traceId, parentSpanId: "00f067aa0ba902b7" });
    const other = "4bf92f3577b34da6a3ce929d0e0e4737";
    const unsampled = await ask(server, "SELECT count(*) FROM region", { traceparent: `00-${other}-00f067aa0ba902b7-00` });
    expect(unsampled.detail.session.traceId).toBe(other);
    const last = await ask(server, "SELECT 1");
    await collector.ofQuery(last.queryId);
    expect(collector.spans.filter((span) => span.traceId === other)).toEqual([]);
  });

  it("are sent as the environment says, and what waits is sent before the program ends", async () => {
    const { requests } = collector.receiver;
    const { queryId } = await ask(server, "SELECT 2");
    expect(await stopServer(server)).toBe(0);
    expect(collector.spans.filter(({ attributes }) => valuesOf(attributes)["orrery.query.id"] === queryId)).toHaveLength(1);
    expect(new Set(requests.map(({ headers, method, url }) => `${method} ${url} ${headers.authorization}`))).toEqual(
      new Set(["POST /v1/traces Bearer x"]),
    );
    const resources = collector.exports.flatMap(({ resourceSpans }) => resourceSpans.map(({ resource }) => valuesOf(resource.attributes)));
    for (const resource of resources) {
      expect(resource).toMatchObject({ "service.name": "warehouse", team: "data", "service.instance.id": "coordinator" });
    }
  });
});

describe("the variables of OpenTelemetry", () => {
  it("ask for traces by an endpoint, unless they forbid them", () => {
    expect(wantsTraces({})).toBe(false);
    expect(wantsTraces({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318" })).toBe(true);
    expect(wantsTraces({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://c:4318/v1/traces" })).toBe(true);
    expect(wantsTraces({ OTEL_TRACES_EXPORTER: "otlp" })).toBe(true);
    expect(wantsTraces({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318", OTEL_SDK_DISABLED: "TRUE" })).toBe(false);
    expect(wantsTraces({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318", OTEL_TRACES_EXPORTER: "none" })).toBe(false);
    expect(unsupportedProtocol({ OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf" })).toBeUndefined();
    expect(unsupportedProtocol({ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" })).toBe("grpc");
  });
});

describe("a traceparent", () => {
  it("is taken if it is well-formed, and ends the trace if it is not", () => {
    const good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    expect(traceParentOf({ traceparent: ` ${good} ` })).toBe(good);
    expect(traceIdOf(good)).toBe("4bf92f3577b34da6a3ce929d0e0e4736");
    for (const bad of ["", "x", `ff${good.slice(2)}`, good.toUpperCase(), `00-${"0".repeat(32)}-00f067aa0ba902b7-01`, `${good}-extra`]) {
      expect(traceParentOf({ traceparent: bad })).toBeUndefined();
    }
    expect(traceParentOf({ traceparent: [good, good] })).toBeUndefined();
  });
});
