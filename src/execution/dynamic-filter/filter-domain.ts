/**
 * Dynamic filters between tasks: the domain of a join key, its JSON form on the wire, and the key set that a scan in another task tests its
 * pages against. A domain is bounded. It is a function of the set of build rows, not of their order.
 */
import type { MemoryContext } from "../../memory/memory.ts";
import { PageBuilder } from "../../page/builder.ts";
import type { FilterDomainDocument } from "../../protocol/documents/task.ts";
import { assert } from "../../protocol/errors.ts";
import { knobOf, type Knobs } from "../../ports/knobs.ts";
import { Domain } from "../../types/domain/domain.ts";
import { between, type DomainValue, type Range } from "../../types/domain/range.ts";
import { domainValueOf } from "../../types/domain/texts.ts";
import type { Type } from "../../types/type.ts";
import { type BuildKeys, rangeOfKeys, valuesOfKeys } from "./build-keys.ts";
import type { ScanDomain } from "./dynamic-filter.ts";
import { isWorthBitmap, KeyBitmap, KeyHashes, keySpan, type KeyRange, type KeySet } from "./key-bitmap.ts";
import {
  bitsBytes,
  bitsSpan,
  decodeInto,
  encodeBits,
  type IntegerRange,
  partsCharactersMax,
  type ToldSet,
  unionOfSets,
} from "./integer-bits.ts";
import { isInteger } from "./key-domain.ts";
import type { OperatorContext } from "../operators/operator.ts";
import { selectColumns } from "../operators/pages.ts";
import type { Steps } from "../spill/spill-runs.ts";
import type { RowStore } from "../hash-table/row-store.ts";

/** Plain JSON, without the type of the key: integers in digits and ascending, texts in the order of their UTF-16 code units. */
export type FilterDomain = FilterDomainDocument;

export const everything: FilterDomain = Object.freeze({ kind: "ALL" });
const nothing: FilterDomain = Object.freeze({ kind: "NONE" });

/** The domain of one column of a complete build side, in its wire form. */
export function filterOfRows(context: OperatorContext, rows: RowStore, channel: number): FilterDomain {
  const keys: BuildKeys = {
    type: rows.column(channel).type,
    rowCount: rows.rowCount,
    *forEach(callback) {
      callback(selectColumns(rows.page(), [channel]));
      yield* [];
    },
  };
  const domain = filterOfKeys(context, keys).next();
  assert(domain.done === true, "rows in memory are read at once");
  return domain.value;
}

/** The same of keys that may have to be waited for. */
export function* filterOfKeys(context: OperatorContext, keys: BuildKeys): Steps<FilterDomain> {
  const { memory, services } = context;
  const { type, rowCount } = keys;
  if (rowCount === 0) {
    return nothing;
  }
  const areFew = rowCount <= memory.knobs.value("remote-filter-listed-rows");
  if (!isInteger(type)) {
    return areFew && type.kind === "varchar" ? filterOf(Domain.of(type, yield* valuesOfKeys(memory, keys)), memory.knobs) : everything;
  }
  const range = yield* rangeOfKeys({ runtime: services.runtime, memory }, keys);
  if (range === undefined) {
    return nothing;
  }
  const listed = areFew ? filterOf(Domain.of(type, yield* valuesOfKeys(memory, keys)), memory.knobs) : undefined;
  return listed?.kind === "INTEGERS" && listed.values !== undefined
    ? listed
    : integersFilter({ low: range.min, high: range.max }, yield* textOfKeys(context, keys, range));
}

/** The text of the set of all keys; undefined if it would be too long. */
function* textOfKeys({ memory, services }: OperatorContext, keys: BuildKeys, range: KeyRange): Steps<string | undefined> {
  const { min: low, max: high } = range;
  const span = bitsSpan(low, high);
  if (span === undefined) {
    return undefined;
  }
  const bitmap = new KeyBitmap(services.runtime, memory, range);
  yield* keys.forEach((page) => bitmap.add(page, 0, page.positionCount));
  const text = encodeBits({ low, high, bytes: bytesOf(memory, bitmap, span) }, keys.rowCount);
  memory.free(bitmap.address);
  return text;
}

