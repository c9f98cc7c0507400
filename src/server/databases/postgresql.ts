/**
 * Connections to PostgreSQL by the library `pg`. Values stay in the text form of the server.
 */
import { readFileSync } from "node:fs";
import { connect as connectSocket } from "node:net";
import type { Readable } from "node:stream";
import type { ConnectionOptions } from "node:tls";
import pg from "pg";
import Cursor from "pg-cursor";
import {
  type DatabaseAddress,
  type DatabaseConnection,
  type DatabaseCursor,
  DatabaseError,
  type DatabaseRow,
  type DescribedColumn,
} from "../../ports/databases.ts";
import { PostgresqlMessages } from "./postgresql-messages.ts";
import { reasonOf } from "./unexpected-answers.ts";

/** Request codes of the protocol, in place of a version. */
const cancelRequestCode = 80_877_102;
const cancelRequestBytes = 16;
/** How the library names a server without TLS. */
const noTlsMessage = "The server does not support SSL connections";

/** Every value is given as its text. */
const texts = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig;

export async function connectPostgresql(address: DatabaseAddress): Promise<DatabaseConnection> {
  const { mode } = address.tls;
  try {
    return await connectWith(address, mode !== "disable");
  } catch (error) {
    if (mode === "prefer" && error instanceof Error && error.message === noTlsMessage) {
      return await connectWith(address, false).catch(failConnect(address));
    }
    return failConnect(address)(error);
  }
}

async function connectWith(address: DatabaseAddress, isEncrypted: boolean): Promise<DatabaseConnection> {
  const client = new pg.Client({
    host: address.host,
    port: address.port,
    database: address.database,
    user: address.user,
    password: address.password,
    connectionTimeoutMillis: address.connectTimeoutMs,
    keepAlive: true,
    application_name: "orrery",
    types: texts,
    ssl: isEncrypted ? tlsOptions(address) : false,
  });
  const connection = new PostgresqlConnection(client, address);
  try {
    await client.connect();
  } catch (error) {
    connection.close();
    throw error;
  }
  return connection;
}

function tlsOptions({ tls }: DatabaseAddress): ConnectionOptions {
  const ca = tls.rootCertificate === undefined ? {} : { ca: readFileSync(tls.rootCertificate, "utf8") };
  switch (tls.mode) {
    case "verify-full":
      return { ...ca, rejectUnauthorized: true };
    case "verify-ca":
      return { ...ca, rejectUnauthorized: true, checkServerIdentity: () => undefined };
    default:
      return { rejectUnauthorized: false };
  }
}

function failConnect({ host, port }: DatabaseAddress): (error: unknown) => never {
  return (error) => {
    const failure = error as Error & { readonly code?: string; readonly errors?: readonly (Error & { readonly code?: string })[] };
    const code = failure.code ?? failure.errors?.[0]?.code;
    if (error instanceof pg.DatabaseError) {
      throw new DatabaseError("CONNECT", `FATAL: ${failure.message}`, failure.code);
    }
    throw new DatabaseError(
      "CONNECT",
      code === "ECONNREFUSED"
        ? `Connection to ${host}:${port} refused. Check that the hostname and port are correct and that the server accepts TCP/IP connections.`
        : `The connection attempt to ${host}:${port} failed: ${failure.message === "" ? (code ?? "unknown reason") : reasonOf(error)}`,
    );
  };
}

/** What the library does not publish. */
interface LibraryClient {
  readonly processID: number | null;
  readonly secretKey: number | null;
  readonly connection: { readonly stream: { destroy(): void }; attachListeners(stream: unknown): void };
}

class PostgresqlConnection implements DatabaseConnection {
  readonly #client: pg.Client;
  readonly #address: DatabaseAddress;
  #messages: PostgresqlMessages | undefined;
  #isUsable = true;
  readonly #lost: Promise<void>;
  #lose: () => void = () => undefined;
  /** Fails the read that waits. */
  #endRead: () => void = () => undefined;

