/**
 * Text of durations and data sizes in the form of Presto's airlift units: `1.32m`, `0.00ns`; `174.76kB`, `16MB`, `0B`. Elsewhere in the
 * engine durations are nanoseconds and sizes are bytes.
 */

const durationUnits: readonly (readonly [string, number])[] = [
  ["ns", 1],
  ["us", 1e3],
  ["ms", 1e6],
  ["s", 1e9],
  ["m", 60e9],
  ["h", 3600e9],
  ["d", 86400e9],
];

const sizeUnits: readonly (readonly [string, number])[] = [
  ["B", 1],
  ["kB", 1024],
  ["MB", 1024 ** 2],
  ["GB", 1024 ** 3],
  ["TB", 1024 ** 4],
  ["PB", 1024 ** 5],
];

const measure = /^\s*(\d+(?:\.\d+)?)\s*([a-zA-Z]+)\s*$/;
export const durationPattern: RegExp = /^\d+(?:\.\d+)?(?:ns|us|ms|s|m|h|d)$/;
export const dataSizePattern: RegExp = /^\d+(?:\.\d+)?(?:B|kB|MB|GB|TB|PB)$/;

/** Two fraction digits in the largest unit in which the value exceeds 0.9999. `nanos` >= 0. */
export function formatDuration(nanos: number): string {
  let best = durationUnits[0] as readonly [string, number];
  for (const unit of durationUnits) {
    if (nanos / unit[1] > 0.9999) {
      best = unit;
    }
  }
  return `${(nanos / best[1]).toFixed(2)}${best[0]}`;
}

/** A duration in its original unit with two fraction digits: `90m` becomes `90.00m`, as Presto shows a limit. */
export function normalizeDuration(text: string): string {
  return text.replace(measure, (_, value: string, unit: string) => `${Number(value).toFixed(2)}${unit}`);
}

/** A data size in its original unit: `1024B` is unchanged, `1.50GB` has two fraction digits. */
export function normalizeDataSize(text: string): string {
  return text.replace(measure, (_, value: string, unit: string) => {
    const size = Number(value);
    return `${Number.isInteger(size) ? String(size) : size.toFixed(2)}${unit}`;
  });
}

/** Nanoseconds; undefined if the text is not a duration. */
export function parseDuration(text: string): number | undefined {
  return parseMeasure(text, durationUnits);
}

/** Whole milliseconds; undefined if the text is not a duration. */
export function parseDurationMs(text: string): number | undefined {
  const nanos = parseDuration(text);
  return nanos === undefined ? undefined : Math.round(nanos / 1e6);
}

/** Integers without fraction digits, other values with two. `bytes` >= 0. */
export function formatDataSize(bytes: number): string {
  let best = sizeUnits[0] as readonly [string, number];
  for (const unit of sizeUnits) {
    if (bytes >= unit[1]) {
      best = unit;
    }
  }
  const value = bytes / best[1];
  return `${Number.isInteger(value) ? String(value) : value.toFixed(2)}${best[0]}`;
}

/** Whole bytes; undefined if the text is not a data size. */
export function parseDataSize(text: string): number | undefined {
  const bytes = parseMeasure(text, sizeUnits);
  return bytes === undefined ? undefined : Math.round(bytes);
}

function parseMeasure(text: string, units: readonly (readonly [string, number])[]): number | undefined {
  const match = measure.exec(text);
  const unit = units.find(([name]) => name === match?.[2]);
  return match === null || unit === undefined ? undefined : Number(match[1]) * unit[1];
}
