/**
 * Lambdas: the body is a kernel of its own, with the parameters and the captured columns in a frame of slots, and a function in TypeScript
 * calls it for each element.
 */
import type { HostFrame, HostLambda, HostSurroundings, HostValue, LambdaImplementation } from "../../functions/registry/definition.ts";
import { drawStateOffset, hostArgumentBytes, kernelError } from "../../functions/runtime/errors.ts";
import {
  allocateFromArena,
  readHostValue,
  registerHostImplementation,
  WrittenError,
  writeHostValue,
} from "../../functions/runtime/host.ts";
import { loadParts, storeParts } from "../../functions/runtime/memory-values.ts";
import { buildKernel, i32, type Local } from "../../codegen/builder.ts";
import type { CompiledKernel, Kernel } from "../../codegen/ir.ts";
import type { KernelRuntime } from "../../codegen/runtime.ts";
import { arenaCursorOffset, arenaLimitOffset } from "../../memory/arena.ts";
import type { Address } from "../../memory/memory.ts";
import type { Call, RowExpression } from "../../planner/plan/typed-expression.ts";
import { INTEGER, type Type, physicalType } from "../../types/type.ts";
import { ExpressionContext } from "./expression-compiler.ts";
import { inputsOf, type PreparedLambda, shapeOf } from "./prepare.ts";

const nullFlagOffset = 16;

/**
 * Arguments of the host function: the arguments that are not lambdas, then for each lambda the address of its constants and its captures.
 */
function hostArguments(call: Call, lambdas: readonly PreparedLambda[]): readonly Type[] {
  const plain = call.args.filter((arg) => arg.kind !== "lambda").map((arg) => arg.type);
  return [...plain, ...lambdas.flatMap((lambda) => [INTEGER, ...lambda.captures.map(({ type }) => type)])];
}

/** Call it before the kernel of the call is loaded. The host functions of the bodies must be registered already. */
export function registerLambdaCall(
  runtime: KernelRuntime,
  call: Call,
  {
    name,
    implementation,
    lambdas,
  }: { readonly name: string; readonly implementation: LambdaImplementation; readonly lambdas: readonly PreparedLambda[] },
): void {
  if (runtime.hasHost(name)) {
    return;
  }
  const kernels = lambdas.map((lambda) => runtime.load(`lambda ${shapeOf(lambda)}`, () => lambdaKernel(lambda)));
  const plainCount = call.args.length - lambdas.length;
  const types = call.args.map((arg) => arg.type);
  registerHostImplementation(runtime, {
    name,
    call: { argTypes: hostArguments(call, lambdas), returnType: call.type },
    implementation: (args, _call, frame) => {
      let next = plainCount;
      const functions = lambdas.map((lambda, index) => {
        const constants = (args[next] as number) >>> 0;
        const captured = args.slice(next + 1, next + 1 + lambda.captures.length);
        next += 1 + lambda.captures.length;
        return makeFunction(runtime, lambda, { kernel: kernels[index] as CompiledKernel, constants, captured, frame });
      });
      const [cursor, limit] = arenaMarks(runtime.linear, frame);
      const value = implementation(
        args.slice(0, plainCount),
        functions,
        { argTypes: types, returnType: call.type },
        surroundingsOf(runtime, frame),
      );
      if (arenaMarks(runtime.linear, frame)[1] === limit) {
        // The result has been read, so the next row reuses the slots of the lambdas.
        runtime.linear.u32[(frame.arena + arenaCursorOffset) >>> 2] = cursor;
      }
      return value;
    },
  });
}

/** Cursor and limit of the arena. */
function arenaMarks({ u32 }: KernelRuntime["linear"], { arena }: HostFrame): readonly [number, number] {
  return [u32[(arena + arenaCursorOffset) >>> 2] as number, u32[(arena + arenaLimitOffset) >>> 2] as number];
}

function surroundingsOf(runtime: KernelRuntime, { errorBlock }: HostFrame): HostSurroundings {
  const { linear, work } = runtime;
  const state = (errorBlock + drawStateOffset) >>> 3;
  return {
    work,
    draws: {
      get: () => linear.i64[state] as bigint,
      set: (value) => {
        linear.i64[state] = value;
      },
    },
    writtenError: () => kernelError(linear, errorBlock),
  };
}

