/**
 * Draws a user whose transaction was aborted before the coordinator dies, and who goes on with it in the coordinator's next life. By chance
 * a transaction, its failure, a restart and another statement of it rarely come together in this order.
 */
import type { Fault, PlannedUser } from "../plan.ts";
import { drawAbortedTransaction, sessionStatement } from "../workload/sessions.ts";
import type { StreamTree } from "../world/streams.ts";
import { nanosPerMs } from "../world/world.ts";

/** Half of the runs in which the coordinator dies have such a user. */
export function drawAborted(tree: StreamTree, faults: readonly Fault[]): readonly PlannedUser[] {
  const stream = tree.stream("aborted transactions");
  const beforeMs = stream.between(200, 900, "before the crash");
  const isDrawn = stream.chance(1, 2, "aborted");
  const crash = faults.find(({ kind }) => kind === "coordinator-crash");
  if (crash === undefined || !isDrawn) {
    return [];
  }
  const statements = drawAbortedTransaction(stream).map((sessionStep, place) => ({
    sql: sessionStatement(sessionStep),
    behaviour: { kind: "reads-all" as const },
    thinkNanos: place < 2 ? 0 : stream.between(0, 400) * nanosPerMs,
    sessionStep,
  }));
  return [{ name: "a1", startNanos: Math.max(250 * nanosPerMs, crash.atNanos - beforeMs * nanosPerMs), statements }];
}
