/** Ordinals of many keys: those of a Map, in maps none of which is large. */
import { expect, it } from "vitest";
import { Places } from "../../../../../src/functions/runtime/large/places.ts";

const count = 300_000;
/** Keys of the first map; all of the others in one map would be more. */
const largestMax = 131_072;

const keys: Readonly<Record<string, (index: number) => string | number | bigint>> = {
  numbers: (index) => index,
  "multiples of 4,096": (index) => index * 4_096 - 2 ** 30,
  fractions: (index) => index / count,
  bigints: (index) => BigInt(index) * 1_000_000n - 7n,
  "moments with a zone": (index) => BigInt(index) << 32n,
  "texts with a common beginning": (index) => `customer#${String(index).padStart(9, "0")}`,
  "texts with a common end": (index) => `${index}@example.com`,
};

it.each(Object.keys(keys))("%s", (name) => {
  const keyAt = keys[name] as (index: number) => string | number | bigint;
  const places = new Places();
  for (let index = 0; index < count; index++) {
    places.set(keyAt(index), index);
  }
  expect(Array.from({ length: 1_000 }, (_, index) => places.get(keyAt(index * 300)))).toEqual(
    Array.from({ length: 1_000 }, (_, index) => index * 300),
  );
  expect(places.get(keyAt(count))).toBeUndefined();
  expect(places.largest).toBeLessThanOrEqual(largestMax);
});
