/**
 * Calls from kernels to host implementations in TypeScript, row by row. Arguments and result are passed in slots behind the error block
 * (errors.ts).
 */
import { type CodeBuilder, i32, i64, type Signature as KernelSignature } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import type { KernelRuntime } from "../../codegen/runtime.ts";
import { arenaAlignmentBytes, arenaCursorOffset, arenaLimitOffset } from "../../memory/arena.ts";
import type { LinearMemory, Address } from "../../memory/memory.ts";
import { assert, QueryError } from "../../protocol/errors.ts";
import { isNested, physicalType, type Type } from "../../types/type.ts";
import { decodeBytes, encodeBytes } from "../../types/nested/nested.ts";
import { isTooLarge, requireValueBytes, valueTooLargeMessage } from "../../types/value-size.ts";
import type { HostCall, HostFrame, HostSteps, HostValue, MathBinding } from "../registry/definition.ts";
import type { EmitContext } from "./emit.ts";
import { drawStateOffset, hostArgumentBytes, hostArgumentsMax, hostArgumentsOffset, sliceOverOffset, writeHostError } from "./errors.ts";
import { type Begun, callInSteps } from "./large/large-call.ts";
import { isLarge } from "./large/loops.ts";
import { loadParts, storeParts } from "./memory-values.ts";
import type { Value } from "./value.ts";

/** (error block, arena) -> status. */
const hostSignature: KernelSignature = Object.freeze({ params: ["i32", "i32"] as const, result: "i32" });
/** Status of a host call. */
export const statusValue = 0;
export const statusNull = 1;
export const statusError = 2;

const nullFlagOffset = 16;
/** Offset of the result slot in the error block. */
export const resultOffset: number = hostArgumentsOffset + hostArgumentBytes * hostArgumentsMax;

/** Reads a value from linear memory; `address` is that of its parts. Throws ValueTooLargeError. */
export function readHostValue(linear: LinearMemory, address: Address, type: Type): HostValue {
  switch (physicalType(type)) {
    case "i8":
      return type.kind === "boolean" ? linear.u8[address] !== 0 : (linear.i8[address] as number);
    case "i16":
      return linear.i16[address >>> 1] as number;
    case "i32":
      return linear.i32[address >>> 2] as number;
    case "i64":
      return linear.i64[address >>> 3] as bigint;
    case "i128":
      return ((linear.i64[(address >>> 3) + 1] as bigint) << 64n) | BigInt.asUintN(64, linear.i64[address >>> 3] as bigint);
    case "f32":
      return linear.f32[address >>> 2] as number;
    case "f64":
      return linear.f64[address >>> 3] as number;
    case "bytes": {
      const [from, length] = [linear.u32[address >>> 2] as number, linear.u32[(address >>> 2) + 1] as number];
      if (isNested(type)) {
        requireValueBytes(length);
      }
      return decodeBytes(type, linear, from, length);
    }
  }
}

/** `allocate` returns memory for strings. Throws ValueTooLargeError. */
export function writeHostValue(
  linear: LinearMemory,
  address: Address,
  type: Type,
  value: Exclude<HostValue, null>,
  allocate: (bytes: number) => Address,
): void {
  switch (physicalType(type)) {
    case "i8":
      linear.i8[address] = Number(value);
      return;
    case "i16":
      linear.i16[address >>> 1] = value as number;
      return;
    case "i32":
      linear.i32[address >>> 2] = value as number;
      return;
    case "i64":
      linear.i64[address >>> 3] = value as bigint;
      return;
    case "i128":
      linear.i64[address >>> 3] = BigInt.asIntN(64, value as bigint);
      linear.i64[(address >>> 3) + 1] = BigInt.asIntN(64, (value as bigint) >> 64n);
      return;
    case "f32":
      linear.f32[address >>> 2] = value as number;
      return;
    case "f64":
      linear.f64[address >>> 3] = value as number;
      return;
    case "bytes": {
      const bytes = encodeBytes(type, value);
      const at = bytes.length === 0 ? address : allocate(bytes.length);
      linear.u8.set(bytes, at);
      linear.u32[address >>> 2] = at;
      linear.u32[(address >>> 2) + 1] = bytes.length;
    }
  }
}

/** Thrown by an implementation whose error is already in the error block. */
export class WrittenError extends Error {
  override readonly name = "WrittenError";
}

