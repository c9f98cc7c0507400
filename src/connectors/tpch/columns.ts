/**
 * From random streams to the columns of a page, in the node's linear memory. A vector is a reusable buffer with a rule that fills it for
 * the next page. A column generator describes the filled buffers as a column of the page. Nothing is allocated per row.
 */
import type { MemoryContext } from "../../memory/memory.ts";
import type { Column } from "../../page/page.ts";
import type { Type } from "../../types/type.ts";
import { BIGINT, DATE, DOUBLE, INTEGER, varcharType } from "../../types/type.ts";
import { draw, nextSeed, seedOfRow } from "./random.ts";
import type { UnitRange } from "../shared/split-units.ts";
import type { Scale } from "./scale.ts";
import type { TextPool } from "./text-pool.ts";
import { copyOverrunBytes } from "./text-pool.ts";

/** Environment of a table's generator, for one split. */
export interface Generation {
  readonly memory: MemoryContext;
  readonly scale: Scale;
  readonly units: UnitRange;
  readonly text: TextPool;
  /** Rows of the largest page of this split. */
  readonly pageRows: number;
  /** double, or a short decimal with two fractional digits. */
  readonly moneyType: Type;
}

export interface PageShape {
  /** Page number, consecutive from 1. */
  readonly number: number;
  readonly rows: number;
}

/** Fills `values` for the page. It runs at most once per page, and on every page from the first one on. */
export interface Vector<Values, Shape extends PageShape = PageShape> {
  readonly values: Values;
  readonly fill: (page: Shape) => void;
}

export interface ColumnGenerator<Shape extends PageShape = PageShape> {
  /** The column of the next page. Called once for every page, in order. */
  (page: Shape): Column;
  /**
   * A bounded step of work that must precede the column; returns true when none is left. A caller with a time limit repeats it until then.
   */
  readonly prepare?: (page: Shape) => boolean;
}

/** The generator of a table's pages. `column` is called before the first page. */
export interface TableGenerator {
  /** undefined after the last page. */
  readonly nextPage: () => PageShape | undefined;
  readonly column: (name: string) => ColumnGenerator;
}

export function int32Buffer(generation: Generation, length: number): Int32Array {
  const start = generation.memory.allocate(length * 4) / 4;
  return generation.memory.linear.i32.subarray(start, start + length);
}

export function float64Buffer(generation: Generation, length: number): Float64Array {
  const start = generation.memory.allocate(length * 8) / 8;
  return generation.memory.linear.f64.subarray(start, start + length);
}

/** For a vector that several columns read: fills it once per page. */
export function shared<Values, Shape extends PageShape>(vector: Vector<Values, Shape>): Vector<Values, Shape> {
  let filled = 0;
  return {
    values: vector.values,
    fill: (page) => {
      if (filled !== page.number) {
        filled = page.number;
        vector.fill(page);
      }
    },
  };
}

function flat(type: Type, values: number, rows: number): Column {
  return { type, values, nulls: 0, ids: 0, length: rows };
}

export function bigintColumn<Shape extends PageShape>(
  generation: Generation,
  vector: Vector<Float64Array | Int32Array, Shape>,
): ColumnGenerator<Shape> {
  const out = int32Buffer(generation, generation.pageRows * 2);
  return (page) => {
    vector.fill(page);
    writeInt64(vector.values, page.rows, out);
    return flat(BIGINT, out.byteOffset, page.rows);
  };
}

function writeInt64(values: Float64Array | Int32Array, rows: number, out: Int32Array): void {
  for (let row = 0; row < rows; row++) {
    const value = values[row] as number;
    out[2 * row] = value | 0;
    out[2 * row + 1] = Math.floor(value / 4294967296);
  }
}

export function integerColumn<Shape extends PageShape>(vector: Vector<Int32Array, Shape>): ColumnGenerator<Shape> {
  return (page) => {
    vector.fill(page);
    return flat(INTEGER, vector.values.byteOffset, page.rows);
  };
}

export function dateColumn<Shape extends PageShape>(vector: Vector<Int32Array, Shape>): ColumnGenerator<Shape> {
  return (page) => {
    vector.fill(page);
    return flat(DATE, vector.values.byteOffset, page.rows);
  };
}

