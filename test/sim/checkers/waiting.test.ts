/**
 * Checkers of waiting and shutdown: each is silent if no one waits for something that is available, and reports otherwise.
 */
import { describe, expect, it } from "vitest";
import { ClosingOracle } from "../../../sim/checkers/protocol/closings.ts";
import { Facts } from "../../../sim/checkers/facts.ts";
import { LastAskedOracle } from "../../../sim/checkers/protocol/last-asked.ts";
import { LowMemoryOracle } from "../../../sim/checkers/resources/low-memory.ts";
import { TurnBook } from "../../../sim/checkers/models/query/start-turns.ts";
import { MembershipOracle } from "../../../sim/checkers/membership/membership.ts";
import { DeliveryOracle } from "../../../sim/checkers/protocol/delivery.ts";
import { PromptnessOracle } from "../../../sim/checkers/liveness/promptness.ts";
import { QueryLifeOracle } from "../../../sim/checkers/liveness/query-life.ts";
import { ResourceOracle } from "../../../sim/checkers/resources/resources.ts";
import { StatisticsOracle } from "../../../sim/checkers/results/counter-sums.ts";
import { TaskEndOracle } from "../../../sim/checkers/liveness/task-ends.ts";
import { observed, type Observed } from "../../../sim/checkers/protocol/wire.ts";
import { StreamTree } from "../../../sim/world/streams.ts";
import { nanosPerSecond, World } from "../../../sim/world/world.ts";
import type { OrreryNode } from "../../../src/node.ts";
import type { TaskStatsSnapshot } from "../../../src/execution/task/api.ts";
import type { Accounts } from "../../../src/node-accounts.ts";
import type { HttpMethod } from "../../../src/ports/network.ts";
import { encodeUtf8 } from "../../../src/types/utf8.ts";

class Listener {
  readonly said: string[] = [];

  violate(_: string, oracle: string, sentence: string): void {
    this.said.push(`${oracle}: ${sentence}`);
  }

  held(): void {
    // Conditions that hold are not reported.
  }
}

interface Said {
  readonly to?: string;
  readonly method?: HttpMethod;
  readonly status?: number;
  readonly sent?: string;
  readonly body?: string;
}

function answer(seconds: number, url: string, { to = "c", method = "GET", status = 200, sent = "", body = "" }: Said = {}): Observed {
  const nowNanos = seconds * nanosPerSecond;
  const request = { method, url, headers: {}, body: encodeUtf8(sent) };
  return observed(
    { from: "x", to, request, response: { status, headers: {}, body: encodeUtf8(body) }, arrivedNanos: nowNanos },
    { nowNanos, event: seconds },
  );
}

function startedFacts(...places: readonly string[]): Facts {
  const facts = new Facts();
  for (const place of places) {
    facts.note(place, "start", "life 1", 1);
  }
  return facts;
}

const queryId = "20260101_000000_00000_aaaaa";
const taskId = `${queryId}.1.0`;

