/**
 * Clock faults: wall clocks that jump, and clocks with drift. No result, token or duration may depend on them.
 */
import { type DrawnCluster, nodeOnly, nothingToHeal, type OneNode, type MachineFault } from "./fault.ts";
import type { Stream } from "../world/streams.ts";

function anyNode(stream: Stream, { workers }: DrawnCluster): OneNode {
  return { node: stream.pick(["c", stream.pick(workers)]) };
}

const signed = (value: number, unit: string): string => `${value > 0 ? "+" : ""}${value}${unit}`;

/** The wall clock jumps and stays there. Nothing may depend on it, so many of these faults in a run are harmless. */
export const clockStep: MachineFault<OneNode & { readonly byMs: number }> = {
  oneIn: 2,
  countMax: 12,
  draw: (stream, cluster) => ({ ...anyNode(stream, cluster), byMs: stream.between(-3_600_000, 3_600_000) }),
  describe: ({ node, byMs }) => `${node} ${signed(byMs, "ms")}`,
  places: nodeOnly,
  strike: ({ node, byMs }, { target }) => {
    target.stepClock(node, byMs);
    return nothingToHeal;
  },
};

/** The oscillator itself drifts, which also affects timers and durations. */
export const clockDrift: MachineFault<OneNode & { readonly byPpm: number }> = {
  oneIn: 4,
  draw: (stream, cluster) => ({ ...anyNode(stream, cluster), byPpm: stream.pick([1, -1]) * stream.pick([500, 20_000, 200_000]) }),
  describe: ({ node, byPpm }) => `${node} ${signed(byPpm, "ppm")}`,
  places: nodeOnly,
  strike: ({ node, byPpm }, { target }) => target.driftClock(node, byPpm),
};
