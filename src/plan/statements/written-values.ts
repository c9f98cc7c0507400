/** What INSERT and UPDATE write to a column: any value of a compatible type, cast to the column's; text is never cut but for spaces at its end. */
import { canCoerce, commonSuperType } from "../../functions/coercion.ts";
import { BIGINT, BOOLEAN, displayType, innerTypes, isCharacter, type Type, unboundedVarcharLength, VARCHAR } from "../../types/type.ts";
import { coerce, callFunction, callOperator } from "../analyzer/functions.ts";
import type { Placed } from "../analyzer/errors.ts";
import type { RowExpression } from "../expression.ts";
import { constant, isConstant, special } from "../expressions.ts";

/** Inside of an array, a map or a row nothing is shortened. */
export function canWrite(from: Type, to: Type): boolean {
  return innerTypes(to).some(isBoundedText) ? canCoerce(from, to) : commonSuperType(from, to) !== undefined;
}

function isBoundedText(type: Type): boolean {
  return isBounded(type) || innerTypes(type).some(isBoundedText);
}

function isBounded(type: Type): type is Type & { readonly kind: "char" | "varchar" } {
  return type.kind === "char" || (type.kind === "varchar" && type.length !== undefined && type.length !== unboundedVarcharLength);
}

export function writtenValue(value: RowExpression, type: Type, at: Placed): RowExpression {
  const written = coerce(value, type);
  if (!isBounded(type) || !isCharacter(value.type) || isConstant(value, null) || canCoerce(value.type, type)) return written;
  const text = coerce(value, VARCHAR);
  const length = callFunction("length", [callFunction("rtrim", [text], at)], at);
  const isTooLong = callOperator("$gt", [length, constant(BIGINT, String(type.length))], at);
  const message = `Cannot truncate non-space characters when casting from ${displayType(value.type)} to ${displayType(type)} on INSERT`;
  const refused = callFunction("$refuse_text", [text, constant(VARCHAR, message)], at);
  return special("IF", type, [coerce(isTooLong, BOOLEAN), coerce(refused, type), written]);
}
