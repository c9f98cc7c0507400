/** The keys of a complete build side, in memory or on disk, and their domain for scans of the same task. */
import type { KernelRuntime } from "../../codegen/runtime.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import type { Page } from "../../page/page.ts";
import type { DomainValue } from "../../types/domain/range.ts";
import type { Type } from "../../types/type.ts";
import type { Steps } from "../spill/spill-runs.ts";
import type { ScanDomain } from "./dynamic-filter.ts";
import { isWorthBitmap, isWorthHashes, KeyBitmap, KeyHashes, type KeyRange } from "./key-bitmap.ts";
import { isInteger, KeyRanges, keyColumnDomain, keyValues } from "./key-domain.ts";

/** They can be read several times. */
export interface BuildKeys {
  readonly type: Type;
  readonly rowCount: number;
  /** Calls back with pages of one flat column. */
  forEach(callback: (keys: Page) => void): Steps<void>;
}

export interface KeyServices {
  readonly runtime: KernelRuntime;
  readonly memory: MemoryContext;
}

/** The range of integer keys; undefined if all are NULL. */
export function* rangeOfKeys({ runtime, memory }: KeyServices, keys: BuildKeys): Steps<KeyRange | undefined> {
  const ranges = new KeyRanges(runtime, memory);
  let range: KeyRange | undefined;
  yield* keys.forEach((page) => {
    range = hullOf(range, ranges.of(page));
  });
  return range;
}

function hullOf(one: KeyRange | undefined, other: KeyRange | undefined): KeyRange | undefined {
  if (one === undefined || other === undefined) {
    return one ?? other;
  }
  return { min: one.min < other.min ? one.min : other.min, max: one.max > other.max ? one.max : other.max };
}

export function* valuesOfKeys({ linear }: MemoryContext, keys: BuildKeys): Steps<DomainValue[]> {
  const values: DomainValue[] = [];
  yield* keys.forEach((page) => values.push(...keyValues(linear, page)));
  return values;
}

/** The same domain as KeyDomain has for rows in memory. */
export function* domainOfKeys(services: KeyServices, keys: BuildKeys): Steps<ScanDomain> {
  const { runtime, memory } = services;
  const { type, rowCount } = keys;
  const range = isInteger(type) ? yield* rangeOfKeys(services, keys) : undefined;
  let hasKeys = range !== undefined;
  let set: KeyBitmap | KeyHashes | undefined;
  if (range !== undefined && isWorthBitmap(range, rowCount, memory.knobs)) {
    const bitmap = new KeyBitmap(runtime, memory, range);
    yield* keys.forEach((page) => bitmap.add(page, 0, page.positionCount));
    set = bitmap;
  } else if (isWorthHashes(rowCount)) {
    const hashes = new KeyHashes(runtime, memory, rowCount);
    yield* keys.forEach((page) => {
      hasKeys = hashes.add(page, 0, page.positionCount) > 0 || hasKeys;
    });
    set = hashes;
  } else {
    hasKeys = true;
  }
  const areFew = rowCount <= memory.knobs.value("filter-listed-rows");
  const values = areFew ? yield* valuesOfKeys(memory, keys) : undefined;
  const column = keyColumnDomain({ type, range, values });
  return { isEmpty: !hasKeys, set, columnDomain: () => column };
}
