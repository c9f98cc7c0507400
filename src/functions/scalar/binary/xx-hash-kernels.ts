/**
 * Kernel code of xxHash64 (seed 0) over values of each type, as Trino's XX_HASH_64 operators define it; `checksum` adds up these hashes.
 * hashes.ts has the same hash of bytes in TypeScript.
 */
import { type CodeBuilder, f64, type FunctionRef, i32, i64, type KernelBuilder, type Local, select } from "../../../codegen/builder.ts";
import type { Expr } from "../../../codegen/ir.ts";
import type { NestedType } from "../../../types/nested/nested.ts";
import { displayType, innerTypes, isLongMoment, isNested, physicalType, type Type } from "../../../types/type.ts";
import { floorDivide64 } from "../datetime/date-kernels.ts";
import { emitElement, emitField, openArray, openMap } from "../../runtime/nested-kernels.ts";
import { canonicalBits } from "../../runtime/scalar-operations.ts";
import { part, type Value } from "../../runtime/value.ts";

/** The five primes of xxHash64; checksum multiplies by the first. */
export const xxPrimes = [0x9e3779b185ebca87n, 0xc2b2ae3d27d4eb4fn, 0x165667b19e3779f9n, 0x85ebca77c2b2ae63n, 0x27d4eb2f165667c5n] as const;

const [prime1, prime2, prime3, prime4, prime5] = xxPrimes.map((prime) => i64.const(prime)) as [Expr, Expr, Expr, Expr, Expr];
const laneBytes = 32;

function round(accumulator: Expr, word: Expr): Expr {
  return i64.mul(i64.rotl(i64.add(accumulator, i64.mul(word, prime2)), i64.const(31n)), prime1);
}

function takeWord(hash: Expr, word: Expr): Expr {
  return i64.add(i64.mul(i64.rotl(i64.xor(hash, round(i64.const(0n), word)), i64.const(27n)), prime1), prime4);
}

function avalanche(b: CodeBuilder, hash: Local): Expr {
  b.set(hash, i64.mul(i64.xor(hash, i64.shrU(hash, i64.const(33n))), prime2));
  b.set(hash, i64.mul(i64.xor(hash, i64.shrU(hash, i64.const(29n))), prime3));
  return i64.xor(hash, i64.shrU(hash, i64.const(32n)));
}

/** (i64) -> i64: hash of the number's eight bytes, little-endian. */
export function xxHashLong(k: KernelBuilder): FunctionRef {
  return k.function_("xxHash64 of a long", { params: ["i64"], result: "i64" }, (b, [word]) => {
    const hash = b.local("i64", takeWord(i64.add(prime5, i64.const(8n)), word as Expr));
    b.return_(avalanche(b, hash));
  });
}

/** (address, bytes) -> i64 */
export function xxHashBytes(k: KernelBuilder): FunctionRef {
  return k.function_("xxHash64 of bytes", { params: ["i32", "i32"], result: "i64" }, (b, params) => {
    const [address, rest] = params as readonly [Local, Local];
    const bytes = b.temp(i64.extendI32U(rest));
    const hash = b.local("i64", prime5);
    const take = (count: number, word: (address: Expr) => Expr, next: (word: Expr) => Expr) => {
      b.set(hash, next(word(address)));
      b.set(address, i32.add(address, i32.const(count)));
      b.set(rest, i32.sub(rest, i32.const(count)));
    };
    b.if_(i32.geU(rest, i32.const(laneBytes)), () => hashLanes(b, { address, rest, hash }));
    b.set(hash, i64.add(hash, bytes));
    b.while_(
      () => i32.geU(rest, i32.const(8)),
      () =>
        take(
          8,
          (at) => i64.load(at),
          (word) => takeWord(hash, word),
        ),
    );
    b.if_(i32.geU(rest, i32.const(4)), () =>
      take(
        4,
        (at) => i64.extendI32U(i32.load(at)),
        (word) => i64.add(i64.mul(i64.rotl(i64.xor(hash, i64.mul(word, prime1)), i64.const(23n)), prime2), prime3),
      ),
    );
    b.while_(
      () => rest,
      () =>
        take(
          1,
          (at) => i64.extendI32U(i32.load8u(at)),
          (byte) => i64.mul(i64.rotl(i64.xor(hash, i64.mul(byte, prime5)), i64.const(11n)), prime1),
        ),
    );
    b.return_(avalanche(b, hash));
  });
}

/** Hashes the whole 32-byte blocks, in four lanes of eight bytes. */
function hashLanes(b: CodeBuilder, { address, rest, hash }: { readonly address: Local; readonly rest: Local; readonly hash: Local }): void {
  const starts = [xxPrimes[0] + xxPrimes[1], xxPrimes[1], 0n, -xxPrimes[0]];
  const lanes = starts.map((start) => b.local("i64", i64.const(BigInt.asIntN(64, start))));
  b.while_(
    () => i32.geU(rest, i32.const(laneBytes)),
    () => {
      lanes.forEach((lane, index) => b.set(lane, round(lane, i64.load(address, 8 * index))));
      b.set(address, i32.add(address, i32.const(laneBytes)));
      b.set(rest, i32.sub(rest, i32.const(laneBytes)));
    },
  );
  const [first, second, third, fourth] = lanes.map((lane, index) => i64.rotl(lane, i64.const([1n, 7n, 12n, 18n][index] as bigint)));
  b.set(hash, i64.add(i64.add(first as Expr, second as Expr), i64.add(third as Expr, fourth as Expr)));
  for (const lane of lanes) {
    b.set(hash, i64.add(i64.mul(i64.xor(hash, round(i64.const(0n), lane)), prime1), prime4));
  }
}

