/**
 * Values of domains as texts, which is how JSON has them: numbers and dates in digits, decimals without their point, timestamps as micros,
 * texts as they are. Plans, splits and the documents of dynamic filters write them so.
 */
import { physicalType, type Type } from "../type.ts";
import type { DomainValue } from "./range.ts";

export function domainValueText(value: DomainValue): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

/** The text is one that domainValueText gives for a value of the type. */
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
