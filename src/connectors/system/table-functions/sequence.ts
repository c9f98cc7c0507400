/**
 * `TABLE(sequence(start, stop, step))`: a bigint column of numbers from `start` to `stop`, in splits. Nothing is stored: a split is its
 * first number and its count. The function is in schema `builtin` of catalog `system`, whose functions need no qualification.
 */
import type { MemoryContext, Address } from "../../../memory/memory.ts";
import type { Column, Page } from "../../../page/page.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { type DoubleRange, doubleRangeOf } from "../../../types/domain/double-range.ts";
import type { DomainValue } from "../../../types/domain/range.ts";
import { BIGINT } from "../../../types/type.ts";
import {
  alwaysTrue,
  type Constraint,
  type Json,
  type PageSource,
  type PageSourceRequest,
  type Split,
  type TableMetadata,
} from "../../spi.ts";
import { scalarArgument, type SourceTableFunction, type TableFunctionArguments } from "../../table-function.ts";

const columnName = "sequential_number";
const rowsPerSplit = 1_000_000n;
/** Maximum number of splits; a longer sequence has longer splits. */
const splitsMax = 4096n;

/** The `count` numbers first, first + step, ...; at least one. As digits in JSON. */
interface Progression {
  readonly first: bigint;
  readonly step: bigint;
  readonly count: bigint;
}

type Digits = { readonly [name in keyof Progression]: string };

function toJson({ first, step, count }: Progression): Json {
  return { first: first.toString(), step: step.toString(), count: count.toString() };
}

function fromJson(json: Json): Progression {
  const { first, step, count } = json as unknown as Digits;
  return { first: BigInt(first), step: BigInt(step), count: BigInt(count) };
}

function at({ first, step }: Progression, index: bigint): bigint {
  return first + index * step;
}

function lastOf(numbers: Progression): bigint {
  return at(numbers, numbers.count - 1n);
}

/** The ends in ascending order. */
function boundsOf(numbers: Progression): readonly [low: bigint, high: bigint] {
  return numbers.step < 0n ? [lastOf(numbers), numbers.first] : [numbers.first, lastOf(numbers)];
}

function argumentsOf(args: TableFunctionArguments): Progression {
  const valueOf = (name: string, text: string): bigint => {
    const value = scalarArgument(args, name);
    if (value === null) {
      throw new QueryError("INVALID_FUNCTION_ARGUMENT", `${text} is null`);
    }
    return BigInt(value);
  };
  const first = valueOf("START", "Start");
  const stop = valueOf("STOP", "Stop");
  const step = valueOf("STEP", "Step");
  if (first < stop && step <= 0n) {
    throw new QueryError("INVALID_FUNCTION_ARGUMENT", `Step must be positive for sequence [${first}, ${stop}]`);
  }
  if (first > stop && step >= 0n) {
    throw new QueryError("INVALID_FUNCTION_ARGUMENT", `Step must be negative for sequence [${first}, ${stop}]`);
  }
  return first === stop ? { first, step: 1n, count: 1n } : { first, step, count: (stop - first) / step + 1n };
}

export const sequenceFunction: SourceTableFunction = Object.freeze({
  kind: "SOURCE",
  schema: "builtin",
  name: "sequence",
  parameters: [
    { kind: "SCALAR", name: "START", type: BIGINT, default: "0" },
    { kind: "SCALAR", name: "STOP", type: BIGINT },
    { kind: "SCALAR", name: "STEP", type: BIGINT, default: "1" },
  ],
  analyze: async (args: TableFunctionArguments) => {
    const numbers = argumentsOf(args);
    const [low, high] = boundsOf(numbers);
    const rowCount = Number(numbers.count);
    return {
      table: {
        name: { schema: "builtin", table: "sequence" },
        columns: [{ name: columnName, type: BIGINT }],
        handle: { sequence: toJson(numbers) },
        uniqueKeys: [[columnName]],
      },
      statistics: {
        rowCount,
        columns: { [columnName]: { distinctValues: rowCount, nullsFraction: 0, low: Number(low), high: Number(high), averageBytes: 8 } },
      },
    };
  },
} satisfies SourceTableFunction);

/** undefined if the handle is that of a table. */
function numbersOf(handle: Json): Progression | undefined {
  const isOwn = typeof handle === "object" && handle !== null && "sequence" in handle;
  return isOwn ? fromJson(handle["sequence"] as Json) : undefined;
}

/** Margin for a bound that was rounded to a double: the largest possible rounding error. */
function withRounding(bound: number): bigint {
  return BigInt(Math.ceil(Math.abs(bound) / 2 ** 50)) + 1n;
}

