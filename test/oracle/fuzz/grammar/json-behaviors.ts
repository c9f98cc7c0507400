/**
 * Clauses of the SQL/JSON functions and of JSON_TABLE: behavior on error and on empty, wrappers, quotes, encodings, plans. The results
 * follow from the values.
 */
import { text, type } from "../dialects.ts";
import { BIGINT, BOOLEAN, type Expression, make, VARCHAR } from "../expressions/generated-expression.ts";
import type { ExpressionSource } from "../expressions/source.ts";
import type { Random } from "../random.ts";

/** A strict path without a match is an error; the ON ERROR clause decides the result. */
export function existsOnError(source: ExpressionSource): Expression {
  const { random } = source;
  const document = source.leaf("json");
  const [clause, duckdb] = random.pick([
    ["TRUE", "true"],
    ["UNKNOWN", "CAST(NULL AS boolean)"],
    ["FALSE", "false"],
  ] as const);
  const engine = `json_exists(${document.text.engine}, 'strict $.nosuch.member' ${clause} ON ERROR)`;
  return make({ engine, duckdb: `(CASE WHEN ${document.text.duckdb} IS NOT NULL THEN ${duckdb} END)` }, BOOLEAN, [document]);
}

/** A number as JSON. */
function asJson({ text: { duckdb } }: Expression): string {
  return `coalesce(CAST(${duckdb} AS varchar), 'null')`;
}

/**
 * Text of a document with known parts. Concatenated with an empty text, so that another JSON function treats it as text and not as a
 * document.
 */
export function textOfQuery(source: ExpressionSource): Expression {
  const { random } = source;
  const [a, b] = [source.leaf("bigint"), source.leaf("bigint")];
  const word = source.leaf("varchar");
  const array = `json_array(${a.text.engine}, ${b.text.engine} NULL ON NULL)`;
  const both = `${asJson(a)} || ',' || ${asJson(b)}`;
  const object = `json_object('t' : ${word.text.engine})`;
  const [engine, duckdb] = random.pick([
    [`json_query(${array}, 'lax $[0]' RETURNING varchar WITH CONDITIONAL ARRAY WRAPPER)`, `'[' || ${asJson(a)} || ']'`],
    [`json_query(${array}, 'lax $[*]' RETURNING varchar WITH CONDITIONAL ARRAY WRAPPER)`, `'[' || ${both} || ']'`],
    [`json_query(${array}, 'lax $[*]' RETURNING varchar WITH UNCONDITIONAL ARRAY WRAPPER)`, `'[' || ${both} || ']'`],
    [
      `json_query(${object}, 'lax $.t' RETURNING varchar WITHOUT ARRAY WRAPPER OMIT QUOTES ON SCALAR STRING)`,
      `coalesce(${word.text.duckdb}, 'null')`,
    ],
    [`json_query(${object}, 'lax $.t' RETURNING varchar KEEP QUOTES)`, `coalesce(CAST(to_json(${word.text.duckdb}) AS varchar), 'null')`],
    [`json_query(${array}, 'lax $.nosuch' RETURNING varchar EMPTY OBJECT ON EMPTY)`, "'{}'"],
    [`json_query(${array}, 'lax $.nosuch' RETURNING varchar EMPTY ARRAY ON EMPTY)`, "'[]'"],
    [`json_query(${array}, 'strict $.nosuch' RETURNING varchar EMPTY ARRAY ON ERROR)`, "'[]'"],
    [`json_query(${array}, 'strict $.nosuch' RETURNING varchar EMPTY OBJECT ON ERROR)`, "'{}'"],
    [`json_query(${array}, 'lax $[1]' RETURNING varchar ERROR ON EMPTY ERROR ON ERROR)`, asJson(b)],
    [`json_array(${a.text.engine}, ${b.text.engine} NULL ON NULL RETURNING varchar)`, `'[' || ${both} || ']'`],
    [`json_object('a' : ${a.text.engine} WITH UNIQUE KEYS RETURNING varchar)`, `'{"a":' || ${asJson(a)} || '}'`],
  ] as const);
  return make({ engine: `concat(${engine}, '')`, duckdb: `(${duckdb})` }, VARCHAR, [a, b, word]);
}

/** Encodes and decodes a value in an encoding. */
export function throughEncoding(source: ExpressionSource): Expression {
  const a = source.leaf("bigint");
  const encoding = source.random.pick(["UTF8", "UTF16", "UTF32"]);
  const bytes = `json_query(json_object('a' : ${a.text.engine}), 'lax $' RETURNING varbinary FORMAT JSON ENCODING ${encoding})`;
  return make(
    { engine: `json_value(${bytes} FORMAT JSON ENCODING ${encoding}, 'lax $.a' RETURNING bigint)`, duckdb: a.text.duckdb },
    BIGINT,
    [a],
    a.bound,
    a.exact,
  );
}

const entry = "n FOR ORDINALITY, e0 bigint PATH 'lax $'";

