/**
 * The result of a subquery over its core: a column of rows, or a value. The rows are deterministic: LIMIT only after a total order of the
 * visible columns.
 */
import { isInteger, isOrderable, type Kind, type Text, text, type, typeText } from "../dialects.ts";
import type { Expression } from "../expressions/generated-expression.ts";
import { Expressions, type Scope } from "../expressions/expression-generator.ts";
import type { Random } from "../random.ts";
import { type ColumnBody, type Core, drawCore, type SubqueryHost } from "./cores.ts";
import { drawPlaced } from "./places.ts";

function like({ type: itemType, bound, exact }: Pick<Expression, "type" | "bound" | "exact">, sql: Text): ColumnBody {
  return { text: sql, type: itemType, bound, exact };
}

/** An expression of a kind, if the core has one: mostly a column, so that values match. */
function drawItem(random: Random, core: Core, kind: Kind | undefined): Expression | undefined {
  const columns = core.columns.filter(({ type: own }) => kind === undefined || own.kind === kind);
  if (columns.length === 0) {
    return undefined;
  }
  const column = random.pick(columns);
  return random.chance(20) ? new Expressions(random, core.scope).of(column.type.kind, 1) : column;
}

/** An expression over the core's own columns only, with at least one of them: it can be grouped by, ordered by and aggregated. */
function drawOwn(random: Random, core: Core, kinds: (kind: Kind) => boolean): Expression | undefined {
  const columns = core.columns.filter(({ type: own }) => kinds(own.kind));
  return columns.length === 0 ? undefined : random.pick(columns);
}

function ordering(random: Random): string {
  return `${random.pick(["", " DESC"])} NULLS ${random.pick(["LAST", "FIRST"])}`;
}

/** Rows of one column, of `kind` or of any kind. */
export function drawColumnBody(random: Random, host: SubqueryHost, outer: Scope, kind?: Kind): ColumnBody | undefined {
  const core = random.part(() => drawCore(random, host, outer));
  const item = drawItem(random, core, kind);
  if (item === undefined) {
    return undefined;
  }
  const plain = like(item, text`SELECT ${item.text} FROM ${core.from}${core.where}`);
  switch (random.below(14)) {
    case 12:
    case 13:
      return kind === undefined ? (random.part(() => placed(random, host, core)) ?? plain) : plain;
    case 0:
    case 1:
      return like(item, text`SELECT DISTINCT ${item.text} FROM ${core.from}${core.where}`);
    case 2:
      return grouped(random, core, item.type.kind) ?? plain;
    case 3:
      return random.part(() => combined(random, host, outer, plain)) ?? plain;
    case 4:
      return limited(random, plain) ?? plain;
    case 5:
      return random.part(() => filteredAbove(random, host, core, plain));
    case 6:
      return windowed(random, host, core, item) ?? plain;
    case 7:
      return random.part(() => fromNothing(random, outer, item.type.kind));
    default:
      return plain;
  }
}

function placed(random: Random, host: SubqueryHost, core: Core): ColumnBody | undefined {
  const item = drawOwn(random, core, isOrderable);
  return item && drawPlaced({ random, host, core, item, rows: (outer) => drawColumnBody(random, host, outer) });
}

/** The minimum or maximum of each group; sometimes over grouping sets, including the empty one. */
function grouped(random: Random, core: Core, kind: Kind): ColumnBody | undefined {
  const [key, value] = [drawOwn(random, core, isOrderable), drawOwn(random, core, (own) => own === kind && isOrderable(own))];
  if (key === undefined || value === undefined) {
    return undefined;
  }
  const sets = random.chance(30) ? random.pick([`GROUPING SETS ((KEY), ())`, "ROLLUP (KEY)", "CUBE (KEY)"]) : "KEY";
  const groups = { engine: sets.replace("KEY", key.text.engine), duckdb: sets.replace("KEY", key.text.duckdb) };
  const having = random.chance(35) ? text` HAVING count(*) ${random.pick(["> 1", "= 0", "< 3"])}` : text``;
  const call = text`${random.pick(["min", "max"])}(${value.text})`;
  return like(value, text`SELECT ${call} FROM ${core.from}${core.where} GROUP BY ${groups}${having}`);
}

