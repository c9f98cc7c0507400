/**
 * The build side of a join: its rows and a hash table over their keys. If the range of the keys is narrow, the table is an array over that
 * range; otherwise it uses open addressing over hashes.
 *
 * - Rows with equal keys form a chain in build order.
 * - Rows with a key that is NULL or not equal to itself (NaN, a NULL inside a row) are in no chain.
 * - Without keys every row is a candidate, in build order (nested loop).
 */
import { type InputLayout, type InputReader, openInput } from "../expressions/columns.ts";
import { emitEquals } from "../../functions/runtime/operations.ts";
import type { Value } from "../../functions/runtime/value.ts";
import { buildKernel, type CodeBuilder, i32, i64 } from "../../codegen/builder.ts";
import type { Expr, Kernel } from "../../codegen/ir.ts";
import type { KernelRuntime } from "../../codegen/runtime.ts";
import type { MemoryContext, Address } from "../../memory/memory.ts";
import type { Page } from "../../page/page.ts";
import { isNested, type Type } from "../../types/type.ts";
import { assert } from "../../protocol/errors.ts";
import { type Deferred, defer } from "../../ports/signal.ts";
import { emitKeyHash } from "./key-hash.ts";
import { KernelByLayout, PageArguments } from "../operators/kernel-cache.ts";
import { emitPlace, isWorthBitmap, KeyBitmap, type KeyRange } from "../dynamic-filter/key-bitmap.ts";
import { isInteger, KeyDomain, KeyRanges } from "../dynamic-filter/key-domain.ts";
import { selectColumns } from "../operators/pages.ts";
import type { SpilledPartitions } from "../spill/spill-runs.ts";
import { RowStore } from "./row-store.ts";

/**
 * Limit of an array over the keys' range, in entries: so many a row, but a minimum is always allowed; never more than the maximum. Keys
 * that come in their order, as those of a clustered table do, fill and read an array in order, and a hash table at random.
 */
const rangePerRowMax = 32;
const rangeMax = 8_388_608;

/** Bytes of a row in the table, about. */
export const tableRowBytes = 40;

export interface JoinTableOptions {
  readonly runtime: KernelRuntime;
  readonly memory: MemoryContext;
  readonly types: readonly Type[];
  readonly keyChannels: readonly number[];
  /** Build channels that need a domain for a dynamic filter. */
  readonly domainChannels?: readonly number[];
}

export class JoinTable {
  readonly rows: RowStore;
  readonly keyChannels: readonly number[];
  /** Domains of the requested channels, in their order; complete when the table is. */
  readonly domains: readonly KeyDomain[];
  readonly #runtime: KernelRuntime;
  readonly #memory: MemoryContext;
  readonly #kernels: KernelByLayout;
  readonly #arguments: PageArguments;
  #slots: Address = 0;
  #mask = 0;
  #dense = false;
  #keyMin = 0n;
  #bitmap: KeyBitmap | undefined;
  #next: Address = 0;
  #visited: Address = 0;
  #rowCount = 0;
  /** Rows below this number are not yet in the table. The table is filled from the end, so that chains ascend. */
  #remaining = 0;

  constructor(options: JoinTableOptions) {
    const { runtime, memory, types, keyChannels, domainChannels = [] } = options;
    this.#runtime = runtime;
    this.#memory = memory;
    this.keyChannels = keyChannels;
    const rows = new RowStore({ runtime, memory, types });
    this.rows = rows;
    this.domains = domainChannels.map((channel) => new KeyDomain({ runtime, memory, rows, channel }));
    this.#arguments = new PageArguments(memory, keyChannels.length);
    this.#kernels = new KernelByLayout(runtime, "join-build", buildTableKernel);
  }

  get slots(): Address {
    return this.#slots;
  }

  /** Mask of the hash table. In a dense table: the number of entries. */
  get mask(): number {
    return this.#mask;
  }

  /** True if the slots are indexed by key - keyMin and hold u32 rows + 1 (0: none) instead of hash entries. */
  get dense(): boolean {
    return this.#dense;
  }

  get keyMin(): bigint {
    return this.#keyMin;
  }

  /** Bitmap of a single integer key, if its range is narrow enough. */
  get bitmap(): KeyBitmap | undefined {
    return this.#bitmap;
  }

  get next(): Address {
    return this.#next;
  }

  /** One u8 per row: whether a probe row has matched it. 0 if matches are not tracked. */
  get visited(): Address {
    return this.#visited;
  }

  /** Number of rows of the build side. The null row of an outer join has this number. */
  get rowCount(): number {
    return this.#rowCount;
  }

  /** Starts the build. No row may be added afterwards. */
  beginBuild(options: { readonly nullRow: boolean; readonly tracksVisited: boolean }): void {
    this.#rowCount = this.rows.rowCount;
    if (options.tracksVisited) {
      this.#visited = this.#memory.allocateZeroed(Math.max(1, this.#rowCount));
    }
    if (options.nullRow) {
      this.rows.appendNulls();
    }
    if (this.keyChannels.length > 0) {
      this.#openSlots();
      this.#next = this.#memory.allocate(Math.max(1, this.#rowCount) * 4);
      this.#remaining = this.#rowCount;
    }
  }

