/** Row pattern recognition -> SQL text. */
import type { NodePrinter } from "./lines.ts";
import { printIdentifier } from "./names.ts";
import type { AfterMatchSkip, PatternQuantifier, PatternRecognition, RowPattern, RowsPerMatch, WindowPattern } from "../ast/patterns.ts";

const rowsPerMatch: Readonly<Record<RowsPerMatch, string>> = Object.freeze({
  ONE: "ONE ROW PER MATCH",
  ALL: "ALL ROWS PER MATCH",
  ALL_SHOW: "ALL ROWS PER MATCH SHOW EMPTY MATCHES",
  ALL_OMIT: "ALL ROWS PER MATCH OMIT EMPTY MATCHES",
  ALL_UNMATCHED: "ALL ROWS PER MATCH WITH UNMATCHED ROWS",
});

type Clauses = Omit<WindowPattern, "kind" | "measures" | "location">;

/** The clauses inside the parentheses, one line each. */
export function patternLines(node: PatternRecognition, printer: NodePrinter): readonly string[] {
  return [
    ...(node.partitionBy.length === 0 ? [] : [`PARTITION BY ${node.partitionBy.map(printer.expression).join(", ")}`]),
    ...(node.orderBy.length === 0 ? [] : [`ORDER BY ${node.orderBy.map(printer.sortItem).join(", ")}`]),
    ...printMeasures(node.measures, printer),
    ...(node.rowsPerMatch === undefined ? [] : [rowsPerMatch[node.rowsPerMatch]]),
    ...printClauses(node, printer),
  ];
}

export function printMeasures(measures: WindowPattern["measures"], printer: NodePrinter): readonly string[] {
  const texts = measures.map(({ expression, name }) => `${printer.expression(expression)} AS ${printIdentifier(name)}`);
  return texts.length === 0 ? [] : [`MEASURES ${texts.join(", ")}`];
}

/** The clauses after the frame or the rows per match. */
export function printClauses({ afterMatch, definitions, pattern, searchMode, subsets }: Clauses, printer: NodePrinter): readonly string[] {
  const sets = subsets.map(({ name, variables }) => `${printIdentifier(name)} = (${variables.map(printIdentifier).join(", ")})`);
  const conditions = definitions.map(({ name, condition }) => `${printIdentifier(name)} AS ${printer.expression(condition)}`);
  return [
    ...(afterMatch === undefined ? [] : [printAfterMatch(afterMatch)]),
    ...(searchMode === undefined ? [] : [searchMode.mode]),
    ...(pattern === undefined ? [] : [`PATTERN (${printPattern(pattern)})`]),
    ...(sets.length === 0 ? [] : [`SUBSET ${sets.join(", ")}`]),
    ...(conditions.length === 0 ? [] : [`DEFINE ${conditions.join(", ")}`]),
  ];
}

function printAfterMatch({ to, variable }: AfterMatchSkip): string {
  const name = variable === undefined ? "" : printIdentifier(variable);
  switch (to) {
    case "PAST LAST ROW":
      return "AFTER MATCH SKIP PAST LAST ROW";
    case "NEXT ROW":
      return "AFTER MATCH SKIP TO NEXT ROW";
    case "VARIABLE":
      return `AFTER MATCH SKIP TO ${name}`;
    default:
      return `AFTER MATCH SKIP TO ${to} ${name}`;
  }
}

function printPattern(node: RowPattern): string {
  switch (node.kind) {
    case "PatternVariable":
      return printIdentifier(node.name);
    case "EmptyPattern":
      return "()";
    case "PatternStart":
      return "^";
    case "PatternEnd":
      return "$";
    case "ExcludedPattern":
      return `{- ${printPattern(node.pattern)} -}`;
    case "PatternPermutation":
      return `PERMUTE(${node.terms.map(printPattern).join(", ")})`;
    case "QuantifiedPattern":
      return printPrimary(node.pattern) + printQuantifier(node.quantifier);
    case "PatternConcatenation":
      return node.terms.map((term) => (isList(term) ? printPrimary(term) : printPattern(term))).join(" ");
    case "PatternAlternation":
      return node.terms.map((term) => (term.kind === "PatternAlternation" ? printPrimary(term) : printPattern(term))).join(" | ");
  }
}

function isList({ kind }: RowPattern): boolean {
  return kind === "PatternAlternation" || kind === "PatternConcatenation";
}

function printPrimary(node: RowPattern): string {
  return isList(node) || node.kind === "QuantifiedPattern" ? `(${printPattern(node)})` : printPattern(node);
}

function printQuantifier({ atLeast = "", atMost = "", greedy, symbol }: PatternQuantifier): string {
  const bounds = atLeast !== "" && atLeast === atMost ? atLeast : `${atLeast},${atMost}`;
  return (symbol === "{}" ? `{${bounds}}` : symbol) + (greedy ? "" : "?");
}
