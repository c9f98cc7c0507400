/**
 * dbgen's text pool: 300 MiB of sentences from one random stream; a comment is a piece of it. Nothing of it is kept. A table of random states
 * (one for every 256 KiB, text-pool-checkpoints.ts) is part of the project; where comments are asked for, finer states (one for every 256
 * bytes, at most 7.5 MB for the whole pool) are walked out once per connector instance, and a comment is generated anew from the sentence
 * before it. That is as quick as reading 300 MB at random places and costs nothing at start.
 */
import { checkpointBytes, checkpoints } from "./text-pool-checkpoints.ts";
import { draw, nextSeed } from "./random.ts";
import type { Words } from "./words.ts";
import { adjectives, adverbs, auxiliaries, nounPhrases, nouns, prepositions, sentences, terminators, verbPhrases, verbs } from "./words.ts";

export const poolBytes = 300 * 1024 * 1024;
export const poolSeed = 933588178;

const stepBytes = 256;
const stepsPerChunk = checkpointBytes / stepBytes;
export const indexBytesPerChunk = stepsPerChunk * 6;

/** A draw table over the vocabulary: word number by draw. */
interface DrawTable {
  readonly range: number;
  readonly words: Uint16Array;
  /** Bytes of the drawn word with what follows it, by draw. */
  readonly lengths: Uint8Array;
}

/** By draw: a phrase as the tables its words are drawn from. */
type Phrases = readonly (readonly DrawTable[])[];

/** Where the walk stands: the start of a sentence. */
export interface PoolPosition {
  readonly seed: number;
  readonly offset: number;
}

/** The state at a checkpoint: the last sentence that starts at or before chunk * checkpointBytes. */
export function checkpoint(chunk: number): PoolPosition {
  const entry = chunk * 8;
  return {
    seed: Number.parseInt(checkpoints.slice(entry, entry + 6), 36),
    offset: chunk * checkpointBytes - Number.parseInt(checkpoints.slice(entry + 6, entry + 8), 36),
  };
}

interface ChunkIndex {
  readonly seeds: Int32Array;
  /** Bytes from the start of the sentence to the step. */
  readonly backs: Uint16Array;
}

export class TextPool {
  readonly #reserve: (bytes: number) => void;
  readonly #chunks: (ChunkIndex | undefined)[] = [];
  /** Every word with the space after it. */
  readonly #bytes: Uint8Array;
  readonly #starts: Uint16Array;
  readonly #lengths: Uint8Array;
  readonly #sentences: readonly string[];
  readonly #nounPhrases: Phrases;
  readonly #verbPhrases: Phrases;
  readonly #prepositions: DrawTable;
  readonly #terminators: DrawTable;
  /** The walk's own registers; between calls they mean nothing. */
  #seed = 0;
  #position = 0;
  #from = 0;
  #to = 0;
  #target: Uint8Array = new Uint8Array(0);
  #targetShift = 0;

  /** `reserve` is told of the bytes that the instance keeps; it may throw. */
  constructor(reserve: (bytes: number) => void) {
    this.#reserve = reserve;
    const vocabulary: string[] = [];
    const table = (words: Words, suffix: string): DrawTable => {
      const first = vocabulary.length;
      vocabulary.push(...words.words.map((word) => word + suffix));
      return {
        range: words.byDraw.length,
        words: Uint16Array.from(words.byDraw, (index) => first + index),
        lengths: Uint8Array.from(words.byDraw, (index) => (vocabulary[first + index] as string).length),
      };
    };
    const tables: Readonly<Record<string, DrawTable>> = {
      N: table(nouns, " "),
      J: table(adjectives, " "),
      K: table(adjectives, ", "),
      D: table(adverbs, " "),
      V: table(verbs, " "),
      X: table(auxiliaries, " "),
    };
    const phrases = (words: Words): Phrases =>
      words.byDraw.map((index) => (words.words[index] as string).split(" ").map((code) => tables[code] as DrawTable));
    this.#nounPhrases = phrases(nounPhrases);
    this.#verbPhrases = phrases(verbPhrases);
    this.#prepositions = table(prepositions, " the ");
    this.#terminators = table(terminators, " ");
    this.#sentences = sentences.byDraw.map((index) => sentences.words[index] as string);
    this.#lengths = Uint8Array.from(vocabulary, (word) => word.length);
    this.#starts = new Uint16Array(vocabulary.length);
    this.#bytes = new Uint8Array(vocabulary.reduce((sum, word) => sum + word.length, 0));
    let at = 0;
    vocabulary.forEach((word, index) => {
      this.#starts[index] = at;
      for (let i = 0; i < word.length; i++) {
        this.#bytes[at++] = word.charCodeAt(i);
      }
    });
  }

