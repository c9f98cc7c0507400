/**
 * Plans the relations of FROM, with named columns.
 */
import type { AliasedRelation, Identifier, Join, QualifiedName, QueryPeriod, Relation, Table } from "../../../sql/ast/ast.ts";
import { lowerParts } from "../../../sql/ast/ast.ts";
import { unreachable } from "../../../protocol/errors.ts";
import { displayType } from "../../../types/type.ts";
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import { and, special } from "../../plan/expression-tree.ts";
import type { Assignment, PlanNode } from "../../plan/node.ts";
import { extendProject } from "../../plan/plan-tree.ts";
import type { Analysis, QueryContext } from "../analysis.ts";
import { crossJoin } from "../subquery/joins.ts";
import { notSupported, semanticError } from "../errors.ts";
import { callOperator, coerceToCommon } from "../expression/functions.ts";
import { joinOn, planJoinOn, planLateralOn, requireNoneOf } from "./join-on.ts";
import { isLateral, joinLateral, planLateral, planSample } from "./lateral.ts";
import type { ResolvedTable } from "../metadata.ts";
import { pivotQuery } from "./pivot.ts";
import { securedRelation } from "./secured.ts";
import { askedVersion } from "./table-version.ts";
import { atOnce, elementsIn, type InPieces } from "../../pieces.ts";
import { planPatternRecognition } from "../pattern/relation.ts";
import { planNamedQuery } from "../query/named-queries.ts";
import { planTableFunction } from "../table-function/plan.ts";
import { planView } from "./views.ts";
import { type Field, namedFields, type RelationPlan, renameFields } from "../scope/scope.ts";
import { planUnnest, planUnnestJoin, unnestOf } from "./unnest.ts";

/** Implements `Analyzers.relation`. */
export function planRelation(relation: Relation, analysis: Analysis, queries: QueryContext): RelationPlan {
  return atOnce(relationInPieces(relation, analysis, queries));
}

export function* relationInPieces(relation: Relation, analysis: Analysis, queries: QueryContext): InPieces<RelationPlan> {
  switch (relation.kind) {
    case "Table":
      return yield* planTable(relation, analysis, queries);
    case "AliasedRelation":
      return yield* planAliased(relation, analysis, queries);
    case "TableSubquery": {
      const plan = yield* analysis.analyzers.queryInPieces(relation.query, analysis, queries);
      return { node: plan.node, fields: plan.fields.map(({ qualifier: _qualifier, ...field }) => field) };
    }
    case "Join":
      return yield* planJoin(relation, analysis, queries);
    case "Lateral":
      return yield* planLateral(relation, undefined, analysis, queries);
    case "Unnest":
    case "JsonTable":
      return planUnnest(relation, analysis, queries);
    case "PatternRecognition":
      requireNoTableFunction(relation.relation, "row pattern matching");
      return planPatternRecognition(relation, yield* relationInPieces(relation.relation, analysis, queries), analysis, queries);
    case "TableFunctionCall":
      return planTableFunction(relation, undefined, analysis, queries);
    case "Pivot":
      requireNoTableFunction(relation.relation, "pivot");
      return yield* relationInPieces(
        { kind: "TableSubquery", query: pivotQuery(relation), location: relation.location },
        analysis,
        queries,
      );
    case "SampledRelation":
      requireNoTableFunction(relation.relation, "sample");
      return planSample(relation, yield* relationInPieces(relation.relation, analysis, queries), analysis, queries);
    default:
      return unreachable(relation);
  }
}

function* planTable({ name, period }: Table, analysis: Analysis, queries: QueryContext): InPieces<RelationPlan> {
  return yield* tableInPieces(name, analysis, queries, period);
}

/** Resolves a table name as a WITH query, or as a table of a catalog. */
export function planTableName(name: QualifiedName, analysis: Analysis, queries: QueryContext): RelationPlan {
  return atOnce(tableInPieces(name, analysis, queries));
}

