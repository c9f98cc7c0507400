/**
 * Window functions that are not aggregates. Rank functions are computed from the bounds of partition and peer group. Value functions pick a
 * row for each row; their column is the argument's column read through these picks, so nothing is copied.
 */
import { outputArgumentsBytes, writeOutputArguments } from "../../expressions/columns.ts";
import type { Address } from "../../../memory/memory.ts";
import { type Column, pageRowsMax } from "../../../page/page.ts";
import type { Constant, Variable } from "../../../planner/plan/typed-expression.ts";
import type { WindowCall } from "../../../planner/plan/node.ts";
import { assert, QueryError } from "../../../protocol/errors.ts";
import { BIGINT, DOUBLE, physicalType, physicalWidth } from "../../../types/type.ts";
import { KernelByLayout, PageArguments } from "../kernel-cache.ts";
import type { FrameContext, Frames } from "./frames.ts";
import { pickKernel } from "./kernels.ts";
import { type Chunk, isNegativeCount, isNullCount, RowCounts, type WindowRows } from "./rows.ts";

/** Computes the column of a function chunk by chunk; the column is valid until the next call. */
export interface WindowEvaluator {
  column(chunk: Chunk): Column;
}

export interface ValueContext extends FrameContext {
  readonly frames: Frames;
  /** Row of the store that is all NULL. */
  readonly nullRow: number;
  /** Positions where the argument is not NULL; undefined with RESPECT NULLS. */
  readonly known: KnownPositions | undefined;
}

type Rank = (chunk: Chunk, write: (index: number, value: number) => void) => void;

/** `carried` rows and groups of peers of the first partition come before the rows. */
export function createRanking(
  call: WindowCall,
  context: FrameContext,
  carried: { readonly rows: number; readonly groups: number } = { rows: 0, groups: 0 },
): WindowEvaluator {
  const { rows, bounds } = context;
  const { u32 } = rows.memory.linear;
  const at = (base: Address, index: number): number => u32[(base >>> 2) + index] as number;
  const before = (index: number): number => (at(bounds.partitionStarts, index) === 0 ? carried.rows : 0);
  const rank = (index: number): number => at(bounds.peerStarts, index) - at(bounds.partitionStarts, index) + before(index);
  const size = (index: number): number => at(bounds.partitionEnds, index) - at(bounds.partitionStarts, index);
  const each =
    (value: (index: number, position: number) => number): Rank =>
    ({ first, count }, write) => {
      for (let index = 0; index < count; index++) {
        write(index, value(index, first + index));
      }
    };
  switch (call.name) {
    case "row_number":
      return new Counted(
        rows,
        each((index, position) => position - at(bounds.partitionStarts, index) + before(index) + 1),
      );
    case "rank":
      return new Counted(
        rows,
        each((index) => rank(index) + 1),
      );
    case "dense_rank":
      return new Counted(
        rows,
        each((index) => at(bounds.groups, index) + (at(bounds.partitionStarts, index) === 0 ? carried.groups : 0) + 1),
      );
    case "percent_rank":
      return new Measured(
        rows,
        each((index) => (size(index) === 1 ? 0 : rank(index) / (size(index) - 1))),
      );
    case "cume_dist":
      return new Measured(
        rows,
        each((index) => (at(bounds.peerEnds, index) - at(bounds.partitionStarts, index)) / size(index)),
      );
    case "ntile":
      return new Buckets(call, context);
    default:
      assert(false, `${call.name} is no window function`);
  }
}

/** bigint results below 2^53. */
class Counted implements WindowEvaluator {
  readonly #values: Address;
  readonly #words: Uint32Array;

  readonly #rank: Rank;

  constructor(rows: WindowRows, rank: Rank) {
    this.#rank = rank;

    this.#values = rows.memory.allocate(8 * pageRowsMax);
    this.#words = rows.memory.linear.u32;
  }

  column(chunk: Chunk): Column {
    const first = this.#values >>> 2;
    this.#rank(chunk, (index, value) => {
      this.#words[first + 2 * index] = value >>> 0;
      this.#words[first + 2 * index + 1] = Math.floor(value / 0x1_0000_0000);
    });
    return { type: BIGINT, values: this.#values, nulls: 0, ids: 0, length: chunk.count };
  }
}

class Measured implements WindowEvaluator {
  readonly #values: Address;
  readonly #doubles: Float64Array;

  readonly #rank: Rank;

  constructor(rows: WindowRows, rank: Rank) {
    this.#rank = rank;

    this.#values = rows.memory.allocate(8 * pageRowsMax);
    this.#doubles = rows.memory.linear.f64;
  }

