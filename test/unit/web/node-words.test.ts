import { describe, expect, it } from "vitest";
import { nodeExample } from "../../../src/protocol/documents/node.ts";
import { failureTypeText, lastResponseText, nodeName, nodeState, ratioSentence } from "../../../src/web/workers/node-words.ts";

function counters(recentRequests: number, recentFailures: number) {
  return {
    recentRequests,
    recentFailures,
    recentSuccesses: recentRequests - recentFailures,
    recentFailureRatio: recentRequests === 0 ? 0 : recentFailures / recentRequests,
  };
}

describe("a node in words", () => {
  it("explains the failure ratio", () => {
    expect(ratioSentence(counters(0, 0))).toBe("No heartbeat was sent lately.");
    expect(ratioSentence(counters(117.2, 0))).toBe("All of the 117 recent heartbeats were answered.");
    expect(ratioSentence(counters(115.99, 115.99))).toBe("None of the 116 recent heartbeats was answered.");
    expect(ratioSentence(counters(100, 2.2))).toBe("2 of the 100 recent heartbeats failed (2%).");
    expect(ratioSentence(counters(100, 0.4))).toBe("Less than one of the 100 recent heartbeats failed (0.4%).");
  });

  it("names nodes and failures", () => {
    expect(nodeName({ uri: "http://10.0.0.1:8080" })).toBe("10.0.0.1:8080");
    expect(nodeName({ uri: "http://10.0.0.1:8080", nodeId: "worker-1" })).toBe("worker-1");
    expect(failureTypeText("CONNECTION_REFUSED")).toBe("Connection refused");
    expect(nodeState({ ...nodeExample, state: "SHUTTING_DOWN" })).toBe("SHUTTING_DOWN");
  });

  it("never puts a response into the future", () => {
    const at = "2026-01-01T00:00:00.000Z";
    const now = Date.parse(at);
    expect([-5000, 0, 1999, 61_000].map((after) => lastResponseText(at, now + after))).toEqual(["now", "now", "now", "1 min 1 s ago"]);
    expect(lastResponseText(undefined, now)).toBe("never");
  });
});
