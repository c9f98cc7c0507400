/**
 * Kernels that place decoded values: NULLs spread among them, ids replaced by entries of a dictionary, strings found by their lengths,
 * 32-bit integers widened, differences added up.
 */
import { buildKernel, type CodeBuilder, i32, i64, type Label, type Local, select } from "../../../../codegen/builder.ts";
import type { Expr, Kernel } from "../../../../codegen/ir.ts";

const zero = i32.const(0);
const one = i32.const(1);

/** Bytes of a value. */
export type ValueWidth = 1 | 2 | 4 | 8 | 16;

function scaled(index: Expr, width: ValueWidth): Expr {
  return width === 1 ? index : i32.shl(index, i32.const(Math.log2(width)));
}

function copyValue(b: CodeBuilder, width: ValueWidth, to: Expr, from: Expr): void {
  switch (width) {
    case 1:
      return b.store("i32.store8", to, i32.load8u(from));
    case 2:
      return b.store("i32.store16", to, i32.load16u(from));
    case 4:
      return b.store("i32.store", to, i32.load(from));
    case 8:
      return b.store("i64.store", to, i64.load(from));
    case 16:
      b.store("i64.store", to, i64.load(from));
      return b.store("i64.store", to, i64.load(from, 8), 8);
  }
}

function zeroValue(b: CodeBuilder, width: ValueWidth, to: Expr): void {
  switch (width) {
    case 1:
      return b.store("i32.store8", to, zero);
    case 2:
      return b.store("i32.store16", to, zero);
    case 4:
      return b.store("i32.store", to, zero);
    case 8:
      return b.store("i64.store", to, i64.const(0n));
    case 16:
      b.store("i64.store", to, i64.const(0n));
      return b.store("i64.store", to, i64.const(0n), 8);
  }
}

/**
 * (levels, present, rows, values, target, nulls) -> number of values used. Row r has the next value if the byte levels[r] is `present`,
 * else it is NULL with zero below.
 */
export function spreadKernel(width: ValueWidth): Kernel {
  return buildKernel(`parquet spread ${width}`, (k) => {
    k.entry({ params: ["i32", "i32", "i32", "i32", "i32", "i32"], result: "i32" }, (b, [levels, present, rows, values, to, nulls]) => {
      const used = b.local("i32");
      b.forRange(zero, rows, (row) => {
        const isPresent = b.temp(i32.eq(i32.load8u(i32.add(levels, row)), present));
        const target = b.temp(i32.add(to, scaled(row, width)));
        b.store("i32.store8", i32.add(nulls, row), i32.eqz(isPresent));
        b.if_(
          isPresent,
          () => {
            copyValue(b, width, target, i32.add(values, scaled(used, width)));
            b.set(used, i32.add(used, one));
          },
          () => zeroValue(b, width, target),
        );
      });
      b.return_(used);
    });
  });
}

/** (levels, present, rows, ids, target, entry of NULL) -> number of ids used. */
export function spreadIdsKernel(): Kernel {
  return buildKernel("parquet spread ids", (k) => {
    k.entry({ params: ["i32", "i32", "i32", "i32", "i32", "i32"], result: "i32" }, (b, [levels, present, rows, ids, to, nullEntry]) => {
      const used = b.local("i32");
      b.forRange(zero, rows, (row) => {
        const isPresent = b.temp(i32.eq(i32.load8u(i32.add(levels, row)), present));
        // Also reads the id after the last one; blocks have readable bytes there.
        const id = i32.load(i32.add(ids, scaled(used, 4)));
        b.store("i32.store", i32.add(to, scaled(row, 4)), select(isPresent, id, nullEntry));
        b.set(used, i32.add(used, isPresent));
      });
      b.return_(used);
    });
  });
}

/** (levels, present, rows) -> number of bytes that are `present`. */
export function countKernel(): Kernel {
  return buildKernel("parquet count", (k) => {
    k.entry({ params: ["i32", "i32", "i32"], result: "i32" }, (b, [levels, present, rows]) => {
      const count = b.local("i32");
      b.forRange(zero, rows, (row) => b.set(count, i32.add(count, i32.eq(i32.load8u(i32.add(levels, row)), present))));
      b.return_(count);
    });
  });
}

