/** Constraints that a connector is told, and statements over its tables in a real cluster. */
import { isDeepStrictEqual } from "node:util";
import type { ColumnMetadata, Constraint, TableMetadata } from "../../../connectors/spi.ts";
import { Domain } from "../../../types/domain/domain.ts";
import type { DomainValue } from "../../../types/domain/range.ts";
import { TupleDomain } from "../../../types/domain/tuple-domain.ts";
import { sqlTypeText, type Type } from "../../../types/type.ts";
import type { PageValue } from "../../../page/reader.ts";
import { mustHold } from "../options.ts";
import { cellText, type ReadRow, textOf } from "../pages.ts";
import { quoted, sqlName, type Subject, tableText } from "../subject.ts";
import { type Rule, shown } from "./rule.ts";

const domainKinds: readonly string[] = ["boolean", "tinyint", "smallint", "integer", "bigint", "date", "varchar", "decimal"];
const integerKinds: readonly string[] = ["tinyint", "smallint", "integer", "bigint"];
const literalKinds: readonly string[] = ["boolean", ...integerKinds, "date", "varchar", "decimal"];
/** Columns of a table on which conditions are tried. */
const columnsMax = 4;

/** Undefined for a value that a domain cannot have. */
function domainValue(value: PageValue): DomainValue | undefined {
  return value instanceof Uint8Array ? textOf(value) : (value ?? undefined);
}

interface Condition {
  readonly text: string;
  readonly constraint: Constraint;
  holds(row: ReadRow): boolean;
}

function conditionsOf(table: TableMetadata, rows: readonly ReadRow[]): readonly Condition[] {
  const columns = table.columns.filter(({ type }) => domainKinds.includes(type.kind)).slice(0, columnsMax);
  return columns.flatMap((column) => conditionsOn(column, table.columns.indexOf(column), rows));
}

function conditionsOn({ name, type }: ColumnMetadata, index: number, rows: readonly ReadRow[]): readonly Condition[] {
  const present = rows.flatMap(({ values }) => domainValue(values[index] ?? null) ?? []);
  const [first, middle, last] = [present[0], present[Math.floor(present.length / 2)], present.at(-1)];
  const domains = {
    "is NULL": Domain.onlyNull(type),
    "is not NULL": Domain.notNull(type),
    "is one of no values": Domain.none(type),
    ...(middle !== undefined && {
      "equals a value": Domain.of(type, [middle]),
      "is from a value on": Domain.ofRanges(type, { low: { value: middle, inclusive: true } }),
      "is below a value": Domain.ofRanges(type, { high: { value: middle, inclusive: false } }),
    }),
    ...(first !== undefined && last !== undefined && { "is one of two values": Domain.of(type, [first, last]) }),
  };
  return Object.entries(domains).map(([text, domain]) => ({
    text: `'${name}' ${text}`,
    constraint: { summary: TupleDomain.of([[name, domain]]) },
    holds: ({ values }) => {
      const value = values[index] ?? null;
      const known = domainValue(value);
      return value === null ? domain.includes(null) : known !== undefined && domain.includes(known);
    },
  }));
}

/** A connector may skip rows that do not meet a constraint, and no others. */
const constraints: Rule = {
  name: "a constraint hides no row that meets it",
  async check(subject) {
    for (const table of await subject.tables()) {
      const all = await subject.rowsOf(table);
      const splits = await subject.splitsOf(table);
      for (const { constraint, holds, text } of conditionsOf(table, all)) {
        const expected = all.filter(holds).map(({ texts }) => texts);
        const check = (found: readonly ReadRow[], when: string): void => {
          const met = found.filter(holds).map(({ texts }) => texts);
          mustHold(
            isDeepStrictEqual(met, expected),
            () =>
              `${tableText(table)}: ${expected.length} rows meet the condition that ${text}; with it ${when} there are ${met.length}` +
              `${met.length === expected.length ? ", in another order or with other values" : ""}`,
          );
        };
        const listed: ReadRow[] = [];
        for (const split of await subject.splitsOf(table, { constraint })) {
          listed.push(...(await subject.readSplit({ table, split, columns: table.columns })));
        }
        check(listed, "given to getSplits");
        const read: ReadRow[] = [];
        for (const split of splits) {
          read.push(...(await subject.readSplit({ table, split, columns: table.columns, constraint })));
        }
        check(read, "given to createPageSource");
      }
    }
    return undefined;
  },
};

