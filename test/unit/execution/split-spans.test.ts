import fc from "fast-check";
import { expect, test } from "vitest";
import { SplitSpans } from "../../../src/execution/operators/scan/split-spans.ts";
import type { MonotonicNanos } from "../../../src/ports/clock.ts";

test("the kept splits of a scan are few, evenly spread over all of it, and have their own times and rows", () => {
  fc.assert(
    fc.property(fc.nat(2000), fc.boolean(), fc.constantFrom(4, 7, 32), (count, lastIsOpen, spansMax) => {
      const spans = new SplitSpans(spansMax);
      for (let ordinal = 0; ordinal < count; ordinal++) {
        spans.started((ordinal * 10) as MonotonicNanos);
        if (ordinal < count - 1 || !lastIsOpen) {
          spans.ended((ordinal * 10 + 7) as MonotonicNanos, ordinal);
        }
      }
      const kept = spans.all;
      const stride = kept[1]?.ordinal ?? 1;
      expect(kept.length).toBeLessThanOrEqual(spansMax);
      expect(kept.length).toBeGreaterThanOrEqual(Math.min(count, Math.floor(spansMax / 2)));
      expect(kept.map(({ ordinal }) => ordinal)).toEqual(kept.map((_, index) => index * stride));
      expect(count - 1 - (kept.at(-1)?.ordinal ?? count - 1)).toBeLessThan(stride);
      for (const { endNanos, ordinal, positions, startNanos } of kept) {
        const isOpen = lastIsOpen && ordinal === count - 1;
        expect([startNanos, endNanos, positions]).toEqual([ordinal * 10, isOpen ? undefined : ordinal * 10 + 7, isOpen ? 0 : ordinal]);
      }
    }),
  );
});
