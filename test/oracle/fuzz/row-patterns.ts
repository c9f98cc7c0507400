/**
 * MATCH_RECOGNIZE, for the oracle as regular expressions. Each row of a partition becomes a letter that encodes which conditions hold for
 * it, the partition becomes a text, and the row pattern a regular expression over it. Both prefer the same match.
 */
import { type Text, text, type } from "./dialects.ts";
import type { Expression } from "./expressions/generated-expression.ts";
import { Expressions } from "./expressions/expression-generator.ts";
import type { Random } from "./random.ts";
import { type Column, type Relation, relationOf } from "./relations.ts";
import type { Table } from "./tables.ts";

const labels = ["A", "B", "C"] as const;
type Label = (typeof labels)[number];

/** `engine` is a row pattern, `duckdb` a regular expression. */
interface Pattern {
  readonly text: Text;
  readonly isNullable: boolean;
}

/** Columns of a total order: rows that tie in all of them are interchangeable. */
const keys = { g: "bigint", k: "integer", b: "bigint", o: "boolean" };
const neighbours: readonly (readonly [engine: string, duckdb: string, sql: string])[] = [
  ["PREV(k)", "pk", "lag(k) OVER w"],
  ["PREV(A.k, 2)", "pk2", "lag(k, 2) OVER w"],
  ["NEXT(k)", "nk", "lead(k) OVER w"],
];

function columnsOf(random: Random): readonly Expression[] {
  const named = (engine: string, duckdb: string, kind: "integer" | "bigint" | "boolean", bound: number): Expression => ({
    text: { engine, duckdb },
    type: type(kind),
    bound,
    exact: true,
    variable: true,
  });
  return [
    named("k", "k", "integer", 20),
    named("g", "g", "bigint", 4),
    named(random.pick(["b", "LAST(b)"]), "b", "bigint", 1_000_000),
    named("o", "o", "boolean", 0),
    ...neighbours.slice(0, random.below(4)).map(([engine, duckdb]) => named(engine.replace("A.", ""), duckdb, "integer", 20)),
  ];
}

/** `classes` are character classes by label; the letters are numbered by the conditions that hold. */
function drawPattern(random: Random, depth: number, classes: Readonly<Record<Label, string>>): Pattern {
  const label = (): Pattern => {
    const name = random.pick(labels);
    return { text: { engine: name, duckdb: classes[name] }, isNullable: false };
  };
  if (depth === 0) {
    return label();
  }
  const inner = (): Pattern => drawPattern(random, depth - 1, classes);
  switch (random.below(6)) {
    case 1: {
      const [a, b] = [inner(), inner()];
      const [x, y] = [group(a), group(b)];
      const both = { engine: `${x.engine} ${y.engine}`, duckdb: x.duckdb + y.duckdb };
      return { text: both, isNullable: a.isNullable && b.isNullable };
    }
    case 2: {
      const [a, b] = [inner(), inner()];
      const either = { engine: `(${a.text.engine} | ${b.text.engine})`, duckdb: `(?:${a.text.duckdb}|${b.text.duckdb})` };
      return { text: either, isNullable: a.isNullable || b.isNullable };
    }
    case 3: {
      const [a, b] = [inner(), inner()];
      const [x, y] = [group(a).duckdb, group(b).duckdb];
      const any = { engine: `PERMUTE(${a.text.engine}, ${b.text.engine})`, duckdb: `(?:${x}${y}|${y}${x})` };
      return { text: any, isNullable: a.isNullable && b.isNullable };
    }
    case 4: {
      const one = inner();
      return { ...one, text: { engine: `{- ${one.text.engine} -}`, duckdb: one.text.duckdb } };
    }
    case 5: {
      const one = inner();
      // Languages differ in repeating an empty match.
      if (one.isNullable) {
        return one;
      }
      const [quantifier, isNullable] = random.pick([
        ["*", true],
        ["+", false],
        ["?", true],
        ["{2}", false],
        ["{1,3}", false],
        ["{2,}", false],
        ["{0,2}", true],
      ] as const);
      const reluctant = random.chance(40) ? "?" : "";
      return { text: text`${group(one)}${quantifier}${reluctant}`, isNullable };
    }
    default:
      return label();
  }
}

function group({ text: { engine, duckdb } }: Pattern): Text {
  return { engine: `(${engine})`, duckdb: `(?:${duckdb})` };
}

