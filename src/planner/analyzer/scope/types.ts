/**
 * Resolves type syntax to types.
 */
import {
  BIGINT,
  BOOLEAN,
  DATE,
  DOUBLE,
  INTEGER,
  INTERVAL_DAY_TO_SECOND,
  INTERVAL_YEAR_TO_MONTH,
  REAL,
  SMALLINT,
  TINYINT,
} from "../../../types/type.ts";
import { arrayType, mapType, rowType } from "../../../types/type.ts";
import {
  BING_TILE,
  classifierType,
  COLOR,
  GEOMETRY,
  HYPER_LOG_LOG,
  IPADDRESS,
  IPPREFIX,
  JSON_TYPE,
  P4_HYPER_LOG_LOG,
  qdigestType,
  REGRESSOR,
  SET_DIGEST,
  SPHERICAL_GEOGRAPHY,
  TDIGEST,
  UUID,
} from "../../../types/type.ts";
import {
  charLengthMax,
  charType,
  decimalPrecisionMax,
  decimalType,
  unboundedVarcharLength,
  UNKNOWN,
  VARBINARY,
  VARCHAR,
  varcharType,
  type Type,
} from "../../../types/type.ts";
import type { Identifier, TypeSyntax } from "../../../sql/ast/ast.ts";
import { QueryError } from "../../../protocol/errors.ts";
import type { Placed } from "../errors.ts";

const simpleTypes: ReadonlyMap<string, Type> = new Map<string, Type>([
  ["boolean", BOOLEAN],
  ["tinyint", TINYINT],
  ["smallint", SMALLINT],
  ["integer", INTEGER],
  ["int", INTEGER],
  ["bigint", BIGINT],
  ["real", REAL],
  ["double", DOUBLE],
  ["varbinary", VARBINARY],
  ["date", DATE],
  ["unknown", UNKNOWN],
  ["json", JSON_TYPE],
  ["uuid", UUID],
  ["ipaddress", IPADDRESS],
  ["ipprefix", IPPREFIX],
  ["color", COLOR],
  ["hyperloglog", HYPER_LOG_LOG],
  ["p4hyperloglog", P4_HYPER_LOG_LOG],
  ["tdigest", TDIGEST],
  ["setdigest", SET_DIGEST],
  ["geometry", GEOMETRY],
  ["sphericalgeography", SPHERICAL_GEOGRAPHY],
  ["bingtile", BING_TILE],
  ["regressor", REGRESSOR],
  ["interval day to second", INTERVAL_DAY_TO_SECOND],
  ["interval year to month", INTERVAL_YEAR_TO_MONTH],
]);

/** An unknown type. Statements that define columns replace it by their own message. */
export class UnknownTypeError extends QueryError {
  constructor(
    at: Placed,
    readonly typeText: string,
  ) {
    super("TYPE_MISMATCH", `Unknown type: ${typeText}`, at.location);
  }
}

/** Returns the result of `resolve`; replaces an unknown-type error by that of `unknown`. */
export function orWhenUnknown(resolve: () => Type, unknown: () => Error): Type {
  try {
    return resolve();
  } catch (error) {
    throw error instanceof UnknownTypeError ? unknown() : error;
  }
}

const fractionDigitsMax = 12;

/** Checks a precision; `type` is the type's name in the message. As for all type parameters, the error has no location. */
export function requirePrecision(type: string, precision: number): void {
  if (precision <= fractionDigitsMax) {
    return;
  }
  throw new QueryError(
    "NUMERIC_VALUE_OUT_OF_RANGE",
    `${type.toUpperCase()} precision must be in range [0, ${fractionDigitsMax}]: ${precision}`,
  );
}

export function resolveType(syntax: TypeSyntax): Type {
  if (syntax.kind === "RowType") {
    return rowType(
      syntax.fields.map(({ name, type }) => ({ ...(name === undefined ? {} : { name: fieldName(name) }), type: resolveType(type) })),
    );
  }
  const nested = nestedType(syntax);
  if (nested !== undefined) {
    return nested;
  }
  const numbers = syntax.arguments.map((argument) => {
    if (typeof argument !== "number") {
      throw new UnknownTypeError(syntax, syntax.name);
    }
    return argument;
  });
  const simple = numbers.length === 0 ? simpleTypes.get(syntax.name) : undefined;
  if (simple !== undefined) {
    return simple;
  }
  const type = parametricType(syntax, numbers);
  if (type !== undefined) {
    return type;
  }
  const text = numbers.length === 0 ? syntax.name : `${syntax.name}(${numbers.join(",")})`;
  throw new UnknownTypeError(syntax, text);
}

/** Unquoted names are lower case, as in Presto's types. */
function fieldName(name: Identifier): string {
  return name.delimited ? name.value : name.value.toLowerCase();
}

function nestedType({ name, arguments: args }: TypeSyntax & { kind: "GenericType" }): Type | undefined {
  const types = args.map((argument) => (typeof argument === "number" ? undefined : resolveType(argument)));
  const [first, second] = types;
  if (name === "array" && types.length === 1 && first !== undefined) {
    return arrayType(first);
  }
  if (name === "classifier" && types.length === 1 && (first?.kind === "bigint" || first?.kind === "varchar")) {
    return classifierType(first);
  }
  if (name === "qdigest" && types.length === 1 && first !== undefined) {
    return qdigestType(first);
  }
  if (name === "map" && types.length === 2 && first !== undefined && second !== undefined) {
    return mapType(first, second);
  }
  return undefined;
}

function parametricType(syntax: TypeSyntax & { kind: "GenericType" }, numbers: readonly number[]): Type | undefined {
  const [first, second] = numbers;
  switch (syntax.name) {
    case "varchar":
      if (first === undefined) {
        return VARCHAR;
      }
      if (first > unboundedVarcharLength) {
        throw new QueryError(
          "INVALID_FUNCTION_ARGUMENT",
          `VARCHAR length must be in range [0, ${unboundedVarcharLength - 1}], got ${first}`,
        );
      }
      return numbers.length === 1 ? varcharType(first) : undefined;
    case "char":
      if (first !== undefined && first > charLengthMax) {
        throw new QueryError("INVALID_FUNCTION_ARGUMENT", `CHAR length must be in range [0, ${charLengthMax}], got ${first}`);
      }
      return charType(first ?? 1);
    case "decimal":
    case "dec":
    case "numeric":
      return decimal(first ?? decimalPrecisionMax, second ?? 0);
    case "timestamp":
    case "timestamp with time zone":
    case "time":
    case "time with time zone":
      requirePrecision(syntax.name, first ?? 0);
      return { kind: syntax.name, precision: first ?? 3 };
    default:
      return undefined;
  }
}

function decimal(precision: number, scale: number): Type {
  if (precision < 1 || precision > decimalPrecisionMax) {
    throw new QueryError("INVALID_FUNCTION_ARGUMENT", `DECIMAL precision must be in range [1, ${decimalPrecisionMax}]: ${precision}`);
  }
  if (scale < 0 || scale > precision) {
    throw new QueryError("INVALID_FUNCTION_ARGUMENT", `DECIMAL scale must be in range [0, precision (${precision})]: ${scale}`);
  }
  return decimalType(precision, scale);
}
