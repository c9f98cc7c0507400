/**
 * Literals of less common types in both dialects. An element, field or value inside is NULL only in kinds that say so, because comparing
 * them has its own rules.
 */
import type { Kind, Text } from "../dialects.ts";
import type { Random } from "../random.ts";

export const words = [
  "",
  "a",
  "b",
  "ab",
  "Abc",
  "a%b",
  "a_b",
  "é",
  "日本",
  "😀x",
  "x y",
  "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
  "12 3",
  "A",
  "\ta ",
  " b\u2003",
];

/** White space in the words that trim removes. */
export const spaces = " \t\u2003";

/** Control characters sort before the padding spaces. */
const padded = ["a ", " a", "a\t", "a\u0001", "\u0001", "é "];

/** Keys are sorted and there are no spaces: the text that both dialects produce. */
const documents = [
  "1",
  "null",
  '"x"',
  "[]",
  "{}",
  "[1,2,3]",
  '{"a":1,"b":[1,"x"]}',
  '{"a":{"b":"y"}}',
  '{"a":null,"b":true}',
  '["x",null,{"a":2}]',
  "true",
];

/** With their instants. */
const moments = [
  ["1970-01-01 00:00:00", "UTC", "1970-01-01T00:00:00Z"],
  ["2024-03-10 12:00:00", "America/New_York", "2024-03-10T16:00:00Z"],
  ["2024-03-10 16:00:00", "UTC", "2024-03-10T16:00:00Z"],
  ["2000-02-29 23:30:00", "Asia/Kolkata", "2000-02-29T18:00:00Z"],
  ["2000-02-29 18:00:00", "+00:00", "2000-02-29T18:00:00Z"],
  ["1969-12-31 23:59:59", "-05:00", "1970-01-01T04:59:59Z"],
  ["1969-12-31 23:59:59", "UTC", "1969-12-31T23:59:59Z"],
  ["2024-07-01 03:00:00", "Europe/Berlin", "2024-07-01T01:00:00Z"],
] as const;

const stamps = [
  "1969-12-31 23:59:59",
  "1970-01-01 00:00:00",
  "2000-02-29 12:34:56",
  "2024-03-10 00:00:00",
  "1582-10-10 01:02:03",
  "2999-12-31 23:59:59",
];

interface Fraction {
  readonly digits: string;
  /** Rounded half up, from 0 to 1000. */
  readonly milliseconds: number;
}

/** Fraction of a second with any number of digits that a type supports. */
function drawFraction(random: Random): Fraction {
  const count = random.chance(50) ? 3 : 1 + random.below(12);
  const digits = Array.from({ length: count }, () => random.pick(["0", "0", "4", "5", "5", "9", "9"])).join("");
  return { digits, milliseconds: Math.floor((Number(digits.padEnd(12, "0")) + 5e8) / 1e9) };
}

/** A literal with its written digits, rounded to the three digits of the columns. */
function rounded(literal: string, { digits }: Fraction, type: string): string {
  return digits.length === 3 ? literal : `CAST(${literal} AS ${type})`;
}

/** `2000-02-29 12:34:56.789` */
function shown(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, -1).replace("T", " ");
}

export function timestampLiteral(random: Random): Text {
  const [second, fraction] = [random.pick(stamps), drawFraction(random)];
  const at = Date.parse(`${second.replace(" ", "T")}Z`) + fraction.milliseconds;
  return { engine: rounded(`TIMESTAMP '${second}.${fraction.digits}'`, fraction, "timestamp(3)"), duckdb: `TIMESTAMP '${shown(at)}'` };
}

function letters(word: string): number {
  return Array.from(word).length;
}

const durations = [0, 1, 1000, 1250, 59_500, 90_061_001, 86_400_000, 3_600_000, 2_592_000_000];

function days(milliseconds: number, sign: string): Text {
  const two = (value: number): string => String(value).padStart(2, "0");
  const [second, minute] = [Math.floor(milliseconds / 1000), Math.floor(milliseconds / 60_000)];
  const fraction = `.${String(milliseconds % 1000).padStart(3, "0")}`.replace(/\.?0+$/, "");
  const clock = `${two(Math.floor(minute / 60) % 24)}:${two(minute % 60)}:${two(second % 60)}${fraction}`;
  const whole = Math.floor(minute / 1440);
  return { engine: `INTERVAL ${sign}'${whole} ${clock}' DAY TO SECOND`, duckdb: `${sign}${milliseconds}` };
}

function numbersOrNulls(random: Random, bound: number): string {
  const numbers = Array.from({ length: random.below(4) }, () => (random.chance(30) ? "NULL" : random.below(Math.min(bound, 6))));
  return `[${numbers.join(", ")}]`;
}

