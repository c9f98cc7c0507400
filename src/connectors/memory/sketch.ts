/**
 * What a sink learns of a column while its rows pass: nulls, bytes, least and greatest value, and an estimate of the distinct values
 * (HyperLogLog, 256 registers: about 7 % off). It travels in fragments as JSON and merges. Used by column-writer.ts and catalog.ts.
 */
import type { ColumnStatistics } from "../spi.ts";
import type { Type } from "../../types/type.ts";

const registerBits = 8;
const registers = 1 << registerBits;
/** One character a register. */
const digits = "0123456789abcdefghijklmnopqrstuv";

/** As JSON. */
export interface ColumnSketch {
  readonly nulls: number;
  readonly bytes: number;
  readonly low?: number;
  readonly high?: number;
  readonly registers: string;
}

export const emptySketch: ColumnSketch = Object.freeze({ nulls: 0, bytes: 0, registers: digits.charAt(0).repeat(registers) });

/** The same value in every row, whatever it is. */
export const singleValueSketch: ColumnSketch = Object.freeze({
  nulls: 0,
  bytes: 0,
  registers: digits.charAt(1) + digits.charAt(0).repeat(registers - 1),
});

/** A finalizer of MurmurHash3: every bit of the input moves every bit of the output. */
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
    const zeros = Math.clz32((hash << registerBits) | (1 << (registerBits - 1))) + 1;
    if (zeros > (this.#registers[register] as number)) {
      this.#registers[register] = zeros;
    }
  }

  text(): string {
    return Array.from(this.#registers, (value) => digits.charAt(value)).join("");
  }
}

export function mergeSketches(a: ColumnSketch, b: ColumnSketch): ColumnSketch {
  let merged = "";
  for (let index = 0; index < registers; index++) {
    const left = a.registers.charAt(index);
    const right = b.registers.charAt(index);
    merged += left > right ? left : right;
  }
  return {
    nulls: a.nulls + b.nulls,
    bytes: a.bytes + b.bytes,
    ...bound("low", Math.min, a.low, b.low),
    ...bound("high", Math.max, a.high, b.high),
    registers: merged,
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

/** Decimals count in whole units, as literals do. */
export function columnStatistics(sketch: ColumnSketch, type: Type, rows: number): ColumnStatistics {
  if (rows === 0) {
    return { distinctValues: 0, nullsFraction: 0 };
  }
  const unit = type.kind === "decimal" ? 10 ** type.scale : 1;
  const values = rows - sketch.nulls;
  const isText = type.kind === "varchar" || type.kind === "char" || type.kind === "varbinary";
  return {
    distinctValues: Math.min(values, estimate(sketch.registers)),
    nullsFraction: sketch.nulls / rows,
    ...(sketch.low === undefined ? {} : { low: sketch.low / unit }),
    ...(sketch.high === undefined ? {} : { high: sketch.high / unit }),
    ...(isText ? { averageBytes: values === 0 ? 0 : sketch.bytes / values } : {}),
  };
}

function estimate(text: string): number {
  let inverse = 0;
  let zeros = 0;
  for (const character of text) {
    const value = digits.indexOf(character);
    inverse += 2 ** -value;
    zeros += value === 0 ? 1 : 0;
  }
  const raw = ((0.7213 / (1 + 1.079 / registers)) * registers * registers) / inverse;
  // Few values: counting the registers that were never hit is more exact.
  return Math.round(raw <= 2.5 * registers && zeros > 0 ? registers * Math.log(registers / zeros) : raw);
}
