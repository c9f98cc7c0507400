/**
 * Kernels that read the cells of a column into its values. Each takes the addresses of cells, kinds, values and nulls, the rows from and
 * to, the constants, and a parameter of the type. It stops at the first row whose text is not of the usual form, and returns that row: the
 * caller reads it with literals.ts or moments.ts. What a kernel reads is what those functions find.
 */
import {
  buildKernel,
  type CodeBuilder,
  f32,
  f64,
  type FunctionRef,
  i32,
  i32s,
  i64,
  i8x16,
  type KernelBuilder,
  type Label,
  type Local,
  select,
  v128,
} from "../../../../codegen/builder.ts";
import type { Expr, Kernel } from "../../../../codegen/ir.ts";
import { memEquals } from "../../../../codegen/library.ts";
import { microsPrecision, shortDecimalPrecisionMax, type Type } from "../../../../types/type.ts";
import { cell } from "../records.ts";
import { one, zero } from "./bytes.ts";
import { digitsFunction, digitsMax, eightDigitsFunction, readWritten } from "./numbers.ts";

/** Constants in linear memory: the powers of ten as i64, then as f64. */
const powersCount = 19;
const doublesAt = powersCount * 8;
export const constantsBytes: number = doublesAt * 2;

export function writeConstants(view: DataView, address: number): void {
  for (let exponent = 0; exponent < powersCount; exponent++) {
    view.setBigInt64(address + exponent * 8, 10n ** BigInt(exponent), true);
    view.setFloat64(address + doublesAt + exponent * 8, 10 ** exponent, true);
  }
}

export interface ValuesKernel {
  readonly name: string;
  readonly build: () => Kernel;
  readonly parameter: number;
}

/** Undefined for a type whose values are read one by one. */
export function valuesKernel(type: Type): ValuesKernel | undefined {
  switch (type.kind) {
    case "tinyint":
      return integers(1);
    case "smallint":
      return integers(2);
    case "integer":
      return integers(4);
    case "bigint":
      return integers(8);
    case "double":
      return { name: "doubles", build: () => doublesKernel(false), parameter: 0 };
    case "real":
      return { name: "reals", build: () => doublesKernel(true), parameter: 0 };
    case "decimal":
      return type.precision > shortDecimalPrecisionMax
        ? undefined
        : { name: "decimals", build: decimalsKernel, parameter: type.precision * 256 + type.scale };
    case "boolean":
      return { name: "booleans", build: booleansKernel, parameter: 0 };
    case "date":
      return { name: "dates", build: datesKernel, parameter: 0 };
    case "timestamp":
      return type.precision > microsPrecision ? undefined : { name: "timestamps", build: timestampsKernel, parameter: type.precision };
    default:
      return undefined;
  }
}

function integers(width: ValueWidth): ValuesKernel {
  return { name: `integers ${width}`, build: () => integersKernel(width), parameter: 0 };
}

interface Cell {
  readonly start: Local;
  readonly length: Local;
  /** Left if the text is not of the usual form. */
  readonly unusual: Label;
  readonly constants: Expr;
  readonly parameter: Expr;
  /** Address of the value. */
  readonly value: Expr;
}

type ValueWidth = 1 | 2 | 4 | 8;

function columnKernel(name: string, width: ValueWidth, read: (k: KernelBuilder) => (b: CodeBuilder, one: Cell) => void): Kernel {
  return buildKernel(`text ${name}`, (k) => {
    const readCell = read(k);
    k.entry({ params: i32s(8), result: "i32" }, (b, [cells, kinds, values, nulls, from, to, constants, parameter]) => {
      const start = b.local("i32");
      const length = b.local("i32");
      b.forRange(from, to, (row, next) => {
        const value = b.temp(i32.add(values, i32.mul(row, i32.const(width))));
        b.if_(i32.eqz(i32.load8u(i32.add(kinds, row))), () => {
          storeZero(b, value, width);
          b.store("i32.store8", i32.add(nulls, row), one);
          b.break_(next);
        });
        const place = b.temp(i32.add(cells, i32.shl(row, i32.const(3))));
        b.set(start, i32.load(place));
        b.set(length, i32.load(place, 4));
        b.block((unusual) => {
          readCell(b, { start, length, unusual, constants, parameter, value });
          b.store("i32.store8", i32.add(nulls, row), zero);
          b.break_(next);
        });
        b.return_(row);
      });
      b.return_(to);
    });
  });
}

