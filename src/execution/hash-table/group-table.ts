/**
 * Assigns group ids to the distinct combinations of key columns, in order of first appearance. NULL is a value, and NaN equals NaN. The
 * keys are in flat columns of the table. A single integer key of a narrow range has an array over that range; other keys have open
 * addressing over 64-bit hashes. Group ids are the same either way, and so is the result.
 */
import {
  type ColumnShape,
  emitLoadParts,
  emitStoreValue,
  type InputLayout,
  type InputReader,
  layoutOf,
  openInput,
  pageArgumentsBytes,
} from "../expressions/columns.ts";
import { emitNotDistinct } from "../../functions/runtime/operations.ts";
import type { Value } from "../../functions/runtime/value.ts";
import { emitArenaAllocate } from "../../codegen/arena.ts";
import { buildKernel, type CodeBuilder, i32, i64, type Local } from "../../codegen/builder.ts";
import type { Expr, Kernel } from "../../codegen/ir.ts";
import type { ExecutionServices } from "../task/api.ts";
import type { KernelRuntime } from "../../codegen/runtime.ts";
import type { Arena } from "../../memory/arena.ts";
import type { Address, MemoryContext } from "../../memory/memory.ts";
import type { Column, Page } from "../../page/page.ts";
import { Flattener } from "../../page/gather.ts";
import { assert } from "../../protocol/errors.ts";
import { type Type, displayType, isBytes, physicalType, physicalWidth } from "../../types/type.ts";
import { KernelByLayout, PageArguments } from "../operators/kernel-cache.ts";
import { isInteger } from "../dynamic-filter/key-domain.ts";
import { GroupRange } from "./group-range.ts";
import { emitKeyHash } from "./key-hash.ts";
import { emitCopyString } from "./row-store.ts";

/** Control block: u32 groups, u32 slots, u32 mask, u32 hashes, u32 codes; from offset 32 u32 values, u32 nulls per key. */
const control = Object.freeze({ groups: 0, slots: 4, mask: 8, hashes: 12, codes: 16, keys: 32 });
const keyControlBytes = 8;
/** Hash (upper half) and group id + 1 (lower half); 0 is a free slot. */
const slotBytes = 8;

interface StoredKey {
  readonly type: Type;
  readonly width: number;
  values: Address;
  nulls: Address;
}

export class GroupTable {
  readonly #runtime: KernelRuntime;
  readonly #memory: MemoryContext;
  /** Of what the table has for pages of some layouts only: codes of dictionaries, and nulls of its keys. */
  readonly #layoutMemory: MemoryContext;
  readonly #keys: readonly StoredKey[];
  readonly #arena: Arena | undefined;
  readonly #pageArguments: PageArguments;
  readonly #control: Address;
  readonly #kernels: KernelByLayout;
  readonly #typesKey: string;
  /** A power of two. */
  readonly #slotsMin: number;
  /** Maximum size of the table of dictionary codes. It is cleared once per page and must cost less than it saves. */
  readonly #codesMax: number;
  /** Undefined for keys that no array serves. In use while the table has no slots. */
  #range: GroupRange | undefined;
  #hashes: Address = 0;
  #slots: Address = 0;
  #slotCount = 0;
  #codes: Address = 0;
  #capacity = 0;
  #growsEarly: boolean;
  #groups = 0;
  #closed = false;

