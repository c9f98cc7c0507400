/**
 * Plans UNION, INTERSECT and EXCEPT, each with ALL or DISTINCT.
 */
import type { SetOperation } from "../../../sql/ast/ast.ts";
import { commonSuperType } from "../../../functions/registry/coercion.ts";
import { assert } from "../../../protocol/errors.ts";
import { BIGINT, BOOLEAN, displayType, type Type } from "../../../types/type.ts";
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import { constant, special, TRUE } from "../../plan/expression-tree.ts";
import type { AggregateCall, Assignment, PlanNode } from "../../plan/node.ts";
import { extendProject, filterNode, identity, projectNode } from "../../plan/plan-tree.ts";
import type { Analysis, QueryContext } from "../analysis.ts";
import { requireOperands } from "../expression/comparable.ts";
import { correspondingColumns } from "./corresponding.ts";
import { semanticError } from "../errors.ts";
import { type InPieces, mapInPieces } from "../../pieces.ts";
import { callOperator, chooseAggregate, coerce } from "../expression/functions.ts";
import type { Field, RelationPlan } from "../scope/scope.ts";

export function* planSetOperation(operation: SetOperation, analysis: Analysis, queries: QueryContext): InPieces<RelationPlan> {
  const terms: RelationPlan[] = [];
  for (const term of operation.terms) {
    terms.push(yield* analysis.analyzers.bodyInPieces(term, analysis, queries));
    yield 1;
  }
  const visible = terms.map((term) => term.fields.filter((field) => !field.hidden));
  const { corresponding } = operation;
  const columns = corresponding === undefined ? visible : correspondingColumns(corresponding, visible);
  const types = commonTypes(operation, columns);
  requireOperands(types, operation);
  const sources = yield* mapInPieces(terms, (term, index) => coerceColumns(term.node, columns[index] ?? [], types, analysis));
  const names = columns[0] ?? [];
  const union = unionOf(sources, names, analysis);
  const outputs = operation.operator === "UNION" ? union.outputs : union.outputs.slice(0, types.length);
  let node: PlanNode = union;
  if (operation.operator !== "UNION") {
    node = countedTerms(operation, sources, names, types.length, analysis);
    return withFields(
      node,
      names,
      (node as PlanNode & { kind: "Project" }).assignments.map((a) => a.output),
    );
  }
  if (operation.distinct) {
    node = distinctRows(node, outputs, analysis);
  }
  return withFields(node, names, outputs);
}

function withFields(node: PlanNode, names: readonly Field[], outputs: readonly Variable[]): RelationPlan {
  return {
    node,
    fields: outputs.map((expression, index) => {
      const name = names[index]?.name;
      return { expression, hidden: false, ...(name !== undefined && { name }) };
    }),
  };
}

export function distinctRows(source: PlanNode, keys: readonly Variable[], analysis: Analysis): PlanNode {
  return { kind: "Aggregation", id: analysis.ids.node(), source, step: "SINGLE", keys, aggregates: [] };
}

function commonTypes(operation: SetOperation, columns: readonly (readonly Field[])[]): readonly Type[] {
  const [first = [], ...others] = columns;
  let types = first.map((field) => field.expression.type);
  for (const [position, other] of others.entries()) {
    const at = operation.keywords[position] ?? operation;
    if (other.length !== types.length) {
      throw semanticError(
        "TYPE_MISMATCH",
        at,
        `${operation.operator} query has different number of fields: ${types.length}, ${other.length}`,
      );
    }
    types = types.map((type, index) => {
      const second = (other[index] as Field).expression.type;
      const common = commonSuperType(type, second);
      if (common === undefined) {
        throw semanticError(
          "TYPE_MISMATCH",
          at,
          `column ${index + 1} in ${operation.operator} query has incompatible types: ${displayType(type)}, ${displayType(second)}`,
        );
      }
      return common;
    });
  }
  return types;
}

interface Columns {
  readonly node: PlanNode;
  readonly variables: readonly Variable[];
}

function coerceColumns(node: PlanNode, fields: readonly Field[], types: readonly Type[], analysis: Analysis): Columns {
  const assignments = fields.map((field, index): Assignment => {
    const type = types[index];
    assert(type !== undefined, "each column of a set operation has a common type");
    return { output: analysis.ids.variable(field.name ?? "expr", type), expression: coerce(field.expression, type) };
  });
  return { node: projectNode(analysis.ids, node, assignments), variables: assignments.map((assignment) => assignment.output) };
}

function unionOf(sources: readonly Columns[], names: readonly Field[], analysis: Analysis): PlanNode & { kind: "Union" } {
  const outputs = (sources[0]?.variables ?? []).map((variable, index) =>
    analysis.ids.variable(names[index]?.name ?? "expr", variable.type),
  );
  return {
    kind: "Union",
    id: analysis.ids.node(),
    sources: sources.map((source) => source.node),
    outputs,
    sourceVariables: sources.map((source) => source.variables),
  };
}

/** Each term marks its rows. Equal rows are grouped, and the counts of the markers decide whether the group is kept. */
function countedTerms(
  operation: SetOperation,
  sources: readonly Columns[],
  names: readonly Field[],
  width: number,
  analysis: Analysis,
): PlanNode {
  const { ids } = analysis;
  const marked = sources.map((source, term): Columns => {
    const markers = sources.map(
      (_source, other): Assignment => ({
        output: ids.variable("marker", BOOLEAN),
        expression: other === term ? TRUE : constant(BOOLEAN, null),
      }),
    );
    const node = projectNode(ids, source.node, [...source.variables.map(identity), ...markers]);
    return { node, variables: node.assignments.map((assignment) => assignment.output) };
  });
  const union = unionOf(marked, names, analysis);
  const keys = union.outputs.slice(0, width);
  const aggregates = union.outputs.slice(width).map((marker): AggregateCall => {
    const { name, argumentTypes, returnType } = chooseAggregate("count", [marker], operation);
    return { output: ids.variable("count", returnType), name, argumentTypes, args: [marker] };
  });
  const grouped: PlanNode = { kind: "Aggregation", id: ids.node(), source: union, step: "SINGLE", keys, aggregates };
  if (!operation.distinct) {
    return repeatedRows(operation, grouped, keys, aggregates, analysis);
  }
  const zero = constant(BIGINT, "0");
  const conditions = aggregates.map(({ output }, term): RowExpression => {
    const present = operation.operator === "INTERSECT" || term === 0;
    return callOperator(present ? "$gt" : "$eq", [output, zero], operation);
  });
  return projectNode(ids, filterNode(ids, grouped, conditions), keys.map(identity));
}

/**
 * ALL: INTERSECT repeats a row as often as in the term with the fewest copies. EXCEPT repeats it as often as the first term has more copies
 * than the other terms.
 */
function repeatedRows(
  operation: SetOperation,
  grouped: PlanNode,
  keys: readonly Variable[],
  counts: readonly AggregateCall[],
  { ids }: Analysis,
): PlanNode {
  const combine = (left: RowExpression, right: RowExpression): RowExpression =>
    operation.operator === "INTERSECT"
      ? special("IF", BIGINT, [callOperator("$lt", [left, right], operation), left, right])
      : callOperator("$subtract", [left, right], operation);
  let source = grouped;
  const count = counts
    .map(({ output }) => output)
    .reduce((left, right) => {
      // Each step gets its own column. A single nested expression for the minimum would double in size with every term.
      const output = ids.variable("count", BIGINT);
      source = extendProject(ids, source, [{ output, expression: combine(left, right) }]);
      return output;
    });
  return projectNode(ids, { kind: "Unnest", id: ids.node(), source, count }, keys.map(identity));
}
