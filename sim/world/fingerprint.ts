/**
 * A 64-bit running hash of everything that happened, in order. Equal runs have equal fingerprints on every machine.
 */

type NamedTexts = Readonly<Record<string, string | readonly string[]>>;

export class Fingerprint {
  #a = 0x9e3779b9 | 0;
  #b = 0x85ebca6b | 0;
  /** Receives the hashed bytes, to compare two runs whose digests differ. */
  onBytes: ((value: Uint8Array) => void) | undefined;
  onHeaders: ((headers: NamedTexts) => void) | undefined;

  number(value: number): void {
    const low = value | 0;
    const high = Math.floor(value / 2 ** 32) | 0;
    this.#mix(low);
    this.#mix(high);
  }

  text(value: string): void {
    const { length } = value;
    let a = mixA(this.#a, length);
    let b = mixB(this.#b, length);
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index);
      a = mixA(a, code);
      b = mixB(b, code);
    }
    this.#a = a;
    this.#b = b;
  }

  /** Adds header names and values in their order. */
  headers(headers: NamedTexts): void {
    this.onHeaders?.(headers);
    for (const [name, value] of Object.entries(headers)) {
      this.text(name);
      this.text(typeof value === "string" ? value : value.join("\n"));
    }
  }

  bytes(value: Uint8Array): void {
    this.onBytes?.(value);
    this.#mix(value.length);
    let a = this.#a;
    let b = this.#b;
    const words = value.length & ~3;
    for (let index = 0; index < words; index += 4) {
      const word =
        (value[index] as number) |
        ((value[index + 1] as number) << 8) |
        ((value[index + 2] as number) << 16) |
        ((value[index + 3] as number) << 24);
      a = mixA(a, word);
      b = mixB(b, word);
    }
    for (let index = words; index < value.length; index++) {
      a = mixA(a, value[index] as number);
      b = mixB(b, value[index] as number);
    }
    this.#a = a;
    this.#b = b;
  }

  /** Digest in hexadecimal: `5b1e77c0-9a410d2f`. */
  digest(): string {
    return `${finish(this.#a)}-${finish(this.#b ^ Math.imul(this.#a, 0x27d4eb2f))}`;
  }

  #mix(word: number): void {
    this.#a = mixA(this.#a, word);
    this.#b = mixB(this.#b, word);
  }
}

function mixA(a: number, word: number): number {
  const mixed = Math.imul((a ^ word) | 0, 0x01000193);
  return mixed ^ (mixed >>> 15);
}

function mixB(b: number, word: number): number {
  let mixed = (Math.imul(b, 0x5bd1e995) + word) | 0;
  mixed ^= mixed << 13;
  return mixed ^ (mixed >>> 17);
}

function finish(value: number): string {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  hash ^= hash >>> 16;
  return (hash >>> 0).toString(16).padStart(8, "0");
}
