import type { Fault } from "../../sim/plan.ts";
import { standbyProperties } from "../../sim/properties.ts";
import { calmCluster, fromSeed, ms, reads, type Scenario, second, streamedStatement, user } from "../scenario.ts";
import { steps } from "./coordinator-killed-while-writing.ts";

const kinds = ["coordinator-crash", "pause", "directory-cut"] as const;

/** What happens to the coordinator that is the owner at that time. */
function strikes(seed: string, index: number): Fault {
  const draw = (what: string, bound: number): number => fromSeed(`${seed}/${index}/${what}`, bound);
  const atNanos = (1 + 9 * index) * second + draw("at", 2_000) * ms;
  const times = { atNanos, untilNanos: atNanos + (1_500 + draw("lasts", 6_000)) * ms, afterWorkEvents: draw("events", 200), node: "c" };
  const kind = kinds[draw("kind", kinds.length)] ?? "pause";
  return kind === "coordinator-crash" ? { kind, ...times, disk: "kept" } : { kind, ...times };
}

/** Speeds of clocks, in millionths: the lease allows for them. */
function drift(seed: string): number {
  return ([-200_000, 0, 200_000] as const)[fromSeed(seed, 3)] ?? 0;
}

export const standby: Scenario = {
  name: "standby",
  story:
    "Two coordinators on two machines share the directory of what they keep, and an address. The one that is active is killed, stopped for a while, or cut off from the directory, twice; the other one takes over when it has not seen a renewal of the lease for two seconds. Users read, and create, fill, replace and drop tables in memory: each gets its rows once, and each statement has its effect once, whatever the former owner does when it comes back.",
  plan: (seed) =>
    calmCluster(seed, {
      coordinator: { name: "c", clockOffsetMs: fromSeed(`${seed}o1`, 60_000) - 30_000, clockDriftPpm: drift(`${seed}d1`) },
      standby: { clockOffsetMs: fromSeed(`${seed}o2`, 60_000) - 30_000, clockDriftPpm: drift(`${seed}d2`) },
      properties: {
        ...standbyProperties,
        "sink.max-buffer-size": "16kB",
        "exchange.max-buffer-size": "16kB",
      },
      knobs: { "page-rows": 1_000, "frame-rows": 64 },
      points: { "memory-catalog-synced-late": 500, "memory-catalog-answers-late": 900 },
      users: [
        user("u1", steps("memory.default.u1"), second),
        user("u2", steps("memory.default.u2"), 4 * second + fromSeed(`${seed}u2`, 6_000) * ms),
        {
          ...user("u4", [{ sql: streamedStatement, behaviour: { kind: "slow", pauseNanos: 60 * ms }, thinkNanos: 0 }], second),
          targetResultSize: "32kB",
        },
        user(
          "u5",
          // A submission with POST whose connection is reset is not sent again.
          Array.from({ length: 24 }, () => ({ ...reads("SELECT count(*) FROM nation", 400 * ms), behaviour: { kind: "retries" } })),
          second,
        ),
      ],
      faults: [0, 1].map((index) => strikes(seed, index)),
      healNanos: 22 * second,
      expect: { atLeast: { finished: 45 }, atMost: { failed: 0, unanswered: 0 } },
    }),
};
