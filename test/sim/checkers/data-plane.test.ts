/** Which recorded tasks the oracle of the data plane runs again. */
import { expect, it } from "vitest";
import type { DeliveryOracle } from "../../../sim/checkers/protocol/delivery.ts";
import { observed } from "../../../sim/checkers/protocol/wire.ts";
import { DataPlaneOracle } from "../../../sim/checkers/results/data-plane.ts";
import { encodeUtf8 } from "../../../src/types/utf8.ts";

const source = "/v1/task/q.3.0/results/4";

/** The oracle of a task on w1 that reads a task of w2, which has been crashed so many times when it is asked. */
function recordedAfter(crashes: number): readonly string[] {
  let incarnation = 1;
  const oracle = new DataPlaneOracle({
    delivery: { delivered: () => ({ frames: 0, isWhole: true }) } as unknown as DeliveryOracle,
    incarnations: (place) => (place === "w2" ? incarnation : 1),
    seed: "1",
    oneIn: 1,
  });
  const answer = (to: string, method: "GET" | "POST", url: string, sent = ""): void => {
    const request = { method, url, headers: {}, body: encodeUtf8(sent) };
    const response = { status: 200, headers: { "x-engine-page-sequence-id": "0" }, body: new Uint8Array(0) };
    oracle.observe(observed({ from: "c", to, request, response, arrivedNanos: 0 }, { nowNanos: 0, event: 0 }));
  };
  const split = { kind: "remote", location: `http://w2:8080${source}` };
  const sources = [{ planNodeId: "6", noMoreSplits: true, splits: [{ split }] }];
  answer("w1", "POST", "/v1/task/q.2.0", JSON.stringify({ fragment: { root: {} }, sources, outputIds: { bufferCount: 1 } }));
  incarnation += crashes;
  answer("w2", "GET", `${source}/0`);
  answer("w1", "GET", "/v1/task/q.2.0/results/0/0");
  return oracle.recorded().map(({ task }) => task.taskId);
}

it("runs a task again whose sources' pages are recorded", () => {
  expect(recordedAfter(0)).toEqual(["q.2.0"]);
});

it("leaves out a task whose source went on in another incarnation of its node, at the same address", () => {
  expect(recordedAfter(1)).toEqual([]);
});
