/**
 * Pages survive serialization and copying, and corruption is detected.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createNodeMemory } from "../../../src/memory/allocator.ts";
import { Frame } from "../../../src/page/frame.ts";
import { FramePool } from "../../../src/page/frame-pool.ts";
import { frameRowCount } from "../../../sim/checkers/protocol/frames.ts";
import { decodePage, encodePage, frameHeaderBytes, sealed, splitFrames } from "../../../src/page/serde.ts";
import { KernelRuntime } from "../../../src/codegen/runtime.ts";
import { KernelStringCopier } from "../../../src/execution/operators/output/string-copier.ts";
import type { LinearMemory, MemoryContext } from "../../../src/memory/memory.ts";
import type { Column, Page } from "../../../src/page/page.ts";
import { Widener } from "../../../src/page/widener.ts";
import { knobsOf } from "../../../src/ports/knobs.ts";
import { joinFrames } from "../../support/frames.ts";
import { readRow } from "../../support/pages.ts";
import { VARCHAR } from "../../../src/types/type.ts";
import { decodeUtf8, encodeUtf8 } from "../../../src/types/utf8.ts";
import { pageDraw, pageOf, rowsOf, typesOf } from "./pages.ts";

const { linear, root } = createNodeMemory({ sizeBytes: 256 * 65536 });

function allRows(memory: LinearMemory, page: Page) {
  return [...Array(page.positionCount).keys()].map((position) => readRow(memory, page, position));
}

/** A frame that came from another process. */
function foreign(bytes: Uint8Array): Frame {
  return new Frame(bytes, { isForeign: true });
}

const corruption = expect.objectContaining({ name: "QueryError", errorName: "CORRUPT_PAGE" });

test("a page round-trips through its frame, also in another memory", () => {
  const other = createNodeMemory({ sizeBytes: 64 * 65536 });
  fc.assert(
    fc.property(pageDraw, fc.nat(7), (draw, shift) => {
      const context = root.child("query");
      const page = pageOf(draw, linear, context);
      expect(allRows(linear, page)).toEqual(rowsOf(draw));
      const frame = sealed(encodePage(linear, page));
      expect(frameRowCount(frame)).toBe(page.positionCount);
      // As from a network: at any offset of a larger buffer.
      const arrived = new Uint8Array(frame.length + shift + 3).subarray(shift, shift + frame.length);
      arrived.set(frame);
      const receiver = other.root.child("query");
      const decoded = decodePage(other.linear, foreign(arrived), typesOf(draw), receiver);
      expect(allRows(other.linear, decoded.page)).toEqual(rowsOf(draw));
      // The decoded page encodes to the same bytes.
      expect(Buffer.compare(sealed(encodePage(other.linear, decoded.page)), frame)).toBe(0);
      receiver.free(decoded.blockAddress);
      expect(receiver.reservedBytes).toBe(0);
      receiver.close();
      context.close();
    }),
    { numRuns: 300 },
  );
});

test("a page with wide columns has the same rows", () => {
  fc.assert(
    fc.property(pageDraw, (draw) => {
      const context = root.child("query");
      const page = pageOf(draw, linear, context);
      const used = context.reservedBytes;
      const widener = new Widener(context);
      const wide = widener.widen(page);
      expect(wide.columns.map(({ narrow }) => narrow)).toEqual(draw.columns.map(() => undefined));
      expect(allRows(linear, wide)).toEqual(rowsOf(draw));
      widener.free();
      expect(context.reservedBytes).toBe(used);
      context.close();
    }),
    { numRuns: 150 },
  );
});

