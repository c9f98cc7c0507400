/**
 * Random typed expressions over the columns in scope. They are total: no value of the tables makes one fail. Sums stay within their types,
 * and divisors are never 0. The reason: where a query stops early, the schedule decides which rows are evaluated. Expressions that fail on
 * purpose are in failures.ts.
 */
import type { Stream } from "../world/streams.ts";
import type { Kind } from "./tables.ts";

export interface Expression {
  readonly sql: string;
  readonly kind: Kind;
  /** Maximum absolute value of a number in the expression. */
  readonly bound: number;
  readonly isCoarse: boolean;
  readonly words: readonly string[];
}

export function expression(sql: string, kind: Kind, bound = 0, others: Partial<Pick<Expression, "isCoarse" | "words">> = {}): Expression {
  return { sql, kind, bound, isCoarse: false, words: ["a", "1"], ...others };
}

const comparisons = ["=", "<>", "<", "<=", ">", ">="] as const;
const boundMax = 1e12;

/** A date such as `1995-03-17`, within the range of the tables. */
function drawDay(stream: Stream): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `DATE '${stream.between(1992, 1998)}-${two(stream.between(1, 12))}-${two(stream.between(1, 28))}'`;
}

export class Expressions {
  readonly #stream: Stream;
  readonly #columns: readonly Expression[];

  constructor(stream: Stream, columns: readonly Expression[]) {
    this.#stream = stream;
    this.#columns = columns;
  }

  literal(kind: Kind, like?: Expression): string {
    const stream = this.#stream;
    const bound = Math.max(1, Math.min(like?.bound ?? 100, 1e6));
    switch (kind) {
      case "bigint":
      case "integer":
        return String(stream.between(0, Math.ceil(bound)));
      case "decimal":
        return `${stream.between(0, Math.ceil(bound))}.${stream.nextInt(10)}${stream.nextInt(10)}`;
      case "varchar":
        return `'${stream.pick(like?.words ?? ["a", "1"])}'`;
      case "date":
        return drawDay(stream);
      case "boolean":
        return stream.chance(1, 2) ? "true" : "false";
    }
  }

  column(kind?: Kind): Expression {
    const fitting = kind === undefined ? this.#columns : this.#columns.filter((column) => column.kind === kind);
    return fitting.length === 0
      ? expression(this.#typedLiteral(kind ?? "bigint"), kind ?? "bigint", 100, { isCoarse: true })
      : this.#stream.pick(fitting);
  }

  #typedLiteral(kind: Kind): string {
    const literal = this.literal(kind);
    return kind === "bigint" ? `BIGINT '${literal}'` : literal;
  }

  any(depth: number): Expression {
    return this.of(this.column().kind, depth);
  }

  of(kind: Kind, depth: number): Expression {
    const stream = this.#stream;
    if (depth <= 0 || stream.chance(1, 4)) {
      return this.column(kind);
    }
    if (stream.chance(1, 6)) {
      return this.#conditional(kind, depth - 1);
    }
    switch (kind) {
      case "bigint":
      case "integer":
        return this.#whole(kind, depth - 1);
      case "decimal":
        return this.#decimal(depth - 1);
      case "varchar":
        return this.#text(depth - 1);
      case "date":
        return this.#date(depth - 1);
      case "boolean":
        return expression(`(${this.condition(depth)})`, "boolean", 0, { isCoarse: true });
    }
  }

  /** An expression with few distinct values. */
  coarse(): Expression {
    const stream = this.#stream;
    const coarse = this.#columns.filter((column) => column.isCoarse);
    if (coarse.length > 0 && stream.chance(2, 3)) {
      return stream.pick(coarse);
    }
    const column = this.column();
    const divisor = stream.between(2, 9);
    switch (column.kind) {
      case "bigint":
      case "integer":
        return expression(`${column.sql} % ${divisor}`, column.kind, divisor, { isCoarse: true });
      case "decimal":
        return expression(`CAST(${column.sql} AS bigint) % ${divisor}`, "bigint", divisor, { isCoarse: true });
      case "date":
        return expression(`year(${column.sql})`, "bigint", 9_999, { isCoarse: true });
      case "varchar":
        return expression(`substr(${column.sql}, ${stream.between(1, 3)}, 1)`, "varchar", 0, { isCoarse: true });
      case "boolean":
        return column;
    }
  }

  condition(depth: number): string {
    const stream = this.#stream;
    if (depth > 0) {
      switch (stream.nextInt(6)) {
        case 0:
          return `(${this.condition(depth - 1)} ${stream.pick(["AND", "OR"])} ${this.condition(depth - 1)})`;
        case 1:
          return `NOT (${this.condition(depth - 1)})`;
        default:
      }
    }
    const left = this.of(this.column().kind, depth);
    switch (stream.nextInt(8)) {
      case 0:
        return `${left.sql} IS ${stream.pick(["", "NOT "])}NULL`;
      case 1: {
        const not = stream.pick(["", "", "NOT "]);
        return `${left.sql} ${not}BETWEEN ${this.literal(left.kind, left)} AND ${this.literal(left.kind, left)}`;
      }
      case 2: {
        const list = Array.from({ length: stream.between(1, 4) }, () => this.literal(left.kind, left));
        return `${left.sql} ${stream.pick(["", "", "NOT "])}IN (${[...list, ...(stream.chance(1, 8) ? ["NULL"] : [])].join(", ")})`;
      }
      case 3: {
        const text = this.of("varchar", depth);
        const word = stream.pick(text.words);
        const pattern = stream.pick([`%${word}%`, `${word}%`, `%${word}`, "_%", `%${word}_`]);
        return `${text.sql} ${stream.pick(["", "", "NOT "])}LIKE '${pattern}'`;
      }
      case 4:
        return `${left.sql} IS ${stream.pick(["", "NOT "])}DISTINCT FROM ${this.of(left.kind, depth - 1).sql}`;
      case 5:
        return `${left.sql} ${stream.pick(comparisons)} ${this.of(left.kind, depth - 1).sql}`;
      default:
        return `${left.sql} ${stream.pick(comparisons)} ${this.literal(left.kind, left)}`;
    }
  }

