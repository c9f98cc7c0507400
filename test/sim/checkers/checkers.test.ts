/**
 * Checkers of single responses and of nodes from inside: each accepts correct behavior and reports wrong behavior.
 */
import { describe, expect, it } from "vitest";
import { causes, type DeclaredError, lacksCause } from "../../../sim/checkers/causes.ts";
import { DeliveryOracle } from "../../../sim/checkers/protocol/delivery.ts";
import { DocumentOracle } from "../../../sim/checkers/protocol/documents.ts";
import { Facts } from "../../../sim/checkers/facts.ts";
import { describeInvariants, invariants } from "../../../sim/checkers/invariants.ts";
import { type LimitedDocument, LimitsOracle } from "../../../sim/checkers/resources/limits.ts";
import { LivelockOracle } from "../../../sim/checkers/liveness/livelock.ts";
import { QueryLifeOracle } from "../../../sim/checkers/liveness/query-life.ts";
import { checkRelations, partnersOf, relationsOf, statementsOf } from "../../../sim/checkers/results/relations.ts";
import { ResourceOracle } from "../../../sim/checkers/resources/resources.ts";
import type { Outcome } from "../../../sim/checkers/results/results.ts";
import { TaskOracle } from "../../../sim/checkers/membership/tasks.ts";
import { StatisticsOracle } from "../../../sim/checkers/results/counter-sums.ts";
import { type Observed, observed } from "../../../sim/checkers/protocol/wire.ts";
import { StreamTree } from "../../../sim/world/streams.ts";
import { World } from "../../../sim/world/world.ts";
import type { OrreryNode } from "../../../src/node.ts";
import type { TaskStatsSnapshot } from "../../../src/execution/task/api.ts";
import type { Accounts } from "../../../src/node-accounts.ts";
import type { HttpMethod } from "../../../src/ports/network.ts";
import { checksum } from "../../../src/page/checksum.ts";
import { encodeUtf8 } from "../../../src/types/utf8.ts";

class Listener {
  readonly said: string[] = [];
  heard = 0;

  violate(_: string, oracle: string, sentence: string): void {
    this.said.push(`${oracle}: ${sentence}`);
  }

  held(): void {
    this.heard++;
  }
}

const nodes = { incarnations: () => 1, taskState: () => "RUNNING" };

/** A page without columns whose body is these words. */
function page(...words: number[]): Uint8Array {
  const u32 = new Uint32Array([0x3147504f, 1, 0, words.length * 4, 0, 0, ...words]);
  const sum = checksum(u32, 6, u32.length, Math.imul(1, 0x01000193));
  u32[4] = sum.low;
  u32[5] = sum.high;
  return new Uint8Array(u32.buffer);
}

interface Said {
  readonly from?: string;
  readonly method?: HttpMethod;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly event?: number;
}

const taskId = "20260101_000000_00000_aaaaa.1.0";

function answer(url: string, said: Said = {}): Observed {
  const { from = "w2", method = "GET", status = 200, headers = {}, body = new Uint8Array(0), event = 1 } = said;
  const request = { method, url, headers: {}, body: new Uint8Array(0) };
  return observed({ from, to: "w1", request, response: { status, headers, body }, arrivedNanos: event }, { nowNanos: event, event });
}

/** Pages from `token` on of the task's buffer 0. */
function pages(
  token: number,
  frames: readonly Uint8Array[],
  said: Said & { readonly complete?: boolean; readonly instance?: string } = {},
): Observed {
  const body = new Uint8Array(frames.reduce((sum, frame) => sum + frame.length, 0));
  let at = 0;
  for (const frame of frames) {
    body.set(frame, at);
    at += frame.length;
  }
  return answer(`/v1/task/${taskId}/results/0/${token}`, {
    ...said,
    status: frames.length === 0 ? 204 : 200,
    body,
    headers: {
      "x-engine-task-instance-id": said.instance ?? "one",
      "x-engine-page-sequence-id": String(token),
      "x-engine-page-end-sequence-id": String(token + frames.length),
      "x-engine-buffer-complete": String(said.complete === true),
    },
  });
}

