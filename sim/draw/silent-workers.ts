/**
 * Draws workers that stand still while users write: tasks that write wait for them, others run elsewhere. By chance a write of a few
 * milliseconds and a silence of seconds on the same worker rarely meet.
 */
import type { Fault, PlannedUser, Properties } from "../plan.ts";
import type { Stream, StreamTree } from "../world/streams.ts";
import { nanosPerMs } from "../world/world.ts";
import { tableStatement } from "../workload/user-tables.ts";
import { drawTableStep } from "../workload/workload.ts";

interface SilentWorkers {
  readonly users: readonly PlannedUser[];
  readonly faults: readonly Fault[];
  readonly properties: Properties;
}

export const noneSilent: SilentWorkers = { users: [], faults: [], properties: {} };

interface Circumstances {
  readonly bank: StreamTree;
  readonly healNanos: number;
  /** Workers that heal. */
  readonly workers: readonly string[];
}

/** Different steps of the bank. */
const stepsOfBank = 60;

/** One run in sixteen with several workers: one that is alone is waited for. */
export function drawSilentWorkers(tree: StreamTree, { bank, healNanos, workers }: Circumstances): SilentWorkers {
  const stream = tree.stream("silent workers");
  const startMs = stream.between(300, 900, "start");
  if (!stream.chance(1, 16, "silent workers") || workers.length < 2) {
    return noneSilent;
  }
  const users = ["k1", "k2"].map((name) => drawWriter(tree.stream(`user/${name}`), { bank, name, startMs }));
  const lastsNanos = stream.between(2_500, 6_000, "lasts") * nanosPerMs;
  const silent: Fault = {
    kind: "pause",
    node: stream.pick(workers, "worker"),
    atNanos: startMs * nanosPerMs,
    untilNanos: Math.min(healNanos, startMs * nanosPerMs + lastsNanos),
    afterWorkEvents: stream.between(1, stream.pick([10, 60], "events after work")),
  };
  return {
    users,
    faults: [silent],
    properties: {
      "retry-policy": "TASK",
      "task-retry-unresponsive-timeout": "1s",
      // The silence is longer than some heartbeats.
      "failure-detector.heartbeat-interval": "500ms",
      "task.client.timeout": stream.pick(["10s", "20s"], "client time-out"),
    },
  };
}

/** Writes one table after the other statement without pause. */
function drawWriter(stream: Stream, { bank, name, startMs }: { bank: StreamTree; name: string; startMs: number }): PlannedUser {
  return {
    name,
    startNanos: (startMs + stream.between(0, 100, "start")) * nanosPerMs,
    statements: Array.from({ length: stream.between(3, 5, "statements") }, (_, place) => {
      const number = stream.nextInt(stepsOfBank, "step of the bank");
      const step = drawTableStep(bank.child(`step/${number}`).stream("text"), `memory.default.t_${name}`, place);
      return { sql: tableStatement(step), behaviour: { kind: "reads-all" as const }, thinkNanos: 0, step };
    }),
  };
}
