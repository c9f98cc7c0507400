/**
 * What a task tells of the keys that its join has built, for scans in other tasks: bounded, sorted, and a function of the build side's rows, not of their order. Made by
 * join-operators.ts, united by the coordinator, and asked by the scans through dynamic-filter.ts.
 */
import type { ColumnRange } from "../../connectors/spi.ts";
import { PageBuilder } from "../../page/builder.ts";
import type { Page } from "../../page/page.ts";
import { readValue } from "../../page/reader.ts";
import type { FilterDomainDocument } from "../../protocol/documents/task.ts";
import type { Type } from "../../types/type.ts";
import { decodeUtf8 } from "../../types/utf8.ts";
import type { ScanDomain } from "./dynamic-filter.ts";
import { isWorthBitmap, KeyBitmap, KeyHashes, keySpan, type KeyRange, type KeySet } from "./key-bitmap.ts";
import { isInteger, KeyRanges } from "./key-domain.ts";
import type { OperatorContext } from "../operators/operator.ts";
import { selectColumns } from "../operators/pages.ts";
import type { RowStore } from "../hash-table/row-store.ts";

export type FilterDomain = FilterDomainDocument;

export const everything: FilterDomain = Object.freeze({ kind: "ALL" });
const nothing: FilterDomain = Object.freeze({ kind: "NONE" });

/** Distinct values that are told one by one, of a task and of all tasks together; and the code units of texts. */
export const domainValuesMax = 1000;
const domainCharactersMax = 32_768;
/** Build rows up to which values are looked for. */
const valuesRowsMax = 4096;

/** Of a column of a build side that is complete. */
export function domainOf(context: OperatorContext, rows: RowStore, channel: number): FilterDomain {
  const { memory, services } = context;
  if (rows.rowCount === 0) {
    return nothing;
  }
  const keys = selectColumns(rows.page(), [channel]);
  const { type } = rows.column(channel);
  if (isInteger(type)) {
    const range = new KeyRanges(services.runtime, memory).of(keys);
    return range === undefined
      ? nothing
      : integers(
          range,
          valuesOf(context, keys)?.map((value) => BigInt(value as string | number | bigint)),
        );
  }
  const values = type.kind === "varchar" ? valuesOf(context, keys) : undefined;
  return values === undefined ? everything : texts(values.map((value) => decodeUtf8(value as Uint8Array)));
}

/** What any of them has. */
export function unionOf(domains: readonly FilterDomain[]): FilterDomain {
  return domains.reduce(unionOfTwo, nothing);
}

function unionOfTwo(a: FilterDomain, b: FilterDomain): FilterDomain {
  if (a.kind === "NONE" || b.kind === "ALL") {
    return b;
  }
  if (b.kind === "NONE" || a.kind === "ALL") {
    return a;
  }
  if (a.kind === "INTEGERS" && b.kind === "INTEGERS") {
    const range = enclosing([a.low, a.high, b.low, b.high].map(BigInt));
    return integers(range, a.values && b.values && [...a.values, ...b.values].map(BigInt));
  }
  return a.kind === "TEXTS" && b.kind === "TEXTS" ? texts([...a.values, ...b.values]) : everything;
}

function rangeOf({ low, high }: { readonly low: string; readonly high: string }): KeyRange {
  return { min: BigInt(low), max: BigInt(high) };
}

function enclosing(values: readonly bigint[]): KeyRange {
  const [first = 0n, ...others] = values;
  return others.reduce(({ min, max }, value) => ({ min: value < min ? value : min, max: value > max ? value : max }), {
    min: first,
    max: first,
  });
}

function integers({ min, max }: KeyRange, values: readonly bigint[] | undefined): FilterDomain {
  const distinct = values && [...new Set(values)];
  const told =
    distinct !== undefined && distinct.length <= domainValuesMax ? distinct.sort((a, b) => (a < b ? -1 : 1)).map(String) : undefined;
  return { kind: "INTEGERS", low: String(min), high: String(max), ...(told && { values: told }) };
}

function texts(values: readonly string[]): FilterDomain {
  const distinct = [...new Set(values)];
  if (distinct.length === 0) {
    return nothing;
  }
  const characters = distinct.reduce((sum, { length }) => sum + length, 0);
  return distinct.length <= domainValuesMax && characters <= domainCharactersMax ? { kind: "TEXTS", values: distinct.sort() } : everything;
}

/** All that are not NULL, some of them several times; undefined when there are too many rows to look. */
function valuesOf({ memory }: OperatorContext, keys: Page): readonly NonNullable<ReturnType<typeof readValue>>[] | undefined {
  if (keys.positionCount > valuesRowsMax) {
    return undefined;
  }
  return Array.from({ length: keys.positionCount }, (_, row) => readValue(memory.linear, keys, 0, row)).filter((value) => value !== null);
}

/** A domain that came from elsewhere, as a scan asks it. */
export class GivenDomain implements ScanDomain {
  readonly #context: OperatorContext;
  readonly #type: Type;
  readonly #domain: FilterDomain;
  #set: KeySet | undefined;

  /** `type`: of the scanned column. Memory is of the scan. */
  constructor(context: OperatorContext, type: Type, domain: FilterDomain) {
    this.#context = context;
    this.#type = type;
    this.#domain = domain;
  }

  get isEmpty(): boolean {
    return this.#domain.kind === "NONE";
  }

  /** Made when it is first asked for: in the scan's own time. */
  get set(): KeySet | undefined {
    this.#set ??= this.#makeSet();
    return this.#set;
  }

  columnRange(): ColumnRange | undefined {
    const domain = this.#domain;
    if (domain.kind === "TEXTS") {
      return { values: domain.values };
    }
    if (domain.kind !== "INTEGERS") {
      return undefined;
    }
    const unit = this.#type.kind === "decimal" ? 10 ** this.#type.scale : 1;
    return { low: Number(domain.low) / unit, high: Number(domain.high) / unit, ...(domain.values && { values: domain.values }) };
  }

  #makeSet(): KeySet | undefined {
    const domain = this.#domain;
    const { memory, services } = this.#context;
    if (domain.kind === "INTEGERS") {
      if (domain.values === undefined) {
        return keySpan(rangeOf(domain));
      }
      // Of the values themselves: whatever else a document says, no bit is set outside of the bitmap.
      const range = enclosing(domain.values.map(BigInt));
      const set = isWorthBitmap(range, domain.values.length) ? new KeyBitmap(services.runtime, memory, range) : this.#hashes(domain.values);
      return this.#filled(set, domain.values);
    }
    return domain.kind === "TEXTS" ? this.#filled(this.#hashes(domain.values), domain.values) : undefined;
  }

  #hashes(values: readonly string[]): KeyHashes {
    return new KeyHashes(this.#context.services.runtime, this.#context.memory, values.length);
  }

  #filled<Set extends KeyBitmap | KeyHashes>(set: Set, values: readonly string[]): Set {
    const builder = new PageBuilder([this.#type], this.#context.memory, values.length);
    for (const value of values) {
      if (this.#type.kind === "varchar") {
        builder.appendString(0, value);
      } else {
        builder.appendBigint(0, BigInt(value));
      }
    }
    set.add(builder.build(), 0, values.length);
    builder.close();
    return set;
  }
}
