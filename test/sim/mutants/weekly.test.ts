/** The weekly record of generated mutants: when it may be replaced, and that the committed one is whole. */
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../../sim/mutants/bank.ts";
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
