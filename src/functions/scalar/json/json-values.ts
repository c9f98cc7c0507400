/**
 * JSON as Presto's engine reads and writes it: strict, whole numbers of any length kept digit by digit, others as doubles; nesting is bounded. A value of type json
 * is text without spaces whose members stand in the order of their names. Called by the functions and casts of JSON.
 */
import { formatDouble } from "../../runtime/formats.ts";

/** A number as it is written: Jackson's notion of an integer has neither point nor exponent. */
export class JsonNumber {
  constructor(readonly text: string) {}

  get isInteger(): boolean {
    return /^-?\d+$/.test(this.text);
  }
}

export type JsonValue = null | boolean | string | JsonNumber | readonly JsonValue[] | JsonObject;
export type JsonObject = ReadonlyMap<string, JsonValue>;

/** Deeper documents are refused: reading and writing recurse. */
export const jsonDepthMax = 1000;

export function isJsonArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function isJsonObject(value: JsonValue): value is JsonObject {
  return value instanceof Map;
}

const numberText = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const spaceText = /[ \t\r\n]*/y;
// What stands in a string without a backslash.
// oxlint-disable-next-line no-control-regex
const plainText = /[^"\\\u0000-\u001f]*/y;
const escapes: Readonly<Record<string, string>> = Object.freeze({
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
});

class Malformed extends Error {}

class Reader {
  #at = 0;

  constructor(private readonly text: string) {}

  document(): JsonValue {
    const value = this.#value(0);
    this.#match(spaceText);
    if (this.#at < this.text.length) {
      throw new Malformed();
    }
    return value;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #accept(text: string): boolean {
    const found = this.text.startsWith(text, this.#at);
    this.#at += found ? text.length : 0;
    return found;
  }

  #expect(text: string): void {
    if (!this.#accept(text)) {
      throw new Malformed();
    }
  }

  #value(depth: number): JsonValue {
    if (depth > jsonDepthMax) {
      throw new Malformed();
    }
    this.#match(spaceText);
    switch (this.text[this.#at]) {
      case "{":
        return this.#object(depth);
      case "[":
        return this.#array(depth);
      case '"':
        return this.#string();
      case "t":
        this.#expect("true");
        return true;
      case "f":
        this.#expect("false");
        return false;
      case "n":
        this.#expect("null");
        return null;
      default: {
        const number = this.#match(numberText);
        if (number === undefined) {
          throw new Malformed();
        }
        return new JsonNumber(number);
      }
    }
  }

  /** Of members of one name the last counts. */
  #object(depth: number): JsonObject {
    const members = new Map<string, JsonValue>();
    this.#expect("{");
    this.#match(spaceText);
    if (this.#accept("}")) {
      return members;
    }
    do {
      this.#match(spaceText);
      const name = this.#string();
      this.#match(spaceText);
      this.#expect(":");
      members.set(name, this.#value(depth + 1));
      this.#match(spaceText);
    } while (this.#accept(","));
    this.#expect("}");
    return members;
  }

  #array(depth: number): readonly JsonValue[] {
    const elements: JsonValue[] = [];
    this.#expect("[");
    this.#match(spaceText);
    if (this.#accept("]")) {
      return elements;
    }
    do {
      elements.push(this.#value(depth + 1));
      this.#match(spaceText);
    } while (this.#accept(","));
    this.#expect("]");
    return elements;
  }

  #string(): string {
    this.#expect('"');
    let value = "";
    for (;;) {
      value += this.#match(plainText) ?? "";
      if (this.#accept('"')) {
        return value;
      }
      this.#expect("\\");
      value += this.#escape();
    }
  }

  #escape(): string {
    const letter = this.text[this.#at] ?? "";
    this.#at++;
    if (letter === "u") {
      const digits = this.text.slice(this.#at, this.#at + 4);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) {
        throw new Malformed();
      }
      this.#at += 4;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const plain = escapes[letter];
    if (plain === undefined) {
      throw new Malformed();
    }
    return plain;
  }
}

/** Undefined when the text is no JSON document, or one that is nested too deep. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return new Reader(text).document();
  } catch (error) {
    if (error instanceof Malformed) {
      return undefined;
    }
    throw error;
  }
}

const shortEscapes: Readonly<Record<string, string>> = Object.freeze({
  '"': '\\"',
  "\\": "\\\\",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
});

/** In quotes. Only what must be is escaped. */
export function quoteJson(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const escaped = text.replace(/["\\\u0000-\u001f]/g, (unit) => {
    return shortEscapes[unit] ?? `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
  });
  return `"${escaped}"`;
}

/** As Java prints doubles; what is no number of JSON in quotes. */
export function jsonOfDouble(value: number): string {
  return Number.isFinite(value) ? formatDouble(value) : `"${formatDouble(value)}"`;
}

function numberOf(value: JsonNumber): string {
  return value.isInteger ? (value.text === "-0" ? "0" : value.text) : jsonOfDouble(Number(value.text));
}

/** Canonical: no spaces, members in the order of their names (as Java orders strings). */
export function formatJson(value: JsonValue, order: "names" | "given" = "names"): string {
  if (value === null || typeof value === "boolean") {
    return String(value);
  }
  if (typeof value === "string") {
    return quoteJson(value);
  }
  if (value instanceof JsonNumber) {
    return numberOf(value);
  }
  if (isJsonArray(value)) {
    return `[${value.map((element) => formatJson(element, order)).join(",")}]`;
  }
  const members = [...(value as JsonObject)];
  if (order === "names") {
    members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  }
  return `{${members.map(([name, member]) => `${quoteJson(name)}:${formatJson(member, order)}`).join(",")}}`;
}

/** Text of a scalar, and undefined of others: strings without quotes, numbers as they are written. */
export function scalarText(value: JsonValue): string | undefined {
  if (typeof value === "string") {
    return value;
  }
  if (typeof value === "boolean") {
    return String(value);
  }
  return value instanceof JsonNumber ? value.text : undefined;
}

/**
 * A path as Presto's JsonPathTokenizer takes it apart: `$`, then `.name`, `["name"]`, `[name]` or `[0]`; there are no wildcards. Undefined when it is none.
 */
export function parseJsonPath(path: string): readonly string[] | undefined {
  if (!path.startsWith("$")) {
    return undefined;
  }
  const step = /\.([\p{L}\p{Nd}_:-]+)|\[([\p{L}\p{Nd}_-]+)\]|\["((?:[^"\\]|\\["\\])*)"\]/uy;
  const steps: string[] = [];
  step.lastIndex = 1;
  while (step.lastIndex < path.length) {
    const found = step.exec(path);
    if (found === null) {
      return undefined;
    }
    steps.push(found[1] ?? found[2] ?? (found[3] as string).replace(/\\(["\\])/g, "$1"));
  }
  return steps;
}

/** What a path leads to; undefined when it leads nowhere. */
export function follow(value: JsonValue, path: readonly string[]): JsonValue | undefined {
  let at: JsonValue | undefined = value;
  for (const step of path) {
    if (at === undefined) {
      return undefined;
    }
    at = isJsonObject(at) ? at.get(step) : isJsonArray(at) && /^\d{1,9}$/.test(step) ? at[Number(step)] : undefined;
  }
  return at;
}
