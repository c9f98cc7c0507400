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
  if (!Array.isArray(value)) {
    return 0;
  }
  let bytes = partBytes * value.length;
  for (const part of value as readonly HostValue[]) {
    if (typeof part === "object" || typeof part === "string") {
      bytes += bytesOfValue(part);
    }
  }
  return bytes;
}
