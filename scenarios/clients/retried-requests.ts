import { calmLink } from "../../sim/world/fates.ts";
import { calmCluster, reads, type Scenario, second, streamedStatement, user, wideStatement } from "../scenario.ts";

export const retriedRequests: Scenario = {
  name: "retried-requests",
  story:
    "Responses are lost, connections reset and messages delivered twice, between users and coordinator and between nodes, and users request every token twice. No row is lost or duplicated, and the same token has the same bytes.",
  plan: (seed) =>
    calmCluster(seed, {
      link: { ...calmLink, resetPer10k: 200, duplicatePer10k: 300, tailPer10k: 200, tailNanosMax: second },
      users: [
        {
          ...user("u1", [{ sql: streamedStatement, behaviour: { kind: "asks-twice" }, thinkNanos: 0 }, reads(wideStatement)]),
          targetResultSize: "16kB",
        },
        {
          ...user("u2", [
            { sql: streamedStatement, behaviour: { kind: "retries" }, thinkNanos: 0 },
            { sql: wideStatement, behaviour: { kind: "retries" }, thinkNanos: 0 },
          ]),
          targetResultSize: "16kB",
        },
      ],
      expect: { atLeast: { reset: 3, duplicated: 3, "checked probes": 8, finished: 2 } },
    }),
};
