/**
 * Links that drop all messages: all links of a node, one direction of one link, or a link that goes on and off.
 */
import type { Undo } from "../world/afflicted.ts";
import { nanosPerMs } from "../world/world.ts";
import { bothEnds, drawLink, drawNode, type FaultStage, type MachineTarget, type OneLink, type MachineFault } from "./fault.ts";

export const partition: MachineFault<{ readonly nodes: readonly string[] }> = {
  oneIn: 2,
  draw: (stream, cluster) => ({ nodes: [drawNode(stream, cluster).node] }),
  describe: ({ nodes }) => `{${nodes.join(",")}}`,
  places: ({ nodes }) => nodes,
  strike: ({ nodes }, { network, target }) => {
    const links = nodes.flatMap((inside) =>
      target.names
        .filter((name) => !nodes.includes(name))
        .flatMap((outside) => [network.cut(inside, outside), network.cut(outside, inside)]),
    );
    return () => links.forEach((undo) => undo());
  },
};

export const oneWayPartition: MachineFault<OneLink> = {
  oneIn: 2,
  draw: drawLink,
  describe: ({ from, to }) => `${from}->${to}`,
  places: bothEnds,
  strike: ({ from, to }, { network }) => network.cut(from, to),
};

interface Flapping extends OneLink {
  readonly bothWays: boolean;
  readonly downNanos: number;
  readonly upNanos: number;
}

/** A loose cable: outages are too short for some time-outs and long enough for others. */
export const flappingPartition: MachineFault<Flapping> = {
  oneIn: 4,
  draw: (stream, cluster) => ({
    ...drawLink(stream, cluster),
    bothWays: stream.chance(1, 2),
    downNanos: stream.between(20, 1_500) * nanosPerMs,
    upNanos: stream.between(20, 1_500) * nanosPerMs,
  }),
  describe: ({ from, to, bothWays, downNanos, upNanos }) =>
    `${from}${bothWays ? "<->" : "->"}${to} ${downNanos / nanosPerMs}ms down, ${upNanos / nanosPerMs}ms up`,
  places: bothEnds,
  strike: (fault, stage) => flap(fault, stage),
};

function flap({ from, to, bothWays, downNanos, upNanos }: Flapping, { network, world }: FaultStage<MachineTarget>): Undo {
  let over = false;
  let up: Undo | undefined;
  const goDown = (): void => {
    if (over) {
      return;
    }
    const cuts = [network.cut(from, to), ...(bothWays ? [network.cut(to, from)] : [])];
    const undo = (): void => cuts.forEach((heal) => heal());
    up = undo;
    world.at(world.nowNanos + downNanos, "flap up", () => {
      undo();
      world.at(world.nowNanos + upNanos, "flap down", goDown);
    });
  };
  goDown();
  return () => {
    over = true;
    up?.();
  };
}
