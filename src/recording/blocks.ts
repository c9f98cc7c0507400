/**
 * The bytes of a recording: blocks of one size, each with its own header, so that a ring of blocks can be read after some of them were
 * overwritten or partially written. Numbers are little endian. A primitive value never spans two blocks; bytes may.
 */
import { decodeUtf8, encodeUtf8, utf8Length } from "../types/utf8.ts";
import { hashBytes } from "./hash.ts";

const blockHeaderBytes = 40;
const magic = 0x31524f42;
/** Marks a block in which no entry begins. */
const noEntry = 0xffffffff;
/** Bytes that any number fits in. */
const numberBytesMax = 10;

/** Destination of full blocks. */
export interface BlockSink {
  /** Returns a buffer of the block size with undefined content. */
  take(): Uint8Array;
  full(sequence: number, block: Uint8Array): void;
}

export interface BlockFacts {
  readonly sequence: number;
  readonly used: number;
  /** Offset in the payload; undefined if no entry begins in the block. */
  readonly firstEntry: number | undefined;
  /** Number of entries that began in earlier blocks. */
  readonly entriesBefore: number;
}

/** Writes values into blocks. The entry writer is a subclass, because one indirect call per value would be too slow. */
export class BlockWriter {
  readonly #sink: BlockSink;
  #bytes: Uint8Array;
  #view: DataView;
  #at = blockHeaderBytes;
  #end: number;
  #sequence = 0;
  #firstEntry = noEntry;
  #entriesBefore = 0;
  #entries = 0;
  readonly #interned = new Map<string, number>();
  /** Bytes of the open block that `partial` has returned. */
  #handedOut = 0;

  constructor(sink: BlockSink) {
    this.#sink = sink;
    this.#bytes = sink.take();
    this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
    this.#end = this.#bytes.length - numberBytesMax;
  }

  get entries(): number {
    return this.#entries;
  }

