/**
 * Aggregates whose state is a sketch that TypeScript code keeps as bytes. Kernel code appends the arguments of each row to a buffer. A host
 * function folds the whole buffer into the sketch when the buffer is full or a result is needed. The sketch is also the intermediate
 * column, so exchanges carry it unchanged.
 */
import { type CodeBuilder, i32, i64, select, type Signature as KernelSignature } from "../../codegen/builder.ts";
import type { Expr, HostFunction } from "../../codegen/ir.ts";
import type { Draws, HostWork } from "../../codegen/host-work.ts";
import type { KernelRuntime } from "../../codegen/runtime.ts";
import type { Address } from "../../memory/memory.ts";
import { QueryError } from "../../protocol/errors.ts";
import { decodeBytes } from "../../types/nested/nested.ts";
import { isBytes, type Type, VARBINARY } from "../../types/type.ts";
import type { AggregateImplementation, SpilledState } from "../registry/aggregate.ts";
import type { HostValue } from "../registry/definition.ts";
import type { EmitContext } from "../runtime/emit.ts";
import { sliceOverOffset, writeHostError } from "../runtime/errors.ts";
import { allocateFromArena, readHostValue, resultOffset, statusError, statusNull, statusValue, writeHostValue } from "../runtime/host.ts";
import { type InSteps, runSteps } from "../runtime/steps.ts";
import { loadParts, storeParts } from "../runtime/memory-values.ts";
import { bytesOfValue } from "../runtime/value-bytes.ts";
import { ifNotNull } from "../aggregate/sums.ts";
import { part, type Value } from "../runtime/value.ts";

/** Takes the steps of work that is much more than reading and writing rows and sketches. */
export type SketchWork = Pick<HostWork, "count">;

/** Implementations may throw QueryError. They may use sketches and rows only during the call. */
export interface SketchImplementation {
  /** Name of the implementation; with the types it names the host functions. */
  readonly name: string;
  readonly returnType: Type;
  /** Types of a buffered row. */
  readonly rowTypes: readonly Type[];
  /** Computes the buffered row from the arguments; absent if they are buffered as they are. */
  readonly prepare?: (context: EmitContext, args: readonly Value[]) => readonly Value[];
  /** `rows` in order, at least one. */
  add(sketch: Uint8Array | undefined, rows: readonly Row[], work: SketchWork): Uint8Array;
  merge(sketch: Uint8Array, other: Uint8Array, work: SketchWork): Uint8Array;
  /** A generator is suspended where it yields, with the steps since the last time. */
  result(sketch: Uint8Array, work: SketchWork): HostValue | InSteps<HostValue>;
}

type Row = readonly HostValue[];

/** State: u32 address, u32 length and u32 capacity of the buffer; u32 address, u32 length and u32 capacity of the sketch. */
const usedOffset = 4;
const roomOffset = 8;
const sketchOffset = 12;
const lengthOffset = 16;
const sketchRoomOffset = 20;
const stateBytes = 24;

/** The capacity of the buffer doubles up to this size; only a larger row exceeds it. */
const bufferBytesMax = 16_384;
const bufferBytesMin = 64;
/** Work of a row that is folded into a sketch, and of bytes of sketches that are read and written, in steps. */
const stepsPerRow = 2;
const bytesPerStep = 64;

/** A result in progress holds its sketch as objects. */
const resultFrameFactor = 4;
/** Aggregates draw nothing. */
const noDraws: Draws = Object.freeze({ get: () => 0n, set: () => undefined });

/** Size of a value in the buffer. The bytes of variable-width values follow the row's last value, each rounded up to whole slots. */
const slotBytes = 16;

const stateSignature: KernelSignature = Object.freeze({ params: ["i32", "i32", "i32"] as const, result: "i32" });
const mergeSignature: KernelSignature = Object.freeze({ params: ["i32", "i32", "i32", "i32", "i32"] as const, result: "i32" });

function wholeSlots(bytes: Expr): Expr {
  return i32.and(i32.add(bytes, i32.const(slotBytes - 1)), i32.const(-slotBytes));
}

function hostNames({ name }: SketchImplementation): Readonly<Record<"fold" | "give" | "merge" | "result", string>> {
  return { fold: `sketch fold ${name}`, give: `sketch give ${name}`, merge: `sketch merge ${name}`, result: `sketch result ${name}` };
}

/** Host functions of one implementation over one memory. */
class SketchHost {
  constructor(
    private readonly runtime: KernelRuntime,
    private readonly implementation: SketchImplementation,
  ) {}