/** Plans over the elements and a second path with one value. `isOuter`: a row of NULLs if there is no element. */
const plans = [
  ["NESTED PATH 'lax $.x[*]' AS q COLUMNS (ENTRY)", "PLAN (p INNER q)", false],
  ["NESTED PATH 'lax $.x[*]' AS q COLUMNS (ENTRY)", "PLAN (p OUTER q)", true],
  [
    "NESTED PATH 'lax $.x[*]' AS q COLUMNS (ENTRY), NESTED PATH 'lax $.y' AS r COLUMNS (j bigint PATH 'lax $')",
    "PLAN (p INNER (q CROSS r))",
    false,
  ],
  [
    "NESTED PATH 'lax $.x[*]' AS q COLUMNS (ENTRY), NESTED PATH 'lax $.z[*]' AS r COLUMNS (j bigint PATH 'lax $')",
    "PLAN (p OUTER (q UNION r))",
    true,
  ],
  ["NESTED PATH 'lax $.x[*]' COLUMNS (ENTRY), NESTED PATH 'lax $.y' COLUMNS (j bigint PATH 'lax $')", "PLAN DEFAULT (OUTER, CROSS)", true],
  [
    "NESTED PATH 'lax $.x[*]' COLUMNS (ENTRY), NESTED PATH 'lax $.z[*]' COLUMNS (j bigint PATH 'lax $')",
    "PLAN DEFAULT (INNER, UNION)",
    false,
  ],
] as const;

/** An unused column for a value that exists or not, with its ON EMPTY and ON ERROR clauses. */
function drawHead(random: Random): string {
  const onEmpty = ["", " NULL ON EMPTY", " EMPTY ARRAY ON EMPTY", " EMPTY OBJECT ON EMPTY"];
  const onError = ["", " NULL ON ERROR", " EMPTY ARRAY ON ERROR", " EMPTY OBJECT ON ERROR"];
  const isThere = random.chance(60);
  const path = isThere ? random.pick(["lax $.y", "lax $.t"]) : "lax $.none";
  // ERROR ON EMPTY is safe for a value that exists.
  const strict = isThere ? ["ERROR"] : [];
  if (random.chance(35)) {
    const [empty, error] = [random.pick(["NULL", "DEFAULT 'none'", ...strict]), random.pick(["NULL", "DEFAULT 'none'", ...strict])];
    return `h varchar PATH '${path}' ${empty} ON EMPTY ${error} ON ERROR, `;
  }
  const form = random.pick([
    "",
    " KEEP QUOTES",
    " OMIT QUOTES",
    " WITHOUT ARRAY WRAPPER KEEP QUOTES",
    " WITHOUT ARRAY WRAPPER OMIT QUOTES",
  ]);
  const wrapped = random.pick([form, form, " WITH CONDITIONAL ARRAY WRAPPER", " WITH UNCONDITIONAL ARRAY WRAPPER"]);
  const empty = random.pick([...onEmpty, ...strict.map((word) => ` ${word} ON EMPTY`)]);
  const error = random.pick([...onError, ...strict.map((word) => ` ${word} ON ERROR`)]);
  return `h varchar FORMAT JSON PATH '${path}'${wrapped}${empty}${error}, `;
}

/** The non-NULL elements as rows of a JSON_TABLE with a plan: `n` and `e0`. */
export function tableWithPlan(
  random: Random,
  elements: readonly Expression[],
  alias: string,
): { readonly engine: string; readonly duckdb: string } {
  const list = elements.map((element) => element.text.engine).join(", ");
  const kept = `list_filter([${elements.map((element) => element.text.duckdb).join(", ")}], lambda one: one IS NOT NULL)`;
  const [columns, plan, isOuter] = random.pick(plans);
  const head = random.chance(60) ? drawHead(random) : "";
  const document = `json_object('x' : json_array(${list}), 'y' : 1, 'z' : json_array(), 't' : 'a')`;
  const nested = columns.replace("ENTRY", () => entry);
  const names = [...(head === "" ? [] : ["h"]), "n", "e0", ...(columns.includes("(j ") ? ["j"] : [])];
  const rows = (some: string): string => (isOuter ? `CASE WHEN len(${kept}) = 0 THEN [NULL] ELSE ${some} END` : some);
  const items = names.map((name) => {
    switch (name) {
      case "n":
        return `unnest(${rows(`generate_series(1, len(${kept}))`)}) AS n`;
      case "e0":
        return `unnest(${rows(kept)}) AS e0`;
      default:
        return `NULL AS ${name}`;
    }
  });
  const given = `AS ${alias} (${names.join(", ")})`;
  const ending = `${plan}${random.pick(["", " ERROR ON ERROR", " EMPTY ON ERROR"])}`;
  return {
    engine: `JSON_TABLE(${document}, 'lax $' AS p COLUMNS (${head}${nested}) ${ending}) ${given}`,
    duckdb: `LATERAL (SELECT ${items.join(", ")}) ${given}`,
  };
}

/** An existing element of an array or value of a map. */
export function subscripted(source: ExpressionSource): Expression {
  const { random } = source;
  const [a, b] = [source.leaf("bigint"), source.leaf("bigint")];
  const place = random.pick([1, 2]);
  const engine = random.chance(50)
    ? `(ARRAY[${a.text.engine}, ${b.text.engine}])[${place}]`
    : `MAP(ARRAY[1, 2], ARRAY[${a.text.engine}, ${b.text.engine}])[${place}]`;
  const chosen = place === 1 ? a : b;
  return make({ engine, duckdb: text`(${chosen.text})`.duckdb }, type("bigint"), [a, b], chosen.bound, chosen.exact);
}
