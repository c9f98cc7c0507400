/**
 * Kernel functions that read the tables of Zstandard: of finite state entropy (FSE, RFC 8878, 4.1) and of Huffman codes (4.2).
 */
import { type CodeBuilder, i32, i64, type KernelBuilder, type Local, select } from "../../../../codegen/builder.ts";
import type { FunctionRef } from "../../../../codegen/builder.ts";
import type { Expr } from "../../../../codegen/ir.ts";
import { field, fseEntryBytes, scratch } from "./zstd-scratch.ts";

const zero = i32.const(0);
const one = i32.const(1);
const huffmanBitsMax = 11;
const weightsLogMax = 6;
/** The largest symbol of a distribution; weights of Huffman codes that are too large are refused later. */
const weightMax = 255;
/** Symbols of a Huffman code are bytes; the last weight is not stored. */
const symbolMax = 255;

/** Place of the highest bit of a value that is not zero. */
function highestBit(value: Expr): Expr {
  return i32.sub(i32.const(31), i32.clz(value));
}

/** Up to 57 bits from bit `bit` of the bytes at `at`. `bit` may be negative: then bytes before `at` are read. */
export function bitsFrom(at: Expr, bit: Expr, count: Expr): Expr {
  const word = i64.shrU(i64.load(i32.add(at, i32.shrS(bit, i32.const(3)))), i64.extendI32U(i32.and(bit, i32.const(7))));
  return i64.and(word, i64.sub(i64.shl(i64.const(1n), i64.extendI32U(count)), i64.const(1n)));
}

/** Bits of a stream that is read from its end: those below the highest one of its last byte. -1 if it has none. */
export function backwardBits(b: CodeBuilder, at: Expr, end: Expr): Local {
  const bits = b.local("i32", i32.const(-1));
  b.if_(i32.ltU(at, end), () => {
    const last = b.temp(i32.load8u(i32.sub(end, one)));
    b.if_(last, () => b.set(bits, i32.add(i32.shl(i32.sub(i32.sub(end, at), one), i32.const(3)), highestBit(last))));
  });
  return bits;
}

function symbolAddress(base: Expr, symbol: Expr): Expr {
  return i32.add(base, i32.shl(symbol, one));
}

/**
 * (at, end, largest logarithm, largest symbol, scratch) -> the address after the header, or 0 if it is damaged. Counts go to
 * `scratch.counts`, the logarithm and the number of symbols to the fields of the header.
 */
function readDistribution(k: KernelBuilder): FunctionRef {
  return k.function_("readDistribution", { params: ["i32", "i32", "i32", "i32", "i32"], result: "i32" }, (b, params) => {
    const [at, end, logMax, largest, base] = params;
    const counts = b.temp(i32.add(base, i32.const(scratch.counts)));
    const bit = b.local("i32", i32.const(4));
    const symbol = b.local("i32", zero);
    b.if_(i32.geU(at, end), () => b.return_(zero));
    const log = b.temp(i32.add(i32.and(i32.load8u(at), i32.const(15)), i32.const(5)));
    b.if_(i32.gtU(log, logMax), () => b.return_(zero));
    const left = b.local("i32", i32.shl(one, log));
    const stop = b.temp(i32.shl(i32.sub(end, at), i32.const(3)));
    const put = (count: Expr) => {
      b.if_(i32.gtU(symbol, largest), () => b.return_(zero));
      b.store("i32.store16", symbolAddress(counts, symbol), count);
      b.set(symbol, i32.add(symbol, one));
    };
    b.while_(
      () => i32.gtS(left, zero),
      () => {
        b.if_(i32.gtU(bit, stop), () => b.return_(zero));
        // Values up to the number of cells that are left: those that need a bit less come first.
        const bits = b.temp(highestBit(i32.add(left, one)));
        const value = b.local("i32", i32.wrapI64(bitsFrom(at, bit, i32.add(bits, one))));
        const low = b.temp(i32.sub(i32.shl(one, bits), one));
        const short = b.temp(i32.sub(i32.sub(i32.add(i32.shl(low, one), one), left), one));
        b.if_(
          i32.ltU(i32.and(value, low), short),
          () => {
            b.set(value, i32.and(value, low));
            b.set(bit, i32.add(bit, bits));
          },
          () => {
            b.if_(i32.gtU(value, low), () => b.set(value, i32.sub(value, short)));
            b.set(bit, i32.add(bit, i32.add(bits, one)));
          },
        );
        b.set(value, i32.sub(value, one));
        put(value);
        b.set(left, i32.sub(left, select(i32.ltS(value, zero), one, value)));
        b.if_(i32.eqz(value), () => {
          const repeats = b.local("i32");
          b.loop((more) => {
            b.if_(i32.gtU(bit, stop), () => b.return_(zero));
            b.set(repeats, i32.wrapI64(bitsFrom(at, bit, i32.const(2))));
            b.set(bit, i32.add(bit, i32.const(2)));
            const rest = b.local("i32", repeats);
            b.while_(
              () => rest,
              () => {
                put(zero);
                b.set(rest, i32.sub(rest, one));
              },
            );
            b.continue_(more, i32.eq(repeats, i32.const(3)));
          });
        });
      },
    );
    b.if_(i32.or(left, i32.gtU(bit, stop)), () => b.return_(zero));
    b.store("i32.store", base, log, scratch.state + field.headerLog);
    b.store("i32.store", base, symbol, scratch.state + field.headerSymbols);
    b.return_(i32.add(at, i32.shrU(i32.add(bit, i32.const(7)), i32.const(3))));
  });
}

