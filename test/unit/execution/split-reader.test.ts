/**
 * The order in which a scan opens, reads and closes its splits.
 */
import { expect, it } from "vitest";
import type { Connector, PageSource } from "../../../src/connectors/spi.ts";
import { SplitReader } from "../../../src/execution/operators/scan/scan.ts";
import type { ExecutionServices } from "../../../src/execution/task/api.ts";
import { createNodeMemory } from "../../../src/memory/allocator.ts";
import type { TableScanNode } from "../../../src/planner/plan/node.ts";
import { TestClock } from "./world.ts";

/** A reader of splits with so many pages each, and what has happened to its sources. */
function readerOf(pagesOfSplits: readonly number[], readsAhead: boolean, bytesOfSplit = 0) {
  const events: string[] = [];
  const memory = createNodeMemory({ sizeBytes: 65_536 }).root;
  const createPageSource: Connector["createPageSource"] = ({ memory: own, split }): PageSource => {
    const number = split as number;
    own.reserve(bytesOfSplit);
    const pages = pagesOfSplits[number] as number;
    let next = 0;
    events.push(`open ${number}`);
    return {
      get finished() {
        return next >= pages;
      },
      completedBytes: 10,
      blocked: () => undefined,
      nextPage: () => {
        if (next === pages) {
          return undefined;
        }
        events.push(`page ${number}.${next++}`);
        return { positionCount: 1, selection: 0, columns: [] };
      },
      close: () => void events.push(`close ${number}`),
    };
  };
  const connector = { createPageSource, ...(readsAhead && { readsAhead }) } as unknown as Connector;
  const services = { connector: () => connector, ports: { clock: new TestClock() } } as unknown as ExecutionServices;
  const node = { table: { catalog: "test", handle: null }, columns: [] } as unknown as TableScanNode;
  const reader = new SplitReader({ services, node, memory, filters: undefined, onWarning: () => undefined });
  reader.addSplits(pagesOfSplits.map((_, payload) => ({ kind: "connector", catalog: "test", split: { payload } })));
  reader.setNoMoreSplits();
  return { reader, events };
}

it("opens a split when the one before it has ended", () => {
  const { reader, events } = readerOf([1, 1], false);
  while (reader.nextPage() !== undefined) {}
  expect(events).toEqual(["open 0", "page 0.0", "close 0", "open 1", "page 1.0", "close 1"]);
});

it("opens one split ahead, with the first page of the one before it, if the connector reads ahead", () => {
  const { reader, events } = readerOf([2, 0, 1], true);
  while (reader.nextPage() !== undefined) {}
  expect(events).toEqual(["open 0", "page 0.0", "open 1", "page 0.1", "close 0", "close 1", "open 2", "page 2.0", "close 2"]);
  expect([reader.isFinished, reader.splitsStarted, reader.splitsCompleted, reader.bytes]).toEqual([true, 3, 3, 30]);
});

it("opens no split ahead in a memory without room for eight like the one before it", () => {
  const { reader, events } = readerOf([1, 1], true, 8_192);
  while (reader.nextPage() !== undefined) {}
  expect(events).toEqual(["open 0", "page 0.0", "close 0", "open 1", "page 1.0", "close 1"]);
});

it("counts no split that was opened ahead and not read, and closes it", () => {
  const { reader, events } = readerOf([2, 1], true);
  reader.nextPage();
  expect([reader.isFinished, reader.splitsStarted, reader.bytes]).toEqual([false, 1, 10]);
  reader.close();
  expect(events).toEqual(["open 0", "page 0.0", "open 1", "close 0", "close 1"]);
  expect([reader.splitsStarted, reader.splitsCompleted, reader.bytes]).toEqual([1, 0, 10]);
});
