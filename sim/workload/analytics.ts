/**
 * Analytic queries beyond plain groups and joins: window functions, grouping sets, first rows with ties, samples, lateral subqueries. They
 * extend the grammar of queries.ts and keep its promise: one correct result under every schedule. A window function whose value depends on
 * the order of equal rows is therefore drawn over a total order only, and a sample keeps all rows or none.
 */
import type { Stream } from "../world/streams.ts";
import { type Expression, expression, Expressions } from "./random-expressions.ts";
import { type Names, pickTable, type Relation, tableRelation } from "./relations.ts";

/** A query and its output columns. */
export interface Body {
  readonly sql: string;
  readonly columns: readonly Expression[];
  readonly rows: number;
}

/** Parts of the main grammar that this module uses. */
export interface Grammar {
  readonly stream: Stream;
  readonly names: Names;
  where(relation: Relation): string;
  aggregate(relation: Relation): Expression;
}

export function drawWindows({ stream, where }: Grammar, relation: Relation): Body {
  const drawn = new Windows(stream, relation);
  const expressions = new Expressions(stream, relation.columns);
  const items = [
    ...Array.from({ length: stream.between(1, 2) }, () => expressions.column()),
    ...Array.from({ length: stream.between(1, 3) }, () => drawn.call()),
  ];
  return { sql: `SELECT ${list(items)} FROM ${relation.sql}${where(relation)}`, columns: items, rows: relation.rows };
}

function list(items: readonly Expression[]): string {
  return items.map(({ sql }) => sql).join(", ");
}

class Windows {
  readonly #stream: Stream;
  readonly #relation: Relation;
  readonly #expressions: Expressions;
  /** All calls use the same partition, so that they share one window node of the plan. */
  readonly #partition: string;
  readonly #order: Expression;
  readonly #direction: string;

  constructor(stream: Stream, relation: Relation) {
    this.#stream = stream;
    this.#relation = relation;
    this.#expressions = new Expressions(stream, relation.columns);
    const keys = Array.from({ length: stream.pick([0, 1, 1, 1, 1, 2]) }, () => this.#expressions.coarse().sql);
    this.#partition = keys.length === 0 ? "" : `PARTITION BY ${keys.join(", ")}`;
    this.#order = this.#expressions.column();
    this.#direction = stream.pick(["", "", " DESC", " ASC NULLS FIRST", " DESC NULLS LAST"]);
  }

  call(): Expression {
    const stream = this.#stream;
    const isTotal = this.#relation.key.length > 0;
    switch (stream.nextInt(isTotal ? 8 : 4)) {
      case 0:
        return this.#over(expression(`${stream.pick(["rank", "dense_rank"])}()`, "bigint", 1e6), this.#ties);
      case 1:
        return this.#over(this.#aggregate(), [this.#partition]);
      case 2:
        return this.#over(this.#aggregate(), [...this.#ties, stream.pick([...this.#wideFrames(), ...this.#distances()])]);
      case 3:
        return this.#over(this.#aggregate(), this.#ties);
      case 4:
        return this.#over(expression(stream.pick(["row_number()", `ntile(${stream.between(1, 7)})`]), "bigint", 1e6), this.#total);
      case 5: {
        const value = this.#expressions.any(1);
        const nulls = stream.pick(["", "", " IGNORE NULLS"]);
        const call = `${stream.pick(["lag", "lead"])}(${value.sql}, ${stream.between(0, 4)})${nulls}`;
        return this.#over({ ...value, sql: call }, this.#total);
      }
      case 6: {
        const value = this.#expressions.any(1);
        const call = stream.pick([
          `first_value(${value.sql})`,
          `last_value(${value.sql})`,
          `nth_value(${value.sql}, ${stream.between(1, 4)})`,
        ]);
        return this.#over({ ...value, sql: call }, [...this.#total, this.#rowsFrame()]);
      }
      default:
        return this.#over(this.#aggregate(), [...this.#total, this.#rowsFrame()]);
    }
  }

  #over(call: Expression, parts: readonly string[]): Expression {
    return { ...call, sql: `${call.sql} OVER (${parts.filter((part) => part !== "").join(" ")})`, isCoarse: false };
  }