interface Conditions {
  readonly conditions: Partial<Readonly<Record<Label, string>>>;
  /** The letter of a row, as an expression for the oracle. */
  readonly letter: string;
  readonly classes: Readonly<Record<Label, string>>;
}

function drawConditions(random: Random): Conditions {
  const source = new Expressions(random, { columns: columnsOf(random) });
  const [a, b] = [source.of("boolean", 1 + random.below(2)).text, source.of("boolean", 1 + random.below(2)).text];
  const letter = `chr(97 + CASE WHEN ${a.duckdb} THEN 1 ELSE 0 END + CASE WHEN ${b.duckdb} THEN 2 ELSE 0 END)`;
  return { conditions: { A: a.engine, B: b.engine }, letter, classes: { A: "[bd]", B: "[cd]", C: "." } };
}

/** Exactly one label fits each row, which the oracle derives from the letter. */
function drawDisjoint(random: Random): Conditions {
  const source = new Expressions(random, { columns: columnsOf(random) });
  const [a, b] = [source.of("boolean", 1).text, source.of("boolean", 1).text];
  const notA = `(${a.engine}) IS DISTINCT FROM true`;
  const conditions = { A: a.engine, B: `${notA} AND (${b.engine})`, C: `${notA} AND (${b.engine}) IS DISTINCT FROM true` };
  const letter = `CASE WHEN ${a.duckdb} THEN 'A' WHEN ${b.duckdb} THEN 'B' ELSE 'C' END`;
  return { conditions, letter, classes: { A: "A", B: "B", C: "C" } };
}

/** Columns g, k, b and o, whether the table has them or not, and the row number in the partition. */
function drawRows(random: Random, tables: readonly Table[]): string {
  const table = random.pick(tables.slice(0, 3));
  const has = new Set(table.columns.map(({ name }) => name));
  const list = Object.entries(keys).map(([name, sqlType]) => (has.has(name) ? name : `CAST(NULL AS ${sqlType}) AS ${name}`));
  const names = Object.keys(keys).join(", ");
  return `SELECT ${names}, row_number() OVER (PARTITION BY g ORDER BY ${names}) AS n FROM (SELECT ${list.join(", ")} FROM ${table.name})`;
}

