/** Connections to MySQL and MariaDB by the library `mysql2`. Values stay in the text form of the server. */
import { readFileSync } from "node:fs";
import type { Readable } from "node:stream";
import {
  type AuthPlugin,
  authPlugins,
  type Connection,
  type ConnectionOptions,
  createConnection,
  type FieldPacket,
  type QueryError,
  type SslOptions,
} from "mysql2";
import {
  type DatabaseAddress,
  type DatabaseConnection,
  type DatabaseCursor,
  DatabaseError,
  type DatabaseRow,
  type DescribedColumn,
} from "../../ports/databases.ts";
import { AnswerError, reasonOf } from "./unexpected-answers.ts";

/** How the library names a server without TLS. */
const noTlsCode = "HANDSHAKE_NO_SSL_SUPPORT";
/** Rows that the library keeps before the server waits. */
const rowsAhead = 1024;
/** Bytes that the server sends for one statement, or one batch of its rows, at most. */
const answerBytesMax = 536_870_912;
const unsignedFlag = 32;
/** The number of the character set `binary`. */
const binarySet = 63;
/** Bytes of a character, at most, of utf8mb4. */
const characterBytes = 4;

export async function connectMysql(address: DatabaseAddress): Promise<DatabaseConnection> {
  const { mode } = address.tls;
  try {
    return await connectWith(address, mode !== "disable");
  } catch (error) {
    if (mode === "prefer" && (error as Partial<QueryError>).code === noTlsCode) {
      return await connectWith(address, false).catch((second: unknown) => failConnect(address, second));
    }
    return failConnect(address, error);
  }
}

/** What a client sends to get the server's RSA key, by the method of authentication. */
const keyRequests = { caching_sha2_password: 2, sha256_password: 1 } as const;

/** Without TLS nobody knows whose key comes: a password that it encrypts is not sent. */
function withoutServerKeys(): Readonly<Record<string, AuthPlugin>> {
  return Object.fromEntries(
    Object.entries(keyRequests).map(([name, request]): readonly [string, AuthPlugin] => {
      const plugin = authPlugins[name as keyof typeof keyRequests]({});
      return [
        name,
        (given) => {
          const answer = plugin(given);
          return async (data) => {
            const sent = (await answer(data)) as Uint8Array | null;
            if (sent?.length === 1 && sent[0] === request) {
              throw new AnswerError("public key retrieval is not allowed: use TLS, or set allowPublicKeyRetrieval=true in the URL");
            }
            return sent as unknown as string;
          };
        },
      ];
    }),
  );
}

function optionsOf(
  { host, port, user, password, connectTimeoutMs, tls, allowsServerKey = false }: DatabaseAddress,
  isEncrypted: boolean,
): ConnectionOptions {
  return {
    host,
    port,
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    connectTimeout: connectTimeoutMs,
    charset: "utf8mb4",
    rowsAsArray: true,
    // A statement that comes from a query is one statement.
    multipleStatements: false,
    typeCast: (field) => field.string() as unknown,
    ...(isEncrypted && { ssl: tlsOptions(tls) }),
    ...(!isEncrypted && !allowsServerKey && { authPlugins: withoutServerKeys() }),
  };
}

function tlsOptions({ mode, rootCertificate }: DatabaseAddress["tls"]): SslOptions {
  const ca = rootCertificate === undefined ? {} : { ca: readFileSync(rootCertificate, "utf8") };
  return mode === "verify-full" || mode === "verify-ca"
    ? { ...ca, rejectUnauthorized: true, verifyIdentity: mode === "verify-full" }
    : { rejectUnauthorized: false };
}

async function connectWith(address: DatabaseAddress, isEncrypted: boolean): Promise<DatabaseConnection> {
  const connection = createConnection(optionsOf(address, isEncrypted));
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error): void => {
      destroy(connection);
      reject(error);
    };
    // Without a listener an error of the protocol would end the process. It stays, because some come twice.
    connection.on("error", fail);
    connection.on("warn", fail);
    connection.connect((error) => (error === null ? resolve() : fail(error)));
  });
  return new MysqlConnection(connection, address, isEncrypted);
}

