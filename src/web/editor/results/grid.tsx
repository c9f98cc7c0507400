/**
 * Rows of a result as a grid (WAI-ARIA). Only the cells in view are in the document, so that 100,000 rows scroll as ten do. Cells are text,
 * whatever they hold.
 */
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { tsvText } from "../export/csv.ts";
import type { Execution } from "../run/execution.ts";
import { type ColumnType, isNumberType } from "./column-types.ts";
import {
  boundsOf,
  type Cell,
  cellAfter,
  type CellRange,
  columnEdges,
  columnsBetween,
  columnWidth,
  columnWidthMax,
  columnWidthMin,
  headHeight,
  rowHeight,
} from "./grid-cells.ts";
import { orderedRows, type RowOrder } from "./order.ts";
import { oneLine, valueText } from "./values.ts";

interface GridProps {
  readonly execution: Execution;
  readonly label: string;
  /** Shows the whole value of a cell. */
  readonly onOpen: (value: unknown, column: number) => void;
}

interface View {
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/** Rows above and below the view that are rendered too. */
const overscan = 6;
const textLengthMax = 300;
const measuredRows = 200;

export function Grid({ execution, label, onOpen }: GridProps): JSX.Element {
  const { columns, types, rows } = execution;
  const version = execution.version.value;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<View>({ top: 0, left: 0, width: 800, height: 400 });
  const [order, setOrder] = useState<RowOrder | undefined>(undefined);
  const [range, setRange] = useState<CellRange>({ anchor: { row: 0, column: 0 }, focus: { row: 0, column: 0 } });
  const [widths, setWidths] = useWidths(execution);
  // While rows arrive, the order is that of the rows at hand.
  const sorted = useMemo(
    () => (order === undefined ? undefined : orderedRows(rows, types[order.column] as ColumnType, order)),
    [order, execution.isOver ? rows.length : version],
  );
  const numberWidth = 22 + 8 * String(rows.length).length;
  const edges = columnEdges(widths, numberWidth);
  const rowAt = (index: number): number => (sorted === undefined ? index : (sorted[index] ?? index));
  useView(box, setView);
  const scrollTo = (cell: Cell): void => scrollToCell(box.current, cell, edges, numberWidth);
  const focusCell = (focus: Cell, extend: boolean): void => {
    setRange({ anchor: extend ? range.anchor : focus, focus });
    scrollTo(focus);
  };
  const sortBy = (column: number): void => {
    const isSame = order?.column === column;
    setOrder(
      !isSame ? { column, direction: "ascending" } : order.direction === "ascending" ? { column, direction: "descending" } : undefined,
    );
  };
  const resize = (column: number, width: number): void => {
    const kept = Math.max(columnWidthMin, Math.min(columnWidthMax, width));
    setWidths(widths.map((old, index) => (index === column ? kept : old)));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { row, column } = range.focus;
    const isControl = event.ctrlKey || event.metaKey;
    const page = Math.max(1, Math.floor((view.height - headHeight) / rowHeight) - 1);
    if (event.altKey && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      resize(column, (widths[column] ?? 0) + (event.key === "ArrowLeft" ? -16 : 16));
    } else if (isControl && event.key.toLowerCase() === "a") {
      setRange({ anchor: { row: 0, column: 0 }, focus: { row: rows.length - 1, column: columns.length - 1 } });
    } else if ((event.key === "Enter" || event.key === " ") && row === -1) {
      sortBy(column);
    } else if (event.key === "Enter" && rows[rowAt(row)] !== undefined) {
      onOpen(rows[rowAt(row)]?.[column], column);
    } else {
      const next = event.altKey
        ? undefined
        : cellAfter({ key: event.key, ctrlKey: isControl }, range.focus, { rows: rows.length, columns: columns.length, page });
      if (next === undefined) {
        return;
      }
      focusCell(next, event.shiftKey);
    }
    event.preventDefault();
  };
  const onCopy = (event: ClipboardEvent): void => {
    const { top, bottom, left, right } = boundsOf(range);
    const selected = Array.from({ length: Math.min(bottom, rows.length - 1) - top + 1 }, (_, index) => rows[rowAt(top + index)] ?? []);
    const text = tsvText(
      types.slice(left, right + 1),
      selected.map((row) => row.slice(left, right + 1)),
    );
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
  };
  const select = (event: PointerEvent): void => {
    const cell = cellOf(event.target);
    if (cell === undefined || event.button !== 0) {
      return;
    }
    const whole: CellRange = { anchor: { row: cell.row, column: 0 }, focus: { row: cell.row, column: columns.length - 1 } };
    setRange(cell.column < 0 ? whole : { anchor: event.shiftKey ? range.anchor : cell, focus: cell });
  };
  const extend = (event: PointerEvent): void => {
    const cell = event.buttons === 1 ? cellOf(event.target) : undefined;
    if (cell !== undefined && cell.column >= 0 && (cell.row !== range.focus.row || cell.column !== range.focus.column)) {
      setRange({ anchor: range.anchor, focus: cell });
    }
  };
  const openAt = (event: MouseEvent): void => {
    const cell = cellOf(event.target);
    if (cell !== undefined && cell.column >= 0 && cell.row >= 0) {
      onOpen(rows[rowAt(cell.row)]?.[cell.column], cell.column);
    }
  };
  const first = Math.max(0, Math.floor(view.top / rowHeight) - overscan);
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / rowHeight) + overscan);
  // Rows that leave the view lend their elements to those that enter it.
  const pool = Math.ceil(view.height / rowHeight) + 2 * overscan + 2;
  const shownColumns = columnsBetween(edges, view.left, view.left + view.width);
  const totalWidth = edges.at(-1) ?? 0;
  const { row: focusRow, column: focusColumn } = range.focus;
  const isRowRendered = focusRow === -1 || (focusRow >= first && focusRow < last);
  const isRendered = isRowRendered && focusColumn >= shownColumns.first && focusColumn < shownColumns.end;
  const shared: RowProps = { columns: shownColumns, edges, types, range, numberWidth, totalWidth };
  return (
    <div
      class="grid"
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable="true"
      aria-activedescendant={isRendered ? cellId(range.focus) : undefined}
      tabIndex={0}
      ref={box}
      onKeyDown={onKeyDown}
      onCopy={onCopy}
      onPointerDown={select}
      onPointerMove={extend}
      onDblClick={openAt}
    >
      <div class="grid-head" role="row" aria-rowindex={1} style={{ width: `${totalWidth}px`, height: `${headHeight}px` }}>
        <div class="grid-number grid-corner" role="columnheader" aria-colindex={1} style={{ width: `${numberWidth}px` }}>
          <span class="visually-hidden">Row</span>
        </div>
        {indices(shownColumns.first, shownColumns.end).map((column) => (
          <HeadCell key={column} {...{ execution, column, order, edges, range }} onSort={sortBy} onResize={resize} />
        ))}
      </div>
      <div role="rowgroup" class="grid-body" style={{ height: `${rows.length * rowHeight}px`, width: `${totalWidth}px` }}>
        {indices(first, last).map((index) => (
          <GridRow key={index % pool} {...shared} row={rows[rowAt(index)] ?? []} index={index} number={rowAt(index) + 1} />
        ))}
      </div>
    </div>
  );
}

