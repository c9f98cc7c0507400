/** What stands between the engine and slow consumers: nothing is lost without being counted, and nothing grows without bound. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { QueryEvent } from "../../src/coordinator/context.ts";
import { queryInfoExample } from "../../src/protocol/documents/query.ts";
import { DeliveryQueue } from "../../src/server/operations/events/delivery-queue.ts";
import { QueryLog } from "../../src/server/operations/events/query-log.ts";
import { statementPreview } from "../../src/server/operations/events/statement-preview.ts";

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

function eventOf(queryId: string, query: string): QueryEvent {
  const measures = {
    queuedNanos: 1e6,
    planningNanos: 2e6,
    executionNanos: 3e6,
    elapsedNanos: 6e6,
    cpuNanos: 1e6,
    peakMemoryBytes: 0,
    spilledBytes: 0,
    inputRows: 25,
    inputBytes: 2700,
    outputRows: 1,
    outputBytes: 8,
    tables: [{ catalog: "tpch", schema: "tiny", table: "nation" }],
  };
  return { kind: "completed", info: { ...queryInfoExample, queryId, query }, measures, settled: Promise.resolve() };
}

describe("the queue of a consumer", () => {
  it("delivers or counts each entry once, within its bounds, whatever the consumer does", async () => {
    const outcome = fc.constantFrom("takes", "takes later", "refuses", "throws", "takes one");
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ maxLength: 20 }), { maxLength: 40 }),
        fc.array(outcome, { minLength: 1, maxLength: 10 }),
        fc.record({
          entriesMax: fc.integer({ min: 1, max: 20 }),
          bytesMax: fc.integer({ min: 1, max: 300 }),
          batchMax: fc.integer({ min: 1, max: 5 }),
          concurrency: fc.integer({ min: 1, max: 3 }),
        }),
        async (entries, outcomes, limits) => {
          const taken: string[] = [];
          let calls = 0;
          let running = 0;
          let errors = 0;
          const queue = new DeliveryQueue({
            consumer: "test",
            ...limits,
            deliver: async (batch) => {
              running += 1;
              expect(running).toBeLessThanOrEqual(limits.concurrency);
              expect(batch.length).toBeLessThanOrEqual(limits.batchMax);
              const how = outcomes[calls++ % outcomes.length];
              if (how === "takes later") {
                await turn();
              }
              running -= 1;
              if (how === "throws") {
                throw new Error("the consumer is broken");
              }
              const count = how === "refuses" ? 0 : how === "takes one" ? 1 : batch.length;
              taken.push(...batch.slice(0, count));
              return count;
            },
            onError: () => {
              errors += 1;
            },
          });
          for (const [index, entry] of entries.entries()) {
            queue.add(entry);
            if (index % 7 === 6) {
              await turn();
            }
          }
          await queue.close(10_000);
          const { delivered, dropped } = queue.counts;
          expect(delivered + dropped).toBe(entries.length);
          expect(delivered).toBe(taken.length);
          expect(errors).toBeLessThanOrEqual(calls);
          queue.add("late");
          expect(queue.counts.dropped).toBe(dropped + 1);
        },
      ),
    );
  });

  it("gives up when the time to close is over", async () => {
    const queue = new DeliveryQueue({
      consumer: "test",
      entriesMax: 10,
      bytesMax: 1000,
      batchMax: 1,
      concurrency: 1,
      deliver: (_batch, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("aborted")));
        }),
      onError: () => undefined,
    });
    queue.add("one");
    queue.add("two");
    await queue.close(1);
    expect(queue.counts).toEqual({ consumer: "test", delivered: 0, dropped: 2 });
  });
});

describe("the query log", () => {
  it("keeps the latest lines in order, in files of bounded size and number", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1000, max: 8000 }),
        fc.integer({ min: 1, max: 4 }),
        async (runs, sizeBytesMax, filesMax) => {
          const folder = mkdtempSync(join(tmpdir(), "orrery-query-log-"));
          const path = join(folder, "below", "queries.jsonl");
          try {
            let count = 0;
            for (const lengths of runs) {
              // Each run is a life of the server: it goes on with the file of the one before.
              const log = new QueryLog({
                path,
                sizeBytesMax,
                filesMax,
                onError: (error) => {
                  throw error;
                },
              });
              for (const length of lengths) {
                log.onQueryEvent(eventOf(`query_${count++}`, `SELECT '${"x".repeat(length)}'`));
              }
              await log.close(10_000);
              expect(log.counts).toMatchObject({ delivered: lengths.length, dropped: 0 });
            }
            const files = readdirSync(join(folder, "below"));
            expect(files.length).toBeLessThanOrEqual(filesMax);
            const contents = Array.from({ length: filesMax }, (_, number) => filesMax - 1 - number)
              .map((number) => (number === 0 ? path : `${path}.${number}`))
              .filter((file) => existsSync(file))
              .map((file) => readFileSync(file, "utf8"));
            const lines = contents.map((content) => content.split("\n").slice(0, -1));
            contents.forEach((content, index) => {
              expect(content.length <= sizeBytesMax || lines[index]?.length === 1).toBe(true);
            });
            const ids = lines.flat().map((line) => (JSON.parse(line) as { queryId: string }).queryId);
            expect(ids).toEqual(Array.from({ length: ids.length }, (_, index) => `query_${count - ids.length + index}`));
            expect(ids.length).toBeGreaterThan(0);
          } finally {
            rmSync(folder, { recursive: true, force: true });
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it("counts what a broken disk does not take", async () => {
    const errors: unknown[] = [];
    const log = new QueryLog({ path: "/dev/null/queries.jsonl", sizeBytesMax: 1e6, filesMax: 2, onError: (error) => errors.push(error) });
    log.onQueryEvent(eventOf("query_1", "SELECT 1"));
    await log.close(10_000);
    expect(log.counts).toEqual({ consumer: "query-log", delivered: 0, dropped: 1 });
    expect(errors).toHaveLength(1);
  });
});

describe("statement texts outside of the coordinator", () => {
  it("have no literal in a log, finished or not", () => {
    const literal = fc.string({ minLength: 1, maxLength: 12 }).map((text) => `secret${text.replaceAll("'", "''")}`);
    fc.assert(
      fc.property(literal, fc.boolean(), (text, ends) => {
        const sql = `SELECT * FROM users WHERE name = '${text}${ends ? "' OR 1 = 2" : ""}`;
        expect(statementPreview(sql, 1000)).toBe(`SELECT * FROM users WHERE name = '***'${ends ? " OR 1 = 2" : ""}`);
      }),
    );
  });

  it("are one line of bounded length", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), fc.integer({ min: 1, max: 50 }), (sql, lengthMax) => {
        const preview = statementPreview(sql, lengthMax);
        expect(preview.length).toBeLessThanOrEqual(lengthMax + 3);
        expect(preview).not.toMatch(/[\n\r\t]/);
      }),
    );
  });
});
