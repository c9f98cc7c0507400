/**
 * A reference interpreter of plans: rows are arrays, stages are lists of tasks. An oracle for the rules, the exchanges and the fragmenter.
 * It supports bigint arithmetic, comparisons and the aggregates of its tests.
 */
import type { RowExpression, Variable } from "../../../src/planner/plan/typed-expression.ts";
import type { FragmentedPlan, PlanFragment } from "../../../src/planner/fragmenter/fragment.ts";
import {
  outputsOf,
  type AggregateCall,
  type AggregationNode,
  type JoinNode,
  type Ordering,
  type PlanNode,
  type SemiJoinNode,
} from "../../../src/planner/plan/node.ts";

export type Value = null | boolean | bigint | string;
export type Row = readonly Value[];
/** Rows by table name, values by column name. */
export type Data = Readonly<Record<string, readonly Readonly<Record<string, Value>>[]>>;

interface Task {
  readonly data: Data;
  /** The task number and the task count, which select a part of a table. */
  readonly part: number;
  readonly parts: number;
  readonly remote: (node: PlanNode & { kind: "RemoteSource" }) => readonly Row[];
  /** Keys of the build side in this task, by dynamic filter id. */
  readonly built: Map<string, ReadonlySet<Value>>;
}

type Values = ReadonlyMap<string, Value>;

/** Runs all rows in one task. */
export function runPlan(plan: PlanNode, data: Data): readonly Row[] {
  const remote = () => {
    throw new Error("a plan in one piece");
  };
  return run(plan, { data, part: 0, parts: 1, remote, built: new Map() });
}

/** Runs every distributed stage in `taskCount` tasks. */
export function runFragments(plan: FragmentedPlan, data: Data, taskCount: number): readonly Row[] {
  /** By fragment and consumer partition. */
  const outputs = new Map<number, readonly (readonly Row[])[]>();
  const tasksOf = (fragment: PlanFragment) => (fragment.partitioning === "SOURCE" || fragment.partitioning === "HASH" ? taskCount : 1);
  for (const fragment of [...plan.fragments].reverse()) {
    const partitions: Row[][] = Array.from({ length: taskCount }, () => []);
    for (let part = 0; part < tasksOf(fragment); part += 1) {
      const remote = (node: PlanNode & { kind: "RemoteSource" }) => node.fragmentIds.flatMap((id) => outputs.get(id)?.[part] ?? []);
      const rows = run(fragment.root, {
        data,
        part,
        parts: tasksOf(fragment),
        built: new Map(),
        remote: (node) => ordered(remote(node), node.orderBy, node.outputs),
      });
      rows.forEach((row, index) => {
        for (const target of targets(fragment, row, index, taskCount)) {
          partitions[target]?.push(row);
        }
      });
    }
    outputs.set(fragment.id, partitions);
  }
  return outputs.get(0)?.[0] ?? [];
}

function targets(fragment: PlanFragment, row: Row, index: number, taskCount: number): readonly number[] {
  const { outputPartitioning } = fragment;
  switch (outputPartitioning.kind) {
    case "SINGLE":
      return [0];
    case "BROADCAST":
      return Array.from({ length: taskCount }, (_, i) => i);
    case "ROUND_ROBIN":
      return [index % taskCount];
    case "HASH": {
      const names = outputsOf(fragment.root).map((output) => output.name);
      const key = outputPartitioning.keys.map((variable) => String(row[names.indexOf(variable.name)])).join("|");
      return [Array.from(key).reduce((hash, character) => (hash * 31 + character.charCodeAt(0)) % 65521, 7) % taskCount];
    }
  }
}

