/**
 * Computes an aggregate that is joined with the rows it aggregates in a window over them. `t JOIN (SELECT k, min(x) FROM t GROUP BY k)`
 * then reads t once. So do correlated subqueries over tables of the outer query, and HAVING with a total (C. Zuzarte et al., "WinMagic:
 * Subquery Elimination Using Window Aggregation", SIGMOD 2003).
 *
 * The window is over one of:
 *
 * - groups, if the aggregate without keys is the total of an aggregate of theirs: the sum of their sums;
 * - one relation of the join, which has the rows of the aggregation;
 * - all relations of the join, some of which have the rows of the aggregation. The others may only choose among its groups.
 *
 * A row of a window costs more than a row of a scan, so a window must have few rows by the estimates. Only functions are moved whose result
 * does not depend on the order of the rows.
 */
import { knobOf } from "../../../../ports/knobs.ts";
import { BIGINT, BOOLEAN, type Type } from "../../../../types/type.ts";
import {
  call,
  conjunctsOf,
  expressionKey,
  isDeterministic,
  not,
  sameExpression,
  special,
  substitute,
  usesAny,
} from "../../../plan/expression-tree.ts";
import type { RowExpression, Variable } from "../../../plan/typed-expression.ts";
import {
  type AggregateCall,
  type AggregationNode,
  type Assignment,
  outputsOf,
  type PlanNode,
  type WindowCall,
} from "../../../plan/node.ts";
import {
  distinctVariables,
  extendProject,
  filterNode,
  isFence,
  namesOf,
  outputNames,
  passesOn,
  projectNode,
  sourcesOf,
  visitPlan,
  withSources,
} from "../../../plan/plan-tree.ts";
import { expressionsOf } from "../../../plan/validate.ts";
import { hasOneFormEach } from "../../stats/dependencies.ts";
import { isUnique } from "../../stats/keys.ts";
import type { Rule, RuleContext } from "../rule.ts";
import { collectGraph, Equalities, filterRelations, isInner, type JoinGraph } from "./join-graph.ts";
import { joinConnected } from "./eliminate-cross-joins.ts";
import { type Matched, matchRelations, withSameRows } from "./same-rows.ts";

export const useWindows: Rule = {
  name: "use_windows",
  apply: (plan, context) => (context.session.joinReordering === "AUTOMATIC" ? rewrite(plan, context) : plan),
};

function rewrite(node: PlanNode, context: RuleContext): PlanNode {
  if (isInner(node)) {
    const graph = collectGraph(node);
    const found = graph.relations.length <= knobOf(context, "exhaustive-relations") ? withWindow(graph, context) : undefined;
    if (found !== undefined) {
      const columns = node.outputs.map((output): Assignment => ({ output, expression: found.places.get(output.name) ?? output }));
      return rewrite(projectNode(context.ids, found.node, columns), context);
    }
    return rewriteRelations(node, context);
  }
  return rewriteSources(node, context);
}

/** A part of a graph of joins is not tried once more. */
function rewriteRelations(node: PlanNode, context: RuleContext): PlanNode {
  const isPart = isInner(node) || (passesOn(node) && isInner(node.source));
  return isPart
    ? withSources(
        node,
        sourcesOf(node).map((source) => rewriteRelations(source, context)),
      )
    : rewrite(node, context);
}

function rewriteSources(node: PlanNode, context: RuleContext): PlanNode {
  return withSources(
    node,
    sourcesOf(node).map((source) => rewrite(source, context)),
  );
}

/** A relation of the graph that aggregates. */
interface Aggregated {
  readonly index: number;
  readonly aggregation: AggregationNode;
  /** The relation's outputs, over those of the aggregation. */
  readonly columns: ReadonlyMap<string, RowExpression>;
  /** Rows that the scans below read. */
  readonly scannedRows: number;
}

interface Rewritten {
  readonly node: PlanNode;
  /** Columns of the node that stand for columns of the aggregated relation. */
  readonly places: ReadonlyMap<string, Variable>;
}

