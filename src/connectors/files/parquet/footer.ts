/**
 * The footer of a Parquet file: its columns with their SQL types, its row groups, and the byte ranges of its column chunks.
 */
import type { Storage } from "../../../ports/storage.ts";
import { BadData, badFile, reading } from "../../shared/file-errors.ts";
import { Slices, type Turns } from "../../shared/slices.ts";
import type { TableFile } from "../folder.ts";
import { distinctNames } from "../names.ts";
import { ThriftReader, type ThriftStruct } from "./thrift.ts";
import { type SchemaColumn, schemaColumns } from "./tree.ts";

const tailBytes = 65_536;
const footerBytesMax = 268_435_456;
/** PAR1, and PARE of files whose footer is encrypted. */
const magic = 0x31524150;
const encryptedMagic = 0x45524150;

/** `name` is unique in the file and in lower case. */
export type ParquetColumn = SchemaColumn;

export interface ColumnChunk {
  readonly offset: number;
  readonly sizeBytes: number;
  readonly uncompressedBytes: number;
  readonly codec: number;
  /** Values and NULLs. */
  readonly valueCount: number;
  /** Why it cannot be read. */
  readonly problem?: string;
  readonly nullCount?: number;
  readonly low?: Uint8Array;
  readonly high?: Uint8Array;
}

export interface RowGroup {
  readonly rows: number;
  readonly chunks: readonly ColumnChunk[];
}

export interface ParquetFooter {
  readonly columns: readonly ParquetColumn[];
  readonly rowGroups: readonly RowGroup[];
}

/** A footer of many columns and row groups is read in slices, which the clock ends. */
export async function readFooter(storage: Storage, file: TableFile, clock: Turns): Promise<ParquetFooter> {
  try {
    return await parseFooter(await footerBytes(storage, file), file.sizeBytes, clock);
  } catch (error) {
    if (error instanceof BadData) {
      throw badFile(file.path, "", error.message);
    }
    throw error;
  }
}

async function footerBytes(storage: Storage, { path, sizeBytes }: TableFile): Promise<Uint8Array> {
  const notParquet = "this is not a Parquet file";
  if (sizeBytes < 12) {
    throw new BadData(notParquet);
  }
  const tailStart = Math.max(0, sizeBytes - tailBytes);
  const tail = await reading(path, storage.read(path, tailStart, sizeBytes - tailStart));
  if (tail.length !== sizeBytes - tailStart) {
    throw new BadData("the file changed while it was read");
  }
  const view = new DataView(tail.buffer, tail.byteOffset, tail.length);
  if (view.getUint32(tail.length - 4, true) === encryptedMagic) {
    throw new BadData("its footer is encrypted, which is not supported");
  }
  if (view.getUint32(tail.length - 4, true) !== magic) {
    throw new BadData(notParquet);
  }
  const length = view.getUint32(tail.length - 8, true);
  if (length > sizeBytes - 12 || length > footerBytesMax) {
    throw new BadData("its footer is damaged");
  }
  return length + 8 <= tail.length
    ? tail.subarray(tail.length - 8 - length, tail.length - 8)
    : reading(path, storage.read(path, sizeBytes - 8 - length, length));
}

async function parseFooter(bytes: Uint8Array, fileBytes: number, clock: Turns): Promise<ParquetFooter> {
  const rowGroups: RowGroup[] = [];
  const slices = new Slices(clock);
  const metadata = await new ThriftReader(bytes).structByParts(4, (group) => {
    const chunks = group.structs(1).map((chunk) => parseChunk(chunk, fileBytes));
    rowGroups.push({ rows: required(group.integer(3)), chunks });
    return slices.after(chunks.length);
  });
  const { columns, leaves } = schemaColumns(metadata.structs(2));
  if (rowGroups.some(({ chunks }) => chunks.length !== leaves)) {
    throw new BadData("its footer is damaged: a row group has not all columns");
  }
  const names = distinctNames(columns.map(({ name }) => name));
  return { columns: columns.map((column, index) => ({ ...column, name: names[index] ?? column.name })), rowGroups };
}

function required<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new BadData("its footer is damaged");
  }
  return value;
}

function parseChunk(chunk: ThriftStruct, fileBytes: number): ColumnChunk {
  const metadata = chunk.struct(3);
  const problem = chunk.has(8) ? "it is encrypted" : chunk.has(1) ? "its data are in another file" : undefined;
  if (problem !== undefined || metadata === undefined) {
    return { offset: 4, sizeBytes: 0, uncompressedBytes: 0, codec: 0, valueCount: 0, problem: problem ?? "its metadata are missing" };
  }
  const dataOffset = required(metadata.integer(9));
  const dictionaryOffset = metadata.integer(11) ?? 0;
  const offset = dictionaryOffset > 0 && dictionaryOffset < dataOffset ? dictionaryOffset : dataOffset;
  const sizeBytes = required(metadata.integer(7));
  if (offset < 4 || sizeBytes < 0 || offset + sizeBytes > fileBytes) {
    throw new BadData("its footer is damaged: a column lies outside of the file");
  }
  const statistics = metadata.struct(12);
  const low = statistics?.bytes(6) ?? statistics?.bytes(2);
  const high = statistics?.bytes(5) ?? statistics?.bytes(1);
  const nullCount = statistics?.integer(3);
  return {
    offset,
    sizeBytes,
    uncompressedBytes: metadata.integer(6) ?? sizeBytes,
    codec: required(metadata.integer(4)),
    valueCount: required(metadata.integer(5)),
    ...(nullCount === undefined ? {} : { nullCount }),
    ...(low === undefined ? {} : { low }),
    ...(high === undefined ? {} : { high }),
  };
}