  column(chunk: Chunk): Column {
    const first = this.#values >>> 3;
    this.#rank(chunk, (index, value) => {
      this.#doubles[first + index] = value;
    });
    return { type: DOUBLE, values: this.#values, nulls: 0, ids: 0, length: chunk.count };
  }
}

class Buckets implements WindowEvaluator {
  readonly #rows: WindowRows;
  readonly #counted: Counted;
  readonly #nulls: Address;

  constructor(call: WindowCall, { rows, bounds }: FrameContext) {
    const { u8, u32 } = rows.memory.linear;
    const buckets = new RowCounts(rows, call.args[0] as Variable | Constant);
    this.#rows = rows;
    this.#nulls = rows.memory.allocate(pageRowsMax);
    this.#counted = new Counted(rows, ({ first, count }, write) => {
      const order = (rows.order >>> 2) + first;
      for (let index = 0; index < count; index++) {
        const many = buckets.at(u32[order + index] as number);
        u8[this.#nulls + index] = many === isNullCount ? 1 : 0;
        if (many === isNegativeCount || many === 0) {
          throw new QueryError("INVALID_FUNCTION_ARGUMENT", "Buckets must be greater than 0");
        }
        const start = u32[(bounds.partitionStarts >>> 2) + index] as number;
        const size = (u32[(bounds.partitionEnds >>> 2) + index] as number) - start;
        write(index, many === isNullCount ? 0 : bucketOf(first + index - start, size, many));
      }
    });
  }

  column(chunk: Chunk): Column {
    const column = this.#counted.column(chunk);
    const { u8 } = this.#rows.memory.linear;
    const found = u8.subarray(this.#nulls, this.#nulls + chunk.count).includes(1);
    return found ? { ...column, nulls: this.#nulls } : column;
  }
}

/** The first `size % buckets` buckets have one row more. */
function bucketOf(index: number, size: number, buckets: number): number {
  if (size < buckets) {
    return index + 1;
  }
  const small = Math.floor(size / buckets);
  const larger = size % buckets;
  const inLarger = larger * (small + 1);
  return index < inLarger ? Math.floor(index / (small + 1)) + 1 : larger + Math.floor((index - inLarger) / small) + 1;
}

/** The positions where a column is not NULL, over all partitions: IGNORE NULLS finds its rows in constant time. */
export class KnownPositions {
  readonly #words: Uint32Array;
  readonly #before: number;
  readonly #positions: number;

  constructor(rows: WindowRows, column: Column) {
    const { memory, rowCount, order } = rows;
    const { u8, u32 } = memory.linear;
    this.#words = u32;
    this.#before = memory.allocate(4 * (rowCount + 1)) >>> 2;
    this.#positions = memory.allocate(4 * Math.max(1, rowCount)) >>> 2;
    let count = 0;
    for (let position = 0; position < rowCount; position++) {
      u32[this.#before + position] = count;
      if (u8[column.nulls + (u32[(order >>> 2) + position] as number)] !== 1) {
        u32[this.#positions + count] = position;
        count++;
      }
    }
    u32[this.#before + rowCount] = count;
  }

  /** Number of known positions before `position`. */
  before(position: number): number {
    return this.#words[this.#before + position] as number;
  }

  position(number: number): number {
    return this.#words[this.#positions + number] as number;
  }
}

const nowhere = -1;

/** The position that a row's value comes from, or `nowhere`. `start` and `end` are its frame or, for lag and lead, its partition. */
type Pick = (place: { readonly position: number; readonly start: number; readonly end: number; readonly count: number }) => number;

const picks: Readonly<Record<string, Pick>> = Object.freeze({
  first_value: ({ start, end }) => (start < end ? start : nowhere),
  last_value: ({ start, end }) => (start < end ? end - 1 : nowhere),
  nth_value: ({ start, end, count }) => (count <= end - start ? start + count - 1 : nowhere),
  lag: ({ position, start, count }) => (count <= position - start ? position - count : nowhere),
  lead: ({ position, end, count }) => (count < end - position ? position + count : nowhere),
});

function knownPicks(known: KnownPositions): Readonly<Record<string, Pick>> {
  const within = (number: number, from: number, to: number): number => (number >= from && number < to ? known.position(number) : nowhere);
  return {
    first_value: ({ start, end }) => within(known.before(start), 0, known.before(end)),
    last_value: ({ start, end }) => within(known.before(end) - 1, known.before(start), known.before(end)),
    nth_value: ({ start, end, count }) => within(known.before(start) + count - 1, 0, known.before(end)),
    lag: ({ position, start, end, count }) =>
      count === 0 ? position : within(known.before(position) - count, known.before(start), known.before(end)),
    lead: ({ position, end, count }) => (count === 0 ? position : within(known.before(position + 1) + count - 1, 0, known.before(end))),
  };
}

/** first_value, last_value, nth_value, lag, lead. */
export class ValueFunction implements WindowEvaluator {
  readonly #call: WindowCall;
  readonly #context: ValueContext;
  readonly #pick: Pick;
  readonly #counts: RowCounts | undefined;
  readonly #rows: Address;
  readonly #defaults: Defaults | undefined;

  constructor(call: WindowCall, context: ValueContext) {
    const { rows, known } = context;
    this.#call = call;
    this.#context = context;
    this.#pick = (known === undefined ? picks : knownPicks(known))[call.name] as Pick;
    assert(this.#pick !== undefined, `${call.name} is no window function`);
    const [value, count, otherwise] = call.args as readonly [Variable, (Variable | Constant)?, Variable?];
    this.#counts = count === undefined ? undefined : new RowCounts(rows, count);
    this.#rows = rows.memory.allocate(4 * pageRowsMax);
    this.#defaults = otherwise === undefined ? undefined : new Defaults(context, value, otherwise);
  }

  column(chunk: Chunk): Column {
    const { rows, nullRow } = this.#context;
    const value = rows.column(this.#call.args[0] as Variable);
    // With a default column, the row after the last one marks the rows that need the default.
    const none = this.#defaults === undefined ? nullRow : nullRow + 1;
    this.#fill(chunk, none);
    return this.#defaults === undefined ? { ...value, ids: this.#rows } : this.#defaults.column(chunk, this.#rows, none);
  }

  #fill({ first, count }: Chunk, none: number): void {
    const { rows, bounds, frames, nullRow } = this.#context;
    const { u32 } = rows.memory.linear;
    const isNeighbour = this.#call.name === "lag" || this.#call.name === "lead";
    const starts = (isNeighbour ? bounds.partitionStarts : frames.starts) >>> 2;
    const ends = (isNeighbour ? bounds.partitionEnds : frames.ends) >>> 2;
    const [order, target] = [rows.order >>> 2, this.#rows >>> 2];
    const least = isNeighbour ? 0 : 1;
    for (let index = 0; index < count; index++) {
      const position = first + index;
      const many = this.#counts === undefined ? 1 : this.#counts.at(u32[order + position] as number);
      if (many === isNullCount) {
        u32[target + index] = nullRow;
        continue;
      }
      if (many < least) {
        throw new QueryError("INVALID_FUNCTION_ARGUMENT", `Offset must be at least ${least}`);
      }
      const from = this.#pick({ position, start: u32[starts + index] as number, end: u32[ends + index] as number, count: many });
      u32[target + index] = from === nowhere ? none : (u32[order + from] as number);
    }
  }
}

/** Values of two columns: picked rows, and the row's own default where nothing was picked. */
class Defaults {
  readonly #context: ValueContext;
  readonly #variables: readonly [value: Variable, otherwise: Variable];
  readonly #arguments: PageArguments;
  readonly #outputArguments: Address;
  readonly #kernels: KernelByLayout;
  readonly #values: Address;
  readonly #nulls: Address;

  constructor(context: ValueContext, value: Variable, otherwise: Variable) {
    const { memory } = context.rows;
    this.#context = context;
    this.#variables = [value, otherwise];
    this.#arguments = new PageArguments(memory, 2);
    this.#outputArguments = memory.allocate(outputArgumentsBytes(1));
    this.#kernels = new KernelByLayout(context.context.services.runtime, "window default", pickKernel);
    this.#values = memory.allocate(physicalWidth(physicalType(value.type)) * pageRowsMax);
    this.#nulls = memory.allocate(pageRowsMax);
  }

  column({ first, count }: Chunk, picked: Address, none: number): Column {
    const { rows } = this.#context;
    const columns = this.#variables.map((variable) => rows.column(variable));
    const page = { positionCount: count, selection: 0, columns };
    const nulls = columns.some((column) => column.nulls !== 0) ? this.#nulls : 0;
    writeOutputArguments(rows.memory.linear, this.#outputArguments, [{ values: this.#values, nulls }]);
    this.#kernels.for(page)(this.#arguments.write(page), rows.order, first, count, picked, none, this.#outputArguments);
    return { type: this.#variables[0].type, values: this.#values, nulls, ids: 0, length: count };
  }
}
