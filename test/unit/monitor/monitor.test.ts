import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { ClusterMonitor } from "../../../src/monitor/cluster-monitor.ts";
import { DecayCounter } from "../../../src/monitor/decay.ts";
import { announcedNodesMax, Discovery } from "../../../src/monitor/discovery.ts";
import { nodeRoutes } from "../../../src/monitor/node-resource.ts";
import { type HttpResponse, NetworkError } from "../../../src/ports/network.ts";
import { bareRequest, createRouter, emptyResponse, jsonRequest, responseText, type Router } from "../../../src/protocol/http/http.ts";
import { type NodeDocument, nodeListSchema } from "../../../src/protocol/documents/node.ts";
import {
  type Announcement,
  nodeIncarnationHeader,
  type NodeState,
  nodeStateHeader,
  serviceListSchema,
} from "../../../src/protocol/documents/info.ts";
import { ManualClock } from "../../support/manual-clock.ts";
import { contextOf, Hosts, portsOf } from "../worker/fakes.ts";

describe("decay", () => {
  it("leaves 367.88 of 1000 after a minute", async () => {
    const clock = new ManualClock();
    const counter = new DecayCounter(clock);
    counter.add(1000);
    expect(counter.count).toBe(1000);
    await clock.advance(60_000);
    expect(counter.count).toBeCloseTo(367.879, 3);
  });

  it("is the sum of what was added, each weighed by its age in seconds", async () => {
    const step = fc.record({ waitMs: fc.integer({ min: 0, max: 90_000 }), value: fc.integer({ min: 0, max: 1000 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const clock = new ManualClock();
        const counter = new DecayCounter(clock);
        const added: (readonly [number, number])[] = [];
        for (const { waitMs, value } of steps) {
          await clock.advance(waitMs);
          counter.add(value);
          added.push([Math.floor(clock.monotonicNanos() / 1e9), value]);
        }
        const now = Math.floor(clock.monotonicNanos() / 1e9);
        const expected = added.reduce((sum, [second, value]) => sum + value * Math.exp(-(now - second) / 60), 0);
        expect(Math.abs(counter.count - expected)).toBeLessThanOrEqual(expected * 1e-9 + 1e-9);
      }),
    );
  });

  it("neither grows by itself nor overflows after days", async () => {
    const clock = new ManualClock();
    const counter = new DecayCounter(clock);
    for (let hour = 0; hour < 100; hour++) {
      counter.add(1);
      const before = counter.count;
      await clock.advance(3_600_000);
      expect(counter.count).toBeLessThan(before);
    }
    expect(counter.count).toBeGreaterThanOrEqual(0);
    expect(counter.count).toBeLessThan(1e-20);
  });
});

let clock: ManualClock;
let hosts: Hosts;
let monitor: ClusterMonitor;
let router: Router;
let changes: number;

beforeEach(() => {
  clock = new ManualClock();
  hosts = new Hosts(clock);
  monitor = new ClusterMonitor({
    ports: portsOf(clock, hosts.network("http://coordinator:1")),
    nodeId: "coordinator",
    incarnation: "life-c",
    nodeVersion: "1",
    environment: "test",
    selfUri: () => "http://coordinator:1",
    includeSelf: false,
    selfState: () => "ACTIVE",
    selfAnnouncement: () => announcement("coordinator", { coordinator: true }),
    discovery: { ageMaxMs: 15_000 },
    failureDetector: {
      enabled: true,
      threshold: 0.1,
      heartbeatIntervalMs: 500,
      heartbeatTimeoutMs: 2000,
      warmupMs: 5000,
      unresponsiveMs: 5000,
      expirationGraceMs: 600_000,
    },
  });
  changes = 0;
  monitor.onChange(() => (changes += 1));
  router = createRouter(
    nodeRoutes(monitor, () => new Map()),
    {
      onUnexpected: (error) => {
        throw error;
      },
    },
  );
});

interface Said {
  readonly incarnation?: string;
  readonly coordinator?: boolean;
  readonly state?: NodeState;
  readonly version?: string;
  readonly host?: string;
}

function announcement(nodeId: string, said: Said = {}): Announcement {
  return {
    environment: "test",
    nodeId,
    pool: "general",
    location: `/${nodeId}`,
    services: [
      {
        id: `${nodeId}-${said.incarnation ?? "1"}`,
        type: "orrery",
        properties: {
          http: `http://${said.host ?? nodeId}:1`,
          node_version: said.version ?? "1",
          coordinator: String(said.coordinator ?? false),
          worker: "true",
          life: said.incarnation ?? "1",
          state: said.state ?? "ACTIVE",
        },
      },
    ],
  };
}

/** Adds a worker that answers heartbeats and announces itself once. */
async function join(nodeId: string, said: Said = {}): Promise<HttpResponse> {
  serve(nodeId, said);
  return announce(nodeId, said);
}

function serve(nodeId: string, said: Said = {}): void {
  const headers = { [nodeStateHeader]: said.state ?? "ACTIVE", [nodeIncarnationHeader]: said.incarnation ?? "1" };
  hosts.handlers.set(`http://${said.host ?? nodeId}:1`, () => Promise.resolve(emptyResponse(200, headers)));
}

async function announce(nodeId: string, said: Said = {}): Promise<HttpResponse> {
  const request = jsonRequest("PUT", `/v1/announcement/${nodeId}`, announcement(nodeId, said));
  const response = await router.handle(request, contextOf("http://coordinator:1"));
  await clock.advance(0);
  return response;
}

async function stayAnnounced(ms: number, ...nodeIds: string[]): Promise<void> {
  for (let left = ms; left > 0; left -= 1000) {
    for (const nodeId of nodeIds) {
      await announce(nodeId);
    }
    await clock.advance(Math.min(1000, left));
  }
}

async function list(path: "/v1/node" | "/v1/node/failed"): Promise<readonly NodeDocument[]> {
  return nodeListSchema.parse(await body(path));
}

async function body(path: string): Promise<unknown> {
  const response = await router.handle(bareRequest("GET", path), contextOf("http://coordinator:1"));
  expect(response.status).toBe(200);
  return JSON.parse(responseText(response));
}

function active(): string[] {
  return monitor.activeWorkers().map((worker) => worker.nodeId);
}

describe("the cluster", () => {
  it("uses a worker with its first heartbeat, without a warm-up", async () => {
    const answer = await join("worker-2");
    await join("worker-1");
    expect(answer.status).toBe(200);
    expect(active()).toEqual(["worker-1", "worker-2"]);
    expect(monitor.knownNodes().map((node) => `${node.nodeId} ${node.state}`)).toEqual([
      "coordinator active",
      "worker-1 active",
      "worker-2 active",
    ]);
    expect(await list("/v1/node/failed")).toEqual([]);
    expect(serviceListSchema.parse(await body("/v1/service/presto")).services.map((service) => service.nodeId)).toEqual([
      "coordinator",
      "worker-1",
      "worker-2",
    ]);
    expect(changes).toBeGreaterThan(0);
  });

  it("tells a small cluster who is in it, and lets the workers of a large one ask", async () => {
    const told = await announce("worker-100");
    expect(serviceListSchema.parse(JSON.parse(responseText(told))).services).toHaveLength(2);
    for (let number = 101; number <= 164; number++) {
      await announce(`worker-${number}`);
    }
    const untold = await announce("worker-100");
    expect([untold.status, untold.body.length]).toEqual([202, 0]);
    expect(serviceListSchema.parse(await body("/v1/service/presto")).services).toHaveLength(66);
  });

  it("does not use a worker before it has answered", async () => {
    hosts.silent.add("http://worker-1:1");
    await announce("worker-1");
    expect(active()).toEqual([]);
    expect(monitor.isGone("http://worker-1:1")).toBe(false);
    hosts.silent.clear();
    serve("worker-1");
    await clock.advance(500);
    expect(active()).toEqual(["worker-1"]);
  });

  it("says which worker has been silent for long, while another one answers", async () => {
    const [one, two] = ["http://worker-1:1", "http://worker-2:1"] as const;
    await join("worker-1");
    await join("worker-2");
    await stayAnnounced(3_000, "worker-1", "worker-2");
    hosts.silent.add(one);
    await clock.advance(4_000);
    // It has failed, and is not silent for long enough.
    expect([active(), monitor.isUnresponsive(one)]).toEqual([["worker-2"], false]);
    const before = changes;
    await clock.advance(1_500);
    expect([monitor.isUnresponsive(one), monitor.isUnresponsive(two), monitor.isGone(one)]).toEqual([true, false, false]);
    expect(changes).toBeGreaterThan(before);
    // Nothing answers any more: it may be this node that is cut off.
    hosts.silent.add(two);
    await clock.advance(4_000);
    expect([active(), monitor.isUnresponsive(one), monitor.isUnresponsive(two)]).toEqual([[], false, false]);
    // An answer ends the silence, though the worker has to warm up.
    hosts.silent.clear();
    await clock.advance(500);
    expect([active(), monitor.isUnresponsive(one)]).toEqual([[], false]);
    await stayAnnounced(8_000, "worker-1", "worker-2");
    expect([active(), monitor.isUnresponsive(one)]).toEqual([["worker-1", "worker-2"], false]);
  });

  it("counts requests with decay and tells the age", async () => {
    await join("worker-1");
    await stayAnnounced(60_000, "worker-1");
    const node = (await list("/v1/node"))[0] as NodeDocument;
    expect(node).toMatchObject({
      uri: "http://worker-1:1",
      age: "1.00m",
      recentFailures: 0,
      recentFailureRatio: 0,
      recentFailuresByType: {},
    });
    // Two requests per second for a minute; decay leaves 120 (1 - 1/e).
    expect(node.recentRequests).toBeGreaterThan(74);
    expect(node.recentRequests).toBeLessThan(79);
    expect(node.recentSuccesses).toBe(node.recentRequests);
    expect(node.lastFailureInfo).toBeUndefined();
  });

  it("detects a crash at the second refused heartbeat, and the return when a new incarnation announces itself", async () => {
    await join("worker-1");
    await stayAnnounced(30_000, "worker-1");
    hosts.handlers.delete("http://worker-1:1");
    await clock.advance(1000);
    expect(active()).toEqual([]);
    expect(monitor.isGone("http://worker-1:1")).toBe(true);
    expect(monitor.liveness("worker-1")).toBe("GONE");
    const failed = (await list("/v1/node/failed"))[0] as NodeDocument;
    expect(failed.lastFailureInfo).toMatchObject({ type: "CONNECTION_REFUSED", stack: [], suppressed: [] });
    expect(failed.recentFailuresByType["CONNECTION_REFUSED"]).toBeCloseTo(2, 0);
    await join("worker-1", { incarnation: "2" });
    expect(active()).toEqual(["worker-1"]);
    expect(monitor.isGone("http://worker-1:1")).toBe(false);
    expect((await list("/v1/node"))[0]?.recentFailures).toBeGreaterThan(1);
  });

  it("finds a process that has ended within a tenth of a second once a request to it has failed", async () => {
    const beats = (): number => hosts.log.filter((line) => line.includes("HEAD http://worker-1:1/v1/status")).length;
    await join("worker-1");
    await stayAnnounced(30_050, "worker-1");
    const before = beats();
    // A broken connection alone shows nothing: one heartbeat comes early, and is answered.
    monitor.requestFailed("http://worker-1:1", new NetworkError("CONNECTION_RESET", "reset"));
    monitor.requestFailed("http://worker-1:1", new NetworkError("CONNECTION_RESET", "reset"));
    monitor.requestFailed("http://worker-1:1", new NetworkError("TIMEOUT", "late"));
    await clock.advance(300);
    expect([beats() - before, active()]).toEqual([1, ["worker-1"]]);
    hosts.handlers.delete("http://worker-1:1");
    monitor.requestFailed("http://worker-1:1", new NetworkError("CONNECTION_REFUSED", "refused"));
    await clock.advance(99);
    expect(active()).toEqual(["worker-1"]);
    await clock.advance(1);
    expect([active(), monitor.isGone("http://worker-1:1"), beats() - before]).toEqual([[], true, 3]);
    // It is known to be gone: the interval is enough from then on.
    monitor.requestFailed("http://worker-1:1", new NetworkError("CONNECTION_REFUSED", "refused"));
    await clock.advance(499);
    expect(beats() - before).toBe(3);
  });

  it("gives up a silent worker when the ratio says so, and takes it back after a warm-up", async () => {
    await join("worker-1");
    await stayAnnounced(30_000, "worker-1");
    hosts.silent.add("http://worker-1:1");
    await stayAnnounced(3000, "worker-1");
    expect(active()).toEqual(["worker-1"]);
    await stayAnnounced(12_000, "worker-1");
    expect(active()).toEqual([]);
    expect(monitor.liveness("worker-1")).toBe("UNRESPONSIVE");
    // The node still announces itself, so it may come back.
    expect(monitor.isGone("http://worker-1:1")).toBe(false);
    hosts.silent.clear();
    await stayAnnounced(4000, "worker-1");
    expect(active()).toEqual([]);
    await stayAnnounced(4000, "worker-1");
    expect(active()).toEqual(["worker-1"]);
  });

  it("forgives single lost heartbeats", async () => {
    await join("worker-1");
    await clock.advance(1000);
    for (let round = 0; round < 5; round++) {
      hosts.silent.add("http://worker-1:1");
      await stayAnnounced(1000, "worker-1");
      hosts.silent.clear();
      await stayAnnounced(1000, "worker-1");
    }
    expect(active()).toEqual(["worker-1"]);
  });

  it("gives up a worker that answers every other heartbeat, once there were enough for a ratio", async () => {
    await join("worker-1");
    await clock.advance(1000);
    for (let round = 0; round < 30 && active().length > 0; round++) {
      hosts.silent.add("http://worker-1:1");
      await stayAnnounced(1000, "worker-1");
      hosts.silent.clear();
      await stayAnnounced(1000, "worker-1");
    }
    expect(active()).toEqual([]);
    const failed = (await list("/v1/node/failed"))[0] as NodeDocument;
    expect(failed.recentRequests).toBeGreaterThan(39);
    await stayAnnounced(8000, "worker-1");
    expect(active()).toEqual(["worker-1"]);
  });

  it("drops a worker whose announcements stop, and counts it as gone when it does not answer either", async () => {
    await join("worker-1");
    await clock.advance(14_000);
    expect(active()).toEqual(["worker-1"]);
    await clock.advance(2000);
    expect(active()).toEqual([]);
    expect(monitor.isGone("http://worker-1:1")).toBe(false);
    expect(await list("/v1/node/failed")).toHaveLength(1);
    await join("worker-1");
    hosts.silent.add("http://worker-1:1");
    await clock.advance(16_000);
    expect(monitor.isGone("http://worker-1:1")).toBe(true);
    await clock.advance(11 * 60_000);
    expect(await list("/v1/node")).toEqual([]);
    expect(clock.labels.filter((label) => label !== "request-timeout")).toEqual([]);
  });

  it("tells whenever a node turns out to be gone, also by heartbeats that fail after its announcement has run out", async () => {
    const uri = "http://worker-1:1";
    let lateOnes = 0;
    for (let silentAfterMs = 8000; silentAfterMs < 15_000; silentAfterMs += 250) {
      const incarnation = String(silentAfterMs);
      serve("worker-1", { incarnation });
      hosts.silent.delete(uri);
      await announce("worker-1", { incarnation });
      let toldGone = false;
      const stop = monitor.onChange(() => {
        toldGone = monitor.isGone(uri);
      });
      await clock.advance(silentAfterMs);
      hosts.silent.add(uri);
      await clock.advance(15_000 - silentAfterMs);
      const wasGone = toldGone;
      await clock.advance(3000);
      stop();
      lateOnes += toldGone && !wasGone ? 1 : 0;
      expect(toldGone).toBe(monitor.isGone(uri));
    }
    expect(lateOnes).toBeGreaterThan(0);
  });

  it("stops using a worker that says it shuts down, by announcement or by heartbeat", async () => {
    await join("worker-1");
    await join("worker-2");
    await join("worker-1", { state: "SHUTTING_DOWN" });
    expect(active()).toEqual(["worker-2"]);
    serve("worker-2", { state: "SHUTTING_DOWN" });
    await clock.advance(500);
    expect(active()).toEqual([]);
    expect(monitor.state("worker-2")).toBe("SHUTTING_DOWN");
    await router.handle(bareRequest("DELETE", "/v1/announcement/worker-1"), contextOf(""));
    expect(monitor.isGone("http://worker-1:1")).toBe(true);
    expect(monitor.knownNodes().map((node) => node.nodeId)).toEqual(["coordinator", "worker-2"]);
  });

  it("does not trust an address at which another incarnation answers", async () => {
    await join("worker-1");
    serve("worker-1", { incarnation: "2" });
    await clock.advance(500);
    expect(active()).toEqual([]);
    await announce("worker-1", { incarnation: "2" });
    expect(active()).toEqual(["worker-1"]);
  });

  it("lists a node of another version as inactive and follows one that moved", async () => {
    await join("worker-1", { version: "0" });
    expect(monitor.knownNodes().find((node) => node.nodeId === "worker-1")?.state).toBe("inactive");
    await join("worker-2");
    hosts.handlers.delete("http://worker-2:1");
    await clock.advance(3000);
    await join("worker-2", { host: "elsewhere", incarnation: "2" });
    expect(monitor.activeWorkers()).toMatchObject([{ nodeId: "worker-2", uri: "http://elsewhere:1", incarnation: "2" }]);
    expect(monitor.isGone("http://worker-2:1")).toBe(true);
  });

  it("refuses a name that is taken by a living node, until that node is gone", async () => {
    await join("worker-1");
    const other = { host: "elsewhere", incarnation: "2" };
    expect((await join("worker-1", other)).status).toBe(409);
    expect(monitor.activeWorkers()).toMatchObject([{ uri: "http://worker-1:1", incarnation: "1" }]);
    // The node itself may restart at its address, and go on announcing itself.
    expect((await join("worker-1", { incarnation: "3" })).status).toBe(200);
    expect((await join("worker-1", other)).status).toBe(409);
    hosts.handlers.delete("http://worker-1:1");
    await clock.advance(3000);
    expect((await announce("worker-1", other)).status).toBe(200);
    expect(monitor.activeWorkers()).toMatchObject([{ uri: "http://elsewhere:1", incarnation: "2" }]);
  });

  it("refuses addresses that are more than a host and a port, and never calls them", async () => {
    for (const host of ["user@else", "else/path?x=", "else#", "else\r\nx", "", "else:1@other", "else\\other"]) {
      expect(`${host} ${(await announce("worker-1", { host })).status}`).toBe(`${host} 400`);
    }
    await clock.advance(1000);
    expect(monitor.nodeDocuments("all")).toEqual([]);
  });

  it("takes names like __proto__ as any other, and a bounded number of nodes", async () => {
    expect((await join("constructor")).status).toBe(200);
    expect(active()).toEqual(["constructor"]);
    expect((await announce("__proto__")).status).toBe(400);
    const discovery = new Discovery(clock, { ageMaxMs: 1000 }, () => undefined);
    const alive = (): boolean => false;
    for (let number = 0; number < announcedNodesMax; number++) {
      discovery.announce(announcement(`w${number}`), alive);
    }
    expect(() => discovery.announce(announcement("one-more"), alive)).toThrow("takes no more");
    discovery.announce(announcement("w1"), alive);
    expect(discovery.size).toBe(announcedNodesMax);
    discovery.close();
  });

  it("answers a node that waits when it is not known any more, when its time is over, and when the coordinator closes", async () => {
    await join("worker-1");
    const answers: number[] = [];
    const wait = (nodeId: string, headers: Readonly<Record<string, string>>): void => {
      const request = bareRequest("GET", `/v1/announcement/${nodeId}`, headers);
      void router.handle(request, contextOf("")).then(({ status }) => answers.push(status));
    };
    const twoSeconds = { "x-engine-max-wait": "2s" };
    wait("worker-1", twoSeconds);
    wait("nobody", twoSeconds);
    wait("worker-1", {});
    wait("worker-1", { "x-engine-max-wait": "soon" });
    await clock.advance(1_999);
    expect(answers.toSorted((a, b) => a - b)).toEqual([200, 400, 404]);
    await clock.advance(1);
    expect(answers.splice(0)).toContain(200);
    wait("worker-1", twoSeconds);
    await router.handle(bareRequest("DELETE", "/v1/announcement/worker-1"), contextOf(""));
    await clock.advance(0);
    expect(answers.splice(0)).toEqual([404]);
    await announce("worker-1");
    wait("worker-1", twoSeconds);
    await clock.advance(0);
    monitor.close();
    await clock.advance(0);
    expect(answers).toEqual([404]);
    expect(monitor.timerCount).toBe(0);
  });

  it("refuses nodes of another cluster and announcements that say too little", async () => {
    const refused = async (body: unknown): Promise<number> =>
      (await router.handle(jsonRequest("PUT", "/v1/announcement/worker-1", body), contextOf(""))).status;
    expect(await refused({ ...announcement("worker-1"), environment: "other" })).toBe(400);
    expect(await refused({ ...announcement("worker-1"), services: [] })).toBe(400);
    expect(await refused(announcement("worker-2"))).toBe(400);
    expect(await refused({})).toBe(400);
    const own = jsonRequest("PUT", "/v1/announcement/coordinator", announcement("coordinator"));
    expect((await router.handle(own, contextOf(""))).status).toBe(409);
  });

  it("leaves no timer behind", async () => {
    await join("worker-1");
    monitor.close();
    await clock.advance(10_000);
    expect([clock.labels, monitor.timerCount]).toEqual([[], 0]);
  });
});
