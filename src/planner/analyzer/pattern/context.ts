/**
 * Analysis state for the expressions of a row pattern (MEASURES and DEFINE). Values that they read from rows are represented by variables,
 * which are collected.
 */
import type { Expression, Identifier } from "../../../sql/ast/ast.ts";
import type { Type } from "../../../types/type.ts";
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import { expressionKey } from "../../plan/expression-tree.ts";
import type { PlanIds } from "../../plan/ids.ts";
import type {
  PatternAccess,
  PatternAggregate,
  PatternExpression,
  PatternNavigation,
  PatternSkip,
  PatternValue,
  RowPattern,
} from "../../plan/pattern-nodes.ts";
import type { Scope } from "../scope/scope.ts";

/** An input column of the pattern: an expression over FROM, with its syntax. */
export interface PatternColumn {
  readonly expression: RowExpression;
  readonly syntax: Expression;
}

export type AnalyzedAccess = PatternAccess<PatternColumn>;
export type AnalyzedAggregate = PatternAggregate<PatternColumn>;
export type AnalyzedPatternExpression = PatternExpression<PatternColumn>;

export interface AnalyzedMeasure extends AnalyzedPatternExpression {
  readonly name: Identifier;
}

/** The clauses of MATCH_RECOGNIZE, or of a window with a pattern. */
export interface AnalyzedPattern {
  readonly labels: readonly string[];
  readonly pattern: RowPattern;
  readonly skip: PatternSkip;
  readonly definitions: readonly (AnalyzedPatternExpression & { readonly label: number })[];
  readonly measures: readonly AnalyzedMeasure[];
}

export interface AnalyzedWindowPattern extends AnalyzedPattern {
  readonly initial: boolean;
}

/** Collects the values that expressions read, without duplicates. */
export class AccessCollector {
  readonly #ids: PlanIds;
  readonly #byKey = new Map<string, AnalyzedAccess>();

  constructor(ids: PlanIds) {
    this.#ids = ids;
  }

  get accesses(): readonly AnalyzedAccess[] {
    return [...this.#byKey.values()];
  }

  add(value: PatternValue<PatternColumn>, type: Type, navigation: PatternNavigation | undefined): Variable {
    const key = JSON.stringify([value.kind, value.kind === "COLUMN" ? expressionKey(value.column.expression) : "", navigation]);
    const known = this.#byKey.get(key);
    if (known !== undefined) {
      return known.output;
    }
    const hint = value.kind === "COLUMN" && value.column.expression.kind === "variable" ? value.column.expression.name : value.kind;
    const output = this.#ids.variable(hint, type);
    this.#byKey.set(key, { output, value, ...(navigation !== undefined && { navigation }) });
    return output;
  }
}

/** A column reference or CLASSIFIER() in an argument. All of them in one argument must have the same label. */
export interface Mention {
  readonly kind: "COLUMN" | "CLASSIFIER";
  /** Absent: rows with any label. */
  readonly label?: string;
  readonly syntax: Expression;
}

export interface PatternContext {
  readonly clause: "MEASURES" | "DEFINE";
  readonly inWindow: boolean;
  /** Label indexes of each primary variable and subset, by canonical name. */
  readonly labels: ReadonlyMap<string, readonly number[]>;
  /** Scope of the pattern. A name found in a scope inside it is a lambda parameter. */
  readonly scope: Scope;
  readonly accesses: AccessCollector;
  readonly aggregates: AnalyzedAggregate[];
  /** Set inside FIRST, LAST, PREV and NEXT. The labels come from the column reference. */
  readonly navigation?: Omit<PatternNavigation, "labels">;
  /** Set inside the arguments of an aggregate, which read the aggregated row. */
  readonly inAggregate?: true;
  readonly mentions: Mention[];
}
