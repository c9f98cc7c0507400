/**
 * OFFSET, LIMIT and FETCH FIRST: evaluates the counts, which may be any constant expressions, and plans the clauses.
 */
import type { Expression, FetchFirst, Limit, Query } from "../../../sql/ast/ast.ts";
import { printExpression } from "../../../sql/printer/printer.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { BIGINT, DOUBLE, displayType } from "../../../types/type.ts";
import { canCoerce } from "../../../functions/registry/coercion.ts";
import type { ConstantValue, RowExpression, Variable } from "../../plan/typed-expression.ts";
import { cast, constant } from "../../plan/expression-tree.ts";
import type { Ordering, PlanNode, WindowNode } from "../../plan/node.ts";
import { filterNode } from "../../plan/plan-tree.ts";
import type { Analysis } from "../analysis.ts";
import { semanticError } from "../errors.ts";
import { analyzeExpression } from "../expression/analyze-expression.ts";
import { callOperator, chooseAggregate } from "../expression/functions.ts";
import { invalidNumber } from "../expression/literals.ts";
import { numberRows } from "../window/row-numbers.ts";
import { wholeFrame } from "../window/specification.ts";

/** `source` is sorted by the query's ORDER BY. */
export function limitRows(source: PlanNode, query: Query, analysis: Analysis): PlanNode {
  const { limit } = query;
  const offset = query.offset === undefined ? 0 : rowCount(query.offset, "OFFSET", analysis);
  if (limit?.kind === "FetchFirst") {
    return offsetRows(fetchRows(source, query, limit, offset, analysis), offset, analysis);
  }
  const count = limit === undefined ? undefined : limitCount(limit, analysis);
  const rest = offsetRows(source, offset, analysis);
  return count === undefined ? rest : { kind: "Limit", id: analysis.ids.node(), source: rest, count, partial: false };
}

function offsetRows(source: PlanNode, count: number, { ids }: Analysis): PlanNode {
  return count === 0 ? source : { kind: "Offset", id: ids.node(), source, count };
}

/** Keeps the rows before the offset and the first rows after it, including rows that tie with the last one if WITH TIES is given. */
function fetchRows(source: PlanNode, query: Query, limit: FetchFirst, offset: number, analysis: Analysis): PlanNode {
  const { ids } = analysis;
  if (limit.withTies && query.orderBy.length === 0) {
    throw semanticError("MISSING_ORDER_BY", limit, "FETCH FIRST WITH TIES clause requires ORDER BY");
  }
  if (limit.percent) {
    return overSort(source, (node, orderBy) => fetchPercent(node, orderBy, limit, offset, analysis));
  }
  const count = Math.min(offset + fetchCount(limit, analysis), Number.MAX_SAFE_INTEGER);
  if (!limit.withTies) {
    return { kind: "Limit", id: ids.node(), source, count, partial: false };
  }
  return overSort(source, (node, orderBy) =>
    // With only constant sort keys nothing is sorted, and all rows tie.
    orderBy.length === 0 ? node : { kind: "TopN", id: ids.node(), source: node, count, orderBy, step: "SINGLE", withTies: true },
  );
}

/** The sort is below the SELECT's projection. Replaces the sort by the node that `make` builds over its source. */
function overSort(node: PlanNode, make: (source: PlanNode, orderBy: readonly Ordering[]) => PlanNode): PlanNode {
  if (node.kind === "Project" && sorts(node.source)) {
    return { ...node, source: overSort(node.source, make) };
  }
  return node.kind === "Sort" ? make(node.source, node.orderBy) : make(node, []);
}

function sorts(node: PlanNode): boolean {
  return node.kind === "Sort" || (node.kind === "Project" && sorts(node.source));
}

/**
 * The percentage applies to all rows, including rows before the offset, and is rounded up. Row k after the offset is in the first c percent
 * of n rows if (k - 1) * 100 < n * c.
 */
function fetchPercent(source: PlanNode, orderBy: readonly Ordering[], limit: FetchFirst, offset: number, analysis: Analysis): PlanNode {
  const { ids } = analysis;
  const percentage = percentageOf(limit, analysis);
  const { node, number } = numberRows(ids, source, { orderBy, name: limit.withTies ? "rank" : "row_number" });
  const total = ids.variable("count", BIGINT);
  const chosen = chooseAggregate("count", [], limit);
  const counting: WindowNode["functions"][number] = {
    output: total,
    name: chosen.name,
    argumentTypes: chosen.argumentTypes,
    args: [],
    ignoreNulls: false,
    frame: wholeFrame,
  };
  const counted: PlanNode = { ...node, functions: [...node.functions, counting] };
  const before = callOperator("$subtract", [number, constant(BIGINT, String(offset + 1))], limit);
  const left = callOperator("$multiply", [before, constant(BIGINT, "100")], limit);
  return filterNode(ids, counted, [callOperator("$lt", [left, share(total, percentage, limit)], limit)]);
}

