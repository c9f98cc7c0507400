/** The simulated transport against the real one: what is known to differ differs, and nothing else does. */
import { expect, it } from "vitest";
import { compare, isAlike } from "../../../sim/gap/gap.ts";

/** Each is told with its meaning by `npm run sim -- gap` and in docs/simulation.md. */
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
  // Real time passes only where a sender's time is up; the rest is as fast as the machine.
}, 600_000);
