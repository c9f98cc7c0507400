import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Clock } from "../../../src/ports/clock.ts";
import type { Random } from "../../../src/ports/random.ts";
import { decodeBase64, encodeBase64 } from "../../../src/types/base64.ts";
import { JsonSyntaxError, parseJson, stringifyJson } from "../../../src/protocol/json.ts";
import { createQueryIds, isQueryId, parseStageId, parseTaskId } from "../../../src/protocol/query-id.ts";
import { formatTimestamp, parseTimestamp, timestampPattern } from "../../../src/protocol/timestamp.ts";
import {
  dataSizePattern,
  durationPattern,
  formatDataSize,
  formatDuration,
  parseDataSize,
  parseDuration,
} from "../../../src/protocol/units.ts";

describe("durations", () => {
  it("are written as airlift writes them", () => {
    expect([0, 1, 999, 1000, 1_500_000, 1e9, 79.2e9, 60e9, 59.9999e9, 7200e9, 86400e9].map(formatDuration)).toEqual([
      "0.00ns",
      "1.00ns",
      "999.00ns",
      "1.00us",
      "1.50ms",
      "1.00s",
      "1.32m",
      "1.00m",
      "1.00m",
      "2.00h",
      "1.00d",
    ]);
  });

  it("are read in any unit, and nothing else is", () => {
    expect(parseDuration(" 1.5 s ")).toBe(1.5e9);
    expect(parseDuration("500ms")).toBe(5e8);
    expect(["", "5", "s", "-1s", "1S", "1 week", "1e3s", "1.s"].map(parseDuration)).toEqual(Array.from({ length: 8 }, () => undefined));
  });

  it("come back within what two digits can say", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), (nanos) => {
        const text = formatDuration(nanos);
        expect(text).toMatch(durationPattern);
        const back = parseDuration(text) as number;
        expect(Math.abs(back - nanos)).toBeLessThanOrEqual(Math.max(nanos * 0.0051, 0));
      }),
    );
  });
});

describe("data sizes", () => {
  it("are written as Presto 0.195 writes them", () => {
    expect([0, 1, 1023, 1024, 178954, 16 * 1024 ** 2, 1.5 * 1024 ** 3].map(formatDataSize)).toEqual([
      "0B",
      "1B",
      "1023B",
      "1kB",
      "174.76kB",
      "16MB",
      "1.50GB",
    ]);
  });

  it("come back within what two digits can say, whole ones exactly", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), (bytes) => {
        const text = formatDataSize(bytes);
        expect(text).toMatch(dataSizePattern);
        expect(Math.abs((parseDataSize(text) as number) - bytes)).toBeLessThanOrEqual(bytes * 0.0051);
        const whole = (bytes % 1024) * 1024 ** 2;
        expect(parseDataSize(formatDataSize(whole))).toBe(whole);
      }),
    );
    expect([parseDataSize("16mb"), parseDataSize("1 GB"), parseDataSize("GB")]).toEqual([undefined, 1024 ** 3, undefined]);
  });
});

describe("timestamps", () => {
  it("are those of the platform's calendar", () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }), (millis) => {
        const text = formatTimestamp(millis);
        expect(text).toBe(new Date(millis).toISOString());
        expect(text).toMatch(timestampPattern);
        expect(parseTimestamp(text)).toBe(millis);
      }),
    );
    expect(formatTimestamp(253_402_300_800_000)).toBe("+010000-01-01T00:00:00.000Z");
  });

  it("are read with any offset, and a day that does not exist is none", () => {
    expect(parseTimestamp("2014-02-02T10:41:32.123+02:00")).toBe(Date.UTC(2014, 1, 2, 8, 41, 32, 123));
    expect(["2014-02-30T00:00:00.000Z", "2014-02-02T24:00:00.000Z", "2014-02-02T08:41:32Z", "now"].map(parseTimestamp)).toEqual(
      Array.from({ length: 4 }, () => undefined),
    );
  });
});

