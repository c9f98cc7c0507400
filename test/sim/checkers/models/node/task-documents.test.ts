/** Planted violations of the model of task documents: one member of a recorded document is changed at a time. */
import { beforeAll, describe, expect, it } from "vitest";
import { calmCluster, reads, user, wideStatement } from "../../../../../scenarios/scenario.ts";
import { taskDocuments } from "../../../../../sim/checkers/models/node/task-documents.ts";
import { inResponse, type Recording, record, show } from "../recorded.ts";

let recording: Recording;
beforeAll(async () => {
  // Each poll of a task asks for its document.
  const properties = { "task.info-update-interval": "1ms" };
  const calm = calmCluster("1", { properties, users: [user("u1", [reads(wideStatement)])] });
  // A recording is shown with the world's clock.
  const still = (node: (typeof calm)["coordinator"]): (typeof calm)["coordinator"] => ({ ...node, clockOffsetMs: 0, clockDriftPpm: 0 });
  recording = await record({ ...calm, coordinator: still(calm.coordinator), workers: calm.workers.map(still) });
});

const deletion = /^DELETE \/v1\/task\/[^/]+$/;
const asked = /^GET \/v1\/task\/[^/]+$/;

describe("the model of task documents", () => {
  it("says nothing about what happened", () => {
    const { said, held } = show(recording, taskDocuments);
    expect(said).toEqual([]);
    expect(held).toBeGreaterThan(50);
  });

  it.each<[string, RegExp, RegExp | string, string, string]>([
    ["the address of another task", deletion, /"self":"[^"]*"/, '"self":"http://w1:8080/v1/task/other"', "calls itself"],
    ["another instance", deletion, /"taskInstanceId":"[^"]*"/, '"taskInstanceId":"0000"', "instance 0000, which was"],
    ["a status of another version", deletion, /("taskStatus":\{.*?)"version":\d+/, '$1"version":999', "its status says"],
    ["a task that failed of nothing", deletion, /"state":"(?:FINISHED|CANCELED|ABORTED)"/, '"state":"FAILED"', "with 0 failures"],
    ["an end that is not told", deletion, /"endTime":"[^"]*",/, "", "ended at undefined"],
    ["a start that is not told", deletion, /"startTime":"[^"]*",/, "", "was queued for"],
    ["a life longer than the clock's", deletion, /"elapsedTime":"[^"]*"/, '"elapsedTime":"3.00h"', "exists for 3.00h"],
    ["a life of another unit", deletion, /"elapsedTime":"[\d.]+ms"/, '"elapsedTime":"0.01ns"', "of 0.01ns"],
    ["a queue longer than the life", deletion, /"queuedTime":"[^"]*"/, '"queuedTime":"2.00h"', "was queued for 2.00h"],
    ["an end at another time", deletion, /"endTime":"2026-01-01T00/, '"endTime":"2026-01-01T03', "says"],
    ["a version that rose by itself", asked, '"version":', '"version":7', "things changed"],
  ])("speaks of %s", (_, address, from, to, sentence) => {
    const heard = [0, 1, 2, 3, 4, 5].map((skip) => show(recording, taskDocuments, inResponse(address, from, to, skip)));
    expect(heard.some(({ planted }) => planted > 0)).toBe(true);
    expect(heard.flatMap(({ said }) => said).join("\n")).toContain(sentence);
  });

  it("speaks of a state without a new version", () => {
    const heard = [0, 1, 2, 3, 4, 5].map((skip) =>
      show(recording, taskDocuments, inResponse(deletion, /"version":\d+/g, '"version":1', skip)),
    );
    expect(heard.flatMap(({ said }) => said).join("\n")).toMatch(/from version \d+ to 1, \w+ to \w+/);
  });
});
