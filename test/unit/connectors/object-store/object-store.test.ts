/** Object stores against a server in memory: signatures of AWS's documents, addresses, repetitions and their bounds, reads under faults. */
import { unending } from "../../../../src/ports/lifetime.ts";
import type { ObjectStore } from "../../../../src/connectors/shared/object-store/object-store.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BlockCache, blockBytes } from "../../../../src/connectors/shared/object-store/block-cache.ts";
import { signedHeaders } from "../../../../src/connectors/shared/object-store/signature.ts";
import { compactTime, httpTime, parseHttpTime, parseIsoTime } from "../../../../src/connectors/shared/object-store/times.ts";
import { type HttpResponse, NetworkError } from "../../../../src/ports/network.ts";
import { type Answer, openStore as open, response } from "../../../support/stores/answered-store.ts";

/** A server with one file. */
function serving(bytes: Uint8Array, etag = '"1"'): Answer {
  return ({ method, headers }) => {
    if (method === "HEAD") {
      return response(200, "", { etag, "content-length": String(bytes.length) });
    }
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(String(headers["range"])) ?? [];
    const part = bytes.slice(Number(first), Number(last) + 1);
    return response(206, part, { etag, "content-range": `bytes ${first}-${Number(first) + part.length - 1}/${bytes.length}` });
  };
}

function listOf(content: string): HttpResponse {
  return response(200, `<?xml version="1.0"?><ListBucketResult>${content}</ListBucketResult>`);
}

describe("signatures", () => {
  it("are those of the examples in AWS's documents", () => {
    const keys = { accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" };
    const options = { keys, region: "us-east-1", wallMillis: Date.UTC(2013, 4, 24) };
    const common = { method: "GET", host: "examplebucket.s3.amazonaws.com", headers: {}, body: new Uint8Array(0) };
    const get = signedHeaders({ ...common, path: "/test.txt", query: [], headers: { range: "bytes=0-9" } }, options);
    expect(get["authorization"]).toContain("Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
    const list = signedHeaders(
      {
        ...common,
        path: "/",
        query: [
          ["prefix", "J"],
          ["max-keys", "2"],
        ],
      },
      options,
    );
    expect(list["authorization"]).toContain("Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
  });

  it("have the times of the documents", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_799 }), (seconds) => {
        const date = new Date(seconds * 1000);
        expect(compactTime(seconds * 1000)).toBe(date.toISOString().replace(/[-:]|\.000/g, ""));
        expect(parseIsoTime(date.toISOString())).toBe(seconds * 1000);
        expect(parseHttpTime(date.toUTCString())).toBe(seconds * 1000);
        expect(httpTime(seconds * 1000)).toBe(date.toUTCString());
      }),
    );
    expect([parseIsoTime("2024-02-30T00:00:00Z"), parseHttpTime("now"), parseIsoTime("")]).toEqual([undefined, undefined, undefined]);
  });
});