/** What a symbol of a table stands for: itself, a number of extra bits, or the entry of a table of codes. */
type Meaning = "symbol" | "offset" | "code";

/** (counts, symbols, log, table, codes, scratch). The counts fill the table exactly. */
function buildTable(k: KernelBuilder, meaning: Meaning): FunctionRef {
  return k.function_(`buildTable ${meaning}`, { params: ["i32", "i32", "i32", "i32", "i32", "i32"] }, (b, params) => {
    const [counts, symbols, log, table, codes, base] = params;
    const next = b.temp(i32.add(base, i32.const(scratch.next)));
    const size = b.temp(i32.shl(one, log));
    const mask = b.temp(i32.sub(size, one));
    const high = b.local("i32", mask);
    const entry = (index: Expr) => i32.add(table, i32.shl(index, i32.const(3)));
    const countOf = (symbol: Expr) => i32.load16s(symbolAddress(counts, symbol));
    b.forRange(zero, symbols, (symbol) => {
      const count = b.temp(countOf(symbol));
      b.store("i32.store16", symbolAddress(next, symbol), select(i32.ltS(count, zero), one, count));
      b.if_(i32.ltS(count, zero), () => {
        b.store("i32.store", entry(high), symbol);
        b.set(high, i32.sub(high, one));
      });
    });
    const place = b.local("i32", zero);
    const step = b.temp(i32.add(i32.add(i32.shrU(size, one), i32.shrU(size, i32.const(3))), i32.const(3)));
    b.forRange(zero, symbols, (symbol) => {
      b.forRange(zero, countOf(symbol), () => {
        b.store("i32.store", entry(place), symbol);
        b.loop((more) => {
          b.set(place, i32.and(i32.add(place, step), mask));
          b.continue_(more, i32.gtS(place, high));
        });
      });
    });
    b.forRange(zero, size, (index) => {
      const target = b.temp(entry(index));
      const symbol = b.temp(i32.load(target));
      const state = b.temp(i32.load16u(symbolAddress(next, symbol)));
      b.store("i32.store16", symbolAddress(next, symbol), i32.add(state, one));
      const bits = b.temp(i32.sub(log, highestBit(state)));
      writeEntry(b, target, { symbol, codes, meaning });
      b.store("i32.store8", target, bits, 5);
      b.store("i32.store16", target, i32.sub(i32.shl(state, bits), size), 6);
    });
  });
}

/** Baseline and extra bits. */
function writeEntry(
  b: CodeBuilder,
  target: Expr,
  { symbol, codes, meaning }: { readonly symbol: Expr; readonly codes: Expr; readonly meaning: Meaning },
): void {
  if (meaning === "code") {
    const code = b.temp(i32.add(codes, i32.shl(symbol, i32.const(3))));
    b.store("i32.store", target, i32.load(code));
    b.store("i32.store8", target, i32.load(code, 4), 4);
    return;
  }
  b.store("i32.store", target, meaning === "offset" ? i32.shl(one, symbol) : symbol);
  b.store("i32.store8", target, meaning === "offset" ? symbol : zero, 4);
}

/** The tables of sequences: of literal lengths, offsets and match lengths. */
export interface SequenceTable {
  readonly meaning: Meaning;
  /** Offset of the table, and of its codes if they have one. */
  readonly table: number;
  readonly codes: number;
  /** Offset of the field with its logarithm. */
  readonly log: number;
  readonly logMax: number;
  readonly symbolMax: number;
  readonly defaults: { readonly counts: number; readonly symbols: number; readonly log: number };
}

