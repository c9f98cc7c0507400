/**
 * Sketches against exact results: errors stay within the documented bounds however rows are partitioned, and the serialized form is
 * complete.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { murmur3 } from "../../../support/functions/hashes.ts";
import {
  addHashes,
  estimate,
  mergeLogs,
  newHyperLogLog,
  readHyperLogLog,
  toDense,
  writeHyperLogLog,
} from "../../../../src/functions/sketch/hyperloglog.ts";
import {
  addToQDigest,
  mergeQDigests,
  newQDigest,
  quantileOfQDigest,
  rankInQDigest,
  readQDigest,
  writeQDigest,
} from "../../../../src/functions/sketch/qdigest.ts";
import { mergeImplementation, type SketchForm } from "../../../../src/functions/sketch/sketch-aggregate.ts";
import {
  addToTDigest,
  finishTDigest,
  mergeTDigests,
  newTDigest,
  quantileAtValue,
  quantileOfTDigest,
  readTDigest,
  type TDigest,
  writeTDigest,
} from "../../../../src/functions/sketch/tdigest.ts";
import { HYPER_LOG_LOG, TDIGEST } from "../../../../src/types/type.ts";

function hashOf(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigInt64(0, BigInt(value), true);
  const hash = murmur3(new Uint8Array(view.buffer));
  return new DataView(hash.buffer).getBigInt64(0, true);
}

const hashes = Array.from({ length: 60_000 }, (_, index) => hashOf(index));

describe("HyperLogLog", () => {
  it.each([0, 1, 2, 100, 511, 513, 2000, 5000, 20_000, 60_000])("counts %d values", (count) => {
    const log = addHashes(newHyperLogLog(12), hashes.slice(0, count));
    const found = Number(estimate(log));
    // Four standard errors of 1.04 / sqrt(4096); a sparse sketch is nearly exact.
    expect(Math.abs(found - count)).toBeLessThanOrEqual(count <= 511 ? 0 : 4 * 0.01625 * count);
    expect(log.sparse === undefined).toBe(count > 512);
  });

  it("is the same for every way of putting the values into parts, and for values that come again", () => {
    const values = fc.array(fc.nat(3000), { maxLength: 1500 });
    fc.assert(
      fc.property(values, values, fc.constantFrom(8, 11, 12), (one, other, bits) => {
        const of = (numbers: readonly number[]) =>
          addHashes(
            newHyperLogLog(bits),
            numbers.map((value) => hashes[value] as bigint),
          );
        const merged = writeHyperLogLog(mergeLogs(of(one), readHyperLogLog(writeHyperLogLog(of(other)))));
        expect(merged).toEqual(writeHyperLogLog(of([...other, ...one, ...other])));
        expect(writeHyperLogLog(toDense(readHyperLogLog(merged)))).toEqual(writeHyperLogLog(toDense(of([...one, ...other]))));
      }),
      { numRuns: 40 },
    );
  });

  it("keeps what is far above the least of its buckets", () => {
    const registers = Uint8Array.from({ length: 16 }, (_, index) => (index === 3 ? 40 : index === 8 ? 18 : 2 + (index % 3)));
    const log = { bits: 4, sparse: undefined, registers };
    expect(readHyperLogLog(writeHyperLogLog(log)).registers).toEqual(registers);
  });

  it.each([[[]], [[2, 12]], [[2, 12, 1, 0]], [[3, 12, 0, 0, 0]], [[9, 12, 0, 0]], [[2, 40, 0, 0]]])("rejects the bytes %j", (bytes) => {
    expect(() => readHyperLogLog(Uint8Array.from(bytes))).toThrow("Invalid HyperLogLog");
  });
});

/** Orders of rows that are neither sorted nor uniform. */
const orders: Readonly<Record<string, (index: number) => number>> = {
  rising: (index) => index,
  falling: (index) => 20_000 - index,
  mixed: (index) => (index * 7919) % 20_011,
  skewed: (index) => Math.floor((index * 7919) % 20_011) ** 3,
};

/** Distance between a fraction and the rank of `value` among the sorted values. */
function rankError(sorted: readonly number[], value: number, share: number): number {
  const low = sorted.filter((other) => other < value).length / sorted.length;
  const high = sorted.filter((other) => other <= value).length / sorted.length;
  return share < low ? low - share : share > high ? share - high : 0;
}

const shares = [0, 0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 1];