  /** Writes bytes [offset, offset + length) of the pool to target[at...]. */
  copy(offset: number, length: number, target: Uint8Array, at: number): void {
    const step = Math.floor(offset / stepBytes);
    const chunk = this.#chunk(Math.floor(step / stepsPerChunk));
    const entry = step % stepsPerChunk;
    this.#seed = chunk.seeds[entry] as number;
    this.#position = step * stepBytes - (chunk.backs[entry] as number);
    // The sentences before the piece are only measured; the walk goes back over the one that reaches it.
    let seed: number;
    let position: number;
    do {
      seed = this.#seed;
      position = this.#position;
      this.#skipSentence();
    } while (this.#position <= offset);
    this.#seed = seed;
    this.#position = position;
    this.#from = offset;
    this.#to = offset + length;
    this.#target = target;
    this.#targetShift = at - offset;
    while (this.#position < this.#to) {
      this.#writeSentence();
    }
  }

  /** The state after the sentence at `from`. */
  next(from: PoolPosition): PoolPosition {
    this.#seed = from.seed;
    this.#position = from.offset;
    this.#skipSentence();
    return { seed: this.#seed, offset: this.#position };
  }

  #chunk(chunk: number): ChunkIndex {
    return this.#chunks[chunk] ?? this.#walkChunk(chunk);
  }

  #walkChunk(chunk: number): ChunkIndex {
    this.#reserve(indexBytesPerChunk);
    const index = { seeds: new Int32Array(stepsPerChunk), backs: new Uint16Array(stepsPerChunk) };
    const start = checkpoint(chunk);
    this.#seed = start.seed;
    this.#position = start.offset;
    let stepOffset = chunk * checkpointBytes;
    for (let step = 0; step < stepsPerChunk; ) {
      const seed = this.#seed;
      const position = this.#position;
      this.#skipSentence();
      for (; step < stepsPerChunk && stepOffset < this.#position; step++, stepOffset += stepBytes) {
        index.seeds[step] = seed;
        index.backs[step] = stepOffset - position;
      }
    }
    this.#chunks[chunk] = index;
    return index;
  }

  #draw(range: number): number {
    this.#seed = nextSeed(this.#seed);
    return draw(this.#seed, range);
  }

  #skipSentence(): void {
    const codes = this.#sentences[this.#draw(this.#sentences.length)] as string;
    for (let i = 0; i < codes.length; i += 2) {
      const code = codes.charCodeAt(i);
      if (code === codeT) {
        // The terminator takes the place of the last word's space.
        this.#position--;
        this.#skipWord(this.#terminators);
      } else if (code === codeV) {
        this.#skipPhrase(this.#verbPhrases);
      } else {
        if (code === codeP) {
          this.#skipWord(this.#prepositions);
        }
        this.#skipPhrase(this.#nounPhrases);
      }
    }
  }

  #skipPhrase(phrases: Phrases): void {
    const phrase = phrases[this.#draw(phrases.length)] as readonly DrawTable[];
    for (let i = 0; i < phrase.length; i++) {
      this.#skipWord(phrase[i] as DrawTable);
    }
  }

  #skipWord(table: DrawTable): void {
    this.#position += table.lengths[this.#draw(table.range)] as number;
  }

  #writeSentence(): void {
    const codes = this.#sentences[this.#draw(this.#sentences.length)] as string;
    // One byte past the end must be passed too: a terminator may still replace the last byte.
    for (let i = 0; i < codes.length && this.#position <= this.#to; i += 2) {
      const code = codes.charCodeAt(i);
      if (code === codeT) {
        this.#position--;
        this.#writeWord(this.#terminators);
      } else if (code === codeV) {
        this.#writePhrase(this.#verbPhrases);
      } else {
        if (code === codeP) {
          this.#writeWord(this.#prepositions);
        }
        this.#writePhrase(this.#nounPhrases);
      }
    }
  }

  #writePhrase(phrases: Phrases): void {
    const phrase = phrases[this.#draw(phrases.length)] as readonly DrawTable[];
    for (let i = 0; i < phrase.length; i++) {
      this.#writeWord(phrase[i] as DrawTable);
    }
  }

  #writeWord(table: DrawTable): void {
    const word = table.words[this.#draw(table.range)] as number;
    const begin = this.#position;
    const end = begin + (this.#lengths[word] as number);
    this.#position = end;
    if (end <= this.#from) {
      return;
    }
    const target = this.#target;
    const bytes = this.#bytes;
    const last = Math.min(end, this.#to);
    let at = Math.max(begin, this.#from);
    let source = (this.#starts[word] as number) + at - begin;
    for (let out = at + this.#targetShift; at < last; at++) {
      target[out++] = bytes[source++] as number;
    }
  }
}

const codeP = 80;
const codeT = 84;
const codeV = 86;
