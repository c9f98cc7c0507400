import { describe, expect, test } from "vitest";
import { Stage } from "../../../src/coordinator/scheduler/stage.ts";
import type { StageTask, TaskCounters } from "../../../src/coordinator/scheduler/stage-task.ts";
import { QueryExecution } from "../../../src/coordinator/query/query-execution.ts";
import type { Query } from "../../../src/coordinator/query/query.ts";
import { type WaitFacts, waitOf } from "../../../src/coordinator/query/query-wait.ts";
import type { PlanFragment } from "../../../src/planner/fragmenter/fragment.ts";
import { noSums } from "../../../src/protocol/counter-sums.ts";
import { settle } from "../../support/manual-clock.ts";
import { FakeCoordinator, rootFragment } from "./fakes.ts";

const facts: WaitFacts = { nowNanos: 7e9, place: () => undefined, turn: () => undefined, activeWorkers: 3, requiredWorkers: 4 };

interface TaskText {
  readonly counters?: Partial<TaskCounters>;
  readonly state?: StageTask["state"];
  readonly awaitsSplits?: boolean;
}

/** A chain of stages: stage 0 reads stage 1, and so on. */
function executionOf(tasks: readonly (readonly TaskText[])[]): QueryExecution {
  const stages = tasks.map((own, id) => {
    const root =
      id === tasks.length - 1
        ? rootFragment().root
        : { kind: "RemoteSource" as const, id: String(id), fragmentIds: [id + 1], outputs: [], orderBy: [] };
    const fragment = { ...rootFragment(), id, root } as unknown as PlanFragment;
    const stage = new Stage({ queryId: "q", fragment, hook: undefined, onEnd: () => {} });
    stage.schedule(
      own.map(({ awaitsSplits = false, counters, state = "RUNNING" }, number) => {
        const all = counters === undefined ? undefined : { ...noSums, ...counters };
        return { taskId: `q.${id}.${number}`, nodeId: `worker-${number}`, state, counters: all, awaitsSplits } as StageTask;
      }),
    );
    return stage;
  });
  return new QueryExecution(stages);
}

function waitWhileRunning(tasks: readonly (readonly TaskText[])[], results: Partial<Query["results"]> = { isFull: false }) {
  const query = { state: "RUNNING", execution: executionOf(tasks), results, lastHeartbeatNanos: 2e9 } as unknown as Query;
  return waitOf(query, facts);
}

const blocked = { counters: { totalDrivers: 4, runningDrivers: 2, blockedDrivers: 2, queuedDrivers: 1, completedDrivers: 1 } };
const working = { counters: { totalDrivers: 4, runningDrivers: 2, blockedDrivers: 1, completedDrivers: 2 } };
const fresh = { counters: { totalDrivers: 2, queuedDrivers: 2 } };

describe("what a running query waits for", () => {
  test.each([
    ["work is done", [[blocked], [working, blocked]], false, "NONE", "Stage 1 is working, 3 of 8 splits are done; stage 0 waits"],
    ["drivers are about to begin", [[fresh], [fresh]], false, "NONE", "Stages 0, 1 are working, 0 of 4 splits are done"],
    ["tasks are being created", [[blocked], [{}, fresh, {}]], false, "NONE", "Stage 1 is working, 0 of 2 splits are done; stage 0 waits"],
    ["no task is there yet", [[{}], [{}, {}]], false, "WORKERS", "Waiting for worker-0, worker-1 to create 3 of 3 tasks"],
    ["pages are missing", [[blocked], [blocked], [blocked]], true, "EXCHANGE", /^Stage 0 waits for pages of stage 1; stage 1 waits for/],
    ["nobody takes pages", [[blocked], [blocked]], true, "EXCHANGE", /; stage 1 waits until stage 0 takes its pages$/],
    [
      "splits are missing",
      [[blocked], [{ ...blocked, awaitsSplits: true }]],
      true,
      "SPLITS",
      "Stage 1 waits for further splits from the coordinator",
    ],
  ] as const)("when %s", (_, tasks, isBlocked, reason, message) => {
    expect(waitWhileRunning(tasks)).toEqual({ reason, message: expect.stringMatching(message), isBlocked });
  });

  test("a full buffer, whether others work meanwhile or not", () => {
    const results = { isFull: true, availableBytes: 2 * 1024 * 1024 };
    const message = "Waiting for the client: the result buffer is full (2MB) and the client has not fetched for 5.00s";
    expect(waitWhileRunning([[blocked], [working]], results)).toEqual({ reason: "CLIENT", message, isBlocked: false });
    expect(waitWhileRunning([[blocked], [blocked]], results)).toEqual({ reason: "CLIENT", message, isBlocked: true });
  });
});

