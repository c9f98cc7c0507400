/** The rows of a plan without rows to read (planner/constant-rows.ts) as clients see them. */
import { pageBytes } from "../../execution/driver/stats.ts";
import { withConstantRows } from "../../execution/operators/scan/constant-rows.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import type { ConstantRows } from "../../planner/constant-rows.ts";
import type { Type } from "../../types/type.ts";
import type { CellOptions } from "./cells/cell-writers.ts";
import { GivenRows } from "./given-rows.ts";
import { ResultWriter } from "./result-writer.ts";
import type { TakenRows } from "./rows.ts";

const emptyArray = new Uint8Array([0x5b, 0x5d]);

export interface ConstantResultOptions {
  readonly types: readonly Type[];
  readonly rows: ConstantRows;
  readonly memory: MemoryContext;
  readonly cells: CellOptions;
  /** Rows that the client already has. They are skipped. */
  readonly given: GivenRows;
}

export interface ConstantResult extends TakenRows {
  /** Of all rows, as pages have them. */
  readonly pageBytes: number;
}

/** Undefined if the rows do not begin with those that the client has. Throws QueryError if they do not fit into the query's memory. */
export function constantResult({ cells, given, memory, rows, types }: ConstantResultOptions): ConstantResult | undefined {
  const { rowCount: skipped } = given;
  if (rows.length === 0 || skipped > rows.length) {
    return skipped === 0 ? { json: emptyArray, rowCount: 0, pageBytes: 0 } : undefined;
  }
  const writer = new ResultWriter(types, memory.linear, cells);
  const known = new GivenRows();
  let json: Uint8Array | undefined;
  let bytes = 0;
  try {
    withConstantRows(memory, types, rows, (page) => {
      bytes = pageBytes(memory.linear, page);
      writer.append(page, 0, skipped);
      known.add(writer.take() ?? emptyArray, skipped);
      writer.append(page, skipped);
      json = writer.take();
    });
  } finally {
    writer.release();
  }
  const text = json === undefined ? emptyArray : inBrackets(json);
  return known.equals(given) ? { json: text, rowCount: rows.length - skipped, pageBytes: bytes } : undefined;
}

function inBrackets(rows: Uint8Array): Uint8Array {
  const array = new Uint8Array(rows.length + 2);
  array[0] = 0x5b;
  array.set(rows, 1);
  array[rows.length + 1] = 0x5d;
  return array;
}