function run(node: PlanNode, task: Task): readonly Row[] {
  switch (node.kind) {
    case "TableScan": {
      const rows = task.data[node.table.name.table] ?? [];
      return rows
        .filter((_row, index) => index % task.parts === task.part)
        .map((row) => node.columns.map((column) => row[column.name] ?? null))
        .filter((row) =>
          (node.dynamicFilters ?? []).every(({ id, variable }) => {
            const built = task.built.get(id);
            if (built === undefined) {
              throw new Error(`${id} is not built when ${node.id} reads`);
            }
            return built.has(bind(node, row).get(variable.name) ?? null);
          }),
        );
    }
    case "Values":
      return node.rows.map((row) => row.map((cell) => evaluate(cell, new Map())));
    case "Filter":
      return run(node.source, task).filter((row) => evaluate(node.predicate, bind(node.source, row)) === true);
    case "Project":
      return run(node.source, task).map((row) => node.assignments.map((a) => evaluate(a.expression, bind(node.source, row))));
    case "Aggregation":
      return aggregate(node, run(node.source, task));
    case "GroupId":
      return run(node.source, task).flatMap((row) => {
        const values = bind(node.source, row);
        return node.sets.map((set, number) => [
          ...row,
          ...node.columns.map(({ output, input }) => (set.includes(output.name) ? (values.get(input.name) ?? null) : null)),
          BigInt(number),
        ]);
      });
    case "MarkDistinct": {
      const seen = new Set<string>();
      return run(node.source, task).map((row) => {
        const key = keyOf(node.keys.map((k) => bind(node.source, row).get(k.name) ?? null));
        const fresh = !seen.has(key);
        seen.add(key);
        return [...row, fresh];
      });
    }
    case "Join": {
      const right = run(node.right, task);
      publish(node, node.right, right, task);
      return join(node, run(node.left, task), right);
    }
    case "SemiJoin": {
      if (node.build === "SOURCE") {
        const source = run(node.source, task);
        publish(node, node.source, source, task);
        const keys = new Set(run(node.filtering, task).map((row) => bind(node.filtering, row).get(node.filteringKey.name) ?? null));
        return source.map((row) => {
          const key = bind(node.source, row).get(node.sourceKey.name) ?? null;
          return [...row, key !== null && keys.has(key)];
        });
      }
      const filtering = run(node.filtering, task);
      publish(node, node.filtering, filtering, task);
      const items = filtering.map((row) => bind(node.filtering, row).get(node.filteringKey.name) ?? null);
      return run(node.source, task).map((row) => [...row, isIn(bind(node.source, row).get(node.sourceKey.name) ?? null, items)]);
    }
    case "EnforceSingleRow": {
      const rows = run(node.source, task);
      return rows.length === 0 ? [outputsOf(node).map(() => null)] : rows;
    }
    case "Sort":
      return ordered(run(node.source, task), node.orderBy, outputsOf(node));
    case "TopN": {
      const rows = ordered(run(node.source, task), node.orderBy, outputsOf(node));
      const keys = (row: Row | undefined) => (row === undefined ? "" : keyOf(pick(node.source, row, orderedBy(node.orderBy))));
      return rows.filter((row, index) => index < node.count || (node.withTies === true && keys(row) === keys(rows[node.count - 1])));
    }
    case "Unnest":
      return run(node.source, task).flatMap((row) => {
        const count = Number(bind(node.source, row).get(node.count.name) ?? 0n);
        return Array.from({ length: Math.max(0, count) }, () => row);
      });
    case "Limit":
      return run(node.source, task).slice(0, node.count);
    case "Offset":
      return run(node.source, task).slice(node.count);
    case "Union":
      return node.sources.flatMap((source, index) => run(source, task).map((row) => pick(source, row, node.sourceVariables[index] ?? [])));
    case "Output":
      return run(node.source, task).map((row) => pick(node.source, row, node.outputs));
    case "RemoteSource":
      return task.remote(node);
    default:
      throw new Error(`no meaning for ${node.kind}`);
  }
}

function orderedBy(orderBy: readonly Ordering[]): readonly Variable[] {
  return orderBy.map((ordering) => ordering.variable);
}

function bind(node: PlanNode, row: Row): Values {
  return new Map(outputsOf(node).map((output, index) => [output.name, row[index] ?? null]));
}

function pick(node: PlanNode, row: Row, variables: readonly Variable[]): Row {
  const values = bind(node, row);
  return variables.map((variable) => values.get(variable.name) ?? null);
}

export function keyOf(row: Row): string {
  return JSON.stringify(row.map(String));
}