/** (mode, at, end, scratch) -> the address after the description of the table, or 0 if it is damaged. */
export function readSequenceTable(k: KernelBuilder, name: string, kind: SequenceTable): FunctionRef {
  const read = readDistribution(k);
  const build = buildTable(k, kind.meaning);
  return k.function_(`read ${name}`, { params: ["i32", "i32", "i32", "i32"], result: "i32" }, (b, [mode, at, end, base]) => {
    const table = b.temp(i32.add(base, i32.const(kind.table)));
    const codes = i32.add(base, i32.const(kind.codes));
    const setLog = (log: Expr) => b.store("i32.store", base, log, scratch.state + kind.log);
    b.if_(i32.eqz(mode), () => {
      const { counts, symbols, log } = kind.defaults;
      b.do_(build, i32.add(base, i32.const(counts)), i32.const(symbols), i32.const(log), table, codes, base);
      setLog(i32.const(log));
      b.return_(at);
    });
    b.if_(i32.eq(mode, one), () => {
      b.if_(i32.geU(at, end), () => b.return_(zero));
      const symbol = b.temp(i32.load8u(at));
      b.if_(i32.gtU(symbol, i32.const(kind.symbolMax)), () => b.return_(zero));
      writeEntry(b, table, { symbol, codes, meaning: kind.meaning });
      b.store("i32.store8", table, zero, 5);
      b.store("i32.store16", table, zero, 6);
      setLog(zero);
      b.return_(i32.add(at, one));
    });
    b.if_(i32.eq(mode, i32.const(2)), () => {
      const after = b.temp(b.call(read, at, end, i32.const(kind.logMax), i32.const(kind.symbolMax), base));
      b.if_(after, () => {
        const log = b.temp(i32.load(base, scratch.state + field.headerLog));
        const symbols = i32.load(base, scratch.state + field.headerSymbols);
        b.do_(build, i32.add(base, i32.const(scratch.counts)), symbols, log, table, codes, base);
        setLog(log);
      });
      b.return_(after);
    });
    // The table of the block before.
    b.return_(select(i32.ltS(i32.load(base, scratch.state + kind.log), zero), zero, at));
  });
}

/** (at, end, number of bytes, scratch) -> number of weights that an FSE stream holds, or 0 if it is damaged. */
function readPackedWeights(k: KernelBuilder): FunctionRef {
  const read = readDistribution(k);
  const build = buildTable(k, "symbol");
  return k.function_("readPackedWeights", { params: ["i32", "i32", "i32"], result: "i32" }, (b, [from, end, base]) => {
    const at = b.temp(b.call(read, from, end, i32.const(weightsLogMax), i32.const(weightMax), base));
    b.if_(i32.eqz(at), () => b.return_(zero));
    const log = b.temp(i32.load(base, scratch.state + field.headerLog));
    const table = b.temp(i32.add(base, i32.const(scratch.weights)));
    const symbols = i32.load(base, scratch.state + field.headerSymbols);
    b.do_(build, i32.add(base, i32.const(scratch.counts)), symbols, log, table, zero, base);
    const weights = b.temp(i32.add(base, i32.const(scratch.symbolWeights)));
    const bit = backwardBits(b, at, end);
    b.if_(i32.ltS(bit, zero), () => b.return_(zero));
    const count = b.local("i32", zero);
    const states = [0, 1].map(() => ({ state: b.local("i32", zero), bits: b.local("i32", log) }));
    // Two states take turns until one finds too few bits.
    b.block((done) => {
      b.loop((more) => {
        for (const { state, bits } of states) {
          b.set(bit, i32.sub(bit, bits));
          b.break_(done, i32.ltS(bit, zero));
          b.if_(i32.geU(count, i32.const(symbolMax)), () => b.return_(zero));
          const entry = b.temp(i32.add(table, i32.mul(i32.add(state, i32.wrapI64(bitsFrom(at, bit, bits))), i32.const(fseEntryBytes))));
          b.store("i32.store8", i32.add(weights, count), i32.load(entry));
          b.set(count, i32.add(count, one));
          b.set(bits, i32.load8u(entry, 5));
          b.set(state, i32.load16u(entry, 6));
        }
        b.continue_(more);
      });
    });
    b.return_(count);
  });
}

