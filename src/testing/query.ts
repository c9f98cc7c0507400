/**
 * Statements of a test: rows as JavaScript values, errors as exceptions.
 */
import type { ClientSession } from "../client/session.ts";
import { bigintOf, wrongValue } from "../client/values.ts";
import { StatementClient, type StatementRun } from "../client/statement-client.ts";
import type { Clock } from "../ports/clock.ts";
import type { Network } from "../ports/network.ts";
import type { ErrorType } from "../protocol/errors.ts";
import type { Signal } from "./globals.ts";
import { decodeBase64 } from "../types/base64.ts";
import type { ColumnDocument, StatementError, TypeSignature } from "../protocol/documents/statement.ts";

export interface QueryOptions {
  /** `test` if absent. */
  readonly user?: string;
  readonly source?: string;
  /** Catalog and schema of names without them. */
  readonly catalog?: string;
  readonly schema?: string;
  readonly timeZone?: string;
  readonly clientTags?: readonly string[];
  /** Session properties. */
  readonly session?: Readonly<Record<string, string | number | boolean>>;
  /** Cancels the query. The call then rejects with the signal's reason. */
  readonly signal?: Signal;
}

/**
 * A value of a row: bigint for BIGINT, number for smaller integers, REAL and DOUBLE, Uint8Array for VARBINARY, an array for ARRAY and ROW,
 * a Map for MAP, and text for everything else (DECIMAL, VARCHAR, dates and times).
 */
export type Value = null | boolean | number | bigint | string | Uint8Array | readonly Value[] | ReadonlyMap<Value, Value>;

export interface QueryResult {
  readonly queryId: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly Value[])[];
  /** The rows as objects by column name. Of columns of one name the last counts. */
  readonly objects: readonly Readonly<Record<string, Value>>[];
  /** `CREATE TABLE`, `INSERT`; undefined for a query. */
  readonly updateType: string | undefined;
  readonly updateCount: number | bigint | undefined;
  readonly warnings: readonly { readonly name: string; readonly message: string }[];
}

/** A query failed. `message` is the server's. */
export class QueryFailedError extends Error {
  override readonly name = "QueryFailedError";
  readonly queryId: string;
  readonly sql: string;
  /** `TABLE_NOT_FOUND` */
  readonly errorName: string;
  readonly errorCode: number;
  readonly errorType: ErrorType;
  /** Place in the statement, counted from 1. */
  readonly line: number | undefined;
  readonly column: number | undefined;

  /** @internal */
  constructor(error: StatementError, query: { readonly queryId: string; readonly sql: string }) {
    super(error.message);
    this.queryId = query.queryId;
    this.sql = query.sql;
    this.errorName = error.errorName;
    this.errorCode = error.errorCode;
    this.errorType = error.errorType;
    this.line = error.errorLocation?.lineNumber;
    this.column = error.errorLocation?.columnNumber;
  }
}

export interface Sender {
  readonly network: Network;
  readonly clock: Clock;
  readonly server: string;
}

/** Rejects with QueryFailedError, or with ClientError if there is no answer, or one that cannot be read. */
export async function runQuery(sql: string, options: QueryOptions, { network, clock, server }: Sender): Promise<QueryResult> {
  options.signal?.throwIfAborted();
  const client = new StatementClient({ network, clock, server, session: sessionOf(options) });
  const run = client.submit(sql);
  const cancel = (): void => void run.cancel();
  options.signal?.addEventListener("abort", cancel, { once: true });
  try {
    const received = await run.collect();
    options.signal?.throwIfAborted();
    const { error } = run;
    if (error !== undefined) {
      throw new QueryFailedError(error, { queryId: run.queryId ?? "", sql });
    }
    return resultOf(run, received);
  } finally {
    options.signal?.removeEventListener("abort", cancel);
  }
}

function sessionOf(options: QueryOptions): ClientSession {
  const { user = "test", source = "orrery/testing", catalog, schema, timeZone, clientTags = [], session = {} } = options;
  return {
    user,
    source,
    ...(catalog === undefined ? {} : { catalog }),
    ...(schema === undefined ? {} : { schema }),
    ...(timeZone === undefined ? {} : { timeZone }),
    clientTags,
    properties: Object.fromEntries(Object.entries(session).map(([name, value]) => [name, String(value)])),
    preparedStatements: {},
  };
}

function resultOf(run: StatementRun, received: readonly (readonly unknown[])[]): QueryResult {
  const documents = run.columns ?? [];
  const readers = documents.map(({ typeSignature }) => readerOf(typeSignature));
  const rows = received.map((row) => row.map((value, index) => read(value, readers[index])));
  const columns = documents.map(({ name, type }) => ({ name, type }));
  return {
    queryId: run.queryId ?? "",
    columns,
    rows,
    get objects() {
      return rows.map((row) => objectOf(documents, row));
    },
    updateType: run.results?.updateType,
    updateCount: run.results?.updateCount,
    warnings: (run.results?.warnings ?? []).map(({ message, warningCode }) => ({ name: warningCode.name, message })),
  };
}

function objectOf(columns: readonly ColumnDocument[], row: readonly Value[]): Readonly<Record<string, Value>> {
  return Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null]));
}

type Reader = (value: unknown) => Value;

function read(value: unknown, reader: Reader | undefined): Value {
  return value === null || value === undefined ? null : reader === undefined ? (value as Value) : reader(value);
}

/** Undefined if the value of the JSON document is the value. */
function readerOf(type: TypeSignature | undefined): Reader | undefined {
  const inner = (type?.arguments ?? []).map(({ kind, value }) => readerOf(innerType(kind, value)));
  switch (type?.rawType) {
    case "bigint":
      return bigintOf;
    case "double":
    case "real":
    case "tinyint":
    case "smallint":
    case "integer":
      // NaN and the infinities arrive as text, the keys of maps too.
      return Number;
    case "boolean":
      return (value) => value === true || value === "true";
    case "varbinary":
      return (value) => (typeof value === "string" ? (decodeBase64(value) ?? value) : (value as Value));
    case "array":
      return (value) => listIn(value, type).map((element) => read(element, inner[0]));
    case "row":
      return (value) => listIn(value, type).map((field, index) => read(field, inner[index]));
    case "map":
      return (value) => new Map(entriesIn(value, type).map(([key, one]) => [read(key, inner[0]), read(one, inner[1])]));
    default:
      return undefined;
  }
}

/** Throws ClientError. */
function listIn(value: unknown, { rawType }: TypeSignature): readonly unknown[] {
  if (!Array.isArray(value)) {
    throw wrongValue(rawType, value);
  }
  return value;
}

/** Throws ClientError. */
function entriesIn(value: unknown, { rawType }: TypeSignature): readonly (readonly [string, unknown])[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw wrongValue(rawType, value);
  }
  return Object.entries(value);
}

function innerType(kind: string, value: unknown): TypeSignature | undefined {
  switch (kind) {
    case "TYPE":
    case "TYPE_SIGNATURE":
      return value as TypeSignature;
    case "NAMED_TYPE":
    case "NAMED_TYPE_SIGNATURE":
      return (value as { readonly typeSignature: TypeSignature }).typeSignature;
    default:
      return undefined;
  }
}
