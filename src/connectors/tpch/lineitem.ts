/**
 * The lineitem table: pages of whole orders. Columns that need the same draws (part keys, dates) share them. Draws that no column needs are
 * skipped.
 */
import { assert } from "../../protocol/errors.ts";
import { lazily } from "../shared/scaled-tables.ts";
import type { ColumnGenerator, Generation, PageShape, TableGenerator, Vector } from "./columns.ts";
import { bigintColumn, dateColumn, dictionaryColumn, float64Buffer, int32Buffer, integerColumn, moneyColumn, shared } from "./columns.ts";
import {
  currentDate,
  discountRange,
  hasWideKeys,
  lineCountDraws,
  lineJump,
  lineSeeds,
  lineStream,
  linesOfOrderMax,
  orderDates,
  partKeysOfOrder,
  quantityRange,
  retailPrice,
  shipDaysMax,
  taxRange,
} from "./orders.ts";
import { supplierOfPart } from "./parts.ts";
import { draw, jumpFactor, multiplySeeds, nextSeed, seedOfRow } from "./random.ts";
import { rowNumber } from "./row-pages.ts";
import { orderKey } from "./scale.ts";
import { commentColumn } from "./strings.ts";
import { lineStatuses, returnFlags, shipInstructions, shipModes } from "./words.ts";

interface LinesPage extends PageShape {
  readonly orders: number;
  /** 0-based index of the first order. */
  readonly firstOrder: number;
  /** Number of line items of each order. */
  readonly counts: Int32Array;
}

type LineVector<Values = Int32Array> = Vector<Values, LinesPage>;

export function lineItemRowsMax(orders: number, most: number): number {
  return Math.min(Math.max(most, linesOfOrderMax), orders * linesOfOrderMax);
}

/** Pages with as many whole orders as fit, by their line counts. */
function orderPages(generation: Generation): () => LinesPage | undefined {
  const { seed: initialSeed, firstDraw, range } = lineCountDraws(generation);
  const counts = int32Buffer(generation, generation.pageRows);
  const { first, count: unitCount } = generation.units;
  let seed = seedOfRow(initialSeed, 1, firstDraw);
  let done = 0;
  let number = 0;
  return () => {
    let orders = 0;
    let rows = 0;
    while (done + orders < unitCount && rows + linesOfOrderMax <= generation.pageRows) {
      seed = nextSeed(seed);
      const count = 1 + draw(seed, range);
      counts[orders++] = count;
      rows += count;
    }
    const firstOrder = first + done;
    done += orders;
    return orders === 0 ? undefined : { number: ++number, rows, orders, firstOrder, counts };
  };
}

/** One draw per line: low + [0, range). */
function lineInts(generation: Generation, initialSeed: number, low: number, range: number): LineVector {
  const values = int32Buffer(generation, generation.pageRows);
  const stream = lineStream(generation, initialSeed);
  return {
    values,
    fill: ({ orders, counts }) => {
      let orderSeed = stream.seed;
      let row = 0;
      for (let order = 0; order < orders; order++) {
        let seed = orderSeed;
        for (const end = row + (counts[order] as number); row < end; row++) {
          seed = nextSeed(seed);
          values[row] = low + draw(seed, range);
        }
        orderSeed = multiplySeeds(orderSeed, lineJump);
      }
      stream.seed = orderSeed;
    },
  };
}

function linePartKeys(generation: Generation): LineVector<Float64Array> {
  const values = float64Buffer(generation, generation.pageRows);
  const stream = lineStream(generation, lineSeeds.partKey);
  const { parts } = generation.scale;
  const wide = hasWideKeys(generation);
  return {
    values,
    fill: ({ orders, counts }) => {
      let row = 0;
      for (let order = 0; order < orders; order++) {
        const count = counts[order] as number;
        partKeysOfOrder(parts, wide, stream.seed, count, values, row);
        row += count;
        stream.seed = multiplySeeds(stream.seed, lineJump);
      }
    },
  };
}

