/**
 * Functions written in SQL: expressions whose value goes through a function of the statement's own. DuckDB gets the body written out, loops
 * get their closed form. Where a function is called its declaration stands in front of the name, between marks; `declared` moves all of
 * them to the head of the statement.
 */
import { type Kind, type Text, text, typeText } from "../dialects.ts";
import { BIGINT, BOOLEAN, type Expression, make } from "./generated-expression.ts";
import { type ExpressionSource, kinds } from "./source.ts";
import type { Random } from "../random.ts";

const [opened, closed] = ["\u27e6", "\u27e7"];
const innermost = /\u27e6([^\u27e6\u27e7]*)\u27e7/;

/** The statement with its functions first, callees before callers, each once. */
export function declared(sql: string): string {
  const functions = new Set<string>();
  let rest = sql;
  for (let found = innermost.exec(rest); found !== null; found = innermost.exec(rest)) {
    functions.add(found[1] as string);
    rest = rest.replace(found[0], "");
  }
  return functions.size === 0 ? rest : `WITH ${[...functions].join(", ")} ${rest}`;
}

/** A name derived from the text (FNV-1a). */
function nameOf(declaration: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < declaration.length; index++) {
    hash = Math.imul(hash ^ declaration.charCodeAt(index), 0x01000193) >>> 0;
  }
  return `fn_${hash.toString(16)}`;
}

function callOf(head: string, args: readonly Expression[]): string {
  const name = nameOf(head);
  return `${opened}FUNCTION ${name}${head}${closed}${name}(${args.map((arg) => arg.text.engine).join(", ")})`;
}

interface Body {
  readonly statement: string;
  readonly value: Text;
  readonly parts: readonly Expression[];
}

/** Branches and variables around an expression of the parameters; all branches have one type. */
function drawBody(inner: ExpressionSource, kind: Kind, depth: number): Body & { readonly of: Expression } {
  const { random } = inner;
  const a = inner.of(kind, depth);
  const type = typeText(a.type).engine;
  const value = (one: Expression): string => `CAST(${one.text.engine} AS ${type})`;
  const plain = { statement: `RETURN ${value(a)}`, value: a.text, parts: [a], of: a };
  if (random.chance(50) || a.type.kind === "decimal") {
    return plain;
  }
  const condition = inner.condition(1);
  const other = inner.leaf(kind);
  const chosen = text`CASE WHEN ${condition.text} THEN ${a.text} ELSE ${other.text} END`;
  const statement = random.pick([
    `BEGIN IF ${condition.text.engine} THEN RETURN ${value(a)}; END IF; RETURN ${value(other)}; END`,
    `BEGIN DECLARE v ${type} DEFAULT ${value(other)}; CASE WHEN ${condition.text.engine} THEN SET v = ${value(a)}; END CASE; RETURN v; END`,
    `BEGIN DECLARE v ${type}; IF NOT ${condition.text.engine} THEN SET v = ${value(other)}; ELSEIF ${condition.text.engine} THEN SET v = ${value(a)}; ELSE SET v = ${value(other)}; END IF; RETURN v; END`,
    `BEGIN DECLARE v ${type}; CASE WHEN ${condition.text.engine} THEN SET v = ${value(a)}; ELSE SET v = ${value(other)}; END CASE; RETURN v; END`,
    `BEGIN DECLARE v ${type}; CASE (${condition.text.engine}) WHEN true THEN SET v = ${value(a)}; ELSE SET v = ${value(other)}; END CASE; RETURN v; END`,
    `BEGIN DECLARE v ${type}; once: LOOP SET v = ${value(other)}; IF ${condition.text.engine} THEN SET v = ${value(a)}; END IF; LEAVE once; END LOOP; RETURN v; END`,
  ]);
  return {
    statement,
    value: chosen,
    parts: [a, other, condition],
    of: { ...a, bound: Math.max(a.bound, other.bound), exact: a.exact && other.exact },
  };
}

/** Routine characteristics that do not change the result. */
function characteristics(random: Random): string {
  return random.chance(15)
    ? random.pick([" LANGUAGE SQL", " DETERMINISTIC", " COMMENT 'drawn'", " LANGUAGE SQL DETERMINISTIC COMMENT ''"])
    : "";
}