const canonicalNaN32 = 0x7fc00000;
const nanosPrecision = 9;
const millisPrecision = 3;

function isNot(type: Type): never {
  throw new Error(`${displayType(type)} is not comparable`);
}

/** i64 hash of a value that is not NULL. */
export function emitXxHash(b: CodeBuilder, value: Value): Expr {
  const { type } = value;
  const hashLong = (word: Expr) => b.temp(b.call(xxHashLong(b.kernel), word));
  const hashBoth = (first: Expr, second: Expr) => i64.xor(hashLong(first), hashLong(second));
  if (isNested(type)) {
    return b.temp(b.call(xxHashNested(b.kernel, type), ...value.parts));
  }
  const x = part(value, 0);
  switch (type.kind) {
    case "real":
      return hashLong(i64.extendI32S(realBits(x)));
    case "double":
      return hashLong(canonicalBits(x));
    case "uuid":
    case "ipaddress":
      return hashBoth(i64.load(x), i64.load(x, 8));
    case "time with time zone":
      return hashLong(type.precision > nanosPrecision ? part(value, 1) : i64.divS(part(value, 1), i64.const(1000n)));
    case "timestamp with time zone":
      return emitMomentHash(b, type.precision, value, hashBoth);
    case "decimal":
    case "timestamp":
      return physicalType(type) === "i128" ? hashBoth(x, part(value, 1)) : hashLong(x);
    case "varchar":
    case "char":
    case "varbinary":
    case "json":
    case "ipprefix":
      return b.temp(b.call(xxHashBytes(b.kernel), x, part(value, 1)));
    case "boolean":
    case "tinyint":
    case "smallint":
    case "integer":
    case "date":
    case "interval year to month":
    case "color":
    case "unknown":
      return hashLong(i64.extendI32S(x));
    case "bigint":
    case "time":
    case "interval day to second":
    case "BingTile":
      return hashLong(x);
    case "function":
    case "HyperLogLog":
    case "P4HyperLogLog":
    case "tdigest":
    case "qdigest":
    case "setdigest":
    case "Geometry":
    case "SphericalGeography":
    case "Classifier":
    case "Regressor":
      return isNot(type);
  }
}

function realBits(x: Expr): Expr {
  const double = f64.promoteF32(x);
  const bits = select(f64.eq(double, f64.const(0)), i32.const(0), i32.reinterpretF32(x));
  return select(f64.ne(double, double), i32.const(canonicalNaN32), bits);
}

/** Only the instant is hashed: its milliseconds and, beyond three fraction digits, the picoseconds of the last millisecond. */
function emitMomentHash(b: CodeBuilder, precision: number, value: Value, hashBoth: (first: Expr, second: Expr) => Expr): Expr {
  const micros = part(value, 1);
  const millis = floorDivide64(b, micros, 1000n);
  if (precision <= millisPrecision) {
    return b.temp(b.call(xxHashLong(b.kernel), millis));
  }
  const picos = isLongMoment(value.type) ? i64.shrU(part(value, 0), i64.const(32n)) : i64.const(0n);
  const rest = i64.sub(micros, i64.mul(millis, i64.const(1000n)));
  return hashBoth(millis, i64.add(i64.mul(rest, i64.const(1_000_000n)), picos));
}

/** Hash of a component of a nested value; NULL is 0. */
function emitPartHash(b: CodeBuilder, value: Value): Expr {
  if (value.isNull === undefined) {
    return emitXxHash(b, value);
  }
  const hash = b.local("i64", i64.const(0n));
  b.if_(i32.eqz(value.isNull), () => b.set(hash, emitXxHash(b, value)));
  return hash;
}

/** (address, bytes) -> i64: arrays and rows depend on the order of elements, maps do not depend on the order of entries. */
function xxHashNested(k: KernelBuilder, type: NestedType): FunctionRef {
  return k.function_(`xxHash64 of ${displayType(type)}`, { params: ["i32", "i32"], result: "i64" }, (b, [address]) => {
    const hash = b.local("i64", i64.const(type.kind === "row" ? 1n : 0n));
    const append = (value: Value) => {
      const next = emitPartHash(b, value);
      b.set(hash, i64.add(i64.mul(hash, i64.const(31n)), next));
    };
    switch (type.kind) {
      case "row": {
        const types = innerTypes(type);
        types.forEach((_type, index) => append(emitField(b, types, address as Expr, index)));
        break;
      }
      case "array": {
        const array = openArray(b, type.element, address as Expr);
        b.forRange(i32.const(0), array.count, (index) => append(emitElement(b, array, index)));
        break;
      }
      case "map": {
        const map = openMap(b, type.key, type.value, address as Expr);
        b.forRange(i32.const(0), map.count, (index) => {
          const key = b.temp(emitPartHash(b, emitElement(b, map.keys, index)));
          const entry = emitPartHash(b, emitElement(b, map.values, index));
          b.set(hash, i64.add(hash, i64.xor(key, entry)));
        });
      }
    }
    b.return_(hash);
  });
}
