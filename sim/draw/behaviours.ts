/**
 * Draws how users treat the service. Most users read the whole result; the others behave like clients that break, hurry or are badly
 * written.
 */
import type { Stream } from "../world/streams.ts";
import { nanosPerMs } from "../world/world.ts";
import type { Behaviour } from "../plan.ts";

type Kind = Behaviour["kind"];

/** Relative weights. */
const weights: Readonly<Record<Exclude<Kind, "closes">, number>> = {
  "reads-all": 13,
  slow: 3,
  cancels: 2,
  "cancels-at": 2,
  "ends-stages": 2,
  "cancels-twice": 1,
  "cancels-then-asks": 1,
  "never-reads": 1,
  "retries-late": 1,
  "polls-two": 1,
  vanishes: 2,
  "asks-twice": 3,
  retries: 3,
};
const lots: readonly Kind[] = (Object.keys(weights) as (keyof typeof weights)[]).flatMap((kind) =>
  Array.from({ length: weights[kind] }, () => kind),
);

export function drawBehaviour(stream: Stream): Behaviour {
  const kind = stream.pick(lots, "behaviour");
  switch (kind) {
    case "slow":
      return { kind, pauseNanos: stream.between(100, 2_000) * nanosPerMs };
    case "cancels":
    case "cancels-twice":
    case "cancels-then-asks":
      return { kind, afterPolls: stream.nextInt(4) };
    case "cancels-at":
      return { kind, afterNanos: stream.between(0, stream.pick([2, 30, 1_500])) * nanosPerMs };
    case "ends-stages":
      return { kind, afterNanos: stream.between(0, stream.pick([2, 30, 400])) * nanosPerMs, times: stream.between(1, 3) };
    case "never-reads":
      return { kind, pauseNanos: stream.pick([2, 14, 20, 60]) * 1_000 * nanosPerMs };
    case "retries-late":
      return { kind, pauseNanos: stream.between(50, 3_000) * nanosPerMs };
    case "vanishes":
      return { kind, afterPolls: stream.nextInt(3) };
    default:
      return { kind };
  }
}

/** Replaces behaviours that abandon a write or end a part of it, because the content of the table would be unknown afterwards. */
export function patiently(behaviour: Behaviour): Behaviour {
  return ["vanishes", "never-reads", "polls-two", "ends-stages"].includes(behaviour.kind) ? { kind: "reads-all" } : behaviour;
}