/** (ids, count, dictionary, target) */
export function gatherKernel(width: ValueWidth): Kernel {
  return buildKernel(`parquet gather ${width}`, (k) => {
    k.entry({ params: ["i32", "i32", "i32", "i32"] }, (b, [ids, count, dictionary, to]) => {
      b.forRange(zero, count, (index) => {
        const from = b.temp(i32.add(dictionary, scaled(i32.load(i32.add(ids, scaled(index, 4))), width)));
        copyValue(b, width, i32.add(to, scaled(index, width)), from);
      });
    });
  });
}

/** (at, end, count, target) -> the address after the last string, or 0 if one reaches beyond `end`. Writes address and length of each. */
export function stringsKernel(): Kernel {
  return buildKernel("parquet strings", (k) => {
    k.entry({ params: ["i32", "i32", "i32", "i32"], result: "i32" }, (b, [at, end, count, to]) => {
      b.while_(
        () => i32.gtS(count, zero),
        () => {
          b.if_(i32.ltU(i32.sub(end, at), i32.const(4)), () => b.return_(zero));
          const length = b.temp(i32.load(at));
          b.set(at, i32.add(at, i32.const(4)));
          b.if_(i32.gtU(length, i32.sub(end, at)), () => b.return_(zero));
          b.store("i32.store", to, at);
          b.store("i32.store", to, length, 4);
          b.set(at, i32.add(at, length));
          b.set(to, i32.add(to, i32.const(8)));
          b.set(count, i32.sub(count, one));
        },
      );
      b.return_(at);
    });
  });
}

/** (from, count, target): 32-bit integers to 64 bits. */
export function widenKernel(isSigned: boolean): Kernel {
  return buildKernel(`parquet widen ${isSigned ? "signed" : "unsigned"}`, (k) => {
    k.entry({ params: ["i32", "i32", "i32"] }, (b, [from, count, to]) => {
      b.forRange(zero, count, (index) => {
        const source = i32.add(from, scaled(index, 4));
        b.store("i64.store", i32.add(to, scaled(index, 8)), isSigned ? i64.load32s(source) : i64.load32u(source));
      });
    });
  });
}

/** (from, count, target): one bit a value to one byte. */
export function bitsKernel(): Kernel {
  return buildKernel("parquet bits", (k) => {
    k.entry({ params: ["i32", "i32", "i32"] }, (b, [from, count, to]) => {
      b.forRange(zero, count, (index) => {
        const byte = i32.load8u(i32.add(from, i32.shrU(index, i32.const(3))));
        b.store("i32.store8", i32.add(to, index), i32.and(i32.shrU(byte, i32.and(index, i32.const(7))), one));
      });
    });
  });
}

/** (from, count, target): the bytes of each value, which lie `count` apart. */
export function joinBytesKernel(width: number): Kernel {
  return buildKernel(`parquet join bytes ${width}`, (k) => {
    k.entry({ params: ["i32", "i32", "i32"] }, (b, [from, count, to]) => {
      b.forRange(zero, count, (index) => {
        const source = b.local("i32", i32.add(from, index));
        const target = b.temp(i32.add(to, i32.mul(index, i32.const(width))));
        b.forRange(zero, i32.const(width), (byte) => {
          b.store("i32.store8", i32.add(target, byte), i32.load8u(source));
          b.set(source, i32.add(source, count));
        });
      });
    });
  });
}

function varint64(b: CodeBuilder, at: Local, end: Expr, damaged: Label): Local {
  const value = b.local("i64", i64.const(0n));
  const shift = b.local("i64", i64.const(0n));
  b.loop((more) => {
    b.break_(damaged, i32.or(i32.geU(at, end), i64.gtU(shift, i64.const(63n))));
    const byte = b.temp(i64.load8u(at));
    b.set(at, i32.add(at, one));
    b.set(value, i64.or(value, i64.shl(i64.and(byte, i64.const(0x7fn)), shift)));
    b.set(shift, i64.add(shift, i64.const(7n)));
    b.continue_(more, i64.geU(byte, i64.const(0x80n)));
  });
  return value;
}

/** Blocks of more values are no valid file's; the bound keeps the arithmetic in 32 bits. */
const miniblockValuesMax = 0x100_0000;

/**
 * DELTA_BINARY_PACKED. (at, end, count, target) -> the address after the last value, or 0 if the bytes are damaged or hold another number
 * of values. Arithmetic wraps. Reads at most 16 bytes past `end`.
 */