  register(): void {
    const { runtime, implementation } = this;
    const { fold, give, merge, result } = hostNames(implementation);
    this.#ensure(fold, stateSignature, (...given) => {
      const [errorBlock, arena, state] = addresses(given);
      return this.#guarded(errorBlock, () => this.#fold(arena, state));
    });
    this.#ensure(give, stateSignature, (...given) => {
      const [errorBlock, arena, state] = addresses(given);
      return this.#guarded(errorBlock, () => this.#give(errorBlock, arena, state));
    });
    this.#ensure(merge, mergeSignature, (...given) => {
      const [errorBlock, arena, state, address, length] = addresses(given);
      return this.#guarded(errorBlock, () => {
        const other = this.runtime.linear.u8.slice(address, address + length);
        const sketch = this.#sketch(state);
        const merged = sketch === undefined ? other : implementation.merge(sketch, other, runtime.work);
        this.#count(0, other.length + merged.length + (sketch?.length ?? 0));
        this.#store(arena, state, merged);
        return statusValue;
      });
    });
    this.#ensure(result, stateSignature, (...given) => {
      const [errorBlock, arena, state] = addresses(given);
      return this.#guarded(errorBlock, () => {
        const sketch = this.#sketch(state);
        this.#count(0, sketch?.length ?? 0);
        const value = sketch === undefined ? null : this.#result(sketch, implementation.result(sketch, runtime.work));
        if (value === null) {
          return statusNull;
        }
        const allocate = (bytes: number) => allocateFromArena(runtime, arena, bytes);
        writeHostValue(runtime.linear, errorBlock + resultOffset, implementation.returnType, value, allocate);
        return statusValue;
      });
    });
  }

  /** The runtime may unregister functions one by one. */
  #ensure(name: string, signature: KernelSignature, fn: HostFunction): void {
    if (!this.runtime.hasHost(name)) {
      this.runtime.registerHost(name, signature, fn);
    }
  }

  /** Tells the kernel of the caller whether the slice is over. */
  #guarded(errorBlock: Address, run: () => number): number {
    const { linear, work } = this.runtime;
    try {
      const status = run();
      linear.u32[(errorBlock + sliceOverOffset) >>> 2] = work.isOver ? 1 : 0;
      return status;
    } catch (error) {
      if (error instanceof QueryError) {
        writeHostError(this.runtime.linear, errorBlock, error);
        return statusError;
      }
      throw error;
    }
  }

  #count(rows: number, bytes: number): void {
    this.runtime.work.count(1 + stepsPerRow * rows + Math.floor(bytes / bytesPerStep));
  }

  #result(sketch: Uint8Array, made: ReturnType<SketchImplementation["result"]>): HostValue {
    return isGenerator(made)
      ? this.runtime.work.call({
          begin: () => made,
          run: runSteps,
          draws: noDraws,
          bytesOfFrame: () => resultFrameFactor * sketch.length,
          bytesOf: bytesOfValue,
        })
      : made;
  }

  #fold(arena: Address, state: Address): number {
    const rows = this.#rows(state);
    if (rows.length > 0) {
      const sketch = this.implementation.add(this.#sketch(state), rows, this.runtime.work);
      this.#count(rows.length, this.#word(state, usedOffset) + this.#word(state, lengthOffset) + sketch.length);
      this.#store(arena, state, sketch);
      this.#setWord(state, usedOffset, 0);
    }
    return statusValue;
  }

  /** Leaves the state unchanged: the state may outlive the contents of this arena. */
  #give(errorBlock: Address, arena: Address, state: Address): number {
    const rows = this.#rows(state);
    const { work } = this.runtime;
    const sketch = rows.length === 0 ? this.#sketch(state) : this.implementation.add(this.#sketch(state), rows, work);
    if (sketch === undefined) {
      return statusNull;
    }
    this.#count(rows.length, this.#word(state, usedOffset) + sketch.length);
    const allocate = (bytes: number) => allocateFromArena(this.runtime, arena, bytes);
    writeHostValue(this.runtime.linear, errorBlock + resultOffset, VARBINARY, sketch, allocate);
    return statusValue;
  }

  #word(state: Address, offset: number): number {
    return this.runtime.linear.u32[(state + offset) >>> 2] as number;
  }

  #setWord(state: Address, offset: number, value: number): void {
    this.runtime.linear.u32[(state + offset) >>> 2] = value;
  }

  #sketch(state: Address): Uint8Array | undefined {
    const [address, length] = [this.#word(state, sketchOffset), this.#word(state, lengthOffset)];
    return length === 0 ? undefined : this.runtime.linear.u8.slice(address, address + length);
  }

  #store(arena: Address, state: Address, sketch: Uint8Array): void {
    if (sketch.length > this.#word(state, sketchRoomOffset)) {
      const room = Math.max(bufferBytesMin, 2 * sketch.length);
      this.#setWord(state, sketchOffset, allocateFromArena(this.runtime, arena, room));
      this.#setWord(state, sketchRoomOffset, room);
    }
    this.runtime.linear.u8.set(sketch, this.#word(state, sketchOffset));
    this.#setWord(state, lengthOffset, sketch.length);
  }

  #rows(state: Address): readonly Row[] {
    const { linear } = this.runtime;
    const { rowTypes } = this.implementation;
    const rows: Row[] = [];
    let at = this.#word(state, 0);
    const end = at + this.#word(state, usedOffset);
    while (at < end) {
      let data = at + slotBytes * rowTypes.length;
      rows.push(
        rowTypes.map((type, index) => {
          const slot = at + slotBytes * index;
          if (!isBytes(type)) {
            return readHostValue(linear, slot, type);
          }
          const length = linear.u32[(slot + 4) >>> 2] as number;
          const value = decodeBytes(type, linear, data, length);
          data += Math.ceil(length / slotBytes) * slotBytes;
          // Copied, because the buffer is reused while the row is still referenced.
          return value instanceof Uint8Array ? value.slice() : value;
        }),
      );
      at = data;
    }
    return rows;
  }
}

