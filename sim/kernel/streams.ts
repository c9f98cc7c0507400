/**
 * A tree of random streams, one per decision site. A stream is found by its path (`net/link(w1->c)/delay`), so a site that is switched off
 * leaves every other draw in place. Integers only: probabilities are ratios, times are nanoseconds.
 */
import seedrandom from "seedrandom";
import type { Random } from "../../src/ports/random.ts";
import { RandomDraws } from "./draws.ts";
import { NamedDraws } from "./named-draws.ts";

export class Stream extends RandomDraws {
  constructor(seed: string) {
    const generator = seedrandom.xor128(seed);
    super(() => generator.int32() >>> 0);
  }
}

export class StreamTree {
  readonly #path: string;
  readonly #known: Map<string, Stream>;

  private constructor(path: string, known: Map<string, Stream>) {
    this.#path = path;
    this.#known = known;
  }

  static root(seed: string): StreamTree {
    return new StreamTree(`orrery/${seed}`, new Map());
  }

  /** Draws by name instead of by position. */
  named(name: string): NamedDraws {
    return new NamedDraws(`${this.#path}/${name}`);
  }

  child(name: string): StreamTree {
    return new StreamTree(`${this.#path}/${name}`, this.#known);
  }

  /** The same path gives the same stream object, so draws go on where they were. */
  stream(name: string): Stream {
    const path = `${this.#path}/${name}`;
    const known = this.#known.get(path);
    if (known !== undefined) {
      return known;
    }
    const stream = new Stream(path);
    this.#known.set(path, stream);
    return stream;
  }

  /** As the Random port of a node. */
  asRandom(): Random {
    return { stream: (name) => this.stream(name) };
  }
}
