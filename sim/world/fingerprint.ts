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
    this.#mix(value.length);
    for (let index = 0; index < value.length; index++) {
      this.#mix(value.charCodeAt(index));
    }
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
    const words = value.length & ~3;
    for (let index = 0; index < words; index += 4) {
      this.#mix(
        (value[index] as number) |
          ((value[index + 1] as number) << 8) |
          ((value[index + 2] as number) << 16) |
          ((value[index + 3] as number) << 24),
      );
    }
    for (let index = words; index < value.length; index++) {
      this.#mix(value[index] as number);
    }
  }

  /** Digest in hexadecimal: `5b1e77c0-9a410d2f`. */
  digest(): string {
    return `${finish(this.#a)}-${finish(this.#b ^ Math.imul(this.#a, 0x27d4eb2f))}`;
  }

  #mix(word: number): void {
    this.#a = Math.imul((this.#a ^ word) | 0, 0x01000193);
    this.#a ^= this.#a >>> 15;
    this.#b = (Math.imul(this.#b, 0x5bd1e995) + word) | 0;
    this.#b ^= this.#b << 13;
    this.#b ^= this.#b >>> 17;
  }
}

function finish(value: number): string {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  hash ^= hash >>> 16;
  return (hash >>> 0).toString(16).padStart(8, "0");
}
