/**
 * The views over one memory of fixed size. Used by page/allocator.ts.
 */
import type { LinearMemory, WasmMemory } from "./memory.ts";

export class Views implements LinearMemory {
  readonly sizeBytes: number;
  readonly u8: Uint8Array;
  readonly i8: Int8Array;
  readonly i16: Int16Array;
  readonly u16: Uint16Array;
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  readonly i64: BigInt64Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  readonly view: DataView;

  constructor(readonly wasm: WasmMemory) {
    const buffer = wasm.buffer;
    this.sizeBytes = buffer.byteLength;
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
