/**
 * Row errors inside kernels. A kernel writes a template number and operands into an error block and leaves; the caller turns the block into
 * a QueryError with Presto's wording. A host function writes a finished message instead.
 */
import type { LinearMemory, Address } from "../../memory/memory.ts";
import { type ErrorName, errorsThatTrySwallows, QueryError } from "../../protocol/errors.ts";
import { integralKinds } from "../../types/type.ts";
import { decodeUtf8, encodeUtf8 } from "../../types/utf8.ts";
import { valueTooLargeMessage } from "../../types/value-size.ts";
import { formatDate, formatDecimal, formatDouble, formatReal } from "./formats.ts";

/**
 * Layout of the error block: u32 template number (0: no error, 1: message of a host function), u32 index into `hostErrorNames`, u32 message
 * length, 4 bytes unused; six i64 operands from offset 16; the message from offset 64; the arguments of a host call from
 * `hostArgumentsOffset`; then the i64 state of the random generator; then, for kernels that run in slices, u32 1 if the slice is over, the
 * u32 position of the row, the u32 number of rows that a filter has kept before it, the u32 cursor of the arena and the i64 state of the
 * random generator at its beginning.
 */
export const errorOperandsOffset = 16;
const messageOffset = 64;
const messageBytesMax = 4032;
export const hostArgumentsOffset = 4096;
export const hostArgumentsMax = 128;
/** A slot has 16 bytes of value and 8 bytes whose first byte is the null flag. */
export const hostArgumentBytes = 24;
export const drawStateOffset: number = hostArgumentsOffset + hostArgumentBytes * (hostArgumentsMax + 1);
export const sliceOverOffset: number = drawStateOffset + 8;
export const rowPositionOffset: number = sliceOverOffset + 4;
export const rowKeptOffset: number = rowPositionOffset + 4;
export const rowCursorOffset: number = rowKeptOffset + 4;
export const rowDrawsOffset: number = rowCursorOffset + 4;
export const errorBlockBytes: number = rowDrawsOffset + 8;
const hostMessage = 1;

/** Access to the operands for a template. */
interface Operands {
  i64(index: number): bigint;
  f64(index: number): number;
  /** UTF-8 text; operand `index` is its address, `index + 1` its length. */
  text(index: number): string;
  /** A decimal: low and high word from `index` on, then its scale. */
  i128(index: number): bigint;
}

interface Template {
  readonly name: ErrorName;
  readonly text: (operands: Operands) => string;
}

function overflow(type: string, operation: string, sign: string): Template {
  return { name: "NUMERIC_VALUE_OUT_OF_RANGE", text: (o) => `${type} ${operation} overflow: ${o.i64(0)} ${sign} ${o.i64(1)}` };
}

function negationOverflow(type: string): Template {
  return { name: "NUMERIC_VALUE_OUT_OF_RANGE", text: (o) => `${type} negation overflow: ${o.i64(0)}` };
}

/** Type kinds and operations, in the order of the numbers of TEMPORAL_OVERFLOW. */
export const temporals = ["date", "timestamp", "interval day to second", "interval year to month"] as const;
export const temporalOperations = ["addition", "subtraction", "multiplication", "division", "negation"] as const;

