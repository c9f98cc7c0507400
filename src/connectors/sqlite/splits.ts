/**
 * Parts of a table in the order of its keys: ranges of row ids between keys of the root's cells, or of the level below if there are too
 * few. The parts of a table WITHOUT ROWID are children of its root.
 */
import { QueryError } from "../../protocol/errors.ts";
import type { Json, Split } from "../spi.ts";
import { openPage, type RowidRange, type Tree } from "./format/b-tree.ts";
import { type BTreePage, childOf, rowidOf } from "./format/b-tree-page.ts";
import { intersected, isEmpty, type SplitPayload } from "./handle.ts";
import { narrowed, type Rowid } from "./format/numbers.ts";
import type { Pager } from "./format/pager.ts";
import type { SnapshotId } from "./format/snapshot.ts";

const splitsMax = 1000;
const depthMax = 20;

/** How large a tree is, as far as its first, middle pages tell. */
export interface TreeSize {
  readonly pages: number;
  readonly rows: number;
}

/** Goes down along middle children: pages of one level have about the same number of cells. */
export async function estimateSize(pager: Pager, tree: Tree): Promise<TreeSize> {
  let pages = 1;
  let page = await openPage(pager, tree.root, tree.isTable);
  for (let depth = 0; !page.isLeaf; depth++) {
    const { number, cellCount } = page;
    if (depth === depthMax) {
      throw pager.error(number, "the pages of a table form a circle");
    }
    pages *= cellCount + 1;
    const interior = page;
    page = await openPage(
      pager,
      pager.within(number, () => childOf(interior, cellCount >> 1)),
      tree.isTable,
    );
  }
  return { pages, rows: pages * page.cellCount };
}

export interface SplitOptions {
  readonly tree: Tree;
  readonly splitBytes: number;
  /** Rows outside of it are not wanted. */
  readonly rowids: RowidRange;
  /** Rows of the table, if they are known better than by its pages. */
  readonly rows: number | undefined;
}

export async function splitsOf(pager: Pager, { tree, splitBytes, rowids, rows }: SplitOptions): Promise<readonly Split[]> {
  const { id, header } = pager.snapshot;
  const size = await estimateSize(pager, tree);
  const wanted = Math.min(splitsMax, Math.max(1, Math.ceil((size.pages * header.pageSize) / splitBytes)));
  const root = await openPage(pager, tree.root, tree.isTable);
  const ranges =
    root.isLeaf || wanted === 1 ? [{}] : tree.isTable ? await rowidRanges(pager, root, wanted) : childRanges(pager, root, wanted);
  const perSplit = Math.ceil((rows ?? size.rows) / ranges.length);
  return ranges.flatMap((range) => {
    const part = "children" in range ? range : rowidPart(intersected(range, rowids));
    return part === undefined ? [] : [splitOf(id, part, perSplit)];
  });
}

function splitOf(snapshot: SnapshotId, part: Omit<SplitPayload, "snapshot">, rows: number): Split {
  const payload: SplitPayload = { snapshot, ...part };
  return { payload: payload as unknown as Json, rows };
}

/** undefined if the range has no row ids. */
function rowidPart(range: RowidRange): Omit<SplitPayload, "snapshot"> | undefined {
  const { low, high } = range;
  return isEmpty(range) ? undefined : { ...(low !== undefined && { low: String(low) }), ...(high !== undefined && { high: String(high) }) };
}

/** At most `wanted` ranges that together have all row ids. */
async function rowidRanges(pager: Pager, root: BTreePage, wanted: number): Promise<readonly RowidRange[]> {
  let keys = keysOf(pager, root);
  if (keys.length + 1 < wanted) {
    const below: Rowid[] = [];
    for (let index = 0; index <= root.cellCount; index++) {
      const number = pager.within(root.number, () => childOf(root, index));
      const page = await openPage(pager, number, true);
      const bound = keys[index];
      below.push(...(page.isLeaf ? [] : keysOf(pager, page)), ...(bound === undefined ? [] : [bound]));
    }
    keys = below;
  }
  if (keys.some((key, index) => index > 0 && !(key > (keys[index - 1] ?? key)))) {
    throw pager.error(root.number, "the keys of a table are not in order");
  }
  const bounds = chosen(keys, wanted - 1);
  return [...bounds, undefined].map((high, index) => {
    const before = bounds[index - 1];
    return { ...(before !== undefined && { low: narrowed(BigInt(before) + 1n) }), ...(high !== undefined && { high }) };
  });
}

function keysOf(pager: Pager, page: BTreePage): readonly Rowid[] {
  return pager.within(page.number, () => Array.from({ length: page.cellCount }, (_, index) => rowidOf(page, index)));
}

/** `count` of the items, evenly. */
function chosen<T>(items: readonly T[], count: number): readonly T[] {
  return items.length <= count
    ? items
    : Array.from({ length: count }, (_, index) => items[Math.floor(((index + 1) * items.length) / (count + 1))] as T);
}

function childRanges(pager: Pager, root: BTreePage, wanted: number): readonly Pick<Required<SplitPayload>, "children">[] {
  const count = root.cellCount + 1;
  const numbers = pager.within(root.number, () => Array.from({ length: count }, (_, index) => childOf(root, index)));
  if (new Set(numbers).size < count) {
    throw pager.error(root.number, "two children are the same page");
  }
  const parts = Math.min(wanted, count);
  return Array.from({ length: parts }, (_, index) => {
    const [first, end] = [index, index + 1].map((part) => Math.floor((part * count) / parts));
    return { children: { first: first ?? 0, end: end ?? count } };
  });
}

/** The table that a plan was made for may be gone. */
export function schemaChanged(path: string): QueryError {
  return new QueryError("CONNECTOR_ERROR", `The schema of the database ${path} was changed while the query ran`);
}
