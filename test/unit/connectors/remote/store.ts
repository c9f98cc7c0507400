/**
 * A database behind the port `Databases` that serves numbered rows and fails as a test says. Answers come when the test lets them, in the
 * order of the requests.
 */
import { type DatabaseConnection, DatabaseError, type DatabaseRow, type Databases } from "../../../../src/ports/databases.ts";

export type Fault = "connect" | "lost" | "error";

export interface StoreOptions {
  /** Rows of every cursor. */
  readonly rows: readonly DatabaseRow[];
  /** The fault of the request with this number, counted from 0 over all requests of the store. */
  readonly faults?: ReadonlyMap<number, Fault>;
}

export class Store implements Databases {
  readonly #options: StoreOptions;
  /** What each connection was asked, and `close` once it is closed. */
  readonly connections: string[][] = [];
  open = 0;
  openMax = 0;
  #requests = 0;
  /** Requests wait while it is set. */
  gate: Promise<void> | undefined;

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  async #request(): Promise<void> {
    const fault = this.#options.faults?.get(this.#requests++);
    await this.gate;
    if (fault !== undefined) {
      const kinds = { connect: "CONNECT", lost: "LOST", error: "SERVER" } as const;
      throw new DatabaseError(kinds[fault], `fault: ${fault}`);
    }
  }

  async connect(): Promise<DatabaseConnection> {
    await this.#request();
    const log: string[] = [];
    this.connections.push(log);
    this.open++;
    this.openMax = Math.max(this.openMax, this.open);
    let isUsable = true;
    let isOpen = true;
    let lose: (error: Error) => void = () => undefined;
    const lost = new Promise<never>((_, reject) => (lose = reject));
    lost.catch(() => undefined);
    const request = async (): Promise<void> => {
      await Promise.race([this.#request(), lost]).catch((error: unknown) => {
        isUsable = !(error instanceof DatabaseError && error.kind === "LOST");
        throw error;
      });
    };
    return {
      get isUsable() {
        return isUsable;
      },
      query: async (sql) => {
        log.push(sql);
        await request();
        return [[sql]];
      },
      describe: async () => [],
      open: (sql) => {
        log.push(sql);
        let next = 0;
        return {
          read: async (rowsMax) => {
            await request();
            const rows = this.#options.rows.slice(next, next + rowsMax);
            next += rows.length;
            return rows;
          },
          close: async () => {
            log.push("close cursor");
          },
        };
      },
      cancel: () => log.push("cancel"),
      close: () => {
        isUsable = false;
        if (isOpen) {
          isOpen = false;
          this.open--;
          log.push("close");
          lose(new DatabaseError("LOST", "it was closed"));
        }
      },
    };
  }
}
