/**
 * Types that differ between the files of a table: the type of the table, and the values of a file in it.
 */
import type { Address, LinearMemory, MemoryContext } from "../../memory/memory.ts";
import type { Column } from "../../page/page.ts";
import { readValue, writeI128 } from "../../page/reader.ts";
import {
  decimalPrecisionMax,
  decimalType,
  DOUBLE,
  isLongMoment,
  physicalType,
  physicalWidth,
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
 * The narrowest type to which both widen: integers to wider integers, integers and decimals to decimals, all numbers to double, timestamps
 * to more digits. undefined if there is none.
 */
export function commonType(a: Type, b: Type): Type | undefined {
  if (sameType(a, b)) {
    return a;
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
    const { linear } = this.#memory;
    const page = { positionCount: column.length, selection: 0, columns: [{ ...column, ids: 0, nulls: 0 }] };
    const write = writerOf(linear, column.type, this.#to, this.#values);
    for (let index = 0; index < column.length; index++) {
      write(index, readValue(linear, page, 0, index) as number | bigint);
    }
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
