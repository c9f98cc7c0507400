/**
 * Deletion vectors of Delta Lake ("Deletion Vector Format" of its protocol): Roaring bitmaps, as the "Roaring Bitmap Format Specification"
 * defines them, for the upper halves of positions, in a file or in text of base 85 (Z85). Writers frame the bitmaps in the portable form,
 * with their upper halves, or in that of Delta's first writers, with their sizes.
 */
import { BadData } from "../../../shared/file-errors.ts";

const portableMagic = 1_681_511_377;
const nativeMagic = 1_681_511_376;
const cookieWithRuns = 12_347;
const cookieWithoutRuns = 12_346;
const arrayLengthMax = 4096;
/** From this many containers on, a bitmap with runs has offsets. */
const offsetsFrom = 4;
const bitmapBytes = 8192;
const alphabet = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

/** Bytes of a text whose length is a multiple of five, five characters for four bytes. */
export function decodeBase85(text: string): Uint8Array {
  if (text.length % 5 !== 0) {
    throw new BadData("a text of base 85 is cut short");
  }
  const bytes = new Uint8Array((text.length / 5) * 4);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at += 5) {
    let value = 0;
    for (let index = at; index < at + 5; index++) {
      const digit = alphabet.indexOf(text.charAt(index));
      if (digit < 0) {
        throw new BadData("a text of base 85 has another character");
      }
      value = value * 85 + digit;
    }
    if (value > 0xffff_ffff) {
      throw new BadData("a text of base 85 is out of range");
    }
    view.setUint32((at / 5) * 4, value);
  }
  return bytes;
}

/** A UUID as folders and names of files have it. */
export function uuidOf(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}

/** Positions of the deleted rows, from 0, in ascending order. */
export function decodeVector(bytes: Uint8Array): Float64Array {
  try {
    return new Decoder(bytes).positions();
  } catch (error) {
    if (error instanceof RangeError) {
      throw new BadData("a deletion vector is cut short");
    }
    throw error;
  }
}

class Decoder {
  readonly #view: DataView;
  #at = 0;
  #found: number[] = [];

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  positions(): Float64Array {
    if (this.#view.getUint32(0) === nativeMagic) {
      this.#native();
      return Float64Array.from(this.#found).sort();
    }
    if (this.#u32() !== portableMagic) {
      throw new BadData("a deletion vector is of another format");
    }
    const bitmaps = this.#u32();
    if (this.#u32() !== 0) {
      throw new BadData("a deletion vector has too many bitmaps");
    }
    for (let index = 0; index < bitmaps; index++) {
      this.#bitmap(this.#u32() * 2 ** 32);
    }
    return Float64Array.from(this.#found).sort();
  }

  /** The numbers of the frame are big-endian. */
  #native(): void {
    const bitmaps = this.#view.getUint32(4);
    this.#at = 8;
    for (let index = 0; index < bitmaps; index++) {
      const end = this.#at + 4 + this.#view.getUint32(this.#at);
      this.#at += 4;
      this.#bitmap(index * 2 ** 32);
      this.#at = end;
    }
  }

  #bitmap(high: number): void {
    const cookie = this.#u32();
    const hasRuns = (cookie & 0xffff) === cookieWithRuns;
    if (!hasRuns && cookie !== cookieWithoutRuns) {
      throw new BadData("a deletion vector has a bitmap of another format");
    }
    const containers = hasRuns ? (cookie >>> 16) + 1 : this.#u32();
    if (containers > 65_536) {
      throw new BadData("a deletion vector has too many containers");
    }
    const runs = this.#at;
    this.#at += hasRuns ? Math.ceil(containers / 8) : 0;
    const heads = this.#at;
    this.#at += containers * 4 + (!hasRuns || containers >= offsetsFrom ? containers * 4 : 0);
    for (let index = 0; index < containers; index++) {
      const base = high + this.#view.getUint16(heads + index * 4, true) * 65_536;
      const count = this.#view.getUint16(heads + index * 4 + 2, true) + 1;
      if (hasRuns && ((this.#view.getUint8(runs + (index >>> 3)) >>> (index & 7)) & 1) === 1) {
        this.#runs(base);
      } else if (count <= arrayLengthMax) {
        for (let entry = 0; entry < count; entry++) {
          this.#found.push(base + this.#u16());
        }
      } else {
        this.#bits(base);
      }
    }
  }

  #runs(base: number): void {
    for (let runs = this.#u16(); runs > 0; runs--) {
      const start = this.#u16();
      const more = this.#u16();
      for (let value = start; value <= start + more; value++) {
        this.#found.push(base + value);
      }
    }
  }

  #bits(base: number): void {
    for (let byte = 0; byte < bitmapBytes; byte++) {
      for (let bits = this.#view.getUint8(this.#at + byte); bits !== 0; bits &= bits - 1) {
        this.#found.push(base + byte * 8 + 31 - Math.clz32(bits & -bits));
      }
    }
    this.#at += bitmapBytes;
  }

  #u32(): number {
    this.#at += 4;
    return this.#view.getUint32(this.#at - 4, true);
  }

  #u16(): number {
    this.#at += 2;
    return this.#view.getUint16(this.#at - 2, true);
  }
}

/** The vector at an offset of a file: its size, its bytes and a checksum. `bytes` begin at the offset. */
export function vectorInFile(bytes: Uint8Array, sizeBytes: number, checksum: (bytes: Uint8Array) => number): Float64Array {
  if (bytes.length < sizeBytes + 8) {
    throw new BadData("a deletion vector is cut short");
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const vector = bytes.subarray(4, 4 + sizeBytes);
  if (view.getUint32(0) !== sizeBytes || view.getUint32(4 + sizeBytes) !== checksum(vector) >>> 0) {
    throw new BadData("a deletion vector is damaged: its checksum differs");
  }
  return decodeVector(vector);
}