describe("promptness", () => {
  function told(
    act: (oracle: PromptnessOracle, pass: (from: number, to: number) => void) => void,
    cluster: {
      readonly workers?: number;
      readonly facts?: Facts;
      readonly requiredWorkers?: number;
      readonly runningMax?: number;
      readonly liveTasks?: number;
      readonly partsToCopy?: number;
    } = {},
  ): readonly string[] {
    const listener = new Listener();
    let nowNanos = 0;
    const oracle = new PromptnessOracle({
      verdict: listener,
      facts: cluster.facts ?? startedFacts("c", "w1"),
      coordinator: "c",
      activeWorkers: () => cluster.workers ?? 1,
      requiredWorkers: cluster.requiredWorkers ?? 1,
      liveTasks: () => cluster.liveTasks,
      partsToCopy: () => cluster.partsToCopy ?? 0,
      runningMax: cluster.runningMax ?? 1,
      turns: new TurnBook({ knobs: { "starting-queries": 1, "start-turn-ms": 60_000 } }, () => nowNanos),
      clientTimeoutMs: 5_000,
    });
    act(oracle, (from, to) => {
      for (let second = from; second <= to; second++) {
        nowNanos = second * nanosPerSecond;
        oracle.observe(answer(second, "/v1/status", { to: "w1" }));
      }
    });
    return listener.said;
  }

  const submitted = answer(1, "/v1/statement", { method: "POST", body: `{"id":"${queryId}","stats":{"state":"QUEUED"}}` });
  const polled = (second: number): Observed => answer(second, `/v1/statement/${queryId}/1?slug=x`, { body: "{}" });
  const cancelled = answer(2, `/v1/statement/${queryId}/1?slug=x`, { method: "DELETE", status: 204 });
  const to = (oracle: PromptnessOracle, state: string, second = 1): void =>
    oracle.observeTransition(1, queryId, state, second * nanosPerSecond);

  it("holds a query that runs, is asked for and is cancelled", () => {
    const said = told((oracle, pass) => {
      to(oracle, "RUNNING");
      pass(1, 4);
      oracle.observe(polled(5));
      pass(6, 12);
      to(oracle, "FAILED", 12);
      oracle.observe(cancelled);
      // A repeated request gets the first answer unchanged.
      oracle.observe(submitted);
      pass(13, 40);
    });
    expect(said).toEqual([]);
  });

  it("speaks of a cancel that is acknowledged and forgotten", () => {
    const said = told((oracle) => {
      to(oracle, "RUNNING");
      oracle.observe(cancelled);
    });
    expect(said).toEqual([`promptness: ${queryId} was cancelled with 204, and is RUNNING`]);
  });

  it("reports a query that waits for workers that exist, once, and not while there are none", () => {
    const waits = (oracle: PromptnessOracle, pass: (from: number, until: number) => void): void => {
      to(oracle, "WAITING_FOR_RESOURCES");
      pass(1, 6);
    };
    expect(told(waits)).toEqual([`promptness: ${queryId} waits for workers although there have been enough for 3.0 s`]);
    expect(told(waits, { workers: 0 })).toEqual([]);
    expect(told(waits, { workers: 2, requiredWorkers: 3 })).toEqual([]);
  });

  it("speaks of a query that waits for a slot that is free, and not while none is", () => {
    const waits = (oracle: PromptnessOracle, pass: (from: number, until: number) => void): void => {
      oracle.observeTransition(1, "20260101_000000_00001_aaaaa", "RUNNING", nanosPerSecond);
      oracle.observe(submitted);
      pass(1, 6);
    };
    expect(told(waits, { runningMax: 2 })[0]).toContain("waits for a slot although one has been free for");
    expect(told(waits)).toEqual([]);
  });

  it("lets queries wait for their turn to be planned, and no longer", () => {
    const other = "20260101_000000_00001_aaaaa";
    const waits = (state: string, hasEnded: boolean): readonly string[] =>
      told(
        (oracle, pass) => {
          oracle.observeTransition(1, other, "PLANNING", nanosPerSecond);
          if (hasEnded) {
            oracle.observeTransition(1, other, "FAILED", nanosPerSecond);
          }
          oracle.observe(submitted);
          to(oracle, state);
          pass(1, 6);
        },
        { runningMax: 2 },
      );
    expect([waits("QUEUED", false), waits("WAITING_FOR_RESOURCES", false)]).toEqual([[], []]);
    expect(waits("QUEUED", true).join()).toContain("waits for a slot although one has been free for");
    expect(waits("WAITING_FOR_RESOURCES", true).join()).toContain("waits for workers although there have been enough for");
  });

  it("speaks of a query that has all its rows and does not end", () => {
    const finishes = (until: number): readonly string[] =>
      told((oracle, pass) => {
        to(oracle, "FINISHING");
        pass(1, until);
      });
    expect(finishes(3)).toEqual([]);
    expect(finishes(5)).toEqual([`promptness: ${queryId} has been FINISHING for 3.0 s, whoever it waits for`]);
    const explains = (until: number): readonly string[] =>
      told((oracle) => {
        to(oracle, "RUNNING");
        oracle.observe(answer(1, "/v1/statement", { method: "POST", sent: "EXPLAIN ANALYZE SELECT 1", body: `{"id":"${queryId}"}` }));
        to(oracle, "FINISHING");
        for (let second = 1; second <= until; second++) {
          oracle.observe(polled(second));
        }
      });
    expect(explains(12)).toEqual([]);
    expect(explains(15).join()).toContain("has been FINISHING for 13.0 s");
  });

  it("speaks of a query whose client has gone, in time", () => {
    const gone = (until: number): readonly string[] =>
      told((oracle, pass) => {
        to(oracle, "RUNNING");
        oracle.observe(polled(2));
        pass(3, until);
      });
    expect(gone(9)).toEqual([]);
    expect(gone(12).join()).toContain("is RUNNING although its client has not been heard of for 9.0 s, and may be silent for 5 s");
  });

  it("speaks of who was told to leave and stays, unless it was frozen", () => {
    const leaves = (oracle: PromptnessOracle): void =>
      oracle.note("w1", "log-info", 'shutdown-started {"nodeId":"w1","graceMs":3000}', nanosPerSecond);
    const stays = told((oracle, pass) => {
      leaves(oracle);
      pass(1, 10);
    });
    expect(stays).toEqual(["promptness: w1 was told to leave within 3.0 s, and is still there 5.0 s after that"]);
    const idle = (liveTasks: number, partsToCopy = 0, fault = "", facts = startedFacts("c", "w1")): readonly string[] =>
      told(
        (oracle, pass) => {
          oracle.note("w1", "log-info", 'shutdown-started {"nodeId":"w1","graceMs":60000}', nanosPerSecond);
          oracle.note("world", "fault", fault, nanosPerSecond);
          pass(1, 10);
        },
        { facts, liveTasks, partsToCopy },
      );
    const cutOff = startedFacts("c", "w1");
    for (const second of [1, 6]) {
      cutOff.note("w3", "lost", `m${second} w3>w2 catalog-call`, second * nanosPerSecond);
    }
    const staysIdle = ["promptness: w1 was told to leave, has had no task that runs for 5.0 s, and is still there"];
    const otherFrozen = "pause w2 1.000s..20.000s";
    expect(idle(0)).toEqual(staysIdle);
    expect(idle(1)).toEqual([]);
    expect(idle(0, 1)).toEqual(staysIdle);
    expect(idle(0, 0, otherFrozen)).toEqual(staysIdle);
    expect(idle(0, 1, otherFrozen)).toEqual([]);
    expect(idle(0, 1, "", cutOff)).toEqual([]);
    expect(idle(0, 0, "", cutOff)).toEqual(staysIdle);
    const asks = (ends: boolean, lostAt: readonly number[]): readonly string[] => {
      const facts = startedFacts("c", "w1");
      for (const second of lostAt) {
        facts.note("c", "cut", `m${String(second)}0 w1>c announcement request`, second * nanosPerSecond);
      }
      return told(
        (oracle, pass) => {
          oracle.note("w1", "log-info", 'shutdown-started {"nodeId":"w1","graceMs":60000}', nanosPerSecond);
          oracle.note("w1", "request", "m2 w1>c catalog-call POST /v1/catalog/memory/call", nanosPerSecond);
          if (ends) {
            oracle.note("w1", "answer", "m2 w1>c catalog-call 200", nanosPerSecond);
          }
          pass(1, 12);
        },
        { facts, liveTasks: 0, partsToCopy: 0 },
      );
    };
    // Cut off from the node that it asks; it has its answer; nothing is lost any more.
    expect(asks(false, [1, 5, 9])).toEqual([]);
    expect(asks(true, [1, 5, 9])).toEqual(staysIdle);
    expect(asks(false, [1])).toEqual(staysIdle);
    const goes = told((oracle, pass) => {
      leaves(oracle);
      pass(1, 7);
      oracle.note("w1", "stopped", "life 1", 7 * nanosPerSecond);
      pass(8, 20);
    });
    expect(goes).toEqual([]);
    const frozen = told((oracle, pass) => {
      leaves(oracle);
      oracle.note("world", "fault", "pause w1 1.000s..20.000s", 2 * nanosPerSecond);
      pass(2, 20);
    });
    expect(frozen).toEqual([]);
  });
});

