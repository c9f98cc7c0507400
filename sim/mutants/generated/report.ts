/**
 * Measurements of generated mutants as a table by room, a list of survivors, and plain data.
 */
import { quantile } from "../detection-figures.ts";
import type { Measurement } from "../measure.ts";
import type { DrawnCounts, GeneratedMutant } from "./generate.ts";
import { type RoomName, roomNames } from "./rooms.ts";

type Measured = Measurement<GeneratedMutant>;

export interface GeneratedReport {
  readonly measurements: readonly Measured[];
  readonly counts: ReadonlyMap<RoomName, DrawnCounts>;
  readonly unusableSeeds: readonly number[];
  readonly mutationSeed: number;
  readonly firstSeed: number;
  readonly seedsMax: number;
  readonly realMs: number;
}

interface RoomFigures {
  readonly room: string;
  readonly drawn: number;
  readonly broken: number;
  readonly unchanged: number;
  /** Left out because no user can notice them, by rule. */
  readonly equivalent: Readonly<Record<string, number>>;
  readonly mutants: number;
  readonly reached: number;
  readonly changed: number;
  readonly found: number;
  readonly percent: number | undefined;
  /** 95 % interval of the percentage (Wilson). */
  readonly interval: readonly [number, number] | undefined;
  readonly median: number | undefined;
  readonly p95: number | undefined;
  readonly oracles: Readonly<Record<string, number>>;
}

const z95 = 1.959964;

/** Wilson score interval of a proportion, in percent. */
function intervalOf(found: number, all: number): readonly [number, number] | undefined {
  if (all === 0) {
    return undefined;
  }
  const share = found / all;
  const squared = z95 ** 2 / all;
  const middle = share + squared / 2;
  const half = z95 * Math.sqrt((share * (1 - share)) / all + squared / (4 * all));
  return [(100 * (middle - half)) / (1 + squared), (100 * (middle + half)) / (1 + squared)];
}

function isFound({ detections }: Measured): boolean {
  return detections.length > 0;
}

/** A run that an oracle rejected counts as changed, whatever its fingerprint. */
function isChanged(one: Measured): boolean {
  return one.triggered > 0 || isFound(one);
}

function figuresOf(room: string, measurements: readonly Measured[], counts: readonly DrawnCounts[]): RoomFigures {
  const changed = measurements.filter(isChanged);
  const found = changed.filter(isFound);
  const waits = changed.map((one) => ({ value: one.detections[0]?.place ?? one.seeds, censored: !isFound(one) }));
  const oracles = new Map<string, number>();
  for (const { detections } of found) {
    const name = detections[0]?.oracle ?? "";
    oracles.set(name, (oracles.get(name) ?? 0) + 1);
  }
  const equivalent: Record<string, number> = {};
  for (const [rule, count] of counts.flatMap((one) => [...one.equivalent])) {
    equivalent[rule] = (equivalent[rule] ?? 0) + count;
  }
  const sum = (field: "drawn" | "broken" | "unchanged"): number => counts.reduce((total, one) => total + one[field], 0);
  return {
    room,
    drawn: sum("drawn"),
    broken: sum("broken"),
    unchanged: sum("unchanged"),
    equivalent,
    mutants: measurements.length,
    reached: measurements.filter((one) => one.reached > 0 || isChanged(one)).length,
    changed: changed.length,
    found: found.length,
    percent: changed.length === 0 ? undefined : (100 * found.length) / changed.length,
    interval: intervalOf(found.length, changed.length),
    median: quantile(waits, 0.5),
    p95: quantile(waits, 0.95),
    oracles: Object.fromEntries([...oracles].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))),
  };
}

function figures({ measurements, counts }: GeneratedReport): readonly RoomFigures[] {
  const own = roomNames
    .filter((room) => counts.has(room))
    .map((room) =>
      figuresOf(
        room,
        measurements.filter(({ mutant }) => mutant.room === room),
        [counts.get(room)].filter((own) => own !== undefined),
      ),
    );
  return [...own, figuresOf("all", measurements, [...counts.values()])];
}

const columns = [
  "room",
  "drawn",
  "broken",
  "same code",
  "mutants",
  "reached",
  "changed",
  "found",
  "of changed",
  "95 % interval",
  "median",
  "p95",
  "found by",
];

