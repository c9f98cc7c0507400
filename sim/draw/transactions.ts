/**
 * Draws users of transactions. One has a transaction that was aborted before the coordinator dies, and goes on with it in the coordinator's
 * next life: by chance a transaction, its failure, a restart and another statement of it rarely come together in this order. Another one
 * has pauses in a transaction that are shorter or longer than its time-out, and closes statements that have ended.
 */
import type { Behaviour, Fault, PlannedUser, Properties } from "../plan.ts";
import { drawAbortedTransaction, drawIdleTransactions, sessionStatement } from "../workload/sessions.ts";
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

/** One run in twelve. */
export function drawIdle(tree: StreamTree): { readonly users: readonly PlannedUser[]; readonly properties?: Properties } {
  const stream = tree.stream("idle transactions");
  const timeoutMs = stream.pick([800, 2_000], "idle time-out");
  const startNanos = stream.between(300, 900, "start") * nanosPerMs;
  if (!stream.chance(1, 12, "idle transactions")) {
    return { users: [] };
  }
  const behaviours: readonly Behaviour[] = [{ kind: "reads-all" }, { kind: "closes" }, { kind: "slow", pauseNanos: 150 * nanosPerMs }];
  const statements = drawIdleTransactions(stream).map((sessionStep) => ({
    sql: sessionStatement(sessionStep),
    behaviour: stream.pick(behaviours, "behaviour"),
    thinkNanos: Math.round(stream.pick([0, 0.05, 0.4, 1.7], "pause") * timeoutMs * nanosPerMs),
    sessionStep,
  }));
  return {
    properties: { "transaction.idle-timeout": `${timeoutMs}ms` },
    users: [{ name: "t1", targetResultSize: "8kB", startNanos, statements }],
  };
}