function combined(random: Random, host: SubqueryHost, outer: Scope, first: ColumnBody): ColumnBody | undefined {
  const core = drawCore(random, host, outer);
  const item = drawOwn(random, core, (kind) => kind === first.type.kind && kind !== "decimal");
  if (item === undefined) {
    return undefined;
  }
  const operator = random.pick(["UNION ALL", "UNION", "INTERSECT", "EXCEPT", "EXCEPT ALL", "INTERSECT ALL"]);
  const sql = text`(${first.text}) ${operator} (SELECT ${item.text} FROM ${core.from}${core.where})`;
  return { text: sql, type: first.type, bound: Math.max(first.bound, item.bound), exact: first.exact && item.exact };
}

function limited(random: Random, body: ColumnBody): ColumnBody | undefined {
  if (!isOrderable(body.type.kind)) {
    return undefined;
  }
  const [rows, skipped] = [random.below(4), random.pick([0, 0, 1])];
  const limit =
    skipped === 0 ? text`LIMIT ${rows}` : { engine: `OFFSET ${skipped} LIMIT ${rows}`, duckdb: `LIMIT ${rows} OFFSET ${skipped}` };
  return like(body, text`SELECT t.x FROM (${body.text}) AS t(x) ORDER BY t.x${ordering(random)} ${limit}`);
}

/** A subquery in FROM, filtered by a condition that references the enclosing queries. */
function filteredAbove(random: Random, host: SubqueryHost, core: Core, body: ColumnBody): ColumnBody {
  const alias = host.name("s");
  const column: Expression = { ...body, text: text`${alias}.x`, variable: true };
  const condition = new Expressions(random, { ...core.scope, columns: [column] }).condition(1).text;
  return like(body, text`SELECT ${column.text} FROM (${body.text}) AS ${alias}(x) WHERE ${condition}`);
}

/**
 * Rows filtered by the size of their partition. DuckDB has no windows over outer columns; there the partition key is a column of a
 * subquery.
 */
function windowed(random: Random, host: SubqueryHost, core: Core, item: Expression): ColumnBody | undefined {
  const key = (random.chance(50) ? core.scope.value?.("bigint", core.scope) : undefined) ?? drawOwn(random, core, isOrderable);
  if (key === undefined) {
    return undefined;
  }
  const alias = host.name("s");
  const rows = `${alias}.w ${random.pick(["> 1", "= 1", "< 4"])}`;
  const from = text`FROM ${core.from}${core.where}`;
  const numbered = {
    engine: `SELECT ${item.text.engine} AS x, count(*) OVER (PARTITION BY ${key.text.engine}) AS w ${from.engine}`,
    duckdb: `SELECT x, count(*) OVER (PARTITION BY p) AS w FROM (SELECT ${item.text.duckdb} AS x, ${key.text.duckdb} AS p ${from.duckdb}) AS p${alias}`,
  };
  return like(item, text`SELECT ${alias}.x FROM (${numbered}) AS ${alias} WHERE ${rows}`);
}

/** A row of VALUES. A row-typed expression alone would be expanded into columns. */
function listed({ text: value, type: own }: Expression): Text {
  const isRow = typeText(own).engine.startsWith("row(");
  return isRow ? { engine: `ROW(${value.engine})`, duckdb: `(${value.duckdb})` } : text`(${value})`;
}

/** At most one row computed from the enclosing queries, or rows of VALUES. */
function fromNothing(random: Random, outer: Scope, kind: Kind): ColumnBody {
  const source = new Expressions(random, { ...outer, columns: outer.columns });
  const item = source.leaf(kind);
  if (random.chance(40)) {
    const value = outer.value !== undefined && (outer.nesting ?? 0) > 0 && random.chance(50) ? outer.value(kind, deeper(outer)) : undefined;
    const second = value ?? source.leaf(kind);
    const bound = Math.max(item.bound, second.bound);
    if (kind !== "decimal") {
      return { text: text`VALUES ${listed(item)}, ${listed(second)}`, type: item.type, bound, exact: item.exact && second.exact };
    }
  }
  const where = random.chance(60) ? text` WHERE ${source.condition(1).text}` : text``;
  if (random.chance(25) && isOrderable(kind)) {
    // In DuckDB, an aggregate over only outer columns belongs to the outer query; there a column of its own is added.
    const call = random.pick(["min", "max", "any_value"]);
    const below = `(SELECT ${item.text.duckdb} AS x${where.duckdb}) AS t(x)`;
    return like(item, { engine: `SELECT ${call}(${item.text.engine})${where.engine}`, duckdb: `SELECT ${call}(t.x) FROM ${below}` });
  }
  return like(item, text`SELECT ${item.text}${where}`);
}