describe("JSON", () => {
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom(null, true, false),
      fc.string({ unit: "binary" }),
      // A double beyond 2^53 may be written without an exponent; it then reads back as an integer.
      fc
        .double({ noNaN: true, noDefaultInfinity: true })
        .filter((number) => !Object.is(number, -0) && (Number.isSafeInteger(number) || !Number.isInteger(number))),
      fc.integer(),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).filter((wide) => !Number.isSafeInteger(Number(wide))),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie("value"), { maxKeys: 4 }),
    ),
  })).value;

  it("keeps every value, 64-bit integers included", () => {
    fc.assert(
      fc.property(value, fc.constantFrom(0, 2), (document, indent) => {
        const back = parseJson(stringifyJson(document, indent));
        expect(ordered(back)).toEqual(ordered(document));
      }),
    );
  });

  it("reads and writes like the platform if there are no wide integers", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const read = parseJson(`[${text},12345678901234567890]`) as unknown[];
        expect(ordered(read[0], Number)).toEqual(ordered(JSON.parse(text)));
        expect(stringifyJson(JSON.parse(text))).toBe(JSON.stringify(JSON.parse(text)));
        expect(stringifyJson([JSON.parse(text), undefined, 1n])).toBe(JSON.stringify([JSON.parse(text), undefined, 1]));
      }),
    );
  });

  it("indents like the platform around bare digits", () => {
    const document = { a: [], b: {}, c: [{ d: 1, e: undefined }], f: "x" };
    expect(stringifyJson({ ...document, wide: 2n ** 60n }, 2)).toBe(
      JSON.stringify({ ...document, wide: 1 }, undefined, 2).replace(/1\n}$/, `${2n ** 60n}\n}`),
    );
  });

  it("rejects invalid JSON with the position, on both code paths", () => {
    for (const text of ["", "{", "[1,]", "{a:1}", "01", "1 2", '"\n"', "tru", '{"a" 1}', "[1", '"abc', "+1", "1.", '"\\x"', "[1}"]) {
      expect(() => parseJson(text), text).toThrow(JsonSyntaxError);
      expect(() => parseJson(`[12345678901234567890, ${text}`), text).toThrow(JsonSyntaxError);
    }
    expect(() => parseJson(`${"[".repeat(5000)}12345678901234567890${"]".repeat(5000)}`)).toThrow(/nested/);
  });

  it("does not let a member set a prototype", () => {
    const read = parseJson('{"__proto__": {"polluted": 12345678901234567890}}') as Record<string, unknown>;
    expect(Object.keys(read)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  /** Members as a list, so that order and names such as __proto__ are compared. */
  function ordered(document: unknown, wide: (value: bigint) => unknown = (value) => value): unknown {
    if (typeof document === "bigint") {
      return wide(document);
    }
    if (Array.isArray(document)) {
      return document.map((element) => ordered(element, wide));
    }
    if (typeof document === "object" && document !== null) {
      return Object.entries(document).map(([key, member]) => [key, ordered(member, wide)]);
    }
    return document;
  }
});

describe("base64", () => {
  it("is the platform's", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = encodeBase64(bytes);
        expect(text).toBe(Buffer.from(bytes).toString("base64"));
        expect(decodeBase64(text)).toEqual(bytes);
      }),
    );
    const digits = fc.array(fc.constantFrom("A", "z", "9", "+", "/", "=", "-", "é", "\u{10000}", "\ud800"), { maxLength: 9 });
    fc.assert(
      fc.property(
        digits.map((units) => units.join("")),
        (text) => {
          const plain = text.replace(/={1,2}$/, "");
          const valid = /^[A-Za-z0-9+/]*$/.test(plain) && plain.length % 4 !== 1;
          expect(decodeBase64(text)).toEqual(valid ? new Uint8Array(Buffer.from(plain, "base64")) : undefined);
        },
      ),
      { numRuns: 2000 },
    );
    expect([decodeBase64("a"), decodeBase64("a!=="), decodeBase64("Ym9iOg")]).toEqual([
      undefined,
      undefined,
      Uint8Array.from([98, 111, 98, 58]),
    ]);
  });
});

describe("identifiers", () => {
  function idsFrom(wall: { millis: number }) {
    const clock = { wallMillis: () => wall.millis } as unknown as Clock;
    const random: Random = { stream: () => ({ nextInt: () => 0, nextText: (length, alphabet) => alphabet.charAt(1).repeat(length) }) };
    return createQueryIds(clock, random);
  }

  it("of queries tell the time and start to count again each day", () => {
    const wall = { millis: Date.UTC(2014, 0, 8, 23, 59, 59) };
    const ids = idsFrom(wall);
    expect(ids.nextQueryId()).toBe("20140108_235959_00000_bbbbb");
    expect(ids.nextQueryId()).toBe("20140108_235959_00001_bbbbb");
    wall.millis += 1000;
    expect(ids.nextQueryId()).toBe("20140109_000000_00000_bbbbb");
    expect(ids.nextSlug()).toMatch(/^x[0-9a-f]{32}$/);
  });

  it("of queries are never given twice, though the clock goes back over midnight and comes again", () => {
    const wall = { millis: Date.UTC(2014, 0, 9) };
    const ids = idsFrom(wall);
    const given = [0, -10_000, 10_000, 0].map((stepMs) => {
      wall.millis += stepMs;
      return ids.nextQueryId();
    });
    expect(given).toEqual([
      "20140109_000000_00000_bbbbb",
      "20140108_235950_00001_bbbbb",
      "20140109_000000_00002_bbbbb",
      "20140109_000000_00003_bbbbb",
    ]);
  });

  it("are checked", () => {
    expect(isQueryId("20140108_110629_00011_dk5x2")).toBe(true);
    expect([isQueryId(""), isQueryId("A"), isQueryId("a.b"), isQueryId("a".repeat(101))]).toEqual([false, false, false, false]);
    expect(parseTaskId("q_1.2.3")).toEqual({ queryId: "q_1", stageId: 2, taskNumber: 3 });
    expect([parseTaskId("q.1"), parseTaskId("q.01.0"), parseTaskId("q.1.2.3")]).toEqual([undefined, undefined, undefined]);
    expect(parseStageId("q_1.2")).toEqual({ queryId: "q_1", stageId: 2 });
  });
});
