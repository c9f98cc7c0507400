/**
 * Reads a scrape with a parser that is not ours. It knows no histograms with labels, so their parts are read as metrics of their own:
 * `name_bucket`, `name_sum`, `name_count`.
 */
import parse from "parse-prometheus-text-format";

interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Family {
  readonly type: string;
  readonly help: string;
  readonly series: readonly Series[];
}

export class Scrape {
  readonly families: ReadonlyMap<string, Family>;
  readonly histograms: ReadonlySet<string>;

  constructor(text: string) {
    this.histograms = new Set([...text.matchAll(/^# TYPE (\S+) histogram$/gm)].map(([, name = ""]) => name));
    const parsed = parse(text.replaceAll(/^# TYPE (\S+) histogram$/gm, "# TYPE $1 untyped"));
    const families = new Map<string, Family & { readonly series: Series[] }>();
    for (const { help, metrics, name, type } of parsed) {
      const isPart = [...this.histograms].some((one) => name.startsWith(`${one}_`));
      const family = families.get(name) ?? { help, type: type.toLowerCase(), series: [] };
      if (families.has(name) && !isPart) {
        throw new Error(`${name} stands twice in the scrape`);
      }
      family.series.push(...metrics.map(({ labels = {}, value }) => ({ labels, value: Number(value) })));
      families.set(name, family);
    }
    this.families = families;
  }

  /** Sum over the series with these labels; NaN if there is none. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number {
    const all = this.families.get(name)?.series ?? [];
    const found = all.filter((one) => Object.entries(labels).every(([label, value]) => one.labels[label] === value));
    return found.length === 0 ? Number.NaN : found.reduce((sum, { value }) => sum + value, 0);
  }
}
