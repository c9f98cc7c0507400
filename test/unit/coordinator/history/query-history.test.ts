import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HistoryIndex, type HistoryBounds } from "../../../../src/coordinator/history/history-index.ts";
import { QueryHistory } from "../../../../src/coordinator/history/query-history.ts";
import { readRecordLines, recordLine } from "../../../../src/types/record-lines.ts";
import type { HistoryEntry } from "../../../../src/coordinator/history/history-entry.ts";
import { queryLimits } from "../../../../src/coordinator/limits/query-limits.ts";
import { Query } from "../../../../src/coordinator/query/query.ts";
import type { Storage } from "../../../../src/ports/storage.ts";
import { parseSessionRequest } from "../../../../src/protocol/http/headers.ts";
import { defaultCoordinatorConfig } from "../../../support/coordinator-config.ts";
import { LosingStorage } from "./losing-storage.ts";
import { ManualClock, settle } from "../../../support/manual-clock.ts";
import { MemoryStorage } from "../../../../src/testing/memory-storage.ts";

const wide: HistoryBounds = { countMax: 1000, bytesMax: 1e9, ageMaxMs: 1e9 };

class Life {
  readonly clock = new ManualClock();
  readonly warnings: string[] = [];
  readonly history: QueryHistory;
  #count = 0;

  constructor(storage: Storage, name: string, bounds: HistoryBounds = wide) {
    const log = { info: () => {}, warn: (event: string) => void this.warnings.push(event), error: () => {} };
    this.history = new QueryHistory({ clock: this.clock, log, storage, incarnation: name, bounds });
  }

