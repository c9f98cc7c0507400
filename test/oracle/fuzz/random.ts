/** A small generator of its own (xorshift32), so that a seed means the same statements on every platform and for years. */
export class Random {
  #state: number;

  constructor(seed: number, stream = 0) {
    this.#state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b)) | 1;
    for (let round = 0; round < 8; round++) {
      this.#next();
    }
  }

  #next(): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x;
    return x >>> 0;
  }

  /** From 0 to below `bound`. */
  below(bound: number): number {
    return this.#next() % bound;
  }

  /** True in `percent` of the cases. */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  shuffle<T>(items: readonly T[]): T[] {
    const left = [...items];
    const out: T[] = [];
    while (left.length > 0) {
      out.push(...left.splice(this.below(left.length), 1));
    }
    return out;
  }
}
