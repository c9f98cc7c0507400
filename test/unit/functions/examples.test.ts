/**
 * Checks every function's example, and that functions without one are overloads of functions with one.
 */
import { describe, expect, it } from "vitest";
import { scalarDefinitions } from "../../../src/functions/registry/scalars.ts";
import { createWorld } from "../execution/expressions/world.ts";
import { exampleResult } from "./analyzed.ts";

const world = createWorld();
const examples = scalarDefinitions.flatMap(({ example }) => (example === undefined ? [] : [example]));

describe("examples of the catalogue", () => {
  it.each(examples.map(({ sql, result }) => [sql, result] as const))("%s", async (sql, result) => {
    expect(await exampleResult(sql, world)).toBe(result);
    expect(await exampleResult(sql, world, world.interpreter)).toBe(result);
  });

  it("exist for every function", () => {
    const named = new Set(scalarDefinitions.flatMap(({ name, example }) => (example === undefined ? [] : [name])));
    const without = scalarDefinitions.filter(({ name }) => !named.has(name) && !name.startsWith("$"));
    // Only aggregates create models; see test/oracle/statements/learning.sql.
    expect(without.map(({ name }) => name).filter((name) => !["abs", "classify", "regress"].includes(name))).toEqual([]);
  });
});
