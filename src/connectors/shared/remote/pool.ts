/**
 * Connections to one database: at most `connectionsMax` at once. Requests beyond wait in the order in which they came, at most
 * `waitMs`. Idle connections are kept for a while.
 */
import { type DatabaseAddress, type DatabaseConnection, DatabaseError, type Databases } from "../../../ports/databases.ts";
import type { Clock, Timer } from "../../../ports/clock.ts";
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

/** Time after which an idle connection is closed. */
const idleMs = 60_000;

export interface PoolOptions {
  readonly databases: Databases;
  readonly address: DatabaseAddress;
  readonly clock: Clock;
  readonly connectionsMax: number;
  readonly waitMs: number;
  /** Time for the answers to a question of `ask`, and to the end of a transaction. */
  readonly answerMs: number;
  /** Statements that a new connection runs first. */
  readonly settings: string;
}

interface Waiter {
  readonly timer: Timer;
  fail(error: unknown): void;
  take(connection: Promise<DatabaseConnection>): void;
}

/** JDBC_ERROR for an error of the database; other errors are unchanged. */
export function remoteError(error: unknown): unknown {
  return error instanceof DatabaseError ? new QueryError("JDBC_ERROR", error.message, undefined, { cause: error }) : error;
}

export class ConnectionPool implements Connections {
  readonly #options: PoolOptions;
  /** The one that was used last is the last. */
  #idle: DatabaseConnection[] = [];
  readonly #waiters: Waiter[] = [];
  /** Connections that are lent out or being made. */
  #busy = 0;
  #sweep: Timer | undefined;
  #usedSinceSweep = false;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Throws QueryError JDBC_ERROR. The caller gives the connection back with `release`. */
  acquire(): Promise<DatabaseConnection> {
    const { connectionsMax, clock, waitMs } = this.#options;
    if (this.#busy < connectionsMax) {
      return this.#take();
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        timer: clock.timer("database-pool-wait", waitMs, () => {
          this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
          reject(new QueryError("JDBC_ERROR", `No connection became free within ${waitMs}ms (at most ${connectionsMax} are open)`));
        }),
        fail: reject,
        take: resolve,
      };
      this.#waiters.push(waiter);
    });
  }

  /** A connection that is not usable any more, or is in a transaction that cannot be ended, is closed first. */
  release(connection: DatabaseConnection): void {
    this.#busy--;
    if (connection.isUsable && !this.#isClosed) {
      this.#idle.push(connection);
      this.#usedSinceSweep = true;
      this.#sweep ??= this.#options.clock.timer("database-pool-idle", idleMs, () => this.#closeIdle());
    } else {
      connection.close();
    }
    const next = this.#waiters.shift();
    if (next !== undefined) {
      next.timer.cancel();
      next.take(this.#take());
    }
  }

  /**
   * Ends what was begun with a connection, such as its transaction, and gives it back: closed if that fails, or if the server does not
   * answer.
   */
  giveBack(connection: DatabaseConnection, end: () => Promise<unknown>): void {
    const { answerMs, clock } = this.#options;
    const timer = clock.timer("database-end", answerMs, () => connection.close());
    end()
      .catch(() => connection.close())
      .finally(() => {
        timer.cancel();
        this.release(connection);
      });
  }

  /** Runs `work` with a connection. */
  async use<T>(work: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    const connection = await this.acquire();
    try {
      return await work(connection);
    } catch (error) {
      throw remoteError(error);
    } finally {
      this.release(connection);
    }
  }

  /**
   * As `use`, for questions about what the database has, which end soon at a database that answers: the connection is not kept for one
   * that does not. Throws QueryError JDBC_ERROR.
   */
  ask<T>(work: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    const { answerMs } = this.#options;
    const message = `No answer about metadata within ${answerMs}ms`;
    return this.use((connection) => this.#within(connection, { limitMs: answerMs, message }, work));
  }

  cleanUp<T>(work: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    return this.ask(work);
  }

  /** As `use`, for a change that the database stops when the query ends. */
  useFor<T>(query: EndingQuery, work: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    return new QueryConnections(this, query).use(work);
  }

  /** Gives up a connection whose server does not answer in time. */
  async #within<T>(
    connection: DatabaseConnection,
    { limitMs, message }: { readonly limitMs: number; readonly message: string },
    work: (connection: DatabaseConnection) => Promise<T>,
  ): Promise<T> {
    let isLate = false;
    const timer = this.#options.clock.timer("database-answer", limitMs, () => {
      isLate = true;
      connection.cancel();
      connection.close();
    });
    try {
      return await work(connection);
    } catch (error) {
      throw isLate ? new QueryError("JDBC_ERROR", message, undefined, { cause: error }) : error;
    } finally {
      timer.cancel();
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#sweep?.cancel();
    for (const { timer, fail } of this.#waiters.splice(0)) {
      timer.cancel();
      fail(new QueryError("JDBC_ERROR", "The catalog is closed"));
    }
    for (const connection of this.#idle.splice(0)) {
      connection.close();
    }
  }

  async #take(): Promise<DatabaseConnection> {
    this.#busy++;
    try {
      for (let known = this.#idle.pop(); known !== undefined; known = this.#idle.pop()) {
        if (known.isUsable) {
          return known;
        }
        known.close();
      }
      return await this.#connect();
    } catch (error) {
      this.#busy--;
      this.#pass();
      throw remoteError(error);
    }
  }

  async #connect(): Promise<DatabaseConnection> {
    const { databases, address, settings } = this.#options;
    const connection = await databases.connect(address);
    try {
      if (settings !== "") {
        // Its reader cannot stop it, because it does not have it yet.
        const limits = { limitMs: address.connectTimeoutMs, message: `No answer of a new connection within ${address.connectTimeoutMs}ms` };
        await this.#within(connection, limits, () => connection.query(settings));
      }
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** A connection that was not made leaves room for the next. */
  #pass(): void {
    const next = this.#waiters.shift();
    if (next !== undefined) {
      next.timer.cancel();
      next.take(this.#take());
    }
  }

  #closeIdle(): void {
    this.#sweep = undefined;
    const idle = this.#usedSinceSweep ? [] : this.#idle.splice(0);
    this.#usedSinceSweep = false;
    for (const connection of idle) {
      connection.close();
    }
    if (this.#idle.length > 0) {
      this.#sweep = this.#options.clock.timer("database-pool-idle", idleMs, () => this.#closeIdle());
    }
  }
}

/**
 * Connections of one query. When it ends, what they are running is stopped and they are closed: a server that does not answer keeps no
 * connection of a query that nobody waits for.
 */
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
