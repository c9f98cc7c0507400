import { describe, expect, test } from "vitest";
import type { PlanFragment } from "../../../src/planner/fragmenter/fragment.ts";
import { failureDocument } from "../../../src/protocol/documents/fields.ts";
import { noRetry } from "../../../src/coordinator/scheduler/retry-policy.ts";
import { leaf, start, threeStages } from "./fake-workers.ts";
import { settle } from "../../support/manual-clock.ts";
import { nextUri, rootFragment, stateOf } from "./fakes.ts";

describe("a query of three stages", () => {
  test("creates tasks from the leaves up, with everything they will ever need", async () => {
    const { workers, id, world, first } = await start();
    expect(workers.log).toEqual([`create ${id}.2.0`, `create ${id}.1.0`, `create ${id}.1.1`]);
    expect(workers.bodies.get(`${id}.1.1`)).toMatchObject({
      outputIds: { kind: "PARTITIONED", bufferCount: 1 },
      sources: [
        {
          planNodeId: "r2",
          noMoreSplits: true,
          splits: [{ sequenceId: 0, split: { kind: "remote", fragmentId: 2, location: `http://worker-1:1/v1/task/${id}.2.0/results/1` } }],
        },
      ],
    });
    expect(world.tasks.length).toBe(1);
    expect(first.json["stats"]).toMatchObject({
      nodes: 0,
      rootStage: {
        state: "SCHEDULED",
        subStages: [{ stageId: "1", state: "SCHEDULED", subStages: [{ stageId: "2", state: "SCHEDULED" }] }],
      },
    });
    expect(first.json["partialCancelUri"]).toBe(`http://here:8080/v1/stage/${id}.2`);
  });

  test("shows true counters while it runs and after its end, and the workers forget its tasks", async () => {
    const { world, workers, id, first } = await start();
    workers.set(`${id}.2.0`, "RUNNING", { totalDrivers: 5, completedDrivers: 2, runningDrivers: 1, blockedDrivers: 1, queuedDrivers: 1 });
    const update = world.ask("GET", nextUri(first));
    await world.clock.advance(1000);
    const running = await update;
    expect(running.json["stats"]).toMatchObject({
      state: "RUNNING",
      rootStage: {
        subStages: [
          { state: "RUNNING", nodes: 2, subStages: [{ nodes: 1, totalSplits: 5, completedSplits: 2, runningSplits: 2, queuedSplits: 1 }] },
        ],
      },
    });
    for (const task of ["2.0", "1.0", "1.1"]) {
      workers.set(`${id}.${task}`, "FINISHED", {
        totalDrivers: 5,
        completedDrivers: 5,
        runningDrivers: 0,
        blockedDrivers: 0,
        queuedDrivers: 0,
      });
    }
    world.root.push(world.frame(["x"]));
    world.root.finishOutput();
    const last = await world.ask("GET", nextUri(running));
    expect(last.json).toMatchObject({
      data: [["x"]],
      stats: {
        state: "FINISHED",
        scheduled: true,
        progressPercentage: 100,
        rootStage: {
          state: "FINISHED",
          done: true,
          subStages: [{ state: "FINISHED", subStages: [{ state: "FINISHED", completedSplits: 5 }] }],
        },
      },
    });
    expect(workers.states.size).toBe(0);
    expect(world.queryMemory.reservedBytes).toBe(0);
    expect(world.clock.labels).toEqual([]);
  });

  test("the workers' tasks end as soon as the root task has all their pages, and their loss is of no consequence then", async () => {
    const { world, workers, id, first } = await start();
    workers.log.length = 0;
    const failure = failureDocument({ errorName: "REMOTE_HOST_GONE", message: "lost" });
    workers.set(`${id}.1.0`, "FAILED", { failures: [failure] });
    world.root.options.onInputReceived?.();
    await settle();
    expect(workers.log).toEqual([`delete ${id}.1.0?abort=false`, `delete ${id}.1.1?abort=false`, `delete ${id}.2.0?abort=false`]);
    world.root.push(world.frame(["x"]));
    world.root.finishOutput();
    expect((await world.ask("GET", nextUri(first))).json).toMatchObject({ data: [["x"]], stats: { state: "FINISHED" } });
    expect(workers.log.length).toBe(3);
  });

  test("a query that is cancelled while it waits for the last numbers leaves no timer", async () => {
    const { world, workers, first } = await start();
    world.network.answer = (request) => (request.method === "DELETE" ? new Promise<never>(() => undefined) : workers.answer(request));
    world.root.push(world.frame(["x"]));
    world.root.finishOutput();
    const poll = world.ask("GET", nextUri(first));
    await settle();
    expect(world.clock.labels).toContain("query-settle");
    await world.ask("DELETE", nextUri(first));
    await settle();
    expect(world.clock.labels).not.toContain("query-settle");
    expect((await poll).json).toMatchObject({ error: { errorName: "USER_CANCELED" } });
  });

  test("an early end above cancels what is below", async () => {
    const { world, workers, first } = await start();
    world.root.push(world.frame(["x"]));
    world.root.finishOutput();
    const last = await world.ask("GET", nextUri(first));
    expect(last.json).toMatchObject({
      data: [["x"]],
      stats: { state: "FINISHED", rootStage: { subStages: [{ state: "CANCELED", done: true, subStages: [{ state: "CANCELED" }] }] } },
    });
    expect(workers.states.size).toBe(0);
  });

  test("a stage that two stages read is created and shown once, and ends when neither reads it any more", async () => {
    const read = (id: string, ...fragmentIds: number[]): PlanFragment["root"] => ({ kind: "RemoteSource", id, fragmentIds, outputs: [] });
    const { world, workers, id, first } = await start([
      { ...rootFragment(), root: read("r1", 1, 2) },
      { ...leaf(1, "SINGLE"), root: read("r2", 3) },
      { ...leaf(2, "SINGLE"), root: read("r3", 3) },
      leaf(3, "SINGLE"),
    ]);
    expect(workers.log).toEqual([`create ${id}.3.0`, `create ${id}.1.0`, `create ${id}.2.0`]);
    expect(workers.bodies.get(`${id}.3.0`)).toMatchObject({ outputIds: { kind: "SHARED", bufferCount: 2, readerCount: 2 } });
    const location = (number: number) => ({ split: { location: `http://worker-1:1/v1/task/${id}.3.0/results/${number}` } });
    expect(workers.bodies.get(`${id}.1.0`)).toMatchObject({ sources: [{ splits: [location(0)] }] });
    expect(workers.bodies.get(`${id}.2.0`)).toMatchObject({ sources: [{ splits: [location(1)] }] });
    expect(first.json["stats"]).toMatchObject({
      rootStage: {
        subStages: [
          { stageId: "1", subStages: [{ stageId: "3" }] },
          { stageId: "2", subStages: [] },
        ],
      },
    });
    // The first consumer needs no more rows.
    workers.set(`${id}.1.0`, "FINISHED");
    await settle();
    expect(workers.log.filter((line) => line.startsWith("delete"))).toEqual([]);
    workers.set(`${id}.2.0`, "FINISHED");
    await settle();
    expect(workers.log.filter((line) => line.startsWith("delete"))).toEqual([`delete ${id}.3.0?abort=false`]);
    world.root.finishOutput();
    const last = await world.ask("GET", nextUri(first));
    expect(last.json).toMatchObject({ stats: { state: "FINISHED" } });
    expect(workers.states.size).toBe(0);
  });

  test("a failed task fails the query with its own first failure, and everything is aborted", async () => {
    const { world, workers, id, first } = await start();
    workers.set(`${id}.2.0`, "FAILED", { failures: [failureDocument({ errorName: "DIVISION_BY_ZERO", message: "Division by zero" })] });
    const last = await world.ask("GET", nextUri(first));
    expect(last.json["error"]).toMatchObject({ errorName: "DIVISION_BY_ZERO", message: "Division by zero" });
    await settle();
    expect(workers.log.filter((line) => line.startsWith("delete")).toSorted()).toEqual(
      ["1.0", "1.1", "2.0"].map((task) => `delete ${id}.${task}?abort=true`),
    );
    expect(world.root.state).toBe("ABORTED");
    expect((await world.ask("GET", `/v1/query/${id}`)).json["outputStage"]).toMatchObject({
      state: "ABORTED",
      subStages: [{ state: "ABORTED", subStages: [{ state: "FAILED", failureCause: { type: "DIVISION_BY_ZERO" } }] }],
    });
  });

  test("a consumer's read error waits for its root cause", async () => {
    const { world, workers, id, first } = await start();
    workers.set(`${id}.1.0`, "FAILED", { failures: [failureDocument({ errorName: "PAGE_TRANSPORT_ERROR", message: "no answer" })] });
    const poll = world.ask("GET", nextUri(first));
    await world.clock.advance(100);
    workers.set(`${id}.2.0`, "FAILED", { failures: [failureDocument({ errorName: "EXCEEDED_LOCAL_MEMORY_LIMIT", message: "too much" })] });
    await settle();
    expect((await poll).json["error"]).toMatchObject({ errorName: "EXCEEDED_LOCAL_MEMORY_LIMIT" });
  });

  test("and is reported if there is no other error", async () => {
    const { world, workers, id, first } = await start(threeStages(), { retry: noRetry });
    workers.set(`${id}.1.0`, "FAILED", { failures: [failureDocument({ errorName: "PAGE_TRANSPORT_ERROR", message: "no answer" })] });
    const poll = world.ask("GET", nextUri(first));
    await world.clock.advance(500);
    expect((await poll).json["error"]).toMatchObject({ errorName: "PAGE_TRANSPORT_ERROR" });
  });

  test("a worker that is gone ends the query at once", async () => {
    const { world, first } = await start(threeStages(), { retry: noRetry });
    const poll = world.ask("GET", nextUri(first));
    await settle();
    world.cluster.gone.add("http://worker-2:1");
    world.cluster.changed();
    expect((await poll).json["error"]).toMatchObject({ errorName: "REMOTE_HOST_GONE" });
  });

  test("a worker that cannot be reached at the end does not hold the rows back for long", async () => {
    const { world, workers, first } = await start();
    const answer = world.network.answer;
    world.network.answer = (request, options) => (request.method === "DELETE" ? new Promise(() => {}) : answer(request, options));
    world.root.push(world.frame(["x"]));
    world.root.finishOutput();
    const poll = world.ask("GET", nextUri(first));
    await world.clock.advance(500);
    expect(stateOf(await poll)).toBe("FINISHED");
    expect(workers.states.size).toBe(3);
  });

  test("ending a stage by its address lets the query go on with the rows it has", async () => {
    const { world, workers, id } = await start();
    expect((await world.ask("DELETE", `/v1/stage/${id}.2`)).status).toBe(204);
    await settle();
    expect(workers.log.filter((line) => line.startsWith("delete"))).toEqual([`delete ${id}.2.0/results/0`, `delete ${id}.2.0/results/1`]);
    expect((await world.ask("DELETE", "/v1/stage/unknown.1")).status).toBe(204);
    expect((await world.ask("DELETE", "/v1/stage/nonsense")).status).toBe(400);
  });

  test("closing the coordinator ends its queries and tells the workers", async () => {
    const { world, workers } = await start();
    await world.coordinator.close();
    expect(workers.states.size).toBe(0);
    expect(world.queryMemory.reservedBytes).toBe(0);
    expect(world.clock.labels).toEqual([]);
  });
});
