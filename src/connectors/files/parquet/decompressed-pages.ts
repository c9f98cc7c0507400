/**
 * Pages of Parquet files that this node has decompressed more than once, with their compressed form. A page is recognized by its
 * compressed bytes, all of them, so neither a changed file nor another one of the same name can give other values. What is kept is bounded
 * and not charged to any query. A table that is larger than the bound and read again and again does not displace its own pages: those that
 * are kept are used each time.
 */

/** Of a catalog on a node: compressed and decompressed bytes of the pages that are kept. */
const keptBytesMax = 33_554_432;
/** A page that takes a larger part of that is not kept. */
const partOfBytesMax = 8;
/** Keys of pages that have been decompressed once. */
const seenMax = 16_384;
/** A page is displaced when so many times as many pages have been read as are kept, and it was none of them. */
const unusedRounds = 8;
/** A page that is at least this much longer than its compressed form, in percent. Others are copied as fast as they are compared. */
const gainPercentMin = 125;
/** Words of a page that its key is made of. */
const sampledWords = 16;
const wordBytes = 4;
/** Compared at once. */
const comparedBytes = 4 * wordBytes;

export interface CompressedPage {
  readonly codec: number;
  readonly bytes: Uint8Array;
  readonly uncompressedBytes: number;
}

interface KeptPage {
  readonly codec: number;
  /** Number of the read that used it last. */
  usedBy: number;
  readonly compressed: DataView;
  readonly content: Uint8Array;
}

export class DecompressedPages {
  readonly #bytesMax: number;
  /** By key. The page that was used last stands last. */
  readonly #kept = new Map<number, KeptPage>();
  #keptBytes = 0;
  #seen = new Set<number>();
  #reads = 0;

  constructor(bytesMax: number = keptBytesMax) {
    this.#bytesMax = bytesMax;
  }

  /** Bytes that are kept, compressed and decompressed. */
  get keptBytes(): number {
    return this.#keptBytes;
  }

  /** Writes the content of the page to `target`, which is as long, with `decompress` if it is not kept. What that throws is thrown. */
  read(page: CompressedPage, target: Uint8Array, decompress: () => void): void {
    const takes = page.bytes.length + page.uncompressedBytes;
    if (takes * partOfBytesMax > this.#bytesMax || page.uncompressedBytes * 100 < page.bytes.length * gainPercentMin) {
      decompress();
      return;
    }
    this.#reads++;
    const key = keyOf(page);
    const kept = this.#kept.get(key);
    if (kept !== undefined && isSame(kept, page)) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      kept.usedBy = this.#reads;
      target.set(kept.content);
      return;
    }
    decompress();
    if (this.#seen.delete(key)) {
      this.#keep(key, page, target);
    } else {
      this.#seen.add(key);
      if (this.#seen.size > seenMax) {
        this.#seen = new Set();
      }
    }
  }

  #keep(key: number, { bytes, codec }: CompressedPage, content: Uint8Array): void {
    const takes = bytes.length + content.length;
    this.#drop(key);
    while (this.#keptBytes + takes > this.#bytesMax) {
      const [oldest] = this.#kept;
      if (oldest === undefined || this.#reads - oldest[1].usedBy <= unusedRounds * this.#kept.size) {
        return;
      }
      this.#drop(oldest[0]);
    }
    const compressed = bytes.slice();
    this.#kept.set(key, { codec, usedBy: this.#reads, compressed: viewOf(compressed), content: content.slice() });
    this.#keptBytes += takes;
  }

  #drop(key: number): void {
    const page = this.#kept.get(key);
    if (page !== undefined) {
      this.#kept.delete(key);
      this.#keptBytes -= page.compressed.byteLength + page.content.length;
    }
  }
}

/** Equal for equal pages; pages of one key are mostly equal. */
function keyOf({ bytes, codec, uncompressedBytes }: CompressedPage): number {
  const view = viewOf(bytes);
  let key = Math.imul(codec + 1, 0x9e3779b1) ^ Math.imul(bytes.length, 0x85ebca6b) ^ Math.imul(uncompressedBytes, 0xc2b2ae35);
  const words = Math.floor(bytes.length / wordBytes);
  const step = Math.max(1, Math.floor(words / sampledWords));
  for (let word = 0; word < words; word += step) {
    key = Math.imul(key ^ view.getInt32(word * wordBytes, true), 0x9e3779b1);
    key ^= key >>> 15;
  }
  return key;
}

function isSame(kept: KeptPage, { bytes, codec, uncompressedBytes }: CompressedPage): boolean {
  const { compressed, content } = kept;
  if (kept.codec !== codec || content.length !== uncompressedBytes || compressed.byteLength !== bytes.length) {
    return false;
  }
  const view = viewOf(bytes);
  const differs = (at: number): number => compressed.getInt32(at, true) ^ view.getInt32(at, true);
  const whole = bytes.length - (bytes.length % comparedBytes);
  for (let at = 0; at < whole; at += comparedBytes) {
    if ((differs(at) | differs(at + wordBytes) | differs(at + 2 * wordBytes) | differs(at + 3 * wordBytes)) !== 0) {
      return false;
    }
  }
  for (let at = whole; at < bytes.length; at++) {
    if (compressed.getUint8(at) !== view.getUint8(at)) {
      return false;
    }
  }
  return true;
}

function viewOf({ buffer, byteLength, byteOffset }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
