/** Fakes of workers and of a plan of three stages. */
import type { CoordinatorConfig } from "../../../src/coordinator/context.ts";
import type { HttpRequest, HttpResponse } from "../../../src/ports/network.ts";
import type { PlanFragment } from "../../../src/planner/fragmenter/fragment.ts";
import { jsonResponse, textResponse } from "../../../src/protocol/http/http.ts";
import { parseJson } from "../../../src/protocol/json.ts";
import { type TaskDocument, taskInfoExample, type TaskStatusDocument, taskStatusExample } from "../../../src/protocol/documents/task.ts";
import { VARCHAR } from "../../../src/types/type.ts";
import { settle } from "../../support/manual-clock.ts";
import { FakeCoordinator, rootFragment } from "./fakes.ts";

/** Workers whose tasks have the states that the test sets; changes wake long polls. */
class FakeWorkers {
  readonly states = new Map<string, TaskStatusDocument>();
  readonly log: string[] = [];
  readonly bodies = new Map<string, unknown>();
  #wake: (() => void)[] = [];

  set(taskId: string, state: TaskStatusDocument["state"], more: Partial<TaskStatusDocument> = {}): void {
    const before = this.states.get(taskId) ?? { ...taskStatusExample, version: 0, failures: [] };
    this.states.set(taskId, { ...before, ...more, taskId, state, version: Number(before.version) + 1 });
    const waiting = this.#wake;
    this.#wake = [];
    for (const wake of waiting) {
      wake();
    }
  }

  async answer(request: HttpRequest): Promise<HttpResponse> {
    const [, taskId, rest] = /\/v1\/task\/([^/?]+)(.*)$/.exec(request.url) as unknown as [string, string, string];
    if (request.method === "POST") {
      this.log.push(`create ${taskId}`);
      this.bodies.set(taskId, parseJson(new TextDecoder().decode(request.body)));
      this.set(taskId, "RUNNING");
      return jsonResponse(200, this.#info(taskId));
    }
    const status = this.states.get(taskId);
    if (status === undefined) {
      return textResponse(404, "Task not found");
    }
    if (request.method === "DELETE") {
      this.log.push(`delete ${taskId}${rest}`);
      if (rest.startsWith("/results")) {
        return { status: 204, headers: {}, body: new Uint8Array(0) };
      }
      if (!["FINISHED", "FAILED"].includes(status.state)) {
        this.set(taskId, rest.includes("false") ? "CANCELED" : "ABORTED");
      }
      const last = this.#info(taskId);
      this.states.delete(taskId);
      return jsonResponse(200, last);
    }
    while (Number(this.states.get(taskId)?.version ?? Number.POSITIVE_INFINITY) <= Number(request.headers["x-engine-current-version"])) {
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
    const now = this.states.get(taskId);
    if (now === undefined) {
      return textResponse(404, "Task not found");
    }
    return jsonResponse(200, rest.startsWith("/status") ? now : this.#info(taskId));
  }

  #info(taskId: string): TaskDocument {
    const status = this.states.get(taskId) as TaskStatusDocument;
    return { ...taskInfoExample, taskId, version: status.version, state: status.state, failures: status.failures, taskStatus: status };
  }
}

export const leaf = (id: number, partitioning: PlanFragment["partitioning"]): PlanFragment => ({
  id,
  root: { kind: "Values", id: `v${id}`, outputs: [], rows: [] },
  partitioning,
  scanIds: [],
  outputTypes: [VARCHAR],
  outputPartitioning: { kind: "SINGLE" },
});

/** Stage 0 reads stage 1 (one task on each of two workers), which reads stage 2 (one task). */
export function threeStages(): PlanFragment[] {
  return [
    { ...rootFragment(), root: { kind: "RemoteSource", id: "r1", fragmentIds: [1], outputs: [] } },
    { ...leaf(1, "HASH"), root: { kind: "RemoteSource", id: "r2", fragmentIds: [2], outputs: [] } },
    { ...leaf(2, "SINGLE"), outputPartitioning: { kind: "ROUND_ROBIN" } },
  ];
}

export async function start(fragments = threeStages(), config: Partial<CoordinatorConfig> = {}, headers: HttpRequest["headers"] = {}) {
  const world = new FakeCoordinator(config);
  const workers = new FakeWorkers();
  world.cluster.workers = [1, 2].map((number) => ({
    nodeId: `worker-${number}`,
    uri: `http://worker-${number}:1`,
    incarnation: `life-${number}`,
  }));
  world.network.answer = (request) => workers.answer(request);
  // Enough for two tasks.
  const estimates = new Map(fragments.map(({ root }) => [root.id, { outputRowCount: 2, outputSizeInBytes: 2 }]));
  world.plan = () => Promise.resolve({ kind: "query", plan: { fragments }, estimates, columns: [{ name: "c", type: VARCHAR }] });
  const first = await world.submit("SELECT 1", headers);
  await settle();
  return { world, workers, first, id: first.json["id"] as string };
}
