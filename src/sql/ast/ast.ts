/**
 * The syntax tree of SQL text: immutable, closed unions told apart by `kind`. Made by the parser, read by the analyser and the printer.
 * Names are Presto's. Nothing in it is resolved: names are as written, literals are text. The parts are in expressions.ts, relations.ts
 * and statements.ts with what it joins; this file is the door.
 *
 * Sugar that the parser takes off, as Presto does: `a || b` is `concat(a, b)`, `POSITION(a IN b)` is `strpos(b, a)`, `SUBSTRING(s FROM i FOR n)`
 * is `substr(s, i, n)`, `TRIM(LEADING c FROM s)` is `ltrim(s, c)`, `x NOT IN (..)` is `NOT (x IN (..))` (likewise BETWEEN, LIKE, EXISTS and IS DISTINCT FROM),
 * `!=` is `<>`, IF, COALESCE, NULLIF, TRY and GROUPING are function calls of these names in lower case.
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

/** The name by which a catalog object is found: parts in lower case, quoted or not. */
export function lowerParts(name: QualifiedName): readonly string[] {
  return name.parts.map(lowerName);
}

/** Whether it is this word alone and not quoted, in whatever case: how the grammar knows its special forms. `word` in lower case. */
export function isBareName({ parts: [first, second] }: QualifiedName, word: string): boolean {
  return second === undefined && first?.delimited === false && lowerName(first) === word;
}

export function lowerName(identifier: Identifier): string {
  return identifier.value.toLowerCase();
}

/** A call that the parser makes out of other syntax. */
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
