import type { PlannedStatement } from "../../sim/plan.ts";
import { sessionStatement, type SessionStep } from "../../sim/workload/sessions.ts";
import { calmCluster, fromSeed, ms, reads, type Scenario, second, user } from "../scenario.ts";

const read: SessionStep = { kind: "read", query: "SELECT count(*), max(name) FROM TABLE.supplier" };
const failing: SessionStep = { kind: "read", query: "SELECT nothing FROM TABLE.nation" };

const reading = Array.from({ length: 9 }, () => read);

function transaction(commits: boolean, ...steps: readonly SessionStep[]): readonly PlannedStatement[] {
  const all: readonly SessionStep[] = [{ kind: "begin" }, ...steps, { kind: "end", commits }];
  return all.map((sessionStep) => ({ ...reads(sessionStatement(sessionStep), 60 * ms), sessionStep }));
}

export const transactionOutlivesCoordinator: Scenario = {
  name: "transaction-outlives-coordinator",
  story:
    "Clients hold transactions open, of which some were aborted by a failed statement. The process of the coordinator is killed and starts again a second later; the transactions go on, and the aborted ones still refuse statements.",
  plan: (seed) =>
    calmCluster(seed, {
      properties: { "query-recovery.enabled": "true" },
      users: [
        user("u1", transaction(true, ...reading), second),
        user("u2", transaction(true, failing, ...reading), second),
        user("u3", [...transaction(false, read, failing, read), ...transaction(true, ...reading)], second),
      ],
      faults: [
        {
          kind: "coordinator-crash",
          atNanos: second + fromSeed(seed, 500) * ms,
          untilNanos: 5 * second,
          afterWorkEvents: 0,
          node: "c",
          disk: "kept",
        },
      ],
      expect: { atLeast: { "landed coordinator-crash": 1, finished: 10 } },
    }),
};
