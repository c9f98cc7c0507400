/**
 * Values of the session and the query start that are known for every statement; DuckDB gets them as constants.
 */
import { text } from "../dialects.ts";
import { BOOLEAN, type Expression } from "../expressions/generated-expression.ts";
import type { Random } from "../random.ts";

const truths: readonly string[] = [
  "CURRENT_USER = 'fuzz'",
  "CURRENT_CATALOG = 'memory'",
  "CURRENT_SCHEMA = 'default'",
  "CURRENT_PATH IS NOT NULL",
  "CURRENT_DATE = CAST(CURRENT_TIMESTAMP AS date)",
  "CURRENT_TIMESTAMP(3) = now()",
  "CAST(LOCALTIMESTAMP AS time) = LOCALTIME",
  "CAST(CURRENT_TIMESTAMP AS time with time zone) = CURRENT_TIME",
  "LOCALTIMESTAMP(6) >= TIMESTAMP '2001-01-01 00:00:00'",
];

/** True, or its negation. */
export function drawSessionCondition(random: Random): Expression {
  const truth = random.pick(truths);
  const holds = random.chance(80);
  const sql = { engine: `(${holds ? "" : "NOT "}(${truth}))`, duckdb: `(${holds})` };
  return { text: text`${sql}`, type: BOOLEAN, bound: 0, exact: false, variable: false };
}
