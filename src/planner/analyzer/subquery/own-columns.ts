/**
 * Finds the outer references that the nearest outer query provides.
 */
import type { Variable } from "../../plan/typed-expression.ts";
import { collectVariables } from "../../plan/expression-tree.ts";
import type { Scope } from "../scope/scope.ts";

/**
 * Returns the columns of `correlated` that the next outer query has or computes. The others belong to queries further out, which provide
 * them.
 */
export function ownColumns(correlated: readonly Variable[], scope: Scope): readonly Variable[] {
  const further = new Set<string>();
  for (let current = beyond(scope); current !== undefined; current = current.parent) {
    for (const field of current.fields) {
      collectVariables(field.expression).forEach((_variable, name) => further.add(name));
    }
  }
  return correlated.filter((variable) => !further.has(variable.name));
}

/**
 * Returns the scope of the next outer query. With ORDER BY, a query has two scopes: the columns of the SELECT, and those of FROM as their
 * parent.
 */
function beyond(scope: Scope): Scope | undefined {
  let current: Scope | undefined = scope;
  while (current?.queryBoundary === false) {
    current = current.parent;
  }
  return current?.parent;
}