function storeZero(b: CodeBuilder, value: Expr, width: ValueWidth): void {
  switch (width) {
    case 1:
      return b.store("i32.store8", value, zero);
    case 2:
      return b.store("i32.store16", value, zero);
    case 4:
      return b.store("i32.store", value, zero);
    case 8:
      return b.store("i64.store", value, i64.const(0n));
  }
}

/** 1 if there is a sign, which the cell loses. */
function takeSign(b: CodeBuilder, { start, length }: Cell): Expr {
  const isNegative = b.temp(i32.and(i32.eq(i32.load8u(start), i32.const(0x2d)), i32.ne(length, zero)));
  b.set(start, i32.add(start, isNegative));
  b.set(length, i32.sub(length, isNegative));
  return isNegative;
}

function isZeroDigit(start: Expr): Expr {
  return i32.eq(i32.load8u(start), i32.const(0x30));
}

function integersKernel(width: ValueWidth): Kernel {
  return columnKernel(`integers ${width}`, width, (k) => {
    const digits = digitsFunction(k);
    return (b, one) => {
      const { start, length, unusual, value } = one;
      const isNegative = takeSign(b, one);
      b.break_(unusual, i32.gtU(length, i32.const(digitsMax)));
      b.break_(unusual, i32.and(isZeroDigit(start), i32.or(isNegative, i32.gtU(length, i32.const(1)))));
      const found = b.temp(b.call(digits, start, length));
      b.break_(unusual, i64.ltS(found, i64.const(0n)));
      const number = b.temp(select(isNegative, i64.sub(i64.const(0n), found), found));
      switch (width) {
        case 8:
          return b.store("i64.store", value, number);
        case 4:
          b.break_(unusual, i64.ne(i64.extendI32S(i32.wrapI64(number)), number));
          return b.store("i64.store32", value, number);
        case 2:
          b.break_(unusual, i64.ne(i64.extendI32S(i32.extend16S(i32.wrapI64(number))), number));
          return b.store("i64.store16", value, number);
        case 1:
          b.break_(unusual, i64.ne(i64.extendI32S(i32.extend8S(i32.wrapI64(number))), number));
          return b.store("i64.store8", value, number);
      }
    };
  });
}

/** (start, length, at most 16) -> the index of the first point, or the length. */
function pointFunction(k: KernelBuilder): FunctionRef {
  return k.function_("point", { params: ["i32", "i32"], result: "i32" }, (b, [start, length]) => {
    const points = i8x16.bitmask(i8x16.eq(v128.load(start), i8x16.splat(i32.const(0x2e))));
    b.return_(i32.ctz(i32.or(points, i32.shl(one, length))));
  });
}

const writtenBytesMax = i32.const(16);
/** Doubles hold integers of this number of digits exactly. */
const exactDigits = i32.const(15);

function doublesKernel(isReal: boolean): Kernel {
  return columnKernel(isReal ? "reals" : "doubles", isReal ? 4 : 8, (k) => {
    const digits = digitsFunction(k);
    const point = pointFunction(k);
    return (b, one) => {
      const { start, length, unusual, value, constants } = one;
      const isNegative = takeSign(b, one);
      b.break_(unusual, i32.gtU(length, writtenBytesMax));
      const findPoint = (...text: readonly [Expr, Expr]) => b.call(point, ...text);
      const written = readWritten(b, { digits, findPoint }, { start, length, powers: constants });
      b.break_(unusual, i64.ltS(written.digits, i64.const(0n)));
      b.break_(unusual, i32.and(isZeroDigit(start), i32.gtU(written.whole, i32.const(1))));
      b.break_(unusual, i32.gtU(i32.add(written.whole, written.fraction), exactDigits));
      const power = f64.load(i32.add(constants, i32.shl(written.fraction, i32.const(3))), doublesAt);
      const number = b.temp(f64.div(f64.convertI64S(written.digits), power));
      const signed = select(isNegative, f64.neg(number), number);
      if (isReal) {
        b.store("f32.store", value, f32.demoteF64(signed));
      } else {
        b.store("f64.store", value, signed);
      }
    };
  });
}

