/**
 * What a table function sees and returns, from the rules of SQL for table arguments: partitions of one table, of copartitioned tables with
 * equal keys, and of other tables in every combination. A table without rows has one empty partition, unless it is pruned.
 */
import { outputsOf, type TableFunctionInput, type TableFunctionNode } from "../../../src/planner/plan/node.ts";
import { keyOf, type Row, type Value } from "../values.ts";
import { bind, type Bound, sorted } from "./expressions.ts";

/** Rows of one table argument in one invocation, in its order. */
interface Partition {
  readonly key: string;
  readonly rows: readonly Bound[];
}

/** One partition of each table; absent if the keys of its group are those of another table alone. */
type Invocation = readonly (Partition | undefined)[];

export function evaluateTableFunction(node: TableFunctionNode, tables: readonly (readonly Row[])[]): readonly Row[] {
  return invocationsOf(node, tables)
    .filter((invocation) => node.inputs.every((input, index) => !input.prunesWhenEmpty || (invocation[index]?.rows.length ?? 0) > 0))
    .flatMap((invocation) => call(node, invocation));
}

function partitionsOf(node: TableFunctionNode, index: number, rows: readonly Row[]): readonly Partition[] {
  const input = node.inputs[index] as TableFunctionInput;
  const outputs = outputsOf(node.sources[index] as TableFunctionNode["sources"][number]);
  const byKey = new Map<string, Bound[]>();
  for (const row of sorted(rows, outputs, input.orderBy)) {
    const values = bind(outputs, row);
    const key = keyOf(input.partitionBy.map(({ name }) => values.get(name) ?? null));
    byKey.set(key, [...(byKey.get(key) ?? []), values]);
  }
  return [...byKey].map(([key, own]) => ({ key, rows: own }));
}

function invocationsOf(node: TableFunctionNode, tables: readonly (readonly Row[])[]): readonly Invocation[] {
  const [first = [], second] = tables.map((rows, index) => partitionsOf(node, index, rows));
  const orEmpty = (partitions: readonly Partition[]): readonly (Partition | undefined)[] =>
    partitions.length === 0 ? [undefined] : partitions;
  if (second === undefined) {
    return orEmpty(first).map((partition) => [partition]);
  }
  if (node.copartitioned.length === 0) {
    return orEmpty(first).flatMap((left) => orEmpty(second).map((right) => [left, right]));
  }
  const keys = new Set([...first, ...second].map(({ key }) => key));
  const of = (partitions: readonly Partition[], key: string): Partition | undefined => partitions.find((one) => one.key === key);
  return keys.size === 0 ? [[undefined, undefined]] : [...keys].map((key) => [of(first, key), of(second, key)]);
}

/** The functions of the test connector. */
function call({ function: { handle, name }, inputs }: TableFunctionNode, invocation: Invocation): readonly Row[] {
  const passed = (index: number, row: Bound | undefined): readonly Value[] =>
    (inputs[index] as TableFunctionInput).passed.map((variable) => row?.get(variable.name) ?? null);
  const [first] = invocation;
  switch (name) {
    case "identity_pass_through_function":
    case "repeat":
      return (first?.rows ?? []).flatMap((row) => Array.from({ length: Number(handle ?? 1) }, () => passed(0, row)));
    case "test_input":
      return [[first !== undefined, ...passed(0, first?.rows[0])]];
    case "pass_through":
      return [[...invocation.map((one) => one !== undefined), ...invocation.flatMap((one, index) => passed(index, one?.rows.at(-1)))]];
    default:
      throw new Error(`no meaning for ${name}`);
  }
}
