import { calmCluster, fromSeed, ms, type Scenario, second, stepsOn, user } from "../scenario.ts";

const table = "memory.default.copied";

const step = stepsOn(table);

const lines = "SELECT orderkey, linenumber, quantity, shipmode FROM tpch.tiny.lineitem l";
const byMode = `SELECT shipmode, count(*), sum(quantity) FROM ${table} GROUP BY shipmode`;

export const copiedTable: Scenario = {
  name: "copied-table",
  story:
    "Workers die for good, one after the other, while queries read and change a table in memory. Each part has two copies, and a lost one is made again on another worker: all statements have their rows.",
  plan: (seed) =>
    calmCluster(seed, {
      nanosPerWorkUnit: 10_000,
      core: ["w3"],
      users: [
        user(
          "u1",
          [
            step("create", lines),
            step("read", byMode, 8 * second),
            step("insert", `${lines} WHERE l.orderkey < 100`, second),
            step("read", byMode, 60 * second),
            step("read", `SELECT count(*), sum(quantity) FROM ${table}`, 60 * second),
          ],
          second,
        ),
      ],
      faults: [
        {
          kind: "crash",
          atNanos: 6 * second,
          untilNanos: 12 * second,
          afterWorkNanos: fromSeed(seed, 20) * ms,
          node: "w2",
          permanent: true,
        },
        {
          kind: "crash",
          atNanos: 50 * second,
          untilNanos: 58 * second,
          afterWorkNanos: fromSeed(seed, 20) * ms,
          node: "w1",
          permanent: true,
        },
      ],
      healNanos: 60 * second,
      expect: { atLeast: { "landed crash": 1, finished: 5 }, atMost: { failed: 0, unanswered: 0 } },
    }),
};

export const handedOverTable: Scenario = {
  name: "handed-over-table",
  story: "Tables have one copy. A worker that is told to shut down leaves when the others have its parts: all rows are there afterwards.",
  plan: (seed) =>
    calmCluster(seed, {
      nanosPerWorkUnit: 10_000,
      replication: 1,
      users: [
        user(
          "u1",
          [step("create", lines), step("read", byMode, 8 * second), step("read", `SELECT count(*) FROM ${table}`, 60 * second)],
          second,
        ),
      ],
      faults: [{ kind: "shutdown", atNanos: 12 * second, untilNanos: 40 * second, node: "w2" }],
      healNanos: 42 * second,
      expect: { atLeast: { finished: 3 }, atMost: { failed: 0, unanswered: 0 } },
    }),
};
