/**
 * LIKE: a pattern is compiled to a program of segments, the literal runs between `%`. Segments are matched leftmost first in one pass,
 * without backtracking over segments. Host code compiles the program; kernels match against it in linear memory.
 */
import { type CodeBuilder, type FunctionRef, i32, i64, type KernelBuilder, type Local } from "../../../codegen/builder.ts";
import type { Expr } from "../../../codegen/ir.ts";
import { memEquals } from "../../../codegen/library.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { codePoints, encodeUtf8Into, isHighSurrogate, isLowSurrogate } from "../../../types/utf8.ts";
import { requireValueBytes } from "../../../types/value-size.ts";
import { allSteps, type InSteps } from "../../runtime/steps.ts";

/** Function that a LIKE with a constant pattern is lowered to: (varchar, varbinary program) -> boolean. */
export const likeProgramName = "$like_program";

/** Encodes `_` in a segment; this byte does not occur in UTF-8. */
const anyPoint = 0xff;

/**
 * u32 number of segments, u32 1 if the first is anchored at the start, u32 1 if the last is anchored at the end, u32 0. For each segment
 * u32 offset, u32 length, u32 1 if it has a `_`, u32 0. Then the bytes.
 */
const headerBytes = 16;
const segmentBytes = 16;

const badEscape = "Escape character must be followed by '%', '_' or the escape character itself";

/** A program under construction: the bytes of all segments, and where each begins. */
interface Segments {
  readonly bytes: Uint8Array;
  length: number;
  readonly starts: number[];
  /** Whether each has a `_`. */
  readonly hasAny: boolean[];
}

/** Code units of a pattern between two yields, and their work. */
const unitsAtOnce = 65_536;
const unitsPerStep = 32;
const utf8BytesPerUnitMax = 3;

/** `escape`: one character, or undefined. Throws INVALID_FUNCTION_ARGUMENT. */
export function compileLike(pattern: string, escape?: string): Uint8Array {
  return allSteps(compileLikeInSteps(pattern, escape));
}

/** As compileLike; yields the steps since the last time. */
export function* compileLikeInSteps(pattern: string, escape?: string): InSteps<Uint8Array> {
  if (escape !== undefined && codePoints(escape).length > 1) {
    throw new QueryError("INVALID_FUNCTION_ARGUMENT", "Escape string must be a single character");
  }
  const escapePoint = escape === "" ? undefined : escape;
  const segments: Segments = { bytes: new Uint8Array(utf8BytesPerUnitMax * pattern.length), length: 0, starts: [0], hasAny: [false] };
  let escaped = false;
  let next = 0;
  for (let pauseAt = unitsAtOnce; next < pattern.length; pauseAt += unitsAtOnce) {
    while (next < pattern.length && next < pauseAt) {
      const point = pointAt(pattern, next);
      next += point.length;
      if (escaped) {
        if (point !== "%" && point !== "_" && point !== escapePoint) {
          throw new QueryError("INVALID_FUNCTION_ARGUMENT", badEscape);
        }
        addPoint(segments, point);
        escaped = false;
      } else if (point === escapePoint) {
        escaped = true;
      } else if (point === "%") {
        // One `%` after another adds nothing.
        if (segments.starts.length === 1 || segments.starts.at(-1) !== segments.length) {
          segments.starts.push(segments.length);
          segments.hasAny.push(false);
        }
      } else if (point === "_") {
        segments.bytes[segments.length++] = anyPoint;
        segments.hasAny[segments.hasAny.length - 1] = true;
      } else {
        addPoint(segments, point);
      }
    }
    if (next < pattern.length) {
      yield unitsAtOnce / unitsPerStep;
    }
  }
  if (escaped) {
    throw new QueryError("INVALID_FUNCTION_ARGUMENT", badEscape);
  }
  return yield* assemble(segments);
}

