/**
 * A table or a view as its reader may see it: rows that pass the row filter, and masks in the place of columns.
 */
import { canCoerce } from "../../../functions/registry/coercion.ts";
import { QueryError } from "../../../protocol/errors.ts";
import type { QualifiedRelation, SecuredExpression, TableRights } from "../../../security/access-control.ts";
import type { Expression } from "../../../sql/ast/ast.ts";
import { parseSingleExpression } from "../../../sql/parser/parser.ts";
import { displayType } from "../../../types/type.ts";
import { describedRelation } from "../../access/described.ts";
import { readerOf, securedSession } from "../../access/reader.ts";
import type { Assignment, PlanNode } from "../../plan/node.ts";
import { filterNode, projectNode } from "../../plan/plan-tree.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import type { Analysis, Environment, PendingSubquery } from "../analysis.ts";
import { requireScalar } from "../aggregation/calls-inside.ts";
import { analyzeExpression, analyzePredicate } from "../expression/analyze-expression.ts";
import { coerce } from "../expression/functions.ts";
import type { Field, RelationPlan } from "../scope/scope.ts";

/** Who may read a table about another one sees that one as it is. */
const unsecured: Pick<TableRights, "filter" | "masks"> = Object.freeze({ masks: new Map() });

/** Records the read; returns the relation itself if rights are not checked. */
export function securedRelation(table: QualifiedRelation, { fields, node }: RelationPlan, analysis: Analysis): RelationPlan {
  const { ids, reads } = analysis;
  if (reads === undefined) {
    return { node, fields };
  }
  const { session } = analysis.context;
  const described = describedRelation(table, analysis.context);
  const { filter, masks } = described === undefined ? reads.access.tableRights(readerOf(session), table) : unsecured;
  const scope: Secured = { table, fields, analysis };
  const filtered = filter === undefined ? node : filteredRows(filter, node, scope);
  const masked = maskedColumns(masks, filtered, scope);
  const outputs = fields.map(({ expression, name }) => ids.variable(name ?? "column", expression.type));
  const assignments = fields.map((field, index): Assignment => {
    const output = outputs[index] as Assignment["output"];
    const expression = masked.values.get(field) ?? field.expression;
    return { output, expression, ...(field.name !== undefined && { column: field.name }) };
  });
  const read = reads.add({
    table,
    described,
    session,
    columns: fields.flatMap(({ hidden, name }) => (hidden || name === undefined ? [] : [name])),
    isSecured: filter !== undefined || masked.values.size > 0,
  });
  return {
    node: Object.assign(projectNode(ids, masked.node, assignments), { read, ...(filter !== undefined && { fence: true as const }) }),
    fields: fields.map((field, index): Field => Object.assign({}, field, { expression: outputs[index] })),
  };
}

interface Secured {
  readonly table: QualifiedRelation;
  readonly fields: readonly Field[];
  readonly analysis: Analysis;
}

function filteredRows(filter: SecuredExpression, node: PlanNode, secured: Secured): PlanNode {
  const subqueries: PendingSubquery[] = [];
  const predicate = analyzed(filter, "INVALID_ROW_FILTER", "row filter", secured, subqueries, analyzePredicate);
  return filterNode(secured.analysis.ids, applied(node, subqueries), [predicate]);
}

function maskedColumns(
  masks: ReadonlyMap<string, SecuredExpression>,
  node: PlanNode,
  secured: Secured,
): { readonly node: PlanNode; readonly values: ReadonlyMap<Field, RowExpression> } {
  const values = new Map<Field, RowExpression>();
  const subqueries: PendingSubquery[] = [];
  for (const field of secured.fields) {
    const mask = masks.get(field.name ?? "");
    if (mask !== undefined) {
      const value = analyzed(mask, "INVALID_COLUMN_MASK", "column mask", secured, subqueries, analyzeExpression);
      const { type } = field.expression;
      if (value.type.kind !== "unknown" && !canCoerce(value.type, type)) {
        const place = `${textOf(secured.table)}.${field.name ?? ""}`;
        const what = `Expected column mask for '${place}' to be of type ${displayType(type)}, but was ${displayType(value.type)}`;
        throw new QueryError("TYPE_MISMATCH", what);
      }
      values.set(field, coerce(value, type));
    }
  }
  return { node: applied(node, subqueries), values };
}

function analyzed(
  expression: SecuredExpression,
  errorName: "INVALID_ROW_FILTER" | "INVALID_COLUMN_MASK",
  what: string,
  { analysis, fields, table }: Secured,
  subqueries: PendingSubquery[],
  analyze: (expression: Expression, env: Environment) => RowExpression,
): RowExpression {
  const text = textOf(table);
  if (analysis.securing?.includes(text) === true) {
    throw new QueryError(errorName, `${what === "row filter" ? "Row filter" : "Column mask"} for '${text}' is recursive`);
  }
  const { routines: _routines, ...rest } = analysis;
  const session = securedSession(expression, table, analysis.context.session);
  const inside: Analysis = {
    ...rest,
    context: { ...analysis.context, session },
    tables: analysis.tables.within(session),
    securing: [...(analysis.securing ?? []), text],
  };
  try {
    const parsed = parseSingleExpression(expression.sql);
    requireScalar(parsed, what);
    const scope = { fields, queryBoundary: true };
    return analyze(parsed, { analysis: inside, scope, queries: { named: new Map() }, clause: what, subqueries });
  } catch (error) {
    if (!(error instanceof QueryError)) {
      throw error;
    }
    throw new QueryError(errorName, `Invalid ${what} for '${text}': ${error.message}`);
  }
}

function applied(node: PlanNode, subqueries: readonly PendingSubquery[]): PlanNode {
  return subqueries.reduce((current, subquery) => subquery.apply(current, (value) => value), node);
}

function textOf({ catalog, schema, table }: QualifiedRelation): string {
  return `${catalog}.${schema}.${table}`;
}
