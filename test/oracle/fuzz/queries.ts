/**
 * Random queries of growing depth over the tables of tables.ts. Every result is deterministic: LIMIT only after an ORDER BY of all columns,
 * sums of doubles only where they are exact. Row estimates bound the size of joins.
 */
import { drawAggregation } from "./aggregations.ts";
import {
  isComparable,
  isInteger,
  isNumber,
  isOrderable,
  join,
  type Kind,
  type SqlType,
  type Text,
  text,
  type,
  typeText,
} from "./dialects.ts";
import type { Expression } from "./expressions/generated-expression.ts";
import { Expressions, type Scope, superType } from "./expressions/expression-generator.ts";
import { limitText, renamedText } from "./grammar/rare.ts";
import type { Random } from "./random.ts";
import { drawRecursion } from "./recursion.ts";
import {
  type Body,
  type Column,
  drawSharedColumns,
  drawTable,
  drawTableFunction,
  drawUnnested,
  drawValues,
  type Relation,
  relationOf,
} from "./relations.ts";
import { drawRowPattern } from "./row-patterns.ts";
import type { SubqueryHost } from "./subqueries/cores.ts";
import { drawLateral, drawSubqueryCondition, drawSubqueryValue, drawUnnestedValues } from "./subqueries/subqueries.ts";
import type { Table } from "./tables.ts";
import { drawWholeOrder, drawWindow, type WholeOrder, windowClause } from "./windows.ts";

export interface Query {
  readonly text: Text;
  readonly ordered: boolean;
}

/** The SELECT list. */
interface Items {
  readonly text: Text;
  readonly columns: readonly Column[];
  /** The WINDOW clause, or empty. */
  readonly windows: Text;
}

const rowsMax = 20_000;
const resultRowsMax = 3_000;

export class Queries {
  readonly #random: Random;
  readonly #tables: readonly Table[];
  readonly #host: SubqueryHost;
  readonly #makers: Pick<Scope, "subquery" | "value">;
  #names = 0;
  #with: { readonly name: string; readonly body: Body }[] = [];

  constructor(random: Random, tables: readonly Table[]) {
    this.#random = random;
    this.#tables = tables;
    const host: SubqueryHost = { relation: (depth) => this.#small(depth), name: (prefix) => this.#name(prefix) };
    this.#host = host;
    this.#makers = {
      subquery: (_, outer) => random.part(() => drawSubqueryCondition(random, host, outer)),
      value: (kind, outer) => random.part(() => drawSubqueryValue(random, host, kind, outer)),
    };
  }

  /**
   * Equivalent queries: partitions of the rows where a condition is true, false or unknown, together (TLP: of rows, distinct rows,
   * aggregates and groups), and a filter as a projected condition instead (NoREC).
   */
  partitioned(depth: number): { readonly query: Query; readonly same: readonly { readonly name: string; readonly sql: string }[] } {
    const random = this.#random;
    this.#names = 0;
    this.#with = [];
    const from = this.#from(depth);
    const scope = this.#scopeOf(from, depth);
    const condition = new Expressions(random, scope).condition(1 + random.below(3)).text;
    const parts = [condition, text`(NOT ${condition})`, text`(${condition} IS NULL)`];
    const split = (make: (part: Text) => Text, operator: string): string => join(parts.map(make), ` ${operator} `).engine;
    const plain = new Expressions(random, { columns: from.columns });
    const choice = random.below(5);
    const query = (sql: Text): Query => ({ text: sql, ordered: false });
    if (choice === 0 || from.rows > resultRowsMax) {
      const counted = text`SELECT coalesce(sum(CASE WHEN ${condition} THEN 1 ELSE 0 END), 0) AS c0 FROM ${from.text}`;
      return {
        query: query(text`SELECT count(*) AS c0 FROM ${from.text} WHERE ${condition}`),
        same: [{ name: "NoREC", sql: counted.engine }],
      };
    }
    if (choice === 1 || choice === 2) {
      const items = this.#items(plain).text;
      const distinct = choice === 2 ? "DISTINCT " : "";
      const sql = split((part) => text`SELECT ${items} FROM ${from.text} WHERE ${part}`, choice === 2 ? "UNION" : "UNION ALL");
      return {
        query: query(text`SELECT ${distinct}${items} FROM ${from.text}`),
        same: [{ name: choice === 2 ? "TLP of distinct rows" : "TLP", sql }],
      };
    }
    if (choice === 3) {
      const [a, b] = [ordered(plain), ordered(plain)];
      const items = text`count(*) AS c0, min(${a.text}) AS c1, max(${b.text}) AS c2, count(${a.text}) AS c3`;
      const sql = split((part) => text`SELECT ${items} FROM ${from.text} WHERE ${part}`, "UNION ALL");
      return {
        query: query(text`SELECT ${items} FROM ${from.text}`),
        same: [{ name: "TLP of aggregates", sql: `SELECT sum(c0), min(c1), max(c2), sum(c3) FROM (${sql}) t` }],
      };
    }
    const keys = Array.from({ length: 1 + random.below(2) }, () => plain.leaf(random.pick(from.columns).type.kind)).filter(
      (key) => key.variable,
    );
    const aggregates = [drawAggregation(random, plain), drawAggregation(random, plain)];
    const having = new Expressions(random, { columns: [...keys, ...aggregates] }).condition(2).text;
    const items = this.#named([...keys, ...aggregates]).text;
    const list = keys.length === 0 ? text`` : text` GROUP BY ${join(texts(keys), ", ")}`;
    const groups = text`SELECT ${items} FROM ${from.text}${list}`;
    const held = [having, text`(NOT ${having})`, text`(${having} IS NULL)`].map((part) => text`${groups} HAVING ${part}`);
    return { query: query(groups), same: [{ name: "TLP of groups", sql: join(held, " UNION ALL ").engine }] };
  }

