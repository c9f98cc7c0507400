/**
 * Random typed expressions over columns in scope, in both dialects. Known differences are rewritten (integer division is `//` in DuckDB) or
 * avoided: quotients of decimals (another scale), doubles to text, casts that round doubles (half to even in DuckDB), NaN, and text beyond
 * the letters whose case both know.
 */
import {
  isComparable,
  isInteger,
  isNumber,
  isOrderable,
  join,
  type Kind,
  largest,
  type SqlType,
  type Text,
  text,
  type,
  typeText,
} from "../dialects.ts";
import { BIGINT, BOOLEAN, type Expression, make, VARCHAR } from "./generated-expression.ts";
import { defaulted, existsInArray, existsOfText, numberOfPath, textOfDocument, throughDocument } from "./json-forms.ts";
import { networkHolds, numberOfPlace, numberOfTile, squareHolds } from "./networks-and-geometries.ts";
import { movedByFields, rareCondition, rareNumber, rareText } from "../grammar/rare.ts";
import type { Random } from "../random.ts";
import { spaces, words } from "./literals.ts";
import { askedByFunction, countedByLoop, throughFunction } from "./routines.ts";
import { conditionOn, drawStructured, numberFrom, stringFrom } from "./structured.ts";
import { type ExpressionSource, kinds } from "./source.ts";
import { literalOf } from "../tables.ts";
import { drawPlain, movedBy, numberFromPlain, stringFromPlain } from "./temporal.ts";

export interface Scope {
  readonly columns: readonly Expression[];
  /** Columns of the enclosing queries, innermost first. */
  readonly outer?: readonly (readonly Expression[])[];
  /** Remaining nesting depth of subqueries. */
  readonly nesting?: number;
  /** Number of enclosing lambdas; parameters are named after it. */
  readonly level?: number;
  /** Draws a condition with a subquery; absent where none is allowed. */
  readonly subquery?: (random: Random, scope: Scope) => Expression | undefined;
  /** Draws a scalar subquery of a kind. */
  readonly value?: (kind: Kind, scope: Scope) => Expression | undefined;
}

const rareKinds: readonly Kind[] = [
  "time",
  "zoned",
  "days",
  "months",
  "char",
  "varbinary",
  "uuid",
  "json",
  "bigints",
  "texts",
  "map",
  "row",
  "holes",
  "lists",
  "gaps",
  "nans",
  "parts",
];

export class Expressions implements ExpressionSource {
  readonly random: Random;
  readonly level: number;
  readonly #scope: Scope;

  constructor(random: Random, scope: Scope) {
    this.random = random;
    this.level = scope.level ?? 0;
    this.#scope = scope;
  }

  inside(parameters: readonly Expression[]): Expressions {
    const captured = this.#scope.columns.filter(({ text: { engine } }) => /^[ae]\d+(\.\w+)?$/.test(engine));
    return new Expressions(this.random, { columns: [...parameters, ...parameters, ...captured], level: this.level + 1 });
  }

  over(parameters: readonly Expression[]): Expressions {
    return new Expressions(this.random, { columns: parameters, level: this.level });
  }

