/**
 * Plans a query: syntax tree, optimized plan, fragments. Shared by SELECT, CREATE TABLE AS, INSERT and EXPLAIN.
 */
import type { ConnectorMetadata } from "../connectors/spi.ts";
import { QueryError } from "../protocol/errors.ts";
import type { Query } from "../sql/ast/ast.ts";
import type { Analysis } from "./analyzer/analysis.ts";
import { analyzers } from "./analyzer/analyzers.ts";
import { loadTables } from "./analyzer/load-tables.ts";
import { atOnce, type InPieces, inTurns, withTurns, type Steps } from "./pieces.ts";
import { planQueryInPieces } from "./analyzer/query/query.ts";
import type { Field } from "./analyzer/scope/scope.ts";
import { Reads } from "./access/reads.ts";
import type { PlanContext } from "./context.ts";
import { aggregationOfRoot, aggregationsOfFewGroups, scansInOneTask } from "./fragmenter/one-task.ts";
import { planEstimates } from "./explain/plan-estimates.ts";
import { addExchanges, type OneTaskChoices } from "./fragmenter/exchanges.ts";
import type { RowExpression, Variable } from "./plan/typed-expression.ts";
import type { FragmentedPlan } from "./fragmenter/fragment.ts";
import { fragmentPlan, renumberNodes, requireFewStages } from "./fragmenter/fragmenter.ts";
import { PlanIds } from "./plan/ids.ts";
import type { AggregationNode, OutputNode, PlanNode } from "./plan/node.ts";
import { optimizeByRules, optimizeDistributedInSteps } from "./optimizer/optimizer.ts";
import type { PlannedQuery } from "./planned.ts";
import { addRemoteDynamicFilters } from "./fragmenter/remote-dynamic-filters.ts";
import type { RuleContext } from "./optimizer/rules/rule.ts";
import { inputRowsPerTaskMin, joinOptions, rulesOff, sharesSubplans } from "./session-properties.ts";
import { planWithSessionZone, withSessionZone } from "./session-zone.ts";
import { shareInSteps, type StatisticsOf } from "./fragmenter/share-subplans.ts";
import { optimizeShared, sharedFragmentRoot, type SharedRoots } from "./fragmenter/shared-plans.ts";
import { Estimator } from "./optimizer/stats/stats-calculator.ts";
import { extendProject, visitPlan } from "./plan/plan-tree.ts";
import { validateInPieces } from "./plan/validate.ts";

export async function startAnalysis(root: object, given: PlanContext): Promise<Analysis> {
  const context: PlanContext = {
    ...given,
    evaluateConstant: (expression) => given.evaluateConstant(withSessionZone(expression, given.session)),
  };
  const tables = await loadTables(root, context, analyzers);
  const reads = context.access === undefined ? {} : { reads: new Reads(context.access) };
  return { analyzers, ids: new PlanIds(), context, tables, outerColumns: [], checkedWith: new Set(), pace: { elements: 0 }, ...reads };
}

export interface LogicalQuery {
  readonly root: OutputNode;
  readonly shared: SharedRoots;
  readonly estimator: Estimator;
}

/** An optimized plan with its exchanges. */
interface DistributedQuery {
  readonly root: OutputNode;
  /** Roots of the fragments of shared plans, by plan number. */
  readonly shared: ReadonlyMap<number, PlanNode>;
}

/** Columns of a query as the client sees them. */
function outputColumns(fields: readonly Field[]): readonly { readonly name: string; readonly expression: RowExpression }[] {
  return fields
    .filter((field) => !field.hidden)
    .map((field, index) => ({ name: field.name ?? `_col${index}`, expression: field.expression }));
}

/** Columns of a result. The coordinator makes each of its pages at once. */
const columnsMax = 10_000;

function requireFewColumns(count: number): void {
  if (count > columnsMax) {
    throw new QueryError("NOT_SUPPORTED", `Query has ${count} columns, more than the maximum of ${columnsMax}`);
  }
}

