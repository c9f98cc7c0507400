/**
 * Relations derived from other relations in FROM: LATERAL subqueries, joined with the rows they depend on, and samples.
 */
import type { Expression, Lateral, Relation, SampledRelation } from "../../../sql/ast/ast.ts";
import { visitSyntax } from "../../../sql/ast/walk.ts";
import { BIGINT, DOUBLE, displayType, isNumeric } from "../../../types/type.ts";
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import { and, constant, special, substitute } from "../../plan/expression-tree.ts";
import { outputsOf, type Assignment, type PlanNode } from "../../plan/node.ts";
import { distinctVariables, extendProject, namesOf, outputNames } from "../../plan/plan-tree.ts";
import type { Analysis, QueryContext } from "../analysis.ts";
import { crossJoin } from "../subquery/joins.ts";
import { outerVariables, pullCorrelation } from "../subquery/pull.ts";
import { peelProjections } from "../subquery/decorrelate.ts";
import { isZeroOfNothing, joinOverDomain, readableTwice } from "../subquery/outer-domain.ts";
import { type Placed, semanticError } from "../errors.ts";
import { analyzeExpression } from "../expression/analyze-expression.ts";
import { coerce } from "../expression/functions.ts";
import type { InPieces } from "../../pieces.ts";
import { joinMarked } from "../subquery/marked.ts";
import type { RelationPlan, Scope } from "../scope/scope.ts";

/** Returns whether a relation is a LATERAL, possibly with an alias. */
export function isLateral(relation: Relation): boolean {
  return relation.kind === "Lateral" || (relation.kind === "AliasedRelation" && isLateral(relation.relation));
}

/** Plans a LATERAL subquery. Its plan may have outer references to columns of `left`; joinLateral joins the two. */
export function* planLateral(
  lateral: Lateral,
  left: RelationPlan | undefined,
  analysis: Analysis,
  queries: QueryContext,
): InPieces<RelationPlan> {
  const { outer: enclosing, ...inside } = queries;
  if (left === undefined) {
    return withoutQualifiers(yield* analysis.analyzers.queryInPieces(lateral.query, analysis, queries));
  }
  const outer: Scope = { fields: left.fields, queryBoundary: true, ...(enclosing && { parent: enclosing }) };
  return withoutQualifiers(yield* analysis.analyzers.queryInPieces(lateral.query, analysis, { ...inside, outer }));
}

function withoutQualifiers({ node, fields }: RelationPlan): RelationPlan {
  return { node, fields: fields.map(({ qualifier: _qualifier, ...field }) => field) };
}

/** Joins every row of `left` with its rows of `right`. With `keepsLeft`, rows of `left` without a match are kept. */
export function joinLateral(left: RelationPlan, right: RelationPlan, keepsLeft: boolean, at: Placed, analysis: Analysis): RelationPlan {
  const made = outputNames(left.node);
  const correlated = outerVariables(right.node).filter((variable) => made.has(variable.name));
  const fieldsUseLeft = right.fields.some(({ expression }) => expression.kind === "variable" && made.has(expression.name));
  if (correlated.length === 0 && !fieldsUseLeft && !keepsLeft) {
    return { node: crossJoin(analysis, left.node, right.node), fields: [...left.fields, ...right.fields] };
  }
  const { below, expressions } = peelProjections(right.node);
  const isGlobal = below.kind === "Aggregation" && below.keys.length === 0;
  const pulled = pullCorrelation(analysis, below, namesOf(outerVariables(right.node)), at);
  if (pulled === undefined) {
    return joinLateralOverDomain(left, right, correlated, keepsLeft, at, analysis);
  }
  const { node, conditions } = pulled;
  // An aggregation without keys returns a row for every left row. After decorrelation it is grouped by its correlated columns and returns
  // none without a match, so the join must be a LEFT join.
  const isMended = isGlobal && conditions.length > 0;
  const counts = new Map<string, RowExpression>(
    below.kind === "Aggregation" && isMended
      ? below.aggregates
          .filter(isZeroOfNothing)
          .map(({ output }) => [output.name, special("COALESCE", BIGINT, [output, constant(BIGINT, "0")])])
      : [],
  );
  const computed = right.fields.map((field): Assignment => {
    const { expression } = field;
    const value = substitute(substitute(expression, expressions), counts);
    const plain = value.kind === "variable" && expression.kind === "variable" && value.name === expression.name;
    return { output: plain ? expression : analysis.ids.variable(field.name ?? "expr", value.type), expression: value };
  });
  const outer = keepsLeft && !isMended;
  // Expressions above the join would also be computed for left rows without a match.
  const read = outputNames(node);
  if (outer && computed.some(({ expression }) => expression.kind !== "variable" || !read.has(expression.name))) {
    return joinLateralOverDomain(left, right, correlated, true, at, analysis);
  }
  const joined: PlanNode = {
    kind: "Join",
    id: analysis.ids.node(),
    type: outer || isMended ? "LEFT" : "INNER",
    left: left.node,
    right: node,
    criteria: [],
    ...(conditions.length > 0 && { filter: and(conditions) }),
    outputs: distinctVariables([...outputsOf(left.node), ...outputsOf(node)]),
    distribution: conditions.length > 0 ? "PARTITIONED" : "REPLICATED",
  };
  const known = outputNames(joined);
  const added = computed.filter(({ output, expression }) => expression !== output || !known.has(output.name));
  const fields = right.fields.map((field, index) => ({ ...field, expression: (computed[index] as Assignment).output }));
  return { node: extendProject(analysis.ids, joined, added), fields: [...left.fields, ...fields] };
}

