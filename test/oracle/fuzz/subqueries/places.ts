/**
 * Subqueries in positions that DuckDB supports rarely or not at all: GROUP BY, HAVING, ORDER BY, ON of an outer join, UNNEST and VALUES.
 * For DuckDB, a subquery in FROM computes them as columns; an outer join becomes the matching rows and the rows without a match.
 */
import { isOrderable, type Text, text, type } from "../dialects.ts";
import type { Expression } from "../expressions/generated-expression.ts";
import type { Scope } from "../expressions/expression-generator.ts";
import type { Random } from "../random.ts";
import { type ColumnBody, type Core, pairsOf, type SubqueryHost } from "./cores.ts";
import { lateralOn } from "./laterals.ts";

export interface PlaceOptions {
  readonly random: Random;
  readonly host: SubqueryHost;
  readonly core: Core;
  /** A column of the core, of an orderable kind. */
  readonly item: Expression;
  /** Draws rows that can reference a scope. */
  readonly rows: (outer: Scope) => ColumnBody | undefined;
}

type Place = (options: PlaceOptions) => ColumnBody | undefined;

function bodyOf(item: Expression, sql: Text): ColumnBody {
  return { text: sql, type: item.type, bound: item.bound, exact: item.exact };
}

/** A condition with a subquery, over the columns of `scope`. */
function conditionIn(random: Random, scope: Scope): Text | undefined {
  return random.part(() => scope.subquery?.(random, scope))?.text;
}

/** A condition as a number, or a subquery's value. */
function numberIn(random: Random, scope: Scope): Expression | undefined {
  if (random.chance(40)) {
    return random.part(() => scope.value?.("bigint", scope));
  }
  const condition = conditionIn(random, scope);
  return condition && { ...number, text: text`CASE WHEN ${condition} THEN BIGINT '1' ELSE BIGINT '0' END` };
}

const number = { type: type("bigint"), bound: 1, exact: true, variable: true };

const groupedBySubquery: Place = ({ random, host, core, item }) => {
  const key = numberIn(random, core.scope);
  if (key === undefined) {
    return undefined;
  }
  const call = random.pick(["min", "max"]);
  const alias = host.name("s");
  const from = text`FROM ${core.from}${core.where}`;
  const engine = `SELECT ${call}(${item.text.engine}) ${from.engine} GROUP BY ${key.text.engine}`;
  const below = `SELECT ${item.text.duckdb} AS x, ${key.text.duckdb} AS g ${from.duckdb}`;
  return bodyOf(item, { engine, duckdb: `SELECT ${call}(${alias}.x) FROM (${below}) AS ${alias} GROUP BY ${alias}.g` });
};

/** The condition references the group's key; for DuckDB, a column of the inner query. */
const filteredGroups: Place = ({ random, host, core, item }) => {
  const keys = core.columns.filter(({ type: { kind } }) => isOrderable(kind));
  if (keys.length === 0) {
    return undefined;
  }
  const [key, alias] = [random.pick(keys), host.name("s")];
  const seen: Expression = { ...key, text: { engine: key.text.engine, duckdb: `${alias}.g` } };
  const condition = conditionIn(random, { ...core.scope, columns: [seen] });
  if (condition === undefined) {
    return undefined;
  }
  const call = random.pick(["min", "max"]);
  const from = text`FROM ${core.from}${core.where}`;
  const engine = `SELECT ${call}(${item.text.engine}) ${from.engine} GROUP BY ${key.text.engine} HAVING ${condition.engine}`;
  const below = `SELECT ${call}(${item.text.duckdb}) AS x, ${key.text.duckdb} AS g ${from.duckdb} GROUP BY ${key.text.duckdb}`;
  return bodyOf(item, { engine, duckdb: `SELECT ${alias}.x FROM (${below}) AS ${alias} WHERE ${condition.duckdb}` });
};

const orderedBySubquery: Place = ({ random, host, core, item }) => {
  const key = numberIn(random, core.scope);
  if (key === undefined) {
    return undefined;
  }
  const alias = host.name("s");
  const [first, second] = [random.pick(["", " DESC"]), random.pick(["LAST", "FIRST"])];
  const from = text`FROM ${core.from}${core.where}`;
  const rows = 1 + random.below(3);
  const below = `SELECT ${item.text.duckdb} AS x, ${key.text.duckdb} AS o ${from.duckdb}`;
  const ending = (a: string, b: string): string => `ORDER BY ${a}${first} NULLS LAST, ${b} NULLS ${second} LIMIT ${rows}`;
  return bodyOf(item, {
    engine: `SELECT ${item.text.engine} ${from.engine} ${ending(key.text.engine, item.text.engine)}`,
    duckdb: `SELECT ${alias}.x FROM (${below}) AS ${alias} ${ending(`${alias}.o`, `${alias}.x`)}`,
  });
};

