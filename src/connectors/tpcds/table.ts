/**
 * Parts of a generated table: cells, which compute the value of a column in the row at the cursor, and the cursor itself. Cells are created
 * only for the columns of a scan; draws that no column needs are skipped.
 */
import { assert } from "../../protocol/errors.ts";
import type { Type } from "../../types/type.ts";
import { BIGINT, charType, DATE, decimalType, INTEGER, varcharType } from "../../types/type.ts";
import type { UnitRange } from "../shared/split-units.ts";
import type { Dictionaries } from "./dictionaries.ts";
import type { Scale } from "./scale.ts";
import { RowStream } from "./streams.ts";

/** Precision of whole seconds. */
const TIME: Type = Object.freeze({ kind: "time", precision: 0 });

/** undefined is NULL. */
export type Cell =
  /** Integers, days since 1970, hundredths of decimals. */
  | { readonly kind: "number"; readonly value: () => number | undefined }
  /** Index of a word. */
  | { readonly kind: "word"; readonly words: readonly string[]; readonly value: () => number | undefined }
  | { readonly kind: "text"; readonly value: () => string | undefined };

export interface Cursor {
  /** 1-based: the row, or the order of the line. */
  row: number;
  /** 0-based line of the order. */
  line: number;
  /** 0-based, among the returned lines of the order. */
  returned: number;
  /** Different for each output row. */
  tick: number;
}

export interface TableContext {
  readonly scale: Scale;
  readonly dictionaries: Dictionaries;
  readonly cursor: Cursor;
  /** Permutation of the items of a scale, by the stream that draws it. */
  readonly permutation: (stream: number) => Int32Array;
}

/** dsdgen's rule for the NULLs of a row. */
export interface NullRule {
  readonly stream: number;
  readonly drawsPerRow: number;
  /** Fraction of the rows that have NULLs, in basis points. */
  readonly basisPoints: number;
  /** Bits of the columns that are never NULL. */
  readonly notNull: number;
}

export interface TableColumn {
  readonly name: string;
  readonly type: Type;
  /** Bit of the NULL rule: the column's index in the table unless dsdgen uses another order. */
  readonly bit: number;
}

export interface TpcdsTable {
  readonly name: string;
  readonly columns: readonly TableColumn[];
  /** Its primary key. */
  readonly key: (scale: Scale) => readonly string[] | undefined;
  readonly nulls?: NullRule;
  readonly rows: (scale: Scale) => number;
  /** Number of units that splits are made of. */
  readonly units: (scale: Scale) => number;
  /** Maximum; 1 unless a unit is a group or an order. */
  readonly rowsPerUnit?: number;
  /** A whole scan is one split, because rows depend on all earlier rows. */
  readonly isSequential?: true;
  /** Moves the cursor to the next row; returns false after the last. */
  readonly advance: (context: TableContext, units: UnitRange) => () => boolean;
  /** The draw at which the NULLs of the row at the cursor begin. */
  readonly nullDraw?: (cursor: Cursor) => number;
  readonly cell: (context: TableContext) => (column: string) => Cell;
}

/** Columns of `name type` with the types of Trino's tpcds connector. `bits`: columns whose bits are not in column order. */
export function columnsOf(text: string, bits: Readonly<Record<string, number>> = {}): readonly TableColumn[] {
  return text
    .trim()
    .split(/\s*,\s*|\s*\n\s*/)
    .filter((entry) => entry !== "")
    .map((entry, index) => {
      const [name = "", type = ""] = entry.split(" ");
      return { name, type: typeOf(type), bit: bits[name] ?? index };
    });
}

function typeOf(text: string): Type {
  const [kind, length] = [text.charAt(0), Number(text.slice(1))];
  switch (kind) {
    case "k":
      return BIGINT;
    case "i":
      return INTEGER;
    case "d":
      return DATE;
    case "m":
      // Money. Percentages and hours use the same type with a smaller length.
      return decimalType(length, 2);
    case "t":
      return TIME;
    case "c":
      return charType(length);
    default:
      return varcharType(length);
  }
}

/** Consecutive rows: `rowsPerUnit` per unit, up to the last row of the table. */
export function rowByRow(rows: (scale: Scale) => number, rowsPerUnit = 1): TpcdsTable["advance"] {
  return ({ cursor, scale }, { first, count }) => {
    const last = Math.min((first + count) * rowsPerUnit, rows(scale));
    cursor.row = first * rowsPerUnit;
    return () => {
      cursor.row++;
      cursor.tick++;
      return cursor.row <= last;
    };
  };
}

/** Computes a value once per row for several columns. */
export function perRow<Value>(cursor: Cursor, compute: () => Value): () => Value {
  let tick = -1;
  let value: Value;
  return () => {
    if (tick !== cursor.tick) {
      tick = cursor.tick;
      value = compute();
    }
    return value;
  };
}

/** A stream positioned at the row of the cursor. */
export function streamAt(cursor: Cursor, column: number, drawsPerRow = 1): () => RowStream {
  const stream = new RowStream(column, drawsPerRow);
  return () => stream.at(cursor.row);
}

/** The bits of the NULL columns of the row at the cursor. */
export function nullBits(context: TableContext, rule: NullRule, firstDraw: (cursor: Cursor) => number): () => number {
  const { cursor } = context;
  const stream = new RowStream(rule.stream, rule.drawsPerRow);
  return perRow(cursor, () => {
    stream.at(cursor.row, firstDraw(cursor));
    const threshold = stream.uniform(0, 9999);
    const bitmap = stream.uniform(1, 2147483647);
    return threshold < rule.basisPoints ? bitmap & ~rule.notNull : 0;
  });
}

export function number(value: () => number | undefined): Cell {
  return { kind: "number", value };
}

export function word(words: readonly string[], value: () => number | undefined): Cell {
  return { kind: "word", words, value };
}

export function text(value: () => string | undefined): Cell {
  return { kind: "text", value };
}

/** The same value in every row. */
export function constantText(value: string): Cell {
  return { kind: "word", words: [value], value: () => 0 };
}

const flagWords: readonly string[] = ["N", "Y"];

export function flag(value: () => boolean): Cell {
  return { kind: "word", words: flagWords, value: () => (value() ? 1 : 0) };
}

/** Cells by column name, each created on demand. */
export function cellsByName(cells: Readonly<Record<string, () => Cell>>): (column: string) => Cell {
  const byName = new Map(Object.entries(cells));
  return (column) => {
    const make = byName.get(column);
    assert(make !== undefined, `no generator for column ${column}`);
    return make();
  };
}
