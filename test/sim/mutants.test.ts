/**
 * The bank of planted bugs stays usable: every mutant applies to the current sources, compiles, and has a story. The simulator keeps its
 * power: bugs that it found within a few seeds are still found within a few seeds.
 */
import { transform } from "esbuild";
import { describe, expect, it } from "vitest";
import { families, loadBank, type Mutant, mutatedSources, parseMutant, projectRoot } from "../../sim/mutants/bank.ts";
import { applyHunks, parseDiff } from "../../sim/mutants/diff.ts";
import { measureAll } from "../../sim/mutants/measure.ts";
import { diagnosis } from "../../sim/mutants/report.ts";
import { gapsOf, quantile, spreadOf } from "../../sim/mutants/detection-figures.ts";
import { isInTurn } from "../support/programs/rotation.ts";

const root = projectRoot();
const bank = loadBank(root);

describe("the bank of planted bugs", () => {
  it("has at least eleven of each family, a third of them held out, half of them from history", () => {
    for (const family of families) {
      const own = bank.filter((mutant) => mutant.family === family);
      expect(own.length, family).toBeGreaterThanOrEqual(11);
      expect(own.filter(({ heldOut }) => heldOut).length, family).toBeGreaterThanOrEqual(3);
    }
    expect(bank.filter(({ heldOut }) => heldOut).length * 3).toBeGreaterThanOrEqual(bank.length - 2);
    expect(bank.filter(({ origin }) => origin === "history").length * 2).toBeGreaterThanOrEqual(bank.length - 2);
    expect(new Set(bank.map(({ name }) => name.split("/")[1])).size).toBe(bank.length);
    expect(new Set(bank.map(({ title }) => title)).size).toBe(bank.length);
  });

  it("spreads over the rooms of the engine", () => {
    const rooms = new Set(bank.flatMap(({ patches }) => patches.map(({ path }) => path.split("/")[1])));
    for (const room of ["coordinator", "execution", "worker", "monitor", "page", "planner", "functions", "codegen", "connectors"]) {
      expect([...rooms]).toContain(room);
    }
  });

  it("applies to the sources as they are, changes them, and compiles", async () => {
    const failures: string[] = [];
    for (const mutant of bank) {
      try {
        for (const [path, source] of mutatedSources(mutant, root)) {
          await transform(source, { loader: "ts", sourcefile: path, logLevel: "silent" });
        }
      } catch (error) {
        failures.push(`${mutant.name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    expect(failures).toEqual([]);
  });
});

describe("a mutant's file", () => {
  const header = [
    "title: A bug of the test",
    "story: Something is wrong with the",
    "  engine, and somebody sees it.",
    "imitates: invented; class: none",
    "origin: invented",
    "symptom: results",
    "difficulty: easy",
    "held-out: no",
  ];
  const diff = ["--- a/src/a.ts", "+++ b/src/a.ts", "@@ second", " let x;", "-x = 1;", "+REACHED();", "+x = 2;"];

  it("is read with its story in one piece", () => {
    const mutant = parseMutant("results/a", "results", [...header, "", ...diff].join("\n"));
    expect(mutant).toMatchObject({ name: "results/a", heldOut: false, story: "Something is wrong with the engine, and somebody sees it." });
  });

  it("is refused where something is missing", () => {
    const parse = (lines: readonly string[]) => () => parseMutant("results/a", "results", lines.join("\n"));
    expect(parse([...header.slice(1), "", ...diff])).toThrow("title");
    expect(parse([...header, "", ...diff.slice(0, 5)])).toThrow("REACHED");
    expect(parse([...header.map((line) => line.replace("origin: invented", "origin: history")), "", ...diff])).toThrow("invented");
    expect(parse([...header, "", ...diff.map((line) => line.replace("src/a.ts", "sim/a.ts"))])).toThrow("sim/a.ts");
  });

  it("finds its place behind its anchor, wherever that has moved to", () => {
    const source = "// first\nlet x;\nx = 1;\n// second\n\n  let x;\n  x = 1;\n";
    const [patch] = parseDiff(diff.join("\n"));
    expect(patch && applyHunks(source, patch)).toBe("// first\nlet x;\nx = 1;\n// second\n\nlet x;\nREACHED();\nx = 2;\n");
  });

  it("says what it does not find, and what it finds twice", () => {
    const without = parseDiff(diff.map((line) => (line.startsWith("@@") ? "@@" : line)).join("\n"))[0];
    expect(() => without && applyHunks("let y;\n", without)).toThrow("no place like");
    expect(() => without && applyHunks("let x;\nx = 1;\nlet x;\nx = 1;\n", without)).toThrow("2 places");
    const anchored = parseDiff(diff.join("\n"))[0];
    expect(() => anchored && applyHunks("let x;\nx = 1;\n", anchored)).toThrow("'second'");
  });
});

describe("seeds to detection", () => {
  const seen = (value: number) => ({ value, censored: false });
  const unseen = (value: number) => ({ value, censored: true });

  it("are the waits between detections, and the one that was still open", () => {
    expect(gapsOf([3, 4, 10], 10)).toEqual([seen(3), seen(1), seen(6)]);
    expect(gapsOf([3], 10)).toEqual([seen(3), unseen(7)]);
    expect(gapsOf([], 10)).toEqual([unseen(10)]);
  });

  it("have the plain median where all were seen", () => {
    expect(spreadOf([1, 2, 3, 4, 5].map(seen))).toEqual({ low: 2, median: 3, high: 4 });
  });

  it("have no median where most were not seen, and a later one where some were not", () => {
    expect(quantile([seen(2), unseen(100), unseen(100)], 0.5)).toBeUndefined();
    expect(quantile([seen(2), seen(5), unseen(100)], 0.5)).toBe(5);
    // A censored observation only says that the wait was longer.
    expect(quantile([seen(2), unseen(3), seen(5), seen(9)], 0.5)).toBe(5);
  });
});

/**
 * One or two of each family and of most checkers, each found within a few seeds; the budget is several times that. Half of them are run, in
 * turn; all of them with ORRERY_TEST_ALL=1.
 */
const fast: readonly string[] = [
  "delivery/end-before-the-queue-is-empty",
  "delivery/starving-reader-waits",
  "retry/last-answer-given-once",
  "retry/resubmission-runs-again",
  "membership/announced-once",
  "membership/new-life-not-noticed",
  "resources/end-without-a-version",
  "resources/failed-task-keeps-query-memory",
  "resources/slot-of-a-failed-query-kept",
  "scheduling/promised-task-is-unknown",
  "scheduling/split-tail-lost",
  "results/match-of-the-row-before",
];
const seedsMax = 30;
/** Median number of seeds to detection; one or two when this was written. */
const medianMax = 6;

describe(`planted bugs that are found within ${seedsMax} seeds`, () => {
  it("are still found", { timeout: 300_000 }, async () => {
    const mutants = fast.map((name) => bank.find((mutant) => mutant.name === name) ?? name);
    expect(mutants.filter((mutant) => typeof mutant === "string")).toEqual([]);
    const { measurements } = await measureAll(
      mutants.filter((mutant, index) => typeof mutant !== "string" && isInTurn(index)) as Mutant[],
      { root, firstSeed: 7, seedsMax, detectionsMax: 1, jobs: 2 },
    );
    expect(measurements.flatMap((one) => (diagnosis(one) === undefined ? [] : [`${one.mutant.name}: ${diagnosis(one)}`]))).toEqual([]);
    const seeds = measurements.map(({ detections }) => ({ value: detections[0]?.place ?? seedsMax, censored: false }));
    expect(quantile(seeds, 0.5)).toBeLessThanOrEqual(medianMax);
  });
});