describe("closings", () => {
  const source = `/v1/task/${queryId}.2.0/results/0`;
  const created = answer(1, `/v1/task/${taskId}`, {
    to: "w1",
    method: "POST",
    sent: `{"sources":[{"splits":[{"split":{"kind":"remote","location":"http://w2:8080${source}"}}]}]}`,
    body: `{"taskId":"${taskId}","version":1,"state":"RUNNING"}`,
  });
  const finished = answer(2, `/v1/task/${taskId}/status`, { to: "w1", body: `{"taskId":"${taskId}","version":2,"state":"FINISHED"}` });

  function told(...requests: readonly string[]): readonly string[] {
    const listener = new Listener();
    const oracle = new ClosingOracle(listener, startedFacts("w1", "w2"));
    oracle.observe(created);
    for (const [index, request] of requests.entries()) {
      oracle.note("w1", "request", `m${index} w1>w2 ${request}`);
    }
    oracle.observe(finished);
    oracle.observe(answer(5, "/v1/status", { to: "w1" }));
    return listener.said;
  }

  it("holds who reads and closes, and who never read", () => {
    expect(told(`exchange-fetch GET ${source}/0`, `exchange-close DELETE ${source}`)).toEqual([]);
    expect(told()).toEqual([]);
  });

  it("speaks of who reads and leaves", () => {
    expect(told(`exchange-fetch GET ${source}/0`)).toEqual([
      `closings: ${taskId} on w1 has ended, and has not told ${source} that it reads no more of it`,
    ]);
  });
});