export function analyzeQuery(query: Query, analysis: Analysis): OutputNode {
  return atOnce(analyzeInPieces(query, analysis));
}

export function* analyzeInPieces(query: Query, analysis: Analysis): InPieces<OutputNode> {
  if (query.body.kind === "QuerySpecification" && query.body.select.items.every(({ kind }) => kind !== "AllColumns")) {
    // Before each is analyzed.
    requireFewColumns(query.body.select.items.length);
  }
  const { node, fields } = yield* planQueryInPieces(query, analysis, { named: new Map() });
  yield fields.length;
  const columns = outputColumns(fields);
  requireFewColumns(columns.length);
  const added: { output: Variable; expression: RowExpression }[] = [];
  const outputs = columns.map(({ name, expression }) => {
    if (expression.kind === "variable") {
      return expression;
    }
    const output = analysis.ids.variable(name, expression.type);
    added.push({ output, expression });
    return output;
  });
  const source = extendProject(analysis.ids, node, added);
  return { kind: "Output", id: analysis.ids.node(), source, columnNames: columns.map((column) => column.name), outputs };
}

/** As `analyzeQuery`, with the turns of a long statement. */
export async function analyzeInTurns(query: Query, analysis: Analysis): Promise<OutputNode> {
  const { turn } = analysis.context;
  return turn === undefined ? analyzeQuery(query, analysis) : inTurns(analyzeInPieces(query, analysis), turn);
}

/** Throws PERMISSION_DENIED if the user may not read what the query reads. */
export function optimizeQuery(given: OutputNode, analysis: Analysis): LogicalQuery {
  return atOnce(optimizeInSteps(given, analysis, false));
}

/** As `optimizeQuery`, with the turns of a long statement. */
export async function optimizeInTurns(given: OutputNode, analysis: Analysis): Promise<LogicalQuery> {
  const { turn } = analysis.context;
  return turn === undefined ? optimizeQuery(given, analysis) : withTurns(optimizeInSteps(given, analysis, true), turn);
}

function* optimizeInSteps(given: OutputNode, analysis: Analysis, inPieces: boolean): Steps<LogicalQuery> {
  const { context, tables, ids } = analysis;
  const root = asOutput(analysis.reads?.checked(given, ids) ?? given);
  const estimator = new Estimator((table) => tables.statisticsOf(table));
  const rules = rulesContext(analysis, estimator);
  const optimizeOne = function* (output: OutputNode): Steps<OutputNode> {
    const inZone = planWithSessionZone(output, context.session);
    yield;
    return asOutput(yield* optimizeByRules(inZone, rules, inPieces));
  };
  const optimized = yield* optimizeOne(root);
  return { root: optimized, shared: yield* optimizeShared(optimized, ids, optimizeOne), estimator };
}

/** Distributes and cuts an optimized query. */
export function finishLogical(logical: LogicalQuery, analysis: Analysis): PlannedQuery {
  return atOnce(finishInSteps(logical, analysis));
}

/** As `finishLogical`, with the turns of a long statement. */
export async function finishInTurns(logical: LogicalQuery, analysis: Analysis): Promise<PlannedQuery> {
  const { turn } = analysis.context;
  return turn === undefined ? finishLogical(logical, analysis) : withTurns(finishInSteps(logical, analysis), turn);
}

function* finishInSteps(logical: LogicalQuery, analysis: Analysis): Steps<PlannedQuery> {
  const distributed = yield* distributeInSteps(logical, analysis);
  yield;
  const plan = yield* cutInSteps(distributed, analysis);
  yield;
  return yield* describeQuery(plan, distributed.root, analysis);
}