export function drawRowPattern(random: Random, tables: readonly Table[], alias: string): Relation {
  const isDisjoint = random.chance(50);
  const { classes, conditions, letter } = isDisjoint ? drawDisjoint(random) : drawConditions(random);
  const first = random.pick(labels);
  const rest = drawPattern(random, 1 + random.below(3), classes);
  const end = random.chance(10) ? "$" : "";
  const pattern = {
    engine: `${first} ${rest.text.engine} A?? ${end}`,
    duckdb: `${classes[first]}${rest.text.duckdb}(?:${classes.A})??${end}`,
  };
  const isNext = random.chance(50);
  const given = rowsOf(random, { isNext, mayKeep: !pattern.engine.includes("{-") });
  const inner = drawRows(random, tables);
  const used = labels.filter((label) => pattern.engine.replaceAll("PERMUTE", "").includes(label));
  const definitions = used.flatMap((label) => {
    const condition = conditions[label];
    return condition === undefined ? [] : [`${label} AS ${condition}`];
  });
  const columns: Column[] = [
    { name: "g", type: type("bigint"), bound: 4, exact: true },
    { name: "mn", type: type("bigint"), bound: 1000, exact: true },
    { name: "c", type: type("bigint"), bound: 1000, exact: true },
  ];
  const measures = [{ engine: `MATCH_NUMBER() AS mn, ${random.pick(["", "RUNNING "])}count(*) AS c`, duckdb: "mn, length(m) AS c" }];
  const members = used.filter(() => random.chance(60));
  const subset = isDisjoint && members.length > 0 ? `SUBSET U = (${members.join(", ")}) ` : "";
  if (isDisjoint) {
    columns.push({ name: "l", type: type("varchar"), bound: 0, exact: true });
    measures.push({ engine: "array_join(array_agg(CLASSIFIER()), '') AS l", duckdb: "m AS l" });
  }
  if (subset !== "") {
    columns.push({ name: "u", type: type("bigint"), bound: 1000, exact: true });
    const counted = members.length === 1 ? random.pick(["U", members[0]]) : "U";
    measures.push({ engine: `count(${counted}.*) AS u`, duckdb: `length(regexp_replace(m, '[^${members.join("")}]', '', 'g')) AS u` });
  }
  if (isNext) {
    columns.push(
      { name: "f", type: type("integer"), bound: 20, exact: true },
      { name: "s", type: type("bigint"), bound: 1e6, exact: true },
    );
    const [mode, last] = random.pick([
      ["", "m"],
      ["RUNNING ", "m"],
      ["FINAL ", "whole"],
    ] as const);
    measures.push({
      engine: `${mode}LAST(k) AS f, sum(n) AS s`,
      duckdb: `ks[i + length(${last}) - 1] AS f, CAST(length(m) * (2 * i + length(m) - 1) / 2 AS bigint) AS s`,
    });
  }
  const names = columns.map(({ name }) => name).join(", ");
  const measured = measures.map((one) => one.engine).join(", ");
  const clauses = `MEASURES ${measured} ${given.text}PATTERN (${pattern.engine}) ${subset}DEFINE ${definitions.join(", ")}`;
  const engine = `(SELECT ${names} FROM (${inner}) MATCH_RECOGNIZE (PARTITION BY g ORDER BY n ${clauses})) AS ${alias}`;
  const looked = neighbours.map(([, name, sql]) => `${sql} AS ${name}`).join(", ");
  const letters = `SELECT g, k, n, ${letter} AS letter FROM (SELECT *, ${looked} FROM (${inner}) WINDOW w AS (PARTITION BY g ORDER BY n))`;
  const partitions = `SELECT g, string_agg(letter, '' ORDER BY n) AS t, list(k ORDER BY n) AS ks FROM (${letters}) GROUP BY g`;
  const all = `regexp_extract_all(t, '${pattern.duckdb}')`;
  const found = isNext
    ? `SELECT g, ks, i, m, row_number() OVER (PARTITION BY g ORDER BY i) AS mn FROM (SELECT g, ks, i, regexp_extract(t[i:], '^(?:${pattern.duckdb})') AS m FROM (SELECT g, t, ks, unnest(range(1, length(t) + 1)) AS i FROM (${partitions}))) WHERE m <> ''`
    : `SELECT g, unnest(ms) AS m, unnest(range(1, len(ms) + 1)) AS mn FROM (SELECT g, ${all} AS ms FROM (${partitions}))`;
  const rows = given.keepsRows
    ? `SELECT *, whole[1:r] AS m FROM (SELECT * EXCLUDE (m), m AS whole, unnest(range(1, length(m) + 1)) AS r FROM (${found}))`
    : `SELECT *, m AS whole FROM (${found})`;
  const results = `SELECT g, ${measures.map((one) => one.duckdb).join(", ")} FROM (${rows})`;
  const others = `SELECT g, ${columns.slice(1).map(() => "NULL")} FROM (SELECT g, unnest(range(length(t) - length(array_to_string(${all}, '')))) FROM (${partitions}))`;
  const duckdb = `(${given.keepsOthers ? `${results} UNION ALL ${others}` : results}) AS ${alias}`;
  return relationOf({ engine, duckdb }, alias, { columns, rows: 45 });
}

interface RowsGiven {
  readonly text: string;
  /** ALL ROWS PER MATCH; otherwise ONE ROW PER MATCH. */
  readonly keepsRows: boolean;
  /** WITH UNMATCHED ROWS. */
  readonly keepsOthers: boolean;
}

/** Rows per match and the position of the next search. Every match has a row, so none is empty. */
function rowsOf(random: Random, { isNext, mayKeep }: { readonly isNext: boolean; readonly mayKeep: boolean }): RowsGiven {
  const skip = isNext ? "AFTER MATCH SKIP TO NEXT ROW " : random.pick(["", "", "AFTER MATCH SKIP PAST LAST ROW "]);
  if (!mayKeep || !random.chance(40)) {
    return { text: `${random.pick(["", "ONE ROW PER MATCH "])}${skip}`, keepsRows: false, keepsOthers: false };
  }
  const keepsOthers = !isNext && random.chance(30);
  const which = keepsOthers ? "WITH UNMATCHED ROWS " : random.pick(["", "SHOW EMPTY MATCHES ", "OMIT EMPTY MATCHES "]);
  return { text: `ALL ROWS PER MATCH ${which}${skip}`, keepsRows: true, keepsOthers };
}