  constructor(client: pg.Client, address: DatabaseAddress) {
    this.#client = client;
    this.#address = address;
    this.#lost = new Promise((resolve) => {
      this.#lose = resolve;
    });
    const lost = (): void => {
      this.#isUsable = false;
      this.#lose();
      this.#endRead();
    };
    // A connection that fails while it is idle is found at its next use.
    client.on("error", lost);
    client.on("end", lost);
    const { connection } = client as unknown as LibraryClient;
    const attach = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream) => {
      this.#messages = new PostgresqlMessages(stream as Readable);
      attach(this.#messages);
    };
  }

  get isUsable(): boolean {
    return this.#isUsable;
  }

  async query(sql: string): Promise<readonly DatabaseRow[]> {
    this.#messages?.beginRows();
    const result = (await this.#client
      .query({ text: sql, rowMode: "array", types: texts })
      .catch((error: unknown) => this.#fail(error))) as unknown as pg.QueryArrayResult | readonly pg.QueryArrayResult[];
    const last = Array.isArray(result) ? (result.at(-1) as pg.QueryArrayResult | undefined) : (result as pg.QueryArrayResult);
    return (last?.rows ?? []) as readonly DatabaseRow[];
  }

  async describe(sql: string): Promise<readonly DescribedColumn[]> {
    // The extended protocol takes one statement only.
    const config = { text: sql, rowMode: "array", types: texts, queryMode: "extended" } as pg.QueryArrayConfig;
    const { fields } = await this.#client.query(config).catch((error: unknown) => this.#fail(error));
    return fields.map(({ name, dataTypeID, dataTypeModifier }) => ({ name, type: { id: dataTypeID, modifier: dataTypeModifier } }));
  }

  open(sql: string): DatabaseCursor {
    const cursor = this.#client.query(new Cursor<DatabaseRow>(sql, [], { rowMode: "array", types: texts }));
    return {
      read: (rowsMax) => {
        this.#messages?.beginRows();
        return this.#whileConnected(cursor.read(rowsMax)).catch((error: unknown) => this.#fail(error));
      },
      // The library waits for the server's answer even if the connection is lost.
      close: () => (this.#isUsable ? Promise.race([this.#lost, cursor.close().catch((error: unknown) => this.#fail(error))]) : this.#lost),
    };
  }

  /** Rejects when the connection is lost. Between the last row and the end of a statement the library would not tell. */
  #whileConnected<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#endRead = () => reject(new Error("Connection terminated unexpectedly"));
      work.then(resolve, reject);
    });
  }

  cancel(): void {
    const { processID, secretKey } = this.#client as unknown as LibraryClient;
    if (processID === null || secretKey === null) {
      return;
    }
    const request = Buffer.alloc(cancelRequestBytes);
    [cancelRequestBytes, cancelRequestCode, processID, secretKey].forEach((value, index) => request.writeInt32BE(value, index * 4));
    const socket = connectSocket(this.#address.port, this.#address.host);
    socket.on("error", () => socket.destroy());
    // A server that does not close it would keep it.
    socket.setTimeout(this.#address.connectTimeoutMs, () => socket.destroy());
    socket.end(request);
  }

  close(): void {
    this.#isUsable = false;
    this.#lose();
    this.#endRead();
    this.#client.end().catch(() => undefined);
    (this.#client as unknown as LibraryClient).connection.stream.destroy();
  }

  #fail(error: unknown): never {
    const { message, code } = error as Error & { readonly code?: string };
    if (error instanceof pg.DatabaseError) {
      throw new DatabaseError("SERVER", `${error.severity ?? "ERROR"}: ${message}`, code);
    }
    this.close();
    throw new DatabaseError("LOST", `The connection to ${this.#address.host}:${this.#address.port} was lost: ${reasonOf(error)}`);
  }
}
