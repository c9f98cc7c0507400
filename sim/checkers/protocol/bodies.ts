/** Bodies that cross the network, decoded and parsed once, however many oracles read them. */
import { type JsonValue, mayHaveWideInteger, parseJson } from "../../../src/protocol/json.ts";
import { decodeUtf8 } from "../../../src/types/utf8.ts";

export interface Body {
  /** Decoded once. */
  text(): string;
  /** As plain JSON, parsed once: whole numbers beyond 2^53 are not exact. */
  json(): unknown;
  /** As JSON with whole numbers beyond 2^53 as bigints, parsed once. */
  exactJson(): JsonValue;
}

/** Those read last: all oracles are told of a message in one event. */
const keptMax = 8;
const kept: { readonly bytes: Uint8Array; readonly body: Body }[] = [];

/** Nobody changes what it gives. */
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
