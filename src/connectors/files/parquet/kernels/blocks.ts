/**
 * Kernels that decompress a block: Snappy and LZ4. Each takes (input, end of input, output, end of output). That of Snappy returns 1 if
 * the input is well-formed and fills the output exactly, else 0. They read at most 16 bytes past the input, and write nothing outside of
 * the output.
 */
import { buildKernel, type CodeBuilder, i32, i64, i64x2, type Label, type Local, v128 } from "../../../../codegen/builder.ts";
import type { Expr, Kernel } from "../../../../codegen/ir.ts";

const zero = i32.const(0);
const one = i32.const(1);
const signature = { params: ["i32", "i32", "i32", "i32", "i32"], result: "i32" } as const;

export interface Block {
  /** Next byte of the input. */
  readonly at: Local;
  readonly end: Expr;
  /** Next byte of the output. */
  readonly to: Local;
  readonly outputEnd: Expr;
  /** Leaving it means that the input is damaged. */
  readonly damaged: Label;
}

/** Copies eight bytes at a time; may write up to 15 bytes too many, for which the caller has checked the room. */
function copyWords(b: CodeBuilder, to: Expr, from: Expr, bytes: Expr): void {
  const done = b.local("i32", zero);
  b.loop((more) => {
    b.store("i64.store", i32.add(to, done), i64.load(i32.add(from, done)));
    b.store("i64.store", i32.add(to, done), i64.load(i32.add(from, done), 8), 8);
    b.set(done, i32.add(done, i32.const(16)));
    b.continue_(more, i32.ltU(done, bytes));
  });
}

/** Whether `bytes` bytes lie before `end`. `at` may be `end`, but not beyond. */
function hasRoom(at: Expr, bytes: Expr, end: Expr): Expr {
  return i32.leU(bytes, i32.sub(end, at));
}

function copyLiteral(b: CodeBuilder, { at, end, to, outputEnd, damaged }: Block, length: Expr): void {
  b.break_(damaged, i32.eqz(i32.and(hasRoom(at, length, end), hasRoom(to, length, outputEnd))));
  const isShort = i32.and(i32.leU(length, i32.const(64)), i32.geU(i32.sub(outputEnd, to), i32.add(length, i32.const(16))));
  b.if_(
    isShort,
    () => copyWords(b, to, at, length),
    () => b.copyBytes(to, at, length),
  );
  b.set(at, i32.add(at, length));
  b.set(to, i32.add(to, length));
}

/** Repeats bytes of the output; the ranges may overlap, and then the pattern repeats. */
export function copyMatch(
  b: CodeBuilder,
  block: Block & { readonly output: Expr },
  match: { readonly offset: Local; readonly length: Local },
): void {
  const { to, output, outputEnd, damaged } = block;
  const { offset, length } = match;
  b.break_(damaged, i32.or(i32.eqz(offset), i32.gtU(offset, i32.sub(to, output))));
  b.break_(damaged, i32.eqz(hasRoom(to, length, outputEnd)));
  b.if_(
    i32.geU(i32.sub(outputEnd, to), i32.add(length, i32.const(24))),
    () => {
      const rest = b.local("i32", length);
      // A pattern shorter than a word doubles until a word holds it whole.
      b.while_(
        () => i32.and(i32.ltU(offset, i32.const(8)), i32.gtS(rest, zero)),
        () => {
          b.store("i64.store", to, i64.load(i32.sub(to, offset)));
          b.set(to, i32.add(to, offset));
          b.set(rest, i32.sub(rest, offset));
          b.set(offset, i32.shl(offset, one));
        },
      );
      b.while_(
        () => i32.gtS(rest, zero),
        () => {
          b.store("i64.store", to, i64.load(i32.sub(to, offset)));
          b.set(to, i32.add(to, i32.const(8)));
          b.set(rest, i32.sub(rest, i32.const(8)));
        },
      );
      // What was copied too far is written again.
      b.set(to, i32.add(to, rest));
    },
    () => {
      const stop = b.temp(i32.add(to, length));
      b.while_(
        () => i32.ltU(to, stop),
        () => {
          b.store("i32.store8", to, i32.load8u(i32.sub(to, offset)));
          b.set(to, i32.add(to, one));
        },
      );
    },
  );
}

/** The low 8 * `bytes` bits (`bytes` from 1 to 4) of the input at `at`. */
function littleEndian(at: Expr, bytes: Expr): Expr {
  return i32.shrU(i32.shl(i32.load(at), shiftOf(bytes)), shiftOf(bytes));
}

function shiftOf(bytes: Expr): Expr {
  return i32.sub(i32.const(32), i32.shl(bytes, i32.const(3)));
}

