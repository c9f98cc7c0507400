/**
 * Walks over a JSON value that a scanner has found to be well-formed.
 */
import { decodeUtf8 } from "../../../types/utf8.ts";

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const closeBrace = 0x7d;
const closeBracket = 0x5d;

export type JsonKind = "object" | "array" | "string" | "number" | "boolean" | "null";

/** The bytes of a scalar; those of a string are between its quotes. */
export interface JsonScalar {
  readonly start: number;
  readonly end: number;
  readonly isEscaped: boolean;
}

export class JsonCursor {
  readonly u8: Uint8Array;
  #at: number;
  readonly #end: number;

  constructor(u8: Uint8Array, start: number, end: number) {
    this.u8 = u8;
    this.#at = start;
    this.#end = end;
    this.#skipSpace();
  }

  /** Of the value at the cursor. */
  get kind(): JsonKind {
    switch (this.u8[this.#at]) {
      case 0x7b:
        return "object";
      case 0x5b:
        return "array";
      case quote:
        return "string";
      case 0x74:
      case 0x66:
        return "boolean";
      case 0x6e:
        return "null";
      default:
        return "number";
    }
  }

  /** Calls `each` at every element, which it must pass. */
  elements(each: () => void): void {
    this.#advance();
    while (this.#at < this.#end && this.u8[this.#at] !== closeBracket) {
      each();
      this.#separator();
    }
    this.#advance();
  }

  /** Calls `each` at the value of every member, which it must pass. */
  members(each: (name: string) => void): void {
    this.#advance();
    while (this.#at < this.#end && this.u8[this.#at] !== closeBrace) {
      const { start, end, isEscaped } = this.scalar();
      const written = decodeUtf8(this.u8, start, end);
      this.#advance();
      each(isEscaped ? (JSON.parse(`"${written}"`) as string) : written);
      this.#separator();
    }
    this.#advance();
  }

  /** Passes a value that is no object and no array. */
  scalar(): JsonScalar {
    const { u8 } = this;
    if (u8[this.#at] !== quote) {
      const start = this.#at;
      while (this.#at < this.#end && !isDelimiter(u8[this.#at] as number)) {
        this.#at++;
      }
      const end = this.#at;
      this.#skipSpace();
      return { start, end, isEscaped: false };
    }
    const start = ++this.#at;
    let isEscaped = false;
    while (this.#at < this.#end && u8[this.#at] !== quote) {
      if (u8[this.#at] === backslash) {
        isEscaped = true;
        this.#at++;
      }
      this.#at++;
    }
    const end = this.#at;
    this.#advance();
    return { start, end, isEscaped };
  }

  /** Passes any value; returns where it lies. */
  skip(): { readonly start: number; readonly end: number } {
    const start = this.#at;
    let end = start;
    let depth = 0;
    do {
      const byte = this.u8[this.#at];
      if (byte === quote) {
        ({ end } = this.scalar());
        end++;
        continue;
      }
      depth += byte === 0x7b || byte === 0x5b ? 1 : byte === closeBrace || byte === closeBracket ? -1 : 0;
      if (depth === 0 && byte !== closeBrace && byte !== closeBracket) {
        ({ end } = this.scalar());
      } else {
        this.#at++;
        end = this.#at;
        this.#skipSpace();
      }
    } while (depth > 0 && this.#at < this.#end);
    return { start, end };
  }

  #advance(): void {
    this.#at++;
    this.#skipSpace();
  }

  #separator(): void {
    if (this.u8[this.#at] === comma) {
      this.#advance();
    }
  }

  #skipSpace(): void {
    while (this.#at < this.#end && isSpace(this.u8[this.#at] as number)) {
      this.#at++;
    }
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

function isDelimiter(byte: number): boolean {
  return byte === comma || byte === closeBrace || byte === closeBracket || byte === 0x3a || isSpace(byte);
}
