/**
 * Columns of strings generated per row: comments, addresses, phone numbers, numbered names. Also phone and balance columns, which customers
 * and suppliers share.
 */
import type { Column } from "../../page/page.ts";
import type { ColumnGenerator, Generation, PageShape, Vector } from "./columns.ts";
import { bigintColumn, drawnInts, int32Buffer, moneyColumn, stringColumn, writeAscii, writeNumber } from "./columns.ts";
import { draw, jumpFactor, multiplySeeds, nextSeed, seedOfRow } from "./random.ts";
import { poolBytes } from "./text-pool.ts";

/** `prefix` and the key in nine digits. */
export function numberedColumn(generation: Generation, lengthMax: number, prefix: string): ColumnGenerator {
  let key = generation.units.first + 1;
  return stringColumn(generation, lengthMax, prefix.length + 13, (bytes, at) =>
    writeNumber(bytes, writeAscii(bytes, at, prefix), key++, 9),
  );
}

/** A comment has 0.4 to 1.6 times the specification's mean length. */
export function textBytesMin(meanBytes: number): number {
  return Math.floor((meanBytes * 4) / 10);
}

export function textBytesMax(meanBytes: number): number {
  return Math.floor((meanBytes * 16) / 10);
}

/** Bytes of the text pool that one call of prepare walks through: a few milliseconds. */
const walkBytesMax = 1024 * 1024;

/** A substring of the text pool per row. `seeds` holds the seed before its two draws, offset and length. */
export function commentColumn<Shape extends PageShape>(
  generation: Generation,
  options: { readonly lengthMax: number; readonly meanBytes: number },
  seeds: Vector<Int32Array, Shape>,
): ColumnGenerator<Shape> {
  const { text } = generation;
  const { view } = generation.memory.linear;
  const bytesMin = textBytesMin(options.meanBytes);
  const bytesMax = textBytesMax(options.meanBytes);
  const places = poolBytes - bytesMax + 1;
  let preparedPage = 0;
  let preparedRows = 0;
  /** Finds the rows' places in the pool. */
  const prepare = (page: Shape): boolean => {
    if (preparedPage !== page.number) {
      seeds.fill(page);
      preparedPage = page.number;
      preparedRows = 0;
    }
    for (let walked = 0; preparedRows < page.rows; preparedRows++) {
      if (walked >= walkBytesMax) {
        return false;
      }
      walked += text.walkTo(draw(nextSeed(seeds.values[preparedRows] as number), places));
    }
    return true;
  };
  const column = stringColumn(generation, options.lengthMax, bytesMax, (_, at, row) => {
    const placeSeed = nextSeed(seeds.values[row] as number);
    const length = bytesMin + draw(nextSeed(placeSeed), bytesMax - bytesMin + 1);
    text.copy(draw(placeSeed, places), length, view, at);
    return at + length;
  });
  const generate = (page: Shape): Column => {
    while (!prepare(page)) {
      // All steps at once: the caller has no time limit.
    }
    return column(page);
  };
  return Object.assign(generate, { prepare });
}

/** The seeds before each row's two draws, of a stream without gaps. */
export function commentSeeds(generation: Generation, options: { readonly seed: number; readonly firstRow: number }): Vector<Int32Array> {
  const values = int32Buffer(generation, generation.pageRows);
  let next = seedOfRow(options.seed, 2, options.firstRow);
  return {
    values,
    fill: ({ rows }) => {
      for (let row = 0; row < rows; row++) {
        values[row] = next;
        next = nextSeed(nextSeed(next));
      }
    },
  };
}

const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ,";
/** One draw for the length and one for every five characters. */
const drawsPerAddress = 9;
const addressBytesMin = 10;
const addressBytesMax = 40;
/** dbgen's range overflows a 32-bit integer; addresses are made of the bits of the negative draw. */
const overflowedRange = -2147483648;

/** Random characters, 10 to 40. */
export function addressColumn(generation: Generation, initialSeed: number): ColumnGenerator {
  const codes = Uint8Array.from(alphabet, (character) => character.charCodeAt(0));
  const jump = jumpFactor(drawsPerAddress);
  let rowSeed = seedOfRow(initialSeed, drawsPerAddress, generation.units.first);
  return stringColumn(generation, addressBytesMax, addressBytesMax, (bytes, at) => {
    let seed = nextSeed(rowSeed);
    const end = at + addressBytesMin + draw(seed, addressBytesMax - addressBytesMin + 1);
    for (let fifth = at; fifth < end; fifth += 5) {
      seed = nextSeed(seed);
      let bits = draw(seed, overflowedRange);
      for (let i = fifth; i < fifth + 5 && i < end; i++) {
        bytes[i] = codes[bits & 63] as number;
        bits >>= 6;
      }
    }
    rowSeed = multiplySeeds(rowSeed, jump);
    return end;
  });
}

const nationsCount = 25;
const dash = 45;

export interface PhoneSeeds {
  readonly phone: number;
  readonly nationKey: number;
}

/** Country code 10 + nation key, then three groups. */
export function phoneColumn(generation: Generation, seeds: PhoneSeeds): ColumnGenerator {
  let seed = seedOfRow(seeds.phone, 3, generation.units.first);
  let nationSeed = seedOfRow(seeds.nationKey, 1, generation.units.first);
  return stringColumn(generation, 15, 15, (bytes, start) => {
    nationSeed = nextSeed(nationSeed);
    let at = writeNumber(bytes, start, 10 + draw(nationSeed, nationsCount), 2);
    for (let group = 0; group < 3; group++) {
      seed = nextSeed(seed);
      bytes[at++] = dash;
      at = group < 2 ? writeNumber(bytes, at, 100 + draw(seed, 900), 3) : writeNumber(bytes, at, 1000 + draw(seed, 9000), 4);
    }
    return at;
  });
}

export function nationKeyColumn(generation: Generation, seed: number): ColumnGenerator {
  return bigintColumn(generation, drawnInts(generation, { seed, firstDraw: generation.units.first, low: 0, range: nationsCount }));
}

/** -999.99 to 9999.99. */
export function balanceColumn(generation: Generation, seed: number): ColumnGenerator {
  return moneyColumn(generation, drawnInts(generation, { seed, firstDraw: generation.units.first, low: -99999, range: 1099999 }));
}