function indices(first: number, end: number): readonly number[] {
  return Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
}

function cellId({ row, column }: Cell): string {
  return `cell-${row}-${column}`;
}

function cellOf(target: EventTarget | null): Cell | undefined {
  const element = target instanceof Element ? target.closest<HTMLElement>("[data-row]") : null;
  return element === null ? undefined : { row: Number(element.dataset["row"]), column: Number(element.dataset["column"]) };
}

interface HeadCellProps {
  readonly execution: Execution;
  readonly column: number;
  readonly order: RowOrder | undefined;
  readonly edges: readonly number[];
  readonly range: CellRange;
  readonly onSort: (column: number) => void;
  readonly onResize: (column: number, width: number) => void;
}

function HeadCell({ execution, column, order, edges, range, onSort, onResize }: HeadCellProps): JSX.Element {
  const document = execution.columns[column];
  const left = edges[column] ?? 0;
  const width = (edges[column + 1] ?? 0) - left;
  const direction = order?.column === column ? order.direction : undefined;
  const isCurrent = range.focus.row === -1 && range.focus.column === column;
  const start = (event: PointerEvent): void => {
    event.stopPropagation();
    event.preventDefault();
    const handle = event.currentTarget as HTMLElement;
    handle.setPointerCapture(event.pointerId);
    const startX = event.clientX;
    const move = ({ clientX }: PointerEvent): void => onResize(column, width + clientX - startX);
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", () => handle.removeEventListener("pointermove", move), { once: true });
  };
  const isNumber = execution.types[column] !== undefined && isNumberType(execution.types[column]);
  return (
    <div
      class={`grid-cell ${isNumber ? "number" : ""} ${isCurrent ? "current" : ""}`}
      role="columnheader"
      id={cellId({ row: -1, column })}
      aria-colindex={column + 2}
      aria-sort={direction ?? "none"}
      style={{ left: `${left}px`, width: `${width}px` }}
    >
      <button
        type="button"
        class="grid-sort"
        tabIndex={-1}
        onClick={() => onSort(column)}
        title={`${document?.name ?? ""} ${document?.type ?? ""}`}
      >
        <span class="grid-name">
          {document?.name} {direction === undefined ? "" : <span aria-hidden="true">{direction === "ascending" ? "↑" : "↓"}</span>}
        </span>
        <span class="grid-type">{document?.type}</span>
      </button>
      <span class="grid-resize" aria-hidden="true" onPointerDown={start} />
    </div>
  );
}

