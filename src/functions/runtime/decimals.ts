/**
 * Decimal arithmetic on unscaled bigints: the reference implementation of decimal operators and casts.
 */

const powersOfTen: readonly bigint[] = Object.freeze(Array.from({ length: 40 }, (_, exponent) => 10n ** BigInt(exponent)));

export function powerOfTen(exponent: number): bigint {
  return powersOfTen[exponent] ?? 10n ** BigInt(exponent);
}

/** Divides and rounds half away from zero. */
export function divideRounding(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const rest = dividend % divisor;
  const magnitude = rest < 0n ? -rest : rest;
  if (2n * magnitude < (divisor < 0n ? -divisor : divisor)) {
    return quotient;
  }
  return dividend < 0n === divisor < 0n ? quotient + 1n : quotient - 1n;
}

/** Changes the scale; rounds half away from zero if digits are lost. */
export function rescale(unscaled: bigint, fromScale: number, toScale: number): bigint {
  return toScale >= fromScale ? unscaled * powerOfTen(toScale - fromScale) : divideRounding(unscaled, powerOfTen(fromScale - toScale));
}

/** Whether the value fits in `precision` digits. */
export function fitsPrecision(unscaled: bigint, precision: number): boolean {
  const bound = powerOfTen(precision);
  return unscaled < bound && unscaled > -bound;
}

export interface ParsedDecimal {
  readonly unscaled: bigint;
  readonly precision: number;
  readonly scale: number;
}

const decimalText = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,6}))?$/;

/**
 * Parses digits with optional sign, point and exponent; undefined for anything else. The precision counts every digit written before the
 * exponent (`00123.40` is decimal(7, 2)), as in decimal literals.
 */
export function parseDecimal(text: string): ParsedDecimal | undefined {
  const match = decimalText.exec(text);
  const whole = match?.[2] ?? "";
  const fraction = match?.[3] ?? "";
  if (match === null || whole.length + fraction.length === 0) {
    return undefined;
  }
  const exponent = Number(match[4] ?? 0);
  const digits = BigInt(whole + fraction);
  const shift = exponent - fraction.length;
  if (shift > 1000 || shift < -100_000) {
    return undefined;
  }
  const magnitude = shift > 0 ? digits * powerOfTen(shift) : digits;
  const scale = Math.max(0, -shift);
  const precision = Math.max(1, Math.max(whole.length + fraction.length + Math.max(0, shift), scale));
  return { unscaled: match[1] === "-" ? -magnitude : magnitude, precision, scale };
}

/** Plain digits with exactly `scale` fraction digits. */
export function formatDecimal(unscaled: bigint, scale: number): string {
  const negative = unscaled < 0n;
  const digits = (negative ? -unscaled : unscaled).toString().padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const fraction = scale === 0 ? "" : `.${digits.slice(digits.length - scale)}`;
  return `${negative ? "-" : ""}${whole}${fraction}`;
}