// Grouped by family: one object literal would hide which family an entry belongs to.
const templates = {
  DIVISION_BY_ZERO: { name: "DIVISION_BY_ZERO", text: () => "Division by zero" },
  DECIMAL_OVERFLOW: { name: "NUMERIC_VALUE_OUT_OF_RANGE", text: () => "Decimal overflow" },
  TINYINT_ADDITION: overflow("tinyint", "addition", "+"),
  SMALLINT_ADDITION: overflow("smallint", "addition", "+"),
  INTEGER_ADDITION: overflow("integer", "addition", "+"),
  BIGINT_ADDITION: overflow("bigint", "addition", "+"),
  TINYINT_SUBTRACTION: overflow("tinyint", "subtraction", "-"),
  SMALLINT_SUBTRACTION: overflow("smallint", "subtraction", "-"),
  INTEGER_SUBTRACTION: overflow("integer", "subtraction", "-"),
  BIGINT_SUBTRACTION: overflow("bigint", "subtraction", "-"),
  TINYINT_MULTIPLICATION: overflow("tinyint", "multiplication", "*"),
  SMALLINT_MULTIPLICATION: overflow("smallint", "multiplication", "*"),
  INTEGER_MULTIPLICATION: overflow("integer", "multiplication", "*"),
  BIGINT_MULTIPLICATION: overflow("bigint", "multiplication", "*"),
  TINYINT_DIVISION: overflow("tinyint", "division", "/"),
  SMALLINT_DIVISION: overflow("smallint", "division", "/"),
  INTEGER_DIVISION: overflow("integer", "division", "/"),
  BIGINT_DIVISION: overflow("bigint", "division", "/"),
  TINYINT_NEGATION: negationOverflow("tinyint"),
  SMALLINT_NEGATION: negationOverflow("smallint"),
  INTEGER_NEGATION: negationOverflow("integer"),
  BIGINT_NEGATION: negationOverflow("bigint"),
  VALUE_IS_MINIMUM: {
    name: "NUMERIC_VALUE_OUT_OF_RANGE",
    text: (o) => `Value ${o.i64(0)} is out of range for abs(${integralKinds[Number(o.i64(1))]})`,
  },
  OUT_OF_RANGE: { name: "NUMERIC_VALUE_OUT_OF_RANGE", text: (o) => `Out of range for ${integralKinds[Number(o.i64(1))]}: ${o.i64(0)}` },
  DOUBLE_OUT_OF_RANGE: {
    name: "NUMERIC_VALUE_OUT_OF_RANGE",
    text: (o) => `Out of range for ${integralKinds[Number(o.i64(1))]}: ${formatDouble(o.f64(0))}`,
  },
  REAL_OUT_OF_RANGE: {
    name: "NUMERIC_VALUE_OUT_OF_RANGE",
    text: (o) => `Out of range for ${integralKinds[Number(o.i64(1))]}: ${formatReal(o.f64(0))}`,
  },
  DOUBLE_TO_BIGINT: { name: "INVALID_CAST_ARGUMENT", text: (o) => `Unable to cast ${formatDouble(o.f64(0))} to bigint` },
  REAL_TO_BIGINT: { name: "INVALID_CAST_ARGUMENT", text: (o) => `Unable to cast ${formatReal(o.f64(0))} to bigint` },
  NAN_TO_INTEGRAL: { name: "INVALID_CAST_ARGUMENT", text: (o) => `Cannot cast double NaN to ${integralKinds[Number(o.i64(0))]}` },
  REAL_NAN_TO_INTEGRAL: { name: "INVALID_CAST_ARGUMENT", text: (o) => `Cannot cast real NaN to ${integralKinds[Number(o.i64(0))]}` },
  DECIMAL_TO_INTEGRAL: {
    name: "INVALID_CAST_ARGUMENT",
    text: (o) => `Cannot cast '${formatDecimal(o.i128(0), Number(o.i64(2)))}' to ${(integralKinds[Number(o.i64(3))] ?? "").toUpperCase()}`,
  },
  DECIMAL_TO_DECIMAL: {
    name: "INVALID_CAST_ARGUMENT",
    text: (o) => `Cannot cast DECIMAL '${formatDecimal(o.i128(0), Number(o.i64(2)))}' to DECIMAL(${o.i64(3)}, ${o.i64(4)})`,
  },
  INTEGRAL_TO_DECIMAL: {
    name: "INVALID_CAST_ARGUMENT",
    text: (o) => `Cannot cast ${(integralKinds[Number(o.i64(1))] ?? "").toUpperCase()} '${o.i64(0)}' to DECIMAL(${o.i64(2)}, ${o.i64(3)})`,
  },
  TEMPORAL_OVERFLOW: {
    name: "NUMERIC_VALUE_OUT_OF_RANGE",
    text: (o) => `${temporals[Number(o.i64(0))]} ${temporalOperations[Number(o.i64(1))]} overflow`,
  },
  DATE_TO_TIMESTAMP: { name: "NUMERIC_VALUE_OUT_OF_RANGE", text: (o) => `Out of range for timestamp: ${formatDate(Number(o.i64(0)))}` },
  INTERVAL_TIMES_NAN: { name: "INVALID_FUNCTION_ARGUMENT", text: () => "Cannot multiply by double NaN" },
  INTERVAL_DIVISOR: { name: "INVALID_FUNCTION_ARGUMENT", text: (o) => `Cannot divide by double ${formatDouble(o.f64(0))}` },
  DATE_TIME_PART: { name: "INVALID_FUNCTION_ARGUMENT", text: () => "Cannot add hour, minutes or seconds to a date" },
  DATE_LESS_TIME_PART: { name: "INVALID_FUNCTION_ARGUMENT", text: () => "Cannot subtract hour, minutes or seconds from a date" },
  STANDARD_ERROR: {
    name: "INVALID_FUNCTION_ARGUMENT",
    text: (o) => `Max standard error must be in [0.0040625, 0.26000]: ${formatDouble(o.f64(0))}`,
  },
  PERCENTILE: { name: "INVALID_FUNCTION_ARGUMENT", text: () => "Percentile must be between 0 and 1" },
  PERCENTILE_NULL: { name: "INVALID_FUNCTION_ARGUMENT", text: () => "Percentile cannot be null" },
  PERCENTILE_WEIGHT: { name: "INVALID_FUNCTION_ARGUMENT", text: (o) => `weight must be >= 1, was ${formatDouble(o.f64(0))}` },
  EXTREMES_NOT_POSITIVE: { name: "INVALID_FUNCTION_ARGUMENT", text: () => "second argument of max_n/min_n must be positive" },
  EXTREMES_TOO_MANY: {
    name: "INVALID_FUNCTION_ARGUMENT",
    text: (o) => `second argument of max_n/min_n must be less than or equal to 10000; found ${o.i64(0)}`,
  },
  EXTREMES_BY_NOT_POSITIVE: {
    name: "INVALID_FUNCTION_ARGUMENT",
    text: () => "third argument of max_by/min_by must be a positive integer",
  },
  EXTREMES_BY_TOO_MANY: {
    name: "INVALID_FUNCTION_ARGUMENT",
    text: (o) => `third argument of max_by/min_by must be less than or equal to 10000; found ${o.i64(0)}`,
  },
  ENTROPY_COUNT: { name: "INVALID_FUNCTION_ARGUMENT", text: () => "Entropy count argument must be non-negative" },
  TOO_MANY_ROWS: { name: "NUMERIC_VALUE_OUT_OF_RANGE", text: () => "Too many rows for approx_percentile" },
  ARRAY_NULL_ELEMENT: { name: "NOT_SUPPORTED", text: () => "ARRAY comparison not supported for arrays with null elements" },
  ROW_NULL_FIELD: { name: "NOT_SUPPORTED", text: () => "ROW comparison not supported for fields with null elements" },
  SUBSCRIPT_ZERO: { name: "INVALID_FUNCTION_ARGUMENT", text: () => "SQL array indices start at 1" },
  SUBSCRIPT_NEGATIVE: { name: "INVALID_FUNCTION_ARGUMENT", text: (o) => `Array subscript is negative: ${o.i64(0)}` },
  SUBSCRIPT_BEYOND: {
    name: "INVALID_FUNCTION_ARGUMENT",
    text: (o) => `Array subscript must be less than or equal to array length: ${o.i64(0)} > ${o.i64(1)}`,
  },
  MERGE_MATCHES: { name: "MERGE_TARGET_ROW_MULTIPLE_MATCHES", text: () => "One MERGE target table row matched more than one source row" },
  VALUE_TOO_LARGE: { name: "EXCEEDED_FUNCTION_MEMORY_LIMIT", text: () => valueTooLargeMessage },
  CONCATENATION_TOO_LARGE: { name: "INVALID_FUNCTION_ARGUMENT", text: () => "Concatenated string is too large" },
  NEGATIVE_LENGTH: { name: "INVALID_FUNCTION_ARGUMENT", text: (o) => `Target length must be in the range [0..${o.i64(0)}]` },
} as const satisfies Readonly<Record<string, Template>>;

