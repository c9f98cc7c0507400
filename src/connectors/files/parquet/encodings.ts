/**
 * Parquet's integer encodings, the hybrid of runs and packed bits and DELTA_BINARY_PACKED, read with kernels. All reads stay within given
 * bounds of linear memory.
 */
import type { LinearMemory, Address } from "../../../memory/memory.ts";
import { BadData } from "../../shared/file-errors.ts";
import type { ParquetKernels } from "./kernels/kernels.ts";
import { runBitsMax, type RunTarget } from "./kernels/runs.ts";

const damaged = "a page is damaged";

/** Bytes [at, end) of linear memory, read forward. */
export class ByteCursor {
  readonly linear: LinearMemory;
  at: Address;
  readonly end: Address;

  constructor(linear: LinearMemory, at: Address, end: Address) {
    this.linear = linear;
    this.at = at;
    this.end = end;
  }

  /** Skips `bytes` bytes and returns the address of the first. */
  skip(bytes: number): Address {
    const at = this.at;
    if (bytes < 0 || at + bytes > this.end) {
      throw new BadData(damaged);
    }
    this.at = at + bytes;
    return at;
  }

  byte(): number {
    return this.linear.u8[this.skip(1)] as number;
  }

  uint32(): number {
    return this.linear.view.getUint32(this.skip(4), true);
  }

  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 49; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) {
        return value;
      }
    }
    throw new BadData(damaged);
  }
}

/** Reads `count` values below `limit` into u32[target...] or u8[target...]. */
export function readRuns(
  cursor: ByteCursor,
  kernels: ParquetKernels,
  runs: { readonly bitWidth: number; readonly count: number; readonly target: Address; readonly kind: RunTarget; readonly limit: number },
): void {
  const { bitWidth, count, target, kind } = runs;
  if (bitWidth > runBitsMax) {
    throw new BadData(damaged);
  }
  if (bitWidth === 0) {
    cursor.linear.u8.fill(0, target, target + count * (kind === "u8" ? 1 : 4));
    return;
  }
  const at = count === 0 ? cursor.at : kernels.readRuns(cursor, runs);
  if (at === 0) {
    throw new BadData(damaged);
  }
  cursor.at = at;
}

/** The value of all `count` values if one run holds them; undefined otherwise, and the cursor stays. */
export function singleRun(cursor: ByteCursor, bitWidth: number, count: number): number | undefined {
  if (bitWidth === 0) {
    return 0;
  }
  const start = cursor.at;
  const head = cursor.varint();
  if (head % 2 === 0 && head / 2 >= count && bitWidth <= 8) {
    return cursor.byte();
  }
  cursor.at = start;
  return undefined;
}

/** DELTA_BINARY_PACKED: `count` integers of `width` bytes at `target`. */
export function readDeltas(
  cursor: ByteCursor,
  kernels: ParquetKernels,
  values: { readonly width: 4 | 8; readonly count: number; readonly target: Address },
): void {
  const at = kernels.readDeltas(cursor, values.width, values);
  if (at === 0) {
    throw new BadData(damaged);
  }
  cursor.at = at;
}
