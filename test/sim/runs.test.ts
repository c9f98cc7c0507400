/**
 * A run is determined by its plan: the same seed gives the same events, alone or after others, and a recorded run differs from a changed
 * one.
 */
import { describe, expect, it } from "vitest";
import { calmCluster, ms, reads, second, user } from "../../scenarios/scenario.ts";
import { drawRun } from "../../sim/draw/draw.ts";
import type { RunPlan } from "../../sim/plan.ts";
import { checkExpectations } from "../../sim/checkers/results/expectations.ts";
import { type FailureKind, exitCodes } from "../../sim/checkers/violation.ts";
import { exitCodeOf, type RunResult } from "../../sim/result.ts";
import { runPlan } from "../../sim/run.ts";
import { SharedState } from "../../sim/shared.ts";
import type { Sabotage } from "../../sim/world/network.ts";
import { decodeUtf8, encodeUtf8 } from "../../src/types/utf8.ts";
import { entryLine, firstDifference, headerLine, parseTrace } from "../../sim/trace/trace.ts";

async function record(plan: RunPlan, shared?: SharedState): Promise<{ readonly lines: readonly string[]; readonly result: RunResult }> {
  const lines: string[] = [];
  const trace = { trace: (entry: Parameters<typeof entryLine>[0]) => lines.push(entryLine(entry)) };
  const result = await runPlan(plan, shared === undefined ? trace : { ...trace, shared });
  return { lines, result };
}

function traceText({ lines, result }: Awaited<ReturnType<typeof record>>): string {
  const footer = JSON.stringify({ fingerprint: result.fingerprint, events: result.events });
  return `${[headerLine(result.plan), ...lines, footer].join("\n")}\n`;
}

describe("runs", () => {
  it("are the same to the byte, alone and in a process that has run others", async () => {
    const shared = new SharedState();
    for (const seed of ["3"]) {
      const alone = await record(drawRun(seed));
      await record(drawRun("5"), shared);
      const after = await record(drawRun(seed), shared);
      expect(firstDifference(alone.lines, after.lines)).toBeUndefined();
      expect(after.result.fingerprint).toBe(alone.result.fingerprint);
    }
  });

  it("may tell who submits a statement once more that it has ended and was forgotten, and only then", async () => {
    const wrong = "SELECT nothing FROM nation";
    const again = (others: number): Promise<RunResult> =>
      runPlan(
        calmCluster("1", {
          properties: { "query.max-history": "2" },
          users: [
            user("u0", [{ ...reads(wrong), behaviour: { kind: "retries" } }], 3 * second),
            ...Array.from({ length: others }, (_, index) => user(`u${index + 1}`, [reads(wrong)], 3 * second + 100 * ms)),
            user("last", [reads("SELECT count(*) FROM nation")], 4 * second),
          ],
        }),
        {},
      );
    for (const others of [0, 12]) {
      const { violations, checks, requestsByLabel } = await again(others);
      expect(violations).toEqual([]);
      expect(checks["probes"]).toBe(2);
      expect(requestsByLabel["statement-submit-again"]).toBe(2);
    }
  });

  it("stop at the violation that they look for, and do nothing after it", async () => {
    const losesRows: Sabotage = (handler) => async (request, context) => {
      const response = await handler(request, context);
      const body = encodeUtf8(
        decodeUtf8(response.body).replace(/"data":\[\[.*?\](,|\])/, (rows) => (rows.endsWith(",") ? '"data":[' : '"data":[]')),
      );
      const isChanged = request.url.startsWith("/v1/statement/") && response.status === 200 && request.method === "GET";
      return isChanged ? { ...response, headers: { ...response.headers, "content-length": String(body.length) }, body } : response;
    };
    const statements = [reads("SELECT name FROM nation"), reads("SELECT name FROM region")];
    const plan = { ...calmCluster("1", { users: [user("u1", statements)] }), twinWorkers: 3 };
    const whole = await runPlan(plan, { sabotage: losesRows });
    const stopped = await runPlan(plan, { sabotage: losesRows, stopAt: ({ oracle }) => oracle === "results" });
    expect(stopped.violations.at(-1)?.oracle).toBe("results");
    expect(stopped.violations).toEqual(whole.violations.slice(0, stopped.violations.length));
    expect(whole.violations.length).toBeGreaterThan(stopped.violations.length);
    expect(stopped.events).toBeLessThan(whole.events / 2);
  });

  it("are drawn from nothing but the seed", () => {
    expect(drawRun("42")).toEqual(drawRun("42"));
    expect(drawRun("42")).not.toEqual(drawRun("43"));
  });

  it("survive a trip through a trace, plan and all", async () => {
    const recorded = await record(drawRun("7"));
    const parsed = parseTrace(traceText(recorded));
    expect(parsed.plan).toEqual(drawRun("7"));
    const replayed = await record(parsed.plan);
    expect(firstDifference(parsed.entries, replayed.lines)).toBeUndefined();
    expect(replayed.result.fingerprint).toBe(parsed.footer.fingerprint);
  });

  it("refuse to pass without useful work", async () => {
    const plan = calmCluster("1", {
      users: [user("u1", [reads("SELECT nosuchcolumn FROM nation")])],
      properties: { "query.max-memory-per-node": "1kB" },
    });
    const { violations } = (await record(plan)).result;
    expect(violations.map(({ kind }) => kind)).toContain("vacuous");
  });
});