/** The code point at a code unit, or a lone surrogate. */
function pointAt(pattern: string, index: number): string {
  const isPair = isHighSurrogate(pattern.charCodeAt(index)) && isLowSurrogate(pattern.charCodeAt(index + 1));
  return isPair ? pattern.slice(index, index + 2) : pattern.charAt(index);
}

function addPoint(segments: Segments, point: string): void {
  segments.length = encodeUtf8Into(point, segments.bytes, segments.length);
}

/** Longest segments that kernels match, in bytes. A kernel is not left within a page, and compares up to a segment for each byte of it. */
const kernelSegmentBytesMax = 256;
const kernelPointsBytesMax = 64;

/** Whether kernels match the program: in a time that is not much more than that of reading the text. */
export function isForKernels(program: Uint8Array): boolean {
  const view = new DataView(program.buffer, program.byteOffset);
  for (let index = 0; index < view.getUint32(0, true); index++) {
    const entry = headerBytes + segmentBytes * index;
    const bytesMax = view.getUint32(entry + 8, true) === 1 ? kernelPointsBytesMax : kernelSegmentBytesMax;
    if (view.getUint32(entry + 4, true) > bytesMax) {
      return false;
    }
  }
  return true;
}

function* assemble({ bytes, hasAny, length, starts }: Segments): InSteps<Uint8Array> {
  const endOf = (index: number) => starts[index + 1] ?? length;
  const isEmpty = (index: number) => endOf(index) === starts[index];
  // A `%` at either end produces an empty segment, which only marks that end as not anchored. Segments between others are not empty.
  const exact = starts.length === 1;
  const first = !exact && isEmpty(0) ? 1 : 0;
  const last = starts.length - (!exact && isEmpty(starts.length - 1) ? 1 : 0);
  const count = Math.max(0, last - first);
  const dataStart = headerBytes + segmentBytes * count;
  requireValueBytes(dataStart + length);
  const program = new Uint8Array(dataStart + length);
  const view = new DataView(program.buffer);
  view.setUint32(0, count, true);
  view.setUint32(4, first === 0 ? 1 : 0, true);
  view.setUint32(8, last === starts.length ? 1 : 0, true);
  for (let index = 0; index < count; index++) {
    const segment = first + index;
    const at = headerBytes + segmentBytes * index;
    view.setUint32(at, dataStart + (starts[segment] as number), true);
    view.setUint32(at + 4, endOf(segment) - (starts[segment] as number), true);
    view.setUint32(at + 8, hasAny[segment] === true ? 1 : 0, true);
    if (index % unitsAtOnce === unitsAtOnce - 1) {
      yield unitsAtOnce / unitsPerStep;
    }
  }
  program.set(bytes.subarray(0, length), dataStart);
  return program;
}

/** (text, end, segment, segment length) -> i32: position after the segment if it matches at `text`, else 0. Handles `_`. */
function matchPoints(kernel: KernelBuilder): FunctionRef {
  return kernel.function_("like.points", { params: ["i32", "i32", "i32", "i32"], result: "i32" }, (b, params) => {
    const [text, end, segment, length] = params as readonly [Expr, Expr, Expr, Expr];
    const at = b.local("i32", text);
    b.forRange(i32.const(0), length, (index) => {
      const wanted = b.temp(i32.load8u(i32.add(segment, index)));
      b.if_(i32.geU(at, end), () => b.return_(i32.const(0)));
      const byte = b.temp(i32.load8u(at));
      b.if_(
        i32.eq(wanted, i32.const(anyPoint)),
        () => {
          const extra = i32.add(i32.add(i32.geU(byte, i32.const(0xc0)), i32.geU(byte, i32.const(0xe0))), i32.geU(byte, i32.const(0xf0)));
          b.set(at, i32.add(i32.add(at, i32.const(1)), extra));
        },
        () => {
          b.if_(i32.ne(byte, wanted), () => b.return_(i32.const(0)));
          b.set(at, i32.add(at, i32.const(1)));
        },
      );
    });
    b.if_(i32.gtU(at, end), () => b.return_(i32.const(0)));
    b.return_(at);
  });
}

