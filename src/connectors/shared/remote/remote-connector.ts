/**
 * A connector of a database: lists the splits of a table in the snapshot of the query, and reads them by SQL. What is particular to the
 * database is in its dialect and its metadata.
 */
import type { DatabaseAddress } from "../../../ports/databases.ts";
import { QueryError } from "../../../protocol/errors.ts";
import {
  alwaysTrue,
  type ColumnMetadata,
  type Connector,
  type ConnectorContext,
  type ConnectorMetadata,
  type ConnectorSession,
  type Constraint,
  type EndingQuery,
  type Json,
  type PageSink,
  type PageSinkRequest,
  type PageSource,
  type PageSourceRequest,
  type Procedure,
  type QueryConnector,
  type Split,
  type TableMetadata,
} from "../../spi.ts";
import type { TableFunction } from "../../table-function.ts";
import { payloadOf, type RemoteDialect, type RemoteSplit, type SplitPayload } from "./dialect.ts";
import { type QueryDescriber, queryFunction } from "./native/query-function.ts";
import { RemotePageSource } from "./page-source.ts";
import { ConnectionPool, type Connections, QueryConnections } from "./pool.ts";
import { columnsOf, handleOf } from "./remote-table.ts";
import { conditionOf, selectSql } from "./select.ts";
import { type Snapshot, Snapshots } from "./snapshots.ts";

export interface RemoteOptions {
  readonly address: DatabaseAddress;
  readonly dialect: RemoteDialect;
  /** Statements that a new connection runs first. */
  readonly settings: string;
  /** Connections that read; as many others each hold snapshots, read metadata, and write. */
  readonly connectionsMax: number;
  readonly waitMs: number;
  readonly answerMs: number;
  /** Longer lists of values become ranges. */
  readonly valuesMax: number;
  readonly fetchSize: number | undefined;
  readonly createSinks: (pool: Connections, request: PageSinkRequest) => PageSink;
  /** `holders`: for connections that are kept while a query runs. */
  readonly createCatalog: (holders: ConnectionPool) => RemoteCatalog;
}

export interface RemoteCatalog {
  /** Metadata over the connections of all queries, or over those of one. */
  readonly metadata: (connections: Connections) => ConnectorMetadata & QueryDescriber;
  /** Absent if the database cannot be changed. */
  readonly executeProcedure?: (connections: Connections) => Procedure;
}

export class RemoteConnector implements Connector {
  readonly metadata: ConnectorMetadata;
  readonly tableFunctions: readonly TableFunction[];
  readonly procedures: readonly Procedure[];
  readonly #options: RemoteOptions;
  readonly #catalog: RemoteCatalog;
  readonly #readers: ConnectionPool;
  /**
   * Pools of their own: a query that waits for a connection to read must not wait for one that holds the snapshot of another query, which
   * ends only when it has read.
   */
  readonly #holders: ConnectionPool;
  readonly #describers: ConnectionPool;
  readonly #writers: ConnectionPool;
  readonly #snapshots: Snapshots;

  constructor({ catalog, ports }: ConnectorContext, options: RemoteOptions) {
    const { databases, clock } = ports;
    if (databases === undefined) {
      throw new QueryError("CONFIGURATION_INVALID", `Catalog '${catalog}' needs a database, which this node cannot reach`);
    }
    this.#options = options;
    const { address, answerMs, connectionsMax, waitMs, settings, dialect, createCatalog } = options;
    const pool = (): ConnectionPool => new ConnectionPool({ databases, address, clock, connectionsMax, waitMs, answerMs, settings });
    this.#readers = pool();
    this.#holders = pool();
    this.#describers = pool();
    this.#writers = pool();
    this.#snapshots = new Snapshots(this.#holders, dialect);
    this.#catalog = createCatalog(this.#holders);
    const metadata = this.#catalog.metadata(this.#describers);
    this.metadata = metadata;
    this.tableFunctions = [queryFunction(metadata)];
    this.procedures = this.#catalog.executeProcedure === undefined ? [] : [this.#catalog.executeProcedure(this.#describers)];
  }

  forQuery(query: EndingQuery): QueryConnector {
    const metadata = this.#catalog.metadata(new QueryConnections(this.#describers, query));
    return { metadata, tableFunctions: [queryFunction(metadata)] };
  }

  async getSplits(
    table: TableMetadata,
    _columns: readonly ColumnMetadata[],
    constraint: Constraint = alwaysTrue,
    session: ConnectorSession = {},
  ): Promise<readonly Split[]> {
    const { summary } = constraint;
    if (summary.isNone) {
      return [];
    }
    const { dialect, valuesMax } = this.#options;
    const handle = handleOf(table.handle);
    const where = conditionOf(dialect, handle, { summary, valuesMax });
    const conditions = [...(handle.where ?? []), ...(where === undefined ? [] : [where])];
    const condition = conditions.length === 0 ? undefined : conditions.join(" AND ");
    const snapshot = await this.#snapshots.of(session.query);
    const parts = await (snapshot ?? this.#unshared(session.query)).run((connection) => dialect.splits(connection, handle, condition));
    return parts.map((part) => splitOf(part, { where, snapshot: snapshot?.name }));
  }

  createPageSource(request: PageSourceRequest): PageSource {
    const { dialect, valuesMax, fetchSize } = this.#options;
    const handle = handleOf(request.table);
    const columns = columnsOf(handle, request.columns);
    const split = payloadOf(request.split);
    const { summary } = request.constraint ?? alwaysTrue;
    const dynamic = conditionOf(dialect, handle, { summary, valuesMax });
    return new RemotePageSource({
      pool: this.#readers,
      dialect,
      sql: selectSql(dialect, {
        relation: handle.relation,
        columns,
        where: [split.part, ...(handle.where ?? []), split.where, dynamic],
        order: split.order,
      }),
      columns,
      split,
      fetchSize,
      memory: request.memory,
    });
  }

  createPageSink(request: PageSinkRequest): PageSink {
    return this.#options.createSinks(this.#writers, request);
  }

  close(): void {
    for (const pool of [this.#readers, this.#holders, this.#describers, this.#writers]) {
      pool.close();
    }
  }

  #unshared(query: EndingQuery | undefined): Pick<Snapshot, "run"> {
    const connections = query === undefined ? this.#describers : new QueryConnections(this.#describers, query);
    return { run: (work) => connections.ask(work) };
  }
}

function splitOf(
  { part, order, rows }: RemoteSplit,
  { where, snapshot }: { readonly where: string | undefined; readonly snapshot: string | undefined },
): Split {
  const payload: SplitPayload = {
    ...(snapshot !== undefined && { snapshot }),
    ...(part !== undefined && { part }),
    ...(order !== undefined && { order }),
    ...(where !== undefined && { where }),
  };
  return { payload: payload as unknown as Json, ...(rows !== undefined && { rows }) };
}
