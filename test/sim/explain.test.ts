/**
 * Causality from a trace; the explanation of a violation; and which faults and messages it requires.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { calmCluster, ms, reads, second, user } from "../../scenarios/scenario.ts";
import { alternativesTo } from "../../sim/explain/alternatives.ts";
import { counterfactuals, describeCounterfactuals } from "../../sim/explain/counterfactuals.ts";
import { explain } from "../../sim/explain/explain.ts";
import { describeStory, storyOf } from "../../sim/explain/story.ts";
import type { Sabotage } from "../../sim/world/network.ts";
import type { TraceEntry } from "../../sim/world/world.ts";
import type { RunPlan } from "../../sim/plan.ts";
import { runPlan } from "../../sim/run.ts";
import { signatureOf } from "../../sim/shrink/signature.ts";
import type { Laboratory } from "../../sim/shrink/trial.ts";
import { Bench } from "../support/oracle/bench-laboratory.ts";
import { Causes } from "../../sim/trace/causes.ts";
import { messageOf, queryIdIn } from "../../sim/trace/messages.ts";
import { entryLine, footerLine, headerLine } from "../../sim/trace/trace.ts";
import { readTrace } from "../../sim/trace/trace-file.ts";

const query = "20260101_000000_00001_aaaaa";

/** A handwritten trace: `[event, parent, place, kind, detail]`, a millisecond between events. */
function entries(...rows: readonly (readonly [number, number, string, string, string])[]): readonly TraceEntry[] {
  return rows.map(([event, parent, place, kind, detail]) => ({ atNanos: event * ms, event, parent, place, kind, detail }));
}

const lostPage = entries(
  [0, 0, "c", "start", "life 1"],
  [1, 0, "u1", "timer", "user-start"],
  [1, 0, "u1", "submit", "SELECT name FROM nation"],
  [1, 0, "u1", "request", "m1 u1>c statement-submit POST /v1/statement"],
  [2, 0, "c", "timer", "heartbeat"],
  [2, 0, "c", "request", "m2 c>w1 heartbeat HEAD /v1/status"],
  [3, 1, "c", "serve", "m1 u1>c statement-submit POST /v1/statement"],
  [3, 1, "c", "respond", "m1 u1>c statement-submit 200 90 bytes"],
  [4, 2, "w1", "serve", "m2 c>w1 heartbeat HEAD /v1/status"],
  [4, 2, "w1", "respond", "m2 c>w1 heartbeat 200 0 bytes"],
  [5, 3, "u1", "answer", "m1 u1>c statement-submit 200"],
  [5, 3, "u1", "request", `m3 u1>c statement-poll GET /v1/statement/${query}/1?slug=x1`],
  [6, 5, "c", "serve", `m3 u1>c statement-poll GET /v1/statement/${query}/1?slug=x1`],
  [6, 5, "c", "request", `m4 c>w1 exchange-fetch GET /v1/task/${query}.1.0/results/0/0`],
  [6, 5, "c", "reset", "m4 c>w1 exchange-fetch"],
  [7, 6, "c", "network-error", "m4 c>w1 exchange-fetch CONNECTION_RESET"],
  [7, 6, "c", "query", `${query} RUNNING -> FINISHING`],
  [7, 6, "c", "query", `${query} FINISHING -> FINISHED`],
  [7, 6, "c", "respond", "m3 u1>c statement-poll 200 90 bytes"],
  [8, 4, "c", "answer", "m2 c>w1 heartbeat 200"],
  [9, 7, "u1", "answer", "m3 u1>c statement-poll 200"],
  [9, 7, "u1", "end", "0 rows"],
  [9, 7, "world", "violation", "wrong-result results u1 got 0 of 25 rows: SELECT name FROM nation"],
);

