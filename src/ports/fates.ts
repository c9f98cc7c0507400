/**
 * What can happen to a message between two nodes, or between a client and a node. The simulator draws these fates; the rules of
 * `orrery/testing` name them.
 */

/** Every fate, with its effect. */
export const messageFates = {
  lost: "The message never arrives, and neither side is notified.",
  reset: "The connection is reset before the message arrives.",
  "reset-delivered": "The connection is reset, but the request arrived.",
  duplicated: "The request arrives twice.",
  delayed: "The message arrives later than the link's latency.",
  overtaken: "The message waits until one that was sent after it has arrived, which reverses their order.",
  "never-answered":
    "The connection is accepted and stays silent. The node never sees the request; only a time-out or the end of the node's incarnation ends the wait.",
  truncated: "The connection ends in the middle of the response body. The request was executed.",
} as const;

export type FateKind = keyof typeof messageFates;

/** The two messages of an exchange. */
export type Leg = "request" | "answer";
