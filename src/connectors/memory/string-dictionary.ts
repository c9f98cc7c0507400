/**
 * The distinct strings of a chunk in order of first appearance, and the bytes of all strings of a column. Entries are found by hash. The
 * hash table is in the part's memory and is freed when the chunk is sealed.
 */
import type { LinearMemory, MemoryContext, Address } from "../../memory/memory.ts";
import { type DistinctCounter, mix32 } from "./sketch.ts";

const blockBytesMax = 1024 * 1024;
/** Shorter strings are copied byte by byte, which is faster than a call. */
const loopBytesMax = 24;
const noEntry = -1;

export class StringDictionary {
  readonly #memory: MemoryContext;
  readonly #linear: LinearMemory;
  readonly #distinct: DistinctCounter;
  length = 0;
  #nullEntry = noEntry;
  /** (address, length) pairs. */
  #references: Address = 0;
  #hashes: Address = 0;
  #capacity = 0;
  /** u32 entry + 1 or 0, linear probing, at most half full. */
  #slots: Address = 0;
  #slotCount = 0;
  #block: Address = 0;
  #blockUsed = 0;
  #blockBytes = 0;

  constructor(memory: MemoryContext, distinct: DistinctCounter) {
    this.#memory = memory;
    this.#linear = memory.linear;
    this.#distinct = distinct;
  }

  get hasNull(): boolean {
    return this.#nullEntry !== noEntry;
  }

  isNull(entry: number): boolean {
    return entry === this.#nullEntry;
  }

  addressOf(entry: number): Address {
    return this.#linear.u32[(this.#references >>> 2) + entry * 2] as number;
  }

  lengthOf(entry: number): number {
    return this.#linear.u32[(this.#references >>> 2) + entry * 2 + 1] as number;
  }

  addNull(): number {
    if (this.#nullEntry === noEntry) {
      this.#nullEntry = this.#append(0, 0, 0);
    }
    return this.#nullEntry;
  }

  /** The entry of the string at `address`; a new string is copied. */
  add(address: Address, length: number): number {
    if ((this.length + 1) * 2 > this.#slotCount) {
      this.#growSlots();
    }
    const { u32 } = this.#linear;
    const hash = this.#hash(address, length);
    const mask = this.#slotCount - 1;
    let slot = hash & mask;
    for (;;) {
      const entry = (u32[(this.#slots >>> 2) + slot] as number) - 1;
      if (entry < 0) {
        break;
      }
      if ((u32[(this.#hashes >>> 2) + entry] as number) === hash >>> 0 && this.#equals(entry, address, length)) {
        return entry;
      }
      slot = (slot + 1) & mask;
    }
    this.#distinct.add(hash);
    const entry = this.#append(this.#copy(address, length), length, hash);
    u32[(this.#slots >>> 2) + slot] = entry + 1;
    return entry;
  }

  /** Copies a string without an entry. Its bytes stay at the returned address. */
  keep(address: Address, length: number): Address {
    this.#distinct.add(this.#sample(address, length));
    return this.#copy(address, length);
  }

  /** The chunk's dictionary in the layout of pages; the next chunk starts with an empty one. */
  take(): { readonly values: Address; readonly nulls: Address; readonly length: number } {
    const { length } = this;
    const values = this.#memory.reallocate(this.#references, length * 8);
    let nulls: Address = 0;
    if (this.#nullEntry !== noEntry) {
      nulls = this.#memory.allocateZeroed(length);
      this.#linear.u8[nulls + this.#nullEntry] = 1;
    }
    this.#references = 0;
    this.forgetEntries();
    return { values, nulls, length };
  }

  /** Keeps the bytes, because rows refer to them. */
  forgetEntries(): void {
    for (const address of [this.#references, this.#hashes, this.#slots]) {
      if (address !== 0) {
        this.#memory.free(address);
      }
    }
    this.#references = 0;
    this.#hashes = 0;
    this.#slots = 0;
    this.#capacity = 0;
    this.#slotCount = 0;
    this.length = 0;
    this.#nullEntry = noEntry;
  }

  #append(address: Address, length: number, hash: number): number {
    if (this.length === this.#capacity) {
      this.#capacity = Math.max(this.#memory.knobs.value("dictionary-entries"), this.#capacity * 2);
      this.#references = this.#resized(this.#references, this.#capacity * 8);
      this.#hashes = this.#resized(this.#hashes, this.#capacity * 4);
    }
    const { u32 } = this.#linear;
    const reference = (this.#references >>> 2) + this.length * 2;
    u32[reference] = address;
    u32[reference + 1] = length;
    u32[(this.#hashes >>> 2) + this.length] = hash;
    return this.length++;
  }

  #resized(address: Address, bytes: number): Address {
    return address === 0 ? this.#memory.allocate(bytes) : this.#memory.reallocate(address, bytes);
  }

  #growSlots(): void {
    const { u32 } = this.#linear;
    if (this.#slots !== 0) {
      this.#memory.free(this.#slots);
      this.#slots = 0;
    }
    this.#slotCount = Math.max(this.#memory.knobs.value("dictionary-entries") * 2, this.#slotCount * 2);
    this.#slots = this.#memory.allocateZeroed(this.#slotCount * 4);
    const mask = this.#slotCount - 1;
    const base = this.#slots >>> 2;
    for (let entry = 0; entry < this.length; entry++) {
      if (entry === this.#nullEntry) {
        continue;
      }
      let slot = (u32[(this.#hashes >>> 2) + entry] as number) & mask;
      while (u32[base + slot] !== 0) {
        slot = (slot + 1) & mask;
      }
      u32[base + slot] = entry + 1;
    }
  }

  #copy(address: Address, length: number): Address {
    if (this.#blockUsed + length > this.#blockBytes || this.#block === 0) {
      this.#blockBytes = Math.max(
        length,
        Math.min(blockBytesMax, Math.max(this.#memory.knobs.value("dictionary-bytes"), this.#blockBytes * 2)),
      );
      this.#block = this.#memory.allocate(this.#blockBytes);
      this.#blockUsed = 0;
    }
    const to = this.#block + this.#blockUsed;
    this.#blockUsed += length;
    const { u8 } = this.#linear;
    if (length > loopBytesMax) {
      u8.copyWithin(to, address, address + length);
      return to;
    }
    for (let at = 0; at < length; at++) {
      u8[to + at] = u8[address + at] as number;
    }
    return to;
  }

  #hash(address: Address, length: number): number {
    const { u8 } = this.#linear;
    let hash = length;
    for (let at = address; at < address + length; at++) {
      hash = Math.imul(hash ^ (u8[at] as number), 0x01000193);
    }
    return mix32(hash);
  }

  /** Hash of the length and up to 16 bytes: good enough for an estimate of the distinct strings. */
  #sample(address: Address, length: number): number {
    if (length <= 16) {
      return this.#hash(address, length);
    }
    return mix32(this.#hash(address, 8) ^ Math.imul(this.#hash(address + length - 8, 8), 0x9e3779b1) ^ length);
  }

  #equals(entry: number, address: Address, length: number): boolean {
    if (this.lengthOf(entry) !== length) {
      return false;
    }
    const { u8 } = this.#linear;
    const own = this.addressOf(entry);
    for (let at = 0; at < length; at++) {
      if (u8[own + at] !== u8[address + at]) {
        return false;
      }
    }
    return true;
  }
}