describe.each(["wasm", "interpreter"] as const)("strings that a kernel copies (%s)", (backend) => {
  const runtime = new KernelRuntime({ linear, backend });

  test("a page has the same frame", () => {
    fc.assert(
      fc.property(pageDraw, (draw) => {
        const context = root.child("query");
        const page = pageOf(draw, linear, context);
        const expected = sealed(encodePage(linear, page));
        const copier = new KernelStringCopier(runtime, context);
        expect(Buffer.compare(sealed(encodePage(linear, page, { copier })), expected)).toBe(0);
        context.close();
      }),
      { numRuns: 150 },
    );
  });

  test("more strings than a call copies, and longer ones, are copied in their order", () => {
    const context = root.child("query");
    // A string of 20,000 bytes is longer than what a call copies.
    const rows = Array.from({ length: 3000 }, (_, row) => (row % 7 === 0 ? null : String(row).repeat(row === 1700 ? 5000 : row % 13)));
    const column = stringColumn(context, rows);
    const selection = context.allocate(4 * rows.length);
    const reversed = rows.toReversed().filter((_, row) => row % 3 !== 0);
    reversed.forEach((_, at) => {
      linear.u32[selection / 4 + at] = rows.length - 1 - (Math.floor(at / 2) * 3 + 1 + (at % 2));
    });
    const page: Page = { positionCount: reversed.length, selection, columns: [column] };
    const frame = encodePage(linear, page, { copier: new KernelStringCopier(runtime, context) });
    expect(Buffer.compare(sealed(frame), sealed(encodePage(linear, page)))).toBe(0);
    const decoded = decodePage(linear, frame, [VARCHAR], context);
    expect(allRows(linear, decoded.page).map(([value]) => (value instanceof Uint8Array ? decodeUtf8(value) : value))).toEqual(reversed);
    context.close();
  });
});

function stringColumn(context: MemoryContext, rows: readonly (string | null)[]): Column {
  const [values, nulls] = [context.allocate(8 * rows.length), context.allocateZeroed(rows.length)];
  rows.forEach((row, at) => {
    const bytes = encodeUtf8(row ?? "under a NULL");
    const address = context.allocate(bytes.length + 8);
    linear.u8.set(bytes, address);
    linear.u32.set([address, bytes.length], values / 4 + 2 * at);
    linear.u8[nulls + at] = row === null ? 1 : 0;
  });
  return { type: VARCHAR, values, nulls, ids: 0, length: rows.length };
}

test("what lies under a NULL is not on the wire", () => {
  fc.assert(
    fc.property(pageDraw, fc.nat(255), (draw, rubbish) => {
      const context = root.child("query");
      const page = pageOf(draw, linear, context);
      const clean = sealed(encodePage(linear, page));
      for (const column of page.columns) {
        for (let row = 0; column.nulls !== 0 && column.type.kind === "double" && row < column.length; row++) {
          if (linear.u8[column.nulls + row] === 1) {
            linear.u8.fill(rubbish, column.values + row * 8, column.values + row * 8 + 8);
          }
        }
      }
      expect(Buffer.compare(sealed(encodePage(linear, page)), clean)).toBe(0);
      context.close();
    }),
    { numRuns: 150 },
  );
});

test("damage is found", () => {
  fc.assert(
    fc.property(pageDraw, fc.nat(), fc.integer({ min: 1, max: 255 }), (draw, at, flip) => {
      const context = root.child("query");
      const frame = sealed(encodePage(linear, pageOf(draw, linear, context))).slice();
      const used = context.reservedBytes;
      const place = at % frame.length;
      frame[place] = (frame[place] as number) ^ flip;
      expect(() => decodePage(linear, foreign(frame), typesOf(draw), context)).toThrow(corruption);
      frame[place] = (frame[place] as number) ^ flip;
      expect(() => decodePage(linear, foreign(frame.subarray(0, at % frame.length)), typesOf(draw), context)).toThrow(corruption);
      expect(() => decodePage(linear, foreign(joinFrames([frame, Uint8Array.of(1)])), typesOf(draw), context)).toThrow(corruption);
      expect(context.reservedBytes).toBe(used);
      context.close();
    }),
    { numRuns: 300 },
  );
});

test("a frame of other types is refused", () => {
  fc.assert(
    fc.property(pageDraw, (draw) => {
      fc.pre(
        draw.columns.length > 0 &&
          draw.columns[0]?.type.kind !== "varchar" &&
          draw.columns[0]?.type.kind !== "char" &&
          draw.columns[0]?.type.kind !== "varbinary",
      );
      const context = root.child("query");
      const frame = encodePage(linear, pageOf(draw, linear, context));
      expect(() => decodePage(linear, frame, [VARCHAR, ...typesOf(draw).slice(1)], context)).toThrow(corruption);
      expect(() => decodePage(linear, frame, typesOf(draw).slice(1), context)).toThrow(corruption);
      context.close();
    }),
    { numRuns: 50 },
  );
});

