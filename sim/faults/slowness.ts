/**
 * A paused node and a slow node.
 */
import { forGood } from "../world/machine.ts";
import { drawNode, nodeOnly, nothingToHeal, type OneNode, type MachineFault } from "./fault.ts";

/**
 * Frozen as by a stopped process or a long garbage collection: the port still accepts requests, and the node continues where it stopped.
 */
export const pause: MachineFault<OneNode> = {
  oneIn: 2,
  draw: drawNode,
  describe: ({ node }) => node,
  places: nodeOnly,
  strike: ({ node, untilNanos, permanent }, { target }) => {
    target.pause(node, permanent === true ? forGood : untilNanos);
    return nothingToHeal;
  },
};

export const slowNode: MachineFault<OneNode & { readonly factor: number }> = {
  oneIn: 2,
  draw: (stream, cluster) => ({ ...drawNode(stream, cluster), factor: stream.between(2, 60) }),
  describe: ({ node, factor }) => `${node} x${factor}`,
  places: nodeOnly,
  strike: ({ node, factor }, { target }) => target.slowDown(node, factor),
};
