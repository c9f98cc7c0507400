/**
 * The random streams of the TPC's dsdgen: one Lehmer stream for each generated column, with a fixed number of draws per row. Any row can be
 * reached by modular exponentiation. A row that uses fewer draws skips the rest.
 */
import { jumpFactor, modulus, multiplySeeds, nextSeed } from "../shared/lehmer.ts";

const firstSeed = 19620718;
/** Distance between the streams of adjacent columns: the seeds divided by 799 columns. */
const seedsPerStream = 2687714;

export class RowStream {
  readonly #initialSeed: number;
  readonly #drawsPerRow: number;
  readonly #rowFactor: number;
  #row = 1;
  #rowSeed: number;
  #seed: number;
  #drawn = 0;

  constructor(column: number, drawsPerRow: number) {
    this.#initialSeed = firstSeed + column * seedsPerStream;
    this.#drawsPerRow = drawsPerRow;
    this.#rowFactor = jumpFactor(drawsPerRow);
    this.#rowSeed = this.#initialSeed;
    this.#seed = this.#initialSeed;
  }

  /** Moves to the given draw of a row (1-based). Rows ascend, and draws of a row ascend. */
  at(row: number, draw = 0): this {
    if (row !== this.#row) {
      this.#moveTo(row);
    }
    while (this.#drawn < draw) {
      this.next();
    }
    return this;
  }

  next(): number {
    this.#drawn++;
    return (this.#seed = nextSeed(this.#seed));
  }

  /** Uniform in [low, high]. */
  uniform(low: number, high: number): number {
    return low + (this.next() % (high - low + 1));
  }

  #moveTo(row: number): void {
    if (row !== this.#row + 1) {
      // Reduced first, so that the product stays below 2^53 at every scale.
      this.#rowSeed = multiplySeeds(this.#initialSeed, jumpFactor(((row - 1) % (modulus - 1)) * this.#drawsPerRow));
    } else if (this.#drawn > this.#drawsPerRow) {
      // As in dsdgen: if a row used more than its draws, the next row continues after it.
      this.#rowSeed = this.#seed;
    } else {
      this.#rowSeed = multiplySeeds(this.#rowSeed, this.#rowFactor);
    }
    this.#row = row;
    this.#seed = this.#rowSeed;
    this.#drawn = 0;
  }
}
