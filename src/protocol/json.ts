/**
 * JSON that keeps 64-bit integers exact both ways: a bigint is written as bare digits, and an integer beyond 2^53 is read as a bigint.
 * Everything else is as JSON.parse and JSON.stringify do it, and they do the work whenever no such integer is about. Linear in the length
 * of the text. `readJson` is the reader alone, for those who make other values of numbers and objects.
 */

/** Parsed JSON from an external source. */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | { [key: string]: JsonValue };

/** Maximum nesting of arrays and objects; deeper input is refused before it overflows the stack. */
export const jsonDepthMax = 1000;
/** Shorter integers are exact as numbers. */
const wideDigits = 16;

export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
}

/** Whether JSON.parse may read a number of the text in another way than parseJson. */
export function mayHaveWideInteger(text: string): boolean {
  // Of 16 successive characters one has such an index, and most of these are no digits.
  for (let index = wideDigits - 1; index < text.length; index += wideDigits) {
    if (isDigit(text.charCodeAt(index)) && isInWideInteger(text, index)) {
      return true;
    }
  }
  return false;
}

function isInWideInteger(text: string, index: number): boolean {
  let [first, end] = [index, index + 1];
  while (first > 0 && isDigit(text.charCodeAt(first - 1))) {
    first--;
  }
  while (end < text.length && end - first < wideDigits && isDigit(text.charCodeAt(end))) {
    end++;
  }
  return end - first >= wideDigits;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

export function parseJson(text: string): JsonValue {
  if (!mayHaveWideInteger(text)) {
    try {
      return JSON.parse(text) as JsonValue;
    } catch {
      // Parsed again below, to produce a message that is the same on every platform.
    }
  }
  return readJson(text, plainForm);
}

/** What a reader makes of numbers and objects. Of members of one name the last counts. */
export interface JsonForm<Value, Container extends Value> {
  /** As it is written. */
  number(text: string): Value;
  array(elements: Value[]): Value;
  plain(value: null | boolean | string): Value;
  object(): Container;
  setMember(object: Container, name: string, value: Value): void;
}

/** Throws JsonSyntaxError for a text that is no JSON document, or one that is nested too deep. */
export function readJson<Value, Container extends Value>(text: string, form: JsonForm<Value, Container>): Value {
  return new Reader(text, form).document();
}

/** As readJson; yields now and then, with the number of characters read since the last time. */
export function readJsonInSteps<Value, Container extends Value>(
  text: string,
  form: JsonForm<Value, Container>,
): Generator<number, Value, unknown> {
  return new Reader(text, form).documentInSteps();
}

type PlainObject = { [key: string]: JsonValue };

const plainForm: JsonForm<JsonValue, PlainObject> = Object.freeze({
  number: (text: string) => {
    const value = Number(text);
    return text.length < wideDigits || Number.isSafeInteger(value) || !/^-?\d+$/.test(text) ? value : BigInt(text);
  },
  array: (elements: JsonValue[]) => elements,
  plain: (value: null | boolean | string) => value,
  object: () => ({}),
  setMember: (object: PlainObject, name: string, value: JsonValue) => {
    if (name === "__proto__") {
      // An assignment to `__proto__` would set the prototype instead of a member.
      Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
    } else {
      object[name] = value;
    }
  },
});

/** Members that are undefined are omitted. `indent` is the number of spaces per level; 0 writes one line. */
export function stringifyJson(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    // JSON.stringify throws for a bigint; any other error is final.
    if (!hasBigint(value, 0)) {
      throw error;
    }
  }
  if (indent === 0) {
    return compact(value);
  }
  const parts: string[] = [];
  write(value, parts, "\n", " ".repeat(indent));
  return parts.join("");
}

/** One line. Values that JSON does not have are null within arrays, as JSON.stringify writes them. */
function compact(value: unknown): string {
  if (typeof value === "string") {
    return quoted(value);
  }
  if (typeof value !== "object" || value === null) {
    return typeof value === "bigint" ? String(value) : (JSON.stringify(value) ?? "null");
  }
  let text = "";
  if (Array.isArray(value)) {
    for (const element of value) {
      text += text === "" ? compact(element) : `,${compact(element)}`;
    }
    return `[${text}]`;
  }
  for (const key of Object.keys(value)) {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    if (member !== undefined) {
      text += text === "" ? `${quoted(key)}:${compact(member)}` : `,${quoted(key)}:${compact(member)}`;
    }
  }
  return `{${text}}`;
}

/** JSON.stringify escapes quotes, backslashes, control characters and lone surrogates. */
function quoted(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return /["\\\u0000-\u001f\ud800-\udfff]/.test(text) ? JSON.stringify(text) : `"${text}"`;
}

function hasBigint(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) {
    return typeof value === "bigint";
  }
  if (depth > jsonDepthMax) {
    throw new JsonSyntaxError(`JSON is nested more than ${jsonDepthMax} levels deep`);
  }
  if (Array.isArray(value)) {
    return value.some((element) => hasBigint(element, depth + 1));
  }
  return Object.values(value).some((member) => hasBigint(member, depth + 1));
}

/** `newline` is a line break with the indentation of this level; empty if written on one line. */
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

/** Characters that are read between two yields. */
const charactersAtOnce = 16_384;

