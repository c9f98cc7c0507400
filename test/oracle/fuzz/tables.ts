/**
 * Random tables t0 to t3 with the same columns and different contents: few and many rows, nulls, duplicates, extremes, other alphabets.
 */
import { join, type Kind, type SqlType, type Text, text, type, typeText } from "./dialects.ts";
import { rareLiteral, timestampLiteral, words } from "./expressions/literals.ts";
import type { Random } from "./random.ts";

export interface Column {
  readonly name: string;
  readonly type: SqlType;
  /** Largest absolute value; infinite if arithmetic must be avoided. */
  readonly bound: number;
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Text[])[];
}

const everyColumn: readonly Column[] = [
  { name: "k", type: type("integer"), bound: 20 },
  { name: "g", type: type("bigint"), bound: 4 },
  { name: "b", type: type("bigint"), bound: 1_000_000 },
  { name: "w", type: type("bigint"), bound: Number.POSITIVE_INFINITY },
  { name: "i1", type: type("tinyint"), bound: 127 },
  { name: "i2", type: type("smallint"), bound: 32767 },
  { name: "d", type: type("double"), bound: 1000 },
  { name: "x", type: type("double"), bound: Number.POSITIVE_INFINITY },
  { name: "r", type: type("real"), bound: Number.POSITIVE_INFINITY },
  { name: "m", type: type("decimal", 10, 2), bound: 10_000 },
  { name: "l", type: type("decimal", 30, 4), bound: 1e20 },
  { name: "s", type: type("varchar"), bound: 0 },
  { name: "v", type: type("varchar"), bound: 0 },
  { name: "dt", type: type("date"), bound: 0 },
  { name: "ts", type: type("timestamp"), bound: 0 },
  { name: "o", type: type("boolean"), bound: 0 },
];

/** Each table has some of these. */
const rareColumns: readonly Column[] = [
  { name: "tm", type: type("time"), bound: 0 },
  { name: "tz", type: type("zoned"), bound: 0 },
  { name: "dy", type: type("days"), bound: 1e10 },
  { name: "mo", type: type("months"), bound: 500 },
  { name: "ch", type: type("char"), bound: 0 },
  { name: "vb", type: type("varbinary"), bound: 0 },
  { name: "u", type: type("uuid"), bound: 0 },
  { name: "j", type: type("json"), bound: 0 },
  { name: "an", type: type("bigints"), bound: 100 },
  { name: "al", type: type("texts"), bound: 0 },
  { name: "mp", type: type("map"), bound: 100 },
  { name: "rw", type: type("row"), bound: 100 },
  { name: "ah", type: type("holes"), bound: 100 },
  { name: "aa", type: type("lists"), bound: 100 },
  { name: "xn", type: type("nans"), bound: 0 },
  { name: "mg", type: type("gaps"), bound: 100 },
  { name: "rp", type: type("parts"), bound: 100 },
];

/** A non-null value of the column, as SQL. */
function literal(random: Random, { name, type: { kind }, bound }: Column): Text {
  if (name === "l") {
    return decimal(random.pick(["0.0000", "-0.0001", "99999999999999999999.9999", "-12345678901234567890.1234", "1.5000", "2.0000"]));
  }
  return literalOf(random, kind, bound);
}

function decimal(digits: string): Text {
  return { engine: `DECIMAL '${digits}'`, duckdb: digits };
}

function infinite(sign: string): Text {
  return { engine: `${sign}infinity()`, duckdb: `CAST('${sign}infinity' AS double)` };
}

export function literalOf(random: Random, kind: Kind, bound: number): Text {
  const sign = random.chance(30) ? "-" : "";
  switch (kind) {
    case "boolean":
      return text`${random.pick(["true", "false"])}`;
    case "tinyint":
    case "smallint":
    case "integer":
    case "bigint":
      if (bound === Number.POSITIVE_INFINITY) {
        return text`${random.pick(["9223372036854775807", "(-9223372036854775807 - 1)", "0", "-1", "1", "4294967296", "2147483648", "7"])}`;
      }
      return random.chance(10) ? text`${sign}${bound}` : text`${sign}${random.below(random.chance(50) ? Math.min(bound, 5) : bound)}`;
    case "double":
      return bound === Number.POSITIVE_INFINITY
        ? random.pick([
            ...["1e300", "-1e300", "5e-324", "0e0", "-0e0", "1e0", "2.5e0", "1e16"].map((digits) => text`${digits}`),
            infinite(sign),
          ])
        : text`${sign}${random.below(bound * 4) / 4}e0`;
    case "real":
      return text`CAST(${random.pick(["1.5", "-2.25", "0.0", "3.0", "1024.125"])} AS real)`;
    case "decimal":
      return decimal(`${sign}${random.below(random.chance(50) ? 5 : 10_000)}.${random.pick(["00", "25", "50", "99", "01"])}`);
    case "varchar":
      return text`'${random.pick(words)}'`;
    case "date":
      return text`DATE '${random.pick(["1969-12-31", "1970-01-01", "2000-02-29", "2024-02-29", "1995-12-31", "2024-12-30", "1600-03-01", "1582-10-10", "6000-02-28"])}'`;
    case "timestamp":
      return timestampLiteral(random);
    default:
      return rareLiteral(random, kind, bound);
  }
}

export function drawTables(random: Random): readonly Table[] {
  return ["t0", "t1", "t2", "t3"].map((name) => {
    const kept = everyColumn.filter((column) => column.name === "k" || column.name === "s" || random.chance(75));
    const rare = random.shuffle(rareColumns).slice(0, random.below(5));
    const columns = random.shuffle([...kept, ...rare]);
    const rows = name === "t0" ? random.below(4) : name === "t3" ? rowsOfLargest(random) : 5 + random.below(40);
    const nulls = random.pick([0, 10, 40]);
    const row = (): readonly Text[] => columns.map((column) => (random.chance(nulls) ? text`NULL` : literal(random, column)));
    return { name, columns, rows: Array.from({ length: rows }, row) };
  });
}

/** One in seven exceeds a task's slices and the pages of most operators. */
function rowsOfLargest(random: Random): number {
  return random.chance(15) ? 1500 + random.below(700) : 100 + random.below(100);
}

/** The CREATE TABLE statement; rows that are all NULL are omitted. */
export function createTable({ name, columns, rows }: Table): Text {
  const casts = columns.map((column) => text`CAST(${column.name} AS ${typeText(column.type)}) AS ${column.name}`);
  const names = columns.map((column) => column.name).join(", ");
  // A typed row first, so that a table may be empty and a column of nulls has a type.
  const lists = [columns.map(() => text`NULL`), ...rows].map((row) => text`(${join(row, ", ")})`);
  return text`CREATE TABLE ${name} AS SELECT ${join(casts, ", ")} FROM (VALUES ${join(lists, ", ")}) AS v (${names}) WHERE ${
    rows.length === 0 ? "false" : columns.map((column) => `${column.name} IS NOT NULL`).join(" OR ")
  }`;
}
