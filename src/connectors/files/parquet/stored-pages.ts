/**
 * The pages of a column chunk as its page headers describe them.
 */
import { crc32 } from "../../../types/crc32.ts";
import { BadData } from "../../shared/file-errors.ts";
import { ThriftReader, type ThriftStruct } from "./thrift.ts";

export interface StoredPage {
  readonly kind: "v1" | "v2" | "dictionary";
  readonly encoding: number;
  readonly values: number;
  readonly bytes: Uint8Array;
  readonly uncompressedBytes: number;
  /** For v2 pages: bytes of levels before the values, which are not compressed. */
  readonly repetitionBytes: number;
  readonly definitionBytes: number;
  /** For v1 pages: encodings of the levels. */
  readonly repetitionEncoding: number;
  readonly definitionEncoding: number;
  readonly isCompressed: boolean;
}

const pageTypes = Object.freeze({ data: 0, index: 1, dictionary: 2, dataV2: 3 });

function required(value: number | undefined): number {
  if (value === undefined || value < 0) {
    throw new BadData("a page header is damaged");
  }
  return value;
}

/** The pages of a chunk of `entries` values and NULLs, in order. Padding may follow the chunk. */
export function storedPages(bytes: Uint8Array, entries: number): readonly StoredPage[] {
  const pages: StoredPage[] = [];
  let values = 0;
  for (let at = 0; values < entries; ) {
    const reader = new ThriftReader(bytes, at);
    const header = reader.struct();
    const size = required(header.integer(3));
    const end = reader.at + size;
    if (end > bytes.length) {
      throw new BadData("a page reaches beyond its column");
    }
    const content = bytes.subarray(reader.at, end);
    const checksum = header.integer(4);
    if (checksum !== undefined && crc32(content) !== checksum >>> 0) {
      throw new BadData("the checksum of a page is wrong");
    }
    const page = storedPage(header, content);
    // A data page without entries is not opened: any number of them could lie before the next row.
    if (page !== undefined && (page.kind === "dictionary" || page.values > 0)) {
      pages.push(page);
      values += page.kind === "dictionary" ? 0 : page.values;
    }
    at = end;
  }
  if (values !== entries) {
    throw new BadData("it has another number of values than its footer says");
  }
  return pages;
}

function storedPage(header: ThriftStruct, bytes: Uint8Array): StoredPage | undefined {
  const uncompressedBytes = required(header.integer(2));
  const levels = { repetitionBytes: 0, definitionBytes: 0, repetitionEncoding: 0, definitionEncoding: 0 };
  const common = { bytes, uncompressedBytes, ...levels, isCompressed: true };
  switch (header.integer(1)) {
    case pageTypes.data: {
      const data = header.struct(5);
      const values = required(data?.integer(1));
      const definitionEncoding = required(data?.integer(3));
      const repetitionEncoding = required(data?.integer(4));
      return { ...common, kind: "v1", values, encoding: required(data?.integer(2)), definitionEncoding, repetitionEncoding };
    }
    case pageTypes.dictionary: {
      const dictionary = header.struct(7);
      return { ...common, kind: "dictionary", values: required(dictionary?.integer(1)), encoding: required(dictionary?.integer(2)) };
    }
    case pageTypes.dataV2: {
      const data = header.struct(8);
      const definitionBytes = required(data?.integer(5));
      const repetitionBytes = required(data?.integer(6));
      const levelBytes = definitionBytes + repetitionBytes;
      if (levelBytes > bytes.length || levelBytes > uncompressedBytes) {
        throw new BadData("a page header is damaged");
      }
      const isCompressed = data?.boolean(7) !== false;
      const values = required(data?.integer(1));
      return { ...common, kind: "v2", values, encoding: required(data?.integer(4)), repetitionBytes, definitionBytes, isCompressed };
    }
    case pageTypes.index:
      return undefined;
    default:
      throw new BadData("a page is of no known kind");
  }
}
