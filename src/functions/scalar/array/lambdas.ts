/**
 * Array functions with lambdas. The compiler passes each lambda as a function of values (execution/expressions/lambdas.ts).
 */
import type { HostLambda, HostValue, LambdaImplementation, ScalarDefinition } from "../../registry/definition.ts";
import { invalidArgument, type List } from "../../runtime/nested-values.ts";
import { reduceValues } from "../../runtime/reduction.ts";

type OneLambda = (list: List, lambda: HostLambda, args: List) => HostValue;

function withLambda(implementation: OneLambda): LambdaImplementation {
  return (args, [lambda]) => implementation(args[0] as List, lambda as HostLambda, args);
}

export interface Match {
  /** The lambda result that ends the search. */
  readonly deciding: boolean;
  /** The result if the search ended early; otherwise its negation. */
  readonly answer: boolean;
}

export const anyMatches: Match = Object.freeze({ deciding: true, answer: true });
export const allMatch: Match = Object.freeze({ deciding: false, answer: false });
export const noneMatches: Match = Object.freeze({ deciding: true, answer: false });

/** Three-valued: if no element decides and a lambda result was NULL, the result is NULL. */
export function matchValues(values: Iterable<HostValue>, lambda: HostLambda, { deciding, answer }: Match): boolean | null {
  let sawNull = false;
  for (const value of values) {
    const result = lambda(value);
    if (result === deciding) {
      return answer;
    }
    sawNull ||= result === null;
  }
  return sawNull ? null : !answer;
}

function match(how: Match): LambdaImplementation {
  return withLambda((list, lambda) => matchValues(list, lambda, how));
}

/** Stable merge sort with the comparator; terminates with some order even if the comparator is inconsistent. */
export function sortedBy(list: List, compare: HostLambda): HostValue[] {
  return [...list].sort((a, b) => {
    const order = compare(a, b);
    return order === -1 || order === 0 || order === 1 ? order : invalidArgument("Lambda comparator must return either -1, 0, or 1");
  });
}

const reduce: LambdaImplementation = ([list, initial], [step, finish], _call, surroundings) =>
  list === null ? null : reduceValues(list as List, initial as HostValue, { step: step as HostLambda, finish }, surroundings);

export const arrayLambdaDefinitions: readonly ScalarDefinition[] = [
  {
    name: "transform",
    args: ["array(T)", "function(T,U)"],
    returns: "array(U)",
    description: "Array of the lambda's result for each element",
    withLambdas: withLambda((list, lambda) => list.map((value) => lambda(value))),
    example: { sql: "transform(ARRAY[1, NULL, 3], x -> x + 1)", result: "[2, null, 4]" },
  },
  {
    name: "filter",
    args: ["array(T)", "function(T,boolean)"],
    returns: "array(T)",
    description: "Elements for which the lambda is true",
    withLambdas: withLambda((list, lambda) => list.filter((value) => lambda(value) === true)),
    example: { sql: "filter(ARRAY[5, -6, NULL, 7], x -> x > 0)", result: "[5, 7]" },
  },
  {
    name: "reduce",
    args: ["array(T)", "S", "function(S,T,S)", "function(S,R)"],
    returns: "R",
    nulls: "seen",
    suspends: true,
    description: "Elements reduced to one value by an input function and an output function",
    withLambdas: reduce,
    example: { sql: "reduce(ARRAY[5, 20, 50], 0, (s, x) -> s + x, s -> s)", result: "75" },
  },
  {
    name: "any_match",
    args: ["array(T)", "function(T,boolean)"],
    returns: "boolean",
    givesNull: true,
    description: "Whether the lambda is true for any element",
    withLambdas: match(anyMatches),
    example: { sql: "any_match(ARRAY[1, 2], x -> x = 2)", result: "true" },
  },
  {
    name: "all_match",
    args: ["array(T)", "function(T,boolean)"],
    returns: "boolean",
    givesNull: true,
    description: "Whether the lambda is true for every element",
    withLambdas: match(allMatch),
    example: { sql: "all_match(ARRAY[1, 2], x -> x = 2)", result: "false" },
  },
  {
    name: "none_match",
    args: ["array(T)", "function(T,boolean)"],
    returns: "boolean",
    givesNull: true,
    description: "Whether the lambda is true for no element",
    withLambdas: match(noneMatches),
    example: { sql: "none_match(ARRAY[1, 2], x -> x = 3)", result: "true" },
  },
  {
    name: "array_sort",
    args: ["array(T)", "function(T,T,integer)"],
    returns: "array(T)",
    description: "Array sorted by a comparator that returns -1, 0 or 1",
    withLambdas: withLambda(sortedBy),
    example: { sql: "array_sort(ARRAY[3, 1, 2], (x, y) -> IF(x < y, 1, IF(x = y, 0, -1)))", result: "[3, 2, 1]" },
  },
  {
    name: "zip_with",
    args: ["array(T)", "array(U)", "function(T,U,R)"],
    returns: "array(R)",
    description: "Arrays merged element by element with the lambda, the shorter padded with NULL",
    withLambdas: ([left, right], [lambda]) => {
      const [p, q] = [left as List, right as List];
      return Array.from({ length: Math.max(p.length, q.length) }, (_value, index) =>
        (lambda as HostLambda)(p[index] ?? null, q[index] ?? null),
      );
    },
    example: { sql: "zip_with(ARRAY[1, 3], ARRAY[2, 4], (x, y) -> x * y)", result: "[2, 12]" },
  },
];
