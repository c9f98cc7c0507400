/** Evidence's driver, @evidence-dev/trino, a wrapper of presto-client. */
import { createRequire } from "node:module";
import {
  type Answer,
  type ClientAdapter,
  type ClientSession,
  hostAndPort,
  rowsByName,
  type SessionOptions,
  StatementFailure,
} from "./adapter.ts";

type RunQuery = (
  sql: string,
  database: Readonly<Record<string, unknown>>,
) => Promise<{
  readonly rows: readonly Record<string, unknown>[];
  readonly columnTypes: readonly { readonly name: string; readonly evidenceType: string }[];
}>;

const runQuery = createRequire(import.meta.url)("@evidence-dev/trino") as RunQuery;

class EvidenceSession implements ClientSession {
  readonly #database: Readonly<Record<string, unknown>>;

  constructor({ uri, catalog, schema }: SessionOptions, engine: string) {
    this.#database = { ...hostAndPort(uri), user: "bob", catalog, schema, engine };
  }

  async run(sql: string): Promise<Answer> {
    try {
      const { rows, columnTypes } = await runQuery(sql, this.#database);
      const columns = columnTypes.map(({ name, evidenceType }) => ({ name, type: evidenceType }));
      return { columns, rows: rowsByName(columns, rows) };
    } catch (error) {
      throw new StatementFailure(String(error));
    }
  }
}

const noOption = "has no option for it";

export const evidence: readonly ClientAdapter[] = (["presto", "trino"] as const).map((engine) => ({
  name: `@evidence-dev/trino 1.0.11 (${engine})`,
  family: engine,
  lacks: {
    "bigint beyond 2^53": "JSON.parse makes a double of it",
    "arrays, maps and rows": "makes text of them by toString",
    columns: "gives types of its own",
    "error's name": "gives the message alone",
    cancel: "cannot cancel",
    prepared: noOption,
    "prepared, any text": noOption,
    "session properties": noOption,
    "unknown session property": noOption,
    "time zone": noOption,
    USE: "makes a client for every statement",
    "SET SESSION": "makes a client for every statement",
    "query's document": "does not read queries",
    nodes: "does not list nodes",
  },
  open: (options: SessionOptions) => new EvidenceSession(options, engine),
}));
