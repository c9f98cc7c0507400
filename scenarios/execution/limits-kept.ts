import type { PlannedUser } from "../../sim/plan.ts";
import { calmCluster, fromSeed, ms, reads, type Scenario, second, user, wideStatement } from "../scenario.ts";

/** 22 million comparisons without a match: eleven seconds of CPU time. */
const loopStatement = "SELECT count(*) FROM tpch.tiny.customer c JOIN tpch.tiny.orders o ON c.acctbal + o.totalprice = -1";
const scanStatement = "SELECT count(*), sum(quantity) FROM tpch.tiny.lineitem";

/** The second statement is within the limit, and comes when the loops of the others have ended: a step of them takes half a second. */
function limited(name: string, limit: string, value: string, sql: string, within = "SELECT count(*) FROM nation"): PlannedUser {
  return { ...user(name, [reads(sql), reads(within, 5 * second)]), session: { [limit]: value } };
}

export const limitsKept: Scenario = {
  name: "limits-kept",
  story:
    "Users send statements that exceed the limits of their sessions: a very long nested loop join, which holds one side in memory, a scan. Each limit ends its query soon after it is exceeded, with the error that names it. Statements within their limits succeed, and other users are served meanwhile.",
  plan: (seed) =>
    calmCluster(seed, {
      users: [
        limited("u1", "query_max_run_time", `${1000 + fromSeed(seed, 500)}ms`, loopStatement),
        limited("u2", "query_max_execution_time", `${1000 + fromSeed(`${seed}2`, 500)}ms`, loopStatement),
        limited("u3", "query_max_cpu_time", `${500 + fromSeed(`${seed}3`, 500)}ms`, loopStatement),
        // It ends before its CPU time is checked, and must fail nevertheless.
        limited("u4", "query_max_cpu_time", "5ms", scanStatement),
        limited("u5", "query_max_scan_physical_bytes", "100kB", scanStatement),
        limited("u6", "query_max_memory", "20kB", loopStatement, "SELECT 1"),
        limited("u7", "query_max_total_memory", "20kB", loopStatement, "SELECT 1"),
        user("u8", [reads(wideStatement, fromSeed(`${seed}8`, 100) * ms)]),
      ],
      expect: {
        atLeast: {
          "failed EXCEEDED_TIME_LIMIT": 2,
          "failed EXCEEDED_CPU_LIMIT": 2,
          "failed EXCEEDED_SCAN_LIMIT": 1,
          "failed EXCEEDED_GLOBAL_MEMORY_LIMIT": 2,
          finished: 8,
        },
        atMost: { failed: 7, unanswered: 0 },
      },
    }),
};
