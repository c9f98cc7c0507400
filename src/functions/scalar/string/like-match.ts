/**
 * Reference implementation of a LIKE program (like.ts) in TypeScript, for patterns that are not constant and for tests.
 */

import { encodeUtf8 } from "../../../types/utf8.ts";
const anyPoint = 0xff;

function pointBytes(first: number): number {
  return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
}

/** Position after the segment, or -1 if it does not match here. */
function matchHere(text: Uint8Array, from: number, segment: Uint8Array): number {
  let at = from;
  for (const wanted of segment) {
    const byte = text[at];
    if (byte === undefined || (wanted !== anyPoint && wanted !== byte)) {
      return -1;
    }
    at += wanted === anyPoint ? pointBytes(byte) : 1;
  }
  return at;
}

export function matchLike(value: string, program: Uint8Array): boolean {
  const text = encodeUtf8(value);
  const view = new DataView(program.buffer, program.byteOffset);
  const count = view.getUint32(0, true);
  const [anchoredStart, anchoredEnd] = [view.getUint32(4, true) === 1, view.getUint32(8, true) === 1];
  let at = 0;
  for (let index = 0; index < count; index++) {
    const offset = view.getUint32(16 + 16 * index, true);
    const segment = program.subarray(offset, offset + view.getUint32(20 + 16 * index, true));
    const isLast = index === count - 1 && anchoredEnd;
    let behind = -1;
    for (let from = at; from <= text.length; from++) {
      const startsPoint = from === text.length || ((text[from] as number) & 0xc0) !== 0x80;
      behind = startsPoint ? matchHere(text, from, segment) : -1;
      if (behind >= 0 && (!isLast || behind === text.length)) {
        break;
      }
      behind = -1;
      if (index === 0 && anchoredStart) {
        break;
      }
    }
    if (behind < 0) {
      return false;
    }
    at = behind;
  }
  return true;
}
