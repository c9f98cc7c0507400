/**
 * The orders table, and what orders and line items share: dates, line counts, and the streams of the line items, which reserve the draws of
 * seven lines for every order.
 */
import type { Generation, PageShape, TableGenerator, Vector } from "./columns.ts";
import {
  ascendingKeys,
  bigintColumn,
  dateColumn,
  dictionaryColumn,
  drawnInts,
  float64Buffer,
  int32Buffer,
  integerColumn,
  moneyColumn,
  stringColumn,
  writeAscii,
  writeNumber,
} from "./columns.ts";
import { commentColumn, commentSeeds } from "./strings.ts";
import { draw, drawKey64, drawWide, jumpFactor, multiplySeeds, nextSeed, nextSeed64, scaleOf64BitKeys, seedOfRow } from "./random.ts";
import { orderKey } from "./scale.ts";
import { orderPriorities, orderStatuses } from "./words.ts";
import { rowNumber, rowPages } from "./row-pages.ts";

export const linesOfOrderMax = 7;
/** 1992-01-01, in days since 1970-01-01. */
export const orderDateMin = 8035;
/** Order dates end 151 days before the end of 1998. */
export const orderDateDays = 2406;
/** The specification's current date, 1995-06-17. Lines with a ship or receipt date up to it are shipped or received. */
export const currentDate = 9298;
export const shipDaysMax = 121;

/** Streams that both tables read. */
const orderSeeds = Object.freeze({ date: 1066728069, lineCount: 1434868289 });
export const lineSeeds = Object.freeze({
  quantity: 209208115,
  discount: 554590007,
  tax: 721958466,
  partKey: 1808217256,
  shipDays: 1769349045,
});

export const quantityRange = 50;
export const discountRange = 11;
export const taxRange = 9;

/** In hundredths (specification 4.2.3, P_RETAILPRICE). */
export function retailPrice(partKey: number): number {
  const tenth = Math.floor(partKey / 10);
  return 90000 + tenth - Math.floor(tenth / 20001) * 20001 + (partKey - Math.floor(partKey / 1000) * 1000) * 100;
}

export function orderDates<Shape extends PageShape>(
  generation: Generation,
  length: number,
  orders: (page: Shape) => number,
): Vector<Int32Array, Shape> {
  const values = int32Buffer(generation, length);
  let seed = seedOfRow(orderSeeds.date, 1, generation.units.first);
  return {
    values,
    fill: (page) => {
      const count = orders(page);
      for (let order = 0; order < count; order++) {
        seed = nextSeed(seed);
        values[order] = orderDateMin + draw(seed, orderDateDays);
      }
    },
  };
}

/** A stream with seven draws per order, at the start of the next order. */
export interface LineStream {
  seed: number;
}

export const lineJump = jumpFactor(linesOfOrderMax);

export function lineStream(generation: Generation, seed: number): LineStream {
  return { seed: seedOfRow(seed, linesOfOrderMax, generation.units.first) };
}

/**
 * Part keys of an order, from the seeds of a line stream. Up to 2^31 keys are drawn like other values. From scale 30,000 on each order
 * starts a 64-bit generator at its place in the stream. (In dbgen that generator continues over the orders of a chunk, so its rows depend
 * on how the table is cut. These are the rows of chunks of one order.)
 */
export function partKeysOfOrder(parts: number, wide: boolean, seed: number, count: number, keys: Float64Array, at: number): void {
  if (wide) {
    let state = BigInt(seed);
    for (let line = 0; line < count; line++) {
      state = nextSeed64(state);
      keys[at + line] = drawKey64(state, parts);
    }
    return;
  }
  let s = seed;
  for (let line = 0; line < count; line++) {
    s = nextSeed(s);
    keys[at + line] = 1 + drawWide(s, parts);
  }
}

export function hasWideKeys(generation: Generation): boolean {
  return generation.scale.factor >= scaleOf64BitKeys;
}

/** Every third customer has no orders; a draw of such a customer moves to an adjacent one. */
function customerKeys(generation: Generation): Vector<Float64Array> {
  const values = float64Buffer(generation, generation.pageRows);
  const { customers } = generation.scale;
  const wide = hasWideKeys(generation);
  let seed = seedOfRow(851767375, 1, generation.units.first);
  return {
    values,
    fill: ({ rows }) => {
      for (let row = 0; row < rows; row++) {
        let key: number;
        if (wide) {
          key = drawKey64(nextSeed64(BigInt(seed)), customers);
          seed = nextSeed(seed);
        } else {
          seed = nextSeed(seed);
          key = 1 + drawWide(seed, customers);
        }
        for (let delta = 1; key % 3 === 0; delta = -delta) {
          key = Math.min(key + delta, customers);
        }
        values[row] = key;
      }
    },
  };
}

