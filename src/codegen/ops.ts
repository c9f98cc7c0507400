/**
 * Each operation of kernel code with its WebAssembly encoding and its types: the table that the emitter and the validator share.
 */
import type { BinaryOp, LoadOp, StoreOp, UnaryOp, ValueType } from "./ir.ts";

export interface UnaryOpEntry {
  readonly code: readonly number[];
  readonly from: ValueType;
  readonly to: ValueType;
}

export interface BinaryOpEntry {
  readonly code: readonly number[];
  readonly operands: ValueType;
  readonly to: ValueType;
}

export interface MemoryOpEntry {
  readonly code: readonly number[];
  readonly type: ValueType;
  /** Bytes read or written. */
  readonly bytes: number;
}

// One line per operation, as a table.
// biome-ignore-start format: a table
export const unaryOps: Readonly<Record<UnaryOp, UnaryOpEntry>> = Object.freeze({
  "i32.eqz": { code: [0x45], from: "i32", to: "i32" },
  "i32.clz": { code: [0x67], from: "i32", to: "i32" },
  "i32.ctz": { code: [0x68], from: "i32", to: "i32" },
  "i32.popcnt": { code: [0x69], from: "i32", to: "i32" },
  "i64.eqz": { code: [0x50], from: "i64", to: "i32" },
  "i64.clz": { code: [0x79], from: "i64", to: "i64" },
  "i64.ctz": { code: [0x7a], from: "i64", to: "i64" },
  "i64.popcnt": { code: [0x7b], from: "i64", to: "i64" },
  "i32.wrap_i64": { code: [0xa7], from: "i64", to: "i32" },
  "i64.extend_i32_s": { code: [0xac], from: "i32", to: "i64" },
  "i64.extend_i32_u": { code: [0xad], from: "i32", to: "i64" },
  "i32.extend8_s": { code: [0xc0], from: "i32", to: "i32" },
  "i32.extend16_s": { code: [0xc1], from: "i32", to: "i32" },
  "i64.extend8_s": { code: [0xc2], from: "i64", to: "i64" },
  "i64.extend16_s": { code: [0xc3], from: "i64", to: "i64" },
  "i64.extend32_s": { code: [0xc4], from: "i64", to: "i64" },
  "f32.abs": { code: [0x8b], from: "f32", to: "f32" },
  "f32.neg": { code: [0x8c], from: "f32", to: "f32" },
  "f32.ceil": { code: [0x8d], from: "f32", to: "f32" },
  "f32.floor": { code: [0x8e], from: "f32", to: "f32" },
  "f32.trunc": { code: [0x8f], from: "f32", to: "f32" },
  "f32.nearest": { code: [0x90], from: "f32", to: "f32" },
  "f32.sqrt": { code: [0x91], from: "f32", to: "f32" },
  "f64.abs": { code: [0x99], from: "f64", to: "f64" },
  "f64.neg": { code: [0x9a], from: "f64", to: "f64" },
  "f64.ceil": { code: [0x9b], from: "f64", to: "f64" },
  "f64.floor": { code: [0x9c], from: "f64", to: "f64" },
  "f64.trunc": { code: [0x9d], from: "f64", to: "f64" },
  "f64.nearest": { code: [0x9e], from: "f64", to: "f64" },
  "f64.sqrt": { code: [0x9f], from: "f64", to: "f64" },
  "f64.promote_f32": { code: [0xbb], from: "f32", to: "f64" },
  "f32.demote_f64": { code: [0xb6], from: "f64", to: "f32" },
  "f64.convert_i32_s": { code: [0xb7], from: "i32", to: "f64" },
  "f64.convert_i32_u": { code: [0xb8], from: "i32", to: "f64" },
  "f64.convert_i64_s": { code: [0xb9], from: "i64", to: "f64" },
  "f64.convert_i64_u": { code: [0xba], from: "i64", to: "f64" },
  "f32.convert_i32_s": { code: [0xb2], from: "i32", to: "f32" },
  "f32.convert_i64_s": { code: [0xb4], from: "i64", to: "f32" },
  "i32.trunc_sat_f64_s": { code: [0xfc, 2], from: "f64", to: "i32" },
  "i64.trunc_sat_f64_s": { code: [0xfc, 6], from: "f64", to: "i64" },
  "i32.trunc_sat_f32_s": { code: [0xfc, 0], from: "f32", to: "i32" },
  "i64.trunc_sat_f32_s": { code: [0xfc, 4], from: "f32", to: "i64" },
  "i32.reinterpret_f32": { code: [0xbc], from: "f32", to: "i32" },
  "f32.reinterpret_i32": { code: [0xbe], from: "i32", to: "f32" },
  "i64.reinterpret_f64": { code: [0xbd], from: "f64", to: "i64" },
  "f64.reinterpret_i64": { code: [0xbf], from: "i64", to: "f64" },
  "i8x16.splat": { code: [0xfd, 15], from: "i32", to: "v128" },
  "i8x16.bitmask": { code: [0xfd, 100], from: "v128", to: "i32" },
  "v128.any_true": { code: [0xfd, 83], from: "v128", to: "i32" },
});

