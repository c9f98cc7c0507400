/**
 * Builders, traversals and comparisons for typed expressions.
 */
import { assert } from "../../protocol/errors.ts";
import { BOOLEAN, displayType, sameType, type Type } from "../../types/type.ts";
import type { Call, Constant, ConstantValue, RowExpression, SpecialForm, Variable } from "./typed-expression.ts";

export const TRUE: Constant = Object.freeze({ kind: "constant", type: BOOLEAN, value: true });
export const FALSE: Constant = Object.freeze({ kind: "constant", type: BOOLEAN, value: false });

export function constant(type: Type, value: ConstantValue): Constant {
  return { kind: "constant", type, value };
}

export function call(name: string, type: Type, args: readonly RowExpression[]): Call {
  return { kind: "call", name, type, args };
}

export function special(form: SpecialForm["form"], type: Type, args: readonly RowExpression[]): SpecialForm {
  return { kind: "special", form, type, args };
}

export function cast(arg: RowExpression, type: Type, safe = false): RowExpression {
  return sameType(arg.type, type) ? arg : { kind: "cast", type, arg, safe };
}

/** Casts of constants that do not change the value's written form, as literals often need. Undefined for others. */
export function castOfConstant({ type: from, value }: Constant, type: Type): Constant | undefined {
  if (value === null) {
    return constant(type, null);
  }
  if (from.kind === "integer" && type.kind === "bigint") {
    return constant(type, String(value));
  }
  if (from.kind === "integer" && type.kind === "double") {
    return constant(type, value);
  }
  const longer = from.kind === "varchar" && type.kind === "varchar" && (type.length ?? Infinity) >= (from.length ?? Infinity);
  return longer ? constant(type, value) : undefined;
}

export function not(arg: RowExpression): RowExpression {
  return call("$not", BOOLEAN, [arg]);
}

/** Conjunction of `terms`; TRUE for an empty list. Flattens nested ANDs and drops repeated terms. */
export function and(terms: readonly RowExpression[]): RowExpression {
  const flat = distinctExpressions(terms.flatMap(conjunctsOf)).filter((term) => !isConstant(term, true));
  const [first] = flat;
  if (first === undefined) {
    return TRUE;
  }
  return flat.length === 1 ? first : special("AND", BOOLEAN, flat);
}

export function or(terms: readonly RowExpression[]): RowExpression {
  const flat = distinctExpressions(terms.flatMap(disjunctsOf)).filter((term) => !isConstant(term, false));
  const [first] = flat;
  if (first === undefined) {
    return FALSE;
  }
  return flat.length === 1 ? first : special("OR", BOOLEAN, flat);
}

export function conjunctsOf(expression: RowExpression): readonly RowExpression[] {
  if (expression.kind === "special" && expression.form === "AND") {
    return expression.args.flatMap(conjunctsOf);
  }
  return isConstant(expression, true) ? [] : [expression];
}

export function disjunctsOf(expression: RowExpression): readonly RowExpression[] {
  return expression.kind === "special" && expression.form === "OR" ? expression.args.flatMap(disjunctsOf) : [expression];
}

export function distinctExpressions(expressions: readonly RowExpression[]): readonly RowExpression[] {
  if (expressions.length < 2) {
    return expressions;
  }
  const seen = new Set<string>();
  return expressions.filter((expression) => {
    const key = expressionKey(expression);
    if (seen.has(key) || !isDeterministic(expression)) {
      return !seen.has(key);
    }
    seen.add(key);
    return true;
  });
}

export function isConstant(expression: RowExpression, value?: ConstantValue): boolean {
  return expression.kind === "constant" && (value === undefined || expression.value === value);
}

const noChildren: readonly RowExpression[] = Object.freeze([]);

export function childrenOf(expression: RowExpression): readonly RowExpression[] {
  switch (expression.kind) {
    case "variable":
    case "constant":
      return noChildren;
    case "cast":
      return [expression.arg];
    case "lambda":
      return [expression.body];
    case "call":
    case "special":
      return expression.args;
  }
}

/** Copies an expression with other children. Returns the same object if no child changed. */
export function withChildren(expression: RowExpression, children: readonly RowExpression[]): RowExpression {
  const old = childrenOf(expression);
  assert(old.length === children.length, "an expression keeps its number of children");
  if (old.every((child, index) => child === children[index])) {
    return expression;
  }
  switch (expression.kind) {
    case "variable":
    case "constant":
      return expression;
    case "cast": {
      const [arg] = children;
      assert(arg !== undefined, "a cast has an argument");
      return { ...expression, arg };
    }
    case "lambda": {
      const [body] = children;
      assert(body !== undefined, "a lambda has a body");
      return { ...expression, body };
    }
    case "call":
    case "special":
      return { ...expression, args: children };
  }
}