function share(total: Variable, percentage: RowExpression, limit: FetchFirst): RowExpression {
  return callOperator("$multiply", [total, percentage], limit);
}

function percentageOf(limit: FetchFirst, analysis: Analysis): RowExpression {
  const syntax = limit.count;
  if (syntax === undefined) {
    throw new QueryError("SYNTAX_ERROR", "FETCH FIRST PERCENT has a percentage", limit.location);
  }
  const expression = analyzeCount(syntax, "FETCH FIRST", analysis);
  if (!canCoerce(expression.type, DOUBLE)) {
    throw mismatch(syntax, "FETCH FIRST", "double", expression);
  }
  const value = evaluate(syntax, "FETCH FIRST", expression, analysis);
  const percentage = Number(analysis.context.evaluateConstant(cast(expression, DOUBLE)));
  if (!(percentage >= 0 && percentage <= 100)) {
    const found = `FETCH FIRST percentage must be between 0 and 100 (actual value: ${percentage})`;
    throw semanticError("INVALID_LIMIT_CLAUSE", limit, found);
  }
  return constant(expression.type, value);
}

function fetchCount(limit: FetchFirst, analysis: Analysis): number {
  const count = limit.count === undefined ? 1 : rowCount(limit.count, "FETCH FIRST", analysis);
  if (count < 1) {
    throw semanticError("NUMERIC_VALUE_OUT_OF_RANGE", limit, `FETCH FIRST row count must be positive (actual value: ${count})`);
  }
  return count;
}

/** Returns undefined for LIMIT ALL. */
function limitCount(limit: Limit, analysis: Analysis): number | undefined {
  return limit.count === undefined ? undefined : rowCount(limit.count, "LIMIT", analysis);
}

type Clause = "FETCH FIRST" | "LIMIT" | "OFFSET";

function rowCount(syntax: Expression, clause: Clause, analysis: Analysis): number {
  if (syntax.kind === "LongLiteral") {
    return literalCount(syntax.value, syntax);
  }
  const expression = analyzeCount(syntax, clause, analysis);
  if (!canCoerce(expression.type, BIGINT)) {
    throw mismatch(syntax, clause, "bigint", expression);
  }
  const value = Number(evaluate(syntax, clause, cast(expression, BIGINT), analysis));
  if (value < 0 && clause !== "FETCH FIRST") {
    throw semanticError("INVALID_LIMIT_CLAUSE", syntax, `${clause} row count must be greater or equal to 0 (actual value: ${value})`);
  }
  return Math.min(value, Number.MAX_SAFE_INTEGER);
}

function literalCount(text: string, at: Expression): number {
  if (BigInt(text) > 9223372036854775807n) {
    throw invalidNumber(at, text);
  }
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

function analyzeCount(syntax: Expression, clause: Clause, analysis: Analysis): RowExpression {
  const scope = { fields: [], queryBoundary: true };
  try {
    return analyzeExpression(syntax, { analysis, scope, queries: { named: new Map() }, clause: `${clause} clause` });
  } catch (error) {
    if (!(error instanceof QueryError) || error.errorName !== "COLUMN_NOT_FOUND") {
      throw error;
    }
    throw semanticError("INVALID_ARGUMENTS", syntax, `Non constant parameter value for ${clause}: ${printExpression(syntax)}`);
  }
}

function evaluate(syntax: Expression, clause: Clause, expression: RowExpression, analysis: Analysis): NonNullable<ConstantValue> {
  const value = analysis.context.evaluateConstant(expression);
  if (value === null) {
    throw semanticError("INVALID_ARGUMENTS", syntax, `Parameter value provided for ${clause} is NULL: ${printExpression(syntax)}`);
  }
  return value;
}

function mismatch(syntax: Expression, clause: Clause, type: string, expression: RowExpression): QueryError {
  return semanticError("TYPE_MISMATCH", syntax, `${clause} clause must evaluate to a ${type} (actual: ${displayType(expression.type)})`);
}
