/** Page sources of splits: the rows of a file without those that are deleted, and with the columns that it does not store. */
import type { KernelRuntime } from "../../codegen/runtime.ts";
import type { Storage } from "../../ports/storage.ts";
import { NoRows } from "../shared/no-rows.ts";
import { pinned } from "../shared/object-store/pinned.ts";
import type { Turns } from "../shared/slices.ts";
import { alwaysTrue, type ColumnMetadata, type Constraint, type PageSource, type PageSourceRequest } from "../spi.ts";
import { ArrowPageSource } from "./arrow/page-source.ts";
import { ConstantColumns, mayMatch, rowNumberColumn, withoutColumns } from "./constants.ts";
import { hasJson, JsonColumns, withTexts } from "./json-columns.ts";
import { columnsOfDeletes, WithoutDeleted } from "./lake/deleted-rows.ts";
import type { FileSplit } from "./metadata.ts";
import type { ParquetKernels } from "./parquet/kernels/kernels.ts";
import { ParquetPageSource } from "./parquet/page-source.ts";
import type { ReadBuffers } from "./read-buffers.ts";
import { TextKernels } from "./text/kernels/kernels.ts";
import { openTextSplit } from "./text/table.ts";

export interface SplitReader {
  readonly storage: Storage;
  readonly kernels: ParquetKernels;
  readonly runtime: KernelRuntime;
  /** Of a folder. An object store's answers have memory of their own. */
  readonly buffers: ReadBuffers | undefined;
  readonly clock: Turns;
}

export function openSplit(reader: SplitReader, request: PageSourceRequest): PageSource {
  const split = request.split as unknown as FileSplit;
  const { columns, constraint = alwaysTrue } = request;
  if (split.warning !== undefined) {
    request.onWarning?.(split.warning);
  }
  return (split.deletes ?? []).length > 0
    ? openWithout(reader, split, request)
    : openWhole(reader, { split, columns, constraint }, request);
}

interface Asked {
  readonly split: FileSplit;
  readonly columns: readonly ColumnMetadata[];
  readonly constraint: Constraint;
}

/** Without deleted rows, which may be known by the values of further columns. */
function openWithout(reader: SplitReader, split: FileSplit, request: PageSourceRequest): PageSource {
  const { columns, constraint = alwaysTrue } = request;
  const { deletes = [], firstRow = 1 } = split;
  const opened = [...columns, ...columnsOfDeletes(deletes, columns)];
  return new WithoutDeleted({
    reader: { ...reader, memory: request.memory.child("files deletes") },
    deletes,
    open: () => openWhole(reader, { split, columns: opened, constraint }, request),
    opened,
    columnCount: columns.length,
    firstRow,
  });
}

function openWhole(reader: SplitReader, asked: Asked, request: PageSourceRequest): PageSource {
  const { split, columns, constraint } = asked;
  const { constants = {}, firstRow } = split;
  if (Object.keys(constants).length === 0 && firstRow === undefined) {
    return openStored(reader, asked, request);
  }
  if (!mayMatch(constants, constraint)) {
    return new NoRows();
  }
  const unstored = new Set([...Object.keys(constants), rowNumberColumn]);
  const stored = columns.filter(({ name }) => !unstored.has(name));
  const source = openStored(reader, { split, columns: stored, constraint: withoutColumns(constraint, unstored) }, request);
  return new ConstantColumns({ source, columns, constants, firstRow: firstRow ?? 1, memory: request.memory.child("files columns") });
}

function openStored(reader: SplitReader, { split, columns, constraint }: Asked, request: PageSourceRequest): PageSource {
  const { memory, onWarning } = request;
  const storage = pinned(reader.storage, split);
  if (split.format !== "arrow" && split.format !== "parquet") {
    return openTextSplit(storage, split, { columns, memory, onWarning, kernels: new TextKernels(reader.runtime) });
  }
  if (hasJson(columns)) {
    const source = openStored(reader, { split, columns: withTexts(columns), constraint }, request);
    return new JsonColumns({ source, columns, path: split.path, memory: memory.child("files json") });
  }
  return split.format === "arrow"
    ? new ArrowPageSource(storage, { split, columns, memory, kernels: reader.kernels })
    : new ParquetPageSource(storage, { split, columns, memory, kernels: reader.kernels, buffers: reader.buffers, constraint });
}