export function rareLiteral(random: Random, kind: Kind, bound: number): Text {
  const sign = random.chance(30) ? "-" : "";
  const word = (): string => random.pick(words);
  switch (kind) {
    case "time": {
      const second = random.pick(["00:00:00", "23:59:59", "12:34:56", "01:02:03", "12:00:00"]);
      const fraction = drawFraction(random);
      // Rounding past midnight wraps to 00:00.
      const at = Date.parse(`1970-01-01T${second}Z`) + fraction.milliseconds;
      return { engine: rounded(`TIME '${second}.${fraction.digits}'`, fraction, "time(3)"), duckdb: `TIME '${shown(at).slice(11)}'` };
    }
    case "zoned": {
      const [local, zone, instant] = random.pick(moments);
      const fraction = drawFraction(random);
      return {
        engine: rounded(`TIMESTAMP '${local}.${fraction.digits} ${zone}'`, fraction, "timestamp(3) with time zone"),
        duckdb: `TIMESTAMPTZ '${shown(Date.parse(instant) + fraction.milliseconds)}+00'`,
      };
    }
    case "days":
      return days(random.pick(durations), sign);
    case "months": {
      const months = random.pick([0, 1, 12, 14, 500]);
      return { engine: `INTERVAL ${sign}'${months}' MONTH`, duckdb: `${sign}${months}` };
    }
    case "char": {
      const short = random.pick([...words, ...padded].filter((one) => letters(one) <= 5));
      return { engine: `CAST('${short}' AS char(5))`, duckdb: `'${short}${" ".repeat(5 - letters(short))}'` };
    }
    case "varbinary": {
      const digits = random.pick(["", "00", "FF", "6162", "61", "6100", "E697A5"]);
      return { engine: `X'${digits}'`, duckdb: `'${digits}'` };
    }
    case "nans": {
      const name = random.pick(["NaN", "NaN", "-NaN", "Infinity", "-Infinity", "0.0", "-0.0", "1.5"]);
      return { engine: `DOUBLE '${name}'`, duckdb: `CAST('${name.replace("-NaN", "NaN")}' AS double)` };
    }
    case "uuid": {
      const digits = random.pick([
        "00000000-0000-0000-0000-000000000000",
        "12151fd2-7586-11e9-8f9e-2a86e4085a59",
        "12151fd2-7586-11e9-0f9e-2a86e4085a59",
        "ffffffff-ffff-ffff-ffff-ffffffffffff",
      ]);
      return { engine: `UUID '${digits}'`, duckdb: `'${digits}'` };
    }
    case "json": {
      const document = random.pick(documents);
      return { engine: `JSON '${document}'`, duckdb: `'${document}'` };
    }
    case "bigints": {
      const list = Array.from({ length: random.below(4) }, () => random.below(Math.min(bound, 6))).join(", ");
      return { engine: `ARRAY[${list}]`, duckdb: `CAST([${list}] AS bigint[])` };
    }
    case "holes": {
      const list = numbersOrNulls(random, bound);
      return { engine: `ARRAY${list}`, duckdb: `CAST(${list} AS bigint[])` };
    }
    case "lists": {
      const inner = Array.from({ length: random.below(3) }, () => (random.chance(20) ? "NULL" : numbersOrNulls(random, bound)));
      const engine = inner.map((one) => (one === "NULL" ? one : `ARRAY${one}`)).join(", ");
      return { engine: `ARRAY[${engine}]`, duckdb: `CAST([${inner.join(", ")}] AS bigint[][])` };
    }
    case "texts": {
      const list = Array.from({ length: random.below(4) }, () => `'${word()}'`).join(", ");
      return { engine: `ARRAY[${list}]`, duckdb: `CAST([${list}] AS varchar[])` };
    }
    case "map":
    case "gaps": {
      // In key order, because DuckDB's maps are lists.
      const keys = ["a", "b", "日本"].filter(() => random.chance(50));
      const values = keys.map(() => (kind === "gaps" && random.chance(30) ? "NULL" : random.below(bound)));
      const list = keys.map((key) => `'${key}'`).join(", ");
      return {
        engine: `MAP(ARRAY[${list}], ARRAY[${values.join(", ")}])`,
        duckdb: `CAST(MAP([${list}], [${values.join(", ")}]) AS map(varchar, bigint))`,
      };
    }
    case "parts": {
      const [a, b] = [random.chance(30) ? "NULL" : random.below(5), random.chance(30) ? "NULL" : `'${word()}'`];
      return { engine: `ROW(${a}, ${b})`, duckdb: `CAST({'a': ${a}, 'b': ${b}} AS struct(a bigint, b varchar))` };
    }
    default: {
      const [a, b] = [random.below(5), word()];
      return { engine: `ROW(${a}, '${b}')`, duckdb: `CAST({'a': ${a}, 'b': '${b}'} AS struct(a bigint, b varchar))` };
    }
  }
}