function isGenerator(made: ReturnType<SketchImplementation["result"]>): made is InSteps<HostValue> {
  return typeof made === "object" && made !== null && "next" in made;
}

function addresses(given: readonly unknown[]): readonly [number, number, number, number, number] {
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = given.map((value) => (value as number) >>> 0);
  return [a, b, c, d, e];
}

function call(context: EmitContext, name: string, signature: KernelSignature, args: readonly Expr[]): Expr {
  const { b } = context;
  const status = b.temp(b.call(b.kernel.host(name, signature), context.errorBlock, context.arena, ...args));
  b.if_(i32.eq(status, i32.const(statusError)), () => context.raiseWritten());
  return status;
}

/** Ensures `bytes` more in the buffer: folds its contents into the sketch, or doubles its capacity. */
function emitRoom(context: EmitContext, fold: string, state: Expr, bytes: Expr): void {
  const { b } = context;
  const fits = () => i32.leU(i32.add(i32.load(state, usedOffset), bytes), i32.load(state, roomOffset));
  b.if_(i32.eqz(fits()), () => {
    b.if_(i32.gtU(i32.add(i32.load(state, usedOffset), bytes), i32.const(bufferBytesMax)), () => {
      call(context, fold, stateSignature, [state]);
    });
    b.if_(i32.eqz(fits()), () => {
      const needed = b.temp(i32.add(i32.load(state, usedOffset), bytes));
      const doubled = b.temp(i32.shl(i32.load(state, roomOffset), i32.const(1)));
      const larger = b.temp(select(i32.ltU(doubled, needed), needed, doubled));
      const room = b.temp(select(i32.ltU(larger, i32.const(bufferBytesMin)), i32.const(bufferBytesMin), larger));
      const address = b.temp(context.allocate(room));
      b.copyBytes(address, i32.load(state), i32.load(state, usedOffset));
      b.store("i32.store", state, address);
      b.store("i32.store", state, room, roomOffset);
    });
  });
}

function emitRow(context: EmitContext, fold: string, state: Expr, row: readonly Value[]): void {
  const { b } = context;
  const sizes = row.map((value) => (isBytes(value.type) ? b.temp(wholeSlots(part(value, 1))) : undefined));
  const bytes = b.temp(
    sizes.reduce<Expr>((sum, size) => (size === undefined ? sum : i32.add(sum, size)), i32.const(slotBytes * row.length)),
  );
  emitRoom(context, fold, state, bytes);
  const at = b.temp(i32.add(i32.load(state), i32.load(state, usedOffset)));
  const data = b.local("i32", i32.add(at, i32.const(slotBytes * row.length)));
  for (const [index, value] of row.entries()) {
    storeParts(b, value.type, at, value.parts, slotBytes * index);
    const size = sizes[index];
    if (size !== undefined) {
      emitCopy(b, data, value, size);
    }
  }
  b.store("i32.store", state, i32.add(i32.load(state, usedOffset), bytes), usedOffset);
}

function emitCopy(b: CodeBuilder, data: ReturnType<CodeBuilder["local"]>, value: Value, size: Expr): void {
  b.if_(part(value, 1), () => b.copyBytes(data, part(value, 0), part(value, 1)));
  b.set(data, i32.add(data, size));
}

function emitResult({ b, errorBlock }: EmitContext, status: Expr, type: Type): Value {
  const isNull = b.temp(i32.eq(status, i32.const(statusNull)));
  // Under a NULL the slot may hold a stale value of another type, so the address and length are cleared.
  if (isBytes(type)) {
    b.if_(isNull, () => b.store("i64.store", errorBlock, i64.const(0n), resultOffset));
  }
  return { type, parts: loadParts(b, type, errorBlock, resultOffset), isNull };
}

const spilledHeaderBytes = 12;