function withWindow(graph: JoinGraph, context: RuleContext): Rewritten | undefined {
  if (!graph.filters.every(isDeterministic)) {
    return undefined;
  }
  for (const [index, relation] of graph.relations.entries()) {
    const aggregated = aggregatedOf(relation, index, context);
    const found =
      aggregated &&
      (overGroups(graph, aggregated, context) ?? overRelation(graph, aggregated, context) ?? overAll(graph, aggregated, context));
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function aggregatedOf(relation: PlanNode, index: number, context: RuleContext): Aggregated | undefined {
  if (relation.kind === "Project" && !isFence(relation)) {
    const below = aggregatedOf(relation.source, index, context);
    const isSafe = relation.assignments.every(({ expression }) => isDeterministic(expression));
    return below !== undefined && isSafe
      ? {
          ...below,
          columns: new Map(relation.assignments.map(({ output, expression }) => [output.name, substitute(expression, below.columns)])),
        }
      : undefined;
  }
  if (relation.kind !== "Aggregation" || !isPlain(relation) || !relation.keys.every(({ type }) => hasOneFormEach(type))) {
    return undefined;
  }
  let scannedRows = 0;
  let isSafe = true;
  visitPlan(relation.source, (node) => {
    isSafe &&= expressionsOf(node).every(isDeterministic) && !isFence(node);
    if (node.kind === "TableScan") {
      const { known, rows } = context.estimator.estimate(node);
      isSafe &&= known;
      scannedRows += rows;
    }
  });
  const columns = new Map(outputsOf(relation).map((output) => [output.name, output]));
  return isSafe && relation.aggregates.every(isExact) ? { index, aggregation: relation, columns, scannedRows } : undefined;
}

function isPlain({ step, globalSets, aggregates }: AggregationNode): boolean {
  return step === "SINGLE" && globalSets === undefined && aggregates.every(({ mask }) => mask === undefined);
}

const integers: ReadonlySet<Type["kind"]> = new Set(["tinyint", "smallint", "integer", "bigint"]);

/** Whether the result is the same to the bit for rows in any order. */
function isExact({ name, argumentTypes }: AggregateCall): boolean {
  const [type] = argumentTypes;
  switch (name) {
    case "count":
      return true;
    case "min":
    case "max":
      return argumentTypes.length === 1 && type !== undefined && hasOneFormEach(type);
    case "sum":
      return type?.kind === "decimal" || (type !== undefined && integers.has(type.kind));
    case "avg":
      return type?.kind === "decimal";
    default:
      return false;
  }
}

/** A function over the whole partition. */
function windowCall(output: Variable, name: string, args: readonly Variable[]): WindowCall {
  return {
    output,
    name,
    argumentTypes: args.map(({ type }) => type),
    args,
    ignoreNulls: false,
    frame: { type: "RANGE", start: { type: "UNBOUNDED_PRECEDING" }, end: { type: "CURRENT_ROW" } },
  };
}

function isWorthIt(rows: PlanNode, { scannedRows }: Aggregated, context: RuleContext): boolean {
  const estimate = context.estimator.estimate(rows);
  return estimate.known && estimate.rows * knobOf(context, "window-scanned-rows") <= scannedRows;
}

/** Totals of groups: the aggregation without keys has the rows of another one with keys, and its aggregates. */
function overGroups(graph: JoinGraph, aggregated: Aggregated, context: RuleContext): Rewritten | undefined {
  const { aggregation } = aggregated;
  if (aggregation.keys.length > 0) {
    return undefined;
  }
  for (const [index, relation] of graph.relations.entries()) {
    const { groups, filters } = groupsOf(relation);
    if (index === aggregated.index || groups === undefined || !isWorthIt(groups, aggregated, context)) {
      continue;
    }
    const same = withSameRows(groups.source, aggregation.source);
    const functions = same && totals(groups, aggregation, same.places);
    if (functions !== undefined) {
      const window: PlanNode = { kind: "Window", id: context.ids.node(), source: groups, partitionBy: [], orderBy: [], functions };
      return replaceRelation(graph, { aggregated, index, window: filterNode(context.ids, window, filters), keys: new Map() }, context);
    }
  }
  return undefined;
}

function groupsOf(relation: PlanNode): { readonly groups?: AggregationNode; readonly filters: readonly RowExpression[] } {
  if (relation.kind === "Filter") {
    const { groups, filters } = groupsOf(relation.source);
    return { ...(groups && { groups }), filters: [...filters, ...conjunctsOf(relation.predicate)] };
  }
  return relation.kind === "Aggregation" && isPlain(relation) && relation.keys.length > 0
    ? { groups: relation, filters: [] }
    : { filters: [] };
}

function totals(groups: AggregationNode, total: AggregationNode, places: ReadonlyMap<string, Variable>): readonly WindowCall[] | undefined {
  const calls = total.aggregates.map(({ output, name, args }) => {
    const wanted = args.map((arg) => substitute(arg, places));
    const part = groups.aggregates.find(
      (own) =>
        own.name === name &&
        own.args.length === wanted.length &&
        own.args.every((arg, at) => sameExpression(arg, wanted[at] as RowExpression)),
    );
    const isSame = JSON.stringify(part?.output.type) === JSON.stringify(output.type);
    return part === undefined || !isSame || name === "avg" ? undefined : windowCall(output, name === "count" ? "sum" : name, [part.output]);
  });
  return calls.includes(undefined) ? undefined : (calls as readonly WindowCall[]);
}

/** The rows that an aggregation aggregates, without the projection that computes its arguments. */
function rowsOf({ source }: AggregationNode): { readonly rows: PlanNode; readonly values: ReadonlyMap<string, RowExpression> } {
  return source.kind === "Project"
    ? { rows: source.source, values: new Map(source.assignments.map(({ output, expression }) => [output.name, expression])) }
    : { rows: source, values: new Map() };
}

/** The aggregation over columns of other relations that have its rows. Undefined if a key is computed, or not what they are joined by. */
interface Moved {
  /** By the keys' names. */
  readonly keys: ReadonlyMap<string, Variable>;
  readonly functions: readonly WindowCall[];
  /** Arguments that must be computed. */
  readonly computed: readonly Assignment[];
}

function moved(graph: JoinGraph, { aggregation, columns }: Aggregated, places: ReadonlyMap<string, Variable>, context: RuleContext) {
  const { values } = rowsOf(aggregation);
  const here = (expression: RowExpression): RowExpression => substitute(substitute(expression, values), places);
  const equalities = new Equalities(graph);
  const keys = new Map<string, Variable>();
  for (const key of aggregation.keys) {
    const place = here(key);
    const seen = [...columns].find(([, expression]) => expression.kind === "variable" && expression.name === key.name)?.[0];
    const equal = seen === undefined ? [] : equalities.equalTo({ ...key, name: seen });
    if (place.kind !== "variable" || !equal.some(({ name }) => name === place.name)) {
      return undefined;
    }
    keys.set(key.name, place);
  }
  const computed: Assignment[] = [];
  const functions = aggregation.aggregates.map(({ output, name, args }) => {
    const variables = args.map((arg): Variable => {
      const value = here(arg);
      if (value.kind === "variable") {
        return value;
      }
      const variable = context.ids.variable(name, value.type);
      computed.push({ output: variable, expression: value });
      return variable;
    });
    return windowCall(output, name, variables);
  });
  return { keys, functions, computed } satisfies Moved;
}

/** One relation has the rows of the aggregation. */
function overRelation(graph: JoinGraph, aggregated: Aggregated, context: RuleContext): Rewritten | undefined {
  const { rows } = rowsOf(aggregated.aggregation);
  if (isInner(rows)) {
    return undefined;
  }
  for (const [index, relation] of graph.relations.entries()) {
    if (index === aggregated.index || !isWorthIt(relation, aggregated, context)) {
      continue;
    }
    const same = withSameRows(relation, rows);
    const found = same && moved(graph, aggregated, same.places, context);
    if (same !== undefined && found !== undefined) {
      const { keys, functions, computed } = found;
      const source = extendProject(context.ids, same.node, computed);
      const partitionBy = distinctVariables([...keys.values()]);
      const window: PlanNode = { kind: "Window", id: context.ids.node(), source, partitionBy, orderBy: [], functions };
      return replaceRelation(graph, { aggregated, index, window, keys }, context);
    }
  }
  return undefined;
}

/** Joins the other relations with the window in place of the relation at `index`. */
function replaceRelation(
  graph: JoinGraph,
  {
    aggregated,
    index,
    window,
    keys,
  }: {
    readonly aggregated: Aggregated;
    readonly index: number;
    readonly window: PlanNode;
    readonly keys: ReadonlyMap<string, Variable>;
  },
  context: RuleContext,
): Rewritten {
  const { places, computed } = placesAbove(aggregated, keys);
  const relation = extendProject(context.ids, window, computed);
  const relations = graph.relations.map((one, at) => (at === index ? relation : one)).filter((_one, at) => at !== aggregated.index);
  return { node: joinAll(renamed({ ...graph, relations }, places), context), places };
}

/** Where the columns of the aggregated relation are above the window, and those that are computed there. */
function placesAbove({ columns }: Aggregated, keys: ReadonlyMap<string, Variable>) {
  const places = new Map<string, Variable>();
  const computed: Assignment[] = [];
  for (const [name, expression] of columns) {
    const value = substitute(expression, keys);
    if (value.kind === "variable") {
      places.set(name, value);
    } else {
      const output: Variable = { kind: "variable", name, type: expression.type };
      places.set(name, output);
      computed.push({ output, expression: value });
    }
  }
  return { places, computed };
}

/** An equality of a column with itself remains as the condition that it is not NULL. */
function renamed(graph: JoinGraph, places: ReadonlyMap<string, Variable>): JoinGraph {
  const rename = (variable: Variable): Variable => places.get(variable.name) ?? variable;
  const all = graph.criteria.map(({ left, right }) => ({ left: rename(left), right: rename(right) }));
  const trivial = all.filter(isTrivial);
  const criteria = all.filter((criterion, index) => !isTrivial(criterion) && all.findIndex((one) => isSame(one, criterion)) === index);
  const filters = graph.filters.map((filter) => substitute(filter, places));
  return { ...graph, criteria, filters: [...filters, ...trivial.map(({ left }) => not(special("IS_NULL", BOOLEAN, [left])))] };
}

function isTrivial({ left, right }: JoinGraph["criteria"][number]): boolean {
  return left.name === right.name;
}

function isSame(a: JoinGraph["criteria"][number], b: JoinGraph["criteria"][number]): boolean {
  const names = [b.left.name, b.right.name];
  return a.left.name !== a.right.name && names.includes(a.left.name) && names.includes(a.right.name);
}

function joinAll(graph: JoinGraph, context: RuleContext): PlanNode {
  const equalities = new Equalities(graph);
  return joinConnected(filterRelations(graph, equalities, context.ids), context);
}

/** The rows of the aggregation are those of several relations, joined in the same way. */
function overAll(graph: JoinGraph, aggregated: Aggregated, context: RuleContext): Rewritten | undefined {
  const { aggregation, index } = aggregated;
  const { rows } = rowsOf(aggregation);
  const inner: JoinGraph = isInner(rows) ? collectGraph(rows) : { relations: [rows], criteria: [], filters: [] };
  const others = graph.relations.map((_relation, at) => at).filter((at) => at !== index);
  for (const matched of matchRelations(graph, inner, others)) {
    const found = moved(graph, aggregated, matched.places, context);
    const node = found && windowOverAll(graph, { aggregated, inner, ...matched, ...found }, context);
    if (node !== undefined) {
      return node;
    }
  }
  return undefined;
}

interface Whole extends Moved, Matched {
  readonly aggregated: Aggregated;
  readonly inner: JoinGraph;
}

function windowOverAll(graph: JoinGraph, whole: Whole, context: RuleContext): Rewritten | undefined {
  const { aggregated, computed, functions, keys, matched } = whole;
  const above = placesAbove(aggregated, keys);
  const every = renamed(graph, above.places);
  const late = namesOf([...functions, ...above.computed].map(({ output }) => output));
  const isLate = ({ left, right }: JoinGraph["criteria"][number]): boolean => late.has(left.name) || late.has(right.name);
  const joined: JoinGraph = {
    relations: graph.relations.map((relation, at) => matched.get(at) ?? relation),
    criteria: every.criteria.filter((criterion) => !isLate(criterion)),
    filters: every.filters.filter((filter) => !usesAny(filter, late)),
  };
  const equalities = new Equalities(joined);
  if (!holdsWithin(joined, equalities, whole) || !choosesGroups(joined, whole)) {
    return undefined;
  }
  const ids: Variable[] = [];
  const isOnce = functions.every(({ name }) => name === "min" || name === "max");
  const relations = joined.relations.flatMap((relation, at): readonly PlanNode[] => {
    if (at === aggregated.index || matched.has(at) || isOnce || isOneOfGroup(relation, equalities, whole, context)) {
      return at === aggregated.index ? [] : [relation];
    }
    const idVariable = context.ids.variable("unique", BIGINT);
    ids.push(idVariable);
    return [{ kind: "AssignUniqueId", id: context.ids.node(), source: relation, idVariable }];
  });
  const source = joinAll({ ...joined, relations }, context);
  if (!isWorthIt(source, aggregated, context)) {
    return undefined;
  }
  const partitionBy = distinctVariables([...keys.values(), ...ids]);
  const argued = extendProject(context.ids, source, computed);
  const window: PlanNode = { kind: "Window", id: context.ids.node(), source: argued, partitionBy, orderBy: [], functions };
  const conditions = [
    ...every.criteria.filter(isLate).map(({ left, right }) => call("$eq", BOOLEAN, [left, right])),
    ...every.filters.filter((filter) => usesAny(filter, late)),
  ];
  return { node: filterNode(context.ids, extendProject(context.ids, window, above.computed), conditions), places: above.places };
}

/** Whether the matched relations meet all conditions that the aggregation has on its rows. */
function holdsWithin({ filters }: JoinGraph, equalities: Equalities, { inner, places }: Whole): boolean {
  const known = new Set(filters.map((filter) => expressionKey(filter)));
  const here = (variable: Variable): Variable => places.get(variable.name) ?? variable;
  return (
    inner.criteria.every(({ left, right }) => equalities.equalTo(here(left)).some(({ name }) => name === here(right).name)) &&
    inner.filters.every((filter) => known.has(expressionKey(substitute(filter, places))))
  );
}

/** Whether every other condition drops whole groups: of the matched relations it reads the keys alone. */
function choosesGroups({ relations, criteria, filters }: JoinGraph, { inner, keys, matched, places }: Whole): boolean {
  const within = namesOf([...matched.values()].flatMap(outputsOf));
  const here = (variable: Variable): Variable => places.get(variable.name) ?? variable;
  const own = new Equalities({
    relations,
    criteria: inner.criteria.map(({ left, right }) => ({ left: here(left), right: here(right) })),
    filters: [],
  });
  const chosen = namesOf([...keys.values()].flatMap((key) => own.equalTo(key)));
  const isFree = ({ name }: Variable): boolean => !within.has(name) || chosen.has(name);
  const known = new Set(inner.filters.map((filter) => expressionKey(substitute(filter, places))));
  return (
    criteria.every(({ left, right }) => {
      const isInside = within.has(left.name) && within.has(right.name);
      return isInside ? own.equalTo(left).some(({ name }) => name === right.name) : isFree(left) && isFree(right);
    }) &&
    filters.every((filter) => {
      const bound = new Set([...within].filter((name) => !chosen.has(name)));
      return known.has(expressionKey(filter)) || !usesAny(filter, bound);
    })
  );
}

/** Whether at most one row of the relation belongs to a group: columns that equal the keys are unique. */
function isOneOfGroup(relation: PlanNode, equalities: Equalities, { keys }: Whole, { estimator }: RuleContext): boolean {
  const equal = namesOf([...keys.values()].flatMap((key) => equalities.equalTo(key)));
  const linked = new Set([...outputNames(relation)].filter((name) => equal.has(name)));
  return isUnique(estimator.estimate(relation).keys, linked);
}