function decimalsKernel(): Kernel {
  return columnKernel("decimals", 8, (k) => {
    const digits = digitsFunction(k);
    const point = pointFunction(k);
    return (b, one) => {
      const { start, length, unusual, value, constants, parameter } = one;
      const precision = i32.shrU(parameter, i32.const(8));
      const scale = i32.and(parameter, i32.const(0xff));
      const isNegative = takeSign(b, one);
      b.break_(unusual, i32.gtU(length, writtenBytesMax));
      const findPoint = (...text: readonly [Expr, Expr]) => b.call(point, ...text);
      const written = readWritten(b, { digits, findPoint }, { start, length, powers: constants });
      b.break_(unusual, i64.ltS(written.digits, i64.const(0n)));
      const missing = b.temp(i32.sub(scale, written.fraction));
      b.break_(unusual, i32.ltS(missing, zero));
      // So many digits fit into 64 bits.
      b.break_(unusual, i32.gtU(i32.add(i32.add(written.whole, written.fraction), missing), i32.const(digitsMax)));
      const powerOf = (exponent: Expr) => i64.load(i32.add(constants, i32.shl(exponent, i32.const(3))));
      const number = b.temp(i64.mul(written.digits, powerOf(missing)));
      b.break_(unusual, i64.geS(number, powerOf(precision)));
      b.store("i64.store", value, select(isNegative, i64.sub(i64.const(0n), number), number));
    };
  });
}

const lowerCase = i32.const(0x20202020);

/** true or false, in any case. */
function booleansKernel(): Kernel {
  return columnKernel("booleans", 1, () => (b, { start, length, unusual, value }) => {
    const word = b.temp(i32.or(i32.load(start), lowerCase));
    const isTrue = b.temp(i32.and(i32.eq(length, i32.const(4)), i32.eq(word, i32.const(0x65757274))));
    const lastByte = i32.or(i32.load8u(start, 4), i32.const(0x20));
    const isFalse = i32.and(i32.eq(length, i32.const(5)), i32.and(i32.eq(word, i32.const(0x736c6166)), i32.eq(lastByte, i32.const(0x65))));
    b.break_(unusual, i32.eqz(i32.or(isTrue, isFalse)));
    b.store("i32.store8", value, isTrue);
  });
}

const noDays = i32.const(-0x8000_0000);
/** Days from 0000-01-01 to 1970-01-01. */
const daysBeforeEpoch = 719528;