/** As matchPoints, for any segment. */
function matchHere(kernel: KernelBuilder): FunctionRef {
  const points = matchPoints(kernel);
  const equals = memEquals(kernel);
  return kernel.function_("like.here", { params: ["i32", "i32", "i32", "i32", "i32"], result: "i32" }, (b, params) => {
    const [text, end, segment, length, hasAny] = params as readonly [Expr, Expr, Expr, Expr, Expr];
    b.if_(hasAny, () => b.return_(b.call(points, text, end, segment, length)));
    b.if_(i32.gtU(length, i32.sub(end, text)), () => b.return_(i32.const(0)));
    b.if_(b.call(equals, text, segment, length), () => b.return_(i32.add(text, length)));
    b.return_(i32.const(0));
  });
}

/** (text, end, segment, length, hasAny) -> i32: position after the leftmost match at or after `text`, or 0. */
function search(kernel: KernelBuilder): FunctionRef {
  const here = matchHere(kernel);
  const equals = memEquals(kernel);
  return kernel.function_("like.search", { params: ["i32", "i32", "i32", "i32", "i32"], result: "i32" }, (b, params) => {
    const [text, end, segment, length, hasAny] = params as readonly [Expr, Expr, Expr, Expr, Expr];
    const at = b.local("i32", text);
    // A segment with `_` is never longer in bytes than the text it matches.
    b.if_(i32.gtU(length, i32.sub(end, text)), () => b.return_(i32.const(0)));
    const last = b.temp(i32.sub(end, length));
    const next = () => b.set(at, i32.add(at, i32.const(1)));
    b.if_(hasAny, () => {
      b.while_(
        () => i32.leU(at, last),
        () => {
          // `_` must not start inside a character.
          b.if_(i32.ne(i32.and(i32.load8u(at), i32.const(0xc0)), i32.const(0x80)), () => {
            const behind = b.temp(b.call(here, at, end, segment, length, hasAny));
            b.if_(behind, () => b.return_(behind));
          });
          next();
        },
      );
      b.return_(i32.const(0));
    });
    emitFindLiteral(b, { at, last, segment, length, equals });
    b.return_(i32.const(0));
  });
}

/** The lowest bit and the highest bit of each byte of a word. */
const lowBits = i64.const(0x0101010101010101n);
const highBits = i64.const(0x8080808080808080n);
const wordBytes = 8;

interface FindLiteral {
  readonly at: Local;
  /** Last position at which the segment may begin. */
  readonly last: Expr;
  readonly segment: Expr;
  /** At least 1. */
  readonly length: Expr;
  readonly equals: FunctionRef;
}

/**
 * Returns from the function with the position after the leftmost match, if there is one. Looks at eight positions at once: a byte of
 * `differs` is 0 where the text has the segment's first byte there and its last byte at the right distance. Of the bytes that the
 * subtraction marks, the lowest one is 0 for certain. Reads at most 7 bytes past the text, which is safe.
 */
function emitFindLiteral(b: CodeBuilder, { at, last, segment, length, equals }: FindLiteral): void {
  const distance = b.temp(i32.sub(length, i32.const(1)));
  const first = b.temp(i64.mul(i64.load8u(segment), lowBits));
  const final = b.temp(i64.mul(i64.load8u(i32.add(segment, distance)), lowBits));
  b.while_(
    () => i32.leU(at, last),
    () => {
      const differs = b.temp(i64.or(i64.xor(i64.load(at), first), i64.xor(i64.load(i32.add(at, distance)), final)));
      const marks = b.temp(i64.and(i64.and(i64.sub(differs, lowBits), i64.xor(differs, i64.const(-1n))), highBits));
      b.if_(
        i64.eqz(marks),
        () => b.set(at, i32.add(at, i32.const(wordBytes))),
        () => {
          b.set(at, i32.add(at, i32.shrU(i32.wrapI64(i64.ctz(marks)), i32.const(3))));
          b.if_(i32.gtU(at, last), () => b.return_(i32.const(0)));
          b.if_(b.call(equals, at, segment, length), () => b.return_(i32.add(at, length)));
          b.set(at, i32.add(at, i32.const(1)));
        },
      );
    },
  );
}

