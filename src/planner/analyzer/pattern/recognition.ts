/**
 * Analyzes and plans the clauses that MATCH_RECOGNIZE and windows share: MEASURES, AFTER MATCH, PATTERN, SUBSET and DEFINE.
 */
import type {
  AfterMatchSkip,
  Identifier,
  MeasureDefinition,
  RowPattern as PatternSyntax,
  SubsetDefinition,
  VariableDefinition,
} from "../../../sql/ast/ast.ts";
import { displayType } from "../../../types/type.ts";
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import type { PatternAccess, PatternDefinition, PatternExpression, PatternMeasure } from "../../plan/pattern-nodes.ts";
import type { Environment } from "../analysis.ts";
import { patternSize, patternSizeMax } from "../../plan/pattern-size.ts";
import { notSupported, semanticError } from "../errors.ts";
import { analyzeExpression } from "../expression/analyze-expression.ts";
import {
  AccessCollector,
  type AnalyzedAccess,
  type AnalyzedAggregate,
  type AnalyzedMeasure,
  type AnalyzedPattern,
  type AnalyzedPatternExpression,
  type PatternColumn,
  type PatternContext,
} from "./context.ts";
import {
  analyzeLabels,
  checkDefinitions,
  convertPattern,
  convertSkip,
  canonicalName,
  type PatternLabels,
  requireNotNested,
  requireNoWindows,
} from "./labels.ts";

export interface PatternClauses {
  readonly measures: readonly MeasureDefinition[];
  readonly afterMatch?: AfterMatchSkip;
  readonly pattern: PatternSyntax;
  readonly subsets: readonly SubsetDefinition[];
  readonly definitions: readonly VariableDefinition[];
}

/** `env` is the environment of the input columns. */
export function analyzePattern(clauses: PatternClauses, env: Environment, inWindow: boolean): AnalyzedPattern {
  const labels = analyzeLabels(clauses.pattern, clauses.subsets);
  const defined = checkDefinitions(clauses.definitions, labels);
  const pattern = convertPattern(clauses.pattern, labels);
  if (patternSize(pattern) > patternSizeMax) {
    const message = `Row pattern is too large: more than ${patternSizeMax} steps with its repetitions and permutations written out`;
    throw notSupported(clauses.pattern, message);
  }
  const skip = convertSkip(clauses.afterMatch, labels);
  requireNotNested([...clauses.measures, ...clauses.definitions]);
  const definitions = clauses.definitions.map(({ condition }, index) => ({
    label: defined[index] as number,
    ...analyzeInside(condition, { clause: "DEFINE", inWindow, labels }, env, (value) => {
      if (value.type.kind === "boolean") {
        return value;
      }
      const message = `Expression defining a label must be boolean (actual type: ${displayType(value.type)})`;
      throw semanticError("TYPE_MISMATCH", condition, message);
    }),
  }));
  const measures = clauses.measures.map(
    ({ expression, name }): AnalyzedMeasure => ({
      name,
      ...analyzeInside(expression, { clause: "MEASURES", inWindow, labels }, env, (value) => value),
    }),
  );
  return { labels: labels.names, pattern, skip, definitions, measures };
}

function analyzeInside(
  syntax: MeasureDefinition["expression"],
  { clause, inWindow, labels }: Pick<PatternContext, "clause" | "inWindow"> & { readonly labels: PatternLabels },
  env: Environment,
  finish: (value: RowExpression) => RowExpression,
): AnalyzedPatternExpression {
  requireNoWindows([syntax], "pattern recognition expressions");
  const accesses = new AccessCollector(env.analysis.ids);
  const aggregates: AnalyzedAggregate[] = [];
  const pattern: PatternContext = { clause, inWindow, labels: labels.places, scope: env.scope, accesses, aggregates, mentions: [] };
  const expression = finish(analyzeExpression(syntax, { ...env, clause: `${clause} clause`, pattern }));
  return { expression, accesses: accesses.accesses, aggregates };
}

export function measureNamed(measures: readonly AnalyzedMeasure[], name: Identifier): readonly AnalyzedMeasure[] {
  return measures.filter((measure) => canonicalName(measure.name) === canonicalName(name));
}

/** Returns the source column that holds an expression. */
type ColumnOf = (column: PatternColumn, hint: string) => Variable;

function planPatternExpression({ expression, accesses, aggregates }: AnalyzedPatternExpression, column: ColumnOf): PatternExpression {
  const access = ({ value, ...rest }: AnalyzedAccess): PatternAccess => ({
    ...rest,
    value: value.kind === "COLUMN" ? { kind: "COLUMN", column: column(value.column, "pattern") } : value,
  });
  return {
    expression,
    accesses: accesses.map(access),
    aggregates: aggregates.map((aggregate) => ({ ...aggregate, inputs: aggregate.inputs.map(access) })),
  };
}

export function planMeasure(measure: AnalyzedPatternExpression, output: Variable, column: ColumnOf): PatternMeasure {
  return { output, ...planPatternExpression(measure, column) };
}

export function planDefinitions({ definitions }: AnalyzedPattern, column: ColumnOf): readonly PatternDefinition[] {
  return definitions.map((definition) => ({ label: definition.label, ...planPatternExpression(definition, column) }));
}
