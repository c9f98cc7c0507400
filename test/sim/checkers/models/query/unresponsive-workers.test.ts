/** Planted violations of the model of unresponsive workers: in each test the recorded run of a stopped worker is changed once. */
import { beforeAll, describe, expect, it } from "vitest";
import { calmCluster, ms, reads, second, user } from "../../../../../scenarios/scenario.ts";
import { unresponsiveWorkers } from "../../../../../sim/checkers/models/query/unresponsive-workers.ts";
import { decodeUtf8, encodeUtf8 } from "../../../../../src/types/utf8.ts";
import { FabricatedRun } from "../fabricated.ts";
import { atNote, type Planted, type RecordedNote, type Recording, record, show } from "../recorded.ts";

let recording: Recording;

beforeAll(async () => {
  const sql = "SELECT custkey, count(*), sum(totalprice) FROM tpch.tiny.orders GROUP BY 1 ORDER BY 3, 1 LIMIT 10";
  recording = await record(
    calmCluster("1", {
      lendsNothing: true,
      nanosPerWorkUnit: 20_000,
      properties: { "retry-policy": "TASK", "task-retry-unresponsive-timeout": "3s", "task.max-slice-rows": "500" },
      users: [user("u1", [reads(sql), reads(sql, 6 * second)], second)],
      faults: [{ kind: "pause", node: "w2", atNanos: second, untilNanos: 9 * second, afterWorkNanos: 20 * ms }],
      healNanos: 20 * second,
    }),
  );
});

const isTold = ({ detail, kind }: RecordedNote): boolean => kind === "log-info" && detail.startsWith("node-unresponsive ");
const isLost = ({ detail, kind }: RecordedNote): boolean => kind === "log-info" && detail.startsWith("task-lost ");

/** Every task of the query writes. */
const writes: Planted = (step) =>
  "answer" in step && step.answer.request.method === "POST" && step.answer.path.startsWith("/v1/task/")
    ? [
        {
          answer: {
            ...step.answer,
            request: { ...step.answer.request, body: encodeUtf8(`${decodeUtf8(step.answer.request.body)}"kind":"TableWriter"`) },
          },
        },
      ]
    : undefined;

describe("the model of unresponsive workers", () => {
  it("says nothing about what happened, and saw a worker that was left", () => {
    const count = (is: (note: RecordedNote) => boolean): number => recording.steps.filter((step) => "note" in step && is(step.note)).length;
    expect([count(isTold), count(isLost) > 0]).toEqual([1, true]);
    const { said, held } = show(recording, unresponsiveWorkers);
    expect(said).toEqual([]);
    expect(held).toBeGreaterThan(20);
  });

  it.each<[string, () => Planted, string]>([
    ["a worker that is waited for", () => atNote(isTold, () => []), "and its tasks wait for it"],
    [
      "a worker that answers",
      () => atNote(isTold, (note) => [{ ...note, detail: note.detail.replace("w2", "w1") }]),
      "is called unresponsive, and has answered",
    ],
    ["a writer that does not wait", () => writes, "writes, and does not wait"],
  ])("speaks of %s", (_, planted, sentence) => {
    const { said, planted: count } = show(recording, unresponsiveWorkers, planted());
    expect(count).toBeGreaterThan(0);
    expect(said.join("\n")).toContain(sentence);
  });

  it("knows the incarnation whose announcement causes a heartbeat", () => {
    const said = (life: string): string => {
      const properties = { "task-retry-unresponsive-timeout": "2s", "failure-detector.heartbeat-interval": "1s" };
      const run = new FabricatedRun(unresponsiveWorkers, { properties });
      const announces = (ms: number, body: string): FabricatedRun => run.answer(ms, "/v1/announcement/w1", { method: "PUT", sent: body });
      announces(1, '{"life":"a"}');
      for (let second = 1; second <= 2; second++) {
        run.note(1_000 * second, "c", "request", `m${second} c>w1 heartbeat HEAD /v1/status`);
      }
      run.note(2_000, "c", "log-info", 'node-state {"nodeId":"w1","to":"UNRESPONSIVE ACTIVE"}');
      run.note(3_000, "c", "request", "m3 c>w1 heartbeat HEAD /v1/status");
      announces(3_000, `{"life":"${life}"}`);
      return run.note(3_001, "c", "request", "m4 c>w2 heartbeat HEAD /v1/status").said.join();
    };
    expect(said("b")).toBe("");
    expect(said("a")).toContain("and its tasks wait for it");
  });

  it("speaks of a worker that is left although nobody wants it", () => {
    const { plan, steps } = recording;
    const off = { ...plan, properties: { ...plan.properties, "task-retry-unresponsive-timeout": "0s" } };
    expect(show({ plan: off, steps }, unresponsiveWorkers).said.join("\n")).toContain("is called unresponsive");
  });
});
