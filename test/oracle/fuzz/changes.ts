/**
 * DML on a copy of a table: DELETE, UPDATE, MERGE and INSERT, and the content afterwards.
 */
import { isInteger, join, type Kind, largest, type Text, text, typeText } from "./dialects.ts";
import { changedTable, drawAlteration, drawCreation } from "./definitions.ts";
import type { Expression } from "./expressions/generated-expression.ts";
import { Expressions } from "./expressions/expression-generator.ts";
import type { Query } from "./queries.ts";
import type { Random } from "./random.ts";
import { relationOf } from "./relations.ts";
import type { Column, Table } from "./tables.ts";

export interface Changes {
  /** The first statement creates the table; the worlds drop it. */
  readonly changes: readonly Text[];
  readonly query: Query;
}

export function drawChanges(random: Random, tables: readonly Table[]): Changes {
  const source = random.chance(15) ? (tables[3] as Table) : random.pick(tables.slice(0, 3));
  const made = drawCreation(random, source);
  const changes = [...made.changes];
  let columns = made.columns;
  for (let left = 1 + random.below(4); left > 0; left--) {
    const altered = random.chance(20) ? random.part(() => drawAlteration(random, columns, `n${left}`)) : undefined;
    changes.push(altered?.change ?? random.part(() => drawChange(random, { columns, source, tables })));
    columns = altered?.columns ?? columns;
  }
  const names = columns.map(({ name }) => name).join(", ");
  return { changes, query: { text: text`SELECT ${names} FROM ${changedTable}`, ordered: false } };
}

interface Changed {
  readonly columns: readonly Column[];
  readonly source: Table;
  readonly tables: readonly Table[];
}

function drawChange(random: Random, { columns: changed, source, tables }: Changed): Text {
  const exactly = (all: readonly Column[]) => all.map((column) => ({ ...column, exact: column.name === "d" }));
  const own = new Expressions(random, { columns: relationOf(text``, changedTable, { columns: exactly(changed), rows: 0 }).columns });
  if (random.chance(30) && hasKey(changed)) {
    return drawMerge(random, { ...source, columns: changed }, tables);
  }
  const condition = text`${own.condition(1 + random.below(2)).text}${among(random, changed, tables)}`;
  const where = random.chance(85) ? text` WHERE ${condition}` : text``;
  const isUpdatable = changed.some(({ type: { kind } }) => isSettable(kind));
  switch (random.below(3)) {
    case 0:
      return text`DELETE FROM ${changedTable}${where}`;
    case 1:
      return isUpdatable
        ? text`UPDATE ${changedTable} SET ${drawSets(random, changed, own)}${where}`
        : text`DELETE FROM ${changedTable}${where}`;
    default: {
      // Some columns only; the others become NULL.
      const given = random.chance(50) ? changed : random.shuffle(changed).slice(0, 1 + random.below(changed.length));
      const list = given.map(({ name }) => name).join(", ");
      const from = relationOf(text`${source.name} a0`, "a0", { columns: exactly(source.columns), rows: 0 });
      const inner = new Expressions(random, { columns: from.columns });
      const items = given.map((column) => {
        const same = source.columns.find(({ name, type: own }) => name === column.name && own === column.type);
        return same === undefined || (isSettable(column.type.kind) && random.chance(30))
          ? text`CAST(${isSettable(column.type.kind) ? valueFor(inner, column).text : "NULL"} AS ${typeText(column.type)})`
          : text`a0.${column.name}`;
      });
      return text`INSERT INTO ${changedTable} (${list}) SELECT ${join(items, ", ")} FROM ${from.text} WHERE ${inner.condition(1).text}`;
    }
  }
}

function drawSets(random: Random, columns: readonly Column[], own: Expressions): Text {
  const settable = random.shuffle(columns.filter(({ type: { kind } }) => isSettable(kind))).slice(0, 1 + random.below(3));
  return join(
    settable.map((column) => text`${column.name} = ${valueFor(own, column).text}`),
    ", ",
  );
}

/** Keys of the source are unique, so that no target row matches twice: that is an error here but not in DuckDB. */
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
  // DuckDB accepts a WHEN without a condition only after all others.
  const conditional = Array.from({ length: random.below(3) }, () => random.part(() => drawMergeCase(random, source, { both, alone })));
  const last = random.pick([[0], [1], [2], [0, 2], [1, 2]]).map((kind) => drawMergeCase(random, source, { both, alone, kind }));
  const cases = [...conditional, ...(conditional.length > 0 && random.chance(40) ? [] : last)];
  return text`MERGE INTO ${changedTable}${random.pick(["", ` AS ${changedTable}`])} USING ${relation} ON (${changedTable}.k = m0.k${on}) ${join(cases, " ")}`;
}

interface MergeScopes {
  readonly both: Expressions;
  readonly alone: Expressions;
  /** Kind of a WHEN without a condition. */
  readonly kind?: number;
}

function drawMergeCase(random: Random, source: Table, { both, alone, kind }: MergeScopes): Text {
  const when = (own: Expressions) => (kind === undefined ? text` AND ${own.condition(1 + random.below(2)).text}` : text``);
  switch (kind ?? random.below(3)) {
    case 0:
      return text`WHEN MATCHED${when(both)} THEN DELETE`;
    case 1:
      return text`WHEN MATCHED${when(both)} THEN UPDATE SET ${drawSets(random, source.columns, both)}`;
    default: {
      const settable = source.columns.filter(({ type: { kind } }) => isSettable(kind));
      const named = random.shuffle(settable).slice(0, 1 + random.below(settable.length));
      const values = named.map((column) => valueFor(alone, column).text);
      return text`WHEN NOT MATCHED${when(alone)} THEN INSERT (${named.map(({ name }) => name).join(", ")}) VALUES (${join(values, ", ")})`;
    }
  }
}

function hasKey(columns: readonly Column[]): boolean {
  return columns.some(({ name }) => name === "k");
}

/** A condition with a subquery over another table. */
function among(random: Random, columns: readonly Column[], tables: readonly Table[]): Text {
  return random.chance(25) && hasKey(columns)
    ? text` AND k ${random.pick(["", "NOT "])}IN (SELECT k FROM ${random.pick(tables.slice(0, 3)).name} WHERE k IS NOT NULL)`
    : text``;
}

/** Values of the other kinds have a precision or spelling of their own. */
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

/** An expression that fits the column's type. */
function valueFor(source: Expressions, { type: wanted }: Column): Expression {
  const drawn = source.of(wanted.kind, 2);
  return drawn.bound <= largest(wanted) ? drawn : source.leaf(wanted.kind);
}