/** (start) -> days since 1970-01-01 of `YYYY-MM-DD`; the least i32 if there is no date of a year from 1 on. */
function daysFunction(k: KernelBuilder): FunctionRef {
  const eightDigits = eightDigitsFunction(k);
  return k.function_("days", { params: ["i32"], result: "i32" }, (b, [start]) => {
    const text = b.temp(i64.load(start));
    const dashes = i64.eq(i64.and(text, i64.const(0xff00_00ff_0000_0000n)), i64.const(0x2d00_002d_0000_0000n));
    b.if_(i32.eqz(dashes), () => b.return_(noDays));
    const year4 = i64.and(text, i64.const(0xffff_ffffn));
    const month2 = i64.and(i64.shrU(text, i64.const(8n)), i64.const(0xffff_0000_0000n));
    const day2 = i64.shl(i64.load16u(start, 8), i64.const(48n));
    const number = b.temp(i32.wrapI64(b.call(eightDigits, i64.or(year4, i64.or(month2, day2)))));
    b.if_(i32.ltS(number, i32.const(1_01_01)), () => b.return_(noDays));
    const year = b.temp(i32.divU(number, i32.const(10_000)));
    const month = b.temp(i32.remU(i32.divU(number, i32.const(100)), i32.const(100)));
    const day = b.temp(i32.remU(number, i32.const(100)));
    const isMultiple = (of: number) => i32.eqz(i32.remU(year, i32.const(of)));
    const leap = b.temp(i32.and(isMultiple(4), i32.or(i32.eqz(isMultiple(100)), isMultiple(400))));
    const monthDays = select(
      i32.eq(month, i32.const(2)),
      i32.add(i32.const(28), leap),
      i32.add(i32.const(30), i32.and(i32.add(month, i32.shrU(month, i32.const(3))), one)),
    );
    const isMonth = i32.and(i32.ltU(i32.sub(month, one), i32.const(12)), i32.ne(year, zero));
    b.if_(i32.eqz(i32.and(isMonth, i32.ltU(i32.sub(day, one), monthDays))), () => b.return_(noDays));
    const before = b.temp(i32.sub(year, one));
    const leapDays = i32.add(
      i32.sub(i32.divU(before, i32.const(4)), i32.divU(before, i32.const(100))),
      i32.add(i32.divU(before, i32.const(400)), one),
    );
    // As if February had 30 days, and then less its missing ones.
    const even = i32.divU(i32.sub(i32.mul(month, i32.const(367)), i32.const(362)), i32.const(12));
    const missing = select(i32.gtU(month, i32.const(2)), i32.sub(i32.const(2), leap), zero);
    const days = i32.add(i32.add(i32.mul(year, i32.const(365)), leapDays), i32.sub(even, missing));
    b.return_(i32.sub(i32.add(days, day), i32.const(daysBeforeEpoch + 1)));
  });
}

function datesKernel(): Kernel {
  return columnKernel("dates", 4, (k) => {
    const daysOf = daysFunction(k);
    return (b, { start, length, unusual, value }) => {
      b.break_(unusual, i32.ne(length, i32.const(10)));
      const days = b.temp(b.call(daysOf, start));
      b.break_(unusual, i32.eq(days, noDays));
      b.store("i32.store", value, days);
    };
  });
}

/** (start) -> seconds of `HH:MM:SS`; -1 if it is no time. */
function secondsFunction(k: KernelBuilder): FunctionRef {
  const eightDigits = eightDigitsFunction(k);
  return k.function_("seconds", { params: ["i32"], result: "i32" }, (b, [start]) => {
    const text = b.temp(i64.load(start));
    const colons = i64.eq(i64.and(text, i64.const(0x0000_ff00_00ff_0000n)), i64.const(0x0000_3a00_003a_0000n));
    const hour2 = i64.and(text, i64.const(0xffffn));
    const minute2 = i64.and(i64.shrU(text, i64.const(8n)), i64.const(0xffff_0000n));
    const second2 = i64.and(i64.shrU(text, i64.const(16n)), i64.const(0xffff_0000_0000n));
    const digits = i64.or(i64.shl(i64.or(hour2, i64.or(minute2, second2)), i64.const(16n)), i64.const(0x3030n));
    const number = b.temp(i32.wrapI64(b.call(eightDigits, digits)));
    const hour = b.temp(i32.divU(number, i32.const(10_000)));
    const minute = b.temp(i32.remU(i32.divU(number, i32.const(100)), i32.const(100)));
    const second = b.temp(i32.remU(number, i32.const(100)));
    const isTime = i32.and(i32.ltU(hour, i32.const(24)), i32.and(i32.ltU(minute, i32.const(60)), i32.ltU(second, i32.const(60))));
    b.if_(i32.eqz(i32.and(colons, i32.and(i32.geS(number, zero), isTime))), () => b.return_(i32.const(-1)));
    b.return_(i32.add(i32.mul(i32.add(i32.mul(hour, i32.const(60)), minute), i32.const(60)), second));
  });
}

