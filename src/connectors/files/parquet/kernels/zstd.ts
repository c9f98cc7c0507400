/**
 * The kernel that decompresses Zstandard (RFC 8878): frames, blocks, literals and sequences. It takes (input, end of input, output, end of
 * output, scratch) and returns 1 if the input is well-formed and fills the output exactly, else 0. Checksums are not verified; dictionaries
 * are not supported. It reads at most 16 bytes past the input and some before it, and writes nothing outside of output and scratch.
 */
import { buildKernel, type CodeBuilder, i32, i64, type KernelBuilder, type Local, select, v128 } from "../../../../codegen/builder.ts";
import type { FunctionRef } from "../../../../codegen/builder.ts";
import type { Expr, Kernel } from "../../../../codegen/ir.ts";
import { copyMatch } from "./blocks.ts";
import { field, literalsMax, literalSymbols, matchSymbols, offsetDefaultSymbols, scratch } from "./zstd-scratch.ts";
import { backwardBits, bitsFrom, readHuffman, readSequenceTable, type SequenceTable } from "./zstd-tables.ts";

const zero = i32.const(0);
const one = i32.const(1);
const three = i32.const(3);
const frameMagic = 0xfd2fb528;
const skippableMagic = 0x184d2a50;
/** Four symbols of at most 11 bits are read from one word. */
const symbolsOfWord = 4;

const literalTable: SequenceTable = {
  meaning: "code",
  table: scratch.literalLengths,
  codes: scratch.literalCodes,
  log: field.literalLog,
  logMax: 9,
  symbolMax: literalSymbols - 1,
  defaults: { counts: scratch.literalDefaults, symbols: literalSymbols, log: 6 },
};

const offsetTable: SequenceTable = {
  meaning: "offset",
  table: scratch.offsets,
  codes: 0,
  log: field.offsetLog,
  logMax: 8,
  symbolMax: 31,
  defaults: { counts: scratch.offsetDefaults, symbols: offsetDefaultSymbols, log: 5 },
};

const matchTable: SequenceTable = {
  meaning: "code",
  table: scratch.matchLengths,
  codes: scratch.matchCodes,
  log: field.matchLog,
  logMax: 9,
  symbolMax: matchSymbols - 1,
  defaults: { counts: scratch.matchDefaults, symbols: matchSymbols, log: 6 },
};

function stateAt(offset: number): number {
  return scratch.state + offset;
}

/** Decodes symbols that `word` begins with, and moves the bit position. */
function decodeSymbols(
  b: CodeBuilder,
  stream: { readonly at: Expr; readonly bit: Local; readonly to: Local },
  { table, bits, count }: { readonly table: Expr; readonly bits: Expr; readonly count: number },
): void {
  const { at, bit, to } = stream;
  // The bits below `bit` at the top of a word: at least 57 of them.
  const from = i32.sub(i32.add(at, i32.shrS(bit, three)), i32.const(7));
  const word = b.local("i64", i64.shl(i64.load(from), i64.extendI32U(i32.sub(i32.const(8), i32.and(bit, i32.const(7))))));
  const unused = b.temp(i64.extendI32U(i32.sub(i32.const(64), bits)));
  for (let index = 0; index < count; index++) {
    const entry = b.temp(i32.load16u(i32.add(table, i32.shl(i32.wrapI64(i64.shrU(word, unused)), one))));
    b.store("i32.store8", to, entry, index);
    const length = b.temp(i32.shrU(entry, i32.const(8)));
    b.set(bit, i32.sub(bit, length));
    if (index + 1 < count) {
      b.set(word, i64.shl(word, i64.extendI32U(length)));
    }
  }
  b.set(to, i32.add(to, i32.const(count)));
}

/** (at, bit, to, end of output, scratch) -> 1 if the rest of a Huffman stream fills the rest of its output exactly, else 0. */
function finishStream(k: KernelBuilder): FunctionRef {
  return k.function_("finishStream", { params: ["i32", "i32", "i32", "i32", "i32"], result: "i32" }, (b, [at, bit, to, stop, base]) => {
    const table = b.temp(i32.add(base, i32.const(scratch.huffman)));
    const bits = b.temp(i32.load(base, stateAt(field.huffmanBits)));
    b.while_(
      () => i32.ltU(to, stop),
      () => {
        b.if_(i32.leS(bit, zero), () => b.return_(zero));
        decodeSymbols(b, { at, bit, to }, { table, bits, count: 1 });
      },
    );
    b.return_(i32.eqz(bit));
  });
}

