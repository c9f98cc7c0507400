/**
 * Chart of the TPC-H queries as stacked bars: time relative to DuckDB, by component. A self-contained SVG file.
 */
import type { Share } from "./shares.ts";

export interface PicturedQuery {
  readonly name: string;
  /** Time relative to DuckDB's time. */
  readonly ratio: number;
  readonly ms: number;
  readonly shares: readonly Share[];
}

interface Group {
  readonly label: string;
  readonly colour: string;
  readonly names: readonly string[];
}

/** In the order of the stack; the last group has all remaining components. */
const groups: readonly Group[] = [
  { label: "parse", colour: "#4c3a8f", names: ["parse"] },
  { label: "plan", colour: "#7a63c7", names: ["plan"] },
  { label: "schedule and wait", colour: "#c9cdd6", names: ["schedule and wait"] },
  { label: "scan and filter", colour: "#2f7fb8", names: ["TableScan", "ScanFilterAndProject", "FilterAndProject", "Values"] },
  {
    label: "join",
    colour: "#e08a2c",
    names: ["HashBuilder", "LookupJoin", "HashSemiJoin", "SetBuilder", "NestedLoopBuild", "NestedLoopJoin", "EnforceSingleRow"],
  },
  { label: "aggregation", colour: "#3b9c63", names: ["Aggregation", "HashAggregation", "MarkDistinct", "GroupId"] },
  { label: "sort and limit", colour: "#c94f6d", names: ["OrderBy", "TopN", "Limit", "Window", "Merge", "Offset"] },
  {
    label: "exchange",
    colour: "#d9b62f",
    names: ["Exchange", "LocalExchangeSource", "LocalExchangeSink", "PartitionedOutput", "TaskOutput"],
  },
  { label: "other", colour: "#7d8590", names: [] },
];

const rowHeight = 22;
const barHeight = 14;
const left = 56;
const right = 120;
const top = 84;
const plotWidth = 760;

/** `title` and names are constants of the benchmark; they need no escaping. */
export function drawQueries(title: string, queries: readonly PicturedQuery[]): string {
  const largest = Math.max(1, ...queries.map(({ ratio }) => ratio));
  const axisMax = niceCeiling(largest);
  const x = (ratio: number): number => left + (ratio / axisMax) * plotWidth;
  const height = top + queries.length * rowHeight + 44;
  const width = left + plotWidth + right;
  const bottom = top + queries.length * rowHeight;
  const ticks = Array.from({ length: Math.floor(axisMax / tickStep(axisMax)) + 1 }, (_, index) => index * tickStep(axisMax));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="12">`,
    `<title>${title}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="${left}" y="24" font-size="15" font-weight="600" fill="#1f2430">${title}</text>`,
    ...legend(),
    ...ticks.map(
      (tick) =>
        `<line x1="${x(tick)}" x2="${x(tick)}" y1="${top - 6}" y2="${bottom}" stroke="#e6e8ec"/>` +
        `<text x="${x(tick)}" y="${bottom + 16}" text-anchor="middle" fill="#5b6270">${tick}×</text>`,
    ),
    ...queries.flatMap((query, index) => bar(query, { y: top + index * rowHeight, x })),
    `<line x1="${x(1)}" x2="${x(1)}" y1="${top - 6}" y2="${bottom}" stroke="#1f2430" stroke-dasharray="4 3"/>`,
    `<text x="${x(1)}" y="${bottom + 34}" text-anchor="middle" fill="#1f2430">DuckDB</text>`,
    "</svg>",
    "",
  ].join("\n");
}

function legend(): readonly string[] {
  let at = left;
  return groups.map(({ label, colour }) => {
    const mark = `<rect x="${at}" y="40" width="11" height="11" rx="2" fill="${colour}"/><text x="${at + 16}" y="50" fill="#1f2430">${label}</text>`;
    at += 16 + label.length * 6.6 + 18;
    return mark;
  });
}

function bar(query: PicturedQuery, { y, x }: { readonly y: number; readonly x: (ratio: number) => number }): readonly string[] {
  const { name, ratio, ms } = query;
  let from = 0;
  const parts = groups.map((group) => {
    const fraction = fractionOf(group, query.shares);
    const start = x(from * ratio);
    from += fraction;
    const width = x(from * ratio) - start;
    const share = `${name}: ${group.label} ${Math.round(100 * fraction)}%`;
    return width < 0.05
      ? ""
      : `<rect x="${start.toFixed(2)}" y="${y}" width="${width.toFixed(2)}" height="${barHeight}" fill="${group.colour}"><title>${share}</title></rect>`;
  });
  return [
    `<text x="${left - 8}" y="${y + 11}" text-anchor="end" fill="#1f2430">${name}</text>`,
    ...parts.filter((part) => part !== ""),
    `<text x="${(x(ratio) + 6).toFixed(2)}" y="${y + 11}" fill="#5b6270">${ratio.toFixed(2)}× · ${ms.toFixed(0)} ms</text>`,
  ];
}

function fractionOf(group: Group, shares: readonly Share[]): number {
  const known = new Set(groups.flatMap(({ names }) => names));
  const own =
    group.names.length === 0 ? shares.filter(({ name }) => !known.has(name)) : shares.filter(({ name }) => group.names.includes(name));
  return own.reduce((sum, { fraction }) => sum + fraction, 0);
}

/** One tick for each whole number if they fit. */
function tickStep(axisMax: number): number {
  return axisMax <= 12 ? 1 : axisMax <= 30 ? 5 : 10;
}

function niceCeiling(value: number): number {
  const step = tickStep(value);
  return Math.ceil(value / step) * step;
}