describe("task ends", () => {
  async function told(deletes: boolean, gone = false, again: "once" | "unanswered" | "answered" = "once"): Promise<readonly string[]> {
    const listener = new Listener();
    const world = new World({ streams: StreamTree.root("test") });
    const oracle = new TaskEndOracle({ verdict: listener, world, facts: startedFacts("c", "w1"), coordinator: "c", isGone: () => gone });
    oracle.note("c", "request", `m1 c>w1 task-update POST /v1/task/${taskId}`);
    // The query ends while the creation is in flight.
    oracle.queryEnded(queryId);
    oracle.note("c", "answer", "m1 c>w1 task-update 200");
    if (again !== "once") {
      oracle.note("c", "request", `m3 c>w1 task-update POST /v1/task/${taskId}`);
    }
    if (again === "answered") {
      oracle.note("c", "network-error", "m3 c>w1 task-update TIMEOUT");
    }
    if (deletes) {
      oracle.note("c", "request", `m2 c>w1 task-delete DELETE /v1/task/${taskId}?abort=true`);
    }
    let passed = false;
    world.at(4 * nanosPerSecond, "later", () => {
      passed = true;
    });
    await world.run({ untilNanos: 4 * nanosPerSecond, eventsMax: 100, done: () => passed });
    oracle.note("w1", "timer", "");
    return listener.said;
  }

  /** The query runs again: its first attempt ends at 0 s while the worker is gone or not, the query at 4 s. */
  async function toldOfAttempt(gone: boolean): Promise<readonly string[]> {
    const listener = new Listener();
    const world = new World({ streams: StreamTree.root("test") });
    let isGone = gone;
    const oracle = new TaskEndOracle({ verdict: listener, world, facts: startedFacts("c", "w1"), coordinator: "c", isGone: () => isGone });
    oracle.note("c", "request", `m1 c>w1 task-update POST /v1/task/${taskId}`);
    oracle.note("c", "answer", "m1 c>w1 task-update 200");
    oracle.observeStage(`${queryId}.0`, "ABORTED");
    const next = `${taskId}1`;
    oracle.note("c", "request", `m2 c>w1 task-update POST /v1/task/${next}`);
    oracle.note("c", "answer", "m2 c>w1 task-update 200");
    let passed = 0;
    for (const seconds of [4, 8]) {
      world.at(seconds * nanosPerSecond, "later", () => {
        passed++;
      });
      await world.run({ untilNanos: seconds * nanosPerSecond, eventsMax: 100, done: () => passed === seconds / 4 });
      isGone = false;
      oracle.note("w1", "timer", "");
      oracle.note("c", "request", `m3 c>w1 task-delete DELETE /v1/task/${next}?abort=true`);
      oracle.queryEnded(queryId);
    }
    return listener.said;
  }

  it("speaks of a task that is left when its attempt has ended, unless its worker was gone then", async () => {
    expect(await toldOfAttempt(true)).toEqual([]);
    expect(await toldOfAttempt(false)).toEqual([
      `deletions: ${taskId} was created on w1, its attempt has ended, and nobody asks w1 to delete it`,
    ]);
  });

  it("lets a lost task stay until it runs again, and not a second run's first one", async () => {
    const left = async (event: string, more = ""): Promise<number> => {
      const listener = new Listener();
      const world = new World({ streams: StreamTree.root("test") });
      const oracle = new TaskEndOracle({ verdict: listener, world, facts: startedFacts("c", "w1"), coordinator: "c", isGone: () => false });
      oracle.note("c", "request", `m1 c>w1 task-update POST /v1/task/${taskId}`);
      oracle.note("c", "answer", "m1 c>w1 task-update 200");
      oracle.note(
        "c",
        "log-info",
        `${event} {"taskId":"${event === "task-lost" ? taskId : "x.1.9"}","former":"${taskId}","nodeId":"w1"${more}}`,
      );
      let passed = false;
      world.at(4 * nanosPerSecond, "later", () => {
        passed = true;
      });
      await world.run({ untilNanos: 4 * nanosPerSecond, eventsMax: 100, done: () => passed });
      oracle.note("w1", "timer", "");
      return listener.said.length;
    };
    expect([await left("task-lost"), await left("task-runs-again"), await left("task-runs-again", ',"speculative":true')]).toEqual([
      0, 1, 0,
    ]);
  });

  it("speaks of a task that is left when its query has ended", async () => {
    expect(await told(true)).toEqual([]);
    expect(await told(false, true)).toEqual([]);
    // A request that may still create it delays the verdict.
    expect(await told(false, false, "unanswered")).toEqual([]);
    expect(await told(false, false, "answered")).toEqual(await told(false));
    expect(await told(false)).toEqual([`deletions: ${taskId} was created on w1, its attempt has ended, and nobody asks w1 to delete it`]);
  });
});

