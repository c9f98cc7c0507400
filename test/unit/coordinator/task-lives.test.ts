/**
 * At most one incarnation of a worker creates a task, whatever happens to messages: answers are lost, copies are delayed, the worker is
 * busy, leaves, dies and restarts. The worker is a model of the task resource's rules; the coordinator's side is real.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultCoordinatorConfig } from "../../support/coordinator-config.ts";
import { RemoteTask } from "../../../src/coordinator/scheduler/remote-task.ts";
import { taskWire } from "../../../src/coordinator/scheduler/task-wire.ts";
import { type HttpRequest, type HttpResponse, NetworkError, noBody } from "../../../src/ports/network.ts";
import { jsonResponse, textResponse } from "../../../src/protocol/http/http.ts";
import { taskInfoExample, taskStatusExample } from "../../../src/protocol/documents/task.ts";
import { ManualClock } from "../../support/manual-clock.ts";
import { FakeCluster, FakeNetwork, fakePorts } from "./fakes.ts";

const uri = "http://worker:1";

/** Events before an attempt arrives, and the attempt's fate. */
type Event = "answered" | "answer lost" | "request lost" | "busy" | "leaves" | "restarts" | "is down" | "cluster hears" | "copy arrives";

const events: readonly Event[] = [
  "answered",
  "answer lost",
  "request lost",
  "busy",
  "leaves",
  "restarts",
  "is down",
  "cluster hears",
  "copy arrives",
];
const endings: readonly Event[] = ["answered", "answer lost", "request lost", "busy", "is down"];

/** A worker and its network that follow a list of events. */
class Story {
  readonly cluster = new FakeCluster();
  readonly clock = new ManualClock();
  readonly network = new FakeNetwork();
  /** Incarnations that have created the task. */
  readonly creators = new Set<string>();
  readonly #looksAtLives: boolean;
  readonly #events: Event[];
  readonly #sent: HttpRequest[] = [];
  #number = 1;
  #leaving = false;

  constructor(told: readonly Event[], looksAtLives: boolean) {
    this.#events = [...told];
    this.#looksAtLives = looksAtLives;
    this.#clusterHears();
    this.network.answer = (request) => this.#attempt(request);
  }

  async run(): Promise<RemoteTask> {
    const task = new RemoteTask({
      taskId: "q.1.0",
      node: { nodeId: "worker", uri, incarnation: this.#incarnation },
      coordinatorIncarnation: "first of c",
      bufferCount: 1,
      bodies: { create: () => noBody, nextSplits: () => undefined, filters: () => noBody, replacedSources: () => noBody },
      remoteFilterIds: [],
      wire: taskWire,
      ports: fakePorts(this.clock, this.network),
      cluster: this.cluster,
      mayLeaveNode: () => true,
      config: { ...defaultCoordinatorConfig, taskFollowDelayMs: 0, remoteTaskErrorDurationMaxMs: 20_000 },
      onChange: () => {},
    });
    void task.start();
    await this.clock.advance(30_000);
    return task;
  }

  get #incarnation(): string {
    return `life-${this.#number}`;
  }

  #clusterHears(): void {
    this.cluster.workers = [{ nodeId: "worker", uri, incarnation: this.#incarnation }];
  }

  #attempt(request: HttpRequest): Promise<HttpResponse> | HttpResponse {
    if (request.method !== "POST") {
      return new Promise<never>(() => {});
    }
    const fate = this.#fate();
    if (fate !== "is down") {
      // A refused connection leaves no copy behind.
      this.#sent.push(request);
    }
    switch (fate) {
      case "answer lost":
        this.#serve(request);
        throw new NetworkError("CONNECTION_RESET", "reset");
      case "request lost":
        throw new NetworkError("TIMEOUT", "no answer");
      case "is down":
        throw new NetworkError("CONNECTION_REFUSED", "nobody there");
      case "busy":
        return textResponse(503, "The node takes no task now");
      default:
        return this.#serve(request);
    }
  }

  /** Applies the events before the attempt's fate. The default fate is an answer. */
  #fate(): Event {
    for (;;) {
      const event = this.#events.shift() ?? "answered";
      if (endings.includes(event)) {
        return event;
      }
      if (event === "leaves") {
        this.#leaving = true;
      } else if (event === "restarts") {
        this.#number++;
        this.#leaving = false;
      } else if (event === "cluster hears") {
        this.#clusterHears();
      } else {
        // A copy of an earlier attempt, whose answer is discarded.
        const copy = this.#sent[0];
        if (copy !== undefined) {
          this.#serve(copy);
        }
      }
    }
  }

  #serve(request: HttpRequest): HttpResponse {
    if (this.#looksAtLives && request.headers["x-engine-node-life"] !== this.#incarnation) {
      return textResponse(412, "meant for another life");
    }
    if (this.#leaving && !this.creators.has(this.#incarnation)) {
      return textResponse(503, "Server is shutting down", { "x-engine-node-state": "SHUTTING_DOWN" });
    }
    this.creators.add(this.#incarnation);
    const status = { ...taskStatusExample, version: 1, state: "RUNNING" as const, taskInstanceId: this.#incarnation, failures: [] };
    return jsonResponse(200, { ...taskInfoExample, version: 1, state: "RUNNING", failures: [], taskStatus: status });
  }
}

const told = fc.array(fc.constantFrom(...events), { maxLength: 12 });

describe("a task and the incarnations of its node", () => {
  test("is created by one of them at most, and is lost or runs", async () => {
    await fc.assert(
      fc.asyncProperty(told, async (list) => {
        const story = new Story(list, true);
        const task = await story.run();
        expect([...story.creators].length).toBeLessThanOrEqual(1);
        expect(["RUNNING", "FAILED"]).toContain(task.state);
        if (task.state === "RUNNING") {
          expect(story.creators.size).toBe(1);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("is created twice without the incarnation check: the property can fail", async () => {
    const story = new Story(["answer lost", "restarts"], false);
    const task = await story.run();
    expect([...story.creators]).toEqual(["life-1", "life-2"]);
    expect(task.state).toBe("RUNNING");
  });

  test("outlives an orderly restart while it is being created", async () => {
    const story = new Story(["leaves", "answered", "is down", "restarts", "answered", "cluster hears", "answered"], true);
    const task = await story.run();
    expect([...story.creators]).toEqual(["life-2"]);
    expect(task.state).toBe("RUNNING");
  });
});