/** (text, end, segment, length) -> i32 1 if the text ends with the segment, which has `_`. */
function matchEnd(kernel: KernelBuilder): FunctionRef {
  const points = matchPoints(kernel);
  return kernel.function_("like.end", { params: ["i32", "i32", "i32", "i32"], result: "i32" }, (b, params) => {
    const [text, end, segment, length] = params as readonly [Expr, Expr, Expr, Expr];
    // Steps back from the end by the number of characters of the segment.
    const at = b.local("i32", end);
    b.forRange(i32.const(0), length, (index) => {
      const byte = b.temp(i32.load8u(i32.add(segment, index)));
      const isContinuation = i32.eq(i32.and(byte, i32.const(0xc0)), i32.const(0x80));
      b.if_(i32.eqz(isContinuation), () => {
        b.if_(i32.leU(at, text), () => b.return_(i32.const(0)));
        b.set(at, i32.sub(at, i32.const(1)));
        b.while_(
          () => i32.and(i32.gtU(at, text), i32.eq(i32.and(i32.load8u(at), i32.const(0xc0)), i32.const(0x80))),
          () => b.set(at, i32.sub(at, i32.const(1))),
        );
      });
    });
    b.return_(i32.eq(b.call(points, at, end, segment, length), end));
  });
}

/** (text, bytes, program) -> i32 0 or 1. */
export function likeMatches(kernel: KernelBuilder): FunctionRef {
  const here = matchHere(kernel);
  const find = search(kernel);
  const atEnd = matchEnd(kernel);
  const equals = memEquals(kernel);
  return kernel.function_("like.matches", { params: ["i32", "i32", "i32"], result: "i32" }, (b, params) => {
    const [text, bytes, program] = params as readonly [Expr, Expr, Expr];
    const end = b.temp(i32.add(text, bytes));
    const at = b.local("i32", text);
    const count = b.temp(i32.load(program));
    const index = b.local("i32", i32.const(0));
    const entry = b.local("i32", i32.add(program, i32.const(headerBytes)));
    const segment = () => i32.add(program, i32.load(entry));
    const step = () => {
      b.set(index, i32.add(index, i32.const(1)));
      b.set(entry, i32.add(entry, i32.const(segmentBytes)));
    };
    const isAnchored = b.temp(i32.and(i32.load(program, 4), i32.gtS(count, i32.const(0))));
    b.if_(isAnchored, () => {
      const length = b.temp(i32.load(entry, 4));
      b.if_(length, () => {
        const behind = b.temp(b.call(here, at, end, segment(), length, i32.load(entry, 8)));
        b.if_(i32.eqz(behind), () => b.return_(i32.const(0)));
        b.set(at, behind);
      });
      // A single segment anchored at both ends must match the whole text.
      b.if_(i32.and(i32.eq(count, i32.const(1)), i32.load(program, 8)), () => b.return_(i32.eq(at, end)));
      step();
    });
    const lastSearched = b.temp(i32.sub(count, i32.load(program, 8)));
    b.while_(
      () => i32.ltS(index, lastSearched),
      () => {
        const behind = b.temp(b.call(find, at, end, segment(), i32.load(entry, 4), i32.load(entry, 8)));
        b.if_(i32.eqz(behind), () => b.return_(i32.const(0)));
        b.set(at, behind);
        step();
      },
    );
    b.if_(i32.geS(index, count), () => b.return_(i32.const(1)));
    const length = b.temp(i32.load(entry, 4));
    b.if_(i32.load(entry, 8), () => b.return_(b.call(atEnd, at, end, segment(), length)));
    b.if_(i32.gtU(length, i32.sub(end, at)), () => b.return_(i32.const(0)));
    b.return_(b.call(equals, i32.sub(end, length), segment(), length));
  });
}
