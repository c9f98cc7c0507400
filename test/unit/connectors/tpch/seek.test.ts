/**
 * Any range of a table and any subset of its columns can be generated independently.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TableMetadata } from "../../../../src/connectors/spi.ts";
import { pageRowsMax } from "../../../../src/page/page.ts";
import { linesOf, openTpch, readPages, splitsOf, tableOf } from "./read.ts";

const tables = ["customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier"];
const opened = openTpch();

/** Groups lines by unit: orders' lines and parts' suppliers have rows with equal keys. */
function byUnit(table: TableMetadata, lines: readonly string[]): readonly (readonly string[])[] {
  const units: string[][] = [];
  let last = "";
  for (const line of lines) {
    const key = line.slice(0, line.indexOf("|"));
    if (key !== last || (table.name.table !== "lineitem" && table.name.table !== "partsupp")) {
      units.push([]);
    }
    units[units.length - 1]?.push(line);
    last = key;
  }
  return units;
}

describe("tpch tables can be read from anywhere", () => {
  it.each(tables)("a range of %s is that range of the whole", async (name) => {
    const table = await tableOf(opened, "tiny", name);
    const splits = await splitsOf(opened, table);
    const units = byUnit(
      table,
      splits.flatMap((split) => linesOf(opened, { table, split: split.payload })),
    );
    const places = fc.integer({ min: 0, max: units.length - 1 });
    fc.assert(
      fc.property(places, fc.integer({ min: 1, max: 3000 }), (first, wanted) => {
        const count = Math.min(wanted, units.length - first);
        const alone = linesOf(opened, { table, split: { first, count } });
        expect(alone).toEqual(units.slice(first, first + count).flat());
      }),
      { numRuns: 8 },
    );
  });

  it.each(["sf100", "sf30000"])("neighbouring ranges join at %s", async (schema) => {
    for (const name of tables.filter((table) => table !== "nation" && table !== "region")) {
      const table = await tableOf(opened, schema, name);
      const last = (await splitsOf(opened, table)).at(-1)?.payload as { first: number; count: number };
      const first = last.first + last.count - 40;
      const range = (from: number, count: number): readonly string[] =>
        linesOf(opened, { table, split: { first: from, count }, columns: table.columns });
      expect([...range(first, 13), ...range(first + 13, 27)]).toEqual(range(first, 40));
    }
  });

  it.each(tables)("columns of %s do not depend on each other", async (name) => {
    const table = await tableOf(opened, "tiny", name);
    const units = (await splitsOf(opened, table))[0]?.payload as { first: number; count: number };
    const split = { first: units.first, count: Math.min(units.count, 300) };
    const whole = linesOf(opened, { table, split, columns: table.columns }).map((line) => line.split("|"));
    fc.assert(
      fc.property(fc.shuffledSubarray([...table.columns.keys()], { minLength: 1 }), (picked) => {
        const columns = picked.map((index) => table.columns[index] as (typeof table.columns)[number]);
        const lines = linesOf(opened, { table, split, columns });
        expect(lines).toEqual(whole.map((fields) => `${picked.map((index) => fields[index]).join("|")}|`));
      }),
      { numRuns: 10 },
    );
  });

  it.each(tables)("%s without columns has rows alone", async (name) => {
    const table = await tableOf(opened, "tiny", name);
    let rows = 0;
    for (const split of await splitsOf(opened, table)) {
      readPages(opened, { table, split: split.payload, columns: [] }, (page) => {
        expect(page.columns).toEqual([]);
        expect(page.positionCount).toBeLessThanOrEqual(pageRowsMax);
        rows += page.positionCount;
      });
    }
    expect(rows).toBe((await opened.connector.metadata.getStatistics?.(table))?.rowCount);
  });

  it("columns may be asked for twice", async () => {
    const table = await tableOf(opened, "tiny", "lineitem");
    const ship = table.columns.filter(({ name }) => name === "shipdate" || name === "quantity");
    const lines = linesOf(opened, { table, split: { first: 0, count: 50 }, columns: [...ship, ...ship] });
    for (const line of lines) {
      const fields = line.split("|");
      expect(fields.slice(0, 2)).toEqual(fields.slice(2, 4));
    }
  });
});
