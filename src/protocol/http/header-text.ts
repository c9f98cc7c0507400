/**
 * Names as the value of a header, where the protocol knows no `%xx`: users, catalogs, schemas, paths. Headers are bytes, which platforms hand over as one
 * character each. Text beyond ASCII goes out as the bytes of its UTF-8; a client that sends back what it was told sends the same bytes.
 */
import { decodeUtf8, encodeUtf8 } from "../../types/utf8.ts";

/** Control characters would end the header or be refused by the platform. */
export function isHeaderText(text: string): boolean {
  return !/\p{Cc}/u.test(text);
}

export function encodeHeaderText(text: string): string {
  return Array.from(encodeUtf8(text), (byte) => String.fromCharCode(byte)).join("");
}

/** Bytes that are no UTF-8 are taken as Latin-1, as older clients send it. */
export function decodeHeaderText(value: string): string {
  if (!/[\u0080-\u00ff]/.test(value) || /[\u0100-\uffff]/.test(value)) {
    return value;
  }
  const text = decodeUtf8(Uint8Array.from(value, (character) => character.charCodeAt(0)));
  return encodeHeaderText(text) === value ? text : value;
}