/** Bump allocation, as kernels do it. */
export function allocateFromArena(runtime: KernelRuntime, controlBlock: Address, bytes: number): Address {
  const { u32 } = runtime.linear;
  const size = Math.ceil(bytes / arenaAlignmentBytes) * arenaAlignmentBytes;
  const cursor = u32[(controlBlock + arenaCursorOffset) >>> 2] as number;
  if ((u32[(controlBlock + arenaLimitOffset) >>> 2] as number) - cursor < size) {
    return runtime.arenas.grow(controlBlock, size);
  }
  u32[(controlBlock + arenaCursorOffset) >>> 2] = cursor + size;
  return cursor;
}

export interface HostBinding {
  readonly name: string;
  readonly call: HostCall;
  /** A HostImplementation, a function that calls kernels itself and needs their frame, or one that runs in steps. */
  readonly implementation: Implementation | { readonly steps: HostSteps };
}

type Implementation = (args: readonly HostValue[], call: HostCall, frame: HostFrame) => HostValue;

/** Work of reading or writing a byte, in steps: a value of TypeScript costs more than its bytes if it has elements. */
const textStepsPerByte = 1 / 256;
const nestedStepsPerByte = 1 / 32;

function stepsPerByte(type: Type): number {
  return physicalType(type) !== "bytes" ? 0 : isNested(type) ? nestedStepsPerByte : textStepsPerByte;
}

/** Steps of reading arguments from which on a call may be left meanwhile. */
const largeArgumentSteps = 1_024;
/** Steps of a call that needs no record, because it takes little time again. */
const unrecordedStepsMax = 16;

/** Must run before a kernel that calls the function is loaded; idempotent. */
export function registerHostImplementation(runtime: KernelRuntime, binding: HostBinding): void {
  const { name } = binding;
  if (runtime.hasHost(name)) {
    return;
  }
  const { linear, work } = runtime;
  const host = new HostFunction(runtime, binding);
  runtime.registerHost(name, hostSignature, (errorBlockValue, arenaValue) => {
    const errorBlock = (errorBlockValue as number) >>> 0;
    const arena = (arenaValue as number) >>> 0;
    try {
      const status = host.run(errorBlock, arena);
      linear.u32[(errorBlock + sliceOverOffset) >>> 2] = work.isOver ? 1 : 0;
      return status;
    } catch (error) {
      return writeThrown(linear, errorBlock, error);
    }
  });
}

class HostFunction {
  readonly #runtime: KernelRuntime;
  readonly #call: HostCall;
  readonly #run: Implementation;
  readonly #steps: HostSteps | undefined;
  readonly #argSteps: readonly number[];
  readonly #resultSteps: number;

  constructor(runtime: KernelRuntime, { call: { argTypes, returnType }, implementation, name }: HostBinding) {
    this.#runtime = runtime;
    this.#call = { argTypes, returnType, work: runtime.work };
    this.#run = typeof implementation === "function" ? implementation : () => null;
    this.#steps = typeof implementation === "function" ? undefined : implementation.steps;
    this.#argSteps = argTypes.map(stepsPerByte);
    this.#resultSteps = stepsPerByte(returnType);
    assert(argTypes.length <= hostArgumentsMax, `${name} has more than ${hostArgumentsMax} arguments`);
  }

