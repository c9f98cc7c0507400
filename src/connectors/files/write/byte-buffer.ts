/**
 * Bytes that are appended to. The array doubles when it is full.
 */
import { encodeUtf8 } from "../../../types/utf8.ts";

const firstBytes = 1024;

export class ByteBuffer {
  #bytes = new Uint8Array(firstBytes);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Bytes of memory that are held. */
  get heldBytes(): number {
    return this.#bytes.length;
  }

  byte(value: number): void {
    this.reserve(1);
    this.#bytes[this.#length++] = value;
  }

  u32(value: number): void {
    this.reserve(4);
    this.#view.setUint32(this.#length, value, true);
    this.#length += 4;
  }

  /** LEB128 of an unsigned integer below 2^53. */
  varint(value: number): void {
    this.reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  bytes(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** ASCII and other text, as UTF-8. */
  text(text: string): void {
    this.reserve(text.length);
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      if (unit >= 0x80) {
        this.bytes(encodeUtf8(text.slice(index)));
        return;
      }
      this.#bytes[this.#length++] = unit;
    }
  }

  /** The bytes appended so far, without a copy: valid until the next call. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** A copy of the bytes appended so far; the buffer is then empty. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }

  clear(): void {
    this.#length = 0;
  }

  reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) {
      return;
    }
    const bytes = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}
