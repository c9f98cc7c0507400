/**
 * Normalizes cells of the engine and of DuckDB before rows are compared. Reverses the type substitutions of dialects.ts: intervals as
 * milliseconds and months, varbinary as digits, timestamps with time zone as instants, maps by key.
 */
import type { Row } from "../../compare.ts";

interface Answer {
  readonly types: readonly string[];
  readonly rows: readonly Row[];
}

/** From an outcome of the engine. */
export function normalAnswer({ types, rows }: Answer): Answer {
  return {
    types: types.map((type) => (spellingOf(type) === undefined ? type : "varchar")),
    rows: normalRows(types, rows, "engine"),
  };
}

/** `types` are the engine's types, for rows of either side. */
export function normalRows(types: readonly string[], rows: readonly Row[], side: "engine" | "duckdb"): readonly Row[] {
  const spellings = types.map((type) => (side === "duckdb" && type === "varbinary" ? undefined : spellingOf(type)));
  return spellings.every((spelling) => spelling === undefined)
    ? rows
    : rows.map((row) => row.map((value, index) => (value === null || value === undefined ? null : (spellings[index]?.(value) ?? value))));
}

function spellingOf(type: string): ((value: unknown) => string) | undefined {
  if (type.startsWith("array(") || type.startsWith("map(") || type.startsWith("row(")) {
    return structure;
  }
  if (type.startsWith("timestamp") && type.endsWith("with time zone")) {
    return instant;
  }
  switch (type) {
    case "time":
      return (value) =>
        String(value)
          .replace(/(\.\d*?)0+$/, "$1")
          .replace(/\.$/, "");
    case "interval day to second":
      return (value) => (typeof value === "string" ? milliseconds(value) : String(value));
    case "interval year to month":
      return (value) => (typeof value === "string" ? months(value) : String(value));
    default:
      return type === "varbinary" ? digits : undefined;
  }
}

/** Text with map keys in one order and numbers as text, because some sides have their own 64-bit integers. */
function structure(value: unknown): string {
  const plain = (one: unknown): unknown => {
    if (one === null || typeof one === "boolean" || typeof one === "string") {
      return one;
    }
    if (Array.isArray(one)) {
      return one.map(plain);
    }
    if (typeof one === "object") {
      return Object.fromEntries(
        Object.entries(one)
          .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
          .map(([key, inner]) => [key, plain(inner)]),
      );
    }
    return typeof one === "number" || typeof one === "bigint" ? String(one) : null;
  };
  return JSON.stringify(plain(value));
}

function milliseconds(text: string): string {
  const [, sign, day, hour, minute, second, milli] = /^(-?)(\d+) (\d\d):(\d\d):(\d\d)\.(\d{3})$/.exec(text) ?? [];
  const size = ((BigInt(day ?? 0) * 24n + BigInt(hour ?? 0)) * 60n + BigInt(minute ?? 0)) * 60n + BigInt(second ?? 0);
  return String((sign === "-" ? -1n : 1n) * (size * 1000n + BigInt(milli ?? 0)));
}

function months(text: string): string {
  const [, sign, year, month] = /^(-?)(\d+)-(\d+)$/.exec(text) ?? [];
  return String((sign === "-" ? -1 : 1) * (Number(year) * 12 + Number(month)) || 0);
}

/** Hexadecimal digits of base64. */
function digits(value: unknown): string {
  return Buffer.from(String(value), "base64").toString("hex").toUpperCase();
}

function instant(value: unknown): string {
  const [, clock, zone] = /^(\d{4,}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?) ?(.*)$/.exec(String(value)) ?? [];
  if (clock === undefined || zone === undefined) {
    return String(value);
  }
  const local = Date.parse(`${clock.replace(" ", "T")}Z`);
  return String(local - offset(local, zone));
}

/** Zone offset from UTC in milliseconds at a local time. Generated values are at least an hour away from a transition. */
function offset(local: number, zone: string): number {
  const fixed = /^([+-])(\d\d)(?::?(\d\d))?(?::?(\d\d))?$/.exec(zone);
  if (fixed !== null) {
    const [, sign, hours, minutes = 0, seconds = 0] = fixed;
    return (sign === "-" ? -1 : 1) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  }
  if (zone === "UTC") {
    return 0;
  }
  const ahead = (at: number): number => {
    const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset", year: "numeric" });
    const name = format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
    return name === "GMT" ? 0 : offset(0, name.slice("GMT".length));
  };
  return ahead(local - ahead(local));
}
