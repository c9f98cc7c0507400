/** Rows that lie on another node come as the same pages: the same boundaries, values, NULLs and dictionaries. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryConnectorFactory } from "../../../../src/connectors/memory/memory.ts";
import type { PartSplit } from "../../../../src/connectors/memory/table.ts";
import { type ColumnMetadata, type Json, MalformedCall, type Split, type TableMetadata } from "../../../../src/connectors/spi.ts";
import type { Column } from "../../../../src/page/page.ts";
import type { PageValue } from "../../../../src/page/reader.ts";
import { knobs } from "../../../../src/ports/knobs.ts";
import { BIGINT, VARCHAR } from "../../../../src/types/type.ts";
import { readRow } from "../../../support/pages.ts";
import { type Instance, pagesOf, type Rows, tableOf, World, writeTasks } from "../world.ts";

const columns: readonly ColumnMetadata[] = [
  { name: "n", type: BIGINT },
  { name: "few", type: VARCHAR },
  { name: "many", type: VARCHAR },
];
const pageRows = knobs["page-rows"].default;
const encoder = new TextEncoder();

async function tableOnFirst(
  rows: Rows,
  replication = "1",
): Promise<{ readonly world: World; readonly table: TableMetadata; readonly splits: readonly Split[] }> {
  const world = new World({ factory: memoryConnectorFactory, properties: { "memory.replication": replication } });
  const { connector } = world.start("c");
  world.start("w1");
  world.start("w2");
  world.workers = ["w1", "w2"];
  const handle = await connector.metadata.beginCreate?.({ schema: "default", table: "t" }, columns);
  const node = world.node("w1");
  const pages = pagesOf({ columns, rows, memory: node.memory, pageRows: 1000 });
  await connector.metadata.finishCreate?.(handle as Json, await writeTasks(handle as Json, [{ node, columns, pages }]));
  await connector.metadata.addColumn?.(await tableOf(connector, "default", "t"), {
    name: "added",
    type: VARCHAR,
    defaultValue: { sql: "'x'", value: "x" },
  });
  const table = await tableOf(connector, "default", "t");
  return { world, table, splits: [...(await connector.getSplits(table, table.columns))] };
}

/** What a task can see of a page: rows, and for each column its ids and the size of its dictionary. */
async function pagesOn({ connector, memory }: Instance, table: TableMetadata, split: Split): Promise<readonly unknown[]> {
  const source = connector.createPageSource({ table: table.handle, split: split.payload, columns: table.columns, memory });
  const pages: unknown[] = [];
  const before = memory.reservedBytes;
  while (!source.finished) {
    await source.blocked();
    const page = source.nextPage();
    if (page !== undefined) {
      const { u32 } = memory.linear;
      const idsOf = ({ ids, length }: Column): unknown =>
        ids === 0 ? undefined : [length, [...u32.subarray(ids / 4, ids / 4 + page.positionCount)]];
      const rows = Array.from({ length: page.positionCount }, (_, position) => readRow(memory.linear, page, position));
      pages.push([rows, page.columns.map(idsOf)]);
    }
  }
  pages.push(source.completedBytes);
  source.close();
  expect(memory.reservedBytes).toBeLessThanOrEqual(before);
  return pages;
}

describe("a part on another node", () => {
  test("is read as on its own", async () => {
    const row = fc.tuple(fc.option(fc.bigInt({ min: -9n, max: 9n })), fc.option(fc.nat(3)), fc.option(fc.nat(1e6)));
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 40 }), fc.constantFrom(1, 100, 2_000), async (drawn, times) => {
        const rows = Array.from({ length: times }, () => drawn)
          .flat()
          .map(([n, few, many], index): readonly PageValue[] => [
            n,
            few === null ? null : encoder.encode(`few ${few}`),
            many === null ? null : encoder.encode(`many ${many + index}`),
          ]);
        const { splits, table, world } = await tableOnFirst(rows);
        for (const split of splits) {
          const own = await pagesOn(world.node("w1"), table, split);
          expect(await pagesOn(world.node("w2"), table, split)).toEqual(own);
          expect(own).toHaveLength(1 + Math.ceil((split.rows ?? 0) / pageRows));
        }
      }),
      { numRuns: 8 },
    );
  });

  test("is an error where a call asks for what it does not have", async () => {
    const { splits, world } = await tableOnFirst([[1n, null, null]]);
    const [split] = splits;
    const { copies, part } = (split as Split).payload as unknown as PartSplit;
    const incarnation = copies[0]?.incarnation ?? "";
    const { connector } = world.node("w1");
    const call = { read: part, incarnation, table: "default.t", chunk: 0, row: 0, columns: ["n"] };
    await expect(connector.handleCall?.(call)).resolves.toBeDefined();
    for (const wrong of [
      { chunk: 1 },
      { row: 1 },
      { columns: ["m"] },
      { columns: "n" },
      { chunk: -1 },
      { row: "0" },
      { table: 5 },
      { rows: -1 },
    ]) {
      await expect(connector.handleCall?.({ ...call, ...wrong } as Json), JSON.stringify(wrong)).rejects.toBeInstanceOf(MalformedCall);
    }
    await expect(connector.handleCall?.({ ...call, incarnation: "another" })).rejects.toThrow(
      "Table 'cat.default.t' lost data: worker w1 restarted",
    );
  });
});

