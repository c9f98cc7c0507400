/**
 * HyperLogLog as values, in the bytes that airlift's library reads and writes. Sparse, tag 2: u8 bits of a bucket's number, u16 count, and
 * in order u32 entries of 26 bits of a hash and 6 bits of how many zeros follow them. Dense, tag 3: u8 bits, u8 the least of all buckets, 4
 * bits a bucket above it, u16 count of those with more, their u16 numbers, what they have more in u8. Little-endian. How many values there
 * were is read by linear counting of a sparse one, from the registers of a dense one (types/hyperloglog.ts).
 */
import { viewOf } from "../../types/bytes.ts";
import { estimateDistinct, mergedRegisters, raiseRegister } from "../../types/hyperloglog.ts";
import { invalidArgument } from "../runtime/nested-values.ts";

const [sparseTag, denseTag] = [2, 3];
/** 4096 buckets: a standard error of 1.6 %. */
export const defaultBits = 12;
const bitsMax = 16;
const prefixBits = 26;
const deltaMax = 15;

export interface HyperLogLog {
  readonly bits: number;
  /** Number of zeros after the first 26 bits of a hash, by those bits; undefined if the sketch is dense. */
  readonly sparse: Map<number, number> | undefined;
  /** By bucket: position of the first one bit after the index bits. */
  readonly registers: Uint8Array;
}

export function newHyperLogLog(bits: number): HyperLogLog {
  return { bits, sparse: new Map(), registers: new Uint8Array(0) };
}

function broken(): never {
  return invalidArgument("Invalid HyperLogLog");
}

/** Throws INVALID_FUNCTION_ARGUMENT. */
export function readHyperLogLog(bytes: Uint8Array): HyperLogLog {
  const [tag, bits = 0] = bytes;
  if (bits < 1 || bits > bitsMax || bytes.length < 4) {
    return broken();
  }
  return tag === sparseTag ? readSparse(bytes, bits) : tag === denseTag ? readDense(bytes, bits) : broken();
}

function readSparse(bytes: Uint8Array, bits: number): HyperLogLog {
  const view = viewOf(bytes);
  const count = view.getUint16(2, true);
  if (bytes.length !== 4 + 4 * count) {
    return broken();
  }
  const entries = Array.from({ length: count }, (_, index) => view.getUint32(4 + 4 * index, true));
  return { bits, sparse: new Map(entries.map((entry) => [entry >>> 6, entry & 63])), registers: new Uint8Array(0) };
}

function readDense(bytes: Uint8Array, bits: number): HyperLogLog {
  const buckets = 2 ** bits;
  const deltasBytes = Math.ceil(buckets / 2);
  const view = viewOf(bytes);
  const overflows = bytes.length < 5 + deltasBytes ? -1 : view.getUint16(3 + deltasBytes, true);
  if (overflows < 0 || bytes.length !== 5 + deltasBytes + 3 * overflows) {
    return broken();
  }
  const baseline = view.getUint8(2);
  const registers = Uint8Array.from({ length: buckets }, (_, bucket) => {
    const pair = view.getUint8(3 + (bucket >> 1));
    return baseline + (bucket % 2 === 0 ? pair >> 4 : pair & 15);
  });
  for (let index = 0; index < overflows; index++) {
    const bucket = view.getUint16(5 + deltasBytes + 2 * index, true);
    registers[bucket] = (registers[bucket] ?? broken()) + view.getUint8(5 + deltasBytes + 2 * overflows + index);
  }
  return { bits, sparse: undefined, registers };
}