describe("delivery", () => {
  const [a, b, c] = [page(1, 1), page(2, 2), page(3, 3)];

  function told(...answers: readonly Observed[]): readonly string[] {
    const listener = new Listener();
    const oracle = new DeliveryOracle(listener, nodes);
    for (const one of answers) {
      oracle.observe(one);
    }
    oracle.checkSuspects(Number.POSITIVE_INFINITY);
    return listener.said;
  }

  it("holds what is right: pages in order, some again, then the end", () => {
    expect(
      told(
        pages(0, [a]),
        pages(0, [a, b], { event: 2 }),
        pages(2, [c], { event: 3, complete: true }),
        pages(3, [], { event: 4, complete: true }),
      ),
    ).toEqual([]);
  });

  it.each([
    ["other bytes", [pages(0, [a]), pages(0, [b])], "serves other bytes as page 0 the second time"],
    ["a gap", [pages(0, [a]), pages(2, [c])], "asks w1 buffer 0 of"],
    ["pages after the end", [pages(0, [a], { complete: true }), pages(1, [b], { event: 2 })], "after it had said that 1 are all"],
    [
      "an end that comes too soon",
      [pages(0, [a, b]), pages(0, [a], { complete: true, event: 2 })],
      "is complete after 1 pages although it has served 2",
    ],
    ["acknowledged pages again", [pages(0, [a]), pages(1, [b], { event: 2 }), pages(0, [a], { event: 3 })], "was acknowledged"],
    ["a second reader", [pages(0, [a]), pages(1, [b], { from: "w3", event: 2 })], "belongs to w2, and w3 reads it"],
    ["a wrong checksum", [pages(0, [a.map((byte, at) => (at === 30 ? byte ^ 1 : byte))])], "has a wrong checksum"],
    ["another instance", [pages(0, [a]), pages(1, [b], { instance: "two" })], "changed its instance id from one to two"],
  ])("speaks of %s", (_, answers, sentence) => {
    expect(told(...answers).join("; ")).toContain(sentence);
  });

  it("allows a late copy of what a reader asked that is gone, and whose next run reads elsewhere", () => {
    const late = { ...pages(0, [a], { from: "w3", event: 2 }), isSenderAlive: false };
    expect(told(pages(0, [a]), late, pages(1, [b], { event: 3 }))).toEqual([]);
  });

  it("speaks of an end that a failed task seems to have", () => {
    const listener = new Listener();
    const oracle = new DeliveryOracle(listener, { ...nodes, taskState: () => "FAILED" });
    oracle.observe(pages(0, [a], { complete: true }));
    expect(listener.said.join("; ")).toContain("says that it is complete, and its task is FAILED");
  });

  it("holds an early end that the coordinator brought about", () => {
    const deletion = answer(`/v1/task/${taskId}`, { method: "DELETE", body: encodeUtf8('{"taskInstanceId":"one"}'), event: 2 });
    expect(told(pages(0, [a, b]), pages(0, [], { complete: true, event: 2 }), deletion, pages(0, [a], { event: 1 }))).toEqual([]);
  });

  it("holds the first answer of a buffer whose task was deleted, and no end by itself", () => {
    const input = '[{"location":"http://w3:8080/v1/task/20260101_000000_00000_aaaaa.2.0/results/0"}]';
    const creation = {
      ...answer(`/v1/task/${taskId}`, { method: "POST", body: encodeUtf8('{"taskInstanceId":"one"}') }),
      request: { method: "POST" as const, url: `/v1/task/${taskId}`, headers: {}, body: encodeUtf8(input) },
    };
    const deletion = answer(`/v1/task/${taskId}?abort=false`, { method: "DELETE", body: encodeUtf8('{"taskInstanceId":"one"}'), event: 2 });
    const end = pages(0, [], { complete: true, event: 3 });
    expect(told(creation, deletion, end)).toEqual([]);
    expect(told(creation, end).join()).toContain("was not told the end of w3 20260101_000000_00000_aaaaa.2.0 0");
  });
});