/** (at, end, to, end of output, scratch) -> 1 if four streams with a table of their sizes fill the output, else 0. */
function fourStreams(k: KernelBuilder): FunctionRef {
  const finish = finishStream(k);
  return k.function_("fourStreams", { params: ["i32", "i32", "i32", "i32", "i32"], result: "i32" }, (b, [at, end, to, stop, base]) => {
    const table = b.temp(i32.add(base, i32.const(scratch.huffman)));
    const bits = b.temp(i32.load(base, stateAt(field.huffmanBits)));
    b.if_(i32.ltU(i32.sub(end, at), i32.const(6)), () => b.return_(zero));
    const quarter = b.temp(i32.shrU(i32.add(i32.sub(stop, to), three), i32.const(2)));
    b.if_(i32.gtU(i32.mul(quarter, three), i32.sub(stop, to)), () => b.return_(zero));
    const from = b.local("i32", i32.add(at, i32.const(6)));
    const streams = [0, 1, 2, 3].map((index) => {
      const start = b.temp(from);
      b.set(from, index === 3 ? end : i32.add(from, i32.load16u(at, index * 2)));
      b.if_(i32.gtU(from, end), () => b.return_(zero));
      const bit = backwardBits(b, start, from);
      const target = b.local("i32", i32.add(to, i32.mul(quarter, i32.const(index))));
      return { at: start, bit, to: target, stop: index === 3 ? stop : b.temp(i32.add(target, quarter)) };
    });
    const [first, second, third, fourth] = streams as [(typeof streams)[0], (typeof streams)[0], (typeof streams)[0], (typeof streams)[0]];
    const lowest = () => i32.or(i32.or(first.bit, second.bit), i32.or(third.bit, fourth.bit));
    const rounds = b.local("i32", i32.shrU(i32.sub(fourth.stop, fourth.to), i32.const(2)));
    b.while_(
      () => i32.and(i32.gtS(rounds, zero), i32.geS(lowest(), zero)),
      () => {
        for (const stream of streams) {
          decodeSymbols(b, stream, { table, bits, count: symbolsOfWord });
        }
        b.set(rounds, i32.sub(rounds, one));
      },
    );
    b.if_(i32.ltS(lowest(), zero), () => b.return_(zero));
    for (const stream of streams) {
      b.if_(i32.eqz(b.call(finish, stream.at, stream.bit, stream.to, stream.stop, base)), () => b.return_(zero));
    }
    b.return_(one);
  });
}

