/**
 * dbgen's text pool: 300 MiB of sentences from one random stream. A comment is a substring of it. The pool is not stored.
 *
 * - A table of random states (one per 64 KiB, text-pool-checkpoints.ts) is part of the project.
 * - Where comments are read, each connector instance computes finer states once: one per 256 bytes, at most 7.5 MB for the whole pool.
 *   They depend on nothing but the pool, so connector instances of one process may share them (`TextPoolIndex`).
 * - A comment is generated from the start of its sentence, in well under a microsecond. Nothing runs at start, and no worker holds 300 MB.
 */
import { checkpointBytes, checkpoints } from "./text-pool-checkpoints.ts";
import { draw, nextSeed } from "./random.ts";
import type { Words } from "./words.ts";
import { adjectives, adverbs, auxiliaries, nounPhrases, nouns, prepositions, sentences, terminators, verbPhrases, verbs } from "./words.ts";

export const poolBytes = 300 * 1024 * 1024;

const stepBytes = 256;
const stepsPerChunk = checkpointBytes / stepBytes;
export const indexBytesPerChunk = stepsPerChunk * 6;
export const copyBytesMax = 512;
export const copyOverrunBytes = 3;
const sentenceBytesMax = 320;
/** Maximum bytes that the copy of a word reads and writes past its end. */
const wordStepBytes = 16;

/** A draw table over the vocabulary: word number by draw. */
interface DrawTable {
  readonly range: number;
  readonly words: Uint16Array;
  /** Bytes of the word and its separator, by draw. */
  readonly lengths: Uint8Array;
}

/** A phrase is the list of tables that its words are drawn from. */
type Phrase = readonly DrawTable[];

interface SentencePart {
  /** By draw; a single phrase needs no draw. */
  readonly phrases: readonly Phrase[];
  /** Number of bytes that it overwrites first: the terminator replaces the last word's space. */
  readonly back: number;
}

/** A position of the walk: the start of a sentence. */
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

/** For each step of a chunk: the sentence that contains it. */
interface ChunkIndex {
  /** Number of steps walked so far; the walk goes only as far as comments need. */
  walked: number;
  readonly seeds: Int32Array;
  /** Bytes from the start of the sentence to the step. */
  readonly backs: Uint16Array;
}

/** The words and rules of dbgen's grammar, prepared for drawing. */
interface Grammar {
  /** Parts of a sentence, by draw. */
  readonly sentences: readonly (readonly SentencePart[])[];
  /** Every word with its separator. */
  readonly bytes: DataView;
  readonly starts: Uint16Array;
}

function buildGrammar(): Grammar {
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
  const phrases = (words: Words): readonly Phrase[] =>
    words.byDraw.map((index) => (words.words[index] as string).split(" ").map((code) => tables[code] as DrawTable));
  const nounPhrase: SentencePart = { phrases: phrases(nounPhrases), back: 0 };
  const parts: Readonly<Record<string, readonly SentencePart[]>> = {
    N: [nounPhrase],
    V: [{ phrases: phrases(verbPhrases), back: 0 }],
    P: [{ phrases: [[table(prepositions, " the ")]], back: 0 }, nounPhrase],
    T: [{ phrases: [[table(terminators, " ")]], back: 1 }],
  };
  const text = vocabulary.join("").padEnd(vocabulary.reduce((sum, word) => sum + word.length, wordStepBytes));
  let start = 0;
  return {
    sentences: sentences.byDraw.map((index) =>
      (sentences.words[index] as string).split(" ").flatMap((code) => parts[code] as readonly SentencePart[]),
    ),
    bytes: new DataView(Uint8Array.from(text, (character) => character.charCodeAt(0)).buffer),
    starts: Uint16Array.from(vocabulary, (word) => {
      start += word.length;
      return start - word.length;
    }),
  };
}

const grammar: Grammar = buildGrammar();

/** The finer states that were computed so far. Text pools that share them return the same bytes, and count the same steps. */
export class TextPoolIndex {
  readonly chunks: (ChunkIndex | undefined)[] = [];

  /** The index of a chunk, with its first step. */
  chunk(number: number): ChunkIndex {
    const known = this.chunks[number];
    if (known !== undefined) {
      return known;
    }
    const chunk = { walked: 1, seeds: new Int32Array(stepsPerChunk), backs: new Uint16Array(stepsPerChunk) };
    const start = checkpoint(number);
    chunk.seeds[0] = start.seed;
    chunk.backs[0] = number * checkpointBytes - start.offset;
    this.chunks[number] = chunk;
    return chunk;
  }
}

export class TextPool {
  readonly #reserve: (bytes: number) => void;
  readonly #index: TextPoolIndex;
  /** For each chunk, the number of steps that this pool has needed so far. With a shared index, more may be known. */
  readonly #needed: (number | undefined)[] = [];
  readonly #scratch = new DataView(new ArrayBuffer(copyBytesMax + 2 * sentenceBytesMax + wordStepBytes));
  /** End of the last walk; not valid between calls. */
  #seed = 0;
  #offset = 0;

  /** `reserve` is charged for the bytes that the instance keeps; it may throw. A shared index is charged to each of its pools. */
  constructor(reserve: (bytes: number) => void, index: TextPoolIndex = new TextPoolIndex()) {
    this.#reserve = reserve;
    this.#index = index;
  }