describe("addresses", () => {
  const urlOf = async (properties: Readonly<Record<string, string>>, location?: string) => {
    const { storage, requests } = open(() => listOf(""), properties, location);
    await storage.list("");
    return requests[0]?.url.replace(/\?.*/, "");
  };

  it("have the bucket in the host, or in the path", async () => {
    expect(await urlOf({})).toBe("https://bucket.s3.us-east-1.amazonaws.com/");
    expect(await urlOf({ "s3.region": "eu-west-1" }, "s3a://bucket")).toBe("https://bucket.s3.eu-west-1.amazonaws.com/");
    expect(await urlOf({}, "s3://my.bucket/x")).toBe("https://s3.us-east-1.amazonaws.com/my.bucket");
    expect(await urlOf({ "s3.endpoint": "http://minio:9000/" })).toBe("http://bucket.minio:9000/");
    expect(await urlOf({ "s3.endpoint": "http://minio:9000", "s3.path-style-access": "true" })).toBe("http://minio:9000/bucket");
  });

  it("are checked, and never repeat a secret", () => {
    const failure = (properties: Readonly<Record<string, string>>, location?: string): unknown => {
      try {
        return open(() => listOf(""), properties, location);
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(failure({}, "s3://a:hush@bucket/x")).toBe("Invalid value 's3://bucket/x' for property 'files.directory'");
    expect(failure({ "s3.endpoint": "http://a:hush@host" })).toBe("Invalid value 'http://host' for property 's3.endpoint'");
    expect(failure({ "s3.aws-access-key": "hush" })).toContain("'s3.aws-access-key' and 's3.aws-secret-key' belong together");
    expect(failure({ "http.files": "a.csv,../b.csv" }, "http://h/")).toBe("Invalid value '../b.csv' for property 'http.files'");
  });
});

describe("lists", () => {
  it("have all pages, and no names that are no paths", async () => {
    const page = (keys: readonly string[], next?: string): HttpResponse =>
      listOf(
        keys.map((key) => `<Contents><Key>a/b/${key}</Key><ETag>"e"</ETag><Size>3</Size></Contents>`).join("") +
          "<CommonPrefixes><Prefix>a/b/sub/</Prefix></CommonPrefixes>" +
          (next === undefined ? "" : `<IsTruncated>true</IsTruncated><NextContinuationToken>${next}</NextContinuationToken>`),
      );
    const { storage, requests } = open(({ url }) =>
      url.includes("continuation-token=to%2Bken") ? page(["c.csv", "", "..", "sub"]) : page(["b.csv", "."], "to+ken"),
    );
    expect((await storage.list("")).map(({ name, directory }) => `${name} ${directory}`)).toEqual([
      "b.csv false",
      "c.csv false",
      "sub true",
    ]);
    expect(requests).toHaveLength(2);
    expect(requests[0]?.url).toContain("prefix=a%2Fb%2F");
  });

  it("are errors if the server repeats a page, or sends something else", async () => {
    const endless = open(() => listOf("<IsTruncated>true</IsTruncated><NextContinuationToken>x</NextContinuationToken>"));
    await expect(endless.storage.list("")).rejects.toThrow("repeats a page");
    await expect(open(() => response(200, "<html/>")).storage.list("")).rejects.toThrow("did not answer with a list");
    await expect(open(() => response(200, "no")).storage.list("")).rejects.toThrow("damaged list (11 attempts)");
    await expect(open(() => listOf("")).storage.list("x")).rejects.toMatchObject({ kind: "NOT_FOUND" });
    const moved = open(() => response(301, "", { "x-amz-bucket-region": "eu-west-3" }));
    await expect(moved.storage.list("")).rejects.toThrow("the bucket is in region eu-west-3: set property 's3.region'");
  });
});

describe("requests", () => {
  it("are repeated with growing pauses, a bounded number of times", async () => {
    const { storage, clock, requests } = open(() => response(503), { "s3.max-error-retries": "9" });
    await expect(storage.stat("x")).rejects.toThrow("the server answered with status 503 (10 attempts)");
    expect(clock.pausesMs).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 12_800, 20_000]);
    expect(requests).toHaveLength(10);
  });

  it("are repeated no more once most of them fail", async () => {
    const { storage, requests } = open(() => new NetworkError("CONNECTION_RESET", "reset"));
    const failures = await Promise.allSettled(Array.from({ length: 40 }, () => storage.stat("x")));
    expect(failures.map((one) => one.status)).toEqual(failures.map(() => "rejected"));
    // The first attempts, and the 100 repetitions that the bucket has tokens for.
    expect(requests).toHaveLength(140);
  });

  it("are as many at once as the catalog allows", async () => {
    const bytes = new Uint8Array(64).fill(7);
    const { storage, counts } = open(serving(bytes), { "s3.max-connections": "3" });
    await Promise.all(Array.from({ length: 20 }, (_, index) => storage.stat(`f${index}`)));
    expect(counts.runningMax).toBe(3);
  });

  it("are signed with the time of a server whose clock is ahead", async () => {
    const times: string[] = [];
    const { storage } = open(({ headers }) => {
      times.push(String(headers["x-amz-date"]));
      return times.length === 1
        ? response(403, "<Error><Code>RequestTimeTooSkewed</Code></Error>", { date: "Sat, 31 Jan 2026 12:00:00 GMT" })
        : listOf("");
    });
    await storage.list("");
    expect(times[1]).toBe("20260131T120000Z");
  });

  it.each([
    ["also if the answer has no document, as the one to a HEAD", "", "Sat, 31 Jan 2026 12:00:00 GMT", 2],
    ["but not if the server refuses for another reason", "", "Tue, 13 May 2014 16:55:00 GMT", 1],
    ["or says another one", "<Error><Code>AccessDenied</Code></Error>", "Sat, 31 Jan 2026 12:00:00 GMT", 1],
    ["or keeps refusing", "<Error><Code>RequestTimeTooSkewed</Code></Error>", "Sat, 31 Jan 2026 12:00:00 GMT", 4],
  ])("%s", async (reason, body, date, count) => {
    const times: string[] = [];
    const { storage } = open(({ headers }) => {
      times.push(String(headers["x-amz-date"]));
      return reason.startsWith("also") && times.length > 1
        ? response(200, "", { "content-length": "3", etag: '"1"' })
        : response(403, body, { date });
    });
    const stat = storage.stat("x");
    await (count === 2 ? expect(stat).resolves.toMatchObject({ sizeBytes: 3 }) : expect(stat).rejects.toThrow("status 403"));
    expect(times).toHaveLength(count);
  });
});

