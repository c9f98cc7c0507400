/**
 * Names as header values where the protocol does not use `%xx`: users, catalogs, schemas, paths. Headers are bytes, which platforms
 * represent as one character each. Non-ASCII text is sent as its UTF-8 bytes; a client that echoes the value sends the same bytes.
 */
import { decodeUtf8, encodeUtf8 } from "../../types/utf8.ts";

/** Control characters would end the header, or the platform would reject them. */
export function isHeaderText(text: string): boolean {
  return !/\p{Cc}/u.test(text);
}

export function encodeHeaderText(text: string): string {
  return Array.from(encodeUtf8(text), (byte) => String.fromCharCode(byte)).join("");
}

/** Bytes that are not valid UTF-8 are read as Latin-1, as older clients send them. */
export function decodeHeaderText(value: string): string {
  if (!/[\u0080-\u00ff]/.test(value) || /[\u0100-\uffff]/.test(value)) {
    return value;
  }
  const text = decodeUtf8(Uint8Array.from(value, (character) => character.charCodeAt(0)));
  return encodeHeaderText(text) === value ? text : value;
}
