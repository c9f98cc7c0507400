/**
 * The rows of a match, complete or partial: the label of each row, and for each set of labels in use the places of its rows. Places count
 * from the first row of the match, positions in the sorted order of all rows.
 */
import type { MemoryContext } from "../../../memory/memory.ts";
import type { PatternNavigation } from "../../../planner/plan/pattern-nodes.ts";
import type { PatternRecognitionNode } from "../../../planner/plan/node.ts";
import { Words } from "./words.ts";

const excludedBit = 0x8000_0000;
const nowhere = -1;

/** Positions that may be read: those of the partition, or of a window's frame. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** Watchers of a list. For each one: the length of the prefix that has not been rewritten since it last looked. */
class Marks {
  readonly #lowest: number[] = [];

  watch(): number {
    return this.#lowest.push(0) - 1;
  }

  lower(length: number): void {
    for (let watcher = 0; watcher < this.#lowest.length; watcher++) {
      if (length < (this.#lowest[watcher] as number)) {
        this.#lowest[watcher] = length;
      }
    }
  }

  look(watcher: number): number {
    const lowest = this.#lowest[watcher] as number;
    this.#lowest[watcher] = Infinity;
    return lowest;
  }
}

/** Rows with one of a set of labels. */
export class LabelRows {
  readonly labels: readonly number[];
  readonly places: Words;
  readonly marks = new Marks();

  constructor(memory: MemoryContext, labels: readonly number[]) {
    this.labels = labels;
    this.places = new Words(memory);
  }

  truncate(length: number): void {
    let count = this.places.length;
    while (count > 0 && this.places.at(count - 1) >= length) {
      count--;
    }
    this.places.truncate(count);
    this.marks.lower(count);
  }

  /** Number of rows before `place`. */
  countBefore(place: number): number {
    let [low, high] = [0, this.places.length];
    if (high === 0 || this.places.at(high - 1) < place) {
      return high;
    }
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.places.at(middle) < place) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

/** All sets of labels that navigations, aggregates and AFTER MATCH SKIP refer to. */
function labelSets({ definitions, measures, skip }: PatternRecognitionNode): readonly (readonly number[])[] {
  const expressions = [...definitions, ...measures];
  return [
    skip.labels,
    ...expressions.flatMap(({ accesses, aggregates }) => [
      ...accesses.map(({ navigation }) => navigation?.labels ?? []),
      ...aggregates.map(({ labels }) => labels),
    ]),
  ].filter((labels) => labels.length > 0);
}

export class MatchPath {
  /** Position of its first row. */
  start = 0;
  readonly #labels: Words;
  readonly #sets = new Map<string, LabelRows>();
  readonly #byLabel: readonly (readonly LabelRows[])[];
  readonly marks = new Marks();

  constructor(memory: MemoryContext, node: PatternRecognitionNode) {
    this.#labels = new Words(memory);
    for (const labels of labelSets(node)) {
      const key = labels.join();
      if (!this.#sets.has(key)) {
        this.#sets.set(key, new LabelRows(memory, labels));
      }
    }
    const sets = [...this.#sets.values()];
    this.#byLabel = node.labels.map((_, label) => sets.filter(({ labels }) => labels.includes(label)));
  }

  get length(): number {
    return this.#labels.length;
  }

  begin(start: number): void {
    this.start = start;
    this.truncate(0);
  }

  push(label: number, excluded: boolean): void {
    const place = this.#labels.length;
    this.#labels.push(excluded ? (label | excludedBit) >>> 0 : label);
    for (const set of this.#byLabel[label] as readonly LabelRows[]) {
      set.places.push(place);
    }
  }

  truncate(length: number): void {
    if (length >= this.#labels.length) {
      return;
    }
    this.#labels.truncate(length);
    this.marks.lower(length);
    for (const set of this.#sets.values()) {
      set.truncate(length);
    }
  }

  labelAt(place: number): number {
    return this.#labels.at(place) & ~excludedBit;
  }

  isExcluded(place: number): boolean {
    return this.#labels.at(place) >= excludedBit;
  }

  /** `labels` is one of the sets that the node refers to. */
  rowsWith(labels: readonly number[]): LabelRows {
    return this.#sets.get(labels.join()) as LabelRows;
  }

  /** Label of the row at a position; undefined outside of the match. */
  labelOfPosition(position: number): number | undefined {
    const place = position - this.start;
    return place >= 0 && place < this.length ? this.labelAt(place) : undefined;
  }

  /** The position that a navigation leads to from the row at `place`; negative if there is none in `range`. */
  resolve(navigation: PatternNavigation, place: number, range: RowRange): number {
    const found = this.#logical(navigation, navigation.running ? place : this.length - 1);
    if (found === nowhere) {
      return nowhere;
    }
    const position = this.start + found + navigation.physicalOffset;
    return position < range.first || position >= range.end ? nowhere : position;
  }

  /** The place of the target row in the match. `last` is the last place that counts. */
  #logical({ anchor, labels, logicalOffset }: PatternNavigation, last: number): number {
    if (labels.length === 0) {
      const place = anchor === "FIRST" ? logicalOffset : last - logicalOffset;
      return place >= 0 && place <= last ? place : nowhere;
    }
    const rows = this.rowsWith(labels);
    const count = rows.countBefore(last + 1);
    const index = anchor === "FIRST" ? logicalOffset : count - 1 - logicalOffset;
    return index >= 0 && index < count ? rows.places.at(index) : nowhere;
  }
}
