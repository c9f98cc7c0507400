/**
 * SQL/JSON functions and JSON_TABLE: values that round-trip through a document, elements that a path's filter selects, and paths into the
 * documents of the tables.
 */
import { type Kind, type Text, type, typeText } from "../dialects.ts";
import { BIGINT, BOOLEAN, type Expression, make, VARCHAR } from "./generated-expression.ts";
import type { ExpressionSource } from "./source.ts";
import { tableWithPlan } from "../grammar/json-behaviors.ts";
import type { Random } from "../random.ts";

/** Kinds whose values JSON_VALUE returns unchanged. */
const returned: readonly Kind[] = ["boolean", "integer", "bigint", "varchar", "date", "timestamp", "double"];

/** Puts a value into a document and extracts it again. */
export function throughDocument(source: ExpressionSource, kind: Kind, depth: number): Expression | undefined {
  if (!returned.includes(kind)) {
    return undefined;
  }
  const { random } = source;
  const a = source.of(kind, depth);
  const other = source.of(random.pick(["integer", "varchar"] as const), 0);
  const [document, path] = random.pick([
    [`json_object('a' : ${a.text.engine})`, "$.a"],
    [`json_object(KEY 'b' VALUE ${other.text.engine}, KEY 'a' VALUE ${a.text.engine})`, '$."a"'],
    [`json_array(${a.text.engine}, ${other.text.engine} NULL ON NULL)`, "$[0]"],
    [`json_array(${other.text.engine}, json_array(${a.text.engine} NULL ON NULL) NULL ON NULL)`, "$[last][last]"],
    [`json_object('x' : json_array(json_object('a' : ${a.text.engine})))`, "$.x[*].a"],
    [`json_query(json_object('a' : ${a.text.engine}, 'b' : 1), 'lax $' RETURNING varbinary FORMAT JSON ENCODING UTF16)`, "$.a"],
  ] as const);
  const format = document.endsWith("ENCODING UTF16)") ? " FORMAT JSON ENCODING UTF16" : "";
  const mode = random.pick(["lax", "strict"]);
  const otherwise = random.pick(["", " NULL ON EMPTY", " ERROR ON EMPTY ERROR ON ERROR"]);
  const engine = `json_value(${document}${format}, '${mode} ${path}' RETURNING ${typeText(type(kind)).engine}${otherwise})`;
  return make({ engine, duckdb: a.text.duckdb }, a.type, [a, other], a.bound, a.exact);
}

/** If nothing is found, or something else, the result is the default. */
export function defaulted(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  const a = source.of("bigint", depth);
  const document = source.of("json", 0);
  const [path, clause] = random.pick([
    ["lax $.nosuch.member", "ON EMPTY"],
    ["strict $.nosuch", "ON ERROR"],
    ['lax "text"', "ON ERROR"],
    ["lax $[*]?(1 == 2)", "ON EMPTY"],
  ] as const);
  const engine = `json_value(${document.text.engine}, '${path}' RETURNING bigint DEFAULT ${a.text.engine} ${clause})`;
  return make(
    { engine, duckdb: `CASE WHEN ${document.text.duckdb} IS NOT NULL THEN ${a.text.duckdb} END` },
    BIGINT,
    [a, document],
    a.bound,
  );
}

const operators: Readonly<Record<string, string>> = Object.freeze({ "==": "=", "<": "<", "<=": "<=", ">": ">", ">=": ">=" });

/** Whether an array element passes a filter. NULL elements are omitted, and a NULL parameter equals nothing. */
export function existsInArray(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  const elements = Array.from({ length: 1 + random.below(3) }, () => source.of("bigint", depth));
  const limit = source.of("bigint", depth);
  const operator = random.pick(Object.keys(operators));
  const array = `json_array(${elements.map((element) => element.text.engine).join(", ")})`;
  const engine = random.pick([
    `json_exists(${array}, 'lax $?(@ ${operator} $k)' PASSING ${limit.text.engine} AS "k")`,
    `json_exists(${array}, 'strict $[*]?(@ ${operator} $k)' PASSING ${limit.text.engine} AS "k" ERROR ON ERROR)`,
    `json_exists(${array}, 'lax $?(exists(@?(@ ${operator} $K)))' PASSING ${limit.text.engine} AS k)`,
    `(json_query(${array}, 'lax $?(@ ${operator} $k)' PASSING ${limit.text.engine} AS "k" WITH ARRAY WRAPPER EMPTY ARRAY ON EMPTY) <> '[]')`,
  ]);
  const duckdb = elements
    .map((element) => `coalesce(${element.text.duckdb} ${operators[operator]} ${limit.text.duckdb}, false)`)
    .join(" OR ");
  return make({ engine, duckdb: `(${duckdb})` }, BOOLEAN, [...elements, limit]);
}

