/**
 * Series of metrics: counters and histograms that grow on the node's hot paths, and the plain form in which a scrape collects all series
 * and in which threads hand theirs to the main thread. The form is that of prom-client's `getMetricsAsJSON`.
 */
import { type MetricFamily, metricFamilies, type MetricName } from "./families.ts";

export type Labels = Readonly<Record<string, string | number>>;

interface SeriesValue {
  readonly value: number;
  readonly labels: Labels;
  /** Name with a suffix, for the parts of histograms. */
  readonly metricName?: string;
}

/** One metric with all of its series. */
export interface CollectedMetric {
  readonly name: string;
  readonly help: string;
  readonly type: MetricFamily["type"];
  readonly aggregator: "sum";
  readonly values: readonly SeriesValue[];
}

/** A counter with labels. One lookup for each increment. */
export class LabelledCounter {
  readonly #series = new Map<string, { readonly labels: Labels; value: number }>();

  /** `key` identifies the labels, which are made once for each key. */
  add(key: string, labels: () => Labels, value = 1): void {
    const known = this.#series.get(key);
    if (known === undefined) {
      this.#series.set(key, { labels: labels(), value });
    } else {
      known.value += value;
    }
  }

  get values(): readonly SeriesValue[] {
    return [...this.#series.values()];
  }
}

/** A histogram with one label and fixed buckets. */
export class LabelledHistogram {
  readonly #label: string;
  /** Upper bounds, ascending, without infinity. */
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, { readonly counts: number[]; sum: number; count: number }>();

  constructor(label: string, bounds: readonly number[]) {
    this.#label = label;
    this.#bounds = bounds;
  }

  observe(labelValue: string, value: number): void {
    let series = this.#series.get(labelValue);
    if (series === undefined) {
      series = { counts: this.#bounds.map(() => 0), sum: 0, count: 0 };
      this.#series.set(labelValue, series);
    }
    const bucket = this.#bounds.findIndex((bound) => value <= bound);
    if (bucket >= 0) {
      series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    }
    series.sum += value;
    series.count += 1;
  }

  valuesOf(name: string): readonly SeriesValue[] {
    return [...this.#series].flatMap(([labelValue, { counts, count, sum }]) => {
      const labels = { [this.#label]: labelValue };
      let below = 0;
      const buckets = counts.map((inBucket, index) => {
        below += inBucket;
        return { metricName: `${name}_bucket`, labels: { le: String(this.#bounds[index]), ...labels }, value: below };
      });
      return [
        ...buckets,
        { metricName: `${name}_bucket`, labels: { le: "+Inf", ...labels }, value: count },
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ];
    });
  }
}

/** Collects the series of one scrape of one node, in the order of the table of families. */
export class Collection {
  readonly #node: string;
  readonly #values = new Map<MetricName, SeriesValue[]>();

  constructor(node: string) {
    this.#node = node;
  }

  set(name: MetricName, value: number, labels: Labels = {}): void {
    this.addAll(name, [{ value, labels }]);
  }

  addAll(name: MetricName, values: readonly SeriesValue[]): void {
    const known = this.#values.get(name) ?? [];
    known.push(...values.map((one) => ({ ...one, labels: { ...one.labels, node: this.#node } })));
    this.#values.set(name, known);
  }

  get metrics(): readonly CollectedMetric[] {
    return (Object.keys(metricFamilies) as MetricName[]).flatMap((name) => {
      const values = this.#values.get(name);
      const { help, type } = metricFamilies[name];
      return values === undefined ? [] : [{ name, help, type, aggregator: "sum" as const, values }];
    });
  }
}