/** The bits in linear memory, which are not copied: buffers outside of it bring the next full collection nearer. */
function bytesOf({ linear }: MemoryContext, { address }: KeyBitmap, span: number): Uint8Array {
  return linear.u8.subarray(address, address + bitsBytes(span));
}

function integersFilter({ low, high }: IntegerRange, text: string | undefined): FilterDomain {
  return { kind: "INTEGERS", low: String(low), high: String(high), ...(text !== undefined && { bits: text }) };
}

/** The wire form. It contains each value of the domain, and may contain others. */
function filterOf({ values, type }: Domain, knobs: Knobs | undefined): FilterDomain {
  const { discreteValues, span } = values;
  if (span === undefined) {
    return nothing;
  }
  const listed = discreteValues !== undefined && discreteValues.length <= knobOf({ knobs }, "filter-values") ? discreteValues : undefined;
  if (type.kind === "varchar") {
    const texts = (listed ?? []).map(String);
    const characters = texts.reduce((sum, { length }) => sum + length, 0);
    return listed === undefined || characters > knobOf({ knobs }, "filter-characters")
      ? everything
      : { kind: "TEXTS", values: texts.toSorted() };
  }
  const range = keyRangeOf(span);
  if (range === undefined) {
    return everything;
  }
  const digits = listed && values.ranges.map(({ low }) => String(low?.value));
  return { kind: "INTEGERS", low: String(range.min), high: String(range.max), ...(digits && { values: digits }) };
}

/** `type` is the type of the key. A document of another kind does not constrain the key. */
function domainOfFilter(type: Type, filter: FilterDomain): Domain {
  const valueOf = (text: string): DomainValue => domainValueOf(type, text);
  switch (filter.kind) {
    case "NONE":
      return Domain.none(type);
    case "ALL":
      return Domain.notNull(type);
    case "TEXTS":
      return type.kind === "varchar" ? Domain.of(type, filter.values) : Domain.notNull(type);
    case "INTEGERS":
      if (!isInteger(type)) {
        return Domain.notNull(type);
      }
      return filter.values === undefined
        ? Domain.ofRanges(type, between(valueOf(filter.low), valueOf(filter.high)))
        : Domain.of(type, filter.values.map(valueOf));
  }
}

/**
 * The union of the domains of several tasks. Where one task lists its values and another sends bits, or where the values are too many for a
 * list, the union has bits. Bits of several tasks stay as they are told, as parts, while they are short enough together: the scan adds them
 * up anyway.
 */
export function unionOf(type: Type, filters: readonly FilterDomain[], knobs?: Knobs): FilterDomain {
  const valuesMax = Math.max(1, knobOf({ knobs }, "filter-values"));
  const domains = filters.map((filter) => domainOfFilter(type, filter));
  const union = filterOf(
    domains.reduce((sum, domain) => sum.union(domain).simplify(valuesMax), Domain.none(type)),
    knobs,
  );
  if (union.kind !== "INTEGERS" || union.values !== undefined) {
    return union;
  }
  const some = filters.filter(({ kind }) => kind !== "NONE");
  const [only] = some;
  if (some.length === 1 && only?.kind === "INTEGERS" && only.bits !== undefined) {
    return only;
  }
  const sets = some.map(setOfFilter);
  const known = sets.filter((set) => set !== undefined);
  const range = { low: BigInt(union.low), high: BigInt(union.high) };
  const parts = known.length === sets.length ? partsOf(known, range) : undefined;
  if (parts !== undefined) {
    return { kind: "INTEGERS", low: union.low, high: union.high, parts };
  }
  const bits = known.length === sets.length ? unionOfSets(known, range) : undefined;
  return integersFilter(range, bits && encodeBits(bits));
}

type FilterPart = NonNullable<Extract<FilterDomain, { readonly kind: "INTEGERS" }>["parts"]>[number];

