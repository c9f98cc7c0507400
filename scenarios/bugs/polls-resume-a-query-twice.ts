import { calmLink } from "../../sim/world/fates.ts";
import { calmCluster, reads, second, streamedStatement, user } from "../scenario.ts";
import type { Bug } from "./bug.ts";

export const pollsResumeAQueryTwice: Bug = {
  scenario: {
    name: "polls-resume-a-query-twice",
    story:
      "The coordinator is started again while a client reads its rows. The client's next request is delivered twice, and both arrive before the coordinator has read its journal. Both ask for a query that waits for its client, and it must go on once.",
    plan: (seed) =>
      calmCluster(seed, {
        properties: { "query-recovery.enabled": "true", "query.max-concurrent-queries": "1" },
        link: { ...calmLink, duplicatePer10k: 10_000 },
        users: [{ ...user("u1", [reads(streamedStatement)], second), targetResultSize: "1kB" }],
        faults: [
          { kind: "coordinator-crash", atNanos: 1.1 * second, untilNanos: 2 * second, node: "c", disk: "kept" },
          { kind: "slow-disk", atNanos: 1.5 * second, untilNanos: 5 * second, factor: 1_000, node: "c" },
        ],
        healNanos: 6 * second,
        expect: { atLeast: { finished: 1, "landed coordinator-crash": 1 } },
      }),
  },
  noticed: {
    kind: "safety",
    oracle: "query-life",
    sentence: "20260101_000001_00000_b2fag ended as FAILED for its user and as QUEUED for others",
  },
  cause:
    "src/coordinator/resources/statement-resource.ts let each request that had found the query in the journal submit it again, and did not look whether another request had been faster (seed 975097, with a query of another cluster). A query of a former incarnation is now claimed by one request, and the others are answered with what that one has resumed.",
  fixed: "2026-11-29",
};
