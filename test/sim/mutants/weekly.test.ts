/** The weekly record of generated mutants: when it may be replaced, and that the committed one is whole. */
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../../sim/mutants/bank.ts";
import type { GeneratedMutant } from "../../../sim/mutants/generated/generate.ts";
import { findEnough } from "../../../sim/mutants/generated/find-enough.ts";
import { parseWeekly, readWeekly, rolled, seedOfWeek, type Week, weekOf } from "../../../sim/mutants/generated/weekly.ts";

const week = (name: string, found: number, reason?: string): Week => ({
  week: name,
  mutationSeed: seedOfWeek(name),
  mutants: 30,
  seeds: 20,
  changed: 20,
  found,
  ...(reason === undefined ? {} : { reason }),
});

describe("the weekly record", () => {
  it("that is committed is whole, with the seed of its week", () => {
    const { now } = readWeekly(projectRoot());
    expect(now).toMatchObject({ mutants: 30, mutationSeed: seedOfWeek(now.week) });
    expect(now.found).toBeGreaterThan(0);
    expect(now.found).toBeLessThanOrEqual(now.changed);
  });

  it("follows ISO weeks over the end of a year", () => {
    expect(
      ["2026-11-22", "2026-11-23", "2027-01-03", "2027-01-04", "2024-12-30"].map((day) => weekOf(new Date(`${day}T12:00:00Z`))),
    ).toEqual(["2026-W47", "2026-W48", "2026-W53", "2027-W01", "2025-W01"]);
  });

  it("is replaced when both samples are found as well as before", () => {
    const now = week("2026-W48", 10);
    const again = { ...now, found: 11 };
    const next = week("2026-W49", 10);
    expect(rolled({ now }, { again, next })).toEqual({ record: { now: next, before: again } });
  });

  it("is brought up to date within its week, and falls only with a reason", () => {
    const [now, before] = [week("2026-W48", 10), week("2026-W47", 7)];
    expect(rolled({ now, before }, { again: { ...now, found: 12 } })).toEqual({ record: { now: { ...now, found: 12 }, before } });
    expect(rolled({ now }, { again: { ...now, found: 9 } })).toHaveProperty("refusal");
    expect(rolled({ now }, { again: week("2026-W48", 9, "the exchange was written anew") })).toMatchObject({
      record: { now: { found: 9 } },
    });
  });

  it("is kept when either sample is found less", () => {
    const now = week("2026-W48", 10);
    const refusal = (again: Week, next: Week): unknown => rolled({ now }, { again, next });
    expect(refusal({ ...now, found: 9 }, week("2026-W49", 20))).toMatchObject({ refusal: expect.stringContaining("9 are found now") });
    expect(refusal(now, week("2026-W49", 9))).toMatchObject({ refusal: expect.stringContaining("--reason") });
  });

  it("may fall with a reason for another sample, never for the same", () => {
    const now = week("2026-W48", 10);
    const next = week("2026-W49", 9, "four mutants of this sample are equivalent");
    expect(rolled({ now }, { again: now, next })).toMatchObject({ record: { now: next } });
    expect(rolled({ now }, { again: { ...now, found: 9 }, next })).toHaveProperty("refusal");
  });

  it("says which member is wrong", () => {
    expect(() => parseWeekly(JSON.stringify({ now: { ...week("2026-W48", 3), found: -1 } }))).toThrow("now.found");
  });
});

describe("a search for as many mutants as the record has", () => {
  /** Finds each mutant with its seed; notes which mutants are run with which seeds. */
  const search = async (enough: number, foundBy: Readonly<Record<string, number>>, places: Readonly<Record<string, number>>) => {
    const names = ["a", "b", "c", "d"];
    const mutants = names.map((name) => ({ name, site: { key: `src/${name}` } }) as GeneratedMutant);
    const runs: string[] = [];
    const found = await findEnough(
      { mutants, counts: new Map(), marked: new Map(), blockOf: () => -1 },
      {
        root: "",
        seedsMax: 20,
        jobs: 1,
        enough,
        places,
        isStopped: () => false,
        onMeasured: () => undefined,
        measure: async (some, { firstSeed, seedsMax, isStopped, onMeasured }) => {
          for (const [index, mutant] of some.entries()) {
            if (isStopped?.() === true) {
              break;
            }
            runs.push(`${mutant.name} ${firstSeed}..${firstSeed + seedsMax - 1}`);
            const seed = foundBy[mutant.name] ?? Number.POSITIVE_INFINITY;
            const detections = seed >= firstSeed && seed < firstSeed + seedsMax ? [{ seed: String(seed) }] : [];
            onMeasured?.({ mutant, detections } as never, index + 1);
          }
          return { measurements: [], unusableSeeds: [] };
        },
      },
    );
    return { found, runs };
  };

  it("runs the seeds of the record alone where they still find its mutants", async () => {
    expect(await search(2, { b: 9, d: 1 }, { "src/b": 9, "src/d": 1, "src/gone": 4 })).toEqual({ found: 2, runs: ["b 9..9", "d 1..1"] });
  });

  it("goes on with all mutants and all seeds where they do not, and ends as soon as it has enough", async () => {
    expect(await search(2, { b: 8, c: 2 }, { "src/a": 1 })).toEqual({
      found: 2,
      runs: ["a 1..1", "a 1..2", "b 1..2", "c 1..2", "d 1..2", "a 3..8", "b 3..8"],
    });
  });

  it("finds too few only after the last seed of every mutant", async () => {
    const { found, runs } = await search(2, { d: 20 }, { "src/b": 1 });
    expect(found).toBe(1);
    expect(runs.slice(-4)).toEqual(["a 9..20", "b 9..20", "c 9..20", "d 9..20"]);
  });
});
