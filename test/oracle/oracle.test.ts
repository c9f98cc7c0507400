/**
 * Every statement of statements/*.sql on a cluster of two workers against DuckDB over the same tables.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/protocol/json.ts";
import { type Oracle, openDuckDb } from "../support/oracle/duckdb.ts";
import { type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";
import { Asker } from "../support/service.ts";
import { copyTpchTables } from "../support/oracle/tpch-tables.ts";
import { type OracleStatement, parseStatements } from "./statements.ts";

const folder = join(dirname(fileURLToPath(import.meta.url)), "statements");
const files = readdirSync(folder)
  .filter((name) => name.endsWith(".sql"))
  .sort();

let cluster: LoopbackCluster;
let engine: Asker;
let duckdb: Oracle;

beforeAll(async () => {
  [cluster, duckdb] = await Promise.all([startLoopbackCluster(), openDuckDb({ threads: 1 })]);
  engine = new Asker(cluster, {
    "x-engine-user": "oracle",
    "x-engine-catalog": "tpch",
    "x-engine-schema": "tiny",
    "x-engine-client-capabilities": "PARAMETRIC_DATETIME",
  });
  await copyTpchTables(engine, duckdb);
}, 300_000);

afterAll(async () => {
  await cluster.stop();
  duckdb.close();
});

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

function expectSameRows(
  statement: OracleStatement,
  found: readonly (readonly unknown[])[],
  expected: readonly (readonly unknown[])[],
  types: readonly string[],
): void {
  const ordered = isOrdered(statement.sql);
  const arrange = (rows: readonly (readonly unknown[])[]): Cell[][] => {
    // The oracle returns a real as the double of the same value, the engine as its shortest text.
    const cells = rows.map((row) =>
      row.map((cell, place) => normal(types[place] === "real" && cell !== null ? Math.fround(Number(cell)) : cell)),
    );
    return ordered ? cells : cells.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  };
  const left = arrange(found);
  const right = arrange(expected);
  const differs =
    left.length !== right.length ||
    left.some(
      (row, index) => row.length !== right[index]?.length || row.some((cell, place) => !sameCell(cell, right[index]?.[place] as Cell)),
    );
  if (differs) {
    expect(left, statement.sql).toEqual(right);
    expect.unreachable(`rows differ: ${statement.sql}`);
  }
}

/** DuckDB requires parentheses around rows where Presto accepts a bare value: `VALUES 1, NULL` becomes `VALUES (1), (NULL)`. */
function forDuckDb(sql: string): string {
  return sql.replaceAll(
    /\bVALUES ((?!\()[^()]+?)(?=\)|$)/g,
    (_, values: string) =>
      `VALUES ${values
        .split(",")
        .map((value) => `(${value.trim()})`)
        .join(", ")}`,
  );
}

async function check(statement: OracleStatement): Promise<void> {
  const last = await engine.chain(statement.sql);
  const error = last.at(-1)?.["error"] as { errorName: string; message: string } | undefined;
  if (statement.error !== undefined) {
    expect(error?.errorName, `${statement.sql}: ${error?.message ?? "no error"}`).toBe(statement.error.name);
    if (statement.error.message !== undefined) {
      expect(error?.message, statement.sql).toBe(statement.error.message);
    }
    return;
  }
  expect(error?.message, statement.sql).toBeUndefined();
  const columns = last.at(-1)?.["columns"] as { type: string }[];
  if (statement.types !== undefined) {
    expect(columns.map((column) => column.type).join(", ")).toBe(statement.types);
  }
  const found = last.flatMap((response) => (response["data"] ?? []) as JsonValue[][]);
  // If both are set, DuckDB behaves the same but reports it in another form.
  if (statement.expect !== undefined && statement.duckdb !== undefined) {
    await duckdb.rows(statement.duckdb);
  }
  const expected = statement.expect ?? (await duckdb.rows(statement.duckdb ?? forDuckDb(statement.sql)));
  expectSameRows(
    statement,
    found,
    expected,
    columns.map((column) => column.type),
  );
}

for (const file of files) {
  describe(file, () => {
    for (const statement of parseStatements(file, readFileSync(join(folder, file), "utf8"))) {
      it(`${statement.place} ${statement.sql.slice(0, 100)}`, () => check(statement));
    }
  });
}