/** O_TOTALPRICE: the sum over the order's lines of price with discount and tax, each truncated to hundredths. */
function totalPrices(generation: Generation): Vector<Float64Array> {
  const values = float64Buffer(generation, generation.pageRows);
  const keys = float64Buffer(generation, linesOfOrderMax);
  const { parts } = generation.scale;
  const wide = hasWideKeys(generation);
  const counts = drawnInts(generation, lineCountDraws(generation));
  const quantity = lineStream(generation, lineSeeds.quantity);
  const discount = lineStream(generation, lineSeeds.discount);
  const tax = lineStream(generation, lineSeeds.tax);
  const partKey = lineStream(generation, lineSeeds.partKey);
  const streams = [quantity, discount, tax, partKey];
  return {
    values,
    fill: (page) => {
      counts.fill(page);
      for (let row = 0; row < page.rows; row++) {
        const count = counts.values[row] as number;
        partKeysOfOrder(parts, wide, partKey.seed, count, keys, 0);
        let quantitySeed = quantity.seed;
        let discountSeed = discount.seed;
        let taxSeed = tax.seed;
        let total = 0;
        for (let line = 0; line < count; line++) {
          quantitySeed = nextSeed(quantitySeed);
          discountSeed = nextSeed(discountSeed);
          taxSeed = nextSeed(taxSeed);
          const price = retailPrice(keys[line] as number) * (1 + draw(quantitySeed, quantityRange));
          const discounted = Math.floor((price * (100 - draw(discountSeed, discountRange))) / 100);
          total += Math.floor((discounted * (100 + draw(taxSeed, taxRange))) / 100);
        }
        values[row] = total;
        nextOrder(streams);
      }
    },
  };
}

function nextOrder(streams: readonly LineStream[]): void {
  for (let i = 0; i < streams.length; i++) {
    const stream = streams[i] as LineStream;
    stream.seed = multiplySeeds(stream.seed, lineJump);
  }
}

export function lineCountDraws(generation: Generation): { seed: number; firstDraw: number; low: number; range: number } {
  return { seed: orderSeeds.lineCount, firstDraw: generation.units.first, low: 1, range: linesOfOrderMax };
}

/** O_ORDERSTATUS: F if every line is shipped, O if none is, otherwise P. */
function statuses(generation: Generation): Vector<Int32Array> {
  const values = int32Buffer(generation, generation.pageRows);
  const counts = drawnInts(generation, lineCountDraws(generation));
  const dates = orderDates(generation, generation.pageRows, (page) => page.rows);
  const ship = lineStream(generation, lineSeeds.shipDays);
  return {
    values,
    fill: (page) => {
      counts.fill(page);
      dates.fill(page);
      for (let row = 0; row < page.rows; row++) {
        const count = counts.values[row] as number;
        const shippedDaysMax = currentDate - (dates.values[row] as number);
        let seed = ship.seed;
        let shipped = 0;
        for (let line = 0; line < count; line++) {
          seed = nextSeed(seed);
          shipped += 1 + draw(seed, shipDaysMax) <= shippedDaysMax ? 1 : 0;
        }
        values[row] = shipped === count ? 0 : shipped === 0 ? 1 : 2;
        ship.seed = multiplySeeds(ship.seed, lineJump);
      }
    },
  };
}

function orderKeys(generation: Generation): Vector<Float64Array> {
  const values = float64Buffer(generation, generation.pageRows);
  let index = generation.units.first;
  return {
    values,
    fill: ({ rows }) => {
      for (let row = 0; row < rows; row++) {
        values[row] = orderKey(++index);
      }
    },
  };
}

export function ordersGenerator(generation: Generation): TableGenerator {
  const firstDraw = generation.units.first;
  return rowPages(generation, {
    orderkey: () => bigintColumn(generation, orderKeys(generation)),
    [rowNumber]: () => bigintColumn(generation, ascendingKeys(generation, firstDraw + 1)),
    custkey: () => bigintColumn(generation, customerKeys(generation)),
    orderstatus: () => dictionaryColumn(generation, 1, orderStatuses, statuses(generation)),
    totalprice: () => moneyColumn(generation, totalPrices(generation)),
    orderdate: () => dateColumn(orderDates(generation, generation.pageRows, (page) => page.rows)),
    orderpriority: () =>
      dictionaryColumn(
        generation,
        15,
        orderPriorities,
        drawnInts(generation, { seed: 591449447, firstDraw, low: 0, range: orderPriorities.length }),
      ),
    clerk: () => {
      let seed = seedOfRow(1171034773, 1, firstDraw);
      return stringColumn(generation, 15, 19, (bytes, at) => {
        seed = nextSeed(seed);
        return writeNumber(bytes, writeAscii(bytes, at, "Clerk#"), 1 + draw(seed, generation.scale.clerks), 9);
      });
    },
    shippriority: () => {
      const values = int32Buffer(generation, generation.pageRows).fill(0);
      return integerColumn({ values, fill: () => undefined });
    },
    comment: () =>
      commentColumn(generation, { lengthMax: 79, meanBytes: 49 }, commentSeeds(generation, { seed: 276090261, firstRow: firstDraw })),
  });
}