describe("last-asked", () => {
  function told(deletedWith: number, fault = ""): readonly string[] {
    const listener = new Listener();
    const oracle = new LastAskedOracle({ verdict: listener, facts: startedFacts("w1"), clientTimeoutMs: 10_000 });
    const document = (second: number): string => `{"lastHeartbeat":"2026-01-01T00:00:${String(second).padStart(2, "0")}.000Z"}`;
    oracle.note("world", "fault", fault, 0);
    oracle.observe(answer(1, `/v1/task/${taskId}`, { to: "w1", method: "POST", body: document(11) }));
    oracle.observe(answer(5, `/v1/task/${taskId}/status`, { to: "w1", body: "{}" }));
    oracle.observe(answer(9, `/v1/task/${taskId}`, { to: "w1", method: "DELETE", body: document(deletedWith) }));
    return listener.said;
  }

  it("speaks of a question that was forgotten, and trusts no clock that jumped", () => {
    expect(told(15)).toEqual([]);
    expect(told(11)).toEqual([
      `last-asked: w1 was asked for ${taskId} 4000 ms after its creation, and says that the last time was 0 ms after it`,
    ]);
    expect(told(11, "clock-step w1 -100ms 1.000s..2.000s")).toEqual([]);
  });

  function toldOfEnd(failedAtSecond: number): readonly string[] {
    const listener = new Listener();
    const oracle = new LastAskedOracle({ verdict: listener, facts: startedFacts("w1"), clientTimeoutMs: 10_000 });
    const body = `{"failures":[{"message":"Task ${taskId} has not been accessed since 2026-01-01"}]}`;
    oracle.observe(answer(1, `/v1/task/${taskId}`, { to: "w1", method: "POST", body: '{"lastHeartbeat":"2026-01-01T00:00:11.000Z"}' }));
    oracle.observe(answer(5, `/v1/task/${taskId}/status`, { to: "w1", body: "{}" }));
    oracle.note("w1", "task", `${taskId} RUNNING -> FAILED`, failedAtSecond * nanosPerSecond);
    // A request after the end does not count as an earlier one.
    oracle.observe(answer(failedAtSecond + 1, `/v1/task/${taskId}/status`, { to: "w1", body }));
    return listener.said;
  }

  it("speaks of a task that is given up before its time", () => {
    expect(toldOfEnd(15)).toEqual([]);
    expect(toldOfEnd(7)).toEqual([`last-asked: w1 gave ${taskId} up as abandoned 2000 ms after it had been asked for it, not 10000`]);
  });
});

