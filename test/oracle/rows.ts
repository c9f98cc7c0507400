/**
 * Compares rows of the engine with those of statements/*.sql or of DuckDB. Types are not known for sure here: a number of any type equals
 * its text. compare.ts compares strictly by type.
 */

type Cell = null | boolean | number | bigint | string | readonly Cell[];

/** One form for the cells of both sides: integers as bigint, doubles as numbers, the rest as text. */
function normal(value: unknown): Cell {
  if (typeof value === "number") {
    return Number.isSafeInteger(value) && !Object.is(value, -0) ? BigInt(value) : value;
  }
  if (typeof value === "string" && /^-?(Infinity|NaN)$/.test(value)) {
    return Number(value);
  }
  if (typeof value === "string" && /^\d{4,}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+$/.test(value)) {
    // The oracle omits the fraction of a whole second.
    return value.replace(/\.?0+$/, "");
  }
  if (Array.isArray(value)) {
    return value.map(normal);
  }
  if (typeof value === "object" && value !== null) {
    // A map: the order of entries does not matter.
    const entries = Object.entries(value).map(([key, inner]): Cell => [key, normal(inner)]);
    return entries.sort((a, b) => (sortKey([a]) < sortKey([b]) ? -1 : 1));
  }
  return value as Cell;
}

function asNumber(cell: Cell): number | undefined {
  if (typeof cell === "number" || typeof cell === "bigint") {
    return Number(cell);
  }
  return typeof cell === "string" && /^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : undefined;
}

function sameCell(a: Cell, b: Cell): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((cell: Cell, index) => sameCell(cell, b[index] as Cell));
  }
  if (a === b || (typeof a === "bigint" && typeof b === "bigint")) {
    return a === b;
  }
  const [x, y] = [asNumber(a), asNumber(b)];
  if (x === undefined || y === undefined || (typeof a === "string" && typeof b === "string")) {
    return typeof a === "string" && typeof b === "string" && (a === b || (x !== undefined && x === y));
  }
  return Object.is(x, y) || (Number.isNaN(x) && Number.isNaN(y)) || Math.abs(x - y) <= 1e-9 * Math.max(1, Math.abs(x), Math.abs(y));
}

function sortKey(row: readonly Cell[]): string {
  return row
    .map((cell) => {
      if (Array.isArray(cell)) {
        return sortKey(cell as readonly Cell[]);
      }
      const number = asNumber(cell);
      return number === undefined ? String(cell) : number.toPrecision(10);
    })
    .join("\u0000");
}

/** Ignores ORDER BY in parentheses: in windows, aggregates, subqueries and MATCH_RECOGNIZE. */
function isOrdered(sql: string): boolean {
  let outside = sql.replaceAll(/'[^']*'|"[^"]*"/g, "");
  for (let before = ""; before !== outside; ) {
    before = outside;
    outside = outside.replaceAll(/\([^()]*\)/g, "");
  }
  return /\bORDER BY\b/i.test(outside);
}

/** The first row that differs, or undefined. The rows are compared in order if the statement orders them. */
export function rowsDifference(
  sql: string,
  found: readonly (readonly unknown[])[],
  expected: readonly (readonly unknown[])[],
  types: readonly string[],
): string | undefined {
  const ordered = isOrdered(sql);
  const arrange = (rows: readonly (readonly unknown[])[]): Cell[][] => {
    // The oracle returns a real as the double of the same value, the engine as its shortest text.
    const cells = rows.map((row) =>
      row.map((cell, place) => normal(types[place] === "real" && cell !== null ? Math.fround(Number(cell)) : cell)),
    );
    if (ordered) {
      return cells;
    }
    const keyed = cells.map((row) => ({ row, key: sortKey(row) }));
    return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ row }) => row);
  };
  const left = arrange(found);
  const right = arrange(expected);
  const place = left.findIndex(
    (row, index) => row.length !== right[index]?.length || row.some((cell, at) => !sameCell(cell, right[index]?.[at] as Cell)),
  );
  if (place < 0 && left.length === right.length) {
    return undefined;
  }
  const at = place < 0 ? Math.min(left.length, right.length) : place;
  return `row ${at} of ${left.length} is ${show(left[at])}, expected of ${right.length} rows: ${show(right[at])}`;
}

function show(row: readonly Cell[] | undefined): string {
  return row === undefined ? "none" : JSON.stringify(row, (_, cell: unknown) => (typeof cell === "bigint" ? String(cell) : cell));
}

/** DuckDB requires parentheses around rows where Presto accepts a bare value: `VALUES 1, NULL` becomes `VALUES (1), (NULL)`. */
export function forDuckDb(sql: string): string {
  return sql.replaceAll(
    /\bVALUES ((?!\()[^()]+?)(?=\)|$)/g,
    (_, values: string) =>
      `VALUES ${values
        .split(",")
        .map((value) => `(${value.trim()})`)
        .join(", ")}`,
  );
}
