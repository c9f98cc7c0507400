/**
 * approx_distinct: HyperLogLog over 64-bit hashes with Ertl's improved estimator (arXiv:1702.01284), which needs no correction for small or
 * large cardinalities. A state keeps the first few hashes themselves, so that small groups are exact and cheap.
 *
 * The registers and the estimator of types/hyperloglog.ts stand here once more as kernel code, because a state lies in the accounted memory
 * of its group table and is added to, merged and read inside the aggregation's kernel: TypeScript would be one call out of the kernel for
 * each row and each group.
 */
import { type CodeBuilder, f64, type FunctionRef, i32, i64, type KernelBuilder } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import { hash64 } from "../../codegen/library.ts";
import { BIGINT, INTEGER, VARBINARY } from "../../types/type.ts";
import type { AggregateImplementation } from "../registry/aggregate.ts";
import type { EmitContext } from "../runtime/emit.ts";
import { emitHash } from "../runtime/operations.ts";
import { part, type Value, valueOf } from "../runtime/value.ts";

/**
 * State: u32 number of hashes kept, u32 address of the registers or 0, u32 number of hash bits that select a register (0 before the first
 * row), 4 bytes unused, the hashes.
 */
const registersOffset = 4;
const bitsOffset = 8;
const hashesOffset = 16;
const hashesMax = 16;
const stateBytes = hashesOffset + 8 * hashesMax;

/** The standard error is 1.04 / sqrt(registers): 2.3 % by default, as in Presto. */
const defaultBits = 11;
/** The registers take more bytes than the hashes, so the length of an intermediate tells which of them it holds. */
const bitsMin = 8;
const bitsMax = 16;
const standardErrorMin = 0.0040625;
const standardErrorMax = 0.26;
const seed = i64.const(0x9e3779b97f4a7c15n);

/**
 * (registers, bits, hash): the first bits of the hash select the register; it keeps the maximum number of leading zeros of the remaining
 * bits.
 */
function updateRegister(kernel: KernelBuilder): FunctionRef {
  return kernel.function_("distinct.update", { params: ["i32", "i32", "i64"] }, (b, params) => {
    const [registers, bits, hash] = params as readonly [Expr, Expr, Expr];
    const wide = b.temp(i64.extendI32U(bits));
    const address = b.temp(i32.add(registers, i32.wrapI64(i64.shrU(hash, i64.sub(i64.const(64n), wide)))));
    const stop = i64.shl(i64.const(1n), i64.sub(wide, i64.const(1n)));
    const rank = b.temp(i32.add(i32.wrapI64(i64.clz(i64.or(i64.shl(hash, wide), stop))), i32.const(1)));
    b.if_(i32.gtU(rank, i32.load8u(address)), () => b.store("i32.store8", address, rank));
  });
}

/** Replaces the kept hashes by registers and inserts the hashes into them. */
function emitSpread(context: EmitContext, state: Expr): void {
  const { b } = context;
  const bits = b.temp(i32.load(state, bitsOffset));
  const size = b.temp(i32.shl(i32.const(1), bits));
  const registers = b.temp(context.allocate(size));
  b.fillBytes(registers, i32.const(0), size);
  b.store("i32.store", state, registers, registersOffset);
  b.forRange(i32.const(0), i32.load(state), (index) =>
    b.do_(updateRegister(b.kernel), registers, bits, i64.load(i32.add(state, i32.shl(index, i32.const(3))), hashesOffset)),
  );
}

function emitInsert(context: EmitContext, state: Expr, hash: Expr): void {
  const { b } = context;
  b.block((done) => {
    b.if_(i32.eqz(i32.load(state, registersOffset)), () => {
      const count = b.temp(i32.load(state));
      b.forRange(i32.const(0), count, (index) => {
        b.break_(done, i64.eq(i64.load(i32.add(state, i32.shl(index, i32.const(3))), hashesOffset), hash));
      });
      b.if_(i32.ltU(count, i32.const(hashesMax)), () => {
        b.store("i64.store", i32.add(state, i32.shl(count, i32.const(3))), hash, hashesOffset);
        b.store("i32.store", state, i32.add(count, i32.const(1)));
        b.break_(done);
      });
      emitSpread(context, state);
    });
    b.do_(updateRegister(b.kernel), i32.load(state, registersOffset), i32.load(state, bitsOffset), hash);
  });
}

