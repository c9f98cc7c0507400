/** How the values of a column are generated: what its type and the properties of its definition say. */
import { QueryError } from "../../protocol/errors.ts";
import { daysOf } from "../../types/time/calendar.ts";
import { displayType, isLongMoment, type Type } from "../../types/type.ts";
import { parseDuration } from "../shared/properties.ts";
import type { CastText, ColumnMetadata } from "../spi.ts";

type Value = null | boolean | number | string;

/** Plain JSON. */
export interface GeneratedColumn {
  readonly name: string;
  readonly type: Type;
  /** 0 to 1. */
  readonly nullProbability: number;
  readonly generator?: string;
  /** Values in the form of plans; one of them is drawn. */
  readonly allowed?: readonly Value[];
  /** Ends of the range, both included: in digits, or numbers of real and double. */
  readonly min?: string;
  readonly max?: string;
  /** From a row to the next. */
  readonly step?: string;
}

const longPrecisionMax = 6;
const microsPerMilli = 1000n;
const millisPerDay = 86_400_000;
const microsPerDay = 86_400_000_000n;
/** Dates and timestamps of columns without bounds. */
const [firstDay, lastDay] = [daysOf({ year: 1900, month: 1, day: 1 }), daysOf({ year: 2099, month: 12, day: 31 })];

function invalid(name: string, why: string): QueryError {
  return new QueryError("INVALID_COLUMN_PROPERTY", `Column '${name}': ${why}`);
}

export function isText({ kind }: Type): boolean {
  return kind === "varchar" || kind === "char" || kind === "varbinary";
}

export function isFloating({ kind }: Type): boolean {
  return kind === "real" || kind === "double";
}

/** The whole range of a type whose values are integers in pages; undefined for others. */
export function rangeOf(type: Type): readonly [low: bigint, high: bigint] | undefined {
  const signed = (bits: bigint): readonly [bigint, bigint] => [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n];
  switch (type.kind) {
    case "tinyint":
      return signed(8n);
    case "smallint":
      return signed(16n);
    case "integer":
    case "interval year to month":
      return signed(32n);
    case "bigint":
    case "interval day to second":
      return signed(64n);
    case "decimal": {
      const end = 10n ** BigInt(type.precision) - 1n;
      return [-end, end];
    }
    case "date":
      return [BigInt(firstDay), BigInt(lastDay)];
    case "timestamp":
    case "timestamp with time zone":
      return isLongMoment(type) ? undefined : [BigInt(firstDay) * microsPerDay, BigInt(lastDay + 1) * microsPerDay - 1n];
    case "time":
      return [0n, microsPerDay * 1_000_000n - 1n];
    default:
      return undefined;
  }
}

/** Values of the type are multiples of this, in the unit of pages. */
export function unitOf(type: Type): bigint {
  switch (type.kind) {
    case "timestamp":
    case "timestamp with time zone":
      return 10n ** BigInt(Math.max(0, longPrecisionMax - type.precision));
    case "time":
      return 10n ** BigInt(12 - type.precision);
    default:
      return 1n;
  }
}

