/** Bounds of buffers on a node with little memory: what a buffer holds changes when pages travel, and nothing else. */
import type { MemoryContext } from "./memory.ts";

/** A buffer may hold this part of what the query and the node have left. The buffers of a query are many, so it is small. */
const partOfRoom = 8;

/** The bytes that a buffer may hold before it waits, at most `bytesMax`. What it holds now is charged to `memory`. */
export function bufferBound(memory: MemoryContext, bytesMax: number): number {
  return Math.min(bytesMax, Math.floor((memory.reservedBytes + memory.availableBytes) / partOfRoom));
}