interface RowProps {
  readonly columns: { readonly first: number; readonly end: number };
  readonly edges: readonly number[];
  readonly types: readonly ColumnType[];
  readonly range: CellRange;
  readonly numberWidth: number;
  readonly totalWidth: number;
}

interface OneRowProps extends RowProps {
  readonly row: readonly unknown[];
  readonly index: number;
  readonly number: number;
}

function GridRow({ row, index, number, columns, edges, types, range, numberWidth, totalWidth }: OneRowProps): JSX.Element {
  const { top, bottom, left, right } = boundsOf(range);
  const isInRange = index >= top && index <= bottom;
  return (
    <div
      class={`grid-row ${index % 2 === 1 ? "odd" : ""}`}
      role="row"
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${index * rowHeight}px)`, height: `${rowHeight}px`, width: `${totalWidth}px` }}
    >
      <div class="grid-number" role="rowheader" aria-colindex={1} data-row={index} data-column={-1} style={{ width: `${numberWidth}px` }}>
        {number}
      </div>
      {indices(columns.first, columns.end).map((column) => {
        const value = row[column];
        const type = types[column] as ColumnType;
        const isNull = value === null || value === undefined;
        const isSelected = isInRange && column >= left && column <= right;
        const isCurrent = index === range.focus.row && column === range.focus.column;
        const marks = { number: isNumberType(type), null: isNull, selected: isSelected, current: isCurrent };
        const text = isNull ? "NULL" : oneLine(valueText(value, type), textLengthMax);
        return (
          <div
            key={column}
            class={cellClass(marks)}
            role="gridcell"
            id={cellId({ row: index, column })}
            data-row={index}
            data-column={column}
            aria-colindex={column + 2}
            aria-selected={isSelected}
            style={{ left: `${edges[column] ?? 0}px`, width: `${(edges[column + 1] ?? 0) - (edges[column] ?? 0)}px` }}
          >
            {text}
          </div>
        );
      })}
    </div>
  );
}

function cellClass(marks: Readonly<Record<string, boolean>>): string {
  return ["grid-cell", ...Object.keys(marks).filter((mark) => marks[mark])].join(" ");
}

function useWidths(execution: Execution): readonly [readonly number[], (widths: readonly number[]) => void] {
  const { columns, types, rows } = execution;
  const isMeasured = rows.length > 0;
  const measured = useMemo(
    () =>
      columns.map(({ name, type }, column) => {
        const texts = rows.slice(0, measuredRows).map((row) => {
          const value = row[column];
          return value === null || value === undefined ? 4 : valueText(value, types[column] as ColumnType).length;
        });
        return columnWidth(texts, Math.max(name.length, Math.min(type.length, 24)));
      }),
    [columns, isMeasured],
  );
  const [own, setOwn] = useState<{ readonly of: readonly unknown[]; readonly widths: readonly number[] } | undefined>(undefined);
  return [own !== undefined && own.of === columns ? own.widths : measured, (widths) => setOwn({ of: columns, widths })];
}

function useView(box: { readonly current: HTMLDivElement | null }, setView: (view: View) => void): void {
  useEffect(() => {
    const element = box.current;
    if (element === null) {
      return undefined;
    }
    let frame = 0;
    const look = (): void => {
      frame = 0;
      setView({ top: element.scrollTop, left: element.scrollLeft, width: element.clientWidth, height: element.clientHeight });
    };
    const later = (): void => {
      frame ||= requestAnimationFrame(look);
    };
    const observer = new ResizeObserver(later);
    observer.observe(element);
    element.addEventListener("scroll", later, { passive: true });
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      element.removeEventListener("scroll", later);
    };
  }, []);
  useLayoutEffect(() => {
    const element = box.current;
    if (element !== null) {
      setView({ top: element.scrollTop, left: element.scrollLeft, width: element.clientWidth, height: element.clientHeight });
    }
  }, []);
}

function scrollToCell(box: HTMLDivElement | null, { row, column }: Cell, edges: readonly number[], numberWidth: number): void {
  if (box === null) {
    return;
  }
  const top = row * rowHeight;
  if (row >= 0 && top < box.scrollTop) {
    box.scrollTop = top;
  } else if (top + rowHeight + headHeight > box.scrollTop + box.clientHeight) {
    box.scrollTop = top + rowHeight + headHeight - box.clientHeight;
  }
  const [left, right] = [edges[column] ?? 0, edges[column + 1] ?? 0];
  if (left - numberWidth < box.scrollLeft) {
    box.scrollLeft = left - numberWidth;
  } else if (right > box.scrollLeft + box.clientWidth) {
    box.scrollLeft = right - box.clientWidth;
  }
}