  constructor({ runtime, ports }: Pick<ExecutionServices, "runtime" | "ports">, memory: MemoryContext, keyTypes: readonly Type[]) {
    this.#runtime = runtime;
    this.#growsEarly = ports.points.fires("hash-table-grows-early");
    this.#memory = memory;
    this.#layoutMemory = memory.child("layout");
    this.#keys = keyTypes.map((type) => ({ type, width: physicalWidth(physicalType(type)), values: 0, nulls: 0 }));
    this.#arena = keyTypes.some(isBytes) ? runtime.arenas.create(memory) : undefined;
    this.#pageArguments = new PageArguments(memory, keyTypes.length);
    this.#control = memory.allocateZeroed(control.keys + keyControlBytes * keyTypes.length);
    this.#typesKey = keyTypes.map(displayType).join();
    this.#kernels = new KernelByLayout(runtime, "group", groupKernel);
    this.#slotsMin = memory.knobs.value("group-slots");
    this.#codesMax = memory.knobs.value("group-codes");
    if (keyTypes.length === 1 && isInteger(keyTypes[0] as Type)) {
      this.#range = new GroupRange(runtime, memory);
    } else {
      this.#growSlots(this.#slotsMin);
    }
  }

  get groupCount(): number {
    return this.#groups;
  }

