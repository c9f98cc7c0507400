/**
 * CORRESPONDING: restricts a set operation to the columns with common names.
 */
import type { Corresponding, Identifier } from "../../../sql/ast/ast.ts";
import { lowerName } from "../../../sql/ast/ast.ts";
import { semanticError } from "../errors.ts";
import type { Field } from "../scope/scope.ts";

type Columns = readonly Field[];

/** Returns the matching columns of each term in the same order: the order of the BY list, or that of the first term. */
export function correspondingColumns(clause: Corresponding, terms: readonly Columns[]): readonly Columns[] {
  const names = clause.columns === undefined ? commonNames(clause, terms) : listedNames(clause.columns, terms);
  return terms.map((columns) => names.map((name) => only(columns, name, clause)));
}

function commonNames(clause: Corresponding, [first = [], ...others]: readonly Columns[]): readonly string[] {
  const names = first.flatMap((field) => {
    const name = lowerFieldName(field);
    return name !== undefined && others.every((columns) => has(columns, name)) ? [name] : [];
  });
  if (names.length === 0) {
    throw semanticError("COLUMN_NOT_FOUND", clause, "CORRESPONDING requires a column that both terms have");
  }
  return names;
}

function listedNames(columns: readonly Identifier[], terms: readonly Columns[]): readonly string[] {
  return columns.map((column, index) => {
    const name = lowerName(column);
    if (columns.findIndex((other) => lowerName(other) === name) !== index) {
      throw semanticError("DUPLICATE_COLUMN_NAME", column, `CORRESPONDING BY lists column '${name}' more than once`);
    }
    const missing = terms.findIndex((term) => !has(term, name));
    if (missing >= 0) {
      throw semanticError(
        "COLUMN_NOT_FOUND",
        column,
        `Column '${name}' is missing from ${missing === 0 ? "left" : "right"} side of CORRESPONDING`,
      );
    }
    return name;
  });
}

function only(columns: Columns, name: string, clause: Corresponding): Field {
  const [field, another] = columns.filter((column) => lowerFieldName(column) === name);
  if (field === undefined || another !== undefined) {
    throw semanticError("AMBIGUOUS_NAME", clause, `Column '${name}' is ambiguous`);
  }
  return field;
}

function has(columns: Columns, name: string): boolean {
  return columns.some((column) => lowerFieldName(column) === name);
}

function lowerFieldName({ name }: Field): string | undefined {
  return name?.toLowerCase();
}
