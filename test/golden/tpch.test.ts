/**
 * The plans of TPC-H's queries at scale 1, as EXPLAIN shows them: one file a query, with a comment on why the plan is the right one above it. Written anew with
 * UPDATE_GOLDEN=1, which keeps the comments; the difference is then to be read. Without it nothing is written, and a plan that is not on file fails.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { TestPlanner, tpchConnector } from "../support/planning.ts";

const here = dirname(fileURLToPath(import.meta.url));
const statements = join(here, "..", "oracle", "tpch");
const names = readdirSync(statements)
  .filter((file) => file.endsWith(".sql"))
  .map((file) => file.replace(/\.sql$/, ""))
  .toSorted();
const planner = new TestPlanner({ tpch: tpchConnector() }, { catalog: "tpch", schema: "sf1" });

function commentOf(text: string): string {
  return text
    .split("\n")
    .filter((line) => line.startsWith("--"))
    .join("\n");
}

describe("TPC-H plans at scale 1", () => {
  test.each(names)("%s is planned as on file, which says why", async (name) => {
    const file = join(here, "tpch", `${name}.txt`);
    const update = process.env["UPDATE_GOLDEN"] === "1";
    const onFile = !existsSync(file) && update ? "" : readFileSync(file, "utf8");
    const comment = commentOf(onFile);
    const text = `${comment}\n\n${await planner.explain(readFileSync(join(statements, `${name}.sql`), "utf8"))}`;
    if (update) {writeFileSync(file, text);}
    expect(comment.length, `${file} begins with the reason for the plan`).toBeGreaterThan(0);
    if (!update) {expect(text).toBe(onFile);}
    expect(text).not.toContain("CrossJoin");
  });

  test("every query has its plan on file, and nothing else is there", () => {
    expect(readdirSync(join(here, "tpch")).toSorted()).toEqual(names.map((name) => `${name}.txt`));
  });

  test("the same statement has the same plan, whatever was planned before it", async () => {
    const sql = readFileSync(join(statements, "q09.sql"), "utf8");
    const fresh = new TestPlanner({ tpch: tpchConnector() }, { catalog: "tpch", schema: "sf1" });
    expect(await fresh.explain(sql)).toBe(await planner.explain(sql));
  });
});
