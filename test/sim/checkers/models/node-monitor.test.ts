/** Planted violations of the model of the node monitor: in each test the recorded run of a cluster that lost a worker is changed once. */
import { beforeAll, describe, expect, it } from "vitest";
import { calmCluster, ms, reads, second, user } from "../../../../scenarios/scenario.ts";
import { nodeMonitor } from "../../../../sim/checkers/models/node/node-monitor.ts";
import type { Judged } from "../../../../sim/checkers/models/model.ts";
import { FabricatedRun } from "./fabricated.ts";
import { atNote, inResponse, once, type Planted, type RecordedNote, type Recording, record, show } from "./recorded.ts";

let recording: Recording;

beforeAll(async () => {
  const statements = Array.from({ length: 4 }, () => reads("SELECT count(*) FROM tpch.tiny.nation", 4 * second));
  recording = await record(
    calmCluster("1", {
      users: [user("u1", statements)],
      faults: [
        { kind: "crash", atNanos: 3 * second, untilNanos: 6 * second, node: "w2", disk: "synced" },
        { kind: "partition", atNanos: 3 * second, untilNanos: 9 * second, nodes: ["w3"] },
      ],
      healNanos: 24 * second,
    }),
  );
});

const isState =
  (worker: string, from: string, to: string) =>
  ({ kind, detail }: RecordedNote): boolean =>
    kind === "log-info" && detail.startsWith("node-state ") && detail.includes(`"nodeId":"${worker}"`) && change(detail, from, to);
const isBeat =
  (worker: string, what: string) =>
  ({ kind, detail }: RecordedNote): boolean =>
    kind === what && detail.includes(`c>${worker} heartbeat`);

function change(detail: string, from: string, to: string): boolean {
  return detail.includes(`"from":"${from}`) && detail.includes(`"to":"${to}`);
}

function stateNote({ nowNanos }: { readonly nowNanos: number }, worker: string, from: string, to: string): RecordedNote {
  return { place: "c", kind: "log-info", detail: `node-state ${JSON.stringify({ nodeId: worker, from, to })}`, nowNanos };
}

function beat(nowNanos: number, worker = "w1"): RecordedNote {
  return { place: "c", kind: "request", detail: `m99999 c>${worker} heartbeat HEAD /v1/status`, nowNanos };
}

function refusedRequest(nowNanos: number): RecordedNote {
  return { place: "c", kind: "network-error", detail: "m99999 c>w1 task-status CONNECTION_REFUSED", nowNanos };
}

const dropped = (): readonly RecordedNote[] => [];
const excluded = /^(?:GONE|UNRESPONSIVE)/;

