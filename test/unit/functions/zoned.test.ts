/**
 * Values with time zone, addresses and UUIDs: text converts back, and kernels compare and hash instants.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatIpAddress, formatUuid, parseIpAddress, parseUuid } from "../../../src/functions/scalar/network/addresses.ts";
import {
  formatTime,
  formatTimeZoned,
  formatZoned,
  instantOf,
  localMicros,
  ofLocal,
  pack,
  packTime,
  parseTime,
  parseZoned,
  picosPerDay,
  zoneOf,
} from "../../../src/functions/scalar/datetime/zoned.ts";
import { BOOLEAN } from "../../../src/types/type.ts";
import { offsetOfLocal, regionNames, zoneId, zoneKeyOf } from "../../../src/types/time/zones.ts";
import { call, constant, createWorld, evaluate } from "../execution/expressions/world.ts";

const zones = fc.constantFrom("UTC", "+05:30", "-14:00", ...regionNames).map((id) => zoneKeyOf(id) ?? 0);
const micros = fc.bigInt({ min: -60_000_000_000_000_000n, max: 200_000_000_000_000_000n });
const moments = fc.tuple(micros, zones).map(([instant, zone]) => pack(instant, zone));

describe("moments with a zone", () => {
  it("hold an instant and a zone", () => {
    fc.assert(
      fc.property(micros, zones, (instant, zone) => {
        const value = pack(instant, zone);
        expect([instantOf(value), zoneOf(value)]).toEqual([instant, zone]);
      }),
    );
  });

  it("are read again from their text, but for an hour that comes twice", () => {
    fc.assert(
      fc.property(moments, (value) => {
        const parsed = parseZoned(formatZoned(value, 6));
        expect(parsed?.zone).toBe(zoneOf(value));
        expect(parsed?.local).toBe(localMicros(value));
        const again = ofLocal(parsed?.local ?? 0n, parsed?.zone ?? 0);
        expect(localMicros(again)).toBe(localMicros(value));
        // If two instants have this local time, the earlier one.
        expect(instantOf(again) <= instantOf(value)).toBe(true);
        const seconds = Number(localMicros(value) / 1_000_000n);
        expect(Math.abs(offsetOfLocal(zoneOf(value), seconds))).toBeLessThan(57_600);
      }),
      { numRuns: 3000 },
    );
  });

  it("are compared by their instant alone, in both backends", () => {
    const world = createWorld();
    const type = { kind: "timestamp with time zone", precision: 6 } as const;
    const near = fc.tuple(fc.bigInt({ min: -2n, max: 2n }), zones).map(([instant, zone]) => pack(instant, zone));
    fc.assert(
      fc.property(near, near, (a, b) => {
        const [x, y] = [instantOf(a), instantOf(b)];
        const expected = { $eq: x === y, $ne: x !== y, $lt: x < y, $le: x <= y, $gt: x > y, $ge: x >= y, $distinct: x !== y };
        for (const [name, result] of Object.entries(expected)) {
          const expression = { ...call(name, constant(type, String(a)), constant(type, String(b))), type: BOOLEAN };
          expect([name, zoneId(zoneOf(a)), evaluate(world, expression)]).toEqual([name, zoneId(zoneOf(a)), result]);
          expect(evaluate(world, expression, world.interpreter)).toBe(result);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe("times of day", () => {
  const picos = fc.bigInt({ min: 0n, max: picosPerDay - 1n });
  const offsets = fc.integer({ min: -840, max: 840 });

  it("are read again from their text", () => {
    fc.assert(
      fc.property(picos, (value) => {
        expect(parseTime(formatTime(value, 12))).toEqual({ picos: value, precision: 12, offset: undefined });
      }),
    );
    fc.assert(
      fc.property(picos, offsets, (value, offset) => {
        expect(parseTime(formatTimeZoned(packTime(value, offset), 12))).toEqual({ picos: value, precision: 12, offset });
      }),
    );
  });

  it("with an offset lie on the day of UTC, so that they compare as instants", () => {
    fc.assert(
      fc.property(picos, offsets, offsets, (value, a, b) => {
        const minute = 60_000_000_000_000n;
        const moved = (((value + BigInt(b - a) * minute) % picosPerDay) + picosPerDay) % picosPerDay;
        expect(instantOf(packTime(value, a))).toBe(instantOf(packTime(moved, b)));
      }),
    );
  });
});

describe("addresses and UUIDs", () => {
  const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
  const sparse = fc.array(fc.constantFrom(0, 0, 0, 1, 255), { minLength: 16, maxLength: 16 }).map((list) => Uint8Array.from(list));

  it("are read again from their text", () => {
    fc.assert(
      fc.property(fc.oneof(bytes, sparse), (value) => {
        expect(parseIpAddress(formatIpAddress(value))).toEqual(value);
        expect(parseUuid(formatUuid(value))).toEqual(value);
      }),
      { numRuns: 2000 },
    );
  });

  it("are shown as RFC 5952 shows them", () => {
    const shown = (text: string) => formatIpAddress(parseIpAddress(text) ?? new Uint8Array(16).fill(9));
    expect(shown("2001:db8:0:0:1:0:0:1")).toBe("2001:db8::1:0:0:1");
    expect(shown("2001:DB8:0:1:1:1:1:1")).toBe("2001:db8:0:1:1:1:1:1");
    expect(shown("0:0:0:0:0:FFFF:192.168.0.1")).toBe("192.168.0.1");
    expect(shown("64:ff9b::192.0.2.33")).toBe("64:ff9b::c000:221");
  });
});