/** The vector holds hundredths. */
export function moneyColumn<Shape extends PageShape>(
  generation: Generation,
  vector: Vector<Float64Array | Int32Array, Shape>,
): ColumnGenerator<Shape> {
  const type = generation.moneyType;
  if (type.kind !== "double") {
    const decimals = bigintColumn(generation, vector);
    return (page) => ({ ...decimals(page), type });
  }
  const out = float64Buffer(generation, generation.pageRows);
  return (page) => {
    vector.fill(page);
    writeHundredths(vector.values, page.rows, out);
    return flat(DOUBLE, out.byteOffset, page.rows);
  };
}

function writeHundredths(values: Float64Array | Int32Array, rows: number, out: Float64Array): void {
  for (let row = 0; row < rows; row++) {
    out[row] = (values[row] as number) / 100;
  }
}

/** The vector holds word numbers. */
export function dictionaryColumn<Shape extends PageShape>(
  generation: Generation,
  lengthMax: number,
  words: readonly string[],
  vector: Vector<Int32Array, Shape>,
): ColumnGenerator<Shape> {
  const { linear } = generation.memory;
  const pairs = int32Buffer(generation, words.length * 2);
  let at = generation.memory.allocate(words.reduce((sum, word) => sum + word.length, 0));
  words.forEach((word, index) => {
    pairs[2 * index] = at;
    pairs[2 * index + 1] = word.length;
    at = writeAscii(linear.u8, at, word);
  });
  const type = varcharType(lengthMax);
  return (page) => {
    vector.fill(page);
    return { type, values: pairs.byteOffset, nulls: 0, ids: vector.values.byteOffset, length: words.length };
  };
}

/** Writes the strings of a page consecutively: the next string at `at`. Returns its end. */
export type StringWriter = (bytes: Uint8Array, at: number, row: number) => number;

export function stringColumn<Shape extends PageShape>(
  generation: Generation,
  lengthMax: number,
  bytesMax: number,
  write: StringWriter,
): ColumnGenerator<Shape> {
  const { linear } = generation.memory;
  const pairs = int32Buffer(generation, generation.pageRows * 2);
  const heap = generation.memory.allocate(generation.pageRows * bytesMax + copyOverrunBytes);
  const type = varcharType(lengthMax);
  return (page) => {
    let at = heap;
    for (let row = 0; row < page.rows; row++) {
      const end = write(linear.u8, at, row);
      // Addresses above 2^31 wrap to the same 32 bits.
      pairs[2 * row] = at;
      pairs[2 * row + 1] = end - at;
      at = end;
    }
    return flat(type, pairs.byteOffset, page.rows);
  };
}

export function writeAscii(bytes: Uint8Array, at: number, text: string): number {
  for (let i = 0; i < text.length; i++) {
    bytes[at + i] = text.charCodeAt(i);
  }
  return at + text.length;
}

/** Decimal digits, padded with zeros to `digits`. */
export function writeNumber(bytes: Uint8Array, at: number, value: number, digits: number): number {
  let length = digits;
  for (let bound = 10 ** digits; value >= bound; bound *= 10) {
    length++;
  }
  let rest = value;
  for (let i = at + length - 1; i >= at; i--) {
    const tenth = Math.floor(rest / 10);
    bytes[i] = 48 + rest - tenth * 10;
    rest = tenth;
  }
  return at + length;
}

/** One draw per row from a stream without gaps: low + [0, range). */
export function drawnInts(
  generation: Generation,
  options: { readonly seed: number; readonly firstDraw: number; readonly low: number; readonly range: number },
): Vector<Int32Array> {
  const values = int32Buffer(generation, generation.pageRows);
  const { low, range } = options;
  let seed = seedOfRow(options.seed, 1, options.firstDraw);
  return {
    values,
    fill: ({ rows }) => {
      let s = seed;
      for (let row = 0; row < rows; row++) {
        s = nextSeed(s);
        values[row] = low + draw(s, range);
      }
      seed = s;
    },
  };
}

/** The rows' keys: `first`, first + 1, ... */
export function ascendingKeys(generation: Generation, first: number): Vector<Float64Array> {
  const values = float64Buffer(generation, generation.pageRows);
  let next = first;
  return {
    values,
    fill: ({ rows }) => {
      for (let row = 0; row < rows; row++) {
        values[row] = next++;
      }
    },
  };
}
