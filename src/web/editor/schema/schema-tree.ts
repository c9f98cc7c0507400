/** Rows of the schema browser: the open part of the tree of catalogs, schemas, tables and columns. */
import type { NamedColumn, NamedTable } from "../completion/metadata.ts";

export type NodeKind = "catalog" | "schema" | "table" | "view" | "column";

export interface TreeNode {
  /** Names from the catalog down. */
  readonly path: readonly string[];
  readonly kind: NodeKind;
  readonly name: string;
  readonly detail?: string;
}

/** Children of a node, or why they cannot be listed; undefined while they are fetched. */
export type Children = readonly TreeNode[] | { readonly failure: string } | undefined;

export interface TreeRow {
  readonly node: TreeNode;
  readonly level: number;
  readonly isOpen: boolean;
  /** A message in place of children. */
  readonly message?: string;
  readonly position: number;
  readonly setSize: number;
}

export function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** Children shown of one node. */
const childrenMax = 2000;

export interface TreeState {
  readonly roots: readonly TreeNode[];
  readonly open: ReadonlySet<string>;
  readonly children: ReadonlyMap<string, Children>;
  /** Only tables and columns whose names contain it, with what leads to them. */
  readonly filter: string;
}

export function treeRows(state: TreeState): readonly TreeRow[] {
  return rowsOf(state.roots, 1, state);
}

function rowsOf(nodes: readonly TreeNode[], level: number, state: TreeState): readonly TreeRow[] {
  const shown = nodes.filter((node) => isShown(node, state)).slice(0, childrenMax);
  return shown.flatMap((node, index) => {
    const key = keyOf(node.path);
    const isOpen = node.kind !== "column" && state.open.has(key);
    const row: TreeRow = { node, level, isOpen, position: index + 1, setSize: shown.length };
    if (!isOpen) {
      return [row];
    }
    const children = state.children.get(key);
    if (children === undefined) {
      return [{ ...row, message: "Loading…" }];
    }
    if ("failure" in children) {
      return [{ ...row, message: children.failure }];
    }
    return children.length === 0 ? [{ ...row, message: "Empty" }] : [row, ...rowsOf(children, level + 1, state)];
  });
}

function isShown(node: TreeNode, state: TreeState): boolean {
  const filter = state.filter.trim().toLowerCase();
  if (filter === "" || node.kind === "catalog" || node.kind === "schema") {
    return true;
  }
  if (node.path.slice(2).some((name) => name.toLowerCase().includes(filter))) {
    return true;
  }
  const children = state.children.get(keyOf(node.path));
  return children !== undefined && !("failure" in children) && children.some(({ name }) => name.toLowerCase().includes(filter));
}

export function catalogNodes(names: readonly string[]): readonly TreeNode[] {
  return names.map((name) => ({ path: [name], kind: "catalog", name }));
}

export function schemaNodes(catalog: string, names: readonly string[]): readonly TreeNode[] {
  return names.map((name) => ({ path: [catalog, name], kind: "schema", name }));
}

export function tableNodes(parent: readonly string[], tables: readonly NamedTable[]): readonly TreeNode[] {
  return tables.map(({ name, kind }) => ({ path: [...parent, name], kind: kind === "VIEW" ? "view" : "table", name }));
}

export function columnNodes(parent: readonly string[], columns: readonly NamedColumn[]): readonly TreeNode[] {
  return columns.map(({ name, type }) => ({ path: [...parent, name], kind: "column", name, detail: type }));
}
