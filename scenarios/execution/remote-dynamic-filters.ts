import { calmLink } from "../../sim/world/fates.ts";
import type { PlannedUser } from "../../sim/plan.ts";
import { calmCluster, fromSeed, ms, reads, type Scenario, second, user } from "../scenario.ts";

/** Forces partitioned joins where the planner would broadcast, so that each task of a join has a part of the keys. */
function spreading(name: string, statements: PlannedUser["statements"]): PlannedUser {
  return { ...user(name, statements), session: { join_distribution_type: "PARTITIONED", join_reordering_strategy: "NONE" } };
}

const few =
  "SELECT count(*), sum(l.quantity), min(o.custkey) FROM tpch.tiny.lineitem l JOIN (SELECT * FROM tpch.tiny.orders WHERE orderkey BETWEEN 3000 AND 3400) o ON l.orderkey = o.orderkey";
/** A single key: most tasks of the join have no rows and end at once. */
const one =
  "SELECT c.name, count(*) FROM tpch.tiny.orders o JOIN (SELECT * FROM tpch.tiny.customer WHERE custkey = 7) c ON o.custkey = c.custkey GROUP BY c.name";
const enough =
  "SELECT count(*) FROM (SELECT l.orderkey FROM tpch.tiny.lineitem l JOIN (SELECT * FROM tpch.tiny.orders WHERE orderkey < 900) o ON l.orderkey = o.orderkey LIMIT 40) x";

export const remoteDynamicFilters: Scenario = {
  name: "remote-dynamic-filters",
  story:
    "Scans wait for remote dynamic filters from joins in other tasks, which the coordinator forwards. Messages are lost, duplicated and late, and a worker crashes while scans wait and restarts empty. Each statement ends in bounded time, with all its rows or with an error that names the loss.",
  plan: (seed) =>
    calmCluster(seed, {
      nanosPerWorkUnit: 10_000,
      link: { ...calmLink, lossPer10k: 300, resetPer10k: 200, duplicatePer10k: 500, overtakenPer10k: 300, truncatedPer10k: 100 },
      users: [
        spreading("u1", [reads(few), reads(one), reads(few, 20 * second), reads(enough)]),
        spreading("u2", [reads(one, fromSeed(seed, 40) * ms), reads(few), reads(enough, 20 * second)]),
        spreading("u3", [reads(enough, fromSeed(seed, 60) * ms), reads(one), reads(few)]),
      ],
      faults: [{ kind: "crash", atNanos: 0, untilNanos: 3 * second, afterWorkNanos: fromSeed(`${seed}w`, 60) * ms, node: "w2" }],
      expect: { atLeast: { "landed crash": 1, finished: 3 } },
    }),
};
