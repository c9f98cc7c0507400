/** The first 100 bytes of a database file (https://www.sqlite.org/fileformat2.html, section 1.3). */
import { BadData } from "../../shared/file-errors.ts";
import { u16, u32 } from "./numbers.ts";

export type TextEncoding = "utf-8" | "utf-16le" | "utf-16be";

export const databaseHeaderBytes = 100;
const magic = "SQLite format 3\0";
const encodings: readonly TextEncoding[] = ["utf-8", "utf-8", "utf-16le", "utf-16be"];
/** Payload of a page, by the format. */
const usableSizeMin = 480;
const readVersionMax = 2;
const schemaFormatMax = 4;

export interface DatabaseHeader {
  readonly pageSize: number;
  /** Bytes of a page without those that extensions reserve at its end. */
  readonly usableSize: number;
  /** Grows with each transaction, unless there is a write-ahead log. */
  readonly changeCounter: number;
  /** undefined if an old version of SQLite has changed the file since the size was written. */
  readonly pageCount: number | undefined;
  readonly schemaCookie: number;
  readonly encoding: TextEncoding;
}

/** Throws BadData. */
export function parseDatabaseHeader(bytes: Uint8Array): DatabaseHeader {
  if (bytes.length < databaseHeaderBytes || String.fromCharCode(...bytes.subarray(0, magic.length)) !== magic) {
    throw new BadData("this is no database of SQLite 3, or it is encrypted");
  }
  const stored = u16(bytes, 16);
  const pageSize = stored === 1 ? 65_536 : stored;
  const usableSize = pageSize - (bytes[20] ?? 0);
  if (pageSize < 512 || (pageSize & (pageSize - 1)) !== 0 || usableSize < usableSizeMin) {
    throw new BadData(`the size of a page cannot be ${pageSize} bytes with ${bytes[20]} reserved ones`);
  }
  if (bytes[21] !== 64 || bytes[22] !== 32 || bytes[23] !== 32) {
    throw new BadData("the fractions of payloads are not those of SQLite 3");
  }
  const readVersion = bytes[19] ?? 0;
  const schemaFormat = u32(bytes, 44);
  if (readVersion > readVersionMax || schemaFormat > schemaFormatMax) {
    throw new BadData(`the file is of a later version of the format: read version ${readVersion}, schema format ${schemaFormat}`);
  }
  const encoding = encodings[u32(bytes, 56)];
  if (encoding === undefined) {
    throw new BadData(`the text encoding ${u32(bytes, 56)} is unknown`);
  }
  const [changeCounter, pageCount] = [u32(bytes, 24), u32(bytes, 28)];
  const isSizeValid = pageCount > 0 && changeCounter === u32(bytes, 92);
  return { pageSize, usableSize, changeCounter, pageCount: isSizeValid ? pageCount : undefined, schemaCookie: u32(bytes, 40), encoding };
}
