/**
 * Asks the statements of a file of one cluster with given bounds, and says which answer differs from the known one.
 */
import { KernelModuleCache } from "../../../../src/codegen/runtime.ts";
import { connectorFactories } from "../../../../src/connectors/registry.ts";
import type { KnobValues } from "../../../../src/ports/knobs.ts";
import { isMessage, type Situation } from "../../../messages/situations.ts";
import { openDuckDb, type Oracle } from "../../../support/oracle/duckdb.ts";
import { copyTpchRows } from "../../../support/oracle/tpch-tables.ts";
import { DirectCluster } from "../../../unit/coordinator/direct-cluster.ts";
import { testingConnectorFactory } from "../../../unit/execution/operators/table-function/testing-functions.ts";
import { forDuckDb, rowsDifference } from "../../rows.ts";
import type { OracleStatement } from "../../statements.ts";
import { type KnownFile, setupOf, tpchTable } from "./known.ts";

export interface WrongAnswer {
  readonly place: string;
  readonly sql: string;
  readonly wrong: string;
}

const catalogs = ["memory", "tpch", "blackhole", "tpcds", "testing"].map((name) => ({ name, properties: { "connector.name": name } }));
const properties = { "failure-detector.heartbeat-timeout": "5m" };
const capabilities = { "x-engine-client-capabilities": "PARAMETRIC_DATETIME" };
const errorHeaders = { "x-engine-catalog": "memory", "x-engine-schema": "s1", ...capabilities };
const rowHeaders = { "x-engine-user": "oracle", "x-engine-catalog": "tpch", "x-engine-schema": "tiny", ...capabilities };

interface Asked {
  readonly knobs: KnobValues;
  readonly isOver: () => boolean;
  /** Returns whether to go on. */
  readonly onWrong: (wrong: WrongAnswer) => boolean;
}

export class KnownAnswers {
  readonly #root: string;
  /** Kernels depend on their keys alone. */
  readonly #modules = new KernelModuleCache();
  #duckdb: Oracle | undefined;
  #hasTables = false;

  /** `root` is the folder of the project. */
  constructor(root: string) {
    this.#root = root;
  }

  close(): void {
    this.#duckdb?.close();
  }

  /** Returns the number of statements. */
  async check(file: KnownFile, asked: Asked): Promise<number> {
    return file.kind === "errors" ? this.#checkErrors(file.situations, asked) : this.#checkRows(file.statements, asked);
  }

  async #checkErrors(situations: readonly Situation[], asked: Asked): Promise<number> {
    return this.#within({ workers: 0, knobs: asked.knobs }, async (cluster) => {
      for (const sql of setupOf(this.#root)) {
        await cluster.rows(sql);
      }
      return each(situations, asked, (situation) => wrongError(cluster, situation, { ...errorHeaders, ...situation.headers }));
    });
  }

  async #checkRows(statements: readonly OracleStatement[], asked: Asked): Promise<number> {
    return this.#within({ workers: 2, knobs: asked.knobs }, async (cluster) => {
      const oracle = (sql: string): Promise<Oracle> => this.#oracle(cluster, tpchTable.test(sql));
      return each(statements, asked, (statement) => wrongRows(cluster, oracle, statement));
    });
  }

  async #within<T>(
    { workers, knobs }: { readonly workers: number; readonly knobs: KnobValues },
    use: (cluster: DirectCluster) => Promise<T>,
  ): Promise<T> {
    const factories = [...connectorFactories, testingConnectorFactory];
    const options = { factories, workerCount: workers, catalogs, properties, knobs, modules: this.#modules, forgetful: true };
    const cluster = await DirectCluster.start(options);
    try {
      await cluster.untilWorkers(Math.max(1, workers));
      return await use(cluster);
    } finally {
      await cluster.close();
    }
  }

  /** The TPC-H tables are copied when the first statement needs them. */
  async #oracle(cluster: DirectCluster, needsTables: boolean): Promise<Oracle> {
    this.#duckdb ??= await openDuckDb({ threads: 1 });
    if (needsTables && !this.#hasTables) {
      this.#hasTables = true;
      await copyTpchRows(this.#duckdb, async (sql) => {
        const { rows, columns } = await cluster.run(sql, rowHeaders);
        const named = columns.map((column) => column.split(/ (.*)/s));
        return { rows, columns: named.map(([name = "", type = ""]) => ({ name, type })) };
      });
    }
    return this.#duckdb;
  }
}

async function each<T extends { readonly place: string; readonly sql: string }>(
  statements: readonly T[],
  { isOver, onWrong }: Asked,
  judge: (statement: T) => Promise<string | undefined>,
): Promise<number> {
  let count = 0;
  for (const statement of statements) {
    if (isOver()) {
      break;
    }
    count++;
    const wrong = await judge(statement);
    if (wrong !== undefined && !onWrong({ place: statement.place, sql: statement.sql, wrong })) {
      break;
    }
  }
  return count;
}

/** The name and the message of the error. */
async function wrongError(
  cluster: DirectCluster,
  { sql, error: wanted }: Pick<Situation, "sql" | "error">,
  headers: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const given = Object.entries(headers).filter(([, value]) => value !== "");
  const { error } = await cluster.run(sql, Object.fromEntries(given));
  const found = error === undefined ? "no error" : `${error.errorName}: ${error.message}`;
  if (wanted === undefined) {
    return error === undefined ? undefined : `${found}, expected no error`;
  }
  const isWanted = error?.errorName === wanted.name && (wanted.message === undefined || isMessage(error.message, wanted.message));
  return isWanted ? undefined : `${found}, expected ${wanted.name}: ${wanted.message ?? ""}`;
}

async function wrongRows(
  cluster: DirectCluster,
  oracle: (sql: string) => Promise<Oracle>,
  statement: OracleStatement,
): Promise<string | undefined> {
  if (statement.error !== undefined) {
    return wrongError(cluster, statement, rowHeaders);
  }
  const { error, rows, columns } = await cluster.run(statement.sql, rowHeaders);
  if (error !== undefined) {
    return `${error.errorName}: ${error.message}, expected rows`;
  }
  const types = columns.map((column) => column.slice(column.indexOf(" ") + 1));
  if (statement.types !== undefined && types.join(", ") !== statement.types) {
    return `types ${types.join(", ")}, expected ${statement.types}`;
  }
  // If both are set, DuckDB behaves the same but reports it in another form.
  const asked = statement.duckdb ?? forDuckDb(statement.sql);
  if (statement.expect !== undefined && statement.duckdb !== undefined) {
    await (await oracle(asked)).rows(asked);
  }
  const expected = statement.expect ?? (await (await oracle(asked)).rows(asked));
  return rowsDifference(statement.sql, rows, expected, types);
}
