/** Keys of relations: sets of columns in all of which no two rows agree, NULL counted as a value. Part of estimates, but certain. */
import type { JoinNode } from "../../plan/node.ts";

export interface UniqueKey {
  readonly columns: ReadonlySet<string>;
  /** How many rows there were before any filter. */
  readonly baseRows: number;
}

/** Whether no two rows agree in `columns`. */
export function isUnique(keys: readonly UniqueKey[], columns: ReadonlySet<string>): boolean {
  return keys.some((key) => [...key.columns].every((name) => columns.has(name)));
}

/** Each row of a side is met at most once by the other where the criteria hold a key of the other: then that side's keys stay keys. */
export function joinedKeys(join: JoinNode, left: readonly UniqueKey[], right: readonly UniqueKey[]): readonly UniqueKey[] {
  const leftOnce = isUnique(right, new Set(join.criteria.map((c) => c.right.name)));
  const rightOnce = isUnique(left, new Set(join.criteria.map((c) => c.left.name)));
  // Rows made of NULLs agree with each other.
  const keepsLeft = leftOnce && (join.type === "INNER" || join.type === "LEFT");
  const keepsRight = rightOnce && (join.type === "INNER" || join.type === "RIGHT");
  const kept = [...(keepsLeft ? left : []), ...(keepsRight ? right : [])];
  return join.type === "INNER" ? [...kept, ...kept.flatMap((key) => underOtherNames(key, join))] : kept;
}

/** The key by the columns that the join made equal to its own. */
function underOtherNames({ columns, baseRows }: UniqueKey, { criteria }: JoinNode): readonly UniqueKey[] {
  const names = [...columns];
  const renamed = names.map((name) => {
    const found = criteria.find((c) => c.left.name === name || c.right.name === name);
    return found === undefined ? name : found.left.name === name ? found.right.name : found.left.name;
  });
  return renamed.every((name, index) => name === names[index]) ? [] : [{ columns: new Set(renamed), baseRows }];
}
