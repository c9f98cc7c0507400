/** The seed by which `npm test` draws. */
import { cpSync, mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedOfArguments, seedOfSources } from "../support/programs/draws.ts";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-draws-"));
  for (const name of ["src", "sim", "test", "scenarios", "examples"]) {
    mkdirSync(join(folder, "one", name, "inner"), { recursive: true });
    writeFileSync(join(folder, "one", name, "inner", "a.ts"), name);
  }
  cpSync(join(folder, "one"), join(folder, "two"), { recursive: true });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the same sources draw the same wherever they are, and changed ones do not", () => {
  const seed = seedOfSources(join(folder, "one"));
  expect(seedOfSources(join(folder, "two"))).toBe(seed);
  writeFileSync(join(folder, "two", "src", "inner", "notes.md"), "a document");
  expect(seedOfSources(join(folder, "two"))).toBe(seed);
  writeFileSync(join(folder, "two", "src", "inner", "a.ts"), "sr");
  expect(seedOfSources(join(folder, "two"))).not.toBe(seed);
});

test("--seed takes a number or 'random'", () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      expect(seedOfArguments(["unit", "--seed", String(seed)], () => 0)).toBe(seed);
      expect(seedOfArguments([`--seed=${String(seed)}`], () => 0)).toBe(seed);
    }),
  );
  expect(seedOfArguments(["unit"], () => 0)).toBeUndefined();
  expect(seedOfArguments(["--seed", "random"], () => 0.5)).toBe(1_073_741_823);
  for (const wrong of [["--seed"], ["--seed", "x"], ["--seed", "-1"], ["--seed", "2147483648"], ["--seed="]]) {
    expect(() => seedOfArguments(wrong, () => 0)).toThrow("--seed takes");
  }
});

test("properties draw by the seed of npm test, at random where a file runs alone", () => {
  const given = process.env["TEST_SEED"];
  expect(fc.readConfigureGlobal().seed).toBe(given === undefined ? undefined : Number(given));
});