  any(depth: number): Expression {
    return this.random.chance(60) && this.#scope.columns.length > 0
      ? this.of(this.random.pick(this.#scope.columns).type.kind, depth)
      : this.of(this.random.chance(15) ? this.random.pick(rareKinds) : this.random.pick(kinds), depth);
  }

  of(kind: Kind, depth: number): Expression {
    return this.random.part(() => this.#of(kind, depth));
  }

  #of(kind: Kind, depth: number): Expression {
    const random = this.random;
    if (depth <= 0 || !random.chance(80)) {
      return this.leaf(kind);
    }
    if (this.#scope.value !== undefined && random.chance(5)) {
      return this.#scope.value(kind, this.#scope) ?? this.leaf(kind);
    }
    if (random.chance(15)) {
      return this.#conditional(kind, depth - 1);
    }
    if (random.declaresFunctions && random.chance(3)) {
      return throughFunction(this, kind, depth - 1);
    }
    if (random.chance(2)) {
      return throughDocument(this, kind, depth - 1) ?? this.leaf(kind);
    }
    switch (kind) {
      case "boolean":
        return this.condition(depth);
      case "varchar":
        return this.#string(depth - 1);
      case "date":
      case "timestamp":
        return this.#temporal(kind, depth - 1);
      case "real":
      case "nans":
      case "uuid":
        return this.leaf(kind);
      case "time":
      case "zoned":
      case "days":
      case "months":
      case "char":
      case "varbinary":
        return drawPlain(this, kind, depth - 1);
      case "json":
      case "bigints":
      case "texts":
      case "map":
      case "row":
      case "holes":
      case "lists":
      case "gaps":
      case "parts":
        return drawStructured(this, kind, depth - 1);
      default:
        return this.#number(kind, depth - 1);
    }
  }

  leaf(kind: Kind): Expression {
    const random = this.random;
    const { columns: own, outer = [] } = this.#scope;
    const level = outer.length > 0 && random.chance(own.length === 0 ? 60 : 20) ? random.pick(outer) : own;
    const columns = level.filter((column) => column.type.kind === kind);
    if (columns.length > 0 && random.chance(80)) {
      return random.pick(columns);
    }
    const literalType = kind === "decimal" ? type("decimal", 6, 2) : type(kind);
    if (random.chance(8)) {
      return make(text`CAST(NULL AS ${typeText(literalType)})`, literalType, [], 0, true);
    }
    const bound = Math.min(largest(literalType), kind === "tinyint" ? 12 : 100);
    const value = literalOf(random, kind, bound);
    const typed = kind === "bigint" || kind === "smallint" || kind === "tinyint" || kind === "decimal" || isStructured(kind);
    return make(
      typed ? text`CAST(${value} AS ${typeText(literalType)})` : text`${value}`,
      literalType,
      [],
      kind === "decimal" ? 10_000 : kind === "days" ? 1e10 : kind === "months" ? 500 : bound,
      true,
    );
  }

  condition(depth: number): Expression {
    return this.random.part(() => this.#condition(depth));
  }

  #condition(depth: number): Expression {
    const random = this.random;
    const below = depth - 1;
    if (depth <= 0) {
      return this.#comparison(0);
    }
    if (random.declaresFunctions && random.chance(2)) {
      return askedByFunction(this, below);
    }
    switch (random.below(15)) {
      case 0:
      case 1: {
        const parts = Array.from({ length: 2 + random.below(2) }, () => this.condition(below));
        return make(
          text`(${join(
            parts.map((part) => part.text),
            random.pick([" AND ", " OR "]),
          )})`,
          BOOLEAN,
          parts,
        );
      }
      case 2: {
        const part = this.condition(below);
        return make(text`(NOT ${part.text})`, BOOLEAN, [part]);
      }
      case 3: {
        const part = this.any(below);
        return make(text`(${part.text} IS ${random.pick(["NULL", "NOT NULL"])})`, BOOLEAN, [part]);
      }
      case 4: {
        const [a, b] = random.chance(15) ? this.#alike(below) : this.#comparable(below);
        return make(text`(${a.text} IS ${random.pick(["", "NOT "])}DISTINCT FROM ${b.text})`, BOOLEAN, [a, b]);
      }
      case 5: {
        const [a, b] = this.#comparable(below);
        if (!isOrderable(a.type.kind)) {
          return make(text`(${a.text} = ${b.text})`, BOOLEAN, [a, b]);
        }
        const c = this.of(b.type.kind, below);
        return make(text`(${a.text} ${random.pick(["", "NOT "])}BETWEEN ${b.text} AND ${c.text})`, BOOLEAN, [a, b, c]);
      }
      case 6: {
        if (random.chance(15)) {
          return this.#rowsInList(below);
        }
        const [a, b] = this.#comparable(below);
        const more = Array.from({ length: random.below(4) }, () => this.of(b.type.kind, random.below(2)));
        const list = [b.text, ...more.map((part) => part.text), ...(random.chance(15) ? [text`NULL`] : [])];
        // An IN list of one subquery is a set in DuckDB and a value in Presto (inList precedes inSubquery in its grammar). Repeating it
        // makes it a list in both.
        const items = list.length === 1 && b.text.engine.startsWith("(SELECT") ? [b.text, b.text] : list;
        return make(text`(${a.text} ${random.pick(["", "NOT "])}IN (${join(items, ", ")}))`, BOOLEAN, [a, b, ...more]);
      }
      case 7: {
        const part = this.of("varchar", below);
        const pattern = random.pick(["%", "a%", "%b", "_", "%a%", "%日%", "__", "a\\%%", "", "%a%b%", "A__", "_%_", "%z"]);
        const escape = pattern.includes("\\") ? " ESCAPE '\\'" : "";
        return make(text`(${part.text} ${random.pick(["", "NOT "])}LIKE '${pattern}'${escape})`, BOOLEAN, [part]);
      }
      case 8: {
        const made = this.#scope.subquery?.(random, this.#scope);
        return made ?? this.#comparison(below);
      }
      case 9:
        return random.chance(15) ? rareCondition(this) : this.leaf("boolean");
      case 10: {
        const part = this.of("varchar", below);
        const sql = random.pick([
          text`starts_with(${part.text}, '${random.pick(words)}')`,
          { engine: `regexp_like(${part.text.engine}, '^a.*|b$')`, duckdb: `regexp_matches(${part.text.duckdb}, '^a.*|b$')` },
          { engine: `regexp_like(${part.text.engine}, '[A-Z_]{2,}')`, duckdb: `regexp_matches(${part.text.duckdb}, '[A-Z_]{2,}')` },
        ]);
        return make(text`(${sql})`, BOOLEAN, [part]);
      }
      case 12:
        return conditionOn(this, below);
      case 13:
        return random.chance(60) ? existsInArray(this, below) : existsOfText(this, below);
      case 14:
        return random.chance(50) ? squareHolds(this, below) : networkHolds(this, below);
      default:
        return this.#comparison(below);
    }
  }

  #comparison(depth: number): Expression {
    const [a, b] = this.#comparable(depth);
    const operators = isOrderable(a.type.kind) ? ["=", "<>", "<", "<=", ">", ">="] : ["=", "<>"];
    return make(text`(${a.text} ${this.random.pick(operators)} ${b.text})`, BOOLEAN, [a, b]);
  }

  /** IN over a list of rows. DuckDB gets the fields, because there a NULL beside a differing field does not make the result unknown. */
  #rowsInList(depth: number): Expression {
    const random = this.random;
    const fields = [this.#comparable(depth), this.#comparable(depth)].map(([a]) => a);
    const rows = Array.from({ length: 1 + random.below(3) }, () => fields.map((field) => this.of(field.type.kind, random.below(2))));
    const row = (parts: readonly Expression[]): string => `(${parts.map((part) => part.text.engine).join(", ")})`;
    const equal = (parts: readonly Expression[]): string =>
      `(${fields.map((field, index) => `${field.text.duckdb} = ${parts[index]?.text.duckdb ?? ""}`).join(" AND ")})`;
    const not = random.pick(["", "NOT "]);
    const sql = { engine: `(${row(fields)} ${not}IN (${rows.map(row).join(", ")}))`, duckdb: `(${not}(${rows.map(equal).join(" OR ")}))` };
    return make(sql, BOOLEAN, [...fields, ...rows.flat()]);
  }

  /** Two expressions of one kind whose equality may be unknown. */
  #alike(depth: number): readonly [Expression, Expression] {
    const kind = this.random.pick(["holes", "lists", "gaps", "parts", "nans"] as const);
    return [this.of(kind, depth), this.of(kind, depth)];
  }