/** Copies 1 to 64 bytes; may write up to 64 bytes and read as many, for which the caller has checked the room. */
function copyVectors(b: CodeBuilder, to: Expr, from: Expr, bytes: Expr): void {
  b.store("v128.store", to, v128.load(from));
  b.if_(i32.gtU(bytes, i32.const(16)), () => {
    b.store("v128.store", to, v128.load(from, 16), 16);
    b.if_(i32.gtU(bytes, i32.const(32)), () => {
      b.store("v128.store", to, v128.load(from, 32), 32);
      b.store("v128.store", to, v128.load(from, 48), 48);
    });
  });
}

/** Bytes that a pair of tags may read or write beyond its own. */
const pairRoom = 128;
/** Longest literal that lies in a word of 64 bits with its tag, and the tag and offset of the copy after it. */
const pairLiteralBytes = 4;

/** Bytes of the table that the kernel of Snappy reads. */
export const snappyTableBytes = 1024;
/** Places of an entry's parts: the length of the copy, the upper bits of a near offset, and a mask of the offset that follows the tag. */
const entryLength = 0x7f;
const entryOffset = 0x700;
const entryMaskBits = 16;

/** An entry of 32 bits for each tag. Those of literals and of copies from far away are 0: an offset of 0, which no copy has. */
export function snappyTable(): Uint8Array {
  const bytes = new Uint8Array(snappyTableBytes);
  const view = new DataView(bytes.buffer);
  for (let tag = 0; tag < 256; tag++) {
    const upper = tag >>> 2;
    if ((tag & 3) === 1) {
      view.setUint32(tag * 4, ((0xff << entryMaskBits) | ((tag & 0xe0) << 3) | ((upper & 7) + 4)) >>> 0, true);
    } else if ((tag & 3) === 2) {
      view.setUint32(tag * 4, ((0xffff << entryMaskBits) | (upper + 1)) >>> 0, true);
    }
  }
  return bytes;
}

/**
 * Tags, literals and offsets of two numbers that differ from the one before in their lowest byte alone, as keys in ascending order do: a
 * literal of one byte, and a copy of the seven bytes at a distance of eight. The mask leaves the literals out.
 */
const twoNumbers = 0x080d_0000_080d_0000n;
const twoNumbersMask = BigInt.asIntN(64, 0xffff_00ff_ffff_00ffn);

/**
 * Literals of up to 60 bytes and copies by offsets of up to 16 bits, as long as input and output have room for whole vectors. Stops before
 * the first tag of another kind.
 *
 * Numbers in a plain column are a few bytes of their own and a few of an earlier one, in turns: a short literal and the copy after it are
 * read from one word. Each pair waits for the length of the one before, so what leads from tag to tag is as short as can be: a load, two
 * shifts, a mask and two sums. All else runs beside it.
 */
