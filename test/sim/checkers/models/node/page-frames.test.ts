/** Planted violations of the model of page frames: a frame that is written by hand from its layout, and one byte of it that is wrong. */
import { describe, expect, it } from "vitest";
import { pageFrames } from "../../../../../sim/checkers/models/node/page-frames.ts";
import { observed } from "../../../../../sim/checkers/protocol/wire.ts";
import { Models } from "../../../../../sim/checkers/models/models.ts";
import type { ModelContext } from "../../../../../sim/checkers/models/model.ts";

const url = "/v1/task/20260101_000000_00000_aaaaa.1.0/results/0/0";
const words = (...values: readonly number[]): Uint8Array => new Uint8Array(Uint32Array.from(values).buffer);
const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);

/** Three integers, of which the second is NULL. */
const integers = [words(1, 3, 0, 3), bytes(0, 1, 0, 0, 0, 0, 0, 0), words(7, 0, 9, 0)];
const [nullsAt, valuesAt, gapAt] = [16, 24, 36];
/** Rows 1, 0, 1 of a dictionary of `ab` and `c`. */
const strings = [words(2, 2, 3, 8), words(1, 0, 1, 0), words(2, 1), bytes(97, 98, 99, 0, 0, 0, 0, 0)];
const [idsAt, idGapAt, lengthsAt, textGapAt] = [56, 68, 72, 83];

function frame(): Uint8Array {
  const body = [...integers, ...strings].flatMap((part) => [...part]);
  return Uint8Array.from([...words(0x3147504f, 3, 2, body.length, 0, 0), ...body]);
}

function told(body: Uint8Array): { readonly said: string; readonly held: number } {
  const said: string[] = [];
  let held = 0;
  const verdict = { violate: (_: string, __: string, sentence: string) => said.push(sentence), held: () => held++ };
  const models = new Models(verdict, { nowNanos: () => 0 } as ModelContext, [pageFrames]);
  const request = { method: "GET" as const, url, headers: {}, body: new Uint8Array(0) };
  const answer = { from: "w2", to: "w1", request, response: { status: 200, headers: {}, body }, arrivedNanos: 0 };
  models.observe(observed(answer, { nowNanos: 0, event: 1 }));
  return { said: said.join(), held };
}

/** Two frames, of which the second has another value at this byte of its body. */
function withByte(at: number, value: number): string {
  const changed = frame();
  changed[24 + at] = value;
  return told(Uint8Array.from([...frame(), ...changed])).said;
}

describe("the model of page frames", () => {
  it("says nothing about frames as they should be", () => {
    expect(told(Uint8Array.from([...frame(), ...frame()]))).toEqual({ said: "", held: 1 });
  });

  it.each([
    ["a gap after the values", gapAt, "gap after its values"],
    ["a value under NULL", valuesAt + 4, "value under the NULL 1"],
    ["a mark of NULL that is neither", nullsAt, "2 in place of NULL or not"],
    ["a gap after the marks of NULL", nullsAt + 3, "gap after its NULLs"],
    ["an id beyond the dictionary", idsAt, "id 2 in row 0, of 2 entries"],
    ["a gap after the ids", idGapAt, "gap after its ids"],
    ["a length that is not that of its string", lengthsAt + 4, "has strings of 4 bytes, and says 3"],
    ["a gap after the strings", textGapAt, "gap after its strings"],
  ])("speaks of %s", (_, at, sentence) => {
    expect(withByte(at, 2)).toContain(sentence);
  });

  it("speaks of NULLs that are none, of rows without values, of types that do not exist and of what is cut", () => {
    expect(withByte(nullsAt + 1, 0)).toContain("has none");
    expect(withByte(4, 2)).toContain("2 values for 3 rows");
    expect(withByte(12, 9)).toContain("the type 9");
    expect(withByte(0, 4)).toContain("the flags 4");
    expect(told(frame().subarray(0, 100)).said).toContain("cut");
    expect(told(Uint8Array.from([...frame(), 1])).said).toContain("no frame begins");
  });

  it("speaks of bytes that no column has", () => {
    const longer = Uint8Array.from([...frame(), ...new Uint8Array(8)]);
    longer[12] = (longer[12] as number) + 8;
    expect(told(longer).said).toContain("end 8 bytes before");
  });
});