export function writeHyperLogLog({ bits, sparse, registers }: HyperLogLog): Uint8Array {
  if (sparse !== undefined) {
    const entries = Uint32Array.from(sparse, ([prefix, zeros]) => prefix * 64 + zeros).sort();
    const view = new DataView(new ArrayBuffer(4 + 4 * entries.length));
    view.setUint8(0, sparseTag);
    view.setUint8(1, bits);
    view.setUint16(2, entries.length, true);
    entries.forEach((entry, index) => view.setUint32(4 + 4 * index, entry, true));
    return new Uint8Array(view.buffer);
  }
  const baseline = registers.reduce((least, value) => Math.min(least, value), 255);
  const deltasBytes = Math.ceil(registers.length / 2);
  const overflows = Array.from(registers.keys()).filter((bucket) => (registers[bucket] as number) - baseline > deltaMax);
  const view = new DataView(new ArrayBuffer(5 + deltasBytes + 3 * overflows.length));
  view.setUint8(0, denseTag);
  view.setUint8(1, bits);
  view.setUint8(2, baseline);
  const delta = (bucket: number) => Math.min(deltaMax, (registers[bucket] ?? baseline) - baseline);
  for (let pair = 0; pair < deltasBytes; pair++) {
    view.setUint8(3 + pair, delta(2 * pair) * 16 + delta(2 * pair + 1));
  }
  view.setUint16(3 + deltasBytes, overflows.length, true);
  overflows.forEach((bucket, index) => {
    view.setUint16(5 + deltasBytes + 2 * index, bucket, true);
    view.setUint8(5 + deltasBytes + 2 * overflows.length + index, (registers[bucket] as number) - baseline - deltaMax);
  });
  return new Uint8Array(view.buffer);
}

export function toDense(log: HyperLogLog): HyperLogLog {
  const { bits, sparse } = log;
  if (sparse === undefined) {
    return log;
  }
  const registers = new Uint8Array(2 ** bits);
  for (const [prefix, zeros] of sparse) {
    const bucket = prefix >>> (prefixBits - bits);
    const rest = prefix & (2 ** (prefixBits - bits) - 1);
    // If the rest is zero, the zeros after it count too.
    const value = rest === 0 ? prefixBits - bits + zeros + 1 : Math.clz32(rest) - (32 - (prefixBits - bits)) + 1;
    raiseRegister(registers, bucket, value);
  }
  return { bits, sparse: undefined, registers };
}

/** Converts to dense once that takes less space. */
function settled(log: HyperLogLog): HyperLogLog {
  return log.sparse !== undefined && 4 * log.sparse.size > 2 ** log.bits / 2 ? toDense(log) : log;
}

/** Adds 64-bit hashes, signed or unsigned. Modifies its argument. */
export function addHashes(given: HyperLogLog, hashes: readonly bigint[]): HyperLogLog {
  let log = given;
  for (const hash of hashes) {
    const [high, low] = [Number(BigInt.asUintN(32, hash >> 32n)), Number(BigInt.asUintN(32, hash))];
    if (log.sparse === undefined) {
      const bucket = high >>> (32 - log.bits);
      const rest = (high << log.bits) >>> 0;
      const zeros = rest === 0 ? 32 - log.bits + Math.min(32, Math.clz32(low)) : Math.clz32(rest);
      raiseRegister(log.registers, bucket, zeros + 1);
      continue;
    }
    const prefix = high >>> (32 - prefixBits);
    const rest = (high << prefixBits) >>> 0;
    const zeros = rest === 0 ? 32 - prefixBits + Math.clz32(low) : Math.clz32(rest);
    log.sparse.set(prefix, Math.max(log.sparse.get(prefix) ?? 0, zeros));
    log = settled(log);
  }
  return log;
}

/** Throws INVALID_FUNCTION_ARGUMENT if the sketches have different sizes. */
export function mergeLogs(one: HyperLogLog, other: HyperLogLog): HyperLogLog {
  if (one.bits !== other.bits) {
    invalidArgument(`Cannot merge HLLs with different number of buckets: ${2 ** one.bits} vs ${2 ** other.bits}`);
  }
  if (one.sparse !== undefined && other.sparse !== undefined) {
    const sparse = new Map(one.sparse);
    other.sparse.forEach((zeros, prefix) => sparse.set(prefix, Math.max(sparse.get(prefix) ?? 0, zeros)));
    return settled({ ...one, sparse });
  }
  return { bits: one.bits, sparse: undefined, registers: mergedRegisters(toDense(one).registers, toDense(other).registers) };
}

/** Estimated number of distinct hashes. */
export function estimate({ bits, sparse, registers }: HyperLogLog): bigint {
  if (sparse !== undefined) {
    const buckets = 2 ** prefixBits;
    return BigInt(Math.round(buckets * Math.log(buckets / (buckets - sparse.size))));
  }
  return BigInt(estimateDistinct(registers, 65 - bits));
}

/** CAST(HyperLogLog AS P4HyperLogLog). */
export function denseLog(bytes: Uint8Array): Uint8Array {
  return writeHyperLogLog(toDense(readHyperLogLog(bytes)));
}
