/** Statements whose rows differ between runs are left out of a generalised plan. */
import { describe, expect, it } from "vitest";
import { whatDiffers } from "../../sim/replay/comparable.ts";

describe("the rows of a statement", () => {
  const session = { catalog: "tpch", schema: "tiny" };

  it.each([
    "SELECT count(*) FROM nation",
    "SELECT * FROM memory.default.t",
    "WITH system AS (SELECT 1 x) SELECT * FROM system",
    "SELECT 'system.runtime.nodes'",
    "SELECT nothing of this is SQL",
  ])("can be compared: %s", (sql) => {
    expect(whatDiffers(sql, session)).toBeUndefined();
  });

  it.each([
    ["SELECT * FROM system.runtime.nodes", "rows of system.runtime.nodes differ between clusters"],
    ['SELECT (SELECT count(*) FROM "SYSTEM".runtime.queries)', "rows of system.runtime.queries differ between clusters"],
    ["SELECT * FROM information_schema.tables", "rows of tpch.information_schema.tables differ between clusters"],
    ["SELECT * FROM nation WHERE random() < 0.5", "it calls random"],
    ["SELECT current_timestamp", "it reads the clock"],
    ["SELECT now()", "it calls now"],
  ])("differ between runs: %s", (sql, reason) => {
    expect(whatDiffers(sql, session)).toBe(reason);
  });

  it("depend on the session's catalog and schema", () => {
    expect(whatDiffers("SELECT * FROM nodes", { catalog: "system", schema: "runtime" })).toContain("system.runtime.nodes");
    expect(whatDiffers("SELECT * FROM tpch.tiny.nation", { catalog: "system", schema: "runtime" })).toBeUndefined();
  });
});
