/**
 * The part and partsupp tables: a part and its four suppliers.
 */
import type { ColumnGenerator, Generation, TableGenerator, Vector } from "./columns.ts";
import {
  ascendingKeys,
  bigintColumn,
  dictionaryColumn,
  drawnInts,
  float64Buffer,
  int32Buffer,
  integerColumn,
  moneyColumn,
  stringColumn,
  writeAscii,
} from "./columns.ts";
import { retailPrice } from "./orders.ts";
import { draw, jumpFactor, multiplySeeds, nextSeed, seedOfRow } from "./random.ts";
import { rowNumber, rowPages } from "./row-pages.ts";
import { commentColumn, commentSeeds } from "./strings.ts";
import { brands, colors, containers, manufacturers, partTypes } from "./words.ts";

export const suppliersPerPart = 4;

/** Supplier `number` (0 to 3) of a part (specification 4.2.3, PS_SUPPKEY). Integers below 2^53, so the quotients are exact. */
export function supplierOfPart(partKey: number, number: number, suppliers: number): number {
  const step = Math.floor(suppliers / suppliersPerPart) + Math.floor((partKey - 1) / suppliers);
  const place = partKey + number * step;
  return place - Math.floor(place / suppliers) * suppliers + 1;
}

/** Parts per supplier. The step between a part's suppliers grows this many times over the whole table. */
const partsPerSupplier = 20;

/** Whether the four suppliers of every part are distinct. At a few scales below 0.024 the formula repeats a supplier. */
export function hasDistinctSuppliers(suppliers: number): boolean {
  for (let growth = 0; growth <= partsPerSupplier; growth++) {
    const step = Math.floor(suppliers / suppliersPerPart) + growth;
    for (let apart = 1; apart < suppliersPerPart; apart++) {
      if ((apart * step) % suppliers === 0) {
        return false;
      }
    }
  }
  return true;
}

const nameWords = 5;
const nameBytesMax = 55;
const space = 32;

/** P_NAME: five distinct colors, the first five places of a shuffle of all of them. */
function nameColumn(generation: Generation): ColumnGenerator {
  const order = Uint8Array.from(colors, (_, index) => index);
  const swaps = new Uint8Array(nameWords);
  const jump = jumpFactor(colors.length);
  let rowSeed = seedOfRow(709314158, colors.length, generation.units.first);
  return stringColumn(generation, nameBytesMax, nameBytesMax, (bytes, start) => {
    let seed = rowSeed;
    let at = start;
    for (let place = 0; place < nameWords; place++) {
      seed = nextSeed(seed);
      const other = place + draw(seed, colors.length - place);
      swaps[place] = other;
      swap(order, place, other);
      at = writeAscii(bytes, at, colors[order[place] as number] as string);
      bytes[at++] = space;
    }
    for (let place = nameWords - 1; place >= 0; place--) {
      swap(order, place, swaps[place] as number);
    }
    rowSeed = multiplySeeds(rowSeed, jump);
    return at - 1;
  });
}

function swap(values: Uint8Array, a: number, b: number): void {
  const value = values[a] as number;
  values[a] = values[b] as number;
  values[b] = value;
}

const manufacturerSeed = 1;

function manufacturerNumbers(generation: Generation): Vector<Int32Array> {
  return drawnInts(generation, {
    seed: manufacturerSeed,
    firstDraw: generation.units.first,
    low: 0,
    range: manufacturers.length,
  });
}

function brandNumbers(generation: Generation): Vector<Int32Array> {
  const manufacturer = manufacturerNumbers(generation);
  const brand = drawnInts(generation, { seed: 46831694, firstDraw: generation.units.first, low: 0, range: 5 });
  const values = int32Buffer(generation, generation.pageRows);
  return {
    values,
    fill: (page) => {
      manufacturer.fill(page);
      brand.fill(page);
      for (let row = 0; row < page.rows; row++) {
        values[row] = (manufacturer.values[row] as number) * 5 + (brand.values[row] as number);
      }
    },
  };
}

function retailPrices(generation: Generation): Vector<Float64Array> {
  const values = float64Buffer(generation, generation.pageRows);
  let partKey = generation.units.first + 1;
  return {
    values,
    fill: ({ rows }) => {
      for (let row = 0; row < rows; row++) {
        values[row] = retailPrice(partKey++);
      }
    },
  };
}

export function partGenerator(generation: Generation): TableGenerator {
  const firstDraw = generation.units.first;
  const words = (seed: number, lengthMax: number, list: readonly string[]): ColumnGenerator =>
    dictionaryColumn(generation, lengthMax, list, drawnInts(generation, { seed, firstDraw, low: 0, range: list.length }));
  return rowPages(generation, {
    partkey: () => bigintColumn(generation, ascendingKeys(generation, firstDraw + 1)),
    [rowNumber]: () => bigintColumn(generation, ascendingKeys(generation, firstDraw + 1)),
    name: () => nameColumn(generation),
    mfgr: () => dictionaryColumn(generation, 25, manufacturers, manufacturerNumbers(generation)),
    brand: () => dictionaryColumn(generation, 10, brands, brandNumbers(generation)),
    type: () => words(1841581359, 25, partTypes),
    size: () => integerColumn(drawnInts(generation, { seed: 1193163244, firstDraw, low: 1, range: 50 })),
    container: () => words(727633698, 10, containers),
    retailprice: () => moneyColumn(generation, retailPrices(generation)),
    comment: () =>
      commentColumn(generation, { lengthMax: 23, meanBytes: 14 }, commentSeeds(generation, { seed: 804159733, firstRow: firstDraw })),
  });
}

/** Computes `value` from part key and supplier number, row by row. */
function partSupplierVector(generation: Generation, value: (partKey: number, number: number) => number): Vector<Float64Array> {
  const values = float64Buffer(generation, generation.pageRows);
  let partKey = generation.units.first + 1;
  let number = 0;
  return {
    values,
    fill: ({ rows }) => {
      for (let row = 0; row < rows; row++) {
        values[row] = value(partKey, number);
        if (++number === suppliersPerPart) {
          number = 0;
          partKey++;
        }
      }
    },
  };
}

export function partsuppGenerator(generation: Generation): TableGenerator {
  const { suppliers } = generation.scale;
  const firstDraw = generation.units.first * suppliersPerPart;
  const partKeys = (): ColumnGenerator =>
    bigintColumn(
      generation,
      partSupplierVector(generation, (partKey) => partKey),
    );
  return rowPages(
    generation,
    {
      partkey: partKeys,
      [rowNumber]: partKeys,
      suppkey: () =>
        bigintColumn(
          generation,
          partSupplierVector(generation, (partKey, number) => supplierOfPart(partKey, number, suppliers)),
        ),
      availqty: () => integerColumn(drawnInts(generation, { seed: 1671059989, firstDraw, low: 1, range: 9999 })),
      supplycost: () => moneyColumn(generation, drawnInts(generation, { seed: 1051288424, firstDraw, low: 100, range: 99901 })),
      comment: () =>
        commentColumn(generation, { lengthMax: 199, meanBytes: 124 }, commentSeeds(generation, { seed: 1961692154, firstRow: firstDraw })),
    },
    suppliersPerPart,
  );
}
