import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ColumnMetadata, Json, ViewDefinition } from "../../../../src/connectors/spi.ts";
import { memoryConnectorFactory } from "../../../../src/connectors/memory/memory.ts";
import type { Page } from "../../../../src/page/page.ts";
import { type PageValue, readValue } from "../../../../src/page/reader.ts";
import {
  BIGINT,
  BOOLEAN,
  DATE,
  decimalType,
  DOUBLE,
  INTEGER,
  REAL,
  SMALLINT,
  TIMESTAMP,
  TINYINT,
  VARBINARY,
  VARCHAR,
} from "../../../../src/types/type.ts";
import { type Instance, pagesOf, readSplit, readTable, type Rows, tableOf, World, writeTasks } from "../world.ts";

const columns: readonly ColumnMetadata[] = [
  { name: "b", type: BOOLEAN },
  { name: "t", type: TINYINT },
  { name: "s", type: SMALLINT },
  { name: "i", type: INTEGER },
  { name: "l", type: BIGINT },
  { name: "r", type: REAL },
  { name: "d", type: DOUBLE },
  { name: "short", type: decimalType(10, 2) },
  { name: "long", type: decimalType(38, 4) },
  { name: "v", type: VARCHAR },
  { name: "x", type: VARBINARY },
  { name: "day", type: DATE },
  { name: "at", type: TIMESTAMP },
];
const encoder = new TextEncoder();
const bytes = (text: string): Uint8Array => encoder.encode(text);

function value(type: ColumnMetadata["type"]["kind"], name: string): fc.Arbitrary<PageValue> {
  switch (type) {
    case "boolean":
      return fc.boolean();
    case "tinyint":
      return fc.integer({ min: -128, max: 127 });
    case "smallint":
      return fc.integer({ min: -32768, max: 32767 });
    case "integer":
    case "date":
      return fc.integer();
    case "real":
      return fc.float();
    case "double":
      return fc.double();
    case "decimal":
      return name === "long"
        ? fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n })
        : fc.bigInt({ min: -9999999999n, max: 9999999999n });
    case "varchar":
    case "varbinary":
      return fc.string({ maxLength: 30 }).map(bytes);
    default:
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  }
}

const anyRow: fc.Arbitrary<readonly PageValue[]> = fc.tuple(
  ...columns.map(({ type, name }) => fc.option(value(type.kind, name), { nil: null, freq: 6 })),
);

function startWorld(properties: Readonly<Record<string, string>> = {}, memoryBytes?: number): { world: World; coordinator: Instance } {
  const world = new World({
    factory: memoryConnectorFactory,
    properties: { "memory.replication": "1", ...properties },
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
  });
  const coordinator = world.start("c");
  world.start("w1");
  world.start("w2");
  world.workers = ["w1", "w2"];
  return { world, coordinator };
}

interface Creation {
  readonly world: World;
  readonly coordinator: Instance;
  readonly name: string;
  readonly columns: readonly ColumnMetadata[];
  /** Rows of each task, assigned to w1 and w2 in turn. */
  readonly tasks: readonly Rows[];
  readonly pageRows?: number;
  readonly indirect?: boolean;
}

async function write(creation: Creation, handle: Json): Promise<readonly Json[]> {
  const { world, tasks, pageRows = 1000, indirect = false } = creation;
  return writeTasks(
    handle,
    tasks.map((rows, index) => {
      const node = world.node(index % 2 === 0 ? "w1" : "w2");
      return {
        node,
        columns: creation.columns,
        pages: pagesOf({ columns: creation.columns, rows, memory: node.memory, pageRows, indirect }),
      };
    }),
  );
}

async function create(creation: Creation): Promise<void> {
  const { metadata } = creation.coordinator.connector;
  const handle = (await metadata.beginCreate?.({ schema: "default", table: creation.name }, creation.columns)) as Json;
  await metadata.finishCreate?.(handle, await write(creation, handle));
}

const one: readonly ColumnMetadata[] = [{ name: "k", type: BIGINT }];
const numbers = (count: number): Rows => Array.from({ length: count }, (_, index) => [BigInt(index)]);

