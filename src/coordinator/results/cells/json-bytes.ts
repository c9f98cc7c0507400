/**
 * A growable buffer of UTF-8 JSON. Cells go from linear memory to the response without intermediate strings, except for values whose digits
 * only the JavaScript engine can produce (doubles, integers beyond 53 bits).
 */

const initialBytes = 4096;
const quote = 0x22;
const backslash = 0x5c;
const zero = 0x30;
const minus = 0x2d;
const hex = "0123456789abcdef";

/** By byte: 0 means as is, 1 means \u00XX, any other value is the letter after the backslash. */
const escapes: Uint8Array = escapeTable();

function escapeTable(): Uint8Array {
  const table = new Uint8Array(256).fill(1, 0, 0x20);
  const letters: readonly (readonly [number, string])[] = [
    [0x08, "b"],
    [0x09, "t"],
    [0x0a, "n"],
    [0x0c, "f"],
    [0x0d, "r"],
    [quote, '"'],
    [backslash, "\\"],
  ];
  for (const [code, letter] of letters) {
    table[code] = letter.charCodeAt(0);
  }
  return table;
}

/** Shorter strings are not worth a view of their source. */
const wordBytesMin = 8;

/** Whether one of the four bytes may need an escape: a byte below 0x20, a quote or a backslash. Never false if one does. */
function mayNeedEscape(word: number): boolean {
  const quotes = word ^ 0x22222222;
  const backslashes = word ^ 0x5c5c5c5c;
  const found = ((word - 0x20202020) & ~word) | ((quotes - 0x01010101) & ~quotes) | ((backslashes - 0x01010101) & ~backslashes);
  return (found & 0x80808080) !== 0;
}

const base64Digits: Uint8Array = Uint8Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", (character) =>
  character.charCodeAt(0),
);
const base64Padding = 0x3d;

export class JsonBytes {
  #bytes = new Uint8Array(initialBytes);
  #length = 0;
  readonly #digits = new Uint8Array(20);
  #view = viewOf(this.#bytes);
  /** The last source of a string, and its view: strings of a column have the same source. */
  #source: Uint8Array | undefined;
  #sourceView = viewOf(this.#bytes);

  get length(): number {
    return this.#length;
  }

  /** Returns the bytes written since the last call and starts a new buffer. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }

  /** Frees the buffer. The next write allocates a new one. */
  release(): void {
    this.#hold(new Uint8Array(0));
    this.#length = 0;
    this.#source = undefined;
    this.#sourceView = this.#view;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** Appends bytes unchanged. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Appends ASCII text. */
  ascii(text: string): void {
    this.#reserve(text.length);
    for (let index = 0; index < text.length; index++) {
      this.#bytes[this.#length++] = text.charCodeAt(index);
    }
  }

  /** `value` is an integer of at most 53 bits. */
  integer(value: number): void {
    this.#reserve(20);
    let rest = value;
    if (rest < 0) {
      this.#bytes[this.#length++] = minus;
      rest = -rest;
    }
    this.#plainDigits(rest, 1);
  }

  /** Writes a non-negative integer with leading zeros up to `width` digits. */
  padded(value: number, width: number): void {
    this.#reserve(20 + width);
    this.#plainDigits(value, width);
  }

  /** Writes UTF-8 bytes as a quoted string, followed by `spaces` spaces inside the quotes. */
  string(source: Uint8Array, start: number, length: number, spaces: number): void {
    // Each byte may become six bytes: \u00XX.
    this.#reserve(length * 6 + spaces + 2);
    const bytes = this.#bytes;
    let at = this.#length;
    bytes[at++] = quote;
    const end = start + length;
    for (let from = start; from < end; ) {
      const copied = length < wordBytesMin ? 0 : this.#copyWords(source, from, end, at);
      at += copied;
      from += copied;
      for (const stop = Math.min(end, from + wordBytesMin); from < stop; from++) {
        const code = source[from] as number;
        const escape = escapes[code] as number;
        if (escape === 0) {
          bytes[at++] = code;
        } else {
          at = escape === 1 ? writeUnicodeEscape(bytes, at, code) : writeShortEscape(bytes, at, escape);
        }
      }
    }
    bytes.fill(0x20, at, at + spaces);
    at += spaces;
    bytes[at++] = quote;
    this.#length = at;
  }

  /** Copies words of four bytes that need no escape to `to`, until one may need it. Returns the number of bytes. */
  #copyWords(source: Uint8Array, from: number, end: number, to: number): number {
    if (this.#source !== source) {
      this.#source = source;
      this.#sourceView = viewOf(source);
    }
    const view = this.#sourceView;
    const target = this.#view;
    const last = end - from - 4;
    let offset = 0;
    while (offset <= last) {
      const word = view.getInt32(from + offset, true);
      if (mayNeedEscape(word)) {
        return offset;
      }
      target.setInt32(to + offset, word, true);
      offset += 4;
    }
    return offset;
  }

  base64(source: Uint8Array, start: number, length: number): void {
    this.#reserve(Math.ceil(length / 3) * 4 + 2);
    const bytes = this.#bytes;
    let at = this.#length;
    bytes[at++] = quote;
    for (let offset = 0; offset < length; offset += 3) {
      const left = length - offset;
      const first = source[start + offset] as number;
      const second = left > 1 ? (source[start + offset + 1] as number) : 0;
      const third = left > 2 ? (source[start + offset + 2] as number) : 0;
      bytes[at++] = base64Digits[first >> 2] as number;
      bytes[at++] = base64Digits[((first & 3) << 4) | (second >> 4)] as number;
      bytes[at++] = left > 1 ? (base64Digits[((second & 15) << 2) | (third >> 6)] as number) : base64Padding;
      bytes[at++] = left > 2 ? (base64Digits[third & 63] as number) : base64Padding;
    }
    bytes[at++] = quote;
    this.#length = at;
  }

  #plainDigits(value: number, width: number): void {
    const digits = this.#digits;
    let rest = value;
    let count = 0;
    while (rest >= 4_294_967_296) {
      const next = Math.floor(rest / 10);
      digits[count++] = rest - next * 10;
      rest = next;
    }
    let small = rest >>> 0;
    do {
      const next = (small / 10) >>> 0;
      digits[count++] = small - next * 10;
      small = next;
    } while (small > 0);
    for (let missing = width - count; missing > 0; missing--) {
      this.#bytes[this.#length++] = zero;
    }
    while (count > 0) {
      this.#bytes[this.#length++] = zero + (digits[--count] as number);
    }
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#hold(grown);
    }
  }

  #hold(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function writeShortEscape(bytes: Uint8Array, at: number, letter: number): number {
  bytes[at] = backslash;
  bytes[at + 1] = letter;
  return at + 2;
}

function writeUnicodeEscape(bytes: Uint8Array, at: number, code: number): number {
  bytes[at] = backslash;
  bytes[at + 1] = 0x75;
  bytes[at + 2] = zero;
  bytes[at + 3] = zero;
  bytes[at + 4] = hex.charCodeAt(code >> 4);
  bytes[at + 5] = hex.charCodeAt(code & 15);
  return at + 6;
}