describe("progress", () => {
  const tasks = (producerWaits: boolean, readerWaits: boolean): Accounts["tasks"] => {
    const buffer = { finished: false, bufferedPages: 0, pagesSent: 0 };
    const output = {
      state: "NO_MORE_BUFFERS" as const,
      pagesAdded: 1,
      bufferedBytes: 2048,
      producerWaits,
      buffers: [
        { ...buffer, bufferId: "0", readerWaits: false },
        { ...buffer, bufferId: "1", readerWaits },
      ],
    };
    return [{ taskId, state: "RUNNING", output, stats: () => ({}) as TaskStatsSnapshot }];
  };

  it("speaks of a producer and a reader that wait for each other", () => {
    const listener = new Listener();
    const oracle = new ResourceOracle(listener);
    oracle.checkProgress("w1", tasks(true, false));
    oracle.checkProgress("w1", tasks(false, true));
    expect(listener.said).toEqual([]);
    oracle.checkProgress("w1", tasks(true, true));
    expect(listener.said.join()).toContain("and the reader of buffer 1 waits for a page of it");
  });
});

describe("resources", () => {
  it("speak of a task that has held more than its query may", () => {
    const listener = new Listener();
    const oracle = new ResourceOracle(listener);
    const ended = (size: string): Observed =>
      answer(1, `/v1/task/${taskId}`, { to: "w1", method: "DELETE", body: `{"stats":{"peakMemoryReservation":"${size}"}}` });
    oracle.checkPeak(ended("1.00MB"), 1_048_576);
    expect(listener.said).toEqual([]);
    oracle.checkPeak(ended("2.5MB"), 1_048_576);
    expect(listener.said).toEqual([`resources: ${taskId} on w1 has held 2.5MB, where its whole query may hold 1048576 bytes`]);
  });
});

describe("membership", () => {
  function told(...beats: readonly string[]): readonly string[] {
    const listener = new Listener();
    const oracle = new MembershipOracle(listener, {
      coordinator: "c",
      properties: {},
      facts: startedFacts("c", "w1"),
      uriOf: (place) => `http://${place}:8080`,
      view: () => ({ activeWorkers: () => [{ nodeId: "w1" }], address: () => "http://w1:8080", isGone: () => false }),
    });
    for (const [index, beat] of beats.entries()) {
      const seconds = index + 1;
      if (beat === "announced") {
        oracle.observe(answer(seconds, "/v1/announcement/w1", { method: "PUT", sent: '{"life":"b"}' }));
      } else {
        oracle.note("c", beat === "200" ? "answer" : "network-error", `m1 c>w1 heartbeat ${beat}`, seconds * nanosPerSecond);
      }
    }
    oracle.checkActive((beats.length + 1) * nanosPerSecond);
    return listener.said;
  }

  it("asks for the active workers once, however many there are", () => {
    const workers = Array.from({ length: 300 }, (_, index) => ({ nodeId: `w${index}` }));
    let lists = 0;
    const activeWorkers = (): typeof workers => {
      lists++;
      return workers;
    };
    const oracle = new MembershipOracle(new Listener(), {
      coordinator: "c",
      properties: {},
      facts: startedFacts("c"),
      uriOf: (place) => `http://${place}:8080`,
      view: () => ({ activeWorkers, address: () => undefined, isGone: () => false }),
    });
    oracle.checkActive(nanosPerSecond);
    expect(lists).toBe(1);
  });

  it("speaks of a node that counts as active and has not answered", () => {
    const sentence = "membership: w1 counts as active although no heartbeat of this life of it has been answered";
    expect(told("announced", "TIMEOUT")).toEqual([sentence, sentence]);
    // The worker becomes active while it already counts; from its first answer on there is no violation.
    expect(told("announced", "200")).toEqual([sentence]);
  });
});

