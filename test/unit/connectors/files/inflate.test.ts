import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gunzipInto, Inflater } from "../../../../src/connectors/files/inflate.ts";

/** Runs, noise and repetitions, to cover every kind of block. */
const content = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 20 }), fc.integer({ min: 1, max: 3000 })).map(([bytes, times]) => {
        const repeated = new Uint8Array(bytes.length * times);
        return repeated.map((_, index) => bytes[index % bytes.length] as number);
      }),
    ),
    { maxLength: 6 },
  )
  .map((parts) => Buffer.concat(parts));

function inPieces(packed: Uint8Array, pieceBytes: number, outBytes: number): Buffer {
  const inflater = new Inflater(outBytes);
  const parts: Buffer[] = [];
  let at = 0;
  while (!inflater.finished) {
    const piece = inflater.pull();
    if (piece.length > 0) {
      parts.push(Buffer.from(piece));
    } else if (!inflater.finished) {
      const end = Math.min(at + pieceBytes, packed.length);
      inflater.push(packed.subarray(at, end), end === packed.length);
      at = end;
    }
  }
  return Buffer.concat(parts);
}

/** What the platform says of it: the content and how much of the input it took, or undefined for damage. */
function platform(packed: Uint8Array): { readonly content: Buffer; readonly takenBytes: number } | undefined {
  try {
    const { buffer, engine } = gunzipSync(packed, { info: true } as object) as unknown as {
      readonly buffer: Buffer;
      readonly engine: { readonly bytesWritten: number };
    };
    return { content: buffer, takenBytes: engine.bytesWritten };
  } catch {
    return undefined;
  }
}

/** The content, or the message of a BadData. */
function outcome(decompress: () => Buffer): Buffer | string {
  try {
    return decompress();
  } catch (error) {
    expect((error as Error).name).toBe("BadData");
    return (error as Error).message;
  }
}

/** Bytes changed, taken away, put in, or cut off. */
const damage = fc.oneof(
  fc.record({ kind: fc.constant("change" as const), place: fc.nat(), bytes: fc.uint8Array({ minLength: 1, maxLength: 3 }) }),
  fc.record({ kind: fc.constant("insert" as const), place: fc.nat(), bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }) }),
  fc.record({ kind: fc.constant("remove" as const), place: fc.nat(), bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }) }),
  fc.record({ kind: fc.constant("cut" as const), place: fc.nat(), bytes: fc.constant(new Uint8Array(0)) }),
);

function damaged(packed: Uint8Array, { kind, place, bytes }: typeof damage extends fc.Arbitrary<infer T> ? T : never): Uint8Array {
  const at = place % packed.length;
  const before = packed.subarray(0, at);
  const behind = packed.subarray(kind === "insert" ? at : kind === "cut" ? packed.length : at + bytes.length);
  return new Uint8Array(Buffer.concat([before, kind === "remove" ? new Uint8Array(0) : bytes, behind]));
}