  /** Two expressions that Presto can compare: of one kind, or both numeric. */
  #comparable(depth: number): readonly [Expression, Expression] {
    const drawn = this.any(depth);
    const a = isComparable(drawn.type.kind) ? drawn : this.leaf("bigint");
    const kind =
      isNumber(a.type.kind) && this.random.chance(30) ? this.random.pick(["integer", "bigint", "double", "decimal"] as const) : a.type.kind;
    return [a, this.of(kind, depth)];
  }

  #conditional(kind: Kind, depth: number): Expression {
    const random = this.random;
    const a = this.of(kind, depth);
    const second = this.of(kind, depth);
    const b = kind === "decimal" && losesDigits(a.type, second.type) ? a : second;
    const resultType = kind === "decimal" ? superType(a.type, b.type) : a.type;
    const bound = Math.max(a.bound, b.bound);
    const exact = a.exact && b.exact;
    switch (random.below(6)) {
      case 4: {
        const condition = this.condition(depth);
        return make(text`if(${condition.text}, ${a.text}, ${b.text})`, resultType, [a, b, condition], bound, exact);
      }
      case 5: {
        // The oracle skips NULLs.
        const call = random.pick(["greatest", "least"]);
        if (kind === "boolean" || isStructured(kind)) {
          return a;
        }
        const sql = {
          engine: `${call}(${a.text.engine}, ${b.text.engine})`,
          duckdb: `CASE WHEN ${a.text.duckdb} IS NULL OR ${b.text.duckdb} IS NULL THEN NULL ELSE ${call}(${a.text.duckdb}, ${b.text.duckdb}) END`,
        };
        return make(sql, resultType, [a, b], bound, exact);
      }
      case 0:
        return make(text`coalesce(${a.text}, ${b.text})`, resultType, [a, b], bound, exact);
      case 1:
        if (!isComparable(kind)) {
          return a;
        }
        return make(text`nullif(${a.text}, ${b.text})`, a.type, [a, b], a.bound, a.exact);
      case 2: {
        const condition = this.condition(depth);
        return make(text`CASE WHEN ${condition.text} THEN ${a.text} ELSE ${b.text} END`, resultType, [a, b, condition], bound, exact);
      }
      default: {
        const [left, right] = this.#comparable(depth);
        return make(
          text`CASE ${left.text} WHEN ${right.text} THEN ${a.text} WHEN NULL THEN ${b.text} END`,
          resultType,
          [a, b, left, right],
          bound,
          exact,
        );
      }
    }
  }

  #number(kind: Kind, depth: number): Expression {
    const random = this.random;
    if (kind === "bigint" && random.declaresFunctions && random.chance(5)) {
      return countedByLoop(this, depth);
    }
    const a = this.of(kind, depth);
    switch (random.below(kind === "bigint" ? 20 : 8)) {
      case 0:
      case 1:
      case 2: {
        const b = this.of(kind, depth);
        return this.#arithmetic(random.pick(["+", "-", "*"]), a, b) ?? a;
      }
      case 3:
        return this.#quotient(kind, a, this.of(kind, depth));
      case 4:
        return Number.isFinite(a.bound) ? make(text`${random.pick(["abs", "-", "+"])}(${a.text})`, a.type, [a], a.bound, a.exact) : a;
      case 5:
        return this.#widened(kind, depth);
      case 6:
        return this.#rounded(kind, a);
      case 7:
        return this.#tried(kind, a, this.of(kind, depth));
      case 8: {
        const b = this.of(kind, depth);
        const [engine, duckdb] = random.pick([
          ["bitwise_and", "&"],
          ["bitwise_or", "|"],
        ] as const);
        const sql = { engine: `${engine}(${a.text.engine}, ${b.text.engine})`, duckdb: `(${a.text.duckdb} ${duckdb} ${b.text.duckdb})` };
        return make(sql, BIGINT, [a, b], 2 * Math.max(a.bound, b.bound) + 1);
      }
      case 9: {
        const [from, to] = [this.of("date", depth), this.of("date", depth)];
        return make(text`date_diff('day', ${from.text}, ${to.text})`, BIGINT, [from, to], 1e7);
      }
      case 10: {
        const date = this.of("date", depth);
        const [engine, duckdb] = random.pick([
          ["day_of_week", "isodow"],
          ["day_of_year", "dayofyear"],
          ["week", "week"],
          ["year_of_week", "isoyear"],
        ] as const);
        return make({ engine: `${engine}(${date.text.engine})`, duckdb: `${duckdb}(${date.text.duckdb})` }, BIGINT, [date], 10_000);
      }
      case 11: {
        const [a1, b1] = [this.of("varchar", depth), this.of("varchar", 0)];
        // The oracle counts bytes.
        const plain = [a1, b1].map(({ text: one }) => text`regexp_replace(${one}, '[^a-zA-Z]', ''${{ engine: "", duckdb: ", 'g'" }})`);
        const call = { engine: "levenshtein_distance", duckdb: "levenshtein" };
        return make(text`${call}(${plain[0] as Text}, ${plain[1] as Text})`, BIGINT, [a1, b1], 1000);
      }
      case 12: {
        const string = this.of("varchar", depth);
        return make(
          random.chance(50) ? text`length(${string.text})` : text`strpos(${string.text}, '${random.pick(words)}')`,
          BIGINT,
          [string],
          1000,
        );
      }
      case 15:
      case 16:
        return numberFrom(this, depth);
      case 17:
        return numberFromPlain(this, depth);
      case 18:
        if (random.chance(20)) {
          return rareNumber(this);
        }
        return random.chance(50) ? numberOfPath(this, depth) : defaulted(this, depth);
      case 19:
        return random.chance(60) ? numberOfPlace(this, depth) : numberOfTile(this, depth);
      case 13: {
        const date = this.of("date", depth);
        return make(text`${random.pick(["year", "month", "day", "quarter"])}(${date.text})`, BIGINT, [date], 10_000);
      }
      default: {
        const stamp = this.of("timestamp", depth);
        return make(text`extract(${random.pick(["YEAR", "HOUR", "MINUTE", "DAY"])} FROM ${stamp.text})`, BIGINT, [stamp], 10_000);
      }
    }
  }

  #arithmetic(operator: string, a: Expression, b: Expression): Expression | undefined {
    const bound = operator === "*" ? a.bound * b.bound : a.bound + b.bound;
    const resultType = arithmeticType(operator, a.type, b.type);
    const exact = a.exact && b.exact && operator !== "*" && bound < 1e9;
    if (resultType === undefined || !(bound <= Math.min(largest(resultType), 1e18))) {
      return undefined;
    }
    return make(text`(${a.text} ${operator} ${b.text})`, resultType, [a, b], bound, exact);
  }

  #quotient(kind: Kind, a: Expression, b: Expression): Expression {
    if (isInteger(kind) && Number.isFinite(a.bound)) {
      const operator = this.random.pick([{ engine: "/", duckdb: "//" }, text`%`]);
      return make(text`(${a.text} ${operator} nullif(${b.text}, CAST(0 AS ${typeText(b.type)})))`, a.type, [a, b], a.bound);
    }
    if (kind === "double" && Number.isFinite(a.bound)) {
      return make(text`(${a.text} / nullif(${b.text}, 0e0))`, a.type, [a, b], Number.POSITIVE_INFINITY);
    }
    return a;
  }

  #rounded(kind: Kind, a: Expression): Expression {
    const random = this.random;
    if (!(a.bound < 1e12) || kind === "real") {
      return a;
    }
    if (kind === "double") {
      const call = random.pick(["floor", "ceil", "truncate", "sign"]);
      return make(text`${{ engine: call, duckdb: call === "truncate" ? "trunc" : call }}(${a.text})`, a.type, [a], a.bound + 1, a.exact);
    }
    return isInteger(kind)
      ? make({ engine: `sign(${a.text.engine})`, duckdb: `CAST(sign(${a.text.duckdb}) AS ${typeText(a.type).duckdb})` }, a.type, [a], 1)
      : make(text`CAST(floor(${a.text}) AS decimal(20, 0))`, type("decimal", 20, 0), [a], a.bound + 1);
  }

  /** TRY: an error becomes NULL. Division by zero in both dialects, and text that is not a number. */
  #tried(kind: Kind, a: Expression, b: Expression): Expression {
    const random = this.random;
    if (isInteger(kind) && Number.isFinite(a.bound) && random.chance(60)) {
      const sql = { engine: `TRY(${a.text.engine} / ${b.text.engine})`, duckdb: `(${a.text.duckdb} // ${b.text.duckdb})` };
      return make(sql, a.type, [a, b], a.bound);
    }
    if (kind === "bigint" || kind === "integer") {
      const string = this.of("varchar", 0);
      const digits = text`substr(${string.text}, 1, 2)`;
      return make(text`TRY_CAST(CASE WHEN ${digits} = '12' THEN '-12' ELSE lower('x' || ${digits}) END AS ${kind})`, a.type, [string], 100);
    }
    return a;
  }

  /** A cast from a narrower numeric kind. */
  #widened(kind: Kind, depth: number): Expression {
    const from: Readonly<Partial<Record<Kind, readonly Kind[]>>> = {
      smallint: ["tinyint"],
      integer: ["tinyint", "smallint"],
      bigint: ["integer", "smallint", "decimal"],
      double: ["integer", "bigint", "decimal"],
      decimal: ["integer", "decimal"],
    };
    const narrower = from[kind];
    if (narrower === undefined) {
      return this.leaf(kind);
    }
    const part = this.of(this.random.pick(narrower), depth);
    const to = kind === "decimal" ? type("decimal", 20, this.random.below(5)) : type(kind);
    if (!(part.bound + 1 < Math.min(largest(to), 1e17))) {
      return this.leaf(kind);
    }
    const exact = isInteger(part.type.kind) && part.bound < 1e9;
    return make(text`CAST(${part.text} AS ${typeText(to)})`, to, [part], part.bound + 1, exact);
  }

  #string(depth: number): Expression {
    const random = this.random;
    const a = this.of("varchar", depth);
    switch (random.below(14)) {
      case 11:
        return stringFrom(this, depth);
      case 12:
        return stringFromPlain(this, depth);
      case 13:
        return random.chance(25) ? rareText(this) : textOfDocument(this, depth);
      case 8:
        return this.#field(a);
      case 9:
        return make(text`translate(${a.text}, 'abé', '${random.pick(["x", "xyz", ""])}')`, VARCHAR, [a]);
      case 10: {
        const pattern = random.pick(["[aeiou]", "a+", "\\w\\b", "z*y", "^."]);
        const replacement = random.pick(["", "-", "日"]);
        return make(text`regexp_replace(${a.text}, '${pattern}', '${replacement}'${{ engine: "", duckdb: ", 'g'" }})`, VARCHAR, [a]);
      }
      case 0:
      case 1: {
        const b = this.of("varchar", depth);
        return make(text`(${a.text} || ${b.text})`, VARCHAR, [a, b]);
      }
      case 2:
        return random.chance(50) ? this.#trimmed(a) : make(text`${random.pick(["upper", "lower", "reverse"])}(${a.text})`, VARCHAR, [a]);
      case 3:
        return make(text`substr(${a.text}, ${1 + random.below(4)}${random.chance(50) ? `, ${random.below(4)}` : ""})`, VARCHAR, [a]);
      case 4:
        return make(text`replace(${a.text}, '${random.pick(words.filter((word) => word !== ""))}', '${random.pick(words)}')`, VARCHAR, [a]);
      case 5:
        return make(text`${random.pick(["lpad", "rpad"])}(${a.text}, ${random.below(9)}, '${random.pick(["x", "ab", "日"])}')`, VARCHAR, [
          a,
        ]);
      case 6: {
        const part = this.of(random.pick(["integer", "bigint", "decimal", "date", "boolean", "tinyint"]), depth);
        return make(text`CAST(${part.text} AS varchar)`, VARCHAR, [part]);
      }
      default:
        return a;
    }
  }

  /** DuckDB trims spaces only. */
  #trimmed(a: Expression): Expression {
    const name = this.random.pick(["trim", "ltrim", "rtrim"]);
    return make({ engine: `${name}(${a.text.engine})`, duckdb: `${name}(${a.text.duckdb}, '${spaces}')` }, VARCHAR, [a]);
  }

  /** NULL beyond the last field; the oracle's split_part returns an empty text. */
  #field(a: Expression): Expression {
    const random = this.random;
    const separator = random.pick(["a", " ", "%", "日"]);
    const place = 1 + random.below(3);
    const sql = {
      engine: `split_part(${a.text.engine}, '${separator}', ${place})`,
      duckdb: `list_extract(string_split(${a.text.duckdb}, '${separator}'), ${place})`,
    };
    return make(sql, VARCHAR, [a]);
  }

  #temporal(kind: "date" | "timestamp", depth: number): Expression {
    const random = this.random;
    const a = this.of(kind, depth);
    const result = typeText(type(kind));
    switch (random.below(5)) {
      case 4:
        return kind === "timestamp" && random.chance(40) ? movedByFields(this, a) : movedBy(this, kind, depth);
      case 0: {
        const unit = random.pick(["DAY", "MONTH", "YEAR"]);
        return make(text`CAST((${a.text} ${random.pick(["+", "-"])} INTERVAL '${random.below(40)}' ${unit}) AS ${result})`, a.type, [a]);
      }
      case 1:
        return make(text`CAST(date_trunc('${random.pick(["month", "year", "quarter", "week", "day"])}', ${a.text}) AS ${result})`, a.type, [
          a,
        ]);
      case 2: {
        const other = this.of(kind === "date" ? "timestamp" : "date", depth);
        return make(text`CAST(${other.text} AS ${result})`, a.type, [other]);
      }
      default:
        return a;
    }
  }
}

