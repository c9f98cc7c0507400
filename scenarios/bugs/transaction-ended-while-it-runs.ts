import { sessionStatement, type SessionStep } from "../../sim/workload/sessions.ts";
import { calmCluster, ms, reads, second, user } from "../scenario.ts";
import type { Bug } from "./bug.ts";

const read: SessionStep = { kind: "read", query: "SELECT nationkey, count(*) FROM TABLE.supplier GROUP BY nationkey" };
const steps: readonly SessionStep[] = [{ kind: "begin" }, read, read, { kind: "end", commits: true }];

export const transactionEndedWhileItRuns: Bug = {
  scenario: {
    name: "transaction-ended-while-it-runs",
    story:
      "A statement of a transaction takes longer than transaction.idle-timeout, because the coordinator's messages to a worker are slow. The transaction is not idle meanwhile, and goes on afterwards.",
    plan: (seed) =>
      calmCluster(seed, {
        properties: { "transaction.idle-timeout": "1s" },
        users: [
          user(
            "u1",
            steps.map((sessionStep) => ({ ...reads(sessionStatement(sessionStep), 10 * ms), sessionStep })),
            second,
          ),
        ],
        faults: ["w1", "w2"].map((to) => ({
          kind: "slow-link" as const,
          from: "c",
          to,
          extraNanos: 1_500 * ms,
          atNanos: second,
          untilNanos: 20 * second,
        })),
        healNanos: 20 * second,
        expect: { atLeast: { finished: 4 }, atMost: { failed: 0 } },
      }),
  },
  noticed: {
    kind: "safety",
    oracle: "transactions",
    sentence:
      "20260101_000004_00002_xxxu1 of transaction 00000000-0000-0000-0000-000000000000 was told that it is unknown, 12 ms after the last one; it may be idle for 1000 ms",
  },
  cause:
    "src/coordinator/query/transactions.ts counted idle time from when the last statement was planned, as if it were over then. A transaction is idle now when none of its statements runs, as in Presto (dbt-labs/dbt-presto#75 tells of the same).",
  fixed: "2026-11-29",
};
