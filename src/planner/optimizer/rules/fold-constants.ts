/**
 * Evaluates expressions of constants and simplifies boolean expressions. An expression whose evaluation fails stays unchanged: the error is
 * raised only if a row reaches it.
 */
import { QueryError } from "../../../protocol/errors.ts";
import { BOOLEAN, sameType } from "../../../types/type.ts";
import type { PlanNode } from "../../plan/node.ts";
import type { Constant, RowExpression, SpecialForm } from "../../plan/typed-expression.ts";
import {
  and,
  castOfConstant,
  childrenOf,
  conjunctsOf,
  constant,
  disjunctsOf,
  expressionKey,
  isConstant,
  isDeterministic,
  or,
  withChildren,
  sameExpression,
} from "../../plan/expression-tree.ts";
import { mapExpressions, rewritePlan } from "../../plan/plan-tree.ts";
import type { Rule, RuleContext } from "./rule.ts";

export const foldConstants: Rule = {
  name: "fold_constants",
  apply: (plan, context) => foldPlan(plan, { evaluateConstant: context.evaluateConstant, known: new Map() }),
  *inPieces(plan, context) {
    const folded = new Map<RowExpression, RowExpression>();
    const folding: Folding = { evaluateConstant: context.evaluateConstant, known: new Map(), folded };
    const waiting: RowExpression[] = [];
    rewritePlan(plan, (node) => mapExpressions(node, (expression) => (waiting.push(expression), expression)));
    let count = 0;
    for (let expression = waiting.pop(); expression !== undefined; expression = waiting.pop()) {
      const parts = childrenOf(expression);
      if (parts.length > partsAtOnce) {
        // The values of an IN, for example, one by one. The list itself is folded with the plan.
        for (const part of parts) {
          waiting.push(part);
        }
      } else {
        folded.set(expression, foldExpression(expression, folding));
      }
      count++;
      if (count % partsAtOnce === 0) {
        yield;
      }
    }
    return foldPlan(plan, folding);
  },
};

/** Expressions, or parts of a long one, that are folded between two yields: each may be compiled and run. */
const partsAtOnce = 128;

function foldPlan(plan: PlanNode, folding: Folding): PlanNode {
  return rewritePlan(plan, (node) => mapExpressions(node, (expression) => foldExpression(expression, folding)));
}

interface Folding extends Pick<RuleContext, "evaluateConstant"> {
  /** Cache of evaluated expressions: long lists of values repeat them. */
  readonly known: Map<string, Constant | undefined>;
  /** What was folded in pieces before. */
  readonly folded?: ReadonlyMap<RowExpression, RowExpression>;
}

const knownMax = 4096;
/** Maximum length of a cache key, in characters. For larger expressions, building the key costs as much as evaluation. */
const keyLengthMax = 512;

function foldExpression(expression: RowExpression, context: Folding): RowExpression {
  if (expression.kind === "constant" || expression.kind === "variable") {
    return expression;
  }
  const before = context.folded?.get(expression);
  if (before !== undefined) {
    return before;
  }
  if (expression.kind === "lambda") {
    return { ...expression, body: foldExpression(expression.body, context) };
  }
  // Evaluates the largest constant subexpression first; if that fails, its parts. The parts of a large one come first: it would be compiled
  // to a kernel as large.
  const nodes = constantNodes(expression);
  const value = nodes > 0 && nodes <= wholeNodesMax ? evaluate(expression, context) : undefined;
  if (value !== undefined) {
    return value;
  }
  const folded = childrenOf(expression).map((child) => foldExpression(child, context));
  const rebuilt = withChildren(expression, folded);
  const isOfConstants = nodes > wholeNodesMax && folded.every(({ kind }) => kind === "constant");
  return (isOfConstants ? compute(rebuilt, context) : undefined) ?? simplify(rebuilt);
}

/** Nodes of an expression that is evaluated as a whole. */
const wholeNodesMax = 500;