  /** Bytes that so many more rows may need, without their strings. Blocks that grow are counted in full, because they may be moved. */
  growthBytes(rows: number): number {
    const groups = this.#groups + rows;
    const rowBytes = this.#keys.reduce((sum, { width }) => sum + width + 1, 8);
    const slotCount = this.#slotsFor(groups);
    return (
      (groups > this.#capacity ? this.#capacityFor(groups) * rowBytes : 0) + (slotCount > this.#slotCount ? 2 * slotCount * slotBytes : 0)
    );
  }

  /** Keys by group id. */
  keyColumns(): Column[] {
    return this.#keys.map((key) => ({ type: key.type, values: key.values, nulls: key.nulls, ids: 0, length: this.#groups }));
  }

  /** Writes the group id (u32) of each position to `ids`. New combinations become new groups. */
  assign(page: Page, ids: Address): void {
    const { u32 } = this.#memory.linear;
    this.#reserveKeys(this.#groups + page.positionCount);
    if (this.#range !== undefined && this.#assignInRange(this.#range, page, ids)) {
      return;
    }
    this.#reserveHashes(this.#groups + page.positionCount);
    const codes = codeCount(page, this.#codesMax);
    if (codes > 0 && this.#codes === 0) {
      this.#codes = this.#layoutMemory.allocate(this.#codesMax * 4);
    }
    for (const [index, column] of page.columns.entries()) {
      if (column.nulls !== 0) {
        this.#makeNulls(this.#keys[index] as StoredKey);
      }
    }
    const before = this.#groups;
    this.#writeControl();
    const variant = `${codes > 0 ? "codes" : ""}${this.#keys.map((key) => (key.nulls === 0 ? "-" : "n")).join("")}`;
    const kernel = this.#kernels.for(page, variant);
    kernel(this.#pageArguments.write(page), this.#control, ids, codes);
    this.#groups = u32[this.#control >>> 2] as number;
    if (this.#arena !== undefined && this.#groups > before) {
      this.#ownStrings(before);
    }
  }

  /** Frees what finds the groups of rows. No rows may follow. */
  keepKeys(): void {
    this.#range?.close();
    this.#range = undefined;
    for (const address of [this.#hashes, this.#slots]) {
      if (address !== 0) {
        this.#memory.free(address);
      }
    }
    this.#hashes = 0;
    this.#slots = 0;
  }

  /** Frees all memory. Idempotent. Must be called before the memory context closes. */
  close(): void {
    if (this.#closed) {
      return;
    }
    this.#closed = true;
    this.#arena?.close();
    this.keepKeys();
    for (const address of [...this.#keys.map((key) => key.values), this.#control, this.#pageArguments.address]) {
      if (address !== 0) {
        this.#memory.free(address);
      }
    }
    this.#layoutMemory.close();
  }

  /**
   * Returns false if the page's keys need hashes. The hashes then find the groups of this page that the array has already made. When the
   * hash table must grow, there may be enough groups for an array, and the table goes back to one.
   */
  #assignInRange(range: GroupRange, given: Page, ids: Address): boolean {
    const page = withoutEmptyNulls(this.#memory, given);
    if ((page.columns[0] as Column).nulls !== 0) {
      this.#leaveRange(range, page);
      this.#range = undefined;
      range.close();
      return false;
    }
    if (this.#slotCount > 0) {
      const grows = this.#slotsFor(this.#groups + page.positionCount) > this.#slotCount;
      if (!grows || !range.fits(page, this.keyColumns()[0] as Column)) {
        return false;
      }
      this.#dropHashes();
    }
    const { u32 } = this.#memory.linear;
    u32[(this.#control + control.groups) >>> 2] = this.#groups;
    const done = range.assign({ page, ids, groups: this.#control + control.groups, keys: this.keyColumns()[0] as Column });
    this.#groups = u32[(this.#control + control.groups) >>> 2] as number;
    assert(this.#groups <= this.#capacity, "keys of new groups have room");
    if (!done) {
      this.#leaveRange(range, page);
    }
    return done;
  }

  /** Makes the hash table of the groups, with room for the page. */
  #leaveRange(range: GroupRange, page: Page): void {
    if (this.#slotCount > 0) {
      return;
    }
    range.clear();
    this.#hashes = this.#memory.allocate(this.#capacity * 8);
    const keys: Page = { positionCount: this.#groups, selection: 0, columns: this.keyColumns() };
    this.#runtime.load(`group-hashes|${this.#typesKey}`, () => hashKernel("group-hashes", layoutOf(keys)))(
      this.#pageArguments.write(keys),
      this.#hashes,
    );
    this.#growSlots(this.#slotsFor(this.#groups));
    this.#reserveKeys(this.#groups + page.positionCount);
  }

  #dropHashes(): void {
    this.#memory.free(this.#slots);
    this.#memory.free(this.#hashes);
    this.#slots = 0;
    this.#hashes = 0;
    this.#slotCount = 0;
  }

  /** Number of slots for so many groups, at least as many as there are. */
  #slotsFor(groups: number): number {
    let slotCount = Math.max(this.#slotsMin, this.#slotCount);
    while (slotCount < groups * 2) {
      slotCount *= 2;
    }
    return slotCount;
  }

  #capacityFor(groups: number): number {
    return Math.max(this.#slotsMin, groups, this.#capacity * 2);
  }

  #reserveKeys(groups: number): void {
    if (groups > this.#capacity) {
      const capacity = this.#capacityFor(groups);
      for (const key of this.#keys) {
        key.values = this.#resize(key.values, capacity * key.width);
        if (key.nulls !== 0) {
          key.nulls = this.#layoutMemory.reallocate(key.nulls, capacity);
        }
      }
      if (this.#slotCount > 0) {
        this.#hashes = this.#resize(this.#hashes, capacity * 8);
      }
      this.#capacity = capacity;
    }
  }

  #reserveHashes(groups: number): void {
    let slotCount = this.#slotsFor(groups);
    if (this.#growsEarly && this.#groups > 0) {
      this.#growsEarly = false;
      slotCount = Math.max(slotCount, this.#slotCount * 2);
    }
    if (slotCount > this.#slotCount) {
      this.#growSlots(slotCount);
    }
  }

  #resize(address: Address, bytes: number): Address {
    return address === 0 ? this.#memory.allocate(bytes) : this.#memory.reallocate(address, bytes);
  }

  #growSlots(slotCount: number): void {
    if (this.#slots !== 0) {
      this.#memory.free(this.#slots);
      this.#slots = 0;
    }
    this.#slots = this.#memory.allocateZeroed(slotCount * slotBytes);
    this.#slotCount = slotCount;
    if (this.#groups > 0) {
      this.#runtime.load("group-rehash", rehashKernel)(this.#slots, slotCount - 1, this.#hashes, this.#groups);
    }
  }

  #makeNulls(key: StoredKey): void {
    if (key.nulls === 0) {
      key.nulls = this.#layoutMemory.allocate(this.#capacity);
      this.#memory.linear.u8.fill(0, key.nulls, key.nulls + this.#groups);
    }
  }

  #writeControl(): void {
    const { u32 } = this.#memory.linear;
    const word = this.#control >>> 2;
    u32[word + control.groups / 4] = this.#groups;
    u32[word + control.slots / 4] = this.#slots;
    u32[word + control.mask / 4] = this.#slotCount - 1;
    u32[word + control.hashes / 4] = this.#hashes;
    u32[word + control.codes / 4] = this.#codes;
    for (const [index, key] of this.#keys.entries()) {
      u32[word + control.keys / 4 + index * 2] = key.values;
      u32[word + control.keys / 4 + index * 2 + 1] = key.nulls;
    }
  }

  /** The kernel stores addresses of new strings within the page, which is transient. This copies them. */
  #ownStrings(firstGroup: number): void {
    const kernel = this.#runtime.load(`group-own|${this.#typesKey}`, () => ownStringsKernel(this.#keys.map((key) => key.type)));
    kernel(this.#control, firstGroup, this.#groups, (this.#arena as Arena).controlBlock);
  }
}

/** The page without nulls arrays where no value is NULL: what a table does must not depend on the layout. */
function withoutEmptyNulls({ linear }: MemoryContext, page: Page): Page {
  const columns = page.columns.map((column) =>
    column.nulls !== 0 && !new Flattener(linear, page).rows(column).hasNulls ? { ...column, nulls: 0 } : column,
  );
  return { ...page, columns };
}

/** Number of possible combinations of the page's dictionary codes; 0 if a table of them is not worthwhile. */
function codeCount(page: Page, codesMax: number): number {
  let codes = 1;
  for (const column of page.columns) {
    if (column.ids === 0) {
      return 0;
    }
    codes *= column.length;
    if (codes > codesMax || codes > page.positionCount) {
      return 0;
    }
  }
  return codes;
}

interface GroupLocals {
  readonly groups: Local;
  readonly slots: Local;
  readonly mask: Local;
  readonly hashes: Local;
  readonly keys: readonly { readonly type: Type; readonly values: Local; readonly nulls: Local | undefined }[];
}

/** Parameters: page arguments, control block, address for the group ids, number of codes. */
function groupKernel(name: string, layout: InputLayout, variant: string): Kernel {
  const withCodes = variant.startsWith("codes");
  const nulls = withCodes ? variant.slice("codes".length) : variant;
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i32", "i32"] }, (b, params) => {
      const [pageArguments, controlBlock, ids, codeCount] = params;
      const input = openInput(b, pageArguments, layout);
      const locals = openGroups(b, controlBlock, layout, nulls);
      const codes = b.local("i32", i32.load(controlBlock, control.codes));
      const dictionaries = withCodes ? openDictionaries(b, pageArguments, layout) : [];
      if (withCodes) {
        b.fillBytes(codes, i32.const(0), i32.shl(codeCount, i32.const(2)));
      }
      const group = b.local("i32");
      const runs = withCodes ? undefined : openRuns(b, input, layout);
      b.forRange(i32.const(0), input.positionCount, (position) => {
        const row = input.row(position);
        if (withCodes) {
          const entry = emitCodeEntry(b, dictionaries, codes, row);
          b.set(group, i32.load(entry));
          // Group id + 1; 0 marks a combination that has not occurred in this page yet.
          b.if_(i32.eqz(group), () => {
            emitFindGroup(b, { input, locals, layout, row, group });
            b.store("i32.store", entry, i32.add(group, i32.const(1)));
            b.set(group, i32.add(group, i32.const(1)));
          });
          b.set(group, i32.sub(group, i32.const(1)));
        } else if (runs !== undefined) {
          runs.emit(row, () => emitFindGroup(b, { input, locals, layout, row, group }));
        } else {
          emitFindGroup(b, { input, locals, layout, row, group });
        }
        b.store("i32.store", i32.add(ids, i32.shl(position, i32.const(2))), group);
      });
      b.store("i32.store", controlBlock, locals.groups, control.groups);
    });
  });
}