export type KernelError = keyof typeof templates;

const templateNames = Object.keys(templates) as readonly KernelError[];

/** The number of a template in the error block. */
export function errorNumber(error: KernelError): number {
  return templateNames.indexOf(error) + 2;
}

/** Errors that host functions may raise; the index is the number in the block. */
const hostErrorNames: readonly ErrorName[] = Object.freeze([
  ...errorsThatTrySwallows,
  "NOT_SUPPORTED",
  "GENERIC_INTERNAL_ERROR",
  "EXCEEDED_FUNCTION_MEMORY_LIMIT",
  "INVALID_ARGUMENTS",
  "GENERIC_USER_ERROR",
  "SUBQUERY_MULTIPLE_ROWS",
  "JSON_INPUT_CONVERSION_ERROR",
  "JSON_OUTPUT_CONVERSION_ERROR",
  "PATH_EVALUATION_ERROR",
  "JSON_VALUE_RESULT_ERROR",
]);

export function clearError(linear: LinearMemory, errorBlock: Address): void {
  linear.u32[errorBlock >>> 2] = 0;
}

/** Cuts the message to the size of the block, at a character boundary. */
function cutText(bytes: Uint8Array): Uint8Array {
  let end = Math.min(bytes.length, messageBytesMax);
  while (end < bytes.length && ((bytes[end] as number) & 0xc0) === 0x80) {
    end--;
  }
  return bytes.subarray(0, end);
}

