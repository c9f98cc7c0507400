/**
 * Integers of a chunk in the fewest bytes that hold them all. Tables take less memory, and scans read less of it.
 */
import type { Address, LinearMemory } from "../../memory/memory.ts";
import type { NarrowBytes } from "../../page/page.ts";

/** Integers of 4 or 8 bytes. */
export interface Integers {
  readonly address: Address;
  readonly rows: number;
  readonly width: number;
}

/** 1, 2, 4 or 8: the fewest bytes from which sign extension makes all the values. */
export function bytesNeeded({ i32 }: LinearMemory, { address, rows, width }: Integers): number {
  const words = width / 4;
  // The bits that differ from the sign.
  let bits = 0;
  for (let row = 0, at = address >>> 2; row < rows; row++, at += words) {
    const low = i32[at] as number;
    const sign = low >> 31;
    if (words === 2 && (i32[at + 1] as number) !== sign) {
      return 8;
    }
    bits |= low ^ sign;
  }
  return bits < 1 << 7 ? 1 : bits < 1 << 15 ? 2 : 4;
}

/** Writes the values with `bytes` each, from the same address on. */
export function narrowValues({ i8, i16, i32 }: LinearMemory, { address, rows, width }: Integers, bytes: NarrowBytes): void {
  const out = bytes === 1 ? i8 : bytes === 2 ? i16 : i32;
  const words = width / 4;
  const first = address / bytes;
  // A value is read before its place is written: places are closer together than values.
  for (let row = 0, at = address >>> 2; row < rows; row++, at += words) {
    out[first + row] = i32[at] as number;
  }
}
