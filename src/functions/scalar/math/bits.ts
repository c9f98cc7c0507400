/**
 * Bitwise functions of integers, and integers in other bases.
 */
import { integralBits, type IntegralKind, integralKinds, varcharType } from "../../../types/type.ts";
import type { HostValue, ScalarDefinition } from "../../registry/definition.ts";
import { invalid } from "../string/implementations.ts";

function backTo(kind: IntegralKind, value: bigint): HostValue {
  const wrapped = BigInt.asIntN(integralBits[kind], value);
  return kind === "bigint" ? wrapped : Number(wrapped);
}

type Shift = (value: bigint, places: bigint, width: number) => bigint;

function shift(
  name: string,
  description: string,
  operation: Shift,
  sql: (kind: IntegralKind) => string,
  result: string,
): ScalarDefinition[] {
  return integralKinds.map((kind) => ({
    name,
    args: [kind, "bigint"],
    returns: kind,
    description,
    host: ([value, places]) => {
      // As in Java, a shift uses the lower six bits of its count, after the count is known to be below the width.
      const wanted = places as bigint;
      const width = integralBits[kind];
      const far = wanted >= BigInt(width);
      return backTo(kind, operation(BigInt(value as number), far ? BigInt(width) : wanted & 63n, width));
    },
    example: { sql: sql(kind), result },
  }));
}

const shifts: readonly ScalarDefinition[] = [
  ...shift(
    "bitwise_left_shift",
    "Left shift of the bits",
    (value, places) => value << places,
    (kind) => `bitwise_left_shift(CAST(7 AS ${kind}), 2)`,
    "28",
  ),
  ...shift(
    "bitwise_right_shift",
    "Logical right shift of the bits",
    (value, places, width) => (places === 0n ? value : BigInt.asUintN(width, value) >> places),
    (kind) => `bitwise_right_shift(CAST(28 AS ${kind}), 2)`,
    "7",
  ),
  ...shift(
    "bitwise_right_shift_arithmetic",
    "Arithmetic right shift of the bits",
    (value, places) => value >> places,
    (kind) => `bitwise_right_shift_arithmetic(CAST(-8 AS ${kind}), 2)`,
    "-2",
  ),
];

function bitCount(value: bigint, bits: bigint): bigint {
  if (bits < 2n || bits > 64n) {
    return invalid(`Bits specified in bit_count must be between 2 and 64, got ${bits}`);
  }
  if (BigInt.asIntN(Number(bits), value) !== value) {
    return invalid(`Number must be representable with the bits specified. ${value} can not be represented with ${bits} bits`);
  }
  let count = 0n;
  for (let rest = BigInt.asUintN(Number(bits), value); rest > 0n; rest >>= 1n) {
    count += rest & 1n;
  }
  return count;
}

function checkRadix(radix: bigint): number {
  return radix >= 2n && radix <= 36n ? Number(radix) : invalid("Radix must be between 2 and 36");
}

const longestNumber = 65;

/** Java's Long.parseLong. */
function fromBase(text: string, radix: number): bigint {
  const bad = (): never => invalid(`Not a valid base-${radix} number: ${text}`);
  const match = /^([+-]?)([0-9a-zA-Z]+)$/.exec(text) ?? bad();
  const digits = (match[2] as string).replace(/^0+/, "");
  if (digits.length > longestNumber) {
    return bad();
  }
  let value = 0n;
  for (const letter of digits) {
    const digit = Number.parseInt(letter, radix);
    value = Number.isNaN(digit) ? bad() : value * BigInt(radix) + BigInt(digit);
  }
  const signed = match[1] === "-" ? -value : value;
  return BigInt.asIntN(64, signed) === signed ? signed : bad();
}

export const bitDefinitions: readonly ScalarDefinition[] = [
  ...shifts,
  {
    name: "bit_count",
    args: ["bigint", "bigint"],
    returns: "bigint",
    description: "Number of bits set in the two's complement of the number with a bit width",
    host: ([value, bits]) => bitCount(value as bigint, bits as bigint),
    example: { sql: "bit_count(-7, 8)", result: "6" },
  },
  {
    name: "to_base",
    args: ["bigint", "bigint"],
    returns: "varchar(64)",
    returnType: () => varcharType(64),
    description: "String of the number in a base",
    host: ([value, radix]) => (value as bigint).toString(checkRadix(radix as bigint)),
    example: { sql: "to_base(255, 16)", result: "ff" },
  },
  {
    name: "from_base",
    args: ["varchar", "bigint"],
    returns: "bigint",
    description: "Number parsed from a string in a base",
    host: ([text, radix]) => fromBase(text as string, checkRadix(radix as bigint)),
    example: { sql: "from_base('ff', 16)", result: "255" },
  },
];
