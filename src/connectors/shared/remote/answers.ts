/**
 * What a server says of its tables and rows, when it may be anything: counts that are none, types with impossible parameters, rows of
 * another width.
 */
import type { DatabaseRow } from "../../../ports/databases.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { charLengthMax, decimalPrecisionMax, type Type } from "../../../types/type.ts";

const fractionDigitsMax = 12;
/** Levels of arrays, as PostgreSQL has them (MAXDIM). */
const arrayDepthMax = 6;

/** A count of rows, bytes or values; undefined for a text that is none. */
export function countOf(text: string | null | undefined): number | undefined {
  const count = typeof text === "string" && text !== "" ? Number(text) : Number.NaN;
  return count >= 0 && count <= Number.MAX_SAFE_INTEGER ? count : undefined;
}

/** The type, unless it has a precision or a length that no type of the engine has. */
export function soundType(type: Type | undefined, depth = 0): Type | undefined {
  return type !== undefined && isSound(type, depth) ? type : undefined;
}

function isSound(type: Type, depth: number): boolean {
  const isWithin = (value: number, max: number): boolean => Number.isInteger(value) && value >= 0 && value <= max;
  switch (type.kind) {
    case "decimal":
      return type.precision >= 1 && isWithin(type.precision, decimalPrecisionMax) && isWithin(type.scale, type.precision);
    case "varchar":
      return type.length === undefined || isWithin(type.length, Number.MAX_SAFE_INTEGER);
    case "char":
      return isWithin(type.length, charLengthMax);
    case "time":
    case "timestamp":
    case "timestamp with time zone":
    case "time with time zone":
      return isWithin(type.precision, fractionDigitsMax);
    case "array":
      return depth < arrayDepthMax && isSound(type.element, depth + 1);
    default:
      return true;
  }
}

/** Throws JDBC_ERROR unless each row has a value for each column that was asked for. */
export function requireWidth(rows: readonly DatabaseRow[], columns: number): void {
  const wrong = rows.find((row) => row.length < columns);
  if (wrong !== undefined) {
    throw new QueryError("JDBC_ERROR", `The database sent a row of ${wrong.length} values for ${columns} columns`);
  }
}
