/**
 * Types that differ between the files of a table: the type of the table, and the values of a file in it.
 */
import type { Address, LinearMemory, MemoryContext } from "../../memory/memory.ts";
import type { Column } from "../../page/page.ts";
import { readValue, writeI128 } from "../../page/reader.ts";
import {
  arrayType,
  decimalPrecisionMax,
  decimalType,
  DOUBLE,
  INTEGER,
  isLongMoment,
  mapType,
  physicalType,
  physicalWidth,
  type RowField,
  rowType,
  sameType,
  type Type,
} from "../../types/type.ts";

const integerDigits: Readonly<Record<string, number>> = Object.freeze({ tinyint: 3, smallint: 5, integer: 10, bigint: 19 });
const integers = Object.keys(integerDigits);
/** Doubles hold powers of ten up to this one exactly. */
const exactPowerMax = 22;

/** A decimal that holds all values of an integer or a decimal type. */
function asDecimal(type: Type): { readonly precision: number; readonly scale: number } | undefined {
  if (type.kind === "decimal") {
    return type;
  }
  const precision = integerDigits[type.kind];
  return precision === undefined ? undefined : { precision, scale: 0 };
}

function isNumber(type: Type): boolean {
  return type.kind === "real" || type.kind === "double" || asDecimal(type) !== undefined;
}

/**
 * The narrowest type to which both widen, also inside of arrays, maps and rows: integers to wider integers, integers and decimals to
 * decimals, all numbers to double, timestamps to more digits, rows to the fields of both. The type of columns without values widens to
 * any. undefined if there is none.
 */
export function commonType(a: Type, b: Type): Type | undefined {
  if (sameType(a, b) || b.kind === "unknown") {
    return a;
  }
  if (a.kind === "unknown") {
    return b;
  }
  if (a.kind === "array" && b.kind === "array") {
    const element = commonType(a.element, b.element);
    return element && arrayType(element);
  }
  if (a.kind === "map" && b.kind === "map") {
    const [key, value] = [commonType(a.key, b.key), commonType(a.value, b.value)];
    return key && value && mapType(key, value);
  }
  if (a.kind === "row" && b.kind === "row") {
    return commonRow(a.fields, b.fields);
  }
  if (a.kind === "timestamp" && b.kind === "timestamp") {
    return a.precision > b.precision ? a : b;
  }
  if (!isNumber(a) || !isNumber(b)) {
    return undefined;
  }
  const [first, second] = [integers.indexOf(a.kind), integers.indexOf(b.kind)];
  if (first >= 0 && second >= 0) {
    return first > second ? a : b;
  }
  const [one, other] = [asDecimal(a), asDecimal(b)];
  if (one === undefined || other === undefined) {
    return DOUBLE;
  }
  const scale = Math.max(one.scale, other.scale);
  const precision = Math.max(one.precision - one.scale, other.precision - other.scale) + scale;
  return precision > decimalPrecisionMax ? undefined : decimalType(precision, scale);
}

function commonRow(first: readonly RowField[], second: readonly RowField[]): Type | undefined {
  const fields: RowField[] = [...first];
  for (const field of second) {
    const index = fieldOf(fields, field.name);
    const known = fields[index];
    const type = known === undefined ? field.type : commonType(known.type, field.type);
    if (type === undefined) {
      return undefined;
    }
    fields[known === undefined ? fields.length : index] = { ...(known ?? field), type };
  }
  return rowType(fields);
}

/** Position of the field of a name in any case; -1 if there is none. */
export function fieldOf(fields: readonly RowField[], name = ""): number {
  const exact = fields.findIndex((field) => (field.name ?? "") === name);
  return exact >= 0 ? exact : fields.findIndex((field) => (field.name ?? "").toLowerCase() === name.toLowerCase());
}

/** The type of a column of a table: without values in any file it is integer. */
export function settledType(type: Type): Type {
  switch (type.kind) {
    case "unknown":
      return INTEGER;
    case "array":
      return arrayType(settledType(type.element));
    case "map":
      return mapType(settledType(type.key), settledType(type.value));
    case "row":
      return rowType(type.fields.map((field) => ({ ...field, type: settledType(field.type) })));
    default:
      return type;
  }
}

/** Converts columns of one reader from the type of the file to that of the table. A result is valid until the next one. */
export class Widening {
  readonly #memory: MemoryContext;
  readonly #to: Type;
  #values: Address = 0;
  #capacity = 0;
  /** The dictionary whose entries are in `#values`. */
  #dictionary: Address = 0;

  constructor(memory: MemoryContext, to: Type) {
    this.#memory = memory;
    this.#to = to;
  }

  widen(column: Column): Column {
    const isKnown = column.ids !== 0 && column.values === this.#dictionary;
    if (!isKnown) {
      this.#convert(column);
      this.#dictionary = column.ids === 0 ? 0 : column.values;
    }
    return { ...column, type: this.#to, values: this.#values };
  }

  #convert(column: Column): void {
    const width = physicalWidth(physicalType(this.#to));
    if (column.length * width > this.#capacity) {
      if (this.#values !== 0) {
        this.#memory.free(this.#values);
      }
      this.#capacity = column.length * width;
      this.#values = this.#memory.allocate(this.#capacity);
    }
    widenValues(this.#memory.linear, column, { type: this.#to, values: this.#values });
  }
}

/** Converts all values of a column, also those that are NULL. */
export function widenValues(
  linear: LinearMemory,
  from: Pick<Column, "type" | "values" | "length">,
  to: Pick<Column, "type" | "values">,
): void {
  const page = { positionCount: from.length, selection: 0, columns: [{ ...from, ids: 0, nulls: 0 }] };
  const write = writerOf(linear, from.type, to.type, to.values);
  for (let index = 0; index < from.length; index++) {
    write(index, readValue(linear, page, 0, index) as number | bigint);
  }
}

type Write = (index: number, value: number | bigint) => void;

function writerOf(linear: LinearMemory, from: Type, to: Type, values: Address): Write {
  const { view } = linear;
  const at = (index: number): Address => values + index * physicalWidth(physicalType(to));
  if (to.kind === "double") {
    const scale = from.kind === "decimal" ? from.scale : 0;
    return (index, value) => view.setFloat64(at(index), doubleOf(value, scale), true);
  }
  if (to.kind === "timestamp") {
    return isLongMoment(to) && !isLongMoment(from)
      ? (index, value) => writeI128(linear, at(index), BigInt(value) << 64n)
      : (index, value) =>
          isLongMoment(to) ? writeI128(linear, at(index), BigInt(value)) : view.setBigInt64(at(index), BigInt(value), true);
  }
  const factor = 10n ** BigInt((asDecimal(to)?.scale ?? 0) - (asDecimal(from)?.scale ?? 0));
  switch (physicalType(to)) {
    case "i16":
      return (index, value) => view.setInt16(at(index), Number(value), true);
    case "i32":
      return (index, value) => view.setInt32(at(index), Number(value), true);
    case "i64":
      return (index, value) => view.setBigInt64(at(index), BigInt(value) * factor, true);
    default:
      return (index, value) => writeI128(linear, at(index), BigInt(value) * factor);
  }
}

/** The nearest double. */
function doubleOf(value: number | bigint, scale: number): number {
  if (scale === 0) {
    return Number(value);
  }
  const number = Number(value);
  return Number.isSafeInteger(number) && scale <= exactPowerMax ? number / 10 ** scale : Number(`${value}e-${scale}`);
}