describe("causes", () => {
  const error = (errorName: string, message = "") => ({ errorName, message, user: "u1" });
  const context = (facts: Facts) => ({
    facts,
    plan: { properties: {}, workers: ["w1", "w2", "w3"].map((name) => ({ name, clockOffsetMs: 0, clockDriftPpm: 0 })) },
    sessionOf: () => ({}),
    transactions: { mayBeAborted: () => false, mayHaveEnded: () => false },
    coordinator: "c",
    nodeMemoryBytes: 64e6,
    nowNanos: () => 9,
  });
  const gone = error("REMOTE_HOST_GONE", "The node may have crashed or be unreachable: http://w1:8080");

  it("are asked for by every error", () => {
    const facts = new Facts();
    for (const errorName of Object.keys(causes)) {
      expect(lacksCause(error(errorName), context(facts)), errorName).toContain("which did not happen");
    }
    expect(lacksCause(error("COMPILER_ERROR"), context(facts))).toBe("no cluster may declare it");
  });

  it("must have happened to the node that the message names", () => {
    const facts = new Facts();
    facts.note("w2", "crash", "life 1", 1);
    facts.note("c", "network-error", "m7 c>w1 task-status ABORTED", 2);
    expect(lacksCause(gone, context(facts))).toContain("the node crashed, stopped, or could not be reached");
    facts.note("c", "lost", "m8 c>w1 task-status", 3);
    expect(lacksCause(gone, context(facts))).toBeUndefined();
  });

  it("allow lost rows where each copy was lost, and one copy where the other workers were in trouble", () => {
    const facts = new Facts();
    const lost = (reasons: string): DeclaredError => error("TABLE_DATA_LOST", `Table 'memory.default.t' lost data: ${reasons}`);
    facts.note("w2", "crash", "life 1", 1);
    expect(lacksCause(lost("worker w2 is gone"), context(facts))).toContain("which did not happen");
    expect(lacksCause(lost("worker w2 is gone"), { ...context(facts), plan: { ...context(facts).plan, replication: 1 } })).toBeUndefined();
    expect(lacksCause(lost("worker w2 is gone, worker w3 restarted"), context(facts))).toContain("which did not happen");
    facts.note("w3", "crash", "life 1", 2);
    expect(lacksCause(lost("worker w2 is gone"), context(facts))).toBeUndefined();
    expect(lacksCause(lost("worker w2 is gone, worker w3 is gone"), context(facts))).toBeUndefined();
    expect(lacksCause(lost("worker w1 was told to forget it"), context(facts))).toContain("which did not happen");
  });

  it("allow a restarted coordinator to give up a query, with a reason", () => {
    const facts = new Facts();
    const lost = {
      ...error("SERVER_STARTING_UP"),
      message: "The coordinator was restarted, and the query cannot go on: its text is not kept",
    };
    facts.note("c", "start", "life 1", 0);
    facts.note("w1", "start", "life 2", 1);
    expect(lacksCause(lost, context(facts))).toContain("the coordinator was started again");
    facts.note("c", "start", "life 2", 2);
    expect(lacksCause(lost, context(facts))).toBeUndefined();
    const changed = { ...lost, message: "The coordinator was restarted (what it reads has changed since its first rows were returned)" };
    // The journal has the random values, unless the disk has lost them.
    const shuffled = { ...changed, sql: "SELECT shuffle(ARRAY[1, 2]) FROM orders" };
    expect(lacksCause(shuffled, context(facts))).toContain("the coordinator was started again");
    facts.note("c", "crash", "", 3);
    expect(lacksCause(shuffled, context(facts))).toBeUndefined();
    expect(lacksCause({ ...changed, sql: "SELECT orderkey FROM orders" }, context(facts))).toContain("the coordinator was started again");
    expect(lacksCause({ ...lost, message: "The coordinator was restarted (the rows have changed)" }, context(facts))).toContain(
      "which did not happen",
    );
  });

  it("tell failures one after the other from such with an answer in between", () => {
    const timeout = {
      ...error("PAGE_TRANSPORT_TIMEOUT"),
      message: "Error fetching (http://w2:8080/v1/task/q.1.0/results/0/3 - 3 failures)",
    };
    const lacked = (between: string | undefined): string | undefined => {
      const facts = new Facts();
      for (const [index, second] of [0, 100, 400].entries()) {
        facts.note("w1", "request", `m${index} w1>w2 exchange-fetch GET /v1/task/q.1.0/results/0/3`, second * 1e9);
        facts.note("w1", "network-error", `m${index} w1>w2 exchange-fetch CONNECTION_RESET`, second * 1e9);
        if (between !== undefined) {
          facts.note("w1", "request", `m1${index} w1>w2 exchange-fetch GET ${between}`, second * 1e9 + 1);
          facts.note("w1", "answer", `m1${index} w1>w2 exchange-fetch 200`, second * 1e9 + 1);
        }
      }
      return lacksCause(timeout, context(facts));
    };
    expect(lacked(undefined)).toBeUndefined();
    expect(lacked("/v1/task/q.1.0/results/1/0")).toBeUndefined();
    expect(lacked("/v1/task/q.1.0/results/0/3")).toContain("consecutive requests");
  });

  it("know how fast the clock of who gave up went before a fault slowed it down", () => {
    let rate = 1;
    const facts = new Facts(() => rate);
    facts.note("c", "start", "life 1", 0);
    for (let index = 0; index < 7; index++) {
      // Two minutes on the node's own clock, which was slow for most of them.
      facts.note("c", "network-error", `m${index} c>w1 task-update CONNECTION_REFUSED`, index * 20e9 + 1e9);
      rate = 0.5;
    }
    const failed = {
      ...error("TOO_MANY_REQUESTS_FAILED"),
      message: "Encountered too many errors (http://w1:8080/v1/task/q.1.0 - 7 failures)",
    };
    const properties = { "query.remote-task.max-error-duration": "2m" };
    expect(lacksCause(failed, { ...context(facts), plan: { properties, workers: [] } })).toBeUndefined();
    expect(
      lacksCause(failed, { ...context(facts), plan: { properties: { "query.remote-task.max-error-duration": "3m" }, workers: [] } }),
    ).toContain("as long as the coordinator retries");
  });

  it("count what turned a request away until that is heard, however late", () => {
    const failed = {
      ...error("TOO_MANY_REQUESTS_FAILED"),
      message: "Encountered too many errors (http://w1:8080/v1/task/q.1.0 - 3 failures)",
    };
    const lacked = (heardNanos: number): string | undefined => {
      const facts = new Facts();
      for (const second of [0, 50, 90]) {
        facts.refused("w1", { from: "c", status: 503, nowNanos: second * 1e9 });
      }
      facts.note("c", "answer", "m3 c>w1 task-update 503", heardNanos);
      return lacksCause(failed, { ...context(facts), plan: { properties: { "query.remote-task.max-error-duration": "2m" }, workers: [] } });
    };
    expect(lacked(91e9)).toContain("as long as the coordinator retries");
    expect(lacked(121e9)).toBeUndefined();
  });

  it("know that a task that has ended may be forgotten while an answer is waited for, but not sooner than it may be", () => {
    const message = "Task is unknown to its node, which may have been restarted (task-status http://w1:8080/v1/task/q.1.0)";
    const lacked = (astray: string, seconds: number): string | undefined => {
      const facts = new Facts();
      facts.note("c", astray, "m7 c>w1 task-status", 1e9);
      facts.note("c", "timed-out", "m7 c>w1 task-status", (1 + seconds) * 1e9);
      return lacksCause(
        { ...error("REMOTE_TASK_ERROR"), message },
        { ...context(facts), plan: { properties: { "task.info.max-age": "10s" }, workers: [] } },
      );
    };
    expect(lacked("lost", 11)).toBeUndefined();
    expect(lacked("lost", 5)).toContain("which did not happen");
    expect(lacked("delivered", 11)).toContain("which did not happen");
  });

  it("know that a node that leaves goes by its own clock, which may have run fast for a while", () => {
    let rate = 1;
    const facts = new Facts((place) => (place === "w1" ? rate : 1));
    const at = (ms: number) => lacksCause(error("SERVER_SHUTTING_DOWN"), { ...context(facts), nowNanos: () => ms * 1e6 });
    facts.note("w1", "start", "life 1", 0);
    facts.note("w1", "log-info", 'shutdown-started {"nodeId":"w1","graceMs":1000}', 1000e6);
    expect(at(1990)).toBeDefined();
    expect(at(2000)).toBeUndefined();
    rate = 1.25;
    facts.note("world", "heal", "clock-drift w1 +250000ppm", 1500e6);
    rate = 1;
    expect(at(1790)).toBeDefined();
    expect(at(1800)).toBeUndefined();
  });

  it("forget a node that crashed before its time was up, and remember one that ran out of it", () => {
    const facts = new Facts();
    const end = (ms: number) => {
      facts.note("w1", "log-info", 'shutdown-started {"nodeId":"w1","graceMs":1000}', 0);
      facts.note("w1", "crash", "life 1", ms * 1e6);
      return lacksCause(error("SERVER_SHUTTING_DOWN"), { ...context(facts), nowNanos: () => 9e9 });
    };
    expect(end(500)).toBeDefined();
    expect(end(1000)).toBeUndefined();
  });

  it("tell a cancel of this user's from another's", () => {
    const facts = new Facts();
    facts.canceled("q", "u2");
    expect(lacksCause(error("USER_CANCELED"), context(facts))).toBeDefined();
    facts.canceled("q2", "u1");
    expect(lacksCause(error("USER_CANCELED"), context(facts))).toBeUndefined();
  });
});

