/**
 * Domain of one key of a join's build side, for local dynamic filters: the range of integers, the values if they are few, and a bitmap to
 * test pages against. It is a function of the build side's rows and their order.
 */
import { type InputLayout, openInput } from "../expressions/columns.ts";
import { buildKernel, i32, i64, select } from "../../codegen/builder.ts";
import type { Kernel } from "../../codegen/ir.ts";
import type { KernelRuntime } from "../../codegen/runtime.ts";
import type { LinearMemory, MemoryContext } from "../../memory/memory.ts";
import type { Page } from "../../page/page.ts";
import { readValue } from "../../page/reader.ts";
import { Domain } from "../../types/domain/domain.ts";
import { hasExactNumbers } from "../../types/domain/double-range.ts";
import { between, type DomainValue } from "../../types/domain/range.ts";
import { physicalType, type Type } from "../../types/type.ts";
import { decodeUtf8 } from "../../types/utf8.ts";
import type { ScanDomain } from "./dynamic-filter.ts";
import { KernelByLayout, PageArguments } from "../operators/kernel-cache.ts";
import { emitWide, isWorthBitmap, isWorthHashes, KeyBitmap, KeyHashes, type KeyRange, type KeySet } from "./key-bitmap.ts";
import { selectColumns } from "../operators/pages.ts";
import type { RowStore } from "../hash-table/row-store.ts";

/** What the join's hash table already knows about the same keys. */
export interface KnownKeys {
  readonly range: KeyRange | undefined;
  /** The bitmap that the table fills. */
  readonly bitmap: KeyBitmap | undefined;
}

export interface KeyDomainOptions {
  readonly runtime: KernelRuntime;
  readonly memory: MemoryContext;
  readonly rows: RowStore;
  readonly channel: number;
}

export class KeyDomain implements ScanDomain {
  readonly channel: number;
  readonly #options: KeyDomainOptions;
  #range: KeyRange | undefined;
  #set: KeySet | undefined;
  #filled: KeyBitmap | KeyHashes | undefined;
  #hasKeys = false;
  /** The domain of rows that were freed. */
  #kept: { readonly domain: Domain | undefined } | undefined;

  constructor(options: KeyDomainOptions) {
    this.#options = options;
    this.channel = options.channel;
  }

  /** True if the build side has no key except NULL: no probe row matches. */
  get isEmpty(): boolean {
    return !this.#hasKeys;
  }

  /** Undefined if there are too many keys for a bitmap. */
  get set(): KeySet | undefined {
    return this.#set;
  }

  /** Called when all rows are present. */
  open(known: KnownKeys | undefined): void {
    const { runtime, memory, rows } = this.#options;
    const { rowCount } = rows;
    const type = this.#type;
    if (isInteger(type)) {
      this.#range = known === undefined ? this.#rangeOf() : known.range;
      this.#hasKeys = this.#range !== undefined;
      if (known?.bitmap !== undefined) {
        this.#set = known.bitmap;
        return;
      }
      if (this.#range !== undefined && isWorthBitmap(this.#range, rowCount, memory.knobs)) {
        this.#filled = new KeyBitmap(runtime, memory, this.#range);
      }
    }
    if (this.#filled === undefined && rowCount > 0) {
      this.#filled = isWorthHashes(rowCount) ? new KeyHashes(runtime, memory, rowCount) : undefined;
      this.#hasKeys ||= this.#filled === undefined;
    }
    this.#set = this.#filled;
  }

