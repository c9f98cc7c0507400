import { calmCluster, fromSeed, ms, type Scenario, second, stepsOn, user } from "../scenario.ts";

const table = "lake.default.killed";
const lines = "SELECT orderkey, linenumber, quantity, shipmode FROM tpch.tiny.lineitem l";
const counted = `SELECT count(*), count(DISTINCT orderkey * 10 + linenumber), sum(quantity), max(shipmode) FROM ${table}`;

const step = stepsOn(table);

export const killedWhileWritingFiles: Scenario = {
  name: "killed-while-writing-files",
  story:
    "A worker dies for good while tables are written to files of a shared folder, which is slow. The statements run again on the others: each row is in the files once, whatever the lost attempt has left beside them. A table that is dropped and created again has the new rows alone.",
  plan: (seed) =>
    calmCluster(seed, {
      nanosPerWorkUnit: 10_000,
      lake: { slowness: 10 },
      core: ["w1", "w3"],
      users: [
        user(
          "u1",
          [
            step("create", `${lines} WHERE l.orderkey < 20000`),
            step("read", counted),
            step("insert", `${lines} WHERE l.orderkey < 5000`),
            step("read", counted),
            step("drop"),
            step("create", `${lines} WHERE l.orderkey < 3000`),
            step("insert", `${lines} WHERE l.orderkey < 100`),
            step("read", `SELECT * FROM ${table} WHERE orderkey < 50`),
            step("read", counted),
          ],
          second,
        ),
      ],
      faults: [{ kind: "crash", atNanos: 0, untilNanos: 9 * second, afterWorkNanos: fromSeed(seed, 40) * ms, node: "w2", permanent: true }],
      expect: { atLeast: { "landed crash": 1, "attempts lost": 1, finished: 9 }, atMost: { failed: 0, unanswered: 0 } },
    }),
};