  #conditional(kind: Kind, depth: number): Expression {
    const stream = this.#stream;
    const a = this.of(kind, depth);
    const b = this.of(kind, depth);
    const bound = Math.max(a.bound, b.bound);
    const words = [...a.words, ...b.words];
    switch (stream.nextInt(4)) {
      case 0:
        return expression(`coalesce(${a.sql}, ${b.sql})`, kind, bound, { words });
      case 1:
        return expression(`nullif(${a.sql}, ${this.literal(kind, a)})`, kind, a.bound, { words, isCoarse: a.isCoarse });
      case 2:
        return expression(`CASE WHEN ${this.condition(depth)} THEN ${a.sql} END`, kind, a.bound, { words, isCoarse: a.isCoarse });
      default:
        return expression(`CASE WHEN ${this.condition(depth)} THEN ${a.sql} ELSE ${b.sql} END`, kind, bound, { words });
    }
  }

  #whole(kind: "bigint" | "integer", depth: number): Expression {
    const stream = this.#stream;
    const a = this.of(kind, depth);
    const limit = kind === "integer" ? 1e9 : boundMax;
    switch (stream.nextInt(kind === "bigint" ? 7 : 4)) {
      case 0: {
        const b = this.of(kind, depth);
        return a.bound + b.bound > limit ? a : expression(`(${a.sql} ${stream.pick(["+", "-"])} ${b.sql})`, kind, a.bound + b.bound);
      }
      case 1: {
        const by = stream.between(2, 9);
        return a.bound * by > limit ? a : expression(`${a.sql} * ${by}`, kind, a.bound * by);
      }
      case 2:
        return expression(`${a.sql} ${stream.pick(["/", "%"])} ${stream.between(2, 12)}`, kind, a.bound);
      case 3:
        return expression(stream.chance(1, 2) ? `abs(${a.sql})` : `-(${a.sql})`, kind, a.bound);
      case 4: {
        const text = this.of("varchar", depth);
        return expression(`length(${text.sql})`, "bigint", 1_000);
      }
      case 5:
        return expression(`${stream.pick(["year", "month", "day"])}(${this.of("date", depth).sql})`, "bigint", 9_999, { isCoarse: true });
      default:
        return expression(`CAST(${this.of("integer", depth).sql} AS bigint)`, "bigint", a.bound);
    }
  }

  #decimal(depth: number): Expression {
    const stream = this.#stream;
    const a = this.column("decimal");
    const b = this.column("decimal");
    const fits = a.bound * (1 + b.bound) <= boundMax;
    switch (stream.nextInt(6)) {
      case 0:
        return expression(`(${a.sql} ${stream.pick(["+", "-"])} ${b.sql})`, "decimal", a.bound + b.bound);
      case 5: {
        // Gives the expression values of both signs.
        const middle = Math.ceil(a.bound / stream.between(2, 5));
        return expression(`(${a.sql} - ${middle}.${stream.between(10, 99)})`, "decimal", a.bound + middle);
      }
      case 1:
        return fits ? expression(`${a.sql} * ${b.sql}`, "decimal", a.bound * b.bound) : a;
      case 2:
        return fits ? expression(`${a.sql} * (1 - ${b.sql})`, "decimal", a.bound * (1 + b.bound)) : a;
      case 3:
        return expression(`round(${a.sql}, ${stream.nextInt(3)})`, "decimal", a.bound + 1);
      default:
        return expression(`CAST(${this.of("integer", depth).sql} AS decimal(12, 2))`, "decimal", 1e9);
    }
  }

  #text(depth: number): Expression {
    const stream = this.#stream;
    const a = this.of("varchar", depth);
    const { words } = a;
    switch (stream.nextInt(6)) {
      case 0:
        return expression(`(${a.sql} || '-' || ${this.column("varchar").sql})`, "varchar", 0, { words });
      case 1:
        return expression(`${stream.pick(["upper", "lower", "trim", "reverse"])}(${a.sql})`, "varchar", 0, { words });
      case 2:
        return expression(`substr(${a.sql}, ${stream.between(1, 6)}, ${stream.between(1, 8)})`, "varchar", 0, { words });
      case 3:
        return expression(`replace(${a.sql}, '${stream.pick(words)}', '~')`, "varchar", 0, { words });
      case 4:
        return expression(`CAST(${this.of(stream.pick(["bigint", "date", "decimal"]), depth).sql} AS varchar)`, "varchar", 0, {
          words: ["1", "-"],
        });
      default:
        return a;
    }
  }

  #date(depth: number): Expression {
    const stream = this.#stream;
    const a = this.of("date", depth);
    switch (stream.nextInt(3)) {
      case 0:
        return expression(`date_trunc('${stream.pick(["month", "quarter", "year"])}', ${a.sql})`, "date");
      case 1:
        return expression(`${a.sql} ${stream.pick(["+", "-"])} INTERVAL '${stream.between(1, 40)}' DAY`, "date");
      default:
        return expression(`date_add('${stream.pick(["day", "month"])}', ${stream.between(1, 9)}, ${a.sql})`, "date");
    }
  }
}