function visible(table: TableMetadata): readonly ColumnMetadata[] {
  return table.columns.filter(({ hidden }) => hidden !== true);
}

const sameRows: Rule = {
  name: "SELECT gives the rows of all splits, on one worker and on three in the same order",
  async check(subject) {
    for (const table of await subject.tables()) {
      const columns = visible(table);
      const sql = `SELECT ${columns.map(({ name }) => quoted(name)).join(", ")} FROM ${sqlName(table)}`;
      const indexes = columns.map((column) => table.columns.indexOf(column));
      const rows = await subject.rowsOf(table);
      const expected = rows.map(({ texts }) => indexes.map((index) => texts[index]).join(", "));
      const one = textsOf((await subject.query(sql)).rows);
      const [missing] = withoutThose(expected, one);
      const [extra] = withoutThose(one, expected);
      mustHold(missing === undefined, () => `${tableText(table)}: SELECT lacks the row (${shown(missing)}), which a split has`);
      mustHold(extra === undefined, () => `${tableText(table)}: SELECT gives the row (${shown(extra)}), which no split has so often`);
      const three = textsOf((await subject.query(sql, 3)).rows);
      const at = one.findIndex((row, index) => row !== three[index]);
      mustHold(
        at < 0 && one.length === three.length,
        () =>
          `${tableText(table)}: on one worker there are ${one.length} rows, on three ${three.length}; row ${at} is (${shown(one[at])}) and (${shown(three[at])})`,
      );
    }
    return undefined;
  },
};

function textsOf(rows: readonly (readonly unknown[])[]): readonly string[] {
  return rows.map((row) => row.map(cellText).join(", "));
}

/** The rows of `rows` that are not in `others`, each as often as it is missing there. */
function withoutThose(rows: readonly string[], others: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const row of others) {
    counts.set(row, (counts.get(row) ?? 0) + 1);
  }
  return rows.filter((row) => {
    const count = counts.get(row) ?? 0;
    counts.set(row, count - 1);
    return count <= 0;
  });
}

interface Question {
  /** What follows FROM. */
  readonly sql: string;
  readonly count: number;
}

function literal(type: Type, text: string): string {
  const plain = JSON.parse(text) as unknown;
  const value = typeof plain === "string" ? plain : text;
  return type.kind === "boolean" ? value : `CAST('${value.replaceAll("'", "''")}' AS ${sqlTypeText(type)})`;
}

/** Counts over conditions, limits and no columns at all: what connectors take over from the engine. */
function questionsOf(table: TableMetadata, rows: readonly ReadRow[]): readonly Question[] {
  const name = sqlName(table);
  const questions: Question[] = [{ sql: name, count: rows.length }];
  const limit = Math.max(1, Math.floor(rows.length / 2));
  questions.push({ sql: `(SELECT * FROM ${name} LIMIT ${limit})`, count: Math.min(limit, rows.length) });
  for (const column of visible(table)
    .filter(({ type }) => literalKinds.includes(type.kind))
    .slice(0, columnsMax)) {
    const index = table.columns.indexOf(column);
    const texts = rows.map((row) => row.texts[index] as string);
    const [own, { kind }] = [quoted(column.name), column.type];
    const count = (holds: (text: string) => boolean): number => texts.filter((text) => text !== "null" && holds(text)).length;
    questions.push({ sql: `${name} WHERE ${own} IS NULL`, count: texts.length - count(() => true) });
    const value = texts.filter((text) => text !== "null")[Math.floor(limit / 2)];
    if (value === undefined) {
      continue;
    }
    questions.push({ sql: `${name} WHERE ${own} = ${literal(column.type, value)}`, count: count((text) => text === value) });
    if (integerKinds.includes(kind)) {
      const number = BigInt(JSON.parse(value) as string);
      const above = count((text) => BigInt(JSON.parse(text) as string) > number);
      questions.push({ sql: `${name} WHERE ${own} > ${literal(column.type, value)}`, count: above });
      questions.push({ sql: `${name} WHERE NOT (${own} > ${literal(column.type, value)})`, count: count(() => true) - above });
    }
    const start = kind === "varchar" ? /^[A-Za-z0-9]{1,3}/.exec(JSON.parse(value) as string)?.[0] : undefined;
    if (start !== undefined) {
      questions.push({
        sql: `${name} WHERE ${own} LIKE '${start}%'`,
        count: count((text) => (JSON.parse(text) as string).startsWith(start)),
      });
    }
  }
  return questions;
}