describe("what a query waits for", () => {
  const trino = { "x-trino-user": "ann" };
  const waitIn = async (world: FakeCoordinator, id: unknown): Promise<unknown[]> => {
    const { json } = await world.ask("GET", `/v1/query/${String(id)}`);
    return [json["state"], json["waitReason"], json["waitMessage"]];
  };

  test("a slot, with its place in the queue; then its client", async () => {
    const world = new FakeCoordinator({ concurrentQueriesMax: 1 });
    const [first, , last] = [await world.submit("1", trino), await world.submit("2", trino), await world.submit("3", trino)];
    const message = "Waiting for a slot: number 2 of 2 in the queue; 1 of at most 1 queries are running";
    expect(await waitIn(world, last.json["id"])).toEqual(["QUEUED", "ADMISSION", message]);
    await settle();
    world.root.counters = { totalDrivers: 1, completedDrivers: 0, runningDrivers: 0, blockedDrivers: 1 };
    world.root.push(world.frame(["x".repeat(1024 * 1024)]));
    await settle();
    await world.clock.advance(3000);
    const [state, reason, text] = await waitIn(world, first.json["id"]);
    expect([state, reason]).toEqual(["RUNNING", "CLIENT"]);
    expect(text).toMatch(/the result buffer is full \(1\.00MB\) and the client has not fetched for 3\.\d\ds$/);
    expect((await world.ask("GET", "/v1/cluster")).json).toMatchObject({ blockedQueries: 1, queuedQueries: 2, finishedQueries: 0 });
    await world.ask("DELETE", `/v1/query/${first.json["id"] as string}`);
    expect(await waitIn(world, first.json["id"])).toEqual(["FAILED", undefined, undefined]);
    expect((await world.ask("GET", "/v1/cluster")).json).toMatchObject({ queuedQueries: 1, failedQueries: 1 });
  });

  test("its turn to be planned, with its place", () => {
    const queryIn = (state: string): Query => ({ id: "q", state }) as Query;
    const waits = { ...facts, turn: () => ({ number: 3, of: 40 }) };
    const expected = { reason: "ADMISSION", message: "Waiting to be planned: number 3 of 40 queries that have a slot", isBlocked: false };
    expect(waitOf(queryIn("QUEUED"), waits)).toEqual(expected);
    expect(waitOf(queryIn("WAITING_FOR_RESOURCES"), waits)).toEqual(expected);
  });

  test("workers", async () => {
    const world = new FakeCoordinator({ requiredWorkers: 3 });
    const { json } = await world.submit("1", trino);
    expect(await waitIn(world, json["id"])).toEqual(["WAITING_FOR_RESOURCES", "WORKERS", "Waiting for workers: 1 of 3 are active"]);
  });

  test("its plan", async () => {
    const world = new FakeCoordinator();
    world.plan = () => new Promise(() => {});
    const { json } = await world.submit("1", trino);
    await settle();
    expect(await waitIn(world, json["id"])).toEqual(["PLANNING", "PLANNING", "The statement is being analyzed and planned"]);
  });
});
