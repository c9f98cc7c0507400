/**
 * The cells of JSON objects, one a line, many lines at a time. Keys are matched with the bytes of keys that were read before, beginning
 * with the one that followed last time. Lines that are not of the usual form end the batch: the caller reads them with json-lines.ts, whose
 * results these are. The grammar is checked in full, of values that nothing reads too.
 */
import {
  buildKernel,
  type CodeBuilder,
  type FunctionRef,
  i32,
  i32s,
  i8x16,
  type KernelBuilder,
  type Label,
  type Local,
  v128,
} from "../../../../codegen/builder.ts";
import type { Expr, Kernel } from "../../../../codegen/ir.ts";
import { memEquals } from "../../../../codegen/library.ts";
import { cell } from "../records.ts";
import { carriageReturn, newline, one, quotationMark, scanTo, storeCell, utf8Function, zero } from "./bytes.ts";

/**
 * What is known of a key: as i32 the number of its bytes with both quotes, the addresses of cells and kinds (0 if nothing reads the value),
 * and 1 if escapes may stay; a mask of its first sixteen bytes; its bytes.
 */
export const jsonKey = Object.freeze({ bytes: 128, mask: 16, text: 32, textBytesMax: 96 });

const space = i32.const(0x20);
const backslash = i32.const(0x5c);
const openBrace = i32.const(0x7b);
const openBracket = i32.const(0x5b);
const comma = i32.const(0x2c);
const colon = i32.const(0x3a);
const dash = i32.const(0x2d);
const digitZero = i32.const(0x30);
const depthMax = i32.const(500);
const two = i32.const(2);

/** Places of a value that is being read. */
interface Cursor {
  readonly at: Local;
  readonly end: Expr;
  /** Left if the text is not of the usual form. */
  readonly unusual: Label;
  readonly seen: Local;
}

interface Vectors {
  readonly quotes: Expr;
  readonly backslashes: Expr;
  readonly spaces: Expr;
  readonly zeros: Expr;
  readonly nines: Expr;
}

function vectors(b: CodeBuilder): Vectors {
  return {
    quotes: b.temp(i8x16.splat(quotationMark)),
    backslashes: b.temp(i8x16.splat(backslash)),
    spaces: b.temp(i8x16.splat(space)),
    zeros: b.temp(i8x16.splat(digitZero)),
    nines: b.temp(i8x16.splat(i32.const(9))),
  };
}

/** Within a line, so that a newline is no space. */
function skipSpace(b: CodeBuilder, { at, end }: Pick<Cursor, "at" | "end">): void {
  b.loop((more) => {
    const byte = b.temp(i32.load8u(at));
    const isSpace = i32.or(i32.eq(byte, space), i32.or(i32.eq(byte, i32.const(0x09)), i32.eq(byte, carriageReturn)));
    b.if_(i32.and(isSpace, i32.ltU(at, end)), () => {
      b.set(at, i32.add(at, one));
      b.continue_(more);
    });
  });
}

/** One test where there is no space, as nearly always. */
function skipRareSpace(b: CodeBuilder, cursor: Cursor): void {
  b.if_(i32.leU(i32.load8u(cursor.at), space), () => skipSpace(b, cursor));
}

function isHex(byte: Expr): Expr {
  const isDigit = i32.ltU(i32.sub(byte, digitZero), i32.const(10));
  return i32.or(isDigit, i32.ltU(i32.sub(i32.or(byte, space), i32.const(0x61)), i32.const(6)));
}