/** (at, end, scratch) -> the address after the literals of a block, or 0 if they are damaged. Their place goes to fields. */
function readLiterals(k: KernelBuilder): FunctionRef {
  const huffman = readHuffman(k);
  const finish = finishStream(k);
  const four = fourStreams(k);
  return k.function_("readLiterals", { params: ["i32", "i32", "i32"], result: "i32" }, (b, [at, end, base]) => {
    const buffer = b.temp(i32.add(base, i32.const(scratch.literals)));
    const place = (address: Expr, length: Expr) => {
      b.store("i32.store", base, address, stateAt(field.literalsAt));
      b.store("i32.store", base, length, stateAt(field.literalsLength));
    };
    b.if_(i32.geU(at, end), () => b.return_(zero));
    const head = b.temp(i64.load(at));
    const kind = b.temp(i32.and(i32.wrapI64(head), three));
    const format = b.temp(i32.and(i32.shrU(i32.wrapI64(head), i32.const(2)), three));
    const bitsOf = (from: Expr, count: Expr) =>
      i32.wrapI64(i64.and(i64.shrU(head, i64.extendI32U(from)), i64.sub(i64.shl(i64.const(1n), i64.extendI32U(count)), i64.const(1n))));
    b.if_(i32.ltU(kind, i32.const(2)), () => {
      const isShort = i32.eqz(i32.and(format, one));
      const bytes = b.temp(select(isShort, one, select(i32.eq(format, one), i32.const(2), three)));
      const shift = b.temp(select(isShort, three, i32.const(4)));
      const length = b.temp(bitsOf(shift, i32.sub(i32.shl(bytes, three), shift)));
      b.if_(i32.or(i32.gtU(bytes, i32.sub(end, at)), i32.gtU(length, i32.const(literalsMax))), () => b.return_(zero));
      b.set(at, i32.add(at, bytes));
      b.if_(i32.gtU(select(kind, one, length), i32.sub(end, at)), () => b.return_(zero));
      b.if_(kind, () => {
        b.fillBytes(buffer, i32.load8u(at), length);
        place(buffer, length);
        b.return_(i32.add(at, one));
      });
      place(at, length);
      b.return_(i32.add(at, length));
    });
    const sizeBits = b.temp(
      select(i32.ltU(format, i32.const(2)), i32.const(10), select(i32.eq(format, three), i32.const(18), i32.const(14))),
    );
    const length = b.temp(bitsOf(i32.const(4), sizeBits));
    const stored = b.temp(bitsOf(i32.add(sizeBits, i32.const(4)), sizeBits));
    const bytes = b.temp(i32.shrU(i32.add(i32.shl(sizeBits, one), i32.const(4)), three));
    b.if_(i32.or(i32.gtU(bytes, i32.sub(end, at)), i32.gtU(length, i32.const(literalsMax))), () => b.return_(zero));
    b.set(at, i32.add(at, bytes));
    b.if_(i32.gtU(stored, i32.sub(end, at)), () => b.return_(zero));
    const after = b.temp(i32.add(at, stored));
    b.if_(
      i32.eq(kind, i32.const(2)),
      () => {
        b.set(at, b.call(huffman, at, after, base));
        b.if_(i32.eqz(at), () => b.return_(zero));
      },
      () => b.if_(i32.eqz(i32.load(base, stateAt(field.huffmanBits))), () => b.return_(zero)),
    );
    const isWhole = b.local("i32");
    b.if_(
      format,
      () => b.set(isWhole, b.call(four, at, after, buffer, i32.add(buffer, length), base)),
      () => b.set(isWhole, b.call(finish, at, backwardBits(b, at, after), buffer, i32.add(buffer, length), base)),
    );
    b.if_(i32.eqz(isWhole), () => b.return_(zero));
    place(buffer, length);
    b.return_(after);
  });
}

/** Copies by vectors where there is room for a whole one after the bytes, else byte by byte. `from` has room for reading. */
function copyLiterals(
  b: CodeBuilder,
  to: Expr,
  from: Expr,
  { length, outputEnd }: { readonly length: Expr; readonly outputEnd: Expr },
): void {
  b.if_(
    i32.gtU(i32.sub(outputEnd, to), i32.add(length, i32.const(16))),
    () => {
      const done = b.local("i32", zero);
      b.loop((more) => {
        b.store("v128.store", i32.add(to, done), v128.load(i32.add(from, done)));
        b.set(done, i32.add(done, i32.const(16)));
        b.continue_(more, i32.ltU(done, length));
      });
    },
    () => b.copyBytes(to, from, length),
  );
}

interface Repeats {
  readonly first: Local;
  readonly second: Local;
  readonly third: Local;
}

/** The offset for the value of a sequence; 1 to 3 stand for the last three. */
function offsetOf(b: CodeBuilder, value: Local, { first, second, third }: Repeats, literals: Expr): Local {
  const offset = b.local("i32");
  b.if_(
    i32.gtU(value, three),
    () => {
      b.set(offset, i32.sub(value, three));
      b.set(third, second);
      b.set(second, first);
      b.set(first, offset);
    },
    () => {
      const place = b.temp(i32.add(i32.sub(value, one), i32.eqz(literals)));
      b.set(offset, first);
      b.if_(place, () => {
        b.set(offset, select(i32.eq(place, one), second, select(i32.eq(place, i32.const(2)), third, i32.sub(first, one))));
        b.set(third, select(i32.eq(place, one), third, second));
        b.set(second, first);
        b.set(first, offset);
      });
    },
  );
  return offset;
}