function failConnect({ host, port }: DatabaseAddress, error: unknown): never {
  const { code, errno, message, sqlState } = error as QueryError & { readonly sqlState?: string };
  if (sqlState !== undefined && sqlState !== "") {
    throw new DatabaseError("CONNECT", message, String(errno));
  }
  throw new DatabaseError("CONNECT", `The connection attempt to ${host}:${port} failed: ${message === "" ? code : reasonOf(error, true)}`);
}

/** What the library does not publish. */
interface LibraryConnection {
  readonly stream: Readable;
}

/** The library only ends its side: a server that is silent would keep the socket, and one that is not would be read on. */
function destroy(connection: Connection): void {
  connection.destroy();
  (connection as unknown as LibraryConnection).stream.destroy();
}

class MysqlConnection implements DatabaseConnection {
  readonly #connection: Connection;
  readonly #address: DatabaseAddress;
  readonly #isEncrypted: boolean;
  #isUsable = true;
  /** Since rows were last asked for. */
  #answerBytes = 0;
  /** Fails the statement that runs: the library forgets it after some errors of the protocol. */
  #endRun: ((error: Error) => void) | undefined;
  /** The rows that are being read. The library does not tell them that the connection is lost. */
  #rows: Readable | undefined;

  constructor(connection: Connection, address: DatabaseAddress, isEncrypted: boolean) {
    this.#connection = connection;
    this.#address = address;
    this.#isEncrypted = isEncrypted;
    // A connection that fails while it is idle is found at its next use.
    const lost = (error?: Error): void => {
      this.#isUsable = false;
      this.#endRun?.(error ?? new AnswerError("the server has closed it"));
      this.#rows?.destroy(error ?? new AnswerError("the server has closed it"));
      destroy(connection);
    };
    connection.on("error", lost);
    connection.on("end", lost);
    // Packets out of order belong to other statements.
    connection.on("warn", (error: Error) => this.#abandon(error));
    const { stream } = connection as unknown as LibraryConnection;
    stream.on("data", (bytes: Uint8Array) => {
      this.#answerBytes += bytes.length;
      if (this.#answerBytes > answerBytesMax) {
        this.#abandon(new AnswerError(`the server sent more than ${answerBytesMax} bytes of rows at once`));
      }
    });
  }

  #abandon(error: Error): void {
    this.#isUsable = false;
    this.#endRun?.(error);
    this.#rows?.destroy(error);
    (this.#connection as unknown as LibraryConnection).stream.destroy(error);
  }

  get isUsable(): boolean {
    return this.#isUsable;
  }

  async query(sql: string): Promise<readonly DatabaseRow[]> {
    const { rows } = await this.#run(sql);
    return rows;
  }

  async describe(sql: string): Promise<readonly DescribedColumn[]> {
    const { fields } = await this.#run(sql);
    return fields.map((field) => ({ name: field.name, type: { text: typeText(field) } }));
  }

  open(sql: string): DatabaseCursor {
    const rows = this.#connection.query(sql).stream({ highWaterMark: rowsAhead, objectMode: true }) as Readable;
    this.#rows = rows;
    let failure: { readonly error: unknown } | undefined;
    rows.on("error", (error: unknown) => {
      failure = { error };
    });
    return {
      read: async (rowsMax) => {
        this.#answerBytes = 0;
        const batch: DatabaseRow[] = [];
        while (batch.length < rowsMax) {
          const row = rows.read() as DatabaseRow | null;
          if (row !== null) {
            batch.push(row);
          } else if (failure === undefined && (batch.length > 0 || rows.readableEnded)) {
            return batch;
          } else if (failure === undefined) {
            await moved(rows);
          }
          if (failure !== undefined) {
            return this.#fail(failure.error);
          }
        }
        return batch;
      },
      // The protocol sends all rows of a statement, so the connection is given up with the rest.
      close: () => {
        if (!rows.readableEnded) {
          this.close();
        }
        return Promise.resolve();
      },
    };
  }

  cancel(): void {
    const { threadId } = this.#connection;
    const killer = createConnection(optionsOf(this.#address, this.#isEncrypted));
    const end = (): void => destroy(killer);
    killer.on("error", end);
    killer.query({ sql: `KILL QUERY ${threadId}`, timeout: this.#address.connectTimeoutMs }, end);
  }

  close(): void {
    this.#isUsable = false;
    this.#endRun?.(new AnswerError("it was closed"));
    this.#rows?.destroy(new AnswerError("it was closed"));
    destroy(this.#connection);
  }

  #run(sql: string): Promise<{ readonly rows: readonly DatabaseRow[]; readonly fields: readonly FieldPacket[] }> {
    this.#answerBytes = 0;
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => {
        this.#endRun = undefined;
        try {
          this.#fail(error);
        } catch (failure) {
          reject(failure as Error);
        }
      };
      this.#endRun = fail;
      this.#connection.query(sql, (error: QueryError | null, rows: unknown, fields: FieldPacket[] | undefined) => {
        if (error === null) {
          this.#endRun = undefined;
          resolve({ rows: Array.isArray(rows) ? (rows as readonly DatabaseRow[]) : [], fields: fields ?? [] });
        } else {
          fail(error);
        }
      });
    });
  }

  #fail(error: unknown): never {
    const { errno, message, sqlState } = error as QueryError & { readonly sqlState?: string };
    if (sqlState !== undefined && sqlState !== "") {
      throw new DatabaseError("SERVER", message, String(errno));
    }
    this.#isUsable = false;
    throw new DatabaseError("LOST", `The connection to ${this.#address.host}:${this.#address.port} was lost: ${reasonOf(error, true)}`);
  }
}