/** The smallest number of bits whose standard error is within the requested one. */
function emitBits(context: EmitContext, state: Expr, standardError: Expr | undefined): void {
  const { b } = context;
  b.if_(i32.eqz(i32.load(state, bitsOffset)), () => {
    if (standardError === undefined) {
      return b.store("i32.store", state, i32.const(defaultBits), bitsOffset);
    }
    const isWanted = i32.and(f64.ge(standardError, f64.const(standardErrorMin)), f64.le(standardError, f64.const(standardErrorMax)));
    b.if_(i32.eqz(isWanted), () => context.raise("STANDARD_ERROR", standardError));
    const bits = b.local("i32", i32.const(bitsMin));
    const registers = () => f64.convertI32S(i32.shl(i32.const(1), bits));
    b.while_(
      () => i32.and(i32.ltU(bits, i32.const(bitsMax)), f64.gt(f64.const(1.04), f64.mul(standardError, f64.sqrt(registers())))),
      () => b.set(bits, i32.add(bits, i32.const(1))),
    );
    b.store("i32.store", state, bits, bitsOffset);
  });
}

function emitMergeRegisters(context: EmitContext, state: Expr, address: Expr, length: Expr): void {
  const { b } = context;
  b.if_(i32.eqz(i32.load(state, registersOffset)), () => emitSpread(context, state));
  const registers = b.temp(i32.load(state, registersOffset));
  b.forRange(i32.const(0), length, (index) => {
    const other = b.temp(i32.load8u(i32.add(address, index)));
    b.if_(i32.gtU(other, i32.load8u(i32.add(registers, index))), () => b.store("i32.store8", i32.add(registers, index), other));
  });
}

/** Ertl's sigma function: sums x^(2^k) 2^(k-1) until the sum no longer changes. */
function sigma(b: CodeBuilder, start: Expr): Expr {
  const [x, y, z, old] = [b.local("f64", start), b.local("f64", f64.const(1)), b.local("f64", start), b.local("f64", f64.const(-1))];
  b.while_(
    () => i32.and(f64.ne(z, old), f64.lt(x, f64.const(1))),
    () => {
      b.set(x, f64.mul(x, x));
      b.set(old, z);
      b.set(z, f64.add(z, f64.mul(x, y)));
      b.set(y, f64.add(y, y));
    },
  );
  return z;
}

function tau(b: CodeBuilder, start: Expr): Expr {
  const [x, y, z, old] = [
    b.local("f64", start),
    b.local("f64", f64.const(1)),
    b.local("f64", f64.sub(f64.const(1), start)),
    b.local("f64", f64.const(-1)),
  ];
  b.if_(f64.le(x, f64.const(0)), () => b.set(z, f64.const(0)));
  b.while_(
    () => f64.ne(z, old),
    () => {
      b.set(x, f64.sqrt(x));
      b.set(old, z);
      b.set(y, f64.mul(y, f64.const(0.5)));
      const rest = b.temp(f64.sub(f64.const(1), x));
      const isStill = f64.le(x, f64.const(0));
      b.if_(i32.eqz(isStill), () => b.set(z, f64.sub(z, f64.mul(f64.mul(rest, rest), y))));
    },
  );
  return b.temp(f64.div(z, f64.const(3)));
}

