import { calmCluster, fromSeed, ms, protocolFrom, type Scenario, second, stepsOn, user } from "../scenario.ts";

const table = "lake.default.lines";
const readAs = "store.default.lines";
const lines = "SELECT orderkey, linenumber, quantity, shipmode FROM tpch.tiny.lineitem l";
const counted = `SELECT shipmode, count(*), count(DISTINCT orderkey * 10 + linenumber), sum(quantity) FROM ${readAs} GROUP BY shipmode`;

const step = stepsOn(table, { readAs });

export const readingAFailingStore: Scenario = {
  name: "reading-a-failing-store",
  story:
    "Files of a table are written to a shared folder and read through an object store that serves it, by the protocol of S3 or of Azure. One request in five fails: the store asks to slow down, breaks connections, sends half of what it promised, or says nothing. The clock of the coordinator is an hour wrong, and a worker dies for good. Every read has the rows that were written.",
  plan: (seed) => {
    const calm = calmCluster(seed, {});
    return {
      ...calm,
      coordinator: { ...calm.coordinator, clockOffsetMs: 3_600_000 },
      nanosPerWorkUnit: 10_000,
      lake: {},
      store: {
        delayNanosMin: 5 * ms,
        delayNanosMax: 60 * ms,
        faultPercent: 20,
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
            step("read", `SELECT * FROM ${readAs} WHERE orderkey BETWEEN 40 AND 60`),
            step("insert", `${lines} WHERE l.orderkey < 100`),
            step("read", counted),
          ],
          second,
        ),
      ],
      faults: [
        { kind: "crash", atNanos: 0, untilNanos: 9 * second, afterWorkNanos: fromSeed(seed, 1200) * ms, node: "w2", permanent: true },
      ],
      healNanos: 10 * second,
      expect: { atLeast: { "store faults": 3, finished: 7 }, atMost: { failed: 0, unanswered: 0 } },
    };
  },
};
