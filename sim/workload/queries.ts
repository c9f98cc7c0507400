/**
 * Random queries over the generated tables, of every plan shape that the engine has: scans, filters, joins of all kinds, semi-joins,
 * groupings, distinct aggregates, set operations, sorts, limits, subqueries, and those of analytics.ts. Each has one correct result under
 * every schedule: a query with a limit sorts by every output column, and values that depend on the order of rows (a sum of doubles,
 * any_value) do not occur.
 */
import type { Stream } from "../world/streams.ts";
import { type Body, drawGroupingSets, drawLateral, drawQuantified, drawTies, drawWindows, type Grammar, sampled } from "./analytics.ts";
import { type Expression, expression, Expressions } from "./random-expressions.ts";
import { drawJoin, drawSmallJoin, drawValues, Names, pickTable, type Relation, tableRelation } from "./relations.ts";
import { type Kind, workloadTables } from "./tables.ts";

/** Maximum rows of a relation in a nested query. A run has many statements, and each runs twice. */
const nestedRowsMax = 5_000;
/** Bound below which a sum of such numbers is exact as a double, so that the average does not depend on the order of rows. */
const wholeMeanBound = 1e9;

export function drawQuery(stream: Stream): string {
  return new Queries(stream).statement();
}

class Queries {
  readonly #stream: Stream;
  readonly #names = new Names();

  constructor(stream: Stream) {
    this.#stream = stream;
  }

  statement(): string {
    const stream = this.#stream;
    const body = this.#outermost();
    if (stream.chance(1, 10)) {
      return `SELECT count(*) FROM ${this.#limited(body.sql)}`;
    }
    return stream.chance(1, 3) ? `${body.sql}${this.#order(body)}` : body.sql;
  }

  #outermost(): Body {
    const stream = this.#stream;
    switch (stream.nextInt(21)) {
      case 0:
      case 1:
        return this.#streamed();
      case 2:
      case 3:
      case 4:
        return this.#setOperation();
      case 5:
      case 20:
        return this.#withQuery();
      case 6:
        return this.#global();
      case 7:
      case 8:
      case 9:
      case 10:
        return this.#grouped(this.#relation(true), 1);
      case 11:
        return this.#distinct(this.#relation(true));
      case 12:
      case 13:
      case 14:
        return drawWindows(this.#grammar(1), this.#relation(stream.chance(1, 3)));
      case 15:
      case 16:
        return drawGroupingSets(this.#grammar(1), this.#relation(true));
      case 18:
        return this.#regrouped();
      case 17:
        return drawTies(this.#grammar(2), this.#relation(true));
      default:
        return this.#select(this.#relation(true), 2);
    }
  }

  #grammar(depth: number): Grammar {
    return {
      stream: this.#stream,
      names: this.#names,
      where: (relation) => this.#where(relation, depth),
      aggregate: (relation) => this.#aggregate(relation),
    };
  }

  /** Sorts by all columns, so that tied rows are equal; with or without LIMIT and OFFSET. */
  #order({ columns }: Body): string {
    const stream = this.#stream;
    const places = stream.shuffle(columns.map((_, index) => index + 1));
    const items = places.map((place) => `${place}${stream.pick(["", "", " DESC", " ASC NULLS FIRST", " DESC NULLS LAST"])}`);
    const offset = stream.chance(1, 5) ? ` OFFSET ${stream.nextInt(60)}` : "";
    const limit = stream.pick([
      "",
      ` LIMIT ${stream.between(0, 20)}`,
      ` LIMIT ${stream.between(1, 400)}`,
      ` FETCH FIRST ${stream.between(1, 9)} ROWS ONLY`,
    ]);
    return ` ORDER BY ${items.join(", ")}${offset}${limit}`;
  }

  /** A query that streams many rows to the client, page by page as they are read. */
  #streamed(): Body {
    const table = this.#stream.pick(["orders", "orders", "partsupp", "partsupp", "lineitem"] as const);
    const relation = tableRelation(
      workloadTables.find(({ name }) => name === table) ?? pickTable(this.#stream, nestedRowsMax),
      this.#names.next("t"),
    );
    return this.#project(
      relation,
      relation.columns.filter(() => this.#stream.chance(2, 3)),
      this.#stream.chance(3, 4) ? ` WHERE ${new Expressions(this.#stream, relation.columns).condition(1)}` : "",
    );
  }

