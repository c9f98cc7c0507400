/** Window functions, row by row: the frame of each row is found by looking at every row of its partition. */
import { outputsOf, type WindowBound, type WindowCall, type WindowNode } from "../../../src/planner/plan/node.ts";
import { type Bound, bind, compareRows, evaluate, reduce } from "./expressions.ts";
import { keyOf, type Row, type Value } from "../values.ts";

export function evaluateWindow(node: WindowNode, rows: readonly Row[]): readonly Row[] {
  const outputs = outputsOf(node.source);
  const byPartition = node.partitionBy.map((variable) => ({ variable, descending: false, nullsFirst: false }));
  const bound = rows.map((row) => ({ row, values: bind(outputs, row) }));
  const ordered = bound.toSorted((a, b) => compareRows(a.values, b.values, [...byPartition, ...node.orderBy]));
  const partitions = new Map<string, { readonly row: Row; readonly values: Bound }[]>();
  for (const one of ordered) {
    const key = keyOf(node.partitionBy.map(({ name }) => one.values.get(name) ?? null));
    const partition = partitions.get(key) ?? [];
    partition.push(one);
    partitions.set(key, partition);
  }
  return [...partitions.values()].flatMap((partition) => {
    const values = partition.map((one) => one.values);
    const groups: number[] = [];
    values.forEach((row, index) => {
      const before = values[index - 1];
      const isPeer = before !== undefined && compareRows(before, row, node.orderBy) === 0;
      groups.push(before === undefined ? 0 : (groups[index - 1] ?? 0) + Number(!isPeer));
    });
    return partition.map(({ row }, index) => [...row, ...node.functions.map((call) => callAt(call, { values, groups }, index))]);
  });
}

interface Partition {
  readonly values: readonly Bound[];
  /** Number of the peer group of each row. */
  readonly groups: readonly number[];
}

function callAt(call: WindowCall, partition: Partition, index: number): Value {
  const { values, groups } = partition;
  const group = groups[index] ?? 0;
  const before = groups.filter((other) => other < group).length;
  const upTo = groups.filter((other) => other <= group).length;
  switch (call.name) {
    case "row_number":
      return BigInt(index + 1);
    case "rank":
      return BigInt(before + 1);
    case "dense_rank":
      return BigInt(group + 1);
    case "percent_rank":
      return values.length === 1 ? 0 : before / (values.length - 1);
    case "cume_dist":
      return upTo / values.length;
    case "lag":
    case "lead":
      return neighbour(call, partition, index);
    default:
      return overFrame(call, partition, index);
  }
}

function argument({ args }: WindowCall, row: Bound): Value {
  const [arg] = args;
  return arg === undefined ? null : evaluate(arg, row);
}

function neighbour(call: WindowCall, { values }: Partition, index: number): Value {
  const offset = call.args[1] === undefined ? 1 : Number(evaluate(call.args[1], new Map()));
  const step = call.name === "lag" ? -1 : 1;
  if (offset === 0) {
    return argument(call, values[index] as Bound);
  }
  let left = offset;
  for (let place = index + step; place >= 0 && place < values.length; place += step) {
    const value = argument(call, values[place] as Bound);
    if (call.ignoreNulls && value === null) {
      continue;
    }
    left--;
    if (left === 0) {
      return value;
    }
  }
  return null;
}

function overFrame(call: WindowCall, { values, groups }: Partition, index: number): Value {
  const { type, start, end } = call.frame;
  const place = (row: number): number => (type === "ROWS" ? row : (groups[row] ?? 0));
  const limitOf = (bound: WindowBound): number => {
    const offset = bound.offset === undefined ? 0 : Number(evaluate(bound.offset, values[index] as Bound));
    switch (bound.type) {
      case "UNBOUNDED_PRECEDING":
        return Number.NEGATIVE_INFINITY;
      case "PRECEDING":
        return place(index) - offset;
      case "CURRENT_ROW":
        return place(index);
      case "FOLLOWING":
        return place(index) + offset;
      case "UNBOUNDED_FOLLOWING":
        return Number.POSITIVE_INFINITY;
    }
  };
  const [first, last] = [limitOf(start), limitOf(end)];
  const frame = values.filter((row, other) => {
    const isMasked = call.mask !== undefined && row.get(call.mask.name) !== true;
    return place(other) >= first && place(other) <= last && !isMasked;
  });
  if (call.name === "count" && call.args.length === 0) {
    return BigInt(frame.length);
  }
  const all = frame.map((row) => argument(call, row));
  const present = all.filter((value) => value !== null);
  switch (call.name) {
    case "first_value":
      return (call.ignoreNulls ? present : all)[0] ?? null;
    case "last_value":
      return (call.ignoreNulls ? present : all).at(-1) ?? null;
    case "nth_value":
      return (call.ignoreNulls ? present : all)[Number(evaluate(call.args[1] as never, new Map())) - 1] ?? null;
    default:
      return reduce(call.name, present);
  }
}