  /** Adds the rows from `first` to `end` (exclusive). */
  add(first: number, end: number): void {
    const filled = this.#filled;
    if (filled?.kind === "hashes") {
      this.#hasKeys = filled.add(this.#keys(), first, end) > 0 || this.#hasKeys;
    } else {
      filled?.add(this.#keys(), first, end);
    }
  }

  /** The rows are about to be freed. */
  keep(): void {
    this.#kept = { domain: this.columnDomain() };
  }

  columnDomain(): Domain | undefined {
    if (this.#kept !== undefined) {
      return this.#kept.domain;
    }
    const { memory, rows } = this.#options;
    const areFew = rows.rowCount <= memory.knobs.value("filter-listed-rows");
    const values = areFew ? keyValues(memory.linear, this.#keys()) : undefined;
    return keyColumnDomain({ type: this.#type, range: this.#range, values });
  }

  get #type(): Type {
    return this.#options.rows.column(this.channel).type;
  }

  #keys(): Page {
    return selectColumns(this.#options.rows.page(), [this.channel]);
  }

  #rangeOf(): KeyRange | undefined {
    return new KeyRanges(this.#options.runtime, this.#options.memory).of(this.#keys());
  }
}

/** `values` if the keys are few enough to be listed. */
export function keyColumnDomain(keys: {
  readonly type: Type;
  readonly range: KeyRange | undefined;
  readonly values: readonly DomainValue[] | undefined;
}): Domain | undefined {
  const { type, range, values } = keys;
  if (type.kind !== "varchar" && !hasExactNumbers(type)) {
    return undefined;
  }
  return values === undefined ? range && integersOf(type, range) : Domain.of(type, values);
}

/** All integers of a range. */
function integersOf(type: Type, { min, max }: KeyRange): Domain {
  const valueOf = (key: bigint): DomainValue => (physicalType(type) === "i64" ? key : Number(key));
  return Domain.ofRanges(type, between(valueOf(min), valueOf(max)));
}

/** The values of the one column of `keys` that are not NULL; some of them may come several times. */
export function keyValues(linear: LinearMemory, keys: Page): readonly DomainValue[] {
  const values: DomainValue[] = [];
  for (let row = 0; row < keys.positionCount; row++) {
    const value = readValue(linear, keys, 0, row);
    if (value !== null) {
      values.push(value instanceof Uint8Array ? decodeUtf8(value) : value);
    }
  }
  return values;
}

export function isInteger(type: Type): boolean {
  const physical = physicalType(type);
  return physical === "i32" || physical === "i64";
}

/** Finds the minimum and maximum of an integer column. */
export class KeyRanges {
  readonly #memory: MemoryContext;
  readonly #kernels: KernelByLayout;
  readonly #arguments: PageArguments;

  constructor(runtime: KernelRuntime, memory: MemoryContext) {
    this.#memory = memory;
    this.#kernels = new KernelByLayout(runtime, "join-range", rangeKernel);
    this.#arguments = new PageArguments(memory, 1);
  }

  /** Range of the one flat column of `keys`; undefined if all are NULL. */
  of(keys: Page): KeyRange | undefined {
    const bounds = this.#memory.allocate(16);
    const known = this.#kernels.for(keys)(this.#arguments.write(keys), keys.positionCount, bounds);
    const { i64: words } = this.#memory.linear;
    const [min, max] = [words[bounds >>> 3] as bigint, words[(bounds >>> 3) + 1] as bigint];
    this.#memory.free(bounds);
    return known === 0 ? undefined : { min, max };
  }
}

/**
 * Parameters: key page arguments (flat), rows, address for the minimum and maximum as i64. Returns whether there is a key that is not NULL.
 */
function rangeKernel(name: string, layout: InputLayout): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i32"], result: "i32" }, (b, params) => {
      const [pageArguments, rows, bounds] = params;
      const input = openInput(b, pageArguments, layout);
      const min = b.local("i64", i64.const((1n << 63n) - 1n));
      const max = b.local("i64", i64.const(-(1n << 63n)));
      b.forRange(i32.const(0), rows, (row, next) => {
        const key = input.column(0, row);
        if (key.isNull !== undefined) {
          b.break_(next, key.isNull);
        }
        const value = b.temp(emitWide(key));
        b.set(min, select(i64.ltS(value, min), value, min));
        b.set(max, select(i64.gtS(value, max), value, max));
      });
      b.store("i64.store", bounds, min);
      b.store("i64.store", bounds, max, 8);
      b.return_(i64.leS(min, max));
    });
  });
}