/** Resolves when there may be a row, the end or an error. Listeners do not pile up over the batches. */
function moved(rows: Readable): Promise<void> {
  const events = ["readable", "end", "error", "close"] as const;
  return new Promise((resolve) => {
    const done = (): void => {
      events.forEach((event) => rows.off(event, done));
      resolve();
    };
    events.forEach((event) => rows.on(event, done));
  });
}

const numberTypes: ReadonlyMap<number, string> = new Map([
  [1, "tinyint"],
  [2, "smallint"],
  [3, "int"],
  [8, "bigint"],
  [9, "mediumint"],
]);
const otherTypes: ReadonlyMap<number, string> = new Map([
  [4, "float"],
  [5, "double"],
  [10, "date"],
  [13, "year"],
  [245, "json"],
  [255, "geometry"],
]);
const timeTypes: ReadonlyMap<number, string> = new Map([
  [7, "timestamp"],
  [11, "time"],
  [12, "datetime"],
]);

/** The type of a column of a result, as the definition of a column has it. */
function typeText({ columnType = -1, columnLength = 0, decimals, flags, characterSet }: FieldPacket): string {
  const isUnsigned = ((flags as number) & unsignedFlag) !== 0;
  const number = numberTypes.get(columnType);
  if (number !== undefined) {
    return isUnsigned ? `${number} unsigned` : number;
  }
  if (columnType === 16) {
    return `bit(${columnLength})`;
  }
  if (columnType === 0 || columnType === 246) {
    return `decimal(${columnLength - (decimals > 0 ? 1 : 0) - (isUnsigned ? 0 : 1)},${decimals})`;
  }
  const time = timeTypes.get(columnType);
  if (time !== undefined) {
    return `${time}(${decimals})`;
  }
  const isText = columnType >= 247 && columnType <= 254;
  return isText
    ? characterSet === binarySet
      ? "varbinary"
      : `varchar(${Math.floor(columnLength / characterBytes)})`
    : (otherTypes.get(columnType) ?? `type ${columnType}`);
}