function openGroups(b: CodeBuilder, controlBlock: Expr, layout: InputLayout, nulls: string): GroupLocals {
  return {
    groups: b.local("i32", i32.load(controlBlock, control.groups)),
    slots: b.local("i32", i32.load(controlBlock, control.slots)),
    mask: b.local("i32", i32.load(controlBlock, control.mask)),
    hashes: b.local("i32", i32.load(controlBlock, control.hashes)),
    keys: layout.columns.map(({ type }, index) => ({
      type,
      values: b.local("i32", i32.load(controlBlock, control.keys + keyControlBytes * index)),
      nulls: nulls[index] === "n" ? b.local("i32", i32.load(controlBlock, control.keys + keyControlBytes * index + 4)) : undefined,
    })),
  };
}

/** ids and length of each column (execution/expressions/columns.ts places them after values and nulls). */
function openDictionaries(
  b: CodeBuilder,
  pageArguments: Expr,
  layout: InputLayout,
): readonly { readonly ids: Local; readonly length: Local }[] {
  return layout.columns.map((_, index) => {
    const offset = pageArgumentsBytes({ columns: layout.columns.slice(0, index), selected: false });
    return { ids: b.local("i32", i32.load(pageArguments, offset + 8)), length: b.local("i32", i32.load(pageArguments, offset + 12)) };
  });
}

