/** Values of the types that fewer statements use, as SQL of both dialects. An element, field or value in them is NULL only where a kind says so: comparing those has rules of its own. */
import { type Kind, type Text, text } from "./dialects.ts";
import type { Random } from "./random.ts";

export const words = ["", "a", "b", "ab", "Abc", "a%b", "a_b", "é", "日本", "😀x", "x y", "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", "12 3", "A"];

/** Their keys are sorted and nothing is spaced: the text that both dialects write. */
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

const moments = [
  ["1970-01-01 00:00:00.000 UTC", "1970-01-01 00:00:00+00"],
  ["2024-03-10 12:00:00.500 America/New_York", "2024-03-10 16:00:00.5+00"],
  ["2024-03-10 16:00:00.500 UTC", "2024-03-10 16:00:00.5+00"],
  ["2000-02-29 23:30:00.000 Asia/Kolkata", "2000-02-29 18:00:00+00"],
  ["2000-02-29 18:00:00.000 +00:00", "2000-02-29 18:00:00+00"],
  ["1969-12-31 23:59:59.999 -05:00", "1970-01-01 04:59:59.999+00"],
  ["2024-07-01 03:00:00.250 Europe/Berlin", "2024-07-01 01:00:00.25+00"],
] as const;

function letters(word: string): number {
  return Array.from(word).length;
}

const durations = [0, 1, 1000, 90_061_001, 86_400_000, 3_600_000, 2_592_000_000];

function days(milliseconds: number, sign: string): Text {
  const two = (value: number): string => String(value).padStart(2, "0");
  const [second, minute] = [Math.floor(milliseconds / 1000), Math.floor(milliseconds / 60_000)];
  const clock = `${two(Math.floor(minute / 60) % 24)}:${two(minute % 60)}:${two(second % 60)}.${String(milliseconds % 1000).padStart(3, "0")}`;
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
    case "time":
      return text`TIME '${random.pick(["00:00:00.000", "23:59:59.999", "12:34:56.789", "01:02:03.100", "12:00:00.000"])}'`;
    case "zoned": {
      const [engine, duckdb] = random.pick(moments);
      return { engine: `TIMESTAMP '${engine}'`, duckdb: `TIMESTAMPTZ '${duckdb}'` };
    }
    case "days":
      return days(random.pick(durations), sign);
    case "months": {
      const months = random.pick([0, 1, 12, 14, 500]);
      return { engine: `INTERVAL ${sign}'${months}' MONTH`, duckdb: `${sign}${months}` };
    }
    case "char": {
      const short = random.pick(words.filter((one) => letters(one) <= 5));
      return { engine: `CAST('${short}' AS char(5))`, duckdb: `'${short}${" ".repeat(5 - letters(short))}'` };
    }
    case "varbinary": {
      const digits = random.pick(["", "00", "FF", "6162", "61", "6100", "E697A5"]);
      return { engine: `X'${digits}'`, duckdb: `'${digits}'` };
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
      // In the order of their keys: DuckDB's maps are lists.
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
