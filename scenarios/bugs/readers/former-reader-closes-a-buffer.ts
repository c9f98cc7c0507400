import { calmCluster, ms, reads, second, stepsOn, user } from "../../scenario.ts";
import type { Bug } from "../bug.ts";

const sql =
  "SELECT partkey, suppkey, count(*), avg(CAST(extendedprice AS double) / 3) FROM lineitem WHERE orderkey < 2000 GROUP BY partkey, suppkey";
const volatile = {
  equivalent: "SELECT partkey, suppkey, count(*) FROM lineitem WHERE orderkey < 2000 GROUP BY partkey, suppkey",
  isPaired: true,
} as const;

/** One moment in many: the former run must be told of the new producer before it wakes, and wake while the last run still reads. */
const seed = "274";

export const formerReaderClosesABuffer: Bug = {
  scenario: {
    name: "former-reader-closes-a-buffer",
    story:
      "One of two tasks that read an aggregation is lost, and the aggregation runs again for it. The other has read it to the end when its worker pauses, and runs again too. The pause ends, and the former run closes its buffer in the new run of the aggregation. The last run must have all rows nevertheless.",
    plan: () =>
      calmCluster(seed, {
        coordinator: { name: "c", clockOffsetMs: -1363, clockDriftPpm: -108 },
        workers: ["w1", "w2", "w3", "w4"].map((name) => ({ name, clockOffsetMs: 0, clockDriftPpm: 0 })),
        link: {
          latencyNanosMin: 100000,
          latencyNanosMax: 400000,
          tailPer10k: 0,
          tailNanosMax: 0,
          lossPer10k: 0,
          resetPer10k: 0,
          duplicatePer10k: 0,
          overtakenPer10k: 0,
          neverAnsweredPer10k: 0,
          truncatedPer10k: 0,
        },
        properties: {
          "sink.max-buffer-size": "1kB",
          "exchange.max-buffer-size": "2kB",
          "exchange.max-response-size": "1kB",
          "query.hash-partition-count": "2",
          "failure-detector.heartbeat-interval": "1s",
          "discovery.max-age": "5s",
          "task-retry-unresponsive-timeout": "1s",
        },
        points: {
          "exchange-forgets-an-answer": 20,
          "buffer-spills-early": 400,
          "page-cut-early": 1000,
          "slice-ends-early": 20,
          "task-results-turned-away": 400,
          "query-waits-for-memory": 100,
        },
        knobs: {
          "page-rows": 20,
          "partial-aggregation-judged-rows": 50,
          "revocable-bytes": 300000,
          "partial-aggregation-bytes": 4000,
          "frame-rows": 20,
        },
        schema: "sf0.0003",
        splitsPerNode: 1,
        nanosPerWorkUnit: 20000,
        fates: [{ message: "c>w4 heartbeat #1 request", kind: "never-answered" }],
        healNanos: 8000000000,
        users: [
          {
            ...user("u1", [{ ...stepsOn("memory.default.t_u1")("create", "SELECT orderkey FROM orders"), thinkNanos: 1_800 * ms }], 0),
            trespasses: true,
          },
          user("p1", [{ ...reads(sql), volatile, thinkNanos: 252 * ms }], 282 * ms),
          { ...user("p2", [{ ...reads(sql), volatile, thinkNanos: 50 * ms }], 411 * ms), session: { spill_enabled: "false" } },
        ],
        faults: [
          {
            kind: "slow-link",
            from: "c",
            to: "w3",
            extraNanos: 236 * ms,
            atNanos: 74_771_488,
            untilNanos: 744_771_488,
            afterWorkEvents: 5,
          },
          { kind: "clogged-link", from: "c", to: "w3", atNanos: 1_756_533_232, untilNanos: 8 * second },
          { kind: "pause", node: "w2", atNanos: 2_161_946_445, untilNanos: 8 * second, afterWorkEvents: 52 },
        ],
        expect: { atLeast: { finished: 3 }, atMost: { failed: 0, unanswered: 0 } },
      }),
  },
  noticed: {
    kind: "wrong-result",
    oracle: "spilled-rows",
    sentence: "p2 and p1 got other rows: row 0 is [1,2,36,6824.240740740743] and [1,2,24,7270.569444444446]",
  },
  cause:
    "src/execution/exchange/output-buffer.ts let any run of a reader close a buffer, and told the last run that a closed buffer was complete (seed 274 over small tables), so a third of the rows was missing. A former run closes nothing now, and what it left is not all for a later one.",
  fixed: "2026-11-30",
};
