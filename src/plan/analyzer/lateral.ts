/** Relations of FROM that are made of others: LATERAL subqueries, joined with the rows they use, and samples. */
import type { Lateral, Relation, SampledRelation } from "../../sql/ast.ts";
import { BIGINT, DOUBLE, displayType } from "../../types/type.ts";
import type { RowExpression } from "../expression.ts";
import { and, constant, special, substitute } from "../expressions.ts";
import { outputsOf, type Assignment, type PlanNode } from "../node.ts";
import { distinctVariables, extendProject, outputNames } from "../tree.ts";
import type { Analysis, QueryContext } from "./analysis.ts";
import { outerVariables, pullCorrelation } from "./decorrelate.ts";
import { notSupported, semanticError } from "./errors.ts";
import { analyzeExpression } from "./expressions.ts";
import { coerceTo } from "./functions.ts";
import { planQuery } from "./query.ts";
import type { RelationPlan, Scope } from "./scope.ts";
import { crossJoin } from "./subqueries.ts";

/** The LATERAL in `relation`, when it is one, perhaps under an alias. */
export function isLateral(relation: Relation): boolean {
  return relation.kind === "Lateral" || (relation.kind === "AliasedRelation" && isLateral(relation.relation));
}

/** A relation whose fields may be over columns of `left`: joined to it by joinLateral. */
export function planLateral(lateral: Lateral, left: RelationPlan | undefined, analysis: Analysis, queries: QueryContext): RelationPlan {
  const { outer: enclosing, ...inside } = queries;
  if (left === undefined) return withoutQualifiers(planQuery(lateral.query, analysis, queries));
  const outer: Scope = { fields: left.fields, queryBoundary: true, ...(enclosing && { parent: enclosing }) };
  return withoutQualifiers(planQuery(lateral.query, analysis, { ...inside, outer }));
}

function withoutQualifiers({ node, fields }: RelationPlan): RelationPlan {
  return { node, fields: fields.map(({ qualifier: _qualifier, ...field }) => field) };
}

/** Every row of `left` with the rows that `right` has for it; with `keepsLeft` also rows of `left` for which there is none. */
export function joinLateral(left: RelationPlan, right: RelationPlan, keepsLeft: boolean, at: Relation, analysis: Analysis): RelationPlan {
  const made = outputNames(left.node);
  const correlated = outerVariables(right.node).filter((variable) => made.has(variable.name));
  const fieldsUseLeft = right.fields.some(({ expression }) => expression.kind === "variable" && made.has(expression.name));
  if (correlated.length === 0 && !fieldsUseLeft && !keepsLeft) {
    return { node: crossJoin(analysis, left.node, right.node), fields: [...left.fields, ...right.fields] };
  }
  const { below, expressions } = peelProjections(right.node);
  const isGlobal = below.kind === "Aggregation" && below.keys.length === 0;
  const { node, conditions } = pullCorrelation(analysis, below, new Set(correlated.map((variable) => variable.name)), at);
  // Without its correlation an aggregation of all rows gives a row for every row of the left; grouped by it, none where nothing matched.
  const isMended = isGlobal && conditions.length > 0;
  const counts = new Map<string, RowExpression>(
    below.kind === "Aggregation" && isMended
      ? below.aggregates
          .filter((aggregate) => aggregate.name === "count" || aggregate.name === "count_if")
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
  if (outer && computed.some(({ expression }) => expression.kind !== "variable" || made.has(expression.name))) {
    throw notSupported(at, "LATERAL on the right side of an outer join computing columns is not supported");
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

/** What the projections on top of a plan compute, as expressions over what is below them: they may use columns of the enclosing row. */
function peelProjections(plan: PlanNode): { readonly below: PlanNode; readonly expressions: ReadonlyMap<string, RowExpression> } {
  let below = plan;
  let expressions: ReadonlyMap<string, RowExpression> | undefined;
  while (below.kind === "Project") {
    const own = new Map(below.assignments.map(({ output, expression }) => [output.name, expression]));
    expressions =
      expressions === undefined ? own : new Map([...expressions].map(([name, expression]) => [name, substitute(expression, own)] as const));
    below = below.source;
  }
  return { below, expressions: expressions ?? new Map() };
}

export function planSample(sample: SampledRelation, source: RelationPlan, analysis: Analysis, queries: QueryContext): RelationPlan {
  const scope: Scope = { fields: [], queryBoundary: true };
  const percentage = analyzeExpression(sample.percentage, { analysis, scope, queries, clause: "TABLESAMPLE percentage" });
  const asDouble = coerceTo(percentage, DOUBLE, "Sample percentage", sample.percentage);
  const value = Number(analysis.context.evaluateConstant(asDouble) ?? Number.NaN);
  if (Number.isNaN(value)) {
    throw semanticError("INVALID_ARGUMENTS", sample.percentage, `Sample percentage cannot be NULL (${displayType(percentage.type)})`);
  }
  if (value < 0)
    throw semanticError("NUMERIC_VALUE_OUT_OF_RANGE", sample.percentage, "Sample percentage must be greater than or equal to 0");
  if (value > 100)
    throw semanticError("NUMERIC_VALUE_OUT_OF_RANGE", sample.percentage, "Sample percentage must be less than or equal to 100");
  const { node, fields } = source;
  return { node: { kind: "Sample", id: analysis.ids.node(), source: node, method: sample.method, ratio: value / 100 }, fields };
}
