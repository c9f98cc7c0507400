/**
 * The footer of a Parquet file: its columns with their SQL types, its row groups, and the byte ranges of its column chunks.
 */
import type { Storage } from "../../../ports/storage.ts";
import { decodeUtf8 } from "../../../types/utf8.ts";
import { BadData, badFile, reading } from "../errors.ts";
import type { TableFile } from "../folder.ts";
import { distinctNames } from "../names.ts";
import { type ColumnEncoding, columnEncoding, physicalNames } from "./schema.ts";
import { ThriftReader, type ThriftStruct } from "./thrift.ts";

const tailBytes = 65_536;
const footerBytesMax = 268_435_456;
const magic = 0x31524150;

export interface ParquetColumn {
  readonly name: string;
  /** Undefined if the column cannot be read; `reason` then says why. */
  readonly encoding: ColumnEncoding | undefined;
  readonly reason?: string;
  /** Index among the chunks of a row group. */
  readonly leaf: number;
}

export interface ColumnChunk {
  readonly offset: number;
  readonly sizeBytes: number;
  readonly codec: number;
  readonly valueCount: number;
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

export async function readFooter(storage: Storage, file: TableFile): Promise<ParquetFooter> {
  try {
    return parseFooter(await footerBytes(storage, file), file.sizeBytes);
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

function parseFooter(bytes: Uint8Array, fileBytes: number): ParquetFooter {
  const metadata = new ThriftReader(bytes).struct();
  const columns = topColumns(metadata.structs(2));
  const names = distinctNames(columns.map(({ column }) => column.name));
  const leaves = columns.at(-1)?.leafEnd ?? 0;
  const rowGroups = metadata.structs(4).map((group) => {
    const chunks = group.structs(1).map((chunk) => parseChunk(chunk, fileBytes));
    if (chunks.length !== leaves) {
      throw new BadData("its footer is damaged: a row group has not all columns");
    }
    return { rows: required(group.integer(3)), chunks };
  });
  return { columns: columns.map(({ column }, index) => ({ ...column, name: names[index] ?? column.name })), rowGroups };
}

function required<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new BadData("its footer is damaged");
  }
  return value;
}

interface TopColumn {
  readonly column: ParquetColumn;
  /** Number of leaves up to and including this column. */
  readonly leafEnd: number;
}

/** The schema is a tree in depth-first order. Only leaves directly below the root are readable columns. */
function topColumns(elements: readonly ThriftStruct[]): readonly TopColumn[] {
  const columns: TopColumn[] = [];
  let next = 1;
  let leaf = 0;
  const skip = (): void => {
    const element = required(elements[next++]);
    const children = element.integer(5) ?? 0;
    leaf += children === 0 ? 1 : 0;
    for (let child = 0; child < children; child++) {
      skip();
    }
  };
  while (next < elements.length) {
    const element = required(elements[next]);
    const first = leaf;
    skip();
    columns.push({ column: describe(element, first), leafEnd: leaf });
  }
  return columns;
}

function describe(element: ThriftStruct, leaf: number): ParquetColumn {
  const name = decodeUtf8(required(element.bytes(4)));
  if ((element.integer(5) ?? 0) > 0) {
    return { name, leaf, encoding: undefined, reason: "nested values are not supported" };
  }
  if (element.integer(3) === 2) {
    return { name, leaf, encoding: undefined, reason: "repeated values are not supported" };
  }
  const encoding = columnEncoding(element);
  if (encoding === undefined) {
    const type = physicalNames[element.integer(1) ?? -1] ?? "unknown";
    return { name, leaf, encoding, reason: `a value of Parquet type ${type} with this meaning is not supported` };
  }
  return { name, leaf, encoding };
}

function parseChunk(chunk: ThriftStruct, fileBytes: number): ColumnChunk {
  const metadata = chunk.struct(3);
  if (metadata === undefined || chunk.has(1) || chunk.has(8)) {
    throw new BadData("encrypted files and columns in other files are not supported");
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
    codec: required(metadata.integer(4)),
    valueCount: required(metadata.integer(5)),
    ...(nullCount === undefined ? {} : { nullCount }),
    ...(low === undefined ? {} : { low }),
    ...(high === undefined ? {} : { high }),
  };
}
