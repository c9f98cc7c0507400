/**
 * Tables that a database computes: filters, aggregations, orders and limits become a statement, which is then read as a table of its own.
 */
import type { ConnectorExpression, JoinSide, PushedAggregate, PushedJoin, PushedOperation, PushedTable } from "../../pushdown.ts";
import type { Json, SortedColumn } from "../../table-metadata.ts";
import type { RemoteDialect } from "./dialect.ts";
import { Conditions } from "./expressions.ts";
import { columnsOf, handleOf, jsonOf, type RemoteColumn, type RemoteHandle } from "./remote-table.ts";
import { relationSql } from "./select.ts";

interface Output {
  readonly sql: string;
  readonly column: RemoteColumn;
}

export interface PushdownOptions {
  readonly aggregates: boolean;
  readonly topN: boolean;
  readonly joins: boolean;
}

/** undefined if the database might return other rows than the engine. */
export function pushDown(
  dialect: RemoteDialect,
  handle: RemoteHandle,
  { operation, options }: { readonly operation: PushedOperation; readonly options: PushdownOptions },
): PushedTable | undefined {
  const { aggregation, orderBy = [], limit, conditions } = operation;
  if ((aggregation !== undefined && !options.aggregates) || (orderBy.length > 0 && !options.topN)) {
    return undefined;
  }
  const byName = new Map(handle.columns.map((column) => [column.name, column]));
  const where = new Conditions(dialect, handle.columns);
  const filters = [...(handle.where ?? []), ...conditions.map((condition) => where.sql(condition))];
  const outputs =
    aggregation === undefined
      ? operation.columns.map(({ name }) => plainOutput(dialect, byName.get(name)))
      : [
          ...aggregation.keys.map((name) => keyOutput(dialect, byName.get(name))),
          ...aggregation.aggregates.map((one, index) => aggregateOutput(dialect, one, { byName, index })),
        ];
  const order = orderBy.map((one) => orderSql(dialect, byName.get(one.column), one));
  const isCertain = [...filters, ...outputs, ...order].every((part) => part !== undefined);
  if (!isCertain) {
    return undefined;
  }
  const columns = outputs.flatMap((output) => output?.column ?? []);
  const keys = (aggregation?.keys ?? []).flatMap((name) => groupKeyOf(dialect, byName.get(name)) ?? []);
  const list = outputs.map((output) => output?.sql).join(", ");
  const query = [
    `SELECT ${list === "" ? "NULL" : list} FROM ${relationSql(dialect, handle.relation)}`,
    ...(filters.length === 0 ? [] : [`WHERE ${filters.join(" AND ")}`]),
    // The order of groups is that of their keys, so that it is the same whenever the statement runs.
    ...(keys.length === 0 ? [] : [`GROUP BY ${keys.join(", ")} ORDER BY ${keys.join(", ")}`]),
    ...(order.length === 0 ? [] : [`ORDER BY ${[...order, ...dialect.tieBreakers(handle.relation, columns)].join(", ")}`]),
    ...(limit === undefined ? [] : [`LIMIT ${limit}`]),
  ].join(" ");
  return {
    handle: jsonOf({ relation: { query }, columns }),
    columns: columns.map(({ name, type }) => ({ name, type })),
  };
}

/**
 * Rows are in the order of the left table, then of the right one, so that they come in one order whenever the statement runs. undefined if
 * the database might find other pairs, or if a side is no table.
 */
export function pushJoin(dialect: RemoteDialect, { left, right, criteria }: PushedJoin): PushedTable | undefined {
  const [one, other] = [left, right].map((side, index) => {
    const keys = criteria.map((pair) => (index === 0 ? pair.left : pair.right));
    return joinedSide(dialect, side, { alias: index === 0 ? "l" : "r", keys });
  });
  if (one === undefined || other === undefined) {
    return undefined;
  }
  const outputs = [one, other].flatMap(({ alias, columns }) => columns.map((column) => ({ alias, column })));
  const columns = outputs.map(({ column }, index) => ({
    ...column,
    name: `${column.name}_${index}`,
    remoteName: `${column.name}_${index}`,
  }));
  const list = outputs.map(({ alias, column }, index) => {
    return `${alias}.${dialect.quote(column.remoteName)} AS ${dialect.quote(columns[index]?.remoteName ?? "")}`;
  });
  const on = criteria.map((_pair, index) => `l._key_${index} = r._key_${index}`).join(" AND ");
  const order = [one, other].flatMap(({ alias, places }) => places.map((place) => `${alias}.${place}`)).join(", ");
  const rows = `SELECT ${list.join(", ")} FROM ${one.sql} JOIN ${other.sql} ON ${on}`;
  const query = order === "" ? rows : `${rows} ORDER BY ${order}`;
  return { handle: jsonOf({ relation: { query }, columns }), columns: columns.map(({ name, type }) => ({ name, type })) };
}

