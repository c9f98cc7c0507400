/**
 * A binary heap with an index: each item has one key, and the key may change. Items with equal keys keep the order in which their keys were
 * set. Reading the first item takes constant time; all other operations take logarithmic time.
 */

interface Entry<T> {
  readonly item: T;
  key: number;
  sequence: number;
}

export class IndexedHeap<T> {
  readonly #heap: Entry<T>[] = [];
  readonly #places = new Map<T, number>();
  #sequence = 0;

  get size(): number {
    return this.#heap.length;
  }

  /** Infinity if the heap is empty. */
  get firstKey(): number {
    return this.#heap[0]?.key ?? Number.POSITIVE_INFINITY;
  }

  get first(): T | undefined {
    return this.#heap[0]?.item;
  }

  /** Adds an item or changes its key. */
  set(item: T, key: number): void {
    const known = this.#places.get(item);
    const sequence = this.#sequence++;
    if (known === undefined) {
      this.#heap.push({ item, key, sequence });
      this.#places.set(item, this.#heap.length - 1);
      this.#rise(this.#heap.length - 1);
      return;
    }
    const entry = this.#heap[known] as Entry<T>;
    entry.key = key;
    entry.sequence = sequence;
    this.#sink(this.#rise(known));
  }

  delete(item: T): void {
    const place = this.#places.get(item);
    if (place === undefined) {
      return;
    }
    this.#places.delete(item);
    const last = this.#heap.pop() as Entry<T>;
    if (place < this.#heap.length) {
      this.#put(last, place);
      this.#sink(this.#rise(place));
    }
  }

  /** Removes and returns the first item if its key is at most `keyMax`. */
  take(keyMax: number): T | undefined {
    const first = this.#heap[0];
    if (first === undefined || first.key > keyMax) {
      return undefined;
    }
    this.delete(first.item);
    return first.item;
  }

  #rise(from: number): number {
    let place = from;
    const entry = this.#heap[place] as Entry<T>;
    while (place > 0) {
      const above = (place - 1) >>> 1;
      const parent = this.#heap[above] as Entry<T>;
      if (!isBefore(entry, parent)) {
        break;
      }
      this.#put(parent, place);
      place = above;
    }
    this.#put(entry, place);
    return place;
  }

  #sink(from: number): void {
    let place = from;
    const entry = this.#heap[place] as Entry<T>;
    for (;;) {
      const left = 2 * place + 1;
      const right = left + 1;
      let least = left;
      if (right < this.#heap.length && isBefore(this.#heap[right] as Entry<T>, this.#heap[left] as Entry<T>)) {
        least = right;
      }
      const child = this.#heap[least];
      if (child === undefined || !isBefore(child, entry)) {
        break;
      }
      this.#put(child, place);
      place = least;
    }
    this.#put(entry, place);
  }

  #put(entry: Entry<T>, place: number): void {
    this.#heap[place] = entry;
    this.#places.set(entry.item, place);
  }
}

function isBefore<T>(a: Entry<T>, b: Entry<T>): boolean {
  return a.key < b.key || (a.key === b.key && a.sequence < b.sequence);
}