/** (at, end, output of the frame, to, end of output, scratch) -> the address after what the sequences wrote, or 0 if they are damaged. */
function runSequences(k: KernelBuilder): FunctionRef {
  const readLiteralTable = readSequenceTable(k, "literal lengths", literalTable);
  const readOffsetTable = readSequenceTable(k, "offsets", offsetTable);
  const readMatchTable = readSequenceTable(k, "match lengths", matchTable);
  return k.function_("runSequences", { params: ["i32", "i32", "i32", "i32", "i32", "i32"], result: "i32" }, (b, params) => {
    const [at, end, output, to, outputEnd, base] = params;
    const literals = b.local("i32", i32.load(base, stateAt(field.literalsAt)));
    const literalsEnd = b.temp(i32.add(literals, i32.load(base, stateAt(field.literalsLength))));
    const count = b.local("i32");
    b.block((damaged) => {
      b.break_(damaged, i32.geU(at, end));
      const head = b.temp(i32.load8u(at));
      const bytes = b.temp(select(i32.ltU(head, i32.const(128)), one, select(i32.eq(head, i32.const(255)), three, i32.const(2))));
      b.break_(damaged, i32.gtU(bytes, i32.sub(end, at)));
      const middle = i32.or(i32.shl(i32.sub(head, i32.const(128)), i32.const(8)), i32.load8u(at, 1));
      const large = i32.add(i32.load16u(at, 1), i32.const(0x7f00));
      b.set(count, select(i32.eq(bytes, one), head, select(i32.eq(bytes, three), large, middle)));
      b.set(at, i32.add(at, bytes));
      b.if_(
        count,
        () => {
          b.break_(damaged, i32.geU(at, end));
          const modes = b.temp(i32.load8u(at));
          b.set(at, i32.add(at, one));
          for (const [table, shift] of [
            [readLiteralTable, 6],
            [readOffsetTable, 4],
            [readMatchTable, 2],
          ] as const) {
            b.set(at, b.call(table, i32.and(i32.shrU(modes, i32.const(shift)), three), at, end, base));
            b.break_(damaged, i32.eqz(at));
          }
          const repeats = {
            first: b.local("i32", i32.load(base, stateAt(field.repeats))),
            second: b.local("i32", i32.load(base, stateAt(field.repeats + 4))),
            third: b.local("i32", i32.load(base, stateAt(field.repeats + 8))),
          };
          const bit = backwardBits(b, at, end);
          b.break_(damaged, i32.ltS(bit, zero));
          const take = (bits: Expr) => {
            b.set(bit, i32.sub(bit, bits));
            return bitsFrom(at, bit, bits);
          };
          const states = [literalTable, offsetTable, matchTable].map(({ table, log }) => {
            const first = b.temp(i32.add(base, i32.const(table)));
            const entry = b.local("i32", i32.wrapI64(take(i32.load(base, stateAt(log)))));
            b.set(entry, i32.add(first, i32.shl(entry, three)));
            return { first, entry };
          });
          const [literal, offset, match] = states as [(typeof states)[0], (typeof states)[0], (typeof states)[0]];
          b.break_(damaged, i32.ltS(bit, zero));
          b.loop((more) => {
            const value = b.local("i32", i32.wrapI64(take(i32.load8u(offset.entry, 4))));
            b.set(value, i32.add(value, i32.load(offset.entry)));
            const literalBits = b.temp(i32.load8u(literal.entry, 4));
            const extra = b.temp(take(i32.add(i32.load8u(match.entry, 4), literalBits)));
            const matchLength = b.local("i32", i32.add(i32.load(match.entry), i32.wrapI64(i64.shrU(extra, i64.extendI32U(literalBits)))));
            const mask = i64.sub(i64.shl(i64.const(1n), i64.extendI32U(literalBits)), i64.const(1n));
            const literalLength = b.temp(i32.add(i32.load(literal.entry), i32.wrapI64(i64.and(extra, mask))));
            b.set(count, i32.sub(count, one));
            b.if_(count, () => nextStates(b, { at, bit }, { literal, match, offset }));
            b.break_(damaged, i32.ltS(bit, zero));
            const distance = offsetOf(b, value, repeats, literalLength);
            b.break_(damaged, i32.gtU(literalLength, i32.sub(literalsEnd, literals)));
            b.break_(damaged, i32.gtU(literalLength, i32.sub(outputEnd, to)));
            copyLiterals(b, to, literals, { length: literalLength, outputEnd });
            b.set(to, i32.add(to, literalLength));
            b.set(literals, i32.add(literals, literalLength));
            copyEarlier(b, { at, end, to, output, outputEnd, damaged }, { offset: distance, length: matchLength });
            b.continue_(more, count);
          });
          b.break_(damaged, bit);
          b.store("i32.store", base, repeats.first, stateAt(field.repeats));
          b.store("i32.store", base, repeats.second, stateAt(field.repeats + 4));
          b.store("i32.store", base, repeats.third, stateAt(field.repeats + 8));
        },
        () => b.break_(damaged, i32.ne(at, end)),
      );
      const rest = b.temp(i32.sub(literalsEnd, literals));
      b.break_(damaged, i32.gtU(rest, i32.sub(outputEnd, to)));
      b.copyBytes(to, literals, rest);
      b.return_(i32.add(to, rest));
    });
    b.return_(zero);
  });
}

