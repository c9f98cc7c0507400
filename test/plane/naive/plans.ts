/**
 * What plan nodes mean, row by row, from the rules of SQL and from the order that plan/node.ts documents. Plain and slow on purpose; it
 * shares no code with the operators.
 */
import {
  type AggregateCall,
  type AggregationNode,
  type JoinNode,
  outputsOf,
  isRewrite,
  type PlanNode,
  type TableWriterNode,
  type TopNNode,
} from "../../../src/planner/plan/node.ts";
import { equals, keyOf, type Row, textOf, type Value } from "../values.ts";
import { bind, type Bound, compareRows, evaluate, isIn, reduce, sorted } from "./expressions.ts";
import { evaluateTableFunction } from "./table-functions.ts";
import { evaluateWindow } from "./windows.ts";

/** Rows by id of the scan or remote source. */
export type Inputs = ReadonlyMap<string, readonly Row[]>;

export function evaluatePlan(node: PlanNode, inputs: Inputs): readonly Row[] {
  const run = (source: PlanNode): readonly Row[] => evaluatePlan(source, inputs);
  const bound = (source: PlanNode): readonly { readonly row: Row; readonly values: Bound }[] =>
    run(source).map((row) => ({ row, values: bind(outputsOf(source), row) }));
  switch (node.kind) {
    case "TableScan":
    case "RemoteSource":
      return inputs.get(node.id) ?? [];
    case "Values":
      return node.rows.map((row) => row.map((cell) => evaluate(cell, new Map())));
    case "Output":
      return bound(node.source).map(({ values }) => node.outputs.map(({ name }) => values.get(name) ?? null));
    case "Filter":
      return bound(node.source).flatMap(({ row, values }) => (evaluate(node.predicate, values) === true ? [row] : []));
    case "Project":
      return bound(node.source).map(({ values }) => node.assignments.map(({ expression }) => evaluate(expression, values)));
    case "Aggregation":
      return aggregate(
        node,
        bound(node.source).map(({ values }) => values),
      );
    case "GroupId":
      return bound(node.source).flatMap(({ row, values }) =>
        node.sets.map((set, number) => [
          ...row,
          ...node.columns.map(({ output, input }) => (set.includes(output.name) ? (values.get(input.name) ?? null) : null)),
          BigInt(number),
        ]),
      );
    case "MarkDistinct": {
      const seen = new Set<string>();
      return bound(node.source).map(({ row, values }) => {
        const key = keyOf(node.keys.map(({ name }) => values.get(name) ?? null));
        const isFirst = !seen.has(key);
        seen.add(key);
        return [...row, isFirst];
      });
    }
    case "Join":
      return join(node, run(node.left), run(node.right));
    case "SemiJoin": {
      const items = bound(node.filtering).map(({ values }) => values.get(node.filteringKey.name) ?? null);
      const isTrue = (found: Value): Value => (node.build === "SOURCE" ? found === true : found);
      return bound(node.source).map(({ row, values }) => [...row, isTrue(isIn(values.get(node.sourceKey.name) ?? null, items))]);
    }
    case "EnforceSingleRow": {
      const rows = run(node.source);
      return rows.length === 0 ? [outputsOf(node).map(() => null)] : rows;
    }
    case "Sort":
      return sorted(run(node.source), outputsOf(node), node.orderBy);
    case "TopN":
      return topN(node, run(node.source));
    case "Limit":
      return run(node.source).slice(0, node.count);
    case "Offset":
      return run(node.source).slice(node.count);
    case "Unnest":
      return bound(node.source).flatMap(({ row, values }) => {
        const count = Math.max(0, Number(values.get(node.count.name) ?? 0n));
        return Array.from({ length: count }, (_, copy) => (node.ordinal === undefined ? row : [...row, BigInt(copy + 1)]));
      });
    case "Union":
      return node.sources.flatMap((source, index) =>
        bound(source).map(({ values }) => (node.sourceVariables[index] ?? []).map(({ name }) => values.get(name) ?? null)),
      );
    case "Sample":
      return node.ratio === 0 ? [] : run(node.source);
    case "Window":
      return evaluateWindow(node, run(node.source));
    case "AssignUniqueId":
      // Of the first task.
      return run(node.source).map((row, index) => [...row, BigInt(index)]);
    case "TableWriter":
      return [
        written(
          node,
          bound(node.source).map(({ values }) => values),
        ),
      ];
    case "TableFunction":
      return evaluateTableFunction(node, node.sources.map(run));
    default:
      throw new Error(`no meaning for ${node.kind}`);
  }
}

