/** Table arguments: `TABLE(t) PARTITION BY a PRUNE WHEN EMPTY ORDER BY b`. */
import type { ReturnedColumn, TableParameter } from "../../../connectors/table-function.ts";
import type { Expression, Relation, SortItem, TableArgument } from "../../../sql/ast.ts";
import { printExpression } from "../../../sql/printer.ts";
import { displayType, isComparable, isOrderable } from "../../../types/type.ts";
import type { Variable } from "../../expression.ts";
import type { Assignment, Ordering, PlanNode } from "../../node.ts";
import { distinctOrderings, distinctVariables, extendProject, outputNames } from "../../tree.ts";
import type { Analysis, QueryContext } from "../analysis.ts";
import { type Placed, semanticError } from "../errors.ts";
import { qualifyTable } from "../metadata.ts";
import { planRelation } from "../relations.ts";
import { type Field, hasColumn, nameParts, type RelationPlan, resolveName, type Scope } from "../scope.ts";

export interface PlannedArgument {
  readonly parameter: TableParameter;
  readonly syntax: TableArgument;
  readonly node: PlanNode;
  /** What COPARTITION calls it, in lower case; a query without an alias has no name. */
  readonly qualifier?: readonly string[];
  /** What the function sees of its columns, and where they are. */
  readonly columns: readonly ReturnedColumn[];
  readonly variables: readonly Variable[];
  readonly partitionBy: readonly Variable[];
  readonly partitionNames: readonly string[];
  readonly orderBy: readonly Ordering[];
  readonly prunesWhenEmpty: boolean;
  /** What comes out beside the columns of the function; no variable stands for two of them. */
  readonly passed: readonly Field[];
}

/** `at`: the argument. */
export function planTableArgument(
  parameter: TableParameter,
  syntax: TableArgument,
  at: Placed,
  analysis: Analysis,
  queries: QueryContext,
): PlannedArgument {
  checkSemantics(parameter, syntax, at);
  const qualifier = nameOf(syntax.relation, analysis, queries);
  const { node, fields } = withVariables(planRelation(syntax.relation, analysis, queries), analysis);
  const visible = fields.filter((field) => !field.hidden);
  const scope: Scope = { fields, queryBoundary: true };
  const keys = (syntax.partitionBy ?? []).map((expression) => {
    const field = columnOf(expression, scope);
    const { type } = field.expression;
    if (!isComparable(type)) {
      throw mismatch(expression, `${displayType(type)} is not comparable, and therefore cannot be used in PARTITION BY`);
    }
    return field;
  });
  return {
    parameter,
    syntax,
    node,
    ...(qualifier === undefined ? {} : { qualifier }),
    columns: visible.map(({ name, expression }) => ({ ...(name === undefined ? {} : { name }), type: expression.type })),
    variables: visible.map(({ expression }) => expression as Variable),
    partitionBy: distinctVariables(keys.map(({ expression }) => expression as Variable)),
    partitionNames: keys.map(({ name }) => name ?? ""),
    orderBy: distinctOrderings((syntax.orderBy ?? []).map((item) => orderingOf(item, scope))),
    prunesWhenEmpty: parameter.semantics === "ROWS" || prunes(parameter, syntax),
    passed: parameter.passesThrough === true ? fields : [...new Set(keys)],
  };
}

function prunes(parameter: TableParameter, { emptyTreatment }: TableArgument): boolean {
  return emptyTreatment === undefined ? parameter.prunesWhenEmpty === true : emptyTreatment.treatment === "PRUNE";
}

function checkSemantics({ name, semantics }: TableParameter, syntax: TableArgument, at: Placed): void {
  if (semantics === "SET") return;
  const refuse = (place: Placed, what: string): never => {
    const message = `Invalid argument ${name}. ${what} specified for table argument with row semantics`;
    throw semanticError("INVALID_FUNCTION_ARGUMENT", place, message);
  };
  if (syntax.partitionBy !== undefined) refuse(at, "Partitioning");
  if (syntax.orderBy !== undefined) refuse(at, "Ordering");
  if (syntax.emptyTreatment !== undefined) refuse(syntax.emptyTreatment, "Empty behavior");
}

function nameOf(relation: Relation, { context }: Analysis, { named }: QueryContext): readonly string[] | undefined {
  if (relation.kind === "AliasedRelation") return [relation.alias.value.toLowerCase()];
  if (relation.kind !== "Table") return undefined;
  const parts = relation.name.parts.map(({ value }) => value.toLowerCase());
  if (parts.length === 1 && named.has(parts[0] ?? "")) return parts;
  const { catalog, schema, table } = qualifyTable(relation.name, context.session);
  return [catalog, schema, table];
}

/** Every field a variable of the node, each another one. */
function withVariables({ node, fields }: RelationPlan, { ids }: Analysis): RelationPlan {
  const made = outputNames(node);
  const taken = new Set<string>();
  const added: Assignment[] = [];
  const own = fields.map((field): Field => {
    const { expression, name } = field;
    if (expression.kind === "variable" && made.has(expression.name) && !taken.has(expression.name)) {
      taken.add(expression.name);
      return field;
    }
    const output = ids.variable(name ?? "column", expression.type);
    added.push({ output, expression });
    return { ...field, expression: output };
  });
  return { node: extendProject(ids, node, added), fields: own };
}

function columnOf(expression: Expression, scope: Scope): Field {
  const parts = nameParts(expression);
  if (parts === undefined) {
    const message = `Expected column reference. Actual: ${printExpression(expression)}`;
    throw semanticError("INVALID_COLUMN_REFERENCE", expression, message);
  }
  if (!hasColumn(scope, parts)) {
    const message = `Column ${printExpression(expression)} is not present in the input relation`;
    throw semanticError("COLUMN_NOT_FOUND", expression, message);
  }
  return resolveName(scope, parts, expression).field;
}

function orderingOf(item: SortItem, scope: Scope): Ordering {
  const variable = columnOf(item.key, scope).expression as Variable;
  if (!isOrderable(variable.type)) {
    throw mismatch(item.key, `${displayType(variable.type)} is not orderable, and therefore cannot be used in ORDER BY`);
  }
  return { variable, descending: item.ordering === "DESC", nullsFirst: item.nulls === "FIRST" };
}

function mismatch(at: Placed, message: string): Error {
  return semanticError("TYPE_MISMATCH", at, message);
}
