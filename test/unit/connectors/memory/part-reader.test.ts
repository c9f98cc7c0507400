/** Rows that lie on another node come as the same pages: the same boundaries, values, NULLs and dictionaries. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryConnectorFactory } from "../../../../src/connectors/memory/memory.ts";
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
): Promise<{ readonly world: World; readonly table: TableMetadata; readonly splits: readonly Split[] }> {
  const world = new World({ factory: memoryConnectorFactory });
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
      { numRuns: 12 },
    );
  });

  test("is an error where a call asks for what it does not have", async () => {
    const { splits, world } = await tableOnFirst([[1n, null, null]]);
    const [split] = splits;
    const { incarnation, part } = (split as Split).payload as { readonly incarnation: string; readonly part: string };
    const { connector } = world.node("w1");
    const call = { read: part, incarnation, table: "default.t", chunk: 0, row: 0, columns: ["n"] };
    await expect(connector.handleCall?.(call)).resolves.toBeDefined();
    for (const wrong of [{ chunk: 1 }, { row: 1 }, { columns: ["m"] }, { columns: "n" }, { chunk: -1 }, { row: "0" }, { table: 5 }]) {
      await expect(connector.handleCall?.({ ...call, ...wrong } as Json), JSON.stringify(wrong)).rejects.toBeInstanceOf(MalformedCall);
    }
    await expect(connector.handleCall?.({ ...call, incarnation: "another" })).rejects.toThrow(
      "Table 'cat.default.t' lost data: worker w1 restarted",
    );
  });
});
