/**
 * Scopes of the queries of a WITH clause, and column aliases of a query.
 */
import type { Identifier } from "../../../sql/ast/ast.ts";
import { lowerName } from "../../../sql/ast/ast.ts";
import type { Analysis, NamedQuery } from "../analysis.ts";
import { type Placed, semanticError } from "../errors.ts";
import { planRecursive } from "./recursion.ts";
import type { InPieces } from "../../pieces.ts";
import type { RelationPlan } from "../scope/scope.ts";

export function* planNamedQuery(named: NamedQuery, analysis: Analysis, at: Placed): InPieces<RelationPlan> {
  if (named.relation !== undefined) {
    return named.relation();
  }
  if (named.recursion !== undefined) {
    return planRecursive(named.recursion, named, named.recursion.name, analysis, at);
  }
  const plan = yield* analysis.analyzers.queryInPieces(named.query, analysis, named.surroundings);
  if (named.columnNames === undefined) {
    return plan;
  }
  const visible = plan.fields.filter((field) => !field.hidden);
  requireAliases(named.columnNames, visible.length, at);
  return { node: plan.node, fields: visible.map((field, index) => ({ ...field, name: named.columnNames?.[index]?.value ?? "" })) };
}

/** Requires one alias for each column and no duplicate aliases. */
export function requireAliases(aliases: readonly Identifier[], columnCount: number, at: Placed): void {
  if (aliases.length !== columnCount) {
    const counts = `Column alias list has ${aliases.length} entries but relation has ${columnCount} columns`;
    throw semanticError("MISMATCHED_COLUMN_ALIASES", aliases[0] ?? at, counts);
  }
  const names = new Set<string>();
  for (const alias of aliases) {
    const name = lowerName(alias);
    if (names.has(name)) {
      throw semanticError("DUPLICATE_COLUMN_NAME", alias, `Column name '${alias.value}' specified more than once`);
    }
    names.add(name);
  }
}