describe("the model of the node monitor", () => {
  it("says nothing about what happened", () => {
    const { said, held } = show(recording, nodeMonitor);
    expect(said).toEqual([]);
    expect(held).toBeGreaterThan(300);
  });

  it("speaks of a worker that is excluded after two failures of a short history", () => {
    const early = atNote(isBeat("w3", "network-error"), (note) => [note, stateNote(note, "w3", "ALIVE ACTIVE", "UNRESPONSIVE ACTIVE")], 1);
    const { said, planted } = show(recording, nodeMonitor, early);
    expect(planted).toBe(1);
    expect(said[0]).toMatch(/w3 was excluded with .* 2 in a row/);
  });

  it("saw a worker excluded and come back", () => {
    const states = recording.steps.flatMap((step) =>
      "note" in step && step.note.detail.startsWith("node-state ") ? [step.note.detail] : [],
    );
    expect(states.some((detail) => excluded.test(/"to":"([^"]*)/.exec(detail)?.[1] ?? ""))).toBe(true);
    expect(states.filter((detail) => detail.includes('"nodeId":"w3"') && change(detail, "UNKNOWN", "ALIVE"))).toHaveLength(2);
  });

  it.each<[string, () => Planted, string]>([
    [
      "a node that counts before its first answer",
      () => atNote(isBeat("w1", "request"), (note) => [note, stateNote(note, "w1", "UNKNOWN ACTIVE", "ALIVE ACTIVE")]),
      "without an answer",
    ],
    ["a node that is never excluded", () => atNote(isState("w3", "ALIVE", "UNRESPONSIVE"), dropped), "w3 still counts"],
    [
      "a node that is excluded for nothing",
      () => atNote(isBeat("w1", "answer"), (note) => [note, stateNote(note, "w1", "ALIVE ACTIVE", "GONE ACTIVE")], 3),
      "w1 was excluded",
    ],
    [
      "a node that comes back without its warm-up",
      () =>
        atNote(
          isBeat("w3", "answer"),
          (note) => [note, stateNote(note, "w3", "UNRESPONSIVE ACTIVE", "ALIVE ACTIVE")],
          firstAfterPartition(),
        ),
      "w3 is used again",
    ],
    ["a node that stays excluded", () => atNote(isState("w3", "UNKNOWN", "ALIVE"), dropped, 1), "although its heartbeats have succeeded"],
    [
      "a refusal that is called a time-out",
      () =>
        atNote(isState("w2", "ALIVE", "GONE"), (note) => [{ ...note, detail: note.detail.replace('"to":"GONE', '"to":"UNRESPONSIVE') }]),
      "w2 is UNRESPONSIVE",
    ],
    [
      "a heartbeat too early",
      () => atNote(isBeat("w1", "request"), (note) => [note, beat(note.nowNanos + 100 * ms)], 4),
      "an interval of 500 ms",
    ],
    [
      "a heartbeat without a pause after a refusal",
      () => atNote(isBeat("w2", "network-error"), (note) => [note, beat(note.nowNanos + 10 * ms, "w2")]),
      "an interval of 500 ms",
    ],
    [
      "a refused heartbeat that is not repeated soon",
      () => atNote(isBeat("w2", "request"), (note) => [{ ...note, nowNanos: note.nowNanos + 1_000 * ms }], beatsBeforeRefusal() + 1),
      "ms after it refused a request",
    ],
    [
      "a refused request about a task that no heartbeat follows soon",
      () => atNote(isBeat("w1", "request"), (note) => [refusedRequest(note.nowNanos), { ...note, nowNanos: note.nowNanos + second }], 4),
      "w1 gets a heartbeat 1000 ms after it refused a request",
    ],
    [
      "a heartbeat to a node that has not announced itself for long",
      () => (step) => {
        const isLate = "note" in step && step.note.nowNanos > 8_000 * ms;
        return isLate && / announcement PUT .*\/w1$/.test(step.note.detail) ? [] : undefined;
      },
      "ms ago, of",
    ],
    [
      "a heartbeat to a node that has withdrawn",
      () => once(({ path, request }) => (path.endsWith("/announcement/w1") ? { request: { ...request, method: "DELETE" } } : undefined)),
      "has withdrawn its announcement",
    ],
    [
      "a heartbeat with each announcement",
      () =>
        atNote(
          ({ detail }) => detail.endsWith("announcement PUT /v1/announcement/w1"),
          (note) => [note, beat(note.nowNanos)],
          5,
        ),
      "out of turn",
    ],
    [
      "a time-out that comes late",
      () => atNote(isBeat("w3", "network-error"), (note) => [{ ...note, nowNanos: note.nowNanos + 900 * ms }]),
      "ended after 2900 ms",
    ],
    [
      "a time-out that comes early",
      () =>
        atNote(
          isBeat("w1", "answer"),
          (note) => [{ ...note, kind: "network-error", detail: note.detail.replace(/heartbeat.*/, "heartbeat TIMEOUT") }],
          5,
        ),
      "timed out after",
    ],
    ["a counter that is too high", () => inResponse(/GET \/v1\/node$/, /"recentRequests":/, '"recentRequests":1'), "recentRequests of"],
    [
      "a ratio that is not the ratio",
      () => inResponse(/GET \/v1\/node$/, /"recentFailureRatio":[\d.]+/, '"recentFailureRatio":0.77'),
      "the ratio 0.77",
    ],
    [
      "failures without a type",
      () => inResponse(/GET \/v1\/node$/, /"recentFailuresByType":\{[^}]*\}/, '"recentFailuresByType":{"X":50}'),
      "by type 50",
    ],
    ["a coordinator among its nodes", () => inResponse(/GET \/v1\/node$/, "http://w1:", "http://c:"), "lists itself"],
  ])("speaks of %s", (_, planted, sentence) => {
    const { said, planted: count } = show(recording, nodeMonitor, planted());
    expect(count).toBeGreaterThan(0);
    expect(said.join("\n")).toContain(sentence);
  });

  it("speaks of failures of a node that counts, not of a new incarnation that has not counted yet, nor of one that has withdrawn", () => {
    const told = (second: "same" | "new" | "withdrawn"): string => {
      const run = new FabricatedRun(nodeMonitor);
      const announce = (ms: number, life: string, method: "PUT" | "DELETE" = "PUT") =>
        run
          .note(ms, "c", "serve", `m${ms} w1>c announcement ${method} /v1/announcement/w1`)
          .answer(ms, "/v1/announcement/w1", { from: "w1", method, sent: JSON.stringify({ life }) });
      announce(1, "one").note(2, "c", "request", "m2 c>w1 heartbeat HEAD /v1/status").note(3, "c", "answer", "m2 c>w1 heartbeat 200");
      run.note(3, "c", "log-info", 'node-state {"nodeId":"w1","from":"UNKNOWN ACTIVE","to":"ALIVE ACTIVE"}');
      announce(400, second === "new" ? "two" : "one");
      const beats = [1, 2, 3, 4, 5, 6].map((number) => 500 * number + 2);
      beats.forEach((ms) => run.note(ms, "c", "request", `m${ms} c>w1 heartbeat HEAD /v1/status`));
      if (second === "withdrawn") {
        announce(3_010, "one", "DELETE");
      }
      beats.forEach((ms) => run.note(3_020, "c", "network-error", `m${ms} c>w1 heartbeat CONNECTION_RESET`));
      // The heartbeat that an announcement causes.
      run.note(3_510, "c", "serve", "m3510 w1>c announcement PUT /v1/announcement/w1");
      return run.note(3_510, "c", "request", "m3511 c>w1 heartbeat HEAD /v1/status").said.join();
    };
    expect(told("same")).toContain("w1 still counts");
    expect(told("new")).not.toContain("still counts");
    expect(told("withdrawn")).not.toContain("still counts");
  });

  it("speaks of an excluded node that gets work", () => {
    const node = (): unknown => ({ cluster: { activeWorkers: () => [{ nodeId: "w1" }, { nodeId: "w2" }, { nodeId: "w3" }] } });
    const { said } = show(recording, nodeMonitor, undefined, { node: node as Judged["node"] });
    expect(said.join("\n")).toContain("w3 gets work and is UNRESPONSIVE");
  });
});

/** Number of heartbeats of w2 before the first one that was refused. */
function beatsBeforeRefusal(): number {
  let count = 0;
  for (const step of recording.steps) {
    if ("note" in step && isBeat("w2", "network-error")(step.note)) {
      return count - 1;
    }
    count += "note" in step && isBeat("w2", "request")(step.note) ? 1 : 0;
  }
  return count;
}

/** Number of answers of w3 before it was excluded. */
function firstAfterPartition(): number {
  let count = 0;
  for (const step of recording.steps) {
    if ("note" in step && isState("w3", "ALIVE", "UNRESPONSIVE")(step.note)) {
      return count;
    }
    count += "note" in step && isBeat("w3", "answer")(step.note) ? 1 : 0;
  }
  return count;
}
