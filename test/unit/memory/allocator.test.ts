/**
 * The allocator against a model: blocks never overlap and keep their content, every byte is accounted for, failed allocations have no
 * effect.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createNodeMemory } from "../../../src/memory/allocator.ts";
import { Arena } from "../../../src/memory/arena.ts";
import { type LinearMemory, type MemoryContext, MemoryLimitExceeded } from "../../../src/memory/memory.ts";
import { createMemory } from "../../../src/memory/webassembly.ts";

const sizeBytes = 64 * 65536;

type Step =
  | { readonly do: "allocate" | "allocateZeroed" | "reallocate"; readonly context: number; readonly bytes: number; readonly pick: number }
  | { readonly do: "free"; readonly context: number; readonly pick: number }
  | { readonly do: "close"; readonly context: number }
  | { readonly do: "renew"; readonly context: number };

const blockBytes = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 600 }) },
  { weight: 2, arbitrary: fc.integer({ min: 600, max: 20_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 20_000, max: 1_500_000 }) },
);
const context = fc.nat(2);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom("allocate" as const, "allocateZeroed" as const, "reallocate" as const),
      context,
      bytes: blockBytes,
      pick: fc.nat(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("free" as const), context, pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("close" as const), context }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("renew" as const), context }) },
);

interface Block {
  readonly address: number;
  readonly bytes: number;
  readonly mark: number;
}

class Model {
  readonly memory = createNodeMemory({ sizeBytes });
  readonly linear: LinearMemory = this.memory.linear;
  readonly query: MemoryContext = this.memory.root.child("query", 3_000_000);
  contexts = ["scan", "join", "sort"].map((name) => this.query.child(name));
  readonly blocks: Block[][] = [[], [], []];
  readonly addresses: number[] = [];
  #marks = 0;

  run(steps: readonly Step[]): void {
    for (const one of steps) {
      const before = this.#accounts();
      try {
        this.#step(one);
      } catch (error) {
        expect(error).toBeInstanceOf(MemoryLimitExceeded);
        expect(this.#accounts()).toEqual(before);
      }
      this.#check();
    }
  }

  #accounts(): readonly number[] {
    return [this.memory.root, this.query, ...this.contexts].flatMap((each) => [each.reservedBytes, each.peakBytes]);
  }

  #step(one: Step): void {
    const at = one.context;
    const held = this.blocks[at] as Block[];
    const memory = this.contexts[at] as MemoryContext;
    switch (one.do) {
      case "allocate":
        return this.#keep(at, memory.allocate(one.bytes), one.bytes);
      case "allocateZeroed": {
        const address = memory.allocateZeroed(one.bytes);
        expect(this.linear.u8.subarray(address, address + one.bytes).every((byte) => byte === 0)).toBe(true);
        return this.#keep(at, address, one.bytes);
      }
      case "reallocate": {
        const index = one.pick % Math.max(1, held.length);
        const old = held[index];
        if (old === undefined) {
          return;
        }
        const address = memory.reallocate(old.address, one.bytes);
        held.splice(index, 1);
        this.#expectMark({ ...old, address, bytes: Math.min(old.bytes, one.bytes) });
        return this.#keep(at, address, one.bytes);
      }
      case "free": {
        const [old] = held.splice(one.pick % Math.max(1, held.length), 1);
        if (old !== undefined) {
          memory.free(old.address);
        }
        return;
      }
      case "close":
        memory.close();
        expect(memory.reservedBytes).toBe(0);
        held.length = 0;
        this.contexts[at] = this.query.child(`again${at}`);
        return;
      case "renew": {
        const { residentBytes, usedBytes } = this.memory;
        const wasm = this.linear.wasm;
        this.memory.renew();
        expect(this.linear.wasm).not.toBe(wasm);
        expect(this.memory.usedBytes).toBe(usedBytes);
        expect(this.memory.residentBytes).toBeLessThanOrEqual(residentBytes);
      }
    }
  }

  #keep(at: number, address: number, bytes: number): void {
    this.#marks = (this.#marks + 1) & 0xff;
    expect(address % 16).toBe(0);
    expect(address).toBeGreaterThan(0);
    expect(address + bytes + 16).toBeLessThanOrEqual(sizeBytes);
    expect((this.contexts[at] as MemoryContext).sizeOf(address)).toBeGreaterThanOrEqual(bytes);
    expect(address + bytes).toBeLessThanOrEqual(this.memory.highWaterBytes);
    this.linear.u8.fill(this.#marks, address, address + bytes);
    (this.blocks[at] as Block[]).push({ address, bytes, mark: this.#marks });
    this.addresses.push(address);
  }

  #expectMark({ address, bytes, mark }: Block): void {
    const { u8 } = this.linear;
    // Both ends and a sample: a neighbor that overruns its block writes to an end first.
    for (const at of [0, 1, bytes >>> 1, bytes - 2, bytes - 1]) {
      expect(at < 0 || at >= bytes || u8[address + at] === mark).toBe(true);
    }
  }

  #check(): void {
    const all = this.blocks.flat().sort((x, y) => x.address - y.address);
    for (const [index, block] of all.entries()) {
      const next = all[index + 1];
      expect(next === undefined || block.address + block.bytes <= next.address).toBe(true);
      this.#expectMark(block);
    }
    const sums = this.contexts.map((each) => each.reservedBytes);
    expect(this.query.reservedBytes).toBe(sums.reduce((x, y) => x + y, 0));
    expect(this.memory.root.reservedBytes).toBe(this.query.reservedBytes);
    expect(this.query.reservedBytes).toBeLessThanOrEqual(3_000_000);
    expect(this.query.peakBytes).toBeGreaterThanOrEqual(this.query.reservedBytes);
  }
}

test("blocks are apart, keep their content and are accounted for", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
      const model = new Model();
      model.run(steps);
      const again = new Model();
      again.run(steps.filter((one) => one.do !== "renew"));
      expect(again.addresses).toEqual(model.addresses);
      model.query.close();
      expect(model.memory.root.reservedBytes).toBe(0);
      // Everything is coalesced again: one block fits nearly all memory.
      const whole = model.memory.root.allocate(sizeBytes - 4 * 4096);
      model.memory.root.free(whole);
    }),
    { numRuns: 150 },
  );
});

describe("limits", () => {
  test("the context that is full is named, nothing is charged", () => {
    const { root } = createNodeMemory({ sizeBytes });
    const query = root.child("query", 10_000);
    const operator = query.child("operator");
    operator.allocate(5_000);
    const before = [root.reservedBytes, query.reservedBytes, operator.reservedBytes];
    expect(() => operator.allocate(6_000)).toThrow(
      expect.objectContaining({ context: "query", limitBytes: 10_000, requestedBytes: 6_000 }),
    );
    expect(() => operator.reserve(6_000)).toThrow(MemoryLimitExceeded);
    expect([root.reservedBytes, query.reservedBytes, operator.reservedBytes]).toEqual(before);
  });

  test("a full node is the node's own failure", () => {
    const { root } = createNodeMemory({ sizeBytes: 2 * 65536 });
    expect(() => root.child("query").allocate(sizeBytes)).toThrow(expect.objectContaining({ context: "node" }));
  });

  test("reservations outside linear memory count", () => {
    const { root } = createNodeMemory({ sizeBytes, limitBytes: 1000 });
    const query = root.child("query");
    query.reserve(900);
    expect(() => query.reserve(101)).toThrow(MemoryLimitExceeded);
    query.release(400);
    expect(root.reservedBytes).toBe(500);
    expect(root.peakBytes).toBe(900);
    query.close();
    expect(root.reservedBytes).toBe(0);
  });
});

describe("misuse is an assertion", () => {
  const { root } = createNodeMemory({ sizeBytes });
  const mine = root.child("mine");
  const yours = root.child("yours");

  test("a double free, a free of another context's block, a free inside a block", () => {
    const address = mine.allocate(100);
    expect(() => yours.free(address)).toThrow("no live block of memory context yours");
    expect(() => mine.free(address + 16)).toThrow("no live block");
    mine.free(address);
    expect(() => mine.free(address)).toThrow("no live block");
    expect(() => mine.free(0)).toThrow("no live block");
  });

  test("nothing is allocated of size 0, from a closed context, or released unreserved", () => {
    expect(() => mine.allocate(0)).toThrow("size above 0");
    expect(() => mine.release(1)).toThrow("releases 1B of 0B reserved");
    const closed = root.child("closed");
    closed.close();
    closed.close();
    expect(() => closed.allocate(1)).toThrow("closed is closed");
  });
});

test("large blocks that come and go leave no holes", () => {
  const { root } = createNodeMemory({ sizeBytes: 4096 * 65536 });
  const query = root.child("query");
  const small: number[] = [];
  for (let round = 0; round < 20; round++) {
    const large = [60, 30, 90].map((megabytes) => query.allocate(megabytes * 1024 * 1024));
    small.push(query.allocate(200));
    for (const address of large) {
      query.free(address);
    }
  }
  expect(query.allocate(200 * 1024 * 1024)).toBeGreaterThan(0);
  for (const address of small) {
    query.free(address);
  }
});

test("a span grows in place while the memory behind it is free", () => {
  const { root } = createNodeMemory({ sizeBytes });
  const address = root.allocate(100_000);
  expect(root.reallocate(address, 1_000_000)).toBe(address);
  expect(root.sizeOf(address)).toBeGreaterThanOrEqual(1_000_000);
});

test("growing in place meets the limit too", () => {
  const { root } = createNodeMemory({ sizeBytes });
  const query = root.child("query", 200_000);
  const address = query.allocate(100_000);
  const before = query.reservedBytes;
  expect(() => query.reallocate(address, 300_000)).toThrow(MemoryLimitExceeded);
  expect([query.reservedBytes, query.sizeOf(address) >= 100_000]).toEqual([before, true]);
});

test("a memory is used again", () => {
  const wasm = createMemory(sizeBytes);
  const first = createNodeMemory({ sizeBytes, wasm });
  const address = first.root.allocate(1000);
  first.linear.u8.fill(7, address, address + 1000);
  first.linear.u8.fill(0, 0, first.highWaterBytes);
  expect(first.linear.u8.every((byte) => byte === 0)).toBe(true);
  expect(createNodeMemory({ sizeBytes, wasm }).root.allocate(1000)).toBe(address);
});

describe("a memory that is renewed", () => {
  const large = 256 * 1024 * 1024;

  test("keeps what is in use where it is, and nothing of what is not", () => {
    const memory = createNodeMemory({ sizeBytes: large });
    const tables = memory.root.child("tables");
    const query = memory.root.child("query");
    const fill = (address: number, bytes: number, mark: number): void => void memory.linear.u8.fill(mark, address, address + bytes);
    const [small, wide] = [tables.allocate(100), tables.allocate(5_000_000)];
    fill(small, 100, 1);
    const used = query.allocate(100_000_000);
    fill(used, 100_000_000, 9);
    fill(wide, 5_000_000, 2);
    expect(memory.residentBytes).toBeGreaterThan(105_000_000);
    query.close();
    expect(memory.usedBytes).toBeLessThan(5_100_000);
    memory.renew();
    // Chunks of 1 MiB: two at the ends of each run.
    expect(memory.residentBytes).toBeLessThan(8_000_000);
    const { u8 } = memory.linear;
    expect([u8[small], u8[small + 99], u8[wide], u8[wide + 4_999_999]]).toEqual([1, 1, 2, 2]);
    expect(u8.subarray(used, used + 100_000_000).includes(9)).toBe(false);
    tables.free(small);
    tables.close();
    expect([memory.root.reservedBytes, memory.usedBytes]).toEqual([0, 0]);
    memory.renew();
    expect(memory.residentBytes).toBe(0);
  });

  test("is cleared in place, where it is somebody else's", () => {
    const wasm = createMemory(sizeBytes);
    const memory = createNodeMemory({ sizeBytes, wasm });
    const [kept, freed, last] = [1000, 700_000, 5000].map((bytes) => {
      const address = memory.root.allocate(bytes);
      memory.linear.u8.fill(7, address, address + bytes);
      return address;
    }) as [number, number, number];
    memory.root.free(freed);
    const before = memory.residentBytes;
    memory.renew();
    expect(memory.linear.wasm).toBe(wasm);
    const { u8 } = memory.linear;
    expect([u8[kept], u8[kept + 999], u8[last], u8[last + 4999]]).toEqual([7, 7, 7, 7]);
    expect(u8.filter((byte) => byte === 7).length).toBe(6000);
    memory.root.free(kept);
    memory.root.free(last);
    memory.renew();
    expect(before).toBeGreaterThan(0);
    expect(memory.residentBytes).toBe(0);
    expect(u8.every((byte) => byte === 0)).toBe(true);
  });
});

test("an arena gives its chunks back", () => {
  const { root } = createNodeMemory({ sizeBytes });
  const context = root.child("task");
  const arena = new Arena(context);
  const seen = new Set<number>();
  for (let i = 0; i < 1000; i++) {
    const address = arena.allocate(i);
    expect(address % 8).toBe(0);
    expect(i > 0 && seen.has(address)).toBe(false);
    seen.add(address);
  }
  arena.reset();
  const kept = context.reservedBytes;
  arena.allocate(60_000);
  expect(context.reservedBytes).toBe(kept);
  arena.close();
  expect(context.reservedBytes).toBe(0);
});
