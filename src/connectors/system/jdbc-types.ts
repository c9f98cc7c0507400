/**
 * JDBC properties of types: the code in java.sql.Types and the width of values (TypesJdbcTable and ColumnJdbcTable of Presto).
 */
import type { Type, TypeKind } from "../../types/type.ts";
import { regionNames } from "../../types/time/zones.ts";

/** java.sql.Types; a type that is not listed is JAVA_OBJECT. */
const codes: Partial<Readonly<Record<TypeKind, number>>> = Object.freeze({
  boolean: 16,
  bigint: -5,
  integer: 4,
  smallint: 5,
  tinyint: -6,
  real: 7,
  double: 8,
  decimal: 3,
  varchar: 12,
  char: 1,
  varbinary: -3,
  date: 91,
  time: 92,
  "time with time zone": 2013,
  timestamp: 93,
  "timestamp with time zone": 2014,
  array: 2003,
});

export const javaObjectCode = 2000;

/** Size of types without a length. */
const lengthMax = 2_147_483_647;

const zoneNameLengthMax = regionNames.reduce((longest, name) => Math.max(longest, name.length), 0);

export function jdbcTypeCode(type: Type): number {
  return codes[type.kind] ?? javaObjectCode;
}

/** Digits of a number, characters of other types; null where JDBC defines no size. */
export function columnSize(type: Type): number | null {
  switch (type.kind) {
    case "bigint":
      return 19;
    case "integer":
      return 10;
    case "smallint":
      return 5;
    case "tinyint":
      return 3;
    case "decimal":
      return type.precision;
    // Floating point: in bits.
    case "real":
      return 24;
    case "double":
      return 53;
    case "varchar":
      return type.length ?? lengthMax;
    case "char":
      return type.length;
    case "varbinary":
      return lengthMax;
    case "time":
      return 8 + fraction(type.precision);
    case "time with time zone":
      return 8 + fraction(type.precision) + 6;
    case "date":
      return 14;
    case "timestamp":
      return 21 + fraction(type.precision);
    case "timestamp with time zone":
      return 23 + fraction(type.precision) + zoneNameLengthMax;
    default:
      return null;
  }
}

/** Width including the point, if there is one. */
function fraction(precision: number): number {
  return Math.min(precision, 1) + precision;
}

/** Fractional digits of a decimal or of seconds. */
export function decimalDigits(type: Type): number | null {
  switch (type.kind) {
    case "decimal":
      return type.scale;
    case "time":
    case "time with time zone":
    case "timestamp":
    case "timestamp with time zone":
      return type.precision;
    default:
      return null;
  }
}

export function numericRadix(type: Type): number | null {
  switch (type.kind) {
    case "bigint":
    case "integer":
    case "smallint":
    case "tinyint":
    case "decimal":
      return 10;
    case "real":
    case "double":
      return 2;
    default:
      return null;
  }
}

export function charOctetLength(type: Type): number | null {
  return type.kind === "varchar" || type.kind === "char" || type.kind === "varbinary" ? columnSize(type) : null;
}
