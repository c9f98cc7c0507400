/**
 * Draws that depend only on a name. The fate of a message is a function of the seed and the message's name, not of the number of earlier
 * messages. Removing a message, or sending additional ones, shifts no other draw. Runs therefore stay comparable while a failure is shrunk.
 */
import { type DrawLog, RandomDraws } from "./draws.ts";

export class NamedDraws {
  readonly #log: DrawLog | undefined;
  readonly #site: string;
  #a = 0;
  #b = 0;

  /** `path` names the decision site: `orrery/42/net`. `told.site` is the site's name in the draw log. */
  constructor(path: string, told?: { readonly log: DrawLog; readonly site: string }) {
    this.#log = told?.log;
    this.#site = told?.site ?? path;
    this.reseed(path);
  }

  /** Later draws come from another path. */
  reseed(path: string): void {
    this.#a = hash(path, 0x811c9dc5);
    this.#b = hash(path, 0x9747b28c);
  }

  /** Returns the draws of a name; the same name gives the same draws. */
  of(name: string): RandomDraws {
    // sfc32: three words of state and a counter. The first rounds mix in the name.
    let a = hash(name, this.#a);
    let b = hash(name, this.#b);
    let c = a ^ Math.imul(b, 0x9e3779b1);
    let counter = 1;
    const next = (): number => {
      const sum = (a + b + counter) | 0;
      counter = (counter + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (c << 21) | (c >>> 11);
      c = (c + sum) | 0;
      return sum >>> 0;
    };
    for (let round = 0; round < 8; round++) {
      next();
    }
    return this.#log?.onDraw === undefined
      ? new RandomDraws(next)
      : new RandomDraws(next, { log: this.#log, site: `${this.#site} ${name}` });
  }
}

function hash(text: string, seed: number): number {
  let value = seed | 0;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return value ^ (value >>> 16);
}
