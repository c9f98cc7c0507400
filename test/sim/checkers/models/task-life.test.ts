/** Planted violations of the model of a task's life: each test changes one answer or request of a recorded run. */
import { beforeAll, describe, expect, it } from "vitest";
import { calmCluster, reads, user, wideStatement } from "../../../../scenarios/scenario.ts";
import { taskLife } from "../../../../sim/checkers/models/node/task-life.ts";
import type { Observed } from "../../../../sim/checkers/protocol/wire.ts";
import { inRequest, inResponse, type Planted, type Recording, record, show } from "./recorded.ts";

let recording: Recording;

beforeAll(async () => {
  const statements = [wideStatement, wideStatement, "SELECT name FROM tpch.tiny.customer LIMIT 3"].map((sql) => reads(sql));
  const properties = { "sink.max-buffer-size": "16kB", "exchange.max-response-size": "8kB", "query.min-schedule-split-batch-size": "2" };
  recording = await record(calmCluster("1", { users: [user("u1", statements)], properties, points: { "page-cut-early": 1_000 } }));
});

const status = /^GET .*\/status$/;
const info = /^(?:GET|POST|DELETE) \/v1\/task\/[^/]+$/;
const creation = /^POST \/v1\/task\/[^/]+$/;
const deletion = /^DELETE \/v1\/task\/[^/]+$/;