  end(id: string, sql = `SELECT '${id}'`, failed = false): void {
    const session = {
      ...parseSessionRequest({ "x-engine-user": "ann", "x-engine-source": "test" }),
      remoteUserAddress: "",
      startMillis: 0,
    };
    const limits = queryLimits(defaultCoordinatorConfig, {});
    const query = new Query({ id, slug: "secret-slug", sql, session, limits, clock: this.clock, number: this.#count++, hook: undefined });
    if (failed) {
      query.fail({ errorName: "DIVISION_BY_ZERO", message: "Division by zero" });
    } else {
      for (const state of ["PLANNING", "RUNNING", "FINISHING", "FINISHED"] as const) {
        query.to(state);
      }
    }
    this.history.add(query);
  }

  get ids(): readonly string[] {
    return [...this.history.index.entries()].map(({ id }) => id);
  }
}

async function reopened(storage: Storage, bounds: HistoryBounds = wide): Promise<Life> {
  const life = new Life(storage, "next", bounds);
  await life.history.load();
  return life;
}

describe("the query history", () => {
  test("has what was written, after any crash at any moment, each once, and nothing else", async () => {
    const batches = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(batches, fc.nat(24), fc.double({ min: 0, max: 1, noNaN: true }), async (sizes, budget, part) => {
        const storage = new LosingStorage();
        storage.budget = budget;
        const life = new Life(storage, "first");
        const added: string[] = [];
        for (const size of sizes) {
          for (let count = 0; count < size; count++) {
            added.push(`q${added.length}`);
            life.end(added.at(-1) as string);
          }
          await life.clock.advance(11_000);
          await settle();
        }
        const written = life.ids;
        const next = await reopened(storage.crash((length) => Math.floor(length * part)));
        expect(next.ids).toEqual(expect.arrayContaining([...written]));
        expect(new Set(next.ids).size).toBe(next.ids.length);
        expect(added).toEqual(expect.arrayContaining([...next.ids]));
        for (const id of next.ids) {
          expect(await next.history.detail(id)).toMatchObject({ queryId: id, query: `SELECT '${id}'`, state: "FINISHED" });
        }
      }),
      { numRuns: 60 },
    );
  });

  test("goes on after a disk that failed for a while", async () => {
    const storage = new LosingStorage();
    const life = new Life(storage, "first");
    storage.budget = 2;
    life.end("a");
    await life.clock.advance(300);
    await settle();
    expect([life.ids, life.warnings]).toEqual([[], ["query-history-not-written"]]);
    storage.budget = 100;
    life.end("b", "SELECT 1 / 0", true);
    await life.clock.advance(11_000);
    await settle();
    expect(life.ids).toEqual(["a", "b"]);
    const next = await reopened(storage);
    expect(next.ids).toEqual(["a", "b"]);
    expect(await next.history.detail("b")).toMatchObject({ state: "FAILED", errorCode: { name: "DIVISION_BY_ZERO" } });
    expect(next.history.index.find("b")).toMatchObject({ errorName: "DIVISION_BY_ZERO", user: "ann", source: "test" });
  });

  test("drops a torn line with a log line, keeps the others, and refuses a detail that has changed", async () => {
    const storage = new MemoryStorage();
    const life = new Life(storage, "first");
    life.end("a");
    life.end("b");
    await life.history.close();
    const [[detailPath, detail], [indexPath, index]] = [...storage.files].toSorted(([a], [b]) => (a < b ? -1 : 1)) as [
      [string, Uint8Array],
      [string, Uint8Array],
    ];
    storage.files.set(indexPath, index.slice(0, -1));
    const next = await reopened(storage);
    expect([next.ids, next.warnings]).toEqual([["a"], ["query-history-records-dropped"]]);
    storage.files.set(
      detailPath,
      detail.map((byte, at) => (at === 20 ? byte ^ 1 : byte)),
    );
    expect(await next.history.detail("a")).toBeUndefined();
    expect(next.warnings.at(-1)).toBe("query-history-not-read");
  });

  test("keeps no slug and no prepared statement", async () => {
    const storage = new MemoryStorage();
    const life = new Life(storage, "first");
    life.end("a");
    await life.history.close();
    expect(JSON.stringify(await life.history.detail("a"))).not.toContain("secret-slug");
    for (const bytes of storage.files.values()) {
      expect(new TextDecoder("latin1").decode(bytes)).not.toContain("secret-slug");
    }
  });

  test("keeps the bounds of number, age and bytes, on the disk too", async () => {
    const storage = new MemoryStorage();
    const bounds = { countMax: 16, bytesMax: 1e9, ageMaxMs: 60_000 };
    const life = new Life(storage, "first", bounds);
    for (let number = 0; number < 50; number++) {
      life.end(`q${number}`);
      await life.clock.advance(300);
      await settle();
    }
    expect(life.ids).toEqual(Array.from({ length: 16 }, (_, index) => `q${index + 34}`));
    expect(storage.files.size).toBeLessThanOrEqual(2 * 10);
    const aged = new Life(storage, "next", { ...bounds, ageMaxMs: 2_000 });
    await aged.clock.advance(15_000);
    await aged.history.load();
    expect(aged.ids.length).toBeGreaterThan(0);
    expect(aged.ids.length).toBeLessThan(9);
    const small = await reopened(storage, { ...wide, bytesMax: 4_000 });
    expect(small.history.index.fileBytes).toBeLessThanOrEqual(4_000);
    expect([...storage.files.values()].reduce((sum, { length }) => sum + length, 0)).toBe(small.history.index.fileBytes);
  });
});

describe("lines of records", () => {
  test("are read back, except those that were changed or torn", () => {
    fc.assert(
      fc.property(fc.array(fc.json(), { maxLength: 8 }), fc.nat(), fc.integer({ min: 1, max: 255 }), (texts, at, flip) => {
        const lines = texts.map((text) => recordLine(text));
        const bytes = Uint8Array.from(lines.flatMap((line) => [...line]));
        expect(readRecordLines(bytes)).toEqual({ texts, badCount: 0, isTorn: false });
        const cut = bytes.length === 0 ? 0 : at % bytes.length;
        expect(texts.slice(0, readRecordLines(bytes.subarray(0, cut)).texts.length)).toEqual(readRecordLines(bytes.subarray(0, cut)).texts);
        const changed = bytes.map((byte, index) => (index === cut ? byte ^ flip : byte));
        for (const text of readRecordLines(changed).texts) {
          expect(texts).toContain(text);
        }
      }),
    );
  });
});

test("the index is bounded in memory, however far its bounds are raised", () => {
  const index = new HistoryIndex({ countMax: 1e9, bytesMax: 1e15, ageMaxMs: 1e15 });
  for (let number = 0; number < 100; number++) {
    index.add({ id: `q${number}`, segment: "s", endMillis: 0, bytes: 1024 * 1024 } as HistoryEntry);
  }
  index.evict(0, "s");
  expect([index.count, index.find("q35"), index.find("q36")?.id]).toEqual([64, undefined, "q36"]);
});
