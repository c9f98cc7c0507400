/**
 * A tree of random streams, one per decision site. A stream is found by its path (`net/link(w1->c)/delay`), so a site that is switched off
 * leaves every other draw in place. Integers only: probabilities are ratios, times are nanoseconds.
 */
import seedrandom from "seedrandom";
import type { Random } from "../../src/ports/random.ts";
import { type Draw, type DrawLog, RandomDraws } from "./draws.ts";
import { NamedDraws } from "./named-draws.ts";

/** Where a stream's numbers come from; another source may take its place. */
interface Source {
  generator: { int32(): number };
}

export class Stream extends RandomDraws {
  readonly #source: Source;

  constructor(seed: string, told?: { readonly log: DrawLog; readonly site: string }) {
    const source: Source = { generator: seedrandom.xor128(seed) };
    super(() => source.generator.int32() >>> 0, told);
    this.#source = source;
  }

  /** From here on the draws are those of another seed. */
  reseed(seed: string): void {
    this.#source.generator = seedrandom.xor128(seed);
  }
}

/** What all parts of one tree share. */
interface Trunk extends DrawLog {
  readonly seed: string;
  /** By path from the root. */
  readonly streams: Map<string, Stream>;
  readonly named: Map<string, NamedDraws>;
  /** Ends every path once the tree has branched. */
  suffix: string;
}

export class StreamTree {
  /** From the root: `node/w1/life/1`. */
  readonly #path: string;
  readonly #trunk: Trunk;

  private constructor(path: string, trunk: Trunk) {
    this.#path = path;
    this.#trunk = trunk;
  }

  static root(seed: string): StreamTree {
    return new StreamTree("", { seed, streams: new Map(), named: new Map(), suffix: "", onDraw: undefined });
  }

  /** Told of every draw in the whole tree; draws by name that were begun before stay silent. */
  set onDraw(onDraw: ((draw: Draw) => void) | undefined) {
    this.#trunk.onDraw = onDraw;
  }

  /** From here on every site of the whole tree draws something else; the same branch always the same. */
  branch(name: string): void {
    const trunk = this.#trunk;
    trunk.suffix = `/branch/${name}`;
    for (const [site, stream] of trunk.streams) {
      stream.reseed(this.#seedOf(site));
    }
    for (const [site, draws] of trunk.named) {
      draws.reseed(this.#seedOf(site));
    }
  }

  /** Draws by name instead of by position. */
  named(name: string): NamedDraws {
    const site = this.#siteOf(name);
    const known = this.#trunk.named.get(site);
    if (known !== undefined) {
      return known;
    }
    const draws = new NamedDraws(this.#seedOf(site), { log: this.#trunk, site });
    this.#trunk.named.set(site, draws);
    return draws;
  }

  child(name: string): StreamTree {
    return new StreamTree(this.#siteOf(name), this.#trunk);
  }

  /** The same path gives the same stream object, so draws go on where they were. */
  stream(name: string): Stream {
    const site = this.#siteOf(name);
    const known = this.#trunk.streams.get(site);
    if (known !== undefined) {
      return known;
    }
    const stream = new Stream(this.#seedOf(site), { log: this.#trunk, site });
    this.#trunk.streams.set(site, stream);
    return stream;
  }

  /** As the Random port of a node. */
  asRandom(): Random {
    return { stream: (name) => this.stream(name) };
  }

  #siteOf(name: string): string {
    return this.#path === "" ? name : `${this.#path}/${name}`;
  }

  #seedOf(site: string): string {
    return `orrery/${this.#trunk.seed}/${site}${this.#trunk.suffix}`;
  }
}
