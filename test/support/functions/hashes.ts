/** Hashes of bytes at once; the functions of SQL take theirs in steps. */
import { murmurInSteps, xxHashInSteps } from "../../../src/functions/scalar/binary/hashes.ts";
import { allSteps } from "../../../src/functions/runtime/steps.ts";

export function xxHash64(bytes: Uint8Array): bigint {
  return allSteps(xxHashInSteps(bytes));
}

export function murmur3(bytes: Uint8Array): Uint8Array {
  return allSteps(murmurInSteps(bytes));
}
