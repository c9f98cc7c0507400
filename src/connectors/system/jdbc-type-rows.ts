/**
 * The rows of system.jdbc.types: one per type, or per family of types with parameters.
 */
import { decimalPrecisionMax, decimalType, displayType, type Type } from "../../types/type.ts";
import type { Row } from "../shared/row-page-source.ts";
import { columnSize, javaObjectCode, jdbcTypeCode, numericRadix } from "./jdbc-types.ts";

/** DatabaseMetaData.typeNullable */
const nullable = 1;
/** DatabaseMetaData.typeSearchable and typePredNone: whether WHERE can compare its values. */
const searchable = 3;
const notSearchable = 0;

/** With the default precision of types without parameters. */
const plainTypes: readonly Type[] = Object.freeze([
  { kind: "boolean" },
  { kind: "tinyint" },
  { kind: "smallint" },
  { kind: "integer" },
  { kind: "bigint" },
  { kind: "real" },
  { kind: "double" },
  { kind: "varchar" },
  { kind: "varbinary" },
  { kind: "date" },
  { kind: "time", precision: 3 },
  { kind: "time with time zone", precision: 3 },
  { kind: "timestamp", precision: 3 },
  { kind: "timestamp with time zone", precision: 3 },
  { kind: "interval day to second" },
  { kind: "interval year to month" },
  { kind: "json" },
  { kind: "uuid" },
  { kind: "ipaddress" },
  { kind: "ipprefix" },
  { kind: "BingTile" },
  { kind: "unknown" },
]);

const uncomparableTypes: readonly Type[] = Object.freeze([
  { kind: "color" },
  { kind: "HyperLogLog" },
  { kind: "P4HyperLogLog" },
  { kind: "tdigest" },
  { kind: "setdigest" },
  { kind: "Geometry" },
  { kind: "SphericalGeography" },
  { kind: "Regressor" },
]);

const decimal: Type = decimalType(decimalPrecisionMax, 0);
const char: Type = Object.freeze({ kind: "char", length: 65_536 });

export const typeRows: readonly Row[] = Object.freeze([
  ...plainTypes.map((type) => typeRow(displayType(type), type, searchable)),
  ...uncomparableTypes.map((type) => typeRow(displayType(type), type, notSearchable)),
  { ...typeRow("decimal", decimal, searchable), maximum_scale: decimalPrecisionMax },
  typeRow("char", char, searchable),
  familyRow("array", 2003),
  ...["map", "row", "qdigest", "Classifier"].map((name) => familyRow(name, javaObjectCode)),
]);

function typeRow(name: string, type: Type, isSearchable: number): Row {
  return {
    ...familyRow(name, jdbcTypeCode(type)),
    precision: columnSize(type),
    searchable: isSearchable,
    num_prec_radix: numericRadix(type),
  };
}

/** Columns that are not listed are null. */
function familyRow(name: string, code: number): Row {
  return {
    type_name: name,
    data_type: code,
    nullable,
    case_sensitive: false,
    searchable: notSearchable,
    fixed_prec_scale: false,
    minimum_scale: 0,
    maximum_scale: 0,
  };
}