  #relation(isOuter: boolean): Relation {
    const stream = this.#stream;
    const rowsMax = isOuter ? 20_000 : nestedRowsMax;
    switch (stream.nextInt(12)) {
      case 0:
      case 1:
      case 2:
        return drawJoin(stream, this.#names, { tablesMax: isOuter ? stream.pick([2, 2, 3, 5]) : 2, rowsMax });
      case 3:
        return drawSmallJoin(stream, this.#names);
      case 4:
        return drawValues(stream, this.#names);
      case 5:
        return isOuter ? this.#derived() : tableRelation(pickTable(stream, rowsMax), this.#names.next("t"));
      case 6:
        return isOuter ? this.#beside(this.#derived()) : sampled(stream, tableRelation(pickTable(stream, rowsMax), this.#names.next("t")));
      case 7:
        return isOuter ? drawLateral(this.#grammar(1)) : tableRelation(pickTable(stream, rowsMax), this.#names.next("t"));
      case 8:
        return stream.chance(1, 2)
          ? sampled(stream, tableRelation(pickTable(stream, rowsMax), this.#names.next("t")))
          : tableRelation(pickTable(stream, rowsMax), this.#names.next("t"));
      default:
        return tableRelation(pickTable(stream, rowsMax), this.#names.next("t"));
    }
  }

  /** A query in parentheses, sometimes with a limit. */
  #derived(): Relation {
    const stream = this.#stream;
    const inner = this.#relation(false);
    const body = stream.pick([
      () => this.#select(inner, 1),
      () => this.#grouped(inner, 1),
      () => this.#distinct(inner),
      () => this.#setOperation(),
      () => drawWindows(this.#grammar(1), inner),
      () => drawGroupingSets(this.#grammar(1), inner),
    ])();
    const ordered = stream.chance(1, 3) ? this.#order(body) : "";
    const alias = this.#names.next("d");
    return {
      sql: `(${body.sql}${ordered}) ${alias} (${body.columns.map((_, index) => `c${index}`).join(", ")})`,
      rows: body.rows,
      key: [],
      columns: body.columns.map((column, index) => ({ ...column, sql: `${alias}.c${index}` })),
    };
  }

  /**
   * A table joined with a query in parentheses. The final operators of that query, which would run in a single task, then run on workers.
   */
  #beside(derived: Relation): Relation {
    const stream = this.#stream;
    const table = tableRelation(pickTable(stream, nestedRowsMax), this.#names.next("t"));
    const pairs = derived.columns.flatMap((a) => table.columns.filter((b) => a.kind === b.kind).map((b) => [a.sql, b.sql] as const));
    const columns = [...table.columns, ...derived.columns];
    const rows = Math.max(table.rows, derived.rows);
    // Each row of one side must match few rows of the other, or the result is larger than both.
    const keyed = pairs.filter(([, key]) => table.key.length === 1 && table.key[0] === key);
    if (keyed.length === 0) {
      return derived;
    }
    const [a, b] = stream.pick(keyed);
    return {
      sql: `${table.sql} ${stream.pick(["JOIN", "LEFT JOIN", "RIGHT JOIN"])} ${derived.sql} ON ${b} = ${a}`,
      columns,
      rows,
      key: [],
    };
  }

  #where(relation: Relation, depth: number): string {
    const stream = this.#stream;
    const conditions = [
      ...(stream.chance(2, 3) ? [new Expressions(stream, relation.columns).condition(depth)] : []),
      ...(depth > 1 && stream.chance(1, 3) ? [this.#subquery(relation)] : []),
    ];
    return conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
  }

  #select(relation: Relation, depth: number): Body {
    const stream = this.#stream;
    const expressions = new Expressions(stream, relation.columns);
    const items = Array.from({ length: stream.between(1, 4) }, () => expressions.any(stream.nextInt(3)));
    const scalar = depth > 1 && stream.chance(1, 6) ? [this.#scalar(relation)] : [];
    return this.#project(relation, [...items, ...scalar], this.#where(relation, depth));
  }

  #project(relation: Relation, items: readonly Expression[], where: string): Body {
    const shown = items.length > 0 ? items : relation.columns.slice(0, 1);
    return { sql: `SELECT ${shown.map(({ sql }) => sql).join(", ")} FROM ${relation.sql}${where}`, columns: shown, rows: relation.rows };
  }

  #distinct(relation: Relation): Body {
    const stream = this.#stream;
    const expressions = new Expressions(stream, relation.columns);
    const items = Array.from({ length: stream.between(1, 3) }, () => (stream.chance(2, 3) ? expressions.coarse() : expressions.column()));
    return {
      sql: `SELECT DISTINCT ${items.map(({ sql }) => sql).join(", ")} FROM ${relation.sql}${this.#where(relation, 2)}`,
      columns: items,
      rows: relation.rows,
    };
  }

  #global(): Body {
    const relation = this.#relation(true);
    const items = Array.from({ length: this.#stream.between(1, 5) }, () => this.#aggregate(relation));
    return {
      sql: `SELECT ${items.map(({ sql }) => sql).join(", ")} FROM ${relation.sql}${this.#where(relation, 2)}`,
      columns: items,
      rows: 1,
    };
  }

  #grouped(relation: Relation, depth: number): Body {
    const stream = this.#stream;
    const expressions = new Expressions(stream, relation.columns);
    const keys = Array.from({ length: stream.between(1, 3) }, () => (stream.chance(3, 4) ? expressions.coarse() : expressions.column()));
    const aggregates = Array.from({ length: stream.between(1, 4) }, () => this.#aggregate(relation));
    const having = stream.chance(1, 4)
      ? ` HAVING ${stream.pick([`count(*) > ${stream.between(0, 12)}`, `count(DISTINCT ${expressions.column().sql}) <> ${stream.between(0, 3)}`])}`
      : "";
    const items = [...keys, ...aggregates];
    const list = stream.chance(1, 2) ? keys.map((_, index) => String(index + 1)) : keys.map(({ sql }) => sql);
    return {
      sql: `SELECT ${items.map(({ sql }) => sql).join(", ")} FROM ${relation.sql}${this.#where(relation, depth + 1)} GROUP BY ${list.join(", ")}${having}`,
      columns: items,
      rows: Math.min(relation.rows, 1_000),
    };
  }

  /** Groups by several columns, then by one of them. Rows that are partitioned by all keys are not partitioned by some of them. */
  #regrouped(): Body {
    const stream = this.#stream;
    const relation = this.#relation(false);
    const expressions = new Expressions(stream, relation.columns);
    const keys = Array.from({ length: stream.between(2, 3) }, () => (stream.chance(1, 2) ? expressions.coarse() : expressions.column()));
    const items = [...keys, this.#aggregate(relation)];
    const alias = this.#names.next("g");
    const columns = items.map((column, index) => ({ ...column, sql: `${alias}.c${index}` }));
    const groups: Relation = {
      sql: `(SELECT ${items.map(({ sql }) => sql).join(", ")} FROM ${relation.sql}${this.#where(relation, 1)} GROUP BY ${keys.map((_, index) => index + 1).join(", ")}) ${alias} (${columns.map((_, index) => `c${index}`).join(", ")})`,
      rows: relation.rows,
      key: [],
      columns,
    };
    const shown = [columns[stream.nextInt(keys.length)] ?? expressions.column(), this.#aggregate(groups), this.#aggregate(groups)];
    return { sql: `SELECT ${shown.map(({ sql }) => sql).join(", ")} FROM ${groups.sql} GROUP BY 1`, columns: shown, rows: relation.rows };
  }

  #aggregate(relation: Relation): Expression {
    const stream = this.#stream;
    const expressions = new Expressions(stream, relation.columns);
    const filter = stream.chance(1, 5) ? ` FILTER (WHERE ${expressions.condition(1)})` : "";
    const distinct = stream.chance(1, 4) ? "DISTINCT " : "";
    const numbers = relation.columns.filter(({ kind }) => kind === "bigint" || kind === "integer" || kind === "decimal");
    const number = numbers.length === 0 ? undefined : expressions.of(stream.pick(numbers).kind, 1);
    switch (stream.nextInt(10)) {
      case 0:
      case 1:
        return expression(`count(*)${filter}`, "bigint", 1e6);
      case 2:
        return expression(`count(${distinct}${expressions.any(1).sql})${filter}`, "bigint", 1e6);
      case 3:
      case 4:
        if (number !== undefined && number.bound <= 1e12) {
          return expression(`sum(${distinct}${number.sql})${filter}`, number.kind === "decimal" ? "decimal" : "bigint", 1e17);
        }
        break;
      case 5:
      case 6:
        if (number !== undefined && number.bound <= (number.kind === "decimal" ? 1e12 : wholeMeanBound)) {
          const mean = `avg(${distinct}${number.sql})${filter}`;
          return expression(number.kind === "decimal" ? mean : `CAST(${mean} AS decimal(18, 4))`, "decimal", number.bound);
        }
        break;
      case 7:
        return expression(`count_if(${expressions.condition(1)})`, "bigint", 1e6);
      case 8:
        return expression(`${stream.pick(["bool_and", "bool_or", "every"])}(${expressions.condition(1)})${filter}`, "boolean");
      default:
    }
    const value = expressions.any(1);
    return value.kind === "boolean"
      ? expression(`count(*)${filter}`, "bigint", 1e6)
      : expression(`${stream.pick(["min", "max"])}(${value.sql})${filter}`, value.kind, value.bound);
  }

  /** A set operation; both sides have columns of the same types. */
  #setOperation(): Body {
    const stream = this.#stream;
    const kinds: Kind[] = Array.from({ length: stream.between(1, 3) }, () =>
      stream.pick(["bigint", "varchar", "date", "decimal"] as const),
    );
    const side = (): Body => {
      const relation = this.#relation(false);
      const expressions = new Expressions(stream, relation.columns);
      const items = kinds.map((kind) => this.#fitting(expressions, relation, kind));
      return this.#project(relation, items, this.#where(relation, 1));
    };
    const sides = Array.from({ length: stream.pick([2, 2, 3]) }, side);
    const operator = stream.pick(["UNION ALL", "UNION ALL", "UNION", "INTERSECT", "EXCEPT", "INTERSECT ALL", "EXCEPT ALL", "EXCEPT ALL"]);
    return {
      sql: sides.map(({ sql }) => sql).join(` ${operator} `),
      columns: kinds.map((kind) => expression("", kind, 1e6, { isCoarse: false })),
      rows: sides.reduce((sum, { rows }) => sum + rows, 0),
    };
  }

  #fitting(expressions: Expressions, relation: Relation, kind: Kind): Expression {
    if (relation.columns.some((column) => column.kind === kind)) {
      return this.#stream.chance(1, 2) ? expressions.column(kind) : expressions.of(kind, 1);
    }
    return expression(`CAST(NULL AS ${kind === "decimal" ? "decimal(12, 2)" : kind})`, kind, 1);
  }

  /**
   * LIMIT without ORDER BY. The result is deterministic as long as the rows are only counted. The consumer stops early, and the producer is
   * notified.
   */
  #limited(sql: string): string {
    return `(${sql} LIMIT ${this.#stream.pick([0, 1, 10, 100, 1_000])}) ${this.#names.next("l")}`;
  }

  #withQuery(): Body {
    const stream = this.#stream;
    const inner = this.#relation(false);
    const body = stream.chance(1, 2) ? this.#grouped(inner, 1) : this.#select(inner, 1);
    const name = this.#names.next("q");
    const named = `WITH ${name} (${body.columns.map((_, index) => `c${index}`).join(", ")}) AS (${body.sql})`;
    if (stream.chance(1, 4)) {
      const [some, all] = [this.#limited(`SELECT * FROM ${name}`), `(SELECT * FROM ${name}) ${this.#names.next("a")}`];
      const counts = stream.shuffle([some, all]).map((relation) => `SELECT count(*) FROM ${relation}`);
      return {
        sql: `${named} ${counts.join(" UNION ALL ")}`,
        columns: [expression("", "bigint", 1e6, { isCoarse: false })],
        rows: 2,
      };
    }
    const mentioned = (alias: string): Relation => ({
      sql: `${name} ${alias}`,
      rows: body.rows,
      key: [],
      columns: body.columns.map((column, index) => ({ ...column, sql: `${alias}.c${index}` })),
    });
    const [first, second] = [mentioned(this.#names.next("a")), mentioned(this.#names.next("b"))];
    const joins = stream.chance(1, 2) && body.rows <= 1_000;
    const counted = `(SELECT ${second.columns[0]?.sql ?? "1"} AS k, count(*) AS n FROM ${second.sql} GROUP BY 1)`;
    const alias = this.#names.next("j");
    const relation: Relation = joins
      ? {
          sql: `${first.sql} ${stream.pick(["JOIN", "LEFT JOIN"])} ${counted} ${alias} ON ${first.columns[0]?.sql ?? "1"} = ${alias}.k`,
          rows: body.rows,
          key: [],
          columns: [...first.columns, expression(`${alias}.n`, "bigint", 1e6)],
        }
      : first;
    const outer = stream.chance(1, 2) ? this.#grouped(relation, 0) : this.#select(relation, 1);
    return { ...outer, sql: `${named} ${outer.sql}` };
  }

  /** A condition with a subquery: IN, EXISTS, or a comparison with a scalar; correlated or not. */
  #subquery(outer: Relation): string {
    const stream = this.#stream;
    const inner = stream.chance(1, 4)
      ? drawValues(stream, this.#names)
      : tableRelation(pickTable(stream, nestedRowsMax), this.#names.next("s"));
    const own = new Expressions(stream, inner.columns);
    const pairs = outer.columns.flatMap((a) =>
      inner.columns.filter((b) => a.kind === b.kind && a.kind !== "boolean").map((b) => [a, b] as const),
    );
    const where = stream.chance(2, 3) ? ` WHERE ${own.condition(1)}` : "";
    const not = stream.pick(["", "NOT "]);
    if (pairs.length === 0) {
      return `${not}EXISTS (SELECT 1 FROM ${inner.sql}${where})`;
    }
    const [a, b] = stream.pick(pairs);
    switch (stream.nextInt(7)) {
      case 6:
        return `${not}(${drawQuantified(stream, a.sql, `SELECT ${b.sql} FROM ${inner.sql}${where}`)})`;
      case 0:
        return `${not}EXISTS (SELECT 1 FROM ${inner.sql} WHERE ${a.sql} = ${b.sql}${where.replace(" WHERE", " AND")})`;
      case 1:
        return `${a.sql} ${stream.pick(["<", ">=", "="])} (SELECT ${stream.pick(["min", "max"])}(${b.sql}) FROM ${inner.sql}${where})`;
      case 2: {
        const other = stream.pick(pairs);
        return `${other[0].sql} ${stream.pick(["<", "<>"])} (SELECT max(${other[1].sql}) FROM ${inner.sql} WHERE ${a.sql} = ${b.sql})`;
      }
      case 3:
      case 4: {
        // Puts a null among the values: NOT IN is then never true.
        const nulled = `nullif(${b.sql}, ${own.literal(b.kind, b)})`;
        return `${a.sql} ${not}IN (SELECT ${nulled} FROM ${inner.sql}${where})`;
      }
      default:
        return `${a.sql} ${not}IN (SELECT ${b.sql} FROM ${inner.sql}${where})`;
    }
  }

  /** A scalar subquery, correlated or not. */
  #scalar(outer: Relation): Expression {
    const stream = this.#stream;
    const inner = tableRelation(pickTable(stream, nestedRowsMax), this.#names.next("s"));
    const pairs = outer.columns.flatMap((a) =>
      inner.columns.filter((b) => a.kind === b.kind && a.kind !== "boolean").map((b) => [a, b] as const),
    );
    const drawn = this.#aggregate(inner);
    // A correlated subquery may not use DISTINCT aggregates.
    const aggregate = {
      ...drawn,
      sql: drawn.sql
        .replaceAll("DISTINCT ", "")
        .replaceAll("IS FROM", "IS DISTINCT FROM")
        .replaceAll("IS NOT FROM", "IS NOT DISTINCT FROM"),
    };
    const [a, b] = pairs.length > 0 && stream.chance(2, 3) ? stream.pick(pairs) : [undefined, undefined];
    const where = a === undefined || b === undefined ? "" : ` WHERE ${a.sql} = ${b.sql}`;
    return { ...aggregate, sql: `(SELECT ${aggregate.sql} FROM ${inner.sql}${where})` };
  }
}