  /** The open block, if it contains bytes that were not returned yet; the caller must copy or write it before the next entry. */
  partial(): { readonly sequence: number; readonly block: Uint8Array } | undefined {
    if (this.#at === this.#handedOut || this.#at === blockHeaderBytes) {
      return undefined;
    }
    this.#handedOut = this.#at;
    this.#seal();
    return { sequence: this.#sequence, block: this.#bytes.subarray(0, this.#at) };
  }

  /** Flushes the open block if it is not empty. Only allowed between entries. */
  cut(): void {
    if (this.#at > blockHeaderBytes) {
      this.#next();
    }
  }

  /** Returns true for the first entry of a block: deltas and interned texts start anew. */
  protected begin(): boolean {
    if (this.#at > this.#end) {
      this.#next();
    }
    this.#entries++;
    if (this.#firstEntry !== noEntry) {
      return false;
    }
    this.#firstEntry = this.#at - blockHeaderBytes;
    this.#entriesBefore = this.#entries - 1;
    this.#interned.clear();
    return true;
  }

  protected putByte(value: number): void {
    if (this.#at > this.#end) {
      this.#next();
    }
    this.#bytes[this.#at++] = value;
  }

  /** Writes a non-negative integer below 2^53. */
  protected putNumber(value: number): void {
    if (this.#at > this.#end) {
      this.#next();
    }
    const bytes = this.#bytes;
    let at = this.#at;
    let rest = value;
    while (rest > 0x7fffffff) {
      bytes[at++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    while (rest > 0x7f) {
      bytes[at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    bytes[at++] = rest;
    this.#at = at;
  }

  protected putSigned(value: number): void {
    // The sign is in the first byte. Zigzag encoding would lose the last bit of values beyond 2^52, which nanoseconds reach after 52 days.
    const negative = value < 0 ? 1 : 0;
    const size = negative === 1 ? -value : value;
    if (size < 64) {
      this.putByte((size << 1) | negative);
      return;
    }
    this.putByte(0x80 | ((size % 64) << 1) | negative);
    this.putNumber(Math.floor(size / 64));
  }

  protected putDouble(value: number): void {
    if (this.#at > this.#end) {
      this.#next();
    }
    this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  protected putText(text: string): void {
    const { length } = text;
    if (this.#at + length + numberBytesMax <= this.#end) {
      const bytes = this.#bytes;
      this.putNumber(length);
      const start = this.#at;
      for (let index = 0; index < length; index++) {
        const unit = text.charCodeAt(index);
        if (unit > 0x7f) {
          // The text is not ASCII: the length above was an estimate and is replaced.
          this.#at = start - sizeOfNumber(length);
          this.#putLongText(text);
          return;
        }
        bytes[start + index] = unit;
      }
      this.#at = start + length;
      return;
    }
    this.#putLongText(text);
  }

  /** Writes a text that is likely to repeat in this block. */
  protected putInterned(text: string): void {
    const known = this.#interned.get(text);
    if (known !== undefined) {
      this.putNumber(known + 1);
      return;
    }
    this.#interned.set(text, this.#interned.size);
    this.putByte(0);
    this.putText(text);
  }

  protected putBytes(bytes: Uint8Array): void {
    this.putNumber(bytes.length);
    this.#putRaw(bytes);
  }

  #putLongText(text: string): void {
    this.putNumber(utf8Length(text));
    this.#putRaw(encodeUtf8(text));
  }

  #putRaw(bytes: Uint8Array): void {
    let from = 0;
    while (from < bytes.length) {
      if (this.#at === this.#bytes.length) {
        this.#next();
      }
      const piece = Math.min(bytes.length - from, this.#bytes.length - this.#at);
      this.#bytes.set(piece === bytes.length ? bytes : bytes.subarray(from, from + piece), this.#at);
      this.#at += piece;
      from += piece;
    }
  }

  #next(): void {
    this.#seal();
    this.#sink.full(this.#sequence, this.#bytes.subarray(0, this.#at));
    this.#bytes = this.#sink.take();
    this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
    this.#sequence++;
    this.#at = blockHeaderBytes;
    this.#handedOut = 0;
    this.#firstEntry = noEntry;
    this.#entriesBefore = this.#entries;
  }

  #seal(): void {
    const view = this.#view;
    view.setUint32(0, magic, true);
    view.setUint32(4, this.#sequence, true);
    view.setUint32(8, this.#at - blockHeaderBytes, true);
    view.setUint32(12, this.#firstEntry, true);
    view.setFloat64(16, this.#entriesBefore, true);
    view.setUint32(24, hashBytes(this.#bytes.subarray(blockHeaderBytes, this.#at)), true);
  }
}

function sizeOfNumber(value: number): number {
  let size = 1;
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 128)) {
    size++;
  }
  return size;
}

/** Parses a block; undefined if there is none, or if it was written only partially. */
export function readBlock(block: Uint8Array): (BlockFacts & { readonly payload: Uint8Array }) | undefined {
  if (block.length < blockHeaderBytes) {
    return undefined;
  }
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  const used = view.getUint32(8, true);
  if (view.getUint32(0, true) !== magic || used > block.length - blockHeaderBytes) {
    return undefined;
  }
  const payload = block.subarray(blockHeaderBytes, blockHeaderBytes + used);
  if (hashBytes(payload) !== view.getUint32(24, true)) {
    return undefined;
  }
  const first = view.getUint32(12, true);
  return {
    sequence: view.getUint32(4, true),
    used,
    firstEntry: first === noEntry ? undefined : first,
    entriesBefore: view.getFloat64(16, true),
    payload,
  };
}

/** Reads values from consecutive blocks; the counterpart of BlockWriter. Throws RangeError past the end. */
export class BlockReader {
  readonly #blocks: readonly (BlockFacts & { readonly payload: Uint8Array })[];
  #index = 0;
  #payload: Uint8Array;
  #at: number;
  readonly #interned: string[] = [];

  constructor(blocks: readonly (BlockFacts & { readonly payload: Uint8Array })[]) {
    this.#blocks = blocks;
    this.#payload = blocks[0]?.payload ?? new Uint8Array(0);
    this.#at = blocks[0]?.firstEntry ?? this.#payload.length;
  }

  /** `more` says whether there is another entry; `starts` is true for the first entry of a block. */
  protected begin(): { readonly more: boolean; readonly starts: boolean } {
    while (this.#at >= this.#payload.length) {
      if (!this.#advance()) {
        return { more: false, starts: false };
      }
    }
    const starts = this.#blocks[this.#index]?.firstEntry === this.#at;
    if (starts) {
      this.#interned.length = 0;
    }
    return { more: true, starts };
  }

  protected takeByte(): number {
    while (this.#at >= this.#payload.length) {
      if (!this.#advance()) {
        throw new RangeError("the recording ends in the middle of an entry");
      }
    }
    return this.#payload[this.#at++] as number;
  }

  protected takeNumber(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.takeByte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        return value;
      }
      scale *= 128;
    }
  }

  protected takeSigned(): number {
    const first = this.takeByte();
    const size = ((first & 0x7f) >> 1) + (first >= 0x80 ? this.takeNumber() * 64 : 0);
    return (first & 1) === 1 ? -size : size;
  }

  protected takeDouble(): number {
    const bytes = new Uint8Array(8);
    for (let index = 0; index < 8; index++) {
      bytes[index] = this.takeByte();
    }
    return new DataView(bytes.buffer).getFloat64(0, true);
  }

  protected takeText(): string {
    return decodeUtf8(this.takeBytes());
  }

  protected takeInterned(): string {
    const place = this.takeNumber();
    if (place > 0) {
      const text = this.#interned[place - 1];
      if (text === undefined) {
        throw new RangeError("the recording names a text that it does not hold");
      }
      return text;
    }
    const text = this.takeText();
    this.#interned.push(text);
    return text;
  }

  protected takeBytes(): Uint8Array {
    const length = this.takeNumber();
    const pieces: Uint8Array[] = [];
    let left = length;
    while (left > 0) {
      if (this.#at >= this.#payload.length && !this.#advance()) {
        throw new RangeError("the recording ends in the middle of an entry");
      }
      const piece = this.#payload.subarray(this.#at, this.#at + left);
      this.#at += piece.length;
      left -= piece.length;
      pieces.push(piece);
    }
    if (pieces.length === 1) {
      return pieces[0] as Uint8Array;
    }
    const whole = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    return whole;
  }

  #advance(): boolean {
    const next = this.#blocks[this.#index + 1];
    if (next === undefined) {
      return false;
    }
    this.#index++;
    this.#payload = next.payload;
    this.#at = 0;
    return true;
  }
}
