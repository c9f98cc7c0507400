/** A query's syntax tree -> an optimised plan -> fragments. Shared by SELECT, CREATE TABLE AS, INSERT and EXPLAIN. */
import type { Query } from "../sql/ast.ts";
import type { Analysis } from "./analyzer/analysis.ts";
import { Tables } from "./analyzer/metadata.ts";
import { planQuery } from "./analyzer/query.ts";
import type { Field } from "./analyzer/scope.ts";
import type { PlanContext } from "./context.ts";
import { addExchanges } from "./exchanges.ts";
import type { RowExpression, Variable } from "./expression.ts";
import type { FragmentedPlan } from "./fragment.ts";
import { fragmentPlan, hasFewStages, renumberNodes, requireFewStages } from "./fragmenter.ts";
import { PlanIds } from "./ids.ts";
import type { OutputNode, PlanNode } from "./node.ts";
import { optimize, optimizeDistributed } from "./optimizer.ts";
import type { PlannedQuery } from "./planned.ts";
import { addRemoteDynamicFilters } from "./remote-dynamic-filters.ts";
import type { RuleContext } from "./rules/rule.ts";
import { joinOptions, sharesSubplans } from "./session-properties.ts";
import { planWithSessionZone, withSessionZone } from "./session-zone.ts";
import { shareSubplans, type StatisticsOf } from "./share-subplans.ts";
import { Estimator } from "./statistics.ts";
import { extendProject } from "./tree.ts";
import { validateFragments } from "./validate.ts";

export async function startAnalysis(root: object, given: PlanContext): Promise<Analysis> {
  const context: PlanContext = {
    ...given,
    evaluateConstant: (expression) => given.evaluateConstant(withSessionZone(expression, given.session)),
  };
  return { ids: new PlanIds(), context, tables: await Tables.load(root, context) };
}

export interface LogicalQuery {
  readonly root: OutputNode;
  readonly estimator: Estimator;
}

/** Columns of a query as the client will see them. */
function outputColumns(fields: readonly Field[]): readonly { readonly name: string; readonly expression: RowExpression }[] {
  return fields
    .filter((field) => !field.hidden)
    .map((field, index) => ({ name: field.name ?? `_col${index}`, expression: field.expression }));
}

export function analyzeQuery(query: Query, analysis: Analysis): OutputNode {
  const { node, fields } = planQuery(query, analysis, { named: new Map() });
  const columns = outputColumns(fields);
  const added: { output: Variable; expression: RowExpression }[] = [];
  const outputs = columns.map(({ name, expression }) => {
    if (expression.kind === "variable") return expression;
    const output = analysis.ids.variable(name, expression.type);
    added.push({ output, expression });
    return output;
  });
  const source = extendProject(analysis.ids, node, added);
  return { kind: "Output", id: analysis.ids.node(), source, columnNames: columns.map((column) => column.name), outputs };
}

export function optimizeQuery(root: OutputNode, analysis: Analysis): LogicalQuery {
  const { context, tables } = analysis;
  const estimator = new Estimator((table) => tables.statisticsOf(table));
  const plan = optimize(planWithSessionZone(root, context.session), rulesContext(analysis, estimator));
  return { root: asOutput(plan), estimator };
}

export function distribute({ root, estimator }: LogicalQuery, analysis: Analysis): OutputNode {
  const exchanged = renumberNodes(addExchanges(root, analysis.ids));
  return asOutput(optimizeDistributed(exchanged, rulesContext(analysis, estimator)));
}

function rulesContext({ context, ids }: Analysis, estimator: Estimator): RuleContext {
  return { ids, estimator, session: joinOptions(context.session.properties), evaluateConstant: context.evaluateConstant };
}

/** `analysis` is absent for rows that no table gives. */
export function finishQuery(root: OutputNode, analysis?: Analysis): PlannedQuery {
  const cut = fragmentPlan(root);
  const shares = analysis !== undefined && sharesSubplans(analysis.context.session.properties);
  const shared = shares ? sharedSubplans(cut, (table) => analysis.tables.statisticsOf(table)) : cut;
  const filters = analysis !== undefined && joinOptions(analysis.context.session.properties).dynamicFiltering;
  const plan = filters ? addRemoteDynamicFilters(shared, (table) => analysis.tables.statisticsOf(table)) : shared;
  requireFewStages(plan);
  validateFragments(plan);
  return {
    kind: "query",
    plan,
    columns: root.outputs.map((output, index) => ({ name: root.columnNames[index] ?? "", type: output.type })),
  };
}

/** A plan of too many stages shares more rather than being refused: levels of a recursion hold those before them again and again. */
function sharedSubplans(cut: FragmentedPlan, statisticsOf: StatisticsOf): FragmentedPlan {
  const shared = shareSubplans(cut, statisticsOf);
  return hasFewStages(shared) ? shared : shareSubplans(cut, statisticsOf, { always: true });
}

function asOutput(plan: PlanNode): OutputNode {
  if (plan.kind !== "Output") throw new TypeError("a rule replaced the output of a plan");
  return plan;
}