function readPairs(
  b: CodeBuilder,
  { at, end, to, outputEnd }: Block,
  { output, table }: { readonly output: Expr; readonly table: Expr },
): void {
  const inputStop = b.temp(i32.sub(end, i32.const(pairRoom)));
  const outputStop = b.temp(i32.sub(outputEnd, i32.const(pairRoom)));
  const hasRoomForPairs = i32.and(i32.geU(i32.sub(end, at), i32.const(pairRoom)), i32.geU(i32.sub(outputEnd, to), i32.const(pairRoom)));
  // The eight bytes before `recentTo`. Read from memory they would have to wait for the stores of the copy before.
  const recent = b.local("i64", i64.const(0n));
  const recentTo = b.local("i32", zero);
  b.if_(hasRoomForPairs, () => {
    b.block((stopped) => {
      b.loop((next) => {
        b.break_(stopped, i32.gtU(at, inputStop));
        b.break_(stopped, i32.gtU(to, outputStop));
        const first = b.temp(i32.load8u(at));
        b.if_(i32.and(first, i32.const(3)), () => {
          copy(i32.load(at), at, () => {
            b.if_(i32.ne(recentTo, to), () => b.set(recent, i64.load(i32.sub(to, i32.const(8)))));
          });
          b.continue_(next);
        });
        const beyondOne = b.temp(i32.shrU(first, i32.const(2)));
        b.if_(i32.geU(beyondOne, i32.const(pairLiteralBytes)), () => {
          b.break_(stopped, i32.geU(beyondOne, i32.const(60)));
          copyVectors(b, to, i32.add(at, one), i32.add(beyondOne, one));
          b.set(at, i32.add(at, i32.add(beyondOne, i32.const(2))));
          b.set(to, i32.add(to, i32.add(beyondOne, one)));
          b.continue_(next);
        });
        const literal = b.temp(i64.load(at, 1));
        b.store("i64.store", to, literal);
        const literalTo = b.temp(to);
        b.set(to, i32.add(to, i32.add(beyondOne, one)));
        // The tag after a literal of one byte, behind the bits of further bytes.
        const tags = b.temp(i64.load(at, 2));
        copy(i32.wrapI64(i64.shrU(tags, i64.extendI32U(i32.shl(first, one)))), i32.add(at, i32.add(beyondOne, i32.const(2))), () => {
          b.if_(
            i32.eq(recentTo, literalTo),
            () => {
              const bits = b.temp(i64.extendI32U(i32.add(i32.shl(beyondOne, i32.const(3)), i32.const(8))));
              const own = i64.shl(i64.shl(literal, i64.sub(i64.const(56n), bits)), i64.const(8n));
              b.set(recent, i64.or(i64.shrU(recent, bits), own));
            },
            () => b.set(recent, i64.load(i32.sub(to, i32.const(8)))),
          );
        });
        b.continue_(next);

        /** The copy of the tag in the lowest byte, which stands at `from`. If it is that of a literal, nothing is copied. */
        function copy(lowest: Expr, from: Expr, readRecent: () => void): void {
          const tag = b.temp(lowest);
          const kind = i32.and(tag, i32.const(3));
          const tagAt = b.temp(from);
          b.set(at, i32.add(i32.add(tagAt, one), kind));
          const entry = b.temp(i32.load(i32.add(table, i32.shl(i32.and(tag, i32.const(0xff)), i32.const(2)))));
          const length = b.temp(i32.and(entry, i32.const(entryLength)));
          const offset = b.temp(
            i32.or(i32.and(i32.shrU(tag, i32.const(8)), i32.shrU(entry, i32.const(entryMaskBits))), i32.and(entry, i32.const(entryOffset))),
          );
          b.if_(i32.ltU(offset, i32.const(16)), () => {
            b.if_(i32.eqz(entry), () => {
              b.set(at, tagAt);
              b.continue_(next, i32.eqz(kind));
              b.break_(stopped);
            });
            b.if_(i32.or(i32.gtU(offset, i32.sub(to, output)), i32.ltU(offset, i32.const(8))), () => {
              b.set(at, tagAt);
              b.break_(stopped);
            });
            b.if_(i32.eq(offset, i32.const(8)), () => {
              readRecent();
              repeatRecent(length);
              readNumbers();
              b.set(recentTo, to);
              b.continue_(next);
            });
            const target = b.local("i32", to);
            b.set(to, i32.add(to, length));
            b.loop((more) => {
              b.store("i64.store", target, i64.load(i32.sub(target, offset)));
              b.set(target, i32.add(target, i32.const(8)));
              b.continue_(more, i32.ltU(target, to));
            });
            b.continue_(next);
          });
          b.if_(i32.gtU(offset, i32.sub(to, output)), () => {
            b.set(at, tagAt);
            b.break_(stopped);
          });
          copyVectors(b, to, i32.sub(to, offset), length);
          b.set(to, i32.add(to, length));
        }

        /** Repeats the last eight bytes: the same number again, or some bytes of the last one. */
        function repeatRecent(length: Expr): void {
          b.store("i64.store", to, recent);
          b.if_(i32.gtU(length, i32.const(8)), () => {
            const vector = b.local("v128", i64x2.splat(recent));
            for (let place = 0; place < 64; place += 16) {
              b.store("v128.store", to, vector, place);
            }
          });
          b.set(recent, i64.rotl(recent, i64.extendI32S(i32.sub(zero, i32.shl(length, i32.const(3))))));
          b.set(to, i32.add(to, length));
        }

        /** Pairs of numbers that differ from the one before in their lowest byte alone. */
        function readNumbers(): void {
          b.while_(
            () => i32.and(i32.leU(at, inputStop), i32.leU(to, outputStop)),
            (differs) => {
              const numbers = b.temp(i64.load(at));
              b.break_(differs, i64.ne(i64.and(numbers, i64.const(twoNumbersMask)), i64.const(twoNumbers)));
              const upper = b.temp(i64.and(recent, i64.const(-256n)));
              b.store("i64.store", to, i64.or(upper, i64.and(i64.shrU(numbers, i64.const(8n)), i64.const(0xffn))));
              b.set(recent, i64.or(upper, i64.and(i64.shrU(numbers, i64.const(40n)), i64.const(0xffn))));
              b.store("i64.store", to, recent, 8);
              b.set(at, i32.add(at, i32.const(8)));
              b.set(to, i32.add(to, i32.const(16)));
            },
          );
        }
      });
    });
  });
}

