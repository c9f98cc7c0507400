import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  agoText,
  bytesOf,
  countText,
  dataSizeText,
  durationText,
  nanosOf,
  oneLine,
  percentText,
  shortCountText,
  shortSizeText,
  spanText,
  timestampText,
} from "../../../src/web/components/format.ts";

const sizes = fc.double({ min: 0, max: 2 ** 52, noNaN: true });

describe("texts of the web pages", () => {
  it("writes and reads durations within the two digits that it shows", () => {
    expect([0, 0.2, 1.2e9, 149_830_000, 90e9].map(durationText)).toEqual(["0ns", "0ns", "1.20s", "149.83ms", "1.50m"]);
    fc.assert(
      fc.property(fc.double({ min: 1, max: 1e17, noNaN: true }), (nanos) => {
        expect(Math.abs(nanosOf(durationText(nanos)) / nanos - 1)).toBeLessThan(0.0051);
      }),
    );
    expect([undefined, "", "soon", "12"].map(nanosOf)).toEqual([0, 0, 0, 0]);
  });

  it("writes and reads data sizes", () => {
    expect([0, 999, 12_841, 16 * 1024 ** 2].map(dataSizeText)).toEqual(["0B", "999B", "12.54kB", "16MB"]);
    fc.assert(
      fc.property(sizes, (bytes) => {
        expect(Math.abs(bytesOf(dataSizeText(bytes)) - bytes)).toBeLessThanOrEqual(0.5 + bytes * 0.0051);
      }),
    );
    expect([undefined, "much"].map(bytesOf)).toEqual([0, 0]);
  });

  it("separates thousands without loss of digits", () => {
    expect([0, 999, 1000, 1_234_567].map((count) => countText(count))).toEqual(["0", "999", "1,000", "1,234,567"]);
    expect(countText(9_223_372_036_854_775_807n)).toBe("9,223,372,036,854,775,807");
    fc.assert(
      fc.property(fc.bigInt(), (count) => {
        const text = countText(count);
        expect(text).toMatch(/^-?\d{1,3}(,\d{3})*$/);
        expect(BigInt(text.replaceAll(",", ""))).toBe(count);
      }),
    );
  });

  it("shortens to three digits and stays near the value", () => {
    expect([0, 7, 999, 999.6, 1234, 45_678, 999_499, 999_500, 1.5e9].map(shortCountText)).toEqual([
      "0",
      "7",
      "999",
      "1K",
      "1.23K",
      "45.7K",
      "999K",
      "1M",
      "1.5B",
    ]);
    expect([0, 999, 1023, 1024, 1536, 12_800, 5 * 1024 ** 3].map(shortSizeText)).toEqual([
      "0B",
      "999B",
      "1kB",
      "1kB",
      "1.5kB",
      "12.5kB",
      "5GB",
    ]);
    const factors: Readonly<Record<string, number>> = { "": 1, K: 1e3, M: 1e6, B: 1e9, T: 1e12 };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 900_000_000_000_000 }), (count) => {
        const [, digits = "", suffix = ""] = /^([\d.]+)([KMBT]?)$/.exec(shortCountText(count)) ?? [];
        expect(digits.replace(".", "").replace(/^0+/, "").length).toBeLessThanOrEqual(3);
        expect(Math.abs(Number(digits) * (factors[suffix] ?? Number.NaN) - count)).toBeLessThanOrEqual(count * 0.0051);
      }),
    );
  });

  it("never rounds a part to the whole or to nothing", () => {
    expect([0, 0.0004, 0.004, 0.254, 0.996, 1].map(percentText)).toEqual(["0%", "<0.1%", "0.4%", "25%", "99%", "100%"]);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (ratio) => {
        expect(percentText(ratio) === "100%").toBe(ratio === 1);
        expect(percentText(ratio) === "0%").toBe(ratio === 0);
      }),
    );
  });

  it("says how long ago, and now for clocks that are ahead", () => {
    const seconds = [-50, 0, 0.9, 1, 59, 60, 3599, 3600, 86_399, 86_400];
    expect(seconds.map((ago) => agoText(1e12 - ago * 1000, 1e12))).toEqual([
      "now",
      "now",
      "now",
      "1 s ago",
      "59 s ago",
      "1 min ago",
      "59 min ago",
      "1 h ago",
      "23 h ago",
      "1 d ago",
    ]);
    expect(agoText(Number.NaN, 0)).toBe("now");
    expect([0, 59.9, 252, 7500, 273_600].map(spanText)).toEqual(["0 s", "59 s", "4 min 12 s", "2 h 5 min", "3 d 4 h"]);
  });

  it("has a sign for what is not known", () => {
    const unknown = [durationText, dataSizeText, countText, shortCountText, shortSizeText, percentText, timestampText];
    expect(unknown.map((write) => write(undefined))).toEqual(unknown.map(() => "–"));
    expect([durationText, dataSizeText, countText, shortCountText, shortSizeText, percentText].map((write) => write(Number.NaN))).toEqual(
      Array.from({ length: 6 }, () => "–"),
    );
    expect(timestampText("not a time")).toBe("not a time");
    expect(timestampText("2026-11-23T19:58:40.885Z")).toMatch(/^2026-11-2[2-4] \d\d:\d\d:40$/);
  });

  it("puts a statement on one line", () => {
    expect(oneLine("SELECT 1 -- one\n  , 2\n\tFROM t --end")).toBe("SELECT 1 , 2 FROM t");
    expect(oneLine("  ")).toBe("");
  });
});
