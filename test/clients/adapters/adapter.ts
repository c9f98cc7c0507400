/** What the suite asks of a client library, and what an adapter says of the library that it wraps. */

/** Where a session begins. */
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
  /** Values in the order of the columns, as the library gives them. */
  readonly rows: readonly (readonly unknown[])[];
}

/** What a library says of a failed statement: some give no more than the message. */
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
  /** A statement with `?` and its values, by the library's own means. */
  runWith?(sql: string, values: readonly (number | string)[]): Promise<Answer>;
  /** Starts a statement and cancels it, by the library's own means; gives the query's id when the library has noted it. */
  cancel?(sql: string): Promise<string>;
  /** A query's document, by the library's own means. */
  queryInfo?(id: string): Promise<{ readonly queryId: string; readonly state: string }>;
  /** Addresses of the nodes, by the library's own means. */
  nodes?(): Promise<readonly string[]>;
}

/** What the suite asks, one name for each case. */
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
  /** Package and version, and the header family when it has two. */
  readonly name: string;
  /** Whose headers it sends. */
  readonly family: "presto" | "trino";
  /** Why a case is not asked of this library. */
  readonly lacks: Readonly<Partial<Record<CaseName, string>>>;
  open(options: SessionOptions): ClientSession;
}

/** Host and port of an address, as most libraries want them. */
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

/** `EXECUTE query0 USING ...`, for libraries that send statements in a header and leave EXECUTE to their users. */
export function executeOf(name: string, values: readonly (number | string)[]): string {
  return `EXECUTE ${name} USING ${values.map((value) => (typeof value === "number" ? value : `'${value.replaceAll("'", "''")}'`)).join(", ")}`;
}

/** Rows of libraries that make an object of every row. */
export function rowsByName(
  columns: readonly { readonly name: string }[],
  objects: readonly Readonly<Record<string, unknown>>[],
): unknown[][] {
  return objects.map((row) => columns.map(({ name }) => row[name]));
}
