/**
 * Expectations of a scenario. A run with too small a counter proves nothing; one with too large a counter is wrong.
 */
import type { Expectations } from "../../plan.ts";
import type { Verdict } from "../violation.ts";

const oracle = "expectations";

/** `counters` are read by name; a missing counter is 0. */
export function checkExpectations(expect: Expectations, counters: Readonly<Record<string, number>>, verdict: Verdict): void {
  for (const [name, least] of Object.entries(expect.atLeast ?? {})) {
    const found = counters[name] ?? 0;
    if (found >= least) {
      verdict.held(oracle);
    } else {
      verdict.violate("vacuous", oracle, `the story needs at least ${least} of '${name}'; there were ${found}`);
    }
  }
  for (const [name, most] of Object.entries(expect.atMost ?? {})) {
    const found = counters[name] ?? 0;
    if (found <= most) {
      verdict.held(oracle);
    } else {
      verdict.violate("safety", oracle, `the story allows at most ${most} of '${name}'; there were ${found}`);
    }
  }
}
