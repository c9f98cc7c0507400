/**
 * Columns that are not stored in a file: those of the folders `key=value` on the way to it, and hidden ones that describe it.
 */
import { ownMember } from "../../types/own.ts";
import type { Address, MemoryContext } from "../../memory/memory.ts";
import { type Column, type Page, pageRowsMax } from "../../page/page.ts";
import { writeI128 } from "../../page/reader.ts";
import { domainValueOf } from "../../types/domain/texts.ts";
import { TupleDomain } from "../../types/domain/tuple-domain.ts";
import { BIGINT, DATE, isZoned, physicalType, physicalWidth, type Type, VARCHAR } from "../../types/type.ts";
import { encodeUtf8 } from "../../types/utf8.ts";
import { zonedMoment, utcKey } from "../../types/time/zones.ts";
import { ChangedPages } from "../shared/changed-pages.ts";
import type { ColumnMetadata, Constraint, PageSource } from "../spi.ts";
import type { TableFile } from "./folder.ts";
import { fitsBigint, parseInteger } from "./text/literals.ts";
import { parseDate } from "./text/moments.ts";

export const rowNumberColumn = "$row_number";

const modifiedType: Type = Object.freeze({ kind: "timestamp with time zone", precision: 3 });

/** Hidden as in Trino; `$row_number` counts from 1. */
export const hiddenColumns: readonly ColumnMetadata[] = Object.freeze([
  { name: "$path", type: VARCHAR, hidden: true },
  { name: "$file_size", type: BIGINT, hidden: true },
  { name: "$file_modified_time", type: modifiedType, hidden: true },
  { name: rowNumberColumn, type: BIGINT, hidden: true },
]);

/** Keys of all files, in order of first appearance, with the narrowest type that holds all values: bigint, date, varchar. */
export function partitionColumns(files: readonly TableFile[]): readonly ColumnMetadata[] {
  const values = new Map<string, (string | null)[]>();
  for (const { partition } of files) {
    for (const [key, value] of partition) {
      const known = values.get(key);
      if (known === undefined) {
        values.set(key, [value]);
      } else {
        known.push(value);
      }
    }
  }
  return [...values].map(([name, found]) => ({ name, type: partitionType(found.filter((value) => value !== null)) }));
}

function partitionType(values: readonly string[]): Type {
  const isEach = (parses: (bytes: Uint8Array) => boolean): boolean =>
    values.length > 0 && values.every((value) => parses(encodeUtf8(value)));
  if (isEach((bytes) => isBigint(bytes))) {
    return BIGINT;
  }
  return isEach((bytes) => parseDate(bytes, 0, bytes.length) !== undefined) ? DATE : VARCHAR;
}

function isBigint(bytes: Uint8Array): boolean {
  const value = parseInteger(bytes, 0, bytes.length);
  return value !== undefined && fitsBigint(value);
}

/** Values by column, in the form of domains (types/domain/texts.ts); NULL as null. */
export type Constants = Readonly<Record<string, string | null>>;

/** The values of those of the columns that are not stored. `keys` are those of all files of the table. Row numbers are not constant. */
export function constantsOf(file: TableFile, columns: readonly ColumnMetadata[], keys: ReadonlySet<string>): Constants {
  return Object.fromEntries(
    columns.flatMap(({ name, type, hidden }) => {
      if (hidden === true) {
        const value = hiddenValue(file, name);
        return value === undefined ? [] : [[name, value] as const];
      }
      return keys.has(name) ? [[name, partitionValue(file.partition.get(name) ?? null, type)] as const] : [];
    }),
  );
}

function hiddenValue(file: TableFile, name: string): string | null | undefined {
  switch (name) {
    case "$path":
      return file.path;
    case "$file_size":
      return String(file.sizeBytes);
    case "$file_modified_time":
      return file.modifiedMillis === undefined ? null : String(zonedMoment(BigInt(file.modifiedMillis) * 1000n, utcKey));
    default:
      return undefined;
  }
}

function partitionValue(text: string | null, type: Type): string | null {
  const bytes = encodeUtf8(text ?? "");
  return text === null || type.kind !== "date" ? text : String(parseDate(bytes, 0, bytes.length));
}