/** The count of rows, and the fragment of the test's sink: the rows that it got. */
function written({ inputs, target }: TableWriterNode, rows: readonly Bound[]): Row {
  const all = rows.map((row) => inputs.map(({ name }) => row.get(name) ?? null));
  const { columns, kind } = target;
  const [changed, deleted] = isRewrite(target) ? [columns.length, columns.length + (kind === "MERGE" ? 1 : 0)] : [];
  const kept = deleted === undefined || kind === "UPDATE" ? all : all.filter((row) => row[deleted] !== true);
  const count = changed === undefined ? all.length : all.filter((row) => row[changed] === true).length;
  const fragment = JSON.stringify(kept.map((row) => textOf(row.slice(0, columns.length))));
  return [BigInt(count), Buffer.from(fragment).toString("hex")];
}

function topN(node: TopNNode, rows: readonly Row[]): readonly Row[] {
  const outputs = outputsOf(node);
  const all = sorted(rows, outputs, node.orderBy);
  const last = all[node.count - 1];
  return all.filter((row, index) => {
    const ties = node.withTies === true && last !== undefined && compareRows(bind(outputs, row), bind(outputs, last), node.orderBy) === 0;
    return index < node.count || ties;
  });
}

function join(node: JoinNode, left: readonly Row[], right: readonly Row[]): readonly Row[] {
  const out: Row[] = [];
  const matched = new Set<number>();
  const none = (side: PlanNode): Row => outputsOf(side).map(() => null);
  const both = (l: Row, r: Row): Bound => new Map([...bind(outputsOf(node.left), l), ...bind(outputsOf(node.right), r)]);
  const emit = (values: Bound): void => void out.push(node.outputs.map(({ name }) => values.get(name) ?? null));
  for (const l of left) {
    let found = false;
    right.forEach((r, index) => {
      const values = both(l, r);
      const meets = node.criteria.every((criterion) => {
        const [x, y] = [values.get(criterion.left.name) ?? null, values.get(criterion.right.name) ?? null];
        return x !== null && y !== null && equals(x, y);
      });
      if (meets && (node.filter === undefined || evaluate(node.filter, values) === true)) {
        found = true;
        matched.add(index);
        emit(values);
      }
    });
    if (!found && (node.type === "LEFT" || node.type === "FULL")) {
      emit(both(l, none(node.right)));
    }
  }
  if (node.type === "RIGHT" || node.type === "FULL") {
    right.forEach((r, index) => {
      if (!matched.has(index)) {
        emit(both(none(node.left), r));
      }
    });
  }
  return out;
}

function aggregate({ keys, aggregates, globalSets }: AggregationNode, rows: readonly Bound[]): readonly Row[] {
  const groups = new Map<string, { readonly keys: Row; readonly rows: Bound[] }>();
  const groupOf = (values: Row): { readonly rows: Bound[] } => {
    const key = keyOf(values);
    const group = groups.get(key) ?? { keys: values, rows: [] };
    groups.set(key, group);
    return group;
  };
  if (keys.length === 0) {
    groupOf([]);
  }
  for (const number of globalSets?.numbers ?? []) {
    groupOf(keys.map(({ name }) => (name === globalSets?.groupId.name ? BigInt(number) : null)));
  }
  for (const row of rows) {
    groupOf(keys.map(({ name }) => row.get(name) ?? null)).rows.push(row);
  }
  return [...groups.values()].map((group) => [...group.keys, ...aggregates.map((call) => aggregateOne(call, group.rows))]);
}

function aggregateOne({ name, args, mask }: AggregateCall, rows: readonly Bound[]): Value {
  const kept = rows.filter((row) => mask === undefined || row.get(mask.name) === true);
  const [arg] = args;
  if (arg === undefined) {
    return BigInt(kept.length);
  }
  return reduce(
    name,
    kept.map((row) => evaluate(arg, row)).filter((value) => value !== null),
  );
}
