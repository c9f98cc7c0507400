/**
 * Array functions with lambdas. The compiler passes each lambda as a function of values (execution/expressions/lambdas.ts).
 */
import type { HostLambda, HostValue, LambdaImplementation, ScalarDefinition } from "../../registry/definition.ts";
import { lambdaLoop, lambdasInSteps } from "../../runtime/large/lambda-steps.ts";
import type { List } from "../../runtime/nested-values.ts";
import { reduceValues } from "../../runtime/reduction.ts";
import { sortedBy } from "./lambda-sort.ts";

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
export function matchValues(valuesOf: (value: HostValue | undefined) => List, { deciding, answer }: Match): LambdaImplementation {
  return lambdaLoop(([given]) => {
    const values = valuesOf(given);
    let [sawNull, decided] = [false, false];
    return {
      count: values.length,
      call: (lambda, index) => lambda(values[index] as HostValue),
      take: (result) => {
        decided = result === deciding;
        sawNull ||= result === null;
        return decided;
      },
      result: () => (decided ? answer : sawNull ? null : !answer),
    };
  });
}

function match(how: Match): LambdaImplementation {
  return matchValues((list) => list as List, how);
}

const reduce: LambdaImplementation = ([list, initial], [step, finish], _call, surroundings) =>
  list === null ? null : reduceValues(list as List, initial as HostValue, { step: step as HostLambda, finish }, surroundings);

export const arrayLambdaDefinitions: readonly ScalarDefinition[] = [
  {
    name: "transform",
    args: ["array(T)", "function(T,U)"],
    returns: "array(U)",
    description: "Array of the lambda's result for each element",
    suspends: true,
    withLambdas: lambdaLoop(([list]) => {
      const results: HostValue[] = [];
      return {
        count: (list as List).length,
        call: (lambda, index) => lambda((list as List)[index] as HostValue),
        take: (result) => {
          results.push(result);
          return false;
        },
        result: () => results,
      };
    }),
    example: { sql: "transform(ARRAY[1, NULL, 3], x -> x + 1)", result: "[2, null, 4]" },
  },
  {
    name: "filter",
    args: ["array(T)", "function(T,boolean)"],
    returns: "array(T)",
    description: "Elements for which the lambda is true",
    suspends: true,
    withLambdas: lambdaLoop(([list]) => {
      const kept: HostValue[] = [];
      return {
        count: (list as List).length,
        call: (lambda, index) => lambda((list as List)[index] as HostValue),
        take: (result, index) => {
          if (result === true) {
            kept.push((list as List)[index] as HostValue);
          }
          return false;
        },
        result: () => kept,
      };
    }),
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
    suspends: true,
    withLambdas: match(anyMatches),
    example: { sql: "any_match(ARRAY[1, 2], x -> x = 2)", result: "true" },
  },
  {
    name: "all_match",
    args: ["array(T)", "function(T,boolean)"],
    returns: "boolean",
    givesNull: true,
    description: "Whether the lambda is true for every element",
    suspends: true,
    withLambdas: match(allMatch),
    example: { sql: "all_match(ARRAY[1, 2], x -> x = 2)", result: "false" },
  },
  {
    name: "none_match",
    args: ["array(T)", "function(T,boolean)"],
    returns: "boolean",
    givesNull: true,
    description: "Whether the lambda is true for no element",
    suspends: true,
    withLambdas: match(noneMatches),
    example: { sql: "none_match(ARRAY[1, 2], x -> x = 3)", result: "true" },
  },
  {
    name: "array_sort",
    args: ["array(T)", "function(T,T,integer)"],
    returns: "array(T)",
    description: "Array sorted by a comparator that returns -1, 0 or 1",
    suspends: true,
    withLambdas: lambdasInSteps(([list], [compare]) => sortedBy(list as List, compare)),
    example: { sql: "array_sort(ARRAY[3, 1, 2], (x, y) -> IF(x < y, 1, IF(x = y, 0, -1)))", result: "[3, 2, 1]" },
  },
  {
    name: "zip_with",
    args: ["array(T)", "array(U)", "function(T,U,R)"],
    returns: "array(R)",
    description: "Arrays merged element by element with the lambda, the shorter padded with NULL",
    suspends: true,
    withLambdas: lambdaLoop(([left, right]) => {
      const [p, q] = [left as List, right as List];
      const results: HostValue[] = [];
      return {
        count: Math.max(p.length, q.length),
        call: (lambda, index) => lambda(p[index] ?? null, q[index] ?? null),
        take: (result) => {
          results.push(result);
          return false;
        },
        result: () => results,
      };
    }),
    example: { sql: "zip_with(ARRAY[1, 3], ARRAY[2, 4], (x, y) -> x * y)", result: "[2, 12]" },
  },
];
