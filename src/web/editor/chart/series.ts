/** Columns of a result as the numbers of a chart. */
import { type ColumnType, isNumberType, isTimeType } from "../results/column-types.ts";
import { dateDays, timestampPicos } from "../results/moments.ts";
import { orderedRows } from "../results/order.ts";
import { oneLine, valueText } from "../results/values.ts";

export type ChartKind = "bar" | "line" | "scatter";

export interface ChartChoice {
  readonly kind: ChartKind;
  readonly x: number;
  readonly ys: readonly number[];
}

export interface ChartData {
  /** Seconds since 1970 for times, positions for names. */
  readonly xs: readonly number[];
  readonly ys: readonly (readonly (number | null)[])[];
  readonly xKind: "number" | "time" | "name";
  /** Times without a time of day. */
  readonly isDate: boolean;
  /** Labels of the positions. */
  readonly names: readonly string[];
  /** Rows that are not drawn, because there are too many. */
  readonly omitted: number;
}

type Rows = readonly (readonly unknown[])[];

const barsMax = 500;
const pointsMax = 100_000;
const nameLengthMax = 40;

/** The first suitable columns: a name or time against numbers. Keys are numbers that say little in a chart. */
export function suggestedChart(types: readonly ColumnType[], names: readonly string[]): ChartChoice {
  const isKey = (index: number): boolean => /(?:key|id)$/i.test(names[index] ?? "");
  const all = types.flatMap((type, index) => (isNumberType(type) ? [index] : []));
  const numbers = [...all.filter((index) => !isKey(index)), ...all.filter(isKey)];
  const time = types.findIndex(isTimeType);
  const name = types.findIndex((type) => !isNumberType(type));
  const x = time >= 0 ? time : name >= 0 ? name : (all[0] ?? 0);
  const ys = numbers.filter((index) => index !== x).slice(0, 1);
  const kind = time >= 0 ? "line" : name < 0 && ys.length > 0 ? "scatter" : "bar";
  return { kind, x, ys };
}

/** Undefined for NULL and for what is no number. Numbers beyond 2^53 are rounded: a chart has no more digits than pixels. */
function chartNumber(value: unknown): number | null {
  const number = value === null || value === undefined || typeof value === "boolean" || value === "" ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : null;
}

function chartTime(value: unknown, { base }: ColumnType): number | null {
  if (typeof value !== "string") {
    return null;
  }
  const days = base === "date" ? dateDays(value) : undefined;
  const picos = base === "date" ? undefined : timestampPicos(value);
  return days === undefined ? (picos === undefined ? null : Number(picos / 1_000_000_000n) / 1000) : days * 86_400;
}

export function chartData(types: readonly ColumnType[], rows: Rows, { kind, x, ys }: ChartChoice): ChartData {
  const xType = types[x] ?? { base: "varchar", numbers: [], children: [] };
  const xKind = isTimeType(xType) ? "time" : isNumberType(xType) && kind !== "bar" ? "number" : "name";
  const limit = kind === "bar" ? barsMax : pointsMax;
  if (xKind === "name") {
    const drawn = rows.slice(0, limit);
    return {
      xs: drawn.map((_, index) => index),
      ys: ys.map((y) => drawn.map((row) => chartNumber(row[y]))),
      xKind,
      isDate: false,
      names: drawn.map((row) => nameOf(row[x], xType)),
      omitted: rows.length - drawn.length,
    };
  }
  // Times and numbers go from left to right; a row without one has no place.
  const placed = Array.from(orderedRows(rows, xType, { column: x, direction: "ascending" }), (index) => rows[index] ?? []).flatMap(
    (row) => {
      const place = xKind === "time" ? chartTime(row[x], xType) : chartNumber(row[x]);
      return place === null ? [] : [{ place, row }];
    },
  );
  const drawn = placed.slice(0, limit);
  return {
    xs: drawn.map(({ place }) => place),
    ys: ys.map((y) => drawn.map(({ row }) => chartNumber(row[y]))),
    xKind,
    isDate: xType.base === "date",
    names: [],
    omitted: rows.length - drawn.length,
  };
}

function nameOf(value: unknown, type: ColumnType): string {
  return value === null || value === undefined ? "NULL" : oneLine(valueText(value, type), nameLengthMax);
}