describe("rows", () => {
  test("any value of any type comes back, from pages of any form", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyRow, { maxLength: 40 }), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 20 }),
        fc.boolean(),
        async (tasks, pageRows, indirect) => {
          const { world, coordinator } = startWorld({}, 4 * 1024 * 1024);
          await create({ world, coordinator, name: "t", columns, tasks, pageRows, indirect });
          const table = await tableOf(coordinator.connector, "default", "t");
          expect(await readTable(world, coordinator, table)).toEqual(tasks.flat());
          await coordinator.connector.metadata.dropTable?.(table);
          expect(world.node("w1").memory.reservedBytes + world.node("w2").memory.reservedBytes).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("a part of many chunks is cut into splits of whole chunks, in order; strings that repeat lie in a dictionary", async () => {
    const { world, coordinator } = startWorld({}, 128 * 1024 * 1024);
    const mixed: readonly ColumnMetadata[] = [
      { name: "k", type: BIGINT },
      { name: "word", type: VARCHAR },
      { name: "unique", type: VARCHAR },
      { name: "sparse", type: INTEGER },
    ];
    const count = 150_000;
    const rows: Rows = Array.from({ length: count }, (_, k) => [
      BigInt(k),
      k % 7 === 0 ? null : bytes(`word ${k % 5}`),
      k % 11 === 0 ? null : bytes(`a string of its own, number ${k}`),
      k < 140_000 ? k : null,
    ]);
    await create({ world, coordinator, name: "t", columns: mixed, tasks: [rows], pageRows: 5000 });
    const table = await tableOf(coordinator.connector, "default", "t");
    const splits = [...(await coordinator.connector.getSplits(table, table.columns))];
    expect(splits.map((split) => [split.rows, split.nodes])).toEqual([
      [65536, ["w1"]],
      [65536, ["w1"]],
      [count - 131072, ["w1"]],
    ]);
    const node = world.node("w1");
    const read: PageValue[][] = [];
    for (const split of splits) {
      read.push(...((await readSplit(node, table, split)) as PageValue[][]));
    }
    expect(read.length).toBe(count);
    expect(read.every((row, k) => row[0] === BigInt(k) && row[3] === rows[k]?.[3])).toBe(true);
    expect(read[131_073]).toEqual(rows[131_073]);
    expect(
      read.filter((row, k) => Buffer.compare((row[2] ?? bytes("")) as Uint8Array, (rows[k]?.[2] ?? bytes("")) as Uint8Array) !== 0),
    ).toEqual([]);
    expect(
      read.filter((row, k) => Buffer.compare((row[1] ?? bytes("")) as Uint8Array, (rows[k]?.[1] ?? bytes("")) as Uint8Array) !== 0),
    ).toEqual([]);

    const memory = node.memory.child("look");
    const source = node.connector.createPageSource({
      table: table.handle,
      split: splits[1]?.payload as Json,
      columns: [mixed[1], mixed[2]] as ColumnMetadata[],
      memory,
    });
    const page = source.nextPage();
    expect(page?.columns.map(({ ids, length }) => [ids !== 0, length])).toEqual([
      [true, 6],
      [false, 65536],
    ]);
    // Nothing is copied: the page source itself holds no memory.
    expect(memory.reservedBytes).toBe(0);
    source.close();
  });

  test("a page source without columns counts", async () => {
    const { world, coordinator } = startWorld();
    await create({ world, coordinator, name: "t", columns: one, tasks: [numbers(3), numbers(2)] });
    const table = await tableOf(coordinator.connector, "default", "t");
    expect((await readTable(world, coordinator, table, [])).length).toBe(5);
  });

  test("statistics: rows, range, nulls and distinct values", async () => {
    const { world, coordinator } = startWorld();
    const rows: Rows = Array.from({ length: 20_000 }, (_, k) => [
      BigInt(k % 1000) - 500n,
      k % 4 === 0 ? null : bytes(`w${k % 10}`),
      BigInt(k),
    ]);
    const some: readonly ColumnMetadata[] = [
      { name: "k", type: BIGINT },
      { name: "w", type: VARCHAR },
      { name: "money", type: decimalType(12, 2) },
    ];
    await create({ world, coordinator, name: "t", columns: some, tasks: [rows.slice(0, 9000), rows.slice(9000)] });
    const table = await tableOf(coordinator.connector, "default", "t");
    const statistics = await coordinator.connector.metadata.getStatistics?.(table);
    expect(statistics?.rowCount).toBe(20_000);
    expect(statistics?.columns["k"]).toMatchObject({ low: -500, high: 499, nullsFraction: 0 });
    expect(statistics?.columns["k"]?.distinctValues).toBeGreaterThan(800);
    expect(statistics?.columns["k"]?.distinctValues).toBeLessThan(1200);
    expect(statistics?.columns["w"]?.distinctValues).toBeGreaterThan(7);
    expect(statistics?.columns["w"]?.distinctValues).toBeLessThan(13);
    expect(statistics?.columns["w"]?.nullsFraction).toBe(0.25);
    expect(statistics?.columns["w"]?.averageBytes).toBe(2);
    expect(statistics?.columns["money"]).toMatchObject({ low: 0, high: 199.99 });
  });
});

