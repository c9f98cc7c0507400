/** Types of the columns of a cluster, by their names in SQL. */
import { QueryError } from "../../../../protocol/errors.ts";
import type { GenericType, TypeSyntax } from "../../../../sql/ast/expression-nodes.ts";
import { parseTypeText } from "../../../../sql/parser/parser.ts";
import {
  arrayType,
  BIGINT,
  BOOLEAN,
  charLengthMax,
  charType,
  DATE,
  decimalPrecisionMax,
  decimalType,
  DOUBLE,
  INTEGER,
  INTERVAL_DAY_TO_SECOND,
  INTERVAL_YEAR_TO_MONTH,
  IPADDRESS,
  IPPREFIX,
  JSON_TYPE,
  mapType,
  REAL,
  rowType,
  SMALLINT,
  TINYINT,
  type Type,
  UUID,
  VARBINARY,
  VARCHAR,
  varcharType,
} from "../../../../types/type.ts";

const fractionDigitsMax = 12;
/** Presto's types of time have no parameter. */
const fractionDigitsDefault = 3;

const plainTypes: ReadonlyMap<string, Type> = new Map<string, Type>([
  ["boolean", BOOLEAN],
  ["tinyint", TINYINT],
  ["smallint", SMALLINT],
  ["integer", INTEGER],
  ["bigint", BIGINT],
  ["real", REAL],
  ["double", DOUBLE],
  ["varchar", VARCHAR],
  ["varbinary", VARBINARY],
  ["date", DATE],
  ["json", JSON_TYPE],
  ["uuid", UUID],
  ["ipaddress", IPADDRESS],
  ["ipprefix", IPPREFIX],
  ["interval day to second", INTERVAL_DAY_TO_SECOND],
  ["interval year to month", INTERVAL_YEAR_TO_MONTH],
]);

/** undefined for a type whose values cannot be read, such as a sketch. */
export function typeOfText(text: string): Type | undefined {
  try {
    return typeOf(parseTypeText(text));
  } catch (error) {
    if (error instanceof QueryError) {
      return undefined;
    }
    throw error;
  }
}

function typeOf(syntax: TypeSyntax): Type | undefined {
  if (syntax.kind === "GenericType") {
    return genericType(syntax);
  }
  const fields = syntax.fields.flatMap(({ name, type }) => {
    const found = typeOf(type);
    return found === undefined ? [] : { ...(name !== undefined && { name: name.value }), type: found };
  });
  return fields.length === syntax.fields.length ? rowType(fields) : undefined;
}

function genericType({ name, arguments: args }: GenericType): Type | undefined {
  const numbers = args.filter((argument) => typeof argument === "number");
  if (numbers.length < args.length) {
    const [first, second] = args.map((argument) => (typeof argument === "number" ? undefined : typeOf(argument)));
    return name === "array" && args.length === 1
      ? first && arrayType(first)
      : name === "map" && args.length === 2
        ? first && second && mapType(first, second)
        : undefined;
  }
  return numbers.length === 0 ? (plainTypes.get(name) ?? sizedType(name, [])) : sizedType(name, numbers);
}

function sizedType(name: string, [first, second]: readonly number[]): Type | undefined {
  switch (name) {
    case "varchar":
      return varcharType(first ?? 0);
    case "char":
      return (first ?? 1) > charLengthMax ? VARCHAR : charType(first ?? 1);
    case "decimal": {
      const [precision, scale] = [first ?? decimalPrecisionMax, second ?? 0];
      return precision < 1 || precision > decimalPrecisionMax || scale > precision ? undefined : decimalType(precision, scale);
    }
    case "time":
    case "time with time zone":
    case "timestamp":
    case "timestamp with time zone": {
      const precision = first ?? fractionDigitsDefault;
      return precision > fractionDigitsMax ? undefined : { kind: name, precision };
    }
    default:
      return undefined;
  }
}