/** Days after the order's date. */
function daysAfterOrder(generation: Generation, days: LineVector, dates: LineVector): LineVector {
  const values = int32Buffer(generation, generation.pageRows);
  return {
    values,
    fill: (page) => {
      days.fill(page);
      dates.fill(page);
      let row = 0;
      for (let order = 0; order < page.orders; order++) {
        const date = dates.values[order] as number;
        for (const end = row + (page.counts[order] as number); row < end; row++) {
          values[row] = date + (days.values[row] as number);
        }
      }
    },
  };
}

/** Combines vectors row by row. */
function combined<Values extends Int32Array | Float64Array>(
  values: Values,
  inputs: readonly LineVector<Int32Array | Float64Array>[],
  fill: (rows: number) => void,
): LineVector<Values> {
  return {
    values,
    fill: (page) => {
      for (const input of inputs) {
        input.fill(page);
      }
      fill(page.rows);
    },
  };
}

function receiptDates(generation: Generation, ship: LineVector, days: LineVector): LineVector {
  const values = int32Buffer(generation, generation.pageRows);
  return combined(values, [ship, days], (rows) => {
    for (let row = 0; row < rows; row++) {
      values[row] = (ship.values[row] as number) + (days.values[row] as number);
    }
  });
}

/** L_RETURNFLAG: drawn only for received lines, so the draws of an order are those of its received lines. */
function lineReturnFlags(generation: Generation, receipt: LineVector): LineVector {
  const values = int32Buffer(generation, generation.pageRows);
  const stream = lineStream(generation, 717419739);
  return {
    values,
    fill: (page) => {
      receipt.fill(page);
      let row = 0;
      for (let order = 0; order < page.orders; order++) {
        let seed = stream.seed;
        for (const end = row + (page.counts[order] as number); row < end; row++) {
          if ((receipt.values[row] as number) <= currentDate) {
            seed = nextSeed(seed);
            values[row] = draw(seed, 2);
          } else {
            values[row] = 2;
          }
        }
        stream.seed = multiplySeeds(stream.seed, lineJump);
      }
    },
  };
}

function lineStatus(generation: Generation, ship: LineVector): LineVector {
  const values = int32Buffer(generation, generation.pageRows);
  return combined(values, [ship], (rows) => {
    for (let row = 0; row < rows; row++) {
      values[row] = (ship.values[row] as number) <= currentDate ? 0 : 1;
    }
  });
}

function extendedPrices(generation: Generation, quantity: LineVector, partKey: LineVector<Float64Array>): LineVector<Float64Array> {
  const values = float64Buffer(generation, generation.pageRows);
  return combined(values, [quantity, partKey], (rows) => {
    for (let row = 0; row < rows; row++) {
      values[row] = retailPrice(partKey.values[row] as number) * (quantity.values[row] as number);
    }
  });
}

function lineSuppliers(generation: Generation, partKey: LineVector<Float64Array>): LineVector<Float64Array> {
  const values = float64Buffer(generation, generation.pageRows);
  const numbers = lineInts(generation, 2095021727, 0, 4);
  const { suppliers } = generation.scale;
  return combined(values, [partKey, numbers], (rows) => {
    for (let row = 0; row < rows; row++) {
      values[row] = supplierOfPart(partKey.values[row] as number, numbers.values[row] as number, suppliers);
    }
  });
}

/** The values in hundredths. */
function hundredfold(generation: Generation, input: LineVector): LineVector {
  const values = int32Buffer(generation, generation.pageRows);
  return combined(values, [input], (rows) => {
    for (let row = 0; row < rows; row++) {
      values[row] = (input.values[row] as number) * 100;
    }
  });
}

/** `value` of the order's number, which counts from 1. */
function ofOrder(generation: Generation, value: (index: number) => number): LineVector<Float64Array> {
  const values = float64Buffer(generation, generation.pageRows);
  return {
    values,
    fill: ({ orders, counts, firstOrder }) => {
      let row = 0;
      for (let order = 0; order < orders; order++) {
        const key = value(firstOrder + order + 1);
        for (const end = row + (counts[order] as number); row < end; row++) {
          values[row] = key;
        }
      }
    },
  };
}

