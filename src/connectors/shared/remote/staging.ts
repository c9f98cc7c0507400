/**
 * Writes by way of a staging table beside the target, with one column more: the id of the sink that has written the row. The commit copies
 * the rows of finished sinks.
 */
import { base32 } from "../../../ports/random.ts";
import type { PageValue } from "../../../page/reader.ts";
import type { Type } from "../../../types/type.ts";
import type { ColumnMetadata, ConnectorContext, Json, PageSink, PageSinkRequest } from "../../spi.ts";
import type { Connections } from "./pool.ts";
import { RemoteSink, type RowsForm, type SinkFragment } from "./sink.ts";

/** The column of the staging table with the id of the sink. */
export const sinkColumn = "orrery_sink";
const idLength = 12;

/** Plain JSON. */
export interface WriteHandle {
  /** Quoted names. */
  readonly staging: string;
  readonly target: string;
  /** Quoted names of the columns that are written. */
  readonly columns: readonly string[];
  /** Definitions of the columns of a new table. */
  readonly created?: readonly string[];
  /** Statements after its creation. */
  readonly comments?: readonly string[];
}

export function writeOf(handle: Json): WriteHandle {
  return handle as unknown as WriteHandle;
}

/** SELECT of the rows of finished sinks. */
export function committedRows({ staging, columns }: WriteHandle, fragments: readonly Json[]): string {
  return `SELECT ${columns.join(", ")} FROM ${staging} WHERE ${sinksCondition(sinkColumn, fragments)}`;
}

/** Condition of the rows of finished sinks, by the column with the id of the sink. */
export function sinksCondition(column: string, fragments: readonly Json[]): string {
  const sinks = fragments.map((fragment) => (fragment as unknown as SinkFragment).id);
  return sinks.length === 0 ? "1 = 0" : `${column} IN (${sinks.join(", ")})`;
}

export interface SinkOptions {
  /** Rows of an INSERT statement. */
  readonly rowsMax: number;
  /** The value in SQL of the database. */
  readonly literal: (type: Type, value: Exclude<PageValue, null>) => string;
  /** Another form of rows than VALUES; undefined for columns that it cannot write. `insert`: `INSERT INTO table (columns)`. */
  readonly rows?: (columns: readonly ColumnMetadata[], target: { readonly insert: string; readonly id: string }) => RowsForm | undefined;
}

export function sinksOf(
  { catalog, ports }: ConnectorContext,
  { rowsMax, literal, rows }: SinkOptions,
): (pool: Connections, request: PageSinkRequest) => PageSink {
  // A restarted node writes under other ids.
  const token = ports.random.stream(`database-sinks-${catalog}`).nextText(idLength, base32);
  let sinks = 0;
  return (pool, { handle, columns, taskId, memory }) => {
    const { staging, columns: names } = writeOf(handle);
    const name = `${taskId}_${token}_${sinks++}`;
    const insert = `INSERT INTO ${staging} (${[sinkColumn, ...names].join(", ")})`;
    return new RemoteSink({
      pool,
      form: rows?.(columns, { insert, id: name }) ?? {
        value: ({ type }, value) => (value === null ? "NULL" : literal(type, value)),
        row: (values) => `('${name}', ${values.join(", ")})`,
        statement: (list) => `${insert} VALUES ${list.join(", ")}`,
      },
      id: `'${name}'`,
      columns,
      rowsMax,
      linear: memory.linear,
    });
  };
}
