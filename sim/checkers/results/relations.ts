/**
 * Metamorphic checks: a statement is rewritten so that the result must stay the same. A wrong plan may be wrong on one worker too, and then
 * the reference run agrees with the wrong result; these relations detect it. Ternary logic partitioning: the rows where a condition is
 * true, false and null are together all rows. NoREC: counting the rows where a condition holds equals summing how often it holds. An
 * outer join has as many rows with a partner as the inner join.
 * Statements are parsed and printed again, so this works on any statement.
 */
import { parseStatement } from "../../../src/sql/parser/parser.ts";
import { printExpression, printStatement } from "../../../src/sql/printer/printer.ts";
import type { Expression } from "../../../src/sql/ast/expression-nodes.ts";
import type { Query, QuerySpecification, Relation as TableExpression } from "../../../src/sql/ast/relations.ts";
import { stringifyJson } from "../../../src/protocol/json.ts";
import type { Outcome } from "./results.ts";
import type { Verdict } from "../violation.ts";

const oracle = "relations";

export interface Relation {
  readonly name: "partitions" | "counts" | "partners";
  /** Statement whose rows must equal the rows of all parts together. */
  readonly whole: string;
  readonly parts: readonly string[];
}

const aggregateCall = /\b(count|count_if|sum|avg|min|max|bool_and|bool_or|every|any_value|arbitrary|min_by|max_by)\s*\(/i;

/** A window function depends on the surrounding rows, so it differs between parts. */
const windowCall = /\bOVER\b/i;

/** One in this many statements is also run in an equivalent form. */
const relatedEvery = 3;

/** Relations for one filter and one outer join among the statements of a run. */
export function relationsOfRun(statements: readonly string[]): readonly Relation[] {
  const filtered = statements.find((sql) => / WHERE /.test(sql) && sql.length % relatedEvery === 0);
  const joined = statements.filter((sql) => / (?:LEFT|RIGHT|FULL) JOIN /.test(sql)).map(partnersOf);
  return [...(filtered === undefined ? [] : relationsOf(filtered)), ...(joined.find(({ length }) => length > 0) ?? [])];
}

interface Parsed {
  /** Without its order and its limits. */
  readonly bare: Query;
  readonly body: QuerySpecification;
}

function parsed(sql: string): Parsed | undefined {
  let statement: ReturnType<typeof parseStatement>;
  try {
    statement = parseStatement(sql);
  } catch {
    return undefined;
  }
  if (statement.kind !== "Query" || statement.body.kind !== "QuerySpecification") {
    return undefined;
  }
  const { body, location } = statement;
  return { bare: { ...(statement.with === undefined ? {} : { with: statement.with }), kind: "Query", location, body, orderBy: [] }, body };
}

/** Relations for a statement; empty if it has no filter or does not parse. */
export function relationsOf(sql: string): readonly Relation[] {
  const { bare, body } = parsed(sql) ?? {};
  if (bare === undefined || body?.where === undefined || body.from === undefined) {
    return [];
  }
  const condition = printExpression(body.where);
  const texts = new Rewriting(bare, body);
  const relations: Relation[] = [
    {
      name: "counts",
      whole: texts.counting("count(*)", ` WHERE ${condition}`),
      parts: [texts.counting(`count_if(${condition})`, "")],
    },
  ];
  const isPlain = body.groupBy === undefined && body.having === undefined && !body.select.distinct;
  if (isPlain && !aggregateCall.test(texts.selected) && !windowCall.test(texts.selected)) {
    relations.push({
      name: "partitions",
      whole: texts.selecting(""),
      parts: [condition, `NOT (${condition})`, `(${condition}) IS NULL`].map((one) => texts.selecting(` WHERE ${one}`)),
    });
  }
  return relations;
}

/** Which rows these leave depends on the plan. */
const cuts = /\b(?:LIMIT|FETCH|OFFSET|TABLESAMPLE|row_number)\b/i;
const outerJoins: ReadonlySet<string> = new Set(["LEFT", "RIGHT", "FULL"]);

/** The relation for a statement over an outer join with an equality of columns of both sides, with or without other conditions. */
export function partnersOf(sql: string): readonly Relation[] {
  const { bare, body } = (cuts.test(sql) ? undefined : parsed(sql)) ?? {};
  const from = body?.from;
  if (bare === undefined || body === undefined || from?.kind !== "Join" || !outerJoins.has(from.type) || from.criteria?.kind !== "JoinOn") {
    return [];
  }
  const { expression } = from.criteria;
  const terms = expression.kind === "Logical" && expression.operator === "AND" ? expression.terms : [expression];
  const keys = terms.map((term) => keysOf(term, nameOf(from.right))).find((found) => found !== undefined);
  if (keys === undefined) {
    return [];
  }
  const counting = (type: "INNER" | typeof from.type, what: string): string =>
    new Rewriting(bare, { ...body, from: { ...from, type } }).counting(what, "");
  return [{ name: "partners", whole: counting("INNER", "count(*)"), parts: [counting(from.type, `count_if(${keys})`)] }];
}

/** Name by which columns of a table are qualified. */
function nameOf(table: TableExpression): string | undefined {
  return table.kind === "AliasedRelation" ? table.alias.value : undefined;
}

/** The condition that a row has both columns, for an equality of a column of the right side and one of the left side. */
function keysOf(term: Expression, right: string | undefined): string | undefined {
  if (term.kind !== "Comparison" || term.operator !== "=") {
    return undefined;
  }
  const sides = [term.left, term.right].map((side) =>
    side.kind === "Dereference" && side.base.kind === "Identifier" ? side.base.value === right : undefined,
  );
  const areOfBoth = !sides.includes(undefined) && sides[0] !== sides[1];
  return areOfBoth ? `${printExpression(term.left)} IS NOT NULL AND ${printExpression(term.right)} IS NOT NULL` : undefined;
}

/** The parts of the statement's text around its select list and its condition. */
class Rewriting {
  readonly #with: string;
  readonly #from: string;
  readonly selected: string;

  constructor(query: Query, body: QuerySpecification) {
    const { where: _, groupBy: _groups, having: _having, ...rest } = body;
    const printed = printStatement({ ...query, body: { ...rest, windows: [] } })
      .replaceAll(/\s+/g, " ")
      .trim();
    const one: Query = { kind: "Query", location: query.location, orderBy: [], body: { ...rest, windows: [] } };
    const plain = printStatement(one).replaceAll(/\s+/g, " ").trim();
    const { from: _from, ...noFrom } = rest;
    const select = printStatement({ ...one, body: { ...noFrom, windows: [] } })
      .replaceAll(/\s+/g, " ")
      .trim();
    this.#with = printed.slice(0, printed.length - plain.length);
    this.selected = select;
    this.#from = plain.slice(select.length);
  }

  selecting(where: string): string {
    return `${this.#with}${this.selected}${this.#from}${where}`;
  }

  counting(what: string, where: string): string {
    return `${this.#with}SELECT ${what}${this.#from}${where}`;
  }
}

/** Statements whose outcomes the check needs. */
export function statementsOf(relations: readonly Relation[]): readonly string[] {
  return relations.flatMap(({ whole, parts }) => [whole, ...parts]);
}

export function checkRelations(relations: readonly Relation[], outcomes: ReadonlyMap<string, Outcome>, verdict: Verdict): void {
  for (const { name, whole, parts } of relations) {
    const all = outcomes.get(whole);
    const some = parts.map((part) => outcomes.get(part));
    // A rewritten statement may evaluate rows that the original filters out, and fail on them.
    if (all?.kind !== "rows" || some.some((outcome) => outcome?.kind !== "rows")) {
      continue;
    }
    const texts = (rows: readonly unknown[]): string =>
      rows
        .map((row) => stringifyJson(row))
        .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
        .join("\n");
    const together = some.flatMap((outcome) => (outcome?.kind === "rows" ? outcome.rows : []));
    if (texts(all.rows) === texts(together)) {
      verdict.held(oracle);
    } else {
      verdict.violate(
        "wrong-result",
        oracle,
        name !== "partitions"
          ? `${stringifyJson(all.rows[0])} rows are counted in one way, ${stringifyJson(together[0])} in another: ${whole}; ${parts.join("; ")}`
          : `${all.rows.length} rows fall into parts of ${some.map((outcome) => (outcome?.kind === "rows" ? outcome.rows.length : 0)).join(", ")}, or into others: ${whole}; ${parts[0] ?? ""}`,
      );
    }
  }
}
