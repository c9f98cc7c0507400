/** Planted violations of the model of the sizes of rows: frames that are written by hand, and what their reader says that it gave. */
import { describe, expect, it } from "vitest";
import type { ModelContext } from "../../../../../sim/checkers/models/model.ts";
import { Models } from "../../../../../sim/checkers/models/models.ts";
import { rowSizes } from "../../../../../sim/checkers/models/node/row-sizes.ts";
import { observed } from "../../../../../sim/checkers/protocol/wire.ts";
import { encodeUtf8 } from "../../../../../src/types/utf8.ts";

const buffer = "/v1/task/20260101_000000_00000_aaaaa.1.0/results/0";
const taskId = "20260101_000000_00000_aaaaa.0.0";
const words = (...values: readonly number[]): Uint8Array => new Uint8Array(Uint32Array.from(values).buffer);
const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);

function frameOf(rows: number, columns: number, parts: readonly Uint8Array[]): readonly number[] {
  const body = parts.flatMap((part) => [...part]);
  return [...words(0x3147504f, rows, columns, body.length, 0, 0), ...body];
}

/** Three integers, of which the second is NULL, and rows 1, 0, 1 of a dictionary of `ab` and `c`. */
const three = frameOf(3, 2, [
  words(1, 3, 0, 3),
  bytes(0, 1, 0, 0, 0, 0, 0, 0),
  words(7, 0, 9, 0),
  words(2, 2, 3, 8),
  words(1, 0, 1, 0),
  words(2, 1),
  bytes(97, 98, 99, 0, 0, 0, 0, 0),
]);
/** More strings than a sample has: every second is empty, the others have eight bytes. */
const many = frameOf(200, 1, [
  words(0, 200, 800, 8),
  words(...Array.from({ length: 200 }, (_, row) => (row % 2) * 8)),
  encodeUtf8("abcdefgh".repeat(100)),
]);

/** A reader that has received these pages says that it gave rows of so many bytes. */
function told(
  pages: readonly (readonly number[])[],
  outputPositions: number,
  outputDataSize: string,
): { readonly said: string; readonly held: number } {
  const said: string[] = [];
  let held = 0;
  const verdict = { violate: (_: string, __: string, sentence: string) => said.push(sentence), held: () => held++ };
  const models = new Models(verdict, { nowNanos: () => 0 } as ModelContext, [rowSizes]);
  const answer = (to: string, url: string, body: Uint8Array, headers: Readonly<Record<string, string>> = {}): void => {
    const request = { method: "GET" as const, url, headers: {}, body: new Uint8Array(0) };
    models.observe(
      observed({ from: "w2", to, request, response: { status: 200, headers, body }, arrivedNanos: 0 }, { nowNanos: 0, event: 1 }),
    );
  };
  answer("w1", `${buffer}/0`, Uint8Array.from(pages.flat()), { "x-engine-page-sequence-id": "0" });
  const info = { pageBufferClientStatuses: [{ uri: `http://w1:8080${buffer}`, pagesReceived: pages.length }] };
  const operator = { operatorType: "ExchangeOperator", outputPositions, outputDataSize, info };
  answer("w2", `/v1/task/${taskId}`, encodeUtf8(JSON.stringify({ taskId, stats: { pipelines: [{ operatorSummaries: [operator] }] } })));
  return { said: said.join(), held };
}

describe("the model of the sizes of rows", () => {
  it("says nothing of the bytes that rows take, nor of rows that were not all given", () => {
    // A row has four bytes of an integer, one of NULL, and four of an id.
    expect(told([three, three], 6, "54B")).toEqual({ said: "", held: 1 });
    expect(told([three, three], 5, "9B")).toEqual({ said: "", held: 0 });
    expect(told([many], 200, "1.60kB").said).toBe("");
    expect(told([many, three], 203, "3227B").said).toBe("");
  });

  it.each<[string, readonly (readonly number[])[], number, string, string]>([
    ["values in place of ids", [three, three], 6, "78B", "gave 6 rows of 78 bytes; its pages have between 54 and 54"],
    ["NULLs that take no byte", [three, three], 6, "48B", "6 rows of 48 bytes"],
    ["a row that counts twice", [three, three], 6, "63B", "6 rows of 63 bytes"],
    ["strings longer than any", [many], 200, "5kB", "between 1600 and 3200"],
  ])("speaks of %s", (_, pages, rows, size, sentence) => {
    expect(told(pages, rows, size).said).toContain(sentence);
  });
});