/** Snappy's block format: the length as a varint, then literals and copies. */
export function snappyKernel(): Kernel {
  return buildKernel("parquet snappy", (k) => {
    k.entry(signature, (b, [at, end, output, outputEnd, table]) => {
      const to = b.local("i32", output);
      const size = b.local("i64");
      const shift = b.local("i64");
      const offset = b.local("i32");
      const length = b.local("i32");
      b.block((damaged) => {
        const block = { at, end, to, output, outputEnd, damaged };
        b.loop((more) => {
          b.break_(damaged, i32.or(i32.geU(at, end), i64.gtU(shift, i64.const(28n))));
          const byte = b.temp(i32.load8u(at));
          b.set(at, i32.add(at, one));
          b.set(size, i64.or(size, i64.shl(i64.extendI32U(i32.and(byte, i32.const(0x7f))), shift)));
          b.set(shift, i64.add(shift, i64.const(7n)));
          b.continue_(more, i32.geU(byte, i32.const(0x80)));
        });
        b.break_(damaged, i64.ne(size, i64.extendI32U(i32.sub(outputEnd, output))));
        b.while_(
          () => i32.ltU(at, end),
          (next) => {
            readPairs(b, block, { output, table });
            b.break_(next, i32.geU(at, end));
            const tag = b.temp(i32.load8u(at));
            b.set(at, i32.add(at, one));
            const kind = b.temp(i32.and(tag, i32.const(3)));
            b.if_(i32.eqz(kind), () => {
              b.set(length, i32.add(i32.shrU(tag, i32.const(2)), one));
              b.if_(i32.gtU(length, i32.const(60)), () => {
                const bytes = b.temp(i32.sub(length, i32.const(60)));
                b.break_(damaged, i32.eqz(hasRoom(at, bytes, end)));
                b.set(length, i32.add(littleEndian(at, bytes), one));
                b.set(at, i32.add(at, bytes));
                b.break_(damaged, i32.eqz(length));
              });
              copyLiteral(b, block, length);
              b.continue_(next);
            });
            b.if_(
              i32.eq(kind, one),
              () => {
                b.break_(damaged, i32.geU(at, end));
                b.set(length, i32.add(i32.and(i32.shrU(tag, i32.const(2)), i32.const(7)), i32.const(4)));
                b.set(offset, i32.or(i32.shl(i32.shrU(tag, i32.const(5)), i32.const(8)), i32.load8u(at)));
                b.set(at, i32.add(at, one));
              },
              () => {
                const bytes = b.temp(i32.shl(i32.sub(kind, one), one));
                b.break_(damaged, i32.eqz(hasRoom(at, bytes, end)));
                b.set(length, i32.add(i32.shrU(tag, i32.const(2)), one));
                b.set(offset, littleEndian(at, bytes));
                b.set(at, i32.add(at, bytes));
              },
            );
            copyMatch(b, block, { offset, length });
          },
        );
        b.return_(i32.eq(to, outputEnd));
      });
      b.return_(zero);
    });
  });
}

/** LZ4's block format: sequences of literals and a match; the last has literals alone. */
/**
 * Takes the start of the output that matches may refer to, and where the block's own output begins; returns the address after what it has
 * written, or 0.
 */
export function lz4Kernel(): Kernel {
  return buildKernel("parquet lz4", (k) => {
    k.entry({ params: ["i32", "i32", "i32", "i32", "i32"], result: "i32" }, (b, [at, end, output, outputEnd, to]) => {
      const offset = b.local("i32");
      const length = b.local("i32");
      b.block((damaged) => {
        const block = { at, end, to, output, outputEnd, damaged };
        /** A length of 15 continues in further bytes, each of 255 but the last. */
        const extend = () => {
          b.if_(i32.eq(length, i32.const(15)), () => {
            b.loop((more) => {
              b.break_(damaged, i32.or(i32.geU(at, end), i32.ltS(length, zero)));
              const byte = b.temp(i32.load8u(at));
              b.set(at, i32.add(at, one));
              b.set(length, i32.add(length, byte));
              b.continue_(more, i32.eq(byte, i32.const(255)));
            });
          });
        };
        b.while_(
          () => i32.ltU(at, end),
          () => {
            const token = b.temp(i32.load8u(at));
            b.set(at, i32.add(at, one));
            b.set(length, i32.shrU(token, i32.const(4)));
            extend();
            b.if_(i32.ne(length, zero), () => copyLiteral(b, block, length));
            b.if_(i32.eq(at, end), () => b.return_(to));
            b.break_(damaged, i32.ltU(i32.sub(end, at), i32.const(2)));
            b.set(offset, i32.load16u(at));
            b.set(at, i32.add(at, i32.const(2)));
            b.set(length, i32.and(token, i32.const(15)));
            extend();
            b.set(length, i32.add(length, i32.const(4)));
            copyMatch(b, block, { offset, length });
          },
        );
      });
      b.return_(zero);
    });
  });
}
