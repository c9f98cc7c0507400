/**
 * The ports of the catalog under test: what it reads through them fails while a rule says so, as a disk, a server or a database fails that
 * is gone in the midst of a split. Servers may also stop to answer.
 */
import { type DatabaseConnection, type DatabaseCursor, DatabaseError, type Databases } from "../../ports/databases.ts";
import { NetworkError } from "../../ports/network.ts";
import type { Outbound } from "../../ports/outbound.ts";
import type { Ports } from "../../ports/ports.ts";
import { type Storage, StorageError } from "../../ports/storage.ts";

const why = "planted by the connector kit";

export class PlantedFaults {
  /** Answers since the last `during`. */
  #answers = 0;
  #failsFrom = Number.POSITIVE_INFINITY;
  #silentFrom = Number.POSITIVE_INFINITY;
  #waiting = 0;
  #underWay = 0;
  /** An answer has failed since then. */
  hasFailed = false;

  /** Runs the work. All answers from the one with this number on fail, counted from 0; none if it is infinite. */
  async during<T>(failsFrom: number, work: () => Promise<T>): Promise<T> {
    this.#answers = 0;
    this.hasFailed = false;
    this.#failsFrom = failsFrom;
    try {
      return await work();
    } finally {
      this.#failsFrom = Number.POSITIVE_INFINITY;
    }
  }

  /** Runs the work. Servers are silent from the answer with this number on, until the request is aborted or the connection closed. */
  async silent<T>(silentFrom: number, work: () => Promise<T>): Promise<T> {
    this.#answers = 0;
    this.#silentFrom = silentFrom;
    try {
      return await work();
    } finally {
      this.#silentFrom = Number.POSITIVE_INFINITY;
    }
  }

  /** Requests that wait for a silent server. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Requests that have been let through and are not answered, such as the end of a transaction on a connection that is given back. */
  get underWay(): number {
    return this.#underWay;
  }

  get answers(): number {
    return this.#answers;
  }

  over(ports: Ports): Ports {
    const { databases, outbound } = ports;
    return {
      ...ports,
      openFolder: (path, options) => this.#folder(ports.openFolder(path, options)),
      ...(databases !== undefined && { databases: this.#databases(databases) }),
      ...(outbound !== undefined && { outbound: this.#outbound(outbound) }),
    };
  }

  async #answer<T>(work: () => Promise<T>, fail: () => Error): Promise<T> {
    const number = this.#answers++;
    if (number >= this.#failsFrom) {
      this.hasFailed = true;
      throw fail();
    }
    return this.#whole(work);
  }

  async #whole<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay++;
    try {
      return await work();
    } finally {
      this.#underWay--;
    }
  }

  #folder(storage: Storage): Storage {
    const fail = (path: string) => () => new StorageError("IO", path, why);
    const listed = withMethod(storage, "list", (path) => this.#answer(() => storage.list(path), fail(path)));
    const described = withMethod(listed, "stat", (path) => this.#answer(() => storage.stat(path), fail(path)));
    return withMethod(described, "read", (...parameters) => this.#answer(() => storage.read(...parameters), fail(parameters[0])));
  }

  #outbound(outbound: Outbound): Outbound {
    return withMethod(outbound, "request", (request, options) => {
      if (this.#answers >= this.#silentFrom) {
        return this.#silence((end) => options.onAbortable?.(() => end(new NetworkError("ABORTED", why))));
      }
      return this.#answer(
        () => outbound.request(request, options),
        () => new NetworkError("CONNECTION_RESET", why),
      );
    });
  }

  /** Nothing comes until `end` is called. */
  #silence(onBegin: (end: (error: Error) => void) => void): Promise<never> {
    this.#waiting++;
    return new Promise((_, reject) => {
      let isOver = false;
      onBegin((error) => {
        this.#waiting -= isOver ? 0 : 1;
        isOver = true;
        reject(error);
      });
    });
  }

  #databases(databases: Databases): Databases {
    return { connect: async (address) => this.#connection(await databases.connect(address)) };
  }

  /** Its server is gone when an answer fails. */
  #connection(connection: DatabaseConnection): DatabaseConnection {
    const lose = (): Error => {
      connection.close();
      return new DatabaseError("LOST", why);
    };
    const closing: ((error: Error) => void)[] = [];
    // A closed connection fails by itself.
    let isClosed = false;
    const ask = <T>(work: () => Promise<T>): Promise<T> =>
      this.#answers >= this.#silentFrom && !isClosed ? this.#silence((end) => closing.push(end)) : this.#answer(work, lose);
    const cursorOf = (sql: string): DatabaseCursor => {
      const cursor = connection.open(sql);
      const read = withMethod(cursor, "read", (rowsMax) => ask(() => cursor.read(rowsMax)));
      return withMethod(read, "close", () => this.#whole(() => cursor.close()));
    };
    const closed = withMethod(connection, "close", () => {
      isClosed = true;
      connection.close();
      for (const end of closing.splice(0)) {
        end(new DatabaseError("LOST", why));
      }
    });
    const queried = withMethod(closed, "query", (sql) => ask(() => connection.query(sql)));
    return withMethod(queried, "open", cursorOf);
  }
}

/** The same object with another method; all else is done by the object itself, whose members may be private. */
function withMethod<T extends object, Name extends keyof T>(target: T, name: Name, method: T[Name]): T {
  return new Proxy(target, {
    get: (_, key) => {
      if (key === name) {
        return method;
      }
      const member: unknown = Reflect.get(target, key, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
