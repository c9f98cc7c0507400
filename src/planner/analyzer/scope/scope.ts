/**
 * Scopes: resolution of names to columns at one place in a statement.
 */
import type { Expression, Identifier } from "../../../sql/ast/ast.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import type { PlanNode } from "../../plan/node.ts";
import { sameExpression } from "../../plan/expression-tree.ts";
import { type Placed, semanticError } from "../errors.ts";
import type { ErrorName } from "../../../protocol/errors.ts";

export interface Field {
  /** Name as written; absent for a computed column without alias. */
  readonly name?: string;
  /** In lower case: [alias] or [catalog, schema, table]. Absent for columns that belong to no relation. */
  readonly qualifier?: readonly string[];
  /** Expression that represents the column: usually a variable; in ORDER BY, the expression of the SELECT item. */
  readonly expression: RowExpression;
  readonly hidden: boolean;
}

export interface Scope {
  readonly fields: readonly Field[];
  /** Scope of the outer query, whose columns are outer references. In ORDER BY, the scope of FROM. */
  readonly parent?: Scope;
  /** True if names found only in `parent` belong to the outer query. */
  readonly queryBoundary: boolean;
  /**
   * Fields that take precedence over `fields` but are not allowed here. A name that resolves to one of them is an error, unless `fields`
   * resolves it to the same expression.
   */
  readonly refused?: { readonly fields: readonly Field[]; readonly message: string; readonly code?: ErrorName };
}

/** A planned relation: its plan and its named columns. */
export interface RelationPlan {
  readonly node: PlanNode;
  readonly fields: readonly Field[];
}

export interface ResolvedName {
  readonly field: Field;
  /** Number of query boundaries up to the column's scope; 0 is a column of this query. */
  readonly depth: number;
}

/** Returns the parts of `a.b.c`; undefined for other expressions. */
export function nameParts(expression: Expression): readonly Identifier[] | undefined {
  if (expression.kind === "Identifier") {
    return [expression];
  }
  if (expression.kind !== "Dereference") {
    return undefined;
  }
  const base = nameParts(expression.base);
  return base === undefined ? undefined : [...base, expression.field];
}

export function resolveName(scope: Scope, parts: readonly Identifier[], at: Expression): ResolvedName {
  const lower = parts.map((part) => part.value.toLowerCase());
  let depth = 0;
  for (let current: Scope | undefined = scope; current !== undefined; current = current.parent) {
    const matches = namedFields(current.fields, lower).filter((field) => matchesName(field, lower));
    const [match] = matches;
    const refused = current.refused && namedFields(current.refused.fields, lower).find((field) => matchesName(field, lower));
    if (refused !== undefined && (match === undefined || !sameExpression(refused.expression, match.expression))) {
      throw semanticError(current.refused?.code ?? "COLUMN_NOT_FOUND", at, current.refused?.message ?? "");
    }
    if (matches.length > 1 && !matches.every((field) => field.expression === match?.expression && current?.queryBoundary === false)) {
      throw semanticError("AMBIGUOUS_NAME", at, `Column '${lower.join(".")}' is ambiguous`);
    }
    if (match !== undefined) {
      return { field: match, depth };
    }
    if (current.queryBoundary) {
      depth += 1;
    }
  }
  throw semanticError("COLUMN_NOT_FOUND", at, `Column '${lower.join(".")}' cannot be resolved`);
}

/** Returns whether a name resolves to a column of this or an outer scope. An ambiguous name counts. */
export function hasColumn(scope: Scope, parts: readonly Identifier[]): boolean {
  const lower = parts.map((part) => part.value.toLowerCase());
  for (let current: Scope | undefined = scope; current !== undefined; current = current.parent) {
    if (namedFields(current.fields, lower).some((field) => matchesName(field, lower))) {
      return true;
    }
  }
  return false;
}

/** Fields of `t.*`. */
export function fieldsOfRelation(fields: readonly Field[], parts: readonly string[]): readonly Field[] {
  return fields.filter((field) => field.qualifier !== undefined && endsWith(field.qualifier, parts));
}

/** Renames the visible columns by a list of aliases; drops hidden columns. */
export function renameFields(
  fields: readonly Field[],
  names: readonly { readonly value: string }[],
  alias: string,
  at: Placed,
): readonly Field[] {
  const visible = fields.filter((field) => !field.hidden);
  if (visible.length !== names.length) {
    throw semanticError(
      "MISMATCHED_COLUMN_ALIASES",
      at,
      `Column alias list has ${names.length} entries but '${alias}' has ${visible.length} columns available`,
    );
  }
  return visible.map((field, index) => ({ ...field, name: names[index]?.value ?? "" }));
}

/** Length of a list of fields that is searched for each name. */
const fieldsSearched = 32;

/** By the list: its fields by name in lower case. A query may name each of thousands of columns. */
const fieldsByName = new WeakMap<readonly Field[], ReadonlyMap<string, readonly Field[]>>();

/** The fields that may match a name, whose last part decides, in their order. */
export function namedFields(fields: readonly Field[], lower: readonly string[]): readonly Field[] {
  if (fields.length <= fieldsSearched) {
    return fields;
  }
  const byName = fieldsByName.get(fields) ?? groupByName(fields);
  fieldsByName.set(fields, byName);
  return byName.get(lower.at(-1) ?? "") ?? [];
}

function groupByName(fields: readonly Field[]): ReadonlyMap<string, readonly Field[]> {
  const byName = new Map<string, Field[]>();
  for (const field of fields) {
    if (field.name === undefined) {
      continue;
    }
    const name = field.name.toLowerCase();
    const own = byName.get(name);
    if (own === undefined) {
      byName.set(name, [field]);
    } else {
      own.push(field);
    }
  }
  return byName;
}

function matchesName(field: Field, lower: readonly string[]): boolean {
  if (field.name === undefined || field.name.toLowerCase() !== lower[lower.length - 1]) {
    return false;
  }
  return lower.length === 1 || (field.qualifier !== undefined && endsWith(field.qualifier, lower.slice(0, -1)));
}

function endsWith(qualifier: readonly string[], suffix: readonly string[]): boolean {
  const start = qualifier.length - suffix.length;
  return start >= 0 && suffix.every((part, index) => qualifier[start + index] === part);
}
