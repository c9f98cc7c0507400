import { everythingVisible } from "../../../../src/security/visibility.ts";
import { describe, expect, test } from "vitest";
import type { ConnectorFactory, TableMetadata } from "../../../../src/connectors/spi.ts";
import { withInformationSchema } from "../../../../src/connectors/shared/information-schema.ts";
import { memoryConnectorFactory } from "../../../../src/connectors/memory/memory.ts";
import { tpchConnectorFactory } from "../../../../src/connectors/tpch/tpch.ts";
import { type SystemProvider, systemConnectorFactory } from "../../../../src/connectors/system/system.ts";
import type { RuntimeQuery } from "../../../../src/connectors/shared/runtime-tables.ts";
import { QueryError } from "../../../../src/protocol/errors.ts";
import { encodeNested } from "../../../../src/types/nested/nested.ts";
import { VARCHAR } from "../../../../src/types/type.ts";
import type { PageValue } from "../../../../src/page/reader.ts";
import { type Instance, readTable, tableOf, World } from "../world.ts";

function wrapped(factory: ConnectorFactory): ConnectorFactory {
  return { ...factory, create: (properties, context) => withInformationSchema(context.catalog, factory.create(properties, context)) };
}

function start(factory: ConnectorFactory): { readonly world: World; readonly node: Instance } {
  const world = new World({ factory });
  return { world, node: world.start("c") };
}

function text(value: PageValue | undefined): unknown {
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : value;
}

async function rowsOf(world: World, node: Instance, schema: string, table: string): Promise<readonly (readonly unknown[])[]> {
  const found: TableMetadata = await tableOf(node.connector, schema, table);
  expect(found.coordinatorOnly).toBe(true);
  return (await readTable(world, node, found)).map((row) => row.map(text));
}

const query: RuntimeQuery = {
  queryId: "20200101_000000_00000_abcde",
  state: "RUNNING",
  user: "u",
  resourceGroupId: ["global", "u"],
  query: "SELECT 1",
  queuedTimeMs: 1,
  analysisTimeMs: 2,
  planningTimeMs: 3,
  created: 1_577_836_800_123,
  lastHeartbeat: 1_577_836_801_000,
};

const provider: SystemProvider = {
  runtime: () => ({
    nodes: () => [{ nodeId: "c", uri: "http://c:8080", nodeVersion: "1", coordinator: true, state: "active" }],
    queries: async () => [query, { ...query, queryId: "second", state: "FAILED", errorType: "USER_ERROR", errorCode: "SYNTAX_ERROR" }],
    resourceGroups: () => [
      {
        id: ["global", "u"],
        state: "CAN_RUN",
        schedulingPolicy: "FAIR",
        schedulingWeight: 1,
        memoryLimitBytes: undefined,
        softConcurrencyLimit: 2,
        hardConcurrencyLimit: 3,
        maxQueued: 4,
        memoryUsageBytes: 5,
        cpuUsageMs: 6,
        physicalInputBytes: 9,
        queuedQueries: 7,
        runningQueries: 8,
      },
    ],
    tasks: () => [],
    transactions: () => [
      {
        user: "ann",
        transactionId: "t",
        isolationLevel: "SERIALIZABLE",
        readOnly: true,
        created: 1_577_836_800_123,
        idleTimeSecs: 7,
        catalogs: ["tpch", "memory"],
      },
    ],
    killQuery: (queryId, message) => {
      throw new QueryError("NOT_FOUND", `${queryId}: ${message}`);
    },
  }),
  visibility: () => everythingVisible,
  catalogs: () => [{ name: "tpch", connectorName: "tpch", connector: start(tpchConnectorFactory).node.connector }],
};

