/** A copy of a table that is deleted from, updated, merged and inserted into, and what it holds then. Called by cases.ts. */
import { isInteger, join, type Kind, largest, type Text, text } from "./dialects.ts";
import type { Expression } from "./expression.ts";
import { Expressions } from "./expressions.ts";
import type { Query } from "./queries.ts";
import type { Random } from "./random.ts";
import { relationOf } from "./relations.ts";
import type { Column, Table } from "./tables.ts";

export const changedTable = "d0";

export interface Changes {
  /** The first makes the table; the worlds drop it. */
  readonly changes: readonly Text[];
  readonly query: Query;
}

export function drawChanges(random: Random, tables: readonly Table[]): Changes {
  const source = random.chance(15) ? (tables[3] as Table) : random.pick(tables.slice(0, 3));
  const changes = [text`CREATE TABLE ${changedTable} AS SELECT * FROM ${source.name}`];
  for (let left = 1 + random.below(4); left > 0; left--) {
    changes.push(random.part(() => drawChange(random, source, tables)));
  }
  const names = source.columns.map(({ name }) => name).join(", ");
  return { changes, query: { text: text`SELECT ${names} FROM ${changedTable}`, ordered: false } };
}

function drawChange(random: Random, source: Table, tables: readonly Table[]): Text {
  const columns = source.columns.map((column) => ({ ...column, exact: column.name === "d" }));
  const own = new Expressions(random, { columns: relationOf(text``, changedTable, { columns, rows: 0 }).columns });
  if (random.chance(30)) {
    return drawMerge(random, source, tables);
  }
  const where = random.chance(85) ? text` WHERE ${own.condition(1 + random.below(2)).text}${among(random, tables)}` : text``;
  switch (random.below(3)) {
    case 0:
      return text`DELETE FROM ${changedTable}${where}`;
    case 1: {
      return text`UPDATE ${changedTable} SET ${drawSets(random, source, own)}${where}`;
    }
    default: {
      // Some columns only: the others are NULL.
      const given = random.chance(50) ? source.columns : random.shuffle(source.columns).slice(0, 1 + random.below(source.columns.length));
      const list = given.map(({ name }) => name).join(", ");
      const from = relationOf(text`${source.name} a0`, "a0", { columns, rows: 0 });
      const inner = new Expressions(random, { columns: from.columns });
      const items = given.map((column) =>
        isSettable(column.type.kind) && random.chance(30) ? valueFor(inner, column).text : text`a0.${column.name}`,
      );
      return text`INSERT INTO ${changedTable} (${list}) SELECT ${join(items, ", ")} FROM ${from.text} WHERE ${inner.condition(1).text}`;
    }
  }
}

function drawSets(random: Random, source: Table, own: Expressions): Text {
  const settable = random.shuffle(source.columns.filter(({ type: { kind } }) => isSettable(kind))).slice(0, 1 + random.below(3));
  return join(
    settable.map((column) => text`${column.name} = ${valueFor(own, column).text}`),
    ", ",
  );
}

/** The source has a key once, so that no row of the target matches twice: that is an error here and none in DuckDB. */
function drawMerge(random: Random, source: Table, tables: readonly Table[]): Text {
  const from = random.pick(tables.slice(0, 3));
  const merged = from.columns.filter(({ name, type: { kind } }) => name !== "k" && (isInteger(kind) || ["varchar", "date"].includes(kind)));
  const columns = [...from.columns.filter(({ name }) => name === "k"), ...merged].map((column) => ({ ...column, exact: true }));
  const values = [text`k`, ...merged.map(({ name }) => text`min(${name}) AS ${name}`)];
  const relation = text`(SELECT ${join(values, ", ")} FROM ${from.name} GROUP BY k) m0`;
  const given = relationOf(relation, "m0", { columns, rows: 0 }).columns;
  const target = source.columns.map((column) => ({ ...column, exact: column.name === "d" }));
  const both = new Expressions(random, { columns: [...relationOf(text``, changedTable, { columns: target, rows: 0 }).columns, ...given] });
  const alone = new Expressions(random, { columns: given });
  const on = random.chance(30) ? text` AND ${both.condition(1).text}` : text``;
  // DuckDB takes a WHEN without a condition only behind all others, wherever it stands.
  const conditional = Array.from({ length: random.below(3) }, () => random.part(() => drawMergeCase(random, source, { both, alone })));
  const last = random.pick([[0], [1], [2], [0, 2], [1, 2]]).map((kind) => drawMergeCase(random, source, { both, alone, kind }));
  const cases = [...conditional, ...(conditional.length > 0 && random.chance(40) ? [] : last)];
  return text`MERGE INTO ${changedTable} USING ${relation} ON (${changedTable}.k = m0.k${on}) ${join(cases, " ")}`;
}

interface MergeScopes {
  readonly both: Expressions;
  readonly alone: Expressions;
  /** Of a WHEN without a condition. */
  readonly kind?: number;
}

function drawMergeCase(random: Random, source: Table, { both, alone, kind }: MergeScopes): Text {
  const when = (own: Expressions) => (kind === undefined ? text` AND ${own.condition(1 + random.below(2)).text}` : text``);
  switch (kind ?? random.below(3)) {
    case 0:
      return text`WHEN MATCHED${when(both)} THEN DELETE`;
    case 1:
      return text`WHEN MATCHED${when(both)} THEN UPDATE SET ${drawSets(random, source, both)}`;
    default: {
      const settable = source.columns.filter(({ type: { kind } }) => isSettable(kind));
      const named = random.shuffle(settable).slice(0, 1 + random.below(settable.length));
      const values = named.map((column) => valueFor(alone, column).text);
      return text`WHEN NOT MATCHED${when(alone)} THEN INSERT (${named.map(({ name }) => name).join(", ")}) VALUES (${join(values, ", ")})`;
    }
  }
}

/** A condition on another table, which both sides know by its rows alone. */
function among(random: Random, tables: readonly Table[]): Text {
  return random.chance(25)
    ? text` AND k ${random.pick(["", "NOT "])}IN (SELECT k FROM ${random.pick(tables.slice(0, 3)).name} WHERE k IS NOT NULL)`
    : text``;
}

/** Of the other kinds values have a precision or a spelling of their own. */
function isSettable(kind: Kind): boolean {
  return (
    isInteger(kind) ||
    [
      "boolean",
      "varchar",
      "date",
      "timestamp",
      "double",
      "bigints",
      "texts",
      "map",
      "row",
      "holes",
      "lists",
      "gaps",
      "parts",
      "nans",
    ].includes(kind)
  );
}

/** It fits the column's type. */
function valueFor(source: Expressions, { type }: Column): Expression {
  const drawn = source.of(type.kind, 2);
  return drawn.bound <= largest(type) ? drawn : source.leaf(type.kind);
}
