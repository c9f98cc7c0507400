/** What a run and a sweep print: five lines, the verdict first. */
import { describe, expect, it } from "vitest";
import { calmCluster, reads, user } from "../../../scenarios/scenario.ts";
import { runPlan } from "../../../sim/run.ts";
import { paintFor } from "../../../sim/terminal/paint.ts";
import { summarizeRun, summarizeSweep, sweepVerdict } from "../../../sim/terminal/summary.ts";

const subject = { kind: "seed", seed: "7" } as const;

describe("a run", () => {
  it("is told in five lines, the verdict first and the token last", async () => {
    const result = await runPlan(
      calmCluster("7", { users: [user("u1", [reads("SELECT count(*) FROM nation"), reads("SELECT 1 / 0")])] }),
      {},
    );
    const lines = summarizeRun({ subject, result, token: "sim:v2:x:7:y" });
    expect(lines).toHaveLength(5);
    // The operator's probe is the third statement.
    expect(lines[0]).toMatch(/^PASS {4}seed 7: every invariant held in [\d,]+ checks$/);
    expect(lines[1]).toMatch(/^ran {5}3 statements on 3 workers: 2 finished, 1 failed with a declared error; 4 rows, /);
    expect(lines[2]).toBe("faults  none struck; messages: none affected");
    expect(lines[3]).toContain("npm run sim -- view 7");
    expect(lines[4]).toBe(`token   sim:v2:x:7:y  fingerprint ${result.fingerprint}`);
  });

  it("that fails says what was violated, and what finds the cause", async () => {
    const result = await runPlan(
      calmCluster("7", { users: [user("u1", [reads("SELECT 1")])], expect: { atLeast: { "query FAILED": 1 } } }),
      {},
    );
    const lines = summarizeRun({ subject: { kind: "scenario", name: "worker-crash", seed: "7" }, result, token: "t" });
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^FAIL {4}worker-crash, seed 7: \S+ at \d+\.\d{3} s \[\S+\] /);
    expect(lines[3]).toContain("npm run sim -- shrink --scenario worker-crash --seed 7");
  });
});

describe("a sweep", () => {
  const summary = {
    from: 1,
    to: 10,
    count: 8,
    failed: 2,
    firstFailed: "3",
    sums: {
      statements: 20,
      finished: 18,
      "error SYNTAX_ERROR": 2,
      "checked answers": 40,
      "struck crash": 3,
      "landed crash": 1,
      "point x": 5,
      simulatedMs: 9_000,
    },
    realMs: 4_000,
    jobs: 2,
    fingerprint: "a-b",
  };

  it("says how many seeds failed, and which to shrink", () => {
    expect(sweepVerdict(summary)).toBe("FAIL    2 of 8 seeds, stopped before the other 2");
    expect(summarizeSweep(summary)).toEqual([
      "ran     20 statements: 18 finished, 2 failed with a declared error; 0 rows, 0 tasks, 0 pages; 9 s simulated in 4.0 s; 120 seeds a minute on 2 processes",
      "faults  3 struck of 1 kind, 1 on work in flight; 5 fault points fired",
      "next    npm run sim -- shrink 3 finds the smallest run that fails; --seed 3 repeats it",
      "hash    fingerprint a-b",
    ]);
    expect(sweepVerdict({ ...summary, failed: 0, count: 10 })).toBe("PASS    10 seeds: every invariant held in 40 checks");
  });

  it("has colours on a terminal alone", () => {
    expect(sweepVerdict({ ...summary, paint: paintFor(true, {}) })).toBe(
      "\u001b[1;31mFAIL   \u001b[0m 2 of 8 seeds, stopped before the other 2",
    );
    for (const paint of [paintFor(false, {}), paintFor(true, { NO_COLOR: "1" }), paintFor(true, { TERM: "dumb" })]) {
      expect(sweepVerdict({ ...summary, paint })).toBe(sweepVerdict(summary));
    }
  });
});
