/**
 * Columnar pages: descriptors over a node's linear memory. A page owns nothing.
 *
 * Life time: a page that an operator or page source hands out, and every byte its columns point to, stays valid until that
 * producer is asked for its next page or closed. Who keeps rows longer copies them into memory of its own.
 */
import type { Address } from "../memory/memory.ts";
import type { Type } from "../types/type.ts";

/** Rows of a full page. Page boundaries depend on rows and bytes, never on time. */
export const pageRowsMax = 16384;

/**
 * The values of one column. Value of row r: i = ids ? u32[ids + 4 r] : r; NULL when nulls and u8[nulls + i] is 1; else at
 * values + i * physicalWidth. Physical layouts, little-endian: i8 to i64 two's complement; boolean i8 0 or 1; f32, f64 IEEE;
 * i128 two's complement as (u64 lo, i64 hi); bytes (u32 address, u32 length) into the same memory. Strings are UTF-8; char(n) is
 * stored without its trailing spaces. The value under a NULL is unspecified but readable (bytes: length 0, of an address within the memory). Arrays are aligned to
 * their elements (i128 and bytes to 8 and 4), so that TypeScript can read them through typed arrays.
 */
export interface Column {
  readonly type: Type;
  readonly values: Address;
  /** One byte a row, 0 or 1; 0 when no row is null. */
  readonly nulls: Address;
  /** u32 row numbers into values and nulls: a dictionary, or the rows a join picked; 0 when flat. */
  readonly ids: Address;
  /** Rows in `values` (of the dictionary, when `ids` is set). */
  readonly length: number;
}

export interface Page {
  /** Rows of the page, after the selection. */
  readonly positionCount: number;
  /** u32 row numbers, ascending: position k of the page is row selection[k] of every column; 0 when position k is row k. */
  readonly selection: Address;
  readonly columns: readonly Column[];
}

/** A page whose every byte lies in one block: freed with `context.free(blockAddress)`. */
export interface OwnedPage {
  readonly page: Page;
  readonly blockAddress: Address;
}
