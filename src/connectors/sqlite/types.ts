/** Types of columns by their declared types, which SQLite itself takes as advice: https://www.sqlite.org/datatype3.html, section 3.1. */
import { BIGINT, BOOLEAN, DATE, decimalPrecisionMax, decimalType, DOUBLE, type Type, VARBINARY, VARCHAR } from "../../types/type.ts";

const fractionDigits = 6;

export type Affinity = "INTEGER" | "TEXT" | "BLOB" | "REAL" | "NUMERIC";

export function affinityOf(declared: string): Affinity {
  const name = declared.toUpperCase();
  if (name.includes("INT")) {
    return "INTEGER";
  }
  if (name.includes("CHAR") || name.includes("CLOB") || name.includes("TEXT")) {
    return "TEXT";
  }
  if (name === "" || name.includes("BLOB")) {
    return "BLOB";
  }
  return name.includes("REAL") || name.includes("FLOA") || name.includes("DOUB") ? "REAL" : "NUMERIC";
}

/** Types that SQLite has no affinity for, and those without a type, are texts, because their values may be of any kind. */
export function typeOf(declared: string): Type {
  const [, name = "", first, second] =
    /^([^(]*?)\s*(?:\(\s*([+-]?\d{1,4})\s*(?:,\s*([+-]?\d{1,4})\s*)?\))?$/.exec(declared.toUpperCase()) ?? [];
  switch (name) {
    case "BOOLEAN":
    case "BOOL":
      return BOOLEAN;
    case "DATE":
      return DATE;
    case "DATETIME":
    case "TIMESTAMP":
      return { kind: "timestamp", precision: fractionDigits };
    case "TIME":
      return { kind: "time", precision: fractionDigits };
    case "DECIMAL":
    case "DEC":
    case "NUMERIC":
    case "NUMBER":
      return first === undefined ? DOUBLE : (decimalOf(Number(first), Number(second ?? 0)) ?? DOUBLE);
    default:
      return otherType(declared);
  }
}

function otherType(declared: string): Type {
  switch (affinityOf(declared)) {
    case "INTEGER":
      return BIGINT;
    case "REAL":
      return DOUBLE;
    case "BLOB":
      return declared === "" ? VARCHAR : VARBINARY;
    default:
      return VARCHAR;
  }
}

function decimalOf(precision: number, scale: number): Type | undefined {
  return precision >= 1 && precision <= decimalPrecisionMax && scale >= 0 && scale <= precision ? decimalType(precision, scale) : undefined;
}
