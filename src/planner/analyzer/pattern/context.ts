/** What is carried through the expressions of a row pattern: MEASURES and DEFINE. What they read of rows stands as variables, which are collected. */
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

/** An expression over FROM and where it stands: what a column of the pattern is computed from. */
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

/** Each value once, however often it is read. */
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

/** A column or CLASSIFIER() met in an argument: those of one argument must be of one label. */
export interface Mention {
  readonly kind: "COLUMN" | "CLASSIFIER";
  /** Absent: rows with any label. */
  readonly label?: string;
  readonly syntax: Expression;
}

export interface PatternContext {
  readonly clause: "MEASURES" | "DEFINE";
  readonly inWindow: boolean;
  /** Primary variables and subsets by their canonical names: the places of their labels. */
  readonly labels: ReadonlyMap<string, readonly number[]>;
  /** Names that resolve before it is reached are parameters of lambdas. */
  readonly scope: Scope;
  readonly accesses: AccessCollector;
  readonly aggregates: AnalyzedAggregate[];
  /** Inside FIRST, LAST, PREV and NEXT; without the labels, which come with what is read. */
  readonly navigation?: Omit<PatternNavigation, "labels">;
  /** Inside the arguments of an aggregate, where values are those of the row that is aggregated. */
  readonly inAggregate?: true;
  readonly mentions: Mention[];
}
