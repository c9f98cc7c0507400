/**
 * Faults of a node's port that do not involve the node: it accepts connections and never responds, or rejects requests.
 */
import { encodeUtf8 } from "../../src/types/utf8.ts";
import { drawNode, type FaultDefinition, nodeOnly, type OneNode, type MachineFault } from "./fault.ts";

/** Connections are accepted and stay silent, so no refusal shows that the node is gone. */
export const neverAnswers: MachineFault<OneNode> = {
  oneIn: 4,
  draw: drawNode,
  describe: ({ node }) => node,
  places: nodeOnly,
  strike: ({ node }, { network }) => network.mute(node),
};

/**
 * Paths that a node answers even under pressure, so that monitors see that it is alive. The same paths as in
 * src/server/transport/network.ts.
 */
export const alwaysAnswered = /^\/(livez|readyz|v1\/status|v1\/info)(\/|\?|$)/;

interface Overload extends OneNode {
  /** Percentage of requests that are rejected. */
  readonly percent: number;
}

/** 503 with Retry-After before the node's code runs: for most requests, or for a few. */
export const overload503: FaultDefinition<Overload> = {
  oneIn: 4,
  draw: (stream, cluster) => ({
    node: stream.chance(1, 3) ? "c" : drawNode(stream, cluster).node,
    percent: stream.pick([20, 100, 100, 100]),
  }),
  describe: ({ node, percent }) => `${node} ${percent}% of requests`,
  places: nodeOnly,
  strike: ({ node, percent }, { network, world }) => {
    const stream = world.streams.stream(`faults/overload-503/${node}`);
    return network.gate(node, (request) =>
      alwaysAnswered.test(request.url) || !stream.chance(percent, 100)
        ? undefined
        : {
            status: 503,
            headers: { "retry-after": "1", "content-type": "text/plain" },
            body: encodeUtf8("Server is overloaded, try again"),
          },
    );
  },
};
