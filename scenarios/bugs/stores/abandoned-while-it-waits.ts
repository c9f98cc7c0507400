import { calmCluster, reads, second, streamedStatement, user } from "../../scenario.ts";
import type { Bug } from "../bug.ts";

export const abandonedWhileItWaits: Bug = {
  scenario: {
    name: "abandoned-while-it-waits",
    story:
      "The coordinator records queries on a disk that takes seconds for each write. A client submits a statement and waits for the answer, longer than it may be silent. It is not silent: its time-out counts from the answer.",
    plan: (seed) =>
      calmCluster(seed, {
        properties: { "query-recovery.enabled": "true", "query.client.timeout": "5s" },
        users: [user("u1", [reads(streamedStatement)], 2 * second)],
        faults: [{ kind: "slow-disk", atNanos: second, untilNanos: 3 * second, factor: 200_000, node: "c" }],
        healNanos: 4 * second,
        expect: { atLeast: { finished: 2 }, atMost: { unanswered: 0 } },
      }),
  },
  noticed: {
    kind: "vacuous",
    oracle: "expectations",
    sentence: "the story needs at least 2 of 'finished'; there were 1",
  },
  cause:
    "src/coordinator/results/statement-results.ts noted the arrival of a client's request, and not the answer. The answer to a submission, or to a poll that gives rows, waits until the journal is on the disk, and the query was ended meanwhile. While an answer is being made, and from the answer on, the client counts as heard.",
  fixed: "2026-12-01",
};