describe("livelock", () => {
  it("speaks of a question that is asked again and again, and ends the run", () => {
    const world = new World({ streams: StreamTree.root("test") });
    const listener = new Listener();
    const oracle = new LivelockOracle(listener, world);
    for (let id = 0; id < 1_999; id++) {
      oracle.note("w1", "request", `m${id} w1>w2 exchange-fetch GET /v1/task/t/results/0/0`);
    }
    expect(listener.said).toEqual([]);
    oracle.note("w1", "request", "m1999 w1>w2 exchange-fetch GET /v1/task/t/results/0/0");
    expect(listener.said.join("; ")).toContain("w1 asks w1>w2 exchange-fetch GET /v1/task/t/results/0/0 2000 times within a second");
    expect(world.failure).toBeDefined();
  });
});

describe("limits", () => {
  const sessions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    timed: { query_max_run_time: "2s", query_max_execution_time: "1s" },
    counted: { query_max_cpu_time: "100ms", query_max_scan_physical_bytes: "1kB", query_max_total_memory: "2kB" },
  };

  function told(
    user: string,
    document: Partial<LimitedDocument>,
    isTroubled = false,
    ...notes: readonly (readonly [kind: string, detail: string])[]
  ): string {
    const listener = new Listener();
    const oracle = new LimitsOracle({
      verdict: listener,
      properties: { "query.max-cpu-time": "1s" },
      sessionOf: (name) => sessions[name] ?? {},
      nodeCount: 2,
      isTroubled: () => isTroubled,
    });
    for (const [kind, detail] of notes) {
      oracle.note(kind, detail);
    }
    oracle.observe(user, { id: "q", stats: { state: "FINISHED" }, ...document });
    return listener.said.join("; ");
  }
  const failed = (errorName: string, stats: Omit<LimitedDocument["stats"], "state">, message = ""): Partial<LimitedDocument> => ({
    stats: { state: "FAILED", ...stats },
    error: { errorName, message },
  });
  const execution = "Query exceeded the maximum execution time limit of 1.00s";

  it.each([
    ["what is right", "counted", { stats: { state: "FINISHED", cpuTimeMillis: 100, physicalInputBytes: 1024 } }, ""],
    ["CPU time beyond the session's", "counted", { stats: { state: "FINISHED", cpuTimeMillis: 101 } }, "after 101 ms of CPU time, of 100"],
    ["CPU time beyond the plan's", "timed", { stats: { state: "FINISHED", cpuTimeMillis: 1001 } }, "after 1001 ms of CPU time, of 1000"],
    ["bytes too many", "counted", { stats: { state: "FINISHED", physicalInputBytes: 1025 } }, "read 1025 bytes, of 1024 allowed"],
    [
      "an end that is late",
      "timed",
      { stats: { state: "FINISHED", elapsedTimeMillis: 3500 } },
      "ended well after 3500 ms, of 2000 allowed",
    ],
    ["what is on its way", "counted", { nextUri: "x", stats: { state: "FINISHING", cpuTimeMillis: 101 } }, ""],
    [
      "an end that is early",
      "timed",
      failed("EXCEEDED_TIME_LIMIT", { elapsedTimeMillis: 1990 }, "of 2.00s"),
      "was ended after 1990 ms, of 2000",
    ],
    [
      "the time in the queue, which does not count",
      "timed",
      failed("EXCEEDED_TIME_LIMIT", { elapsedTimeMillis: 1500, queuedTimeMillis: 600 }, execution),
      "was ended after 900 ms, of 1000",
    ],
    ["a query that ran on", "timed", failed("EXCEEDED_TIME_LIMIT", { elapsedTimeMillis: 2500 }, execution), "as late as after 2500 ms"],
    ["CPU time that was not used", "counted", failed("EXCEEDED_CPU_LIMIT", { cpuTimeMillis: 99 }), "after 99 ms, of 100 allowed"],
    ["CPU time that was used for too long", "counted", failed("EXCEEDED_CPU_LIMIT", { cpuTimeMillis: 5101 }), "as late as after 5101 ms"],
    [
      "bytes that were not read",
      "counted",
      failed("EXCEEDED_SCAN_LIMIT", { physicalInputBytes: 1024 }),
      "after 1024 bytes, of 1024 allowed",
    ],
    [
      "memory that was not held",
      "counted",
      failed("EXCEEDED_GLOBAL_MEMORY_LIMIT", { peakMemoryBytes: 2048 }, "Query exceeded distributed total memory limit of 2kB"),
      "never exceeded 2048 bytes, of 2048 allowed",
    ],
  ])("speaks of %s", (_, user, document, sentence) => {
    expect(told(user, document)).toContain(sentence);
    expect(told(user, document) === "").toBe(sentence === "");
  });

  it("knows that what lost attempts have used counts, and is not shown", () => {
    const ended = failed("EXCEEDED_SCAN_LIMIT", { physicalInputBytes: 10 });
    expect(told("counted", ended, false, ["log-info", 'query-attempt-lost {"queryId":"q"}'])).toBe("");
    expect(told("counted", ended, false, ["log-info", 'query-attempt-given-up {"queryId":"q","attempt":0}'])).toBe("");
    expect(told("counted", ended, false, ["log-info", 'query-attempt-lost {"queryId":"other"}'])).not.toBe("");
  });

  it("knows that numbers may come after the end of a query that did not wait for them", () => {
    const ended = { stats: { state: "FINISHED", cpuTimeMillis: 101 } };
    expect(told("counted", ended, false, ["point", "query-ends-without-last-numbers"])).toBe("");
    expect(told("counted", ended, false, ["point", "page-cut-early"])).not.toBe("");
  });

  it("forgives lateness where something went wrong, and nothing else", () => {
    expect(told("timed", { stats: { state: "FINISHED", elapsedTimeMillis: 3500 } }, true)).toBe("");
    expect(told("counted", { stats: { state: "FINISHED", cpuTimeMillis: 101 } }, true)).not.toBe("");
  });
});

