/**
 * Random row patterns with their SQL text and the data for the reference.
 */
import fc from "fast-check";
import {
  type Expression,
  navigate,
  type Pattern,
  type Recognition,
  type Row,
  type RowsPerMatch,
  type Skip,
  type Value,
  type View,
} from "./reference.ts";

const labels: readonly string[] = ["A", "B", "C"];
const unions: Readonly<Record<string, readonly string[]>> = { U: ["A", "B"], W: ["C", "A"] };

function membersOf(name: string | undefined): readonly string[] | undefined {
  return name === undefined ? undefined : (unions[name] ?? [name]);
}

function patternSql(pattern: Pattern): string {
  switch (pattern.kind) {
    case "label":
      return pattern.name;
    case "empty":
      return "()";
    case "start":
      return "^";
    case "end":
      return "$";
    case "excluded":
      return `{- ${patternSql(pattern.pattern)} -}`;
    case "sequence":
      return `(${pattern.terms.map(patternSql).join(" ")})`;
    case "alternatives":
      return `(${pattern.terms.map(patternSql).join(" | ")})`;
    case "permutation":
      return `PERMUTE(${pattern.terms.map(patternSql).join(", ")})`;
    case "repeat": {
      const { greedy, max, min } = pattern;
      const symbols: Readonly<Record<string, string>> = { "0,": "*", "1,": "+", "0,1": "?" };
      const bounds = `${min},${max ?? ""}`;
      return `(${patternSql(pattern.pattern)})${symbols[bounds] ?? (min === max ? `{${min}}` : `{${bounds}}`)}${greedy ? "" : "?"}`;
    }
  }
}

export interface PatternForms {
  readonly anchors: boolean;
  readonly exclusion: boolean;
}

function patterns({ anchors, exclusion }: PatternForms): fc.Arbitrary<Pattern> {
  const label = fc.constantFrom(...labels).map((name): Pattern => ({ kind: "label", name }));
  const rare: fc.Arbitrary<Pattern>[] = [fc.constant({ kind: "empty" })];
  if (anchors) {
    rare.push(fc.constantFrom<Pattern>({ kind: "start" }, { kind: "end" }));
  }
  const { pattern } = fc.letrec<{ pattern: Pattern }>((tie) => {
    const inner = tie("pattern");
    const bounds = fc.constantFrom<readonly [number, number | undefined]>(
      [0, undefined],
      [1, undefined],
      [0, 1],
      [2, undefined],
      [1, 2],
      [0, 3],
      [2, 2],
    );
    return {
      pattern: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        { arbitrary: label, weight: 8 },
        { arbitrary: fc.oneof(...rare), weight: 1 },
        { arbitrary: fc.tuple(inner, inner).map((terms): Pattern => ({ kind: "sequence", terms })), weight: 6 },
        { arbitrary: fc.tuple(inner, inner).map((terms): Pattern => ({ kind: "alternatives", terms })), weight: 4 },
        { arbitrary: fc.array(inner, { minLength: 2, maxLength: 3 }).map((terms): Pattern => ({ kind: "permutation", terms })), weight: 1 },
        ...(exclusion ? [{ arbitrary: inner.map((one): Pattern => ({ kind: "excluded", pattern: one })), weight: 1 }] : []),
        {
          arbitrary: fc
            .tuple(inner, bounds, fc.boolean())
            .map(
              ([one, [min, max], greedy]): Pattern => ({ kind: "repeat", pattern: one, min, ...(max !== undefined && { max }), greedy }),
            ),
          weight: 6,
        },
      ),
    };
  });
  // All labels occur in the pattern, so that conditions and measures can reference each.
  const others = labels.map((name): Pattern => ({ kind: "repeat", pattern: { kind: "label", name }, min: 0, max: 1, greedy: false }));
  return pattern.map((one): Pattern => ({ kind: "sequence", terms: [one, ...others] }));
}

function valueOf({ rows }: View, row: number | undefined): number | null {
  return row === undefined ? null : (rows[row]?.v ?? null);
}

function labelOf({ path }: View, row: number | undefined): string | null {
  return path.find((step) => step.row === row)?.label ?? null;
}