function compareValues(a: Value, b: Value): number {
  if (a === null || b === null) {
    return a === b ? 0 : a === null ? 1 : -1;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

function ordered(rows: readonly Row[], orderBy: readonly Ordering[] | undefined, outputs: readonly Variable[]): readonly Row[] {
  if (orderBy === undefined) {
    return rows;
  }
  const keys = orderBy.map((ordering) => ({ ...ordering, index: outputs.findIndex((output) => output.name === ordering.variable.name) }));
  return rows.toSorted((a, b) => {
    for (const { index, descending, nullsFirst } of keys) {
      const [x, y] = [a[index] ?? null, b[index] ?? null];
      const order = x === null || y === null ? compareValues(x, y) * (nullsFirst ? -1 : 1) : compareValues(x, y) * (descending ? -1 : 1);
      if (order !== 0) {
        return order;
      }
    }
    return 0;
  });
}

function publish({ dynamicFilters = {} }: JoinNode | SemiJoinNode, build: PlanNode, rows: readonly Row[], task: Task): void {
  for (const [id, { name }] of Object.entries(dynamicFilters)) {
    const keys = rows.map((row) => bind(build, row).get(name) ?? null);
    task.built.set(id, new Set(keys.filter((key) => key !== null)));
  }
}

function join(node: JoinNode, left: readonly Row[], right: readonly Row[]): readonly Row[] {
  const out: Row[] = [];
  const matchedRight = new Set<number>();
  const emit = (l: Row | undefined, r: Row | undefined) => {
    const values = new Map([...(l ? bind(node.left, l) : []), ...(r ? bind(node.right, r) : [])]);
    out.push(node.outputs.map((output) => values.get(output.name) ?? null));
  };
  for (const l of left) {
    let matched = false;
    right.forEach((r, index) => {
      const values = new Map([...bind(node.left, l), ...bind(node.right, r)]);
      const keysMatch = node.criteria.every(
        (c) => values.get(c.left.name) !== null && values.get(c.left.name) === values.get(c.right.name),
      );
      if (!keysMatch || (node.filter !== undefined && evaluate(node.filter, values) !== true)) {
        return;
      }
      matched = true;
      matchedRight.add(index);
      emit(l, r);
    });
    if (!matched && (node.type === "LEFT" || node.type === "FULL")) {
      emit(l, undefined);
    }
  }
  if (node.type === "RIGHT" || node.type === "FULL") {
    right.forEach((r, index) => {
      if (!matchedRight.has(index)) {
        emit(undefined, r);
      }
    });
  }
  return out;
}

function aggregate(node: AggregationNode, rows: readonly Row[]): readonly Row[] {
  const groups = new Map<string, { keys: Row; rows: Values[] }>();
  if (node.keys.length === 0 && node.step !== "PARTIAL") {
    groups.set("[]", { keys: [], rows: [] });
  }
  const { globalSets } = node;
  for (const number of node.step === "FINAL" ? [] : (globalSets?.numbers ?? [])) {
    const keys = node.keys.map((key) => (key.name === globalSets?.groupId.name ? BigInt(number) : null));
    groups.set(keyOf(keys), { keys, rows: [] });
  }
  for (const row of rows) {
    const values = bind(node.source, row);
    const keys = node.keys.map((key) => values.get(key.name) ?? null);
    const group = groups.get(keyOf(keys)) ?? { keys, rows: [] };
    groups.set(keyOf(keys), group);
    group.rows.push(values);
  }
  return [...groups.values()].map((group) => [
    ...group.keys,
    ...node.aggregates.flatMap((call) => aggregateOne(call, node.step, group.rows)),
  ]);
}

/** count and sum have one intermediate column each here; the further ones of a real implementation are NULL. */
function aggregateOne(call: AggregateCall, step: AggregationNode["step"], rows: readonly Values[]): Row {
  const first = call.intermediates?.[0];
  const kept = step === "FINAL" ? rows : rows.filter((values) => call.mask === undefined || values.get(call.mask.name) === true);
  const values = kept.map((row): Value => {
    if (step === "FINAL") {
      return first === undefined ? null : (row.get(first.name) ?? null);
    }
    return call.args[0] === undefined ? 1n : evaluate(call.args[0], row);
  });
  const present = values.filter((value) => value !== null);
  const result = reduceValues(call.name, step, present);
  if (step !== "PARTIAL") {
    return [result];
  }
  return (call.intermediates ?? []).map((_variable, index) => (index === 0 ? result : null));
}

function reduceValues(name: string, step: AggregationNode["step"], present: readonly Exclude<Value, null>[]): Value {
  const sum = () => present.reduce((total: bigint, value) => total + (value as bigint), 0n);
  switch (name) {
    case "count":
      return step === "FINAL" ? sum() : BigInt(present.length);
    case "sum":
      return present.length === 0 ? null : sum();
    case "min":
      return present.toSorted(compareValues)[0] ?? null;
    case "arbitrary":
      return present[0] ?? null;
    case "max":
      return present.toSorted(compareValues).at(-1) ?? null;
    default:
      throw new Error(`no meaning for ${name}`);
  }
}

function isIn(value: Value, items: readonly Value[]): Value {
  if (items.length === 0) {
    return false;
  }
  if (value === null) {
    return null;
  }
  return items.includes(value) ? true : items.includes(null) ? null : false;
}

function evaluate(expression: RowExpression, values: Values): Value {
  switch (expression.kind) {
    case "variable": {
      const value = values.get(expression.name);
      if (value === undefined) {
        throw new Error(`${expression.name} is not bound`);
      }
      return value;
    }
    case "constant":
      if (typeof expression.value === "number") {
        return BigInt(expression.value);
      }
      return expression.type.kind === "bigint" && expression.value !== null ? BigInt(expression.value) : expression.value;
    case "cast":
      return evaluate(expression.arg, values);
    case "call":
      return call(
        expression.name,
        expression.args.map((arg) => evaluate(arg, values)),
      );
    case "special":
      return form(expression, values);
    case "lambda":
      throw new Error("a lambda is no value");
  }
}

function call(name: string, args: readonly Value[]): Value {
  const [a = null, b = null] = args;
  if (name === "$distinct") {
    return a !== b;
  }
  if (a === null || (args.length > 1 && b === null)) {
    return null;
  }
  switch (name) {
    case "$not":
      return a !== true;
    case "$add":
      return (a as bigint) + (b as bigint);
    case "$subtract":
      return (a as bigint) - (b as bigint);
    case "$multiply":
      return (a as bigint) * (b as bigint);
    case "$eq":
      return a === b;
    case "$ne":
      return a !== b;
    case "$lt":
      return compareValues(a, b) < 0;
    case "$le":
      return compareValues(a, b) <= 0;
    case "$gt":
      return compareValues(a, b) > 0;
    case "$ge":
      return compareValues(a, b) >= 0;
    default:
      throw new Error(`no meaning for ${name}`);
  }
}

function form(expression: RowExpression & { kind: "special" }, values: Values): Value {
  const { args } = expression;
  const value = (index: number): Value => {
    const arg = args[index];
    return arg === undefined ? null : evaluate(arg, values);
  };
  switch (expression.form) {
    case "AND":
    case "OR": {
      const decider = expression.form === "OR";
      const all = args.map((_arg, index) => value(index));
      return all.includes(decider) ? decider : all.includes(null) ? null : !decider;
    }
    case "IF":
      return value(0) === true ? value(1) : value(2);
    case "SWITCH": {
      const chosen = args.findIndex((_arg, index) => index % 2 === 0 && index < args.length - 1 && value(index) === true);
      return value(chosen < 0 ? args.length - 1 : chosen + 1);
    }
    case "COALESCE":
      return args.map((_arg, index) => value(index)).find((v) => v !== null) ?? null;
    case "IS_NULL":
      return value(0) === null;
    case "IN":
      return isIn(
        value(0),
        args.slice(1).map((_arg, index) => value(index + 1)),
      );
    default:
      throw new Error(`no meaning for ${expression.form}`);
  }
}
