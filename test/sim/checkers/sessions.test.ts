/**
 * Users with changing sessions, and users who end stages early: what the checkers report for correct runs and for clients that get wrong
 * answers.
 */
import { describe, expect, it } from "vitest";
import { calmCluster, reads, user } from "../../../scenarios/scenario.ts";
import type { Sabotage } from "../../../sim/world/network.ts";
import { StreamTree } from "../../../sim/world/streams.ts";
import { isRowByRow, type Outcome, ResultsOracle } from "../../../sim/checkers/results/results.ts";
import { SessionOracle } from "../../../sim/checkers/results/sessions.ts";
import type { PlannedStatement, RunPlan } from "../../../sim/plan.ts";
import { runPlan } from "../../../sim/run.ts";
import { drawSession, qualifiedStatement, sessionStatement, type SessionStep } from "../../../sim/workload/sessions.ts";
import { type ClientSession, clientSession } from "../../../src/client/session.ts";

const place = { catalog: "tpch", schema: "sf0.0028" };

function planOf(steps: readonly SessionStep[]): RunPlan {
  const statements = steps.map((sessionStep): PlannedStatement => ({ ...reads(sessionStatement(sessionStep)), sessionStep }));
  return calmCluster("sessions", { users: [user("u1", statements)], nanosPerWorkUnit: 40 });
}

const prepared: SessionStep = {
  kind: "prepare",
  name: "Q 3,=é%",
  query: "SELECT name FROM TABLE.nation WHERE regionkey = ? OR name LIKE ?",
};
const executed: SessionStep = { kind: "execute", name: prepared.name, query: prepared.query, values: ["2", "'%''%'"] };

class Heard {
  readonly sentences: string[] = [];
  heldCount = 0;
  violate(_kind: string, _oracle: string, sentence: string): void {
    this.sentences.push(sentence);
  }
  held(): void {
    this.heldCount++;
  }
}

describe("a session", () => {
  it("is drawn as steps of which each means one thing in each place", () => {
    const kinds = new Set<string>();
    for (let number = 0; number < 60; number++) {
      const session = StreamTree.root(`session/${number}`);
      const steps = drawSession({ steps: session.stream("steps"), transaction: session.stream("transaction") });
      steps.forEach(({ kind }) => kinds.add(kind));
      expect(steps.some((step) => qualifiedStatement(step, place).includes("TABLE.") || sessionStatement(step).includes("TABLE."))).toBe(
        false,
      );
    }
    expect([...kinds].sort()).toEqual(["begin", "deallocate", "end", "execute", "prepare", "read", "reset", "set", "show", "use"]);
  });

  it("is carried by the client, and statements mean what it says", async () => {
    const steps: readonly SessionStep[] = [
      prepared,
      executed,
      { kind: "set", property: "join_distribution_type", value: "PARTITIONED" },
      { kind: "show", property: "join_distribution_type" },
      { kind: "use", catalog: "memory", schema: "default" },
      executed,
      { kind: "use", catalog: "tpch", schema: "tiny" },
      executed,
      { kind: "read", query: "SELECT count(*), max(name) FROM TABLE.supplier" },
      { kind: "reset", property: "join_distribution_type" },
      { kind: "deallocate", name: prepared.name },
      { kind: "deallocate", name: prepared.name },
      executed,
    ];
    const { violations, work, checks } = await runPlan(planOf(steps), {});
    expect(violations).toEqual([]);
    expect(checks["sessions"]).toBe(steps.length);
    expect(work.failed).toEqual({ NOT_FOUND: 2, TABLE_NOT_FOUND: 1 });
  });

  it("has a transaction, which a failed statement aborts", async () => {
    const read: SessionStep = { kind: "read", query: "SELECT count(*), max(name) FROM TABLE.supplier" };
    const failing: SessionStep = { kind: "read", query: "SELECT nothing FROM TABLE.nation" };
    const transaction = (commits: boolean, ...steps: readonly SessionStep[]): readonly SessionStep[] => [
      { kind: "begin" },
      ...steps,
      { kind: "end", commits },
    ];
    const steps = [transaction(true, read), transaction(true, failing, read), transaction(false, failing, read), [read]].flat();
    const { violations, work, checks } = await runPlan(planOf(steps), {});
    expect(violations).toEqual([]);
    expect(checks["sessions"]).toBe(steps.length);
    expect(work.failed).toEqual({ COLUMN_NOT_FOUND: 2, TRANSACTION_ALREADY_ABORTED: 3 });
  });

  it("that is told of the wrong way is noticed", async () => {
    const sabotage: Sabotage = (handler) => async (request, context) => {
      const response = await handler(request, context);
      const { "x-engine-added-prepare": added, ...headers } = response.headers;
      return added === undefined ? response : { ...response, headers: { ...headers, "x-engine-added-prepare": "q%203=SELECT+1" } };
    };
    const { violations } = await runPlan(planOf([prepared, executed]), { sabotage });
    expect(violations.map(({ oracle }) => oracle)).toContain("sessions");
  });

  it("may be either when nobody knows how the statement ended", () => {
    const heard = new Heard();
    const oracle = new SessionOracle(heard);
    const before = clientSession("u1");
    const changed = { ...before, properties: { join_reordering_strategy: "NONE" } };
    const step: SessionStep = { kind: "set", property: "join_reordering_strategy", value: "NONE" };
    oracle.observe({ user: "u1", step, ending: { kind: "vanished" }, before, after: before });
    oracle.observe({ user: "u1", step, ending: { kind: "vanished" }, before, after: changed });
    expect([heard.heldCount, heard.sentences]).toEqual([2, []]);
    const ending = { kind: "outcome", outcome: { kind: "rows", rows: [[true]] } } as const;
    oracle.observe({ user: "u1", step, ending, before, after: before });
    expect(heard.sentences).toEqual([expect.stringMatching(/^u1 has the session .* where .*NONE.* is right, after SET SESSION/)]);
  });

  it("may name a transaction that has ended, after a COMMIT whose answer its user has not seen", () => {
    const oracle = new SessionOracle(new Heard());
    const [seen, unseen] = ["seen", "unseen"].map((transactionId) => ({ ...clientSession("u1"), transactionId })) as [
      ClientSession,
      ClientSession,
    ];
    const step: SessionStep = { kind: "end", commits: true };
    const ending = { kind: "outcome", outcome: { kind: "rows", rows: [[true]] } } as const;
    oracle.observe({ user: "u1", step, ending, before: seen, after: clientSession("u1") });
    oracle.observe({ user: "u1", step, ending: { kind: "vanished" }, before: unseen, after: unseen });
    expect(["seen", "unseen"].map((id) => oracle.mayHaveEnded(id))).toEqual([false, true]);
  });
});