/** The condition is over both sides, one of them or neither. */
const outerJoined: Place = ({ random, host, core }) => {
  const [left, right] = [host.relation(0), host.relation(0)];
  const pairs = pairsOf(left.columns, right.columns);
  const columns = [...left.columns, ...right.columns].filter(({ type: { kind } }) => isOrderable(kind));
  const side = random.pick([left.columns, right.columns, [...left.columns, ...right.columns]]);
  const condition = conditionIn(random, { ...core.scope, columns: side });
  if (condition === undefined || columns.length === 0) {
    return undefined;
  }
  const equal = pairs.length === 0 || random.chance(30) ? undefined : random.pick(pairs);
  const on = equal === undefined ? condition : text`${equal[0].text} = ${equal[1].text} AND ${condition}`;
  const item = random.pick(columns);
  const join = random.pick(["LEFT", "RIGHT", "FULL"] as const);
  const select = (sql: string, hidden: boolean): string => `SELECT ${hidden ? "NULL" : item.text.duckdb} FROM ${sql}`;
  const isLeft = left.columns.includes(item);
  const unmatched = (kept: string, other: string, hidden: boolean): string =>
    select(`${kept} WHERE NOT EXISTS (SELECT 1 FROM ${other} WHERE ${on.duckdb})`, hidden);
  const parts = [select(`${left.text.duckdb} CROSS JOIN ${right.text.duckdb} WHERE ${on.duckdb}`, false)];
  if (join !== "RIGHT") {
    parts.push(unmatched(left.text.duckdb, right.text.duckdb, !isLeft));
  }
  if (join !== "LEFT") {
    parts.push(unmatched(right.text.duckdb, left.text.duckdb, isLeft));
  }
  const engine = `SELECT ${item.text.engine} FROM ${left.text.engine} ${join} JOIN ${right.text.engine} ON ${on.engine}`;
  return bodyOf(item, { engine, duckdb: parts.map((part) => `(${part})`).join(" UNION ALL ") });
};

const unnestedValues: Place = ({ random, host, core, item }) => {
  const [a, b] = [numberIn(random, core.scope), numberIn(random, core.scope)];
  if (a === undefined || b === undefined) {
    return undefined;
  }
  const alias = host.name("s");
  const entries = {
    engine: `UNNEST(ARRAY[${a.text.engine}, ${b.text.engine}]) AS ${alias} (e)`,
    duckdb: `LATERAL (VALUES (${a.text.duckdb}), (${b.text.duckdb})) AS ${alias} (e)`,
  };
  return random.chance(50)
    ? bodyOf(item, text`SELECT ${item.text} FROM ${core.from} CROSS JOIN ${entries}${core.where}`)
    : {
        ...number,
        bound: Math.max(a.bound, b.bound),
        text: text`SELECT ${alias}.e FROM ${core.from} CROSS JOIN ${entries}${core.where}`,
      };
};

const lateralRows: Place = ({ random, host, core, item, rows }) => {
  const body = random.part(() => rows({ ...core.scope, nesting: (core.scope.nesting ?? 0) - 1 }));
  if (body === undefined) {
    return undefined;
  }
  const alias = host.name("s");
  const plain = random.pick([
    text`CROSS JOIN LATERAL (${body.text}) AS ${alias} (c0)`,
    text`LEFT JOIN LATERAL (${body.text}) AS ${alias} (c0) ON TRUE`,
  ]);
  const made: Expression = { ...body, text: text`${alias}.c0`, variable: true };
  const condition = random.chance(40) ? conditionIn(random, { ...core.scope, columns: [...core.columns, made] }) : undefined;
  const joined = condition === undefined ? plain : lateralOn(random.pick(["", "LEFT "]), { alias, body: body.text, condition });
  const from = text`FROM ${core.from} ${joined}${core.where}`;
  return random.chance(50) ? bodyOf(item, text`SELECT ${item.text} ${from}`) : { ...body, text: text`SELECT ${alias}.c0 ${from}` };
};

/** Rows that consist of subqueries only. */
const listedValues: Place = ({ random, core }) => {
  const outer: Scope = { ...core.scope, columns: [] };
  const [a, b] = [numberIn(random, outer), numberIn(random, outer)];
  return a && b && { ...number, bound: Math.max(a.bound, b.bound), text: text`VALUES (${a.text}), (${b.text})` };
};

const places: readonly Place[] = [
  groupedBySubquery,
  filteredGroups,
  orderedBySubquery,
  outerJoined,
  unnestedValues,
  lateralRows,
  listedValues,
];

/** Undefined if no further nesting is allowed. */
export function drawPlaced(options: PlaceOptions): ColumnBody | undefined {
  return (options.core.scope.nesting ?? 0) > 0 ? options.random.pick(places)(options) : undefined;
}
