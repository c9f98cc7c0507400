/**
 * Literals of time, of timestamp with time zone, and of JSON.
 */
import { canonicalJson } from "../../../functions/scalar/json/json-functions.ts";
import { ofExistingLocal, packTime, parseTime, parseZoned } from "../../../functions/scalar/datetime/zoned.ts";
import { QueryError } from "../../../protocol/errors.ts";
import type { GenericLiteral } from "../../../sql/ast/ast.ts";
import { JSON_TYPE } from "../../../types/type.ts";
import type { Constant } from "../../plan/typed-expression.ts";
import { constant } from "../../plan/expression-tree.ts";
import { semanticError } from "../errors.ts";

/** Maximum number of fractional digits of a second (picoseconds). */
export const picosPrecision = 12;

/**
 * `TIMESTAMP '... Europe/Paris'`, and `TIME '...'` with or without an offset; undefined for other literals. The number of written digits is
 * the precision.
 */
export function zonedLiteral(literal: GenericLiteral): Constant | undefined {
  switch (literal.type) {
    case "timestamp":
    case "timestamp with time zone": {
      const parsed = parseZoned(literal.value);
      if (parsed?.zone === undefined || parsed.precision > picosPrecision) {
        return undefined;
      }
      const type = { kind: "timestamp with time zone", precision: parsed.precision } as const;
      const { local, picos, zone } = parsed;
      const value = inRange(literal, () => ofExistingLocal(local, zone, picos));
      if (value === undefined) {
        throw semanticError("INVALID_LITERAL", literal, `'${literal.value}' is not a valid timestamp literal`);
      }
      return constant(type, value.toString());
    }
    case "time":
    case "time with time zone": {
      const parsed = parseTime(literal.value);
      if (parsed === undefined || parsed.precision > picosPrecision) {
        throw semanticError("INVALID_LITERAL", literal, `'${literal.value}' is not a valid time literal`);
      }
      const { offset, picos, precision } = parsed;
      if (offset === undefined) {
        return constant({ kind: "time", precision }, picos.toString());
      }
      return constant({ kind: "time with time zone", precision }, packTime(picos, offset).toString());
    }
    default:
      return undefined;
  }
}

/** Reports an out-of-range value as an invalid literal. */
function inRange<T>(literal: GenericLiteral, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof QueryError)) {
      throw error;
    }
    throw semanticError("INVALID_LITERAL", literal, `'${literal.value}' is not a valid ${literal.type} literal`);
  }
}

/** `JSON '...'` is equivalent to json_parse of the text. */
export function jsonLiteral(literal: GenericLiteral): Constant | undefined {
  if (literal.type !== "json") {
    return undefined;
  }
  return constant(
    JSON_TYPE,
    inRange(literal, () => canonicalJson(literal.value)),
  );
}