describe("causes", () => {
  const causes = new Causes(lostPage);
  const at = (event: number, kind: string): TraceEntry =>
    lostPage.find((entry) => entry.event === event && entry.kind === kind) as TraceEntry;

  it("lead from an answer to what its request set off, and to nothing that happened beside", () => {
    const slice = causes.sliceTo(at(9, "violation"));
    expect(slice.map(({ event }) => event)).not.toContain(4);
    expect(slice).toContain(at(1, "timer"));
    expect(slice).toContain(at(6, "serve"));
    expect(slice.map(({ event }) => event)).toEqual(slice.map(({ event }) => event).toSorted((a, b) => a - b));
    expect(causes.causesOf(at(6, "serve"))).toEqual([at(5, "request"), at(5, "answer")]);
    expect(causes.causesOf(at(0, "start"))).toEqual([]);
  });

  it("make one straight way back", () => {
    const path = causes.pathTo(at(9, "violation"));
    expect(path[0]?.event).toBeLessThanOrEqual(1);
    expect(path.at(-1)).toBe(at(9, "violation"));
    for (const [index, entry] of path.entries()) {
      expect(index === 0 || causes.causesOf(entry)[0] === path[index - 1]).toBe(true);
    }
  });

  it("are told of every entry of a true run: nothing comes before what brought it about", async () => {
    const recorded: TraceEntry[] = [];
    await runPlan(calmCluster("1", { users: [user("u1", [reads("SELECT count(*) FROM nation")])] }), {
      trace: (entry) => recorded.push(entry),
    });
    const events = new Set(recorded.map(({ event }) => event));
    for (const { event, parent } of recorded) {
      expect(parent === 0 || events.has(parent)).toBe(true);
      expect(parent).toBeLessThanOrEqual(event);
    }
    const all = new Causes(recorded);
    const end = recorded.find(({ kind }) => kind === "end") as TraceEntry;
    const submit = recorded.find(({ kind }) => kind === "submit") as TraceEntry;
    expect(all.sliceTo(end).map(({ event }) => event)).toContain(submit.event);
  });
});

describe("the story", () => {
  it("has the submission, what went wrong and the violation, and no heartbeats", () => {
    const story = storyOf(lostPage, "results");
    expect(story?.sentences.map(({ text }) => text)).toEqual([
      "u1 submits SELECT name FROM nation",
      "u1 -> c statement-submit POST /v1/statement (m1): 200 after 4.0 ms",
      "u1 -> c statement-poll GET /v1/statement/Q/1 (m3): 200 after 4.0 ms",
      "c -> w1 exchange-fetch GET /v1/task/Q.1.0/results/0/0 (m4): the connection is reset, c gets CONNECTION_RESET after 1.0 ms",
      "c: query Q RUNNING -> FINISHING -> FINISHED",
      "VIOLATION wrong-result results u1 got 0 of 25 rows: SELECT name FROM nation",
    ]);
    expect(describeStory(story ?? { sentences: [], events: 0 })[0]).toMatch(/^ {2}1\. +0\.0010 s {2}u1 submits/);
  });

  it("is none without a violation", () => {
    expect(storyOf(lostPage.slice(0, -1), "results")).toBeUndefined();
  });
});

describe("entries about messages", () => {
  it("are taken apart", () => {
    const [entry] = entries([1, 0, "c", "request", `m17 c>w1 task-update POST /v1/task/${query}.1.0`]);
    expect(messageOf(entry as TraceEntry)).toEqual({
      id: 17,
      from: "c",
      to: "w1",
      label: "task-update",
      rest: `POST /v1/task/${query}.1.0`,
    });
    expect(queryIdIn(`/v1/task/${query}.1.0`)).toBe(query);
    expect(queryIdIn("/v1/status")).toBeUndefined();
  });
});

describe("reading a trace", () => {
  const folder = mkdtempSync(join(tmpdir(), "orrery-trace-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("gives plan, entries and footer as they were written", () => {
    const file = join(folder, "t.jsonl");
    const plan = calmCluster("1", {});
    const footer = { fingerprint: "00000000-00000000", events: 9 };
    writeFileSync(file, `${[headerLine(plan), ...lostPage.map(entryLine), footerLine(footer)].join("\n")}\n`);
    expect(readTrace(file)).toEqual({ plan, entries: lostPage, footer });
  });

  it("names the file and the line that is wrong", () => {
    const file = join(folder, "bad.jsonl");
    writeFileSync(file, `${[headerLine(calmCluster("1", {})), "[1,2]", footerLine({ fingerprint: "f", events: 1 })].join("\n")}\n`);
    expect(() => readTrace(file)).toThrow(`cannot read the trace ${file}: line 2 of the trace is not an entry of six values`);
    expect(() => readTrace(join(folder, "none"))).toThrow("cannot read the trace");
  });
});