class Reader<Value, Container extends Value> {
  readonly #text: string;
  readonly #form: JsonForm<Value, Container>;
  readonly #number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
  /** What stands in a string without a backslash. */
  // oxlint-disable-next-line no-control-regex
  readonly #plain = /[^"\\\u0000-\u001f]*/y;
  #at = 0;
  #pausedAt = 0;

  constructor(text: string, form: JsonForm<Value, Container>) {
    this.#text = text;
    this.#form = form;
  }

  document(): Value {
    const value = this.#value(0);
    this.#space();
    if (this.#at < this.#text.length) {
      this.#fail();
    }
    return value;
  }

  *documentInSteps(): Generator<number, Value, unknown> {
    const value = yield* this.#valueInSteps(0);
    this.#space();
    if (this.#at < this.#text.length) {
      this.#fail();
    }
    return value;
  }

  *#valueInSteps(depth: number): Generator<number, Value, unknown> {
    this.#space();
    const unit = this.#text.charCodeAt(this.#at);
    if ((unit !== 0x7b && unit !== 0x5b) || depth > jsonDepthMax) {
      return this.#value(depth);
    }
    return unit === 0x7b ? yield* this.#objectInSteps(depth) : yield* this.#arrayInSteps(depth);
  }

  *#objectInSteps(depth: number): Generator<number, Value, unknown> {
    const object = this.#form.object();
    this.#at += 1;
    this.#space();
    if (this.#take(0x7d)) {
      return object;
    }
    do {
      const key = this.#key();
      this.#form.setMember(object, key, this.#startsContainer() ? yield* this.#valueInSteps(depth + 1) : this.#value(depth + 1));
      this.#space();
      if (this.#isPauseDue()) {
        yield this.#takeRead();
      }
    } while (this.#take(0x2c));
    this.#expect(0x7d);
    return object;
  }

  *#arrayInSteps(depth: number): Generator<number, Value, unknown> {
    const array: Value[] = [];
    this.#at += 1;
    this.#space();
    if (this.#take(0x5d)) {
      return this.#form.array(array);
    }
    do {
      array.push(this.#startsContainer() ? yield* this.#valueInSteps(depth + 1) : this.#value(depth + 1));
      this.#space();
      if (this.#isPauseDue()) {
        yield this.#takeRead();
      }
    } while (this.#take(0x2c));
    this.#expect(0x5d);
    return this.#form.array(array);
  }

  #startsContainer(): boolean {
    this.#space();
    const unit = this.#text.charCodeAt(this.#at);
    return unit === 0x7b || unit === 0x5b;
  }

  #isPauseDue(): boolean {
    return this.#at - this.#pausedAt >= charactersAtOnce;
  }

  #takeRead(): number {
    const read = this.#at - this.#pausedAt;
    this.#pausedAt = this.#at;
    return read;
  }

  #value(depth: number): Value {
    this.#space();
    if (depth > jsonDepthMax) {
      throw new JsonSyntaxError(`JSON is nested more than ${jsonDepthMax} levels deep`);
    }
    switch (this.#text.charCodeAt(this.#at)) {
      case 0x7b:
        return this.#object(depth);
      case 0x5b:
        return this.#array(depth);
      case 0x22:
        return this.#form.plain(this.#string());
      case 0x74:
        return this.#word("true", true);
      case 0x66:
        return this.#word("false", false);
      case 0x6e:
        return this.#word("null", null);
      default:
        return this.#form.number(this.#numberText());
    }
  }

  #object(depth: number): Value {
    const object = this.#form.object();
    this.#at += 1;
    this.#space();
    if (this.#take(0x7d)) {
      return object;
    }
    do {
      this.#form.setMember(object, this.#key(), this.#value(depth + 1));
      this.#space();
    } while (this.#take(0x2c));
    this.#expect(0x7d);
    return object;
  }

  #array(depth: number): Value {
    const array: Value[] = [];
    this.#at += 1;
    this.#space();
    if (this.#take(0x5d)) {
      return this.#form.array(array);
    }
    do {
      array.push(this.#value(depth + 1));
      this.#space();
    } while (this.#take(0x2c));
    this.#expect(0x5d);
    return this.#form.array(array);
  }

  /** Reads a name and the colon after it. */
  #key(): string {
    this.#space();
    if (this.#text.charCodeAt(this.#at) !== 0x22) {
      this.#fail();
    }
    const key = this.#string();
    this.#space();
    this.#expect(0x3a);
    return key;
  }

  /** Finds the closing quote and leaves escapes and their errors to JSON.parse. */
  #string(): string {
    const start = this.#at;
    let escaped = false;
    for (let at = start + 1; at < this.#text.length; at += 2) {
      this.#plain.lastIndex = at;
      this.#plain.test(this.#text);
      at = this.#plain.lastIndex;
      const unit = this.#text.charCodeAt(at);
      if (unit === 0x22) {
        this.#at = at + 1;
        return escaped ? this.#unescape(start) : this.#text.slice(start + 1, at);
      }
      if (unit !== 0x5c) {
        this.#at = at;
        return this.#fail();
      }
      escaped = true;
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

  #numberText(): string {
    const start = this.#at;
    this.#number.lastIndex = start;
    if (!this.#number.test(this.#text)) {
      return this.#fail();
    }
    this.#at = this.#number.lastIndex;
    return this.#text.slice(start, this.#at);
  }

  #word(word: string, value: null | boolean): Value {
    if (!this.#text.startsWith(word, this.#at)) {
      this.#fail();
    }
    this.#at += word.length;
    return this.#form.plain(value);
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
