/** What a client printed, compared with the rows that it must have. */
import { type JsonValue, parseJson, stringifyJson } from "../../src/protocol/json.ts";
import type { Cell } from "./situation.ts";

/** Rows that a client printed: one a line, an array or an object in the order of its columns. Throws JsonSyntaxError. */
export function readRows(text: string): readonly (readonly JsonValue[])[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => cellsOf(parseJson(line)));
}

function cellsOf(row: JsonValue): readonly JsonValue[] {
  if (Array.isArray(row)) {
    return row;
  }
  return typeof row === "object" && row !== null ? Object.values(row) : [row];
}

/** The first difference, in a sentence; undefined if there is none. */
export function difference(actual: readonly (readonly JsonValue[])[], expected: readonly (readonly Cell[])[]): string | undefined {
  const shared = Math.min(actual.length, expected.length);
  for (let row = 0; row < shared; row++) {
    const cells = expected[row] ?? [];
    const got = actual[row] ?? [];
    const wrong = cells.findIndex((cell, column) => !same(got[column], cell));
    if (wrong >= 0 || got.length !== cells.length) {
      const column = Math.max(0, wrong);
      return `Row ${row + 1}, column ${column + 1} is ${show(got[column])}, not ${showCell(cells[column])}`;
    }
  }
  return actual.length === expected.length ? undefined : `${actual.length} rows instead of ${expected.length}`;
}

function show(value: JsonValue | undefined): string {
  return value === undefined ? "missing" : shortened(stringifyJson(value));
}

function showCell(cell: Cell | undefined): string {
  return cell === undefined ? "missing" : shortened(stringifyJson(cell));
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function same(value: JsonValue | undefined, cell: Cell): boolean {
  if (value === undefined) {
    return false;
  }
  if (cell === null || typeof cell === "boolean") {
    return value === cell;
  }
  switch (typeof cell) {
    case "bigint":
      return (typeof value === "string" || typeof value === "number" || typeof value === "bigint") && String(value) === String(cell);
    case "number":
      return sameDouble(value, cell);
    case "string":
      return value === cell;
    case "object":
      return sameStructure(value, cell);
  }
}

/** Clients that have no JSON for NaN and infinities print texts. */
function sameDouble(value: JsonValue, cell: number): boolean {
  const number = typeof value === "string" ? Number(value) : Number(value as number);
  return (typeof value === "number" || typeof value === "string" || typeof value === "bigint") && Object.is(number + 0, cell + 0);
}

function sameStructure(value: JsonValue, cell: Exclude<Cell, null | boolean | number | bigint | string>): boolean {
  if ("decimal" in cell) {
    return (
      (typeof value === "string" || typeof value === "number" || typeof value === "bigint") && plain(String(value)) === plain(cell.decimal)
    );
  }
  if ("time" in cell) {
    return typeof value === "string" && plainTime(value) === plainTime(cell.time);
  }
  if ("bytes" in cell) {
    return bytesOf(value) === cell.bytes;
  }
  if ("pairs" in cell) {
    const entries = entriesOf(value);
    return entries.length === cell.pairs.length && cell.pairs.every(([key, one]) => same(entries.find(([name]) => name === key)?.[1], one));
  }
  const cells = cellsOf(value);
  return typeof value === "object" && cells.length === cell.length && cell.every((one, index) => same(cells[index], one));
}

function entriesOf(value: JsonValue): readonly (readonly [string, JsonValue])[] {
  if (Array.isArray(value)) {
    return value.filter(Array.isArray).map(([key = null, one = null]) => [String(key as string), one] as const);
  }
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

function bytesOf(value: JsonValue): string | undefined {
  if (typeof value === "string") {
    return value;
  }
  const data = value !== null && typeof value === "object" && !Array.isArray(value) ? (value["data"] ?? null) : value;
  return Array.isArray(data) ? Buffer.from(data.map(Number)).toString("base64") : undefined;
}

/** Trailing zeros of a fraction say nothing. */
function plain(text: string): string {
  return text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text;
}

function plainTime(text: string): string {
  const local = text.replace("T", " ").replace(/(Z| UTC)$/, "");
  return (local.includes(".") ? local.replace(/0+$/, "").replace(/\.$/, "") : local).replace(/ 00:00:00$/, "");
}
