/** Planted violations of the model of output buffers: each test changes one answer of a recorded run. */
import { beforeAll, describe, expect, it } from "vitest";
import { calmCluster, reads, user, wideStatement } from "../../../../scenarios/scenario.ts";
import { outputBuffer } from "../../../../sim/checkers/models/node/output-buffer.ts";
import { headerOf, observed, type Observed } from "../../../../sim/checkers/protocol/wire.ts";
import { inResponse, once, type Planted, type Recording, record, show } from "./recorded.ts";

let recording: Recording;

beforeAll(async () => {
  const statements = [wideStatement, wideStatement, "SELECT name FROM tpch.tiny.customer LIMIT 3"].map((sql) => reads(sql));
  const properties = { "sink.max-buffer-size": "16kB", "exchange.max-response-size": "8kB", "query.min-schedule-split-batch-size": "2" };
  recording = await record(calmCluster("1", { users: [user("u1", statements)], properties, points: { "page-cut-early": 1_000 } }));
});

const info = /^(?:GET|POST|DELETE) \/v1\/task\/[^/]+$/;
const creation = /^POST \/v1\/task\/[^/]+$/;
const results = /^GET \/v1\/task\/[^/]+\/results\/\d+\/\d+$/;

describe("the model of the output buffer", () => {
  it("says nothing about what happened", () => {
    const { said, held } = show(recording, outputBuffer);
    expect(said).toEqual([]);
    expect(held).toBeGreaterThan(500);
  });

  it("speaks of a digest that pages of another number had before", () => {
    const withDigest = (of: (token: number) => string): Planted => {
      return (step) => {
        const { task } = "answer" in step ? step.answer : {};
        if (!("answer" in step) || task?.what !== "results") {
          return undefined;
        }
        const { request } = step.answer;
        const headers = { ...request.headers, "x-engine-pages-digest": of(task.token) };
        return [{ answer: { ...step.answer, request: { ...request, headers } } }];
      };
    };
    expect(show(recording, outputBuffer, withDigest(String)).said).toEqual([]);
    expect(
      show(
        recording,
        outputBuffer,
        withDigest(() => "0011223344556677"),
      ).said.join(),
    ).toContain("with a digest that 0 pages had before");
  });

  it("takes the coordinator's close of a buffer for a close", () => {
    const { said, planted } = show(recording, outputBuffer, (step) =>
      "note" in step && step.note.detail.includes(" exchange-close ")
        ? [{ note: { ...step.note, detail: step.note.detail.replace(" exchange-close ", " buffer-delete ") } }]
        : undefined,
    );
    expect(planted).toBeGreaterThan(0);
    expect(said).toEqual([]);
  });

  it("takes an end back with a task that its coordinator has abandoned", () => {
    const { said, planted } = show(recording, outputBuffer, endDenied(1_000));
    expect(planted).toBeGreaterThan(0);
    expect(said.join("\n")).not.toContain("now may have more");
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
    [
      "pages for a run of a reader that another follows",
      () => once((a) => (isPages(a) && !isLast(a) ? byRun(a, 99) : undefined)),
      "answers run",
    ],
    ["a close by a run of a reader that another follows", () => closedByFormer(), "was closed by run 0 of its reader, and run 99"],
    [
      "an end for a run of a reader that a former one closed to",
      () => completeAfterClose(),
      "of its reader, and run 0 closed it before it had all pages",
    ],
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
    ["a buffer whose end was taken, and which goes on", () => endTaken(), "took the end: true"],
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

function isLast({ response }: Observed): boolean {
  return headerOf(response.headers, "x-engine-buffer-complete") === "true";
}

/** Asked by a later run of the reader; the next request is one of the former run. */
function byRun({ request }: Observed, run: number): Partial<Observed> {
  return { request: { ...request, headers: { ...request.headers, "x-engine-reader": String(run) } } };
}

/** An answer to run 0 of the reader, which closes the buffer of `answer`. */
function closing(answer: Observed): Observed {
  const { request, response, task } = answer;
  const url = `/v1/task/${task?.taskId ?? ""}/results/${task?.bufferId ?? 0}`;
  const headers = { ...request.headers, "x-engine-reader": "0" };
  return observed(
    { ...answer, request: { ...request, method: "DELETE", url, headers }, response: { ...response, status: 204, body: new Uint8Array(0) } },
    { nowNanos: answer.nowNanos, event: answer.event },
  );
}

/** Run 99 of a reader gets pages, and run 0 closes its buffer. */
function closedByFormer(): Planted {
  let done = false;
  return (step) => {
    if (done || !("answer" in step) || !isPages(step.answer)) {
      return undefined;
    }
    done = true;
    return [{ answer: { ...step.answer, ...byRun(step.answer, 99) } }, { answer: closing(step.answer) }];
  };
}

/** Run 0 of a reader closes a buffer that may have more pages, and run 99 is told their end. */
function completeAfterClose(): Planted {
  let closed: string | undefined;
  return (step) => {
    if (!("answer" in step) || !isPages(step.answer)) {
      return undefined;
    }
    const { answer } = step;
    const name = `${answer.task?.taskId ?? ""}/${answer.task?.bufferId ?? 0}`;
    if (closed === undefined && !isLast(answer)) {
      closed = name;
      return [step, { answer: closing(answer) }];
    }
    return closed === name && isLast(answer) ? [{ answer: { ...answer, ...byRun(answer, 99) } }] : undefined;
  };
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

/** After a buffer was complete, it answers the same request with "not complete", some seconds later. */
function endDenied(seconds = 0): Planted {
  let done = false;
  return (step) => {
    if (done || !("answer" in step)) {
      return undefined;
    }
    const { answer } = step;
    const { headers, status } = answer.response;
    if (headerOf(headers, "x-engine-buffer-complete") !== "true" || (seconds > 0 && status !== 204)) {
      return undefined;
    }
    done = true;
    const response = { ...answer.response, headers: { ...headers, "x-engine-buffer-complete": "false" } };
    return [step, { answer: { ...answer, response, arrivedNanos: answer.arrivedNanos + seconds * 1e9 } }];
  };
}

/** A buffer is asked for what follows its last page, and the next document of its task says that it has not finished. */
function endTaken(): Planted {
  let taken: string | undefined;
  let before: Observed | undefined;
  let done = false;
  return (step) => {
    if (done || !("answer" in step)) {
      return undefined;
    }
    const { answer } = step;
    const { request, response, task } = answer;
    if (info.test(`${request.method} ${request.url}`) && response.status === 200 && answer.text().includes('"state":"RUNNING"')) {
      before = answer;
    }
    const isEnd = task?.what === "results" && headerOf(response.headers, "x-engine-buffer-complete") === "true";
    if (!isEnd || taken !== undefined || before?.task?.taskId !== task.taskId || task.bufferId !== 0) {
      return undefined;
    }
    taken = task.taskId;
    done = true;
    const token = headerOf(response.headers, "x-engine-page-end-sequence-id") ?? "0";
    const path = `/v1/task/${taken}/results/0/${token}`;
    const headers = { ...response.headers, "x-engine-page-sequence-id": token };
    const asked = observed(
      { ...answer, request: { ...request, url: path }, response: { status: 204, headers, body: new Uint8Array(0) } },
      { nowNanos: answer.nowNanos, event: answer.event },
    );
    return [step, { answer: asked }, { answer: before }];
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
