/**
 * Statements with window functions over frames that reach beyond a page: partitions of many rows, and offsets of up to a few pages, before
 * and behind the row. Their orders have no ties, so that the rows are defined.
 */
import type { PlannedUser } from "../plan.ts";
import type { Stream } from "../world/streams.ts";
import { nanosPerMs } from "../world/world.ts";

const functions = [
  "sum(custkey)",
  "count(*)",
  "min(totalprice)",
  "max(clerk)",
  "first_value(orderkey)",
  "last_value(custkey)",
  "nth_value(orderkey, 3)",
] as const;
const partitions = ["", "PARTITION BY orderstatus ", "PARTITION BY custkey % 7 "] as const;

/** Half of the offsets are small, the others larger than the pages of runs with small pages. */
function drawOffset(stream: Stream): number {
  return stream.chance(1, 2, "small offset") ? stream.between(0, 4, "offset") : stream.between(20, 130, "large offset");
}

function drawFrame(stream: Stream): string {
  // Keys of orders have gaps, so that a range has fewer rows than its offset.
  const unit = stream.pick(["ROWS", "ROWS", "GROUPS", "RANGE"] as const, "unit");
  const [near, far] = [drawOffset(stream), drawOffset(stream)].sort((a, b) => a - b) as [number, number];
  const end = stream.pick(["CURRENT ROW", `${near} PRECEDING`, `${near} FOLLOWING`, "UNBOUNDED FOLLOWING"] as const, "end");
  const isBehind = stream.chance(1, 5, "behind the row");
  return isBehind ? `${unit} BETWEEN ${near} FOLLOWING AND ${far} FOLLOWING` : `${unit} BETWEEN ${far} PRECEDING AND ${end}`;
}

/** A user of such statements. */
export function drawFramedUser(stream: Stream, name: string): PlannedUser {
  const statements = Array.from({ length: stream.between(2, 3, "statements") }, () => {
    const columns = Array.from({ length: 2 }, () => {
      const direction = stream.pick(["", " DESC"] as const, "direction");
      const window = `${stream.pick(partitions, "partition")}ORDER BY orderkey${direction} ${drawFrame(stream)}`;
      return `${stream.pick(functions, "function")} OVER (${window})`;
    });
    return {
      sql: `SELECT orderkey, ${columns.join(", ")} FROM orders WHERE orderkey < 3000`,
      behaviour: { kind: "reads-all" as const },
      thinkNanos: stream.between(0, 300) * nanosPerMs,
    };
  });
  return { name, startNanos: stream.between(250, 1_500, "start") * nanosPerMs, session: {}, statements };
}