/** From after the quote to after the closing one. Sets `escaped` to 1 if there is an escape. */
function readString(b: CodeBuilder, { at, end, unusual, seen }: Cursor, { quotes, backslashes, spaces }: Vectors, escaped: Local): void {
  b.set(escaped, zero);
  b.loop((more) => {
    b.break_(unusual, i32.geU(at, end));
    const matches = (block: Expr) => v128.or(v128.or(i8x16.eq(block, quotes), i8x16.eq(block, backslashes)), i8x16.ltU(block, spaces));
    scanTo(b, { at, end, none: unusual, seen, matches });
    const byte = b.temp(i32.load8u(at));
    b.if_(i32.ne(byte, quotationMark), () => {
      b.break_(unusual, i32.ne(byte, backslash));
      b.set(escaped, one);
      const kind = b.temp(i32.load8u(at, 1));
      b.set(at, i32.add(at, two));
      b.if_(
        i32.eq(kind, i32.const(0x75)),
        () => {
          for (let digit = 0; digit < 4; digit++) {
            b.break_(unusual, i32.eqz(isHex(b.temp(i32.load8u(at, digit)))));
          }
          b.set(at, i32.add(at, i32.const(4)));
        },
        () => {
          const isOf = [0x22, 0x5c, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74].map((known) => i32.eq(kind, i32.const(known)));
          b.break_(unusual, i32.eqz(isOf.reduce((any, one) => i32.or(any, one))));
        },
      );
      b.continue_(more);
    });
  });
  b.set(at, i32.add(at, one));
}

/** Moves `at` over digits, of which there must be one. */
function readDigits(b: CodeBuilder, { at, end, unusual }: Cursor, { zeros, nines }: Vectors): void {
  const first = b.temp(at);
  scanTo(b, { at, end, none: unusual, matches: (block) => i8x16.ltU(nines, i8x16.sub(block, zeros)) });
  b.break_(unusual, i32.eq(at, first));
}

function readNumber(b: CodeBuilder, cursor: Cursor, constants: Vectors): void {
  const { at, unusual } = cursor;
  b.set(at, i32.add(at, i32.eq(i32.load8u(at), dash)));
  const first = b.temp(at);
  readDigits(b, cursor, constants);
  b.break_(unusual, i32.and(i32.eq(i32.load8u(first), digitZero), i32.gtU(i32.sub(at, first), one)));
  b.if_(i32.eq(i32.load8u(at), i32.const(0x2e)), () => {
    b.set(at, i32.add(at, one));
    readDigits(b, cursor, constants);
  });
  b.if_(i32.eq(i32.or(i32.load8u(at), space), i32.const(0x65)), () => {
    const sign = b.temp(i32.load8u(at, 1));
    b.set(at, i32.add(at, i32.add(one, i32.or(i32.eq(sign, i32.const(0x2b)), i32.eq(sign, dash)))));
    readDigits(b, cursor, constants);
  });
}

/** true, false or null. */
function readWord(b: CodeBuilder, { at, unusual }: Cursor): void {
  const word = b.temp(i32.load(at));
  const isFalse = i32.and(i32.eq(word, i32.const(0x736c6166)), i32.eq(i32.load8u(at, 4), i32.const(0x65)));
  const isOther = i32.or(i32.eq(word, i32.const(0x65757274)), i32.eq(word, i32.const(0x6c6c756e)));
  const length = b.temp(i32.add(i32.mul(isFalse, i32.const(5)), i32.shl(isOther, two)));
  b.break_(unusual, i32.eqz(length));
  b.set(at, i32.add(at, length));
}

/**
 * (start, end, depth, state) -> the address after the object or array at `start`; 0 if it is not of the usual form. A byte of `state` that
 * is not zero says that there are bytes beyond ASCII.
 */
function nestedFunction(k: KernelBuilder): FunctionRef {
  return k.function_("nested", { params: i32s(4), result: "i32" }, (b, [at, end, depth, state]) => {
    const seen = b.local("v128");
    const escaped = b.local("i32");
    const constants = vectors(b);
    b.block((unusual) => {
      const cursor = { at, end, unusual, seen };
      b.break_(unusual, i32.gtU(depth, depthMax));
      const open = b.temp(i32.load8u(at));
      const close = b.temp(i32.add(open, two));
      const finish = () => {
        b.store("i32.store", state, i32.or(i32.load(state), i8x16.bitmask(seen)));
        b.return_(i32.add(at, one));
      };
      b.set(at, i32.add(at, one));
      skipRareSpace(b, cursor);
      b.if_(i32.eq(i32.load8u(at), close), finish);
      b.loop((more) => {
        b.if_(i32.eq(open, openBrace), () => {
          b.break_(unusual, i32.ne(i32.load8u(at), quotationMark));
          b.set(at, i32.add(at, one));
          readString(b, cursor, constants, escaped);
          skipRareSpace(b, cursor);
          b.break_(unusual, i32.ne(i32.load8u(at), colon));
          b.set(at, i32.add(at, one));
          skipRareSpace(b, cursor);
        });
        readValue(b, cursor, constants, { escaped, depth: i32.add(depth, one), state, nested: nestedFunction(k) });
        skipRareSpace(b, cursor);
        b.break_(unusual, i32.geU(at, end));
        const byte = b.temp(i32.load8u(at));
        b.if_(i32.eq(byte, close), finish);
        b.break_(unusual, i32.ne(byte, comma));
        b.set(at, i32.add(at, one));
        skipRareSpace(b, cursor);
        b.continue_(more);
      });
    });
    b.return_(zero);
  });
}