/** Rewrites an expression top down. A replacement from `replace` is final: its children are not visited. */
export function replaceTopDown(expression: RowExpression, replace: (e: RowExpression) => RowExpression | undefined): RowExpression {
  const replaced = replace(expression);
  if (replaced !== undefined) {
    return replaced;
  }
  if (expression.kind === "constant" || expression.kind === "variable") {
    return expression;
  }
  return withChildren(
    expression,
    childrenOf(expression).map((child) => replaceTopDown(child, replace)),
  );
}

/** Replaces variables by name. Variables that are not in the map stay. */
export function substitute(expression: RowExpression, values: ReadonlyMap<string, RowExpression>): RowExpression {
  if (values.size === 0) {
    return expression;
  }
  return replaceTopDown(expression, (e) => {
    if (e.kind === "variable") {
      return values.get(e.name) ?? e;
    }
    return e.kind === "special" && e.form === "TRY" ? substituteInTry(e, values) : undefined;
  });
}

/** TRY swallows errors of its own expression, but not errors of the columns it reads. Substituted columns become parts of the TRY. */
function substituteInTry(expression: SpecialForm, values: ReadonlyMap<string, RowExpression>): RowExpression {
  const [body, ...outside] = expression.args.map((arg) => substitute(arg, values)) as [RowExpression, ...RowExpression[]];
  const read = expression.args[0] === undefined ? [] : [...collectVariables(expression.args[0]).keys()];
  const computed = read.flatMap((name) => values.get(name) ?? []).filter(({ kind }) => kind !== "variable" && kind !== "constant");
  const args = distinctExpressions([...outside, ...computed]);
  return args.some((arg) => sameExpression(arg, body)) ? body : { ...expression, args: [body, ...args] };
}

/** Collects the variables of rows. Lambda parameters are excluded. */
export function collectVariables(expression: RowExpression, into: Map<string, Variable> = new Map()): Map<string, Variable> {
  if (expression.kind === "variable") {
    into.set(expression.name, expression);
  }
  if (expression.kind === "lambda") {
    const inside = collectVariables(expression.body);
    for (const parameter of expression.parameters) {
      inside.delete(parameter.name);
    }
    for (const [name, variable] of inside) {
      into.set(name, variable);
    }
    return into;
  }
  for (const child of childrenOf(expression)) {
    collectVariables(child, into);
  }
  return into;
}

/** The variables of rows that expressions read, each once, in order of first appearance. */
export function variablesOf(expressions: readonly RowExpression[]): readonly Variable[] {
  const found = new Map<string, Variable>();
  for (const expression of expressions) {
    collectVariables(expression, found);
  }
  return [...found.values()];
}

export function usesOnly(expression: RowExpression, names: ReadonlySet<string>): boolean {
  if (expression.kind === "variable") {
    return names.has(expression.name);
  }
  if (expression.kind === "lambda") {
    return [...collectVariables(expression).keys()].every((name) => names.has(name));
  }
  return childrenOf(expression).every((child) => usesOnly(child, names));
}

export function usesAny(expression: RowExpression, names: ReadonlySet<string>): boolean {
  if (expression.kind === "variable") {
    return names.has(expression.name);
  }
  return childrenOf(expression).some((child) => usesAny(child, names));
}

const nonDeterministicFunctions: ReadonlySet<string> = new Set(["$random_bits"]);

export function isDeterministic(expression: RowExpression): boolean {
  if (expression.kind === "call" && nonDeterministicFunctions.has(expression.name)) {
    return false;
  }
  return childrenOf(expression).every(isDeterministic);
}

/** Returns a text that is equal for two expressions exactly when the expressions are equal up to the names of lambda parameters. */
export function expressionKey(expression: RowExpression, parameters?: ReadonlyMap<string, string>): string {
  const keyOf = (child: RowExpression) => expressionKey(child, parameters);
  switch (expression.kind) {
    case "variable":
      return parameters?.get(expression.name) ?? `$${expression.name}`;
    case "constant":
      return `${JSON.stringify(expression.value)}:${displayType(expression.type)}`;
    case "cast":
      return `${expression.safe ? "try_cast" : "cast"}(${keyOf(expression.arg)}:${displayType(expression.type)})`;
    case "call":
      return `${expression.name}(${expression.args.map(keyOf).join(",")}):${displayType(expression.type)}`;
    case "special":
      return `${expression.form}(${expression.args.map(keyOf).join(",")}):${displayType(expression.type)}`;
    case "lambda": {
      const inside = new Map(parameters);
      for (const { name } of expression.parameters) {
        inside.set(name, `%${inside.size}`);
      }
      return `${displayType(expression.type)}->${expressionKey(expression.body, inside)}`;
    }
  }
}

export function sameExpression(a: RowExpression, b: RowExpression): boolean {
  return a === b || expressionKey(a) === expressionKey(b);
}
