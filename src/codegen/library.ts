/**
 * Library functions of kernels, added to a kernel on first use. Bytes are compared and hashed eight at a time, which may read up to 16
 * bytes past the end; linear memory keeps those bytes readable.
 */
import { type CodeBuilder, type FunctionRef, i32, i64, type KernelBuilder, type Local, select } from "./builder.ts";
import type { Expr } from "./ir.ts";

const wordBytes = i32.const(8);
const zero = i32.const(0);
const one = i32.const(1);

/** The first `bytes` (1 to 7) bytes of a little-endian word; the rest is zero. */
export function lowBytes(word: Expr, bytes: Expr): Expr {
  const unused = i64.sub(i64.const(64n), i64.extendI32U(i32.shl(bytes, i32.const(3))));
  return i64.shrU(i64.shl(word, unused), unused);
}

/** (a, b, bytes) -> i32 1 if the bytes at both addresses are equal. */
export function memEquals(k: KernelBuilder): FunctionRef {
  return k.function_("memEquals", { params: ["i32", "i32", "i32"], result: "i32" }, (b, params) => {
    const [a, c, rest] = params as [Local, Local, Local];
    b.while_(
      () => i32.geU(rest, wordBytes),
      () => {
        b.if_(i64.ne(i64.load(a), i64.load(c)), () => b.return_(zero));
        b.set(a, i32.add(a, wordBytes));
        b.set(c, i32.add(c, wordBytes));
        b.set(rest, i32.sub(rest, wordBytes));
      },
    );
    b.if_(i32.eqz(rest), () => b.return_(one));
    b.return_(i64.eqz(lowBytes(i64.xor(i64.load(a), i64.load(c)), rest)));
  });
}

/** The bytes of a word in reverse order. */
function byteSwap(b: CodeBuilder, word: Expr): Expr {
  const swapped8 = b.temp(
    i64.or(
      i64.shl(i64.and(word, i64.const(0x00ff00ff00ff00ffn)), i64.const(8n)),
      i64.and(i64.shrU(word, i64.const(8n)), i64.const(0x00ff00ff00ff00ffn)),
    ),
  );
  const swapped16 = b.temp(
    i64.or(
      i64.shl(i64.and(swapped8, i64.const(0x0000ffff0000ffffn)), i64.const(16n)),
      i64.and(i64.shrU(swapped8, i64.const(16n)), i64.const(0x0000ffff0000ffffn)),
    ),
  );
  return i64.rotl(swapped16, i64.const(32n));
}

/** (a, bytes of a, b, bytes of b) -> i32 -1, 0 or 1: unsigned bytes, a prefix before the longer string. */
export function memCompare(k: KernelBuilder): FunctionRef {
  return k.function_("memCompare", { params: ["i32", "i32", "i32", "i32"], result: "i32" }, (b, params) => {
    const [a, aBytes, c, cBytes] = params as [Local, Local, Local, Local];
    const rest = b.local("i32", select(i32.ltU(aBytes, cBytes), aBytes, cBytes));
    const x = b.local("i64");
    const y = b.local("i64");
    const compareWords = () => {
      b.if_(i64.ne(x, y), () => {
        const p = b.temp(byteSwap(b, x));
        const q = b.temp(byteSwap(b, y));
        b.return_(select(i64.ltU(p, q), i32.const(-1), one));
      });
    };
    b.while_(
      () => i32.geU(rest, wordBytes),
      () => {
        b.set(x, i64.load(a));
        b.set(y, i64.load(c));
        compareWords();
        b.set(a, i32.add(a, wordBytes));
        b.set(c, i32.add(c, wordBytes));
        b.set(rest, i32.sub(rest, wordBytes));
      },
    );
    b.if_(i32.ne(rest, zero), () => {
      b.set(x, lowBytes(i64.load(a), rest));
      b.set(y, lowBytes(i64.load(c), rest));
      compareWords();
    });
    b.return_(i32.sub(i32.gtU(aBytes, cBytes), i32.ltU(aBytes, cBytes)));
  });
}

/** As memCompare, with the shorter string padded with spaces. */
export function paddedCompare(k: KernelBuilder): FunctionRef {
  const compare = memCompare(k);
  return k.function_("paddedCompare", { params: ["i32", "i32", "i32", "i32"], result: "i32" }, (b, params) => {
    const [a, aBytes, c, cBytes] = params as [Local, Local, Local, Local];
    const shared = b.temp(select(i32.ltU(aBytes, cBytes), aBytes, cBytes));
    const order = b.temp(b.call(compare, a, shared, c, shared));
    b.if_(i32.or(order, i32.eq(aBytes, cBytes)), () => b.return_(order));
    // One string is a prefix of the other; the next byte of the longer one that is not a space is compared with a space.
    const isLonger = b.temp(i32.gtU(aBytes, cBytes));
    const longer = b.temp(select(isLonger, a, c));
    const rest = b.local("i32", i32.add(longer, shared));
    const end = b.temp(i32.add(longer, select(isLonger, aBytes, cBytes)));
    b.while_(
      () => i32.and(i32.ltU(rest, end), i32.eq(i32.load8u(rest), space)),
      () => b.set(rest, i32.add(rest, one)),
    );
    b.if_(i32.eq(rest, end), () => b.return_(zero));
    b.return_(select(i32.eq(isLonger, i32.gtU(i32.load8u(rest), space)), one, i32.const(-1)));
  });
}