function deeper(outer: Scope): Scope {
  return { ...outer, nesting: (outer.nesting ?? 0) - 1 };
}

const countType = { type: type("bigint"), bound: 1e6, exact: true };

/** One value of a kind: an aggregate, the first row of an order, a count, a sum over another subquery's rows. */
export function drawValueBody(random: Random, host: SubqueryHost, outer: Scope, kind: Kind): ColumnBody | undefined {
  if (kind === "bigint" && random.chance(45)) {
    return drawCount(random, host, outer);
  }
  if (!isOrderable(kind)) {
    return undefined;
  }
  const choice = random.below(8);
  if (choice === 0) {
    const rows = random.part(() => drawColumnBody(random, host, outer, kind));
    return rows && like(rows, text`SELECT ${random.pick(["min", "max"])}(t.x) FROM (${rows.text}) AS t(x)`);
  }
  const core = random.part(() => drawCore(random, host, outer));
  const value = drawOwn(random, core, (own) => own === kind);
  if (value === undefined) {
    return undefined;
  }
  const from = text`FROM ${core.from}${core.where}`;
  switch (choice) {
    case 1:
      return like(value, text`SELECT ${value.text} ${from} ORDER BY ${value.text}${ordering(random)} LIMIT 1`);
    case 2: {
      const condition = new Expressions(random, core.scope).condition(1).text;
      return like(value, text`SELECT ${random.pick(["min", "max"])}(CASE WHEN ${condition} THEN ${value.text} END) ${from}`);
    }
    case 3: {
      // Applied to the aggregate: a column of an enclosing query, or a subquery.
      const other = new Expressions(random, { ...outer, nesting: (outer.nesting ?? 0) - 1 }).of(kind, 1);
      return other.type.kind === "decimal" || !other.variable
        ? like(value, text`SELECT max(${value.text}) ${from}`)
        : { ...like(value, text`SELECT coalesce(max(${value.text}), ${other.text}) ${from}`), bound: Math.max(value.bound, other.bound) };
    }
    default:
      return like(value, text`SELECT ${random.pick(["min", "max"])}(${value.text}) ${from}`);
  }
}

function drawCount(random: Random, host: SubqueryHost, outer: Scope): ColumnBody | undefined {
  if (random.chance(25)) {
    const rows = random.part(() => drawColumnBody(random, host, outer));
    return rows && { ...countType, text: text`SELECT count(${random.pick(["*", "t.x"])}) FROM (${rows.text}) AS t(x)` };
  }
  const core = random.part(() => drawCore(random, host, outer));
  const counted = random.pick(core.columns);
  const from = text`FROM ${core.from}${core.where}`;
  const having = random.chance(10) ? text` HAVING ${new Expressions(random, { ...core.scope, columns: [] }).condition(1).text}` : text``;
  switch (random.below(6)) {
    case 0:
      return { ...countType, text: text`SELECT count(DISTINCT ${counted.text}) ${from}${having}` };
    case 1: {
      const filter = new Expressions(random, { ...core.scope, nesting: 0 }).condition(1).text;
      return { ...countType, text: text`SELECT count(*) FILTER (WHERE ${filter}) ${from}${having}` };
    }
    case 2: {
      const inside = core.scope.value?.("bigint", core.scope);
      if (inside === undefined || inside.bound > 1e9) {
        break;
      }
      const sum = text`sum(${inside.text})`;
      const call = { engine: sum.engine, duckdb: `CAST(${sum.duckdb} AS bigint)` };
      return { ...countType, bound: inside.bound * 1e5, text: text`SELECT ${call} ${from}${having}` };
    }
    case 3:
      return isInteger(counted.type.kind) && counted.bound < 1e9
        ? {
            ...countType,
            bound: counted.bound * 1e5,
            text: {
              engine: `SELECT sum(${counted.text.engine}) ${from.engine}`,
              duckdb: `SELECT CAST(sum(${counted.text.duckdb}) AS bigint) ${from.duckdb}`,
            },
          }
        : { ...countType, text: text`SELECT count(${counted.text}) ${from}${having}` };
    default:
  }
  return { ...countType, text: text`SELECT count(${random.pick(["*", counted.text])}) ${from}${having}` };
}
