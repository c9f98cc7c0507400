/** Planted violations of the model of readers: each test changes what one reader or producer of a recorded run does. */
import { beforeAll, describe, expect, it } from "vitest";
import { calmCluster, reads, user, wideStatement } from "../../../../scenarios/scenario.ts";
import type { Judged } from "../../../../sim/checkers/models/model.ts";
import { readers } from "../../../../sim/checkers/models/node/readers.ts";
import type { Observed } from "../../../../sim/checkers/protocol/wire.ts";
import { atNote, once, type Planted, type RecordedNote, type Recording, record, show, type Step } from "./recorded.ts";

let recording: Recording;

beforeAll(async () => {
  // The second statement sends whole numbers without NULLs, many rows a page.
  const numbers = "SELECT count(*), sum(m) FROM (SELECT orderkey, max(partkey) AS m FROM tpch.tiny.lineitem GROUP BY orderkey)";
  const plan = calmCluster("1", {
    users: [
      user(
        "u1",
        [wideStatement, numbers].map((sql) => reads(sql)),
      ),
    ],
  });
  recording = await record(plan);
});

const results = /^GET \/v1\/task\/[^/]+\/results\/\d+\/\d+$/;
const isClose = ({ kind, detail }: RecordedNote): boolean =>
  kind === "request" && detail.includes(" exchange-close ") && !detail.includes(" c>");

function isPages({ request, response }: Observed): boolean {
  return results.test(`${request.method} ${request.url}`) && response.status === 200;
}

/** Changes a number in the header of the first page. */
function withHeader(offset: number, change: (value: number) => number, holds: (answer: Observed) => boolean = () => true): Planted {
  return once((answer) => {
    if (!isPages(answer) || !holds(answer)) {
      return undefined;
    }
    const body = answer.response.body.slice();
    const view = new DataView(body.buffer);
    view.setUint32(offset, change(view.getUint32(offset, true)), true);
    return { response: { ...answer.response, body } };
  });
}

describe("the model of readers", () => {
  it("says nothing about what happened", () => {
    const { said, held } = show(recording, readers);
    expect(said).toEqual([]);
    expect(held).toBeGreaterThan(50);
  });

  it("says nothing about an end that only the copy of a failed request was told", () => {
    const { said, planted } = show(recording, readers, toldToACopy());
    expect(planted).toBe(2);
    expect(said).toEqual([]);
  });

  it("does not know what was in a buffer that was closed before its end was told", () => {
    const bytes = otherBytes();
    const { said } = show(recording, readers, (step, index) => {
      if (!("answer" in step) || step.answer.task?.what !== "results") {
        return bytes(step, index);
      }
      const { "x-engine-buffer-complete": _, ...headers } = step.answer.response.headers;
      return [{ answer: { ...step.answer, response: { ...step.answer.response, headers } } }];
    });
    expect(said).toEqual([]);
  });

  it.each<[string, () => Planted, string]>([
    ["a reader that does not close its buffer", () => atNote(isClose, () => []), "has not closed the buffer"],
    [
      "a reader that asks on",
      () =>
        atNote(isClose, (note) => [
          { ...note, detail: note.detail.replace("exchange-close DELETE", "exchange-fetch GET").replace(/results\/(\d+)/, "results/$1/7") },
        ]),
      "although it was told the end",
    ],
    ["a page without rows", () => withHeader(4, () => 0), "a page of 0 rows"],
    ["a page with a column more", () => withHeader(8, (columns) => columns + 1), "columns, of"],
    ["a page that is too large", () => tooLarge(), "columns of 8 bytes as"],
    ["bytes that no page holds", otherBytes, "its pages hold"],
  ])("speaks of %s", (_, planted, sentence) => {
    const { said, planted: count } = show(recording, readers, planted());
    expect(count).toBeGreaterThan(0);
    expect(said.join("\n")).toContain(sentence);
  });

  it("speaks of a task that goes on after its last reader has left", () => {
    const node = (() => ({ taskState: () => "RUNNING" })) as unknown as Judged["node"];
    expect(show(recording, readers, keptAlive(), { node }).said.join("\n")).toContain("after its last reader left");
  });
});

/** A page whose body is larger than its rows need: the header says fewer rows. */
function tooLarge(): Planted {
  return withHeader(
    4,
    () => 1,
    ({ response, task }) => response.body.length > 2_000 && task !== undefined && numeric().has(task.taskId),
  );
}

/** Every task says that it gave as many bytes. */
function otherBytes(): Planted {
  return (step) => {
    if (!("answer" in step) || step.answer.request.method !== "DELETE" || step.answer.task?.what !== "task") {
      return undefined;
    }
    const text = step.answer.text().replaceAll(/"outputDataSize":"[^"]*"/g, '"outputDataSize":"77MB"');
    return [{ answer: { ...step.answer, text: () => text, json: () => JSON.parse(text) as unknown } }];
  };
}

/** Tasks that give numbers alone. */
function numeric(): ReadonlySet<string> {
  const found = new Set<string>();
  for (const step of recording.steps) {
    if ("answer" in step && step.answer.request.method === "POST" && step.answer.task !== undefined) {
      const text = new TextDecoder().decode(step.answer.request.body);
      const types = /"outputTypes":(\[[^\]]*\])/.exec(text)?.[1] ?? "";
      if (types.includes('"bigint"') && !/"kind":"(?!bigint|double)/.test(types)) {
        found.add(step.answer.task.taskId);
      }
    }
  }
  return found;
}

/** The last request of a reader fails, its copy is told the end, and the reader's next request gets an answer without pages. */
function toldToACopy(): Planted {
  const notes = recording.steps.flatMap((step) => ("note" in step ? [step.note] : []));
  const [close] = notes.filter(isClose);
  const [, buffer = ""] = / DELETE (\S+\/results\/\d+)/.exec(close?.detail ?? "") ?? [];
  const last = notes.findLast(
    ({ kind, place, detail }) => kind === "request" && place === close?.place && detail.includes(`GET ${buffer}/`),
  );
  const [message = "", route = "", what = ""] = last?.detail.split(" ") ?? [];
  return (step) => {
    if (!("note" in step) || step.note.place !== last?.place) {
      return undefined;
    }
    const { note } = step;
    const noted = (kind: string, detail: string): Step => ({ note: { ...note, kind, detail } });
    const request = (id: string): Step => noted("request", last.detail.replace(message, id));
    if (note === last) {
      const about = `${message} ${route} ${what}`;
      return [step, noted("duplicated", about), noted("network-error", `${about} CONNECTION_REFUSED`), request("m999998")];
    }
    return note.kind === "answer" && note.detail.startsWith(`${message} `)
      ? [noted("answer", `m999998 ${route} ${what} 204`), request("m999999"), noted("answer", note.detail.replace(message, "m999999"))]
      : undefined;
  };
}

/** No task is deleted, so that those whose readers have left stay. */
function keptAlive(): Planted {
  return (step) => ("answer" in step && step.answer.request.method === "DELETE" && step.answer.task?.what === "task" ? [] : undefined);
}
