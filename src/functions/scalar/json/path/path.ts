/**
 * Syntax tree of the SQL/JSON path language.
 */
import type { Item } from "./items.ts";

export type PathMode = "lax" | "strict";

export interface JsonPath {
  readonly mode: PathMode;
  readonly root: PathNode;
}

export type PathArithmetic = "+" | "-" | "*" | "/" | "%";
export type PathMethod = "type" | "size" | "double" | "ceiling" | "floor" | "abs" | "keyvalue" | "datetime";
export type PathComparison = "==" | "<>" | "<" | "<=" | ">" | ">=";

/** One index, or a range of indexes. */
export interface PathSubscript {
  readonly from: PathNode;
  readonly to?: PathNode;
}

export type PathNode =
  | { readonly kind: "literal"; readonly item: Item }
  /** `$` */
  | { readonly kind: "context" }
  /** `$name` */
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "last" }
  /** `@` */
  | { readonly kind: "current" }
  | { readonly kind: "sign"; readonly sign: "+" | "-"; readonly base: PathNode }
  | { readonly kind: "arithmetic"; readonly operator: PathArithmetic; readonly left: PathNode; readonly right: PathNode }
  /** `.name`, or `.*` if there is no name. */
  | { readonly kind: "member"; readonly base: PathNode; readonly name?: string }
  /** `..name` */
  | { readonly kind: "descendant"; readonly base: PathNode; readonly name: string }
  /** `[1, 3 to last]`, or `[*]` if there are no subscripts. */
  | { readonly kind: "elements"; readonly base: PathNode; readonly subscripts: readonly PathSubscript[] }
  | { readonly kind: "filter"; readonly base: PathNode; readonly predicate: PathPredicate }
  | { readonly kind: "method"; readonly base: PathNode; readonly method: PathMethod };

export type PathPredicate =
  | { readonly kind: "comparison"; readonly operator: PathComparison; readonly left: PathNode; readonly right: PathNode }
  | { readonly kind: "and" | "or"; readonly left: PathPredicate; readonly right: PathPredicate }
  | { readonly kind: "not"; readonly predicate: PathPredicate }
  | { readonly kind: "unknown"; readonly predicate: PathPredicate }
  | { readonly kind: "exists"; readonly path: PathNode }
  | { readonly kind: "starts"; readonly value: PathNode; readonly prefix: PathNode }
  | { readonly kind: "like"; readonly value: PathNode; readonly pattern: string; readonly flags: string };

/** Direct children of a node. */
export function insideOf(node: PathNode | PathPredicate): readonly (PathNode | PathPredicate)[] {
  switch (node.kind) {
    case "literal":
    case "context":
    case "variable":
    case "last":
    case "current":
      return [];
    case "arithmetic":
    case "comparison":
    case "and":
    case "or":
      return [node.left, node.right];
    case "elements":
      return [node.base, ...node.subscripts.flatMap(({ from, to }) => (to === undefined ? [from] : [from, to]))];
    case "filter":
      return [node.base, node.predicate];
    case "sign":
    case "member":
    case "descendant":
    case "method":
      return [node.base];
    case "not":
    case "unknown":
      return [node.predicate];
    case "exists":
      return [node.path];
    case "starts":
      return [node.value, node.prefix];
    case "like":
      return [node.value];
  }
}

/** Height of the tree. */
export function heightOf(root: PathNode): number {
  let height = 0;
  for (let level: readonly (PathNode | PathPredicate)[] = [root]; level.length > 0; height++) {
    level = level.flatMap(insideOf);
  }
  return height;
}
