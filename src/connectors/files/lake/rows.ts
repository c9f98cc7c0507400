/** The rows of a Parquet file of metadata, as values. */
import type { MemoryContext } from "../../../memory/memory.ts";
import { type PageValue, readValue } from "../../../page/reader.ts";
import type { Storage } from "../../../ports/storage.ts";
import { decodeBytes, nestedSource, type NestedValue } from "../../../types/nested/nested.ts";
import type { Type } from "../../../types/type.ts";
import { alwaysTrue, type ColumnMetadata } from "../../spi.ts";
import { Slices, type Turns } from "../../shared/slices.ts";
import type { TableFile } from "../folder.ts";
import { type ParquetFooter, readFooter } from "../parquet/footer.ts";
import type { ParquetKernels } from "../parquet/kernels/kernels.ts";
import { ParquetPageSource, type ParquetSplit } from "../parquet/page-source.ts";
import { parquetColumns, parquetSplits } from "../parquet/parquet-table.ts";
import { anyVersion, pinned } from "../../shared/object-store/pinned.ts";

/** What reading files of metadata needs. */
export interface LakeReader {
  readonly storage: Storage;
  readonly memory: MemoryContext;
  readonly kernels: ParquetKernels;
  readonly clock: Turns;
}

export interface StoredRows {
  readonly columns: readonly ColumnMetadata[];
  /** Page by page. */
  readonly pages: AsyncIterable<readonly (readonly NestedValue[])[]>;
}

type FileOfRows = Pick<TableFile, "path" | "sizeBytes">;

/** Columns that `choose` keeps, in its order; the footer is as it makes it. */
export async function storedRows(
  reader: LakeReader,
  file: FileOfRows,
  choose: (footer: ParquetFooter) => ParquetFooter,
): Promise<StoredRows> {
  const whole: TableFile = { ...file, version: anyVersion, format: "parquet", compression: "none", partition: new Map() };
  const storage = pinned(reader.storage, whole);
  const footer = choose(await readFooter(storage, whole, reader.clock));
  const columns = parquetColumns(footer);
  const splits = parquetSplits(whole, footer, { columns, constraint: alwaysTrue });
  const pages = async function* (): AsyncGenerator<readonly (readonly NestedValue[])[]> {
    for (const { payload } of splits) {
      yield* rowsOfGroup({ ...reader, storage }, payload as unknown as ParquetSplit, columns);
    }
  };
  return { columns, pages: pages() };
}

async function* rowsOfGroup(
  { storage, memory, kernels, clock }: LakeReader,
  split: ParquetSplit,
  columns: readonly ColumnMetadata[],
): AsyncGenerator<readonly (readonly NestedValue[])[]> {
  const source = new ParquetPageSource(storage, { split, columns, memory, kernels });
  const slices = new Slices(clock);
  try {
    while (!source.finished) {
      const page = source.nextPage();
      if (page === undefined) {
        await source.blocked();
        continue;
      }
      yield Array.from({ length: page.positionCount }, (_, position) =>
        columns.map(({ type }, index) => storedValue(type, readValue(memory.linear, page, index, position))),
      );
      await slices.after(page.positionCount);
    }
  } finally {
    source.close();
  }
}

/** A value of a page as nested values have it: texts are strings. */
export function storedValue(type: Type, value: PageValue): NestedValue {
  return value instanceof Uint8Array ? decodeBytes(type, nestedSource(value), 0, value.length) : value;
}
