/**
 * Metrics: the text against a parser that is not ours, the numbers against what the queries did, the labels against their bounds.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prefersOpenMetrics } from "../../src/server/operations/metrics/exposition.ts";
import { metricFamilies, type MetricFamily } from "../../src/server/operations/metrics/families.ts";
import { LabelledHistogram } from "../../src/server/operations/metrics/series.ts";
import { readPages } from "../docs/pages.ts";
import { type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";
import { Asker, clientOf, textOf } from "../support/service.ts";
import { Scrape } from "./scrape.ts";

const families: ReadonlyMap<string, MetricFamily> = new Map(Object.entries(metricFamilies));

/** A scrape after the reports of all queries that have ended: a failed query is reported when its tasks have ended. */
async function settledScrape(cluster: LoopbackCluster): Promise<Scrape> {
  for (;;) {
    const one = await scrape(cluster);
    const ended = one.value("orrery_query_duration_seconds_count", { phase: "total" });
    if (ended === one.value("orrery_queries_submitted_total")) {
      return one;
    }
  }
}

async function scrape(cluster: LoopbackCluster, uri = cluster.uri): Promise<Scrape> {
  return new Scrape((await new Asker(cluster).ask("GET", `${uri}/metrics`)).text);
}

describe("/metrics", () => {
  let cluster: LoopbackCluster;

  beforeAll(async () => {
    cluster = await startLoopbackCluster({ workers: 2, properties: { "query.max-memory-per-node": "64MB" } });
  });

  afterAll(() => cluster.stop());

  it("counts queries, errors, rows and phases exactly", async () => {
    const before = await scrape(cluster);
    const client = clientOf(cluster, "trino");
    await client.rows("SELECT count(*) FROM lineitem");
    await client.rows("SELECT * FROM nation");
    expect((await client.answer("SELECT nosuch FROM nation")).error?.errorName).toBe("COLUMN_NOT_FOUND");
    expect((await client.answer("SELECT 1 / (nationkey - nationkey) FROM nation")).error?.errorName).toBe("DIVISION_BY_ZERO");
    const after = await settledScrape(cluster);
    const grown = (name: string, labels: Readonly<Record<string, string>> = {}): number =>
      after.value(name, labels) - (Number.isNaN(before.value(name, labels)) ? 0 : before.value(name, labels));
    expect(grown("orrery_queries_submitted_total")).toBe(4);
    expect(grown("orrery_queries_finished_total")).toBe(2);
    expect(grown("orrery_queries_failed_total", { error_type: "USER_ERROR" })).toBe(2);
    expect(grown("orrery_queries_failed_total", { error_name: "DIVISION_BY_ZERO" })).toBe(1);
    expect(grown("orrery_query_output_rows_total")).toBe(26);
    expect(grown("orrery_catalog_queries_total", { catalog: "tpch" })).toBe(3);
    const seconds = "orrery_query_duration_seconds";
    expect(after.value(`${seconds}_count`, { phase: "total" })).toBe(4);
    expect(after.value(`${seconds}_bucket`, { phase: "total", le: "+Inf" })).toBe(4);
    expect(after.value(`${seconds}_count`, { phase: "first_row" })).toBe(2);
    expect(after.value(`${seconds}_sum`, { phase: "first_row" })).toBeLessThanOrEqual(after.value(`${seconds}_sum`, { phase: "total" }));
    expect(after.value("orrery_queries")).toBe(0);
  });

  it("counts on each worker what its scans read, and nothing twice", async () => {
    const before = await Promise.all(cluster.workerUris.map((uri) => scrape(cluster, uri)));
    await clientOf(cluster, "trino").rows("SELECT max(orderkey) FROM orders");
    const after = await Promise.all(cluster.workerUris.map((uri) => scrape(cluster, uri)));
    const sum = (scrapes: readonly Scrape[], name: string, labels = {}): number =>
      scrapes.reduce((all, one) => all + (Number.isNaN(one.value(name, labels)) ? 0 : one.value(name, labels)), 0);
    const rows = "orrery_catalog_scanned_rows_total";
    expect(sum(after, rows, { catalog: "tpch" }) - sum(before, rows, { catalog: "tpch" })).toBe(15000);
    expect(sum(after, "orrery_tasks_ended_total")).toBeGreaterThan(sum(before, "orrery_tasks_ended_total"));
    expect(sum(after, "orrery_tasks")).toBe(0);
    for (const one of after) {
      expect(one.families.has("orrery_queries")).toBe(false);
      expect(one.value("orrery_memory_capacity_bytes")).toBeGreaterThan(0);
    }
  });

  it("shows running queries, also under Trino's names", async () => {
    const client = clientOf(cluster, "trino");
    const text = "SELECT count(*) FROM lineitem a CROSS JOIN lineitem b WHERE a.orderkey + b.orderkey < 0";
    let document = await client.object("POST", "/v1/statement", text);
    while ((document["stats"] as { state?: string } | undefined)?.state !== "RUNNING") {
      document = await client.object("GET", textOf(document["nextUri"]));
    }
    const running = await scrape(cluster);
    expect(running.value("orrery_queries", { state: "running" })).toBe(1);
    expect(running.value("trino_execution_name_QueryManager_RunningQueries")).toBe(1);
    expect(running.value("trino_execution_QueryManager_RunningQueries")).toBe(1);
    expect(running.value("trino_execution_name_QueryManager_QueuedQueries")).toBe(0);
    expect(running.value("trino_metadata_name_DiscoveryNodeManager_ActiveNodeCount")).toBe(3);
    await client.ask("DELETE", textOf(document["nextUri"]));
  });

  it("has only metrics of the table, with its types, texts and labels", async () => {
    await clientOf(cluster, "trino").ask("GET", "/v1/query/no_such_query");
    const all = [await scrape(cluster), await scrape(cluster, cluster.workerUris[0])];
    for (const { families: found, histograms } of all) {
      for (const [name, { help, series, type }] of found) {
        const histogram = [...histograms].find((one) => name.startsWith(one));
        const family = families.get(histogram ?? name);
        expect(histogram === undefined ? { name, help, type } : { name, type: "histogram" }).toEqual(
          histogram === undefined ? { name, help: family?.help, type: family?.type } : { name, type: family?.type },
        );
        for (const { labels } of series) {
          const part = name.endsWith("_bucket") ? ["le"] : [];
          expect(Object.keys(labels).toSorted()).toEqual(["node", ...part, ...(family?.labels ?? [])].toSorted());
        }
      }
    }
    const seen = new Set(all.flatMap(({ families: found, histograms }) => [...found.keys(), ...histograms]));
    // Events of consumers and caches of files need their configuration.
    const absent = [...families.keys()].filter((name) => !seen.has(name) && !name.startsWith("orrery_file_cache_"));
    expect(absent).toEqual(["orrery_events_delivered_total", "orrery_events_dropped_total"]);
  });

  it("has no label that a client chooses", async () => {
    const client = clientOf(cluster, "trino", { user: "mallory", source: "evil" });
    await client.answer("SELECT 'secret text'");
    for (const path of ["/v1/query/mallory", "/v1/nothing/mallory", "/v1/task/mallory", "/mallory"]) {
      await client.ask("GET", path);
    }
    const { text } = await new Asker(cluster).ask("GET", "/metrics");
    expect(text).not.toMatch(/mallory|evil|secret/);
    expect(new Scrape(text).value("orrery_http_requests_total", { route: "unmatched", status: "404" })).toBeGreaterThan(0);
  });

  it("speaks OpenMetrics to scrapers that prefer it", async () => {
    const prometheus = "application/openmetrics-text;version=1.0.0;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
    const { headers, text } = await new Asker(cluster).ask("GET", "/metrics", "", { accept: prometheus });
    expect(headers["content-type"]).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
    expect(text.endsWith("\n# EOF\n")).toBe(true);
    expect(text).toContain("# TYPE orrery_queries_submitted counter\n");
    expect(text).toMatch(/^orrery_queries_submitted_total\{/m);
    expect(text).not.toMatch(/_total_total|\n\n/);
    const plain = await new Asker(cluster).ask("GET", "/metrics");
    expect(plain.headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect([...new Scrape(plain.text).families.keys()]).toContain("orrery_queries_submitted_total");
  });

  it("is read only", async () => {
    const asker = new Asker(cluster);
    expect((await asker.ask("POST", "/metrics")).status).toBe(405);
    expect(await asker.ask("HEAD", "/metrics")).toMatchObject({ status: 200, text: "" });
  });
});

describe("the parts of a scrape", () => {
  it("prefers the format of the higher quality, and OpenMetrics only if it is named", () => {
    expect(prefersOpenMetrics("")).toBe(false);
    expect(prefersOpenMetrics("*/*")).toBe(false);
    expect(prefersOpenMetrics("text/html,*/*;q=0.8")).toBe(false);
    expect(prefersOpenMetrics("application/openmetrics-text")).toBe(true);
    expect(prefersOpenMetrics("application/openmetrics-text;q=0")).toBe(false);
    expect(prefersOpenMetrics("application/openmetrics-text;q=0.2, text/plain;q=0.9")).toBe(false);
  });

  it("puts each value into every bucket that can hold it", () => {
    const bounds = fc.uniqueArray(fc.double({ min: 0.001, max: 1000, noNaN: true }), { minLength: 1, maxLength: 12 });
    const values = fc.array(fc.double({ min: 0, max: 2000, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(bounds, values, (unsorted, observed) => {
        const sorted = unsorted.toSorted((a, b) => a - b);
        const histogram = new LabelledHistogram("phase", sorted);
        for (const value of observed) {
          histogram.observe("total", value);
        }
        const series = histogram.valuesOf("h");
        const buckets = series.filter(({ metricName }) => metricName === "h_bucket").map(({ value }) => value);
        expect(buckets).toEqual([...sorted.map((bound) => observed.filter((value) => value <= bound).length), observed.length]);
        expect(series.find(({ metricName }) => metricName === "h_count")?.value).toBe(observed.length);
        expect(series.find(({ metricName }) => metricName === "h_sum")?.value).toBeCloseTo(
          observed.reduce((sum, value) => sum + value, 0),
          6,
        );
      }),
    );
  });
});

describe("the page about operations", () => {
  it("lists every metric with its type, labels and meaning", () => {
    const page = readPages().find(({ path }) => path === "docs/operations.md");
    const listed = [...(page?.text ?? "").matchAll(/^\| `((?:orrery|nodejs|process|trino)_\w+)` \|.*$/gm)].map(([row]) => row);
    const expected = [...families].map(
      ([name, { help, labels = [], of, type }]) =>
        `| \`${name}\` | ${type} | ${of} | ${labels.map((label) => `\`${label}\``).join(", ")} | ${help} |`,
    );
    expect(listed).toEqual(expected);
  });
});