/** A date, or a date and a time with up to as many fractional digits as the parameter says. */
function timestampsKernel(): Kernel {
  return columnKernel("timestamps", 8, (k) => {
    const daysOf = daysFunction(k);
    const secondsOf = secondsFunction(k);
    const digits = digitsFunction(k);
    return (b, { start, length, unusual, value, constants, parameter }) => {
      b.break_(unusual, i32.ltU(length, i32.const(10)));
      const days = b.temp(b.call(daysOf, start));
      b.break_(unusual, i32.eq(days, noDays));
      const seconds = b.local("i32", zero);
      const micros = b.local("i64", i64.const(0n));
      b.if_(i32.ne(length, i32.const(10)), () => {
        const separator = b.temp(i32.load8u(start, 10));
        b.break_(unusual, i32.and(i32.ne(separator, i32.const(0x20)), i32.ne(separator, i32.const(0x54))));
        b.break_(unusual, i32.ltU(length, i32.const(19)));
        b.set(seconds, b.call(secondsOf, i32.add(start, i32.const(11))));
        b.break_(unusual, i32.ltS(seconds, zero));
        b.if_(i32.ne(length, i32.const(19)), () => {
          const fraction = b.temp(i32.sub(length, i32.const(20)));
          b.break_(unusual, i32.or(i32.ne(i32.load8u(start, 19), i32.const(0x2e)), i32.gtU(fraction, parameter)));
          const part = b.temp(b.call(digits, i32.add(start, i32.const(20)), fraction));
          b.break_(unusual, i64.ltS(part, i64.const(0n)));
          const power = i32.shl(i32.sub(i32.const(microsPrecision), fraction), i32.const(3));
          b.set(micros, i64.mul(part, i64.load(i32.add(constants, power))));
        });
      });
      const all = i64.add(i64.mul(i64.extendI32S(days), i64.const(86_400n)), i64.extendI32S(seconds));
      b.store("i64.store", value, i64.add(i64.mul(all, i64.const(1_000_000n)), micros));
    };
  });
}

/** (cells, which are the values, kinds, nulls, number of rows) -> 1 if a text has escapes. */
export function textsKernel(): Kernel {
  return buildKernel("text texts", (k) => {
    k.entry({ params: i32s(4), result: "i32" }, (b, [cells, kinds, nulls, rows]) => {
      const escaped = b.local("i32", zero);
      b.forRange(zero, rows, (row) => {
        const kind = b.temp(i32.load8u(i32.add(kinds, row)));
        const isNull = b.temp(i32.eqz(kind));
        b.if_(isNull, () => b.store("i64.store", i32.add(cells, i32.shl(row, i32.const(3))), i64.const(0n)));
        b.store("i32.store8", i32.add(nulls, row), isNull);
        b.set(escaped, i32.or(escaped, i32.eq(kind, i32.const(cell.escaped))));
      });
      b.return_(escaped);
    });
  });
}

/** (cells, kinds, number of rows, text, length): makes the cells without quotes that hold the text NULL. */
export function nullTextsKernel(): Kernel {
  return buildKernel("text null texts", (k) => {
    const equals = memEquals(k);
    k.entry({ params: i32s(5) }, (b, [cells, kinds, rows, text, length]) => {
      b.forRange(zero, rows, (row, next) => {
        const place = b.temp(i32.add(cells, i32.shl(row, i32.const(3))));
        const kind = b.temp(i32.add(kinds, row));
        b.break_(next, i32.ne(i32.load8u(kind), i32.const(cell.bare)));
        b.break_(next, i32.ne(i32.load(place, 4), length));
        b.if_(b.call(equals, i32.load(place), text, length), () => b.store("i32.store8", kind, i32.const(cell.none)));
      });
    });
  });
}

/** (bytes, number) -> 1 if one of the bytes is not 0. */
export function anyKernel(): Kernel {
  return buildKernel("text any", (k) => {
    k.entry({ params: i32s(2), result: "i32" }, (b, [at, count]) => {
      const end = b.temp(i32.add(at, count));
      b.while_(
        () => i32.leU(i32.add(at, i32.const(16)), end),
        () => {
          b.if_(v128.anyTrue(v128.load(at)), () => b.return_(one));
          b.set(at, i32.add(at, i32.const(16)));
        },
      );
      b.while_(
        () => i32.ltU(at, end),
        () => {
          b.if_(i32.load8u(at), () => b.return_(one));
          b.set(at, i32.add(at, one));
        },
      );
      b.return_(zero);
    });
  });
}
