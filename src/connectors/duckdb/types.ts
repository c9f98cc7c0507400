/** Types of DuckDB as types of the engine. */
import {
  BIGINT,
  BOOLEAN,
  DATE,
  decimalPrecisionMax,
  decimalType,
  DOUBLE,
  INTEGER,
  JSON_TYPE,
  REAL,
  SMALLINT,
  TINYINT,
  type Type,
  UUID,
  VARBINARY,
  VARCHAR,
} from "../../types/type.ts";

const digitsOfUbigint = 20;

const plainTypes: ReadonlyMap<string, Type> = new Map<string, Type>([
  ["BOOLEAN", BOOLEAN],
  ["TINYINT", TINYINT],
  ["SMALLINT", SMALLINT],
  ["INTEGER", INTEGER],
  ["BIGINT", BIGINT],
  ["UTINYINT", SMALLINT],
  ["USMALLINT", INTEGER],
  ["UINTEGER", BIGINT],
  ["UBIGINT", decimalType(digitsOfUbigint, 0)],
  ["HUGEINT", decimalType(decimalPrecisionMax, 0)],
  ["FLOAT", REAL],
  ["DOUBLE", DOUBLE],
  ["VARCHAR", VARCHAR],
  ["ENUM", VARCHAR],
  ["BLOB", VARBINARY],
  ["DATE", DATE],
  ["TIME", { kind: "time", precision: 6 }],
  ["TIMESTAMP_S", { kind: "timestamp", precision: 0 }],
  ["TIMESTAMP_MS", { kind: "timestamp", precision: 3 }],
  ["TIMESTAMP", { kind: "timestamp", precision: 6 }],
  ["TIMESTAMP_NS", { kind: "timestamp", precision: 9 }],
  ["TIMESTAMP WITH TIME ZONE", { kind: "timestamp with time zone", precision: 6 }],
  ["UUID", UUID],
  ["JSON", JSON_TYPE],
]);

/** `DECIMAL(10,2)`, `ENUM('a', 'b')` and `INTEGER[]` as `DECIMAL`, `ENUM` and themselves. */
export function typeNameOf(text: string): string {
  return /^(DECIMAL|ENUM)\([^[]*\)$/.exec(text)?.[1] ?? (text.startsWith("ENUM(") && text.endsWith(")") ? "ENUM" : text);
}

/** undefined if the column cannot be read. */
export function typeOf(text: string): Type | undefined {
  const [, precision, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(text) ?? [];
  return precision === undefined ? plainTypes.get(typeNameOf(text)) : decimalType(Number(precision), Number(scale));
}
