/** Planted violations of the model of second runs: in each test the recorded run of a cluster with two stragglers is changed once. */
import { beforeAll, describe, expect, it } from "vitest";
import { calmCluster, ms, reads, second, user } from "../../../../../scenarios/scenario.ts";
import { secondRuns } from "../../../../../sim/checkers/models/query/second-runs.ts";
import { FabricatedRun } from "../fabricated.ts";
import { atNote, once, type Planted, type RecordedNote, type Recording, record, show } from "../recorded.ts";
import { decodeUtf8, encodeUtf8 } from "../../../../../src/types/utf8.ts";

let recording: Recording;

beforeAll(async () => {
  const sql = "SELECT orderkey, totalprice FROM tpch.tiny.orders";
  recording = await record(
    calmCluster("1", {
      lendsNothing: true,
      nanosPerWorkUnit: 50_000,
      properties: { "retry-policy": "TASK", "speculative-execution-enabled": "true", "task.max-slice-rows": "200" },
      knobs: { "speculation-min-ms": 50, "speculation-percent": 100, "page-rows": 64, "frame-rows": 64 },
      users: [user("u1", [reads(sql), reads(sql, second)], second)],
      faults: [{ kind: "pause", node: "w2", atNanos: second, untilNanos: 6 * second, afterWorkNanos: 20 * ms }],
      healNanos: 12 * second,
    }),
  );
});

const isBegun = ({ detail, kind }: RecordedNote): boolean => kind === "log-info" && detail.startsWith("task-runs-again ");
const isKept = ({ detail, kind }: RecordedNote): boolean => kind === "log-info" && detail.startsWith("task-replaced ");

/** Ids of the first straggler and of its second run. */
function ids(): { readonly former: string; readonly taskId: string } {
  const step = recording.steps.find((one) => "note" in one && isBegun(one.note)) as { readonly note: RecordedNote };
  return JSON.parse(step.note.detail.slice("task-runs-again ".length)) as { readonly former: string; readonly taskId: string };
}

/** The request that creates the second run has this in its body too. */
const creates = (text: string): Planted =>
  once(({ path, request }) =>
    path === `/v1/task/${ids().taskId}` && request.method === "POST"
      ? { request: { ...request, body: encodeUtf8(`${decodeUtf8(request.body)}${text}`) } }
      : undefined,
  );

describe("the model of second runs", () => {
  it("says nothing about what happened, and saw second runs that were kept", () => {
    expect(recording.steps.filter((step) => "note" in step && isKept(step.note)).length).toBeGreaterThan(0);
    const { said, held } = show(recording, secondRuns);
    expect(said).toEqual([]);
    expect(held).toBeGreaterThan(4);
  });

  it.each<[string, () => Planted, string]>([
    ["a writer that runs twice", () => creates('"kind":"TableWriter"'), "is a second run of a task that writes"],
    ["a reader that runs twice", () => creates('"kind":"RemoteSource"'), "is a second run of a task that reads other tasks"],
    ["a second run of a task that has one", () => atNote(isBegun, (note) => [note, note]), "and has one"],
    [
      "a run that is kept before it has its output",
      () => atNote(isBegun, (note) => [note, { ...note, detail: note.detail.replace("task-runs-again", "task-replaced") }]),
      "before it has all its output",
    ],
    [
      "a run that takes another place",
      () => atNote(isKept, (note) => [{ ...note, detail: note.detail.replace(/"former":"[^"]*"/, '"former":"x.1.0"') }]),
      "is not its second run",
    ],
    [
      "a loser that goes on",
      () => (step) => ("note" in step && step.note.detail.includes(`task-delete DELETE /v1/task/${ids().former}`) ? [] : undefined),
      "is not deleted",
    ],
  ])("speaks of %s", (_, planted, sentence) => {
    const { said, planted: count } = show(recording, secondRuns, planted());
    expect(count).toBeGreaterThan(0);
    expect(said.join("\n")).toContain(sentence);
  });

  it("lets the loser be deleted when it is known whether it was created", () => {
    const properties = { "retry-policy": "TASK", "speculative-execution-enabled": "true" };
    const [former, taskId] = ["q.1.0", "q.1.4"];
    const said = (overMs: number, lookMs: number, failure = "TIMEOUT"): string => {
      const run = new FabricatedRun(secondRuns, { properties });
      run.note(1, "c", "request", `m1 c>w1 task-update POST /v1/task/${former}`);
      run.note(50, "c", "log-info", `task-runs-again ${JSON.stringify({ taskId, former, nodeId: "w2", speculative: true })}`);
      run.answer(60, `/v1/task/${taskId}/status`, { from: "c", to: "w2", body: '{"state":"FINISHED"}' });
      run.note(70, "c", "log-info", `task-replaced ${JSON.stringify({ taskId, former })}`);
      run.note(overMs, "c", "network-error", `m1 c>w1 task-update ${failure}`);
      return run.look(lookMs).said.join();
    };
    expect([said(9_000, 9_000), said(9_000, 10_900), said(71, 2_060)]).toEqual(["", "", ""]);
    expect(said(71, 2_100, "CONNECTION_REFUSED")).toBe("");
    expect([said(9_000, 11_100), said(71, 2_100)]).toEqual(
      Array(2).fill(`second-runs: ${former} is not deleted, although the other run of its task was kept`),
    );
  });

  it("speaks of a second run that nobody has asked for", () => {
    const { plan, steps } = recording;
    const { said } = show({ plan: { ...plan, properties: { "retry-policy": "TASK" } }, steps }, secondRuns);
    expect(said.join("\n")).toContain("nobody has asked for any");
  });
});
