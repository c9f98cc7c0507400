import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HttpResponse } from "../../../src/ports/network.ts";
import { compressed, encodingFor, uncompressedBytesMax } from "../../../src/server/transport/compression.ts";
import { encodeUtf8 } from "../../../src/types/utf8.ts";
import { rawExchange } from "../../support/raw-server.ts";
import { closedAfterEach } from "../../support/real-networks.ts";

const { open } = closedAfterEach();

function answer(text: string, type = "application/json", headers: HttpResponse["headers"] = {}): HttpResponse {
  return { status: 200, headers: { "content-type": type, ...headers }, body: encodeUtf8(text) };
}

const long = `[${"[1,2,3],".repeat(20_000)}[]]`;
const middle = `[${"[1,2,3],".repeat(200)}[]]`;

describe("the encoding that a client asks for", () => {
  it.each([
    // Headers of Python's requests, of axios, of browsers, of OkHttp.
    ["gzip, deflate", "gzip"],
    ["gzip, compress, deflate, br", "gzip"],
    ["gzip, deflate, br, zstd", "gzip"],
    ["gzip", "gzip"],
    ["br, gzip", "br"],
    ["deflate, gzip", "deflate"],
    ["gzip;q=0.5, br;q=0.9", "br"],
    ["br;q=0, gzip", "gzip"],
    ["GZIP", "gzip"],
    ["x-gzip", "gzip"],
    ["*", "gzip"],
    ["*, gzip;q=0", undefined],
    ["identity", undefined],
    ["identity, gzip", undefined],
    ["identity;q=0.1, gzip;q=0.2", "gzip"],
    ["zstd", undefined],
    ["gzip;q=often", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("%s means %s", (header, encoding) => {
    expect(encodingFor(header)).toBe(encoding);
  });
});

describe("compressed answers", () => {
  it.each([
    ["gzip", gunzipSync],
    ["deflate", inflateSync],
    ["br", brotliDecompressSync],
  ] as const)("are read back as they were by a reader of %s, small and large", async (encoding, undo) => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 60 }), fc.integer({ min: 1, max: 4_000 }), async (text, times) => {
        const plain = answer(text.repeat(times));
        const found = await compressed(plain, encoding);
        const isCompressed = found.headers["content-encoding"] === encoding;
        expect(isCompressed ? found.body.length < plain.body.length : found.body === plain.body).toBe(true);
        expect(Buffer.from(isCompressed ? undo(found.body) : found.body).equals(Buffer.from(plain.body))).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it("leave alone what is small, compressed already, or neither text nor JSON", async () => {
    const small = answer("x".repeat(uncompressedBytesMax));
    expect(await compressed(small, "gzip")).toBe(small);
    const pages = answer(middle, "application/x-engine-pages");
    expect(await compressed(pages, "gzip")).toBe(pages);
    const done = answer(middle, "application/json", { "content-encoding": "br" });
    expect(await compressed(done, "gzip")).toBe(done);
    expect((await compressed(answer(middle, "text/plain"), "gzip")).headers["content-encoding"]).toBe("gzip");
    const refused = await compressed(answer(middle), "identity");
    expect([refused.headers["content-encoding"], refused.headers["vary"]]).toEqual([undefined, "accept-encoding"]);
  });

  it("cross the network with a content type to the letter, unless the configuration switches them off", async () => {
    const head = "GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\naccept-encoding: gzip, deflate\r\n\r\n";
    for (const [compressesAnswers, text] of [
      [true, middle],
      [true, long],
      [false, long],
    ] as const) {
      const network = open({ compressesAnswers });
      await network.serve(() => Promise.resolve(answer(text)));
      const whole = Buffer.from(await rawExchange(network.selfUri, head), "latin1");
      const end = whole.indexOf("\r\n\r\n");
      const headers = whole.subarray(0, end).toString();
      const body = whole.subarray(end + 4);
      expect(headers).toContain("content-type: application/json\r\n");
      expect(headers.includes("content-encoding: gzip")).toBe(compressesAnswers);
      expect(headers).toContain(`content-length: ${body.length}`);
      expect((compressesAnswers ? gunzipSync(body) : body).toString()).toBe(text);
    }
  });
});