describe("information_schema", () => {
  test("lists the connector's schemas, tables and columns, and itself", async () => {
    const { world, node } = start(wrapped(tpchConnectorFactory));
    const { metadata } = node.connector;
    expect(await metadata.listSchemas()).toContain("information_schema");
    expect(await metadata.listTables("information_schema")).toEqual([
      "applicable_roles",
      "columns",
      "enabled_roles",
      "role_authorization_descriptors",
      "roles",
      "schemata",
      "table_privileges",
      "tables",
      "views",
    ]);
    expect(await rowsOf(world, node, "information_schema", "schemata")).toContainEqual(["cat", "tiny"]);
    expect(await rowsOf(world, node, "information_schema", "schemata")).toContainEqual(["cat", "information_schema"]);
    const tables = await rowsOf(world, node, "information_schema", "tables");
    expect(tables).toContainEqual(["cat", "tiny", "nation", "BASE TABLE", null]);
    expect(tables).toContainEqual(["cat", "information_schema", "tables", "BASE TABLE", null]);
    const columns = (await rowsOf(world, node, "information_schema", "columns")).filter((row) => row[1] === "tiny" && row[2] === "nation");
    expect(columns).toEqual([
      ["cat", "tiny", "nation", "nationkey", 1n, null, "YES", "bigint", null, null, null],
      ["cat", "tiny", "nation", "name", 2n, null, "YES", "varchar(25)", null, null, null],
      ["cat", "tiny", "nation", "regionkey", 3n, null, "YES", "bigint", null, null, null],
      ["cat", "tiny", "nation", "comment", 4n, null, "YES", "varchar(152)", null, null, null],
    ]);
    expect(await rowsOf(world, node, "information_schema", "views")).toEqual([]);
  });

  test("what can be read and written stays so; what cannot stays absent", async () => {
    const memory = start(wrapped(memoryConnectorFactory)).node.connector;
    expect(memory.createPageSink).toBeDefined();
    expect(memory.handleCall).toBeDefined();
    await memory.metadata.createSchema?.("s");
    expect(await memory.metadata.listSchemas()).toEqual(["default", "information_schema", "s"]);
    await expect(memory.metadata.createSchema?.("information_schema")).rejects.toMatchObject({ errorName: "SCHEMA_ALREADY_EXISTS" });
    const { world, node } = start(wrapped(tpchConnectorFactory));
    expect(node.connector.createPageSink).toBeUndefined();
    expect(node.connector.metadata.beginCreate).toBeUndefined();
    expect((await readTable(world, node, await tableOf(node.connector, "tiny", "region"))).length).toBe(5);
    expect(await node.connector.metadata.getTable({ schema: "information_schema", table: "toString" })).toBeUndefined();
  });
});

describe("system", () => {
  test("nodes, queries, tasks and transactions as the coordinator gives them", async () => {
    const { world, node } = start(wrapped(systemConnectorFactory(provider)));
    expect(await rowsOf(world, node, "runtime", "nodes")).toEqual([["c", "http://c:8080", "1", true, "active"]]);
    const queries = await rowsOf(world, node, "runtime", "queries");
    const moment = 1_577_836_800_123_000n << 64n;
    const group = text(encodeNested({ kind: "array", element: VARCHAR }, ["global", "u"]));
    const both = ["u", null, "SELECT 1", group, 1n, 2n, 3n, moment, null, 1_577_836_801_000_000n << 64n, null];
    expect(queries).toEqual([
      [query.queryId, "RUNNING", ...both, null, null],
      ["second", "FAILED", ...both, "USER_ERROR", "SYNTAX_ERROR"],
    ]);
    expect(await rowsOf(world, node, "runtime", "tasks")).toEqual([]);
    const counts = [1n, null, 2n, 3n, 4n, 5n, 6n, 9n, 7n, 8n];
    expect(await rowsOf(world, node, "runtime", "resource_groups")).toEqual([[group, "CAN_RUN", "FAIR", ...counts]]);
    const catalogs = text(encodeNested({ kind: "array", element: VARCHAR }, ["tpch", "memory"]));
    expect(await rowsOf(world, node, "runtime", "transactions")).toEqual([["t", "SERIALIZABLE", true, false, moment, 7n, null, catalogs]]);
    expect(await rowsOf(world, node, "metadata", "catalogs")).toEqual([["tpch", "tpch", "tpch"]]);
    expect(await rowsOf(world, node, "metadata", "table_comments")).toContainEqual(["tpch", "tiny", "nation", null]);
  });

  test("kill_query tells the coordinator, once its arguments are what they have to be", async () => {
    const { procedures = [] } = start(wrapped(systemConnectorFactory(provider))).node.connector;
    const [kill] = procedures;
    const session = { user: "ann", query: { id: "q_2", onEnd: () => undefined } };
    expect(kill).toMatchObject({ schema: "runtime", name: "kill_query", arguments: [{ name: "query_id" }, { name: "message" }] });
    await expect(kill?.call(["q_1", "because"], session)).rejects.toMatchObject({
      errorName: "NOT_FOUND",
      message: "q_1: because",
    });
    await expect(kill?.call(["q_1", null], session)).rejects.toMatchObject({ errorName: "NOT_FOUND", message: "q_1: undefined" });
    await expect(kill?.call([null, null], session)).rejects.toMatchObject({ errorName: "INVALID_PROCEDURE_ARGUMENT" });
    await expect(kill?.call(["q 1", null], session)).rejects.toMatchObject({
      errorName: "INVALID_PROCEDURE_ARGUMENT",
      message: "Invalid id q 1",
    });
  });

  test("a failure to read the rows ends the scan", async () => {
    const broken: SystemProvider = { ...provider, runtime: () => undefined };
    const { world, node } = start(systemConnectorFactory(broken));
    await expect(rowsOf(world, node, "runtime", "nodes")).rejects.toThrow("system tables are read on the coordinator");
    expect(await node.connector.metadata.getTable({ schema: "runtime", table: "none" })).toBeUndefined();
    expect(await node.connector.metadata.listTables("none")).toEqual([]);
  });
});
