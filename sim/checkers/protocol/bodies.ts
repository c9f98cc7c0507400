/**
 * Message bodies, decoded and parsed once for all oracles.
 */
import { type JsonValue, mayHaveWideInteger, parseJson } from "../../../src/protocol/json.ts";
import { decodeUtf8 } from "../../../src/types/utf8.ts";

export interface Body {
  /** Text of the body. */
  text(): string;
  /** The body as plain JSON. Integers beyond 2^53 are inexact. */
  json(): unknown;
  /** The body as JSON with integers beyond 2^53 as bigints. */
  exactJson(): JsonValue;
}

/** Number of recently read bodies that are kept; all oracles receive a message within one event. */
const keptMax = 8;
const kept: { readonly bytes: Uint8Array; readonly body: Body }[] = [];

/** Callers must not change the returned body. */
export function readBody(bytes: Uint8Array): Body {
  for (const one of kept) {
    if (one.bytes === bytes) {
      return one.body;
    }
  }
  const body = bodyOf(bytes);
  kept.unshift({ bytes, body });
  if (kept.length > keptMax) {
    kept.pop();
  }
  return body;
}

function bodyOf(bytes: Uint8Array): Body {
  let decoded: string | undefined;
  let parsed: { readonly value: unknown } | undefined;
  let exact: { readonly value: JsonValue } | undefined;
  const text = (): string => (decoded ??= decodeUtf8(bytes));
  const json = (): unknown => (parsed ??= { value: JSON.parse(text()) as unknown }).value;
  return {
    text,
    json,
    exactJson: () => (exact ??= { value: mayHaveWideInteger(text()) ? parseJson(text()) : (json() as JsonValue) }).value,
  };
}
