/**
 * Functional dependencies between the columns of a plan. A key of a table determines its other columns; equal columns determine each other.
 */
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import { conjunctsOf } from "../../plan/expression-tree.ts";
import { outputsOf, type PlanNode } from "../../plan/node.ts";
import type { Estimator } from "./stats-calculator.ts";

export interface Dependency {
  readonly from: ReadonlySet<string>;
  readonly to: readonly string[];
}

/** A variable has one value for a row at every node of a plan, except above an outer join that sets it to NULL. */
export function dependenciesOf(node: PlanNode, estimator: Estimator): readonly Dependency[] {
  const own = estimator
    .estimate(node)
    .keys.map((key): Dependency => ({ from: key.columns, to: outputsOf(node).map((output) => output.name) }));
  switch (node.kind) {
    case "Filter":
      return [...own, ...dependenciesOf(node.source, estimator), ...conjunctsOf(node.predicate).flatMap(ofEquality)];
    case "Project": {
      const names = node.assignments.flatMap(({ output, expression }) =>
        expression.kind === "variable" && expression.name !== output.name ? bothWays(output, expression) : [],
      );
      return [...own, ...dependenciesOf(node.source, estimator), ...names];
    }
    case "Join": {
      const left = node.type === "INNER" || node.type === "LEFT" ? dependenciesOf(node.left, estimator) : [];
      const right = node.type === "INNER" || node.type === "RIGHT" ? dependenciesOf(node.right, estimator) : [];
      const equal = node.type === "INNER" ? node.criteria.flatMap((c) => bothWays(c.left, c.right)) : [];
      return [...own, ...left, ...right, ...equal];
    }
    case "Aggregation":
      return node.globalSets === undefined ? [...own, ...dependenciesOf(node.source, estimator)] : [];
    case "SemiJoin":
    case "AssignUniqueId":
    case "MarkDistinct":
    case "Window":
    case "Sort":
    case "TopN":
    case "Limit":
    case "Offset":
      return [...own, ...dependenciesOf(node.source, estimator)];
    default:
      return own;
  }
}

function ofEquality(condition: RowExpression): readonly Dependency[] {
  if (condition.kind !== "call" || condition.name !== "$eq") {
    return [];
  }
  const [a, b] = condition.args;
  return a?.kind === "variable" && b?.kind === "variable" ? bothWays(a, b) : [];
}

/** Types whose equal values are identical. Excludes doubles (0e0 and -0e0) and comparisons between different text types. */
const exact: ReadonlySet<string> = new Set([
  "boolean",
  "tinyint",
  "smallint",
  "integer",
  "bigint",
  "decimal",
  "date",
  "varchar",
  "varbinary",
]);

export function hasOneFormEach({ kind }: Variable["type"]): boolean {
  return exact.has(kind);
}

function bothWays(a: Variable, b: Variable): readonly Dependency[] {
  if (!hasOneFormEach(a.type) || a.type.kind !== b.type.kind) {
    return [];
  }
  return [
    { from: new Set([a.name]), to: [b.name] },
    { from: new Set([b.name]), to: [a.name] },
  ];
}

/** Returns the closure: all columns that `names` determine, including `names`. */
export function determinedBy(names: Iterable<string>, dependencies: readonly Dependency[]): ReadonlySet<string> {
  const known = new Set(names);
  for (let size = -1; size !== known.size; ) {
    size = known.size;
    for (const { from, to } of dependencies) {
      if ([...from].every((name) => known.has(name))) {
        for (const name of to) {
          known.add(name);
        }
      }
    }
  }
  return known;
}
