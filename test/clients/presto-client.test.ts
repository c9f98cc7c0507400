/**
 * npm's presto-client in typical use, as a client of Presto and of Trino.
 */
import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";

interface Failure {
  readonly message: string;
  readonly errorName?: string;
}

/** The part of its interface in use here; the package has no types. */
interface PrestoClient {
  execute(options: {
    readonly query: string;
    readonly catalog?: string;
    readonly schema?: string;
    readonly session?: string;
    readonly timezone?: string;
    readonly info?: boolean;
    readonly prepares?: readonly string[];
    readonly timeout?: number;
    readonly cancel?: () => boolean;
    readonly state?: (error: unknown, queryId: string, stats: { readonly state: string }) => void;
    readonly columns?: (error: unknown, columns: readonly { readonly name: string; readonly type: string }[]) => void;
    readonly data?: (error: unknown, rows: unknown[][]) => void;
    readonly success: (
      error: unknown,
      stats: { readonly state: string },
      info?: { readonly queryId: string; readonly state: string },
    ) => void;
    readonly error: (error: Failure) => void;
  }): void;
  nodes(callback: (error: Failure | null, nodes: readonly { readonly uri: string }[]) => void): void;
  query(id: string, callback: (error: Failure | null, info: { readonly state: string; readonly queryId: string }) => void): void;
  kill(id: string, callback: (error: Failure | null) => void): void;
}

const { Client } = createRequire(import.meta.url)("presto-client") as {
  readonly Client: new (options: Readonly<Record<string, unknown>>) => PrestoClient;
};

let cluster: LoopbackCluster;

beforeAll(async () => {
  cluster = await startLoopbackCluster();
});

afterAll(() => cluster.stop());

interface Collected {
  readonly rows: unknown[][];
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly states: string[];
  readonly id: string;
  readonly failure?: Failure;
  readonly info?: { readonly queryId: string; readonly state: string };
}

describe.each(["presto", "trino"])("presto-client as a client of %s", (engine) => {
  const connect = (options: Readonly<Record<string, unknown>> = {}): PrestoClient => {
    const { hostname, port } = new URL(cluster.uri);
    return new Client({
      host: hostname,
      port: Number(port),
      user: "bob",
      engine,
      checkInterval: 5,
      catalog: "tpch",
      schema: "tiny",
      ...options,
    });
  };

  const run = (client: PrestoClient, query: string, options: Partial<Parameters<PrestoClient["execute"]>[0]> = {}): Promise<Collected> =>
    new Promise((resolve) => {
      const rows: unknown[][] = [];
      const states: string[] = [];
      let columns: Collected["columns"] = [];
      let id = "";
      client.execute({
        query,
        state: (_error, queryId, stats) => {
          id = queryId;
          states.push(stats.state);
        },
        columns: (_error, some) => {
          columns = some;
        },
        data: (_error, some) => rows.push(...some),
        success: (_error, _stats, info) => resolve({ rows, columns, states, id, ...(info === undefined ? {} : { info }) }),
        error: (failure) => resolve({ rows, columns, states, id, failure }),
        ...options,
      });
    });

  it("queries and sees the states, columns and every row", async () => {
    const { rows, columns, states, failure } = await run(connect(), "SELECT nationkey, name FROM nation ORDER BY nationkey DESC");
    expect(failure).toBeUndefined();
    expect(columns.map(({ name, type }) => [name, type])).toEqual([
      ["nationkey", "bigint"],
      ["name", "varchar(25)"],
    ]);
    expect(rows.length).toBe(25);
    expect(rows[0]).toEqual([24, "UNITED STATES"]);
    expect(states.at(-1)).toBe("FINISHED");
    expect((await run(connect(), "SELECT orderkey FROM orders")).rows.length).toBe(15_000);
  });

  it("keeps 64 bits with a parser of its user", async () => {
    const exact = { parse: (text: string): unknown => JSON.parse(text.replace(/([[,])(\d{16,})(?=[\],])/g, '$1"$2"')) };
    const { rows } = await run(connect({ jsonParser: exact }), "SELECT 9223372036854775807");
    expect(rows).toEqual([["9223372036854775807"]]);
  });

  it("gets errors of analysis and of execution", async () => {
    const missing = await run(connect(), "SELECT nosuch FROM nation");
    expect(missing.failure?.message).toBe("line 1:8: Column 'nosuch' cannot be resolved");
    expect(missing.failure?.errorName).toBe("COLUMN_NOT_FOUND");
    const divided = await run(connect(), "SELECT 1 / (nationkey - nationkey) FROM nation");
    expect(divided.failure?.message).toBe("Division by zero");
    const empty = await run(connect(), " ");
    expect(empty.failure?.message).toContain("execution error");
  });

  it("cancels through its callback, kills by id, and both are noted", async () => {
    const long = "SELECT count(*) FROM tpch.sf1000.lineitem a JOIN tpch.sf1000.lineitem b ON a.orderkey = b.partkey";
    const client = connect();
    const canceled = await run(client, long, { cancel: () => true });
    expect(canceled.failure?.message).toBe("query fetch canceled by operation");
    const killed = await run(client, long, {
      state: (_error, id) => client.kill(id, () => undefined),
    });
    expect(killed.failure?.message).toBe("Query was canceled");
    const after = await new Promise<Failure | null>((resolve) => client.kill("20200101_000000_00000_aaaaa", resolve));
    expect(after).toBeNull();
  });

  it("reads the query's information at the end, and by id", async () => {
    const client = connect();
    const { info } = await run(client, "SELECT count(*) FROM region", { info: true });
    expect(info).toMatchObject({ state: "FINISHED" });
    const again = await new Promise<{ state: string }>((resolve) => client.query(info?.queryId ?? "", (_error, found) => resolve(found)));
    expect(again.state).toBe("FINISHED");
    const unknown = await new Promise<Failure | null>((resolve) => client.query("20200101_000000_00000_aaaaa", (error) => resolve(error)));
    expect(unknown?.message).toContain("query info api returns error");
  });

  it("lists the nodes", async () => {
    const nodes = await new Promise<readonly { readonly uri: string }[]>((resolve) => connect().nodes((_error, found) => resolve(found)));
    for (const uri of cluster.workerUris) {
      expect(nodes.map((node) => node.uri)).toContain(uri);
    }
  });

  it("sends session properties, a time zone and prepared statements", async () => {
    const { rows } = await run(connect(), "SHOW SESSION", { session: "join_distribution_type=BROADCAST", timezone: "Europe/Paris" });
    expect(rows.find(([name]) => name === "join_distribution_type")?.[1]).toBe("BROADCAST");
    const prepared = await run(connect(), "EXECUTE query1 USING 7", {
      prepares: ["SELECT 'a, b = c'", "SELECT name FROM nation WHERE nationkey = ?"],
    });
    expect(prepared.rows).toEqual([["GERMANY"]]);
  });

  it("uses another schema with USE's statement accepted", async () => {
    expect((await run(connect(), "USE tpch.sf1")).failure).toBeUndefined();
  });
});
