import { describe, expect, test } from "vitest";
import { defaultCoordinatorConfig } from "../../support/coordinator-config.ts";
import { RemoteTask } from "../../../src/coordinator/scheduler/remote-task.ts";
import { taskWire } from "../../../src/coordinator/scheduler/task-wire.ts";
import { type HttpResponse, NetworkError, noBody } from "../../../src/ports/network.ts";
import { jsonResponse, textResponse } from "../../../src/protocol/http/http.ts";
import { type TaskDocument, taskInfoExample, type TaskStatusDocument, taskStatusExample } from "../../../src/protocol/documents/task.ts";
import { decodeUtf8, encodeUtf8 } from "../../../src/types/utf8.ts";
import { ManualClock, settle } from "../../support/manual-clock.ts";
import { sleep } from "../../../src/ports/clock.ts";
import { FakeCluster, FakeNetwork, fakePorts } from "./fakes.ts";
import { partialResultWarning } from "../../../src/protocol/documents/warnings.ts";

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
  mayLeave = true;
  readonly moreSplits: Uint8Array[] = [];
  readonly task: RemoteTask;

  constructor(incarnation = "first") {
    this.task = new RemoteTask({
      taskId: "q.1.0",
      node: { nodeId: "worker", uri: "http://worker:1", incarnation },
      coordinatorIncarnation: "first of c",
      bufferCount: 2,
      bodies: { create: () => noBody, nextSplits: () => this.moreSplits.shift(), filters: () => noBody, replacedSources: () => noBody },
      remoteFilterIds: [],
      wire: taskWire,
      ports: fakePorts(this.clock, this.network),
      cluster: this.cluster,
      mayLeaveNode: () => this.mayLeave,
      config: { ...defaultCoordinatorConfig, taskFollowDelayMs: 0, remoteTaskErrorDurationMaxMs: 7000 },
      onChange: () => {
        this.changes += 1;
      },
    });
  }

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

  test("answers its creation with its status; its document is asked for when it has run for a while", async () => {
    const world = new World();
    world.network.answer = (request) => {
      if (request.method === "POST") {
        expect(request.headers).toMatchObject({ "x-engine-task-answer": "status" });
        return jsonResponse(200, status(1, "RUNNING"));
      }
      const isStatus = request.url.endsWith("/status");
      return request.headers["x-engine-current-version"] === "2"
        ? never
        : jsonResponse(200, isStatus ? status(2, "RUNNING") : info(2, "RUNNING"));
    };
    expect(await world.task.start()).toBe(true);
    expect([world.task.state, world.task.document]).toEqual(["RUNNING", undefined]);
    await settle();
    expect(world.asked()).toEqual(["POST ", "GET /status", "GET /status"]);
    const other = new World();
    let polls = 0;
    other.network.answer = async (request) => {
      if (request.method === "POST") {
        return jsonResponse(200, status(1, "RUNNING"));
      }
      if (request.url.endsWith("/status")) {
        await sleep(other.clock, "answer", 60);
        polls += 1;
        return jsonResponse(200, status(1 + polls, "RUNNING"));
      }
      return jsonResponse(200, info(9, "FINISHED"));
    };
    await other.task.start();
    await other.clock.advance(500);
    expect(other.asked()).toEqual(["POST ", "GET /status", "GET /status", "GET "]);
    expect(other.task.document).toMatchObject({ state: "FINISHED", version: 9 });
  });

  test("is given further splits one request after the other while it is followed, a lost one again, until it has ended", async () => {
    const world = new World();
    world.moreSplits.push(...["a", "b", "c", "d"].map(encodeUtf8));
    const bodies: string[] = [];
    let ended: (response: HttpResponse) => void = () => undefined;
    const end = new Promise<HttpResponse>((resolve) => {
      ended = resolve;
    });
    world.network.answer = (request) => {
      if (request.method !== "POST") {
        return end;
      }
      bodies.push(decodeUtf8(request.body));
      if (bodies.length === 3) {
        throw new NetworkError("CONNECTION_RESET", "reset");
      }
      return jsonResponse(200, info(bodies.length, "RUNNING"));
    };
    expect(await world.task.start()).toBe(true);
    expect(bodies).toEqual([""]);
    await world.clock.advance(100);
    expect(bodies).toEqual(["", "a"]);
    await world.clock.advance(150);
    expect(bodies).toEqual(["", "a", "b", "b"]);
    await world.clock.advance(100);
    expect(bodies).toEqual(["", "a", "b", "b", "c"]);
    ended(jsonResponse(200, status(9, "FINISHED")));
    await world.clock.advance(1000);
    expect(bodies.length).toBe(5);
    expect(world.clock.labels).toEqual([]);
  });

  test("is given no more splits once it is to end", async () => {
    const world = new World();
    world.moreSplits.push(noBody, noBody);
    world.network.answer = (request) => (request.method === "GET" ? never : jsonResponse(200, info(1, "RUNNING")));
    await world.task.start();
    const ending = world.task.end("abort");
    expect(world.clock.labels).toEqual([]);
    await ending;
    expect(world.asked().filter((asked) => asked === "POST ").length).toBe(1);
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
    expect(at.map((time) => time - (at[0] as number))).toEqual([
      0, 50, 150, 350, 850, 1350, 1850, 2350, 2850, 3350, 3850, 4350, 4850, 5350, 5850, 6350, 6850, 7350,
    ]);
    expect(world.task.failure).toMatchObject({ errorName: "TOO_MANY_REQUESTS_FAILED", remoteHost: "http://worker:1" });
    expect(world.task.failure?.message).toContain(`${uri} - 18 failures, failure duration 7.35s`);
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

  test("a node that is silent loses its tasks, if they can run elsewhere, and deletes them once it goes on", async () => {
    const world = new World();
    world.network.answer = (request) =>
      request.method === "POST"
        ? jsonResponse(200, info(1, "RUNNING"))
        : request.method === "GET"
          ? never
          : jsonResponse(200, info(9, "ABORTED"));
    await world.task.start();
    world.mayLeave = false;
    world.cluster.unresponsive.add("http://worker:1");
    world.cluster.changed();
    expect(world.task.state).toBe("RUNNING");
    world.mayLeave = true;
    world.cluster.changed();
    expect(world.task.failure).toMatchObject({ errorName: "TOO_MANY_REQUESTS_FAILED", remoteHost: "http://worker:1" });
    await world.task.end("abort");
    expect(world.asked()).toEqual(["POST ", "GET /status", "DELETE ?abort=true"]);
  });

  test("a task that is being deleted, or whose node is gone, is not asked for its document", async () => {
    const ends: readonly ((world: World) => void)[] = [
      (world) => void world.task.end("cancel"),
      (world) => void world.cluster.gone.add("http://worker:1"),
    ];
    for (const end of ends) {
      const world = new World();
      world.network.answer = ({ method }) => (method === "POST" ? jsonResponse(200, info(1, "RUNNING")) : never);
      await world.task.start();
      end(world);
      expect(await world.task.ask(1000)).toBeUndefined();
      expect(world.asked()).not.toContain("GET ");
    }
  });

  test("a node that was gone, is back and has taken the creation is asked to delete the task", async () => {
    const world = new World();
    let create: (response: HttpResponse) => void = () => {};
    world.network.answer = (request) =>
      request.method === "POST"
        ? new Promise<HttpResponse>((resolve) => {
            create = resolve;
          })
        : jsonResponse(200, info(9, "ABORTED"));
    const started = world.task.start();
    await settle();
    world.cluster.gone.add("http://worker:1");
    world.cluster.changed();
    expect(world.task.failure?.errorName).toBe("REMOTE_HOST_GONE");
    const ended = world.task.end("abort");
    world.cluster.gone.delete("http://worker:1");
    world.cluster.changed();
    create(jsonResponse(200, info(1, "RUNNING")));
    expect(await started).toBe(false);
    await ended;
    expect(world.asked()).toEqual(["POST ", "DELETE ?abort=true"]);
    expect(world.task.state).toBe("FAILED");
  });

  test("another instance under the same id means that the node was restarted", async () => {
    const world = new World();
    world.network.answer = (request) =>
      request.method === "POST" ? jsonResponse(200, info(1, "RUNNING")) : jsonResponse(200, status(2, "RUNNING", "two"));
    await world.task.start();
    await settle();
    expect(world.task.failure?.errorName).toBe("REMOTE_TASK_MISMATCH");
  });

  test("names the incarnation of the node that it is meant for, or none if the node announced none", async () => {
    for (const incarnation of ["first", ""]) {
      const world = new World(incarnation);
      world.network.answer = (request) => (request.method === "POST" ? jsonResponse(200, info(1, "RUNNING")) : never);
      await world.task.start();
      expect(world.network.requests[0]?.headers["x-engine-node-life"]).toBe(incarnation === "" ? undefined : incarnation);
    }
  });

  test("is lost if another incarnation answers and the intended one may have had it", async () => {
    const world = new World();
    world.network.answer = () => {
      if (world.network.requests.length === 1) {
        throw new NetworkError("CONNECTION_RESET", "reset");
      }
      return textResponse(412, "another life");
    };
    // It does not matter that the cluster view has the next incarnation.
    world.cluster.workers = [{ nodeId: "worker", uri: "http://worker:1", incarnation: "second" }];
    const started = world.task.start();
    await world.clock.advance(100);
    expect(await started).toBe(false);
    expect(world.task.failure).toMatchObject({ errorName: "REMOTE_TASK_MISMATCH", remoteHost: "http://worker:1" });
    await world.task.end("abort");
    expect(world.asked()).toEqual(["POST ", "POST "]);
  });

  test("moves to the next incarnation as soon as the cluster knows it if the former one certainly never had it", async () => {
    const world = new World();
    const named: unknown[] = [];
    world.network.answer = (request) => {
      if (request.method === "GET") {
        return never;
      }
      named.push(request.headers["x-engine-node-life"]);
      switch (named.length) {
        case 1:
          return textResponse(503, "Server is shutting down", { "x-engine-node-state": "SHUTTING_DOWN" });
        case 2:
          throw new NetworkError("CONNECTION_REFUSED", "nobody there");
        default:
          return named.at(-1) === "second" ? jsonResponse(200, info(1, "RUNNING")) : textResponse(412, "another life");
      }
    };
    const started = world.task.start();
    await world.clock.advance(1000);
    expect(named.every((incarnation) => incarnation === "first")).toBe(true);
    world.cluster.workers = [{ nodeId: "worker", uri: "http://worker:1", incarnation: "second" }];
    await world.clock.advance(1000);
    expect(await started).toBe(true);
    expect(named.at(-1)).toBe("second");
  });

  test("is lost if the cluster learns of no other incarnation for a while", async () => {
    const world = new World();
    world.network.answer = () => textResponse(412, "another life");
    const started = world.task.start();
    await world.clock.advance(4900);
    expect(world.task.state).toBe("PLANNED");
    await world.clock.advance(1000);
    expect(await started).toBe(false);
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

  test("sums never fall, though a document without exact numbers rounds them down", async () => {
    const world = new World();
    const { taskStatus: _, ...rounded } = info(6, "RUNNING");
    const answers = [
      { ...status(5, "RUNNING"), rawInputBytes: 178_999 },
      { ...rounded, taskInstanceId: "one" },
    ];
    world.network.answer = (request) =>
      request.method === "POST"
        ? jsonResponse(200, info(1, "RUNNING"))
        : request.method === "DELETE"
          ? jsonResponse(200, answers[1])
          : answers[0] !== undefined && request.headers["x-engine-current-version"] === "1"
            ? jsonResponse(200, answers[0])
            : never;
    await world.task.start();
    await settle();
    expect(world.task.counters?.rawInputBytes).toBe(178_999);
    await world.task.end("cancel");
    expect(world.task.counters?.rawInputBytes).toBe(178_999);
    expect(world.task.counters?.rawInputPositions).toBe(16_384);
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

  test("tells what its joins have built as its answers do; from an end, and from a build that does not speak of it, nothing is to be expected", async () => {
    const world = new World();
    const keys = { kind: "INTEGERS" as const, low: "1", high: "9" };
    let answer: (response: HttpResponse) => void = () => {};
    world.network.answer = (request) =>
      request.method === "POST"
        ? jsonResponse(200, { ...info(1, "RUNNING"), taskStatus: { ...status(1, "RUNNING"), dynamicFilters: { df_1: keys } } })
        : new Promise((resolve) => {
            answer = resolve;
          });
    expect(world.task.filterOf("df_1")).toBeUndefined();
    await world.task.start();
    expect(world.task.filterOf("df_1")).toEqual(keys);
    expect(world.task.filterOf("df_2")).toBeUndefined();
    await settle();
    answer(jsonResponse(200, status(2, "FINISHED")));
    await settle();
    expect(world.task.filterOf("df_1")).toEqual(keys);
    expect(world.task.filterOf("df_2")).toEqual({ kind: "ALL" });

    const older = new World();
    older.network.answer = (request) => (request.method === "POST" ? jsonResponse(200, info(1, "RUNNING")) : never);
    await older.task.start();
    expect(older.task.filterOf("df_1")).toEqual({ kind: "ALL" });
  });

  test("passes on the warnings that its answers tell", async () => {
    const world = new World();
    const warnings = [partialResultWarning("half")];
    let answer: (response: HttpResponse) => void = () => {};
    world.network.answer = (request) =>
      request.method === "POST"
        ? jsonResponse(200, info(1, "RUNNING"))
        : new Promise((resolve) => {
            answer = resolve;
          });
    await world.task.start();
    expect(world.task.warnings).toEqual([]);
    await settle();
    answer(jsonResponse(200, { ...status(2, "RUNNING"), warnings }));
    await settle();
    expect(world.task.warnings).toEqual(warnings);
    answer(jsonResponse(200, status(3, "FINISHED")));
    await settle();
    expect(world.task.warnings).toEqual(warnings);
  });

  test("is given filters while it is followed, again when the answer is lost, and for the life that was meant", async () => {
    const world = new World();
    let posts = 0;
    world.network.answer = (request) => {
      if (request.method !== "POST") {
        return never;
      }
      posts += 1;
      if (posts === 2) {
        throw new NetworkError("CONNECTION_RESET", "reset");
      }
      return jsonResponse(200, info(posts, "RUNNING"));
    };
    await world.task.start();
    world.task.giveFilters({ df_1: { kind: "NONE" } });
    await settle();
    await world.clock.advance(1_000);
    await settle();
    expect(world.asked()).toEqual(["POST ", "GET /status", "POST ", "POST "]);
    expect(world.network.requests.at(-1)?.headers["x-engine-node-life"]).toBe("first");
    expect(world.task.state).toBe("RUNNING");
  });

  test("fails when it cannot be given its filters, and asks nothing once it has ended", async () => {
    const world = new World();
    let posts = 0;
    world.network.answer = (request) => {
      posts += request.method === "POST" ? 1 : 0;
      return request.method !== "POST"
        ? never
        : posts === 1
          ? jsonResponse(200, info(1, "RUNNING"))
          : textResponse(404, "Task is not known");
    };
    await world.task.start();
    world.task.giveFilters({ df_1: { kind: "NONE" } });
    await settle();
    expect(world.task.state).toBe("FAILED");
    expect(world.task.failure?.errorName).toBe("REMOTE_TASK_ERROR");
    world.task.giveFilters({ df_1: { kind: "NONE" } });
    await settle();
    expect(posts).toBe(2);
  });
});

describe("the pipelines of a task document", () => {
  function reportOf(document: TaskDocument | Record<string, unknown>): ReturnType<typeof taskWire.readInfo> {
    return taskWire.readInfo(jsonResponse(200, document).body);
  }
  const { taskStatus: _, ...shown } = info(9, "FINISHED");

  test("are read when the document is asked for", () => {
    const report = reportOf(info(9, "FINISHED"));
    expect(report).toMatchObject({
      state: "FINISHED",
      version: 9,
      counters: { totalDrivers: 1, endMillis: Date.parse("2014-01-15T17:06:48.900Z") },
    });
    expect(report.document?.read()).toEqual(shown);
  });

  test("are read at once if another build writes the members in another order", () => {
    const { failures, stats, ...rest } = info(9, "FINISHED");
    expect(reportOf({ failures, stats, ...rest }).document?.read()).toEqual(shown);
    const { pipelines, ...counters } = stats;
    expect(reportOf({ ...rest, stats: { pipelines, ...counters }, failures }).document?.read()).toEqual(shown);
  });

  test("do not spoil the counters if they are not valid; the task has no document then", async () => {
    const world = new World();
    const broken = { ...shown, stats: { ...taskInfoExample.stats, pipelines: [{}] }, failures: [], taskStatus: status(9, "FINISHED") };
    world.network.answer = ({ method }) => (method === "DELETE" ? jsonResponse(200, broken) : jsonResponse(200, status(1, "RUNNING")));
    await world.task.start();
    await world.task.end("cancel");
    expect([world.task.state, world.task.counters?.totalDrivers, world.task.document]).toEqual(["FINISHED", 1, undefined]);
  });
});
