/** What the metadata of all databases have in common: a pool of connections, pushed operations, and the statement of a scan. */
import type { DatabaseRow } from "../../../ports/databases.ts";
import type { ConnectorExpression, PushedJoin, PushedOperation, PushedTable } from "../../pushdown.ts";
import type { ColumnMetadata, Constraint, Json } from "../../spi.ts";
import type { RemoteDialect } from "./dialect.ts";
import { narrowed, pushDown, pushJoin, type PushdownOptions } from "./pushdown.ts";
import type { Connections } from "./pool.ts";
import { columnsOf, handleOf } from "./remote-table.ts";
import { conditionOf, selectSql } from "./select.ts";

export interface RemoteMetadataOptions {
  readonly dialect: RemoteDialect;
  readonly pushdown: PushdownOptions;
  /** Longer lists of values in a condition become ranges. */
  readonly valuesMax: number;
}

export class RemoteMetadata<Options extends RemoteMetadataOptions> {
  protected readonly pool: Connections;
  protected readonly options: Options;

  constructor(pool: Connections, options: Options) {
    this.pool = pool;
    this.options = options;
  }

  pushDown(handle: Json, operation: PushedOperation): PushedTable | undefined {
    const { dialect, pushdown } = this.options;
    return pushDown(dialect, handleOf(handle), { operation, options: pushdown });
  }

  pushJoin(join: PushedJoin): PushedTable | undefined {
    return this.options.pushdown.joins ? pushJoin(this.options.dialect, join) : undefined;
  }

  narrow(handle: Json, conditions: readonly ConnectorExpression[]): Json | undefined {
    return narrowed(this.options.dialect, handleOf(handle), conditions);
  }

  /** The statement of the scan, without the parts of splits and without dynamic filters. */
  describeScan(handle: Json, columns: readonly ColumnMetadata[], { summary }: Constraint): string {
    const { dialect, valuesMax } = this.options;
    const remote = handleOf(handle);
    const where = summary.isNone ? "1 = 0" : conditionOf(dialect, remote, { summary, valuesMax });
    return selectSql(dialect, { relation: remote.relation, columns: columnsOf(remote, columns), where: [...(remote.where ?? []), where] });
  }

  protected query(sql: string): Promise<readonly DatabaseRow[]> {
    return this.pool.ask((connection) => connection.query(sql));
  }
}
