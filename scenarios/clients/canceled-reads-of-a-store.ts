import type { PlannedStatement } from "../../sim/plan.ts";
import { tableStatement } from "../../sim/workload/user-tables.ts";
import { calmCluster, fromSeed, ms, protocolFrom, type Scenario, second, stepsOn, user } from "../scenario.ts";

const table = "lake.default.lines";
const readAs = "store.default.lines";
const lines = "SELECT orderkey, linenumber, quantity, shipmode FROM tpch.tiny.lineitem l WHERE l.orderkey < 2000";
const counted = `SELECT shipmode, count(*), sum(quantity) FROM ${readAs} GROUP BY shipmode`;

const step = stepsOn(table, { readAs });

/** Canceled while it asks the store what there is, reads the files, or writes a table to the store. */
function canceled(afterMs: number, name?: string): PlannedStatement {
  // The nodes have nothing else to do meanwhile.
  const thinkNanos = 3 * second;
  const behaviour = { kind: "cancels-at", afterNanos: afterMs * ms } as const;
  if (name === undefined) {
    return { ...step("read", counted), behaviour, thinkNanos };
  }
  const written = { table: `bucket.default.${name}`, operation: "create" as const, query: lines };
  return { sql: tableStatement(written), behaviour, thinkNanos, step: written };
}

export const canceledReadsOfAStore: Scenario = {
  name: "canceled-reads-of-a-store",
  story:
    "Queries read files through an object store that takes its time, and often says nothing at all; users cancel them at any moment. What a query waits for in the store ends with it, on every node: no read goes on, and none is repeated. Other queries of the same files have all rows.",
  plan: (seed) => ({
    ...calmCluster(seed, {}),
    nanosPerWorkUnit: 500,
    lake: {},
    store: { delayNanosMin: 100 * ms, delayNanosMax: 600 * ms, faultPercent: 30, pageKeys: 1_000, protocol: protocolFrom(seed) },
    users: [
      user("u1", [step("create", lines), step("insert", lines), step("insert", lines)], second / 2),
      user(
        "u2",
        [0, 1, 2, 3, 4, 5].map((index) => canceled(1_500 + fromSeed(`${seed}/${index}`, 3_000), index === 3 ? "t" : undefined)),
        6 * second,
      ),
    ],
    healNanos: 12 * second,
    expect: { atLeast: { canceled: 1, "store faults": 1, finished: 3 }, atMost: { unanswered: 0 } },
  }),
};
