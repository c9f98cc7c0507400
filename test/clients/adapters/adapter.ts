/**
 * The suite's interface to a client library, and an adapter's description of the library.
 */

/** Initial session. */
export interface SessionOptions {
  /** `http://host:port` of the coordinator. */
  readonly uri: string;
  readonly catalog?: string;
  readonly schema?: string;
  /** Session properties by name. */
  readonly properties?: Readonly<Record<string, string>>;
  readonly timeZone?: string;
}

export interface Answer {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Values in column order, as the library returns them. */
  readonly rows: readonly (readonly unknown[])[];
}

/** The error of a failed statement; some libraries report only the message. */
export class StatementFailure extends Error {
  readonly errorName: string | undefined;

  constructor(message: string, errorName?: string) {
    super(message);
    this.errorName = errorName;
  }
}

export interface ClientSession {
  /** Every row of a statement; rejects with `StatementFailure`. */
  run(sql: string): Promise<Answer>;
  /** Runs a statement with `?` parameters through the library's own API. */
  runWith?(sql: string, values: readonly (number | string)[]): Promise<Answer>;
  /** Starts a statement and cancels it through the library's own API; returns the query's id if the library exposes it. */
  cancel?(sql: string): Promise<string>;
  /** A query's document through the library's own API. */
  queryInfo?(id: string): Promise<{ readonly queryId: string; readonly state: string }>;
  /** Addresses of the nodes through the library's own API. */
  nodes?(): Promise<readonly string[]>;
}

/** The suite's cases. */
export type CaseName =
  | "scalars"
  | "bigint beyond 2^53"
  | "arrays, maps and rows"
  | "columns"
  | "error at once"
  | "error while running"
  | "error's name"
  | "syntax error"
  | "empty result"
  | "60,000 rows"
  | "statements at once"
  | "cancel"
  | "prepared"
  | "prepared, any text"
  | "session properties"
  | "unknown session property"
  | "catalog and schema"
  | "time zone"
  | "names beyond ASCII"
  | "USE"
  | "SET SESSION"
  | "writes"
  | "metadata"
  | "query's document"
  | "nodes";

export interface ClientAdapter {
  /** Package and version, and the header family if it supports two. */
  readonly name: string;
  /** The header family that it sends. */
  readonly family: "presto" | "trino";
  /** Cases that the library does not support, with the reason. */
  readonly lacks: Readonly<Partial<Record<CaseName, string>>>;
  open(options: SessionOptions): ClientSession;
}

/** Host and port of an address, as most libraries expect them. */
export function hostAndPort(uri: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(uri);
  return { host: hostname, port: Number(port) };
}

/** `name=value` pairs of a header. */
export function propertyHeader(properties: Readonly<Record<string, string>>): string {
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join(",");
}

/** `EXECUTE query0 USING ...`, for libraries that send prepared statements in a header and leave EXECUTE to their users. */
export function executeOf(name: string, values: readonly (number | string)[]): string {
  return `EXECUTE ${name} USING ${values.map((value) => (typeof value === "number" ? value : `'${value.replaceAll("'", "''")}'`)).join(", ")}`;
}

/** Rows of libraries that return each row as an object. */
export function rowsByName(
  columns: readonly { readonly name: string }[],
  objects: readonly Readonly<Record<string, unknown>>[],
): unknown[][] {
  return objects.map((row) => columns.map(({ name }) => row[name]));
}
