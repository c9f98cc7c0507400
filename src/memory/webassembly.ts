/**
 * The part of the WebAssembly API that the engine uses; the ES2023 library does not declare it. Only memory/ and codegen/ use it.
 */
import type { WasmMemory } from "./memory.ts";

export type WasmModule = { readonly [wasmModule]: true };
declare const wasmModule: unique symbol;

export interface WasmInstance {
  readonly exports: Readonly<Record<string, unknown>>;
}

interface WebAssemblyApi {
  readonly Memory: new (descriptor: { readonly initial: number; readonly maximum: number }) => WasmMemory;
  readonly Module: {
    new (bytes: Uint8Array): WasmModule;
    imports(module: WasmModule): readonly { readonly module: string; readonly name: string }[];
  };
  readonly Instance: new (module: WasmModule, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>) => WasmInstance;
  readonly RuntimeError: new (message: string) => Error;
}

// Looked up by name on the global object, so that this compiles with and without the platform's own declarations.
const api = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi }).WebAssembly;

export const wasm: WebAssemblyApi = api;
export const wasmPageBytes = 65536;

/** Creates a memory of fixed size, a multiple of 64 KiB. */
export function createMemory(sizeBytes: number): WasmMemory {
  const pages = sizeBytes / wasmPageBytes;
  return new wasm.Memory({ initial: pages, maximum: pages });
}