interface Nesting {
  /** Set to 1 if the value is a string with an escape, to 0 if it is one without. */
  readonly escaped: Local;
  readonly depth: Expr;
  readonly state: Expr;
  readonly nested: FunctionRef;
  /** Set to the kind of the cell, except that of an escaped one. */
  readonly kind?: Local;
}

function readValue(b: CodeBuilder, cursor: Cursor, constants: Vectors, { escaped, depth, state, nested, kind }: Nesting): void {
  const { at, end, unusual } = cursor;
  const first = b.temp(i32.load8u(at));
  const found = (one: number) => kind !== undefined && b.set(kind, i32.const(one));
  b.if_(
    i32.eq(first, quotationMark),
    () => {
      found(cell.quoted);
      b.set(at, i32.add(at, one));
      readString(b, cursor, constants, escaped);
    },
    () =>
      b.if_(
        i32.or(i32.eq(first, dash), i32.ltU(i32.sub(first, digitZero), i32.const(10))),
        () => {
          found(cell.literal);
          readNumber(b, cursor, constants);
        },
        () =>
          b.if_(
            i32.or(i32.eq(first, openBrace), i32.eq(first, openBracket)),
            () => {
              found(cell.nested);
              const behind = b.temp(b.call(nested, at, end, depth, state));
              b.break_(unusual, i32.eqz(behind));
              b.set(at, behind);
            },
            () => {
              found(cell.literal);
              readWord(b, cursor);
              if (kind !== undefined) {
                b.if_(i32.eq(first, i32.const(0x6e)), () => found(cell.none));
              }
            },
          ),
      ),
  );
}

/** Moves `at` over the key of a member, and `key` to what is known of it. */
function readKey(
  b: CodeBuilder,
  { at, end, unusual }: Cursor,
  keys: { readonly equals: FunctionRef; readonly key: Local; readonly first: Expr; readonly end: Expr },
): void {
  const { equals, key, first } = keys;
  const tried = b.local("i32", first);
  b.loop((search) => {
    b.if_(i32.eq(key, keys.end), () => b.set(key, first));
    b.break_(unusual, i32.eq(tried, keys.end));
    const differs = v128.and(v128.xor(v128.load(at), v128.load(key, jsonKey.text)), v128.load(key, jsonKey.mask));
    b.if_(i32.eqz(v128.anyTrue(differs)), () => {
      const length = b.temp(i32.load(key));
      b.break_(unusual, i32.gtU(i32.add(at, length), end));
      b.break_(search, i32.leU(length, i32.const(16)));
      const rest = b.call(equals, i32.add(at, i32.const(16)), i32.add(key, i32.const(jsonKey.text + 16)), i32.sub(length, i32.const(16)));
      b.break_(search, rest);
    });
    b.if_(i32.leU(i32.load8u(at), space), () => {
      skipSpace(b, { at, end });
      b.break_(unusual, i32.ne(i32.load8u(at), quotationMark));
      b.continue_(search);
    });
    b.set(key, i32.add(key, i32.const(jsonKey.bytes)));
    b.set(tried, i32.add(tried, i32.const(jsonKey.bytes)));
    b.continue_(search);
  });
  b.set(at, i32.add(at, i32.load(key)));
}

