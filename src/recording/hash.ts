/**
 * A 32-bit hash of bytes, four words at a time; it only detects different contents. Defined on values, so it is the same on every machine.
 */
export function hashBytes(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const blocks = bytes.length & ~15;
  let a = 0x9e3779b9 | 0;
  let b = 0x85ebca6b | 0;
  let c = 0xc2b2ae35 | 0;
  let d = bytes.length | 0;
  for (let at = 0; at < blocks; at += 16) {
    a = Math.imul(a ^ view.getInt32(at, true), 0x01000193);
    b = Math.imul(b ^ view.getInt32(at + 4, true), 0x5bd1e995);
    c = Math.imul(c ^ view.getInt32(at + 8, true), 0x27d4eb2f);
    d = Math.imul(d ^ view.getInt32(at + 12, true), 0x165667b1);
    a ^= a >>> 15;
    b ^= b >>> 13;
    c ^= c >>> 14;
    d ^= d >>> 16;
  }
  for (let at = blocks; at < bytes.length; at++) {
    a = Math.imul(a ^ (bytes[at] as number), 0x01000193);
    a ^= a >>> 15;
  }
  return finish(a ^ Math.imul(b, 0x27d4eb2f) ^ Math.imul(c, 0x5bd1e995) ^ Math.imul(d, 0x165667b1));
}

function finish(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
