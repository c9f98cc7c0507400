import fc from "fast-check";
import { expect, it } from "vitest";
import { civilOf, daysInMonth, daysOf } from "../../../../src/types/time/calendar.ts";

it("is the platform's calendar, both ways", () => {
  fc.assert(
    fc.property(fc.integer({ min: -100_000_000, max: 100_000_000 }), (days) => {
      const date = civilOf(days);
      const platform = new Date(days * 86_400_000);
      expect(date).toEqual({ year: platform.getUTCFullYear(), month: platform.getUTCMonth() + 1, day: platform.getUTCDate() });
      expect(daysOf(date)).toBe(days);
      expect(daysInMonth(date.year, date.month)).toBe(new Date(Date.UTC(2000 + (date.year % 400), date.month, 0)).getUTCDate());
    }),
  );
});
