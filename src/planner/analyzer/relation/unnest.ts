/**
 * UNNEST. Each row is repeated as often as its longest array or map has entries. The copies are numbered, and a projection picks the entry
 * with that number; shorter arrays give NULL. Arrays are not copied, because repeated rows are only row ids. JSON_TABLE is the UNNEST of an
 * array of rows.
 */
import type { AliasedRelation, Join, JsonTable, Relation, Unnest } from "../../../sql/ast/ast.ts";
import { BIGINT, displayType, type Type } from "../../../types/type.ts";
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import { call, constant, special } from "../../plan/expression-tree.ts";
import type { Assignment, PlanNode } from "../../plan/node.ts";
import { extendProject } from "../../plan/plan-tree.ts";
import type { Analysis, PendingSubquery, QueryContext } from "../analysis.ts";
import { notSupported, semanticError } from "../errors.ts";
import { analyzeExpression } from "../expression/analyze-expression.ts";
import { callFunction, callOperator } from "../expression/functions.ts";
import { planJoinOn, requireNoneOf } from "./join-on.ts";
import { analyzeJsonTable } from "../json/table.ts";
import { fieldName } from "../../../functions/operator/structures.ts";
import type { Field, RelationPlan, Scope } from "../scope/scope.ts";
import { applySubqueries } from "../subquery/subqueries.ts";

/** Returns the UNNEST or JSON_TABLE of a relation, below any alias. */
export function unnestOf(relation: Relation): Unnest | JsonTable | undefined {
  if (relation.kind === "Unnest" || relation.kind === "JsonTable") {
    return relation;
  }
  return relation.kind === "AliasedRelation" ? unnestOf(relation.relation) : undefined;
}

/** UNNEST without a left side, planned over one row without columns. */
export function planUnnest(unnest: Unnest | JsonTable, analysis: Analysis, queries: QueryContext): RelationPlan {
  const node: PlanNode = { kind: "Values", id: analysis.ids.node(), outputs: [], rows: [[]] };
  return joinUnnest({ node, fields: [] }, unnest, false, analysis, queries);
}

/** `rename` applies the aliases of the relation to its own fields. */
export function planUnnestJoin(
  join: Join,
  unnest: Unnest | JsonTable,
  left: RelationPlan,
  { analysis, queries, rename }: { readonly analysis: Analysis; readonly queries: QueryContext; readonly rename: Rename },
): RelationPlan {
  const { type, criteria } = join;
  const condition = criteria?.kind === "JoinOn" ? criteria.expression : undefined;
  const isTrue = condition?.kind === "BooleanLiteral" && condition.value;
  const isApart = type === "RIGHT" || type === "FULL";
  if (criteria !== undefined && !isTrue && !(isApart && unnest.kind === "JsonTable")) {
    throw onlyOnTrue(join, unnest);
  }
  if (isApart) {
    if (condition === undefined) {
      throw onlyOnTrue(join, unnest);
    }
    const outer: Scope = { fields: left.fields, queryBoundary: true, ...(queries.outer && { parent: queries.outer }) };
    const named = analysis.outerColumns.length;
    const right = renameThrough(join.right, planUnnest(unnest, analysis, { ...queries, outer }), rename);
    requireNoneOf(left, analysis.outerColumns.slice(named), join);
    return planJoinOn({ type, condition, left, right }, { analysis, queries });
  }
  const { node, fields } = joinUnnest(left, unnest, type === "LEFT", analysis, queries);
  const own = renameThrough(join.right, { node, fields: fields.slice(left.fields.length) }, rename);
  return { node, fields: [...left.fields, ...own.fields] };
}

function onlyOnTrue(join: Join, { kind }: Unnest | JsonTable): Error {
  const name = kind === "Unnest" ? "UNNEST" : "JSON_TABLE";
  return notSupported(join, `${join.type} JOIN involving ${name} is only supported with condition ON TRUE`);
}

type Rename = (relation: AliasedRelation, plan: RelationPlan) => RelationPlan;

function renameThrough(relation: Relation, plan: RelationPlan, rename: Rename): RelationPlan {
  return relation.kind === "AliasedRelation" ? rename(relation, renameThrough(relation.relation, plan, rename)) : plan;
}