/** A path's result on text in a document. */
export function existsOfText(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  const a = source.of("varchar", depth);
  const [predicate, duckdb] = random.pick([
    ['@ starts with "a"', `starts_with(${a.text.duckdb}, 'a')`],
    ['@ like_regex "^a.*|b$"', `regexp_matches(${a.text.duckdb}, '^a.*|b$')`],
    ['@ == "a"', `(${a.text.duckdb} = 'a')`],
    ['!(@ > "a")', `NOT (${a.text.duckdb} > 'a')`],
  ] as const);
  const engine = `json_exists(json_object('t' : ${a.text.engine} ABSENT ON NULL), 'lax $.t?(${predicate})')`;
  return make({ engine, duckdb: `coalesce(${duckdb}, false)` }, BOOLEAN, [a]);
}

/** Elements that pass a filter, counted by an item method or summed by an operator. */
export function numberOfPath(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  const [a, b] = [source.of("bigint", depth), source.of("bigint", depth)];
  if (random.chance(50) || !(a.bound + b.bound < 1e15)) {
    const array = `json_array(${a.text.engine}, ${b.text.engine})`;
    const duckdb = `(CASE WHEN ${a.text.duckdb} IS NULL THEN 0 ELSE 1 END + CASE WHEN ${b.text.duckdb} IS NULL THEN 0 ELSE 1 END)`;
    return make(
      { engine: `json_value(${array}, 'strict $.size()' RETURNING bigint)`, duckdb: `CAST(${duckdb} AS bigint)` },
      BIGINT,
      [a, b],
      2,
    );
  }
  const [operator, bound] = random.pick([
    ["+", a.bound + b.bound],
    ["-", a.bound + b.bound],
  ] as const);
  const document = `json_object('a' : ${a.text.engine}, 'b' : ${b.text.engine} ABSENT ON NULL)`;
  const engine = `json_value(${document}, 'lax $.a ${operator} $.b' RETURNING bigint)`;
  return make({ engine, duckdb: `(${a.text.duckdb} ${operator} ${b.text.duckdb})` }, BIGINT, [a, b], bound);
}

/** An array of a document as rows, without its NULLs. */
export function tableOfArray(
  random: Random,
  elements: readonly Expression[],
  alias: string,
): { readonly text: Text; readonly isOuter: boolean } {
  const list = elements.map((element) => element.text.engine).join(", ");
  const kept = `list_filter([${elements.map((element) => element.text.duckdb).join(", ")}], lambda one: one IS NOT NULL)`;
  const isOuter = random.chance(35);
  if (random.chance(60)) {
    const { engine, duckdb } = tableWithPlan(random, elements, alias);
    const on = isOuter ? " ON TRUE" : "";
    return { text: { engine: `${engine}${on}`, duckdb: `${duckdb}${on}` }, isOuter };
  }
  const columns = random.pick([
    [`json_array(${list}), 'lax $[*]'`, "n FOR ORDINALITY, e0 bigint PATH 'lax $'"],
    [`json_object('x' : json_array(${list})), 'strict $.x[*]'`, "n FOR ORDINALITY, e0 bigint PATH 'strict $' ERROR ON ERROR"],
    [
      `json_array(json_array(${list})), 'lax $'`,
      "NESTED PATH 'lax $[*]' COLUMNS (NESTED PATH 'lax $[*]' COLUMNS (n FOR ORDINALITY, e0 bigint PATH 'lax $')) ",
    ],
  ] as const);
  const plan = columns[1].startsWith("NESTED") ? " PLAN DEFAULT (INNER)" : "";
  const on = isOuter ? " ON TRUE" : "";
  const duckdb = `LATERAL (SELECT unnest(generate_series(1, len(${kept}))) AS n, unnest(${kept}) AS e0) AS ${alias} (n, e0)${on}`;
  return { text: { engine: `JSON_TABLE(${columns[0]} COLUMNS (${columns[1]})${plan}) AS ${alias} (n, e0)${on}`, duckdb }, isOuter };
}

/**
 * A document of the tables as text. Uses concat, because the result of JSON_QUERY would be embedded in another document as JSON, not as
 * text.
 */
export function textOfDocument(source: ExpressionSource, depth: number): Expression {
  const a = source.of("json", depth);
  return make(
    { engine: `concat(json_query(json_format(${a.text.engine}), 'lax $' RETURNING varchar), '')`, duckdb: `(${a.text.duckdb})` },
    VARCHAR,
    [a],
  );
}