const space = i32.const(0x20);
const mixFirst = i64.const(0xff51afd7ed558ccdn);
const mixSecond = i64.const(0xc4ceb9fe1a85ec53n);
const goldenRatio = i64.const(0x9e3779b97f4a7c15n);

/** (i64) -> i64, a bijection in which every input bit affects every output bit. */
export function hash64(k: KernelBuilder): FunctionRef {
  return k.function_("hash64", { params: ["i64"], result: "i64" }, (b, params) => {
    const [x] = params as [Local];
    b.set(x, i64.xor(x, i64.shrU(x, i64.const(33n))));
    b.set(x, i64.mul(x, mixFirst));
    b.set(x, i64.xor(x, i64.shrU(x, i64.const(33n))));
    b.set(x, i64.mul(x, mixSecond));
    b.return_(i64.xor(x, i64.shrU(x, i64.const(33n))));
  });
}

/** (address, bytes) -> i64, a hash of the content and its length. */
export function hashBytes(k: KernelBuilder): FunctionRef {
  const finish = hash64(k);
  return k.function_("hashBytes", { params: ["i32", "i32"], result: "i64" }, (b, params) => {
    const [address, rest] = params as [Local, Local];
    const hash = b.local("i64", i64.mul(i64.extendI32U(rest), goldenRatio));
    const take = (word: Expr) => {
      b.set(hash, i64.mul(i64.xor(hash, i64.mul(i64.rotl(i64.mul(word, mixFirst), i64.const(31n)), mixSecond)), goldenRatio));
      b.set(hash, i64.rotl(hash, i64.const(27n)));
    };
    b.while_(
      () => i32.geU(rest, wordBytes),
      () => {
        take(i64.load(address));
        b.set(address, i32.add(address, wordBytes));
        b.set(rest, i32.sub(rest, wordBytes));
      },
    );
    b.if_(i32.ne(rest, zero), () => take(lowBytes(i64.load(address), rest)));
    b.return_(b.call(finish, hash));
  });
}

/** Number of bytes of the word at `address` (all 8) that start a character: those that are not 10xxxxxx. */
function charactersOfWord(word: Expr): Expr {
  const continuation = i64.and(i64.and(word, i64.xor(i64.shl(word, i64.const(1n)), i64.const(-1n))), i64.const(0x8080808080808080n));
  return i32.sub(wordBytes, i32.wrapI64(i64.popcnt(continuation)));
}

/** 1 if the byte at `address` starts a character. */
function startsCharacter(address: Expr): Expr {
  return i32.ne(i32.and(i32.load8u(address), i32.const(0xc0)), i32.const(0x80));
}

/** (address, bytes) -> i32, number of code points of valid UTF-8. */
export function utf8Length(k: KernelBuilder): FunctionRef {
  return k.function_("utf8Length", { params: ["i32", "i32"], result: "i32" }, (b, params) => {
    const [address, rest] = params as [Local, Local];
    const count = b.local("i32");
    b.while_(
      () => i32.geU(rest, wordBytes),
      () => {
        b.set(count, i32.add(count, charactersOfWord(i64.load(address))));
        b.set(address, i32.add(address, wordBytes));
        b.set(rest, i32.sub(rest, wordBytes));
      },
    );
    b.while_(
      () => rest,
      () => {
        b.set(count, i32.add(count, startsCharacter(address)));
        b.set(address, i32.add(address, one));
        b.set(rest, i32.sub(rest, one));
      },
    );
    b.return_(count);
  });
}

/** (address, bytes, n) -> i32, byte offset of code point n (from 0) of valid UTF-8; `bytes` if there are at most n code points. */
export function utf8Position(k: KernelBuilder): FunctionRef {
  return k.function_("utf8Position", { params: ["i32", "i32", "i32"], result: "i32" }, (b, params) => {
    const [address, bytes, n] = params as [Local, Local, Local];
    const at = b.local("i32");
    // Skips whole words as long as character n starts after them.
    b.block((found) => {
      b.while_(
        () => i32.leU(i32.add(at, wordBytes), bytes),
        () => {
          const word = b.temp(i64.load(i32.add(address, at)));
          const characters = b.temp(charactersOfWord(word));
          b.if_(i32.ltS(n, characters), () => {
            b.if_(i64.eqz(i64.and(word, i64.const(0x8080808080808080n))), () => b.return_(i32.add(at, n)));
            b.break_(found);
          });
          b.set(n, i32.sub(n, characters));
          b.set(at, i32.add(at, wordBytes));
        },
      );
    });
    b.while_(
      () => i32.ltU(at, bytes),
      () => {
        b.if_(startsCharacter(i32.add(address, at)), () => {
          b.if_(i32.leS(n, zero), () => b.return_(at));
          b.set(n, i32.sub(n, one));
        });
        b.set(at, i32.add(at, one));
      },
    );
    b.return_(bytes);
  });
}