export const binaryOps: Readonly<Record<BinaryOp, BinaryOpEntry>> = Object.freeze({
  "i32.add": { code: [0x6a], operands: "i32", to: "i32" },
  "i32.sub": { code: [0x6b], operands: "i32", to: "i32" },
  "i32.mul": { code: [0x6c], operands: "i32", to: "i32" },
  "i32.div_s": { code: [0x6d], operands: "i32", to: "i32" },
  "i32.div_u": { code: [0x6e], operands: "i32", to: "i32" },
  "i32.rem_s": { code: [0x6f], operands: "i32", to: "i32" },
  "i32.rem_u": { code: [0x70], operands: "i32", to: "i32" },
  "i32.and": { code: [0x71], operands: "i32", to: "i32" },
  "i32.or": { code: [0x72], operands: "i32", to: "i32" },
  "i32.xor": { code: [0x73], operands: "i32", to: "i32" },
  "i32.shl": { code: [0x74], operands: "i32", to: "i32" },
  "i32.shr_s": { code: [0x75], operands: "i32", to: "i32" },
  "i32.shr_u": { code: [0x76], operands: "i32", to: "i32" },
  "i32.rotl": { code: [0x77], operands: "i32", to: "i32" },
  "i32.rotr": { code: [0x78], operands: "i32", to: "i32" },
  "i32.eq": { code: [0x46], operands: "i32", to: "i32" },
  "i32.ne": { code: [0x47], operands: "i32", to: "i32" },
  "i32.lt_s": { code: [0x48], operands: "i32", to: "i32" },
  "i32.lt_u": { code: [0x49], operands: "i32", to: "i32" },
  "i32.gt_s": { code: [0x4a], operands: "i32", to: "i32" },
  "i32.gt_u": { code: [0x4b], operands: "i32", to: "i32" },
  "i32.le_s": { code: [0x4c], operands: "i32", to: "i32" },
  "i32.le_u": { code: [0x4d], operands: "i32", to: "i32" },
  "i32.ge_s": { code: [0x4e], operands: "i32", to: "i32" },
  "i32.ge_u": { code: [0x4f], operands: "i32", to: "i32" },
  "i64.add": { code: [0x7c], operands: "i64", to: "i64" },
  "i64.sub": { code: [0x7d], operands: "i64", to: "i64" },
  "i64.mul": { code: [0x7e], operands: "i64", to: "i64" },
  "i64.div_s": { code: [0x7f], operands: "i64", to: "i64" },
  "i64.div_u": { code: [0x80], operands: "i64", to: "i64" },
  "i64.rem_s": { code: [0x81], operands: "i64", to: "i64" },
  "i64.rem_u": { code: [0x82], operands: "i64", to: "i64" },
  "i64.and": { code: [0x83], operands: "i64", to: "i64" },
  "i64.or": { code: [0x84], operands: "i64", to: "i64" },
  "i64.xor": { code: [0x85], operands: "i64", to: "i64" },
  "i64.shl": { code: [0x86], operands: "i64", to: "i64" },
  "i64.shr_s": { code: [0x87], operands: "i64", to: "i64" },
  "i64.shr_u": { code: [0x88], operands: "i64", to: "i64" },
  "i64.rotl": { code: [0x89], operands: "i64", to: "i64" },
  "i64.rotr": { code: [0x8a], operands: "i64", to: "i64" },
  "i64.eq": { code: [0x51], operands: "i64", to: "i32" },
  "i64.ne": { code: [0x52], operands: "i64", to: "i32" },
  "i64.lt_s": { code: [0x53], operands: "i64", to: "i32" },
  "i64.lt_u": { code: [0x54], operands: "i64", to: "i32" },
  "i64.gt_s": { code: [0x55], operands: "i64", to: "i32" },
  "i64.gt_u": { code: [0x56], operands: "i64", to: "i32" },
  "i64.le_s": { code: [0x57], operands: "i64", to: "i32" },
  "i64.le_u": { code: [0x58], operands: "i64", to: "i32" },
  "i64.ge_s": { code: [0x59], operands: "i64", to: "i32" },
  "i64.ge_u": { code: [0x5a], operands: "i64", to: "i32" },
  "f32.add": { code: [0x92], operands: "f32", to: "f32" },
  "f32.sub": { code: [0x93], operands: "f32", to: "f32" },
  "f32.mul": { code: [0x94], operands: "f32", to: "f32" },
  "f32.div": { code: [0x95], operands: "f32", to: "f32" },
  "f32.min": { code: [0x96], operands: "f32", to: "f32" },
  "f32.max": { code: [0x97], operands: "f32", to: "f32" },
  "f32.copysign": { code: [0x98], operands: "f32", to: "f32" },
  "f32.eq": { code: [0x5b], operands: "f32", to: "i32" },
  "f32.ne": { code: [0x5c], operands: "f32", to: "i32" },
  "f32.lt": { code: [0x5d], operands: "f32", to: "i32" },
  "f32.gt": { code: [0x5e], operands: "f32", to: "i32" },
  "f32.le": { code: [0x5f], operands: "f32", to: "i32" },
  "f32.ge": { code: [0x60], operands: "f32", to: "i32" },
  "f64.add": { code: [0xa0], operands: "f64", to: "f64" },
  "f64.sub": { code: [0xa1], operands: "f64", to: "f64" },
  "f64.mul": { code: [0xa2], operands: "f64", to: "f64" },
  "f64.div": { code: [0xa3], operands: "f64", to: "f64" },
  "f64.min": { code: [0xa4], operands: "f64", to: "f64" },
  "f64.max": { code: [0xa5], operands: "f64", to: "f64" },
  "f64.copysign": { code: [0xa6], operands: "f64", to: "f64" },
  "f64.eq": { code: [0x61], operands: "f64", to: "i32" },
  "f64.ne": { code: [0x62], operands: "f64", to: "i32" },
  "f64.lt": { code: [0x63], operands: "f64", to: "i32" },
  "f64.gt": { code: [0x64], operands: "f64", to: "i32" },
  "f64.le": { code: [0x65], operands: "f64", to: "i32" },
  "f64.ge": { code: [0x66], operands: "f64", to: "i32" },
  "i8x16.eq": { code: [0xfd, 35], operands: "v128", to: "v128" },
  "i8x16.lt_u": { code: [0xfd, 38], operands: "v128", to: "v128" },
  "i8x16.sub": { code: [0xfd, 113], operands: "v128", to: "v128" },
  "v128.and": { code: [0xfd, 78], operands: "v128", to: "v128" },
  "v128.or": { code: [0xfd, 80], operands: "v128", to: "v128" },
  "v128.xor": { code: [0xfd, 81], operands: "v128", to: "v128" },
});

