/**
 * Catalogs, schemas, tables and columns as a tree (WAI-ARIA). A click opens a node, on a column inserts its name; a table has buttons that
 * insert its name and show its rows. By keyboard: arrows, Enter inserts, Alt+Enter shows the rows.
 */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { signal } from "@preact/signals";
import { printPlainName } from "../../../sql/printer/names.ts";
import { useWantedFocus } from "../wanted-focus.ts";
import { workspace } from "../workspace.ts";
import {
  catalogNodes,
  type Children,
  columnNodes,
  keyOf,
  schemaNodes,
  tableNodes,
  type TreeNode,
  type TreeRow,
  treeRows,
} from "./schema-tree.ts";

interface SchemaBrowserProps {
  readonly onInsert: (text: string) => void;
  readonly onPreview: (table: readonly string[]) => void;
}

/** Outlives the browser, so that the tree is as it was when it is shown again. */
const roots = signal<readonly TreeNode[]>([]);
const failure = signal("");
const open = signal<ReadonlySet<string>>(new Set());
const children = signal<ReadonlyMap<string, Children>>(new Map());
const filter = signal("");
const current = signal("");

export function SchemaBrowser({ onInsert, onPreview }: SchemaBrowserProps): JSX.Element {
  const space = workspace();
  const list = useRef<HTMLDivElement>(null);
  const focus = useWantedFocus(list);
  const fetchChildren = (node: TreeNode): void => {
    const key = keyOf(node.path);
    const put = (value: Children): void => {
      children.value = new Map(children.value).set(key, value);
    };
    childrenOf(node).then(put, (error: unknown) => put({ failure: String(error instanceof Error ? error.message : error) }));
  };
  const toggle = (node: TreeNode, isOpen = !open.value.has(keyOf(node.path))): void => {
    const key = keyOf(node.path);
    open.value = new Set(isOpen ? [...open.value, key] : [...open.value].filter((one) => one !== key));
    const known = children.value.get(key);
    if (isOpen && (known === undefined || "failure" in known)) {
      fetchChildren(node);
    }
  };
  const refresh = async (): Promise<void> => {
    try {
      roots.value = catalogNodes(await space.metadata.catalogs());
      failure.value = "";
    } catch (error) {
      failure.value = String(error instanceof Error ? error.message : error);
    }
    children.value = new Map();
    openFiles(roots.value, open.value.size === 0 ? (node) => toggle(node, true) : () => undefined);
    for (const key of open.value) {
      fetchChildren(nodeOf(key));
    }
  };
  const version = space.metadataVersion.value;
  useEffect(() => void refresh(), [version]);
  const rows = treeRows({ roots: roots.value, open: open.value, children: children.value, filter: filter.value });
  const currentKey = rows.some(({ node }) => keyOf(node.path) === current.value) ? current.value : keyOf(rows[0]?.node.path ?? []);
  const focusRow = (index: number): void => {
    const row = rows[index];
    if (row !== undefined) {
      current.value = keyOf(row.node.path);
      focus('[tabindex="0"]');
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const index = rows.findIndex(({ node }) => keyOf(node.path) === currentKey);
    const row = rows[index];
    if (row !== undefined && handleKey(event, { row, rows, index, focusRow, toggle, onInsert, onPreview })) {
      event.preventDefault();
    }
  };
  return (
    <div class="sql-schemas">
      <div class="sql-side-head">
        <input
          type="search"
          aria-label="Filter tables and columns"
          placeholder="Filter opened tables"
          value={filter.value}
          onInput={(event) => (filter.value = event.currentTarget.value)}
        />
        <button type="button" class="quiet icon" aria-label="Refresh" title="Refresh" onClick={() => reload(refresh)}>
          ↻
        </button>
      </div>
      {failure.value !== "" && (
        <p class="failure" role="alert">
          {failure.value}
        </p>
      )}
      <div class="sql-tree" role="tree" aria-label="Catalogs" ref={list} onKeyDown={onKeyDown}>
        {rows.map((row) => (
          <Row
            key={keyOf(row.node.path)}
            row={row}
            isCurrent={keyOf(row.node.path) === currentKey}
            onSelect={() => {
              current.value = keyOf(row.node.path);
              if (row.node.kind === "column") {
                onInsert(printPlainName(row.node.name));
              } else {
                toggle(row.node);
              }
            }}
            onInsert={() => onInsert(row.node.path.map(printPlainName).join("."))}
            onPreview={() => onPreview(row.node.path)}
          />
        ))}
      </div>
    </div>
  );
}

function reload(refresh: () => Promise<void>): void {
  workspace().metadata.clear();
  void refresh();
}

/** The files that the server was started with are what a new user looks for. */
function openFiles(roots: readonly TreeNode[], open: (node: TreeNode) => void): void {
  const files = roots.find(({ name }) => name === "files");
  if (files !== undefined) {
    open(files);
    open({ path: ["files", "default"], kind: "schema", name: "default" });
  }
}

function nodeOf(key: string): TreeNode {
  const path = JSON.parse(key) as readonly string[];
  return { path, kind: path.length === 1 ? "catalog" : path.length === 2 ? "schema" : "table", name: path.at(-1) ?? "" };
}

async function childrenOf({ path }: TreeNode): Promise<readonly TreeNode[]> {
  const { metadata } = workspace();
  const [catalog = "", schema = "", table = ""] = path;
  switch (path.length) {
    case 1:
      return schemaNodes(catalog, await metadata.schemas(catalog));
    case 2:
      return tableNodes(path, await metadata.tables(catalog, schema));
    default:
      return columnNodes(path, await metadata.columns(catalog, schema, table));
  }
}

interface KeyOptions extends SchemaBrowserProps {
  readonly row: TreeRow;
  readonly rows: readonly TreeRow[];
  readonly index: number;
  readonly focusRow: (index: number) => void;
  readonly toggle: (node: TreeNode, isOpen?: boolean) => void;
}

function handleKey(event: KeyboardEvent, { row, rows, index, focusRow, toggle, onInsert, onPreview }: KeyOptions): boolean {
  const { node } = row;
  switch (event.key) {
    case "ArrowDown":
      focusRow(index + 1);
      return true;
    case "ArrowUp":
      focusRow(index - 1);
      return true;
    case "Home":
      focusRow(0);
      return true;
    case "End":
      focusRow(rows.length - 1);
      return true;
    case "ArrowRight":
      if (node.kind !== "column") {
        if (row.isOpen) {
          focusRow(index + 1);
        } else {
          toggle(node, true);
        }
      }
      return true;
    case "ArrowLeft":
      if (row.isOpen) {
        toggle(node, false);
      } else {
        focusRow(rows.findLastIndex(({ level }, at) => at < index && level < row.level));
      }
      return true;
    case "Enter":
      if (event.altKey && (node.kind === "table" || node.kind === "view")) {
        onPreview(node.path);
      } else {
        onInsert(node.kind === "column" ? printPlainName(node.name) : node.path.map(printPlainName).join("."));
      }
      return true;
    default:
      return false;
  }
}

interface RowProps {
  readonly row: TreeRow;
  readonly isCurrent: boolean;
  readonly onSelect: () => void;
  readonly onInsert: () => void;
  readonly onPreview: () => void;
}

/** The buttons of a row are for the pointer; Enter and Alt+Enter do the same. */
function Row({ row, isCurrent, onSelect, onInsert, onPreview }: RowProps): JSX.Element {
  const { node, level, isOpen, message } = row;
  const isTable = node.kind === "table" || node.kind === "view";
  const stopped = (act: () => void) => (event: Event) => {
    event.stopPropagation();
    act();
  };
  return (
    <div
      class="sql-node"
      role="treeitem"
      data-kind={node.kind}
      data-path={node.path.join(".")}
      aria-level={level}
      aria-posinset={row.position}
      aria-setsize={row.setSize}
      aria-expanded={node.kind === "column" ? undefined : isOpen}
      aria-selected={isCurrent}
      tabIndex={isCurrent ? 0 : -1}
      title={isTable ? "Enter inserts the name, Alt+Enter shows rows" : node.detail}
      style={{ paddingLeft: `${level * 14 - 8}px` }}
      onClick={onSelect}
    >
      <span class="sql-twist" aria-hidden="true">
        {node.kind === "column" ? "" : isOpen ? "▾" : "▸"}
      </span>
      <span class="visually-hidden">{node.kind} </span>
      <span class="sql-node-name">{node.name}</span>
      {node.detail !== undefined && <span class="sql-node-type">{node.detail}</span>}
      {isTable && (
        <span class="sql-node-tools" aria-hidden="true">
          <span class="sql-node-tool" data-act="insert" title="Insert the name" onClick={stopped(onInsert)}>
            insert
          </span>
          <span class="sql-node-tool" data-act="preview" title="Show rows" onClick={stopped(onPreview)}>
            rows
          </span>
        </span>
      )}
      {message !== undefined && <span class="sql-node-message">{message}</span>}
    </div>
  );
}
