/**
 * Values as text, so that the readers of text files give the same values.
 */
import { assert } from "../../../../protocol/errors.ts";
import type { NestedValue } from "../../../../types/nested/nested-order.ts";
import { displayType, type Type } from "../../../../types/type.ts";
import { dateText, momentText } from "./moments.ts";

/** Digits that tell all reals apart. */
const realDigitsMax = 9;

/** Of any type but varchar and nested ones. */
export function scalarText(type: Type, value: Exclude<NestedValue, null>): string {
  switch (type.kind) {
    case "boolean":
    case "tinyint":
    case "smallint":
    case "integer":
    case "bigint":
      return String(value);
    case "real":
      return realText(value as number);
    case "double":
      return doubleText(value as number);
    case "decimal":
      return decimalText(value as bigint, type.scale);
    case "date":
      return dateText(value as number);
    case "time":
    case "timestamp":
    case "timestamp with time zone":
      return momentText(type, value as bigint);
    default:
      assert(false, `text files have no ${displayType(type)}`);
  }
}

function doubleText(value: number): string {
  return Object.is(value, -0) ? "-0.0" : String(value);
}

/** The shortest text of the real. */
function realText(value: number): string {
  if (!Number.isFinite(value) || value === 0) {
    return doubleText(value);
  }
  for (let digits = 1; digits < realDigitsMax; digits++) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === value) {
      return String(text);
    }
  }
  return String(Number(value.toPrecision(realDigitsMax)));
}

function decimalText(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return unscaled < 0n ? `-${text}` : text;
}
