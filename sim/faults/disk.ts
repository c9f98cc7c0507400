/**
 * Disks that are full, slow or failing, or that return corrupt data.
 */
import type { Stream } from "../world/streams.ts";
import { type DrawnCluster, drawNode, nodeOnly, type OneNode, type MachineFault } from "./fault.ts";

/** Workers spill pages, and the coordinator writes the history and segments of results. */
function drawDisk(stream: Stream, cluster: DrawnCluster): OneNode {
  const worker = drawNode(stream, cluster);
  return stream.chance(1, 4, "of the coordinator") ? { node: "c" } : worker;
}

/** The disk holds at most this many bytes. */
export const fullDisk: MachineFault<OneNode & { readonly bytesMax: number }> = {
  oneIn: 4,
  draw: (stream, cluster) => ({ ...drawDisk(stream, cluster), bytesMax: stream.between(0, 64 * 1024) }),
  describe: ({ node, bytesMax }) => `${node} at ${bytesMax} bytes`,
  places: nodeOnly,
  strike: ({ node, bytesMax }, { target }) =>
    target.afflictDisk(node, (conditions) => ({ ...conditions, bytesMax: Math.min(bytesMax, conditions.bytesMax) })),
};

export const slowDisk: MachineFault<OneNode & { readonly factor: number }> = {
  oneIn: 4,
  draw: (stream, cluster) => ({ ...drawDisk(stream, cluster), factor: stream.pick([10, 200, 5_000]) }),
  describe: ({ node, factor }) => `${node} x${factor}`,
  places: nodeOnly,
  strike: ({ node, factor }, { target }) =>
    target.afflictDisk(node, (conditions) => ({ ...conditions, slowness: Math.max(factor, conditions.slowness) })),
};

export const diskErrors: MachineFault<OneNode & { readonly percent: number }> = {
  oneIn: 4,
  draw: (stream, cluster) => ({ ...drawDisk(stream, cluster), percent: stream.pick([5, 30, 100]) }),
  describe: ({ node, percent }) => `${node} ${percent}% of operations`,
  places: nodeOnly,
  strike: ({ node, percent }, { target }) =>
    target.afflictDisk(node, (conditions) => ({ ...conditions, errorPercent: Math.max(percent, conditions.errorPercent) })),
};

/** A read returns one flipped bit; the bytes on the disk stay unchanged. */
export const corruptReads: MachineFault<OneNode & { readonly percent: number }> = {
  oneIn: 4,
  draw: (stream, cluster) => ({ ...drawDisk(stream, cluster), percent: stream.pick([10, 50, 100]) }),
  describe: ({ node, percent }) => `${node} ${percent}% of reads`,
  places: nodeOnly,
  strike: ({ node, percent }, { target }) =>
    target.afflictDisk(node, (conditions) => ({ ...conditions, corruptPercent: Math.max(percent, conditions.corruptPercent) })),
};
