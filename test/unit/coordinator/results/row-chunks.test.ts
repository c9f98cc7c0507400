import { describe, expect, it } from "vitest";
import { GivenRows } from "../../../../src/coordinator/results/given-rows.ts";
import { RowChunks } from "../../../../src/coordinator/results/row-chunks.ts";
import { createNodeMemory } from "../../../../src/memory/allocator.ts";
import { encodeUtf8 } from "../../../../src/types/utf8.ts";

function chunks(): RowChunks {
  const memory = createNodeMemory({ sizeBytes: 1024 * 1024 });
  return new RowChunks({ memory: memory.root, holdsLast: false, given: new GivenRows() });
}

describe("rows between the root task and the client", () => {
  it("are whole when reading pauses until the client takes them: an answer waits for no more", () => {
    const rows = chunks();
    rows.want(10);
    rows.push(encodeUtf8("[1]"), 1);
    expect([rows.isFull, rows.isWhole]).toEqual([false, false]);
    rows.push(encodeUtf8("[22222]"), 1);
    expect([rows.isFull, rows.isWhole]).toEqual([true, true]);
    expect(rows.takeRows(3)?.rowCount).toBe(1);
    expect([rows.isFull, rows.isWhole]).toEqual([false, false]);
    rows.finish();
    expect([rows.isFull, rows.isWhole]).toEqual([false, true]);
  });
});