interface Named {
  readonly name?: string;
  readonly anchor: "FIRST" | "LAST";
  readonly final: boolean;
  readonly logical: number;
  readonly physical: number;
}

function navigations(mayBeFinal: boolean, mayBeNext: boolean): fc.Arbitrary<Named> {
  return fc.record({
    name: fc.constantFrom(undefined, undefined, ...labels, "U", "W"),
    anchor: fc.constantFrom("FIRST" as const, "LAST" as const, "LAST" as const),
    final: mayBeFinal ? fc.boolean() : fc.constant(false),
    logical: fc.constantFrom(0, 0, 1, 2),
    physical: fc.constantFrom(0, 0, -1, -2, ...(mayBeNext ? [1, 2] : [])),
  }) as fc.Arbitrary<Named>;
}

function navigationSql({ anchor, final, logical, physical }: Named, read: string): string {
  const inner = `${final ? "FINAL " : ""}${anchor}(${read}${logical === 0 ? "" : `, ${logical}`})`;
  return physical === 0 ? inner : `${physical < 0 ? "PREV" : "NEXT"}(${inner}, ${Math.abs(physical)})`;
}

function column(named: Named): Expression {
  const members = membersOf(named.name);
  return {
    sql: navigationSql(named, named.name === undefined ? "v" : `${named.name}.v`),
    evaluate: (view) => valueOf(view, navigate(view, { ...named, ...(members !== undefined && { labels: members }) })),
  };
}

function classifier(named: Named): Expression {
  const members = membersOf(named.name);
  return {
    sql: navigationSql(named, `CLASSIFIER(${named.name ?? ""})`),
    evaluate: (view) => labelOf(view, navigate(view, { ...named, ...(members !== undefined && { labels: members }) })),
  };
}

interface Aggregated {
  readonly name: string | undefined;
  readonly final: boolean;
  readonly form: "count(*)" | "count" | "sum" | "max" | "labels";
}

