/**
 * Draws users who submit at the same moment, more than may be planned and started at once: the queues of a coordinator are empty in most
 * runs. Some of them leave while they wait, by a cancel or by a limit, so that what waits behind them must be served as if they had never
 * been there.
 */
import type { Behaviour, PlannedUser, Properties, RunPlan } from "../plan.ts";
import type { Stream, StreamTree } from "../world/streams.ts";
import { nanosPerMs } from "../world/world.ts";

interface DrawnCrowd {
  readonly users: readonly PlannedUser[];
  readonly knobs: NonNullable<RunPlan["knobs"]>;
  readonly properties: Properties;
}

export const noCrowd: DrawnCrowd = { users: [], knobs: {}, properties: {} };

const names = ["q1", "q2", "q3", "q4", "q5", "q6", "q7"] as const;

/** Some take longer than a turn, the others end in it. */
const statements = [
  "SELECT count(*) FROM nation",
  "SELECT regionkey, count(*) FROM nation GROUP BY regionkey",
  "SELECT custkey, count(*), max(clerk) FROM orders GROUP BY custkey",
  "SELECT suppkey, count(*), sum(quantity) FROM lineitem GROUP BY suppkey",
] as const;

/** One run in twelve. */
export function drawCrowd(tree: StreamTree): DrawnCrowd {
  const stream = tree.stream("crowd");
  const startMs = stream.between(300, 1_500, "start");
  const turns = stream.pick([1, 1, 2], "turns");
  const slots = stream.pick(["1000", "1000", "3"], "slots");
  const count = stream.between(4, names.length, "users");
  if (!stream.chance(1, 12, "crowd")) {
    return noCrowd;
  }
  return {
    users: names.slice(0, count).map((name) => drawWaiter(tree.stream(`user/${name}`), name, startMs)),
    knobs: { "starting-queries": turns },
    properties: { "query.max-concurrent-queries": slots },
  };
}

function drawWaiter(stream: Stream, name: string, startMs: number): PlannedUser {
  const limit = stream.pick(["", "", "20ms", "70ms", "150ms"], "limit");
  return {
    name,
    // The first of them come together, the next statements as they may.
    startNanos: (startMs + stream.between(0, 10, "start")) * nanosPerMs,
    ...(limit === "" ? {} : { session: { query_max_run_time: limit } }),
    statements: Array.from({ length: stream.between(1, 3, "statements") }, (_, place) => ({
      sql: stream.pick(statements, "statement"),
      behaviour: drawLeaving(stream),
      thinkNanos: place === 0 ? 0 : stream.pick([0, 0, 30], "think") * nanosPerMs,
    })),
  };
}

function drawLeaving(stream: Stream): Behaviour {
  const afterNanos = stream.pick([1, 40, 90, 400], "cancels after") * nanosPerMs;
  return stream.chance(1, 3, "cancels") ? { kind: "cancels-at", afterNanos } : { kind: "reads-all" };
}
