/** SQL text in two spellings at once: the engine's and DuckDB's. Everything the generator writes is put together from these. */

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
  | "timestamp";

export interface SqlType {
  readonly kind: Kind;
  /** Of decimals. */
  readonly precision: number;
  readonly scale: number;
}

export function type(kind: Kind, precision = 0, scale = 0): SqlType {
  return { kind, precision, scale };
}

export function typeText({ kind, precision, scale }: SqlType): Text {
  switch (kind) {
    case "decimal":
      return text`decimal(${precision}, ${scale})`;
    case "timestamp":
      return { engine: "timestamp(3)", duckdb: "timestamp" };
    default:
      return text`${kind}`;
  }
}

export function isInteger(kind: Kind): boolean {
  return kind === "tinyint" || kind === "smallint" || kind === "integer" || kind === "bigint";
}

export function isNumber(kind: Kind): boolean {
  return isInteger(kind) || kind === "double" || kind === "decimal";
}

/** The largest whole number of a type. */
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
