/**
 * Bodies of page frames with altered bytes, given to the reader of the exchange. With the checksums as they came, a frame is read only if
 * it is one that was sent. With checksums made anew, as by a faulty writer, a frame is refused or read, and what is read lies in its block.
 */
import fc from "fast-check";
import { createNodeMemory } from "../../../../../src/memory/allocator.ts";
import type { MemoryContext } from "../../../../../src/memory/memory.ts";
import { Frame } from "../../../../../src/page/frame.ts";
import type { OwnedPage } from "../../../../../src/page/page.ts";
import { decodePage, encodePage, frameHeaderBytes, sealed, splitFrames } from "../../../../../src/page/serde.ts";
import { QueryError } from "../../../../../src/protocol/errors.ts";
import { physicalType, type Type } from "../../../../../src/types/type.ts";
import { joinFrames } from "../../../../support/frames.ts";
import { readRow } from "../../../../support/pages.ts";
import { pageDraw, pageOf, typesOf } from "../../../../unit/page/pages.ts";
import type { Random } from "../../random.ts";
import { type ByteEdit, drawByteEdit, edited, shownBytes } from "../bytes.ts";
import { type Fault, type FuzzTarget, unexpected, type Verdict } from "../target.ts";

interface Seed {
  readonly types: readonly Type[];
  readonly frame: Uint8Array;
}

interface FrameInput {
  readonly types: readonly Type[];
  readonly sent: readonly Uint8Array[];
  readonly edits: readonly ByteEdit[];
  /** Writes the length and the checksum of each frame again after the edits. */
  readonly isSealedAgain: boolean;
}

const seedCount = 300;
const memoryBytes = 64 * 1024 * 1024;
const words = [0, 1, 2, 3, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffff8, 0xffffffff] as const;

const { linear, root } = createNodeMemory({ sizeBytes: memoryBytes });

function seeds(): readonly Seed[] {
  return fc.sample(pageDraw, { seed: 1, numRuns: seedCount }).map((draw) => {
    const context = root.child("seed");
    const keepsDictionaries = draw.rows % 2 === 0;
    const frame = sealed(encodePage(linear, pageOf(draw, linear, context), { keepsDictionaries })).slice();
    context.close();
    return { types: typesOf(draw), frame };
  });
}

/** A number in the header, in a column's header, among lengths or among ids. */
function drawWord(random: Random, length: number): ByteEdit {
  const at = 4 * random.below(Math.max(1, Math.floor((random.chance(50) ? Math.min(length, 64) : length) / 4)));
  const word = new Uint8Array(4);
  new DataView(word.buffer).setUint32(0, random.chance(60) ? random.pick(words) : random.below(64), true);
  return { at, end: Math.min(length, at + 4), bytes: word };
}

function sealedAgain(bytes: Uint8Array): Uint8Array {
  if (bytes.length < frameHeaderBytes || bytes.length % 8 !== 0) {
    return bytes;
  }
  const copy = bytes.slice();
  new DataView(copy.buffer).setUint32(12, copy.length - frameHeaderBytes, true);
  return sealed(new Frame(copy));
}

function bodyOf({ sent, edits, isSealedAgain }: FrameInput): Uint8Array {
  if (!isSealedAgain) {
    return edits.reduce(edited, joinFrames(sent));
  }
  return sealedAgain(edits.reduce(edited, sent[0] as Uint8Array));
}

/** Where a decoded page reaches out of its block. */
function outOfBlock({ page, blockAddress }: OwnedPage, frameBytes: number): Fault | undefined {
  const strings = page.columns.reduce((sum, { length, type }) => sum + (physicalType(type) === "bytes" ? length * 8 : 0), 0);
  const end = blockAddress + Math.max(8, frameBytes - frameHeaderBytes + strings);
  const isInside = (at: number, bytes: number): boolean => at >= blockAddress && at + bytes <= end;
  for (const { ids, length, nulls, type, values } of page.columns) {
    const physical = physicalType(type);
    for (let row = 0; row < page.positionCount; row++) {
      const entry = ids === 0 ? row : (linear.u32[ids / 4 + row] as number);
      const reference = values / 4 + entry * 2;
      const isRead =
        entry < length &&
        (nulls === 0 || isInside(nulls + entry, 1)) &&
        (physical !== "bytes" || isInside(linear.u32[reference] as number, linear.u32[reference + 1] as number));
      if (!isRead) {
        return { kind: "out of bounds", detail: `row ${row} of a column of ${type.kind} is not in the block` };
      }
    }
  }
  return undefined;
}

class FramesTarget implements FuzzTarget<FrameInput> {
  readonly #seeds = seeds();

  draw(random: Random): FrameInput {
    const isSealedAgain = random.chance(50);
    const { types, frame } = random.pick(this.#seeds);
    const sent = isSealedAgain ? [frame] : Array.from({ length: 1 + random.below(3) }, () => frame);
    const body = joinFrames(sent);
    const edits = Array.from({ length: 1 + random.below(3) }, () =>
      random.chance(50) ? drawWord(random, body.length) : drawByteEdit(random, body),
    );
    return { types, sent, edits, isSealedAgain };
  }

  run(input: FrameInput): Verdict {
    const context = root.child("query");
    try {
      return this.#read(input, context);
    } finally {
      context.close();
    }
  }

  #read(input: FrameInput, context: MemoryContext): Verdict {
    const sent = new Set(input.sent.map((frame) => Buffer.from(frame).toString("latin1")));
    try {
      for (const bytes of splitFrames(bodyOf(input))) {
        const owned = decodePage(linear, new Frame(bytes, { isForeign: true }), input.types, context);
        if (!input.isSealedAgain && !sent.has(Buffer.from(bytes).toString("latin1"))) {
          return { outcome: "accepted", fault: { kind: "accepted", detail: "a frame that was not sent" } };
        }
        const fault = outOfBlock(owned, bytes.length);
        if (fault !== undefined) {
          return { outcome: "read", fault };
        }
        for (let row = 0; row < Math.min(owned.page.positionCount, 100); row++) {
          readRow(linear, owned.page, row);
        }
        context.free(owned.blockAddress);
      }
      return { outcome: input.isSealedAgain ? "read, sealed again" : "read as sent" };
    } catch (error) {
      if (error instanceof QueryError && error.errorName === "CORRUPT_PAGE") {
        return context.reservedBytes === 0
          ? { outcome: error.message.replace(/\d+/g, "N") }
          : { outcome: "refused", fault: { kind: "memory", detail: `${context.reservedBytes} bytes are left after ${error.message}` } };
      }
      return unexpected(error);
    }
  }

  *smaller(input: FrameInput): Iterable<FrameInput> {
    for (const index of input.edits.keys()) {
      yield { ...input, edits: input.edits.filter((_, at) => at !== index) };
    }
    if (input.sent.length > 1) {
      yield { ...input, sent: input.sent.slice(1) };
    }
  }

  show(input: FrameInput): string {
    return `columns of ${input.types.map(({ kind }) => kind).join(", ")}; ${shownBytes(bodyOf(input))}`;
  }
}

export function openFrames(): FuzzTarget<FrameInput> {
  return new FramesTarget();
}
