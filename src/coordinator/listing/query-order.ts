/**
 * Orders of the query list, and the first rows of an order without sorting all rows: a page of 100 out of 50,000 costs one comparison for
 * most rows.
 */
import { queryStates } from "../../protocol/documents/statement.ts";
import type { QueryRow } from "./query-row.ts";

type Key = (row: QueryRow) => number | string;
export type Comparison = (a: QueryRow, b: QueryRow) => number;

/** States sort in the order of a query's life. A query that has not ended sorts after all ends, one without a source before all sources. */
const keys = {
  createTime: (row) => row.createMillis,
  endTime: (row) => row.endMillis ?? Number.POSITIVE_INFINITY,
  elapsedTime: (row) => row.elapsedNanos,
  queuedTime: (row) => row.queuedNanos,
  totalCpuTime: (row) => row.sum("cpuNanos"),
  peakMemoryReservation: (row) => row.sum("peakMemoryBytes"),
  rawInputPositions: (row) => row.sum("rawInputPositions"),
  rawInputDataSize: (row) => row.sum("rawInputBytes"),
  state: (row) => queryStates.indexOf(row.state),
  user: (row) => row.user,
  source: (row) => row.source ?? "",
} as const satisfies Readonly<Record<string, Key>>;

export type SortColumn = keyof typeof keys;
export const sortColumns: readonly SortColumn[] = Object.keys(keys) as SortColumn[];

/** Ties are in the order of the ids, ascending. */
export function comparisonBy({ column, descending }: { readonly column: SortColumn; readonly descending: boolean }): Comparison {
  const key: Key = keys[column];
  const sign = descending ? -1 : 1;
  return (a, b) => {
    const [left, right] = [key(a), key(b)];
    return left < right ? -sign : left > right ? sign : compareIds(a, b);
  };
}

/** The order of creation. */
export const byCreation: Comparison = (a, b) => a.ordinal - b.ordinal || compareIds(a, b);

function compareIds(a: QueryRow, b: QueryRow): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** The first rows of an order, kept in a binary heap whose top is the last of them. */
export class FirstRows {
  readonly #compare: Comparison;
  readonly #limit: number;
  readonly #heap: QueryRow[] = [];

  constructor(compare: Comparison, limit: number) {
    this.#compare = compare;
    this.#limit = limit;
  }

  add(row: QueryRow): void {
    const heap = this.#heap;
    if (heap.length < this.#limit) {
      heap.push(row);
      this.#rise(heap.length - 1);
    } else if (heap.length > 0 && this.#compare(row, heap[0] as QueryRow) < 0) {
      heap[0] = row;
      this.#sink();
    }
  }

  sorted(): readonly QueryRow[] {
    return this.#heap.toSorted(this.#compare);
  }

  #rise(from: number): void {
    const heap = this.#heap;
    const row = heap[from] as QueryRow;
    let place = from;
    while (place > 0) {
      const above = (place - 1) >>> 1;
      const parent = heap[above] as QueryRow;
      if (this.#compare(row, parent) <= 0) {
        break;
      }
      heap[place] = parent;
      place = above;
    }
    heap[place] = row;
  }

  #sink(): void {
    const heap = this.#heap;
    const row = heap[0] as QueryRow;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= heap.length) {
        break;
      }
      if (child + 1 < heap.length && this.#compare(heap[child + 1] as QueryRow, heap[child] as QueryRow) > 0) {
        child += 1;
      }
      if (this.#compare(heap[child] as QueryRow, row) <= 0) {
        break;
      }
      heap[place] = heap[child] as QueryRow;
      place = child;
    }
    heap[place] = row;
  }
}