/** A call of a function with arguments of any kinds. */
export function throughFunction(source: ExpressionSource, kind: Kind, depth: number): Expression {
  const { random } = source;
  const args = Array.from({ length: 1 + random.below(2) }, () => source.of(random.chance(50) ? kind : random.pick(kinds), depth));
  const parameters = args.map(
    (arg, index): Expression => ({ ...arg, text: { engine: `p${index}`, duckdb: arg.text.duckdb }, variable: true }),
  );
  const inner = source.over(parameters);
  const body = drawBody(inner, kind, Math.min(depth, 2));
  const strict = random.chance(25);
  const list = parameters.map((parameter) => `${parameter.text.engine} ${typeText(parameter.type).engine}`).join(", ");
  const nulls = strict ? " RETURNS NULL ON NULL INPUT" : random.pick(["", "", " CALLED ON NULL INPUT"]);
  const head = `(${list}) RETURNS ${typeText(body.of.type).engine}${nulls}${characteristics(random)} ${body.statement}`;
  const absent = args.map((arg) => `${arg.text.duckdb} IS NULL`).join(" OR ");
  const value = strict ? `CASE WHEN ${absent} THEN NULL ELSE ${body.value.duckdb} END` : `(${body.value.duckdb})`;
  // An argument that the body does not use may contain an aggregate, which changes the number of rows.
  const unused = args.filter((_, index) => !strict && !new RegExp(`\\bp${index}\\b`).test(body.statement));
  const duckdb = unused.reduce((text, arg) => `([${text}])[len([${arg.text.duckdb}])]`, value);
  return make({ engine: callOf(head, args), duckdb }, body.of.type, [...args, ...body.parts], body.of.bound, body.of.exact);
}

/** Loops over small numbers: the sum of 1 to n, and how many of them are odd. */
export function countedByLoop(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  const a = source.of("integer", depth);
  const limit = { ...a, text: text`(${a.text} % 9)` };
  const m = `CAST(${a.text.duckdb} % 9 AS bigint)`;
  const [body, closedForm] = random.pick([
    ["DECLARE s bigint DEFAULT 0; WHILE n > 0 DO SET s = s + n; SET n = n - 1; END WHILE; RETURN s;", `(${m} * (${m} + 1)) // 2`],
    [
      "DECLARE s, i bigint DEFAULT 0; top: LOOP SET i = i + 1; IF i > n OR n IS NULL THEN LEAVE top; END IF; SET s = s + i; END LOOP; RETURN s;",
      `(${m} * (${m} + 1)) // 2`,
    ],
    [
      "DECLARE s, i bigint DEFAULT 0; top: WHILE i < n DO SET i = i + 1; IF i % 2 = 0 THEN ITERATE top; END IF; SET s = s + 1; END WHILE; RETURN s;",
      `(${m} + 1) // 2`,
    ],
    [
      "DECLARE s bigint DEFAULT 0; IF n <= 0 OR n IS NULL THEN RETURN 0; END IF; REPEAT SET s = s + n; SET n = n - 1; UNTIL n = 0 END REPEAT; RETURN s;",
      `(${m} * (${m} + 1)) // 2`,
    ],
    [
      "DECLARE s, i bigint DEFAULT 0; top: REPEAT SET i = i + 1; IF i > n OR n IS NULL THEN LEAVE top; END IF; SET s = s + i; UNTIL false END REPEAT; RETURN s;",
      `(${m} * (${m} + 1)) // 2`,
    ],
    ["DECLARE s bigint DEFAULT 0; FOR i IN 1 TO n DO SET s = s + i; END FOR; RETURN s;", `(${m} * (${m} + 1)) // 2`],
    [
      "DECLARE s bigint DEFAULT 0; top: FOR i IN n TO 1 BY -1 DO IF i % 2 = 0 THEN ITERATE top; END IF; SET s = s + 1; END FOR; RETURN s;",
      `(${m} + 1) // 2`,
    ],
  ] as const);
  const head = `(n bigint) RETURNS bigint BEGIN ${body} END`;
  return make({ engine: callOf(head, [limit]), duckdb: `CASE WHEN ${m} > 0 THEN ${closedForm} ELSE 0 END` }, BIGINT, [a], 36);
}

/** A condition on two values in a function. */
export function askedByFunction(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  const [a, b] = [source.of("bigint", depth), source.of("bigint", depth)];
  const operator = random.pick(["<", "<=", "=", "<>", ">"]);
  const head = `(x bigint, y bigint) RETURNS boolean RETURN (x ${operator} y)`;
  return make({ engine: callOf(head, [a, b]), duckdb: `(${a.text.duckdb} ${operator} ${b.text.duckdb})` }, BOOLEAN, [a, b]);
}