/** Throws INVALID_COLUMN_PROPERTY and NOT_SUPPORTED. */
export function generatedColumn(
  { name, type, nullable, properties = {} }: ColumnMetadata,
  { nullProbability, castText }: { readonly nullProbability: number; readonly castText: CastText },
): GeneratedColumn {
  const isKnown = isText(type) || isFloating(type) || rangeOf(type) !== undefined || ["boolean", "uuid", "ipaddress"].includes(type.kind);
  if (!isKnown) {
    throw new QueryError("NOT_SUPPORTED", `Column '${name}' of type ${displayType(type)} cannot be generated`);
  }
  const of = (property: string): string | undefined => properties[property] as string | undefined;
  const given = properties["null_probability"] as number | undefined;
  if (given !== undefined && (!(given >= 0 && given <= 1) || nullable === false)) {
    throw invalid(
      name,
      nullable === false ? "null_probability cannot be set for a NOT NULL column" : "null_probability must be between 0 and 1",
    );
  }
  const allowed = properties["allowed_values"] as readonly string[] | undefined;
  const [generator, step] = [of("generator"), of("step")];
  if (generator !== undefined && !isText(type)) {
    throw invalid(name, "generator can only be set for character-based columns");
  }
  const hasRange = ["min", "max", "step"].some((property) => properties[property] !== undefined);
  if (hasRange && rangeOf(type) === undefined && !isFloating(type)) {
    throw invalid(name, `min, max and step cannot be set for a column of type ${displayType(type)}`);
  }
  if (allowed !== undefined && (hasRange || generator !== undefined)) {
    throw invalid(name, "allowed_values cannot be set together with generator, min, max or step");
  }
  if (allowed?.length === 0) {
    throw invalid(name, "allowed_values has no value");
  }
  const value = (text: string): Value => cast(name, type, text, castText);
  const end = (property: "min" | "max"): { readonly min?: string; readonly max?: string } => {
    const text = of(property);
    return text === undefined ? {} : { [property]: plainValue(type, value(text)) };
  };
  const range = { ...end("min"), ...end("max"), ...(step !== undefined && { step: stepOf(name, type, step, castText) }) };
  if (range.step !== undefined && !(Number(range.step) > 0)) {
    throw invalid(name, "step must be greater than zero");
  }
  if (range.min !== undefined && range.max !== undefined && isGreater(type, range.min, range.max)) {
    throw invalid(name, "min is greater than max");
  }
  return {
    name,
    type,
    nullProbability: nullable === false ? 0 : (given ?? nullProbability),
    ...(generator !== undefined && { generator }),
    ...(allowed !== undefined && { allowed: allowed.map(value) }),
    ...range,
  };
}

function isGreater(type: Type, a: string, b: string): boolean {
  return isFloating(type) ? Number(a) > Number(b) : BigInt(a) > BigInt(b);
}

function cast(name: string, type: Type, text: string, castText: CastText): Value {
  try {
    return castText(text, type);
  } catch (error) {
    throw error instanceof QueryError ? invalid(name, error.message) : error;
  }
}

/** Without the zone. */
function plainValue(type: Type, value: Value): string {
  return type.kind === "timestamp with time zone" ? String(BigInt(String(value)) >> 64n) : String(value);
}

/** A duration for dates and times; otherwise a value of the type. */
function stepOf(name: string, type: Type, text: string, castText: CastText): string {
  switch (type.kind) {
    case "date":
    case "timestamp":
    case "timestamp with time zone":
    case "time":
    case "interval day to second": {
      const millis = parseDuration(text);
      if (millis === undefined || !Number.isInteger(millis) || (type.kind === "date" && millis % millisPerDay !== 0)) {
        throw invalid(name, `step '${text.slice(0, 100)}' is no duration${type.kind === "date" ? " of whole days" : ""}`);
      }
      const micros = BigInt(millis) * microsPerMilli;
      return String(
        type.kind === "date"
          ? millis / millisPerDay
          : type.kind === "time"
            ? micros * 1_000_000n
            : type.kind === "interval day to second"
              ? millis
              : micros,
      );
    }
    default:
      return String(cast(name, type, text, castText));
  }
}

/** Properties of columns; names are Trino's. */
export const columnProperties = Object.freeze([
  { name: "null_probability", type: "double", description: "Probability that a value is NULL" },
  { name: "generator", type: "varchar", description: "Expression that generates texts" },
  { name: "min", type: "varchar", description: "Least value" },
  { name: "max", type: "varchar", description: "Greatest value" },
  { name: "allowed_values", type: "array(varchar)", description: "Values of which one is drawn" },
  { name: "step", type: "varchar", description: "Difference of the value of a row to that of the row before it" },
] as const);
