/**
 * The text of a scrape, in Prometheus's or OpenMetrics's format, as the Accept header of the scraper says. prom-client writes the text; it
 * is loaded by the first scrape.
 */
import type { HttpResponse } from "../../../ports/network.ts";
import { encodeUtf8 } from "../../../types/utf8.ts";
import type { CollectedMetric } from "./series.ts";

/** The library's declaration lacks the second parameter. */
interface Aggregator {
  aggregate(metrics: readonly (readonly CollectedMetric[])[], contentType: string): { metrics(): Promise<string> };
}

interface Accepted {
  readonly type: string;
  readonly quality: number;
}

/** True if the scraper prefers OpenMetrics. Without a preference the answer is Prometheus's text, which more programs read. */
export function prefersOpenMetrics(accept: string): boolean {
  const accepted: readonly Accepted[] = accept.split(",").map((part) => {
    const [type = "", ...parameters] = part.split(";").map((one) => one.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
  });
  const qualityOf = (...types: readonly string[]): number =>
    Math.max(0, ...accepted.filter(({ type }) => types.includes(type)).map(({ quality }) => quality));
  const open = qualityOf("application/openmetrics-text");
  return open > 0 && open >= qualityOf("text/plain", "text/*");
}

/** `nodes` are the metrics of each node; series of one metric are written together. */
export async function metricsResponse(nodes: readonly (readonly CollectedMetric[])[], accept: string): Promise<HttpResponse> {
  // Bundled, a library in CommonJS has only a default export.
  const { AggregatorRegistry, openMetricsContentType, prometheusContentType } = (await import("prom-client")).default;
  const isOpen = prefersOpenMetrics(accept);
  const contentType = isOpen ? openMetricsContentType : prometheusContentType;
  const text = await (AggregatorRegistry as unknown as Aggregator)
    .aggregate(isOpen ? nodes.map(withBareCounters) : nodes, contentType)
    .metrics();
  return {
    status: 200,
    headers: { "content-type": contentType, "cache-control": "no-store", vary: "accept", "x-content-type-options": "nosniff" },
    body: encodeUtf8(text),
  };
}

/** OpenMetrics names a counter without the suffix of its samples. The library adds the suffix. */
function withBareCounters(metrics: readonly CollectedMetric[]): readonly CollectedMetric[] {
  return metrics.map((metric) => (metric.type === "counter" ? { ...metric, name: metric.name.replace(/_total$/, "") } : metric));
}
