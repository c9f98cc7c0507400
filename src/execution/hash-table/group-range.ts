/**
 * Group ids of a single integer key without NULLs, in an array over the range of the keys. The range grows with the keys.
 */
import { emitStoreValue, type InputLayout, openInput } from "../expressions/columns.ts";
import { emitPlace, emitWide } from "../dynamic-filter/key-bitmap.ts";
import { buildKernel, i32, i64, select } from "../../codegen/builder.ts";
import type { Kernel } from "../../codegen/ir.ts";
import type { KernelRuntime } from "../../codegen/runtime.ts";
import type { Address, MemoryContext } from "../../memory/memory.ts";
import type { Column, Page } from "../../page/page.ts";
import { physicalType, physicalWidth } from "../../types/type.ts";
import { KernelByLayout, PageArguments } from "../operators/kernel-cache.ts";

/**
 * Limit of the array, in entries: `rangePerRowMax` a group, which is about the size of a hash table with as many groups; up to
 * `sparseRangeMax` more, because an array is several times faster; a minimum (a knob) is always allowed. Never more than `rangeMax`, nor
 * more than a part of the memory that is left: the ids of groups are the same without an array.
 */
const rangePerRowMax = 16;
const sparseRangePerRowMax = 64;
const sparseRangeMax = 8_388_608;
const rangeMax = 67_108_864;
const entryBytes = 4;
const partOfRoom = 16;

export interface RangeAssignment {
  /** Its one column is the key. */
  readonly page: Page;
  /** Receives the group id (u32) of each position. */
  readonly ids: Address;
  /** Address of the number of groups (u32), which new groups increment. */
  readonly groups: Address;
  /** Keys of the groups, with room for those of the page. */
  readonly keys: Column;
}

interface Bounds {
  readonly low: bigint;
  readonly high: bigint;
}

/** Range of keys, both ends included, and the entries that an array for it may have. */
interface Span extends Bounds {
  readonly allowed: number;
  readonly growsDown: boolean;
}

export class GroupRange {
  readonly #memory: MemoryContext;
  readonly #assign: KernelByLayout;
  readonly #bounds: KernelByLayout;
  readonly #fill: KernelByLayout;
  readonly #arguments: PageArguments;
  readonly #rangeMin: number;
  /** u32 group id + 1 for each key from `#base` on; 0 is no group. */
  #entries: Address = 0;
  #count = 0;
  #base = 0n;
  /** Bounds of the keys of the first `groups` groups: groups are only added, so each key is looked at once. */
  #known: (Bounds & { readonly groups: number }) | undefined;

  constructor(runtime: KernelRuntime, memory: MemoryContext) {
    this.#memory = memory;
    this.#assign = new KernelByLayout(runtime, "group-range", assignKernel);
    this.#bounds = new KernelByLayout(runtime, "group-range-bounds", boundsKernel);
    this.#fill = new KernelByLayout(runtime, "group-range-fill", fillKernel);
    this.#arguments = new PageArguments(memory, 1);
    this.#rangeMin = memory.knobs.value("group-range");
  }

