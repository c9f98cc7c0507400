/** Planted violations of the model of how queries end. */
import { describe, expect, it } from "vitest";
import { queryEndings } from "../../../../../sim/checkers/models/query/query-endings.ts";
import { FabricatedRun } from "../fabricated.ts";

const path = "/v1/task/q.1.0";
const sent = '{"outputIds":{"kind":"PARTITIONED","bufferCount":2}}';

/** A query with one task on a worker, which is created. */
function running(): FabricatedRun {
  return new FabricatedRun(queryEndings)
    .note(10, "c", "request", `m1 c>w1 task-update POST ${path}`)
    .answer(11, path, { from: "c", to: "w1", method: "POST", sent });
}

function deleted(run: FabricatedRun, ms: number, abort: boolean, status = 200): FabricatedRun {
  return run
    .note(ms, "c", "request", `m${ms} c>w1 task-delete DELETE ${path}?abort=${String(abort)}`)
    .note(ms + 2, "c", "answer", `m${ms} c>w1 task-delete ${status}`);
}

const finishing = (): FabricatedRun => running().transition(20, "query", "q", "RUNNING -> FINISHING");
const finished = (run: FabricatedRun, ms: number): readonly string[] =>
  run.transition(ms, "query", "q", "FINISHING -> FINISHED").end(ms + 1).said;

function closed(buffers: readonly number[], lastMs = 20): readonly string[] {
  const run = running();
  for (const [index, buffer] of buffers.entries()) {
    const ms = index === buffers.length - 1 ? lastMs : 20;
    run.note(ms, "c", "request", `m${index + 5} c>w1 buffer-delete DELETE ${path}/results/${buffer}`);
  }
  return run.end(50).said;
}

describe("the model of how queries end", () => {
  it("allows an end with the last numbers of its tasks, and without them after a while or trouble", () => {
    expect(finished(deleted(finishing(), 25, false), 30)).toEqual([]);
    expect(finished(finishing(), 530)).toEqual([]);
    expect(finished(finishing().note(22, "c", "lost", "m3 c>w1 task-delete"), 30)).toEqual([]);
  });

  it("speaks of an end without the last numbers", () => {
    expect(finished(finishing(), 30).join()).toContain("has not heard of the end of q.1.0");
    expect(finished(deleted(finishing(), 25, false, 503), 30).join()).toContain("has not heard of the end of q.1.0");
  });

  it("speaks of a stage that is aborted, and its query finished", () => {
    const run = deleted(finishing(), 25, false).transition(28, "stage", "q.1", "RUNNING -> ABORTED");
    expect(finished(run, 30).join()).toContain("its stages q.1 are ABORTED");
    const again = deleted(finishing(), 25, false).transition(28, "stage", "q.1", "RUNNING -> ABORTED");
    expect(finished(again.transition(29, "stage", "q.1", "PLANNED -> SCHEDULING"), 30)).toEqual([]);
  });

  it("speaks of a task that is aborted after its query has finished", () => {
    const run = deleted(finishing(), 25, false).transition(30, "query", "q", "FINISHING -> FINISHED");
    expect(deleted(run, 40, true).said.join()).toContain("abort=true, and its query is FINISHED");
    const failed = running().transition(30, "query", "q", "RUNNING -> FAILED");
    expect(deleted(failed, 40, true).said).toEqual([]);
  });

  it("wants all buffers of a task closed, each as often, in one moment", () => {
    expect([...closed([0, 1]), ...closed([0, 1, 0, 1])]).toEqual([]);
    for (const buffers of [[0], [1], [0, 0, 1], [0, 1, 2]]) {
      expect(closed(buffers).join()).toContain("has 2 buffers, and is to close");
    }
    expect(closed([0, 1], 25).join()).toContain("is to close");
  });
});
