/** Planted violations of the models of a task: its life and its output buffers. */
import { beforeAll, describe, expect, it } from "vitest";
import { outputBuffer } from "../../../../sim/checkers/models/node/output-buffer.ts";
import { taskLife } from "../../../../sim/checkers/models/node/task-life.ts";
import { headerOf, type Observed } from "../../../../sim/checkers/protocol/wire.ts";
import { calmCluster, reads, user, wideStatement } from "../../../../scenarios/scenario.ts";
import { inRequest, inResponse, once, type Planted, type Recording, record, show } from "./recorded.ts";

let recording: Recording;

beforeAll(async () => {
  const statements = [wideStatement, wideStatement, "SELECT name FROM tpch.tiny.customer LIMIT 3"].map((sql) => reads(sql));
  const properties = { "sink.max-buffer-size": "16kB", "exchange.max-response-size": "8kB", "query.min-schedule-split-batch-size": "2" };
  recording = await record(calmCluster("1", { users: [user("u1", statements)], properties, points: { "page-cut-early": 500 } }));
});

const status = /^GET .*\/status$/;
const info = /^(?:GET|POST|DELETE) \/v1\/task\/[^/]+$/;
const creation = /^POST \/v1\/task\/[^/]+$/;
const deletion = /^DELETE \/v1\/task\/[^/]+$/;
const results = /^GET \/v1\/task\/[^/]+\/results\/\d+\/\d+$/;

