/**
 * Kernels for the hybrid of runs and packed bits in which levels and dictionary ids are stored. There is one kernel per width in bits:
 * within a group of eight values, offsets, shifts and the mask are constants.
 */
import { buildKernel, type CodeBuilder, i32, i64, type Local, select } from "../../../../codegen/builder.ts";
import type { Expr, Kernel } from "../../../../codegen/ir.ts";

const zero = i32.const(0);
const one = i32.const(1);

export type RunTarget = "u8" | "u32";

/** Bits of the largest value. */
export const runBitsMax = 32;
/** Two values of so many bits lie in the 64 bits from the byte where the first begins. */
const pairBitsMax = 28;

function writeValue(b: CodeBuilder, target: RunTarget, address: Expr, value: Expr, offset = 0): void {
  b.store(target === "u8" ? "i32.store8" : "i32.store", address, value, offset);
}

/**
 * (at, end, count, target, limit) -> the address after the last run, or 0 if the bytes are damaged, end early, or have a value from `limit`
 * on. Reads at most 8 bytes past `end`.
 */
export function runsKernel(bitWidth: number, target: RunTarget): Kernel {
  const width = target === "u8" ? 1 : 4;
  const mask = i64.const((1n << BigInt(bitWidth)) - 1n);
  return buildKernel(`parquet runs ${bitWidth} ${target}`, (k) => {
    k.entry({ params: ["i32", "i32", "i32", "i32", "i32"], result: "i32" }, (b, [at, end, count, to, limit]) => {
      const last = b.temp(i32.sub(limit, one));
      /** Negative once a value was beyond the limit. */
      const excess = b.local("i32", zero);
      const head = b.local("i32");
      const shift = b.local("i32");
      const values = b.local("i32");
      const wideLast = b.temp(i64.extendI32U(last));
      const pairs = { last: b.temp(i64.or(wideLast, i64.shl(wideLast, i64.const(32n)))), excess: b.local("i64", i64.const(0n)) };
      const check = (value: Expr) => b.set(excess, i32.or(excess, i32.or(value, i32.sub(last, value))));
      b.block((damaged) => {
        b.while_(
          () => i32.gtS(count, zero),
          () => {
            b.set(head, zero);
            b.set(shift, zero);
            b.loop((more) => {
              b.break_(damaged, i32.or(i32.geU(at, end), i32.gtU(shift, i32.const(28))));
              const byte = b.temp(i32.load8u(at));
              b.set(at, i32.add(at, one));
              b.set(head, i32.or(head, i32.shl(i32.and(byte, i32.const(0x7f)), shift)));
              b.set(shift, i32.add(shift, i32.const(7)));
              b.continue_(more, i32.geU(byte, i32.const(0x80)));
            });
            b.set(values, i32.shrU(head, one));
            b.break_(damaged, i32.eqz(values));
            b.if_(
              i32.and(head, one),
              () => {
                // A run of groups; the last of a page may be cut to the bytes that hold values.
                const wanted = b.temp(i32.shrU(i32.add(count, i32.const(7)), i32.const(3)));
                const groups = b.temp(select(i32.ltU(values, wanted), values, wanted));
                const bytes = b.temp(
                  i64.shrU(
                    i64.add(
                      i64.mul(
                        select(i32.ltU(values, wanted), i64.mul(i64.extendI32U(values), i64.const(8n)), i64.extendI32U(count)),
                        i64.const(BigInt(bitWidth)),
                      ),
                      i64.const(7n),
                    ),
                    i64.const(3n),
                  ),
                );
                b.break_(damaged, i64.gtU(bytes, i64.extendI32U(i32.sub(end, at))));
                const next = b.temp(runEnd(at, values, end, bitWidth));
                b.set(values, i32.shl(groups, i32.const(3)));
                b.set(values, select(i32.ltU(values, count), values, count));
                b.set(count, i32.sub(count, values));
                unpackGroups(b, { bitWidth, mask, target, width }, { at, to, values }, { check, pairs });
                b.set(at, next);
              },
              () => {
                const bytes = (bitWidth + 7) >>> 3;
                b.break_(damaged, i32.ltU(i32.sub(end, at), i32.const(bytes)));
                const loaded = b.temp(bytes === 4 ? i32.load(at) : i32.and(i32.load(at), i32.const(2 ** (8 * bytes) - 1)));
                b.set(at, i32.add(at, i32.const(bytes)));
                check(loaded);
                b.set(values, select(i32.ltU(values, count), values, count));
                b.set(count, i32.sub(count, values));
                fillValues(b, target, { to, values }, loaded);
              },
            );
          },
        );
        b.set(excess, i32.or(excess, i32.wrapI64(i64.or(pairs.excess, i64.shrU(pairs.excess, i64.const(32n))))));
        b.return_(select(i32.geS(excess, zero), at, zero));
      });
      b.return_(zero);
    });
  });
}

