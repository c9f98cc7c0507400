import { calmCluster, fromSeed, ms, type Scenario, second, stepsOn, user } from "../scenario.ts";

const table = "memory.default.killed";
const lines = "SELECT orderkey, linenumber, quantity, shipmode FROM tpch.tiny.lineitem l";

const step = stepsOn(table);

export const killedWhileWriting: Scenario = {
  name: "killed-while-writing",
  story:
    "A worker dies for good while CREATE TABLE AS writes, and its rows with it. The statement runs again on the others: the table has each row once. Nothing of the lost attempt is visible, and nothing of it stays.",
  plan: (seed) =>
    calmCluster(seed, {
      nanosPerWorkUnit: 10_000,
      core: ["w1", "w3"],
      users: [
        user(
          "u1",
          [
            step("create", `${lines} WHERE l.orderkey > 0`),
            step("read", `SELECT count(*), sum(quantity) FROM ${table}`),
            step("insert", `${lines} WHERE l.orderkey < 100`),
            step("read", `SELECT count(*), sum(quantity) FROM ${table}`),
          ],
          second,
        ),
      ],
      faults: [{ kind: "crash", atNanos: 0, untilNanos: 9 * second, afterWorkNanos: fromSeed(seed, 40) * ms, node: "w2", permanent: true }],
      expect: { atLeast: { "landed crash": 1, "attempts lost": 1, finished: 4 }, atMost: { failed: 0, unanswered: 0 } },
    }),
};
