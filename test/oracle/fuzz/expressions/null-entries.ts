/**
 * Maps with NULL among their values and rows with NULL among their fields: made, taken apart and asked, never compared by =.
 */
import { type Text, text, type } from "../dialects.ts";
import { elementMax, fieldOf, guarded, present } from "./elements.ts";
import { BIGINT, BOOLEAN, type Expression, make, VARCHAR } from "./generated-expression.ts";
import type { ExpressionSource } from "./source.ts";

const GAPS = type("gaps");
const PARTS = type("parts");

export function drawGaps(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  const a = source.of(random.pick(["gaps", "map"] as const), depth);
  switch (random.below(4)) {
    case 0: {
      const parts = [source.of("integer", depth), source.of("integer", depth)];
      const bound = Math.max(...parts.map((part) => part.bound));
      const [first, second] = parts.map((part) => text`CAST(${part.text} AS bigint)`) as [Text, Text];
      const sql = {
        engine: `MAP(ARRAY[CAST('a' AS varchar), 'b'], ARRAY[${first.engine}, ${second.engine}])`,
        duckdb: `MAP(['a', 'b'], [${first.duckdb}, ${second.duckdb}])`,
      };
      return bound <= elementMax ? make(sql, GAPS, parts, bound, true) : source.leaf("gaps");
    }
    case 1: {
      const number = random.below(4);
      const entries = `list_transform(map_entries(${a.text.duckdb}), lambda entry: {'k': entry.key, 'v': nullif(entry.value, ${number})})`;
      const sql = { engine: `transform_values(${a.text.engine}, (k, v) -> nullif(v, ${number}))`, duckdb: `map_from_entries(${entries})` };
      return make(sql, GAPS, [a], a.bound, true);
    }
    case 2: {
      const keeps = random.pick(["IS NULL", "IS NOT NULL", "= 1"]);
      const entries = `list_filter(map_entries(${a.text.duckdb}), lambda entry: coalesce(entry.value ${keeps}, false))`;
      const sql = {
        engine: `map_filter(${a.text.engine}, (k, v) -> coalesce(v ${keeps}, false))`,
        duckdb: `map_from_entries(${entries})`,
      };
      return make(sql, GAPS, [a], a.bound, true);
    }
    default:
      return source.leaf("gaps");
  }
}

export function drawParts(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  if (random.chance(40)) {
    return source.leaf("parts");
  }
  const [a, b] = [source.of("integer", depth), source.of("varchar", depth)];
  const sql = {
    engine: `CAST(ROW(${a.text.engine}, ${b.text.engine}) AS row(a bigint, b varchar))`,
    duckdb: `CAST({'a': ${a.text.duckdb}, 'b': ${b.text.duckdb}} AS struct(a bigint, b varchar))`,
  };
  return make(sql, PARTS, [a, b], a.bound, true);
}

export function numberFromGaps(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  if (random.chance(40)) {
    const row = source.of("parts", depth);
    return make(fieldOf(row, "a"), BIGINT, [row], row.bound);
  }
  const a = source.of("gaps", depth);
  const { engine, duckdb } = a.text;
  const key = random.pick(["a", "b", "x"]);
  const sum = {
    engine: `reduce(map_values(${engine}), BIGINT '0', (s, e) -> s + coalesce(e, BIGINT '1'), s -> s)`,
    duckdb: `CAST(coalesce(list_sum(list_transform(map_values(${duckdb}), lambda one: coalesce(one, 1))), 0) AS bigint)`,
  };
  switch (random.below(3)) {
    case 0:
      return make({ engine: `element_at(${engine}, '${key}')`, duckdb: `${duckdb}['${key}']` }, BIGINT, [a], a.bound);
    case 1:
      return make({ engine: `cardinality(${engine})`, duckdb: `CAST(cardinality(${duckdb}) AS bigint)` }, BIGINT, [a], 1000);
    default:
      return a.bound <= elementMax ? make(guarded(sum.engine, [a], sum.duckdb), BIGINT, [a], a.bound * 1000) : source.leaf("bigint");
  }
}

export function conditionOnGaps(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  const kind = random.pick(["gaps", "parts"] as const);
  const a = source.of(kind, depth);
  const not = random.pick(["", "NOT "]);
  if (kind === "parts" && random.chance(30)) {
    return make(text`(${fieldOf(a, random.pick(["a", "b"] as const))} IS ${not}NULL)`, BOOLEAN, [a]);
  }
  const b = source.of(random.chance(50) ? kind : kind === "gaps" ? "map" : "row", depth);
  return make(text`(${a.text} IS ${not}DISTINCT FROM ${b.text})`, BOOLEAN, [a, b]);
}

export function stringFromGaps(source: ExpressionSource, depth: number): Expression {
  const row = source.of("parts", depth);
  const [a, b] = [fieldOf(row, "a"), fieldOf(row, "b")];
  return source.random.chance(50)
    ? make(b, VARCHAR, [row])
    : make(text`(${present({ ...row, text: text`CAST(${a} AS varchar)` }, "'N'")} || ${present({ ...row, text: b }, "'N'")})`, VARCHAR, [
        row,
      ]);
}
