/**
 * The syntax tree of SQL text: immutable, closed unions with the discriminant `kind`. Node names are Presto's. Nothing is resolved: names
 * are as written, and literals are text. This file exports all node types.
 *
 * The parser desugars some syntax, as Presto does:
 *
 * - `a || b` becomes `concat(a, b)`.
 * - `POSITION(a IN b)` becomes `strpos(b, a)`.
 * - `SUBSTRING(s FROM i FOR n)` becomes `substr(s, i, n)`.
 * - `TRIM(LEADING c FROM s)` becomes `ltrim(s, c)`.
 * - `x NOT IN (..)` becomes `NOT (x IN (..))`; likewise BETWEEN, LIKE, EXISTS and IS DISTINCT FROM.
 * - `!=` becomes `<>`.
 * - IF, COALESCE, NULLIF, TRY and GROUPING become function calls with these names in lower case.
 */
export type * from "./access-statements.ts";
export type * from "./definition-statements.ts";
export type * from "./expression-nodes.ts";
export type * from "./json.ts";
export type * from "./materialized-views.ts";
export type * from "./patterns.ts";
export type * from "./relations.ts";
export type * from "./routines.ts";
export type * from "./statements.ts";
export type * from "./table-functions.ts";

import type { Expression, Identifier, Location, QualifiedName } from "./expression-nodes.ts";

/** Returns the lookup name of a catalog object: its parts in lower case, even if quoted. */
export function lowerParts(name: QualifiedName): readonly string[] {
  return name.parts.map(lowerName);
}

/**
 * Returns whether the name is exactly this word, unquoted, in any case. The grammar recognizes its special forms this way. `word` is in
 * lower case.
 */
export function isBareName({ parts: [first, second] }: QualifiedName, word: string): boolean {
  return second === undefined && first?.delimited === false && lowerName(first) === word;
}

export function lowerName(identifier: Identifier): string {
  return identifier.value.toLowerCase();
}

/** A call that replaces other syntax. */
export function functionCall(name: string, args: readonly Expression[], location: Location): Expression {
  const identifier: Identifier = { kind: "Identifier", value: name, delimited: false, location };
  return {
    kind: "FunctionCall",
    name: { kind: "QualifiedName", parts: [identifier], location },
    arguments: args,
    star: false,
    distinct: false,
    orderBy: [],
    location,
  };
}