describe.each(Object.entries(orders))("of %s values", (_name, order) => {
  const values = Array.from({ length: 20_000 }, (_, index) => order(index));
  const sorted = values.toSorted((a, b) => a - b);

  it.each([1, 7])("a t-digest of %d parts knows the quantiles, the outer ones best", (parts) => {
    const digests = Array.from({ length: parts }, (_, part) => {
      const rows = values.filter((_value, index) => index % parts === part).map((value) => [value, 1] as const);
      return readTDigest(writeTDigest(addToTDigest(newTDigest(), rows)));
    });
    const digest = readTDigest(writeTDigest(finishTDigest(digests.reduce(mergeTDigests))));
    expect(digest.total).toBe(values.length);
    expect(digest.means.length).toBeLessThan(200);
    for (const share of shares) {
      const value = quantileOfTDigest(digest, share);
      expect(rankError(sorted, value, share)).toBeLessThan(0.0002 + 0.06 * share * (1 - share));
      expect(rankError(sorted, value, quantileAtValue(digest, value))).toBeLessThan(0.02);
    }
  });

  it.each([1, 7])("a quantile digest of %d parts knows the quantiles within its accuracy", (parts) => {
    const digests = Array.from({ length: parts }, (_, part) => {
      const digest = newQDigest(0.01);
      values.forEach((value, index) => {
        if (index % parts === part) {
          addToQDigest(digest, BigInt(value), 1);
        }
        // Aggregation does this with each full buffer.
        if (index % 3000 === 0) {
          writeQDigest(digest);
        }
      });
      return readQDigest(writeQDigest(digest));
    });
    const digest = readQDigest(writeQDigest(digests.reduce(mergeQDigests)));
    expect(digest.total).toBe(values.length);
    for (const share of shares) {
      const value = Number(quantileOfQDigest(digest, share));
      expect(rankError(sorted, value, share)).toBeLessThanOrEqual(0.0101);
      expect(rankError(sorted, value, rankInQDigest(digest, BigInt(value)) ?? -1)).toBeLessThanOrEqual(0.0101);
    }
  });
});

describe("few values", () => {
  const few = fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { minLength: 1, maxLength: 60 });

  it("are exact in a quantile digest", () => {
    fc.assert(
      fc.property(few, fc.double({ min: 0, max: 1, noNaN: true }), (values, share) => {
        const digest = newQDigest(0.01);
        values.forEach((value) => addToQDigest(digest, value, 1));
        const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
        const expected = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
        expect(quantileOfQDigest(readQDigest(writeQDigest(digest)), share)).toBe(expected);
      }),
    );
  });

  it("stay between the least and the greatest in a t-digest, and quantiles rise", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -999, max: 999 }), fc.integer({ min: 1, max: 9 })), { minLength: 1, maxLength: 300 }),
        (rows) => {
          const digest = finishTDigest(addToTDigest(newTDigest(), rows));
          const found = shares.map((share) => quantileOfTDigest(digest, share));
          const values = rows.map(([value]) => value);
          expect(Math.min(...found)).toBeGreaterThanOrEqual(Math.min(...values) - 1e-9);
          expect(Math.max(...found)).toBeLessThanOrEqual(Math.max(...values) + 1e-9);
          found.slice(1).forEach((value, index) => expect(value).toBeGreaterThanOrEqual((found[index] as number) - 1e-9));
        },
      ),
    );
  });
});

describe("a merge of sketches", () => {
  const digests: SketchForm<TDigest> = { read: readTDigest, write: writeTDigest, merge: mergeTDigests, finish: finishTDigest };
  const logs = mergeImplementation(HYPER_LOG_LOG, { read: readHyperLogLog, write: writeHyperLogLog, merge: mergeLogs });
  const asRows = (sketches: readonly Uint8Array[]) => sketches.map((sketch) => [sketch]);
  const work = { count: (): void => undefined };

  it("gives the bytes that one sketch after the other gives, however many are handed over at once", () => {
    const values = fc.array(fc.double({ min: -1e12, max: 1e12, noNaN: true }), { maxLength: 700 });
    const sketches = fc.array(
      values.map((numbers) =>
        writeTDigest(
          addToTDigest(
            newTDigest(),
            numbers.map((value) => [value, 1] as const),
          ),
        ),
      ),
      { minLength: 1, maxLength: 6 },
    );
    const implementation = mergeImplementation(TDIGEST, digests);
    fc.assert(
      fc.property(sketches, fc.nat(6), (all, cut) => {
        const expected = all.reduce((one, other) => writeTDigest(mergeTDigests(readTDigest(one), readTDigest(other))));
        expect(implementation.add(undefined, asRows(all), work)).toEqual(expected);
        const [first, rest] = [all.slice(0, cut), all.slice(cut)];
        if (first.length > 0 && rest.length > 0) {
          expect(implementation.add(implementation.add(undefined, asRows(first), work), asRows(rest), work)).toEqual(expected);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("reads a lone sketch once: where it is finished, and else at once", () => {
    const unordered = Uint8Array.from([2, 12, 2, 0, 65, 0, 0, 0, 1, 0, 0, 0]);
    expect(logs.add(undefined, asRows([unordered]), work)).toEqual(writeHyperLogLog(readHyperLogLog(unordered)));
    expect(logs.add(undefined, asRows([unordered]), work)).not.toEqual(unordered);
    const broken = Uint8Array.of(9);
    expect(() => logs.add(undefined, asRows([broken]), work)).toThrow("Invalid HyperLogLog");
    const implementation = mergeImplementation(TDIGEST, digests);
    expect(implementation.add(undefined, asRows([broken]), work)).toEqual(broken);
    expect(() => implementation.result(broken, work)).toThrow("Invalid tdigest");
  });
});