function cells(row: RoomFigures, seedsMax: number): readonly string[] {
  const seeds = (value: number | undefined): string => (row.changed === 0 ? "-" : value === undefined ? `>${seedsMax}` : String(value));
  return [
    row.room,
    ...[row.drawn, row.broken, row.unchanged, row.mutants, row.reached, row.changed, row.found].map(String),
    row.percent === undefined ? "-" : `${row.percent.toFixed(0)} %`,
    row.interval === undefined ? "-" : `${row.interval[0].toFixed(0)}-${row.interval[1].toFixed(0)} %`,
    seeds(row.median),
    seeds(row.p95),
    Object.entries(row.oracles)
      .map(([name, count]) => `${name} ${count}`)
      .join(", "),
  ];
}

function table(rows: readonly (readonly string[])[]): string {
  const all = [columns, ...rows];
  const widths = columns.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
  return all
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 || column === columns.length - 1 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Share of all events of all seeds that a mutant changed. */
function shareOf({ triggered, seeds, shareAfter }: Measured): number {
  // A run that differs only at its end still differs.
  return (triggered / seeds) * Math.max(shareAfter, 0.001);
}

/** Mutants that changed a run and that no oracle noticed, those that changed most runs first. */
function survivorsOf(measurements: readonly Measured[]): readonly Measured[] {
  return measurements
    .filter((one) => isChanged(one) && !isFound(one))
    .sort((a, b) => shareOf(b) - shareOf(a) || (a.mutant.name < b.mutant.name ? -1 : 1));
}

function title({ site, line, name }: GeneratedMutant): string {
  return `${name} ${site.operator} ${site.path}:${line} ${site.place}`;
}

function changeOf({ triggered, seeds, shareAfter }: Measured): string {
  return `${triggered} of ${seeds} seeds, ${(100 * shareAfter).toFixed(0)} % of their events`;
}

function indented(text: string): string {
  return text.replace(/^/gm, "    ");
}

/** How many changes each rule has left out. */
function leftOut(report: GeneratedReport): readonly string[] {
  const all = figures(report).at(-1)?.equivalent ?? {};
  const text = Object.entries(all).map(([rule, count]) => `${rule} ${count}`);
  return text.length === 0 ? [] : [`left out, because no user can notice them: ${text.join(", ")}`];
}

export function describeGenerated(report: GeneratedReport): string {
  const { measurements, unusableSeeds, seedsMax, mutationSeed, realMs } = report;
  const survivors = survivorsOf(measurements);
  const still = measurements.filter((one) => !isChanged(one));
  return [
    table(figures(report).map((row) => cells(row, seedsMax))),
    "",
    `mutation seed ${mutationSeed}, at most ${seedsMax} seeds a mutant, ${(realMs / 1000 / Math.max(1, measurements.length)).toFixed(1)} s a mutant`,
    ...leftOut(report),
    ...(unusableSeeds.length === 0 ? [] : [`not counted, because the unmodified engine fails on them: seeds ${unusableSeeds.join(", ")}`]),
    ...(survivors.length === 0 ? [] : ["", "survivors that changed runs:"]),
    ...survivors.flatMap((one) => [`  ${title(one.mutant)}: changed ${changeOf(one)}`, indented(one.mutant.diff)]),
    ...(still.length === 0 ? [] : ["", "no run changed:"]),
    ...still.flatMap((one) => [
      `  ${title(one.mutant)}: ${one.reached === 0 ? "not reached" : `reached in ${one.reached}`} of ${one.seeds} seeds`,
      indented(one.mutant.diff),
    ]),
  ].join("\n");
}

export function generatedData(report: GeneratedReport): unknown {
  const { measurements, mutationSeed, firstSeed, seedsMax, unusableSeeds, realMs } = report;
  return {
    mutationSeed,
    firstSeed,
    seedsMax,
    unusableSeeds,
    realMs: Math.round(realMs),
    rooms: figures(report),
    mutants: measurements.map(({ mutant, seeds, reached, triggered, shareAfter, detections, realMs }) => ({
      name: mutant.name,
      room: mutant.room,
      operator: mutant.site.operator,
      path: mutant.site.path,
      line: mutant.line,
      place: mutant.site.place,
      diff: mutant.diff,
      seeds,
      reached,
      triggered,
      shareAfter,
      found: detections[0],
      realMs: Math.round(realMs),
    })),
  };
}
