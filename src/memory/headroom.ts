/**
 * Parts of a limit that are kept free. Operators that cannot spill need memory at once, as much as a doubled table in one step. Operators
 * that can spill do so before that part is used, and buffers do not grow into it.
 */
import type { Knobs } from "../ports/knobs.ts";
import type { MemoryContext } from "./memory.ts";

/** A buffer may hold this part of what is left for buffers. The buffers of a query are many. */
const partOfRoom = 4;

/** A query's output buffers on a node that may each hold their bound. */
const wholeBuffers = 8;

/** Operators spill when less is left of a limit. */
export function spillHeadroom(limitBytes: number, knobs: Knobs): number {
  return Math.max(Math.ceil(limitBytes / 10), Math.min(Math.floor(limitBytes / 4), knobs.value("spill-headroom-bytes")));
}

/** Buffers do not grow when less is left of a limit. */
export function bufferHeadroom(limitBytes: number, knobs: Knobs): number {
  return Math.min(Math.floor(limitBytes / 2), knobs.value("buffer-headroom-bytes"));
}

/**
 * Bound of each of a query's output buffers on a node. A stage may have 64 tasks on one node: together they hold as much as eight, or its
 * memory would fill with pages that are far ahead of their reader.
 */
export function boundOfEach(bytesMax: number, buffers: number): number {
  return buffers <= wholeBuffers ? bytesMax : Math.ceil((bytesMax * wholeBuffers) / buffers);
}

/**
 * The bytes that a buffer may hold before it waits, at most `bytesMax`. What it holds now is charged to `memory`. What a buffer holds
 * changes when pages travel, and nothing else. Never 0: nobody would wake who waits to fill a buffer that is empty.
 */
export function bufferBound(memory: MemoryContext, bytesMax: number): number {
  const ofRoom = Math.floor((memory.reservedBytes + Math.max(0, memory.bufferRoomBytes)) / partOfRoom);
  return Math.min(bytesMax, Math.max(1, ofRoom));
}