/** Analyzes the unnested expressions over the left side, and plans their subqueries. */
function analyzeLists(
  left: RelationPlan,
  unnest: Unnest | JsonTable,
  analysis: Analysis,
  queries: QueryContext,
): { readonly node: PlanNode; readonly lists: readonly Assignment[] } {
  const scope: Scope = { fields: left.fields, queryBoundary: true, ...(queries.outer && { parent: queries.outer }) };
  const subqueries: PendingSubquery[] = [];
  const env = { analysis, scope, queries, clause: unnest.kind === "JsonTable" ? "JSON_TABLE" : "UNNEST", subqueries };
  const found =
    unnest.kind === "JsonTable"
      ? [analyzeJsonTable(unnest, env)]
      : unnest.expressions.map((expression) => listOf(analyzeExpression(expression, env), expression));
  const lists = found.map((list): Assignment => ({ output: analysis.ids.variable("unnest", list.type), expression: list }));
  return { node: applySubqueries(left.node, subqueries), lists };
}

function joinUnnest(
  left: RelationPlan,
  unnest: Unnest | JsonTable,
  keepsLeft: boolean,
  analysis: Analysis,
  queries: QueryContext,
): RelationPlan {
  const { ids } = analysis;
  const { node: source, lists } = analyzeLists(left, unnest, analysis, queries);
  const length = lists.map(({ output }) => special("COALESCE", BIGINT, [call("cardinality", BIGINT, [output]), constant(BIGINT, "0")]));
  const longest = length.length === 1 ? (length[0] as RowExpression) : call("greatest", BIGINT, length);
  const entries = ids.variable("entries", BIGINT);
  const one = constant(BIGINT, "1");
  const times = ids.variable("times", BIGINT);
  const counted = extendProject(ids, extendProject(ids, source, lists), [{ output: entries, expression: longest }]);
  const count: RowExpression = keepsLeft ? call("greatest", BIGINT, [entries, one]) : entries;
  const ordinal = ids.variable("ordinal", BIGINT);
  const repeated: PlanNode = {
    kind: "Unnest",
    id: ids.node(),
    source: keepsLeft ? extendProject(ids, counted, [{ output: times, expression: count }]) : counted,
    count: keepsLeft ? times : entries,
    ordinal,
  };
  const columns = lists.flatMap(({ output }) => entryColumns(output, ordinal, unnest));
  const number = keepsLeft ? numberWhereAny(entries, ordinal, unnest) : ordinal;
  const given = unnest.kind === "Unnest" && unnest.withOrdinality ? [...columns, { expression: number }] : columns;
  const added = given.map(({ name, expression }): Assignment & { readonly name?: string } => ({
    output: ids.variable(name ?? "col", expression.type),
    expression,
    ...(name === undefined ? {} : { name }),
  }));
  const fields = added.map(({ output, name }): Field => ({ ...(name === undefined ? {} : { name }), expression: output, hidden: false }));
  const node = extendProject(
    ids,
    repeated,
    added.map(({ output, expression }) => ({ output, expression })),
  );
  return { node, fields: [...left.fields, ...fields] };
}

/** Converts a map to an array of key-value rows. */
function listOf(value: RowExpression, at: Unnest["expressions"][number]): RowExpression {
  if (value.type.kind === "map") {
    return callFunction("map_entries", [value], at);
  }
  if (value.type.kind !== "array") {
    throw semanticError("INVALID_FUNCTION_ARGUMENT", at, `Cannot unnest type: ${displayType(value.type)}`);
  }
  return value;
}

interface Column {
  readonly name?: string;
  readonly expression: RowExpression;
}

/** Returns the entry, or its fields if the entry is a row. */
function entryColumns(list: Variable, ordinal: Variable, at: Unnest | JsonTable): readonly Column[] {
  const entry = callFunction("element_at", [list, ordinal], at);
  if (entry.type.kind !== "row") {
    return [{ expression: entry }];
  }
  return entry.type.fields.map(({ name, type }: { readonly name?: string; readonly type: Type }, index) => ({
    ...(name === undefined ? {} : { name }),
    expression: call(fieldName(index), type, [entry]),
  }));
}

/** A row without entries, kept by LEFT JOIN, has a NULL ordinality. */
function numberWhereAny(entries: Variable, ordinal: Variable, at: Unnest | JsonTable): RowExpression {
  const isEmpty = callOperator("$eq", [entries, constant(BIGINT, "0")], at);
  return special("IF", BIGINT, [isEmpty, constant(BIGINT, null), ordinal]);
}
