/**
 * Marks of blocks in a program that was bundled with `MARK(n)` calls: which blocks ran since a point in time.
 */

/** Enough for the blocks of all rooms. */
export const marksMax = 65_536;

/** The array that `MARK` writes to, which the program's banner creates. */
const marked = (globalThis as unknown as { orreryMarks?: Uint8Array }).orreryMarks ?? new Uint8Array(0);

export class Marks {
  /** Blocks that ran as the modules were loaded. What they computed is used by every run. */
  readonly #loaded = marked.slice();

  /** Whether the program has marks. A program without marks sets none, not even while it is loaded. */
  get isUsed(): boolean {
    return this.#loaded.includes(1);
  }

  begin(): void {
    marked.set(this.#loaded);
  }

  /** Bits in base64. */
  end(): string {
    const last = marked.lastIndexOf(1);
    const bits = new Uint8Array((last >>> 3) + 1);
    for (let index = 0; index <= last; index++) {
      bits[index >>> 3] = (bits[index >>> 3] ?? 0) | ((marked[index] ?? 0) << (index & 7));
    }
    return Buffer.from(bits).toString("base64");
  }
}

/** Whether block `index` is among the marks that `end` returned. */
export function hasMark(bits: Uint8Array, index: number): boolean {
  return (((bits[index >>> 3] ?? 0) >>> (index & 7)) & 1) === 1;
}
