/**
 * Values of domains as texts, the form in which plans, splits and documents of dynamic filters hold them: numbers and dates in digits,
 * decimals without their point, timestamps in microseconds, texts unchanged.
 */
import { physicalType, type Type } from "../type.ts";
import type { DomainValue } from "./range.ts";

export function domainValueText(value: DomainValue): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

/** Inverse of domainValueText for a value of the type. */
export function domainValueOf(type: Type, text: string): DomainValue {
  switch (physicalType(type)) {
    case "bytes":
      return text;
    case "i64":
    case "i128":
      return BigInt(text);
    case "i8":
      return type.kind === "boolean" ? text === "true" : Number(text);
    default:
      return Number(text);
  }
}
