/**
 * Syntax nodes of row pattern recognition: MATCH_RECOGNIZE in FROM, and the same clauses in a window.
 */
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

/** The pattern clauses of a window in addition to its frame. Omitted clauses are empty or absent. */
export interface WindowPattern extends Located {
  readonly kind: "WindowPattern";
  readonly measures: readonly MeasureDefinition[];
  readonly afterMatch?: AfterMatchSkip;
  readonly searchMode?: PatternSearchMode;
  readonly pattern?: RowPattern;
  readonly subsets: readonly SubsetDefinition[];
  readonly definitions: readonly VariableDefinition[];
}

/** ALL and ALL_SHOW are equivalent; ALL_SHOW is written with SHOW EMPTY MATCHES. */
export type RowsPerMatch = "ONE" | "ALL" | "ALL_SHOW" | "ALL_OMIT" | "ALL_UNMATCHED";

export interface MeasureDefinition extends Located {
  readonly kind: "MeasureDefinition";
  readonly expression: Expression;
  readonly name: Identifier;
}

/** SKIP TO a variable without FIRST or LAST means SKIP TO LAST; the node keeps the form as written. */
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

/** Lists of patterns have at least two terms. Concatenation binds tighter than alternation. Parentheses are not represented. */
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

/** Bounds are digits. `{n}` sets both bounds; an omitted bound is absent. */
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

/** `RUNNING` or `FINAL` before a call. */
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