test.each([
  [40, true],
  [60, false],
])("a dictionary of %i entries for 100 rows is kept: %s", (entries, kept) => {
  const context = root.child("query");
  const draw = {
    rows: 100,
    columns: [
      {
        type: VARCHAR,
        values: [...Array(entries).keys()].map((entry) => Uint8Array.of(entry)),
        ids: [...Array(100).keys()].map((row) => row % entries),
        isNarrow: false,
      },
    ],
    selection: undefined,
  };
  const { page } = decodePage(linear, encodePage(linear, pageOf(draw, linear, context)), [VARCHAR], context);
  expect(page.columns.map((column) => [column.ids !== 0, column.length])).toEqual([[kept, kept ? entries : 100]]);
  expect(allRows(linear, page)).toEqual(rowsOf(draw));
  context.close();
});

describe("bodies of several frames", () => {
  test("are split where they were joined", () => {
    fc.assert(
      fc.property(fc.array(pageDraw, { maxLength: 4 }), (draws) => {
        const context = root.child("query");
        const frames = draws.map((draw) => sealed(encodePage(linear, pageOf(draw, linear, context))));
        const body = joinFrames(frames);
        expect(splitFrames(body).map((frame) => Buffer.from(frame).toString("hex"))).toEqual(
          frames.map((frame) => Buffer.from(frame).toString("hex")),
        );
        if (body.length > 0) {
          expect(() => splitFrames(body.subarray(0, body.length - 1))).toThrow(corruption);
        }
        context.close();
      }),
      { numRuns: 50 },
    );
  });

  test("an empty body has no frames", () => {
    expect(splitFrames(new Uint8Array(0))).toEqual([]);
    expect(joinFrames([]).length).toBe(0);
  });

  test("a page without columns is its row count", () => {
    const frame = encodePage(linear, { positionCount: 12345, selection: 0, columns: [] });
    expect(frame.length).toBe(frameHeaderBytes);
    const context = root.child("query");
    expect(decodePage(linear, frame, [], context).page.positionCount).toBe(12345);
    context.close();
  });
});

test("a frame in the pool has the bytes of one on the heap, whatever lay there before", () => {
  const memory = createNodeMemory({ sizeBytes: 256 * 65536, knobs: knobsOf({ "pooled-frame-bytes": 8 }) });
  const pool = new FramePool({ memory: memory.root.child("frames"), lends: () => true });
  fc.assert(
    fc.property(fc.array(fc.record({ draw: pageDraw, isKept: fc.boolean() }), { minLength: 1, maxLength: 6 }), (draws) => {
      const context = root.child("query");
      const kept = draws.map(({ draw, isKept }) => {
        const page = pageOf(draw, linear, context);
        const pooled = encodePage(linear, page, { pool });
        expect(pooled.isPooled).toBe(true);
        const { page: decoded } = decodePage(linear, pooled, typesOf(draw), context);
        expect(allRows(linear, decoded)).toEqual(rowsOf(draw));
        const bytes = Buffer.from(sealed(pooled)).toString("hex");
        expect(bytes).toBe(Buffer.from(sealed(encodePage(linear, page))).toString("hex"));
        if (!isKept) {
          pooled.release();
        }
        return { bytes, pooled: isKept ? pooled : undefined };
      });
      for (const { bytes, pooled } of kept) {
        if (pooled !== undefined) {
          expect(Buffer.from(sealed(pooled)).toString("hex")).toBe(bytes);
          pooled.release();
          expect(() => pooled.bytes).toThrow("read after it was freed");
          expect(() => pooled.release()).toThrow("freed twice");
        }
      }
      expect(pool.measures().usedBytes).toBe(0);
      context.close();
    }),
    { numRuns: 100 },
  );
});
