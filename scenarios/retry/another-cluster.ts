import { calmCluster, fromSeed, ms, reads, type Scenario, second, streamedStatement, user, wideStatement } from "../scenario.ts";

const counted = "SELECT shipmode, count(*), sum(quantity) FROM tpch.tiny.lineitem GROUP BY shipmode";
const few = "SELECT name, nationkey FROM tpch.tiny.nation ORDER BY name";

export const anotherCluster: Scenario = {
  name: "another-cluster",
  story:
    "Rules send the statements of some users to another cluster. The link to it is slow and loses messages, its node answers 503, dies and is cut off, while clients read, cancel and vanish; the statements of another user stay. A query whose client has no row yet is sent again; others fail because their cluster is gone. Nobody gets a row twice, and both clusters are left with nothing.",
  plan: (seed) => {
    const moment = (what: string, range: number): number => fromSeed(`${seed}${what}`, range) * ms;
    const calm = calmCluster(seed, {});
    const far = "far";
    return {
      ...calm,
      link: { ...calm.link, lossPer10k: 20, resetPer10k: 40, truncatedPer10k: 10 },
      properties: { "query.client.timeout": "20s" },
      remote: {
        name: far,
        clockOffsetMs: 90_000,
        clockDriftPpm: 0,
        errorDuration: "2s",
        rules: [{ user: "u4" }, { user: "u.", queryType: "SELECT", cluster: far }],
      },
      users: [
        user("u1", [
          reads(wideStatement),
          reads(few),
          reads(counted, second),
          reads(few, second),
          reads(wideStatement),
          reads(counted, second),
        ]),
        {
          ...user(
            "u2",
            [streamedStatement, counted, streamedStatement, few].map((sql) => reads(sql, 500 * ms)),
          ),
          family: "trino",
          targetResultSize: "20kB",
        },
        {
          ...user("u3", [
            { sql: streamedStatement, behaviour: { kind: "cancels", afterPolls: 3 }, thinkNanos: 0 },
            { sql: streamedStatement, behaviour: { kind: "vanishes", afterPolls: 2 }, thinkNanos: 0 },
          ]),
          targetResultSize: "16kB",
        },
        user("u4", [reads(wideStatement), reads(counted, second), reads(few, second)]),
      ],
      faults: [
        { kind: "slow-link", from: "c", to: far, extraNanos: 40 * ms, atNanos: 0, untilNanos: 8 * second },
        { kind: "overload-503", node: far, percent: 100, atNanos: 500 * ms, untilNanos: 1_500 * ms, afterWorkNanos: moment("503", 500) },
        { kind: "crash", node: far, atNanos: 2 * second, untilNanos: 4 * second, afterWorkNanos: moment("crash", 700) },
        { kind: "partition", nodes: [far], atNanos: 6 * second, untilNanos: 7 * second, afterWorkNanos: moment("cut", 700) },
      ],
      healNanos: 12 * second,
      expect: { atLeast: { finished: 6 } },
    };
  },
};