describe("writes", () => {
  test("rows appear when the write finishes, all at once; an aborted write leaves nothing", async () => {
    const { world, coordinator } = startWorld();
    const { metadata } = coordinator.connector;
    const creation = { world, coordinator, name: "t", columns: one, tasks: [numbers(10), numbers(10)] };
    const handle = (await metadata.beginCreate?.({ schema: "default", table: "t" }, one)) as Json;
    const fragments = await write(creation, handle);
    expect(await metadata.getTable({ schema: "default", table: "t" })).toBeUndefined();
    await metadata.finishCreate?.(handle, fragments);
    const table = await tableOf(coordinator.connector, "default", "t");
    expect((await readTable(world, coordinator, table)).length).toBe(20);

    const insert = (await metadata.beginInsert?.(table)) as Json;
    const held = world.node("w1").memory.reservedBytes;
    await write(creation, insert);
    expect(world.node("w1").memory.reservedBytes).toBeGreaterThan(held);
    expect((await readTable(world, coordinator, table)).length).toBe(20);
    await metadata.abortWrite?.(insert);
    await metadata.abortWrite?.(insert);
    await Promise.resolve();
    expect(world.node("w1").memory.reservedBytes).toBe(held);
    expect((await readTable(world, coordinator, table)).length).toBe(20);

    const again = (await metadata.beginInsert?.(table)) as Json;
    await metadata.finishInsert?.(again, await write(creation, again));
    expect((await readTable(world, coordinator, table)).length).toBe(40);
  });

  test("a sink that ends after its write was aborted keeps nothing", async () => {
    const { world, coordinator } = startWorld();
    const { metadata } = coordinator.connector;
    const handle = (await metadata.beginCreate?.({ schema: "default", table: "t" }, one)) as Json;
    await metadata.abortWrite?.(handle);
    await write({ world, coordinator, name: "t", columns: one, tasks: [numbers(10)] }, handle);
    expect(world.node("w1").memory.reservedBytes).toBe(0);
  });

  test("a schema goes with its tables, views and functions, and their memory is free", async () => {
    const { world, coordinator } = startWorld();
    const { metadata } = coordinator.connector;
    const fill = async (): Promise<void> => {
      await create({ world, coordinator, name: "t", columns: one, tasks: [numbers(1_000)] });
      const view: ViewDefinition = { sql: "SELECT 1 a", columns: [{ name: "a", type: BIGINT }], owner: "ann", security: "DEFINER" };
      await metadata.createView?.({ schema: "default", table: "v" }, view, false);
      await metadata.createFunction?.({ schema: "default", name: "f" }, { signature: "()", sql: "FUNCTION f() RETURN 1" }, false);
    };
    await fill();
    expect(world.node("w1").memory.reservedBytes).toBeGreaterThan(0);
    await metadata.dropSchemaWithContents?.("default");
    expect(world.node("w1").memory.reservedBytes).toBe(0);
    expect(await metadata.listSchemas()).toEqual([]);
    await metadata.createSchema?.("default");
    expect(await metadata.listTables("default")).toEqual([]);
    expect(await metadata.listFunctions?.("default")).toEqual([]);
    // Nothing of the former schema is in the way.
    await fill();
    expect(await metadata.listTables("default")).toEqual(["t", "v"]);
  });

  test("names: what exists, what does not", async () => {
    const { world, coordinator } = startWorld();
    const { metadata } = coordinator.connector;
    const creation = { world, coordinator, name: "t", columns: one, tasks: [numbers(1)] };
    await metadata.createSchema?.("s");
    expect(await metadata.listSchemas()).toEqual(["default", "s"]);
    await expect(metadata.createSchema?.("s")).rejects.toMatchObject({ errorName: "SCHEMA_ALREADY_EXISTS" });
    await create(creation);
    await expect(create(creation)).rejects.toMatchObject({
      errorName: "TABLE_ALREADY_EXISTS",
      message: "Destination table 'cat.default.t' already exists",
    });
    await expect(metadata.beginCreate?.({ schema: "none", table: "t" }, one)).rejects.toMatchObject({ errorName: "SCHEMA_NOT_FOUND" });
    await expect(metadata.dropSchema?.("default")).rejects.toMatchObject({ errorName: "SCHEMA_NOT_EMPTY" });
    await metadata.dropSchema?.("s");
    await expect(metadata.dropSchema?.("s")).rejects.toMatchObject({ errorName: "SCHEMA_NOT_FOUND" });
    await expect(metadata.dropSchemaWithContents?.("s")).rejects.toMatchObject({ errorName: "SCHEMA_NOT_FOUND" });
    const table = await tableOf(coordinator.connector, "default", "t");
    await metadata.dropTable?.(table);
    await create(creation);
    // The handle belongs to the dropped table, not to the new one of the same name.
    await expect(metadata.beginInsert?.(table)).rejects.toMatchObject({ errorName: "TABLE_NOT_FOUND" });
  });

  test("two creations of one name: the second to finish fails and frees its rows", async () => {
    const { world, coordinator } = startWorld();
    const { metadata } = coordinator.connector;
    const creation = { world, coordinator, name: "t", columns: one, tasks: [numbers(10)] };
    const first = (await metadata.beginCreate?.({ schema: "default", table: "t" }, one)) as Json;
    const second = (await metadata.beginCreate?.({ schema: "default", table: "t" }, one)) as Json;
    const fragments = [await write(creation, first), await write(creation, second)];
    await metadata.finishCreate?.(second, fragments[1] as Json[]);
    const held = world.node("w1").memory.reservedBytes;
    await expect(metadata.finishCreate?.(first, fragments[0] as Json[])).rejects.toMatchObject({ errorName: "TABLE_ALREADY_EXISTS" });
    await Promise.resolve();
    expect(world.node("w1").memory.reservedBytes).toBe(held / 2);
  });

  test("a rewrite takes the place of all rows at once, and conflicts with whatever changed the table since it began", async () => {
    const { world, coordinator } = startWorld();
    const { metadata } = coordinator.connector;
    const creation = { world, coordinator, name: "t", columns: one, tasks: [numbers(10), numbers(10)] };
    await create(creation);
    const table = await tableOf(coordinator.connector, "default", "t");
    const begin = async () => (await metadata.beginRewrite?.(table)) as Json;
    const shorter = { ...creation, tasks: [numbers(3)] };
    const [first, second, third] = [await begin(), await begin(), await begin()];
    const fragments = [await write(shorter, first), await write(shorter, second), await write(shorter, third)];
    expect((await readTable(world, coordinator, table)).length).toBe(20);
    await metadata.finishRewrite?.(first, fragments[0] as Json[]);
    expect((await readTable(world, coordinator, table)).length).toBe(3);

    const conflict = { errorName: "TRANSACTION_CONFLICT", message: "Table 'cat.default.t' has changed since its rows were read" };
    await expect(metadata.finishRewrite?.(second, fragments[1] as Json[])).rejects.toMatchObject(conflict);
    await metadata.abortWrite?.(third);
    const afterInsert = await begin();
    const insert = (await metadata.beginInsert?.(table)) as Json;
    await metadata.finishInsert?.(insert, await write(shorter, insert));
    await expect(metadata.finishRewrite?.(afterInsert, await write(shorter, afterInsert))).rejects.toMatchObject(conflict);
    const afterAlter = await begin();
    await metadata.addColumn?.(table, { name: "more", type: BIGINT });
    await expect(metadata.finishRewrite?.(afterAlter, await write(shorter, afterAlter))).rejects.toMatchObject({
      errorName: "TRANSACTION_CONFLICT",
      message: "Table 'cat.default.t' was altered while rows were written",
    });
    expect((await readTable(world, coordinator, table)).length).toBe(6);

    // No memory is kept for replaced or rejected rows.
    const fresh = startWorld();
    const same = { ...creation, world: fresh.world, coordinator: fresh.coordinator, tasks: [numbers(3)] };
    await create(same);
    await Promise.resolve();
    expect(world.node("w1").memory.reservedBytes).toBe(2 * fresh.world.node("w1").memory.reservedBytes);
    expect(world.node("w2").memory.reservedBytes).toBe(0);
  });

  test("an insert based on a former version conflicts with any change of rows since it began", async () => {
    const { world, coordinator } = startWorld();
    const { metadata } = coordinator.connector;
    const creation = { world, coordinator, name: "t", columns: one, tasks: [numbers(3)] };
    await create(creation);
    const table = await tableOf(coordinator.connector, "default", "t");
    const begin = async (ifUnchanged: boolean) => (await metadata.beginInsert?.(table, { ifUnchanged })) as Json;
    const [first, second, plain] = [await begin(true), await begin(true), await begin(false)];
    const fragments = [await write(creation, first), await write(creation, second), await write(creation, plain)];
    await metadata.finishInsert?.(first, fragments[0] as Json[]);
    await expect(metadata.finishInsert?.(second, fragments[1] as Json[])).rejects.toMatchObject({
      errorName: "TRANSACTION_CONFLICT",
      message: "Table 'cat.default.t' has changed since its rows were read",
    });
    await metadata.finishInsert?.(plain, fragments[2] as Json[]);
    expect((await readTable(world, coordinator, table)).length).toBe(9);
  });

  test("OR REPLACE: the former table stays until the new one is complete, and its rows are freed then", async () => {
    const { world, coordinator } = startWorld();
    const { metadata } = coordinator.connector;
    const creation = { world, coordinator, name: "t", columns: one, tasks: [numbers(10), numbers(10)] };
    await create(creation);
    const former = await tableOf(coordinator.connector, "default", "t");
    const begin = async () => (await metadata.beginCreate?.({ schema: "default", table: "t" }, one, { replace: true })) as Json;
    const aborted = await begin();
    await write(creation, aborted);
    await metadata.abortWrite?.(aborted);
    expect((await readTable(world, coordinator, former)).length).toBe(20);

    const insert = (await metadata.beginInsert?.(former)) as Json;
    const inserted = await write(creation, insert);
    const shorter = { ...creation, tasks: [numbers(2)] };
    const handle = await begin();
    await metadata.finishCreate?.(handle, await write(shorter, handle));
    const table = await tableOf(coordinator.connector, "default", "t");
    expect((await readTable(world, coordinator, table)).length).toBe(2);
    // Rows written for the former table do not appear in the new one.
    await expect(metadata.finishInsert?.(insert, inserted)).rejects.toMatchObject({ errorName: "TABLE_NOT_FOUND" });
    await Promise.resolve();
    expect(world.node("w2").memory.reservedBytes).toBe(0);
    await metadata.dropTable?.(table);
    expect(world.node("w1").memory.reservedBytes).toBe(0);
  });

  test("NOT NULL is refused where there are NULLs, and rows that did not know of it are", async () => {
    const { world, coordinator } = startWorld();
    const { metadata } = coordinator.connector;
    const creation = { world, coordinator, name: "t", columns: one, tasks: [numbers(3)] };
    await create(creation);
    const table = await tableOf(coordinator.connector, "default", "t");
    const withNull = { ...creation, tasks: [[[null]]] };
    const early = (await metadata.beginInsert?.(table)) as Json;
    const fragments = await write(withNull, early);
    await metadata.setColumnNullable?.(table, "k", false);
    await expect(metadata.finishInsert?.(early, fragments)).rejects.toMatchObject({
      errorName: "TRANSACTION_CONFLICT",
      message: "Table 'cat.default.t' was altered while rows were written",
    });
    expect((await tableOf(coordinator.connector, "default", "t")).columns).toEqual([{ name: "k", type: BIGINT, nullable: false }]);
    await metadata.setColumnNullable?.(table, "k", true);
    const late = (await metadata.beginInsert?.(table)) as Json;
    await metadata.finishInsert?.(late, await write(withNull, late));
    await expect(metadata.setColumnNullable?.(table, "k", false)).rejects.toMatchObject({ errorName: "CONSTRAINT_VIOLATION" });
  });

  test("a column that is added has its default value in the rows that are there, whatever its type and its later names", async () => {
    const { world, coordinator } = startWorld();
    const { metadata } = coordinator.connector;
    const creation = { world, coordinator, name: "t", columns: one, tasks: [numbers(2)] };
    await create(creation);
    const table = () => tableOf(coordinator.connector, "default", "t");
    const text = new Uint8Array([0xc3, 0xa9]);
    const added: readonly (readonly [ColumnMetadata, unknown])[] = [
      [{ name: "constructor", type: VARCHAR, defaultValue: { sql: "'é'", value: "é" } }, text],
      [{ name: "__proto__", type: BIGINT, defaultValue: { sql: "7", value: "7" } }, 7n],
      [{ name: "f", type: DOUBLE, defaultValue: { sql: "NaN", value: "NaN" } }, NaN],
      [{ name: "b", type: BOOLEAN, defaultValue: { sql: "true", value: true } }, true],
      [{ name: "n", type: BIGINT, defaultValue: { sql: "NULL", value: null } }, null],
      [{ name: "plain", type: BIGINT }, null],
    ];
    for (const [column] of added) {
      await metadata.addColumn?.(await table(), column);
    }
    const expected = added.map(([, value]) => value);
    expect(await readTable(world, coordinator, await table())).toEqual([
      [0n, ...expected],
      [1n, ...expected],
    ]);
    await metadata.setColumnDefault?.(await table(), "constructor", { sql: "'new'", value: "new" });
    await metadata.renameColumn?.(await table(), "__proto__", "toString");
    expect((await readTable(world, coordinator, await table()))[0]).toEqual([0n, ...expected]);
    await metadata.dropColumn?.(await table(), "toString");
    expect((await readTable(world, coordinator, await table()))[0]).toEqual([0n, text, NaN, true, null, null]);
    await metadata.truncateTable?.(await table());
    expect(await readTable(world, coordinator, await table())).toEqual([]);
  });

  test("exceeding a node's limit raises Presto's error, and written pages are freed", async () => {
    const { world, coordinator } = startWorld({ "memory.max-data-per-node": "100kB" });
    const { metadata } = coordinator.connector;
    const handle = (await metadata.beginCreate?.({ schema: "default", table: "t" }, one)) as Json;
    await expect(write({ world, coordinator, name: "t", columns: one, tasks: [numbers(100_000)] }, handle)).rejects.toMatchObject({
      errorName: "EXCEEDED_LOCAL_MEMORY_LIMIT",
      message: "Memory limit [102400] for memory connector exceeded",
    });
    await metadata.abortWrite?.(handle);
  });

  test("properties", () => {
    const context = { memory: startWorld().coordinator.memory } as never;
    expect(() => memoryConnectorFactory.create({ "memory.max-data-per-node": "much" }, context)).toThrow(
      "Invalid value 'much' for property 'memory.max-data-per-node'",
    );
  });
});

