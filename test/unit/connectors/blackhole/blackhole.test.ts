import { expect, test } from "vitest";
import type { ColumnMetadata, Json } from "../../../../src/connectors/spi.ts";
import { blackholeConnectorFactory } from "../../../../src/connectors/blackhole/blackhole.ts";
import { BIGINT, VARCHAR } from "../../../../src/types/type.ts";
import { pagesOf, readTable, tableOf, World, writeTasks } from "../world.ts";

const columns: readonly ColumnMetadata[] = [
  { name: "a", type: BIGINT },
  { name: "b", type: VARCHAR },
];

test("written rows are dropped; the catalog defines the number of rows read", async () => {
  const world = new World({
    factory: blackholeConnectorFactory,
    properties: { "blackhole.split-count": "2", "blackhole.rows-per-split": "20000" },
  });
  const node = world.start("n");
  const { metadata } = node.connector;
  const handle = (await metadata.beginCreate?.({ schema: "default", table: "t" }, columns)) as Json;
  const pages = pagesOf({ columns, rows: [[1n, null]], memory: node.memory, pageRows: 1 });
  await metadata.finishCreate?.(handle, await writeTasks(handle, [{ node, pages, columns }]));
  const table = await tableOf(node.connector, "default", "t");
  const rows = await readTable(world, node, table);
  expect(rows.length).toBe(40_000);
  expect(rows[17_000]).toEqual([0n, new Uint8Array(0)]);
  expect((await metadata.getStatistics?.(table))?.rowCount).toBe(40_000);
  await expect(metadata.beginCreate?.({ schema: "default", table: "t" }, columns)).rejects.toMatchObject({
    errorName: "TABLE_ALREADY_EXISTS",
  });
  await metadata.dropTable?.(table);
  expect(await metadata.listTables("default")).toEqual([]);
  expect(node.memory.reservedBytes).toBe(0);
  expect(() => new World({ factory: blackholeConnectorFactory, properties: { "blackhole.split-count": "x" } }).start("n")).toThrow(
    "Invalid value 'x' for property 'blackhole.split-count'",
  );
});