export function* tableInPieces(
  name: QualifiedName,
  analysis: Analysis,
  queries: QueryContext,
  period?: QueryPeriod,
): InPieces<RelationPlan> {
  const parts = lowerParts(name);
  const named = parts.length === 1 ? queries.named.get(parts[0] ?? "") : undefined;
  const version = period && askedVersion(period, analysis).text;
  if (named !== undefined) {
    requireNoVersion(period);
    const plan = yield* planNamedQuery(named, analysis, name);
    return { node: plan.node, fields: plan.fields.map((field) => ({ ...field, qualifier: parts })) };
  }
  const relation = analysis.tables.resolveRelation(name, name, version);
  if ("view" in relation) {
    requireNoVersion(period);
    return yield* planView(relation, name, analysis);
  }
  const { scan, fields } = scanTable(relation, version, analysis);
  return securedRelation({ catalog: relation.catalog, ...relation.metadata.name }, { node: scan, fields }, analysis, name);
}

function requireNoVersion(period: QueryPeriod | undefined): void {
  if (period !== undefined) {
    throw notSupported(period, "Versions of views and WITH queries are not supported");
  }
}

function scanTable(table: ResolvedTable, version: string | undefined, analysis: Analysis): { scan: PlanNode; fields: readonly Field[] } {
  const { catalog, metadata } = table;
  const qualifier = [catalog, metadata.name.schema, metadata.name.table];
  const outputs = metadata.columns.map((column) => analysis.ids.variable(column.name, column.type));
  const scan: PlanNode = {
    kind: "TableScan",
    id: analysis.ids.node(),
    table: {
      catalog,
      name: metadata.name,
      handle: metadata.handle,
      coordinatorOnly: metadata.coordinatorOnly ?? false,
      ...(version !== undefined && { version }),
    },
    outputs,
    columns: metadata.columns,
  };
  const fields = metadata.columns.map(
    (column, index): Field => ({ name: column.name, qualifier, expression: outputs[index] as Variable, hidden: column.hidden ?? false }),
  );
  return { scan, fields };
}

function* planAliased(relation: AliasedRelation, analysis: Analysis, queries: QueryContext): InPieces<RelationPlan> {
  if (relation.relation.kind === "TableFunctionCall") {
    return planTableFunction(relation.relation, relation, analysis, queries);
  }
  return renamed(relation, yield* relationInPieces(relation.relation, analysis, queries));
}

/** Some clauses are not allowed for table functions, whose result may have several range variables. */
function requireNoTableFunction(relation: Relation, clause: string): void {
  const called = relation.kind === "AliasedRelation" ? relation.relation : relation;
  if (called.kind !== "TableFunctionCall") {
    return;
  }
  const at = called === relation ? called.name : relation;
  throw semanticError("INVALID_TABLE_FUNCTION_INVOCATION", at, `Cannot apply ${clause} to polymorphic table function invocation`);
}

function renamed(relation: AliasedRelation, { node, fields }: RelationPlan): RelationPlan {
  const alias = relation.alias.value.toLowerCase();
  const named = relation.columnNames === undefined ? fields : renameFields(fields, relation.columnNames, alias, relation);
  return { node, fields: named.map((field) => ({ ...field, qualifier: [alias] })) };
}

function* planJoin(join: Join, analysis: Analysis, queries: QueryContext): InPieces<RelationPlan> {
  const left = yield* relationInPieces(join.left, analysis, queries);
  const unnest = unnestOf(join.right);
  if (unnest !== undefined) {
    return planUnnestJoin(join, unnest, left, { analysis, queries, rename: renamed });
  }
  if (isLateral(join.right)) {
    return yield* planLateralJoin(join, left, analysis, queries);
  }
  const right = yield* relationInPieces(join.right, analysis, queries);
  if (join.type === "CROSS" || join.type === "IMPLICIT" || join.criteria === undefined) {
    return { node: crossJoin(analysis, left.node, right.node), fields: [...left.fields, ...right.fields] };
  }
  switch (join.criteria.kind) {
    case "JoinOn": {
      const { expression: condition } = join.criteria;
      yield elementsIn(condition);
      return planJoinOn({ type: join.type, condition, left, right }, { analysis, queries });
    }
    case "JoinUsing":
      return planJoinUsing(join, join.criteria.columns, left, right, analysis);
    case "NaturalJoin":
      return planJoinUsing(join, commonColumns(join, left, right), left, right, analysis);
    default:
      return unreachable(join.criteria);
  }
}

