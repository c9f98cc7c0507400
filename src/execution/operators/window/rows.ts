/**
 * The rows of a window operator after sorting: bounds of partitions and peer groups, and the frames of a chunk of rows. Positions count in
 * the sorted order, over all partitions. A chunk is the rows of one output page.
 */
import type { MemoryContext, Address } from "../../../memory/memory.ts";
import { type Column, pageRowsMax } from "../../../page/page.ts";
import type { Constant, Variable } from "../../../planner/plan/typed-expression.ts";
import { newPartition, newPeers } from "./kernels.ts";

/**
 * Columns of the store by variable, and rows by position. The u32 arrays have one entry per row of the chunk (word indexes, not addresses).
 */
export interface WindowRows {
  readonly memory: MemoryContext;
  readonly rowCount: number;
  readonly order: Address;
  /** The current column: addresses change when a row is added. */
  column(variable: Variable): Column;
}

export interface Chunk {
  readonly first: number;
  readonly count: number;
}

/** Peers that are filled with one call for each array, which costs as much as some rows. */
const manyPeers = 64;

/** Bounds of the partition and of the peer group of each row of the chunk, as positions. Chunks are filled one after the other. */
export class ChunkBounds {
  readonly partitionStarts: Address;
  readonly partitionEnds: Address;
  readonly peerStarts: Address;
  readonly peerEnds: Address;
  /** Number of the row's peer group in the partition, from 0. */
  readonly groups: Address;
  readonly #memory: MemoryContext;
  readonly #flags: Address;
  readonly #rowCount: number;
  #partitionStart = 0;
  #partitionEnd = 0;
  #peerStart = 0;
  #peerEnd = 0;
  #group = -1;

  constructor(memory: MemoryContext, flags: Address, rowCount: number) {
    this.#memory = memory;
    this.#flags = flags;
    this.#rowCount = rowCount;
    const words = (): Address => memory.allocate(4 * pageRowsMax);
    [this.partitionStarts, this.partitionEnds, this.peerStarts, this.peerEnds, this.groups] = [words(), words(), words(), words(), words()];
  }

  fill({ first, count }: Chunk): void {
    const { u32 } = this.#memory.linear;
    for (let index = 0; index < count; ) {
      const position = first + index;
      if (position === this.#partitionEnd) {
        this.#partitionStart = position;
        this.#partitionEnd = this.#next(position + 1, newPartition);
        this.#peerEnd = position;
        this.#group = -1;
      }
      if (position === this.#peerEnd) {
        this.#peerStart = position;
        this.#peerEnd = this.#next(position + 1, newPeers);
        this.#group++;
      }
      const peers = Math.min(count, this.#peerEnd - first) - index;
      if (peers >= manyPeers) {
        this.#fillPeers(index, peers);
        index += peers;
        continue;
      }
      u32[(this.partitionStarts >>> 2) + index] = this.#partitionStart;
      u32[(this.partitionEnds >>> 2) + index] = this.#partitionEnd;
      u32[(this.peerStarts >>> 2) + index] = this.#peerStart;
      u32[(this.peerEnds >>> 2) + index] = this.#peerEnd;
      u32[(this.groups >>> 2) + index] = this.#group;
      index++;
    }
  }

  #fillPeers(index: number, peers: number): void {
    const { u32 } = this.#memory.linear;
    for (const [words, value] of [
      [this.partitionStarts, this.#partitionStart],
      [this.partitionEnds, this.#partitionEnd],
      [this.peerStarts, this.#peerStart],
      [this.peerEnds, this.#peerEnd],
      [this.groups, this.#group],
    ] as const) {
      u32.fill(value, (words >>> 2) + index, (words >>> 2) + index + peers);
    }
  }

  /** The first position from `from` whose flag is `least` or more. */
  #next(from: number, least: number): number {
    const { u8 } = this.#memory.linear;
    let position = from;
    while (position < this.#rowCount && (u8[this.#flags + position] as number) < least) {
      position++;
    }
    return position;
  }
}

/** The first position of each peer group over all partitions, followed by the number of rows. */
export class GroupStarts {
  readonly count: number;
  readonly #memory: MemoryContext;
  readonly #starts: Address;

  constructor(memory: MemoryContext, flags: Address, rowCount: number) {
    this.#memory = memory;
    const { u8, u32 } = memory.linear;
    let count = 0;
    for (let position = 0; position < rowCount; position++) {
      count += (u8[flags + position] as number) >= newPeers ? 1 : 0;
    }
    this.#starts = memory.allocate(4 * (count + 1));
    let word = this.#starts >>> 2;
    for (let position = 0; position < rowCount; position++) {
      if ((u8[flags + position] as number) >= newPeers) {
        u32[word++] = position;
      }
    }
    u32[word] = rowCount;
    this.count = count;
  }

  start(group: number): number {
    return this.#memory.linear.u32[(this.#starts >>> 2) + group] as number;
  }

  /** The peer group that begins at this position. */
  find(position: number): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.start(middle) < position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

export const isNullCount = -2;
export const isNegativeCount = -1;

/** A number of rows, groups or buckets: a constant, or a bigint column of the store. */
export class RowCounts {
  readonly #linear: MemoryContext["linear"];
  readonly #written: bigint | null;
  readonly #constant: number;
  readonly #column: Column | undefined;

  constructor(rows: WindowRows, source: Variable | Constant) {
    this.#linear = rows.memory.linear;
    this.#written = source.kind !== "constant" || source.value === null ? null : BigInt(source.value);
    this.#constant = countOf(this.#written);
    this.#column = source.kind === "constant" ? undefined : rows.column(source);
  }

  /** The count at a row of the store, or isNullCount or isNegativeCount. */
  at(row: number): number {
    if (this.#column === undefined) {
      return this.#constant;
    }
    const { values, nulls } = this.#column;
    if (nulls !== 0 && this.#linear.u8[nulls + row] === 1) {
      return isNullCount;
    }
    const word = (values >>> 2) + 2 * row;
    const high = this.#linear.i32[word + 1] as number;
    if (high < 0) {
      return isNegativeCount;
    }
    return high > 0 ? Number.MAX_SAFE_INTEGER : (this.#linear.u32[word] as number);
  }

  /** The original value, negative or not, for messages. */
  given(row: number): bigint | null {
    return this.#column === undefined ? this.#written : (this.#linear.i64[(this.#column.values >>> 3) + row] as bigint);
  }
}

function countOf(value: bigint | null): number {
  if (value === null) {
    return isNullCount;
  }
  return value < 0n ? isNegativeCount : Number(value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : value);
}