/**
 * (start, end, most rows, keys, end of the keys, kinds of all columns, their bytes, ends) -> number of rows. Writes the cells of the rows,
 * and to `ends` the address after each record. A record must end with a newline before `end`. The word before the keys is used meanwhile.
 */
export function jsonRecordsKernel(): Kernel {
  return buildKernel("text json records", (k) => {
    const isUtf8 = utf8Function(k);
    const nested = nestedFunction(k);
    const equals = memEquals(k);
    k.entry({ params: i32s(8), result: "i32" }, (b, [start, end, rowsMax, keys, keysEnd, kinds, kindsBytes, ends]) => {
      const row = b.local("i32", zero);
      const at = b.local("i32", start);
      const key = b.local("i32", keys);
      const kind = b.local("i32");
      const escaped = b.local("i32");
      const seen = b.local("v128");
      const state = b.temp(i32.sub(keys, i32.const(4)));
      const constants = vectors(b);
      b.fillBytes(kinds, i32.const(cell.none), kindsBytes);
      b.block((unusual) => {
        const cursor = { at, end, unusual, seen };
        b.while_(
          () => i32.ltU(row, rowsMax),
          (nextRecord) => {
            b.break_(unusual, i32.geU(at, end));
            skipRareSpace(b, cursor);
            b.if_(i32.eq(i32.load8u(at), newline), () => {
              b.break_(unusual, i32.geU(at, end));
              b.set(at, i32.add(at, one));
              b.continue_(nextRecord);
            });
            b.break_(unusual, i32.ne(i32.load8u(at), openBrace));
            const first = b.temp(at);
            b.set(seen, i8x16.splat(zero));
            b.store("i32.store", state, zero);
            b.set(at, i32.add(at, one));
            skipRareSpace(b, cursor);
            b.block((closed) => {
              b.break_(closed, i32.eq(i32.load8u(at), i32.const(0x7d)));
              b.loop((member) => {
                readKey(b, cursor, { equals, key, first: keys, end: keysEnd });
                b.if_(i32.ne(i32.load8u(at), colon), () => {
                  skipSpace(b, cursor);
                  b.break_(unusual, i32.ne(i32.load8u(at), colon));
                });
                b.set(at, i32.add(at, one));
                skipRareSpace(b, cursor);
                b.break_(unusual, i32.geU(at, end));
                const from = b.temp(at);
                b.set(escaped, zero);
                readValue(b, cursor, constants, { escaped, depth: one, state, nested, kind });
                const cells = b.temp(i32.load(key, 4));
                b.if_(i32.ne(cells, zero), () => {
                  b.break_(unusual, i32.and(escaped, i32.eqz(i32.load(key, 12))));
                  // Without the quotes of a string.
                  const isText = b.temp(i32.eq(kind, i32.const(cell.quoted)));
                  storeCell(
                    b,
                    { cells, kinds: i32.load(key, 8), row },
                    { start: i32.add(from, isText), end: i32.sub(at, isText), kind: i32.add(kind, escaped) },
                  );
                });
                b.set(key, i32.add(key, i32.const(jsonKey.bytes)));
                b.if_(i32.ne(i32.load8u(at), comma), () => {
                  skipRareSpace(b, cursor);
                  b.break_(closed, i32.eq(i32.load8u(at), i32.const(0x7d)));
                  b.break_(unusual, i32.ne(i32.load8u(at), comma));
                });
                b.set(at, i32.add(at, one));
                b.break_(unusual, i32.geU(at, end));
                b.continue_(member);
              });
            });
            b.set(at, i32.add(at, one));
            skipRareSpace(b, cursor);
            b.break_(unusual, i32.or(i32.geU(at, end), i32.ne(i32.load8u(at), newline)));
            const isAscii = i32.eqz(i32.or(i8x16.bitmask(seen), i32.load(state)));
            b.if_(i32.eqz(isAscii), () => b.break_(unusual, i32.eqz(b.call(isUtf8, first, at))));
            b.set(at, i32.add(at, one));
            b.store("i32.store", i32.add(ends, i32.shl(row, two)), at);
            b.set(row, i32.add(row, one));
          },
        );
      });
      b.return_(row);
    });
  });
}