  statement(depth: number): Query {
    const random = this.#random;
    this.#names = 0;
    this.#with = [];
    const definitions: Text[] = [];
    while (this.#with.length < 2 && random.part(() => this.#definition(depth, definitions))) {
      // One decision each, so that shrinking can drop the first alone.
    }
    const recursive = random.chance(5);
    if (recursive) {
      const name = `w${this.#with.length}`;
      const drawn = drawRecursion(random, this.#tables, name);
      definitions.push(drawn.text);
      this.#with.push({ name, body: drawn });
    }
    const body = this.#body(depth);
    const prefix = definitions.length === 0 ? text`` : text`WITH ${recursive ? "RECURSIVE " : ""}${join(definitions, ", ")} `;
    if ((body.rows <= resultRowsMax && !random.chance(40)) || !body.columns.every(isOrdered)) {
      return { text: text`${prefix}${body.text}`, ordered: false };
    }
    if (body.rows <= resultRowsMax && random.chance(20)) {
      return this.#withTies(prefix, body);
    }
    const keys = random.shuffle(body.columns.map((_, index) => index + 1)).map((index) => {
      return `${index}${random.pick(["", " ASC", " DESC"])}${random.pick(["", " NULLS FIRST", " NULLS LAST"])}`;
    });
    const rows = body.rows > resultRowsMax || random.chance(50) ? random.pick([0, 1, 3, 10, 100, 1000]) : undefined;
    const limit = rows === undefined ? text`` : { engine: ` ${limitText(random, rows)}`, duckdb: ` LIMIT ${rows}` };
    const offset = random.chance(20) ? `OFFSET ${random.below(12)}` : "";
    return {
      text: text`${prefix}${body.text} ORDER BY ${keys.join(", ")} ${{ engine: `${offset}${limit.engine}`, duckdb: `${limit.duckdb} ${offset}` }}`,
      ordered: true,
    };
  }

  /** Draws one more query of WITH, or returns false. */
  #definition(depth: number, definitions: Text[]): boolean {
    if (!this.#random.chance(22)) {
      return false;
    }
    const body = this.#body(depth - 1);
    const name = `w${this.#with.length}`;
    const columns = join(
      body.columns.map((column) => column.name),
      ", ",
    );
    definitions.push(text`${name} (${columns}) AS (${body.text})`);
    this.#with.push({ name, body });
    return true;
  }