/** Nodes of an expression of constants; 0 if it is none. */
function constantNodes(expression: RowExpression): number {
  if (expression.kind === "variable") {
    return 0;
  }
  let nodes = 1;
  for (const child of childrenOf(expression)) {
    const inner = constantNodes(child);
    if (inner === 0) {
      return 0;
    }
    nodes += inner;
  }
  return isDeterministic(expression) ? nodes : 0;
}

/** Maximum length of a folded text, in characters. Plans are sent to workers, so longer texts are computed there. */
const foldedTextMax = 65_536;

function evaluate(expression: RowExpression, folding: Folding): Constant | undefined {
  const direct = castDirectly(expression);
  if (direct !== undefined) {
    return direct;
  }
  const key = expressionKey(expression);
  const { known } = folding;
  if (known.has(key)) {
    return known.get(key);
  }
  const value = compute(expression, folding);
  if (key.length <= keyLengthMax && known.size < knownMax) {
    known.set(key, value);
  }
  return value;
}

function compute(expression: RowExpression, context: Folding): Constant | undefined {
  try {
    const value = context.evaluateConstant(expression);
    return typeof value === "string" && value.length > foldedTextMax ? undefined : constant(expression.type, value);
  } catch (error) {
    if (error instanceof QueryError) {
      return undefined;
    }
    throw error;
  }
}

function castDirectly(expression: RowExpression): Constant | undefined {
  return expression.kind === "cast" && expression.arg.kind === "constant" ? castOfConstant(expression.arg, expression.type) : undefined;
}

function simplify(expression: RowExpression): RowExpression {
  if (expression.kind === "cast") {
    return sameType(expression.type, expression.arg.type) ? expression.arg : expression;
  }
  if (expression.kind === "call" && expression.name === "$not") {
    const [arg] = expression.args;
    if (arg?.kind === "call" && arg.name === "$not" && arg.args[0] !== undefined) {
      return arg.args[0];
    }
    if (arg?.kind === "constant") {
      return constant(BOOLEAN, arg.value === null ? null : arg.value !== true);
    }
  }
  return expression.kind === "special" ? simplifyForm(expression) : expression;
}

function simplifyForm(expression: SpecialForm): RowExpression {
  const [first, second, third] = expression.args;
  switch (expression.form) {
    case "AND":
      return expression.args.some((arg) => isConstant(arg, false)) ? constant(BOOLEAN, false) : and(expression.args);
    case "OR":
      if (expression.args.some((arg) => isConstant(arg, true))) {
        return constant(BOOLEAN, true);
      }
      return commonConjuncts(or(expression.args));
    case "IF":
      if (first?.kind === "constant" && second !== undefined && third !== undefined) {
        return first.value === true ? second : third;
      }
      return expression;
    case "COALESCE": {
      const args = expression.args.filter((arg) => !isConstant(arg, null));
      if (args.length === 0) {
        return constant(expression.type, null);
      }
      const [only] = args;
      return only !== undefined && (args.length === 1 || only.kind === "constant") ? only : { ...expression, args };
    }
    default:
      return expression;
  }
}

/** `(a AND b) OR (a AND c)` becomes `a AND (b OR c)`. The common conjunct can then become a join key or be pushed down to a table. */
function commonConjuncts(expression: RowExpression): RowExpression {
  const alternatives = disjunctsOf(expression).map(conjunctsOf);
  const [first, ...others] = alternatives;
  if (first === undefined || others.length === 0) {
    return expression;
  }
  const common = first.filter((term) => isDeterministic(term) && others.every((other) => other.some((o) => sameExpression(o, term))));
  if (common.length === 0) {
    return expression;
  }
  const rests = alternatives.map((terms) => and(terms.filter((term) => !common.some((c) => sameExpression(c, term)))));
  return rests.some((rest) => isConstant(rest, true)) ? and(common) : and([...common, or(rests)]);
}
