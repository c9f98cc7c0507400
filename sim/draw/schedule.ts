/**
 * Draws for some runs a schedule of nearly simultaneous messages: priorities of classes of messages, or swapped races.
 */
import type { RunPlan } from "../plan.ts";
import type { PlannedSchedule } from "../world/schedule.ts";
import type { Stream, StreamTree } from "../world/streams.ts";
import { nanosPerMs } from "../world/world.ts";

/** One run in this many has a schedule. */
const scheduledOneIn = 6;
/** Maximum delay by a rank. With more, patient time-outs run out and every run is one of failures. */
const delayNanosMax = 600 * nanosPerMs;

export function drawSchedule(tree: StreamTree): Pick<RunPlan, "schedule"> {
  const stream = tree.stream("schedule");
  const schedule = drawAnySchedule(stream);
  return stream.chance(1, scheduledOneIn, "scheduled") ? { schedule } : {};
}

export function drawAnySchedule(stream: Stream): PlannedSchedule {
  if (stream.chance(1, 3, "races")) {
    return { kind: "races", per1000: stream.pick([50, 200, 500], "swapped"), windowNanos: stream.pick([1, 5, 50], "window") * nanosPerMs };
  }
  const ranks = stream.between(2, 8, "ranks");
  const gapNanos = Math.min(stream.pick([1, 5, 30, 150], "gap") * nanosPerMs, Math.floor(delayNanosMax / ranks));
  const span = stream.pick([50, 400, 1_500], "messages");
  const changePoints = Array.from({ length: stream.nextInt(4, "change points") }, () => stream.between(1, span, "change point"));
  const by = stream.pick(["link", "label", "receiver"] as const, "classes");
  return { kind: "pct", by, ranks, gapNanos, changePoints: [...new Set(changePoints)].sort((a, b) => a - b) };
}
