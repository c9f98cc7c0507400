/**
 * The build side of a join: its rows and a table that finds them by their keys.
 *
 * - dense: an array over the range of one integer key, if that is narrow.
 * - ranked: the bits of a wider range, with the number of bits before each word, and an array over the keys that are there. Keys that come
 *   in their order fill and read it in order too.
 * - hash: open addressing over hashes.
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
 * Limit of an array over the keys' range, in entries: so many a row, but a minimum is always allowed; never more than the maximum. A
 * longer one is read at random from memory, where a ranked table is still in the cache.
 */
const rangePerRowMax = 6;
const rangeMax = 8_388_608;
/**
 * Limits of a ranked table, as above, in keys. At the limit its words take about what the slots of a hash table take: eight bytes are 32
 * bits and the place of their first row.
 */
const rankedRangePerRowMax = 128;
const rankedRangeMax = 1 << 26;

export type JoinTableKind = "dense" | "ranked" | "hash";

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
  #kind: JoinTableKind = "hash";
  #keyMin = 0n;
  #bitmap: KeyBitmap | undefined;
  #next: Address = 0;
  #visited: Address = 0;
  #rowCount = 0;
  /** Rows below this number are not yet in the table. The table is filled from the end, so that chains ascend. */
  #remaining = 0;
  /** Rows below this number have yet to set their bits in a ranked table. */
  #unmarked = 0;

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

  /** Mask of the hash table. In a dense or ranked table: the length of the keys' range. */
  get mask(): number {
    return this.#mask;
  }

  get kind(): JoinTableKind {
    return this.#kind;
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
      this.#unmarked = this.#kind === "ranked" ? this.#rowCount : 0;
    }
  }

  /** Returns true when the table is complete. */
  buildStep(): boolean {
    const rowsMax = this.#memory.knobs.value("join-build-step-rows");
    if (this.#unmarked > 0) {
      const from = Math.max(0, this.#unmarked - rowsMax);
      this.#insert("marks", from, this.#unmarked);
      this.#unmarked = from;
      if (from === 0) {
        this.#runtime.load("join-ranks", () => rankKernel("join-ranks"))(this.#slots, rankedWords(this.#mask));
      }
      return false;
    }
    if (this.#remaining > 0) {
      const from = Math.max(0, this.#remaining - rowsMax);
      const keys = this.#insert(this.#kind, from, this.#remaining);
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

  /** Runs a kernel over the rows from `first` to `end` (exclusive). Returns their keys. */
  #insert(step: JoinTableKind | "marks", first: number, end: number): Page {
    const keys = selectColumns(this.rows.page(), this.keyChannels);
    const kernel = this.#kernels.for(keys, step);
    kernel(this.#arguments.write(keys), this.#slots, this.#mask, this.#keyMin, this.#next, first, end);
    return keys;
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
      this.#openRange("dense", range, (length) => length * 4);
      return;
    }
    const rankedMax = Math.min(rankedRangeMax, Math.max(knobs.value("ranked-range"), rankedRangePerRowMax * this.#rowCount));
    if (range !== undefined && range.max - range.min < BigInt(rankedMax)) {
      this.#openRange("ranked", range, (length) => rankedWords(length) * 8 + this.#rowCount * 4);
      return;
    }
    let slots = knobs.value("join-slots");
    while (slots < this.#rowCount * 2) {
      slots *= 2;
    }
    this.#slots = this.#memory.allocateZeroed(slots * 8);
    this.#mask = slots - 1;
  }

  #openRange(kind: JoinTableKind, { min, max }: KeyRange, bytesOf: (length: number) => number): void {
    this.#kind = kind;
    this.#keyMin = min;
    this.#mask = Number(max - min) + 1;
    this.#slots = this.#memory.allocateZeroed(bytesOf(this.#mask));
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
  readonly kind: JoinTableKind;
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
  if (table.kind === "hash") {
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
  const offset = b.temp(emitPlace(keys[0] as Value, table.keyMin));
  const row = b.local("i32", i32.const(0));
  b.if_(i64.ltU(offset, i64.extendI32U(table.mask)), () => {
    const place = b.temp(i32.wrapI64(offset));
    if (table.kind === "dense") {
      b.set(row, i32.load(i32.add(table.slots, i32.shl(place, i32.const(2)))));
    } else {
      const word = b.temp(i64.load(wordAddress(table.slots, place)));
      const bits = b.temp(i32.wrapI64(word));
      b.if_(i32.and(i32.shrU(bits, place), i32.const(1)), () =>
        b.set(row, i32.load(rankedAddress({ slots: table.slots, word, bits, place }))),
      );
    }
  });
  b.if_(row, () => found(row), missing);
}

/** Words of a ranked table over a range of this length. Behind them is the array over the keys. */
function rankedWords(length: number): number {
  return (length >>> 5) + 1;
}

function wordAddress(slots: Expr, place: Expr): Expr {
  return i32.add(slots, i32.shl(i32.shrU(place, i32.const(5)), i32.const(3)));
}

/**
 * Address of the first row + 1 of the key at this place, whose bit is set. The upper half of a word is the position in the table, in units
 * of four bytes, of its lowest key; each set bit below the key's is one more. Shifts take the place modulo 32.
 */
function rankedAddress(at: { readonly slots: Expr; readonly word: Expr; readonly bits: Expr; readonly place: Expr }): Expr {
  const below = i32.popcnt(i32.and(at.bits, i32.sub(i32.shl(i32.const(1), at.place), i32.const(1))));
  return i32.add(at.slots, i32.shl(i32.add(i32.wrapI64(i64.shrU(at.word, i64.const(32n))), below), i32.const(2)));
}

/** Parameters: words, their number. Writes the upper half of each. */
function rankKernel(name: string): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32"] }, (b, params) => {
      const [words, count] = params;
      const position = b.local("i32", i32.shl(count, i32.const(1)));
      b.forRange(i32.const(0), count, (index) => {
        const word = b.temp(i32.add(words, i32.shl(index, i32.const(3))));
        b.store("i32.store", word, position, 4);
        b.set(position, i32.add(position, i32.popcnt(i32.load(word))));
      });
    });
  });
}