describe("the model of a task's life", () => {
  it("says nothing about what happened", () => {
    const { said, held } = show(recording, taskLife);
    expect(said).toEqual([]);
    expect(held).toBeGreaterThan(1000);
  });

  it("lets a task that has ended take no further splits", () => {
    const fewer = inResponse(deletion, /"outputPipeline":(\w+),"totalDrivers":[1-9]\d*/, '"outputPipeline":$1,"totalDrivers":0');
    const { said, planted } = show(recording, taskLife, fewer);
    expect(planted).toBeGreaterThan(0);
    expect(said.filter((sentence) => sentence.includes("splits of plan node"))).toEqual([]);
  });

  it("lets a task be forgotten when its age is over", () => {
    const { said, planted } = show(recording, taskLife, forgotten(3600));
    expect(planted).toBe(1);
    expect(said.join("\n")).not.toContain("does not know");
  });

  it.each<[string, () => Planted, string]>([
    ["a state that goes back", () => inResponse(deletion, /"state":"FINISHED","self"/g, '"state":"PLANNED","self"'), "to PLANNED"],
    ["a version that stays", () => inResponse(status, /"version":\d+/, '"version":0'), "in version 0"],
    ["a version that rises for nothing", () => risesForNothing(), "nothing that a poller should see has changed"],
    ["a failure of a task that runs", () => inResponse(status, '"failures":[]', '"failures":[{}]'), "has 1 failures"],
    ["a failed task whose buffer finished", () => inResponse(deletion, /"state":"FINISHED"/g, '"state":"FAILED"'), "FAILED and its output"],
    ["an end without a time", () => inResponse(deletion, /"endTime":"[^"]*",/, ""), "has no end"],
    ["a document of another task", () => inResponse(status, /\.(\d)","taskInstanceId/, '.9$1","taskInstanceId'), "calls itself"],
    ["a document of another node", () => inResponse(status, /"nodeId":"w\d"/, '"nodeId":"w9"'), "of w9"],
    [
      "an end of splits that nobody sent",
      () => inResponse(deletion, /"noMoreSplits":\["/, '"noMoreSplits":["99","'),
      "has no more splits of 99",
    ],
    ["a buffer more than there are", () => inRequest(creation, /"bufferCount":(\d)/, '"bufferCount":1$1'), "has the buffers"],
    ["another split with a known id", () => repeatedWith(/"payload":\{"first":\d+/, '"payload":{"first":7777777'), "another split"],
    ["a split after the last one", () => repeatedWith('"sequenceId":0', '"sequenceId":1000'), "had no more splits"],
    [
      "a lost split",
      () => inRequest(creation, /\{"sequenceId":0,"split":\{"kind":"connector"/, '{"sequenceId":7,"split":{"kind":"connector"'),
      "split",
    ],
    [
      "a driver more than splits",
      () =>
        inResponse(
          info,
          /"inputPipeline":true,"outputPipeline":(\w+),"totalDrivers":(\d+)/g,
          '"inputPipeline":true,"outputPipeline":$1,"totalDrivers":1$2',
        ),
      "splits of plan node",
    ],
    ["a flushing task that works", () => inResponse(status, '"state":"RUNNING"', '"state":"FLUSHING"'), "is FLUSHING"],
    ["counters that change after the end", () => changedAfterTheEnd(), "ended as"],
    ["a deletion that leaves the task", () => inResponse(deletion, /"state":"\w+"/g, '"state":"RUNNING"'), "was deleted"],
    ["a deleted task that is refused otherwise", () => goneWith(400), "with 400, not with 404"],
    ["a task that is forgotten while it runs", () => forgotten(0), "does not know"],
  ])("speaks of %s", (_, planted, sentence) => {
    const { said, planted: count } = show(recording, taskLife, planted());
    expect(count).toBeGreaterThan(0);
    expect(said.join("\n")).toContain(sentence);
  });
});

/** The first status of a task that runs is 404, some seconds later. */
function forgotten(seconds: number): Planted {
  let done = false;
  return (step) => {
    if (done || !("answer" in step) || step.answer.task?.what !== "status" || !step.answer.text().includes('"state":"RUNNING"')) {
      return undefined;
    }
    done = true;
    const { answer } = step;
    const nowNanos = answer.nowNanos + seconds * 1e9;
    return [step, { answer: { ...answer, nowNanos, response: { ...answer.response, status: 404, body: new Uint8Array(0) } } }];
  };
}

/** The first update with splits and no more of them arrives again, with another text. */
function repeatedWith(from: string | RegExp, to: string): Planted {
  let done = false;
  return (step) => {
    if (done || !("answer" in step) || !creation.test(`${step.answer.request.method} ${step.answer.path}`)) {
      return undefined;
    }
    const text = new TextDecoder().decode(step.answer.request.body);
    const other = text.replace(from, to);
    if (other === text || text.includes('"noMoreSplits":false')) {
      return undefined;
    }
    done = true;
    return [step, { answer: { ...step.answer, request: { ...step.answer.request, body: new TextEncoder().encode(other) } } }];
  };
}

function changedAfterTheEnd(): Planted {
  const ended = new Set<string>();
  let done = false;
  return (step) => {
    if (done || !("answer" in step) || step.answer.task === undefined || step.answer.response.status !== 200) {
      return undefined;
    }
    const { taskId, what } = step.answer.task;
    if (what !== "task" && what !== "status") {
      return undefined;
    }
    if (ended.has(taskId)) {
      const body = new TextEncoder().encode(step.answer.text().replace(/"cpuTimeNanos":\d+/, '"cpuTimeNanos":1'));
      done = true;
      return [{ answer: reread({ ...step.answer, response: { ...step.answer.response, body } }) }];
    }
    if (/"state":"FINISHED","self"/.test(step.answer.text())) {
      ended.add(taskId);
    }
    return undefined;
  };
}

/** The first status is told again, in a higher version. */
function risesForNothing(): Planted {
  let done = false;
  return (step) => {
    if (
      done ||
      !("answer" in step) ||
      !status.test(`${step.answer.request.method} ${step.answer.path}`) ||
      step.answer.response.status !== 200
    ) {
      return undefined;
    }
    done = true;
    const body = new TextEncoder().encode(step.answer.text().replace(/"version":(\d+)/, '"version":9$1'));
    return [step, { answer: reread({ ...step.answer, response: { ...step.answer.response, body } }) }];
  };
}

/** A GET that arrives after the deletion of a task. */
function goneWith(code: number): Planted {
  let done = false;
  return (step) => {
    if (done || !("answer" in step) || !deletion.test(`${step.answer.request.method} ${step.answer.path}`)) {
      return undefined;
    }
    done = true;
    const later = step.answer.nowNanos + 1e6;
    const { answer } = step;
    const request = { ...answer.request, method: "GET" as const };
    return [step, { answer: { ...answer, request, response: { ...answer.response, status: code }, arrivedNanos: later, nowNanos: later } }];
  };
}

function reread(answer: Observed): Observed {
  const text = (): string => new TextDecoder().decode(answer.response.body);
  return { ...answer, text, json: () => JSON.parse(text()) as unknown };
}
