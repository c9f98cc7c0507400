/** Planted violations of the model of a shared table: histories of two users that no serial order of their statements explains. */
import { describe, expect, it } from "vitest";
import { sharedTables } from "../../../../sim/checkers/models/tables/shared-tables.ts";
import type { PlannedStatement } from "../../../../sim/plan.ts";
import { batchRows, drawSharedSteps, sharedStatement, type SharedStep } from "../../../../sim/workload/shared-table.ts";
import { StreamTree } from "../../../../sim/world/streams.ts";
import { FabricatedRun } from "./fabricated.ts";

type Row = readonly [string, number, number, number];

function planned(operation: SharedStep["operation"], batch = ""): PlannedStatement {
  const shared = { operation, batch };
  return { sql: sharedStatement(shared), behaviour: { kind: "reads-all" }, thinkNanos: 0, shared };
}

const batches = (user: string): readonly string[] => [`${user}-0`, `${user}-1`];
const statementsOf = (user: string): readonly PlannedStatement[] => [
  planned("create"),
  planned("read"),
  ...batches(user).flatMap((batch) => (["insert", "update", "merge", "delete"] as const).map((operation) => planned(operation, batch))),
];

/** A history: each statement has its begin and end. */
class History extends FabricatedRun {
  constructor() {
    super(sharedTables, { users: ["s1", "s2"].map((name) => ({ name, startNanos: 0, statements: statementsOf(name) })) });
  }

  begins(ms: number, user: string, operation: SharedStep["operation"], batch?: string): this {
    return this.note(ms, user, "submit", planned(operation, batch).sql);
  }

  succeeds(ms: number, user: string, operation: SharedStep["operation"], batch: string | undefined, rows: readonly unknown[]): this {
    return this.ended(ms, user, planned(operation, batch), { kind: "outcome", outcome: { kind: "rows", rows } });
  }

  fails(ms: number, user: string, operation: SharedStep["operation"], batch: string | undefined, errorName: string): this {
    return this.ended(ms, user, planned(operation, batch), { kind: "outcome", outcome: { kind: "error", errorName, message: "" } });
  }

  writes(ms: number, user: string, operation: SharedStep["operation"], batch: string, count = batchRows): this {
    return this.begins(ms, user, operation, batch).succeeds(ms + 10, user, operation, batch, [[count]]);
  }

  reads(ms: number, user: string, ...rows: readonly Row[]): this {
    return this.begins(ms, user, "read").succeeds(ms + 10, user, "read", undefined, rows);
  }
}

const whole = (batch: string, amount = batchRows): Row => [batch, batchRows, batchRows, amount];

function history(): History {
  const run = new History();
  for (const user of ["s1", "s2"]) {
    run.begins(0, user, "create").succeeds(5, user, "create", undefined, [[true]]);
  }
  return run.writes(10, "s1", "insert", "s1-0");
}