  /** Returns true when the table is complete. */
  buildStep(): boolean {
    if (this.#remaining > 0) {
      const from = Math.max(0, this.#remaining - this.#memory.knobs.value("join-build-step-rows"));
      const keys = selectColumns(this.rows.page(), this.keyChannels);
      this.#kernels.for(keys, this.#dense ? "dense" : "")(
        this.#arguments.write(keys),
        this.#slots,
        this.#mask,
        this.#keyMin,
        this.#next,
        from,
        this.#remaining,
      );
      this.#bitmap?.add(keys, from, this.#remaining);
      for (const domain of this.domains) {
        domain.add(from, this.#remaining);
      }
      this.#remaining = from;
    }
    return this.#remaining === 0;
  }

  page(): Page {
    return this.rows.page();
  }

  #openSlots(): void {
    const range = this.#keyRange();
    if (range !== undefined && isWorthBitmap(range, this.#rowCount, this.#memory.knobs)) {
      this.#bitmap = new KeyBitmap(this.#runtime, this.#memory, range);
    }
    for (const domain of this.domains) {
      domain.open(this.keyChannels.length === 1 ? { range, bitmap: this.#bitmap } : undefined);
    }
    const { knobs } = this.#memory;
    const countMax = Math.min(rangeMax, Math.max(knobs.value("dense-range"), rangePerRowMax * this.#rowCount));
    if (range !== undefined && range.max - range.min < BigInt(countMax)) {
      const count = Number(range.max - range.min) + 1;
      this.#dense = true;
      this.#keyMin = range.min;
      this.#mask = count;
      this.#slots = this.#memory.allocateZeroed(count * 4);
      return;
    }
    let slots = knobs.value("join-slots");
    while (slots < this.#rowCount * 2) {
      slots *= 2;
    }
    this.#slots = this.#memory.allocateZeroed(slots * 8);
    this.#mask = slots - 1;
  }

  /** Range of a single integer key. */
  #keyRange(): KeyRange | undefined {
    const keys = selectColumns(this.rows.page(), this.keyChannels);
    const [column] = keys.columns;
    if (column === undefined || keys.columns.length !== 1 || this.#rowCount === 0 || !isInteger(column.type)) {
      return undefined;
    }
    return new KeyRanges(this.#runtime, this.#memory).of(keys);
  }

  /** Frees the rows and the table over them. Its domains stay. */
  free(): void {
    this.domains.forEach((domain) => domain.keep());
    this.close();
    for (const address of [this.#slots, this.#next, this.#visited]) {
      if (address !== 0) {
        this.#memory.free(address);
      }
    }
    [this.#slots, this.#next, this.#visited] = [0, 0, 0];
  }

  close(): void {
    this.rows.close();
  }
}

/** Connects one build and one probe. The probe waits for the table, and the builder keeps the table until the probe is done. */
export class JoinBridge {
  #built: Deferred = defer();
  readonly #released: Deferred = defer();
  table: JoinTable | undefined;
  /** The build side by partition of its keys, with the number of each row behind its columns, if it did not fit in memory. */
  spilled: SpilledPartitions | undefined;
  isReleased = false;
  #failure: { readonly error: unknown } | undefined;
  /** The probe uses the table: it cannot be taken back. */
  isProbed = false;

  setTable(table: JoinTable): void {
    this.table = table;
    this.#built.resolve();
  }

  setSpilled(spilled: SpilledPartitions): void {
    this.spilled = spilled;
    this.#built.resolve();
  }

  /** The builder writes the table to disk: the probe, which has not begun, waits again. */
  takeTable(): void {
    assert(this.table !== undefined && !this.isProbed, "a table is taken back before the probe begins");
    this.table = undefined;
    this.#built = defer();
  }

  /** The table is lost: who waits for it fails with the error. */
  fail(error: unknown): void {
    this.#failure = { error };
    this.#built.resolve();
  }

  /** The table, for good. */
  probe(): JoinTable {
    assert(this.table !== undefined, "a probe begins when the table is built");
    this.isProbed = true;
    return this.table;
  }

  built(): Promise<void> | undefined {
    if (this.#failure !== undefined) {
      throw this.#failure.error;
    }
    return this.table === undefined && this.spilled === undefined ? this.#built.promise : undefined;
  }

  release(): void {
    this.isReleased = true;
    this.#released.resolve();
  }

  released(): Promise<void> {
    return this.#released.promise;
  }
}

/** Hash (upper half) and row + 1 (lower half); 0 is a free slot. */
function emitFindSlot(
  b: CodeBuilder,
  find: {
    slots: Expr;
    mask: Expr;
    hash: Expr;
    isSame: (row: Expr) => Expr;
    found: (slot: Expr, entry: Expr) => void;
    free: (slot: Expr, tag: Expr) => void;
  },
): void {
  const tag = b.temp(i64.shrU(find.hash, i64.const(32n)));
  const index = b.local("i32", i32.and(i32.wrapI64(find.hash), find.mask));
  b.block((done) => {
    b.loop((next) => {
      const slot = b.temp(i32.add(find.slots, i32.shl(index, i32.const(3))));
      const entry = b.temp(i64.load(slot));
      b.if_(i64.eqz(entry), () => {
        find.free(slot, tag);
        b.break_(done);
      });
      b.if_(i64.eq(i64.shrU(entry, i64.const(32n)), tag), () => {
        const row = b.temp(i32.sub(i32.wrapI64(entry), i32.const(1)));
        b.if_(find.isSame(row), () => {
          find.found(slot, entry);
          b.break_(done);
        });
      });
      b.set(index, i32.and(i32.add(index, i32.const(1)), find.mask));
      b.continue_(next);
    });
  });
}

/** Addresses and sizes of the table, as a probe kernel sees them. */
export interface TableAddresses {
  readonly dense: boolean;
  readonly slots: Expr;
  readonly mask: Expr;
  /** As an i64. */
  readonly keyMin: Expr;
}

export interface LookUp {
  readonly table: TableAddresses;
  /** Keys, not NULL. */
  readonly keys: readonly Value[];
  /** Whether a build row has these keys. */
  readonly isSame: (row: Expr) => Expr;
  /** Receives the first candidate's row + 1. */
  readonly found: (row: Expr) => void;
  readonly missing: () => void;
}

/** Finds the first build row with these keys. */
export function emitLookUp(b: CodeBuilder, { table, keys, isSame, found, missing }: LookUp): void {
  if (!table.dense) {
    const hash = b.temp(emitKeyHash(b, keys));
    emitFindSlot(b, {
      slots: table.slots,
      mask: table.mask,
      hash,
      isSame,
      found: (_slot, entry) => found(i32.wrapI64(entry)),
      free: missing,
    });
    return;
  }
  const place = b.temp(emitPlace(keys[0] as Value, table.keyMin));
  const row = b.local("i32", i32.const(0));
  b.if_(i64.ltU(place, i64.extendI32U(table.mask)), () =>
    b.set(row, i32.load(i32.add(table.slots, i32.shl(i32.wrapI64(place), i32.const(2))))),
  );
  b.if_(row, () => found(row), missing);
}

/**
 * Parameters: key page arguments (flat), slots, mask, smallest key, next, first row, end row (exclusive). Inserts rows in descending order,
 * each at the head of its chain.
 */
function buildTableKernel(name: string, layout: InputLayout, variant: string): Kernel {
  const dense = variant === "dense";
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i32", "i64", "i32", "i32", "i32"] }, (b, params) => {
      const [pageArguments, slots, mask, keyMin, next, first, end] = params;
      const input = openInput(b, pageArguments, layout);
      b.forRange(first, end, (index, skip) => {
        const row = b.temp(i32.sub(i32.add(first, i32.sub(end, i32.const(1))), index));
        const values = layout.columns.map((_, column) => input.column(column, row));
        const follower = b.temp(i32.add(next, i32.shl(row, i32.const(2))));
        b.store("i32.store", follower, i32.const(0));
        for (const value of values) {
          if (value.isNull !== undefined) {
            b.break_(skip, value.isNull);
          }
        }
        const known = values.map((value) => ({ ...value, isNull: undefined }));
        for (const value of known) {
          if (mayDifferFromItself(value.type)) {
            b.break_(skip, i32.eqz(emitEquals(b, value, value)));
          }
        }
        if (dense) {
          const slot = b.temp(i32.add(slots, i32.shl(i32.wrapI64(emitPlace(known[0] as Value, keyMin)), i32.const(2))));
          b.store("i32.store", follower, i32.load(slot));
          b.store("i32.store", slot, i32.add(row, i32.const(1)));
        } else {
          emitInsert(b, { input, slots, mask, row, follower, known });
        }
      });
    });
  });
}

/** Such values have equal hashes and match nothing. Each insertion would walk over all others of its kind. */
function mayDifferFromItself(type: Type): boolean {
  return type.kind === "double" || type.kind === "real" || isNested(type);
}

interface Insert {
  readonly input: InputReader;
  readonly slots: Expr;
  readonly mask: Expr;
  readonly row: Expr;
  /** Address of the row's entry in `next`. */
  readonly follower: Expr;
  readonly known: readonly Value[];
}

function emitInsert(b: CodeBuilder, { input, slots, mask, row, follower, known }: Insert): void {
  const rowEntry = i64.extendI32U(i32.add(row, i32.const(1)));
  emitFindSlot(b, {
    slots,
    mask,
    hash: b.temp(emitKeyHash(b, known)),
    isSame: (other) => {
      const same = b.local("i32", i32.const(1));
      for (const [column, value] of known.entries()) {
        b.if_(same, () => b.set(same, emitEquals(b, value, { ...input.column(column, other), isNull: undefined })));
      }
      return same;
    },
    found: (slot, entry) => {
      b.store("i32.store", follower, i32.wrapI64(entry));
      b.store("i64.store", slot, i64.or(i64.shl(i64.shrU(entry, i64.const(32n)), i64.const(32n)), rowEntry));
    },
    free: (slot, tag) => b.store("i64.store", slot, i64.or(i64.shl(tag, i64.const(32n)), rowEntry)),
  });
}
