/**
 * Progress and summary of a query as text: the line while it runs, and Presto's summary after it. Pure functions.
 */
import type { QueryResults, StatementStats } from "../../protocol/documents/statement.ts";

const barWidth = 20;

/** `Query 2024.. RUNNING [=====> ] 42% 3 nodes 1.2M rows 4.5MB 0:03`, truncated to the width. */
export function progressLine(results: QueryResults, elapsedMs: number, width: number): string {
  const { stats } = results;
  const percent = progressOf(stats);
  const done = Math.round((percent / 100) * barWidth);
  const bar = done >= barWidth ? "=".repeat(barWidth) : `${"=".repeat(done)}>${" ".repeat(barWidth - done - 1)}`;
  const parts = [
    `${clockText(elapsedMs)} ${stats.state}`,
    `[${bar}] ${String(Math.floor(percent)).padStart(3)}%`,
    `${countText(Number(stats.processedRows))} rows`,
    sizeText(Number(stats.processedBytes)),
    `${countText(Number(stats.processedRows) / Math.max(elapsedMs / 1000, 0.001))} rows/s`,
    nodesText(stats.nodes),
    `${stats.completedSplits} of ${stats.totalSplits} splits`,
  ];
  let line = "";
  for (const part of parts) {
    const longer = line === "" ? part : `${line}  ${part}`;
    if (longer.length >= width) {
      break;
    }
    line = longer;
  }
  return line;
}

function progressOf(stats: StatementStats): number {
  if (stats.progressPercentage !== undefined) {
    return stats.progressPercentage;
  }
  return stats.totalSplits === 0 ? 0 : Math.min(100, (100 * stats.completedSplits) / stats.totalSplits);
}

/**
 * Query 20140108_110629_00011_dk5x2, FINISHED, 2 nodes
 * Splits: 20 total, 20 done (100.00%)
 * 0:01 [60.2K rows, 1.5MB] [45.1K rows/s, 1.1MB/s]
 */
export function summary(results: QueryResults, elapsedMs: number, debug: boolean): string {
  const { stats } = results;
  const seconds = Math.max(elapsedMs / 1000, 0.001);
  const rows = Number(stats.processedRows);
  const bytes = Number(stats.processedBytes);
  const lines = [
    `Query ${results.id}, ${stats.state}, ${nodesText(stats.nodes)}`,
    ...(debug ? [results.infoUri] : []),
    `Splits: ${stats.totalSplits} total, ${stats.completedSplits} done (${progressOf(stats).toFixed(2)}%)`,
    ...(debug ? debugLines(stats, seconds) : []),
    `${clockText(elapsedMs)} [${countText(rows)} rows, ${sizeText(bytes)}] [${countText(rows / seconds)} rows/s, ${sizeText(bytes / seconds)}/s]`,
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function debugLines(stats: StatementStats, seconds: number): readonly string[] {
  const cpuSeconds = Number(stats.cpuTimeMillis) / 1000;
  const rows = Number(stats.processedRows);
  const bytes = Number(stats.processedBytes);
  const perCpu = cpuSeconds === 0 ? "" : `, ${countText(rows / cpuSeconds)} rows/s, ${sizeText(bytes / cpuSeconds)}/s`;
  const peak = stats.peakMemoryBytes === undefined ? [] : [`Peak memory: ${sizeText(Number(stats.peakMemoryBytes))}`];
  return [`CPU time: ${cpuSeconds.toFixed(1)}s total${perCpu}`, `Parallelism: ${(cpuSeconds / seconds).toFixed(1)}`, ...peak];
}

function nodesText(nodes: number): string {
  return nodes === 1 ? "1 node" : `${nodes} nodes`;
}

/** `0:07`, `61:00` */
function clockText(elapsedMs: number): string {
  const seconds = Math.floor(elapsedMs / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export function countText(count: number): string {
  return measure(count, ["", "K", "M", "B", "T", "Q"], 1000);
}

export function sizeText(bytes: number): string {
  return measure(bytes, ["B", "kB", "MB", "GB", "TB", "PB"], 1024);
}

/** At most three digits: `7`, `7.53K`, `75.3K`, `753K`. */
function measure(value: number, units: readonly string[], step: number): string {
  let scaled = value;
  let unit = 0;
  while (scaled >= step && unit < units.length - 1) {
    scaled /= step;
    unit++;
  }
  const digits = unit === 0 || scaled >= 100 ? 0 : scaled >= 10 ? 1 : 2;
  const text = scaled.toFixed(digits);
  return `${digits === 0 ? text : text.replace(/\.?0+$/, "")}${units[unit] ?? ""}`;
}
