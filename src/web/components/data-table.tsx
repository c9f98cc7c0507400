/**
 * A table with a sticky head and sortable columns. Arrow keys move between the rows' links. With `rowHeight` only the rows in view are in
 * the document, so that thousands of rows cost what a screen of them costs.
 */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { nextSort, rowAfter, type RowWindow, rowWindow, type Sort, sortRows } from "./table-keys.ts";

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** Name for screen readers of a column without a title. */
  readonly label?: string;
  /** Explanation of the column, shown as a tooltip of its head. */
  readonly hint?: string;
  /** Right-aligned, with digits of equal width; sorts from high to low first. */
  readonly numeric?: boolean;
  /** CSS width. */
  readonly width?: string;
  /** Narrow screens hide columns marked `wide`, and the narrowest those marked `medium` too. */
  readonly from?: "medium" | "wide";
  /** Sorts the rows here; not used if the server sorts. */
  readonly value?: (row: Row) => number | string | undefined;
  /** For tables that the server sorts. */
  readonly sortable?: boolean;
  readonly render: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
  /** Says what the rows are, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Order of the rows. Without `onSort` the table keeps its own order, which starts with this one. */
  readonly sort?: Sort;
  /** The rows come in their order; a click on a head asks for another. */
  readonly onSort?: (sort: Sort) => void;
  /** Height of all rows in pixels: renders only the rows in view. */
  readonly rowHeight?: number;
  readonly class?: string;
  /** Shown below the head if there are no rows. */
  readonly empty?: ComponentChildren;
}

export function DataTable<Row>(props: TableProps<Row>): JSX.Element {
  const { caption, columns, keyOf, rowHeight } = props;
  const [ownSort, setOwnSort] = useState(props.sort);
  const sort = props.onSort === undefined ? ownSort : props.sort;
  const rows = orderedRows(props, sort);
  const box = useRef<HTMLDivElement>(null);
  const [{ first, end }, focusRow] = useWindow(box, rows.length, rowHeight);
  const shown = rowHeight === undefined ? rows : rows.slice(first, end);
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = rowIndexOf(event.target);
    const page = rowHeight === undefined ? 10 : Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / rowHeight) - 2);
    const next = at === undefined || hasModifier(event) ? undefined : rowAfter(event.key, at, { rows: rows.length, page });
    if (next !== undefined) {
      event.preventDefault();
      focusRow(next);
    }
  };
  return (
    <div
      class={`table-scroll ${rowHeight === undefined ? "" : "windowed"} ${props.class ?? ""}`}
      ref={box}
      tabIndex={0}
      role="region"
      aria-label={caption}
    >
      <table class="data" aria-rowcount={rows.length + 1}>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <Head
                key={column.key}
                column={column}
                sort={sort}
                onSort={props.onSort ?? setOwnSort}
                isServer={props.onSort !== undefined}
              />
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={onKeyDown}>
          {rowHeight !== undefined && first > 0 && <tr class="spacer" aria-hidden="true" style={{ height: `${first * rowHeight}px` }} />}
          {shown.map((row, index) => (
            <BodyRow key={keyOf(row)} row={row} columns={columns} index={first + index} height={rowHeight} />
          ))}
          {rowHeight !== undefined && end < rows.length && (
            <tr class="spacer" aria-hidden="true" style={{ height: `${(rows.length - end) * rowHeight}px` }} />
          )}
        </tbody>
      </table>
      {rows.length === 0 && props.empty}
    </div>
  );
}

function orderedRows<Row>({ rows, columns, onSort }: TableProps<Row>, sort: Sort | undefined): readonly Row[] {
  const value = columns.find(({ key }) => key === sort?.key)?.value;
  return onSort !== undefined || sort === undefined || value === undefined ? rows : sortRows(rows, value, sort.descending);
}