/** Bytes of the buffer, its capacity, bytes of the sketch (u32 each), both contents. When a buffer is folded depends on its capacity. */
const spilledState: SpilledState = Object.freeze({
  types: [VARBINARY],
  emitWrite: (context: EmitContext, state: Expr): readonly Value[] => {
    const { b } = context;
    const used = b.temp(i32.load(state, usedOffset));
    const length = b.temp(i32.load(state, lengthOffset));
    const total = b.temp(i32.add(i32.add(used, length), i32.const(spilledHeaderBytes)));
    const address = b.temp(context.allocate(total));
    b.store("i32.store", address, used);
    b.store("i32.store", address, i32.load(state, roomOffset), 4);
    b.store("i32.store", address, length, 8);
    const contents = b.temp(i32.add(address, i32.const(spilledHeaderBytes)));
    b.copyBytes(contents, i32.load(state), used);
    b.copyBytes(i32.add(contents, used), i32.load(state, sketchOffset), length);
    return [{ type: VARBINARY, parts: [address, total], isNull: undefined }];
  },
  emitRead: (context: EmitContext, state: Expr, [value]: readonly Value[]) => {
    const { b } = context;
    const address = part(value as Value, 0);
    const used = b.temp(i32.load(address));
    const room = b.temp(i32.load(address, 4));
    const length = b.temp(i32.load(address, 8));
    const contents = b.temp(i32.add(address, i32.const(spilledHeaderBytes)));
    const place = (from: Expr, bytes: Expr, capacity: Expr, addressOffset: number): void => {
      b.if_(capacity, () => {
        const own = b.temp(context.allocate(capacity));
        b.copyBytes(own, from, bytes);
        b.store("i32.store", state, own, addressOffset);
      });
    };
    place(contents, used, room, 0);
    place(i32.add(contents, used), length, length, sketchOffset);
    b.store("i32.store", state, used, usedOffset);
    b.store("i32.store", state, room, roomOffset);
    b.store("i32.store", state, length, lengthOffset);
    b.store("i32.store", state, length, sketchRoomOffset);
  },
});

/** NULL for an empty group. */
export function sketchAggregate(implementation: SketchImplementation): AggregateImplementation {
  const { fold, give, merge, result } = hostNames(implementation);
  const { returnType, prepare = (_context, args) => args } = implementation;
  return {
    stateBytes,
    stateAlignment: 8,
    intermediateTypes: [VARBINARY],
    wantsNulls: false,
    spilled: spilledState,
    registerHosts: (runtime) => new SketchHost(runtime, implementation).register(),
    emitAdd: (context, state, args) => emitRow(context, fold, state, prepare(context, args)),
    emitMerge: (context, state, intermediates) => {
      const sketch = intermediates[0] as Value;
      ifNotNull(context.b, sketch, () => {
        call(context, fold, stateSignature, [state]);
        call(context, merge, mergeSignature, [state, part(sketch, 0), part(sketch, 1)]);
      });
    },
    emitIntermediate: (context, state) => [emitResult(context, call(context, give, stateSignature, [state]), VARBINARY)],
    emitFinal: (context, state) => {
      call(context, fold, stateSignature, [state]);
      return emitResult(context, call(context, result, stateSignature, [state]), returnType);
    },
  };
}

/** Decoded form of a sketch type. Encoding and decoding are inverse. */
export interface SketchForm<Sketch> {
  /** Throws INVALID_FUNCTION_ARGUMENT. */
  readonly read: (bytes: Uint8Array) => Sketch;
  readonly write: (sketch: Sketch) => Uint8Array;
  readonly merge: (one: Sketch, other: Sketch) => Sketch;
  /** Converts a state to the result, if they differ. */
  readonly finish?: (sketch: Sketch) => Sketch;
}

/** Properties shared by all aggregates that return sketches of the type. */
export function sketchResult<Sketch>(
  returnType: Type,
  { read, write, merge, finish }: SketchForm<Sketch>,
): Pick<SketchImplementation, "merge" | "result" | "returnType"> {
  return {
    returnType,
    merge: (sketch, other) => write(merge(read(sketch), read(other))),
    result: finish === undefined ? (sketch) => sketch : (sketch) => write(finish(read(sketch))),
  };
}

/** Merges all rows, which are sketches of the type, into one sketch. */
export function mergeImplementation<Sketch>(type: Type, form: SketchForm<Sketch>): SketchImplementation {
  const { read, write, merge, finish } = form;
  return {
    ...sketchResult(type, form),
    name: `merge ${type.kind}`,
    rowTypes: [type],
    add: (sketch, rows) => {
      const given = rows.map(([row]) => row as Uint8Array);
      const all = sketch === undefined ? given : [sketch, ...given];
      const [only] = all;
      // A single sketch is returned unread if a final step validates it.
      return finish !== undefined && only !== undefined && all.length === 1 ? only : write(all.map(read).reduce(merge));
    },
  };
}