function isStructured(kind: Kind): boolean {
  return kind === "json" || kind === "bigints" || kind === "texts" || kind === "map" || kind === "row" || !isComparable(kind);
}

/** The common supertype of both. */
export function superType(a: SqlType, b: SqlType): SqlType {
  if (a.kind !== "decimal" || b.kind !== "decimal") {
    return a;
  }
  const scale = Math.max(a.scale, b.scale);
  return type("decimal", Math.min(38, Math.max(a.precision - a.scale, b.precision - b.scale) + scale), scale);
}

/** If both decimals exceed the maximum precision together, DuckDB keeps the integer digits, Presto the fraction digits. */
function losesDigits(a: SqlType, b: SqlType): boolean {
  return Math.max(a.precision - a.scale, b.precision - b.scale) + Math.max(a.scale, b.scale) > 38;
}

/** Undefined if DuckDB has no such type or computes in a narrower one. */
function arithmeticType(operator: string, a: SqlType, b: SqlType): SqlType | undefined {
  if (a.kind !== "decimal" || b.kind !== "decimal") {
    return a;
  }
  if (operator === "*") {
    const short = a.precision <= 18 && b.precision <= 18;
    const precision = a.precision + b.precision;
    return precision > (short ? 18 : 38) ? undefined : type("decimal", precision, a.scale + b.scale);
  }
  const scale = Math.max(a.scale, b.scale);
  const precision = Math.max(a.precision - a.scale, b.precision - b.scale) + scale + 1;
  return precision > 38 ? undefined : type("decimal", precision, scale);
}
