/** Planted violations of the model of rows: one cell of the rows of a recorded run is changed at a time. */
import { beforeAll, describe, expect, it } from "vitest";
import { calmCluster, reads, user } from "../../../../../scenarios/scenario.ts";
import type { Judged, ModelKind } from "../../../../../sim/checkers/models/model.ts";
import { rowsOfPages } from "../../../../../sim/checkers/models/statement/rows-of-pages.ts";
import { columnsOf, sealOf, splitFrames } from "../../../../../sim/checkers/protocol/frames.ts";
import { encodeUtf8 } from "../../../../../src/types/utf8.ts";
import { inResponse, once, type Planted, type Recording, recordWithDocuments, show } from "../recorded.ts";

const values = [
  "nationkey - 12",
  "CAST(nationkey AS tinyint)",
  "nationkey > 10",
  "nullif(nationkey, 3)",
  "-9007199254740993 - nationkey",
  "CAST(nationkey - 3 AS double) / 7",
  "-1e0 * 0",
  "nan()",
  "CAST(nationkey AS real) / 3",
  "CAST(nationkey - 3 AS decimal(9, 2)) / 4",
  "CAST(-nationkey AS decimal(38, 10)) * 1000000000000",
  "CAST(name AS char(16))",
  "to_utf8(substr(name, 1, nationkey % 6))",
  "date_add('year', 4000 * (nationkey - 2), DATE '1960-02-29')",
  "TIMESTAMP '1969-12-31 23:59:59.987654'",
  "TIMESTAMP '2020-02-29 12:34:56' + INTERVAL '1' SECOND * nationkey",
  "INTERVAL '-26' HOUR * nationkey",
  "INTERVAL '-13' MONTH",
  "ARRAY[nationkey]",
];
const statement = `SELECT name, ${values.map((value, index) => `${value} AS v${index}`).join(", ")} FROM nation WHERE nationkey < 9`;

let recording: Recording;
let details: ReadonlyMap<string, string>;

beforeAll(async () => {
  const calm = calmCluster("1", { users: [user("u1", [reads(statement)])], knobs: { "page-rows": 4 } });
  ({ documents: details, recording } = await recordWithDocuments(calm, (id) => [`/v1/query/${id}`]));
});

async function told(
  planted: Planted = () => undefined,
): Promise<{ readonly said: string; readonly held: number; readonly planted: number }> {
  let held = 0;
  const said: string[] = [];
  const handle = ({ url }: { readonly url: string }): Promise<unknown> =>
    Promise.resolve({ status: 200, headers: {}, body: encodeUtf8(details.get(url) ?? "") });
  const check: Judged["check"] = (holds, sentence) => (holds ? held++ : said.push(sentence()));
  const kind: ModelKind = { ...rowsOfPages, create: (context) => rowsOfPages.create({ ...context, check }) };
  const shown = show(recording, kind, planted, { node: (() => ({ handle })) as unknown as Judged["node"] });
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  return { said: said.join("\n"), held, planted: shown.planted };
}

const polls = /^(?:GET|POST) \/v1\/statement/;

describe("the model of the rows of a client", () => {
  it("says nothing about what happened, and compares the rows of the statement and of the probe", async () => {
    expect(await told()).toEqual({ said: "", held: 2, planted: 0 });
  });

  it.each<[string, string | RegExp, string]>([
    ["a lost sign", ",-12,", ",12,"],
    ["another name", '"ALGERIA"', '"ALGERIE"'],
    ["a NULL less", /,null,/, ",3,"],
    ["a large integer that is rounded", "-9007199254740993", "-9007199254740992"],
    ["zero without its sign", ",-0.0,", ",0.0,"],
    ["a padding that is cut", 'ALGERIA         "', 'ALGERIA"'],
    ["a day later", /-02-29"/, '-03-01"'],
    ["a year without its sign", '"-', '"'],
    ["a fraction that is cut", "59.987654", "59.987"],
    ["a boolean that is negated", /,false,/, ",true,"],
  ])("speaks of %s", async (_, from, to) => {
    const { said, planted } = await told(inResponse(polls, from, to, 0));
    expect(planted).toBe(1);
    expect(said).toContain("gave its client the row");
  });

  it("reads the pages of the engine, and notices a changed byte and a changed count", () => {
    const frames = recording.steps.flatMap((step) =>
      "answer" in step && step.answer.task?.what === "results" && step.answer.response.status === 200
        ? splitFrames(step.answer.response.body)
        : [],
    );
    expect(frames.length).toBeGreaterThan(2);
    for (const frame of frames) {
      expect(sealOf(frame)).toBeDefined();
      expect(columnsOf(frame).length).toBe(new DataView(frame.buffer, frame.byteOffset).getUint32(8, true));
      for (const at of [4, 16, 24, frame.length - 9]) {
        const changed = frame.slice();
        changed[at] = (changed[at] ?? 0) ^ 1;
        expect(sealOf(changed), `byte ${at}`).toBeUndefined();
      }
    }
    expect(() => splitFrames((frames[0] as Uint8Array).subarray(8))).toThrow(RangeError);
  });

  it("judges no row of which the pages are not known", async () => {
    const { held, said } = await told(
      once(({ task, response }) =>
        task?.what === "results" && response.status === 200 ? { response: { ...response, status: 204 } } : undefined,
      ),
    );
    expect([held, said]).toEqual([1, ""]);
  });
});
