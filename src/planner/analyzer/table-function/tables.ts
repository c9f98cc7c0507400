/**
 * Table arguments: `TABLE(t) PARTITION BY a PRUNE WHEN EMPTY ORDER BY b`.
 */
import type { ReturnedColumn, TableParameter } from "../../../connectors/table-function.ts";
import type { Relation, TableArgument } from "../../../sql/ast/ast.ts";
import type { Variable } from "../../plan/typed-expression.ts";
import type { Ordering, PlanNode } from "../../plan/node.ts";
import { distinctOrderings, distinctVariables } from "../../plan/plan-tree.ts";
import type { Analysis, QueryContext } from "../analysis.ts";
import { type Placed, semanticError } from "../errors.ts";
import { qualifyTable } from "../metadata.ts";
import { orderColumn, orderingOf, partitionColumn, variableOf, withVariables } from "../scope/columns.ts";
import type { Field, Scope } from "../scope/scope.ts";

export interface PlannedArgument {
  readonly parameter: TableParameter;
  readonly syntax: TableArgument;
  readonly node: PlanNode;
  /** Name for COPARTITION, in lower case; absent for a query without alias. */
  readonly qualifier?: readonly string[];
  /** Columns that the function sees, and their variables. */
  readonly columns: readonly ReturnedColumn[];
  readonly variables: readonly Variable[];
  readonly partitionBy: readonly Variable[];
  readonly partitionNames: readonly string[];
  readonly orderBy: readonly Ordering[];
  readonly prunesWhenEmpty: boolean;
  /** Columns that are returned in addition to those of the function, each with a separate variable. */
  readonly passed: readonly Field[];
}

/** `at` is the location of the argument. */
export function planTableArgument(
  parameter: TableParameter,
  syntax: TableArgument,
  at: Placed,
  analysis: Analysis,
  queries: QueryContext,
): PlannedArgument {
  checkSemantics(parameter, syntax, at);
  const qualifier = nameOf(syntax.relation, analysis, queries);
  const { node, fields } = withVariables(analysis.analyzers.relation(syntax.relation, analysis, queries), analysis);
  const visible = fields.filter((field) => !field.hidden);
  const scope: Scope = { fields, queryBoundary: true };
  const keys = (syntax.partitionBy ?? []).map((expression) => partitionColumn(expression, scope));
  return {
    parameter,
    syntax,
    node,
    ...(qualifier === undefined ? {} : { qualifier }),
    columns: visible.map(({ name, expression }) => ({ ...(name === undefined ? {} : { name }), type: expression.type })),
    variables: visible.map(variableOf),
    partitionBy: distinctVariables(keys.map(variableOf)),
    partitionNames: keys.map(({ name }) => name ?? ""),
    orderBy: distinctOrderings((syntax.orderBy ?? []).map((item) => orderingOf(orderColumn(item, scope), item))),
    prunesWhenEmpty: parameter.semantics === "ROWS" || prunes(parameter, syntax),
    passed: parameter.passesThrough === true ? fields : [...new Set(keys)],
  };
}

function prunes(parameter: TableParameter, { emptyTreatment }: TableArgument): boolean {
  return emptyTreatment === undefined ? parameter.prunesWhenEmpty === true : emptyTreatment.treatment === "PRUNE";
}

function checkSemantics({ name, semantics }: TableParameter, syntax: TableArgument, at: Placed): void {
  if (semantics === "SET") {
    return;
  }
  const refuse = (place: Placed, what: string): never => {
    const message = `Invalid argument ${name}. ${what} specified for table argument with row semantics`;
    throw semanticError("INVALID_FUNCTION_ARGUMENT", place, message);
  };
  if (syntax.partitionBy !== undefined) {
    refuse(at, "Partitioning");
  }
  if (syntax.orderBy !== undefined) {
    refuse(at, "Ordering");
  }
  if (syntax.emptyTreatment !== undefined) {
    refuse(syntax.emptyTreatment, "Empty behavior");
  }
}

function nameOf(relation: Relation, { context }: Analysis, { named }: QueryContext): readonly string[] | undefined {
  if (relation.kind === "AliasedRelation") {
    return [relation.alias.value.toLowerCase()];
  }
  if (relation.kind !== "Table") {
    return undefined;
  }
  const parts = relation.name.parts.map(({ value }) => value.toLowerCase());
  if (parts.length === 1 && named.get(parts[0] ?? "") !== undefined) {
    return parts;
  }
  const { catalog, schema, table } = qualifyTable(relation.name, context.session);
  return [catalog, schema, table];
}
