/** One snapshot of the database for each query: a transaction of the coordinator holds it until the query ends. */
import type { DatabaseConnection } from "../../../ports/databases.ts";
import type { ConnectorQuery } from "../../spi.ts";
import type { RemoteDialect } from "./dialect.ts";
import type { ConnectionPool } from "./pool.ts";
import { remoteError } from "./pool.ts";

export interface Snapshot {
  readonly name: string;
  /** In the transaction of the snapshot. Statements run one after the other. */
  run<T>(work: (connection: DatabaseConnection) => Promise<T>): Promise<T>;
}

export class Snapshots {
  readonly #pool: ConnectionPool;
  readonly #dialect: RemoteDialect;
  readonly #queries = new Map<string, Promise<Snapshot>>();

  constructor(pool: ConnectionPool, dialect: RemoteDialect) {
    this.#pool = pool;
    this.#dialect = dialect;
  }

  /** The snapshot of the query; undefined if its reads share none. Throws QueryError JDBC_ERROR. */
  async of(query: ConnectorQuery | undefined): Promise<Snapshot | undefined> {
    return query === undefined || this.#dialect.exportSnapshot === undefined ? undefined : this.#known(query);
  }

  #known(query: ConnectorQuery): Promise<Snapshot> {
    const known = this.#queries.get(query.id);
    if (known !== undefined) {
      return known;
    }
    const snapshot = this.#begin(query);
    this.#queries.set(query.id, snapshot);
    snapshot.catch(() => this.#queries.delete(query.id));
    return snapshot;
  }

  async #begin(query: ConnectorQuery): Promise<Snapshot> {
    const connection = await this.#pool.acquire();
    let last: Promise<unknown> = Promise.resolve();
    let running = 0;
    let hasEnded = false;
    const run = <T>(work: (connection: DatabaseConnection) => Promise<T>): Promise<T> => {
      running++;
      const result = last.then(() => work(connection)).finally(() => running--);
      last = result.catch(() => undefined);
      return result.catch((error: unknown) => {
        throw remoteError(error);
      });
    };
    // A server that does not answer would keep the connection.
    const stop = (): void => {
      if (running > 0) {
        connection.cancel();
        connection.close();
      }
    };
    const end = (): void => {
      if (hasEnded) {
        return;
      }
      hasEnded = true;
      this.#queries.delete(query.id);
      stop();
      this.#pool.giveBack(connection, () => run(() => connection.query(this.#dialect.endRead)));
    };
    // The query may end, or have ended, before the snapshot is there.
    const state = { isOver: false, isTaken: false };
    query.onEnd(() => {
      state.isOver = true;
      if (state.isTaken) {
        end();
      } else {
        stop();
      }
    });
    try {
      const name = await run(async (open) => (await this.#dialect.exportSnapshot?.(open)) ?? "");
      state.isTaken = true;
      if (state.isOver) {
        end();
      }
      return { name, run };
    } catch (error) {
      end();
      throw error;
    }
  }
}