/** Writes the error that a host implementation threw into the error block. */
export function writeHostError(linear: LinearMemory, errorBlock: Address, error: QueryError): void {
  const bytes = cutText(encodeUtf8(error.message));
  const word = errorBlock >>> 2;
  const index = hostErrorNames.indexOf(error.errorName);
  linear.u32[word] = hostMessage;
  linear.u32[word + 1] = index < 0 ? hostErrorNames.indexOf("GENERIC_INTERNAL_ERROR") : index;
  linear.u32[word + 2] = bytes.length;
  linear.u8.set(bytes, errorBlock + messageOffset);
}

/** The error that a kernel left in its block. */
export function kernelError(linear: LinearMemory, errorBlock: Address): QueryError {
  const word = errorBlock >>> 2;
  const number = linear.u32[word] as number;
  if (number === hostMessage) {
    const start = errorBlock + messageOffset;
    const text = decodeUtf8(linear.u8, start, start + (linear.u32[word + 2] as number));
    return new QueryError(hostErrorNames[linear.u32[word + 1] as number] ?? "GENERIC_INTERNAL_ERROR", text);
  }
  const template: Template | undefined = templates[templateNames[number - 2] as KernelError];
  if (template === undefined) {
    return new QueryError("GENERIC_INTERNAL_ERROR", `kernel failed with unknown error ${number}`);
  }
  const base = (errorBlock + errorOperandsOffset) >>> 3;
  const operands: Operands = {
    i64: (index) => linear.i64[base + index] as bigint,
    f64: (index) => linear.f64[base + index] as number,
    text: (index) => {
      const start = Number(operands.i64(index));
      return decodeUtf8(linear.u8, start, start + Number(operands.i64(index + 1)));
    },
    i128: (index) => (operands.i64(index + 1) << 64n) | BigInt.asUintN(64, operands.i64(index)),
  };
  return new QueryError(template.name, template.text(operands));
}

/** Throws the error of a kernel that returned a failure status. */
export function raiseKernelError(linear: LinearMemory, errorBlock: Address): never {
  throw kernelError(linear, errorBlock);
}

/** TRY does not catch host errors from this index on; it catches every template. */
export const swallowedHostErrors: number = errorsThatTrySwallows.length;
