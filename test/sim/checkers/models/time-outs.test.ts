/** Planted violations of the model of time-outs. */
import { describe, expect, it } from "vitest";
import { timeOuts } from "../../../../sim/checkers/models/time-outs.ts";
import type { OrreryNode } from "../../../../src/node.ts";
import { FabricatedRun } from "./fabricated.ts";

const id = "20260101_000000_00000_aaaaa";
const properties = {
  "query.client.timeout": "10s",
  "node-scheduler.allowed-no-matching-node-period": "10s",
  "task.client.timeout": "20s",
  "task.info.max-age": "30s",
};
const uri = `/v1/statement/${id}/1?slug=s`;
const failure = (errorName: string, message = ""): object => ({ id, error: { errorName, message } });

function submitted(session = ""): FabricatedRun {
  const sentHeaders = { "x-engine-user": "u1", "x-engine-session": session };
  return new FabricatedRun(timeOuts, { properties }).answer(0, "/v1/statement", { method: "POST", sentHeaders, body: { id } });
}

/** The query fails at that time, and the client hears of it later. */
function failed(run: FabricatedRun, ms: number, errorName: string, message?: string): readonly string[] {
  return run.transition(ms, "query", id, "RUNNING -> FAILED").answer(ms + 1, uri, { body: failure(errorName, message) }).said;
}

const abandonedAt = (ms: number): readonly string[] => failed(submitted().answer(5_000, uri, { body: { id } }), ms, "ABANDONED_QUERY");
const limitedAt = (ms: number): readonly string[] =>
  failed(submitted("query_max_run_time=5s"), ms, "EXCEEDED_TIME_LIMIT", "time limit of 5s");
const plannedAt = (ms: number): FabricatedRun =>
  submitted("query_max_execution_time=500ms").transition(ms, "query", id, "PLANNING -> STARTING");

const task = `${id}.1.0`;

class Worker {
  readonly tasks: { readonly taskId: string; readonly state: string }[] = [{ taskId: task, state: "RUNNING" }];
  readonly run: FabricatedRun;

  constructor() {
    const node = { accounts: () => ({ tasks: this.tasks }) } as unknown as OrreryNode;
    this.run = new FabricatedRun(timeOuts, { properties }, { node: () => node });
    this.run.answer(0, `/v1/task/${task}`, { method: "POST", from: "c", to: "w1", body: { state: "RUNNING" } });
  }

  asked(ms: number, status: number, state = "RUNNING"): this {
    this.run.answer(ms, `/v1/task/${task}/status`, { from: "c", to: "w1", status, body: { state } });
    return this;
  }

  ends(): this {
    this.tasks[0] = { taskId: task, state: "FINISHED" };
    return this;
  }

  looksAt(ms: number): readonly string[] {
    return this.run.look(ms).said;
  }
}

describe("the model of time-outs", () => {
  it("accepts time-outs that end what they may, in time", () => {
    expect(abandonedAt(15_500)).toEqual([]);
    expect(limitedAt(5_900)).toEqual([]);
    expect(failed(plannedAt(3_000), 3_600, "EXCEEDED_TIME_LIMIT", "execution")).toEqual([]);
    expect(new Worker().asked(15_000, 200).looksAt(34_000)).toEqual([]);
    expect(new Worker().ends().asked(1_000, 200, "FINISHED").asked(40_000, 404).looksAt(32_000)).toEqual([]);
  });

  it("reports a query that is abandoned too early, or in another unit", () => {
    expect(abandonedAt(10_500).join()).toContain("failed 5500 ms after the last answer to its client, and may take 10000 ms");
    expect(abandonedAt(5_011).join()).toContain("failed 11 ms after the last answer to its client");
    expect(abandonedAt(25_000).join()).toContain("failed as late as 10000 ms after the 10000 ms");
  });

  it("counts the silence of a client from the answer that it waited for", () => {
    const answered = (ms: number): FabricatedRun => submitted().answer(ms, uri, { body: { id }, arrivedMs: 1_000 });
    expect(failed(answered(9_000), 19_500, "ABANDONED_QUERY")).toEqual([]);
    expect(failed(answered(9_000), 11_500, "ABANDONED_QUERY").join()).toContain("failed 2500 ms after the last answer");
    const waiting = submitted().transition(11_500, "query", id, "RUNNING -> FAILED");
    const body = failure("ABANDONED_QUERY");
    expect(waiting.answer(12_000, uri, { body, arrivedMs: 1_000 }).said.join()).toContain("was abandoned while its client waited");
    const first = new FabricatedRun(timeOuts, { properties }).transition(11_500, "query", id, "QUEUED -> FAILED");
    const sentHeaders = { "x-engine-user": "u1" };
    const { said } = first.answer(12_000, "/v1/statement", { method: "POST", sentHeaders, body, arrivedMs: 0 });
    expect(said.join()).toContain("was abandoned while its client waited");
  });

  it("reports a time limit that is early, late, or not there", () => {
    expect(limitedAt(1_000).join()).toContain("failed 1000 ms after its submission, and may take 5000 ms");
    expect(limitedAt(20_000).join()).toContain("failed as late as 15000 ms");
    expect(failed(plannedAt(3_000), 3_100, "EXCEEDED_TIME_LIMIT", "execution").join()).toContain("failed 100 ms after its plan");
    expect(submitted("query_max_run_time=5s").transition(20_000, "query", id, "FINISHING -> FINISHED").said.join()).toContain(
      "succeeded after more time",
    );
  });

  it("reports a query that does not wait for workers as long as it may", () => {
    const waiting = submitted().transition(1_000, "query", id, "QUEUED -> WAITING_FOR_RESOURCES");
    expect(failed(waiting, 1_011, "NO_NODES_AVAILABLE").join()).toContain("waited 11 ms for workers, not 10000");
  });

  it("reports a task that is not abandoned, one that is kept too long, and one that is forgotten too early", () => {
    expect(new Worker().looksAt(24_000).join()).toContain("RUNNING, 24000 ms after its last request; it may be silent for 20000 ms");
    expect(new Worker().ends().asked(1_000, 200, "FINISHED").looksAt(40_000).join()).toContain("keeps");
    expect(new Worker().asked(10_000, 404).run.said.join()).toContain("has forgotten");
    const deleted = new Worker();
    deleted.run.answer(5, `/v1/task/${task}`, { method: "DELETE", from: "c", to: "w1", body: { state: "FINISHED" } });
    expect(deleted.asked(10_000, 404).run.said).toEqual([]);
  });
});
