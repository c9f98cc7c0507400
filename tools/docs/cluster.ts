/** A cluster in this process whose answers stand in the generated pages, and against which the tests run the statements of all pages. */
import { connectorFactories } from "../../src/connectors/registry.ts";
import { clientSession } from "../../src/client/session.ts";
import { type Row, StatementClient } from "../../src/client/statement-client.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Network } from "../../src/ports/network.ts";
import { stringifyJson } from "../../src/protocol/json.ts";
import { RealClock } from "../../src/server/ports/clock.ts";
import { DirectCluster } from "../../test/unit/coordinator/direct-cluster.ts";

const user = "docs";
const catalogs = [
  ...["blackhole", "faker", "jmx", "memory", "tpcds", "tpch"].map((name) => ({ name, properties: { "connector.name": name } })),
  // Tables with rights.
  { name: "vault", properties: { "connector.name": "memory", "memory.security": "sql-standard", "memory.admin-users": user } },
];

export interface Answer {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly error: { readonly errorName: string; readonly message: string } | undefined;
}

/** One session at one cluster. Statements change the session as they do for a client. */
export class DocsCluster {
  readonly #cluster: DirectCluster;
  readonly #clock: RealClock;
  readonly #client: StatementClient;

  private constructor(cluster: DirectCluster, clock: RealClock, session: { readonly catalog: string; readonly schema: string }) {
    this.#cluster = cluster;
    this.#clock = clock;
    this.#client = new StatementClient({
      network: cluster.links.network("http://docs:1"),
      clock,
      server: cluster.coordinator.selfUri,
      session: clientSession(user, { ...session, timeZone: "UTC" }),
    });
  }

  static async start(session = { catalog: "tpch", schema: "tiny" }): Promise<DocsCluster> {
    const cluster = await DirectCluster.start({
      workerCount: 0,
      factories: connectorFactories,
      catalogs,
      forgetful: true,
    });
    return new DocsCluster(cluster, new RealClock(), session);
  }

  /** For clients with a session of their own. */
  get endpoint(): { readonly server: string; readonly network: Network } {
    return { server: this.#cluster.coordinator.selfUri, network: this.#cluster.links.network("http://docs:2") };
  }

  get clock(): Clock {
    return this.#clock;
  }

  async run(sql: string): Promise<Answer> {
    const run = this.#client.submit(sql);
    const rows: Row[] = [];
    while (await run.advance()) {
      rows.push(...run.rows);
    }
    const { error } = run;
    return {
      columns: (run.columns ?? []).map(({ name }) => name),
      rows,
      error: error && { errorName: error.errorName, message: error.message },
    };
  }

  /** The one value of a query, as text; JSON for arrays, maps and rows. Throws when the query fails. */
  async value(sql: string): Promise<string> {
    const { rows, error } = await this.run(sql);
    if (error !== undefined) {
      throw new Error(`${sql}\n${error.errorName}: ${error.message}`);
    }
    return valueText(rows[0]?.[0]);
  }

  async close(): Promise<void> {
    await this.#cluster.close();
    this.#clock.close();
  }
}

export function valueText(value: unknown): string {
  if (value === null || value === undefined) {
    return "NULL";
  }
  return typeof value === "string" ? value : stringifyJson(value);
}
