/**
 * Chooses the columns of a table that is wider than the window: long values are cut first, then columns of the middle are left out.
 */

/** Widths that values are cut to, in columns of the screen, until all columns have room. */
const cutWidths: readonly number[] = [32, 24, 18];
/** Width of the column that stands for the columns that are left out. */
const gapWidth = 1;

export interface ShownColumn {
  readonly index: number;
  readonly width: number;
}

export interface Choice {
  /** In order; the hidden columns are between `gapAt - 1` and `gapAt`, if there are any. */
  readonly shown: readonly ShownColumn[];
  readonly gapAt: number;
  readonly hiddenColumns: number;
}

/** Of a table with a blank on both sides of each column and a rule between two. */
export function tableWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + 3, -1);
}

export interface Table {
  readonly widths: readonly number[];
  /** False for numbers: a number without its last digits is another one. */
  readonly mayCut: (index: number) => boolean;
}

export function fitColumns({ widths, mayCut }: Table, windowWidth: number): Choice {
  const cutTo = (most: number): readonly ShownColumn[] =>
    widths.map((width, index) => ({ index, width: Math.min(width, mayCut(index) ? most : width, Math.max(1, windowWidth - 2)) }));
  for (const most of cutWidths) {
    const cut = cutTo(most);
    if (tableWidth(cut.map(({ width }) => width)) <= windowWidth) {
      return { shown: widened(cut, widths, windowWidth), gapAt: cut.length, hiddenColumns: 0 };
    }
  }
  const cut = cutTo(Math.min(...cutWidths));
  // The first column always has room, next to the mark of hidden columns.
  const left: ShownColumn[] = cut.slice(0, 1).map(({ index, width }) => ({ index, width: Math.min(width, Math.max(1, windowWidth - 6)) }));
  const right: ShownColumn[] = [];
  const fits = (column: ShownColumn): boolean =>
    tableWidth([...left, ...right, column].map(({ width }) => width)) + gapWidth + 3 <= windowWidth;
  // Right and left by turns; a column that does not fit ends its side.
  let sides: readonly ("right" | "left")[] = ["right", "left"];
  for (let from = 1, to = cut.length - 1; from <= to && sides.length > 0; ) {
    for (const side of sides) {
      const column = cut[side === "left" ? from : to];
      if (column === undefined || from > to) {
        break;
      }
      if (!fits(column)) {
        sides = sides.filter((other) => other !== side);
      } else if (side === "left") {
        left.push(column);
        from++;
      } else {
        right.unshift(column);
        to--;
      }
    }
  }
  const shown = widened([...left, ...right], widths, windowWidth - gapWidth - 3);
  return { shown, gapAt: left.length, hiddenColumns: cut.length - shown.length };
}

/** Gives the room that is left to the columns that were cut, from left to right. */
function widened(cut: readonly ShownColumn[], widths: readonly number[], windowWidth: number): readonly ShownColumn[] {
  let room = windowWidth - tableWidth(cut.map(({ width }) => width));
  return cut.map(({ index, width }) => {
    const more = Math.max(0, Math.min(room, (widths[index] ?? width) - width));
    room -= more;
    return { index, width: width + more };
  });
}
