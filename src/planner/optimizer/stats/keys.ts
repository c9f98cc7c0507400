/**
 * Unique keys of relations: sets of columns whose values no two rows share. NULL counts as a value. Keys are certain, although estimates
 * carry them.
 */
import type { JoinNode } from "../../plan/node.ts";

export interface UniqueKey {
  readonly columns: ReadonlySet<string>;
  /** Number of rows of the relation before any filter. */
  readonly baseRows: number;
}

/** Returns whether no two rows have the same values in `columns`. */
export function isUnique(keys: readonly UniqueKey[], columns: ReadonlySet<string>): boolean {
  return keys.some((key) => [...key.columns].every((name) => columns.has(name)));
}

/**
 * If the criteria contain a key of one side, each row of the other side matches at most once, and the keys of that other side stay unique.
 */
export function joinedKeys(join: JoinNode, left: readonly UniqueKey[], right: readonly UniqueKey[]): readonly UniqueKey[] {
  const leftOnce = isUnique(right, new Set(join.criteria.map((c) => c.right.name)));
  const rightOnce = isUnique(left, new Set(join.criteria.map((c) => c.left.name)));
  // Rows that an outer join fills with NULLs are equal to each other.
  const keepsLeft = leftOnce && (join.type === "INNER" || join.type === "LEFT");
  const keepsRight = rightOnce && (join.type === "INNER" || join.type === "RIGHT");
  const kept = [...(keepsLeft ? left : []), ...(keepsRight ? right : [])];
  return join.type === "INNER" ? distinctKeys([...kept, ...kept.flatMap((key) => underOtherNames(key, join))]) : kept;
}

/** Each join over the same column would otherwise repeat the keys of all joins below it. */
function distinctKeys(keys: readonly UniqueKey[]): readonly UniqueKey[] {
  return [...new Map(keys.map((key) => [textOf(key), key])).values()];
}

/** A chain of hundreds of joins hands as many keys on. */
const texts = new WeakMap<UniqueKey, string>();

function textOf(key: UniqueKey): string {
  const text = texts.get(key) ?? JSON.stringify([key.baseRows, ...[...key.columns].sort()]);
  texts.set(key, text);
  return text;
}

/** Returns the key with each column replaced by the column that a join criterion equates it with. */
function underOtherNames({ columns, baseRows }: UniqueKey, { criteria }: JoinNode): readonly UniqueKey[] {
  const names = [...columns];
  const renamed = names.map((name) => {
    const found = criteria.find((c) => c.left.name === name || c.right.name === name);
    return found === undefined ? name : found.left.name === name ? found.right.name : found.left.name;
  });
  return renamed.every((name, index) => name === names[index]) ? [] : [{ columns: new Set(renamed), baseRows }];
}