function emitCodeEntry(
  b: CodeBuilder,
  dictionaries: readonly { readonly ids: Local; readonly length: Local }[],
  codes: Expr,
  row: Expr,
): Local {
  const offset = b.temp(i32.shl(row, i32.const(2)));
  let code: Expr | undefined;
  for (const { ids, length } of dictionaries) {
    const id = i32.load(i32.add(ids, offset));
    code = code === undefined ? id : i32.add(i32.mul(code, length), id);
  }
  return b.local("i32", i32.add(codes, i32.shl(code as Expr, i32.const(2))));
}

/** Rows with equal keys are often adjacent (the lines of an order). The group of the previous row is tried before the table. */
function openRuns(b: CodeBuilder, input: InputReader, layout: InputLayout): { emit(row: Expr, find: () => void): void } | undefined {
  const [shape] = layout.columns;
  const physical = shape === undefined ? undefined : physicalType(shape.type);
  if (layout.columns.length !== 1 || shape?.nullable === true || (physical !== "i32" && physical !== "i64")) {
    return undefined;
  }
  const last = b.local(physical);
  const known = b.local("i32", i32.const(0));
  const differs = physical === "i64" ? i64.ne : i32.ne;
  return {
    emit(row, find) {
      const key = input.column(0, row).parts[0] as Expr;
      b.if_(i32.or(i32.eqz(known), differs(key, last)), () => {
        find();
        b.set(last, key);
        b.set(known, i32.const(1));
      });
    },
  };
}

interface FindGroup {
  readonly input: InputReader;
  readonly locals: GroupLocals;
  readonly layout: InputLayout;
  readonly row: Expr;
  /** Receives the result. */
  readonly group: Local;
}

