/**
 * The rows equal those of the TPC's dsdgen byte for byte: MD5 sums from the tests of a public generator (github.com/Teradata/tpcds) for
 * dsdgen's output, of whole tables or of some of their rows, at most scales.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { scaleOfSchema } from "../../../../src/connectors/tpcds/scale.ts";
import { findTable } from "../../../../src/connectors/tpcds/tables.ts";
import { md5Of, openTpcds, tableOf, type Units } from "./read.ts";

interface Checksum {
  readonly table: string;
  readonly scale: string;
  /** `all`, `1-1000`, or `10/100` for part 10 of 100. Ranges of sales and returns count orders. */
  readonly rows: string;
  readonly md5: string;
  /** Slow; runs only with ORRERY_TPCDS_FULL=1. */
  readonly isLong: boolean;
}

const checksums: readonly Checksum[] = readFileSync(join(dirname(fileURLToPath(import.meta.url)), "md5.txt"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [table = "", scale = "", rows = "", md5 = "", mark] = line.split(" ");
    return { table, scale, rows, md5, isLong: mark === "full" };
  });

function unitsOf({ table, scale, rows }: Checksum): Units {
  const units = findTable(table)?.units(scaleOfSchema(`sf${scale}`) as NonNullable<ReturnType<typeof scaleOfSchema>>) ?? 0;
  const range = /^(\d+)([-/])(\d+)$/.exec(rows);
  const [from, to] = [Number(range?.[1]), Number(range?.[3])];
  if (range === null) {
    return { first: 0, count: units };
  }
  if (range[2] === "-") {
    return { first: from - 1, count: to - from + 1 };
  }
  // If the units do not divide evenly, the first parts have one more.
  const [each, more] = [Math.floor(units / to), units % to];
  return { first: (from - 1) * each + Math.min(from - 1, more), count: each + (from <= more ? 1 : 0) };
}

const isFull = process.env["ORRERY_TPCDS_FULL"] === "1";

describe("tpcds rows are those of dsdgen", () => {
  const opened = openTpcds();
  const chosen = checksums.filter((checksum) => isFull || !checksum.isLong);

  it.each(chosen)("$table at scale $scale, $rows", async (checksum) => {
    const table = await tableOf(opened, `sf${checksum.scale}`, checksum.table);
    expect(md5Of(opened, { table, units: unitsOf(checksum) })).toBe(checksum.md5);
  });
});