/** A worker that reports an empty output after one of its answers was lost: a bug that needs the reset, and neither of the faults. */
const emptyAfterReset: Sabotage = (handler) => {
  const seen = new Set<string>();
  return async (request, context) => {
    const response = await handler(request, context);
    if (!/\/results\/\d+\/0(\?.*)?$/.test(request.url) || request.method !== "GET" || response.status !== 200) {
      return response;
    }
    if (!seen.has(request.url)) {
      seen.add(request.url);
      return response;
    }
    const headers = {
      "x-engine-task-instance-id": response.headers["x-engine-task-instance-id"] ?? "",
      "x-engine-page-sequence-id": "0",
      "x-engine-page-end-sequence-id": "0",
      "x-engine-buffer-complete": "true",
    };
    return { status: 204, headers, body: new Uint8Array(0) };
  };
};

const failing: RunPlan = calmCluster("1", {
  workers: [{ name: "w1", clockOffsetMs: 0, clockDriftPpm: 0 }],
  schema: "sf0.0001",
  splitsPerNode: 1,
  users: [user("u1", [reads("SELECT orderstatus, count(*) FROM orders GROUP BY orderstatus")])],
  fates: [{ message: "c>w1 exchange-fetch #2 answer", kind: "reset" }],
  faults: [{ kind: "slow-node", node: "w1", factor: 2, atNanos: 0, untilNanos: second }],
  healNanos: second,
});

describe("what a failure needs", () => {
  it("is the reset message, not the slow node, nor the order of messages that do not matter", async () => {
    const laboratory = new Bench(emptyAfterReset);
    const { violation } = await laboratory.try({ plan: failing });
    if (violation === undefined) {
      throw new Error("the run passes");
    }
    const found = await explain(failing, { laboratory, signature: signatureOf(violation), redrawsMax: 1, sabotage: emptyAfterReset });
    const rows = found?.counterfactuals ?? [];
    expect(rows[0]).toEqual({ text: "the original run", fails: true, redrawn: 1, redrawnFailing: 1 });
    expect(rows.find(({ text }) => text.startsWith("without reset: "))).toMatchObject({ fails: false, redrawnFailing: 0 });
    expect(rows.find(({ text }) => text.startsWith("without slow-node"))).toMatchObject({ fails: true });
    expect(rows.length).toBeGreaterThan(3);
    const table = describeCounterfactuals(rows).join("\n");
    expect(table).toMatch(/without reset: .+ passes +0 of 1 +NEEDED: the failure disappears without it/);
    expect(table).toMatch(/without slow-node.* +fails +1 of 1 +irrelevant/);
    expect(found?.story.sentences.some(({ text }) => text.includes("the connection is reset"))).toBe(true);
  });

  it("is tried message by message: an alternative delays the first of two deliveries behind the second", () => {
    const swaps = alternativesTo(failing, new Causes(lostPage), "results").filter(
      ({ text }) => text.startsWith("if ") && text.includes("before"),
    );
    for (const { plan } of swaps) {
      expect(plan.fates?.some(({ kind, extraNanos }) => kind === "delayed" && (extraNanos ?? 0) > 0)).toBe(true);
    }
    const left = alternativesTo(failing, new Causes(lostPage), "results").flatMap(({ text }) => (text.startsWith("without") ? [text] : []));
    expect(left).toEqual([expect.stringMatching(/^without slow-node /), "without reset: c>w1 exchange-fetch #2 answer"]);
  });

  it("has as many other runs of each alternative when time is over in between", async () => {
    const stop = new AbortController();
    let runs = 0;
    const violation = { kind: "safety" as const, oracle: "o", sentence: "s", atNanos: 0 };
    const laboratory: Laboratory = {
      width: 1,
      try: () => {
        if (++runs === 11) {
          stop.abort();
        }
        return Promise.resolve({ violation, events: 1, fates: [], facts: { submitted: [], positions: {} } });
      },
      close: () => undefined,
    };
    const rows = await counterfactuals(
      failing,
      [
        { text: "a", plan: failing },
        { text: "b", plan: failing },
      ],
      {
        laboratory,
        signature: signatureOf(violation),
        redrawsMax: 50,
        eventsMax: 100,
        signal: stop.signal,
      },
    );
    expect(rows.map(({ redrawn }) => redrawn)).toEqual([2, 2, 2]);
  });
});
