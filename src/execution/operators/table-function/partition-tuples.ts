/**
 * The units that a table function runs over: tuples with one partition of each input. Partitions of copartitioned inputs are matched by
 * their keys; all others form a cross product. An input without a partition of the key, or without rows, contributes an empty partition. If
 * it is declared PRUNE WHEN EMPTY, there is no such tuple.
 */
import type { KernelRuntime } from "../../../codegen/runtime.ts";
import type { MemoryContext, Address } from "../../../memory/memory.ts";
import type { Column } from "../../../page/page.ts";
import type { TableFunctionInput } from "../../../planner/plan/node.ts";
import { SortedRows } from "../sort/sorted-rows.ts";

/** Range of positions of an input in its sorted order; empty if both are equal. */
export interface PartitionRange {
  readonly first: number;
  readonly end: number;
}

const noRows: PartitionRange = Object.freeze({ first: 0, end: 0 });

export interface SortedInput {
  readonly input: TableFunctionInput;
  readonly rows: SortedRows;
  /** Channels of the partition keys in the store. */
  readonly keyChannels: readonly number[];
}

export interface TupleOptions {
  readonly runtime: KernelRuntime;
  readonly memory: MemoryContext;
  /** Sorted inputs. */
  readonly inputs: readonly SortedInput[];
  readonly copartitioned: readonly (readonly number[])[];
}

/** First position of each partition of an input, followed by the number of rows. */
class PartitionStarts {
  readonly count: number;
  readonly #memory: MemoryContext;
  readonly #starts: Address;

  constructor(memory: MemoryContext, rows: SortedRows) {
    this.#memory = memory;
    let count = 0;
    for (let first = 0; first < rows.rowCount; first = rows.partitionEnd(first)) {
      count++;
    }
    this.#starts = memory.allocate(4 * (count + 1));
    let word = this.#starts >>> 2;
    for (let first = 0; first < rows.rowCount; first = rows.partitionEnd(first)) {
      memory.linear.u32[word++] = first;
    }
    memory.linear.u32[word] = rows.rowCount;
    this.count = count;
  }