/** (at, end, scratch) -> the address after the description of a Huffman table, or 0 if it is damaged. */
export function readHuffman(k: KernelBuilder): FunctionRef {
  const readPacked = readPackedWeights(k);
  return k.function_("readHuffman", { params: ["i32", "i32", "i32"], result: "i32" }, (b, [at, end, base]) => {
    b.if_(i32.geU(at, end), () => b.return_(zero));
    const weights = b.temp(i32.add(base, i32.const(scratch.symbolWeights)));
    const head = b.temp(i32.load8u(at));
    b.set(at, i32.add(at, one));
    const count = b.local("i32");
    const bytes = b.temp(select(i32.ltU(head, i32.const(128)), head, i32.shrU(i32.sub(head, i32.const(126)), one)));
    b.if_(i32.gtU(bytes, i32.sub(end, at)), () => b.return_(zero));
    b.if_(
      i32.ltU(head, i32.const(128)),
      () => b.set(count, b.call(readPacked, at, i32.add(at, bytes), base)),
      () => {
        b.set(count, i32.sub(head, i32.const(127)));
        b.forRange(zero, bytes, (index) => {
          const pair = b.temp(i32.load8u(i32.add(at, index)));
          const target = b.temp(symbolAddress(weights, index));
          b.store("i32.store8", target, i32.shrU(pair, i32.const(4)));
          b.store("i32.store8", target, i32.and(pair, i32.const(15)), 1);
        });
      },
    );
    b.if_(i32.eqz(count), () => b.return_(zero));
    b.if_(i32.eqz(b.call(huffmanTable(k), count, base)), () => b.return_(zero));
    b.return_(i32.add(at, bytes));
  });
}

/** (number of weights, scratch) -> 1, or 0 if they make no table. Entries of two bytes: symbol, bits. */
function huffmanTable(k: KernelBuilder): FunctionRef {
  return k.function_("huffmanTable", { params: ["i32", "i32"], result: "i32" }, (b, [count, base]) => {
    const weights = b.temp(i32.add(base, i32.const(scratch.symbolWeights)));
    const ranks = b.temp(i32.add(base, i32.const(scratch.ranks)));
    const table = b.temp(i32.add(base, i32.const(scratch.huffman)));
    const rank = (weight: Expr) => i32.add(ranks, i32.shl(weight, i32.const(2)));
    const spanOf = (weight: Expr) => i32.shrU(i32.shl(one, weight), one);
    b.fillBytes(ranks, zero, i32.const(64));
    const sum = b.local("i32", zero);
    const countWeight = (weight: Expr) => b.store("i32.store", rank(weight), i32.add(i32.load(rank(weight)), one));
    b.forRange(zero, count, (symbol) => {
      const weight = b.temp(i32.load8u(i32.add(weights, symbol)));
      b.if_(i32.gtU(weight, i32.const(huffmanBitsMax)), () => b.return_(zero));
      countWeight(weight);
      b.set(sum, i32.add(sum, spanOf(weight)));
    });
    b.if_(i32.eqz(sum), () => b.return_(zero));
    const bitsMax = b.temp(i32.add(highestBit(sum), one));
    b.if_(i32.gtU(bitsMax, i32.const(huffmanBitsMax)), () => b.return_(zero));
    // The last weight is what is missing to a power of two.
    const rest = b.temp(i32.sub(i32.shl(one, bitsMax), sum));
    b.if_(i32.ne(i32.popcnt(rest), one), () => b.return_(zero));
    const last = b.temp(i32.add(highestBit(rest), one));
    b.store("i32.store8", i32.add(weights, count), last);
    countWeight(last);
    const start = b.local("i32", zero);
    b.forRange(one, i32.const(huffmanBitsMax + 1), (weight) => {
      const symbols = b.temp(i32.load(rank(weight)));
      b.store("i32.store", rank(weight), start);
      b.set(start, i32.add(start, i32.mul(symbols, spanOf(weight))));
    });
    b.forRange(zero, i32.add(count, one), (symbol) => {
      const weight = b.temp(i32.load8u(i32.add(weights, symbol)));
      b.if_(weight, () => {
        const from = b.temp(i32.load(rank(weight)));
        const to = b.temp(i32.add(from, spanOf(weight)));
        b.store("i32.store", rank(weight), to);
        const entry = b.temp(i32.or(symbol, i32.shl(i32.sub(i32.add(bitsMax, one), weight), i32.const(8))));
        b.forRange(from, to, (code) => b.store("i32.store16", symbolAddress(table, code), entry));
      });
    });
    b.store("i32.store", base, bitsMax, scratch.state + field.huffmanBits);
    b.return_(one);
  });
}