describe("copies of a part", () => {
  test("have its pages, and take its place when it is lost; then a further one is made", async () => {
    const row = fc.tuple(fc.option(fc.bigInt({ min: -9n, max: 9n })), fc.option(fc.nat(3)), fc.option(fc.nat(1e6)));
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), fc.constantFrom(1, 1_000), async (drawn, times) => {
        const rows = Array.from({ length: times }, () => drawn)
          .flat()
          .map(([n, few, many], index): readonly PageValue[] => [
            n,
            few === null ? null : encoder.encode(`few ${few}`),
            many === null ? null : encoder.encode(`many ${many + index}`),
          ]);
        const { splits, table, world } = await tableOnFirst(rows, "2");
        const own = await Promise.all(splits.map((split) => pagesOn(world.node("w1"), table, split)));
        const { connector } = world.node("c");
        expect(world.node("w2").memory.reservedBytes).toBeGreaterThan(0);
        // The first copy dies, and another worker joins: it gets a copy of the one that is left, of which the last is lost in turn.
        world.start("w3");
        world.stop("w1");
        world.changeWorkers(["w2", "w3"]);
        await world.quiet(() => world.node("w3").memory.reservedBytes > 0);
        for (const last of ["w2", "w3"]) {
          const left = [...(await connector.getSplits(table, table.columns))];
          expect(await Promise.all(left.map((split) => pagesOn(world.node(last), table, split)))).toEqual(own);
          // Splits that were listed when the first copy was there are read as well.
          expect(await Promise.all(splits.map((split) => pagesOn(world.node(last), table, split)))).toEqual(own);
        }
        world.stop("w2");
        world.changeWorkers(["w3"]);
        const left = [...(await connector.getSplits(table, table.columns))];
        expect(left.map(({ nodes }) => nodes)).toEqual(left.map(() => ["w3"]));
        expect(await Promise.all(left.map((split) => pagesOn(world.node("c"), table, split)))).toEqual(own);
        world.stop("w3");
        world.changeWorkers([]);
        await expect(connector.getSplits(table, table.columns)).rejects.toThrow("lost data: worker w2 is gone, worker w3 is gone");
        await expect(connector.metadata.beginInsert?.(table)).rejects.toThrow("lost data: worker w2 is gone, worker w3 is gone");
      }),
      { numRuns: 8 },
    );
  });

  test("are freed with their table, and those of a write that has ended are not kept", async () => {
    const rows = Array.from({ length: 10 }, (_, index): readonly PageValue[] => [BigInt(index), encoder.encode("a"), null]);
    const { table, world } = await tableOnFirst(rows, "2");
    const { connector } = world.node("c");
    await connector.metadata.dropTable?.(table);
    expect([world.node("w1").memory.reservedBytes, world.node("w2").memory.reservedBytes]).toEqual([0, 0]);
    const handle = (await connector.metadata.beginCreate?.({ schema: "default", table: "u" }, columns)) as Json;
    const node = world.node("w1");
    await writeTasks(handle, [{ node, columns, pages: pagesOf({ columns, rows, memory: node.memory, pageRows: 1000 }) }]);
    expect(world.node("w2").memory.reservedBytes).toBeGreaterThan(0);
    await connector.metadata.abortWrite?.(handle);
    await world.settled();
    expect([world.node("w1").memory.reservedBytes, world.node("w2").memory.reservedBytes]).toEqual([0, 0]);
  });

  test("are made elsewhere, or later, when a worker does not answer", async () => {
    const rows = Array.from({ length: 10 }, (_, index): readonly PageValue[] => [BigInt(index), encoder.encode("a"), null]);
    const world = new World({ factory: memoryConnectorFactory });
    const { connector } = world.start("c");
    const [node] = ["w1", "w2", "w3"].map((nodeId) => world.start(nodeId)) as [Instance];
    world.workers = ["w1", "w2", "w3"];
    world.silent.add("w2");
    const create = async (name: string): Promise<void> => {
      const handle = (await connector.metadata.beginCreate?.({ schema: "default", table: name }, columns)) as Json;
      const pages = pagesOf({ columns, rows, memory: node.memory, pageRows: 1000 });
      await connector.metadata.finishCreate?.(handle, await writeTasks(handle, [{ node, columns, pages }]));
    };
    await create("t");
    const nodesOf = async (name: string): Promise<unknown> => {
      const table = await tableOf(connector, "default", name);
      return [...(await connector.getSplits(table, table.columns))].map(({ nodes }) => nodes);
    };
    expect(await nodesOf("t")).toEqual([["w1", "w3"]]);
    world.silent.add("w3");
    await create("u");
    expect(await nodesOf("u")).toEqual([["w1"]]);
    world.silent.clear();
    world.changeWorkers(["w1", "w2", "w3"]);
    await world.quiet(() => world.node("w2").memory.reservedBytes > 0);
    expect(await nodesOf("u")).toEqual([["w1", "w2"]]);
  });
});
