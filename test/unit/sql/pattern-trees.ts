/**
 * Random trees of row pattern recognition, in the shapes that the parser produces.
 */
import fc from "fast-check";
import type {
  AfterMatchSkip,
  Expression,
  Identifier,
  Location,
  PatternQuantifier,
  Relation,
  RowPattern,
  SortItem,
  WindowPattern,
} from "../../../src/sql/ast/ast.ts";

interface Leaves {
  readonly expression: fc.Arbitrary<Expression>;
  readonly identifier: fc.Arbitrary<Identifier>;
  readonly location: Location;
  readonly list: <T>(element: fc.Arbitrary<T>, minLength?: number) => fc.Arbitrary<T[]>;
  readonly maybe: <K extends string, T>(key: K, value: fc.Arbitrary<T>) => fc.Arbitrary<{ [P in K]?: T }>;
}

function patterns({ identifier, location, list }: Leaves): fc.Arbitrary<RowPattern> {
  const bounds: fc.Arbitrary<Pick<PatternQuantifier, "symbol" | "atLeast" | "atMost">> = fc.oneof(
    fc.constantFrom("*" as const, "+" as const, "?" as const).map((symbol) => ({ symbol })),
    fc
      .tuple(fc.option(fc.nat(20).map(String), { nil: undefined }), fc.option(fc.nat(20).map(String), { nil: undefined }))
      .map(([atLeast, atMost]) => ({
        symbol: "{}" as const,
        ...(atLeast === undefined ? {} : { atLeast }),
        ...(atMost === undefined ? {} : { atMost }),
      })),
  );
  const quantifier = fc
    .tuple(bounds, fc.boolean())
    .map(([of, greedy]): PatternQuantifier => ({ kind: "PatternQuantifier", ...of, greedy, location }));
  const { pattern } = fc.letrec<{ pattern: RowPattern }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      identifier.map((name): RowPattern => ({ kind: "PatternVariable", name, location })),
      fc.constantFrom("EmptyPattern", "PatternStart", "PatternEnd").map((kind): RowPattern => ({ kind, location })),
      fc
        .tuple(fc.constantFrom("PatternAlternation", "PatternConcatenation"), list(tie("pattern"), 2))
        .map(([kind, terms]): RowPattern => ({ kind, terms, location })),
      list(tie("pattern")).map((terms): RowPattern => ({ kind: "PatternPermutation", terms, location })),
      fc
        .tuple(tie("pattern"), quantifier)
        .map(([of, quantified]): RowPattern => ({ kind: "QuantifiedPattern", pattern: of, quantifier: quantified, location })),
      tie("pattern").map((of): RowPattern => ({ kind: "ExcludedPattern", pattern: of, location })),
    ),
  }));
  return pattern;
}

function clauses(leaves: Leaves) {
  const { expression, identifier, location, list, maybe } = leaves;
  const measure = fc
    .tuple(expression, identifier)
    .map(([of, name]) => ({ kind: "MeasureDefinition" as const, expression: of, name, location }));
  const afterMatch = fc.oneof(
    fc.constantFrom("NEXT ROW", "PAST LAST ROW").map((to): AfterMatchSkip => ({ kind: "AfterMatchSkip", to, location })),
    fc
      .tuple(fc.constantFrom("FIRST", "LAST", "VARIABLE"), identifier)
      .map(([to, variable]): AfterMatchSkip => ({ kind: "AfterMatchSkip", to, variable, location })),
  );
  const searchMode = fc.constantFrom("INITIAL", "SEEK").map((mode) => ({ kind: "PatternSearchMode" as const, mode, location }));
  const subset = fc
    .tuple(identifier, list(identifier))
    .map(([name, variables]) => ({ kind: "SubsetDefinition" as const, name, variables, location }));
  const definition = fc
    .tuple(identifier, expression)
    .map(([name, condition]) => ({ kind: "VariableDefinition" as const, name, condition, location }));
  return {
    measures: list(measure, 0),
    pattern: patterns(leaves),
    subsets: list(subset, 0),
    definition,
    optional: fc
      .tuple(maybe("afterMatch", afterMatch), maybe("searchMode", searchMode))
      .map(([after, search]) => ({ ...after, ...search })),
  };
}

export function patternRecognitions(
  leaves: Leaves & { readonly relation: fc.Arbitrary<Relation>; readonly sortItem: fc.Arbitrary<SortItem> },
): fc.Arbitrary<Relation> {
  const { expression, relation, sortItem, location, list, maybe } = leaves;
  const { measures, pattern, subsets, definition, optional } = clauses(leaves);
  const rowsPerMatch = fc.constantFrom("ONE", "ALL", "ALL_SHOW", "ALL_OMIT", "ALL_UNMATCHED");
  return fc
    .tuple(
      relation,
      list(expression, 0),
      list(sortItem, 0),
      measures,
      maybe("rowsPerMatch", rowsPerMatch),
      optional,
      pattern,
      subsets,
      list(definition),
    )
    .map(
      ([of, partitionBy, orderBy, measured, rows, skips, matched, sets, definitions]): Relation => ({
        kind: "PatternRecognition",
        relation: of,
        partitionBy,
        orderBy,
        measures: measured,
        ...rows,
        ...skips,
        pattern: matched,
        subsets: sets,
        definitions,
        location,
      }),
    );
}

/** The pattern clauses after a window's frame. All empty means no pattern. */
export function windowPatterns(leaves: Leaves): fc.Arbitrary<WindowPattern> {
  const { location, list, maybe } = leaves;
  const { measures, pattern, subsets, definition, optional } = clauses(leaves);
  return fc
    .tuple(measures, optional, maybe("pattern", pattern), subsets, list(definition, 0))
    .map(
      ([measured, skips, matched, sets, definitions]): WindowPattern => ({
        kind: "WindowPattern",
        measures: measured,
        ...skips,
        ...matched,
        subsets: sets,
        definitions,
        location,
      }),
    )
    .filter((of) => Object.keys(of).length > 5 || of.measures.length + of.subsets.length + of.definitions.length > 0);
}
