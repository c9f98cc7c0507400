/**
 * Cube's drivers, `@cubejs-backend/prestodb-driver` and `@cubejs-backend/trino-driver`. They are not dependencies of this project: the
 * folder's README describes their own dependencies and how to run the suite with them.
 */
import { createRequire } from "node:module";
import { type Answer, type ClientAdapter, type ClientSession, hostAndPort, type SessionOptions, StatementFailure } from "./adapter.ts";

interface CubeDriver {
  query(sql: string, values: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
  stream(
    sql: string,
    values: readonly unknown[],
    options: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly rowStream: NodeJS.ReadableStream; readonly types: Answer["columns"] | undefined }>;
}

type DriverClass = new (options: Readonly<Record<string, unknown>>) => CubeDriver;

class CubeSession implements ClientSession {
  readonly #driver: CubeDriver;

  constructor(Driver: DriverClass, { uri, catalog, schema }: SessionOptions) {
    this.#driver = new Driver({ ...hostAndPort(uri), user: "bob", catalog, schema, dataSource: "default" });
  }

  run(sql: string): Promise<Answer> {
    return this.runWith(sql, []);
  }

  async runWith(sql: string, values: readonly (number | string)[]): Promise<Answer> {
    try {
      // Its stream never ends for a statement without columns.
      if (!/^\s*(select|show|values)/i.test(sql)) {
        const objects = await this.#driver.query(sql, values);
        return {
          columns: Object.keys(objects[0] ?? {}).map((name) => ({ name, type: "" })),
          rows: objects.map((row) => Object.values(row)),
        };
      }
      const { rowStream, types = [] } = await this.#driver.stream(sql, values, {});
      const rows: unknown[][] = [];
      for await (const row of rowStream as AsyncIterable<unknown>) {
        rows.push(types.map(({ name }) => (row as Readonly<Record<string, unknown>>)[name]));
      }
      return { columns: types, rows };
    } catch (error) {
      throw new StatementFailure((error as Error).message.split("\n")[0] as string);
    }
  }
}

/** The installed drivers. */
export function installedCubeDrivers(): readonly ClientAdapter[] {
  const load = createRequire(import.meta.url);
  return (["prestodb", "trino"] as const).flatMap((engine) => {
    const name = `@cubejs-backend/${engine}-driver`;
    try {
      load.resolve(name);
    } catch {
      return [];
    }
    const library = load(name) as Readonly<Record<string, DriverClass>>;
    const Driver = library[engine === "trino" ? "TrinoDriver" : "PrestoDriver"] as DriverClass;
    return [
      { name, family: engine === "trino" ? "trino" : "presto", lacks, open: (options: SessionOptions) => new CubeSession(Driver, options) },
    ];
  });
}

const noOption = "has no option for it";

const lacks: ClientAdapter["lacks"] = {
  "bigint beyond 2^53": "JSON.parse makes a double of it",
  "error while running": "its stream is given to its user before, and never ends",
  "error's name": "gives the message alone",
  cancel: "cannot cancel",
  "session properties": noOption,
  "unknown session property": noOption,
  "time zone": noOption,
  USE: "keeps nothing that a statement sets",
  "SET SESSION": "keeps nothing that a statement sets",
  "query's document": "does not read queries",
  nodes: "lists nodes only to see whether the server answers",
};
