import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { divideDocument, divideRows } from "../../../src/client/raw-rows.ts";
import { decodeUtf8, encodeUtf8 } from "../../../src/types/utf8.ts";

const divide = (text: string): ReturnType<typeof divideDocument> => divideDocument(encodeUtf8(text));

describe("rows of a document", () => {
  it("are given as they stand", () => {
    const divided = divide('{"id":"a","data":[[1.0,"\\"]},",-0],[9223372036854775807,{"data":[[1]]},[]]],"stats":{"data":[[1]]}}');
    expect(divided?.text).toBe('{"id":"a","data":null,"stats":{"data":[[1]]}}');
    expect(divided?.data?.rowCount).toBe(2);
    expect(decodeUtf8(divided?.data?.rows ?? new Uint8Array(0))).toBe('[1.0,"\\"]},",-0],[9223372036854775807,{"data":[[1]]},[]]');
  });

  it("are absent where there are none", () => {
    for (const text of ['{"id":"data"}', '{"id":["data",":"]}', '{"data":null}', '{"data":[]}', '{"data": [ ] }']) {
      expect(divide(text), text).toMatchObject({ data: undefined });
    }
  });

  it("are arrays in an array in a document whose brackets match", () => {
    for (const text of [
      '{"data":[1]}',
      '{"data":["x"]}',
      '{"data":[{}]}',
      '{"data":{"encoding":"json"}}',
      '{"data":[[1]',
      '{"data":[[1}]}',
      '{"data":"',
      "}",
    ]) {
      expect(divide(text), text).toBeUndefined();
    }
  });

  it("are those of JSON.parse, whatever the document", () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.jsonValue())), fc.jsonValue(), fc.boolean(), fc.nat(2), (data, other, isFirst, indent) => {
        const document = isFirst ? { data, other } : { other, data };
        const divided = divide(JSON.stringify(document, undefined, indent));
        expect(JSON.parse(divided?.text ?? "")).toEqual({ other: JSON.parse(JSON.stringify(other)), data: null });
        const rows = divided?.data === undefined ? [] : JSON.parse(`[${decodeUtf8(divided.data.rows)}]`);
        expect(rows).toEqual(JSON.parse(JSON.stringify(data)));
        expect(divided?.data?.rowCount ?? 0).toBe(data.length);
        if (divided?.data !== undefined) {
          expect(JSON.parse(decodeUtf8(divided.data.rows.subarray(divided.data.lastRowAt)))).toEqual(rows.at(-1));
        }
      }),
    );
  });

  it("are divided between two of them", () => {
    const rowsOf = (rows: Uint8Array): unknown[] => JSON.parse(`[${decodeUtf8(rows)}]`) as unknown[];
    fc.assert(
      fc.property(fc.array(fc.array(fc.jsonValue()), { minLength: 1 }), fc.nat(2), fc.nat(), (data, indent, size) => {
        const rows = divide(JSON.stringify({ data }, undefined, indent))?.data?.rows ?? new Uint8Array(0);
        const count = 1 + (size % data.length);
        const byCount = divideRows(rows, { rowCount: count });
        expect([byCount.rowCount, rowsOf(byCount.rows)]).toEqual([count, rowsOf(rows).slice(0, count)]);
        expect(rowsOf(byCount.rest)).toEqual(rowsOf(rows).slice(count));
        const bytes = 1 + (size % rows.length);
        const byBytes = divideRows(rows, { bytes });
        expect([...rowsOf(byBytes.rows), ...rowsOf(byBytes.rest)]).toEqual(rowsOf(rows));
        expect(rowsOf(byBytes.rows).length).toBe(byBytes.rowCount);
        expect(byBytes.rest.length === 0 || byBytes.rows.length >= bytes).toBe(true);
      }),
    );
  });
});