function joinLateralOverDomain(
  left: RelationPlan,
  right: RelationPlan,
  outer: readonly Variable[],
  keepsLeft: boolean,
  at: Placed,
  analysis: Analysis,
): RelationPlan {
  const made = outputNames(right.node);
  const columns = right.fields.map((field): Assignment => {
    const { expression } = field;
    const known = expression.kind === "variable" && made.has(expression.name);
    return { output: known ? expression : analysis.ids.variable(field.name ?? "expr", expression.type), expression };
  });
  const plan = extendProject(
    analysis.ids,
    right.node,
    columns.filter(({ output, expression }) => output !== expression),
  );
  const readable = readableTwice(left.node, { analysis, outer, rewrite: (expression) => expression });
  if (readable === undefined) {
    const options = { analysis, plan, outer, rewrite: (expression: RowExpression) => expression, at };
    const marked = joinMarked(left.node, { ...options, columns: columns.map(({ output }) => output), keepsLeft });
    const fields = right.fields.map((field, index) => ({ ...field, expression: marked.columns[index] as Variable }));
    return { node: marked.node, fields: [...left.fields, ...fields] };
  }
  const type = keepsLeft ? "LEFT" : "INNER";
  const node = joinOverDomain(readable, { analysis, plan, outer, rewrite: (expression) => expression, at, type });
  const fields = right.fields.map((field, index) => ({ ...field, expression: (columns[index] as Assignment).output }));
  return { node, fields: [...left.fields, ...fields] };
}

function requireNoColumns(percentage: Expression): void {
  visitSyntax(percentage, ({ kind }) => {
    if (kind === "Identifier" || kind === "Dereference") {
      throw semanticError("EXPRESSION_NOT_CONSTANT", percentage, "Sample percentage cannot contain column references");
    }
    return kind !== "QualifiedName" && kind !== "Query";
  });
}

export function planSample(sample: SampledRelation, source: RelationPlan, analysis: Analysis, queries: QueryContext): RelationPlan {
  requireNoColumns(sample.percentage);
  const scope: Scope = { fields: [], queryBoundary: true };
  const percentage = analyzeExpression(sample.percentage, { analysis, scope, queries, clause: "TABLESAMPLE percentage" });
  if (!isNumeric(percentage.type) && percentage.type.kind !== "unknown") {
    throw semanticError("TYPE_MISMATCH", sample.percentage, "Sample percentage should be a numeric expression");
  }
  const asDouble = coerce(percentage, DOUBLE);
  const value = Number(analysis.context.evaluateConstant(asDouble) ?? Number.NaN);
  if (Number.isNaN(value)) {
    throw semanticError("INVALID_ARGUMENTS", sample.percentage, `Sample percentage cannot be NULL (${displayType(percentage.type)})`);
  }
  if (value < 0) {
    throw semanticError("NUMERIC_VALUE_OUT_OF_RANGE", sample.percentage, "Sample percentage must be greater than or equal to 0");
  }
  if (value > 100) {
    throw semanticError("NUMERIC_VALUE_OUT_OF_RANGE", sample.percentage, "Sample percentage must be less than or equal to 100");
  }
  const { node, fields } = source;
  return { node: { kind: "Sample", id: analysis.ids.node(), source: node, method: sample.method, ratio: value / 100 }, fields };
}