/** Whether a file with these values may have rows that the constraint allows. */
export function mayMatch(constants: Constants, { summary }: Constraint): boolean {
  return Object.entries(constants).every(([name, text]) => {
    const domain = summary.domainOf(name);
    return domain === undefined || isZoned(domain.type) || domain.includes(text === null ? null : domainValueOf(domain.type, text));
  });
}

/** The constraint without these columns. */
export function withoutColumns(constraint: Constraint, names: ReadonlySet<string>): Constraint {
  if (![...constraint.summary.domains.keys()].some((name) => names.has(name))) {
    return constraint;
  }
  return { ...constraint, summary: TupleDomain.of([...constraint.summary.domains].filter(([name]) => !names.has(name))) };
}

export interface ConstantColumnsOptions {
  /** Reads the stored columns alone. */
  readonly source: PageSource;
  readonly columns: readonly ColumnMetadata[];
  readonly constants: Constants;
  /** Number of the first row of the split, from 1. */
  readonly firstRow: number;
  readonly memory: MemoryContext;
}

/** Adds the columns that are not stored to the pages of a source. */
export class ConstantColumns extends ChangedPages {
  readonly #columns: readonly ColumnMetadata[];
  readonly #constants: Constants;
  readonly #made = new Map<string, Column>();
  #ids: Address = 0;
  #numbers: Address = 0;
  #nextRow: number;

  constructor(options: ConstantColumnsOptions) {
    super(options);
    this.#columns = options.columns;
    this.#constants = options.constants;
    this.#nextRow = options.firstRow;
  }

  protected changed(page: Page): Page {
    let stored = 0;
    const columns = this.#columns.map((column) => {
      if (column.name === rowNumberColumn) {
        return this.#rowNumbers(page.positionCount);
      }
      const value = ownMember(this.#constants, column.name);
      return value === undefined ? (page.columns[stored++] as Column) : this.#constant(column, value);
    });
    this.#nextRow += page.positionCount;
    return { positionCount: page.positionCount, selection: 0, columns };
  }

  #rowNumbers(rows: number): Column {
    if (this.#numbers === 0) {
      this.#numbers = this.memory.allocate(pageRowsMax * 8);
    }
    const { i64 } = this.memory.linear;
    for (let row = 0; row < rows; row++) {
      i64[(this.#numbers >>> 3) + row] = BigInt(this.#nextRow + row);
    }
    return { type: BIGINT, values: this.#numbers, nulls: 0, ids: 0, length: rows };
  }

  /** A dictionary of one entry. */
  #constant({ name, type }: ColumnMetadata, text: string | null): Column {
    const known = this.#made.get(name);
    if (known !== undefined) {
      return known;
    }
    if (this.#ids === 0) {
      this.#ids = this.memory.allocateZeroed(pageRowsMax * 4);
    }
    const nulls = this.memory.allocateZeroed(1);
    this.memory.linear.u8[nulls] = text === null ? 1 : 0;
    const values = this.memory.allocateZeroed(physicalWidth(physicalType(type)));
    if (text !== null) {
      this.#write(type, values, text);
    }
    const column: Column = { type, values, nulls: text === null ? nulls : 0, ids: this.#ids, length: 1 };
    this.#made.set(name, column);
    return column;
  }

  #write(type: Type, values: Address, text: string): void {
    const { linear } = this.memory;
    switch (physicalType(type)) {
      case "bytes": {
        const bytes = encodeUtf8(text);
        const block = this.memory.allocate(Math.max(1, bytes.length));
        linear.u8.set(bytes, block);
        linear.u32[values >>> 2] = block;
        linear.u32[(values >>> 2) + 1] = bytes.length;
        return;
      }
      case "i8":
        linear.u8[values] = type.kind === "boolean" ? Number(text === "true") : Number(text);
        return;
      case "i16":
        linear.view.setInt16(values, Number(text), true);
        return;
      case "i32":
        linear.i32[values >>> 2] = Number(text);
        return;
      case "f32":
        linear.f32[values >>> 2] = Number(text);
        return;
      case "f64":
        linear.f64[values >>> 3] = Number(text);
        return;
      case "i128":
        return writeI128(linear, values, BigInt(text));
      default:
        linear.i64[values >>> 3] = BigInt(text);
    }
  }
}
