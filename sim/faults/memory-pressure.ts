/**
 * Another process on the machine takes memory; queries of the node have that much less.
 */
import { drawNode, type FaultDefinition, nodeOnly, type OneNode } from "./fault.ts";

const megabyte = 1024 * 1024;

export const memoryPressure: FaultDefinition<OneNode & { readonly bytes: number }> = {
  oneIn: 4,
  draw: (stream, cluster) => ({ ...drawNode(stream, cluster), bytes: stream.pick([32, 56, 62, 64]) * megabyte }),
  describe: ({ node, bytes }) => `${node} ${bytes / megabyte}MB`,
  places: nodeOnly,
  strike: ({ node, bytes }, { target }) => target.takeMemory(node, bytes),
};
