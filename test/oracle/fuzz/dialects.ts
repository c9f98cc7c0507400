/**
 * SQL text in two dialects, the engine's and DuckDB's. The generator builds all statements from these.
 */

export interface Text {
  readonly engine: string;
  readonly duckdb: string;
}

type Part = Text | string | number;

function spell(part: Part, dialect: keyof Text): string {
  return typeof part === "object" ? part[dialect] : String(part);
}

/** A template whose parts may differ between the dialects. */
export function text(strings: TemplateStringsArray, ...parts: readonly Part[]): Text {
  const assemble = (dialect: keyof Text): string =>
    strings.map((fixed, index) => fixed + (index < parts.length ? spell(parts[index] as Part, dialect) : "")).join("");
  return { engine: assemble("engine"), duckdb: assemble("duckdb") };
}

export function join(parts: readonly Part[], separator: string): Text {
  return {
    engine: parts.map((part) => spell(part, "engine")).join(separator),
    duckdb: parts.map((part) => spell(part, "duckdb")).join(separator),
  };
}

export type Kind =
  | "boolean"
  | "tinyint"
  | "smallint"
  | "integer"
  | "bigint"
  | "double"
  | "real"
  | "decimal"
  | "varchar"
  | "date"
  | "timestamp"
  | "time"
  | "zoned"
  | "days"
  | "months"
  | "char"
  | "varbinary"
  | "uuid"
  | "json"
  | "bigints"
  | "texts"
  | "map"
  | "row"
  | "holes"
  | "lists"
  | "gaps"
  | "nans"
  | "parts";

export interface SqlType {
  readonly kind: Kind;
  /** Precision of decimals. */
  readonly precision: number;
  readonly scale: number;
}

export function type(kind: Kind, precision = 0, scale = 0): SqlType {
  return { kind, precision, scale };
}

/**
 * Types without an equivalent in DuckDB use another type there: intervals are milliseconds and months (its own interval has months of 30
 * days), char is padded text, binary values are hexadecimal digits, JSON and UUIDs are their canonical text.
 */
const spelled: Readonly<Partial<Record<Kind, Text>>> = {
  timestamp: { engine: "timestamp(3)", duckdb: "timestamp" },
  time: { engine: "time(3)", duckdb: "time" },
  zoned: { engine: "timestamp(3) with time zone", duckdb: "timestamptz" },
  days: { engine: "interval day to second", duckdb: "bigint" },
  months: { engine: "interval year to month", duckdb: "integer" },
  char: { engine: "char(5)", duckdb: "varchar" },
  varbinary: { engine: "varbinary", duckdb: "varchar" },
  uuid: { engine: "uuid", duckdb: "varchar" },
  json: { engine: "json", duckdb: "varchar" },
  bigints: { engine: "array(bigint)", duckdb: "bigint[]" },
  texts: { engine: "array(varchar)", duckdb: "varchar[]" },
  map: { engine: "map(varchar, bigint)", duckdb: "map(varchar, bigint)" },
  row: { engine: "row(a bigint, b varchar)", duckdb: "struct(a bigint, b varchar)" },
  holes: { engine: "array(bigint)", duckdb: "bigint[]" },
  lists: { engine: "array(array(bigint))", duckdb: "bigint[][]" },
  nans: { engine: "double", duckdb: "double" },
  gaps: { engine: "map(varchar, bigint)", duckdb: "map(varchar, bigint)" },
  parts: { engine: "row(a bigint, b varchar)", duckdb: "struct(a bigint, b varchar)" },
};

export function typeText({ kind, precision, scale }: SqlType): Text {
  return kind === "decimal" ? text`decimal(${precision}, ${scale})` : (spelled[kind] ?? text`${kind}`);
}

/** True for kinds with an order; the others support equality only. */
export function isOrderable(kind: Kind): boolean {
  return kind !== "json" && kind !== "map" && isComparable(kind);
}

/**
 * True for kinds whose equality is the same in both dialects. Values that contain NULL or NaN are grouped alike, but Presto's `=` is
 * unknown for NULL inside, where DuckDB's is not, and to Presto NaN equals nothing.
 */
export function isComparable(kind: Kind): boolean {
  return kind !== "holes" && kind !== "lists" && kind !== "gaps" && kind !== "parts" && kind !== "nans";
}

export function isInteger(kind: Kind): boolean {
  return kind === "tinyint" || kind === "smallint" || kind === "integer" || kind === "bigint";
}

export function isNumber(kind: Kind): boolean {
  return isInteger(kind) || kind === "double" || kind === "decimal";
}

/** The largest integer of a type. */
export function largest({ kind, precision, scale }: SqlType): number {
  switch (kind) {
    case "tinyint":
      return 127;
    case "smallint":
      return 32767;
    case "integer":
      return 2147483647;
    case "bigint":
      return 9e18;
    case "decimal":
      return 10 ** (precision - scale) - 1;
    default:
      return Number.POSITIVE_INFINITY;
  }
}