function lineNumbers(generation: Generation): LineVector {
  const values = int32Buffer(generation, generation.pageRows);
  return {
    values,
    fill: ({ orders, counts }) => {
      let row = 0;
      for (let order = 0; order < orders; order++) {
        const count = counts[order] as number;
        for (let line = 1; line <= count; line++) {
          values[row++] = line;
        }
      }
    },
  };
}

/** The seeds before the two draws of each line's comment. */
function lineCommentSeeds(generation: Generation): LineVector {
  const values = int32Buffer(generation, generation.pageRows);
  const drawsPerOrder = 2 * linesOfOrderMax;
  const jump = jumpFactor(drawsPerOrder);
  let orderSeed = seedOfRow(1095462486, drawsPerOrder, generation.units.first);
  return {
    values,
    fill: ({ orders, counts }) => {
      let row = 0;
      for (let order = 0; order < orders; order++) {
        let seed = orderSeed;
        for (const end = row + (counts[order] as number); row < end; row++) {
          values[row] = seed;
          seed = nextSeed(nextSeed(seed));
        }
        orderSeed = multiplySeeds(orderSeed, jump);
      }
    },
  };
}

function lineColumns(generation: Generation): Readonly<Record<string, () => ColumnGenerator<LinesPage>>> {
  const quantity = lazily(() => shared(lineInts(generation, lineSeeds.quantity, 1, quantityRange)));
  const partKey = lazily(() => shared(linePartKeys(generation)));
  const dates = lazily(() => shared(orderDates<LinesPage>(generation, generation.pageRows, (page) => page.orders)));
  const ship = lazily(() => shared(daysAfterOrder(generation, lineInts(generation, lineSeeds.shipDays, 1, shipDaysMax), dates())));
  const receipt = lazily(() => shared(receiptDates(generation, ship(), lineInts(generation, 373135028, 1, 30))));
  const words = (seed: number, lengthMax: number, list: readonly string[]): ColumnGenerator<LinesPage> =>
    dictionaryColumn(generation, lengthMax, list, lineInts(generation, seed, 0, list.length));
  return {
    orderkey: () => bigintColumn(generation, ofOrder(generation, orderKey)),
    [rowNumber]: () =>
      bigintColumn(
        generation,
        ofOrder(generation, (index) => index),
      ),
    partkey: () => bigintColumn(generation, partKey()),
    suppkey: () => bigintColumn(generation, lineSuppliers(generation, partKey())),
    linenumber: () => integerColumn(lineNumbers(generation)),
    quantity: () => moneyColumn(generation, hundredfold(generation, quantity())),
    extendedprice: () => moneyColumn(generation, extendedPrices(generation, quantity(), partKey())),
    discount: () => moneyColumn(generation, lineInts(generation, lineSeeds.discount, 0, discountRange)),
    tax: () => moneyColumn(generation, lineInts(generation, lineSeeds.tax, 0, taxRange)),
    returnflag: () => dictionaryColumn(generation, 1, returnFlags, lineReturnFlags(generation, receipt())),
    linestatus: () => dictionaryColumn(generation, 1, lineStatuses, lineStatus(generation, ship())),
    shipdate: () => dateColumn(ship()),
    commitdate: () => dateColumn(daysAfterOrder(generation, lineInts(generation, 904914315, 30, 61), dates())),
    receiptdate: () => dateColumn(receipt()),
    shipinstruct: () => words(1371272478, 25, shipInstructions),
    shipmode: () => words(675466456, 10, shipModes),
    comment: () => commentColumn(generation, { lengthMax: 44, meanBytes: 27 }, lineCommentSeeds(generation)),
  };
}

export function lineitemGenerator(generation: Generation): TableGenerator {
  const columns = lineColumns(generation);
  const nextPage = orderPages(generation);
  let current: LinesPage | undefined;
  return {
    nextPage: () => (current = nextPage()),
    column: (name) => {
      const make = columns[name];
      assert(make !== undefined, `no generator for column ${name}`);
      const column = make();
      return () => {
        assert(current !== undefined, "a column of a page before the first or after the last");
        return column(current);
      };
    },
  };
}
