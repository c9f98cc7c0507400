/**
 * npm's presto-client and its fork presto-client-ts. Both support Presto, the first also Trino.
 */
import { createRequire } from "node:module";
import {
  type Answer,
  type ClientAdapter,
  type ClientSession,
  executeOf,
  hostAndPort,
  propertyHeader,
  type SessionOptions,
  StatementFailure,
} from "./adapter.ts";

interface Failure {
  readonly message: string;
  readonly errorName?: string;
  readonly error?: { readonly errorName?: string };
}

interface PrestoClient {
  execute(options: Readonly<Record<string, unknown>>): void;
  nodes(options: null, callback: (error: Failure | null, nodes: readonly { readonly uri: string }[]) => void): void;
  query(id: string, callback: (error: Failure | null, info: { readonly queryId: string; readonly state: string }) => void): void;
  kill(id: string, callback: (error: Failure | null) => void): void;
}

interface Library {
  readonly Client: new (options: Readonly<Record<string, unknown>>) => PrestoClient;
}

const load = createRequire(import.meta.url);

function failureOf(failure: Failure): StatementFailure {
  return new StatementFailure(failure.message, failure.errorName ?? failure.error?.errorName);
}

class PrestoClientSession implements ClientSession {
  readonly #client: PrestoClient;
  readonly #options: Readonly<Record<string, unknown>>;

  constructor(library: Library, engine: string, { uri, catalog, schema, properties, timeZone }: SessionOptions) {
    this.#client = new library.Client({ ...hostAndPort(uri), user: "bob", engine, checkInterval: 5, catalog, schema });
    this.#options = {
      ...(properties === undefined ? {} : { session: propertyHeader(properties) }),
      ...(timeZone === undefined ? {} : { timezone: timeZone }),
    };
  }

  run(sql: string): Promise<Answer> {
    return this.#execute(sql, {});
  }

  runWith(sql: string, values: readonly (number | string)[]): Promise<Answer> {
    return this.#execute(executeOf("query0", values), { prepares: [sql] });
  }

  cancel(sql: string): Promise<string> {
    return new Promise((resolve, reject) => {
      let noted = "";
      const ended = (failure: Failure): void => {
        if (failure.message === "query fetch canceled by operation") {
          resolve(noted);
        } else {
          reject(failureOf(failure));
        }
      };
      this.#client.execute({
        query: sql,
        state: (_error: unknown, id: string) => {
          noted = id;
        },
        cancel: () => noted !== "",
        success: () => reject(new Error("the statement ended")),
        error: ended,
      });
    });
  }

  queryInfo(id: string): Promise<{ readonly queryId: string; readonly state: string }> {
    return new Promise((resolve, reject) => {
      this.#client.query(id, (error, info) => (error === null ? resolve(info) : reject(failureOf(error))));
    });
  }

  nodes(): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      this.#client.nodes(null, (error, nodes) => (error === null ? resolve(nodes.map(({ uri }) => uri)) : reject(failureOf(error))));
    });
  }

  #execute(query: string, options: Readonly<Record<string, unknown>>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const rows: unknown[][] = [];
      let columns: Answer["columns"] = [];
      this.#client.execute({
        query,
        ...this.#options,
        ...options,
        columns: (_error: unknown, some: Answer["columns"]) => {
          columns = some;
        },
        data: (_error: unknown, some: unknown[][]) => rows.push(...some),
        success: () => resolve({ columns, rows }),
        error: (failure: Failure) => reject(failureOf(failure)),
      });
    });
  }
}

const keepsNoState = "keeps nothing that a statement sets: its user gives the options of every statement";
const hasNoName = "sends its prepared statements in a header called `undefined`";
const writesRaw = "writes the statement into the header as it is, where a comma or an equals sign ends it";
const doubles = "JSON.parse makes a double of it, unless its user gives another parser";

const families = ["presto", "trino"] as const;

export const prestoClients: readonly ClientAdapter[] = [
  ...families.map((engine) => ({
    name: `presto-client 1.2.0 (${engine})`,
    family: engine,
    lacks: { "bigint beyond 2^53": doubles, USE: keepsNoState, "SET SESSION": keepsNoState },
    open: (options: SessionOptions) => new PrestoClientSession(load("presto-client") as Library, engine, options),
  })),
  ...families.map((engine) => ({
    name: `presto-client-ts 0.11.4 (${engine})`,
    family: engine,
    lacks: {
      "bigint beyond 2^53": doubles,
      ...(engine === "presto" ? { prepared: hasNoName } : {}),
      "prepared, any text": engine === "presto" ? hasNoName : writesRaw,
      USE: keepsNoState,
      "SET SESSION": keepsNoState,
    },
    open: (options: SessionOptions) => new PrestoClientSession(load("presto-client-ts") as Library, engine, options),
  })),
];
