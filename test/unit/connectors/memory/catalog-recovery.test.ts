/** A catalog of tables in memory that survives the coordinator: what the disk keeps of it, and what workers still have. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ColumnMetadata, ConnectorMetadata, Json } from "../../../../src/connectors/spi.ts";
import { memoryConnectorFactory } from "../../../../src/connectors/memory/memory.ts";
import { folderOf, type OwnedStorage } from "../../../../src/ports/storage.ts";
import { BIGINT, VARCHAR } from "../../../../src/types/type.ts";
import { LosingStorage } from "../../coordinator/history/losing-storage.ts";
import { type Instance, pagesOf, readTable, type Rows, tableOf, World, writeTasks } from "../world.ts";

const columns: readonly ColumnMetadata[] = [
  { name: "k", type: BIGINT, comment: "key" },
  { name: "v", type: VARCHAR, defaultValue: { sql: "'x'", value: "x" } },
];
const view = { sql: "SELECT 1", columns: [{ name: "one", type: BIGINT }], owner: "me", security: "DEFINER" as const };
const none = (): number => 0;

function startCluster(): World {
  const properties = { "memory.security": "sql-standard", "memory.admin-users": "root" };
  const world = new World({ factory: memoryConnectorFactory, memoryBytes: 1024 * 1024, properties });
  world.catalogStorage = new LosingStorage();
  world.workers = ["w1", "w2"];
  for (const node of ["c", "w1", "w2"]) {
    world.start(node);
  }
  return world;
}

/** The coordinator dies with what was not synced, of which `partOf` says how much stays, and is started again. */
function restarted(world: World, partOf: (length: number) => number = none): Instance {
  world.node("c").connector.close?.();
  world.catalogStorage = (world.catalogStorage as LosingStorage).crash(partOf);
  return world.start("c");
}

function rowsOf(...keys: readonly number[]): Rows {
  return keys.map((key) => [BigInt(key), new TextEncoder().encode(`v${key}`)]);
}

async function written(world: World, handle: Json, rows: Rows, written = columns): Promise<readonly Json[]> {
  return writeTasks(
    handle,
    ["w1", "w2"].map((name, index) => {
      const node = world.node(name);
      const own = rows.filter((_, row) => row % 2 === index);
      return { node, columns: written, pages: pagesOf({ columns: written, rows: own, memory: node.memory, pageRows: 10 }) };
    }),
  );
}

async function create(world: World, table: string, rows: Rows): Promise<void> {
  const { metadata } = world.node("c").connector;
  const handle = (await metadata.beginCreate?.({ schema: "default", table }, columns, { comment: "about it" })) as Json;
  await metadata.finishCreate?.(handle, await written(world, handle, rows));
}

async function insert(world: World, metadata: ConnectorMetadata, table: string, rows: Rows): Promise<void> {
  const { connector } = world.node("c");
  const handle = (await metadata.beginInsert?.(await tableOf(connector, "default", table))) as Json;
  await metadata.finishInsert?.(handle, await written(world, handle, rows));
}

async function keysOf(world: World, table: string): Promise<readonly number[]> {
  const coordinator = world.node("c");
  const found = await readTable(world, coordinator, await tableOf(coordinator.connector, "default", table));
  return found.map(([key]) => Number(key)).toSorted((a, b) => a - b);
}

/** All that clients see of the catalog. */
async function contentOf(world: World): Promise<unknown> {
  const { connector } = world.node("c");
  const { metadata } = connector;
  const schemas = (await metadata.listSchemas()).filter((schema) => schema !== "information_schema");
  const { security } = metadata;
  const ofSchemas = schemas.map(async (schema) => ({
    schema,
    owner: security?.schemaOwner(schema),
    functions: await metadata.listFunctions?.(schema),
    tables: await Promise.all(
      (await metadata.listTables(schema)).map(async (table) => {
        const found = await metadata.getTable({ schema, table });
        const statistics = found && (await metadata.getStatistics?.(found));
        const rows = found && (await readTable(world, world.node("c"), found));
        const name = { schema, table };
        const rights = { owner: security?.owner(name), grants: security?.tableGrants(name) };
        return { found, statistics, rows, rights, view: await metadata.getView?.(name) };
      }),
    ),
  }));
  return { schemas: await Promise.all(ofSchemas), roles: security?.roles(), roleGrants: security?.roleGrants() };
}

