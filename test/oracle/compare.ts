/**
 * Compares rows of the engine with rows of an oracle, cell by cell and strictly by the column's type: only doubles and reals have a
 * tolerance. statements/*.sql use a looser comparison, because their notes are written by hand.
 */

export type Row = readonly unknown[];

export interface Comparison {
  readonly types: readonly string[];
  /** True if the rows have a total order; otherwise they are compared as a multiset. */
  readonly ordered: boolean;
}

/** The first difference, or undefined. */
export function difference(found: readonly Row[], expected: readonly Row[], { types, ordered }: Comparison): string | undefined {
  if (found.length !== expected.length) {
    return `${found.length} rows where ${expected.length} are expected: ${show(found)} against ${show(expected)}`;
  }
  const arrange = (rows: readonly Row[]): readonly (readonly Cell[])[] => {
    const cells = rows.map((row) => types.map((type, index) => cell(type, row[index])));
    return ordered ? cells : cells.sort((a, b) => compareText(sortKey(a), sortKey(b)));
  };
  const right = arrange(expected);
  for (const [index, row] of arrange(found).entries()) {
    const column = row.findIndex((value, place) => !sameCell(types[place] ?? "", value, right[index]?.[place] ?? null));
    if (column >= 0) {
      return `row ${index}, column ${column} (${types[column]}): ${show(row)} against ${show(right[index] ?? [])}`;
    }
  }
  return undefined;
}

/**
 * Compares the results of a query with ORDER BY over column names, or without: the same rows, and the order columns in the same sequence.
 * Rows that tie in the order columns may come in any order.
 */
export function differenceInOrder(
  sql: string,
  found: readonly Row[],
  expected: readonly Row[],
  { names, types }: { readonly names: readonly string[]; readonly types: readonly string[] },
): string | undefined {
  const rows = difference(found, expected, { types, ordered: false });
  const [, keys] = /order\s+by\s+([^;()]*)(?:;|$)/i.exec(sql) ?? [];
  if (rows !== undefined || keys === undefined) {
    return rows;
  }
  const places = keys.split(",").map((key) => names.indexOf(key.trim().split(/\s/)[0] ?? ""));
  if (places.includes(-1)) {
    return `the rows are ordered by ${keys.trim()}, which are not all columns of theirs: ${names.join(", ")}`;
  }
  const keysOf = (row: Row): Row => places.map((place) => row[place]);
  const order = difference(found.map(keysOf), expected.map(keysOf), { types: keysOf(types) as readonly string[], ordered: true });
  return order === undefined ? undefined : `in the order by ${keys.trim()}, ${order}`;
}

type Cell = null | boolean | number | string;

/** Integers and decimals as text without superfluous zeros, doubles as numbers. */
function cell(type: string, value: unknown): Cell {
  if (value === null || value === undefined) {
    return null;
  }
  if (type === "double" || type === "real") {
    return Number(value);
  }
  if (typeof value === "boolean") {
    return value;
  }
  if (typeof value === "number" && type.startsWith("decimal")) {
    return value;
  }
  const text = (value as string | number | bigint).toString();
  if (type.startsWith("decimal") || type.startsWith("timestamp")) {
    return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  }
  return text;
}

function sameCell(type: string, a: Cell, b: Cell): boolean {
  if (a === b) {
    return true;
  }
  if (type.startsWith("decimal") && typeof a === "string" && typeof b === "number") {
    // The oracle has a double where Presto has a decimal (averages, quotients); the decimal must be that number rounded to its scale.
    const scale = Number(/, (\d+)\)/.exec(type)?.[1] ?? 0);
    return Math.abs(Number(a) - b) <= 0.5 * 10 ** -scale + 1e-12 * Math.abs(b);
  }
  if (typeof a !== "number" || typeof b !== "number") {
    return false;
  }
  const tolerance = type === "real" ? 1e-6 : 1e-9;
  return (Number.isNaN(a) && Number.isNaN(b)) || Math.abs(a - b) <= tolerance * Math.max(1e-9, Math.abs(a), Math.abs(b));
}

/** NULL differs from the text `NULL`. */
function sortKey(row: readonly Cell[]): string {
  return row
    .map((value) => (typeof value === "number" ? (value === 0 ? "0" : value.toPrecision(9)) : value === null ? "\u0001" : String(value)))
    .join("\u0000");
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function show(value: unknown): string {
  const text = JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? String(one) : one));
  return text.length > 600 ? `${text.slice(0, 600)}...` : text;
}
