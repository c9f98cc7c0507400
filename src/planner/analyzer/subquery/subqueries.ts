/**
 * Subqueries in expressions. Each is planned separately and joined to the plan over which the expression is evaluated. decorrelate.ts
 * handles correlated subqueries.
 */
import type { Exists, InSubquery, Query, SubqueryExpression } from "../../../sql/ast/ast.ts";
import { rowName } from "../../../functions/operator/structures.ts";
import { BOOLEAN } from "../../../types/type.ts";
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import { and, collectVariables, FALSE, not, or, special, substitute, TRUE } from "../../plan/expression-tree.ts";
import { ownOutputs, type PlanNode } from "../../plan/node.ts";
import { distinctVariables, extendProject, projectNode } from "../../plan/plan-tree.ts";
import type { Environment, PendingSubquery } from "../analysis.ts";
import { asVariable, crossJoin, firstRow, planExists } from "./joins.ts";
import { type ComputedRow, computedRows, whereTrue } from "./computed-rows.ts";
import { isOneRow } from "./one-row.ts";
import { atOnce, type InPieces } from "../../pieces.ts";
import { outerVariables } from "./pull.ts";
import { joinCorrelatedExists, joinCorrelatedScalar } from "./decorrelate.ts";
import { notSupported, type Placed } from "../errors.ts";
import { callFunction, callOperator } from "../expression/functions.ts";
import { type Compared, type Pair, valueOfRow } from "./row-subqueries.ts";
import type { RelationPlan } from "../scope/scope.ts";

export interface SubqueryPlan {
  readonly relation: RelationPlan;
  /** Outer references of the subquery. */
  readonly correlated: readonly Variable[];
  /** Collector for subqueries that wait to be joined. */
  readonly collector: PendingSubquery[];
}

export function planSubquery(query: Query, env: Environment, at: Placed): SubqueryPlan {
  if (env.subqueries === undefined) {
    throw notSupported(at, `${env.clause} cannot contain subqueries`);
  }
  const relation = env.analysis.analyzers.query(query, env.analysis, { named: env.queries.named, outer: env.scope });
  return { relation, correlated: outerVariables(relation.node), collector: env.subqueries };
}

export function analyzeScalarSubquery(expression: SubqueryExpression, env: Environment): RowExpression {
  const planned = planSubquery(expression.query, env, expression);
  const { relation, correlated, collector } = planned;
  const value = valueOfRow(relation, expression);
  const { analysis } = env;
  const output = analysis.ids.variable("subquery", value.type);
  const [row] = computedFor(planned, env, (rows) => rows.length === 1) ?? [];
  if (row !== undefined) {
    return computed(output, valueIn(row, value), planned, env);
  }
  if (correlated.length > 0) {
    const join = joinCorrelatedScalar(analysis, relation.node, value, output, correlated, env.scope, expression);
    collector.push({ output, uses: correlated, apply: join });
    return output;
  }
  // Without rows, EnforceSingleRow returns NULL columns. The row value is built below it, so that the result is NULL and not a row of
  // NULLs.
  const made = value.kind === "variable" ? { node: relation.node, variable: value } : asVariable(analysis, relation.node, value, "row");
  const single: PlanNode = isOneRow(made.node) ? made.node : { kind: "EnforceSingleRow", id: analysis.ids.node(), source: made.node };
  const right = projectNode(analysis.ids, single, [{ output, expression: made.variable }]);
  collector.push({ output, uses: [], apply: (node) => crossJoin(analysis, node, right) });
  return output;
}

/** Compares with a subquery that always returns exactly one row. */
export function compareWithOne(
  operator: string,
  value: RowExpression,
  { isWrapped }: Compared,
  { query, location }: Pick<InSubquery, "query" | "location">,
  env: Environment,
): RowExpression {
  const expression: SubqueryExpression = { kind: "SubqueryExpression", query, location };
  const one = analyzeScalarSubquery(expression, env);
  return callOperator(operator, [value, isWrapped ? callFunction(rowName, [one], expression) : one], expression);
}

export function analyzeExists(expression: Exists, env: Environment): RowExpression {
  const planned = planSubquery(expression.query, env, expression);
  const { relation, correlated, collector } = planned;
  const { analysis } = env;
  const rows = computedFor(planned, env);
  if (rows !== undefined) {
    return or(rows.map((row) => isThere(row, planned, env)));
  }
  const output = analysis.ids.variable("exists", BOOLEAN);
  if (correlated.length > 0) {
    const exists = joinCorrelatedExists(analysis, relation.node, output, correlated, env.scope, expression);
    collector.push({ output, uses: correlated, apply: exists });
    return special("COALESCE", BOOLEAN, [output, FALSE]);
  }
  const found = planExists(analysis, firstRow(analysis, relation.node), output, expression);
  collector.push({ output, uses: [], apply: (node) => crossJoin(analysis, node, found) });
  return output;
}