/** The address after a run of `groups` groups, at most `end`. */
function runEnd(at: Expr, groups: Expr, end: Expr, bitWidth: number): Expr {
  const bytes = i64.mul(i64.extendI32U(groups), i64.const(BigInt(bitWidth)));
  const rest = i32.sub(end, at);
  return select(i64.gtU(bytes, i64.extendI32U(rest)), end, i32.add(at, i32.wrapI64(bytes)));
}

interface Packing {
  readonly bitWidth: number;
  readonly mask: Expr;
  readonly target: RunTarget;
  readonly width: number;
}

/** Checks of two values at once. */
interface Pairs {
  /** The largest value that is allowed, in both halves. */
  readonly last: Expr;
  /** One of the halves is negative once a value was beyond the limit. A half that is too small borrows from the other. */
  readonly excess: Local;
}

interface Progress {
  readonly at: Local;
  readonly to: Local;
  readonly values: Local;
}

/** Four pairs of values to four words of 64 bits, each with two loads at most. */
function unpackPairs(
  b: CodeBuilder,
  { bitWidth, at, to }: { readonly bitWidth: number; readonly at: Expr; readonly to: Expr },
  { last, excess }: Pairs,
): void {
  const low = (1n << BigInt(bitWidth)) - 1n;
  const whole = bitWidth <= 8 ? b.temp(i64.load(at)) : undefined;
  for (let index = 0; index < 4; index++) {
    const bit = index * 2 * bitWidth;
    const shift = i64.const(BigInt(whole === undefined ? bit & 7 : bit));
    const word = b.temp(i64.shrU(whole ?? i64.load(at, bit >>> 3), shift));
    const second = i64.and(i64.shl(word, i64.const(BigInt(32 - bitWidth))), i64.const(low << 32n));
    const pair = b.temp(i64.or(i64.and(word, i64.const(low)), second));
    b.set(excess, i64.or(excess, i64.sub(last, pair)));
    b.store("i64.store", to, pair, index * 8);
  }
}

function unpackGroups(
  b: CodeBuilder,
  packing: Packing,
  { at, to, values }: Progress,
  { check, pairs }: { readonly check: (value: Expr) => void; readonly pairs: Pairs },
): void {
  const { bitWidth, mask, target, width } = packing;
  b.while_(
    () => i32.geU(values, i32.const(8)),
    () => {
      if (target === "u32" && bitWidth <= pairBitsMax) {
        unpackPairs(b, { bitWidth, at, to }, pairs);
      } else {
        for (let index = 0; index < 8; index++) {
          const bit = index * bitWidth;
          const value = b.temp(i32.wrapI64(i64.and(i64.shrU(i64.load(at, bit >>> 3), i64.const(BigInt(bit & 7))), mask)));
          check(value);
          writeValue(b, target, to, value, index * width);
        }
      }
      b.set(at, i32.add(at, i32.const(bitWidth)));
      b.set(to, i32.add(to, i32.const(8 * width)));
      b.set(values, i32.sub(values, i32.const(8)));
    },
  );
  const bit = b.local("i32", zero);
  b.while_(
    () => values,
    () => {
      const bits = i64.shrU(i64.load(i32.add(at, i32.shrU(bit, i32.const(3)))), i64.extendI32U(i32.and(bit, i32.const(7))));
      const value = b.temp(i32.wrapI64(i64.and(bits, mask)));
      check(value);
      writeValue(b, target, to, value);
      b.set(bit, i32.add(bit, i32.const(bitWidth)));
      b.set(to, i32.add(to, i32.const(width)));
      b.set(values, i32.sub(values, one));
    },
  );
}

function fillValues(b: CodeBuilder, target: RunTarget, { to, values }: Pick<Progress, "to" | "values">, value: Expr): void {
  if (target === "u8") {
    b.fillBytes(to, value, values);
    b.set(to, i32.add(to, values));
    return;
  }
  const pair = b.temp(i64.or(i64.extendI32U(value), i64.shl(i64.extendI32U(value), i64.const(32n))));
  b.while_(
    () => i32.geU(values, i32.const(2)),
    () => {
      b.store("i64.store", to, pair);
      b.set(to, i32.add(to, i32.const(8)));
      b.set(values, i32.sub(values, i32.const(2)));
    },
  );
  b.if_(values, () => {
    b.store("i32.store", to, value);
    b.set(to, i32.add(to, i32.const(4)));
  });
}
