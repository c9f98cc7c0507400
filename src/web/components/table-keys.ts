/** Order of a table's rows and keys that move between them. Pure. */

export interface Sort {
  /** Key of a column. */
  readonly key: string;
  readonly descending: boolean;
}

/** `-elapsedTime`, as in the list resource and in addresses. */
export function sortText({ key, descending }: Sort): string {
  return `${descending ? "-" : ""}${key}`;
}

export function parseSort(text: string): Sort {
  return { key: text.replace(/^-/, ""), descending: text.startsWith("-") };
}

/** A click on another column sorts it by its first order; a click on the same column turns the order around. */
export function nextSort(current: Sort | undefined, key: string, descendsFirst: boolean): Sort {
  return { key, descending: current?.key === key ? !current.descending : descendsFirst };
}

type Value = number | string | undefined;

/** Stable; rows without a value come last in both orders. */
export function sortRows<Row>(rows: readonly Row[], valueOf: (row: Row) => Value, descending: boolean): readonly Row[] {
  return rows
    .map((row) => ({ row, value: valueOf(row) }))
    .sort((a, b) => {
      if (a.value === undefined || b.value === undefined) {
        return Number(a.value === undefined) - Number(b.value === undefined);
      }
      const order = a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
      return descending ? -order : order;
    })
    .map(({ row }) => row);
}

/** The row that a key moves to; undefined if the key moves nowhere. */
export function rowAfter(key: string, at: number, { rows, page }: { readonly rows: number; readonly page: number }): number | undefined {
  const target = ((): number | undefined => {
    switch (key) {
      case "ArrowDown":
        return at + 1;
      case "ArrowUp":
        return at - 1;
      case "PageDown":
        return at + page;
      case "PageUp":
        return at - page;
      case "Home":
        return 0;
      case "End":
        return rows - 1;
      default:
        return undefined;
    }
  })();
  return target === undefined || rows === 0 ? undefined : Math.min(rows - 1, Math.max(0, target));
}

export interface RowWindow {
  /** Index of the first rendered row. */
  readonly first: number;
  /** Index behind the last rendered row. */
  readonly end: number;
}

const overscan = 8;

/** The rows that are rendered: those in view and a few on each side. Starts at multiples of four, so that scrolling seldom renders. */
export function rowWindow(view: {
  readonly top: number;
  readonly height: number;
  readonly rowHeight: number;
  readonly rows: number;
}): RowWindow {
  const { top, height, rowHeight, rows } = view;
  const from = Math.floor(Math.max(0, top) / rowHeight) - overscan;
  const first = Math.max(0, Math.min(from - (from & 3), rows - 1));
  return { first, end: Math.min(rows, first + Math.ceil(height / rowHeight) + 2 * overscan + 4) };
}
