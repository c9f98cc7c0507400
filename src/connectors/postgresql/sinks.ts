/** Sinks that write to the staging tables of writable-metadata.ts. */
import { base32 } from "../../ports/random.ts";
import type { ConnectionPool } from "../shared/remote/pool.ts";
import { RemoteSink } from "../shared/remote/sink.ts";
import type { ConnectorContext, PageSink, PageSinkRequest } from "../spi.ts";
import { quoted } from "./dialect.ts";
import { storedLiteral } from "./stored-types.ts";
import { sinkColumn, writeOf } from "./writable-metadata.ts";

export function sinksOf(
  { catalog, ports }: ConnectorContext,
  rowsMax: number,
): (pool: ConnectionPool, request: PageSinkRequest) => PageSink {
  // A restarted node writes under other ids.
  const token = ports.random.stream(`postgresql-sinks-${catalog}`).nextText(12, base32);
  let sinks = 0;
  return (pool, { handle, columns, taskId, memory }) => {
    const { staging, columns: names } = writeOf(handle);
    return new RemoteSink({
      pool,
      insert: `INSERT INTO ${staging} (${[sinkColumn, ...names].join(", ")}) VALUES `,
      id: quoted(`${taskId}_${token}_${sinks++}`),
      columns,
      literal: ({ type }, value) => storedLiteral(type, value),
      rowsMax,
      linear: memory.linear,
    });
  };
}