/**
 * Parameters: key page arguments (flat), slots, mask, smallest key, next, first row, end row (exclusive). Inserts rows in descending order,
 * each at the head of its chain. The variant is the kind of the table, or `marks` for the step that sets the bits of a ranked one.
 */
function buildTableKernel(name: string, layout: InputLayout, variant: string): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i32", "i64", "i32", "i32", "i32"] }, (b, params) => {
      const [pageArguments, slots, mask, keyMin, next, first, end] = params;
      const input = openInput(b, pageArguments, layout);
      b.forRange(first, end, (index, skip) => {
        const row = b.temp(i32.sub(i32.add(first, i32.sub(end, i32.const(1))), index));
        const values = layout.columns.map((_, column) => input.column(column, row));
        const follower = b.temp(i32.add(next, i32.shl(row, i32.const(2))));
        if (variant !== "marks") {
          b.store("i32.store", follower, i32.const(0));
        }
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
        if (variant === "hash") {
          emitInsert(b, { input, slots, mask, row, follower, known });
          return;
        }
        const place = b.temp(i32.wrapI64(emitPlace(known[0] as Value, keyMin)));
        const word = wordAddress(slots, place);
        if (variant === "marks") {
          const bits = b.temp(word);
          b.store("i32.store", bits, i32.or(i32.load(bits), i32.shl(i32.const(1), place)));
          return;
        }
        const head = (): Expr => {
          if (variant === "dense") {
            return i32.add(slots, i32.shl(place, i32.const(2)));
          }
          const bitsAndPosition = b.temp(i64.load(word));
          return rankedAddress({ slots, word: bitsAndPosition, bits: i32.wrapI64(bitsAndPosition), place });
        };
        const slot = b.temp(head());
        b.store("i32.store", follower, i32.load(slot));
        b.store("i32.store", slot, i32.add(row, i32.const(1)));
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
