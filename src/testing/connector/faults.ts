/**
 * The ports of the catalog under test: what it reads through them fails while a rule says so, as a disk, a server or a database fails that
 * is gone in the midst of a split.
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
    return work();
  }

  #folder(storage: Storage): Storage {
    return withMethod(storage, "read", (...parameters) =>
      this.#answer(
        () => storage.read(...parameters),
        () => new StorageError("IO", parameters[0], why),
      ),
    );
  }

  #outbound(outbound: Outbound): Outbound {
    return withMethod(outbound, "request", (...parameters) =>
      this.#answer(
        () => outbound.request(...parameters),
        () => new NetworkError("CONNECTION_RESET", why),
      ),
    );
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
    const cursorOf = (sql: string): DatabaseCursor => {
      const cursor = connection.open(sql);
      return withMethod(cursor, "read", (rowsMax) => this.#answer(() => cursor.read(rowsMax), lose));
    };
    const queried = withMethod(connection, "query", (sql) => this.#answer(() => connection.query(sql), lose));
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
