/**
 * Resolves and checks PATTERN, SUBSET, AFTER MATCH SKIP and the names in DEFINE, with Trino's messages and order of checks.
 */
import type {
  AfterMatchSkip,
  FunctionCall,
  Identifier,
  PatternQuantifier,
  RowPattern as PatternSyntax,
  SubsetDefinition,
  VariableDefinition,
} from "../../../sql/ast/ast.ts";
import { printExpression } from "../../../sql/printer/printer.ts";
import { visitSyntax } from "../../../sql/ast/walk.ts";
import type { PatternSkip, RowPattern } from "../../plan/pattern-nodes.ts";
import { type Placed, semanticError } from "../errors.ts";

/** Returns the canonical name of an SQL identifier: unquoted names are upper case. */
export function canonicalName({ delimited, value }: Identifier): string {
  return delimited ? value : value.toUpperCase();
}

export interface PatternLabels {
  /** Primary variables, in the order in which the pattern names them. */
  readonly names: readonly string[];
  /** Label indexes of primary variables and subsets, by name. */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

export function analyzeLabels(pattern: PatternSyntax, subsets: readonly SubsetDefinition[]): PatternLabels {
  const names: string[] = [];
  visitSyntax(pattern, (node) => {
    if (node["kind"] !== "PatternVariable") {
      return;
    }
    const label = canonicalName(node["name"] as Identifier);
    if (!names.includes(label)) {
      names.push(label);
    }
  });
  const primary = new Map(names.map((name, place): [string, readonly number[]] => [name, [place]]));
  const places = new Map(primary);
  for (const { name, variables } of subsets) {
    const label = canonicalName(name);
    const refuse = (at: Placed, message: string): never => {
      throw semanticError("INVALID_LABEL", at, message);
    };
    const text = printExpression(name);
    if (primary.has(label)) {
      refuse(name, `union pattern variable name: ${text} is a duplicate of primary pattern variable name`);
    }
    if (places.has(label)) {
      refuse(name, `union pattern variable name: ${text} is declared twice`);
    }
    const members = variables.map((variable): number => {
      const place = primary.get(canonicalName(variable))?.[0];
      return place ?? refuse(variable, `subset element: ${printExpression(variable)} is not a primary pattern variable`);
    });
    places.set(
      label,
      [...new Set(members)].toSorted((a, b) => a - b),
    );
  }
  return { names, places };
}

/** Returns the indexes of the defined labels, in the order of their definitions. */
export function checkDefinitions(definitions: readonly VariableDefinition[], { names }: PatternLabels): readonly number[] {
  const defined = new Set<number>();
  for (const { name, condition } of definitions) {
    const place = names.indexOf(canonicalName(name));
    const text = printExpression(name);
    if (place < 0) {
      throw semanticError("INVALID_LABEL", name, `defined variable: ${text} is not a primary pattern variable`);
    }
    if (defined.has(place)) {
      throw semanticError("INVALID_LABEL", name, `pattern variable with name: ${text} is defined twice`);
    }
    defined.add(place);
    visitSyntax(condition, (node) => {
      const mode = node["kind"] === "FunctionCall" ? (node as unknown as FunctionCall).processingMode : undefined;
      if (mode?.mode === "FINAL") {
        throw semanticError("INVALID_PROCESSING_MODE", mode, "FINAL semantics is not supported in DEFINE clause");
      }
      return node["kind"] !== "Query";
    });
  }
  return [...defined];
}

const boundMax = 2147483647;

export function convertPattern(pattern: PatternSyntax, { names }: PatternLabels): RowPattern {
  const convert = (node: PatternSyntax): RowPattern => {
    switch (node.kind) {
      case "PatternVariable":
        return { kind: "LABEL", label: names.indexOf(canonicalName(node.name)) };
      case "EmptyPattern":
        return { kind: "CONCATENATION", terms: [] };
      case "PatternStart":
        return { kind: "PARTITION_START" };
      case "PatternEnd":
        return { kind: "PARTITION_END" };
      case "PatternConcatenation":
        return { kind: "CONCATENATION", terms: node.terms.map(convert) };
      case "PatternAlternation":
        return { kind: "ALTERNATION", terms: node.terms.map(convert) };
      case "PatternPermutation":
        return { kind: "PERMUTATION", terms: node.terms.map(convert) };
      case "ExcludedPattern":
        return { kind: "EXCLUSION", pattern: convert(node.pattern) };
      case "QuantifiedPattern":
        return { kind: "QUANTIFIED", pattern: convert(node.pattern), ...boundsOf(node.quantifier), greedy: node.quantifier.greedy };
    }
  };
  return convert(pattern);
}

function boundsOf(quantifier: PatternQuantifier): { readonly min: number; readonly max?: number } {
  switch (quantifier.symbol) {
    case "*":
      return { min: 0 };
    case "+":
      return { min: 1 };
    case "?":
      return { min: 0, max: 1 };
    case "{}":
      return checkedBounds(quantifier);
  }
}

function checkedBounds(quantifier: PatternQuantifier): { readonly min: number; readonly max?: number } {
  const { atLeast, atMost } = quantifier;
  const refuse = (what: string): never => {
    throw semanticError("NUMERIC_VALUE_OUT_OF_RANGE", quantifier, `Pattern quantifier ${what}`);
  };
  const [min, max] = [Number(atLeast ?? 0), atMost === undefined ? undefined : Number(atMost)];
  if (min > boundMax) {
    refuse(`lower bound must not exceed ${boundMax}`);
  }
  if (max === undefined) {
    return { min };
  }
  if (max < 1) {
    refuse("upper bound must be greater than or equal to 1");
  }
  if (max > boundMax) {
    refuse(`upper bound must not exceed ${boundMax}`);
  }
  if (min > max) {
    throw semanticError("INVALID_RANGE", quantifier, "Pattern quantifier lower bound must not exceed upper bound");
  }
  return { min, max };
}

export function convertSkip(skip: AfterMatchSkip | undefined, { places }: PatternLabels): PatternSkip {
  if (skip?.variable === undefined) {
    return { to: skip?.to === "NEXT ROW" ? "NEXT" : "PAST_LAST", labels: [] };
  }
  const labels = places.get(canonicalName(skip.variable));
  if (labels === undefined) {
    const message = `${printExpression(skip.variable)} is not a primary or union pattern variable`;
    throw semanticError("INVALID_LABEL", skip.variable, message);
  }
  return { to: skip.to === "FIRST" ? "FIRST" : "LAST", labels };
}

/** Returns the first nested pattern recognition, if there is one. */
export function recognitionInside(nodes: object): Placed | undefined {
  let found: Placed | undefined;
  visitSyntax(nodes, (node) => {
    const pattern = node["kind"] === "WindowPattern" ? node["pattern"] : node["kind"] === "PatternRecognition" ? node : undefined;
    found ??= pattern as Placed | undefined;
  });
  return found;
}

/** Pattern recognition cannot be nested. */
export function requireNotNested(expressions: readonly object[]): void {
  const at = recognitionInside(expressions);
  if (at === undefined) {
    return;
  }
  throw semanticError("NESTED_ROW_PATTERN_RECOGNITION", at, "nested row pattern recognition in row pattern recognition");
}

/** Rejects window functions and window measures. Those in subqueries are allowed. */
export function requireNoWindows(expressions: readonly object[], where: "pattern recognition expressions" | "window specification"): void {
  visitSyntax(expressions, (node) => {
    if (node["window"] !== undefined) {
      const message = `Cannot nest window functions or row pattern measures inside ${where}`;
      throw semanticError("NESTED_WINDOW", node as unknown as Placed, message);
    }
    return node["kind"] !== "Query";
  });
}

export function holdsPattern(pattern: PatternSyntax, kinds: readonly PatternSyntax["kind"][]): Placed | undefined {
  let found: Placed | undefined;
  visitSyntax(pattern, (node) => {
    if (kinds.includes(node["kind"] as PatternSyntax["kind"])) {
      found ??= node as unknown as Placed;
    }
  });
  return found;
}
