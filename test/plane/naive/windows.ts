/** Window functions, row by row: the frame of each row is found by looking at every row of its partition. */
import {
  type Ordering,
  outputsOf,
  type WindowBound,
  type WindowCall,
  type WindowFrame,
  type WindowNode,
} from "../../../src/planner/plan/node.ts";
import type { Variable } from "../../../src/planner/plan/typed-expression.ts";
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
    return partition.map(({ row }, index) => [
      ...row,
      ...node.functions.map((call) => callAt(call, { values, groups, orderBy: node.orderBy }, index)),
    ]);
  });
}

interface Partition {
  readonly values: readonly Bound[];
  /** Number of the peer group of each row. */
  readonly groups: readonly number[];
  readonly orderBy: readonly Ordering[];
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

interface Rows {
  /** The row whose frame it is. */
  readonly index: number;
  readonly other: number;
}

function isWithin({ type, start, end }: WindowFrame, partition: Partition, rows: Rows): boolean {
  const { values, groups } = partition;
  const { index, other } = rows;
  const place = (row: number): number => (type === "ROWS" ? row : (groups[row] ?? 0));
  const meets = (bound: WindowBound, sign: 1 | -1): boolean => {
    if (bound.range !== undefined) {
      return isNear(bound, partition, rows, sign);
    }
    const offset = bound.offset === undefined ? 0 : Number(evaluate(bound.offset, values[index] as Bound));
    switch (bound.type) {
      case "UNBOUNDED_PRECEDING":
      case "UNBOUNDED_FOLLOWING":
        return true;
      case "PRECEDING":
        return sign * (place(other) - (place(index) - offset)) >= 0;
      case "CURRENT_ROW":
        return sign * (place(other) - place(index)) >= 0;
      case "FOLLOWING":
        return sign * (place(other) - (place(index) + offset)) >= 0;
    }
  };
  return meets(start, 1) && meets(end, -1);
}

/** Whether the other row's key is not before a start (sign 1), or not behind an end (-1), at a distance. A NULL is near NULLs alone. */
function isNear({ offset, type }: WindowBound, { values, groups, orderBy }: Partition, { index, other }: Rows, sign: 1 | -1): boolean {
  const [{ variable, descending, nullsFirst }] = orderBy as [Ordering];
  const [own, theirs] = [index, other].map((row) => values[row]?.get(variable.name) ?? null);
  if (own === null) {
    return sign * ((groups[other] ?? 0) - (groups[index] ?? 0)) >= 0;
  }
  if (theirs === null) {
    return nullsFirst === (sign === -1);
  }
  const away = BigInt(evaluate(offset as Variable, values[index] as Bound) as bigint) * (type === "PRECEDING" ? -1n : 1n);
  const distance = (BigInt(theirs as bigint) - BigInt(own as bigint)) * (descending ? -1n : 1n);
  return BigInt(sign) * (distance - away) >= 0n;
}

function overFrame(call: WindowCall, { values, groups, orderBy }: Partition, index: number): Value {
  const frame = values.filter((row, other) => {
    const isMasked = call.mask !== undefined && row.get(call.mask.name) !== true;
    return !isMasked && isWithin(call.frame, { values, groups, orderBy }, { index, other });
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