describe("resources", () => {
  const output = { state: "OPEN" as const, pagesAdded: 1, bufferedBytes: 100, memoryBytes: 100, pageBytesMax: 10, buffers: [] };
  const right: Accounts = {
    sizeBytes: 1000,
    reservedBytes: 300,
    usedBytes: 300,
    residentBytes: 400,
    queryBytes: 200,
    queryBytesMax: 150,
    outputBufferBytesMax: 90,
    queries: [
      { queryId: "q1", reservedBytes: 150, holders: 1 },
      { queryId: "q2", reservedBytes: 50, holders: 2 },
    ],
    keptQueries: { unclaimed: 1, unclaimedBytes: 10_000, history: 2, historyBytes: 30_000 },
    tasks: [{ taskId, state: "RUNNING", output, stats: () => ({}) as TaskStatsSnapshot }],
  };
  const kept = (one: Partial<NonNullable<Accounts["keptQueries"]>>): Accounts => ({
    ...right,
    keptQueries: { unclaimed: 0, unclaimedBytes: 0, history: 0, historyBytes: 0, ...one },
  });

  it.each([
    ["a worker, which keeps no queries", { ...right, keptQueries: undefined }, undefined],
    ["clients that never come back", kept({ unclaimed: 1001, unclaimedBytes: 1e7 }), "keeps 1001 unclaimed queries"],
    ["long texts of queries that nobody waits for", kept({ history: 300, historyBytes: 6e8 }), "a history of 600000000 bytes"],
    ["bytes of queries that are gone", kept({ unclaimedBytes: 10_000 }), "counts 10000 bytes for 0 unclaimed queries"],
    ["bytes that were given back twice", kept({ history: 2, historyBytes: -1 }), "-1 for 2 of the history"],
    ["what is right", right, undefined],
    ["a sum that is not", { ...right, queryBytes: 210 }, "the queries there hold 200"],
    ["a second memory of a query, beside the one with its limit", { ...right, queryBytes: 260 }, "the queries there hold 200"],
    ["a query above its limit", { ...right, queryBytesMax: 100 }, "where a query may hold 100"],
    ["more than the node has", { ...right, sizeBytes: 250 }, "has reserved 300 of its 250 bytes"],
    ["less than nothing", { ...right, queryBytes: -1 }, "holds -1 bytes for queries"],
    [
      "memory that nobody holds",
      { ...right, queries: [{ queryId: "q1", reservedBytes: 200, holders: 0 }], queryBytesMax: 200 },
      "has memory on w1, and nobody holds it",
    ],
    ["an output above its bound", { ...right, outputBufferBytesMax: 40 }, "with a bound of 40"],
  ])("%s", (_, accounts, sentence) => {
    const listener = new Listener();
    new ResourceOracle(listener).check("w1", accounts);
    expect(listener.said.join("; ")).toContain(sentence ?? "");
    expect(listener.said.length > 0).toBe(sentence !== undefined);
  });
});

