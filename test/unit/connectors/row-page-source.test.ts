import { describe, expect, test } from "vitest";
import { RowPageSource, type Row } from "../../../src/connectors/shared/row-page-source.ts";
import { createNodeMemory } from "../../../src/memory/allocator.ts";
import { pageRowsMax } from "../../../src/page/page.ts";
import { BIGINT } from "../../../src/types/type.ts";

/** Batches of these sizes, and how many of them were read. */
function batches(sizes: readonly number[], failure?: Error) {
  const asked = { count: 0 };
  let next = 0;
  async function* rows(): AsyncGenerator<readonly Row[]> {
    for (const size of sizes) {
      asked.count++;
      yield Array.from({ length: size }, () => ({ n: next++ }));
    }
    if (failure !== undefined) {
      throw failure;
    }
  }
  return { asked, rows };
}

function source(rows: () => AsyncGenerator<readonly Row[]>): RowPageSource {
  const memory = createNodeMemory({ sizeBytes: 16 * 1024 * 1024 }).root.child("rows");
  return new RowPageSource({ rows, columns: [{ name: "n", type: BIGINT }], memory });
}

/** Row counts of all following pages. */
async function pageSizes(pages: RowPageSource): Promise<readonly number[]> {
  const sizes: number[] = [];
  while (!pages.finished) {
    await pages.blocked();
    const page = pages.nextPage();
    if (page !== undefined) {
      sizes.push(page.positionCount);
    }
  }
  return sizes;
}

describe("rows in batches", () => {
  test("become pages whose ends do not depend on the batches", async () => {
    const total = 2 * pageRowsMax + 10;
    for (const sizes of [[total], [0, 1, total - 2, 0, 1], Array.from({ length: 10 }, () => total / 10).map(Math.floor)]) {
      const sum = sizes.reduce((one, other) => one + other, 0);
      expect(await pageSizes(source(batches(sizes).rows))).toEqual([pageRowsMax, pageRowsMax, sum - 2 * pageRowsMax]);
    }
    expect(await pageSizes(source(batches([]).rows))).toEqual([]);
    expect(await pageSizes(source(batches([0, 0]).rows))).toEqual([]);
  });

  test("are asked for as they are read, a page ahead at most", async () => {
    const { asked, rows } = batches(Array.from({ length: 10 }, () => pageRowsMax));
    const pages = source(rows);
    await pages.blocked();
    expect(asked.count).toBe(1);
    pages.nextPage();
    expect(pages.nextPage()).toBeUndefined();
    await pages.blocked();
    expect(asked.count).toBe(2);
    pages.close();
    expect(pages.finished).toBe(true);
    expect(pages.blocked()).toBeUndefined();
    expect(asked.count).toBe(2);
  });

  test("fail where their source fails", async () => {
    const pages = source(batches([5], new Error("gone")).rows);
    await pages.blocked();
    expect(() => pages.nextPage()).toThrow("gone");
  });

  test("end what they ask when the source is closed", () => {
    const ends: string[] = [];
    const memory = createNodeMemory({ sizeBytes: 16 * 1024 * 1024 }).root.child("rows");
    const pages = new RowPageSource({
      rows: (reader) => {
        reader.onEnd(() => ends.push("closed"));
        return batches([1]).rows();
      },
      columns: [{ name: "n", type: BIGINT }],
      memory,
    });
    expect(ends).toEqual([]);
    pages.close();
    pages.close();
    expect(ends).toEqual(["closed"]);
  });
});
