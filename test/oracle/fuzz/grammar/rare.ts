/**
 * Rare parts of the grammar, drawn occasionally so that each is covered (../coverage).
 */
import { text, type Text } from "../dialects.ts";
import { type Expression, make } from "../expressions/generated-expression.ts";
import type { ExpressionSource } from "../expressions/source.ts";
import type { Random } from "../random.ts";
import { existsOnError, subscripted, textOfQuery, throughEncoding } from "./json-behaviors.ts";
import { drawSessionCondition } from "./session-values.ts";

export function rareCondition(source: ExpressionSource): Expression {
  return source.random.chance(50) ? drawSessionCondition(source.random) : existsOnError(source);
}

export function rareNumber(source: ExpressionSource): Expression {
  return source.random.chance(50) ? subscripted(source) : throughEncoding(source);
}

export function rareText(source: ExpressionSource): Expression {
  return textOfQuery(source);
}

/** The engine's interval and DuckDB's equivalent. */
const intervals: readonly (readonly [string, string])[] = [
  ["INTERVAL '3' HOUR", "INTERVAL '3' HOUR"],
  ["INTERVAL '90' MINUTE", "INTERVAL '90' MINUTE"],
  ["INTERVAL '7' SECOND", "INTERVAL '7' SECOND"],
  ["INTERVAL '2' WEEK", "INTERVAL '14' DAY"],
  ["INTERVAL '1-2' YEAR TO MONTH", "INTERVAL '14' MONTH"],
  ["INTERVAL '1 02' DAY TO HOUR", "INTERVAL '26' HOUR"],
  ["INTERVAL '1 02:03' DAY TO MINUTE", "INTERVAL '1563' MINUTE"],
  ["INTERVAL '1 02:03:04' DAY TO SECOND", "INTERVAL '93784' SECOND"],
  ["INTERVAL '02:03' HOUR TO MINUTE", "INTERVAL '123' MINUTE"],
  ["INTERVAL '02:03:04' HOUR TO SECOND", "INTERVAL '7384' SECOND"],
  ["INTERVAL '03:04' MINUTE TO SECOND", "INTERVAL '184' SECOND"],
  ["INTERVAL -'3' HOUR", "INTERVAL '-3' HOUR"],
];

/** A timestamp plus an interval of one or several fields. */
export function movedByFields(source: ExpressionSource, stamp: Expression): Expression {
  const [engine, duckdb] = source.random.pick(intervals);
  const sign = source.random.pick(["+", "-"]);
  const sql = { engine: `(${stamp.text.engine} ${sign} ${engine})`, duckdb: `(${stamp.text.duckdb} ${sign} ${duckdb})` };
  return make(sql, stamp.type, [stamp]);
}

/** LIMIT in one of its spellings. */
export function limitText(random: Random, rows: number): string {
  const spelling = random.pick(["LIMIT", "LIMIT", "LIMIT", "FETCH"]);
  return spelling === "FETCH" && rows > 0
    ? `FETCH ${random.pick(["FIRST", "NEXT"])} ${rows === 1 ? random.pick(["ROW", "1 ROW"]) : `${rows} ROWS`} ONLY`
    : `LIMIT ${rows}`;
}

/** All rows of a table in one of the spellings. */
export function tableText(random: Random, name: string, alias: string): Text {
  const plain = `${name} ${alias}`;
  const choice = random.chance(8) ? 1 + random.below(4) : 0;
  const spellings = [
    plain,
    `(TABLE ${name}) ${alias}`,
    `${plain} TABLESAMPLE BERNOULLI (100)`,
    `${plain} TABLESAMPLE SYSTEM (100)`,
    `(SELECT q.* FROM ${name} AS q) ${alias}`,
  ];
  return { engine: spellings[choice] ?? plain, duckdb: plain };
}

/** A query with new column names. */
export function renamedText(random: Random, body: Text, names: string): Text {
  return random.chance(10)
    ? { engine: `SELECT q.* AS (${names}) FROM (${body.engine}) AS q`, duckdb: text`SELECT q.* FROM (${body}) AS q (${names})`.duckdb }
    : body;
}
