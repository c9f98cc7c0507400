/**
 * Checks and converts values that INSERT, UPDATE and MERGE store. A value may have any type with a common supertype; the conversion checks
 * the value at run time.
 */
import { canCoerce, commonSuperType } from "../../../functions/registry/coercion.ts";
import { BIGINT, displayType, innerTypes, isCharacter, isNested, type Type, VARCHAR } from "../../../types/type.ts";
import type { Placed } from "../../analyzer/errors.ts";
import { callFunction, coerce } from "../../analyzer/expression/functions.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import { cast, constant } from "../../plan/expression-tree.ts";

function holdsBoundedText(type: Type): boolean {
  return isNested(type) ? innerTypes(type).some(holdsBoundedText) : isCharacter(type) && type !== VARCHAR;
}

export function isStorable(from: Type, to: Type): boolean {
  if (canCoerce(from, to)) {
    return true;
  }
  return commonSuperType(from, to) !== undefined && !(isNested(to) && holdsBoundedText(to));
}

/** Text that is too long for the column may only lose trailing spaces. */
export function storedValue(value: RowExpression, type: Type, at: Placed): RowExpression {
  if (canCoerce(value.type, type)) {
    return coerce(value, type);
  }
  if (type.kind !== "char" && (type.kind !== "varchar" || type.length === undefined)) {
    return cast(value, type);
  }
  const text = value.type.kind === "varchar" ? value : cast(value, VARCHAR);
  const message = `Cannot truncate non-space characters when casting from ${displayType(value.type)} to ${displayType(type)} on INSERT`;
  return cast(callFunction("$fitting", [text, constant(BIGINT, String(type.length ?? 0)), constant(VARCHAR, message)], at), type);
}