describe("statistics", () => {
  const stats = {
    totalSplits: 3,
    queuedSplits: 1,
    runningSplits: 1,
    completedSplits: 1,
    cpuTimeMillis: 1,
    wallTimeMillis: 2,
    processedRows: 5,
    processedBytes: 9,
  };

  it.each([
    ["what grows", [stats, { ...stats, runningSplits: 0, completedSplits: 2 }], undefined],
    ["splits that are not there", [{ ...stats, totalSplits: 4 }], "q has 4 splits: 1 queued, 1 running, 1 completed"],
    ["rows that were processed and then were not", [stats, { ...stats, processedRows: 4 }], "processedRows of q fell from 5 to 4"],
    [
      "stages that are not the query",
      [{ ...stats, rootStage: { ...stats, totalSplits: 2, queuedSplits: 0 } }],
      "totalSplits of q is 3, of its stages 2",
    ],
    ["more computing than time", [{ ...stats, cpuTimeMillis: 3 }], "computed for longer than it was scheduled"],
  ])("%s", (_, documents, sentence) => {
    const listener = new Listener();
    const oracle = new StatisticsOracle(listener, new DeliveryOracle(listener, nodes));
    for (const document of documents) {
      oracle.observeClient("q", document);
    }
    expect(listener.said.join("; ")).toContain(sentence ?? "");
    expect(listener.said.length > 0).toBe(sentence !== undefined);
  });
});

