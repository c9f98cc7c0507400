/**
 * Times and timestamps with seven to twelve fraction digits against picoseconds as integers: text, rounding, order and arithmetic.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatMoment, momentOf, roundMoment, timestampOf } from "../../../../src/functions/scalar/datetime/long-timestamps.ts";
import { valueOfText } from "../../../../src/functions/cast/text-casts.ts";
import { formatZoned, roundZoned } from "../../../../src/functions/scalar/datetime/zoned.ts";
import { compareNested } from "../../../../src/types/nested/nested-order.ts";
import type { Type } from "../../../../src/types/type.ts";
import { createWorld } from "../../execution/expressions/world.ts";
import { exampleResult } from "../analyzed.ts";

const world = createWorld();
const perMicro = 1_000_000n;
const picosSince1970 = fc.bigInt({ min: -(10n ** 23n), max: 10n ** 23n });
const digits = fc.integer({ min: 0, max: 12 });

function floorDivide(value: bigint, by: bigint): bigint {
  const rest = ((value % by) + by) % by;
  return (value - rest) / by;
}

function ofPicos(total: bigint) {
  const micros = floorDivide(total, perMicro);
  return { micros, picos: total - micros * perMicro };
}

const timestampType = (precision: number): Type => ({ kind: "timestamp", precision });
const zonedType = (precision: number): Type => ({ kind: "timestamp with time zone", precision });
const text = (total: bigint, precision: number) => formatMoment(roundMoment(ofPicos(total), precision), precision);

describe("long moments", () => {
  it("round half up to any number of digits", () => {
    fc.assert(
      fc.property(picosSince1970, digits, (total, precision) => {
        const unit = 10n ** BigInt(12 - precision);
        const { micros, picos } = roundMoment(ofPicos(total), precision);
        expect(micros * perMicro + picos).toBe(floorDivide(2n * total + unit, 2n * unit) * unit);
        expect(picos >= 0n && picos < perMicro).toBe(true);
      }),
    );
  });

  it("are read from the text that they are written as, in every precision", () => {
    fc.assert(
      fc.property(picosSince1970, digits, digits, (total, written, precision) => {
        const shown = text(total, written);
        expect(valueOfText(shown, timestampType(precision))).toBe(
          timestampOf(timestampType(precision), roundMoment(roundMoment(ofPicos(total), written), precision)),
        );
        const zoned = valueOfText(`${shown} Asia/Kolkata`, zonedType(precision)) as bigint;
        expect(formatZoned(roundZoned(zoned, precision), precision)).toBe(
          `${formatMoment(roundMoment(roundMoment(ofPicos(total), written), precision), precision)} Asia/Kolkata`,
        );
      }),
    );
  });

  it("are what a value of their type says, and are ordered as picoseconds are", () => {
    fc.assert(
      fc.property(
        picosSince1970,
        fc.oneof(picosSince1970, fc.constantFrom(-1n, 0n, 1n)),
        fc.constantFrom(7, 9, 12),
        (one, change, precision) => {
          const type = timestampType(precision);
          const [a, b] = [one, one + change].map((total) => timestampOf(type, ofPicos(total))) as [bigint, bigint];
          expect(momentOf(type, a)).toEqual(ofPicos(one));
          expect(Math.sign(compareNested(type, a, b))).toBe(change > 0n ? -1 : change < 0n ? 1 : 0);
        },
      ),
    );
  });

  it("compare, move and are taken apart alike in both kinds of kernels", async () => {
    const near = fc.bigInt({ min: 1_580_000_000n * 10n ** 12n, max: 1_580_000_001n * 10n ** 12n });
    await fc.assert(
      fc.asyncProperty(
        near,
        fc.constantFrom(-1n, 0n, 1n, 7n, -(10n ** 6n), 10n ** 9n),
        fc.constantFrom(9, 12),
        async (total, change, precision) => {
          const unit = 10n ** BigInt(12 - precision);
          const [a, b] = [floorDivide(total, unit) * unit, (floorDivide(total, unit) + change) * unit];
          const [x, y] = [`TIMESTAMP '${text(a, precision)}'`, `TIMESTAMP '${text(b, precision)}'`];
          const zones = [`TIMESTAMP '${text(a, precision)} +00:00'`, `TIMESTAMP '${text(b + 3_600n * 10n ** 12n, precision)} +01:00'`];
          for (const runtime of [world.wasm, world.interpreter]) {
            const result = (sql: string) => exampleResult(sql, world, runtime);
            for (const [p, q] of [[x, y], zones]) {
              expect(await result(`ARRAY[${p} < ${q}, ${p} = ${q}, ${p} >= ${q}, ${p} IS DISTINCT FROM ${q}]`)).toBe(
                `[${a < b}, ${a === b}, ${a >= b}, ${a !== b}]`,
              );
              expect(await result(`array_position(array_sort(ARRAY[${p}, ${q}]), least(${p}, ${q}))`)).toBe("1");
            }
            expect(await result(`CAST(${x} + INTERVAL '1' HOUR AS varchar)`)).toBe(text(a + 3_600n * 10n ** 12n, precision));
            expect(await result(`CAST(date_add('hour', 1, ${zones[0]}) AS varchar)`)).toBe(
              `${text(a + 3_600n * 10n ** 12n, precision)} UTC`,
            );
            expect(await result(`millisecond(${x})`)).toBe(String((a / 10n ** 9n) % 1000n));
            expect(await result(`CAST(CAST(${x} AS timestamp(6)) AS varchar)`)).toBe(text(a, 6));
          }
        },
      ),
      { numRuns: 12 },
    );
  });
});
