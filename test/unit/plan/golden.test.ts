/** Plans of TPC-H queries as text. Regenerate with UPDATE_GOLDEN=1 and read the difference. */
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { explain } from "./tpch-catalog.ts";
import { tpchQueries } from "./tpch-queries.ts";

const golden = ["q1", "q3", "q5", "q6", "q18"];

describe("TPC-H plans", () => {
  test.each(golden)("%s is planned as on file", async (name) => {
    const file = new URL(`golden/${name}.txt`, import.meta.url);
    const text = await explain(tpchQueries[name] ?? "");
    if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(file, text);
    expect(text).toBe(readFileSync(file, "utf8"));
  });

  test.each(Object.keys(tpchQueries))("%s has a valid plan without a product of tables", async (name) => {
    const text = await explain(tpchQueries[name] ?? "");
    const products = text.split("\n").filter((line) => line.includes("CrossJoin"));
    // Query 11 compares each group with one total: a product with a single row.
    expect(products.length).toBeLessThanOrEqual(name === "q11" ? 1 : 0);
  });

  test("the same statement has the same plan", async () => {
    expect(await explain(tpchQueries["q9"] ?? "")).toBe(await explain(tpchQueries["q9"] ?? ""));
  });
});
