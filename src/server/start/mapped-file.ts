/**
 * Reads a file of megabytes into pages of its own, which return to the system when the buffer is collected. After a buffer of that size has
 * been given back to malloc, glibc takes buffers up to that size from the heaps of its threads and keeps twice as much free memory in each.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { createMemory, wasmPageBytes } from "../../memory/webassembly.ts";

/** Throws if the file cannot be read. */
export function readMapped(path: string): Buffer {
  const descriptor = openSync(path, "r");
  try {
    const { size } = fstatSync(descriptor);
    const { buffer } = createMemory(Math.max(1, Math.ceil(size / wasmPageBytes)) * wasmPageBytes);
    const bytes = Buffer.from(buffer, 0, size);
    let read = 0;
    while (read < size) {
      const count = readSync(descriptor, bytes, read, size - read, read);
      if (count === 0) {
        throw new Error(`${path} became shorter while it was read`);
      }
      read += count;
    }
    return bytes;
  } finally {
    closeSync(descriptor);
  }
}