describe("traces", () => {
  const text = `${headerLine(drawRun("1"))}\n[1,0,0,"c","start","life 1"]\n[2,1,0,"c","end",""]\n{"fingerprint":"00000000-00000000","events":2}\n`;

  it("name the first entry that differs", () => {
    const { entries } = parseTrace(text);
    expect(firstDifference(entries, entries)).toBeUndefined();
    expect(firstDifference(entries, [entries[0] as string, '[3,1,0,"c","end",""]'])).toEqual({
      index: 1,
      recorded: '[2,1,0,"c","end",""]',
      replayed: '[3,1,0,"c","end",""]',
    });
    expect(firstDifference(entries, entries.slice(0, 1))).toMatchObject({ index: 1, replayed: "(ended)" });
  });

  it("say so when they were cut off, between lines or within one, and when they are none", () => {
    const lines = text.split("\n");
    expect(() => parseTrace(lines.slice(0, 2).join("\n"))).toThrow(
      "no final line with a fingerprint; was the run that wrote it interrupted?",
    );
    expect(() => parseTrace(text.slice(0, -20))).toThrow(/line 4 of the trace is not JSON/);
    expect(() => parseTrace("{}")).toThrow("not a trace of version 2");
    expect(() => parseTrace("")).toThrow(/line 1 of the trace is not JSON/);
  });
});

describe("exit codes", () => {
  it("tell the kinds of failure apart; the first violation is the verdict", () => {
    const kinds = Object.keys(exitCodes).filter((name): name is FailureKind => name !== "pass" && name !== "usage");
    const result = (...violations: FailureKind[]): RunResult =>
      ({ violations: violations.map((kind) => ({ kind, oracle: "o", sentence: "s", atNanos: 0 })) }) as unknown as RunResult;
    expect(exitCodeOf(result())).toBe(0);
    const codes = kinds.map((kind) => exitCodeOf(result(kind, "crash")));
    expect(new Set(codes).size).toBe(kinds.length);
    expect(codes).toEqual(kinds.map((kind) => exitCodes[kind]));
  });
});

describe("expectations", () => {
  it("make a run vacuous below and unsafe above", () => {
    const said: string[] = [];
    let held = 0;
    const verdict = { violate: (kind: FailureKind, _: string, sentence: string) => said.push(`${kind}: ${sentence}`), held: () => held++ };
    checkExpectations({ atLeast: { spills: 2, polls: 1 }, atMost: { failed: 0, rows: 9 } }, { spills: 1, polls: 1, failed: 3 }, verdict);
    expect(said).toEqual([
      "vacuous: the story needs at least 2 of 'spills'; there were 1",
      "safety: the story allows at most 0 of 'failed'; there were 3",
    ]);
    expect(held).toBe(2);
  });
});