describe("history", () => {
  const known = ["a", "b", "c", "d"];

  async function told(listed: readonly string[], awaited?: string): Promise<readonly string[]> {
    const listener = new Listener();
    const world = new World({ streams: StreamTree.root("test") });
    const body = encodeUtf8(JSON.stringify(listed.map((id) => ({ queryId: id, state: "FAILED" }))));
    const node = { handle: () => Promise.resolve({ status: 200, headers: {}, body }) } as unknown as OrreryNode;
    const oracle = new QueryLifeOracle({
      verdict: listener,
      world,
      facts: startedFacts("c"),
      statistics: new StatisticsOracle(listener, new DeliveryOracle(listener, { incarnations: () => 1, taskState: () => undefined })),
      coordinator: "c",
      workers: [],
      node: () => node,
      hasRunAgain: () => false,
      hasRemote: false,
      taskTimeoutMs: 1e5,
      historyMax: 2,
      expireAgeMs: 10_000,
      clientTimeoutMs: 300_000,
    });
    for (const id of known) {
      oracle.observeTransition(1, id, "FAILED");
      if (id !== awaited) {
        oracle.observe(answer(0, `/v1/statement/${id}/1?slug=s`, { body: `{"id":"${id}","stats":{"state":"FAILED"}}` }));
      }
    }
    oracle.checkHistory();
    let passed = false;
    world.at(30 * nanosPerSecond, "later", () => {
      passed = true;
    });
    await world.run({ untilNanos: 30 * nanosPerSecond, eventsMax: 100, done: () => passed });
    oracle.checkHistory();
    await new Promise((resolve) => setImmediate(resolve));
    return listener.said;
  }

  it("speaks of an old query that others have followed and that is still known", async () => {
    expect(await told(["c", "d"])).toEqual([]);
    expect(await told(["b", "c", "d"])).toEqual([
      "query-life: b ended 30.0 s ago, 2 others have since, and the coordinator still remembers it",
    ]);
  });

  it("lets a query stay whose client is still to come for its rows", async () => {
    expect(await told(["b", "c", "d"], "b")).toEqual([]);
  });
});

describe("the tasks of a query that has ended", () => {
  const task = `${queryId}.1.0`;

  /** A worker still has a task of this life of the coordinator ten seconds after the query has ended in the second life. */
  async function told(life: number): Promise<readonly string[]> {
    const listener = new Listener();
    const world = new World({ streams: StreamTree.root("test") });
    const facts = startedFacts("c", "w1");
    const asks = (): void => facts.note("c", "request", `m1 c>w1 task-update POST /v1/task/${task}`, 1);
    if (life === 1) {
      asks();
    }
    facts.note("c", "start", "life 2", 1);
    if (life === 2) {
      asks();
    }
    const oracle = new QueryLifeOracle({
      verdict: listener,
      world,
      facts,
      statistics: new StatisticsOracle(listener, new DeliveryOracle(listener, { incarnations: () => 1, taskState: () => undefined })),
      coordinator: "c",
      workers: ["w1"],
      node: () => ({ accounts: () => ({ tasks: [{ taskId: task, state: "FAILED" }] }) }) as unknown as OrreryNode,
      hasRunAgain: () => false,
      hasRemote: false,
      taskTimeoutMs: 1e5,
      historyMax: 2,
      expireAgeMs: 10_000,
      clientTimeoutMs: 300_000,
    });
    world.at(20 * nanosPerSecond, "end", () => oracle.observeTransition(2, queryId, "FAILED"));
    let passed = false;
    world.at(31 * nanosPerSecond, "later", () => {
      passed = true;
    });
    await world.run({ untilNanos: 31 * nanosPerSecond, eventsMax: 100, done: () => passed });
    return listener.said;
  }

  it("are gone ten seconds later, but for those that a former life has asked for", async () => {
    expect(await told(1)).toEqual([]);
    expect(await told(2)).toEqual([`query-life: ${queryId} ended 10 s ago, and w1 still has ${task} FAILED`]);
  });
});

