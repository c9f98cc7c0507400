/** Answers that overlap with what a user does: checkers hold against an answer only what came before its request. */
import { describe, expect, it } from "vitest";
import { Facts } from "../../../sim/checkers/facts.ts";
import { SegmentOracle } from "../../../sim/checkers/protocol/segments.ts";
import { observed, type Observed } from "../../../sim/checkers/protocol/wire.ts";
import { AttemptOracle } from "../../../sim/checkers/results/attempts.ts";
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
  readonly to: string;
  readonly method?: HttpMethod;
  readonly sent?: string;
  readonly body?: Uint8Array;
  readonly status?: number;
  /** Time of arrival and time of the answer, in nanoseconds. */
  readonly during?: readonly [number, number];
}

function answer(url: string, { to, method = "GET", sent = "", body = new Uint8Array(0), status = 200, during = [0, 0] }: Said): Observed {
  const [arrivedNanos, nowNanos] = during;
  const request = { method, url, headers: {}, body: encodeUtf8(sent) };
  return observed({ from: "x", to, request, response: { status, headers: {}, body }, arrivedNanos }, { nowNanos, event: 1 });
}

describe("segments", () => {
  const download = (arrived: number, answered: number): Observed =>
    answer("/v1/spooled/download/a", { to: "c", during: [arrived, answered] });
  const acknowledge = (arrived: number, answered: number): Observed =>
    answer("/v1/spooled/ack/a", { to: "c", during: [arrived, answered] });

  function told(...answers: readonly Observed[]): readonly string[] {
    const listener = new Listener();
    let now = 0;
    const oracle = new SegmentOracle({
      verdict: listener,
      coordinator: "c",
      properties: { "protocol.spooling.maximum-storage-size": "1MB", "fs.segment.ttl": "10s" },
      spooledBytes: () => 0,
      incarnations: () => 1,
      localNanos: () => now,
      isLeaving: () => false,
    });
    for (const one of answers) {
      now = one.nowNanos;
      oracle.observe(one);
    }
    return listener.said;
  }

  it("may be given to a request that came before the acknowledgement was answered, however late", () => {
    expect(told(download(1, 2), acknowledge(3, 4), download(2, 9))).toEqual([]);
    expect(told(acknowledge(3, 4), download(4, 5))).toEqual([]);
  });

  it("may not be given to a later one, and the first acknowledgement counts", () => {
    expect(told(acknowledge(3, 4), acknowledge(5, 9), download(5, 6))).toEqual([
      "segments: /v1/spooled/download/a was given after its acknowledgement",
    ]);
  });

  it("are there until they are acknowledged, their query is cancelled, or their time is over", () => {
    const segments = [{ uri: "http://c:8080/v1/spooled/download/a", metadata: { rowOffset: 0, rowsCount: 1, segmentSize: 0 } }];
    const body = encodeUtf8(JSON.stringify({ id: "q1", data: { segments } }));
    const statement = answer("/v1/statement/q1/1", { to: "c", body, during: [0, 1] });
    const missed = (ms: number): Observed => answer("/v1/spooled/download/a", { to: "c", status: 404, during: [ms * 1e6, ms * 1e6] });
    const canceled = answer("/v1/statement/q1/1", { to: "c", method: "DELETE", status: 204 });
    expect(told(statement, missed(5)).join()).toContain("/v1/spooled/download/a of q1 is not found 5 ms after it was told");
    expect(told(missed(5))).toEqual([]);
    expect(told(statement, missed(9_000))).toEqual([]);
    expect(told(statement, acknowledge(3, 4), missed(5))).toEqual([]);
    expect(told(statement, canceled, missed(5))).toEqual([]);
  });
});

describe("attempts", () => {
  const queryId = "20260101_000000_00000_aaaaa";

  function told(endsStage: boolean): readonly string[] {
    const listener = new Listener();
    const facts = new Facts();
    facts.note("c", "start", "life 1", 1);
    const oracle = new AttemptOracle(listener, facts, "c");
    for (const [number, byte] of [
      [0, 1],
      [1, 2],
    ]) {
      const taskId = `${queryId}.1.${String(number)}`;
      const sent = JSON.stringify({ partition: 0, fragment: { root: {} } });
      oracle.observe(answer(`/v1/task/${taskId}`, { to: "w1", method: "POST", sent }));
      const page = new Uint8Array(24).fill(byte as number);
      new DataView(page.buffer).setUint32(12, 0, true);
      oracle.observe(answer(`/v1/task/${taskId}/results/0/0`, { to: "w1", body: page }));
      if (endsStage) {
        facts.stageEnded(queryId, "u1");
      }
    }
    return listener.said;
  }

  it("have the same pages, unless a user has ended a stage of the query", () => {
    expect(told(false).join()).toContain("page 0 of buffer 0");
    expect(told(true)).toEqual([]);
  });
});
