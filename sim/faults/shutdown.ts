/**
 * Graceful shutdown of a worker: it finishes its tasks, leaves, and returns when the fault heals.
 */
import { drawNode, type FaultDefinition, nodeOnly, type OneNode } from "./fault.ts";

export const shutdown: FaultDefinition<OneNode> = {
  oneIn: 2,
  draw: drawNode,
  describe: ({ node }) => node,
  places: nodeOnly,
  strike: ({ node, untilNanos }, { target }) => {
    target.drain(node, untilNanos);
    return () => target.restart(node);
  },
};