function* distributeInSteps({ root, shared, estimator }: LogicalQuery, analysis: Analysis): Steps<DistributedQuery> {
  let nodes = 0;
  const { properties } = analysis.context.session;
  const off = rulesOff(properties);
  const rowsPerTaskMin = inputRowsPerTaskMin({ ...analysis.context.sessionDefaults, ...properties }) ?? 0;
  const usesOneTask = !off.has("use_one_task");
  const scans = usesOneTask && shared.size === 0 ? scansInOneTask(root, estimator, rowsPerTaskMin) : undefined;
  const last = usesOneTask ? aggregationOfRoot(root, estimator, rowsPerTaskMin) : undefined;
  const inOneTask: Omit<OneTaskChoices, "fewGroups"> = {
    scans: scans ?? (() => false),
    finalSteps: (aggregation) => aggregation === last,
  };
  const filtersScans = joinOptions(properties).dynamicFiltering && !off.has("remote_dynamic_filters");
  const distributeOne = function* (output: OutputNode): Steps<OutputNode> {
    const few = usesOneTask ? aggregationsOfFewGroups(output, estimator, { rowsPerTaskMin, filtersScans }) : new Set<AggregationNode>();
    const choices = { ...inOneTask, fewGroups: (aggregation: AggregationNode) => few.has(aggregation) };
    yield;
    const exchanged = renumberNodes(addExchanges(output, analysis.ids, off, choices), nodes);
    visitPlan(exchanged, () => void nodes++);
    yield;
    return asOutput(yield* optimizeDistributedInSteps(exchanged, rulesContext(analysis, estimator)));
  };
  const distributed = yield* distributeOne(root);
  const roots = new Map<number, PlanNode>();
  for (const [number, output] of shared) {
    roots.set(number, sharedFragmentRoot(yield* distributeOne(output), analysis.ids));
  }
  return { root: distributed, shared: roots };
}

function rulesContext({ context, ids }: Analysis, estimator: Estimator): RuleContext {
  const { evaluateConstant, knobs, session } = context;
  const { properties } = session;
  const metadataOf = (catalog: string): ConnectorMetadata | undefined => context.catalogs.connector(catalog)?.metadata;
  return { ids, estimator, session: joinOptions(properties), rulesOff: rulesOff(properties), knobs, metadataOf, evaluateConstant };
}

/** Plans rows that come from no table. */
export function planWithoutTables(root: OutputNode): PlannedQuery {
  return atOnce(describeQuery(fragmentPlan(root), root));
}

/** Cuts the plan at its exchanges. */
function* cutInSteps({ root, shared: sharedRoots }: DistributedQuery, analysis: Analysis): Steps<FragmentedPlan> {
  const cut = fragmentPlan(root, analysis.ids, { shared: sharedRoots });
  yield;
  const { context, tables } = analysis;
  const { properties } = context.session;
  const off = rulesOff(properties);
  const statisticsOf: StatisticsOf = (table) => tables.statisticsOf(table);
  const shares = sharesSubplans(properties) && !off.has("share_subplans");
  const shared = shares ? yield* shareInSteps(cut, statisticsOf, context) : cut;
  yield;
  const filters = joinOptions(properties).dynamicFiltering && !off.has("remote_dynamic_filters");
  const plan = filters ? addRemoteDynamicFilters(shared, statisticsOf, { knobs: context.knobs, rulesOff: off }) : shared;
  requireFewStages(plan);
  return plan;
}

function* describeQuery(plan: FragmentedPlan, root: OutputNode, analysis?: Analysis): Steps<PlannedQuery> {
  yield* validateInPieces(plan);
  const estimates = analysis && (yield* planEstimates(plan, (table) => analysis.tables.statisticsOf(table)));
  return {
    kind: "query",
    plan,
    ...(estimates && { estimates }),
    columns: root.outputs.map((output, index) => ({ name: root.columnNames[index] ?? "", type: output.type })),
  };
}

function asOutput(plan: PlanNode): OutputNode {
  if (plan.kind !== "Output") {
    throw new TypeError("a rule replaced the output of a plan");
  }
  return plan;
}