  /** Returns false if the keys are too far apart for an array; some positions of the page may have their groups by then. */
  assign(assignment: RangeAssignment): boolean {
    const { page, ids, groups, keys } = assignment;
    const kernel = this.#assign.for(page);
    const attempt = (from: number): number =>
      Number(kernel(this.#arguments.write(page), this.#entries, this.#base, this.#count, keys.values, groups, ids, from));
    const reached = attempt(0);
    if (reached === page.positionCount) {
      return true;
    }
    if (!this.#extend(page, { ...keys, length: this.#memory.linear.u32[groups >>> 2] as number })) {
      return false;
    }
    attempt(reached);
    return true;
  }

  /** Whether an array may cover the keys of the page and of the groups. */
  fits(page: Page, keys: Column): boolean {
    return this.#spanOf(page, keys) !== undefined;
  }

  /** Frees the array; the next assignment makes it anew from the keys of the groups. */
  clear(): void {
    if (this.#entries !== 0) {
      this.#memory.free(this.#entries);
      this.#entries = 0;
    }
    this.#count = 0;
  }

  close(): void {
    this.clear();
    this.#memory.free(this.#arguments.address);
  }

  #spanOf(page: Page, keys: Column): Span | undefined {
    const found = this.#boundsOf(page);
    const known = this.#boundsOfGroups(keys) ?? found;
    const { low, high } = union(known, found);
    const rows = keys.length + page.positionCount;
    const sparse = Math.min(sparseRangeMax, sparseRangePerRowMax * rows);
    const room = Math.floor(this.#memory.availableBytes / (partOfRoom * entryBytes));
    const allowed = Math.min(rangeMax, room, Math.max(this.#rangeMin, rangePerRowMax * rows, sparse));
    return high - low >= BigInt(allowed) ? undefined : { low, high, allowed, growsDown: keys.length > 0 && found.low < known.low };
  }

  /** Makes the array cover the page and the groups. */
  #extend(page: Page, keys: Column): boolean {
    const span = this.#spanOf(page, keys);
    if (span === undefined) {
      return false;
    }
    const { low, high, allowed } = span;
    const range = Number(high - low) + 1;
    const count = Math.min(allowed, Math.max(range, this.#count * 2));
    this.clear();
    this.#entries = this.#memory.allocateZeroed(count * entryBytes);
    this.#count = count;
    // The spare entries are on the side to which the range has grown.
    this.#base = span.growsDown ? BigInt.asIntN(64, high - BigInt(count) + 1n) : low;
    if (keys.length > 0) {
      const stored: Page = { positionCount: keys.length, selection: 0, columns: [keys] };
      this.#fill.for(stored)(this.#arguments.write(stored), this.#entries, this.#base);
    }
    return true;
  }

  #boundsOfGroups(keys: Column): Bounds | undefined {
    const looked = this.#known?.groups ?? 0;
    if (keys.length > looked) {
      const values = keys.values + looked * physicalWidth(physicalType(keys.type));
      const added = { ...keys, values, length: keys.length - looked };
      const found = this.#boundsOf({ positionCount: added.length, selection: 0, columns: [added] });
      this.#known = { ...(this.#known === undefined ? found : union(this.#known, found)), groups: keys.length };
    }
    return this.#known;
  }

  #boundsOf(page: Page): Bounds {
    const bounds = this.#memory.allocate(16);
    this.#bounds.for(page)(this.#arguments.write(page), bounds);
    const { i64: words } = this.#memory.linear;
    const [low, high] = [words[bounds >>> 3] as bigint, words[(bounds >>> 3) + 1] as bigint];
    this.#memory.free(bounds);
    return { low, high };
  }
}

function union(left: Bounds, right: Bounds): Bounds {
  return { low: left.low < right.low ? left.low : right.low, high: left.high > right.high ? left.high : right.high };
}

/**
 * Parameters: page arguments, entries, base, number of entries, keys of the groups, address of their number, address for the ids, first
 * position. Returns the first position whose key has no entry, or the number of positions.
 */
function assignKernel(name: string, layout: InputLayout): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i64", "i32", "i32", "i32", "i32", "i32"], result: "i32" }, (b, params) => {
      const [pageArguments, entries, base, count, keys, groupsAddress, ids, from] = params;
      const input = openInput(b, pageArguments, layout);
      const groups = b.local("i32", i32.load(groupsAddress));
      const range = b.local("i64", i64.extendI32U(count));
      const position = b.local("i32", from);
      const group = b.local("i32");
      b.block((outside) => {
        b.while_(
          () => i32.ltU(position, input.positionCount),
          () => {
            const key = input.column(0, input.row(position));
            const place = b.temp(emitPlace(key, base));
            b.break_(outside, i64.geU(place, range));
            const entry = b.temp(i32.add(entries, i32.shl(i32.wrapI64(place), i32.const(2))));
            b.set(group, i32.load(entry));
            b.if_(i32.eqz(group), () => {
              emitStoreValue(b, { values: keys, nulls: undefined }, groups, key);
              b.set(groups, i32.add(groups, i32.const(1)));
              b.set(group, groups);
              b.store("i32.store", entry, group);
            });
            b.store("i32.store", i32.add(ids, i32.shl(position, i32.const(2))), i32.sub(group, i32.const(1)));
            b.set(position, i32.add(position, i32.const(1)));
          },
        );
      });
      b.store("i32.store", groupsAddress, groups);
      b.return_(position);
    });
  });
}

/** Parameters: page arguments, address for the minimum and maximum as i64. */
function boundsKernel(name: string, layout: InputLayout): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32"] }, (b, [pageArguments, bounds]) => {
      const input = openInput(b, pageArguments, layout);
      const low = b.local("i64", i64.const((1n << 63n) - 1n));
      const high = b.local("i64", i64.const(-(1n << 63n)));
      b.forRange(i32.const(0), input.positionCount, (position) => {
        const value = b.temp(emitWide(input.column(0, input.row(position))));
        b.set(low, select(i64.ltS(value, low), value, low));
        b.set(high, select(i64.gtS(value, high), value, high));
      });
      b.store("i64.store", bounds, low);
      b.store("i64.store", bounds, high, 8);
    });
  });
}

/** Parameters: page arguments of the groups' keys, entries, base. */
function fillKernel(name: string, layout: InputLayout): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i64"] }, (b, [pageArguments, entries, base]) => {
      const input = openInput(b, pageArguments, layout);
      b.forRange(i32.const(0), input.positionCount, (group) => {
        const place = i32.wrapI64(emitPlace(input.column(0, group), base));
        b.store("i32.store", i32.add(entries, i32.shl(place, i32.const(2))), i32.add(group, i32.const(1)));
      });
    });
  });
}