  /** The sentence that contains byte `offset`, starting from an earlier one. */
  sentenceAt(offset: number, from: PoolPosition): PoolPosition {
    this.#seed = from.seed;
    this.#offset = from.offset;
    this.#skipTo(offset);
    return { seed: this.#seed, offset: this.#offset };
  }

  /**
   * Writes bytes [offset, offset + length) of the pool to target[at...]. Up to copyOverrunBytes after them are overwritten too. The length
   * is at most copyBytesMax.
   */
  copy(offset: number, length: number, target: DataView, at: number): void {
    this.walkTo(offset);
    const number = Math.floor(offset / checkpointBytes);
    const step = Math.floor((offset - number * checkpointBytes) / stepBytes);
    const chunk = this.#index.chunks[number] as ChunkIndex;
    this.#seed = chunk.seeds[step] as number;
    this.#offset = number * checkpointBytes + step * stepBytes - (chunk.backs[step] as number);
    this.#skipTo(offset);
    const skipped = offset - this.#offset;
    this.#generate(skipped + length);
    const scratch = this.#scratch;
    for (let done = 0; done < length; done += 4) {
      target.setInt32(at + done, scratch.getInt32(skipped + done, true), true);
    }
  }

  /** Extends the index up to byte `offset`. Returns the number of bytes that this pool had not needed before. */
  walkTo(offset: number): number {
    const number = Math.floor(offset / checkpointBytes);
    const step = Math.floor((offset - number * checkpointBytes) / stepBytes);
    let needed = this.#needed[number];
    if (needed === undefined) {
      this.#reserve(indexBytesPerChunk);
      needed = 1;
      this.#needed[number] = needed;
    }
    const chunk = this.#index.chunk(number);
    if (step >= chunk.walked) {
      this.#walkChunk(chunk, number * checkpointBytes, step);
    }
    if (step < needed) {
      return 0;
    }
    this.#needed[number] = step + 1;
    return (step + 1 - needed) * stepBytes;
  }

  #walkChunk(chunk: ChunkIndex, chunkOffset: number, stepMax: number): void {
    const last = chunk.walked - 1;
    this.#seed = chunk.seeds[last] as number;
    this.#offset = chunkOffset + last * stepBytes - (chunk.backs[last] as number);
    for (let step = chunk.walked; step <= stepMax; step++) {
      const stepOffset = chunkOffset + step * stepBytes;
      this.#skipTo(stepOffset);
      chunk.seeds[step] = this.#seed;
      chunk.backs[step] = stepOffset - this.#offset;
    }
    chunk.walked = stepMax + 1;
  }

  /** Measures sentences up to the one that contains byte `offset`. */
  #skipTo(offset: number): void {
    // Local names: where modules are linked by getters, as in tests, each reference to another module's function costs more than the draw.
    const [next, drawn] = [nextSeed, draw];
    const all = grammar.sentences;
    let sentenceSeed = this.#seed;
    let sentenceOffset = this.#offset;
    for (;;) {
      let seed = next(sentenceSeed);
      let end = sentenceOffset;
      const parts = all[drawn(seed, all.length)] as readonly SentencePart[];
      for (let p = 0; p < parts.length; p++) {
        const { phrases, back } = parts[p] as SentencePart;
        end -= back;
        let phrase = phrases[0] as Phrase;
        if (phrases.length > 1) {
          seed = next(seed);
          phrase = phrases[drawn(seed, phrases.length)] as Phrase;
        }
        for (let w = 0; w < phrase.length; w++) {
          const table = phrase[w] as DrawTable;
          seed = next(seed);
          end += table.lengths[drawn(seed, table.range)] as number;
        }
      }
      if (end > offset) {
        this.#seed = sentenceSeed;
        this.#offset = sentenceOffset;
        return;
      }
      sentenceSeed = seed;
      sentenceOffset = end;
    }
  }

  /**
   * Generates whole sentences from the current position until `bytes` of them are final. Words are copied in units of four bytes, twelve at
   * once. Most words fit, and the next word overwrites the excess.
   */
  #generate(bytes: number): void {
    const { sentences: all, bytes: words, starts } = grammar;
    const scratch = this.#scratch;
    let seed = this.#seed;
    let end = 0;
    while (end < bytes) {
      seed = nextSeed(seed);
      const parts = all[draw(seed, all.length)] as readonly SentencePart[];
      // One more byte is needed, because a terminator may still replace the last one.
      for (let p = 0; p < parts.length && end <= bytes; p++) {
        const { phrases, back } = parts[p] as SentencePart;
        end -= back;
        let phrase = phrases[0] as Phrase;
        if (phrases.length > 1) {
          seed = nextSeed(seed);
          phrase = phrases[draw(seed, phrases.length)] as Phrase;
        }
        for (let w = 0; w < phrase.length; w++) {
          const table = phrase[w] as DrawTable;
          seed = nextSeed(seed);
          const drawn = draw(seed, table.range);
          const source = starts[table.words[drawn] as number] as number;
          const length = table.lengths[drawn] as number;
          scratch.setInt32(end, words.getInt32(source, true), true);
          scratch.setInt32(end + 4, words.getInt32(source + 4, true), true);
          scratch.setInt32(end + 8, words.getInt32(source + 8, true), true);
          for (let done = 12; done < length; done += 4) {
            scratch.setInt32(end + done, words.getInt32(source + done, true), true);
          }
          end += length;
        }
      }
    }
  }
}
