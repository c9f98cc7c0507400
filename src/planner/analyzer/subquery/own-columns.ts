/** Which columns of enclosing queries belong to the nearest one. */
import type { Variable } from "../../plan/typed-expression.ts";
import { collectVariables } from "../../plan/expression-tree.ts";
import type { Scope } from "../scope/scope.ts";

/** Of the columns that a subquery uses, those that the query around it has or computes; the others are of queries further out, which carry them on. */
export function ownColumns(correlated: readonly Variable[], scope: Scope): readonly Variable[] {
  const further = new Set<string>();
  for (let current = beyond(scope); current !== undefined; current = current.parent) {
    for (const field of current.fields) {
      collectVariables(field.expression).forEach((_variable, name) => further.add(name));
    }
  }
  return correlated.filter((variable) => !further.has(variable.name));
}

/** The scope of the next query out. In ORDER BY a query has two scopes: the columns of the SELECT, and behind them those of FROM. */
function beyond(scope: Scope): Scope | undefined {
  let current: Scope | undefined = scope;
  while (current?.queryBoundary === false) {
    current = current.parent;
  }
  return current?.parent;
}
