/**
 * The simulated transport against the real one: only the known differences exist.
 */
import { expect, it } from "vitest";
import { compare, isAlike } from "../../../sim/gap/gap.ts";

/** Each is told with its meaning by `npm run sim -- gap` and in docs/simulator.md. */
const knownGaps = [
  "headers that the transport adds to a request",
  "headers that the transport adds to a response",
  "a response that is not HTTP",
  "a handler that rejects",
];

it("differs from real sockets only where it is known to", async () => {
  const comparisons = await compare();
  expect(comparisons.length).toBeGreaterThan(30);
  expect(comparisons.filter((one) => !isAlike(one)).map(({ situation }) => situation.name)).toEqual(knownGaps);
  // Real time passes only until a sender's timeout; everything else runs at full speed.
}, 600_000);
