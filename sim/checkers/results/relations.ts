/**
 * Metamorphic checks: a statement is rewritten so that the result must stay the same. A wrong plan may be wrong on one worker too, and then
 * the reference run agrees with the wrong result; these relations detect it. Ternary logic partitioning: the rows where a condition is
 * true, false and null are together all rows. NoREC: counting the rows where a condition holds equals summing how often it holds.
 * Statements are parsed and printed again, so this works on any statement.
 */
import { parseStatement } from "../../../src/sql/parser/parser.ts";
import { printExpression, printStatement } from "../../../src/sql/printer/printer.ts";
import type { Query, QuerySpecification } from "../../../src/sql/ast/relations.ts";
import { stringifyJson } from "../../../src/protocol/json.ts";
import type { Outcome } from "./results.ts";
import type { Verdict } from "../violation.ts";

const oracle = "relations";

export interface Relation {
  readonly name: "partitions" | "counts";
  /** Statement whose rows must equal the rows of all parts together. */
  readonly whole: string;
  readonly parts: readonly string[];
}

const aggregateCall = /\b(count|count_if|sum|avg|min|max|bool_and|bool_or|every|any_value|arbitrary|min_by|max_by)\s*\(/i;

/** A window function depends on the surrounding rows, so it differs between parts. */
const windowCall = /\bOVER\b/i;

/** Relations for a statement; empty if it has no filter or does not parse. */
export function relationsOf(sql: string): readonly Relation[] {
  let statement: ReturnType<typeof parseStatement>;
  try {
    statement = parseStatement(sql);
  } catch {
    return [];
  }
  if (statement.kind !== "Query" || statement.body.kind !== "QuerySpecification") {
    return [];
  }
  const { body } = statement;
  const { where, from } = body;
  if (where === undefined || from === undefined) {
    return [];
  }
  const condition = printExpression(where);
  const bare: Query = {
    ...(statement.with === undefined ? {} : { with: statement.with }),
    kind: "Query",
    location: statement.location,
    body,
    orderBy: [],
  };
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
        name === "counts"
          ? `${stringifyJson(all.rows[0])} rows hold the condition by one way of counting, ${stringifyJson(together[0])} by another: ${whole}; ${parts.join("; ")}`
          : `${all.rows.length} rows fall into parts of ${some.map((outcome) => (outcome?.kind === "rows" ? outcome.rows.length : 0)).join(", ")}, or into others: ${whole}; ${parts[0] ?? ""}`,
      );
    }
  }
}
