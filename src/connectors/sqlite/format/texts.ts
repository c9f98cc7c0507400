/** Texts of a database, which are all in its encoding. */
import { decodeUtf8, encodeUtf8 } from "../../../types/utf8.ts";
import type { TextEncoding } from "./database-header.ts";

const unitsAtOnce = 4096;

export function decodeText(
  bytes: Uint8Array,
  start: number,
  { end, encoding }: { readonly end: number; readonly encoding: TextEncoding },
): string {
  if (encoding === "utf-8") {
    return decodeUtf8(bytes, start, end);
  }
  const [high, low] = encoding === "utf-16be" ? [0, 1] : [1, 0];
  const parts: string[] = [];
  for (let at = start; at + 1 < end; at += unitsAtOnce * 2) {
    const units: number[] = [];
    for (let unit = at; unit + 1 < end && unit < at + unitsAtOnce * 2; unit += 2) {
      units.push(((bytes[unit + high] ?? 0) << 8) | (bytes[unit + low] ?? 0));
    }
    parts.push(String.fromCharCode(...units));
  }
  return parts.join("");
}

/** Whether all bytes are those of ASCII. */
export function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if ((bytes[at] as number) >= 0x80) {
      return false;
    }
  }
  return true;
}

/** The text, if the bytes are UTF-8. */
export function exactUtf8(bytes: Uint8Array, start: number, end: number): string | undefined {
  const text = decodeUtf8(bytes, start, end);
  return text.includes("\ufffd") && !isSame(encodeUtf8(text), bytes.subarray(start, end)) ? undefined : text;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
