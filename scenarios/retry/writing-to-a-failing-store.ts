import { calmCluster, fromSeed, ms, protocolFrom, type Scenario, second, stepsOn, user } from "../scenario.ts";

const table = "bucket.default.lines";
const lines = "SELECT orderkey, linenumber, quantity, shipmode FROM tpch.tiny.lineitem l";
const counted = `SELECT count(*), count(DISTINCT orderkey * 10 + linenumber), sum(quantity), max(shipmode) FROM ${table}`;

const step = stepsOn(table);

export const writingToAFailingStore: Scenario = {
  name: "writing-to-a-failing-store",
  story:
    "Tables are written to an object store, by the protocol of S3 or of Azure. One request in six fails, and half of those whose answers are lost are carried out. A worker dies for good in the middle, so statements run again on the others. Each row of a statement that succeeded is in the table once, and none of one that did not.",
  plan: (seed) => ({
    ...calmCluster(seed, {}),
    nanosPerWorkUnit: 10_000,
    store: {
      delayNanosMin: 5 * ms,
      delayNanosMax: 60 * ms,
      faultPercent: 16,
      pageKeys: 1 + fromSeed(seed, 3),
      protocol: protocolFrom(seed),
    },
    core: ["w1", "w3"],
    users: [
      user(
        "u1",
        [
          step("create", `${lines} WHERE l.orderkey < 6000`),
          step("read", counted),
          step("insert", `${lines} WHERE l.orderkey < 2000`),
          step("read", counted),
          step("drop"),
          step("create", `${lines} WHERE l.orderkey < 3000`),
          step("insert", `${lines} WHERE l.orderkey < 100`),
          step("read", `SELECT * FROM ${table} WHERE orderkey < 20`),
          step("read", counted),
        ],
        second,
      ),
    ],
    faults: [{ kind: "crash", atNanos: 0, untilNanos: 9 * second, afterWorkNanos: fromSeed(seed, 60) * ms, node: "w2", permanent: true }],
    healNanos: 10 * second,
    expect: { atLeast: { "landed crash": 1, "store faults": 4, finished: 9 }, atMost: { failed: 0, unanswered: 0 } },
  }),
};