interface SideSql {
  readonly alias: string;
  readonly sql: string;
  readonly columns: readonly RemoteColumn[];
  /** Columns by which its rows are ordered. */
  readonly places: readonly string[];
}

function joinedSide(
  dialect: RemoteDialect,
  side: JoinSide,
  { alias, keys }: { readonly alias: string; readonly keys: readonly string[] },
): SideSql | undefined {
  const handle = handleOf(side.handle);
  const byName = new Map(handle.columns.map((column) => [column.name, column]));
  const conditions = new Conditions(dialect, handle.columns);
  const where = [...(handle.where ?? []), ...side.conditions.map((condition) => conditions.sql(condition))];
  const columns = columnsOf(handle, side.columns);
  const keySql = keys.map((key, index) => joinKeySql(dialect, byName.get(key), index));
  const places = dialect.isUnordered === true ? [] : dialect.tieBreakers(handle.relation, columns);
  const isCertain = [...where, ...keySql].every((part) => part !== undefined);
  if ((places.length === 0 && dialect.isUnordered !== true) || columns.length === 0 || !isCertain) {
    return undefined;
  }
  const list = [
    ...columns.map(({ remoteName }) => dialect.quote(remoteName)),
    ...keySql,
    ...places.map((place, index) => `${place} AS _place_${index}`),
  ].join(", ");
  const filter = where.length === 0 ? "" : ` WHERE ${where.join(" AND ")}`;
  return {
    alias,
    sql: `(SELECT ${list} FROM ${relationSql(dialect, handle.relation)}${filter}) AS ${alias}`,
    columns,
    places: places.map((_place, index) => `_place_${index}`),
  };
}

/** The operand of an order is the same on both sides, whatever their collations; NaN is equal to itself in databases only. */
function joinKeySql(dialect: RemoteDialect, column: RemoteColumn | undefined, index: number): string | undefined {
  if (column === undefined || column.type.kind === "double") {
    return undefined;
  }
  const operand = column.isLoose === true ? dialect.exact?.(column) : dialect.operand(column, "order");
  return operand && `${operand} AS _key_${index}`;
}

/** undefined if the database can check none of the conditions. */
export function narrowed(dialect: RemoteDialect, handle: RemoteHandle, conditions: readonly ConnectorExpression[]): Json | undefined {
  const where = new Conditions(dialect, handle.columns);
  const known = conditions.flatMap((condition) => where.sql(condition) ?? []);
  return known.length === 0 ? undefined : jsonOf({ ...handle, where: [...(handle.where ?? []), ...known] });
}

function plainOutput(dialect: RemoteDialect, column: RemoteColumn | undefined): Output | undefined {
  return column && { sql: dialect.quote(column.remoteName), column };
}

function groupKeyOf(dialect: RemoteDialect, column: RemoteColumn | undefined): string | undefined {
  return column === undefined || column.isLoose === true || !dialect.isGroupKey(column) ? undefined : dialect.quote(column.remoteName);
}

function keyOutput(dialect: RemoteDialect, column: RemoteColumn | undefined): Output | undefined {
  return groupKeyOf(dialect, column) === undefined ? undefined : plainOutput(dialect, column);
}

function aggregateOutput(
  dialect: RemoteDialect,
  { name, argument, type }: PushedAggregate,
  { byName, index }: { readonly byName: ReadonlyMap<string, RemoteColumn>; readonly index: number },
): Output | undefined {
  const column = argument === undefined ? undefined : byName.get(argument);
  if (argument !== undefined && column === undefined) {
    return undefined;
  }
  const found = dialect.aggregate(name, column);
  // A name that no column has.
  let alias = `_agg_${index}`;
  while (byName.has(alias)) {
    alias = `_${alias}`;
  }
  return (
    found && {
      sql: `${found.sql} AS ${dialect.quote(alias)}`,
      column: { name: alias, remoteName: alias, type, remoteType: found.remoteType },
    }
  );
}

function orderSql(dialect: RemoteDialect, column: RemoteColumn | undefined, order: SortedColumn): string | undefined {
  // A database that has an exact operand for loose columns orders by it.
  const key = column === undefined || (column.isLoose === true && dialect.exact === undefined) ? undefined : dialect.sortKey(column);
  const { descending, nullsFirst } = order;
  return key && (dialect.ordered?.(key, order) ?? `${key} ${descending ? "DESC" : "ASC"} NULLS ${nullsFirst ? "FIRST" : "LAST"}`);
}
