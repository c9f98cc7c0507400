/**
 * Type names in responses. The client generations of Presto and Trino spell some types differently.
 */
import { displayFieldName, displayType, type RowField, type Type } from "./type.ts";

export interface TypeTextOptions {
  /** Separator between the parameters of a type. */
  readonly comma: "," | ", ";
  /** Whether date and time types show their precision: `timestamp(6)`. */
  readonly precisions: boolean;
  readonly intervals: "lower" | "upper";
}

export function clientTypeText(type: Type, options: TypeTextOptions): string {
  const { comma } = options;
  const precision = (digits: number) => (options.precisions ? `(${digits})` : "");
  switch (type.kind) {
    case "decimal":
      return `decimal(${type.precision}${comma}${type.scale})`;
    case "timestamp":
    case "time":
      return `${type.kind}${precision(type.precision)}`;
    case "timestamp with time zone":
      return `timestamp${precision(type.precision)} with time zone`;
    case "time with time zone":
      return `time${precision(type.precision)} with time zone`;
    case "interval day to second":
    case "interval year to month":
      return options.intervals === "upper" ? type.kind.toUpperCase() : type.kind;
    case "array":
      return `array(${clientTypeText(type.element, options)})`;
    case "map":
      return `map(${clientTypeText(type.key, options)}${comma}${clientTypeText(type.value, options)})`;
    case "row":
      return `row(${type.fields.map((field) => fieldText(field, options)).join(comma)})`;
    default:
      return displayType(type);
  }
}

function fieldText(field: RowField, options: TypeTextOptions): string {
  const text = clientTypeText(field.type, options);
  return field.name === undefined ? text : `${displayFieldName(field.name)} ${text}`;
}
