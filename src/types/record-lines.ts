/**
 * Lines of a file of records: the checksum of a text in hexadecimal, a space, the text as JSON, and a line feed. A line that a crash has
 * torn, or that the disk has changed, does not have its checksum.
 */
import { crc32 } from "./crc32.ts";
import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

const lineFeed = 0x0a;
const checksumDigits = 8;

export function recordLine(json: string): Uint8Array {
  const text = encodeUtf8(json);
  const head = encodeUtf8(`${checksumText(text)} `);
  const line = new Uint8Array(head.length + text.length + 1);
  line.set(head);
  line.set(text, head.length);
  line[line.length - 1] = lineFeed;
  return line;
}

export interface RecordLines {
  /** The texts of good lines, in order. */
  readonly texts: readonly string[];
  /** Lines that are not as they were written. */
  readonly badCount: number;
  /** The only bad line is the last, and has no line feed: a crash has torn it. */
  readonly isTorn: boolean;
}

export function readRecordLines(bytes: Uint8Array): RecordLines {
  const texts: string[] = [];
  let badCount = 0;
  for (const text of recordTexts(bytes)) {
    if (text === undefined) {
      badCount += 1;
    } else {
      texts.push(text);
    }
  }
  return { texts, badCount, isTorn: badCount === 1 && bytes.at(-1) !== lineFeed };
}

/** The text of each line; undefined for one that is not as it was written. */
export function* recordTexts(bytes: Uint8Array): Generator<string | undefined> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(lineFeed, start);
    const text = bytes.subarray(start + checksumDigits + 1, end < 0 ? bytes.length : end);
    const isWhole = end >= 0 && decodeUtf8(bytes.subarray(start, start + checksumDigits)) === checksumText(text);
    yield isWhole ? decodeUtf8(text) : undefined;
    start = end < 0 ? bytes.length : end + 1;
  }
}

function checksumText(bytes: Uint8Array): string {
  return crc32(bytes).toString(16).padStart(checksumDigits, "0");
}
