/**
 * Tables that a database computes: filters, aggregations, orders and limits become a statement, which is then read as a table of its own.
 */
import type { ConnectorExpression, PushedAggregate, PushedOperation, PushedTable } from "../../pushdown.ts";
import type { Json, SortedColumn } from "../../table-metadata.ts";
import type { RemoteDialect } from "./dialect.ts";
import { Conditions } from "./expressions.ts";
import { jsonOf, type RemoteColumn, type RemoteHandle } from "./remote-table.ts";
import { relationSql } from "./select.ts";

interface Output {
  readonly sql: string;
  readonly column: RemoteColumn;
}

export interface PushdownOptions {
  readonly aggregates: boolean;
  readonly topN: boolean;
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
    ...(order.length === 0 ? [] : [`ORDER BY ${[...order, ...dialect.tieBreakers(handle.relation)].join(", ")}`]),
    ...(limit === undefined ? [] : [`LIMIT ${limit}`]),
  ].join(" ");
  return {
    handle: jsonOf({ relation: { query }, columns }),
    columns: columns.map(({ name, type }) => ({ name, type })),
  };
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

function orderSql(dialect: RemoteDialect, column: RemoteColumn | undefined, { descending, nullsFirst }: SortedColumn): string | undefined {
  const key = column === undefined || column.isLoose === true ? undefined : dialect.sortKey(column);
  return key && `${key} ${descending ? "DESC" : "ASC"} NULLS ${nullsFirst ? "FIRST" : "LAST"}`;
}