function hasModifier({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return altKey || ctrlKey || metaKey || shiftKey;
}

/** Index of the row that holds the element; undefined for text fields, which use the keys themselves. */
function rowIndexOf(target: EventTarget | null): number | undefined {
  if (!(target instanceof HTMLElement) || target.matches("input, select, textarea")) {
    return undefined;
  }
  const index = target.closest<HTMLElement>("tr[data-index]")?.dataset["index"];
  return index === undefined ? undefined : Number(index);
}

/** The window of rendered rows, and a function that scrolls to a row and focuses its first link. */
function useWindow(
  box: { readonly current: HTMLDivElement | null },
  rows: number,
  rowHeight: number | undefined,
): readonly [RowWindow, (index: number) => void] {
  const [view, setView] = useState({ top: 0, height: 1000 });
  const wanted = useRef<number | undefined>(undefined);
  const [, render] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (element === null || rowHeight === undefined) {
      return undefined;
    }
    let frame = 0;
    const look = (): void => {
      frame = 0;
      // Whole steps: scrolling within a step renders nothing.
      const step = 4 * rowHeight;
      const top = Math.floor(element.scrollTop / step) * step;
      const height = element.clientHeight;
      setView((old) => (old.top === top && old.height === height ? old : { top, height }));
    };
    const onScroll = (): void => {
      frame ||= requestAnimationFrame(look);
    };
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      element.removeEventListener("scroll", onScroll);
    };
  }, [rowHeight]);
  useLayoutEffect(() => {
    const row = wanted.current === undefined ? null : box.current?.querySelector<HTMLElement>(`tr[data-index="${wanted.current}"]`);
    if (row) {
      wanted.current = undefined;
      (row.querySelector<HTMLElement>("a, button") ?? row).focus({ preventScroll: rowHeight !== undefined });
    }
  });
  const focusRow = (index: number): void => {
    const element = box.current;
    wanted.current = index;
    if (element !== null && rowHeight !== undefined) {
      scrollToRow(element, index, rowHeight);
      setView({ top: element.scrollTop, height: element.clientHeight });
    }
    render((count) => count + 1);
  };
  const visible = rowHeight === undefined ? { first: 0, end: rows } : rowWindow({ ...view, rowHeight, rows });
  return [visible, focusRow];
}

/** Scrolls as little as needed to have the row in view, below the head. */
function scrollToRow(element: HTMLElement, index: number, rowHeight: number): void {
  const head = element.querySelector("thead")?.clientHeight ?? 0;
  const top = index * rowHeight;
  if (top < element.scrollTop) {
    element.scrollTop = top;
  } else if (top + rowHeight + head > element.scrollTop + element.clientHeight) {
    element.scrollTop = top + rowHeight + head - element.clientHeight;
  }
}

interface HeadProps<Row> {
  readonly column: Column<Row>;
  readonly sort: Sort | undefined;
  readonly onSort: (sort: Sort) => void;
  readonly isServer: boolean;
}

function Head<Row>({ column, sort, onSort, isServer }: HeadProps<Row>): JSX.Element {
  const { key, title, hint, numeric, width } = column;
  const isSortable = isServer ? column.sortable === true : column.value !== undefined;
  const isSorted = isSortable && sort?.key === key;
  const order = isSorted ? (sort?.descending === true ? "descending" : "ascending") : undefined;
  return (
    <th
      scope="col"
      class={numeric === true ? "numeric" : undefined}
      data-from={column.from}
      style={width === undefined ? undefined : { width }}
      title={hint}
      aria-sort={order}
    >
      {isSortable ? (
        <button type="button" class="sort" onClick={() => onSort(nextSort(sort, key, numeric === true))}>
          {title}
          <span class="arrow" aria-hidden="true">
            {order === undefined ? "" : order === "descending" ? "↓" : "↑"}
          </span>
        </button>
      ) : (
        <>
          {title}
          {column.label !== undefined && <span class="visually-hidden">{column.label}</span>}
        </>
      )}
    </th>
  );
}

interface BodyRowProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly index: number;
  readonly height: number | undefined;
}

function BodyRow<Row>({ row, columns, index, height }: BodyRowProps<Row>): JSX.Element {
  return (
    <tr data-index={index} aria-rowindex={index + 2} style={height === undefined ? undefined : { height: `${height}px` }}>
      {columns.map((column) => (
        <td key={column.key} class={column.numeric === true ? "numeric" : undefined} data-from={column.from}>
          {column.render(row)}
        </td>
      ))}
    </tr>
  );
}
