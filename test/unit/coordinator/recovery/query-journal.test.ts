import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JournaledQuery } from "../../../../src/coordinator/recovery/journal-records.ts";
import { QueryJournal } from "../../../../src/coordinator/recovery/query-journal.ts";
import { type KnobValues, knobsOf } from "../../../../src/ports/knobs.ts";
import { folderOf } from "../../../../src/ports/storage.ts";
import { parseSessionRequest } from "../../../../src/protocol/http/headers.ts";
import { LosingStorage } from "../history/losing-storage.ts";
import { ManualClock, settle } from "../../../support/manual-clock.ts";
import type { Position } from "../../../../src/protocol/documents/query-journal.ts";

function begun(id: string, changes: Partial<JournaledQuery> = {}): JournaledQuery {
  const headers = {
    "x-trino-user": "ann",
    "x-trino-session": "a=1",
    "x-trino-client-tags": "x,y",
    "x-trino-extra-credential": "token=s3cret",
  };
  const session = { ...parseSessionRequest(headers), remoteUserAddress: "192.0.2.1", startMillis: 12 };
  return { id, slug: `slug-${id}`, sql: `SELECT '${id}'`, session, lives: 0, isAbridged: false, positions: [], ...changes };
}

class Life {
  readonly clock = new ManualClock();
  readonly warnings: string[] = [];
  readonly journal: QueryJournal;
  readonly storage: LosingStorage;

  constructor(storage: LosingStorage, incarnation: string, values: KnobValues = {}) {
    const log = { info: () => {}, warn: (event: string) => void this.warnings.push(event), error: () => {} };
    this.storage = storage;
    this.journal = new QueryJournal({ clock: this.clock, log, storage, incarnation, knobs: knobsOf(values) });
  }

  /** Another process on the disk that this one leaves. */
  next(incarnation: string, partOf: (length: number) => number = (length) => length): Life {
    return new Life(this.storage.crash(partOf), incarnation);
  }

  text(): string {
    return [...this.storage.files.values()].map((bytes) => new TextDecoder().decode(bytes)).join("");
  }
}

const position = (token: number, rowCount: number): Position => ({ token, rowCount, checksum: rowCount * 31, isKnown: true });

