/**
 * Memory of values that functions in TypeScript keep between slices.
 */
import type { HostValue } from "../registry/definition.ts";

/** Bytes of an array slot and a number object. */
const partBytes = 32;

/** Approximate memory of a value beyond the variable itself, in bytes. */
export function bytesOfValue(value: HostValue): number {
  if (typeof value === "string") {
    return 2 * value.length;
  }
  if (value instanceof Uint8Array) {
    return value.length;
  }
  return Array.isArray(value) ? value.reduce((sum: number, part: HostValue) => sum + partBytes + bytesOfValue(part), 0) : 0;
}
