/**
 * Columnar pages: descriptors over a node's linear memory. A page owns no memory.
 *
 * Lifetime: a page from an operator or page source, and every byte that its columns refer to, stays valid until that producer is asked for
 * its next page or is closed. Consumers that keep rows longer must copy them into their own memory.
 */
import type { Address } from "../memory/memory.ts";
import { physicalType, physicalWidth, type Type } from "../types/type.ts";

/** Rows of a full page. Page boundaries depend on rows and bytes, never on time. */
export const pageRowsMax = 16384;

/**
 * The values of one column. The index of row r is i = ids ? u32[ids + 4 r] : r. The value is NULL if nulls and u8[nulls + i] is 1;
 * otherwise it is at values + i * valueBytes.
 *
 * Physical layouts, little-endian: i8 to i64 two's complement; boolean i8 0 or 1; f32, f64 IEEE 754; i128 two's complement as (u64 lo, i64
 * hi); bytes (u32 address, u32 length) into the same memory. Strings are UTF-8; char(n) is stored without trailing spaces.
 *
 * The value under a NULL is unspecified but readable (bytes: length 0, address within the memory). Arrays are aligned to their elements
 * (i128 and bytes to 8 and 4), so that TypeScript can read them through typed arrays.
 */
export interface Column {
  readonly type: Type;
  readonly values: Address;
  /** One byte per row, 0 or 1; 0 if no row is NULL. */
  readonly nulls: Address;
  /** u32 row numbers into values and nulls, for a dictionary or the rows that a join selected; 0 if the column is flat. */
  readonly ids: Address;
  /** Rows in `values`; those of the dictionary if `ids` is set. */
  readonly length: number;
  /** Bytes of a value, if fewer than the type has: an integer of 32 or 64 bits that is sign-extended when it is read. */
  readonly narrow?: NarrowBytes | undefined;
}

export type NarrowBytes = 1 | 2 | 4;

/** Bytes from one value of the column to the next. */
export function valueBytes({ narrow, type }: Column): number {
  return narrow ?? physicalWidth(physicalType(type));
}

export interface Page {
  /** Rows of the page, after the selection. */
  readonly positionCount: number;
  /** u32 row numbers, ascending: position k of the page is row selection[k] of every column; 0 if position k is row k. */
  readonly selection: Address;
  readonly columns: readonly Column[];
}

/** A page in a single block; free it with `context.free(blockAddress)`. */
export interface OwnedPage {
  readonly page: Page;
  readonly blockAddress: Address;
}