describe("the model of a shared table", () => {
  it("says nothing about what a serial order explains", () => {
    const run = history()
      .reads(30, "s2", whole("s1-0"))
      .writes(50, "s1", "update", "s1-0")
      .reads(70, "s2", whole("s1-0", 2 * batchRows))
      // A write that goes on while the other user reads may be seen or not.
      .begins(90, "s1", "merge", "s1-0")
      .reads(95, "s2", whole("s1-0", 2 * batchRows))
      .reads(110, "s2", whole("s1-0", 3 * batchRows))
      .succeeds(130, "s1", "merge", "s1-0", [[batchRows]])
      // A write that failed may have happened, once; a conflict has not.
      .begins(140, "s1", "insert", "s1-1")
      .fails(150, "s1", "insert", "s1-1", "REMOTE_HOST_GONE")
      .reads(160, "s2", whole("s1-0", 3 * batchRows), whole("s1-1"))
      .reads(180, "s2", whole("s1-0", 3 * batchRows))
      .begins(200, "s2", "insert", "s2-0")
      .begins(201, "s1", "delete", "s1-0")
      .succeeds(210, "s2", "insert", "s2-0", [[batchRows]])
      .fails(211, "s1", "delete", "s1-0", "TRANSACTION_CONFLICT")
      .reads(220, "s1", whole("s1-0", 3 * batchRows), whole("s2-0"));
    expect(run.said).toEqual([]);
    expect(run.held).toBeGreaterThan(15);
  });

  it("notices an error of the files that a table is made of", () => {
    const run = history().begins(30, "s2", "read").fails(40, "s2", "read", undefined, "FILE_BAD_DATA");
    expect(run.said).toEqual([expect.stringContaining("s2 is told FILE_BAD_DATA in its read")]);
  });

  it("knows that a table which nobody could create does not exist", () => {
    const run = new History();
    run.begins(0, "s1", "create").fails(5, "s1", "create", undefined, "QUERY_QUEUE_FULL");
    run.begins(10, "s1", "insert", "s1-0").fails(20, "s1", "insert", "s1-0", "TABLE_NOT_FOUND");
    expect(run.said).toEqual([]);
  });

  it.each<[string, (run: History) => History, string]>([
    ["a lost write", (run) => run.reads(30, "s2"), "sees of s1 , where s1-0:40:40:40 is right"],
    ["a write that happened twice", (run) => run.reads(30, "s2", ["s1-0", 80, 40, 80]), "sees of s1 s1-0:80:40:80"],
    ["a part of a write", (run) => run.reads(30, "s2", ["s1-0", 25, 25, 25]), "s1-0:25:25:25"],
    ["a write before it began", (run) => run.reads(30, "s2", whole("s1-0"), whole("s1-1")), "s1-1:40:40:40"],
    [
      "an old snapshot",
      (run) => run.writes(30, "s1", "update", "s1-0").reads(50, "s2", whole("s1-0")),
      "s1-0:40:40:40, where s1-0:40:40:80",
    ],
    [
      "a snapshot of two times",
      (run) =>
        run
          .begins(30, "s2", "read")
          .writes(35, "s1", "insert", "s1-1")
          .writes(50, "s1", "delete", "s1-0")
          .succeeds(70, "s2", "read", undefined, []),
      "sees of s1 , where",
    ],
    ["an update that lost an insert", (run) => run.writes(30, "s2", "insert", "s2-0").reads(50, "s1", whole("s2-0")), "sees of s1 , where"],
    ["a deleted batch", (run) => run.writes(30, "s1", "delete", "s1-0").reads(50, "s2", whole("s1-0")), "where nothing is right"],
    ["a wrong number of changed rows", (run) => run.writes(30, "s1", "update", "s1-0", 39), "changed 39 rows, of 40"],
    ["an insert that tells other rows than it has", (run) => run.writes(30, "s1", "insert", "s1-1", 80), "changed 80 rows, of 40"],
    [
      "a conflict with nobody",
      (run) => run.begins(30, "s1", "update", "s1-0").fails(40, "s1", "update", "s1-0", "TRANSACTION_CONFLICT"),
      "nobody wrote the table meanwhile",
    ],
    [
      "an insert that conflicts",
      (run) =>
        run.begins(30, "s1", "insert", "s1-1").writes(31, "s2", "insert", "s2-0").fails(50, "s1", "insert", "s1-1", "TRANSACTION_CONFLICT"),
      "conflict in its insert",
    ],
    [
      "a conflict that changed something",
      (run) =>
        run
          .begins(30, "s2", "insert", "s2-0")
          .begins(31, "s1", "update", "s1-0")
          .succeeds(40, "s2", "insert", "s2-0", [[batchRows]])
          .fails(41, "s1", "update", "s1-0", "TRANSACTION_CONFLICT")
          .reads(60, "s2", whole("s1-0", 2 * batchRows), whole("s2-0")),
      "s1-0:40:40:80, where s1-0:40:40:40",
    ],
    [
      "a table that vanished",
      (run) => run.begins(30, "s2", "update", "s2-0").fails(40, "s2", "update", "s2-0", "TABLE_NOT_FOUND"),
      "does not exist, and it was created before",
    ],
  ])("speaks of %s", (_, happens, sentence) => {
    expect(happens(history()).said.join("\n")).toContain(sentence);
  });

  it("does not judge what a restarted coordinator has", () => {
    expect(history().note(20, "c", "crash", "life 1").reads(30, "s2").said).toEqual([]);
  });

  it("does not judge a user whose write has no known end", () => {
    const run = history().begins(20, "s1", "insert", "s1-1").ended(25, "s1", planned("insert", "s1-1"), { kind: "vanished" });
    expect(run.reads(30, "s2", whole("s1-0"), whole("s1-1")).reads(50, "s2", whole("s1-0")).said).toEqual([]);
  });
});

describe("the steps of a user", () => {
  it("change only batches that the user has made", () => {
    for (let seed = 0; seed < 50; seed++) {
      const steps = drawSharedSteps(StreamTree.root(String(seed)).stream("steps"), "s1", 8);
      const made = new Set<string>();
      for (const { operation, batch } of steps) {
        if (operation === "insert") {
          expect(made.has(batch)).toBe(false);
          made.add(batch);
        } else if (operation !== "create" && operation !== "read") {
          expect(made.has(batch)).toBe(true);
        }
      }
      expect(steps[0]?.operation).toBe("create");
    }
  });
});
