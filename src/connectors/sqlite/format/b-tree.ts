/**
 * Walks along a B-tree, from the smallest key on. A damaged tree has an end too: no page is seen twice, and no walk goes deeper than a tree
 * of SQLite can be.
 */
import { BadData } from "../../shared/file-errors.ts";
import { type BTreePage, type CellPayload, childOf, parsePage, rowidOf } from "./b-tree-page.ts";
import { type Rowid, u32 } from "./numbers.ts";
import type { Pager } from "./pager.ts";

/** SQLite's BTCURSOR_MAX_DEPTH. */
const depthMax = 20;

/** The root of a tree. The rows of a table WITHOUT ROWID are the entries of an index. */
export interface Tree {
  readonly root: number;
  readonly isTable: boolean;
}

/** Keys of a table, both ends included; absent: no bound. */
export interface RowidRange {
  readonly low?: Rowid;
  readonly high?: Rowid;
}

/** Children of the root of an index, and the cells behind them: those from `first` up to, but not including, `end`. */
export interface ChildRange {
  readonly first: number;
  readonly end: number;
}

/** Cells of a page that are rows. */
export interface Cells {
  readonly page: BTreePage;
  readonly first: number;
  readonly end: number;
  /** Of a table: where its row ids must lie by the pages above. */
  readonly bounds: KeyBounds;
}

interface KeyBounds {
  /** Excluded. */
  readonly above?: Rowid;
  readonly upTo?: Rowid;
}

interface Place {
  readonly page: BTreePage;
  readonly bounds: KeyBounds;
  /** The next step: children have even numbers, the cells of an index between them odd ones. */
  step: number;
  readonly end: number;
}

export async function openPage(pager: Pager, number: number, isTable: boolean): Promise<BTreePage> {
  const bytes = await pager.page(number);
  return pager.within(number, () => parsePage(number, bytes, { usableSize: pager.snapshot.header.usableSize, isTable }));
}

export class Walk {
  readonly #pager: Pager;
  readonly #tree: Tree;
  readonly #rowids: RowidRange;
  readonly #children: ChildRange | undefined;
  readonly #path: Place[] = [];
  readonly #seen = new Set<number>();
  #isStarted = false;

  constructor(
    pager: Pager,
    tree: Tree,
    { rowids = {}, children }: { readonly rowids?: RowidRange; readonly children?: ChildRange | undefined } = {},
  ) {
    this.#pager = pager;
    this.#tree = tree;
    this.#rowids = rowids;
    this.#children = children;
  }

  /** The next rows; undefined behind the last. Rows outside of the range of row ids may be among them. */
  async next(): Promise<Cells | undefined> {
    if (!this.#isStarted) {
      this.#isStarted = true;
      const first = await this.#enter(this.#tree.root, {});
      if (first !== undefined) {
        return first;
      }
    }
    for (let place = this.#path.at(-1); place !== undefined; place = this.#path.at(-1)) {
      if (place.step >= place.end) {
        this.#path.pop();
        continue;
      }
      const { page, step, bounds } = place;
      place.step += page.isTable ? 2 : 1;
      const index = step >> 1;
      if (step % 2 === 1) {
        return { page, first: index, end: index + 1, bounds };
      }
      const [child, inside] = this.#pager.within(page.number, () => [childOf(page, index), boundsOf(page, index, bounds)] as const);
      const cells = await this.#enter(child, inside);
      if (cells !== undefined) {
        return cells;
      }
    }
    return undefined;
  }

  /** The cells of a leaf; the children of other pages come next. */
  async #enter(number: number, bounds: KeyBounds): Promise<Cells | undefined> {
    if (this.#seen.has(number) || this.#path.length >= depthMax) {
      throw this.#pager.error(number, "the pages of a table form a circle");
    }
    this.#seen.add(number);
    const page = await openPage(this.#pager, number, this.#tree.isTable);
    if (page.isLeaf) {
      return page.cellCount === 0 ? undefined : { page, first: 0, end: page.cellCount, bounds };
    }
    this.#path.push(this.#pager.within(number, () => this.#placeIn(page, bounds)));
    return undefined;
  }

  #placeIn(page: BTreePage, bounds: KeyBounds): Place {
    if (!page.isTable) {
      const { first = 0, end = page.cellCount + 1 } = (this.#path.length === 0 ? this.#children : undefined) ?? {};
      // Behind the child of the last cell there is none.
      return { page, bounds, step: first * 2, end: Math.min(end * 2, page.cellCount * 2 + 1) };
    }
    const { low, high } = this.#rowids;
    const first = low === undefined ? 0 : firstChild(page, low);
    const last = high === undefined ? page.cellCount : firstChild(page, high);
    return { page, bounds, step: first * 2, end: last * 2 + 1 };
  }
}

/** Bounds of the child of that index. */
function boundsOf(page: BTreePage, index: number, bounds: KeyBounds): KeyBounds {
  if (!page.isTable) {
    return bounds;
  }
  return {
    ...bounds,
    ...(index > 0 && { above: rowidOf(page, index - 1) }),
    ...(index < page.cellCount && { upTo: rowidOf(page, index) }),
  };
}

/** The child that has the row id, if any has it: keys of cells are the greatest ones of their children. */
function firstChild(page: BTreePage, rowid: Rowid): number {
  let [low, high] = [0, page.cellCount];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rowidOf(page, middle) < rowid) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** The first `wanted` bytes of a payload that has overflow pages. */
export async function payloadBytes(
  pager: Pager,
  { bytes }: BTreePage,
  { payload, wanted }: { readonly payload: CellPayload; readonly wanted: number },
): Promise<Uint8Array> {
  const { usableSize } = pager.snapshot.header;
  const whole = new Uint8Array(wanted);
  let filled = Math.min(payload.local, wanted);
  whole.set(bytes.subarray(payload.at, payload.at + filled));
  const seen = new Set<number>();
  for (let number = payload.overflow; filled < wanted; ) {
    if (seen.has(number)) {
      throw pager.error(number, "the pages of a value form a circle");
    }
    seen.add(number);
    const page = await pager.page(number);
    const part = page.subarray(4, Math.min(usableSize, 4 + wanted - filled));
    whole.set(part, filled);
    filled += part.length;
    number = u32(page, 0);
  }
  return whole;
}

/** Throws BadData for a payload that is larger than the database. */
export function requirePossible({ size }: CellPayload, pager: Pager): void {
  const { pageCount, header } = pager.snapshot;
  if (size > pageCount * header.pageSize) {
    throw new BadData(`a row of ${size} bytes is larger than the database`);
  }
}
