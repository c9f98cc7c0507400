/** Planted violations of the model of causes: errors that a client is told and that nothing in the run explains. */
import { describe, expect, it } from "vitest";
import { statementFailures } from "../../../../../sim/checkers/models/statement/failures.ts";
import type { PlannedStatement, RunPlan } from "../../../../../sim/plan.ts";
import { sharedStatement, type SharedStep } from "../../../../../sim/workload/shared-table.ts";
import { FabricatedRun } from "../fabricated.ts";

const plain: PlannedStatement = { sql: "SELECT 1", behaviour: { kind: "reads-all" }, thinkNanos: 0 };

function planned(operation: SharedStep["operation"], batch = ""): PlannedStatement {
  const shared = { operation, batch };
  return { ...plain, sql: sharedStatement(shared), shared };
}

const read = planned("read");
const users: RunPlan["users"] = [
  { name: "u1", startNanos: 0, statements: [plain] },
  { name: "s1", startNanos: 0, statements: [read, planned("update", "s1-0")] },
  { name: "s2", startNanos: 0, statements: [read, planned("update", "s2-0")] },
  { name: "i1", startNanos: 0, statements: [plain], inquires: { asks: [], pauseNanos: 0 } },
];
const gone = "The node may have crashed or be unreachable: http://w1:8080";

/** Queries of clients, each with its submission and the document of its failure. */
class Queries extends FabricatedRun {
  constructor(changed: Partial<RunPlan> = {}) {
    super(statementFailures, { users, ...changed });
  }

  submits(ms: number, user: string, id: string, { sql }: PlannedStatement = plain): this {
    return this.note(ms, user, "submit", sql).answer(ms, "/v1/statement", {
      from: user,
      method: "POST",
      sent: sql,
      body: { id, nextUri: `http://c:8080/v1/statement/${id}/1`, stats: { state: "QUEUED" } },
    });
  }

  fails(ms: number, id: string, errorName: string, message: string, errorType = "INTERNAL_ERROR"): this {
    const error = { errorName, errorType, message };
    return this.answer(ms, `/v1/statement/${id}/1`, { body: { id, error, stats: { state: "FAILED" } } });
  }

  crashes(ms: number, place: string): this {
    return this.note(ms, "world", "fault", `worker-crash ${place} (disk synced)`).note(ms, place, "crash", "life 1");
  }

  comesBack(ms: number, place: string): this {
    return this.note(ms, "world", "heal", `worker-crash ${place} (disk synced)`).note(ms, place, "start", "life 2");
  }
}

const freed = "Table 'memory.default.shared' lost data: worker w1 was told to forget it";