  range(partition: number): PartitionRange {
    const { u32 } = this.#memory.linear;
    const word = (this.#starts >>> 2) + partition;
    return { first: u32[word] as number, end: u32[word + 1] as number };
  }
}

/** Inputs whose partitions are matched with each other, and their tuples. */
interface Group {
  readonly places: readonly number[];
  readonly count: number;
  ranges(tuple: number): readonly PartitionRange[];
}

/** All tuples: one range per input. */
export function* partitionTuples(options: TupleOptions): Generator<readonly PartitionRange[] | undefined, void> {
  const { inputs, copartitioned } = options;
  const groups: Group[] = [];
  for (const places of copartitioned) {
    groups.push(yield* groupOf(options, places));
  }
  const paired = new Set(copartitioned.flat());
  for (const place of inputs.keys()) {
    if (!paired.has(place)) {
      groups.push(singleGroup(options, place));
    }
  }
  if (groups.some(({ count }) => count === 0)) {
    return;
  }
  const tuple: PartitionRange[] = inputs.map(() => noRows);
  const chosen = groups.map(() => 0);
  for (let isDone = false; !isDone; isDone = !advance(chosen, groups)) {
    for (const [index, group] of groups.entries()) {
      for (const [member, range] of group.ranges(chosen[index] as number).entries()) {
        tuple[group.places[member] as number] = range;
      }
    }
    yield [...tuple];
  }
}

/** Advances the last group first. Returns false when all groups were at their end. */
function advance(chosen: number[], groups: readonly Group[]): boolean {
  for (let index = groups.length - 1; index >= 0; index--) {
    const next = (chosen[index] as number) + 1;
    if (next < (groups[index] as Group).count) {
      chosen[index] = next;
      return true;
    }
    chosen[index] = 0;
  }
  return false;
}

/** A group of inputs that have no rows at all. */
function emptyGroup({ inputs }: TupleOptions, places: readonly number[]): Group {
  const isKept = places.every((place) => !(inputs[place] as SortedInput).input.prunesWhenEmpty);
  return { places, count: isKept ? 1 : 0, ranges: () => places.map(() => noRows) };
}

function singleGroup(options: TupleOptions, place: number): Group {
  const starts = new PartitionStarts(options.memory, (options.inputs[place] as SortedInput).rows);
  return starts.count === 0
    ? emptyGroup(options, [place])
    : { places: [place], count: starts.count, ranges: (tuple) => [starts.range(tuple)] };
}

/** Matches partitions by sorting the keys of all inputs together. Equal keys are ordered by input. */
function* groupOf(options: TupleOptions, places: readonly number[]): Generator<undefined, Group> {
  const { memory, runtime } = options;
  const members = places.map((place) => options.inputs[place] as SortedInput);
  const starts = members.map(({ rows }) => new PartitionStarts(memory, rows));
  const [first] = members as [SortedInput];
  const keys = new SortedRows({
    runtime,
    memory,
    types: first.input.partitionBy.map(({ type }) => type),
    partitionChannels: first.keyChannels.map((_, index) => index),
    orderChannels: [],
    order: [],
  });
  const begins: number[] = [];
  for (const [index, member] of members.entries()) {
    begins.push(keys.rowCount);
    yield* appendHeads(keys, member, starts[index] as PartitionStarts, memory);
  }
  if (keys.rowCount === 0) {
    keys.close();
    return emptyGroup(options, places);
  }
  yield* keys.sort();
  const ranges = yield* pair({ keys, members, starts, begins, memory });
  keys.close();
  return { places, ...ranges };
}

/** Appends the keys of each partition of a member. */
function* appendHeads(
  keys: SortedRows,
  { rows, keyChannels }: SortedInput,
  starts: PartitionStarts,
  memory: MemoryContext,
): Generator<undefined, void> {
  const stepRows = memory.knobs.value("sort-step-rows");
  const ids = memory.allocate(4 * stepRows);
  for (let begin = 0; begin < starts.count; begin += stepRows) {
    const count = Math.min(stepRows, starts.count - begin);
    for (let index = 0; index < count; index++) {
      memory.linear.u32[(ids >>> 2) + index] = rows.rowAt(starts.range(begin + index).first);
    }
    const columns = keyChannels.map((channel): Column => ({ ...rows.store.column(channel), ids }));
    keys.append({ positionCount: count, selection: 0, columns });
    yield undefined;
  }
  memory.free(ids);
}

interface Pairing {
  readonly keys: SortedRows;
  readonly members: readonly SortedInput[];
  readonly starts: readonly PartitionStarts[];
  /** The first row of each member among the keys. */
  readonly begins: readonly number[];
  readonly memory: MemoryContext;
}

/** For each key that forms a tuple, two words per member: first and end. */
function* pair(pairing: Pairing): Generator<undefined, Pick<Group, "count" | "ranges">> {
  const { begins, keys, members, memory, starts } = pairing;
  const words = 2 * members.length;
  const { u32 } = memory.linear;
  const stepRows = memory.knobs.value("sort-step-rows");
  let capacity = 64;
  let tuples = memory.allocate(4 * words * capacity);
  let count = 0;
  let steps = 0;
  for (let first = 0; first < keys.rowCount; ) {
    const end = keys.partitionEnd(first);
    const found = members.map(() => noRows);
    for (let position = first; position < end; position++) {
      const row = keys.rowAt(position);
      const member = begins.findLastIndex((begin) => begin <= row);
      found[member] = (starts[member] as PartitionStarts).range(row - (begins[member] as number));
    }
    first = end;
    if (members.every(({ input }, member) => !input.prunesWhenEmpty || found[member] !== noRows)) {
      if (count === capacity) {
        capacity *= 2;
        tuples = memory.reallocate(tuples, 4 * words * capacity);
      }
      u32.set(
        found.flatMap((range) => [range.first, range.end]),
        (tuples >>> 2) + words * count++,
      );
    }
    if (++steps % stepRows === 0) {
      yield undefined;
    }
  }
  const ranges = (tuple: number): readonly PartitionRange[] =>
    members.map((_, member) => {
      const word = (tuples >>> 2) + words * tuple + 2 * member;
      return { first: u32[word] as number, end: u32[word + 1] as number };
    });
  return { count, ranges };
}
