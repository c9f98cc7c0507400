/**
 * Views over one memory of fixed size. Code that keeps them longer than a call must keep this object instead of the views, because the
 * views change when the memory is renewed.
 */
import type { LinearMemory, WasmMemory } from "./memory.ts";
import { assert } from "../protocol/errors.ts";

export class Views implements LinearMemory {
  readonly sizeBytes: number;
  #wasm: WasmMemory;
  u8!: Uint8Array;
  i8!: Int8Array;
  i16!: Int16Array;
  u16!: Uint16Array;
  i32!: Int32Array;
  u32!: Uint32Array;
  i64!: BigInt64Array;
  f32!: Float32Array;
  f64!: Float64Array;
  view!: DataView;

  constructor(wasm: WasmMemory) {
    this.sizeBytes = wasm.buffer.byteLength;
    this.#wasm = wasm;
    this.#open();
  }

  get wasm(): WasmMemory {
    return this.#wasm;
  }

  /** Replaces the views by those of another memory of the same size. */
  replace(wasm: WasmMemory): void {
    assert(wasm.buffer.byteLength === this.sizeBytes, "a memory is renewed by one of its size");
    this.#wasm = wasm;
    this.#open();
  }

  #open(): void {
    const { buffer } = this.#wasm;
    this.u8 = new Uint8Array(buffer);
    this.i8 = new Int8Array(buffer);
    this.i16 = new Int16Array(buffer);
    this.u16 = new Uint16Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.i64 = new BigInt64Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
    this.view = new DataView(buffer);
  }
}