  /** A window order in which nothing distinguishes peers. */
  get #ties(): readonly string[] {
    return [this.#partition, `ORDER BY ${this.#order.sql}${this.#direction}`];
  }

  get #total(): readonly string[] {
    return [this.#partition, `ORDER BY ${[`${this.#order.sql}${this.#direction}`, ...this.#relation.key].join(", ")}`];
  }

  /** Frames that consist of whole peer groups. */
  #wideFrames(): readonly string[] {
    const stream = this.#stream;
    return [
      "RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
      "RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
      `GROUPS BETWEEN ${stream.nextInt(4)} PRECEDING AND ${stream.nextInt(3)} FOLLOWING`,
      "GROUPS BETWEEN 3 PRECEDING AND 1 PRECEDING",
    ];
  }

  /** RANGE frames with an offset allow only one ORDER BY column. */
  #distances(): readonly string[] {
    const stream = this.#stream;
    const { kind } = this.#order;
    if (kind === "date") {
      return [`RANGE BETWEEN INTERVAL '${stream.between(1, 60)}' DAY PRECEDING AND CURRENT ROW`];
    }
    return kind === "bigint" || kind === "integer" || kind === "decimal"
      ? [`RANGE BETWEEN ${stream.between(0, 9)} PRECEDING AND ${stream.between(0, 5)} FOLLOWING`]
      : [];
  }

  #rowsFrame(): string {
    const stream = this.#stream;
    return stream.pick([
      "ROWS UNBOUNDED PRECEDING",
      `ROWS BETWEEN ${stream.nextInt(5)} PRECEDING AND ${stream.nextInt(4)} FOLLOWING`,
      `ROWS BETWEEN ${stream.between(1, 3)} FOLLOWING AND UNBOUNDED FOLLOWING`,
      ...this.#wideFrames().slice(0, 1),
    ]);
  }

  #aggregate(): Expression {
    const stream = this.#stream;
    const value = this.#expressions.any(1);
    const filter = stream.chance(1, 5) ? ` FILTER (WHERE ${this.#expressions.condition(1)})` : "";
    const isNumber = value.kind === "bigint" || value.kind === "integer" || value.kind === "decimal";
    switch (stream.nextInt(4)) {
      case 0:
        return expression(`count(${stream.pick(["*", value.sql])})${filter}`, "bigint", 1e6);
      case 1:
        return isNumber && value.bound <= 1e12
          ? expression(`sum(${value.sql})${filter}`, value.kind === "decimal" ? "decimal" : "bigint", 1e17)
          : expression(`count(*)${filter}`, "bigint", 1e6);
      default:
        return value.kind === "boolean"
          ? expression(`bool_or(${value.sql})${filter}`, "boolean")
          : expression(`${stream.pick(["min", "max"])}(${value.sql})${filter}`, value.kind, value.bound);
    }
  }
}

/** Several groupings of the same rows in one query. */
export function drawGroupingSets({ stream, where, aggregate }: Grammar, relation: Relation): Body {
  const coarse = relation.columns.filter(({ isCoarse }) => isCoarse);
  const from = coarse.length >= 2 ? coarse : relation.columns;
  const keys = stream.shuffle(from).slice(0, stream.between(1, 3));
  const names = keys.map(({ sql }) => sql);
  const some = (): string => `(${names.filter(() => stream.chance(1, 2)).join(", ")})`;
  const sets = stream.pick([
    () => `CUBE (${names.join(", ")})`,
    () => `ROLLUP (${names.join(", ")})`,
    () => `GROUPING SETS (${[`(${names.join(", ")})`, ...Array.from({ length: stream.between(1, 3) }, some)].join(", ")})`,
    () => `GROUPING SETS (${stream.shuffle([...names.map((name) => `(${name})`), "()"]).join(", ")})`,
  ])();
  const grouping = stream.chance(1, 2) ? [expression(`grouping(${names.join(", ")})`, "bigint", 8, { isCoarse: true })] : [];
  const items = [...keys, ...grouping, ...Array.from({ length: stream.between(1, 3) }, () => aggregate(relation))];
  return {
    sql: `SELECT ${list(items)} FROM ${relation.sql}${where(relation)} GROUP BY ${sets}`,
    columns: items,
    rows: Math.min(relation.rows, 2_000),
  };
}

