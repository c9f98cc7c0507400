/** The customer, supplier, nation and region tables. */
import type { Column } from "../../page/page.ts";
import type { ColumnGenerator, Generation, PageShape, TableGenerator } from "./columns.ts";
import { ascendingKeys, bigintColumn, dictionaryColumn, drawnInts, int32Buffer, writeAscii, type Vector } from "./columns.ts";
import { draw, nextSeed, seedOfRow } from "./random.ts";
import { rowNumber, rowPages } from "./row-pages.ts";
import { addressColumn, balanceColumn, commentColumn, commentSeeds, nationKeyColumn, numberedColumn, phoneColumn } from "./strings.ts";
import { marketSegments, nations, regions } from "./words.ts";

export function customerGenerator(generation: Generation): TableGenerator {
  const { first } = generation.units;
  const nationKey = 1489529863;
  return rowPages(generation, {
    custkey: () => bigintColumn(generation, ascendingKeys(generation, first + 1)),
    [rowNumber]: () => bigintColumn(generation, ascendingKeys(generation, first + 1)),
    name: () => numberedColumn(generation, 25, "Customer#"),
    address: () => addressColumn(generation, 881155353),
    nationkey: () => nationKeyColumn(generation, nationKey),
    phone: () => phoneColumn(generation, { phone: 1521138112, nationKey }),
    acctbal: () => balanceColumn(generation, 298370230),
    mktsegment: () =>
      dictionaryColumn(
        generation,
        10,
        marketSegments,
        drawnInts(generation, { seed: 1140279430, firstDraw: first, low: 0, range: marketSegments.length }),
      ),
    comment: () =>
      commentColumn(generation, { lengthMax: 117, meanBytes: 73 }, commentSeeds(generation, { seed: 1335826707, firstRow: first })),
  });
}

export function supplierGenerator(generation: Generation): TableGenerator {
  const { first } = generation.units;
  const nationKey = 110356601;
  return rowPages(generation, {
    suppkey: () => bigintColumn(generation, ascendingKeys(generation, first + 1)),
    [rowNumber]: () => bigintColumn(generation, ascendingKeys(generation, first + 1)),
    name: () => numberedColumn(generation, 25, "Supplier#"),
    address: () => addressColumn(generation, 706178559),
    nationkey: () => nationKeyColumn(generation, nationKey),
    phone: () => phoneColumn(generation, { phone: 884434366, nationKey }),
    acctbal: () => balanceColumn(generation, 962338209),
    comment: () => supplierComments(generation),
  });
}

const judged = "Customer ";
const complaint = "Complaints";
const recommendation = "Recommends";
/** Ten of ten thousand suppliers have a comment with a complaint or a recommendation. */
const judgedRange = 10_000;
const judgedCount = 10;

/** S_COMMENT: comments, a few of them with a piece overwritten by "Customer", noise, and "Complaints" or "Recommends". */
function supplierComments(generation: Generation): ColumnGenerator {
  const { linear } = generation.memory;
  const { first } = generation.units;
  const comments = commentColumn(
    generation,
    { lengthMax: 101, meanBytes: 63 },
    commentSeeds(generation, { seed: 1341315363, firstRow: first }),
  );
  let chosen = seedOfRow(202794285, 1, first);
  let noise = seedOfRow(263032577, 1, first);
  let offset = seedOfRow(715851524, 1, first);
  let kind = seedOfRow(753643799, 1, first);
  const generate = (page: PageShape): Column => {
    const column = comments(page);
    for (let row = 0; row < page.rows; row++) {
      chosen = nextSeed(chosen);
      noise = nextSeed(noise);
      offset = nextSeed(offset);
      kind = nextSeed(kind);
      if (1 + draw(chosen, judgedRange) <= judgedCount) {
        const pair = column.values / 4 + 2 * row;
        const free = (linear.u32[pair + 1] as number) - judged.length - complaint.length;
        const between = draw(noise, free + 1);
        const start = (linear.u32[pair] as number) + draw(offset, free - between + 1);
        writeAscii(linear.u8, start, judged);
        writeAscii(linear.u8, start + judged.length + between, draw(kind, 101) < 50 ? complaint : recommendation);
      }
    }
    return column;
  };
  return Object.assign(generate, { prepare: (page: PageShape) => comments.prepare?.(page) ?? true });
}

/** The 0-based number of the row as a word number. */
function rowNumbers(generation: Generation): Vector<Int32Array> {
  const values = int32Buffer(generation, generation.pageRows);
  let next = generation.units.first;
  return {
    values,
    fill: ({ rows }) => {
      for (let row = 0; row < rows; row++) {
        values[row] = next++;
      }
    },
  };
}

/** One value for each row of the table. */
function fixedKeys(generation: Generation, keys: readonly number[]): Vector<Int32Array> {
  const values = int32Buffer(generation, generation.pageRows);
  let next = generation.units.first;
  return {
    values,
    fill: ({ rows }) => {
      for (let row = 0; row < rows; row++) {
        values[row] = keys[next++] as number;
      }
    },
  };
}

function geographyComments(generation: Generation, seed: number): ColumnGenerator {
  return commentColumn(generation, { lengthMax: 152, meanBytes: 72 }, commentSeeds(generation, { seed, firstRow: generation.units.first }));
}

export function nationGenerator(generation: Generation): TableGenerator {
  const names = nations.map(({ name }) => name);
  const regionKeys = nations.map(({ regionKey }) => regionKey);
  return rowPages(generation, {
    nationkey: () => bigintColumn(generation, rowNumbers(generation)),
    [rowNumber]: () => bigintColumn(generation, rowNumbers(generation)),
    name: () => dictionaryColumn(generation, 25, names, rowNumbers(generation)),
    regionkey: () => bigintColumn(generation, fixedKeys(generation, regionKeys)),
    comment: () => geographyComments(generation, 606179079),
  });
}

export function regionGenerator(generation: Generation): TableGenerator {
  return rowPages(generation, {
    regionkey: () => bigintColumn(generation, rowNumbers(generation)),
    [rowNumber]: () => bigintColumn(generation, rowNumbers(generation)),
    name: () => dictionaryColumn(generation, 25, regions, rowNumbers(generation)),
    comment: () => geographyComments(generation, 1500869201),
  });
}
