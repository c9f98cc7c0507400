/**
 * The values of a leaf in a row group, without NULLs: as indexes into a dictionary while that is worth it, else one after the other.
 */
import { growWords } from "./grow.ts";
import type { LeafType } from "./leaf-types.ts";

/** A dictionary that is larger, in bytes or entries, is given up. */
const dictionaryBytesMax = 1_048_576;
const dictionaryEntriesMax = 65_536;
/** So is one that saves little: checked when this many values have been seen. */
const checkedValues = 8192;
const worthFactor = 2;

/** Values of fixed or variable length, by number. */
class ValueList {
  readonly #words: number;
  /** Of fixed length. */
  fixed = new Int32Array(0);
  /** Of variable length: the bytes of value i end at ends[i]. */
  bytes = new Uint8Array(0);
  ends = new Int32Array(0);
  count = 0;

  constructor(words: number) {
    this.#words = words;
  }

  get usedBytes(): number {
    return this.#words > 0 ? this.count * this.#words * 4 : this.startOf(this.count) + this.count * 4;
  }

  get heldBytes(): number {
    return this.fixed.byteLength + this.bytes.length + this.ends.byteLength;
  }

  startOf(value: number): number {
    return value === 0 ? 0 : (this.ends[value - 1] as number);
  }

  addWords(words: Int32Array): void {
    const at = this.count * this.#words;
    this.fixed = growWords(this.fixed, at + this.#words);
    for (let word = 0; word < this.#words; word++) {
      this.fixed[at + word] = words[word] as number;
    }
    this.count++;
  }

  addBytes(bytes: Uint8Array, start: number, end: number): void {
    const at = this.startOf(this.count);
    const to = at + end - start;
    if (to > this.bytes.length) {
      const grown = new Uint8Array(Math.max(256, this.bytes.length * 2, to));
      grown.set(this.bytes.subarray(0, at));
      this.bytes = grown;
    }
    this.bytes.set(bytes.subarray(start, end), at);
    this.ends = growWords(this.ends, this.count + 1);
    this.ends[this.count] = to;
    this.count++;
  }

  clear(): void {
    this.count = 0;
  }
}

export class LeafValues {
  readonly type: LeafType;
  readonly words = new Int32Array(4);
  /** The dictionary, or all values. */
  readonly list: ValueList;
  /** Entry numbers by value; unused without dictionary. */
  indexes = new Int32Array(0);
  count = 0;
  hasDictionary = true;
  #slots = new Int32Array(256);

  constructor(type: LeafType) {
    this.type = type;
    this.list = new ValueList(type.words);
    this.hasDictionary = type.order !== "boolean";
  }

  get heldBytes(): number {
    return this.list.heldBytes + this.indexes.byteLength + this.#slots.byteLength;
  }

  /** Bytes that the values take in the file at most. */
  get usedBytes(): number {
    return this.list.usedBytes + (this.hasDictionary ? this.count * 2 : 0);
  }

  /** The value of `words`. */
  addWords(): void {
    const { words, list, type } = this;
    if (!this.hasDictionary) {
      list.addWords(words);
      this.count++;
      return;
    }
    let hash = 0;
    for (let word = 0; word < type.words; word++) {
      hash = mix(hash ^ (words[word] as number));
    }
    const entry = this.#find(hash, (known) => {
      for (let word = 0; word < type.words; word++) {
        if (list.fixed[known * type.words + word] !== words[word]) {
          return false;
        }
      }
      return true;
    });
    if (entry === list.count) {
      list.addWords(words);
      this.#grow();
    }
    this.#push(entry);
  }

  addBytes(bytes: Uint8Array, start: number, end: number): void {
    const { list } = this;
    if (!this.hasDictionary) {
      list.addBytes(bytes, start, end);
      this.count++;
      return;
    }
    let hash = end - start;
    for (let at = start; at < end; at++) {
      hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
    }
    const entry = this.#find(mix(hash), (known) => {
      const from = list.startOf(known);
      if ((list.ends[known] as number) - from !== end - start) {
        return false;
      }
      for (let at = start; at < end; at++) {
        if (list.bytes[from + at - start] !== bytes[at]) {
          return false;
        }
      }
      return true;
    });
    if (entry === list.count) {
      list.addBytes(bytes, start, end);
      this.#grow();
    }
    this.#push(entry);
  }

  /** The number of value i in `list`. */
  entryOf(value: number): number {
    return this.hasDictionary ? (this.indexes[value] as number) : value;
  }

  clear(): void {
    this.list.clear();
    this.count = 0;
    this.hasDictionary = this.type.order !== "boolean";
    this.#slots = new Int32Array(256);
  }

  /** The number of the equal entry, else that of the next one, whose slot is taken. */
  #find(hash: number, isEqual: (entry: number) => boolean): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = (slots[slot] as number) - 1;
      if (entry < 0) {
        slots[slot] = this.list.count + 1;
        return this.list.count;
      }
      if (isEqual(entry)) {
        return entry;
      }
    }
  }

  #push(entry: number): void {
    this.indexes = growWords(this.indexes, this.count + 1);
    this.indexes[this.count++] = entry;
    const { list, count } = this;
    const isLarge = list.count > dictionaryEntriesMax || list.usedBytes > dictionaryBytesMax;
    if (isLarge || (count === checkedValues && list.count * worthFactor > count)) {
      this.#giveUp();
    }
  }

  #giveUp(): void {
    const { list, indexes, count, type } = this;
    const { fixed, bytes, ends } = list;
    const starts = Array.from({ length: type.words === 0 ? list.count : 0 }, (_, entry) => list.startOf(entry));
    list.fixed = new Int32Array(0);
    list.bytes = new Uint8Array(0);
    list.ends = new Int32Array(0);
    list.clear();
    this.hasDictionary = false;
    const words = new Int32Array(type.words);
    for (let value = 0; value < count; value++) {
      const entry = indexes[value] as number;
      if (type.words > 0) {
        words.set(fixed.subarray(entry * type.words, (entry + 1) * type.words));
        list.addWords(words);
      } else {
        list.addBytes(bytes, starts[entry] as number, ends[entry] as number);
      }
    }
    this.#slots = new Int32Array(256);
  }

  /** At most half of the slots are used. */
  #grow(): void {
    if (this.list.count * 2 < this.#slots.length) {
      return;
    }
    const { list, type } = this;
    const slots = new Int32Array(this.#slots.length * 4);
    const mask = slots.length - 1;
    for (let entry = 0; entry < list.count; entry++) {
      let hash = 0;
      if (type.words > 0) {
        for (let word = 0; word < type.words; word++) {
          hash = mix(hash ^ (list.fixed[entry * type.words + word] as number));
        }
      } else {
        const start = list.startOf(entry);
        const end = list.ends[entry] as number;
        hash = end - start;
        for (let at = start; at < end; at++) {
          hash = Math.imul(hash ^ (list.bytes[at] as number), 0x01000193);
        }
        hash = mix(hash);
      }
      let slot = hash & mask;
      while (slots[slot] !== 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = entry + 1;
    }
    this.#slots = slots;
  }
}

/** The finalizer of MurmurHash3. */
function mix(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