/** FETCH FIRST with ties. It stands in parentheses, because the order among the tied rows is undefined. */
export function drawTies({ stream, names, where }: Grammar, relation: Relation): Body {
  const expressions = new Expressions(stream, relation.columns);
  const items = [expressions.coarse(), ...Array.from({ length: stream.between(1, 2) }, () => expressions.column())];
  const direction = stream.pick(["", " DESC", " DESC NULLS LAST", " ASC NULLS FIRST"]);
  const body = `SELECT ${list(items)} FROM ${relation.sql}${where(relation)}`;
  const alias = names.next("f");
  return {
    sql: `SELECT ${alias}.* FROM (${body} ORDER BY 1${direction} FETCH FIRST ${stream.between(1, 40)} ROWS WITH TIES) ${alias} (${items.map((_, index) => `c${index}`).join(", ")})`,
    columns: items,
    rows: relation.rows,
  };
}

/** Samples all rows or none of a table, through the same operator as other samples. */
export function sampled(stream: Stream, relation: Relation): Relation {
  return {
    ...relation,
    sql: `${relation.sql} TABLESAMPLE ${stream.pick(["BERNOULLI (100)", "SYSTEM (100)", "BERNOULLI (100)", "SYSTEM (0)"])}`,
  };
}

/** Joins each row laterally with a value that is computed from it. */
export function drawLateral({ stream, names }: Grammar): Relation {
  const outer = tableRelation(pickTable(stream, 500), names.next("t"));
  const inner = tableRelation(pickTable(stream, 5_000), names.next("t"));
  const alias = names.next("l");
  const pairs = outer.columns.flatMap((a) =>
    inner.columns.filter((b) => a.kind === b.kind && a.kind !== "boolean").map((b) => [a, b] as const),
  );
  const pair = pairs.length === 0 ? undefined : stream.pick(pairs);
  const value = pair === undefined ? undefined : new Expressions(stream, inner.columns).column();
  if (pair === undefined || value === undefined || stream.chance(1, 4)) {
    const own = new Expressions(stream, outer.columns).any(1);
    return {
      sql: `${outer.sql} CROSS JOIN LATERAL (SELECT ${own.sql} AS m) ${alias}`,
      columns: [...outer.columns, { ...own, sql: `${alias}.m` }],
      rows: outer.rows,
      key: outer.key,
    };
  }
  const [a, b] = pair;
  const [call, made] =
    value.kind === "boolean" || stream.chance(1, 3)
      ? ["count(*)", expression("", "bigint", 1e6)]
      : [`${stream.pick(["min", "max"])}(${value.sql})`, value];
  const join = stream.pick(["CROSS JOIN", "LEFT JOIN"]);
  return {
    sql: `${outer.sql} ${join} LATERAL (SELECT ${call} AS m FROM ${inner.sql} WHERE ${b.sql} = ${a.sql}) ${alias}${join === "LEFT JOIN" ? " ON true" : ""}`,
    columns: [...outer.columns, { ...made, sql: `${alias}.m` }],
    rows: outer.rows,
    key: outer.key,
  };
}

/** Quantified comparison with a subquery: `x > ALL (...)`, `x = ANY (...)`. */
export function drawQuantified(stream: Stream, left: string, query: string): string {
  return `${left} ${stream.pick(["=", "<>", "<", "<=", ">", ">="])} ${stream.pick(["ALL", "ANY", "SOME"])} (${query})`;
}