/** LATERAL on the right side of a join: its scope includes the columns of the left side. */
function* planLateralJoin(join: Join, left: RelationPlan, analysis: Analysis, queries: QueryContext): InPieces<RelationPlan> {
  const named = analysis.outerColumns.length;
  const right = yield* planLateralRelation(join.right, left, analysis, queries);
  requireNoneOf(left, analysis.outerColumns.slice(named), join);
  const isCross = join.type === "CROSS" || join.type === "IMPLICIT" || join.criteria === undefined;
  if (isCross) {
    return joinLateral(left, right, false, join.right, analysis);
  }
  const { criteria, type } = join;
  if (criteria?.kind === "JoinOn") {
    return planLateralOn({ type, condition: criteria.expression, left, right }, { analysis, queries });
  }
  throw notSupported(join, "Correlated join with criteria other than ON is not supported");
}

function* planLateralRelation(relation: Relation, left: RelationPlan, analysis: Analysis, queries: QueryContext): InPieces<RelationPlan> {
  if (relation.kind === "Lateral") {
    return yield* planLateral(relation, left, analysis, queries);
  }
  if (relation.kind !== "AliasedRelation") {
    return yield* relationInPieces(relation, analysis, queries);
  }
  return renamed(relation, yield* planLateralRelation(relation.relation, left, analysis, queries));
}

/** NATURAL: the common column names of both sides, in the order of the left side. Without common columns, the join is a cross join. */
function commonColumns(join: Join, left: RelationPlan, right: RelationPlan): readonly Identifier[] {
  const named = (side: RelationPlan) => side.fields.flatMap((field) => (field.hidden || field.name === undefined ? [] : [field.name]));
  const others = new Set(named(right).map((name) => name.toLowerCase()));
  const shared = new Set(named(left).filter((name) => others.has(name.toLowerCase())));
  return [...shared].map((value) => ({ kind: "Identifier", value, delimited: false, location: join.location }));
}

function planJoinUsing(
  join: Join,
  columns: readonly Identifier[],
  left: RelationPlan,
  right: RelationPlan,
  analysis: Analysis,
): RelationPlan {
  const { ids } = analysis;
  const seen = new Set<string>();
  const joined = columns.map((column) => {
    const name = column.value.toLowerCase();
    if (seen.has(name)) {
      throw semanticError("DUPLICATE_COLUMN_NAME", column, `Column '${column.value}' appears multiple times in USING clause`);
    }
    seen.add(name);
    const sides = [findColumn(left, column, "left"), findColumn(right, column, "right")];
    const values = coerceToCommon(
      sides.map((side) => side.expression),
      () =>
        semanticError(
          "TYPE_MISMATCH",
          column,
          `Cannot apply operator: ${sides.map(({ expression }) => displayType(expression.type)).join(" = ")}`,
        ),
    );
    return { column, sides, values: values as readonly [RowExpression, RowExpression] };
  });
  const predicate = and(joined.map(({ values, column }) => callOperator("$eq", values, column)));
  const node = joinOn(join.type, left.node, right.node, predicate, analysis);
  const added: Assignment[] = [];
  const merged = joined.map(({ column, values: [fromLeft, fromRight] }): Field => {
    const value =
      join.type === "INNER" || join.type === "LEFT"
        ? fromLeft
        : join.type === "RIGHT"
          ? fromRight
          : special("COALESCE", fromLeft.type, [fromLeft, fromRight]);
    if (value.kind === "variable") {
      return { name: column.value, expression: value, hidden: false };
    }
    const output = ids.variable(column.value, value.type);
    added.push({ output, expression: value });
    return { name: column.value, expression: output, hidden: false };
  });
  const used = new Set(joined.flatMap(({ sides }) => sides));
  const rest = [...left.fields, ...right.fields].filter((field) => !used.has(field));
  return { node: extendProject(ids, node, added), fields: [...merged, ...rest] };
}

function findColumn(side: RelationPlan, column: Identifier, name: string): Field {
  const lower = column.value.toLowerCase();
  const found = namedFields(side.fields, [lower]).filter((field) => field.name?.toLowerCase() === lower);
  const [field] = found;
  if (found.length > 1) {
    throw semanticError("AMBIGUOUS_NAME", column, `Column '${lower}' is ambiguous`);
  }
  if (field === undefined) {
    throw semanticError("COLUMN_NOT_FOUND", column, `Column '${lower}' is missing from ${name} side of join`);
  }
  return field;
}
