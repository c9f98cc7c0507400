/**
 * The sales tables: orders with several lines. Values of an order are drawn at the streams' row of the order. Values of a line follow the
 * draws of the order's earlier lines.
 */
import { rowOfKey } from "../calendar.ts";
import { remoteHourWeights, storeHourWeights } from "../data/lists.ts";
import { cumulativeWeights, pick, type Weights } from "../distributions.ts";
import { type SaleAmounts, saleAmounts, saleDraws } from "./pricing.ts";
import type { Scale, Sized } from "../scale.ts";
import { RowStream } from "../streams.ts";
import { type Cell, type Cursor, number, perRow, type TableContext, type TpcdsTable } from "../table.ts";

/** Common properties of the three kinds of sales; columns are dsdgen's numbers. */
export interface SalesKind {
  readonly orders: Sized;
  readonly lines: { readonly column: number; readonly min: number; readonly max: number };
  /** Number of lines for which an order reserves draws in the streams of lines. */
  readonly linesDrawn: number;
  readonly pricing: number;
  readonly markupMax: number;
  readonly item: number;
  readonly permutation: number;
  readonly isReturned: number;
  readonly nulls: number;
}

/** Percentage of lines that are returned. */
const returnedLines = 10;

export type Draw = () => number;

/** The columns of a sale that returns need too. */
export interface Sale {
  readonly kind: SalesKind;
  readonly order: Draw;
  readonly soldDate: Draw;
  readonly item: Draw;
  readonly amounts: () => SaleAmounts;
}

/** A stream with one draw per order. */
export function orderStream(context: TableContext, column: number, draws = 1): () => RowStream {
  const stream = new RowStream(column, draws);
  const { cursor } = context;
  return () => stream.at(cursor.row);
}

/** A stream with a fixed number of draws per line. */
export function lineStream(context: TableContext, kind: SalesKind, column: number, drawsPerLine: number, drawnPerLine = drawsPerLine) {
  const stream = new RowStream(column, kind.linesDrawn * drawsPerLine);
  const { cursor } = context;
  return (): RowStream => stream.at(cursor.row, cursor.line * drawnPerLine);
}

/** Computes a value once per order. */
export function perOrder<Value>(cursor: Cursor, compute: () => Value): () => Value {
  let row = 0;
  let value: Value;
  return () => {
    if (row !== cursor.row) {
      row = cursor.row;
      value = compute();
    }
    return value;
  };
}

/** A key of an order, drawn from the rows of a table. */
export function keyOfOrder(context: TableContext, column: number, table: Sized, draws = 1): Draw {
  const stream = orderStream(context, column, draws);
  const rows = context.scale.rows(table);
  return perOrder(context.cursor, () => stream().uniform(1, rows));
}

/** A key of a line, drawn from the rows of a table. */
export function keyOfLine(context: TableContext, kind: SalesKind, column: number, table: Sized): Draw {
  const stream = lineStream(context, kind, column, 1);
  const rows = context.scale.rows(table);
  return perRow(context.cursor, () => stream().uniform(1, rows));
}

/** The row of a history table for a random key on a day. */
export function historyRow(scale: Scale, table: Sized, stream: RowStream, day: number): number {
  return rowOfKey({ key: stream.uniform(1, scale.keys(table)), day, rows: scale.rows(table) });
}

export const storeHours = cumulativeWeights(storeHourWeights);
export const remoteHours = cumulativeWeights(remoteHourWeights);

export function timeOfDay(hours: Weights, stream: RowStream): number {
  const hour = pick(hours, stream);
  return hour * 3600 + stream.uniform(0, 3599);
}

/** Amounts and item of the line at the cursor. */
export function saleOf(context: TableContext, kind: SalesKind, soldDate: Draw): Sale {
  const { cursor, scale } = context;
  const pricing = lineStream(context, kind, kind.pricing, saleDraws);
  const itemStream = orderStream(context, kind.item);
  const keys = scale.keys("item");
  const rows = scale.rows("item");
  const firstItem = perOrder(cursor, () => itemStream().uniform(1, keys));
  return {
    kind,
    order: () => cursor.row,
    soldDate,
    item: () => {
      const place = (firstItem() + cursor.line) % keys;
      const key = (context.permutation(kind.permutation)[place] as number) + 1;
      return rowOfKey({ key, day: soldDate(), rows });
    },
    amounts: perRow(cursor, () => saleAmounts(pricing(), kind.markupMax)),
  };
}

/** Advances line by line; with `returned`, over returned lines only. */
export function lineByLine(kind: SalesKind, returned: boolean): TpcdsTable["advance"] {
  return (context, { first, count }) => {
    const { cursor } = context;
    const linesStream = orderStream(context, kind.lines.column);
    const returnedStream = lineStream(context, kind, kind.isReturned, 1);
    let lines = 0;
    let isReturned = false;
    cursor.row = first;
    cursor.line = 0;
    const nextLine = (): boolean => {
      cursor.line++;
      if (cursor.line >= lines) {
        if (cursor.row === first + count) {
          return false;
        }
        cursor.row++;
        cursor.line = 0;
        cursor.returned = 0;
        isReturned = false;
        lines = linesStream().uniform(kind.lines.min, kind.lines.max);
      }
      return true;
    };
    const nextReturned = (): boolean => {
      if (isReturned) {
        cursor.returned++;
      }
      while (nextLine()) {
        isReturned = returnedStream().uniform(0, 99) < returnedLines;
        if (isReturned) {
          return true;
        }
      }
      return false;
    };
    return () => {
      cursor.tick++;
      return returned ? nextReturned() : nextLine();
    };
  };
}

/** Estimated number of lines of these orders, from the mean. */
export function linesEstimate(kind: SalesKind, orders: number): number {
  return Math.round((orders * (kind.lines.min + kind.lines.max)) / 2);
}

/** The money columns of a sale by name. */
export function amountCells(amounts: () => SaleAmounts, columns: Readonly<Record<string, keyof SaleAmounts>>): Record<string, () => Cell> {
  return Object.fromEntries(Object.entries(columns).map(([name, field]) => [name, () => number(() => amounts()[field])]));
}
