/**
 * Copies a page into memory of one's own: flat, in a single block. For whoever keeps rows longer than their producer does.
 */
import { physicalType, physicalWidth } from "../types/type.ts";
import { Flattener, type FlatColumn, gatherFixed, gatherNulls, gatherStrings, GatherTarget } from "./gather.ts";
import type { LinearMemory, MemoryContext, Address } from "../memory/memory.ts";
import type { Column, Page } from "./page.ts";

/** A page whose every byte lies in one block: freed with `context.free(blockAddress)`. */
export interface OwnedPage {
  readonly page: Page;
  readonly blockAddress: Address;
}

const alignmentBytes = 16;

function aligned(bytes: number): number {
  return Math.ceil(bytes / alignmentBytes) * alignmentBytes;
}

/** Selection and ids are applied, so the copy has neither. */
export function copyPage(linear: LinearMemory, page: Page, context: MemoryContext): OwnedPage {
  const flattener = new Flattener(linear, page);
  const flats = page.columns.map((column) => flattener.rows(column));
  const bytes = flats.reduce((sum, flat) => sum + copiedBytes(flat), 0);
  const blockAddress = context.allocate(Math.max(bytes, alignmentBytes));
  const target = new GatherTarget(linear.wasm.buffer);
  const columns: Column[] = [];
  let at = blockAddress;
  for (const flat of flats) {
    columns.push(copyColumn(linear, flat, target, at));
    at += copiedBytes(flat);
  }
  return { page: { positionCount: page.positionCount, selection: 0, columns }, blockAddress };
}

function valuesBytes(flat: FlatColumn): number {
  return aligned(flat.count * physicalWidth(physicalType(flat.column.type)));
}

function copiedBytes(flat: FlatColumn): number {
  return valuesBytes(flat) + (flat.hasNulls ? aligned(flat.count) : 0) + aligned(flat.stringBytes);
}

function copyColumn(linear: LinearMemory, flat: FlatColumn, target: GatherTarget, at: Address): Column {
  const nulls = at + valuesBytes(flat);
  if (flat.hasNulls) {
    gatherNulls(linear, flat, target, nulls);
  }
  if (physicalType(flat.column.type) === "bytes") {
    let address = nulls + (flat.hasNulls ? aligned(flat.count) : 0);
    const references = at >>> 2;
    gatherStrings(linear, flat, target.u8, address, (k, length) => {
      target.u32[references + k * 2] = address;
      target.u32[references + k * 2 + 1] = length;
      address += length;
    });
  } else {
    gatherFixed(linear, flat, target, at, nulls);
  }
  return { type: flat.column.type, values: at, nulls: flat.hasNulls ? nulls : 0, ids: 0, length: flat.count };
}