/** Copies bytes of the output, by vectors if they lie at least a vector before. */
function copyEarlier(
  b: CodeBuilder,
  block: Parameters<typeof copyMatch>[1],
  { offset, length }: { readonly offset: Local; readonly length: Local },
): void {
  const { to, output, outputEnd } = block;
  const isFar = i32.and(i32.geU(offset, i32.const(16)), i32.leU(offset, i32.sub(to, output)));
  b.if_(
    i32.and(isFar, i32.gtU(i32.sub(outputEnd, to), i32.add(length, i32.const(16)))),
    () => {
      const stop = b.temp(i32.add(to, length));
      b.loop((more) => {
        b.store("v128.store", to, v128.load(i32.sub(to, offset)));
        b.set(to, i32.add(to, i32.const(16)));
        b.continue_(more, i32.ltU(to, stop));
      });
      b.set(to, stop);
    },
    () => copyMatch(b, block, { offset, length }),
  );
}

interface State {
  readonly first: Expr;
  readonly entry: Local;
}

/** The bits of the three states, of which there are at most 26, lie together. */
function nextStates(
  b: CodeBuilder,
  { at, bit }: { readonly at: Expr; readonly bit: Local },
  { literal, match, offset }: { readonly literal: State; readonly match: State; readonly offset: State },
): void {
  const bitsOf = ({ entry }: State) => i32.load8u(entry, 5);
  const offsetBits = b.temp(bitsOf(offset));
  const matchBits = b.temp(bitsOf(match));
  const below = b.temp(i32.add(matchBits, offsetBits));
  const all = b.temp(i32.add(bitsOf(literal), below));
  b.set(bit, i32.sub(bit, all));
  const bits = b.temp(i32.wrapI64(bitsFrom(at, bit, all)));
  const low = (value: Expr, count: Expr) => i32.and(value, i32.sub(i32.shl(one, count), one));
  const follow = ({ first, entry }: State, value: Expr) =>
    b.set(entry, i32.add(first, i32.shl(i32.add(i32.load16u(entry, 6), value), three)));
  follow(literal, i32.shrU(bits, below));
  follow(match, low(i32.shrU(bits, offsetBits), matchBits));
  follow(offset, low(bits, offsetBits));
}

