/**
 * The measurements as a table and as plain data.
 */
import { families, type Family, familyTitles, type Mutant } from "./bank.ts";
import type { Measurement } from "./measure.ts";
import { type Spread, spreadOf } from "./detection-figures.ts";

export interface Totals {
  readonly name: string;
  readonly detected: number;
  readonly mutants: number;
  /** Distribution of the mutants' medians. A mutant that was never detected is censored at its number of seeds. */
  readonly seedsToDetect: Spread;
}

function isDetected({ detections }: Measurement): boolean {
  return detections.length > 0;
}

function totalsOf(name: string, measurements: readonly Measurement[]): Totals {
  const medians = measurements.map(({ spread, seeds }) => ({ value: spread.median ?? seeds, censored: spread.median === undefined }));
  return { name, detected: measurements.filter(isDetected).length, mutants: measurements.length, seedsToDetect: spreadOf(medians) };
}

function allTotals(measurements: readonly Measurement[]): readonly Totals[] {
  const select = (name: string, chosen: (mutant: Mutant) => boolean): Totals =>
    totalsOf(
      name,
      measurements.filter(({ mutant }) => chosen(mutant)),
    );
  return [
    ...families.map((family: Family) => select(familyTitles[family], (mutant) => mutant.family === family)),
    select("open", ({ heldOut }) => !heldOut),
    select("held out", ({ heldOut }) => heldOut),
    select("from history", ({ origin }) => origin === "history"),
    select("invented", ({ origin }) => origin === "invented"),
    select("all", () => true),
  ].filter(({ mutants }) => mutants > 0);
}

/** Why a mutant was missed, as a hint for improvement. */
export function diagnosis({ reached, triggered, detections, seeds }: Measurement): string | undefined {
  if (detections.length > 0) {
    return undefined;
  }
  if (reached === 0) {
    return `never reached in ${seeds} seeds: no generated plan leads there`;
  }
  return triggered === 0
    ? `reached in ${reached} of ${seeds} seeds, never triggered: no generated plan meets its conditions`
    : `triggered in ${triggered} of ${seeds} seeds, not detected by any oracle`;
}

/** Oracles by their number of detections. */
function oraclesOf({ detections }: Measurement): readonly string[] {
  const counts = new Map<string, number>();
  for (const { oracle } of detections) {
    counts.set(oracle, (counts.get(oracle) ?? 0) + 1);
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([oracle, count]) => (count > 1 ? `${oracle} ${count}` : oracle));
}

function number(value: number | undefined, seeds: number): string {
  return value === undefined ? `>${seeds}` : String(value);
}

function describeMeasurement(measurement: Measurement): readonly string[] {
  const { mutant, seeds, reached, triggered, detections, spread } = measurement;
  return [
    `${mutant.name}${mutant.heldOut ? " *" : ""}`,
    mutant.difficulty,
    String(seeds),
    String(reached),
    String(triggered),
    String(detections.length),
    detections.length === 0 ? `>${seeds}` : `${number(spread.median, seeds)} (${number(spread.low, seeds)}-${number(spread.high, seeds)})`,
    detections.length === 0 ? "MISSED" : oraclesOf(measurement).join(", "),
  ];
}

const columns = ["mutant (* held out)", "guess", "seeds", "reached", "triggered", "detected", "seeds to detect", "by"];

function table(rows: readonly (readonly string[])[]): string {
  const widths = columns.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? "").length)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column >= 2 && column <= 5 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd();
  return [line(columns), ...rows.map(line)].join("\n");
}

export interface ReportFacts {
  readonly measurements: readonly Measurement[];
  readonly unusableSeeds: readonly number[];
  readonly seedsMax: number;
}

export function describeReport({ measurements, unusableSeeds, seedsMax }: ReportFacts): string {
  const missed = measurements.filter((one) => !isDetected(one));
  const totals = allTotals(measurements).map(
    ({ name, detected, mutants, seedsToDetect: { low, median, high } }) =>
      `${name.padEnd(26)} ${`${detected}/${mutants}`.padStart(7)} detected within ${seedsMax} seeds, median ${number(median, seedsMax)} seeds (quartiles ${number(low, seedsMax)}-${number(high, seedsMax)})`,
  );
  return [
    table(measurements.map(describeMeasurement)),
    "",
    ...totals,
    ...(unusableSeeds.length === 0 ? [] : [`not counted, because the unmodified engine fails on them: seeds ${unusableSeeds.join(", ")}`]),
    ...(missed.length === 0
      ? []
      : ["", "missed:", ...missed.map((one) => `  ${one.mutant.name} (${one.mutant.title}): ${diagnosis(one)}`)]),
  ].join("\n");
}

export function reportData(facts: ReportFacts & { readonly firstSeed: number; readonly detectionsMax: number }): unknown {
  const { measurements, ...settings } = facts;
  return {
    ...settings,
    totals: allTotals(measurements),
    mutants: measurements.map((measurement) => {
      const { mutant, detections, gaps, spread, seeds, reached, triggered, realMs } = measurement;
      const { patches: _, ...facts } = mutant;
      return {
        ...facts,
        seeds,
        reached,
        triggered,
        spread,
        gaps,
        detections,
        realMs: Math.round(realMs),
        diagnosis: diagnosis(measurement),
      };
    }),
  };
}