/** Returns the rows of a correlated subquery that reads no table, if they satisfy `wanted`. */
export function computedFor(
  { relation, correlated, collector }: SubqueryPlan,
  { analysis }: Environment,
  wanted: (rows: readonly ComputedRow[]) => boolean = () => true,
): readonly ComputedRow[] | undefined {
  const found = correlated.length > 0 ? computedRows(relation.node, analysis) : undefined;
  if (found === undefined || !wanted(found.rows)) {
    return undefined;
  }
  collector.push(...found.joins);
  return found.rows;
}

/** Registers `output` as an expression over the outer row. */
function computed(
  output: Variable,
  expression: RowExpression,
  { correlated, collector }: SubqueryPlan,
  { analysis }: Environment,
): Variable {
  const uses = distinctVariables([...correlated, ...collectVariables(expression).values()]);
  const apply: PendingSubquery["apply"] = (node, rewrite) => {
    const values = new Map(uses.map((variable) => [variable.name, rewrite(variable)]));
    return extendProject(analysis.ids, node, [{ output, expression: substitute(expression, values) }]);
  };
  collector.push({ output, uses, apply, computed: expression });
  return output;
}

/** Returns a column of the row; NULL if the row does not exist. */
function valueIn({ conditions, columns }: ComputedRow, column: RowExpression): RowExpression {
  return whereTrue(conditions, substitute(column, columns));
}

function isThere({ conditions }: ComputedRow, planned: SubqueryPlan, env: Environment): RowExpression {
  if (conditions.length === 0) {
    return TRUE;
  }
  const output = env.analysis.ids.variable("exists", BOOLEAN);
  return special("COALESCE", BOOLEAN, [computed(output, and(conditions), planned, env), FALSE]);
}

interface ComparedRow {
  readonly isThere: RowExpression;
  readonly comparison: RowExpression;
}

/** Compares each row with the value. A comparison only counts if its row exists. */
function compareEach(
  rows: readonly ComputedRow[],
  { value, item }: Compared,
  planned: SubqueryPlan,
  env: Environment,
  compare: (pair: Pair) => RowExpression,
): readonly ComparedRow[] {
  return rows.map((row) => {
    const output = env.analysis.ids.variable("value", item.type);
    const comparison = compare({ value, item: computed(output, valueIn(row, item), planned, env) });
    return { isThere: isThere(row, planned, env), comparison };
  });
}

type CompareRows = (
  rows: readonly ComputedRow[],
  compared: Compared,
  planned: SubqueryPlan,
  env: Environment,
  compare: (pair: Pair) => RowExpression,
) => RowExpression;

export const compareWithAnyRow: CompareRows = (...given) => or(compareEach(...given).map((row) => and([row.isThere, row.comparison])));

export const compareWithEachRow: CompareRows = (...given) =>
  and(compareEach(...given).map((row) => or([not(row.isThere), row.comparison])));

export function applySubqueries(
  node: PlanNode,
  subqueries: readonly PendingSubquery[],
  rewrite: (expression: RowExpression) => RowExpression = (expression) => expression,
): PlanNode {
  return atOnce(subqueriesInPieces(node, subqueries, rewrite));
}

/** A join with a subquery, in columns that take as long, and the number of its columns that take as long as one. */
const elementsOfJoin = 8;
const columnsOfElement = 16;

/** As `applySubqueries`. Each adds a join of all columns so far. */
export function* subqueriesInPieces(
  node: PlanNode,
  subqueries: readonly PendingSubquery[],
  rewrite: (expression: RowExpression) => RowExpression = (expression) => expression,
): InPieces<PlanNode> {
  let current = node;
  for (const subquery of subqueries) {
    current = subquery.apply(current, rewrite);
    yield elementsOfJoin + Math.ceil(ownOutputs(current).own.length / columnsOfElement);
  }
  return current;
}

/** Returns the subqueries that use one of `names`, directly or through earlier subqueries. The list must be in order of dependency. */
export function subqueriesOver(subqueries: readonly PendingSubquery[], names: ReadonlySet<string>): readonly PendingSubquery[] {
  const reached = new Set(names);
  return subqueries.filter(({ output, uses }) => {
    const isOver = uses.some(({ name }) => reached.has(name));
    if (isOver) {
      reached.add(output.name);
    }
    return isOver;
  });
}