describe("the journal", () => {
  it("gives the next process the queries whose clients may still ask, with the last two documents that had rows", async () => {
    const first = new Life(new LosingStorage(), "a");
    await first.journal.begin(begun("q1"));
    await first.journal.begin(begun("q2"));
    for (const token of [1, 2, 4]) {
      await first.journal.give("q1", position(token, 10 * token));
    }
    first.journal.end("q2");
    const early = first.next("b");
    expect((await early.journal.load()).map(({ id }) => id)).toEqual(["q1", "q2"]);
    await first.clock.advance(5_000);
    await settle();
    const second = first.next("c");
    const { session, ...query } = begun("q1");
    const positions = [position(2, 20), position(4, 40)];
    const expected = { ...query, session: { ...session, extraCredentials: {} }, lives: 1, positions };
    expect(await second.journal.load()).toEqual([expected]);
    // What the second process has read it has written anew, and the files of the first one are gone.
    expect([...second.storage.files.keys()].filter((path) => path.includes("-a-"))).toEqual([]);
    expect(await second.next("d").journal.load()).toEqual([{ ...expected, lives: 2 }]);
  });

  it("gives the next process the failure that a client may know, through a new file too", async () => {
    const first = new Life(new LosingStorage(), "a");
    await first.journal.begin(begun("q1"));
    await first.journal.begin(begun("q2"));
    const failure = { errorName: "USER_CANCELED", message: "Query was canceled" } as const;
    const foreign = { code: 7, name: "QUOTA", type: "EXTERNAL" } as const;
    await first.journal.fail("q1", failure);
    await first.journal.fail("q2", {
      errorName: "REMOTE_TASK_ERROR",
      message: "no",
      location: { lineNumber: 1, columnNumber: 8 },
      foreign,
    });
    await first.journal.fail("unknown", failure);
    const second = first.next("b");
    const failures = [failure, { errorName: "REMOTE_TASK_ERROR", message: "no", location: { lineNumber: 1, columnNumber: 8 }, foreign }];
    expect((await second.journal.load()).map((query) => query.failure)).toEqual(failures);
    expect((await second.next("c").journal.load()).map((query) => query.failure)).toEqual(failures);
  });

  it("gives the next process the transactions that are open, and keeps them over an orderly end", async () => {
    const first = new Life(new LosingStorage(), "a");
    const transactionOf = (id: string) => ({ id, user: "ann", isolation: "READ COMMITTED", readOnly: true, createMillis: 7 }) as const;
    await first.journal.begin(begun("commit"));
    for (const id of ["t1", "t2", "t3", "t4"]) {
      await first.journal.beginTransaction(transactionOf(id));
    }
    await first.journal.abortTransaction("t2", "q7");
    first.journal.endTransaction("t3");
    // The statement that has ended it may run again until its client has its answer.
    first.journal.endTransaction("t4", "commit");
    await settle();
    const open = [transactionOf("t1"), { ...transactionOf("t2"), abortedBy: "q7" }];
    const second = first.next("b");
    expect(await second.journal.openTransactions()).toEqual([...open, transactionOf("t4")]);
    second.journal.endTransaction("t4", "commit");
    second.journal.end("commit");
    await second.clock.advance(5_000);
    await settle();
    expect(await second.next("c").journal.openTransactions()).toEqual(open);
    await second.journal.close();
    const third = second.next("d");
    expect([await third.journal.load(), await third.journal.openTransactions()]).toEqual([[], open]);
  });

  it("knows the ids that clients have chosen for queries that are over, however often its process is started again", async () => {
    const first = new Life(new LosingStorage(), "a", { "journal-over-ms": 0, "journal-file-bytes": 2_000 });
    await first.journal.begin(begun("made"));
    await first.journal.begin(begun("left", { isChosen: true }));
    for (let index = 0; index < 1_100; index++) {
      await first.journal.begin(begun(`q${index}`, { isChosen: true }));
      first.journal.end(`q${index}`);
    }
    first.journal.end("made");
    await first.clock.advance(5_000);
    await settle();
    const ids = ["q0", "q99", "q100", "q1099", "left", "made", "other"];
    const over = async ({ journal }: Life) => {
      const known = await Promise.all(ids.map((id) => journal.wasOver(id)));
      return ids.filter((_, index) => known[index]);
    };
    expect(await over(first)).toEqual(["q100", "q1099"]);
    const second = first.next("b");
    expect(await over(second)).toEqual(["q100", "q1099"]);
    // An orderly end is the end of all queries.
    await second.journal.close();
    const third = second.next("c");
    expect(await over(third)).toEqual(["q1099", "left"]);
    expect(await third.journal.load()).toEqual([]);
    expect(await over(third.next("d"))).toEqual(["q1099", "left"]);
  });

  it("holds no credentials, and nothing after an orderly end", async () => {
    const life = new Life(new LosingStorage(), "a");
    await life.journal.begin(begun("q1"));
    expect(life.text()).toContain("SELECT 'q1'");
    expect(life.text()).not.toContain("s3cret");
    await life.journal.close();
    expect([...life.storage.files.keys()]).toEqual([]);
    expect(await life.next("b").journal.load()).toEqual([]);
  });

  it("is a short file again, however many queries came and went", async () => {
    const life = new Life(new LosingStorage(), "a", { "journal-over-ms": 0, "journal-file-bytes": 2_000 });
    await life.journal.begin(begun("kept"));
    for (let index = 0; index < 200; index++) {
      await life.journal.begin(begun(`q${index}`));
      life.journal.end(`q${index}`);
      await life.clock.advance(1);
      await settle();
    }
    expect(life.text().length).toBeLessThan(8_000);
    expect([...life.storage.files.keys()]).toHaveLength(1);
    expect((await life.next("b").journal.load()).map(({ id }) => id)).toEqual(["kept"]);
  });

  it("goes on in a new file after a failed write, with all queries", async () => {
    const life = new Life(new LosingStorage(), "a");
    await life.journal.begin(begun("q1"));
    life.storage.budget = 0;
    await life.journal.begin(begun("q2"));
    expect(life.warnings).toEqual(["query-journal-not-written"]);
    life.storage.budget = Number.POSITIVE_INFINITY;
    await life.journal.give("q1", position(1, 5));
    const next = await life.next("b").journal.load();
    expect(next.map(({ id, positions }) => [id, positions.length])).toEqual([
      ["q1", 1],
      ["q2", 0],
    ]);
  });

  it("of an owner of the directory has nothing that a former owner has written since it was read", async () => {
    const disk = new LosingStorage();
    const journalOf = (epoch: number): QueryJournal => {
      const log = { info: () => {}, warn: () => {}, error: () => {} };
      return new QueryJournal({ clock: new ManualClock(), log, storage: { ...folderOf(disk, "j"), epoch }, incarnation: `i${epoch}` });
    };
    const idsOf = async (journal: QueryJournal): Promise<readonly string[]> => (await journal.load()).map(({ id }) => id);
    const first = journalOf(1);
    expect(await idsOf(first)).toEqual([]);
    await first.begin(begun("q1"));
    const second = journalOf(2);
    expect(await idsOf(second)).toEqual(["q1"]);
    // The first owner was stopped, and does not know yet that it is no longer the owner.
    await first.begin(begun("late"));
    await first.give("q1", position(9, 90));
    await second.give("q1", position(1, 10));
    const third = await journalOf(3).load();
    expect(third.map(({ id, positions }) => [id, positions])).toEqual([["q1", [position(1, 10)]]]);
  });

  it("drops lines that are not as they were written, or of another build, and keeps the others", async () => {
    const life = new Life(new LosingStorage(), "a");
    await life.journal.begin(begun("q1"));
    const [path] = life.storage.files.keys();
    const other = new TextEncoder().encode('00000000 {"kind":"query"}\n');
    await life.storage.append(path as string, other);
    await life.journal.begin(begun("q2"));
    const next = life.next("b");
    expect((await next.journal.load()).map(({ id }) => id)).toEqual(["q1", "q2"]);
    expect(next.warnings).toEqual(["query-journal-records-dropped"]);
  });

  it("has what was synced after any crash of the machine at any moment, and nothing that was never written", async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("begin" as const) }),
      fc.record({ kind: fc.constant("give" as const), query: fc.nat(9) }),
      fc.record({ kind: fc.constant("end" as const), query: fc.nat(9) }),
      fc.record({ kind: fc.constant("wait" as const), ms: fc.constantFrom(50, 200, 6_000) }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 25 }),
        fc.option(fc.nat(30), { nil: undefined }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom(1, 2_000, 4_000_000),
        async (steps, budget, part, fileBytes) => {
          const storage = new LosingStorage();
          storage.budget = budget ?? Number.POSITIVE_INFINITY;
          const life = new Life(storage, "a", { "journal-file-bytes": fileBytes });
          const given = new Map<string, number>();
          const over = new Set<string>();
          for (const each of steps) {
            const id = `q${"query" in each ? each.query % Math.max(1, given.size) : given.size}`;
            if (each.kind === "begin") {
              given.set(id, 0);
              await life.journal.begin(begun(id));
            } else if (each.kind === "give" && given.has(id) && !over.has(id)) {
              given.set(id, (given.get(id) ?? 0) + 1);
              await life.journal.give(id, position(given.get(id) ?? 0, 1));
            } else if (each.kind === "end" && given.has(id)) {
              over.add(id);
              life.journal.end(id);
            } else if (each.kind === "wait") {
              await life.clock.advance(each.ms);
              await settle();
            }
          }
          const found = await life.next("b", (length) => Math.floor(length * part)).journal.load();
          for (const query of found) {
            const last = given.get(query.id);
            expect(last).toBeDefined();
            expect(query.positions.at(-1)?.token ?? 0).toBeLessThanOrEqual(last ?? 0);
          }
          if (budget === undefined && part === 1) {
            expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining([...given.keys()].filter((id) => !over.has(id))));
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});