interface Surroundings {
  readonly kernel: CompiledKernel;
  readonly constants: Address;
  readonly captured: readonly HostValue[];
  readonly frame: HostFrame;
}

function makeFunction(runtime: KernelRuntime, lambda: PreparedLambda, { kernel, constants, captured, frame }: Surroundings): HostLambda {
  const { linear, work } = runtime;
  const { errorBlock, arena } = frame;
  const types = inputsOf(lambda).map(({ type }) => type);
  const resultType = (lambda.code.expressions[0] as RowExpression).type;
  let slots: Address | undefined;
  const allocate = (bytes: number) => allocateFromArena(runtime, arena, bytes);
  const put = (frameAddress: Address, slot: number, value: HostValue): void => {
    const address = frameAddress + hostArgumentBytes * slot;
    const type = types[slot] as Type;
    linear.u8[address + nullFlagOffset] = value === null ? 1 : 0;
    if (value !== null) {
      writeHostValue(linear, address, type, value, allocate);
      if (physicalType(type) === "bytes") {
        work.wrote(linear.u32[(address >>> 2) + 1] as number);
      }
    } else if (physicalType(type) === "bytes") {
      // Under a NULL the value is unspecified but must be readable: the slot's old content may not be an address.
      linear.u32[address >>> 2] = 0;
      linear.u32[(address >>> 2) + 1] = 0;
    }
  };
  /** Allocated with the first call: many lambdas are never called for a row. */
  const openSlots = (): Address => {
    const address = allocate(hostArgumentBytes * (types.length + 1));
    captured.forEach((value, index) => put(address, lambda.parameters.length + index, value));
    return address;
  };
  return (...args) => {
    slots ??= openSlots();
    const inputs = slots;
    const result = inputs + hostArgumentBytes * types.length;
    const cursor = linear.u32[(arena + arenaCursorOffset) >>> 2] as number;
    const limit = linear.u32[(arena + arenaLimitOffset) >>> 2] as number;
    lambda.parameters.forEach((_parameter, index) => put(inputs, index, args[index] ?? null));
    if (kernel(inputs, errorBlock, arena, constants) !== 0) {
      throw new WrittenError();
    }
    const value = linear.u8[result + nullFlagOffset] === 1 ? null : readHostValue(linear, result, resultType);
    if (linear.u32[(arena + arenaLimitOffset) >>> 2] === limit) {
      // The result has been read, so the next call reuses the arena space of this one.
      linear.u32[(arena + arenaCursorOffset) >>> 2] = cursor;
    }
    return value;
  };
}

/**
 * Parameters: frame, error block, arena, constants. Returns 0, or 1 after an error. The frame has one slot per input and one for the
 * result.
 */
function lambdaKernel(lambda: PreparedLambda): Kernel {
  const inputs = inputsOf(lambda);
  const { code } = lambda;
  return buildKernel("lambda", (k) => {
    k.entry({ params: ["i32", "i32", "i32", "i32"], result: "i32" }, (b, params) => {
      const [frame, errorBlock, arena, constants] = params as readonly [Local, Local, Local, Local];
      const context = new ExpressionContext(b, code, { errorBlock, arena, constants });
      const values = new Map(
        inputs.map(({ name, type }, index) => {
          const offset = hostArgumentBytes * index;
          return [name, { type, parts: loadParts(b, type, frame, offset), isNull: b.temp(i32.load8u(frame, offset + nullFlagOffset)) }];
        }),
      );
      context.guarded(() => {
        const value = context.emit(code.expressions[0] as RowExpression, ({ name }) => {
          const found = values.get(name);
          if (found === undefined) {
            throw new Error(`lambda reads ${name}, which is no input`);
          }
          return found;
        });
        const offset = hostArgumentBytes * inputs.length;
        storeParts(b, value.type, frame, value.parts, offset);
        b.store("i32.store8", frame, value.isNull ?? i32.const(0), offset + nullFlagOffset);
        b.return_(i32.const(0));
      });
      b.return_(i32.const(1));
    });
  });
}