describe("lost nodes", () => {
  test("a worker that restarted or went away is an error, never a shorter table", async () => {
    const { world, coordinator } = startWorld();
    await create({ world, coordinator, name: "t", columns: one, tasks: [numbers(10), numbers(10)] });
    const table = await tableOf(coordinator.connector, "default", "t");
    const w2 = world.node("w2");
    world.start("w2");
    await expect(readTable(world, coordinator, table)).rejects.toMatchObject({
      errorName: "TABLE_DATA_LOST",
      message: "Table 'cat.default.t' lost data: worker w2 restarted",
    });
    world.workers = ["w1"];
    await expect(readTable(world, coordinator, table)).rejects.toMatchObject({
      errorName: "TABLE_DATA_LOST",
      message: "Table 'cat.default.t' lost data: worker w2 is gone",
    });
    await expect(coordinator.connector.metadata.beginInsert?.(table)).rejects.toMatchObject({ errorName: "TABLE_DATA_LOST" });
    expect(w2.memory.reservedBytes).toBeGreaterThan(0);
    await coordinator.connector.metadata.dropTable?.(table);
    expect(world.node("w1").memory.reservedBytes).toBe(0);
  });

  test("a drop that a worker does not hear reaches it with the next write", async () => {
    const { world, coordinator } = startWorld();
    await create({ world, coordinator, name: "t", columns: one, tasks: [numbers(10), numbers(10)] });
    const table = await tableOf(coordinator.connector, "default", "t");
    world.silent.add("w2");
    await coordinator.connector.metadata.dropTable?.(table);
    expect(world.node("w1").memory.reservedBytes).toBe(0);
    expect(world.node("w2").memory.reservedBytes).toBeGreaterThan(0);
    world.silent.clear();
    await create({ world, coordinator, name: "u", columns: one, tasks: [[]] });
    expect(world.node("w2").memory.reservedBytes).toBe(0);
  });

  test("rows of a table that is dropped stay while they are read", async () => {
    const { world, coordinator } = startWorld();
    await create({ world, coordinator, name: "t", columns: one, tasks: [numbers(40_000)] });
    const table = await tableOf(coordinator.connector, "default", "t");
    const [split] = await coordinator.connector.getSplits(table, one);
    const node = world.node("w1");
    const source = node.connector.createPageSource({
      table: table.handle,
      split: split?.payload as Json,
      columns: one,
      memory: node.memory,
    });
    source.nextPage();
    await coordinator.connector.metadata.dropTable?.(table);
    const page = source.nextPage();
    expect(readValue(node.memory.linear, page as Page, 0, 0)).toBe(16384n);
    source.close();
    expect(node.memory.reservedBytes).toBe(0);
    // A split from before the drop fails with an error.
    expect(() =>
      node.connector.createPageSource({ table: table.handle, split: split?.payload as Json, columns: one, memory: node.memory }),
    ).toThrow("Table 'cat.default.t' lost data: worker w1 was told to forget it");
  });

  test("the coordinator's next life knows no tables; workers free what its former life left", async () => {
    const { world, coordinator } = startWorld();
    await create({ world, coordinator, name: "t", columns: one, tasks: [numbers(10), numbers(10)] });
    // The order does not depend on the wall clock, which was set back in between.
    world.wallMillis = 1;
    const next = world.start("c");
    expect(await next.connector.metadata.listTables("default")).toEqual([]);
    await create({ world, coordinator: next, name: "t", columns: one, tasks: [numbers(3)] });
    await world.settled();
    expect(world.node("w2").memory.reservedBytes).toBe(0);
    const table = await tableOf(next.connector, "default", "t");
    expect((await readTable(world, next, table)).length).toBe(3);
    // A delayed message of the former incarnation removes nothing.
    const late = await coordinator.connector.metadata.beginCreate?.({ schema: "default", table: "late" }, one);
    await coordinator.connector.metadata.abortWrite?.(late as Json);
    await world.settled();
    expect((await readTable(world, next, table)).length).toBe(3);
  });

  test("rows written after the request for the coordinator's identity are kept", async () => {
    const { world, coordinator } = startWorld();
    await create({ world, coordinator, name: "t", columns: one, tasks: [numbers(10)] });
    const answers: (() => void)[] = [];
    world.beforeAnswer = (nodeId) => (nodeId === "c" ? new Promise((resolve) => answers.push(resolve)) : Promise.resolve());
    const former = world.start("c");
    // The workers' calls to this incarnation are still unanswered when the next one writes.
    await create({ world, coordinator: former, name: "u", columns: one, tasks: [[]] });
    const next = world.start("c");
    await create({ world, coordinator: next, name: "v", columns: one, tasks: [numbers(5)] });
    expect(answers.length).toBe(2);
    world.beforeAnswer = () => Promise.resolve();
    for (const answer of answers) {
      answer();
    }
    await world.settled();
    const table = await tableOf(next.connector, "default", "v");
    expect((await readTable(world, next, table)).length).toBe(5);
  });

  test("a coordinator that does not say who it is takes nothing away, and is asked again", async () => {
    const { world, coordinator } = startWorld();
    await create({ world, coordinator, name: "t", columns: one, tasks: [numbers(10)] });
    const next = world.start("c");
    world.silent.add("c");
    await create({ world, coordinator: next, name: "u", columns: one, tasks: [[]] });
    await world.settled();
    expect(world.node("w1").memory.reservedBytes).toBeGreaterThan(0);
    world.silent.clear();
    await create({ world, coordinator: next, name: "v", columns: one, tasks: [[]] });
    await world.settled();
    expect(world.node("w1").memory.reservedBytes).toBe(0);
  });
});
