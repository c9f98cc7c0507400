/**
 * Connections to databases outside of the cluster. A connection runs one statement at a time; texts of statements are in the database's own
 * SQL. The host chooses the client library of the kind.
 */

/** `duckdb` is a file, `mysql` MariaDB too. `trino` and `presto` are clusters behind the statement protocol, with the headers of either. */
export type DatabaseKind = "postgresql" | "mysql" | "trino" | "presto" | "duckdb";

export interface DatabaseAddress {
  readonly kind: DatabaseKind;
  readonly host: string;
  readonly port: number;
  /** Of a cluster: the catalog. Of MySQL: empty, because its databases are schemas. Of DuckDB: the path of the file. */
  readonly database: string;
  /** Absent: the user that the server's process runs as. */
  readonly user?: string;
  readonly password?: string;
  /** As the database's own clients define them. */
  readonly tls: DatabaseTls;
  readonly connectTimeoutMs: number;
  /** Of MySQL: without TLS, a key that the server itself sends may encrypt the password. */
  readonly allowsServerKey?: boolean;
  /** Of a cluster: that of the segments in which it returns rows (Trino's spooled protocol). Absent: rows come in its answers. */
  readonly encoding?: "json" | "json+lz4";
  /** Of DuckDB: the file can be changed, and no other process has it open. Absent: it is only read. */
  readonly isWritable?: true;
  /** Of DuckDB: settings by their names. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Of DuckDB: a statement that runs once when the file is opened, before any other. */
  readonly preparation?: string;
}

/** `require` encrypts without checks; `prefer` also takes an unencrypted connection if the server offers no other. */
export interface DatabaseTls {
  readonly mode: "disable" | "prefer" | "require" | "verify-ca" | "verify-full";
  /** File of the certificates of authorities, in PEM. */
  readonly rootCertificate?: string;
}

/** A value as the database writes it. PostgreSQL, MySQL and DuckDB: its text form. Clusters: JSON, but the characters of a string. */
export type DatabaseValue = null | string;
export type DatabaseRow = readonly DatabaseValue[];

/** CONNECT: no connection was made. LOST: it ended while a statement ran. SERVER: the database reported an error. */
export type DatabaseErrorKind = "CONNECT" | "LOST" | "SERVER";

export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  constructor(
    readonly kind: DatabaseErrorKind,
    message: string,
    /**
     * SQLSTATE of an error of the server; of MySQL, the number, and of a cluster, the name of the error. Of DuckDB the engine's name, if
     * the error is about an object that exists already or is missing.
     */
    readonly state?: string,
  ) {
    super(message);
  }
}

export interface DatabaseConnection {
  /** Runs a statement, in PostgreSQL several separated by semicolons, and returns all rows of the last one. Throws DatabaseError. */
  query(sql: string): Promise<readonly DatabaseRow[]>;
  /** Runs one statement and returns the names and types of the columns of its result. Throws DatabaseError. */
  describe(sql: string): Promise<readonly DescribedColumn[]>;
  /** Starts a statement whose rows are read in batches. Errors of the statement are thrown by the first read. */
  open(sql: string): DatabaseCursor;
  /** Asks the server to end the running statement, which then fails. Without a running statement nothing happens. */
  cancel(): void;
  /** False once the connection has failed. */
  readonly isUsable: boolean;
  /** Ends the connection at once. Idempotent. */
  close(): void;
}

export interface DescribedColumn {
  readonly name: string;
  readonly type: DescribedType;
}

export type DescribedType =
  /** PostgreSQL: the OID and the modifier. */
  | { readonly id: number; readonly modifier: number }
  /** Clusters, MySQL and DuckDB: in SQL, such as `decimal(10,2)`. */
  | { readonly text: string };

export interface DatabaseCursor {
  /** At most `rowsMax` rows, at least one unless the result has ended. One read at a time. Throws DatabaseError. */
  read(rowsMax: number): Promise<readonly DatabaseRow[]>;
  /** Gives up the remaining rows. The connection can then run the next statement. */
  close(): Promise<void>;
}

export interface Databases {
  /** Throws DatabaseError of kind CONNECT. */
  connect(address: DatabaseAddress): Promise<DatabaseConnection>;
}