export const loadOps: Readonly<Record<LoadOp, MemoryOpEntry>> = Object.freeze({
  "i32.load": { code: [0x28], type: "i32", bytes: 4 },
  "i64.load": { code: [0x29], type: "i64", bytes: 8 },
  "f32.load": { code: [0x2a], type: "f32", bytes: 4 },
  "f64.load": { code: [0x2b], type: "f64", bytes: 8 },
  "i32.load8_s": { code: [0x2c], type: "i32", bytes: 1 },
  "i32.load8_u": { code: [0x2d], type: "i32", bytes: 1 },
  "i32.load16_s": { code: [0x2e], type: "i32", bytes: 2 },
  "i32.load16_u": { code: [0x2f], type: "i32", bytes: 2 },
  "i64.load8_s": { code: [0x30], type: "i64", bytes: 1 },
  "i64.load8_u": { code: [0x31], type: "i64", bytes: 1 },
  "i64.load16_s": { code: [0x32], type: "i64", bytes: 2 },
  "i64.load16_u": { code: [0x33], type: "i64", bytes: 2 },
  "i64.load32_s": { code: [0x34], type: "i64", bytes: 4 },
  "i64.load32_u": { code: [0x35], type: "i64", bytes: 4 },
  "v128.load": { code: [0xfd, 0], type: "v128", bytes: 16 },
});

export const storeOps: Readonly<Record<StoreOp, MemoryOpEntry>> = Object.freeze({
  "i32.store": { code: [0x36], type: "i32", bytes: 4 },
  "i64.store": { code: [0x37], type: "i64", bytes: 8 },
  "f32.store": { code: [0x38], type: "f32", bytes: 4 },
  "f64.store": { code: [0x39], type: "f64", bytes: 8 },
  "i32.store8": { code: [0x3a], type: "i32", bytes: 1 },
  "i32.store16": { code: [0x3b], type: "i32", bytes: 2 },
  "i64.store8": { code: [0x3c], type: "i64", bytes: 1 },
  "i64.store16": { code: [0x3d], type: "i64", bytes: 2 },
  "i64.store32": { code: [0x3e], type: "i64", bytes: 4 },
  "v128.store": { code: [0xfd, 11], type: "v128", bytes: 16 },
});
// biome-ignore-end format: a table
