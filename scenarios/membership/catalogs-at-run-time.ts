import type { PlannedStatement } from "../../sim/plan.ts";
import { calmCluster, fromSeed, ms, reads, type Scenario, second, user } from "../scenario.ts";

const equivalent = "SELECT count(*), sum(orderkey) FROM tpch.tiny.lineitem";

function asks(thinkNanos: number): PlannedStatement {
  return { ...reads(equivalent.replace("tpch.", "late."), thinkNanos), catalogStep: { equivalent } };
}

function changes(updateType: string, rest: string, thinkNanos = 0): PlannedStatement {
  return { ...reads(`${updateType} ${rest}`, thinkNanos), catalogStep: { updateType } };
}

export const catalogsAtRunTime: Scenario = {
  name: "catalogs-at-run-time",
  story:
    "A catalog is created while one worker is cut off and another restarts. Queries run where the catalog is, or fail and name the workers that lack it. When the cluster is whole again, every worker has been given the catalog; when the catalog is dropped, none keeps it.",
  plan: (seed) =>
    calmCluster(seed, {
      properties: { "catalog.management": "dynamic" },
      users: [
        user("u1", [
          changes("CREATE CATALOG", "late USING tpch", fromSeed(seed, 3000) * ms),
          asks(0),
          asks(2 * second),
          asks(12 * second),
          changes("DROP CATALOG", "late"),
          changes("CREATE CATALOG", "late USING tpch"),
          asks(0),
        ]),
        user("u2", [asks(5 * second), asks(3 * second)]),
      ],
      faults: [
        { kind: "partition", atNanos: second, untilNanos: 4 * second, afterWorkEvents: 0, nodes: ["w3"] },
        { kind: "crash", atNanos: 2 * second, untilNanos: 3 * second, afterWorkEvents: fromSeed(seed, 40), node: "w1", disk: "kept" },
      ],
      expect: { atLeast: { finished: 7 } },
    }),
};
