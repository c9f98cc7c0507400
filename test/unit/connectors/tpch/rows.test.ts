/**
 * The rows equal dbgen's byte for byte.
 */
import { describe, expect, it } from "vitest";
import { checksumOf } from "./check.ts";
import { sf1Checksums, tinyChecksums } from "./checksums.ts";
import { openTpch } from "./read.ts";

describe("tpch rows are those of dbgen", () => {
  const opened = openTpch();
  it.each(Object.keys(tinyChecksums))("%s at scale 0.01", async (table) => {
    expect(await checksumOf(opened, "tiny", table)).toEqual(tinyChecksums[table]);
  });

  it.each(["region", "nation", "supplier", "customer", "part"])("%s at scale 1", async (table) => {
    expect(await checksumOf(opened, "sf1", table)).toEqual(sf1Checksums[table]);
  });

  it("are the same as decimals", async () => {
    const decimals = openTpch({ "tpch.double-type-mapping": "DECIMAL" });
    for (const table of ["supplier", "lineitem", "orders"]) {
      expect(await checksumOf(decimals, "tiny", table)).toEqual(tinyChecksums[table]);
    }
  });
});