describe("stages that their user ends", () => {
  const rows = (...values: readonly number[]): Outcome => ({ kind: "rows", rows: values.map((value) => [value]) });
  const check = (sql: string, found: Outcome, expected: Outcome): readonly string[] => {
    const heard = new Heard();
    const causes = {} as ConstructorParameters<typeof ResultsOracle>[2]["causes"];
    new ResultsOracle(heard, new Map(), { troubled: () => false, causes }).checkCut("u1", sql, found, expected);
    return heard.sentences;
  };

  it("leave rows that are right, in their order", () => {
    const plain = "SELECT orderkey FROM orders WHERE custkey > 5";
    expect(isRowByRow(plain)).toBe(true);
    expect(check(plain, rows(3, 1), rows(1, 2, 3))).toEqual([]);
    expect(check(plain, rows(3, 3), rows(1, 2, 3))).toHaveLength(1);
    expect(check(plain, rows(4), rows(1, 2, 3))).toHaveLength(1);
    expect(check(`${plain} ORDER BY orderkey`, rows(1, 3), rows(1, 2, 3))).toEqual([]);
    expect(check(`${plain} ORDER BY orderkey`, rows(3, 1), rows(1, 2, 3))).toHaveLength(1);
  });

  it("say nothing of what is computed from many rows", () => {
    const counts = "SELECT count(*) FROM orders";
    expect(isRowByRow(counts)).toBe(false);
    expect(check(counts, rows(7), rows(9))).toEqual([]);
  });

  it("end a query with the rows of the others", async () => {
    const behaviour = { kind: "ends-stages", afterNanos: 40_000_000, times: 1 } as const;
    const sql = "SELECT orderkey, linenumber FROM lineitem";
    const { violations, work } = await runPlan(
      calmCluster("stages", { users: [user("u1", [{ ...reads(sql), behaviour }], 1_000_000_000)], nanosPerWorkUnit: 20_000 }),
      {},
    );
    expect(violations.filter(({ kind }) => kind !== "vacuous")).toEqual([]);
    // Includes the statement that ends every run.
    expect(work.finished).toBe(2);
    expect(work.rows).toBeLessThan(16_000);
  });
});
