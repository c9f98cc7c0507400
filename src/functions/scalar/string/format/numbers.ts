/**
 * Numbers as Java's Formatter prints them: decimal digits rounded half up, with the sign and grouping that the flags request.
 */
import { divideRounding, powerOfTen } from "../../../runtime/decimals.ts";

/** `unscaled` times 10^-scale. */
export interface DecimalDigits {
  readonly negative: boolean;
  readonly unscaled: bigint;
  readonly scale: number;
}

/** The shortest digits that identify the double, which must be finite. */
export function digitsOfDouble(value: number): DecimalDigits {
  const [mantissa = "0", power = "0"] = String(Math.abs(value)).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  const scale = fraction.length - Number(power);
  const digits = BigInt(whole + fraction);
  const negative = value < 0 || Object.is(value, -0);
  return scale >= 0 ? { negative, unscaled: digits, scale } : { negative, unscaled: digits * powerOfTen(-scale), scale: 0 };
}

export function digitsOfDecimal(unscaled: bigint, scale: number): DecimalDigits {
  return { negative: unscaled < 0n, unscaled: unscaled < 0n ? -unscaled : unscaled, scale };
}

/** Without sign, with `precision` fraction digits. */
export function fixedPoint({ unscaled, scale }: DecimalDigits, precision: number): string {
  const scaled = precision >= scale ? unscaled * powerOfTen(precision - scale) : divideRounding(unscaled, powerOfTen(scale - precision));
  const digits = scaled.toString().padStart(precision + 1, "0");
  const point = digits.length - precision;
  return precision === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** Without sign: one digit, the point, `precision` digits, and an exponent of at least two digits. */
export function scientific({ unscaled, scale }: DecimalDigits, precision: number): string {
  const digits = unscaled.toString();
  let exponent = digits.length - 1 - scale;
  const surplus = digits.length - 1 - precision;
  let kept = (surplus > 0 ? divideRounding(unscaled, powerOfTen(surplus)) : unscaled * powerOfTen(-surplus)).toString();
  if (unscaled === 0n) {
    kept = kept.padEnd(precision + 1, "0");
  } else if (kept.length > precision + 1) {
    kept = kept.slice(0, -1);
    exponent += 1;
  }
  const power = String(Math.abs(exponent)).padStart(2, "0");
  return `${kept[0]}${precision === 0 ? "" : `.${kept.slice(1)}`}e${exponent < 0 ? "-" : "+"}${power}`;
}

/** Without sign: `precision` significant digits, in fixed or scientific form by magnitude. */
export function general(digits: DecimalDigits, precision: number): string {
  const wanted = precision === 0 ? 1 : precision;
  if (digits.unscaled === 0n) {
    // Java treats a zero with fraction digits as a small number.
    return digits.scale === 0 ? fixedPoint(digits, wanted - 1) : scientific(digits, wanted - 1);
  }
  const text = scientific(digits, wanted - 1);
  const exponent = Number(text.slice(text.indexOf("e") + 1));
  return exponent >= -4 && exponent < wanted ? fixedPoint(digits, wanted - 1 - exponent) : text;
}

/** Inserts a comma between groups of three digits before the point. */
export function grouped(text: string): string {
  const [, whole = "", rest = ""] = /^(\d+)(.*)$/s.exec(text) ?? [];
  return whole.replace(/\B(?=(?:\d{3})+$)/g, ",") + rest;
}