/** (at, end, to, end of output, scratch) -> the address after the frame's blocks, or 0 if they are damaged; output goes to field `to`. */
function readBlocks(k: KernelBuilder): FunctionRef {
  const literals = readLiterals(k);
  const sequences = runSequences(k);
  return k.function_(
    "readBlocks",
    { params: ["i32", "i32", "i32", "i32", "i32"], result: "i32" },
    (b, [at, end, output, outputEnd, base]) => {
      const to = b.local("i32", output);
      for (const [offset, value] of [
        [field.literalLog, -1],
        [field.offsetLog, -1],
        [field.matchLog, -1],
        [field.huffmanBits, 0],
        [field.repeats, 1],
        [field.repeats + 4, 4],
        [field.repeats + 8, 8],
      ] as const) {
        b.store("i32.store", base, i32.const(value), stateAt(offset));
      }
      b.loop((more) => {
        b.if_(i32.ltU(i32.sub(end, at), three), () => b.return_(zero));
        const head = b.temp(i32.and(i32.load(at), i32.const(0xff_ffff)));
        const kind = b.temp(i32.and(i32.shrU(head, one), three));
        const size = b.temp(i32.shrU(head, three));
        b.set(at, i32.add(at, three));
        b.if_(i32.or(i32.eq(kind, three), i32.gtU(size, i32.const(literalsMax))), () => b.return_(zero));
        b.if_(i32.gtU(select(i32.eq(kind, one), one, size), i32.sub(end, at)), () => b.return_(zero));
        b.if_(
          i32.eq(kind, i32.const(2)),
          () => {
            const blockEnd = b.temp(i32.add(at, size));
            b.set(at, b.call(literals, at, blockEnd, base));
            b.if_(i32.eqz(at), () => b.return_(zero));
            b.set(to, b.call(sequences, at, blockEnd, output, to, outputEnd, base));
            b.if_(i32.eqz(to), () => b.return_(zero));
            b.set(at, blockEnd);
          },
          () => {
            b.if_(i32.gtU(size, i32.sub(outputEnd, to)), () => b.return_(zero));
            b.if_(
              kind,
              () => b.fillBytes(to, i32.load8u(at), size),
              () => b.copyBytes(to, at, size),
            );
            b.set(to, i32.add(to, size));
            b.set(at, i32.add(at, select(kind, one, size)));
          },
        );
        b.continue_(more, i32.eqz(i32.and(head, one)));
      });
      b.store("i32.store", base, to, stateAt(field.to));
      b.return_(at);
    },
  );
}

export function zstdKernel(): Kernel {
  return buildKernel("parquet zstd", (k) => {
    k.entry({ params: ["i32", "i32", "i32", "i32", "i32"], result: "i32" }, (b, [at, end, to, outputEnd, base]) => {
      const blocks = readBlocks(k);
      b.while_(
        () => i32.ltU(at, end),
        (next) => {
          b.if_(i32.ltU(i32.sub(end, at), i32.const(8)), () => b.return_(zero));
          b.if_(i32.eq(i32.and(i32.load(at), i32.const(-16)), i32.const(skippableMagic)), () => {
            const size = b.temp(i32.load(at, 4));
            b.set(at, i32.add(at, i32.const(8)));
            b.if_(i32.gtU(size, i32.sub(end, at)), () => b.return_(zero));
            b.set(at, i32.add(at, size));
            b.continue_(next);
          });
          b.if_(i32.ne(i32.load(at), i32.const(frameMagic | 0)), () => b.return_(zero));
          const flags = b.temp(i32.load8u(at, 4));
          const isSingle = b.temp(i32.and(i32.shrU(flags, i32.const(5)), one));
          // A reserved bit, or a dictionary.
          b.if_(i32.and(flags, i32.const(0b1011)), () => b.return_(zero));
          const sizeKind = b.temp(i32.shrU(flags, i32.const(6)));
          const sizeBytes = select(sizeKind, i32.shl(one, sizeKind), isSingle);
          const bytes = b.temp(i32.add(i32.sub(i32.const(6), isSingle), sizeBytes));
          b.if_(i32.gtU(bytes, i32.sub(end, at)), () => b.return_(zero));
          b.set(at, b.call(blocks, i32.add(at, bytes), end, to, outputEnd, base));
          b.if_(i32.eqz(at), () => b.return_(zero));
          b.set(to, i32.load(base, stateAt(field.to)));
          b.if_(i32.and(flags, i32.const(4)), () => {
            b.if_(i32.ltU(i32.sub(end, at), i32.const(4)), () => b.return_(zero));
            b.set(at, i32.add(at, i32.const(4)));
          });
        },
      );
      b.return_(i32.eq(to, outputEnd));
    });
  });
}
