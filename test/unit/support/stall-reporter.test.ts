import { describe, expect, test } from "vitest";
import type { TestCase, TestModule } from "vitest/node";
import { StallReporter } from "../../support/programs/stall-reporter.ts";

const slow = { relativeModuleId: "test/slow.test.ts" } as TestModule;
const done = { relativeModuleId: "test/done.test.ts" } as TestModule;
const testOf = (module: TestModule, fullName: string) => ({ module, fullName }) as TestCase;

function reporterAt(clock: { nowMs: number }): { readonly reporter: StallReporter; readonly stalls: string[] } {
  const stalls: string[] = [];
  const reporter = new StallReporter({ silenceMsMax: 60_000, now: () => clock.nowMs, onStall: (message) => stalls.push(message) });
  return { reporter, stalls };
}

describe("the reporter of stalled runs", () => {
  test("names the files and tests that have begun and not ended", () => {
    const clock = { nowMs: 0 };
    const { reporter, stalls } = reporterAt(clock);
    reporter.onTestModuleStart(slow);
    reporter.onTestModuleStart(done);
    reporter.onTestCaseReady(testOf(slow, "first"));
    reporter.onTestCaseResult(testOf(slow, "first"));
    reporter.onTestCaseReady(testOf(slow, "loops for ever"));
    reporter.onTestModuleEnd(done);
    clock.nowMs = 120_000;
    reporter.check();
    expect(stalls).toEqual(["FAILED: no test has begun or ended for 2 minutes. Unfinished:\n  test/slow.test.ts: loops for ever\n"]);
  });

  test("says nothing while something happens", () => {
    const clock = { nowMs: 0 };
    const { reporter, stalls } = reporterAt(clock);
    reporter.onTestModuleStart(slow);
    for (const name of ["a", "b", "c"]) {
      clock.nowMs += 59_000;
      reporter.check();
      reporter.onTestCaseReady(testOf(slow, name));
    }
    expect(stalls).toEqual([]);
  });
});