describe("the model of the causes of failures", () => {
  it("says nothing about failures that the run explains", () => {
    const run = new Queries({ properties: { "query.max-execution-time": "100ms" } })
      .submits(0, "u1", "q1")
      .crashes(10, "w1")
      .fails(20, "q1", "REMOTE_HOST_GONE", gone)
      // The coordinator has not noticed yet that the node is another one.
      .comesBack(30, "w1")
      .submits(5_000, "u1", "q2")
      .fails(5_010, "q2", "REMOTE_TASK_MISMATCH", "Could not communicate with the remote task (http://w1:8080/v1/task/q2.1.0)")
      .submits(50_000, "s1", "q3", read)
      .fails(50_200, "q3", "EXCEEDED_TIME_LIMIT", "Query exceeded the maximum execution time limit of 100.00ms", "INSUFFICIENT_RESOURCES")
      .submits(51_000, "s1", "q4", read)
      .fails(51_010, "q4", "TRANSACTION_CONFLICT", "Table has changed since its rows were read", "USER_ERROR")
      .submits(52_000, "u1", "q5")
      .fails(52_010, "q5", "DIVISION_BY_ZERO", "Division by zero", "USER_ERROR")
      .submits(53_000, "i1", "q6")
      .fails(53_010, "q6", "CONFIGURATION_INVALID", "There is no connector 'nothing'")
      .submits(54_000, "u1", "q7")
      .answer(54_005, "/v1/query/q7/killed", { method: "PUT", status: 202 })
      .fails(54_010, "q7", "ADMINISTRATIVELY_KILLED", "Query killed. No message provided.", "USER_ERROR");
    expect(run.end(60_000).said).toEqual([]);
    expect(run.held).toBeGreaterThan(5);
  });

  it("knows who has freed the rows that a statement has yet to read", () => {
    const run = new Queries().submits(0, "s1", "q1", read).submits(5, "s2", "q2", planned("update", "s2-0"));
    expect(run.fails(20, "q1", "TABLE_DATA_LOST", freed).said).toEqual([]);
  });

  it("knows who has cancelled a query, once all requests are answered", () => {
    const run = new Queries().submits(0, "u1", "q1").fails(20, "q1", "USER_CANCELED", "Query was canceled", "USER_ERROR");
    run.facts.canceled("q1", "u1");
    expect(run.end(30).said).toEqual([]);
  });

  it.each<[string, (run: Queries) => Queries, string]>([
    ["a node without trouble", (run) => run.crashes(5, "w2").fails(20, "q1", "REMOTE_HOST_GONE", gone), "w1 had no trouble since"],
    [
      "a loss long ago",
      (run) =>
        run
          .crashes(10, "w1")
          .comesBack(30, "w1")
          .submits(40_000, "u1", "q2")
          .fails(40_010, "q2", "PAGE_TRANSPORT_ERROR", "Expected 200 from http://w1:8080/v1/task/q2.1.0/results/0/3"),
      "w1 had no trouble since 25.0 s",
    ],
    [
      "a coordinator that did not restart since",
      (run) =>
        run
          .note(5, "c", "crash", "life 1")
          .note(10, "c", "start", "life 2")
          .submits(20, "u1", "q2")
          .fails(30, "q2", "SERVER_STARTING_UP", "the query cannot go on: it writes"),
      "was not started again after its submission",
    ],
    [
      "a cancel of another query of the user",
      (run) => {
        run.facts.canceled("q0", "u1");
        return run.fails(20, "q1", "USER_CANCELED", "Query was canceled", "USER_ERROR").end(30);
      },
      "q1 ended with USER_CANCELED, and no request has cancelled it",
    ],
    ["a kill that nobody asked for", (run) => run.fails(20, "q1", "ADMINISTRATIVELY_KILLED", "Query killed."), "no request says so"],
    [
      "a query that is killed and was to be preempted",
      (run) =>
        run
          .answer(15, "/v1/query/q1/preempted", { method: "PUT", status: 202 })
          .fails(20, "q1", "ADMINISTRATIVELY_KILLED", "Query killed. No message provided."),
      "no request says so",
    ],
    ["a bug", (run) => run.fails(20, "q1", "GENERIC_INTERNAL_ERROR", "Internal error"), "disk failed while the spiller used it"],
    [
      "a bug that only the writers of a table meet",
      (run) => run.submits(10, "s1", "q2", read).fails(20, "q2", "COLUMN_NOT_FOUND", "Column 'item' cannot be resolved", "USER_ERROR"),
      "no cluster may declare it",
    ],
    [
      "a limit that no plan has",
      (run) =>
        run
          .submits(10, "s1", "q2", read)
          .fails(20, "q2", "EXCEEDED_TIME_LIMIT", "Query exceeded maximum time limit of 1.00m", "INSUFFICIENT_RESOURCES"),
      "limits the run time",
    ],
    [
      "rows that were freed too early",
      (run) =>
        run
          .submits(10, "s2", "q2", planned("update", "s2-0"))
          .ended(20, "s2", planned("update", "s2-0"), { kind: "outcome", outcome: { kind: "rows", rows: [[40]] } })
          .submits(30, "s1", "q3", read)
          .fails(40, "q3", "TABLE_DATA_LOST", freed),
      "no other statement has rewritten the table meanwhile",
    ],
    [
      "a lost table whose workers are well",
      (run) =>
        run
          .submits(10, "s1", "q2", read)
          .fails(20, "q2", "TABLE_DATA_LOST", "Table 'memory.default.shared' lost data: worker w1 restarted", "EXTERNAL"),
      "each worker with a copy of the rows restarted",
    ],
  ])("speaks of %s", (_, happens, sentence) => {
    expect(happens(new Queries().submits(0, "u1", "q1")).said.join("\n")).toContain(sentence);
  });

  it("does not judge the errors of another cluster", () => {
    const remote: NonNullable<RunPlan["remote"]> = { name: "r", clockOffsetMs: 0, clockDriftPpm: 0, rules: [], errorDuration: "5s" };
    expect(new Queries({ remote }).submits(0, "u1", "q1").fails(20, "q1", "REMOTE_HOST_GONE", gone).said).toEqual([]);
  });
});
