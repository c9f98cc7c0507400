/**
 * Combines two aggregations of one table by one key, if rows that were joined with the first one are joined with the second one, as two
 * EXISTS with the same correlation are. The first aggregation computes the calls of the second one with a mask, and the second join becomes
 * a projection.
 *
 * The first join is an inner join, so each of its rows has a group. The rows of the second aggregation must be among those of the first
 * one: the conditions of the first are conditions of the second, too. The second join is a LEFT join by the key alone; its columns are NULL
 * where the mask was true for no row of the group.
 */
import { isFence } from "../../../plan/plan-tree.ts";
import { hasOneFormEach } from "../../stats/dependencies.ts";
import { BIGINT, BOOLEAN } from "../../../../types/type.ts";
import type { RowExpression, Variable } from "../../../plan/typed-expression.ts";
import {
  and,
  call,
  conjunctsOf,
  constant,
  isDeterministic,
  sameExpression,
  special,
  substitute,
  variablesOf,
} from "../../../plan/expression-tree.ts";
import {
  type AggregateCall,
  type AggregationNode,
  type Assignment,
  type JoinNode,
  outputsOf,
  type PlanNode,
  type TableScanNode,
} from "../../../plan/node.ts";
import { filterNode, identity, namesOf, outputNames, projectNode, rewritePlan, withSources } from "../../../plan/plan-tree.ts";
import type { Rule, RuleContext } from "../rule.ts";

export const combineAggregations: Rule = {
  name: "combine_aggregations",
  apply: (plan, context) =>
    rewritePlan(plan, (node) => (node.kind === "Join" && node.type === "LEFT" ? (combine(node, context) ?? node) : node)),
};

/** An aggregation of a filtered table. */
interface Grouped {
  readonly aggregation: AggregationNode;
  readonly key: Variable;
  /** What the aggregation reads, over columns of the scan. */
  readonly inputs: readonly Assignment[];
  readonly conjuncts: readonly RowExpression[];
  readonly scan: TableScanNode;
}

function groupedOf(node: PlanNode): Grouped | undefined {
  if (node.kind !== "Aggregation" || node.step !== "SINGLE" || node.globalSets !== undefined) {
    return undefined;
  }
  const [key, ...others] = node.keys;
  const { source } = node;
  const filtered = source.kind === "Project" ? source.source : source;
  const scan = filtered.kind === "Filter" ? filtered.source : filtered;
  if (
    key === undefined ||
    isFence(source) ||
    others.length > 0 ||
    scan.kind !== "TableScan" ||
    node.aggregates.some(({ mask }) => mask !== undefined)
  ) {
    return undefined;
  }
  const inputs = source.kind === "Project" ? source.assignments : scan.outputs.map(identity);
  const conjuncts = filtered.kind === "Filter" ? conjunctsOf(filtered.predicate) : [];
  const areDeterministic = [...inputs.map(({ expression }) => expression), ...conjuncts].every(isDeterministic);
  return areDeterministic ? { aggregation: node, key, inputs, conjuncts, scan } : undefined;
}

/** The projected columns of an aggregation, over its outputs. */
interface Projected {
  readonly grouped: Grouped;
  readonly columns: ReadonlyMap<string, RowExpression>;
}

function projectedOf(node: PlanNode): Projected | undefined {
  if (node.kind === "Project" && !isFence(node)) {
    const grouped = groupedOf(node.source);
    const isSafe = node.assignments.every(({ expression }) => isDeterministic(expression));
    return grouped && isSafe
      ? { grouped, columns: new Map(node.assignments.map(({ output, expression }) => [output.name, expression])) }
      : undefined;
  }
  const grouped = groupedOf(node);
  return grouped && { grouped, columns: new Map(outputsOf(node).map((output) => [output.name, output])) };
}

function combine(join: JoinNode, context: RuleContext): PlanNode | undefined {
  const [criterion, ...others] = join.criteria;
  const second = projectedOf(join.right);
  if (criterion === undefined || others.length > 0 || join.filter !== undefined || second === undefined) {
    return undefined;
  }
  const { grouped, columns } = second;
  const joined = columns.get(criterion.right.name);
  // Equal keys of other types may have several forms, such as 0.0 and -0.0.
  if (joined?.kind !== "variable" || joined.name !== grouped.key.name || !hasOneFormEach(grouped.key.type)) {
    return undefined;
  }
  const found = findFirst(join.left, criterion.left, grouped);
  if (found === undefined) {
    return undefined;
  }
  const { aggregation, added, isPresent } = merge(found, context);
  const left = expose(join.left, found.first.aggregation, aggregation, added);
  const values = new Map<string, RowExpression>([[grouped.key.name, criterion.left]]);
  const names = outputNames(join.left);
  const assignments = join.outputs.map((output): Assignment => {
    const expression = columns.get(output.name);
    if (names.has(output.name) || expression === undefined) {
      return identity(output);
    }
    const value = substitute(expression, values);
    return { output, expression: special("IF", output.type, [isPresent, value, constant(output.type, null)]) };
  });
  return projectNode(context.ids, left, assignments);
}

interface Found {
  readonly first: Grouped;
  readonly second: Grouped;
  /** Columns of the second scan by the names of the second scan: those of the first scan if it has them. */
  readonly renamed: ReadonlyMap<string, Variable>;
  /** Conditions of the second aggregation that the first one does not have. */
  readonly rest: readonly RowExpression[];
}

/** Finds an aggregation below the node whose key equals `outer` in every row of the node. */
function findFirst(node: PlanNode, outer: Variable, second: Grouped): Found | undefined {
  const search = (at: PlanNode, equal: ReadonlySet<string>): Found | undefined => {
    const first = groupedOf(at);
    if (first !== undefined) {
      return equal.has(first.key.name) ? matched(first, second) : undefined;
    }
    const below = at.kind === "Join" && at.type === "INNER" ? withEqual(equal, at) : equal;
    return passed(at)
      .map((source) => search(source, below))
      .find((found) => found !== undefined);
  };
  return search(node, new Set([outer.name]));
}