export function deltasKernel(width: 4 | 8): Kernel {
  return buildKernel(`parquet deltas ${width}`, (k) => {
    k.entry({ params: ["i32", "i32", "i32", "i32"], result: "i32" }, (b, [at, end, count, to]) => {
      const write = (value: Expr) => {
        b.store(width === 4 ? "i64.store32" : "i64.store", to, value);
        b.set(to, i32.add(to, i32.const(width)));
        b.set(count, i32.sub(count, one));
      };
      b.block((damaged) => {
        const blockValues = varint64(b, at, end, damaged);
        const miniblocks = varint64(b, at, end, damaged);
        const total = varint64(b, at, end, damaged);
        const value = b.local("i64", unzigzag(b, varint64(b, at, end, damaged)));
        b.break_(damaged, i64.ne(total, i64.extendI32U(count)));
        b.break_(damaged, i32.or(i64.eqz(miniblocks), i64.gtU(miniblocks, i64.const(0xffffn))));
        b.break_(damaged, i32.eqz(i64.eqz(i64.remU(blockValues, miniblocks))));
        const wide = b.temp(i64.divU(blockValues, miniblocks));
        b.break_(damaged, i32.or(i64.eqz(wide), i64.gtU(wide, i64.const(BigInt(miniblockValuesMax)))));
        b.break_(damaged, i32.eqz(i64.eqz(i64.and(wide, i64.const(7n)))));
        const miniblockValues = b.temp(i32.wrapI64(wide));
        b.if_(i32.eqz(count), () => b.return_(at));
        write(value);
        b.while_(
          () => i32.gtS(count, zero),
          () => {
            const minimum = b.temp(unzigzag(b, varint64(b, at, end, damaged)));
            const widths = b.local("i32", at);
            b.break_(damaged, i64.gtU(miniblocks, i64.extendI32U(i32.sub(end, at))));
            b.set(at, i32.add(at, i32.wrapI64(miniblocks)));
            const left = b.local("i32", i32.wrapI64(miniblocks));
            b.while_(
              () => i32.and(i32.gtS(left, zero), i32.gtS(count, zero)),
              () => {
                const bitWidth = b.temp(i32.load8u(widths));
                b.break_(damaged, i32.gtU(bitWidth, i32.const(64)));
                const bytes = b.temp(i32.mul(i32.shrU(miniblockValues, i32.const(3)), bitWidth));
                b.break_(damaged, i32.gtU(bytes, i32.sub(end, at)));
                const values = b.temp(select(i32.ltU(miniblockValues, count), miniblockValues, count));
                unpackDeltas(b, { at, bitWidth, values }, (delta) => {
                  b.set(value, i64.add(i64.add(value, minimum), delta));
                  write(value);
                });
                b.set(at, i32.add(at, bytes));
                b.set(widths, i32.add(widths, one));
                b.set(left, i32.sub(left, one));
              },
            );
          },
        );
        b.return_(at);
      });
      b.return_(zero);
    });
  });
}

function unzigzag(b: CodeBuilder, raw: Expr): Expr {
  const value = b.temp(raw);
  return i64.xor(i64.shrU(value, i64.const(1n)), i64.sub(i64.const(0n), i64.and(value, i64.const(1n))));
}

function unpackDeltas(
  b: CodeBuilder,
  packed: { readonly at: Expr; readonly bitWidth: Expr; readonly values: Expr },
  each: (delta: Expr) => void,
): void {
  const { at, bitWidth, values } = packed;
  const wide = b.temp(i64.extendI32U(bitWidth));
  // A shift by 64 is one by 0; a width of 0 has no bits at all.
  const mask = b.temp(
    select(i32.eqz(bitWidth), i64.const(0n), i64.shrU(i64.const(-1n), i64.and(i64.sub(i64.const(64n), wide), i64.const(63n)))),
  );
  const bit = b.local("i64", i64.const(0n));
  b.forRange(zero, values, () => {
    const from = b.temp(i32.add(at, i32.wrapI64(i64.shrU(bit, i64.const(3n)))));
    const shift = b.temp(i64.and(bit, i64.const(7n)));
    // A value of more than 57 bits may reach into a ninth byte.
    const high = i64.shl(i64.shl(i64.load8u(from, 8), i64.sub(i64.const(63n), shift)), i64.const(1n));
    each(i64.and(i64.or(i64.shrU(i64.load(from), shift), high), mask));
    b.set(bit, i64.add(bit, wide));
  });
}
