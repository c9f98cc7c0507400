/**
 * IP prefixes against arithmetic on addresses.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { compareNested } from "../../../../src/types/nested/nested-order.ts";
import { VARBINARY } from "../../../../src/types/type.ts";
import { allSteps } from "../../../../src/functions/runtime/steps.ts";
import { parseIpAddress } from "../../../../src/functions/scalar/network/addresses.ts";
import {
  addressNumber,
  addressOfNumber,
  collapse,
  formatIpPrefix,
  holds,
  lastAddress,
  lengthMax,
  type Network,
  networkAround,
  networkOf,
  parseIpPrefix,
  prefixOf,
} from "../../../../src/functions/scalar/network/prefixes.ts";

/** Addresses of either version, often close to each other. */
const address = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 0xffff_ffffn }), fc.bigInt({ min: 0n, max: 15n }))
  .map(([mapped, low, high]) => addressOfNumber((mapped ? 0xffff_0000_0000n : high << 124n) + low));

const network = fc.tuple(address, fc.nat(128)).map(([bytes, length]) => networkAround(bytes, length % (lengthMax(bytes) + 1)));

test("text and bytes give the prefix back", () => {
  fc.assert(
    fc.property(network, (given) => {
      const bytes = prefixOf(given);
      expect(networkOf(bytes)).toEqual(given);
      expect(parseIpPrefix(formatIpPrefix(bytes))).toEqual(bytes);
    }),
  );
});

test("a network holds what lies between its first and its last address", () => {
  fc.assert(
    fc.property(network, address, (given, bytes) => {
      const number = addressNumber(bytes);
      expect(holds(given, number)).toBe(number >= given.first && number <= lastAddress(given));
      expect(holds(given, given.first, given.bits)).toBe(true);
    }),
  );
});

test("the collapsed networks hold the same addresses, are apart and cannot be merged", () => {
  const small = fc
    .tuple(fc.nat(255), fc.integer({ min: 120, max: 128 }))
    .map(([byte, bits]): Network => networkAround(parseIpAddress(`2001:db8::${byte.toString(16)}`) as Uint8Array, bits));
  fc.assert(
    fc.property(fc.array(small, { maxLength: 12 }), (given) => {
      const result = allSteps(collapse(given));
      const base = addressNumber(parseIpAddress("2001:db8::") as Uint8Array);
      for (let at = base; at < base + 256n; at++) {
        expect(result.filter((one) => holds(one, at)).length).toBe(given.some((one) => holds(one, at)) ? 1 : 0);
      }
      for (const [index, one] of result.slice(1).entries()) {
        const before = result[index] as Network;
        const whole = networkAround(addressOfNumber(before.first), before.bits - 1);
        expect(before.first < one.first).toBe(true);
        expect(before.bits === one.bits && holds(whole, before.first, before.bits) && holds(whole, one.first, one.bits)).toBe(false);
      }
    }),
  );
});

test("the order of the bytes is that of the addresses, then of the lengths", () => {
  fc.assert(
    fc.property(network, network, (a, b) => {
      const [p, q] = [prefixOf(a), prefixOf(b)];
      const bytes = Math.sign(compareNested(VARBINARY, p, q));
      const numbers = a.first === b.first ? Math.sign(a.bits - b.bits) : a.first < b.first ? -1 : 1;
      expect(bytes).toBe(numbers);
    }),
  );
});
