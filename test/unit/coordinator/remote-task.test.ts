import { describe, expect, test } from "vitest";
import { defaultCoordinatorConfig } from "../../../src/coordinator/context.ts";
import { RemoteTask } from "../../../src/coordinator/remote-task.ts";
import { taskWire } from "../../../src/coordinator/task-wire.ts";
import { NetworkError, noBody } from "../../../src/ports/network.ts";
import { jsonResponse, textResponse } from "../../../src/protocol/http.ts";
import { type TaskDocument, taskInfoExample, type TaskStatusDocument, taskStatusExample } from "../../../src/protocol/task.ts";
import { ManualClock, settle } from "../../support/manual-clock.ts";
import { FakeCluster, FakeNetwork, fakePorts } from "./fakes.ts";

const uri = "http://worker:1/v1/task/q.1.0";

function status(version: number, state: TaskStatusDocument["state"], instance = "one"): TaskStatusDocument {
  return { ...taskStatusExample, version, state, taskInstanceId: instance, failures: [] };
}

function info(version: number, state: TaskStatusDocument["state"], instance = "one"): TaskDocument {
  return { ...taskInfoExample, version, state, failures: [], taskStatus: status(version, state, instance) };
}

class World {
  readonly clock = new ManualClock();
  readonly network = new FakeNetwork();
  readonly cluster = new FakeCluster();
  changes = 0;
  readonly task = new RemoteTask({
    taskId: "q.1.0",
    node: { nodeId: "worker", uri: "http://worker:1" },
    bufferCount: 2,
    createBody: () => noBody,
    wire: taskWire,
    ports: fakePorts(this.clock, this.network),
    cluster: this.cluster,
    config: { ...defaultCoordinatorConfig, taskFollowDelayMs: 0, remoteTaskErrorDurationMaxMs: 2000 },
    onChange: () => {
      this.changes += 1;
    },
  });

  asked(): readonly string[] {
    return this.network.requests.map((request) => `${request.method} ${request.url.replace(uri, "")}`);
  }
}

/** A long poll that is never answered. */
const never = new Promise<never>(() => {});

