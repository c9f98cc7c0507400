/** The array, or a copy that holds `length` words and has room for more. */
export function growWords(words: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  if (length <= words.length) {
    return words;
  }
  const grown = new Int32Array(Math.max(64, words.length * 2, length));
  grown.set(words);
  return grown;
}

export function growBytes(bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  if (length <= bytes.length) {
    return bytes;
  }
  const grown = new Uint8Array(Math.max(256, bytes.length * 2, length));
  grown.set(bytes);
  return grown;
}