/** Sources of which each row of the node has one row. */
function passed(node: PlanNode): readonly PlanNode[] {
  switch (node.kind) {
    case "Join":
      return node.type === "INNER" ? [node.left, node.right] : node.type === "LEFT" ? [node.left] : [];
    case "Filter":
    case "Project":
    case "SemiJoin":
      return [node.source];
    default:
      return [];
  }
}

function withEqual(equal: ReadonlySet<string>, { criteria }: JoinNode): ReadonlySet<string> {
  const known = new Set(equal);
  for (const { left, right } of criteria) {
    if (known.has(left.name) || known.has(right.name)) {
      known.add(left.name).add(right.name);
    }
  }
  return known;
}

function matched(first: Grouped, second: Grouped): Found | undefined {
  if (JSON.stringify(first.scan.table) !== JSON.stringify(second.scan.table)) {
    return undefined;
  }
  const renamed = new Map(
    second.scan.outputs.map((output, index) => {
      const name = second.scan.columns[index]?.name;
      return [output.name, first.scan.outputs[first.scan.columns.findIndex((column) => column.name === name)] ?? output] as const;
    }),
  );
  const definitionOf = ({ inputs }: Grouped, { name }: Variable) => inputs.find(({ output }) => output.name === name)?.expression;
  const [own, other] = [definitionOf(first, first.key), definitionOf(second, second.key)];
  if (own === undefined || other === undefined || !sameExpression(own, substitute(other, renamed))) {
    return undefined;
  }
  const conjuncts = second.conjuncts.map((conjunct) => substitute(conjunct, renamed));
  const isWithin = first.conjuncts.every((one) => conjuncts.some((conjunct) => sameExpression(one, conjunct)));
  const rest = conjuncts.filter((conjunct) => !first.conjuncts.some((one) => sameExpression(one, conjunct)));
  return isWithin ? { first, second, renamed, rest } : undefined;
}

interface Merged {
  readonly aggregation: AggregationNode;
  /** Further outputs of the aggregation. */
  readonly added: readonly Variable[];
  /** Whether the second aggregation has the group. */
  readonly isPresent: RowExpression;
}

function merge({ first, second, renamed, rest }: Found, { ids }: RuleContext): Merged {
  const known = namesOf(first.scan.outputs);
  const extra = second.scan.outputs.flatMap((output, index) => {
    const column = second.scan.columns[index];
    return column === undefined || known.has(renamed.get(output.name)?.name ?? "") ? [] : [{ output, column }];
  });
  const scan: TableScanNode = {
    ...first.scan,
    outputs: [...first.scan.outputs, ...extra.map(({ output }) => output)],
    columns: [...first.scan.columns, ...extra.map(({ column }) => column)],
  };
  const mask = ids.variable("mask", BOOLEAN);
  const rows = ids.variable("rows", BIGINT);
  const read = namesOf(variablesOf(second.aggregation.aggregates.flatMap(({ args }) => args)));
  const inputs = second.inputs.flatMap(({ output, expression }): readonly Assignment[] =>
    read.has(output.name) ? [{ output, expression: guarded(substitute(expression, renamed), rest) }] : [],
  );
  const source = projectNode(ids, filterNode(ids, scan, first.conjuncts), [
    ...first.inputs,
    ...inputs,
    ...(rest.length === 0 ? [] : [{ output: mask, expression: and(rest) }]),
  ]);
  const masked = rest.length === 0 ? {} : { mask };
  const calls = second.aggregation.aggregates.map((one): AggregateCall => ({ ...one, ...masked }));
  const count: AggregateCall = { output: rows, name: "count", argumentTypes: [], args: [], ...masked };
  return {
    aggregation: { ...first.aggregation, source, aggregates: [...first.aggregation.aggregates, ...calls, count] },
    added: [...calls.map(({ output }) => output), rows],
    isPresent: call("$gt", BOOLEAN, [rows, constant(BIGINT, "0")]),
  };
}

/** Evaluates only where the conditions hold, because the expression may fail elsewhere. */
function guarded(expression: RowExpression, conditions: readonly RowExpression[]): RowExpression {
  return conditions.length === 0 || expression.kind === "variable"
    ? expression
    : special("IF", expression.type, [and(conditions), expression, constant(expression.type, null)]);
}

/** Replaces the aggregation, and adds its new columns to the outputs of every node above it. */
function expose(node: PlanNode, old: AggregationNode, replaced: AggregationNode, added: readonly Variable[]): PlanNode {
  if (node === old) {
    return replaced;
  }
  const sources = passed(node);
  const place = sources.findIndex((source) => contains(source, old));
  if (place < 0) {
    return node;
  }
  const below = expose(sources[place] as PlanNode, old, replaced, added);
  switch (node.kind) {
    case "Project":
      return { ...node, source: below, assignments: [...node.assignments, ...added.map(identity)] };
    case "Join": {
      const [left, right] = place === 0 ? [below, node.right] : [node.left, below];
      const wanted = namesOf([...node.outputs, ...added]);
      // A LEFT join passes on its left side alone, so the place is 0.
      return { ...node, left, right, outputs: [...outputsOf(left), ...outputsOf(right)].filter(({ name }) => wanted.has(name)) };
    }
    case "SemiJoin":
      return { ...node, source: below };
    default:
      return withSources(node, [below]);
  }
}

function contains(node: PlanNode, old: AggregationNode): boolean {
  return node === old || passed(node).some((source) => contains(source, old));
}
