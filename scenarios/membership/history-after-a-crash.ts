import { calmCluster, fromSeed, ms, reads, type Scenario, second, user, wideStatement } from "../scenario.ts";

export const historyAfterACrash: Scenario = {
  name: "history-after-a-crash",
  story:
    "Queries end one after the other until the coordinator's machine crashes and loses what it had not synced. What the history had shown before the crash it shows again after the restart, each query once; a record that was being written is left out whole.",
  plan: (seed) =>
    calmCluster(seed, {
      properties: { "query-history.enabled": "true" },
      users: ["u1", "u2"].map((name) =>
        user(
          name,
          Array.from({ length: 8 }, (_, index) => reads(index === 0 ? wideStatement : "SELECT count(*) FROM nation", 200 * ms)),
          fromSeed(`${seed}${name}`, 100) * ms,
        ),
      ),
      faults: [
        {
          kind: "coordinator-crash",
          atNanos: second + fromSeed(seed, 1500) * ms,
          untilNanos: 4 * second,
          afterWorkEvents: 0,
          node: "c",
          disk: fromSeed(`${seed}disk`, 2) === 0 ? "synced" : "torn",
        },
      ],
      expect: { atLeast: { finished: 4, "landed coordinator-crash": 1 } },
    }),
};
