/**
 * Reports aggregates, window functions and grouping operations in clauses that do not allow them. As in Presto, one error lists all of them
 * and has the location of the whole expression.
 */
import { isAggregate, isWindow } from "../../../functions/registry/registry.ts";
import type { Expression, FunctionCall, WindowMeasure } from "../../../sql/ast/ast.ts";
import { printExpression } from "../../../sql/printer/printer.ts";
import { visitSyntax } from "../../../sql/ast/walk.ts";
import { isCollection } from "./collections.ts";
import { type Placed, semanticError } from "../errors.ts";

interface CallsInside {
  /** Of the syntax tree that was looked through. */
  readonly nodes: number;
  readonly aggregates: readonly FunctionCall[];
  readonly windows: readonly (FunctionCall | WindowMeasure)[];
  readonly groupings: readonly FunctionCall[];
}

function nameOf(call: FunctionCall): string {
  return call.name.parts.map(({ value }) => value.toLowerCase()).join(".");
}

/** In statement order. Calls inside subqueries and row patterns are excluded. */
function callsInside(expressions: readonly Expression[], count: () => void): readonly (FunctionCall | WindowMeasure)[] {
  const found: (FunctionCall | WindowMeasure)[] = [];
  visitSyntax(expressions, (node) => {
    count();
    if (node["kind"] === "FunctionCall" || node["kind"] === "WindowMeasure") {
      found.push(node as unknown as FunctionCall | WindowMeasure);
    }
    return node["kind"] !== "Query" && node["kind"] !== "WindowPattern";
  });
  return found;
}

function sorted(expressions: readonly Expression[]): CallsInside {
  let nodes = 0;
  const calls = callsInside(expressions, () => void nodes++);
  const windows = calls.filter(({ window }) => window !== undefined);
  const plain = calls.filter((call): call is FunctionCall => call.window === undefined);
  return {
    nodes,
    aggregates: plain.filter((call) => isAggregate(nameOf(call)) || isCollection(nameOf(call))),
    windows,
    groupings: plain.filter((call) => nameOf(call) === "grouping" && !isWindow(nameOf(call))),
  };
}

function listed(calls: readonly Expression[]): string {
  return `[${calls.map(printExpression).join(", ")}]`;
}

/** Returns the first aggregate or window function. */
export function callOverRows(expressions: readonly Expression[]): Expression | undefined {
  const { aggregates, windows } = sorted(expressions);
  return aggregates[0] ?? windows[0];
}

/** For WHERE, JOIN and GROUP BY. Returns the number of nodes in the expression. */
export function requireScalar(expression: Expression, clause: string): number {
  const { aggregates, windows, groupings, nodes } = sorted([expression]);
  const calls = [...aggregates, ...windows, ...groupings];
  if (calls.length === 0) {
    return nodes;
  }
  const message = `${clause} cannot contain aggregations, window functions or grouping operations: ${listed(calls)}`;
  throw semanticError("EXPRESSION_NOT_SCALAR", expression, message);
}

/** For the arguments of an aggregate. */
export function requireNoneNested(name: string, args: readonly Expression[], at: Placed): void {
  const { aggregates, windows } = sorted(args);
  if (aggregates.length > 0) {
    throw semanticError("NESTED_AGGREGATION", at, `Cannot nest aggregations inside aggregation '${name}': ${listed(aggregates)}`);
  }
  if (windows.length > 0) {
    throw semanticError(
      "NESTED_WINDOW",
      at,
      `Cannot nest window functions or row pattern measures inside aggregation '${name}': ${listed(windows)}`,
    );
  }
}
