/**
 * Time zones against the runtime's Intl, an independent reader of the same database, and Java's rules for ambiguous and skipped local
 * times.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { offsetAt, offsetOfLocal, regionNames, zoneId, zoneKeyOf, zoneKeyOfOffset } from "../../../../src/types/time/zones.ts";

const witnesses = new Map<string, Intl.DateTimeFormat | undefined>();

function witness(zone: string): Intl.DateTimeFormat | undefined {
  if (!witnesses.has(zone)) {
    try {
      witnesses.set(
        zone,
        new Intl.DateTimeFormat("en-US", {
          timeZone: zone,
          calendar: "iso8601",
          hourCycle: "h23",
          era: "short",
          year: "numeric",
          month: "numeric",
          day: "numeric",
          hour: "numeric",
          minute: "numeric",
          second: "numeric",
        }),
      );
    } catch {
      witnesses.set(zone, undefined);
    }
  }
  return witnesses.get(zone);
}

function offsetOfWitness(format: Intl.DateTimeFormat, instant: number): number {
  const part = Object.fromEntries(format.formatToParts(instant * 1000).map(({ type, value }) => [type, value]));
  const [year, month, day, hour, minute, second] = ["year", "month", "day", "hour", "minute", "second"].map((name) => Number(part[name]));
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second) / 1000 - instant;
}

const key = (id: string): number => zoneKeyOf(id) ?? Number.NaN;
const seconds = (iso: string): number => Date.parse(`${iso}Z`) / 1000;

/**
 * Zones that differ among versions and builds of the database: Baja California before 1976 (2025c), the abbreviations EET and WET (cities
 * since 2024b).
 */
const disputed: ReadonlySet<string> = new Set(
  "America/Ensenada America/Santa_Isabel America/Tijuana Mexico/BajaNorte EET WET MET CET".split(" "),
);

describe("zones of the tz database", () => {
  const known = regionNames.filter((zone) => !disputed.has(zone) && witness(zone) !== undefined);

  it("have the offsets that Intl knows, from 1970 to 2100", () => {
    expect(known.length).toBeGreaterThan(500);
    fc.assert(
      fc.property(fc.constantFrom(...known), fc.integer({ min: 0, max: seconds("2100-01-01T00:00:00") }), (zone, instant) => {
        const expected = offsetOfWitness(witness(zone) as Intl.DateTimeFormat, instant);
        expect([zone, instant, offsetAt(key(zone), instant)]).toEqual([zone, instant, expected]);
      }),
      { numRuns: 5000 },
    );
  });

  it("give an instant for each local time: the clock shows it again, or it was left out and moves by the gap", () => {
    fc.assert(
      fc.property(fc.constantFrom(...known), fc.integer({ min: 0, max: seconds("2100-01-01T00:00:00") }), (zone, local) => {
        const format = witness(zone) as Intl.DateTimeFormat;
        const instant = local - offsetOfLocal(key(zone), local);
        const shown = instant + offsetOfWitness(format, instant);
        const before = offsetOfWitness(format, instant - 86_400);
        const after = offsetOfWitness(format, instant + 86_400);
        expect(shown === local || shown - local === after - before).toBe(true);
        // No earlier instant has this local time.
        expect(
          shown !== local ||
            ![before, after].some((offset) => offset > local - instant && offsetOfWitness(format, local - offset) === offset),
        ).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it("turn no clock in a year that the rule of the years around it leaves out", () => {
    const zone = key("America/Port-au-Prince");
    const offsets = (year: number) => ["03-01", "07-01", "12-01"].map((day) => offsetAt(zone, seconds(`${year}-${day}T12:00:00`)) / 3600);
    expect([2015, 2016, 2017].map(offsets)).toEqual([
      [-5, -4, -5],
      [-5, -5, -5],
      [-5, -4, -5],
    ]);
    expect(offsetOfLocal(zone, seconds("2016-03-13T03:00:00")) / 3600).toBe(-5);
  });

  it("turn the clock as New York does", () => {
    const zone = key("America/New_York");
    const local = (iso: string) => offsetOfLocal(zone, seconds(iso)) / 3600;
    expect(offsetAt(zone, seconds("2020-03-08T06:59:59")) / 3600).toBe(-5);
    expect(offsetAt(zone, seconds("2020-03-08T07:00:00")) / 3600).toBe(-4);
    // 02:30 did not exist and becomes 03:30 of the new offset; 01:30 occurred twice and is the first one.
    expect(local("2020-03-08T01:59:59")).toBe(-5);
    expect(local("2020-03-08T02:30:00")).toBe(-5);
    expect(local("2020-03-08T03:00:00")).toBe(-4);
    expect(local("2020-11-01T01:30:00")).toBe(-4);
    expect(local("2020-11-01T02:00:00")).toBe(-5);
    // Local mean time before the railways.
    expect(offsetAt(zone, seconds("1883-01-01T00:00:00"))).toBe(-17_762);
    expect(local("2500-07-01T00:00:00")).toBe(-4);
  });

  it("are named in any case, by offset, and by the names of UTC", () => {
    const canonical = (id: string) => {
      const found = zoneKeyOf(id);
      return found === undefined ? undefined : zoneId(found);
    };
    expect(["america/new_york", "US/Eastern", "Asia/Kolkata"].map(canonical)).toEqual(["America/New_York", "US/Eastern", "Asia/Kolkata"]);
    expect(["Z", "gmt", "Etc/UTC", "+00:00", "UTC-0", "Zulu"].map(canonical)).toEqual(Array.from({ length: 6 }, () => "UTC"));
    expect(["+05:30", "UTC+5", "GMT-03:30", "Etc/GMT+5", "-14:00"].map(canonical)).toEqual([
      "+05:30",
      "+05:00",
      "-03:30",
      "-05:00",
      "-14:00",
    ]);
    expect(["Mars/Base", "+14:01", "+1:30", "+05:60", "", "+"].map(canonical)).toEqual(Array.from({ length: 6 }, () => undefined));
    expect(zoneKeyOfOffset(841)).toBeUndefined();
  });

  it("keep each its own key", () => {
    expect(new Set(regionNames.map(key)).size + 0).toBeGreaterThan(570);
    for (const name of regionNames) {
      expect(zoneKeyOf(zoneId(key(name)))).toBe(key(name));
    }
  });
});
