/** Syntax nodes of row pattern recognition: MATCH_RECOGNIZE in FROM, and the same clauses in a window. */
import type { Expression, Identifier, Location, SortItem, Window } from "./expression-nodes.ts";
import type { Relation } from "./relations.ts";

interface Located {
  readonly location: Location;
}

/** `t MATCH_RECOGNIZE (...)` */
export interface PatternRecognition extends Located {
  readonly kind: "PatternRecognition";
  readonly relation: Relation;
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly SortItem[];
  readonly measures: readonly MeasureDefinition[];
  readonly rowsPerMatch?: RowsPerMatch;
  readonly afterMatch?: AfterMatchSkip;
  readonly searchMode?: PatternSearchMode;
  readonly pattern: RowPattern;
  readonly subsets: readonly SubsetDefinition[];
  readonly definitions: readonly VariableDefinition[];
}

/** What a window has besides its frame. A clause that is not there is empty or absent. */
export interface WindowPattern extends Located {
  readonly kind: "WindowPattern";
  readonly measures: readonly MeasureDefinition[];
  readonly afterMatch?: AfterMatchSkip;
  readonly searchMode?: PatternSearchMode;
  readonly pattern?: RowPattern;
  readonly subsets: readonly SubsetDefinition[];
  readonly definitions: readonly VariableDefinition[];
}

/** ALL shows empty matches, ALL_SHOW says so. */
export type RowsPerMatch = "ONE" | "ALL" | "ALL_SHOW" | "ALL_OMIT" | "ALL_UNMATCHED";

export interface MeasureDefinition extends Located {
  readonly kind: "MeasureDefinition";
  readonly expression: Expression;
  readonly name: Identifier;
}

/** SKIP TO a variable without FIRST is SKIP TO LAST, and stays as written. */
export interface AfterMatchSkip extends Located {
  readonly kind: "AfterMatchSkip";
  readonly to: "NEXT ROW" | "PAST LAST ROW" | "FIRST" | "LAST" | "VARIABLE";
  readonly variable?: Identifier;
}

export interface PatternSearchMode extends Located {
  readonly kind: "PatternSearchMode";
  readonly mode: "INITIAL" | "SEEK";
}

export interface SubsetDefinition extends Located {
  readonly kind: "SubsetDefinition";
  readonly name: Identifier;
  readonly variables: readonly Identifier[];
}

export interface VariableDefinition extends Located {
  readonly kind: "VariableDefinition";
  readonly name: Identifier;
  readonly condition: Expression;
}

/** A list of patterns has two terms at least; concatenation binds tighter than alternation. Parentheses leave no trace. */
export type RowPattern =
  | PatternVariable
  | PatternTerms
  | QuantifiedPattern
  | ExcludedPattern
  | (Located & { readonly kind: "EmptyPattern" | "PatternStart" | "PatternEnd" });

export interface PatternVariable extends Located {
  readonly kind: "PatternVariable";
  readonly name: Identifier;
}

/** PERMUTE may have a single term. */
export interface PatternTerms extends Located {
  readonly kind: "PatternAlternation" | "PatternConcatenation" | "PatternPermutation";
  readonly terms: readonly RowPattern[];
}

export interface QuantifiedPattern extends Located {
  readonly kind: "QuantifiedPattern";
  readonly pattern: RowPattern;
  readonly quantifier: PatternQuantifier;
}

/** Bounds in digits. `{n}` has both; `{}` parts that are not there are absent. */
export interface PatternQuantifier extends Located {
  readonly kind: "PatternQuantifier";
  readonly symbol: "*" | "+" | "?" | "{}";
  readonly atLeast?: string;
  readonly atMost?: string;
  readonly greedy: boolean;
}

export interface ExcludedPattern extends Located {
  readonly kind: "ExcludedPattern";
  readonly pattern: RowPattern;
}

/** `RUNNING` or `FINAL` in front of a call. */
export interface ProcessingMode extends Located {
  readonly kind: "ProcessingMode";
  readonly mode: "RUNNING" | "FINAL";
}

/** `measure OVER w` */
export interface WindowMeasure extends Located {
  readonly kind: "WindowMeasure";
  readonly name: Identifier;
  readonly window: Window;
}
