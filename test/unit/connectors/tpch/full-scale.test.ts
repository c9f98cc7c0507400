/**
 * All tables at scale 1 against dbgen's files: a gigabyte of text, so it runs only with ORRERY_TPCH_FULL=1.
 */
import { describe, expect, it } from "vitest";
import { checksumOf } from "./check.ts";
import { sf1Checksums } from "./checksums.ts";
import { openTpch } from "./read.ts";

describe.runIf(process.env["ORRERY_TPCH_FULL"] === "1")("tpch at scale 1 is dbgen's", () => {
  const opened = openTpch();
  it.each(Object.keys(sf1Checksums))("%s", { timeout: 300_000 }, async (table) => {
    expect(await checksumOf(opened, "sf1", table)).toEqual(sf1Checksums[table]);
  });
});