function emitFindGroup(b: CodeBuilder, find: FindGroup): void {
  const { locals, layout, group } = find;
  const values = layout.columns.map((_: ColumnShape, index) => find.input.column(index, find.row));
  const hash = b.temp(emitKeyHash(b, values));
  const tag = b.temp(i64.shl(i64.shrU(hash, i64.const(32n)), i64.const(32n)));
  const slot = b.local("i32", i32.and(i32.wrapI64(hash), locals.mask));
  b.block((found) => {
    b.loop((next) => {
      const address = b.temp(i32.add(locals.slots, i32.shl(slot, i32.const(3))));
      const entry = b.temp(i64.load(address));
      b.if_(i64.eqz(entry), () => {
        b.set(group, locals.groups);
        b.set(locals.groups, i32.add(locals.groups, i32.const(1)));
        b.store("i64.store", address, i64.or(tag, i64.extendI32U(locals.groups)));
        b.store("i64.store", i32.add(locals.hashes, i32.shl(group, i32.const(3))), hash);
        for (const [index, value] of values.entries()) {
          const key = locals.keys[index] as GroupLocals["keys"][number];
          emitStoreValue(b, { values: key.values, nulls: key.nulls }, group, value);
        }
        b.break_(found);
      });
      b.block((differs) => {
        b.break_(differs, i64.ne(i64.xor(i64.shrU(entry, i64.const(32n)), i64.shrU(tag, i64.const(32n))), i64.const(0n)));
        b.set(group, i32.sub(i32.wrapI64(entry), i32.const(1)));
        for (const [index, value] of values.entries()) {
          const key = locals.keys[index] as GroupLocals["keys"][number];
          const stored: Value = {
            type: key.type,
            parts: emitLoadParts(b, key.type, key.values, group),
            isNull: key.nulls === undefined ? undefined : b.temp(i32.load8u(i32.add(key.nulls, group))),
          };
          b.break_(differs, i32.eqz(emitNotDistinct(b, value, stored)));
        }
        b.break_(found);
      });
      b.set(slot, i32.and(i32.add(slot, i32.const(1)), locals.mask));
      b.continue_(next);
    });
  });
}

/** Parameters: page arguments of keys, target. Writes their hashes. */
function hashKernel(name: string, layout: InputLayout): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32"] }, (b, [pageArguments, target]) => {
      const input = openInput(b, pageArguments, layout);
      b.forRange(i32.const(0), input.positionCount, (position) => {
        const values = layout.columns.map((_, index) => input.column(index, position));
        b.store("i64.store", i32.add(target, i32.shl(position, i32.const(3))), emitKeyHash(b, values));
      });
    });
  });
}

/** Parameters: slots, mask, hashes, number of groups. */
function rehashKernel(): Kernel {
  return buildKernel("group-rehash", (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i32", "i32"] }, (b, params) => {
      const [slots, mask, hashes, groups] = params;
      b.forRange(i32.const(0), groups, (group) => {
        const hash = b.temp(i64.load(i32.add(hashes, i32.shl(group, i32.const(3)))));
        const slot = b.local("i32", i32.and(i32.wrapI64(hash), mask));
        b.while_(
          () => i64.ne(i64.load(i32.add(slots, i32.shl(slot, i32.const(3)))), i64.const(0n)),
          () => b.set(slot, i32.and(i32.add(slot, i32.const(1)), mask)),
        );
        const tag = i64.shl(i64.shrU(hash, i64.const(32n)), i64.const(32n));
        b.store("i64.store", i32.add(slots, i32.shl(slot, i32.const(3))), i64.or(tag, i64.extendI32U(i32.add(group, i32.const(1)))));
      });
    });
  });
}

/** Parameters: control block, first group, end group (exclusive), arena. */
function ownStringsKernel(types: readonly Type[]): Kernel {
  return buildKernel("group-own", (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i32", "i32"] }, (b, params) => {
      const [controlBlock, first, end, arena] = params;
      for (const [index, type] of types.entries()) {
        if (!isBytes(type)) {
          continue;
        }
        const values = b.local("i32", i32.load(controlBlock, control.keys + keyControlBytes * index));
        b.forRange(first, end, (group) => {
          const entry = b.temp(i32.add(values, i32.shl(group, i32.const(3))));
          const length = b.temp(i32.load(entry, 4));
          b.if_(i32.ne(length, i32.const(0)), () => {
            const target = emitArenaAllocate(b, arena, length);
            emitCopyString(b, target, i32.load(entry), length);
            b.store("i32.store", entry, target);
          });
        });
      }
    });
  });
}
