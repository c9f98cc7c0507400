/** Geometry and selection of the result grid: pure functions over columns, rows and cells. */

export interface Cell {
  /** Position in the shown order; -1 is the head. */
  readonly row: number;
  readonly column: number;
}

export interface CellRange {
  /** Where the selection began. */
  readonly anchor: Cell;
  /** The current cell. */
  readonly focus: Cell;
}

export const rowHeight = 25;
export const headHeight = 42;
export const columnWidthMin = 48;
export const columnWidthMax = 1200;

export interface Bounds {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** Inclusive, without the head. */
export function boundsOf({ anchor, focus }: CellRange): Bounds {
  return {
    top: Math.max(0, Math.min(anchor.row, focus.row)),
    bottom: Math.max(anchor.row, focus.row),
    left: Math.min(anchor.column, focus.column),
    right: Math.max(anchor.column, focus.column),
  };
}

/** Left edges of the columns, and behind them the width of all. */
export function columnEdges(widths: readonly number[], start: number): readonly number[] {
  const edges = [start];
  for (const width of widths) {
    edges.push((edges.at(-1) ?? start) + width);
  }
  return edges;
}

/** Columns that touch the range of pixels: first, and behind the last. */
export function columnsBetween(edges: readonly number[], from: number, to: number): { readonly first: number; readonly end: number } {
  const count = edges.length - 1;
  let first = 0;
  while (first < count - 1 && (edges[first + 1] ?? 0) <= from) {
    first++;
  }
  let end = first;
  while (end < count && (edges[end] ?? 0) < to) {
    end++;
  }
  return { first, end };
}

export interface GridSize {
  readonly rows: number;
  readonly columns: number;
  /** Rows that fit into the view. */
  readonly page: number;
}

/** The cell that a key leads to; undefined if the key is not for the grid. */
export function cellAfter(
  { key, ctrlKey }: { readonly key: string; readonly ctrlKey: boolean },
  { row, column }: Cell,
  { rows, columns, page }: GridSize,
): Cell | undefined {
  const within = (toRow: number, toColumn: number): Cell => ({
    row: Math.max(-1, Math.min(rows - 1, toRow)),
    column: Math.max(0, Math.min(columns - 1, toColumn)),
  });
  switch (key) {
    case "ArrowDown":
      return within(ctrlKey ? rows - 1 : row + 1, column);
    case "ArrowUp":
      return within(ctrlKey ? Math.min(row, 0) : row - 1, column);
    case "ArrowRight":
      return within(row, ctrlKey ? columns - 1 : column + 1);
    case "ArrowLeft":
      return within(row, ctrlKey ? 0 : column - 1);
    case "PageDown":
      return within(row + page, column);
    case "PageUp":
      return within(Math.max(0, row - page), column);
    case "Home":
      return within(ctrlKey ? 0 : row, 0);
    case "End":
      return within(ctrlKey ? rows - 1 : row, columns - 1);
    default:
      return undefined;
  }
}

/** A width for texts of these lengths, in characters of the grid's font. */
export function columnWidth(lengths: readonly number[], headLength: number): number {
  const longest = Math.max(headLength + 3, ...lengths, 4);
  return Math.min(360, Math.max(64, Math.ceil(longest * 7.8) + 22));
}