  run(errorBlock: Address, arena: Address): number {
    const { linear, work } = this.#runtime;
    const { argTypes } = this.#call;
    const { u32, u8 } = linear;
    let counted = 1;
    for (let index = 0; index < argTypes.length; index++) {
      const perByte = this.#argSteps[index] as number;
      const address = argumentAt(errorBlock, index);
      if (perByte !== 0 && u8[address + nullFlagOffset] !== 1) {
        counted += perByte * (u32[(address >>> 2) + 1] as number);
      }
    }
    if (counted >= largeArgumentSteps && work.isSliced) {
      return this.#give(this.#inSteps(errorBlock, arena, {}), errorBlock, arena, true);
    }
    work.count(Math.floor(counted));
    const args = argTypes.map((type, index) => {
      const address = argumentAt(errorBlock, index);
      return u8[address + nullFlagOffset] === 1 ? null : readHostValue(linear, address, type);
    });
    let result: HostValue;
    const steps = this.#steps;
    if (steps === undefined) {
      result = this.#run(args, this.#call, { errorBlock, arena });
    } else {
      const working = steps(args, this.#call);
      const first = working.next();
      if (first.done !== true) {
        return this.#give(this.#inSteps(errorBlock, arena, { args, working }), errorBlock, arena, work.isSliced);
      }
      work.count(unrecordedStepsMax);
      result = first.value;
    }
    if (this.#resultSteps !== 0 && isLarge(result) && work.isSliced) {
      return this.#give(this.#inSteps(errorBlock, arena, { made: { result } }), errorBlock, arena, true);
    }
    return this.#give(result, errorBlock, arena, false);
  }

  #argument(errorBlock: Address, index: number): HostValue {
    const { linear } = this.#runtime;
    const address = argumentAt(errorBlock, index);
    return linear.u8[address + nullFlagOffset] === 1 ? null : readHostValue(linear, address, this.#call.argTypes[index] as Type);
  }

  #give(result: HostValue, errorBlock: Address, arena: Address, isCounted: boolean): number {
    if (result === null) {
      return statusNull;
    }
    const runtime = this.#runtime;
    writeHostValue(runtime.linear, errorBlock + resultOffset, this.#call.returnType, result, (bytes) => {
      if (!isCounted) {
        runtime.work.count(Math.floor(this.#resultSteps * bytes));
      }
      return allocateFromArena(runtime, arena, bytes);
    });
    return statusValue;
  }

  #inSteps(errorBlock: Address, arena: Address, begun: Begun): HostValue {
    const { linear, work } = this.#runtime;
    const call = this.#call;
    const steps = this.#steps;
    const state = (errorBlock + drawStateOffset) >>> 3;
    return callInSteps(
      {
        work,
        linear,
        draws: {
          get: () => linear.i64[state] as bigint,
          set: (value) => {
            linear.i64[state] = value;
          },
        },
        returnType: call.returnType,
        argumentCount: call.argTypes.length,
        argument: (index) => {
          const slot = argumentAt(errorBlock, index);
          return this.#argSteps[index] === 0 || linear.u8[slot + nullFlagOffset] === 1
            ? { value: this.#argument(errorBlock, index) }
            : {
                type: call.argTypes[index] as Type,
                address: linear.u32[slot >>> 2] as number,
                length: linear.u32[(slot >>> 2) + 1] as number,
              };
        },
        run: (args) => this.#run(args, call, { errorBlock, arena }),
        steps: steps === undefined ? undefined : (args) => steps(args, call),
      },
      begun,
    );
  }
}

function argumentAt(errorBlock: Address, index: number): Address {
  return errorBlock + hostArgumentsOffset + hostArgumentBytes * index;
}

function writeThrown(linear: LinearMemory, errorBlock: Address, error: unknown): typeof statusError {
  if (error instanceof WrittenError) {
    return statusError;
  }
  if (isTooLarge(error)) {
    writeHostError(linear, errorBlock, new QueryError("EXCEEDED_FUNCTION_MEMORY_LIMIT", valueTooLargeMessage));
    return statusError;
  }
  if (error instanceof QueryError) {
    writeHostError(linear, errorBlock, error);
    return statusError;
  }
  throw error;
}

function mathSignature(parameterCount: number): KernelSignature {
  return { params: Array.from({ length: parameterCount }, () => "f64" as const), result: "f64" };
}

export function registerMath(runtime: KernelRuntime, binding: MathBinding): void {
  if (!runtime.hasHost(binding.name)) {
    const { fn } = binding;
    runtime.registerHost(binding.name, mathSignature(binding.parameterCount), (...args) => fn(...(args as number[])));
  }
}

export function emitMathCall(b: CodeBuilder, name: string, args: readonly Expr[]): Expr {
  return b.temp(b.call(b.kernel.host(name, mathSignature(args.length)), ...args));
}

/** Calls the host implementation registered under `name`. */
export function emitHostCall(context: EmitContext, name: string, args: readonly Value[], returnType: Type): Value {
  const { b, errorBlock } = context;
  for (const [index, arg] of args.entries()) {
    const offset = hostArgumentsOffset + hostArgumentBytes * index;
    storeParts(b, arg.type, errorBlock, arg.parts, offset);
    b.store("i32.store8", errorBlock, arg.isNull ?? i32.const(0), offset + nullFlagOffset);
  }
  const status = b.temp(b.call(b.kernel.host(name, hostSignature), errorBlock, context.arena));
  b.if_(i32.eq(status, i32.const(statusError)), () => context.raiseWritten());
  // Under a NULL the slot may hold a stale value of another type, so the address and length are cleared.
  if (physicalType(returnType) === "bytes") {
    b.if_(i32.eq(status, i32.const(statusNull)), () => b.store("i64.store", errorBlock, i64.const(0n), resultOffset));
  }
  const parts = loadParts(b, returnType, errorBlock, resultOffset);
  return { type: returnType, parts, isNull: b.temp(i32.eq(status, i32.const(statusNull))) };
}
