/**
 * What a sink learns of a column while its rows pass: nulls, bytes, least and greatest value, and an estimate of the distinct values
 * (HyperLogLog of 32-bit hashes, 256 registers: about 7 % off). It travels in fragments as JSON and merges.
 */
import type { ColumnStatistics } from "../spi.ts";
import { estimateDistinct, mergedRegisters, raiseRegister } from "../../types/hyperloglog.ts";
import type { Type } from "../../types/type.ts";

const registerBits = 8;
const registers = 1 << registerBits;
/** Of a hash of zeros. */
const rankMax = 32 - registerBits + 1;
/** One character a register: its rank. */
const digits = "0123456789abcdefghijklmnopqrstuv";

/** Plain JSON. */
export interface ColumnSketch {
  readonly nulls: number;
  readonly bytes: number;
  readonly low?: number;
  readonly high?: number;
  readonly registers: string;
}

export const emptySketch: ColumnSketch = Object.freeze({ nulls: 0, bytes: 0, registers: digits.charAt(0).repeat(registers) });

/** Any one value in every row. */
export const singleValueSketch: ColumnSketch = Object.freeze({
  nulls: 0,
  bytes: 0,
  registers: digits.charAt(1) + digits.charAt(0).repeat(registers - 1),
});

/** A finalizer of MurmurHash3: every bit of the input affects every bit of the output. */
export function mix32(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

export class DistinctCounter {
  readonly #registers = new Uint8Array(registers);

  /** `hash`: 32 well mixed bits. */
  add(hash: number): void {
    const register = hash >>> (32 - registerBits);
    const rank = Math.clz32((hash << registerBits) | (1 << (registerBits - 1))) + 1;
    raiseRegister(this.#registers, register, rank);
  }

  text(): string {
    return textOf(this.#registers);
  }
}

function textOf(ranks: Uint8Array): string {
  return Array.from(ranks, (rank) => digits.charAt(rank)).join("");
}

function registersOf(text: string): Uint8Array {
  return Uint8Array.from(text, (digit) => digits.indexOf(digit));
}

export function mergeSketches(a: ColumnSketch, b: ColumnSketch): ColumnSketch {
  return {
    nulls: a.nulls + b.nulls,
    bytes: a.bytes + b.bytes,
    ...bound("low", Math.min, a.low, b.low),
    ...bound("high", Math.max, a.high, b.high),
    registers: textOf(mergedRegisters(registersOf(a.registers), registersOf(b.registers))),
  };
}

function bound(
  name: "low" | "high",
  choose: (a: number, b: number) => number,
  a: number | undefined,
  b: number | undefined,
): Pick<ColumnSketch, "low" | "high"> {
  if (a === undefined || b === undefined) {
    const value = a ?? b;
    return value === undefined ? {} : { [name]: value };
  }
  return { [name]: choose(a, b) };
}

/** Decimals are in whole units, as literals are. */
export function columnStatistics(sketch: ColumnSketch, type: Type, rows: number): ColumnStatistics {
  if (rows === 0) {
    return { distinctValues: 0, nullsFraction: 0 };
  }
  const unit = type.kind === "decimal" ? 10 ** type.scale : 1;
  const values = rows - sketch.nulls;
  const isText = type.kind === "varchar" || type.kind === "char" || type.kind === "varbinary";
  return {
    distinctValues: Math.min(values, estimateDistinct(registersOf(sketch.registers), rankMax)),
    nullsFraction: sketch.nulls / rows,
    ...(sketch.low === undefined ? {} : { low: sketch.low / unit }),
    ...(sketch.high === undefined ? {} : { high: sketch.high / unit }),
    ...(isText ? { averageBytes: values === 0 ? 0 : sketch.bytes / values } : {}),
  };
}
