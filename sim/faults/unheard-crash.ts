/**
 * A node executes a request and crashes before it responds. The client must retry, and reaches a new incarnation that knows nothing of the
 * request.
 */
import { nanosPerMs } from "../world/world.ts";
import { drawNode, type FaultDefinition, type FaultStage, nodeOnly, type OneNode } from "./fault.ts";
import type { Undo } from "../world/afflicted.ts";

/** Labels of messages. Requests that end things come first, because they are sent once. */
const labels = ["exchange-close", "exchange-close", "task-delete", "task-update", "exchange-fetch", "task-status"] as const;

interface UnheardCrash extends OneNode {
  readonly label: string;
  /** Time from the withheld response to the crash. */
  readonly aliveNanos: number;
  /** Time from the crash to the next incarnation. */
  readonly downNanos: number;
}

export const unheardCrash: FaultDefinition<UnheardCrash> = {
  oneIn: 5,
  countMax: 1,
  lastsMs: [500, 5_000],
  draw: (stream, cluster) => ({
    ...drawNode(stream, cluster),
    label: stream.pick(labels, "label"),
    aliveNanos: stream.between(1, 40) * nanosPerMs,
    downNanos: stream.between(20, 400) * nanosPerMs,
  }),
  describe: ({ node, label, aliveNanos, downNanos }) =>
    `${node} ${aliveNanos / nanosPerMs}ms after a ${label}, back after ${downNanos / nanosPerMs}ms`,
  places: nodeOnly,
  strike: (fault, stage) => dieUnheard(fault, stage),
};

function dieUnheard({ node, label, aliveNanos, downNanos }: UnheardCrash, { network, target, world }: FaultStage): Undo {
  let over = false;
  let isDown = false;
  const comeBack = (): void => {
    if (isDown) {
      isDown = false;
      target.restart(node);
    }
  };
  const die = (): void => {
    // A connection without a response ends only with the node's incarnation, so the node crashes even if the fault is over.
    target.crash(node, "kept");
    isDown = true;
    world.at(world.nowNanos + (over ? 0 : downNanos), "restart", comeBack);
  };
  const undo = network.withhold(node, label, () => world.at(world.nowNanos + aliveNanos, "crash", die));
  return () => {
    over = true;
    undo();
    comeBack();
  };
}