/** The sets in an order of their own. Undefined if they have too large a range, not all of them are texts, or the texts are too long. */
function partsOf(sets: readonly ToldSet[], { low, high }: IntegerRange): FilterPart[] | undefined {
  const parts = sets.flatMap((set) =>
    typeof set.told === "string" ? [{ low: String(set.low), high: String(set.high), bits: set.told }] : [],
  );
  const characters = parts.reduce((sum, { bits }) => sum + bits.length, 0);
  if (parts.length < sets.length || characters > partsCharactersMax || bitsSpan(low, high) === undefined) {
    return undefined;
  }
  return parts.toSorted((a, b) => orderOfTexts(a.low, b.low) || orderOfTexts(a.high, b.high) || orderOfTexts(a.bits, b.bits));
}

function orderOfTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Undefined if the filter does not tell which integers of its range there are. */
function setOfFilter(filter: FilterDomain): ToldSet | undefined {
  if (filter.kind !== "INTEGERS") {
    return undefined;
  }
  const told = filter.values?.map(BigInt) ?? filter.bits;
  return told === undefined ? undefined : { low: BigInt(filter.low), high: BigInt(filter.high), told };
}

/** The range of integers; undefined if it is unbounded on one side. */
function keyRangeOf({ low, high }: Range): KeyRange | undefined {
  return low === undefined || high === undefined ? undefined : { min: BigInt(low.value), max: BigInt(high.value) };
}

/** A domain that came from another task, in the form in which a scan uses it. */
export class GivenDomain implements ScanDomain {
  readonly #context: OperatorContext;
  readonly #filter: FilterDomain;
  readonly #domain: Domain;
  #set: KeySet | undefined;

  /** `type` is that of the scanned column. Memory is charged to the scan. */
  constructor(context: OperatorContext, type: Type, filter: FilterDomain) {
    this.#context = context;
    this.#filter = filter;
    this.#domain = domainOfFilter(type, filter);
  }

  get isEmpty(): boolean {
    return this.#domain.isNone;
  }

  /** Built on first use, so that the scan pays for it. */
  get set(): KeySet | undefined {
    this.#set ??= this.#makeSet();
    return this.#set;
  }

  columnDomain(): Domain | undefined {
    return this.#domain.isNone || this.#domain.values.isAll ? undefined : this.#domain;
  }

  /** The key set that pages are tested against. */
  #makeSet(): KeySet | undefined {
    const { memory, services } = this.#context;
    const { discreteValues: values, span, type } = this.#domain.values;
    const range = span === undefined || type.kind === "varchar" ? undefined : keyRangeOf(span);
    if (values === undefined || values.length === 0) {
      return range && (this.#givenBits() ?? keySpan(range));
    }
    const isNarrow = range !== undefined && isWorthBitmap(range, values.length, memory.knobs);
    const set = isNarrow ? new KeyBitmap(services.runtime, memory, range) : new KeyHashes(services.runtime, memory, values.length);
    return this.#filled(set, values);
  }

  #givenBits(): KeySet | undefined {
    const filter = this.#filter;
    if (!isInteger(this.#domain.type) || filter.kind !== "INTEGERS") {
      return undefined;
    }
    const { low, high, bits, parts = bits === undefined ? undefined : [{ low, high, bits }] } = filter;
    const min = BigInt(low);
    const span = bitsSpan(min, BigInt(high));
    if (parts === undefined || span === undefined) {
      return undefined;
    }
    const { memory, services } = this.#context;
    const bitmap = new KeyBitmap(services.runtime, memory, { min, max: BigInt(high) });
    const bytes = bytesOf(memory, bitmap, span);
    const areSets = parts.every((part) => {
      const range = { low: BigInt(part.low), high: BigInt(part.high) };
      return range.low >= min && range.high <= BigInt(high) && decodeInto(part.bits, range, bytes, Number(range.low - min));
    });
    if (!areSets) {
      memory.free(bitmap.address);
      return undefined;
    }
    return bitmap;
  }

  #filled<Set extends KeyBitmap | KeyHashes>(set: Set, values: readonly DomainValue[]): Set {
    const { type } = this.#domain;
    const builder = new PageBuilder([type], this.#context.memory, values.length);
    for (const value of values) {
      if (type.kind === "varchar") {
        builder.appendString(0, String(value));
      } else {
        builder.appendBigint(0, BigInt(value));
      }
    }
    set.add(builder.build(), 0, values.length);
    builder.close();
    return set;
  }
}