const pushedDown: Rule = {
  name: "WHERE, LIMIT and count(*) count the right rows",
  async check(subject) {
    for (const table of await subject.tables()) {
      const questions = questionsOf(table, await subject.rowsOf(table));
      const branches = questions.map(({ sql }, index) => `SELECT ${index} AS question, count(*) AS found FROM ${sql}`);
      const { rows } = await subject.query(branches.join(" UNION ALL "));
      for (const [index, { count, sql }] of questions.entries()) {
        const found = Number(rows.find(([question]) => question === index)?.[1] as bigint | undefined);
        mustHold(found === count, () => `SELECT count(*) FROM ${sql} is ${found}, and the splits have ${count} such rows`);
      }
    }
    return undefined;
  },
};

/** Names of properties whose values are secrets, as the engine hides them. */
const secretName = /password|secret|token|credential|private|connection-string|json-key/;

const secrets: Rule = {
  name: "secrets of the properties are in no answer",
  async check(subject) {
    const { properties = {}, secrets: named = [] } = subject.options;
    const values = Object.entries(properties).filter(([name]) => named.includes(name) || secretName.test(name));
    if (values.length === 0) {
      return "no property is a secret";
    }
    for (const [place, text] of await placesOf(subject)) {
      for (const [name, value] of values) {
        mustHold(!text.includes(value), () => `the value of '${name}' is in ${place}`);
      }
    }
    return undefined;
  },
};

/** All that a user, an operator or a recording may see of the catalog. */
async function placesOf(subject: Subject): Promise<readonly (readonly [place: string, text: string])[]> {
  const metadata = await subject.metadata();
  const places: [string, string][] = [];
  const told = async (place: string, of: () => unknown): Promise<void> => {
    const answer = await Promise.resolve()
      .then(of)
      .catch((error: unknown) => String(error));
    places.push([place, JSON.stringify(answer, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value)) ?? ""]);
  };
  for (const table of await subject.tables()) {
    const name = tableText(table);
    const splits = await subject.splitsOf(table);
    await told(`the answer of getTable for ${name}`, () => table);
    await told(`a split of ${name}`, () => splits);
    await told(`the statistics of ${name}`, () => metadata.getStatistics?.(table));
    await told(`describeScan of ${name}`, () => metadata.describeScan?.(table.handle, table.columns, { summary: TupleDomain.all }));
    await told(`EXPLAIN of ${name}`, async () => (await subject.query(`EXPLAIN SELECT * FROM ${sqlName(table)}`)).rows);
    await told(`SHOW CREATE TABLE ${name}`, async () => (await subject.query(`SHOW CREATE TABLE ${sqlName(table)}`)).rows);
    await told(
      `a warning or an error of ${name}`,
      async () => (await subject.query(`SELECT no_such_column FROM ${sqlName(table)}`)).warnings,
    );
  }
  await told("an error of an unknown table", () => subject.query("SELECT * FROM no_such_schema.no_such_table"));
  await told("GET /v1/query", () => subject.fetched("/v1/query"));
  await told("GET /v1/catalog", () => subject.fetched("/v1/catalog"));
  await told("the log", () => subject.logged);
  return places;
}

export const queryRules: readonly Rule[] = [constraints, sameRows, pushedDown, secrets];
