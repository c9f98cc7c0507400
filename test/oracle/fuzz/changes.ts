/** A copy of a table that is deleted from, updated and inserted into, and what it holds then. Called by cases.ts. */
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
  const where = random.chance(85) ? text` WHERE ${own.condition(1 + random.below(2)).text}${among(random, tables)}` : text``;
  switch (random.below(3)) {
    case 0:
      return text`DELETE FROM ${changedTable}${where}`;
    case 1: {
      const settable = random.shuffle(source.columns.filter(({ type: { kind } }) => isSettable(kind))).slice(0, 1 + random.below(3));
      const sets = settable.map((column) => text`${column.name} = ${valueFor(own, column).text}`);
      return text`UPDATE ${changedTable} SET ${join(sets, ", ")}${where}`;
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
