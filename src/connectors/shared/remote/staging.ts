/**
 * Writes by way of a staging table beside the target, with one column more: the id of the sink that has written the row. The commit copies
 * the rows of finished sinks.
 */
import { base32 } from "../../../ports/random.ts";
import type { PageValue } from "../../../page/reader.ts";
import type { Type } from "../../../types/type.ts";
import type { ConnectorContext, Json, PageSink, PageSinkRequest } from "../../spi.ts";
import type { ConnectionPool } from "./pool.ts";
import { RemoteSink, type SinkFragment } from "./sink.ts";

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
  const sinks = fragments.map((fragment) => (fragment as unknown as SinkFragment).id);
  const condition = sinks.length === 0 ? "1 = 0" : `${sinkColumn} IN (${sinks.join(", ")})`;
  return `SELECT ${columns.join(", ")} FROM ${staging} WHERE ${condition}`;
}

export interface SinkOptions {
  /** Rows of an INSERT statement. */
  readonly rowsMax: number;
  /** The value in SQL of the database. */
  readonly literal: (type: Type, value: Exclude<PageValue, null>) => string;
}

export function sinksOf(
  { catalog, ports }: ConnectorContext,
  { rowsMax, literal }: SinkOptions,
): (pool: ConnectionPool, request: PageSinkRequest) => PageSink {
  // A restarted node writes under other ids.
  const token = ports.random.stream(`database-sinks-${catalog}`).nextText(idLength, base32);
  let sinks = 0;
  return (pool, { handle, columns, taskId, memory }) => {
    const { staging, columns: names } = writeOf(handle);
    return new RemoteSink({
      pool,
      insert: `INSERT INTO ${staging} (${[sinkColumn, ...names].join(", ")}) VALUES `,
      id: `'${taskId}_${token}_${sinks++}'`,
      columns,
      literal: ({ type }, value) => literal(type, value),
      rowsMax,
      linear: memory.linear,
    });
  };
}
