/**
 * Plans `t MATCH_RECOGNIZE (...)`.
 */
import type { PatternRecognition, SortItem } from "../../../sql/ast/ast.ts";
import type { Variable } from "../../plan/typed-expression.ts";
import { type Assignment, outputsOf, type PatternRecognitionNode } from "../../plan/node.ts";
import { distinctOrderings, distinctVariables, extendProject, outputNames } from "../../plan/plan-tree.ts";
import type { Analysis, PendingSubquery, QueryContext } from "../analysis.ts";
import { notSupported, semanticError } from "../errors.ts";
import { Columns } from "../aggregation/aggregates.ts";
import { orderColumn, orderingOf, partitionColumn, variableOf, withVariables } from "../scope/columns.ts";
import type { Field, RelationPlan, Scope } from "../scope/scope.ts";
import { applySubqueries } from "../subquery/subqueries.ts";
import { holdsPattern } from "./labels.ts";
import { analyzePattern, planDefinitions, planMeasure } from "./recognition.ts";

const rowsOfSyntax = Object.freeze({
  ONE: "ONE",
  ALL: "ALL_SHOW_EMPTY",
  ALL_SHOW: "ALL_SHOW_EMPTY",
  ALL_OMIT: "ALL_OMIT_EMPTY",
  ALL_UNMATCHED: "ALL_WITH_UNMATCHED",
} as const);

export function planPatternRecognition(
  node: PatternRecognition,
  input: RelationPlan,
  analysis: Analysis,
  queries: QueryContext,
): RelationPlan {
  const { ids } = analysis;
  const source = withVariables(input, analysis);
  requireDistinctNames(node, source.fields);
  // The name of the input relation is visible only in PARTITION BY and ORDER BY. It is not visible in expressions and does not qualify the
  // output.
  const fields = source.fields.map(withoutQualifier);
  const scope: Scope = { fields, queryBoundary: true, ...(queries.outer && { parent: queries.outer }) };
  const own: Scope = { fields: source.fields, queryBoundary: true };
  const keys = node.partitionBy.map((expression) => partitionColumn(expression, own));
  const orders = node.orderBy.map((item) => orderColumn(item, own));
  const subqueries: PendingSubquery[] = [];
  if (node.searchMode !== undefined) {
    const { mode } = node.searchMode;
    throw notSupported(node.searchMode, `Pattern search modifier: ${mode} is not allowed in MATCH_RECOGNIZE clause`);
  }
  const analyzed = analyzePattern(node, { analysis, scope, queries, clause: "MATCH_RECOGNIZE", subqueries }, false);
  const rows = rowsOfSyntax[node.rowsPerMatch ?? "ONE"];
  const excluded = holdsPattern(node.pattern, ["ExcludedPattern"]);
  if (rows === "ALL_WITH_UNMATCHED" && excluded !== undefined) {
    const message = "Pattern exclusion syntax is not allowed when ALL ROWS PER MATCH WITH UNMATCHED ROWS is specified";
    throw semanticError("INVALID_ROW_PATTERN", excluded, message);
  }
  const below = applySubqueries(source.node, subqueries);
  const columns = new Columns(ids, outputsOf(below));
  const column = ({ expression }: { readonly expression: Assignment["expression"] }, hint: string): Variable =>
    columns.variableFor(expression, hint);
  const measures = analyzed.measures.map((measure) =>
    planMeasure(measure, ids.variable(measure.name.value, measure.expression.type), column),
  );
  const definitions = planDefinitions(analyzed, column);
  const known = outputNames(below);
  const recognition: PatternRecognitionNode = {
    kind: "PatternRecognition",
    id: ids.node(),
    source: extendProject(
      ids,
      below,
      columns.assignments().filter(({ output }) => !known.has(output.name)),
    ),
    partitionBy: distinctVariables(keys.map(variableOf)),
    orderBy: distinctOrderings(orders.map((field, index) => orderingOf(field, node.orderBy[index] as SortItem))),
    rows,
    skip: analyzed.skip,
    labels: analyzed.labels,
    pattern: analyzed.pattern,
    definitions,
    measures,
  };
  const measured = measures.map(
    ({ output }, index): Field => ({ name: analyzed.measures[index]?.name.value ?? "", expression: output, hidden: false }),
  );
  const shown = rows === "ONE" ? keys : [...keys, ...orders];
  const others = rows === "ONE" ? [] : source.fields.filter((field) => !shown.includes(field));
  const output = [...shown.map((field) => ({ ...field, hidden: false })), ...measured, ...others].map(withoutQualifier);
  if (output.length === 0) {
    throw semanticError("TABLE_HAS_NO_COLUMNS", node, "pattern recognition output table has no columns");
  }
  return { node: recognition, fields: output };
}

function withoutQualifier({ qualifier: _qualifier, ...field }: Field): Field {
  return field;
}

function requireDistinctNames({ relation }: PatternRecognition, fields: readonly Field[]): void {
  const known = new Set<string>();
  for (const { name } of fields) {
    if (name !== undefined && known.has(name.toUpperCase())) {
      throw semanticError("AMBIGUOUS_NAME", relation, `ambiguous column: ${name} in row pattern input relation`);
    }
    if (name !== undefined) {
      known.add(name.toUpperCase());
    }
  }
}
