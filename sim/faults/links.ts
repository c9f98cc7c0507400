/**
 * Links that are slow, and links that hold back messages and deliver them all at once.
 */
import { nanosPerMs } from "../world/world.ts";
import { bothEnds, drawLink, type OneLink, type MachineFault } from "./fault.ts";

export const slowLink: MachineFault<OneLink & { readonly extraNanos: number }> = {
  oneIn: 2,
  draw: (stream, cluster) => ({ ...drawLink(stream, cluster), extraNanos: stream.between(5, 800) * nanosPerMs }),
  describe: ({ from, to, extraNanos }) => `${from}->${to} +${(extraNanos / nanosPerMs).toFixed(0)}ms`,
  places: bothEnds,
  strike: ({ from, to, extraNanos }, { target }) => target.delayLink(from, to, extraNanos),
};

/** Nothing is lost. When the fault ends, everything arrives in one burst, long after the senders timed out and retried. */
export const cloggedLink: MachineFault<OneLink> = {
  oneIn: 3,
  draw: drawLink,
  describe: ({ from, to }) => `${from}->${to}`,
  places: bothEnds,
  strike: ({ from, to }, { network }) => network.clog(from, to),
};