describe("reads", () => {
  const bytes = Uint8Array.from({ length: 3 * blockBytes + 1234 }, (_, index) => (index * 2_654_435_761) >>> 24);
  const file = { path: "f", sizeBytes: bytes.length, version: '"1"' };
  const range = fc.record({ offset: fc.nat(bytes.length + 10), length: fc.nat(bytes.length) });

  it("have the bytes of the file, whatever fails", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(range, { minLength: 1, maxLength: 8 }),
        fc.infiniteStream(fc.constantFrom("", "", "", "503", "reset", "short", "empty")),
        fc.constantFrom("0B", "1MB", "3MB", "64MB"),
        async (ranges, faults, readAhead) => {
          const serve = serving(bytes);
          const { storage } = open(
            (request) => {
              const { value } = faults.next();
              const whole = serve(request) as HttpResponse;
              switch (value) {
                case "503":
                  return response(503, "<Error><Code>SlowDown</Code></Error>");
                case "reset":
                  return new NetworkError("CONNECTION_RESET", "reset");
                case "short":
                  return { ...whole, body: whole.body.subarray(0, whole.body.length >> 1) };
                case "empty":
                  return { ...whole, body: new Uint8Array(0) };
                default:
                  return whole;
              }
            },
            { "s3.read-ahead-size": readAhead, "s3.max-error-retries": "100" },
          );
          const pinned = storage.pinned(file);
          const found = await Promise.all(ranges.map(({ offset, length }) => pinned.read("f", offset, length)));
          ranges.forEach(({ offset, length }, index) => {
            expect(Buffer.compare(found[index] as Uint8Array, bytes.subarray(offset, offset + length)) === 0).toBe(true);
          });
        },
      ),
      { numRuns: 40 },
    );
  });

  it("are errors once the file is another one, and never a mixture", async () => {
    for (const answer of [serving(bytes, '"2"'), () => response(412), () => response(416), serving(bytes.subarray(1))]) {
      await expect(open(answer).storage.pinned(file).read("f", 0, 10)).rejects.toMatchObject({ kind: "CHANGED" });
    }
    await expect(
      open(() => response(404))
        .storage.pinned(file)
        .read("f", 0, 10),
    ).rejects.toMatchObject({ kind: "NOT_FOUND" });
    await expect(
      open(() => response(200, "ab"))
        .storage.pinned(file)
        .read("f", 0, 10),
    ).rejects.toMatchObject({ kind: "CHANGED" });
  });

  it("share blocks, and run ahead of a sequential reader within a bound", async () => {
    const { storage, requests } = open(serving(bytes));
    const pinned = storage.pinned(file);
    for (let offset = 0; offset < bytes.length; offset += 100_000) {
      await pinned.read("f", offset, 100_000);
    }
    expect(requests).toHaveLength(4);
    const asked: number[] = [];
    const store: ObjectStore = {
      until: () => store,
      list: () => Promise.reject(new Error()),
      head: () => Promise.reject(new Error()),
      get: async (_: unknown, { length }: { length: number }) => new Uint8Array(length),
    };
    const cache = new BlockCache(store, 2 * blockBytes);
    for (let index = 0; index < 4; index++) {
      await cache.block({ key: "f", sizeBytes: bytes.length, version: "1" }, index, unending);
      asked.push(cache.heldBytes);
    }
    expect(Math.max(...asked)).toBe(2 * blockBytes);
  });

  it("refuse writes", async () => {
    const { storage } = open(serving(bytes));
    await expect(storage.write("x", bytes)).rejects.toThrow("object stores cannot be written to");
  });
});
