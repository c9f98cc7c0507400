import { describe, expect, it } from "vitest";
import { ClientError } from "../../../src/client/requester.ts";
import { SegmentReader } from "../../../src/client/segments.ts";
import { encodeBase64 } from "../../../src/types/base64.ts";
import type { SpooledData } from "../../../src/protocol/documents/spooling.ts";
import { encodeUtf8 } from "../../../src/types/utf8.ts";

function reader(files: Readonly<Record<string, Uint8Array>> = {}): { readonly reader: SegmentReader; readonly asked: string[] } {
  const asked: string[] = [];
  const fetch = (uri: string): Promise<Uint8Array> => {
    asked.push(uri);
    const bytes = files[uri];
    return bytes === undefined ? Promise.reject(new ClientError("REFUSED", "Segment not found", 404)) : Promise.resolve(bytes);
  };
  const acknowledge = (uri: string): Promise<void> => {
    asked.push(uri);
    return Promise.resolve();
  };
  return { reader: new SegmentReader({ fetch, acknowledge }), asked };
}

function inline(json: string, metadata: Partial<SpooledData["segments"][number]["metadata"]> = {}): SpooledData["segments"][number] {
  const bytes = encodeUtf8(json);
  return { type: "inline", data: encodeBase64(bytes), metadata: { rowOffset: 0, rowsCount: 1, segmentSize: bytes.length, ...metadata } };
}

describe("segments as the statement client reads them", () => {
  it("gives the rows of all segments in order, and acknowledges what it fetched", async () => {
    // This block comes from the tests of Trino's Go client.
    const { reader: one, asked } = reader({ "http://c/1": Uint8Array.from(Buffer.from("8AFbWzEwMDBdLFsxMDAwMV1d", "base64")) });
    const first = await one.rows({
      encoding: "json+lz4",
      segments: [
        {
          type: "spooled",
          uri: "http://c/1",
          ackUri: "http://c/1/ack",
          metadata: { rowOffset: 0, rowsCount: 2, segmentSize: 18, uncompressedSize: 16 },
        },
        inline('[["é",9223372036854775807]]', { rowOffset: 2 }),
      ],
    });
    expect(first).toEqual([[1000], [10001], ["é", 9223372036854775807n]]);
    expect(asked).toEqual(["http://c/1", "http://c/1/ack"]);
    expect(await one.rows({ encoding: "json", segments: [inline("[[4]]", { rowOffset: 3 })] })).toEqual([[4]]);
  });

  it.each([
    ["a row that is missing", inline("[[1]]", { rowOffset: 1 }), "rows 1 to 2, got 1 rows after 0"],
    ["another number of rows", inline("[[1],[2]]"), "rows 0 to 1, got 2 rows after 0"],
    ["another size", inline("[[1]]", { segmentSize: 6 }), "6 bytes, got 5"],
    ["no JSON", inline("[[1]"), "an array of arrays"],
    ["no rows", inline("[1]"), "an array of arrays"],
    ["no base64", { ...inline("[[1]]"), data: "?" }, "base64"],
    ["no LZ4", inline("[[1]]", { uncompressedSize: 16 }), "an LZ4 block"],
  ] as const)("refuses %s", async (_what, segment, message) => {
    const failure = reader().reader.rows({ encoding: "json+lz4", segments: [segment as SpooledData["segments"][number]] });
    await expect(failure).rejects.toMatchObject({ kind: "BAD_ANSWER", message: expect.stringContaining(message) as string });
  });

  it("refuses an encoding that it did not ask for", async () => {
    const segment = inline("[[1]]", { uncompressedSize: 16 });
    await expect(reader().reader.rows({ encoding: "json+zstd", segments: [segment] })).rejects.toThrow(
      "expected json+lz4 or json, got json+zstd",
    );
  });
});