describe("the low-memory killer", () => {
  const idOf = (letter: string): string => `20260101_000000_00000_${letter.repeat(5)}`;

  /** Queries a and b on w1, c on w2; the coordinator ends those of `kills`, by second, and gives up an attempt of `givenUp` in the 5th. */
  function told(
    properties: Readonly<Record<string, string>>,
    kills: readonly (readonly [second: number, letter: string])[],
    waits = "a",
    ends = 0,
    givenUp = "",
    gone = "",
  ) {
    const listener = new Listener();
    let nowNanos = 0;
    const oracle = new LowMemoryOracle({
      verdict: listener,
      properties,
      isTroubled: () => false,
      coordinator: "c",
      localNanos: () => nowNanos,
      facts: { livesOf: () => 1, troubledSince: () => false },
      workers: ["w2"],
      node: () => {
        const state = nowNanos < ends * nanosPerSecond ? "RUNNING" : "ABORTED";
        return { accounts: () => ({ queries: [], tasks: ends === 0 ? [] : [{ taskId: `${idOf("c")}.1.0`, state }] }) };
      },
    });
    for (let second = 1; second <= 20; second++) {
      nowNanos = second * nanosPerSecond;
      for (const [letter, to, bytes] of [
        ["a", "w1", 1_000],
        ["b", "w1", 4_000_000],
        ["c", "w2", 8_000_000],
      ] as const) {
        const blockedReasons = waits === letter ? { blockedReasons: ["WAITING_FOR_MEMORY"] } : {};
        const body = JSON.stringify({ state: "RUNNING", memoryReservationBytes: bytes, ...blockedReasons });
        oracle.observe(answer(second, `/v1/task/${idOf(letter)}.1.0/status`, { to, body }));
        const label = second === 1 ? "task-update POST" : "task-status GET";
        oracle.note("c", "request", `m${letter} c>${to} ${label} /v1/task/${idOf(letter)}.1.0/status`, nowNanos);
        oracle.note("c", "answer", `m${letter} c>${to} task-status 200`, nowNanos);
      }
      if (second === 5) {
        oracle.note("c", "log-info", `node-state {"nodeId":"${gone}","uri":"","from":"ALIVE ACTIVE","to":"GONE ACTIVE"}`, nowNanos);
        oracle.note("c", "log-info", `query-attempt-given-up {"queryId":"${idOf(givenUp)}","attempt":0}`, nowNanos);
      }
      for (const [, letter] of second === ends ? kills : []) {
        oracle.taskEnded(`${idOf(letter)}.1.0`);
      }
      for (const [, letter] of kills.filter(([at]) => at === second)) {
        oracle.note("c", "log-info", `query-killed-out-of-memory {"queryId":"${idOf(letter)}","nodes":"w1"}`, nowNanos);
      }
    }
    return listener.said.join("; ");
  }
  const onBlocked = { "query.low-memory-killer.delay": "5s" };
  const everywhere = { ...onBlocked, "query.low-memory-killer.policy": "total-reservation" };

  it("may end the largest query that the policy names, once in a delay", () => {
    expect(told(onBlocked, [[6, "b"]])).toBe("");
    expect(
      told(everywhere, [
        [6, "c"],
        [11, "c"],
      ]),
    ).toBe("");
  });

  it("may end a smaller one than a query whose attempt was given up", () => {
    expect(told(everywhere, [[6, "b"]], "a", 0, "a")).toContain("had at least 8000000");
    expect(told(everywhere, [[6, "b"]], "a", 0, "c")).toBe("");
  });

  it("counts no node that is gone", () => {
    expect(told(everywhere, [[6, "b"]], "a", 0, "", "w2")).toBe("");
    expect(told(everywhere, [[6, "c"]], "a", 0, "", "w1")).toContain("for w1, which is gone");
  });

  it("waits for the memory of the last one, and then for the delay", () => {
    const twice = (at: number, ends: number): string =>
      told(
        everywhere,
        [
          [6, "c"],
          [at, "c"],
        ],
        "a",
        ends,
      );
    expect(twice(12, 7)).toBe("");
    expect(twice(12, 9)).toContain("after the last task of");
    expect(twice(12, 13)).toContain("is still there");
  });

  it.each([
    ["a policy that ends none", { "query.low-memory-killer.policy": "none" }, [[6, "b"]], "a", "the policy is none"],
    ["no task that waits", everywhere, [[6, "c"]], "", "while no task waits for memory"],
    ["a smaller query", everywhere, [[6, "b"]], "a", "was ended with at most 4000000 bytes"],
    ["a query on other nodes", onBlocked, [[6, "c"]], "a", "was ended with at most 0 bytes"],
    [
      "two at once",
      onBlocked,
      [
        [6, "b"],
        [8, "b"],
      ],
      "a",
      "was ended 2000.0 ms after another query",
    ],
  ] as const)("speaks of %s", (_, properties, kills, waits, sentence) => {
    expect(told(properties, kills, waits)).toContain(sentence);
  });
});