/** i64 estimate. `counts` is scratch memory: a u32 for each register value from 0 to 65. */
function emitEstimate({ b }: EmitContext, state: Expr, counts: Expr): Expr {
  const bits = b.temp(i32.load(state, bitsOffset));
  const size = b.temp(i32.shl(i32.const(1), bits));
  const registers = b.temp(i32.load(state, registersOffset));
  const countAt = (rank: Expr) => i32.add(counts, i32.shl(rank, i32.const(2)));
  b.forRange(i32.const(0), i32.const(66), (rank) => b.store("i32.store", countAt(rank), i32.const(0)));
  b.forRange(i32.const(0), size, (index) => {
    const at = b.temp(countAt(i32.load8u(i32.add(registers, index))));
    b.store("i32.store", at, i32.add(i32.load(at), i32.const(1)));
  });
  const m = b.temp(f64.convertI32S(size));
  const share = (rank: Expr) => f64.div(f64.convertI32S(i32.load(countAt(rank))), m);
  const last = b.temp(i32.sub(i32.const(65), bits));
  const z = b.local("f64", f64.mul(m, tau(b, b.temp(f64.sub(f64.const(1), share(last))))));
  const rank = b.local("i32", i32.sub(last, i32.const(1)));
  b.while_(
    () => i32.gtS(rank, i32.const(0)),
    () => {
      b.set(z, f64.mul(f64.const(0.5), f64.add(z, f64.convertI32S(i32.load(countAt(rank))))));
      b.set(rank, i32.sub(rank, i32.const(1)));
    },
  );
  b.set(z, f64.add(z, f64.mul(m, sigma(b, b.temp(share(i32.const(0)))))));
  const estimate = f64.div(f64.mul(f64.mul(m, m), f64.const(0.5 / Math.LN2)), z);
  return i64.truncSatF64S(f64.nearest(estimate));
}

/** Arguments: the value and optionally the maximum standard error. */
export const distinctEstimate: AggregateImplementation = Object.freeze<AggregateImplementation>({
  stateBytes,
  stateAlignment: 8,
  intermediateTypes: [VARBINARY, INTEGER],
  wantsNulls: false,
  emitAdd: (context, state, [value, standardError]) => {
    const { b } = context;
    emitBits(context, state, standardError === undefined ? undefined : part(standardError, 0));
    // Mixes the hash once more, because the hash of zero is zero.
    emitInsert(context, state, b.temp(b.call(hash64(b.kernel), i64.add(emitHash(b, value as Value), seed))));
  },
  emitMerge: (context, state, values) => {
    const { b } = context;
    const [sketch, bits] = values as readonly [Value, Value];
    const [address, length] = [part(sketch, 0), part(sketch, 1)];
    b.if_(length, () => {
      b.if_(i32.eqz(i32.load(state, bitsOffset)), () => b.store("i32.store", state, part(bits, 0), bitsOffset));
      b.if_(
        i32.leU(length, i32.const(8 * hashesMax)),
        () =>
          b.forRange(i32.const(0), i32.shrU(length, i32.const(3)), (index) =>
            emitInsert(context, state, b.temp(i64.load(i32.add(address, i32.shl(index, i32.const(3)))))),
          ),
        () => emitMergeRegisters(context, state, address, length),
      );
    });
  },
  emitIntermediate: (context, state) => {
    const { b } = context;
    const registers = b.temp(i32.load(state, registersOffset));
    const address = b.local("i32", registers);
    const length = b.local("i32", i32.shl(i32.const(1), i32.load(state, bitsOffset)));
    b.if_(i32.eqz(registers), () => {
      b.set(length, i32.shl(i32.load(state), i32.const(3)));
      b.set(address, context.allocate(i32.const(8 * hashesMax)));
      b.copyBytes(address, i32.add(state, i32.const(hashesOffset)), length);
    });
    return [valueOf(VARBINARY, address, length), valueOf(INTEGER, b.temp(i32.load(state, bitsOffset)))];
  },
  emitFinal: (context, state) => {
    const { b } = context;
    const result = b.local("i64", i64.extendI32U(i32.load(state)));
    b.if_(i32.load(state, registersOffset), () => {
      const counts = b.temp(context.allocate(i32.const(4 * 66)));
      b.set(result, emitEstimate(context, state, counts));
    });
    return valueOf(BIGINT, result);
  },
});