describe("a catalog with a folder", () => {
  test("is the same after a restart of the coordinator, with all rows", async () => {
    const world = startCluster();
    const { metadata } = world.node("c").connector;
    const table = (name: string, schema = "default") => tableOf(world.node("c").connector, schema, name);
    const { security } = metadata;
    const [ann, clerk] = [{ type: "USER", name: "ann" } as const, { type: "ROLE", name: "clerk" } as const];
    await metadata.createSchema?.("first");
    await metadata.createSchema?.("dropped");
    await create(world, "t", rowsOf(1, 2, 3));
    await insert(world, metadata, "t", rowsOf(4, 5));
    await metadata.addColumn?.(await table("t"), { name: "more", type: BIGINT, defaultValue: { sql: "7", value: 7 } });
    await metadata.renameColumn?.(await table("t"), "v", "w");
    await metadata.setColumnComment?.(await table("t"), "k", undefined);
    await create(world, "moved", rowsOf(8));
    await metadata.renameTable?.(await table("moved"), { schema: "first", table: "u" });
    await metadata.renameSchema?.("first", "second");
    await create(world, "gone", rowsOf(9));
    await metadata.dropTable?.(await table("gone"));
    await create(world, "empty", rowsOf(6));
    await metadata.truncateTable?.(await table("empty"));
    await metadata.createView?.({ schema: "second", table: "seen" }, view, false);
    await metadata.setViewComment?.({ schema: "second", table: "seen" }, "a view");
    await metadata.renameView?.({ schema: "second", table: "seen" }, { schema: "second", table: "shown" });
    const signature = "(bigint)";
    await metadata.createFunction?.({ schema: "second", name: "f" }, { signature, sql: "FUNCTION f(x bigint) RETURN x" }, false);
    await metadata.createFunction?.({ schema: "second", name: "f" }, { signature, sql: "FUNCTION f(x bigint) RETURN x + 1" }, true);
    await metadata.createFunction?.({ schema: "default", name: "g" }, { signature, sql: "FUNCTION g(x bigint) RETURN x" }, false);
    await metadata.dropFunction?.({ schema: "default", name: "g" }, signature);
    await metadata.createView?.({ schema: "dropped", table: "lost" }, view, false);
    await metadata.createFunction?.({ schema: "dropped", name: "h" }, { signature, sql: "FUNCTION h(x bigint) RETURN x" }, false);
    await security?.changeTableGrants({ schema: "dropped", table: "lost" }, () => [
      { grantor: ann, grantee: clerk, privilege: "SELECT", isGrantable: false },
    ]);
    await metadata.dropSchemaWithContents?.("dropped");
    await metadata.createSchema?.("dropped");
    expect(await metadata.listTables("dropped")).toEqual([]);
    expect(await metadata.listFunctions?.("dropped")).toEqual([]);
    expect(security?.tableGrants({ schema: "dropped", table: "lost" })).toEqual([]);
    await security?.createRole("clerk");
    await security?.createRole("gone");
    await security?.changeRoleGrants(() => [
      { role: "clerk", grantor: ann, grantee: ann, isGrantable: true },
      { role: "gone", grantor: ann, grantee: clerk, isGrantable: false },
    ]);
    for (const name of [
      { schema: "default", table: "t" },
      { schema: "second", table: "shown" },
      { schema: "second", table: "u" },
    ]) {
      await security?.changeTableGrants(name, () => [
        { grantor: ann, grantee: clerk, privilege: "SELECT", isGrantable: false },
        { grantor: ann, grantee: { type: "ROLE", name: "gone" }, privilege: "INSERT", isGrantable: true },
      ]);
    }
    await security?.dropRole("gone");
    await security?.setOwner({ schema: "default", table: "t" }, clerk);
    await security?.setOwner({ schema: "second", table: "shown" }, ann);
    await security?.setSchemaOwner("second", ann);
    await metadata.renameTable?.(await table("u", "second"), { schema: "second", table: "v" });
    const right = { grantor: ann, grantee: clerk, privilege: "SELECT", isGrantable: false };
    expect(security?.tableGrants({ schema: "second", table: "v" })).toEqual([right]);
    expect([security?.roles(), security?.roleGrants().length]).toEqual([["admin", "clerk", "public"], 2]);
    const nothing = { schema: "second", table: "u" };
    await expect(security?.createRole("clerk")).rejects.toMatchObject({ errorName: "ROLE_ALREADY_EXISTS" });
    await expect(security?.changeRoleGrants((all) => all.map((one) => ({ ...one, role: "gone" })))).rejects.toMatchObject({
      errorName: "ROLE_NOT_FOUND",
    });
    await expect(security?.changeTableGrants(nothing, () => [])).rejects.toMatchObject({ errorName: "TABLE_NOT_FOUND" });
    await expect(security?.setOwner(nothing, ann)).rejects.toMatchObject({ errorName: "TABLE_NOT_FOUND" });
    await expect(security?.setSchemaOwner("gone", ann)).rejects.toMatchObject({ errorName: "SCHEMA_NOT_FOUND" });
    await metadata.renameSchema?.("second", "third");
    expect([security?.schemaOwner("third"), security?.schemaOwner("second")]).toEqual([ann, undefined]);
    const before = await contentOf(world);
    restarted(world);
    expect(await contentOf(world)).toEqual(before);
    // Also of what the restarted one has written at its start.
    restarted(world);
    expect(await contentOf(world)).toEqual(before);
    await expect(metadata.createSchema?.("information_schema")).rejects.toMatchObject({ errorName: "SCHEMA_ALREADY_EXISTS" });
  });

  test("frees what was not finished, and only that; new writes have other numbers", async () => {
    const world = startCluster();
    await create(world, "t", rowsOf(1, 2));
    await world.settled();
    const bytes = () => ["w1", "w2"].map((name) => world.node(name).memory.reservedBytes);
    const before = bytes();
    const { metadata } = world.node("c").connector;
    const handle = (await metadata.beginInsert?.(await tableOf(world.node("c").connector, "default", "t"))) as Json;
    await written(world, handle, rowsOf(3, 4));
    expect(bytes()).not.toEqual(before);
    restarted(world);
    await world.quiet(() => bytes().join() === before.join());
    // A sink of the former incarnation that ends late keeps nothing.
    await written(world, handle, rowsOf(3, 4));
    expect(bytes()).toEqual(before);
    await insert(world, world.node("c").connector.metadata, "t", rowsOf(5));
    expect(await keysOf(world, "t")).toEqual([1, 2, 5]);
  });

  test("has the rows of a statement and its record, or neither, wherever the disk fails and the coordinator dies", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(12), fc.nat(12), fc.boolean(), async (budget, cut, isWhole) => {
        const world = startCluster();
        const { metadata } = world.node("c").connector;
        await create(world, "t", rowsOf(1, 2));
        const recording = metadata.recordedStatements?.of({ queryId: "q1", updateType: "INSERT", rows: 2 }) as ConnectorMetadata;
        const disk = world.catalogStorage as LosingStorage;
        disk.budget = budget;
        const isDone = await insert(world, recording, "t", rowsOf(3, 4)).then(
          () => true,
          (error: { readonly errorName: string }) => {
            expect(error.errorName).toBe("CONNECTOR_ERROR");
            return false;
          },
        );
        expect(await keysOf(world, "t")).toEqual(isDone ? [1, 2, 3, 4] : [1, 2]);
        restarted(world, (length) => (isWhole ? length : Math.floor((length * cut) / 12)));
        const keys = await keysOf(world, "t");
        const found = await world.node("c").connector.metadata.recordedStatements?.find("q1");
        expect(found === undefined ? [1, 2] : [1, 2, 3, 4]).toEqual(keys);
        expect(isDone && found === undefined).toBe(false);
      }),
      { numRuns: 25 },
    );
  });

  test("of an owner of the folder is not replaced by a former one that does not know of it", async () => {
    const world = startCluster();
    const disk = world.catalogStorage as LosingStorage;
    const ownedBy = (epoch: number): OwnedStorage => ({ ...folderOf(disk, "t"), epoch });
    world.catalogStorage = ownedBy(1);
    const former = world.start("c").connector;
    await former.metadata.listSchemas();
    await create(world, "t", rowsOf(1));
    world.catalogStorage = ownedBy(2);
    world.start("c");
    expect(await keysOf(world, "t")).toEqual([1]);
    await create(world, "u", rowsOf(2));
    // The disk fails for the former owner, so it begins a new file.
    disk.budget = 0;
    await expect(former.metadata.createSchema?.("s1")).rejects.toMatchObject({ errorName: "CONNECTOR_ERROR" });
    disk.budget = Number.POSITIVE_INFINITY;
    await former.metadata.createSchema?.("s2");
    world.catalogStorage = ownedBy(3);
    world.start("c");
    expect([await keysOf(world, "t"), await keysOf(world, "u")]).toEqual([[1], [2]]);
    expect(await world.node("c").connector.metadata.listSchemas()).not.toContain("s2");
  });

  test("that is damaged is an error, not an empty catalog", async () => {
    const world = startCluster();
    await create(world, "t", rowsOf(1));
    const disk = world.catalogStorage as LosingStorage;
    for (const [path, bytes] of disk.files) {
      const damaged = bytes.slice();
      damaged[bytes.length >> 1] = 0x20;
      disk.files.set(path, damaged);
      disk.synced.set(path, damaged);
    }
    restarted(world);
    await expect(keysOf(world, "t")).rejects.toMatchObject({
      errorName: "CONNECTOR_ERROR",
      message: "Catalog 'cat' cannot read its tables: a record is damaged",
    });
  });

  test("waits for workers that may come back, and knows rows that are lost", async () => {
    const world = startCluster();
    await create(world, "t", rowsOf(1, 2));
    const reading = (): Promise<readonly number[]> => keysOf(world, "t");
    world.workers = [];
    restarted(world);
    const waiting = reading();
    await world.settled();
    world.changeWorkers(["w1", "w2"]);
    expect(await waiting).toEqual([1, 2]);
    world.start("w1");
    world.start("w2");
    restarted(world);
    const lost = { errorName: "TABLE_DATA_LOST", message: expect.stringMatching(/^Table 'cat.default.t' lost data: worker w\d restarted/) };
    await expect(reading()).rejects.toMatchObject(lost);
    await expect(insert(world, world.node("c").connector.metadata, "t", rowsOf(3))).rejects.toMatchObject(lost);
    await world.node("c").connector.metadata.dropTable?.(await tableOf(world.node("c").connector, "default", "t"));
    await create(world, "t", rowsOf(7));
    expect(await reading()).toEqual([7]);
  });

  test("forgets statements when nobody asks for them any more", async () => {
    const world = startCluster();
    const statements = () => world.node("c").connector.metadata.recordedStatements;
    for (const queryId of ["q1", "q2"]) {
      await statements()?.of({ queryId, updateType: "CREATE SCHEMA" }).createSchema?.(queryId);
    }
    statements()?.forget(["q1"]);
    await world.node("c").connector.metadata.createSchema?.("q3");
    restarted(world);
    expect(await statements()?.find("q1")).toBeUndefined();
    expect(await statements()?.find("q2")).toEqual({ queryId: "q2", updateType: "CREATE SCHEMA" });
  });
});
