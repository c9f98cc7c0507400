/**
 * A tree of random streams, one per decision site. A stream is identified by its path (`net/link(w1->c)/delay`), so removing one site does
 * not change any other draw. All draws are integers: probabilities are ratios, times are nanoseconds.
 */
import seedrandom from "seedrandom";
import type { Random } from "../../src/ports/random.ts";
import { type Draw, type DrawLog, RandomDraws } from "./draws.ts";
import { NamedDraws } from "./named-draws.ts";

/** Source of a stream's numbers; it can be replaced. */
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

  /** Later draws come from another seed. */
  reseed(seed: string): void {
    this.#source.generator = seedrandom.xor128(seed);
  }
}

/** State that all streams of one tree share. */
interface Trunk extends DrawLog {
  readonly seed: string;
  /** Streams by path from the root. */
  readonly streams: Map<string, Stream>;
  readonly named: Map<string, NamedDraws>;
  /** Appended to every path once the tree has branched. */
  suffix: string;
}

export class StreamTree {
  /** Path from the root: `node/w1/life/1`. */
  readonly #path: string;
  readonly #trunk: Trunk;

  private constructor(path: string, trunk: Trunk) {
    this.#path = path;
    this.#trunk = trunk;
  }

  static root(seed: string): StreamTree {
    return new StreamTree("", { seed, streams: new Map(), named: new Map(), suffix: "", onDraw: undefined });
  }

  /** Receives every draw of the whole tree, except from draws by name that were created before. */
  set onDraw(onDraw: ((draw: Draw) => void) | undefined) {
    this.#trunk.onDraw = onDraw;
  }

  /** From now on, every site of the tree draws other values. The same branch name always gives the same values. */
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

  /** Returns draws by name instead of by position. */
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

  /** Returns the stream at a path. The same path gives the same object, so draws continue where they stopped. */
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

  /** Returns the Random port of a node. */
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