/** The numbers within a range; undefined if there are none. */
function narrow(numbers: Progression, { low = -Infinity, high = Infinity }: DoubleRange): Progression | undefined {
  const [least, most] = boundsOf(numbers);
  const from = Number.isFinite(low) ? BigInt(Math.floor(low)) - withRounding(low) : least;
  const to = Number.isFinite(high) ? BigInt(Math.ceil(high)) + withRounding(high) : most;
  const [begin, end] = numbers.step < 0n ? [to, from] : [from, to];
  const skipped = (begin - numbers.first) / numbers.step;
  const reached = (end - numbers.first) / numbers.step;
  const start = skipped < 0n ? 0n : skipped;
  const last = reached >= numbers.count ? numbers.count - 1n : reached;
  const isOutside = numbers.step < 0n ? numbers.first < from : numbers.first > to;
  return last < start || isOutside ? undefined : { ...numbers, first: at(numbers, start), count: last - start + 1n };
}

/** The values that occur in the sequence, in its order; they may be far apart. */
function splitsOfValues(numbers: Progression, values: readonly DomainValue[]): readonly Split[] {
  const { count, first, step } = numbers;
  return values
    .map((value) => BigInt(value) - first)
    .filter((distance) => distance % step === 0n)
    .map((distance) => distance / step)
    .filter((index) => index >= 0n && index < count)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((index) => ({ payload: toJson({ first: at(numbers, index), step, count: 1n }), rows: 1 }));
}

/** undefined if the table is not the result of this function. */
export function sequenceSplits(table: TableMetadata, { summary }: Constraint = alwaysTrue): readonly Split[] | undefined {
  const numbers = numbersOf(table.handle);
  if (numbers === undefined) {
    return undefined;
  }
  const filter = summary.domainOf(columnName)?.values;
  const values = filter?.discreteValues;
  if (values !== undefined && values.length <= splitsMax) {
    return splitsOfValues(numbers, values);
  }
  const range = filter === undefined ? {} : doubleRangeOf(filter);
  const kept = range === undefined ? undefined : narrow(numbers, range);
  if (kept === undefined) {
    return [];
  }
  const even = (kept.count + splitsMax - 1n) / splitsMax;
  const size = even > rowsPerSplit ? even : rowsPerSplit;
  const splits: Split[] = [];
  for (let index = 0n; index < kept.count; index += size) {
    const count = index + size < kept.count ? size : kept.count - index;
    splits.push({ payload: toJson({ first: at(kept, index), step: kept.step, count }), rows: Number(count) });
  }
  return splits;
}

/** undefined if the request is for a table. */
export function sequencePages({ table, split, columns, memory }: PageSourceRequest): PageSource | undefined {
  return numbersOf(table) === undefined ? undefined : new SequencePageSource(fromJson(split), columns.length, memory);
}

class SequencePageSource implements PageSource {
  readonly #memory: MemoryContext;
  readonly #columnCount: number;
  readonly #pageRows: number;
  #rest: Progression;
  #values: Address = 0;
  #completedBytes = 0;
  #closed = false;

  constructor(numbers: Progression, columnCount: number, memory: MemoryContext) {
    this.#rest = numbers;
    this.#columnCount = columnCount;
    this.#memory = memory;
    this.#pageRows = memory.knobs.value("page-rows");
  }

  get finished(): boolean {
    return this.#closed || this.#rest.count === 0n;
  }

  get completedBytes(): number {
    return this.#completedBytes;
  }

  blocked(): undefined {
    return undefined;
  }

  nextPage(): Page | undefined {
    if (this.finished) {
      return undefined;
    }
    const { count, step } = this.#rest;
    const rows = count < this.#pageRows ? Number(count) : this.#pageRows;
    if (this.#columnCount > 0) {
      this.#fill(rows);
      this.#completedBytes += 8 * rows;
    }
    this.#rest = { first: at(this.#rest, BigInt(rows)), step, count: count - BigInt(rows) };
    const column: Column = { type: BIGINT, values: this.#values, nulls: 0, ids: 0, length: rows };
    return { positionCount: rows, selection: 0, columns: Array.from({ length: this.#columnCount }, () => column) };
  }

  #fill(rows: number): void {
    this.#values ||= this.#memory.allocate(8 * this.#pageRows);
    const { linear } = this.#memory;
    const { first, step } = this.#rest;
    const last = at(this.#rest, BigInt(rows - 1));
    if (![first, last, last - first].every((value) => Number.isSafeInteger(Number(value)))) {
      for (let row = 0; row < rows; row++) {
        linear.i64[(this.#values >>> 3) + row] = at(this.#rest, BigInt(row));
      }
      return;
    }
    const [start, by] = [Number(first), Number(step)];
    for (let row = 0, word = this.#values >>> 2; row < rows; row++, word += 2) {
      const value = start + row * by;
      linear.u32[word] = value % 4294967296;
      linear.i32[word + 1] = Math.floor(value / 4294967296);
    }
  }

  close(): void {
    this.#closed = true;
    if (this.#values !== 0) {
      this.#memory.free(this.#values);
      this.#values = 0;
    }
  }
}