describe("query life", () => {
  const queryId = "20260101_000000_00000_aaaaa";
  const stats = {
    totalSplits: 0,
    queuedSplits: 0,
    runningSplits: 0,
    completedSplits: 0,
    cpuTimeMillis: 0,
    wallTimeMillis: 0,
    processedRows: 0,
    processedBytes: 0,
  };

  /** The coordinator's answer to an internal request. */
  async function told(
    act: (oracle: QueryLifeOracle, facts: Facts) => void,
    said: { readonly stranger?: number; readonly info?: object; readonly node?: { isReady?: boolean; isComplete?: boolean } } = {},
  ): Promise<readonly string[]> {
    const listener = new Listener();
    const world = new World({ streams: StreamTree.root("test") });
    const facts = new Facts();
    facts.note("c", "start", "life 1", 1);
    const info = {
      state: "FINISHED",
      query: "SELECT 1",
      fieldNames: ["a"],
      session: { user: "u1" },
      queryStats: { totalTasks: 1, outputPositions: 1 },
      ...said.info,
    };
    const handle: OrreryNode["handle"] = ({ url }) =>
      Promise.resolve(
        url.startsWith("/v1/query/")
          ? { status: 200, headers: {}, body: encodeUtf8(JSON.stringify(info)) }
          : { status: said.stranger ?? 404, headers: {}, body: new Uint8Array(0) },
      );
    const statistics = new StatisticsOracle(listener, new DeliveryOracle(listener, nodes));
    const node = { handle, isReady: true, isComplete: true, ...said.node } as unknown as OrreryNode;
    act(
      new QueryLifeOracle({
        verdict: listener,
        world,
        facts,
        statistics,
        coordinator: "c",
        workers: [],
        node: () => node,
        hasRunAgain: () => false,
        hasRemote: false,
        taskTimeoutMs: 1e5,
        historyMax: 100,
        expireAgeMs: 900_000,
        clientTimeoutMs: 300_000,
      }),
      facts,
    );
    await new Promise((resolve) => setImmediate(resolve));
    return listener.said;
  }

  const story = (oracle: QueryLifeOracle): void => {
    const nextUri = `http://c:8080/v1/statement/${queryId}/1?slug=secret`;
    oracle.observeClient("u1", "SELECT 1", { id: queryId, nextUri, stats: { ...stats, state: "RUNNING" } }, "submission");
    oracle.observeTransition(1, queryId, "FINISHED");
    oracle.observeClient(
      "u1",
      "SELECT 1",
      { id: queryId, columns: [{ name: "a" }], data: [[1]], stats: { ...stats, state: "FINISHED" } },
      "1",
    );
  };

  it("holds what is right", async () => {
    expect(await told(story)).toEqual([]);
  });

  it("compares the numbers of an answer that arrives late with those of the life that has made it", async () => {
    const receives =
      (hasRestarted: boolean) =>
      (oracle: QueryLifeOracle, facts: Facts): void => {
        const made = [5, 0].map((elapsedTimeMillis) => ({ id: queryId, stats: { ...stats, state: "RUNNING", elapsedTimeMillis } }));
        for (const [index, document] of made.entries()) {
          const body = encodeUtf8(JSON.stringify({ ...document, nextUri: "http://c:8080/v1/statement/next" }));
          oracle.observe({ ...answer(`/v1/statement/${queryId}/${index + 1}`, { body }), to: "c" });
          if (hasRestarted) {
            facts.note("c", "start", "another life", 2);
          }
        }
        made.forEach((document, index) => oracle.observeClient("u1", "SELECT 1", document, String(index + 1)));
      };
    expect(await told(receives(true))).toEqual([]);
    expect((await told(receives(false))).join()).toContain("elapsedTimeMillis");
  });

  it.each([
    ["a stranger who gets an answer", { stranger: 200 }, "with another slug and was answered 200"],
    ["a slug that is told", { info: { note: "secret" } }, "tells the slug"],
    ["another end", { info: { state: "FAILED" } }, "as FINISHED for its user and as FAILED for others"],
    ["another statement", { info: { query: "SELECT 2" } }, "tells of another statement or user"],
    ["other columns", { info: { fieldNames: ["b"] } }, "has the columns a for its user and b for others"],
    [
      "rows that its client never got",
      { info: { queryStats: { totalTasks: 1, outputPositions: 2 } } },
      "says it gave 2 rows; its client received 1",
    ],
  ])("speaks of %s", async (_, said, sentence) => {
    expect((await told(story, said)).join("; ")).toContain(sentence);
  });

  it("speaks of a node that says it is starting, or is not, where that is not so", async () => {
    const says =
      (...starting: readonly boolean[]) =>
      (oracle: QueryLifeOracle): void => {
        for (const one of starting) {
          const { ...observed } = answer("/v1/info", { body: encodeUtf8(`{"starting":${one}}`) });
          oracle.observe({ ...observed, to: "c" });
        }
      };
    expect(await told(says(false))).toEqual([]);
    expect(await told(says(true), { node: { isReady: false } })).toEqual([]);
    expect(await told(says(true), { node: { isComplete: false } })).toEqual([]);
    expect((await told(says(true))).join()).toContain("c says that starting is true");
    expect((await told(says(false), { node: { isComplete: false } })).join()).toContain("c says that starting is false");
    expect((await told(says(false, true))).join()).toContain("c is starting after it had started");
  });

  it("speaks of a query that ends twice", async () => {
    const twice = await told((oracle) => {
      oracle.observeTransition(1, queryId, "FINISHED");
      oracle.observeTransition(1, queryId, "FAILED");
    });
    expect(twice.join("; ")).toContain("ended a second time, as FAILED");
  });
});

describe("documents", () => {
  it("speaks of requests and answers against their schemas", () => {
    const listener = new Listener();
    const oracle = new DocumentOracle(listener);
    oracle.observe(answer("/v1/info", { body: encodeUtf8('{"environment":"test"}') }));
    expect(listener.said.join("; ")).toContain("w1 answered GET /v1/info with a document against its schema");
    const request = { method: "PUT" as const, url: "/v1/announcement/w1", headers: {}, body: encodeUtf8('{"nodeId":"w1"}') };
    const response = { status: 200, headers: {}, body: encodeUtf8("{}") };
    oracle.observe(observed({ from: "w2", to: "w1", request, response, arrivedNanos: 1 }, { nowNanos: 1, event: 1 }));
    expect(listener.said.join("; ")).toContain("w2 sent PUT /v1/announcement/w1 with a document against its schema");
  });
});