describe("a task on another node", () => {
  test("is created, followed by its version, and deleted for its final document", async () => {
    const world = new World();
    world.network.answer = (request) => {
      if (request.method === "POST") {
        return jsonResponse(200, info(1, "RUNNING"));
      }
      if (request.method === "DELETE") {
        return jsonResponse(200, info(9, "FINISHED"));
      }
      return request.headers["x-engine-current-version"] === "1" ? jsonResponse(200, status(5, "FINISHED")) : never;
    };
    expect(await world.task.start()).toBe(true);
    await settle();
    expect(world.task.state).toBe("FINISHED");
    await world.task.end("cancel");
    expect(world.asked()).toEqual(["POST ", "GET /status", "DELETE ?abort=false"]);
    expect(world.task.document).toMatchObject({ state: "FINISHED", version: 9 });
    expect(world.task.document).not.toHaveProperty("taskStatus");
    expect(world.cluster.listenerCount).toBe(0);
    expect(world.clock.labels).toEqual([]);
  });

  test("lost answers are asked again with growing pauses, and give up with Presto's words", async () => {
    const world = new World();
    const at: number[] = [];
    world.network.answer = () => {
      at.push(world.clock.monotonicNanos() / 1e6);
      throw new NetworkError("CONNECTION_RESET", "reset");
    };
    const started = world.task.start();
    await world.clock.advance(10_000);
    expect(await started).toBe(false);
    expect(at.map((time) => time - (at[0] as number))).toEqual([0, 50, 150, 350, 850, 1350, 1850, 2350]);
    expect(world.task.failure).toMatchObject({ errorName: "TOO_MANY_REQUESTS_FAILED", remoteHost: "http://worker:1" });
    expect(world.task.failure?.message).toContain(`${uri} - 8 failures, failure duration 2.35s`);
  });

  test("an answer after failures starts the count anew; 503 is a failure like a lost answer", async () => {
    const world = new World();
    let count = 0;
    world.network.answer = (request) => {
      count += 1;
      if (request.method === "GET") {
        return never;
      }
      return count < 4 ? textResponse(503, "busy") : jsonResponse(200, info(1, "RUNNING"));
    };
    const started = world.task.start();
    await world.clock.advance(1000);
    expect(await started).toBe(true);
    expect(world.task.state).toBe("RUNNING");
  });

  test("a node known to be gone fails its tasks at once", async () => {
    const world = new World();
    world.network.answer = (request) => (request.method === "POST" ? jsonResponse(200, info(1, "RUNNING")) : never);
    await world.task.start();
    world.cluster.gone.add("http://worker:1");
    world.cluster.changed();
    expect(world.task.failure?.errorName).toBe("REMOTE_HOST_GONE");
    await world.task.end("abort");
    expect(world.asked()).toEqual(["POST ", "GET /status"]);
  });

  test("another instance under the same id means that the node was restarted", async () => {
    const world = new World();
    world.network.answer = (request) =>
      request.method === "POST" ? jsonResponse(200, info(1, "RUNNING")) : jsonResponse(200, status(2, "RUNNING", "two"));
    await world.task.start();
    await settle();
    expect(world.task.failure?.errorName).toBe("REMOTE_TASK_MISMATCH");
  });

  test("an unknown task and an unreadable answer are fatal", async () => {
    for (const answer of [textResponse(404, "Task not found"), textResponse(200, "{}"), textResponse(500, "boom")]) {
      const world = new World();
      world.network.answer = (request) => (request.method === "POST" ? jsonResponse(200, info(1, "RUNNING")) : answer);
      await world.task.start();
      await settle();
      expect(world.task.failure?.errorName).toBe("REMOTE_TASK_ERROR");
    }
  });

  test("older reports are ignored and an end is never replaced", async () => {
    const world = new World();
    const answers = [status(7, "RUNNING"), status(3, "PLANNED"), { ...status(8, "FAILED"), failures: [] }];
    world.network.answer = (request) =>
      request.method === "POST"
        ? jsonResponse(200, info(5, "RUNNING"))
        : request.method === "DELETE"
          ? jsonResponse(200, info(10, "ABORTED"))
          : jsonResponse(200, answers.shift());
    await world.task.start();
    await settle();
    expect(world.task.state).toBe("FAILED");
    await world.task.end("abort");
    expect(world.task.state).toBe("FAILED");
  });

  test("ending waits for the creation that is under way, so that no task is left behind", async () => {
    const world = new World();
    let answer = (): void => {};
    world.network.answer = async (request) => {
      if (request.method === "POST") {
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        return jsonResponse(200, info(1, "RUNNING"));
      }
      return jsonResponse(200, info(2, "ABORTED"));
    };
    const started = world.task.start();
    await settle();
    const ended = world.task.end("abort");
    await settle();
    expect(world.asked()).toEqual(["POST "]);
    answer();
    await ended;
    expect(await started).toBe(false);
    expect(world.asked()).toEqual(["POST ", "DELETE ?abort=true"]);
    expect(world.task.state).toBe("ABORTED");
  });

  test("a task that was never sent is ended without a word", async () => {
    const world = new World();
    await world.task.end("cancel");
    expect(world.asked()).toEqual([]);
    expect(world.task.state).toBe("CANCELED");
  });

  test("finishing early closes its buffers and leaves the task to its readers", async () => {
    const world = new World();
    world.network.answer = (request) => (request.method === "POST" ? jsonResponse(200, info(1, "RUNNING")) : never);
    await world.task.start();
    world.task.finishEarly();
    await settle();
    expect(world.asked()).toEqual(["POST ", "GET /status", "DELETE /results/0", "DELETE /results/1"]);
  });
});
