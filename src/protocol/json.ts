/**
 * JSON that keeps 64-bit integers exact both ways: a bigint is written as bare digits, and an integer beyond 2^53 is read as a bigint. Everything else is
 * as JSON.parse and JSON.stringify do it, and they do the work whenever no such integer is about. Linear in the length of the text.
 */

/** Data as it comes off the wire. */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | { [key: string]: JsonValue };

/** Arrays and objects inside each other; more is refused rather than overflowing the stack. */
const depthMax = 1000;
const maybeWide = /\d{16}/;
const numberPattern = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;

export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
}

export function parseJson(text: string): JsonValue {
  if (!maybeWide.test(text)) {
    try {
      return JSON.parse(text) as JsonValue;
    } catch {
      // Read again for a message that is the same on every platform.
    }
  }
  return new Reader(text).document();
}

/** Members that are undefined are left out. `indent` spaces a level; 0 for one line. */
export function stringifyJson(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    // It refuses a bigint; whatever else it refuses, it refuses for good.
    if (!hasBigint(value, 0)) {
      throw error;
    }
  }
  const parts: string[] = [];
  write(value, parts, indent > 0 ? "\n" : "", " ".repeat(indent));
  return parts.join("");
}

function hasBigint(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) {
    return typeof value === "bigint";
  }
  if (depth > depthMax) {
    throw new JsonSyntaxError(`JSON is nested more than ${depthMax} levels deep`);
  }
  if (Array.isArray(value)) {
    return value.some((element) => hasBigint(element, depth + 1));
  }
  return Object.values(value).some((member) => hasBigint(member, depth + 1));
}

/** `newline` is a line break with the indentation of this level, empty on one line. */
function write(value: unknown, parts: string[], newline: string, step: string): void {
  if (typeof value === "bigint") {
    parts.push(String(value));
  } else if (typeof value !== "object" || value === null) {
    parts.push(JSON.stringify(value) ?? "null");
  } else if (Array.isArray(value)) {
    writeMembers(value.length, parts, newline, step, "[]", (index, inner) => write(value[index], parts, inner, step));
  } else {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    writeMembers(members.length, parts, newline, step, "{}", (index, inner) => {
      const [key, member] = members[index] as [string, unknown];
      parts.push(JSON.stringify(key), newline === "" ? ":" : ": ");
      write(member, parts, inner, step);
    });
  }
}

function writeMembers(
  count: number,
  parts: string[],
  newline: string,
  step: string,
  brackets: string,
  member: (index: number, newline: string) => void,
): void {
  const inner = newline === "" ? "" : newline + step;
  parts.push(brackets.charAt(0));
  for (let index = 0; index < count; index++) {
    parts.push(index === 0 ? inner : `,${inner}`);
    member(index, inner);
  }
  parts.push(count === 0 ? "" : newline, brackets.charAt(1));
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): JsonValue {
    const value = this.#value(0);
    this.#space();
    if (this.#at < this.#text.length) {
      this.#fail();
    }
    return value;
  }

  #value(depth: number): JsonValue {
    this.#space();
    if (depth > depthMax) {
      throw new JsonSyntaxError(`JSON is nested more than ${depthMax} levels deep`);
    }
    switch (this.#text.charCodeAt(this.#at)) {
      case 0x7b:
        return this.#object(depth);
      case 0x5b:
        return this.#array(depth);
      case 0x22:
        return this.#string();
      case 0x74:
        return this.#word("true", true);
      case 0x66:
        return this.#word("false", false);
      case 0x6e:
        return this.#word("null", null);
      default:
        return this.#number();
    }
  }

  #object(depth: number): JsonValue {
    const object: { [key: string]: JsonValue } = {};
    this.#at += 1;
    this.#space();
    if (this.#take(0x7d)) {
      return object;
    }
    do {
      this.#space();
      if (this.#text.charCodeAt(this.#at) !== 0x22) {
        this.#fail();
      }
      const key = this.#string();
      this.#space();
      this.#expect(0x3a);
      const value = this.#value(depth + 1);
      if (key === "__proto__") {
        // A plain assignment would set the prototype instead of a member.
        Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
      } else {
        object[key] = value;
      }
      this.#space();
    } while (this.#take(0x2c));
    this.#expect(0x7d);
    return object;
  }

  #array(depth: number): JsonValue {
    const array: JsonValue[] = [];
    this.#at += 1;
    this.#space();
    if (this.#take(0x5d)) {
      return array;
    }
    do {
      array.push(this.#value(depth + 1));
      this.#space();
    } while (this.#take(0x2c));
    this.#expect(0x5d);
    return array;
  }

  /** Finds the closing quote and leaves escapes and their errors to JSON.parse. */
  #string(): string {
    const start = this.#at;
    let escaped = false;
    for (let at = start + 1; at < this.#text.length; at++) {
      const unit = this.#text.charCodeAt(at);
      if (unit === 0x22) {
        this.#at = at + 1;
        return escaped ? this.#unescape(start) : this.#text.slice(start + 1, at);
      }
      if (unit === 0x5c) {
        escaped = true;
        at += 1;
      } else if (unit < 0x20) {
        this.#at = at;
        this.#fail();
      }
    }
    this.#at = this.#text.length;
    return this.#fail();
  }

  #unescape(start: number): string {
    try {
      return JSON.parse(this.#text.slice(start, this.#at)) as string;
    } catch {
      this.#at = start;
      return this.#fail();
    }
  }

  #number(): number | bigint {
    numberPattern.lastIndex = this.#at;
    const match = numberPattern.exec(this.#text);
    if (match === null) {
      return this.#fail();
    }
    this.#at += match[0].length;
    const value = Number(match[0]);
    return Number.isSafeInteger(value) || match[1] !== undefined || match[2] !== undefined ? value : BigInt(match[0]);
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) {
      this.#fail();
    }
    this.#at += word.length;
    return value;
  }

  #space(): void {
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) {
        return;
      }
      this.#at += 1;
    }
  }

  #take(unit: number): boolean {
    const found = this.#text.charCodeAt(this.#at) === unit;
    this.#at += found ? 1 : 0;
    return found;
  }

  #expect(unit: number): void {
    if (!this.#take(unit)) {
      this.#fail();
    }
  }

  #fail(): never {
    const found = this.#at < this.#text.length ? JSON.stringify(this.#text.charAt(this.#at)) : "the end";
    throw new JsonSyntaxError(`${found} is not expected at character ${this.#at + 1}`);
  }
}
