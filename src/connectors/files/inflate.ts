/**
 * Decompresses gzip (RFC 1951, 1952) in pieces with pako, a port of zlib: input comes in any pieces, output goes out in pieces of a bounded
 * size. The checksum and the length of every member are verified. Members follow each other without a gap; other bytes after a member are
 * an error.
 */
import { Z_DATA_ERROR, Z_FINISH, Z_NO_FLUSH, Z_STREAM_END, ZStream, zlibInflate, zlibInflateInit2, zlibInflateReset } from "pako";
import { joinBytes } from "../../types/bytes.ts";
import { BadData } from "../shared/file-errors.ts";

/** The largest window, and gzip's header and trailer around the data. */
const gzipWindowBits = 15 + 16;

type Flush = typeof Z_NO_FLUSH | typeof Z_FINISH;

/** zlib's messages in the words of the files connector. Messages that are not listed concern the codes of a block. */
const messages: ReadonlyMap<string, string> = new Map([
  ["incorrect header check", "this is not a gzip file"],
  ["unknown compression method", "this is not a gzip file"],
  ["unknown header flags set", "this is not a gzip file"],
  ["invalid window size", "this is not a gzip file"],
  ["header crc mismatch", "the checksum is wrong"],
  ["incorrect data check", "the checksum is wrong"],
  ["incorrect length check", "the checksum is wrong"],
  ["invalid block type", "a block is of no known kind"],
  ["invalid stored block lengths", "a stored block is damaged"],
  ["invalid literal/length code", "a code is damaged"],
  ["invalid distance code", "a distance is damaged"],
  ["invalid distance too far back", "a distance is damaged"],
]);

const endsTooEarly = "gzip: the file ends too early";

/** The members of one gzip stream, from an input to an output. */
class Members {
  readonly #stream = new ZStream();
  #isInside = false;

  constructor() {
    zlibInflateInit2(this.#stream, gzipWindowBits);
  }

  get inputBytesLeft(): number {
    return this.#stream.avail_in;
  }

  /** The end of the input is the end of a member. */
  get isBetween(): boolean {
    return !this.#isInside;
  }

  feed(input: Uint8Array): void {
    this.#stream.input = input;
    this.#stream.next_in = 0;
    this.#stream.avail_in = input.length;
  }

  /** Decompresses until the output is full or the input is used up; returns the number of bytes written. */
  write(output: Uint8Array, flush: Flush): number {
    const stream = this.#stream;
    // The library declares that it takes no view of a SharedArrayBuffer; it only stores bytes.
    stream.output = output as Uint8Array<ArrayBuffer>;
    stream.next_out = 0;
    stream.avail_out = output.length;
    for (;;) {
      if (!this.#isInside) {
        if (stream.avail_in === 0) {
          break;
        }
        zlibInflateReset(stream);
        this.#isInside = true;
      }
      const result = zlibInflate(stream, flush);
      if (result === Z_DATA_ERROR) {
        throw new BadData(`gzip: ${messages.get(stream.msg) ?? "the codes of a block are damaged"}`);
      }
      if (result !== Z_STREAM_END) {
        break;
      }
      this.#isInside = false;
    }
    return stream.next_out;
  }
}

export class Inflater {
  readonly #members = new Members();
  readonly #out: Uint8Array;
  #isLast = false;

  constructor(outBytes = 262144) {
    this.#out = new Uint8Array(outBytes);
  }

  /** Hands in the next input. Requires that pull() has returned nothing; `isLast` if this is the end of the file. */
  push(bytes: Uint8Array, isLast: boolean): void {
    this.#members.feed(bytes);
    this.#isLast = isLast;
  }

  get finished(): boolean {
    return this.#isLast && this.#members.isBetween && this.#members.inputBytesLeft === 0;
  }

  /** Decompressed bytes, valid until the next call; empty if more input is needed or nothing is left. */
  pull(): Uint8Array {
    const length = this.#members.write(this.#out, Z_NO_FLUSH);
    if (this.#isLast && length < this.#out.length && !this.finished) {
      throw new BadData(endsTooEarly);
    }
    return this.#out.subarray(0, length);
  }
}

/** Decompresses a whole gzip file of known size into `target`. */
export function gunzipInto(input: Uint8Array, target: Uint8Array): void {
  const members = new Members();
  members.feed(input);
  const length = members.write(target, Z_FINISH);
  if (!members.isBetween && members.inputBytesLeft === 0) {
    throw new BadData(endsTooEarly);
  }
  if (!members.isBetween) {
    throw new BadData("gzip: there is more than was promised");
  }
  if (length !== target.length) {
    throw new BadData("gzip: there is less than was promised");
  }
}

/** Decompresses a whole gzip file. Throws BadData if it has more than `bytesMax` bytes. */
export function gunzip(input: Uint8Array, bytesMax: number): Uint8Array {
  const inflater = new Inflater();
  inflater.push(input, true);
  const parts: Uint8Array[] = [];
  let length = 0;
  while (!inflater.finished) {
    const part = inflater.pull();
    length += part.length;
    if (length > bytesMax) {
      throw new BadData(`gzip: the file has more than ${bytesMax} bytes`);
    }
    parts.push(part.slice());
  }
  return joinBytes(parts);
}