function aggregate({ final, form, name }: Aggregated): Expression {
  const members = membersOf(name);
  const prefix = name === undefined ? "" : `${name}.`;
  const texts: Readonly<Record<Aggregated["form"], string>> = {
    "count(*)": `count(${prefix}*)`,
    count: `count(${prefix}v)`,
    sum: `sum(${prefix}v + 1)`,
    max: `max(${prefix}v)`,
    labels: `array_join(array_agg(CLASSIFIER(${name ?? ""})), '')`,
  };
  return {
    sql: final ? texts[form].replace(/(count|sum|max|array_agg)\(/, "FINAL $1(") : texts[form],
    evaluate({ path, place, rows }) {
      const steps = path.filter(({ label }, index) => (final || index <= place) && (members === undefined || members.includes(label)));
      const values = steps.map(({ row }) => rows[row]?.v ?? null).filter((value) => value !== null);
      switch (form) {
        case "count(*)":
          return steps.length;
        case "count":
          return values.length;
        case "sum":
          return values.length === 0 ? null : values.reduce((sum, value) => sum + value + 1, 0);
        case "max":
          return values.length === 0 ? null : Math.max(...values);
        case "labels":
          return steps.length === 0 ? null : steps.map(({ label }) => label).join("");
      }
    },
  };
}

function aggregates(mayBeFinal: boolean): fc.Arbitrary<Expression> {
  return fc
    .record({
      name: fc.constantFrom(undefined, ...labels, "U"),
      final: mayBeFinal ? fc.boolean() : fc.constant(false),
      form: fc.constantFrom<Aggregated["form"]>("count(*)", "count", "sum", "max", "labels"),
    })
    .map(aggregate);
}

const current: Expression = {
  sql: "v",
  evaluate: (view) => valueOf(view, navigate(view, { anchor: "LAST", logical: 0, physical: 0 })),
};

function compared(left: Expression, operator: "<" | "<=" | "=" | ">", right: Expression): Expression {
  return {
    sql: `${left.sql} ${operator} ${right.sql}`,
    evaluate(view) {
      const [a, b] = [left.evaluate(view), right.evaluate(view)];
      if (a === null || b === null) {
        return null;
      }
      switch (operator) {
        case "<":
          return a < b;
        case "<=":
          return a <= b;
        case "=":
          return a === b;
        case ">":
          return a > b;
      }
    },
  };
}

function constant(value: number | string): Expression {
  return { sql: typeof value === "string" ? `'${value}'` : String(value), evaluate: () => value };
}

function conditions(isWindow: boolean): fc.Arbitrary<Expression> {
  const operator = fc.constantFrom("<" as const, "<=" as const, "=" as const, ">" as const);
  const number = fc.integer({ min: 0, max: 4 }).map(constant);
  const columns = navigations(false, true).map(column);
  const counts = fc
    .record({
      name: fc.constantFrom(undefined, ...labels, "U"),
      form: fc.constantFrom("count(*)" as const, "sum" as const, "max" as const),
    })
    .map((one) => aggregate({ ...one, final: false }));
  const simple = fc.oneof(
    { arbitrary: fc.tuple(operator, number).map(([sign, right]) => compared(current, sign, right)), weight: 6 },
    { arbitrary: fc.tuple(operator, columns).map(([sign, right]) => compared(current, sign, right)), weight: 4 },
    { arbitrary: fc.tuple(counts, operator, number).map(([left, sign, right]) => compared(left, sign, right)), weight: 3 },
    {
      arbitrary: fc
        .tuple(navigations(false, false), fc.constantFrom(...labels).map(constant))
        .map(([named, right]) => compared(classifier(named), "=", right)),
      weight: 2,
    },
    ...(isWindow ? [] : [{ arbitrary: number.map((right) => compared(matchNumber, ">", right)), weight: 1 }]),
  );
  return fc.oneof({ arbitrary: simple, weight: 5 }, { arbitrary: fc.tuple(simple, simple).map(([a, b]) => either(a, b)), weight: 2 });
}

function either(a: Expression, b: Expression): Expression {
  return {
    sql: `${a.sql} OR ${b.sql}`,
    evaluate(view) {
      const results = [a.evaluate(view), b.evaluate(view)];
      return results.includes(true) ? true : results.includes(null) ? null : false;
    },
  };
}

const matchNumber: Expression = { sql: "MATCH_NUMBER()", evaluate: (view): Value => view.matchNumber };

function measures(isWindow: boolean): fc.Arbitrary<readonly Expression[]> {
  return fc.array(
    fc.oneof(
      navigations(true, true).map(column),
      navigations(true, true).map(classifier),
      aggregates(true),
      ...(isWindow ? [] : [fc.constant(matchNumber)]),
    ),
    { minLength: 1, maxLength: 3 },
  );
}

const skips: fc.Arbitrary<{ readonly sql: string; readonly skip: Skip }> = fc.oneof(
  fc.constant({ sql: "", skip: { to: "PAST LAST ROW" as const } }),
  fc.constantFrom("PAST LAST ROW" as const, "NEXT ROW" as const).map((to) => ({
    sql: `AFTER MATCH SKIP ${to === "NEXT ROW" ? "TO NEXT ROW" : to}`,
    skip: { to },
  })),
  fc.tuple(fc.constantFrom("FIRST" as const, "LAST" as const), fc.constantFrom(...labels, "U")).map(([to, name]) => ({
    sql: `AFTER MATCH SKIP TO ${to} ${name}`,
    skip: { to, labels: membersOf(name) ?? [] },
  })),
);

const tables: fc.Arbitrary<readonly Row[]> = fc
  .array(fc.tuple(fc.constantFrom(1, 1, 1, 2), fc.option(fc.integer({ min: 0, max: 4 }), { freq: 8 })), { minLength: 3, maxLength: 9 })
  .map((rows) => rows.map(([part, v], id) => ({ part, id, v })));

export interface Generated extends Recognition {
  readonly defineSql: string;
  readonly skipSql: string;
  readonly patternSql: string;
}

function recognitions(forms: PatternForms, isWindow: boolean): fc.Arbitrary<Generated> {
  return fc
    .record({
      pattern: patterns(forms),
      conditions: fc.tuple(conditions(isWindow), fc.option(conditions(isWindow)), fc.option(conditions(isWindow))),
      measures: measures(isWindow),
      after: skips,
    })
    .map(({ after, conditions: made, measures: measured, pattern }): Generated => {
      const defined = new Map(made.flatMap((one, index) => (one === null ? [] : [[labels[index] as string, one] as const])));
      return {
        pattern,
        conditions: defined,
        measures: measured,
        skip: after.skip,
        skipSql: after.sql,
        patternSql: `PATTERN ${patternSql(pattern)} SUBSET U = (A, B), W = (C, A)`,
        defineSql: `DEFINE ${[...defined].map(([name, { sql }]) => `${name} AS ${sql}`).join(", ")}`,
      };
    });
}

function source(rows: readonly Row[]): string {
  return `(VALUES ${rows.map(({ part, id, v }) => `(${part}, ${id}, ${v ?? "NULL"})`).join(", ")}) t(part, id, v)`;
}

function measuresSql({ measures: made }: Recognition): string {
  return `MEASURES ${made.map(({ sql }, index) => `${sql} AS m${index}`).join(", ")}`;
}

const rowsSql: Readonly<Record<RowsPerMatch, string>> = {
  ONE: "ONE ROW PER MATCH",
  "ALL SHOW": "ALL ROWS PER MATCH",
  "ALL OMIT": "ALL ROWS PER MATCH OMIT EMPTY MATCHES",
  "ALL UNMATCHED": "ALL ROWS PER MATCH WITH UNMATCHED ROWS",
};

export interface MatchRecognize {
  readonly sql: string;
  readonly recognition: Recognition;
  readonly rowsPerMatch: RowsPerMatch;
  readonly rows: readonly Row[];
}

export const matchRecognizes: fc.Arbitrary<MatchRecognize> = fc
  .constantFrom<RowsPerMatch>("ONE", "ALL SHOW", "ALL OMIT", "ALL UNMATCHED")
  .chain((rowsPerMatch) =>
    fc.tuple(recognitions({ anchors: true, exclusion: rowsPerMatch !== "ALL UNMATCHED" }, false), tables).map(([recognition, rows]) => {
      const { defineSql, skipSql, patternSql: pattern } = recognition;
      const clauses = [measuresSql(recognition), rowsSql[rowsPerMatch], skipSql, pattern, defineSql].filter((text) => text !== "");
      const names = ["part", ...(rowsPerMatch === "ONE" ? [] : ["id"]), ...recognition.measures.map((_, index) => `m${index}`)];
      const sql = `SELECT ${names.join(", ")} FROM ${source(rows)} MATCH_RECOGNIZE (PARTITION BY part ORDER BY id ${clauses.join(" ")})`;
      return { sql, recognition, rowsPerMatch, rows };
    }),
  );

export interface WindowPattern {
  readonly sql: string;
  readonly recognition: Recognition;
  readonly frame: { readonly following?: number; readonly seek: boolean };
  readonly rows: readonly Row[];
}

export const windowPatterns: fc.Arbitrary<WindowPattern> = fc
  .tuple(
    recognitions({ anchors: false, exclusion: true }, true),
    tables,
    fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
    fc.constantFrom("", "INITIAL", "SEEK"),
  )
  .map(([recognition, rows, following, mode]) => {
    const { defineSql, skipSql, patternSql: pattern } = recognition;
    const end = following === undefined ? "UNBOUNDED FOLLOWING" : following === 0 ? "CURRENT ROW" : `${following} FOLLOWING`;
    const frame = `ROWS BETWEEN CURRENT ROW AND ${end}`;
    const clauses = [measuresSql(recognition), frame, skipSql, mode, pattern, defineSql].filter((text) => text !== "");
    const names = ["part", "id", ...recognition.measures.map((_, index) => `m${index} OVER w`), "count(*) OVER w"];
    const sql = `SELECT ${names.join(", ")} FROM ${source(rows)} WINDOW w AS (PARTITION BY part ORDER BY id ${clauses.join(" ")})`;
    return { sql, recognition, rows, frame: { ...(following !== undefined && { following }), seek: mode === "SEEK" } };
  });
