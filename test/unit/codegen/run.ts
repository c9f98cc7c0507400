/**
 * Shared by the kernel tests: a small memory, and a runtime of each backend over memories with the same content.
 */
import { createNodeMemory } from "../../../src/memory/allocator.ts";
import { buildKernel, type FunctionRef, type KernelBuilder } from "../../../src/codegen/builder.ts";
import type { CompiledKernel, Kernel, KernelValue } from "../../../src/codegen/ir.ts";
import { type KernelBackend, KernelRuntime } from "../../../src/codegen/runtime.ts";
import { KernelTrap } from "../../../src/codegen/trap.ts";

export const backends: readonly KernelBackend[] = ["wasm", "interpreter"];

export function newRuntime(backend: KernelBackend, sizeBytes: number = 16 * 65536) {
  const memory = createNodeMemory({ sizeBytes });
  return { ...memory, runtime: new KernelRuntime({ linear: memory.linear, backend }) };
}

/** A kernel whose entry point passes its parameters to one library function. */
export function kernelOf(name: string, makeFunction: (k: KernelBuilder) => FunctionRef): Kernel {
  return buildKernel(name, (k) => {
    const target = makeFunction(k);
    const result = target.result;
    k.entry({ params: target.params, ...(result === undefined ? {} : { result }) }, (b, params) => {
      if (result === undefined) {
        b.do_(target, ...params);
      } else {
        b.return_(b.call(target, ...params));
      }
    });
  });
}

export type Outcome = { readonly value: KernelValue | undefined } | { readonly trap: string };

export function outcomeOf(kernel: CompiledKernel, args: readonly KernelValue[]): Outcome {
  try {
    return { value: kernel(...args) };
  } catch (error) {
    if (error instanceof KernelTrap) {
      return { trap: error.kind };
    }
    throw error;
  }
}