describe("the model of a task's life", () => {
  it("says nothing about what happened", () => {
    const { said, held } = show(recording, taskLife);
    expect(said).toEqual([]);
    expect(held).toBeGreaterThan(1000);
  });

  it.each<[string, () => Planted, string]>([
    ["a state that goes back", () => inResponse(deletion, /"state":"FINISHED","self"/g, '"state":"PLANNED","self"'), "to PLANNED"],
    ["a version that stays", () => inResponse(status, /"version":\d+/, '"version":0'), "in version 0"],
    ["a failure of a task that runs", () => inResponse(status, '"failures":[]', '"failures":[{}]'), "has 1 failures"],
    ["a failed task whose buffer finished", () => inResponse(deletion, /"state":"FINISHED"/g, '"state":"FAILED"'), "FAILED and its output"],
    ["an end without a time", () => inResponse(deletion, /"endTime":"[^"]*",/, ""), "has no end"],
    ["a document of another task", () => inResponse(status, /\.(\d)","taskInstanceId/, '.9$1","taskInstanceId'), "calls itself"],
    ["a document of another node", () => inResponse(status, /"nodeId":"w\d"/, '"nodeId":"w9"'), "of w9"],
    [
      "an end of splits that nobody sent",
      () => inResponse(creation, '"noMoreSplits":[]', '"noMoreSplits":["1"]'),
      "has no more splits of 1",
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
      () => inResponse(info, /"outputPipeline":(\w+),"totalDrivers":(\d+)/, '"outputPipeline":$1,"totalDrivers":1$2'),
      "splits of plan node",
    ],
    ["a flushing task that works", () => inResponse(status, '"state":"RUNNING"', '"state":"FLUSHING"'), "is FLUSHING"],
    ["counters that change after the end", () => changedAfterTheEnd(), "ended as"],
    ["a deletion that leaves the task", () => inResponse(deletion, /"state":"\w+"/g, '"state":"RUNNING"'), "was deleted"],
    ["a deleted task that is refused otherwise", () => goneWith(400), "with 400, not with 404"],
  ])("speaks of %s", (_, planted, sentence) => {
    const { said, planted: count } = show(recording, taskLife, planted());
    expect(count).toBeGreaterThan(0);
    expect(said.join("\n")).toContain(sentence);
  });
});

describe("the model of the output buffer", () => {
  it("says nothing about what happened", () => {
    const { said, held } = show(recording, outputBuffer);
    expect(said).toEqual([]);
    expect(held).toBeGreaterThan(500);
  });

  it.each<[string, () => Planted, string]>([
    ["an answer about another page", () => withHeader("x-engine-page-sequence-id", (token) => token + 1), "was asked for page"],
    ["an answer that says too many pages", () => withHeader("x-engine-page-end-sequence-id", (token) => token + 1), "was asked for page"],
    [
      "pages with the status of none",
      () => once((a) => (isPages(a) ? { response: { ...a.response, status: 204 } } : undefined)),
      "answered with 204",
    ],
    [
      "half a page",
      () => once((a) => (isPages(a) ? { response: { ...a.response, body: a.response.body.slice(0, -8) } } : undefined)),
      "not whole pages",
    ],
    [
      "more bytes than asked for",
      () => once((a) => (isPages(a) && framesOf(a) > 1 ? asking(a, "1B") : undefined)),
      "was asked for 1 bytes",
    ],
    ["a request for more than the maximum", () => once((a) => (isPages(a) ? asking(a, "900GB") : undefined)), "is asked for"],
    ["other bytes of a page that was given", () => givenAgain((a) => changedByte(a)), "gave"],
    ["a complete buffer that has more", () => endDenied(), "now may have more"],
    ["a page of one reader that differs", () => otherForOneReader(), "gave"],
    [
      "taken pages that were never given",
      () => inResponse(info, /"bufferedPages":(\d+),"pagesSent":0/, '"bufferedPages":$1,"pagesSent":99'),
      "99 pages were taken",
    ],
    ["pages that are in no buffer", () => inResponse(info, /"pagesAdded":0/, '"pagesAdded":5'), "its buffers got 0"],
    ["bytes without pages", () => inResponse(info, '"totalBufferedBytes":0', '"totalBufferedBytes":77'), "77 bytes"],
    ["a buffer that closed by itself", () => inResponse(info, '"finished":false', '"finished":true'), "finished true"],
    [
      "a task that ends with its readers waiting",
      () => inResponse(creation, '"state":"PLANNED"', '"state":"FINISHED"'),
      "nor taken the end",
    ],
  ])("speaks of %s", (_, planted, sentence) => {
    const { said, planted: count } = show(recording, outputBuffer, planted());
    expect(count).toBeGreaterThan(0);
    expect(said.join("\n")).toContain(sentence);
  });
});

function isPages({ request, response }: Observed): boolean {
  return results.test(`${request.method} ${request.url}`) && response.status === 200;
}

function framesOf({ response }: Observed): number {
  const [first, end] = ["x-engine-page-sequence-id", "x-engine-page-end-sequence-id"].map((name) =>
    Number(headerOf(response.headers, name)),
  );
  return (end ?? 0) - (first ?? 0);
}

function asking({ request }: Observed, size: string): Partial<Observed> {
  return { request: { ...request, headers: { ...request.headers, "x-engine-max-size": size } } };
}

function withHeader(name: string, change: (token: number) => number): Planted {
  return once((answer) => {
    const { response } = answer;
    const headers = { ...response.headers, [name]: String(change(Number(headerOf(response.headers, name)))) };
    return isPages(answer) ? { response: { ...response, headers } } : undefined;
  });
}

/** The last byte of the first page's header is part of its checksum. */
function changedByte(answer: Observed): Observed {
  const body = answer.response.body.slice();
  body[23] = (body[23] ?? 0) ^ 1;
  return { ...answer, response: { ...answer.response, body } };
}

/** The first answer with pages is given a second time, changed. */
function givenAgain(change: (answer: Observed) => Observed): Planted {
  let done = false;
  return (step) => {
    if (done || !("answer" in step) || !isPages(step.answer)) {
      return undefined;
    }
    done = true;
    return [step, { answer: change(step.answer) }];
  };
}

/** After a buffer was complete, it answers the same request with "not complete". */
function endDenied(): Planted {
  let done = false;
  return (step) => {
    if (done || !("answer" in step) || headerOf(step.answer.response.headers, "x-engine-buffer-complete") !== "true") {
      return undefined;
    }
    done = true;
    const { answer } = step;
    const headers = { ...answer.response.headers, "x-engine-buffer-complete": "false" };
    return [step, { answer: { ...answer, response: { ...answer.response, headers } } }];
  };
}

/** Of a task that sends the same pages to several consumers, one buffer answers with a changed page. */
function otherForOneReader(): Planted {
  const broadcasts = new Set<string>();
  let done = false;
  return (step) => {
    if (!("answer" in step)) {
      return undefined;
    }
    const { answer } = step;
    if (creation.test(`${answer.request.method} ${answer.path}`) && answer.request.body.length > 0) {
      const text = new TextDecoder().decode(answer.request.body);
      if (/"outputIds":\{"kind":"BROADCAST","bufferCount":[2-9]/.test(text)) {
        broadcasts.add(answer.task?.taskId ?? "");
      }
    }
    if (done || !isPages(answer) || answer.task?.bufferId === 0 || !broadcasts.has(answer.task?.taskId ?? "")) {
      return undefined;
    }
    done = true;
    return [{ answer: changedByte(answer) }];
  };
}

/** The first update with splits arrives again, with another text. */
function repeatedWith(from: string | RegExp, to: string): Planted {
  let done = false;
  return (step) => {
    if (done || !("answer" in step) || !creation.test(`${step.answer.request.method} ${step.answer.path}`)) {
      return undefined;
    }
    const text = new TextDecoder().decode(step.answer.request.body);
    const other = text.replace(from, to);
    if (other === text || !text.includes('"noMoreSplits":true')) {
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