  /** The first rows by some columns, WITH TIES; the oracle uses rank. */
  #withTies(prefix: Text, { text: body, columns }: Body): Query {
    const random = this.#random;
    const keys = random
      .shuffle(columns.filter(isOrdered))
      .slice(0, 1 + random.below(2))
      .map(({ name }) => `${name}${random.pick(["", " DESC"])} NULLS ${random.pick(["LAST", "FIRST"])}`)
      .join(", ");
    const rows = 1 + random.below(12);
    const percentage = random.chance(4) ? random.pick(["0", "0.5", "10", "33.3", "50e0", "100"]) : undefined;
    const names = columns.map(({ name }) => name).join(", ");
    const ranked = `SELECT *, rank() OVER (ORDER BY ${keys}) AS place, count(*) OVER () AS total FROM (${body.duckdb}) q`;
    return {
      text: text`${prefix}SELECT ${names} FROM ${{
        engine: `(${body.engine}) q ORDER BY ${keys} FETCH FIRST ${percentage === undefined ? rows : `${percentage} PERCENT`} ROWS WITH TIES`,
        duckdb: `(${ranked}) p WHERE ${percentage === undefined ? `place <= ${rows}` : `(place - 1) * 100 < total * ${percentage}`}`,
      }}`,
      ordered: false,
    };
  }

  /** A statement that consists mostly of subqueries. */
  nested(): Query {
    this.#names = 0;
    this.#with = [];
    return { text: this.#nested().text, ordered: false };
  }

  #name(prefix: string): string {
    return `${prefix}${this.#names++}`;
  }

  /** A query without ORDER BY. */
  #body(depth: number): Body {
    return this.#random.part(() => this.#setOperations(depth));
  }

  #setOperations(depth: number): Body {
    const random = this.#random;
    let body = this.#select(depth);
    while (depth >= 2 && random.chance(20)) {
      body = this.#setOperation(body, depth);
    }
    return body;
  }

  #setOperation(first: Body, depth: number): Body {
    const random = this.#random;
    const second = this.#select(depth - 1, first.columns);
    const operator = random.pick(["UNION ALL", "UNION ALL", "UNION", "INTERSECT", "EXCEPT", "INTERSECT ALL", "EXCEPT ALL"]);
    const columns = first.columns.map((column, index) => {
      const other = second.columns[index] ?? column;
      return {
        ...column,
        type: superType(column.type, other.type),
        bound: Math.max(column.bound, other.bound),
        exact: column.exact && other.exact,
      };
    });
    const made = random.chance(10) ? this.#corresponding(first, operator, second) : text`(${first.text}) ${operator} (${second.text})`;
    return { text: made, columns, rows: first.rows + second.rows };
  }

  /** CORRESPONDING: the second term has the names of the first in another order. For the oracle they are reordered by name. */
  #corresponding(first: Body, operator: string, second: Body): Text {
    const names = first.columns.map(({ name }) => name);
    const listed = names.join(", ");
    const renamed = `(SELECT ${this.#random.shuffle(names).join(", ")} FROM (${second.text.engine}) named (${listed}))`;
    return {
      engine: `(${first.text.engine}) ${operator} CORRESPONDING${this.#random.pick(["", ` BY (${listed})`])} ${renamed}`,
      duckdb: `(${first.text.duckdb}) ${operator} (${second.text.duckdb})`,
    };
  }

  #scopeOf({ columns }: Pick<Relation, "columns">, depth: number): Scope {
    return { ...this.#makers, columns, nesting: depth <= 0 ? 0 : this.#random.pick([1, 1, 2, 3]) };
  }

  #select(depth: number, like?: readonly Column[]): Body {
    return this.#random.part(() => this.#selection(depth, like));
  }

  #selection(depth: number, like?: readonly Column[]): Body {
    const random = this.#random;
    if (depth > 0 && like === undefined && random.chance(30)) {
      return this.#nested();
    }
    const from = this.#from(depth);
    const scope = this.#scopeOf(from, depth);
    const where = random.chance(60) ? text` WHERE ${new Expressions(random, scope).condition(1 + random.below(2)).text}` : text``;
    if (random.chance(40)) {
      return this.#aggregate(from, where, depth, like);
    }
    const distinct = random.chance(15) ? "DISTINCT " : "";
    const expressions = new Expressions(random, scope);
    const items = this.#items(
      expressions,
      like,
      distinct === "" && from.rows <= resultRowsMax && from.columns.every(isOrdered) ? from.columns : [],
    );
    const sql = text`SELECT ${distinct}${items.text} FROM ${from.text}${where}${items.windows}`;
    return { text: sql, columns: items.columns, rows: from.rows };
  }

  /** Few rows, with nested subqueries. */
  #nested(): Body {
    const random = this.#random;
    const first = random.chance(20) ? this.#firstRows(this.#name("a")) : undefined;
    const from = first ?? this.#small(random.chance(30) ? 1 : 0);
    const scope: Scope = { ...this.#makers, columns: from.columns, nesting: random.pick([2, 3, 3]) };
    const condition = (): Expression | undefined => random.part(() => scope.subquery?.(random, scope));
    const items: (Expression | undefined)[] = [random.pick(from.columns)];
    for (let left = 1 + random.below(2); left > 0; left--) {
      items.push(
        random.chance(45) ? condition() : scope.value?.(random.chance(50) ? "bigint" : random.pick(from.columns).type.kind, scope),
      );
    }
    const filter = random.chance(50) ? condition() : undefined;
    const where = filter === undefined ? text`` : text` WHERE ${filter.text}`;
    const named = this.#named(items.filter((item) => item !== undefined));
    return { text: text`SELECT ${named.text} FROM ${from.text}${where}`, columns: named.columns, rows: from.rows };
  }

  /** `windowed`: columns that identify rows, if window functions are allowed. */
  #items(expressions: Expressions, like?: readonly Column[], windowed: readonly Expression[] = []): Items {
    const random = this.#random;
    let order: WholeOrder | undefined;
    const made = (like ?? Array.from({ length: 1 + random.below(5) }, () => undefined)).map((column) => {
      const window = column === undefined && windowed.length > 0 && random.chance(12);
      const item = window
        ? random.part(() => drawWindow(random, windowed, (order ??= drawWholeOrder(random, windowed, () => this.#name("w")))))
        : column === undefined
          ? expressions.any(random.below(4))
          : typedAs(column.type, expressions.of(column.type.kind, random.below(3)));
      return { item, name: this.#name("c") };
    });
    return {
      text: join(
        made.map(({ item, name }) => text`${item.text} AS ${name}`),
        ", ",
      ),
      columns: made.map(({ item, name }) => ({ name, type: item.type, bound: item.bound, exact: item.exact })),
      windows: windowClause(order),
    };
  }

  #aggregate(from: Relation, where: Text, depth: number, like?: readonly Column[]): Body {
    const random = this.#random;
    const source = new Expressions(random, { columns: from.columns });
    const scope = this.#scopeOf(from, depth);
    const keys = Array.from({ length: random.pick([0, 1, 1, 2, 3]) }, () => {
      return random.chance(70) ? source.leaf(random.pick(from.columns).type.kind) : source.any(2);
    }).filter((key) => key.variable);
    const aggregates = Array.from({ length: 1 + random.below(4) }, () => drawAggregation(random, source));
    // A subquery sees grouping columns by name.
    const seen = keys.filter((key) => from.columns.includes(key));
    const nested = seen.length === 0 ? undefined : this.#scopeOf({ columns: seen }, depth);
    const grouped = new Expressions(random, {
      columns: [...keys, ...aggregates],
      ...(nested && {
        subquery: () => nested.subquery?.(random, nested),
        value: (kind: Kind) => nested.value?.(kind, nested),
      }),
    });
    const having = random.chance(25) ? text` HAVING ${grouped.condition(2).text}` : text``;
    const sets = like === undefined && keys.length > 0 && random.chance(25) ? this.#groupingSets(from) : undefined;
    if (sets !== undefined) {
      const made = this.#named([...sets.keys, sets.grouping, ...aggregates]);
      return {
        text: text`SELECT ${made.text} FROM ${from.text}${where} GROUP BY ${sets.text}`,
        columns: made.columns,
        rows: from.rows * 4,
      };
    }
    // A hidden grouping key that is not selected, because the oracle does not match two occurrences of a subquery.
    const hidden = keys.length > 0 && random.chance(6) ? scope.value?.("bigint", scope) : undefined;
    const all = hidden === undefined ? keys : [...keys, hidden];
    const list = keys.length === 0 ? text`` : text` GROUP BY ${join(texts(all), ", ")}`;
    const items =
      like === undefined && !random.chance(40)
        ? this.#named([...keys, ...aggregates])
        : this.#items(grouped, like, keys.length > 0 && from.rows <= resultRowsMax && keys.every(isOrdered) ? keys : []);
    const distinct = random.chance(8) ? "DISTINCT " : "";
    return {
      text: text`SELECT ${distinct}${items.text} FROM ${from.text}${where}${list}${having}${items.windows}`,
      columns: items.columns,
      rows: keys.length === 0 ? 1 : from.rows,
    };
  }

  /** Columns only, as Presto requires. */
  #groupingSets(from: Relation): { readonly text: Text; readonly keys: readonly Expression[]; readonly grouping: Expression } | undefined {
    const random = this.#random;
    const keys = random.shuffle(from.columns).slice(0, 2 + random.below(2));
    if (keys.length < 2) {
      return undefined;
    }
    const all = join(texts(keys), ", ");
    const [a, b] = texts(keys) as [Text, Text];
    const sql = random.pick([
      text`ROLLUP (${all})`,
      text`CUBE (${a}, ${b})${keys.length > 2 ? text`, ${texts(keys)[2] as Text}` : ""}`,
      text`GROUPING SETS ((${all}), (${b}), ())`,
      text`GROUPING SETS ((${all}), (${a}), (${b}), (${a}))`,
      text`${a}, ROLLUP (${join(texts(keys.slice(1)), ", ")})`,
      text`${{ engine: "DISTINCT ", duckdb: "" }}GROUPING SETS ((${all}), (${b})${{ engine: text`, (${b})`.engine, duckdb: "" }})`,
    ]);
    return { text: sql, keys, grouping: { text: text`grouping(${all})`, type: type("integer"), bound: 8, exact: true, variable: true } };
  }

  #named(items: readonly Expression[]): Items {
    const columns = items.map((item) => ({ name: this.#name("c"), type: item.type, bound: item.bound, exact: item.exact }));
    return {
      text: join(
        items.map((item, index) => text`${item.text} AS ${columns[index]?.name ?? ""}`),
        ", ",
      ),
      columns,
      windows: text``,
    };
  }

  #from(depth: number): Relation {
    return this.#random.part(() => this.#joined(depth));
  }

  #joined(depth: number): Relation {
    const random = this.#random;
    let left = this.#relation(depth);
    for (let joins = depth <= 0 ? 0 : random.pick([0, 0, 0, 1, 1, 2]); joins > 0; joins--) {
      left = random.part(() => this.#joinedTo(left, depth)) ?? left;
    }
    return left;
  }

  #joinedTo(left: Relation, depth: number): Relation | undefined {
    const random = this.#random;
    if (random.chance(14) && !left.text.engine.includes(" , ") && left.rows * 10 <= resultRowsMax) {
      const scope = this.#scopeOf(left, depth);
      return random.chance(20)
        ? drawUnnestedValues(random, this.#host, left, scope)
        : drawLateral(random, this.#host, left, { ...scope, nesting: Math.max(1, scope.nesting ?? 0) });
    }
    // A comma binds less tightly than JOIN, so the left side would not be visible.
    if (random.chance(15) && left.rows * 4 <= rowsMax && !left.text.engine.includes(" , ")) {
      const unnested = drawUnnested(random, left, this.#name("a"));
      return unnested ?? this.#join(left, this.#relation(depth - 1), depth);
    }
    return this.#join(left, this.#relation(depth - 1), depth);
  }

  #join(left: Relation, right: Relation, depth: number): Relation | undefined {
    const random = this.#random;
    const columns = [...left.columns, ...right.columns];
    const equal = this.#equality(left, right);
    if (equal === undefined || random.chance(8)) {
      const rows = left.rows * right.rows;
      return rows > rowsMax ? undefined : { text: text`${left.text} ${random.pick(["CROSS JOIN", ","])} ${right.text}`, columns, rows };
    }
    const rows = Math.max(left.rows, right.rows, (left.rows * right.rows) / 10);
    if (rows > rowsMax) {
      return undefined;
    }
    const kind = random.pick(["JOIN", "INNER JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "LEFT OUTER JOIN"]);
    // The oracle has no subqueries in conditions of outer joins.
    const scope = kind === "JOIN" || kind === "INNER JOIN" ? this.#scopeOf({ columns }, depth) : { columns };
    const residual = random.chance(35) ? text` AND ${new Expressions(random, scope).condition(1).text}` : text``;
    const second = random.chance(20) ? this.#equality(left, right) : undefined;
    const more = second === undefined ? text`` : text` AND ${second}`;
    // A comma binds less tightly than JOIN, so the left side would not be visible.
    const leftText = left.text.engine.includes(" , ") ? undefined : left.text;
    return leftText === undefined
      ? undefined
      : { text: text`${leftText} ${kind} ${right.text} ON ${equal}${more}${residual}`, columns, rows };
  }

  #equality(left: Relation, right: Relation): Text | undefined {
    const random = this.#random;
    const pairs = left.columns.flatMap((a) =>
      right.columns
        .filter((b) => (a.type.kind === b.type.kind && isComparable(b.type.kind)) || (isNumber(a.type.kind) && isNumber(b.type.kind)))
        .map((b) => [a, b] as const),
    );
    if (pairs.length === 0) {
      return undefined;
    }
    const narrow = pairs.filter(([a, b]) => a.text.engine.endsWith(".k") && b.text.engine.endsWith(".k"));
    const [a, b] = random.pick(narrow.length > 0 && random.chance(50) ? narrow : pairs) ?? [];
    if (a === undefined || b === undefined) {
      return undefined;
    }
    if (isInteger(a.type.kind) && a.bound < 1e6 && random.chance(15)) {
      return text`${a.text} + ${random.below(3)} = ${b.text}`;
    }
    return random.chance(50) ? text`${a.text} = ${b.text}` : text`${b.text} = ${a.text}`;
  }

  /** A relation of few rows for a subquery, which may be evaluated for each row of all enclosing queries. */
  #small(depth: number): Relation {
    const random = this.#random;
    const alias = this.#name("a");
    if (depth > 0 && random.chance(60)) {
      const { text: body, columns, rows } = this.#selection(0);
      return rows > 100 ? drawTable(random, this.#tables.slice(0, 3), alias) : this.#derived({ text: body, columns, rows }, alias);
    }
    return random.chance(12) ? drawValues(random, alias) : drawTable(random, this.#tables.slice(0, 3), alias);
  }

  #derived(body: Body, alias: string): Relation {
    const names = join(
      body.columns.map((column) => column.name),
      ", ",
    );
    return relationOf(text`(${renamedText(this.#random, body.text, names.engine)}) AS ${alias} (${names})`, alias, body);
  }

  /** The first rows of a table in a total order of the visible columns: a plan must not evaluate them twice. */
  #firstRows(alias: string): Relation | undefined {
    const random = this.#random;
    const table = drawTable(random, this.#tables.slice(0, 3), alias);
    const columns = random.shuffle(table.columns.filter(isOrdered)).slice(0, 2 + random.below(4));
    const given = columns.map((column): Column => ({ ...column, name: this.#name("c") }));
    const items = given.map(({ name }, index) => text`${(columns[index] as Expression).text} AS ${name}`);
    const keys = given.map(({ name }) => `${name}${random.pick(["", " DESC"])} NULLS ${random.pick(["LAST", "FIRST"])}`);
    const rows = 1 + random.below(9);
    const body = text`SELECT ${join(items, ", ")} FROM ${table.text} ORDER BY ${keys.join(", ")} LIMIT ${rows}`;
    return given.length === 0 ? undefined : this.#derived({ text: body, columns: given, rows }, this.#name("a"));
  }

  #relation(depth: number): Relation {
    const random = this.#random;
    const alias = this.#name("a");
    const choice = random.below(10);
    const named = this.#with.length > 0 && random.chance(50) ? random.pick(this.#with) : undefined;
    if (named !== undefined) {
      return relationOf(text`${named.name} ${alias}`, alias, named.body);
    }
    if (choice < 3 && depth > 0) {
      return this.#derived(this.#body(depth - 1), alias);
    }
    const first = depth > 0 && choice === 5 && random.chance(50) ? this.#firstRows(alias) : undefined;
    if (first !== undefined) {
      return first;
    }
    if (choice === 3) {
      if (random.chance(20)) {
        return drawRowPattern(random, this.#tables, alias);
      }
      return random.chance(35) ? drawTableFunction(random, this.#tables, alias) : drawValues(random, alias);
    }
    if (choice === 4 && depth > 0) {
      return drawSharedColumns(random, this.#tables, alias);
    }
    return drawTable(random, this.#tables, alias);
  }
}

/** DuckDB loses decimal digits if a set operation would need a precision above 38, so both sides are cast to the same scale. */
function typedAs(wanted: SqlType, item: Expression): Expression {
  if (wanted.kind !== "decimal" || (item.type.kind === "decimal" && item.type.scale === wanted.scale)) {
    return item;
  }
  const sqlType = type("decimal", 38, wanted.scale);
  return { ...item, text: text`CAST(${item.text} AS ${typeText(sqlType)})`, type: sqlType };
}

function isOrdered({ type: { kind } }: Pick<Expression, "type">): boolean {
  return isOrderable(kind);
}

/** An expression of an orderable kind. */
function ordered(source: Expressions): Expression {
  const drawn = source.any(2);
  return isOrdered(drawn) ? drawn : source.leaf("integer");
}

function texts(items: readonly Expression[]): readonly Text[] {
  return items.map((item) => item.text);
}