describe("gzip", () => {
  test("what zlib packed comes out, in whatever pieces it goes in; members follow each other", () => {
    fc.assert(
      fc.property(
        content,
        fc.integer({ min: 0, max: 9 }),
        fc.integer({ min: 1, max: 5000 }),
        fc.integer({ min: 300, max: 70_000 }),
        (bytes, level, pieceBytes, outBytes) => {
          const packed = new Uint8Array(Buffer.concat([gzipSync(bytes, { level }), gzipSync("tail")]));
          expect(inPieces(packed, pieceBytes, outBytes).equals(Buffer.concat([bytes, Buffer.from("tail")]))).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("damage never passes", () => {
    fc.assert(
      fc.property(content, fc.nat(), fc.integer({ min: 0, max: 7 }), (bytes, place, bit) => {
        const packed = new Uint8Array(gzipSync(bytes));
        const target = new Uint8Array(bytes.length);
        const whole = packed.slice();
        // After the header, because its time and flags are ignored.
        const at = 10 + (place % (packed.length - 10));
        packed[at] = (packed[at] as number) ^ (1 << bit);
        try {
          gunzipInto(packed, target);
        } catch (error) {
          expect((error as Error).name).toBe("BadData");
          return;
        }
        // Unused bits: padding before a stored block and after the last symbol.
        expect(Buffer.from(target).equals(bytes)).toBe(true);
        const cut = whole.subarray(0, 10 + (place % (whole.length - 10)));
        expect(() => gunzipInto(cut, target)).toThrow("gzip:");
      }),
      { numRuns: 300 },
    );
  });

  test("of damaged input it says what zlib says, in whatever pieces it comes", () => {
    let refused = 0;
    fc.assert(
      fc.property(
        content,
        damage,
        fc.integer({ min: 1, max: 3000 }),
        fc.integer({ min: 1, max: 70_000 }),
        (bytes, how, pieceBytes, outBytes) => {
          const packed = damaged(new Uint8Array(Buffer.concat([gzipSync(bytes), gzipSync("tail")])), how);
          const expected = packed.length === 0 ? { content: Buffer.alloc(0), takenBytes: 0 } : platform(packed);
          const whole = outcome(() => inPieces(packed, packed.length, 262_144));
          expect(outcome(() => inPieces(packed, pieceBytes, outBytes))).toEqual(whole);
          if (typeof whole === "string") {
            refused++;
            // zlib takes what is behind the last member for nothing; here it is damage, since the file was something else.
            expect(expected === undefined || expected.takenBytes < packed.length, whole).toBe(true);
            expect(whole).toMatch(/^gzip: [a-z ]+$/);
          } else {
            expect(expected?.content.equals(whole)).toBe(true);
          }
          const size = expected?.content.length ?? bytes.length;
          const target = new Uint8Array(size);
          const page = outcome(() => (gunzipInto(packed, target), Buffer.from(target)));
          expect(typeof page === "string").toBe(typeof whole === "string");
        },
      ),
      { numRuns: 400 },
    );
    expect(refused).toBeGreaterThan(100);
  });

  test("a small file of much content never comes in larger pieces than asked for", () => {
    const packed = new Uint8Array(gzipSync(new Uint8Array(30_000_000), { level: 9 }));
    expect(packed.length).toBeLessThan(40_000);
    const inflater = new Inflater(65_536);
    inflater.push(packed, true);
    let total = 0;
    for (let piece = inflater.pull(); piece.length > 0; piece = inflater.pull()) {
      expect(piece.length).toBeLessThanOrEqual(65_536);
      total += piece.length;
    }
    expect(total).toBe(30_000_000);
    expect(inflater.finished).toBe(true);
    expect(() => gunzipInto(packed, new Uint8Array(1000))).toThrow("gzip: there is more than was promised");
  });

  test("a member ends where the file does, or another one begins there", () => {
    const member = new Uint8Array(gzipSync("content"));
    const zeros = Buffer.concat([member, new Uint8Array(16)]);
    for (const [packed, message] of [
      [zeros, "gzip: this is not a gzip file"],
      [Buffer.concat([member, member.subarray(0, 3)]), "gzip: the file ends too early"],
      [member.subarray(0, -1), "gzip: the file ends too early"],
      [member.with(-1, 1), "gzip: the checksum is wrong"],
      [member.with(-5, 1 ^ (member.at(-5) as number)), "gzip: the checksum is wrong"],
    ] as const) {
      expect(() => inPieces(packed, 7, 300)).toThrow(message);
      expect(() => gunzipInto(packed, new Uint8Array(7))).toThrow(message);
    }
  });

  test("names, comments and other fields of the header are passed over, however long they are", () => {
    const plain = gzipSync("content");
    const extra = [4, 0, 1, 2, 3, 4];
    const text = [...Buffer.from("n".repeat(5000)), 0];
    const flags = 4 + 8 + 16;
    const packed = Buffer.concat([
      plain.subarray(0, 3),
      Buffer.from([flags]),
      plain.subarray(4, 10),
      Buffer.from([...extra, ...text, ...text]),
      plain.subarray(10),
    ]);
    expect(gunzipSync(packed).toString()).toBe("content");
    expect(inPieces(packed, 100, 300).toString()).toBe("content");
  });
});
