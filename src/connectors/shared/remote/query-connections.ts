/**
 * Connections of one query. When it ends, what they are running is stopped and they are closed: a server that does not answer keeps no
 * connection of a query that nobody waits for.
 */
import type { DatabaseConnection } from "../../../ports/databases.ts";
import { QueryError } from "../../../protocol/errors.ts";
import type { EndingQuery } from "../../spi.ts";

type Work<T> = (connection: DatabaseConnection) => Promise<T>;

/** What metadata needs of a pool. Everything throws QueryError JDBC_ERROR. */
export interface Connections {
  /** Work of any length. */
  use<T>(work: Work<T>): Promise<T>;
  /** A question about what the database has; it has a time limit. */
  ask<T>(work: Work<T>): Promise<T>;
  /** As `use`, for a change that the database stops when the query ends. */
  useFor<T>(query: EndingQuery, work: Work<T>): Promise<T>;
  /** What a statement has left is removed, also after the end of its query. It has a time limit. */
  cleanUp<T>(work: Work<T>): Promise<T>;
}

export class QueryConnections implements Connections {
  readonly #pool: Connections;
  readonly #running = new Set<DatabaseConnection>();
  #isOver = false;

  constructor(pool: Connections, query: EndingQuery) {
    this.#pool = pool;
    query.onEnd(() => {
      this.#isOver = true;
      for (const connection of this.#running) {
        // The request to stop may arrive late, so the connection must not run the statement of another query. It is closed at once,
        // because a server that does not answer any more would keep it.
        connection.cancel();
        connection.close();
      }
    });
  }

  use<T>(work: Work<T>): Promise<T> {
    return this.#pool.use((connection) => this.#run(connection, work));
  }

  ask<T>(work: Work<T>): Promise<T> {
    return this.#pool.ask((connection) => this.#run(connection, work));
  }

  useFor<T>(query: EndingQuery, work: Work<T>): Promise<T> {
    return this.#pool.useFor(query, work);
  }

  cleanUp<T>(work: Work<T>): Promise<T> {
    return this.#pool.cleanUp(work);
  }

  async #run<T>(connection: DatabaseConnection, work: Work<T>): Promise<T> {
    // The query may have ended while it waited for the connection.
    if (this.#isOver) {
      throw new QueryError("USER_CANCELED", "The query has ended");
    }
    this.#running.add(connection);
    try {
      return await work(connection);
    } finally {
      this.#running.delete(connection);
    }
  }
}
