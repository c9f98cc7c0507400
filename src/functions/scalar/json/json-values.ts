/**
 * JSON as Presto reads and writes it. The syntax is strict, integers of any length keep their digits, other numbers are doubles, and
 * nesting is bounded. A value of type json is text without spaces, with members sorted by name.
 */
import { type JsonForm, JsonSyntaxError, readJson, readJsonInSteps } from "../../../protocol/json.ts";
import { formatDouble } from "../../runtime/formats.ts";
import { elementsAtOnce, elementsPerStep, nodesOf } from "../../runtime/large/loops.ts";
import { type InSteps, sortInSteps } from "../../runtime/steps.ts";

/** A number with its source text. As in Jackson, an integer has neither point nor exponent. */
export class JsonNumber {
  constructor(readonly text: string) {}

  get isInteger(): boolean {
    return /^-?\d+$/.test(this.text);
  }
}

export type JsonValue = null | boolean | string | JsonNumber | readonly JsonValue[] | JsonObject;
export type JsonObject = ReadonlyMap<string, JsonValue>;

export function isJsonArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function isJsonObject(value: JsonValue): value is JsonObject {
  return value instanceof Map;
}

/** Code units of a document that is read at once, and those that take as long as a step. */
const shortTextUnits = 16_384;
const unitsPerStep = 16;

const exactForm: JsonForm<JsonValue, Map<string, JsonValue>> = Object.freeze({
  number: (text: string) => new JsonNumber(text),
  array: (elements: JsonValue[]) => elements,
  plain: (value: null | boolean | string) => value,
  object: () => new Map<string, JsonValue>(),
  setMember: (object: Map<string, JsonValue>, name: string, value: JsonValue) => {
    object.set(name, value);
  },
});

/** Undefined if the text is not a JSON document or is nested too deeply. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return readJson(text, exactForm);
  } catch (error) {
    if (error instanceof JsonSyntaxError) {
      return undefined;
    }
    throw error;
  }
}

/** As parseJson; yields the steps since the last time. */
export function* parseJsonInSteps(text: string): InSteps<JsonValue | undefined> {
  if (text.length <= shortTextUnits) {
    return parseJson(text);
  }
  const reading = readJsonInSteps(text, exactForm);
  try {
    for (;;) {
      const next = reading.next();
      if (next.done === true) {
        return next.value;
      }
      yield Math.ceil(next.value / unitsPerStep);
    }
  } catch (error) {
    if (error instanceof JsonSyntaxError) {
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

/** Quotes a string and escapes only what JSON requires. */
export function quoteJson(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const escaped = text.replace(/["\\\u0000-\u001f]/g, (unit) => {
    return shortEscapes[unit] ?? `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
  });
  return `"${escaped}"`;
}

/** Java's text of the double; NaN and infinities are quoted, since JSON has no numbers for them. */
export function jsonOfDouble(value: number): string {
  return Number.isFinite(value) ? formatDouble(value) : `"${formatDouble(value)}"`;
}

function numberOf(value: JsonNumber): string {
  return value.isInteger ? (value.text === "-0" ? "0" : value.text) : jsonOfDouble(Number(value.text));
}

/** Canonical text: no spaces, members sorted by name in Java's string order. */
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

/** What is left of a number of nodes after those of the value. */
function nodesLeft(value: JsonValue, before: number): number {
  let left = before - 1;
  if (value === null || typeof value !== "object" || value instanceof JsonNumber) {
    return left;
  }
  for (const inner of isJsonArray(value) ? value : (value as JsonObject).values()) {
    if (left <= 0) {
      break;
    }
    left = nodesLeft(inner, left);
  }
  return left;
}

/** Whether making a text or a value of it takes much longer than a call of a function. */
export function isLargeJson(value: JsonValue): boolean {
  return nodesLeft(value, elementsAtOnce) <= 0;
}

/** As formatJson; yields the steps since the last time. */
export function* formatJsonInSteps(value: JsonValue, order: "names" | "given" = "names"): InSteps<string> {
  if (!isLargeJson(value)) {
    return formatJson(value, order);
  }
  const parts: string[] = [];
  if (isJsonArray(value)) {
    for (const element of value) {
      parts.push(isLargeJson(element) ? yield* formatJsonInSteps(element, order) : formatJson(element, order));
      if (parts.length % elementsAtOnce === 0) {
        yield elementsAtOnce / elementsPerStep;
      }
    }
    return `[${parts.join(",")}]`;
  }
  const given = [...(value as JsonObject)];
  const members =
    order === "given"
      ? given
      : yield* sortInSteps(
          given,
          ([a], [b]) => (a < b ? -1 : a > b ? 1 : 0),
          ([name]) => nodesOf(name),
        );
  for (const [name, member] of members) {
    const text = isLargeJson(member) ? yield* formatJsonInSteps(member, order) : formatJson(member, order);
    parts.push(`${quoteJson(name)}:${text}`);
    if (parts.length % elementsAtOnce === 0) {
      yield elementsAtOnce / elementsPerStep;
    }
  }
  return `{${parts.join(",")}}`;
}

/** Text of a scalar: strings without quotes, numbers as written. Undefined for other values. */
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
 * Parses a path as Presto's JsonPathTokenizer does: `$`, then `.name`, `["name"]`, `[name]` or `[0]`, without wildcards. Undefined if the
 * path is invalid.
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

/** The value at a path; undefined if there is none. */
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