describe("tasks", () => {
  /** The worker creates the task in its first and in its second incarnation. */
  function createdTwice(...notes: readonly (readonly [string, string])[]): readonly string[] {
    const listener = new Listener();
    let incarnation = 1;
    const oracle = new TaskOracle(listener, (place) => (place === "w1" ? incarnation : 1));
    oracle.note("c", "request", `m7 c>w1 task-update POST /v1/task/${taskId}`);
    for (const [kind, detail] of notes) {
      oracle.note("c", kind, detail);
    }
    const created = answer(`/v1/task/${taskId}`, { from: "c", method: "POST" });
    oracle.observe(created);
    incarnation = 2;
    oracle.observe(created);
    return listener.said;
  }

  it("speak of a life that creates what a former one had created", () => {
    const sentence = `one-life: w1 created ${taskId} in its life 2, which life 1 of it had done before`;
    expect(createdTwice()).toEqual([sentence]);
    expect(createdTwice(["duplicated", "m8 c>w1 task-update"])).toEqual([sentence]);
  });

  it("hold it where the network gave one request to both", () => {
    expect(createdTwice(["duplicated", "m7 c>w1 task-update"])).toEqual([]);
  });
});

describe("relations", () => {
  const sql = "WITH t AS (SELECT 1 AS a) SELECT a FROM t WHERE a > 0 ORDER BY 1 LIMIT 3";
  const rows = (...values: unknown[]): Outcome => ({ kind: "rows", rows: values.map((value) => [value]) });

  it("ask in other words", () => {
    const [counts, partitions] = relationsOf(sql);
    expect(counts).toMatchObject({ name: "counts", whole: expect.stringContaining("SELECT count(*) FROM") as string });
    expect(partitions?.parts).toHaveLength(3);
    expect(partitions?.whole).not.toContain("LIMIT");
    expect(relationsOf("SELECT count(*) FROM t WHERE a > 0").map(({ name }) => name)).toEqual(["counts"]);
    expect(relationsOf("SELECT a, row_number() OVER (ORDER BY a) FROM t WHERE a > 0").map(({ name }) => name)).toEqual(["counts"]);
    expect(relationsOf("SELEC 1")).toEqual([]);
  });

  it("count the rows of an outer join that have a partner like those of the inner join", () => {
    const join = (type: string, on: string): string => `SELECT a.x, b.y FROM t a ${type} JOIN (SELECT y, k FROM u) b ON ${on}`;
    const relations = partnersOf(join("LEFT", "b.k = a.x AND a.z < b.y"));
    expect(relations.map(({ whole, parts }) => [whole, ...parts])).toEqual([
      [
        "SELECT count(*) FROM (t AS a INNER JOIN ( SELECT y , k FROM u ) AS b ON ((b.k = a.x) AND (a.z < b.y)))",
        "SELECT count_if(b.k IS NOT NULL AND a.x IS NOT NULL) FROM (t AS a LEFT JOIN ( SELECT y , k FROM u ) AS b ON ((b.k = a.x) AND (a.z < b.y)))",
      ],
    ]);
    expect(partnersOf(join("FULL", "a.x = b.k"))).toHaveLength(1);
    for (const none of [
      join("INNER", "a.x = b.k"),
      join("LEFT", "b.y = b.k"),
      join("LEFT", "a.x < b.k"),
      `${join("LEFT", "a.x = b.k")} LIMIT 1`,
    ]) {
      expect(partnersOf(none), none).toEqual([]);
    }
    const listener = new Listener();
    const [inner, outer] = statementsOf(relations);
    checkRelations(
      relations,
      new Map<string, Outcome>([
        [inner ?? "", rows(3)],
        [outer ?? "", rows(2)],
      ]),
      listener,
    );
    expect(listener.said.join()).toContain("are counted in one way");
  });

  it("speak of rows that fall into no part", () => {
    const relations = relationsOf(sql);
    const [count, counted, whole, ...parts] = statementsOf(relations);
    const outcomes = new Map<string, Outcome>([
      [count ?? "", rows(1)],
      [counted ?? "", rows(1)],
      [whole ?? "", rows(1, 2, null)],
      [parts[0] ?? "", rows(1)],
      [parts[1] ?? "", rows(2)],
      [parts[2] ?? "", rows(null)],
    ]);
    const listener = new Listener();
    checkRelations(relations, outcomes, listener);
    expect(listener).toMatchObject({ said: [], heard: 2 });
    outcomes.set(parts[2] ?? "", rows());
    outcomes.set(counted ?? "", rows(2));
    checkRelations(relations, outcomes, listener);
    expect(listener.said).toHaveLength(2);
  });
});

describe("invariants", () => {
  it("have names of their own and a sentence each", () => {
    expect(new Set(invariants.map(({ name }) => name)).size).toBe(invariants.length);
    for (const { name, sentence } of invariants) {
      expect(sentence, name).toMatch(/^[A-Z].*\.$/s);
    }
    expect(describeInvariants().length).toBeGreaterThan(invariants.length + Object.keys(causes).length);
  });
});
