/** Query events of a real cluster: log lines, and the event listener against a receiver that fails, hangs and comes back. */
import { afterEach, describe, expect, it } from "vitest";
import type { Log } from "../../src/ports/ports.ts";
import { readConfiguration } from "../../src/server/configuration.ts";
import type { HttpListenerConfiguration } from "../../src/server/operations/events/configuration.ts";
import { type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";
import { Asker, clientOf } from "../support/service.ts";
import { Receiver } from "./receiver.ts";
import { Scrape } from "./scrape.ts";

interface Line {
  readonly event: string;
  readonly fields: Readonly<Record<string, string | number | boolean>>;
}

/** A log whose lines can be awaited. */
class KeptLog implements Log {
  readonly lines: Line[] = [];
  #callbacks: (() => void)[] = [];

  info(event: string, fields = {}): void {
    this.lines.push({ event, fields });
    for (const callback of this.#callbacks) {
      callback();
    }
  }

  warn(event: string, fields = {}): void {
    this.info(event, fields);
  }

  error(event: string, fields = {}): void {
    this.info(event, fields);
  }

  line(event: string): Promise<Line> {
    return new Promise((resolve) => {
      const check = (): void => {
        const found = this.lines.find((one) => one.event === event);
        if (found !== undefined) {
          this.#callbacks = this.#callbacks.filter((one) => one !== check);
          resolve(found);
        }
      };
      this.#callbacks.push(check);
      check();
    });
  }
}

function listener(uri: string, overrides: Partial<HttpListenerConfiguration> = {}): HttpListenerConfiguration {
  const delays = { retryCount: 0, retryDelayMs: 1, backoffBase: 2, delayMsMax: 4 };
  return { uri, method: "POST", headers: {}, logsCreated: true, logsCompleted: true, ...delays, ...overrides };
}

interface TrinoEvent {
  readonly createTime: string;
  readonly endTime?: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly statistics?: Readonly<Record<string, unknown>>;
  readonly failureInfo?: { readonly errorCode: { readonly name: string }; readonly failureMessage: string } | null;
  readonly ioMetadata?: { readonly inputs: readonly unknown[] };
}

describe("query events", () => {
  let cluster: LoopbackCluster | undefined;
  let receiver: Receiver | undefined;

  afterEach(async () => {
    await cluster?.stop();
    await receiver?.close();
    cluster = undefined;
    receiver = undefined;
  });

  it("become a log line of a failed query, with the reason and without literals", async () => {
    const log = new KeptLog();
    cluster = await startLoopbackCluster({ workers: 1, log });
    const client = clientOf(cluster, "trino", { user: "ada", source: "notebook" });
    await client.rows("SELECT 1");
    const { error } = await client.answer("SELECT name,\n  nosuch FROM nation WHERE name = 'secret'");
    const { fields } = await log.line("query-failed");
    expect(fields).toMatchObject({
      user: "ada",
      source: "notebook",
      errorName: "COLUMN_NOT_FOUND",
      errorType: "USER_ERROR",
      message: error?.message,
    });
    expect(fields["statement"]).toBe("SELECT name, nosuch FROM nation WHERE name = '***'");
    expect(fields["elapsedMs"]).toBeTypeOf("number");
    expect(log.lines.filter(({ event }) => event.startsWith("query-"))).toHaveLength(1);
  });

  it("never hold the secrets of a statement about catalogs", async () => {
    receiver = await Receiver.start();
    const log = new KeptLog();
    cluster = await startLoopbackCluster({ workers: 1, log, events: { listener: listener(receiver.uri) } });
    const sql = "CREATE CATALOG db USING nosuch WITH (\"connection-password\" = 'open sesame')";
    expect((await clientOf(cluster, "trino").answer(sql)).error).toBeDefined();
    await log.line("query-failed");
    const { requests } = receiver;
    await receiver.until(() => requests.length === 2);
    expect(requests.map(({ body }) => body.toString("utf8")).join("")).toContain("CREATE CATALOG db");
    expect(JSON.stringify([log.lines, requests.map(({ body }) => body.toString("utf8"))])).not.toContain("sesame");
  });

  it("become a log line of a slow query", async () => {
    const log = new KeptLog();
    cluster = await startLoopbackCluster({ workers: 1, log, events: { slowQueryMs: 0 } });
    await clientOf(cluster, "trino").rows("SELECT count(*) FROM nation");
    const { fields } = await log.line("query-slow");
    expect(fields).toMatchObject({ user: "bob", inputRows: 25, outputRows: 1, statement: "SELECT count(*) FROM nation" });
  });

  it("reach a listener in Trino's form, with the headers of the configuration", async () => {
    receiver = await Receiver.start();
    const configuration = listener(`${receiver.uri}/ingest?token=1`, { headers: { authorization: "Bearer x" } });
    cluster = await startLoopbackCluster({ workers: 2, events: { listener: configuration } });
    const client = clientOf(cluster, "trino", { user: "ada", source: "notebook", "client-tags": "a,b" });
    await client.rows("SELECT regionkey, count(*) FROM nation GROUP BY regionkey");
    await client.answer("SELECT nosuch FROM nation");
    const { requests } = receiver;
    await receiver.until(() => requests.length === 4);
    expect(new Set(requests.map(({ headers, method, url }) => `${method} ${url} ${headers.authorization}`))).toEqual(
      new Set(["POST /ingest?token=1 Bearer x"]),
    );
    const events = requests.map(({ body }) => JSON.parse(body.toString("utf8")) as TrinoEvent);
    const completed = events.filter(({ statistics }) => statistics !== undefined);
    expect(completed).toHaveLength(2);
    const finished = completed.find(({ failureInfo }) => failureInfo === null);
    expect(finished).toMatchObject({
      context: { user: "ada", source: "notebook", catalog: "tpch", schema: "tiny", clientTags: ["a", "b"], queryType: "SELECT" },
      metadata: { queryState: "FINISHED", query: "SELECT regionkey, count(*) FROM nation GROUP BY regionkey" },
      statistics: { totalRows: 25, outputRows: 5, complete: true },
      ioMetadata: { inputs: [{ catalogName: "tpch", schema: "tiny", table: "nation" }] },
    });
    expect(Date.parse(finished?.endTime ?? "")).toBeGreaterThanOrEqual(Date.parse(finished?.createTime ?? ""));
    const failed = completed.find(({ failureInfo }) => failureInfo !== null);
    expect(failed).toMatchObject({ failureInfo: { errorCode: { name: "COLUMN_NOT_FOUND" } }, metadata: { queryState: "FAILED" } });
    const created = events.filter(({ statistics }) => statistics === undefined);
    expect(new Set(created.map(({ metadata }) => metadata["queryState"]))).toEqual(new Set(["QUEUED"]));
    expect(new Set(created.map(({ metadata }) => metadata["queryId"]))).toEqual(
      new Set(completed.map(({ metadata }) => metadata["queryId"])),
    );
  });

  it("are sent again after an error, as often as configured, and counted", async () => {
    receiver = await Receiver.start();
    receiver.status = (ordinal) => (ordinal < 3 ? 503 : 204);
    const configuration = listener(receiver.uri, { logsCreated: false, retryCount: 3 });
    cluster = await startLoopbackCluster({ workers: 1, events: { listener: configuration } });
    const { requests } = receiver;
    await clientOf(cluster, "trino").rows("SELECT 1");
    await receiver.until(() => requests.length === 4);
    expect(new Set(requests.map(({ body }) => body.toString("utf8"))).size).toBe(1);
    receiver.status = () => 500;
    await clientOf(cluster, "trino").rows("SELECT 2");
    await receiver.until(() => requests.length === 8);
    let scrape: Scrape;
    do {
      scrape = new Scrape((await new Asker(cluster).ask("GET", "/metrics")).text);
    } while (scrape.value("orrery_events_dropped_total", { consumer: "http" }) === 0);
    expect(scrape.value("orrery_events_delivered_total", { consumer: "http" })).toBe(1);
    expect(scrape.value("orrery_events_dropped_total", { consumer: "http" })).toBe(1);
    expect(requests).toHaveLength(8);
  });

  it("hold up no query when the receiver hangs, and are given up at the end", async () => {
    receiver = await Receiver.start();
    receiver.status = () => undefined;
    const log = new KeptLog();
    cluster = await startLoopbackCluster({ workers: 1, log, events: { listener: listener(receiver.uri, { retryCount: 5 }) } });
    for (let count = 0; count < 20; count++) {
      expect(await clientOf(cluster, "trino").rows("SELECT 1")).toEqual([[1]]);
    }
    await cluster.operations[0]?.close(1);
    expect(log.lines.map(({ event }) => event)).toContain("event-listener-failed");
    expect(JSON.stringify(log.lines)).not.toContain(receiver.uri);
  });
});

describe("properties of event listeners", () => {
  const read = (flags: Readonly<Record<string, string>>) =>
    readConfiguration({ flags: { "node.workers": "1", ...flags }, environment: {}, etcFolder: undefined }).events.listener;
  const usual = { "event-listener.name": "http", "http-event-listener.connect-ingest-uri": "https://audit.example/v1" };

  it("are Trino's", () => {
    expect(read({})).toBeUndefined();
    const headers = "Authorization: Trust Me, X-Path: a\\:b\\,c";
    const configuration = read({
      ...usual,
      "http-event-listener.connect-http-headers": headers,
      "http-event-listener.connect-retry-count": "2",
      "http-event-listener.connect-retry-delay": "101s",
      "http-event-listener.connect-backoff-base": "1.5",
      "http-event-listener.connect-max-delay": "10m",
      "http-event-listener.log-completed": "true",
    });
    expect(configuration).toEqual({
      uri: "https://audit.example/v1",
      method: "POST",
      headers: { Authorization: "Trust Me", "X-Path": "a:b,c" },
      logsCreated: false,
      logsCompleted: true,
      retryCount: 2,
      retryDelayMs: 101_000,
      backoffBase: 1.5,
      delayMsMax: 600_000,
    });
  });

  it("are refused with a reason that shows no secret", () => {
    expect(() => read({ "event-listener.name": "kafka" })).toThrow(
      "invalid value 'kafka' for property 'event-listener.name': expected http",
    );
    expect(() => read({ "event-listener.name": "http" })).toThrow(/connect-ingest-uri': expected an address/);
    for (const headers of ["secret", "secret value: x", ": secret", "Name: secret\n"]) {
      expect(() => read({ ...usual, "http-event-listener.connect-http-headers": `${headers}\u0001` })).toThrow(/^(?!.*secret)/);
    }
    expect(() => read({ ...usual, "http-event-listener.connect-retry-count": "-1" })).toThrow(/expected a whole number from 0 to 1000/);
  });
});
