/**
 * The recording format: entries round-trip, blocks are self-contained, secrets and literals are removed.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeEntry } from "../../src/recording/copy.ts";
import type { Content, RecordedEntry, RecordingHeader } from "../../src/recording/entries.ts";
import { encodeHeader, parseRecording, slotOf } from "../../src/recording/file.ts";
import { Gate } from "../../src/recording/gate.ts";
import { hashBytes } from "../../src/recording/hash.ts";
import { MemoryRecording } from "../../src/recording/memory.ts";
import { RecordingReader } from "../../src/recording/reader.ts";
import { RecordingWriter } from "../../src/recording/writer.ts";
import { scrubAccess, scrubConfig, Scrubber, scrubSql } from "../../src/recording/scrub.ts";
import { parseAccessRules } from "../../src/security/rules.ts";
import { parseStatement } from "../../src/sql/parser/parser.ts";
import { encodeUtf8 } from "../../src/types/utf8.ts";

const content = fc.uint8Array({ maxLength: 9000 }).map((bytes): Content => ({ length: bytes.length, hash: hashBytes(bytes), bytes }));
const identified = fc.record({ length: fc.nat(), hash: fc.nat(2 ** 32 - 1) }).map((one): Content => ({ ...one, bytes: undefined }));
const headers = fc.dictionary(
  fc.constantFrom("a", "content-type", "x-long-name"),
  fc.oneof(fc.string(), fc.array(fc.string(), { minLength: 1 })),
  {
    noNullPrototype: true,
  },
);
const id = fc.nat(1_000_000);
const nanos = fc.maxSafeNat();

const entry: fc.Arbitrary<RecordedEntry> = fc.oneof(
  { weight: 5, arbitrary: nanos.map((value): RecordedEntry => ({ kind: "monotonic", nanos: value })) },
  nanos.map((value): RecordedEntry => ({ kind: "cpu", nanos: value })),
  fc.nat().map((millis): RecordedEntry => ({ kind: "wall", millis })),
  fc.record({ kind: fc.constant("resumed" as const), atNanos: nanos, id }),
  fc.record({ kind: fc.constant("turn" as const), id, workUnits: fc.double({ noNaN: true }) }),
  fc.record({ kind: fc.constant("timer" as const), id, label: fc.string(), delayMs: fc.double({ min: 0, noNaN: true }) }),
  fc.record({ kind: fc.constant("answered" as const), atNanos: nanos, id, status: fc.nat(999), headers, body: content }),
  fc.record({ kind: fc.constant("answer" as const), id, status: fc.nat(999), headers, body: identified }),
  fc.record({
    kind: fc.constant("outside" as const),
    atNanos: nanos,
    name: fc.string({ unit: "grapheme" }),
    value: fc.string({ unit: "grapheme", maxLength: 5000 }),
  }),
);

const header: RecordingHeader = {
  orreryRecording: 1,
  id: "w1-0",
  nodeId: "w1",
  config: {},
  wallMillis: 0,
  monotonicNanos: 0,
  engineVersion: "0",
  platform: "test",
  scrubbed: false,
  blockBytes: 512,
  headBlocks: 2,
  ringBlocks: 4,
};

describe("the format of a recording", () => {
  it("gives back what was written, whatever the blocks' size", () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 60 }), fc.constantFrom(256, 4096, 65536), (entries, blockBytes) => {
        const recording = new MemoryRecording(blockBytes);
        for (const one of entries) {
          writeEntry(recording.writer, one);
        }
        expect(recording.takeEntries()).toEqual(entries);
      }),
      { numRuns: 150 },
    );
  });

  it("keeps the start and the latest entries when its ring is overwritten, and reports gaps", () => {
    const encoded = encodeHeader(header);
    const file = new Uint8Array(encoded.length + 6 * 512);
    file.set(encoded);
    const writer = new RecordingWriter({
      take: () => new Uint8Array(512),
      full: (sequence, block) => file.set(block, encoded.length + slotOf(header, sequence) * 512),
    });
    const count = 2000;
    for (let index = 0; index < count; index++) {
      writer.outside(index * 1000, "n", `entry ${index}`);
    }
    writer.cut();
    const { runs } = parseRecording(file);
    expect(runs).toHaveLength(2);
    const texts = runs.map((run) => {
      const reader = run.read();
      const found: string[] = [];
      for (let one = reader.next(); one !== undefined; one = reader.next()) {
        found.push(one.kind === "outside" ? one.value : one.kind);
      }
      return found;
    });
    const before = runs[1]?.entriesBefore ?? 0;
    expect(texts[0]?.[0]).toBe("entry 0");
    expect(texts[1]?.[0]).toBe(`entry ${before}`);
    expect(texts[1]?.at(-1)).toBe(`entry ${count - 1}`);
    expect((texts[0]?.length ?? 0) + (texts[1]?.length ?? 0)).toBe(count - (before - (texts[0]?.length ?? 0)));
  });

  it("does not take a block that was half written", () => {
    const recording = new MemoryRecording(512);
    for (let index = 0; index < 400; index++) {
      recording.writer.outside(index, "n", `entry ${index}`);
    }
    const blocks = recording.blocks();
    const encoded = encodeHeader({ ...header, headBlocks: 100, ringBlocks: 1 });
    const file = new Uint8Array(encoded.length + blocks.length * 512);
    file.set(encoded);
    blocks.forEach((block, index) => file.set(block, encoded.length + index * 512));
    file[encoded.length + 2 * 512 + 100] = 0xff;
    const { runs } = parseRecording(file);
    expect(runs).toHaveLength(2);
    expect(runs[1]?.entriesBefore).toBeGreaterThan(0);
  });

  it("is told from other files and other versions", () => {
    expect(() => parseRecording(encodeUtf8("hello\n"))).toThrow("does not begin with a recording's header");
    expect(() => parseRecording(encodeUtf8('{"orreryRecording":99}\n'))).toThrow("version 99; this program reads version 1");
  });

  it.each([
    ["null", "does not begin with a recording's header"],
    ["7", "does not begin with a recording's header"],
    [JSON.stringify({ ...header, blockBytes: 0 }), "its header is damaged"],
    [JSON.stringify({ ...header, ringBlocks: 0.5 }), "its header is damaged"],
    [JSON.stringify({ ...header, config: null }), "its header is damaged"],
    [JSON.stringify({ ...header, nodeId: undefined }), "its header is damaged"],
  ])("is not read with the header %s", (line, message) => {
    const bytes = new Uint8Array(8192);
    bytes.set(encodeUtf8(`${line}\n`));
    expect(() => parseRecording(bytes)).toThrow(message);
  });

  it("ends before a listing that cannot be read", () => {
    const recording = new MemoryRecording(4096);
    writeEntry(recording.writer, { kind: "stored", atNanos: 1, id: 1, entries: [], body: { length: 0, hash: 0, bytes: undefined } });
    const [block = new Uint8Array(0)] = recording.blocks();
    const at = Buffer.from(block.buffer, block.byteOffset, block.length).indexOf("[]");
    for (const text of ["[{", "{}"]) {
      block.set(encodeUtf8(text), at);
      const reader = new RecordingReader([
        { sequence: 0, used: block.length, firstEntry: 0, entriesBefore: 0, payload: block.subarray(40) },
      ]);
      expect(() => reader.next()).toThrow(RangeError);
    }
  });
});

describe("the gate", () => {
  it("lets the next input in when the continuations of the last have run", async () => {
    const gate = new Gate((callback) => queueMicrotask(() => process.nextTick(callback)));
    const order: string[] = [];
    const work = (name: string) => async (): Promise<void> => {
      order.push(`${name} begins`);
      for (let hop = 0; hop < 5; hop++) {
        await Promise.resolve();
      }
      order.push(`${name} ends`);
    };
    gate.pass(() => {
      void work("a")();
      // An input from inside the node waits for its turn.
      gate.pass(() => void work("b")());
    });
    gate.pass(() => void work("c")());
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });
});

describe("what must not stand in a recording", () => {
  it("are credentials, whatever else is scrubbed", () => {
    const scrubber = new Scrubber({ literals: false });
    const clean = scrubber.headers({
      authorization: `Basic ${Buffer.from("alice:sesame").toString("base64")}`,
      cookie: "session=sesame",
      "x-presto-extra-credential": "token=sesame, other=sesame",
      "x-presto-user": "alice",
      accept: "*/*",
    });
    expect(JSON.stringify(clean)).not.toContain("sesame");
    expect(Buffer.from(String(clean["authorization"]).slice(6), "base64").toString()).toBe("alice:scrubbed");
    expect(clean["x-presto-extra-credential"]).toBe("token=scrubbed, other=scrubbed");
    expect(clean["x-presto-user"]).toBe("alice");
    expect(clean["accept"]).toBe("*/*");
  });

  it("are passwords and keys of catalogs", () => {
    const config = {
      nodeId: "c",
      catalogs: [
        { name: "lake", properties: { "connector.name": "x", "s3.secret-key": "sesame", password: "sesame", url: "db://u:sesame@host/x" } },
        { name: "azure", properties: { "azure.connection-string": "AccountKey=sesame", address: "az://c/p?sv=1&sig=sesame" } },
        { name: "google", properties: { "gcs.json-key": "sesame", "gcs.json-key-file-path": "/etc/key.json" } },
      ],
    };
    const clean = JSON.stringify(scrubConfig(config));
    expect(clean).not.toContain("sesame");
    expect(clean).toContain("db://u:scrubbed@host/x");
    expect(clean).toContain('"connector.name":"x"');
  });

  it("are passwords in the address of a database, in a configuration and in CREATE CATALOG", () => {
    const url = "jdbc:postgresql://u:sesame@host:1/db?ssl=true&password=sesame&sslpassword=sesame&user=ann";
    const clean = JSON.stringify(scrubConfig({ "connection-url": url }));
    expect(clean).toBe(
      '{"connection-url":"jdbc:postgresql://u:scrubbed@host:1/db?ssl=true&password=scrubbed&sslpassword=scrubbed&user=ann"}',
    );
    const body = (sql: string): string => {
      const { bytes = new Uint8Array() } = new Scrubber({ literals: false }).requestBody(
        "POST",
        "/v1/statement",
        new TextEncoder().encode(sql),
      );
      return new TextDecoder().decode(bytes);
    };
    const create = (address: string): string =>
      `CREATE CATALOG pg USING postgresql WITH ("connection-url" = '${address}', "connection-user" = 'ann')`;
    expect(body(create(url))).toBe(create("***"));
    expect(body(create("jdbc:postgresql://host/db?ssl=true"))).toBe(create("jdbc:postgresql://host/db?ssl=true"));
  });

  it("are literals of row filters and masks on request", () => {
    const tables = [
      { user: "ann", privileges: ["SELECT"], filter: "name <> 'Smith'", columns: [{ name: "ssn", mask: "hmac(ssn, X'CAFE')" }] },
      { privileges: [] },
    ];
    const clean = scrubAccess(parseAccessRules({ tables }));
    const text = JSON.stringify(clean);
    for (const word of ["Smith", "CAFE"]) {
      expect(text).not.toContain(word);
    }
    expect(text).toContain("ann");
    expect(parseAccessRules(clean)).toEqual(clean);
    expect(scrubAccess("default")).toBe("default");
  });

  it("are literals on request: the statement keeps its shape and its length, and still parses", () => {
    const sql = `SELECT name, DATE '1998-12-01', 12.50, 1.5e10, X'CAFE', 'it''s' -- my secret
      FROM "My Table" WHERE name LIKE '%Smith%' AND ts > TIMESTAMP '2020-02-29 12:34:56' AND n IN (7, 80) /* secret */ LIMIT 30`;
    const clean = scrubSql(sql);
    expect(clean).toHaveLength(sql.length);
    for (const word of ["Smith", "1998", "12.50", "CAFE", "it''s", "secret", "2020", "80"]) {
      expect(clean).not.toContain(word);
    }
    expect(clean).toContain("DATE '1111-11-11'");
    expect(clean).toContain('"My Table"');
    expect(clean).toContain("'%xxxxx%'");
    expect(parseStatement(clean).kind).toBe("Query");
    expect(scrubSql("SELECT 'open")).toBe("xxxxxx 'xxxx");
  });

  it("are bodies that hold rows or constants, when literals are scrubbed", () => {
    const scrubber = new Scrubber({ literals: true });
    const rows = encodeUtf8("Smith");
    expect(scrubber.body(rows)).toEqual({ length: 5, hash: undefined, bytes: undefined });
    expect(scrubber.output(rows)).toEqual({ length: 5, hash: undefined, bytes: undefined });
    expect(scrubber.requestBody("POST", "/v1/task/q.1.0", rows).bytes).toBeUndefined();
    const submitted = scrubber.requestBody("POST", "/v1/statement", encodeUtf8("SELECT 'Smith'"));
    expect(Buffer.from(submitted.bytes ?? []).toString()).toBe("SELECT 'xxxxx'");
    expect(scrubber.headers({ "x-presto-prepared-statement": "q=SELECT+%27Smith%27" })["x-presto-prepared-statement"]).toBe(
      "q=SELECT%20'xxxxx'",
    );
  });
});
