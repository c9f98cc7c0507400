/**
 * approx_percentile: a sketch of levels, where a value at level l represents 2^l rows. A full level is sorted and every second value moves
 * up, taking the first or the second of each pair in turn (Manku, Rajagopalan and Lindsay, 1998).
 *
 * With H levels in use, the rank of the answer is off by at most H / fullValues of the rows for any data; with one level it is exact. The
 * sketch depends only on the order of the rows.
 */
import { type CodeBuilder, f32, f64, type FunctionRef, i32, i64, type KernelBuilder, type Local, select } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import { arrayType, DOUBLE, type Type, VARBINARY } from "../../types/type.ts";
import type { AggregateImplementation } from "../registry/aggregate.ts";
import type { EmitContext } from "../runtime/emit.ts";
import { emitElement, openArray } from "../runtime/nested-kernels.ts";
import { emitArrayOf } from "../runtime/nested-writing.ts";
import { part, type Value, valueOf } from "../runtime/value.ts";

/** Number of values at which a level is full; half as many may arrive from the level below at once. */
const fullValues = 1024;
const roomMax = fullValues + fullValues / 2;
const roomMin = 16;
/** Supports 2^23 times as many rows as a level has values. */
const plainLevels = 24;
/**
 * Weights are fixed-point numbers in units of 1/65,536; each one bit is a value at the corresponding level. Supports 2^31 times as much
 * weight as a level has values.
 */
const weightBits = 16;
const weightedLevels = weightBits + 32;

/**
 * State: f64 percentile, or u32 address and u32 length in bytes of an array of percentiles and u32 1 if it is set. For each level u32
 * address, u32 number of values, u32 capacity in values, u32 1 if the second value of the next pairs moves up.
 */
const arrayLengthOffset = 4;
const hasArrayOffset = 8;
const levelsOffset = 16;
const levelBytes = 16;
const countOffset = 4;
const roomOffset = 8;
const turnOffset = 12;

interface Sketch {
  readonly state: Expr;
  readonly levels: number;
}

/** Header of an intermediate: u32 number of values of each level; the values follow. */
function headerBytes(levels: number): number {
  return 4 * levels;
}

function wordAt(address: Expr, index: Expr): Expr {
  return i32.add(address, i32.shl(index, i32.const(3)));
}

function levelOf(state: Expr, level: Expr): Expr {
  return i32.add(i32.add(state, i32.const(levelsOffset)), i32.mul(level, i32.const(levelBytes)));
}

/** (address, count): heap sort of i64. */
function sortWords(kernel: KernelBuilder): FunctionRef {
  return kernel.function_("percentile.sort", { params: ["i32", "i32"] }, (b, params) => {
    const [address, count] = params as readonly [Expr, Expr];
    const end = b.local("i32", count);
    const start = b.local("i32", i32.shrU(count, i32.const(1)));
    b.while_(
      () => i32.gtU(end, i32.const(1)),
      () => {
        b.if_(
          start,
          () => b.set(start, i32.sub(start, i32.const(1))),
          () => {
            b.set(end, i32.sub(end, i32.const(1)));
            const last = b.temp(i64.load(wordAt(address, end)));
            b.store("i64.store", wordAt(address, end), i64.load(address));
            b.store("i64.store", address, last);
          },
        );
        emitSiftDown(b, address, start, end);
      },
    );
  });
}

function emitSiftDown(b: CodeBuilder, address: Expr, start: Expr, end: Expr): void {
  const parent = b.local("i32", start);
  const value = b.temp(i64.load(wordAt(address, start)));
  b.block((done) => {
    b.loop((next) => {
      const child = b.local("i32", i32.add(i32.shl(parent, i32.const(1)), i32.const(1)));
      b.break_(done, i32.geU(child, end));
      const right = b.temp(i32.add(child, i32.const(1)));
      b.if_(i32.ltU(right, end), () =>
        b.if_(i64.gtS(i64.load(wordAt(address, right)), i64.load(wordAt(address, child))), () => b.set(child, right)),
      );
      const greatest = b.temp(i64.load(wordAt(address, child)));
      b.break_(done, i64.leS(greatest, value));
      b.store("i64.store", wordAt(address, parent), greatest);
      b.set(parent, child);
      b.continue_(next);
    });
  });
  b.store("i64.store", wordAt(address, parent), value);
}

/** Ensures the capacity of a level, in values; existing values are copied. */
function emitRoom(context: EmitContext, level: Expr, room: Expr): void {
  const { b } = context;
  const address = b.temp(context.allocate(i32.shl(room, i32.const(3))));
  b.copyBytes(address, i32.load(level), i32.shl(i32.load(level, countOffset), i32.const(3)));
  b.store("i32.store", level, address);
  b.store("i32.store", level, room, roomOffset);
}

/** (level, level above): sorts the level and moves half of it up; an unpaired value stays. The level above must have capacity. */
function sendUp(kernel: KernelBuilder): FunctionRef {
  return kernel.function_("percentile.up", { params: ["i32", "i32"] }, (b, params) => {
    const [level, above] = params as readonly [Expr, Expr];
    const [address, count] = [b.temp(i32.load(level)), b.temp(i32.load(level, countOffset))];
    b.do_(sortWords(b.kernel), address, count);
    const target = b.temp(wordAt(i32.load(above), i32.load(above, countOffset)));
    const pairs = b.temp(i32.shrU(count, i32.const(1)));
    const turn = b.temp(i32.load(level, turnOffset));
    b.forRange(i32.const(0), pairs, (index) =>
      b.store("i64.store", wordAt(target, index), i64.load(wordAt(address, i32.add(i32.shl(index, i32.const(1)), turn)))),
    );
    b.store("i32.store", above, i32.add(i32.load(above, countOffset), pairs), countOffset);
    b.store("i64.store", address, i64.load(wordAt(address, i32.sub(count, i32.const(1)))));
    b.store("i32.store", level, i32.and(count, i32.const(1)), countOffset);
    b.store("i32.store", level, i32.xor(turn, i32.const(1)), turnOffset);
  });
}

/** Inserts one value at level `number` of a sketch with `levels` levels. */
function emitInsert(context: EmitContext, { state, levels }: Sketch, number: Expr, value: Expr): void {
  const { b } = context;
  const level = b.local("i32", levelOf(state, number));
  const count = b.temp(i32.load(level, countOffset));
  const room = b.temp(i32.load(level, roomOffset));
  b.if_(i32.eq(count, room), () => {
    const doubled = b.temp(i32.shl(room, i32.const(1)));
    emitRoom(context, level, b.temp(select(i32.ltU(doubled, i32.const(roomMin)), i32.const(roomMin), doubled)));
  });
  b.store("i64.store", wordAt(i32.load(level), count), value);
  b.store("i32.store", level, i32.add(count, i32.const(1)), countOffset);
  const last = b.temp(levelOf(state, i32.const(levels - 1)));
  b.while_(
    () => i32.geU(i32.load(level, countOffset), i32.const(fullValues)),
    () => {
      b.if_(i32.eq(level, last), () => context.raise("TOO_MANY_ROWS"));
      const above = b.temp(i32.add(level, i32.const(levelBytes)));
      b.if_(i32.ltU(i32.load(above, roomOffset), i32.const(roomMax)), () => emitRoom(context, above, i32.const(roomMax)));
      b.do_(sendUp(b.kernel), level, above);
      b.set(level, above);
    },
  );
}

/** Maps a value to an i64 in the same order. */
function emitKey(b: CodeBuilder, value: Value): Expr {
  const x = part(value, 0);
  if (x.type === "i64") {
    return x;
  }
  const bits = b.temp(i64.reinterpretF64(x.type === "f32" ? f64.promoteF32(x) : x));
  return b.temp(flipNegative(bits));
}

/** An involution: applying it twice gives the original bits. */
function flipNegative(bits: Expr): Expr {
  return i64.xor(bits, i64.shrU(i64.shrS(bits, i64.const(63n)), i64.const(1n)));
}

function emitCheckShare(context: EmitContext, share: Expr): void {
  const isWanted = i32.and(f64.ge(share, f64.const(0)), f64.le(share, f64.const(1)));
  context.b.if_(i32.eqz(isWanted), () => context.raise("PERCENTILE"));
}

/** Stores the percentile argument: the last percentile, or the first array. */
function emitWanted(context: EmitContext, state: Expr, wanted: Value, isMany: boolean): void {
  const { b } = context;
  if (!isMany) {
    emitCheckShare(context, part(wanted, 0));
    b.store("f64.store", state, part(wanted, 0));
    return;
  }
  b.if_(i32.eqz(i32.load(state, hasArrayOffset)), () => {
    const [address, length] = wanted.parts as readonly [Expr, Expr];
    const shares = openArray(b, DOUBLE, address);
    b.forRange(i32.const(0), shares.count, (index) => {
      const share = emitElement(b, shares, index);
      b.if_(share.isNull ?? i32.const(0), () => context.raise("PERCENTILE_NULL"));
      emitCheckShare(context, part(share, 0));
    });
    const kept = b.temp(context.allocate(length));
    b.copyBytes(kept, address, length);
    b.store("i32.store", state, kept);
    b.store("i32.store", state, length, arrayLengthOffset);
    b.store("i32.store", state, i32.const(1), hasArrayOffset);
  });
}

function loadWanted({ b }: EmitContext, state: Expr, isMany: boolean): Value {
  if (!isMany) {
    return valueOf(DOUBLE, b.temp(f64.load(state)));
  }
  const parts = [b.temp(i32.load(state)), b.temp(i32.load(state, arrayLengthOffset))];
  return { type: arrayType(DOUBLE), parts, isNull: b.temp(i32.eqz(i32.load(state, hasArrayOffset))) };
}

/** Inserts the value once for each one bit of the weight. */
function emitInsertWeighted(context: EmitContext, sketch: Sketch, weight: Expr, key: Expr): void {
  const { b } = context;
  b.if_(i32.eqz(f64.ge(weight, f64.const(1))), () => context.raise("PERCENTILE_WEIGHT", weight));
  const scaled = f64.floor(f64.add(f64.mul(weight, f64.const(2 ** weightBits)), f64.const(0.5)));
  const units = b.local("i64", i64.truncSatF64S(scaled));
  b.if_(i64.ne(i64.shrU(units, i64.const(BigInt(sketch.levels - 1))), i64.const(0n)), () => context.raise("TOO_MANY_ROWS"));
  b.while_(
    () => i64.ne(units, i64.const(0n)),
    () => {
      emitInsert(context, sketch, b.temp(i32.wrapI64(i64.ctz(units))), key);
      b.set(units, i64.and(units, i64.sub(units, i64.const(1n))));
    },
  );
}

/** i64 number of rows, or units of weight, that the sketch represents. */
function emitRows(b: CodeBuilder, { state, levels }: Sketch): Local {
  const rows = b.local("i64", i64.const(0n));
  b.forRange(i32.const(0), i32.const(levels), (number) => {
    const count = i64.extendI32U(i32.load(levelOf(state, number), countOffset));
    b.set(rows, i64.add(rows, i64.shl(count, i64.extendI32U(number))));
  });
  return rows;
}

function emitSortLevels(b: CodeBuilder, { state, levels }: Sketch): void {
  b.forRange(i32.const(0), i32.const(levels), (number) => {
    const level = b.temp(levelOf(state, number));
    b.do_(sortWords(b.kernel), i32.load(level), i32.load(level, countOffset));
  });
}

/**
 * The smallest value at or below which the requested fraction of rows lies. Levels must be sorted. `cursors`: scratch memory of one u32 per
 * level.
 */
function emitQuantile(
  b: CodeBuilder,
  { state, levels }: Sketch,
  rows: Expr,
  part: { readonly share: Expr; readonly cursors: Expr },
): Local {
  const { cursors } = part;
  b.fillBytes(cursors, i32.const(0), i32.const(headerBytes(levels)));
  const share = b.temp(f64.ceil(f64.mul(part.share, f64.convertI64S(rows))));
  const wanted = b.temp(i64.truncSatF64S(select(f64.lt(share, f64.const(1)), f64.const(1), share)));
  const passed = b.local("i64", i64.const(0n));
  const smallest = b.local("i64", i64.const(0n));
  b.while_(
    () => i64.ltS(passed, wanted),
    () => {
      const from = b.local("i32", i32.const(-1));
      b.forRange(i32.const(0), i32.const(levels), (number) => {
        const level = b.temp(levelOf(state, number));
        const cursor = b.temp(i32.load(i32.add(cursors, i32.shl(number, i32.const(2)))));
        b.if_(i32.ltU(cursor, i32.load(level, countOffset)), () => {
          const value = b.temp(i64.load(wordAt(i32.load(level), cursor)));
          b.if_(i32.or(i32.ltS(from, i32.const(0)), i64.ltS(value, smallest)), () => {
            b.set(from, number);
            b.set(smallest, value);
          });
        });
      });
      const cursor = b.temp(i32.add(cursors, i32.shl(from, i32.const(2))));
      b.store("i32.store", cursor, i32.add(i32.load(cursor), i32.const(1)));
      b.set(passed, i64.add(passed, i64.shl(i64.const(1n), i64.extendI32U(from))));
    },
  );
  return smallest;
}

function fromKey(type: Type, key: Expr): Expr {
  if (type.kind === "bigint") {
    return key;
  }
  const double = f64.reinterpretI64(flipNegative(key));
  return type.kind === "real" ? f32.demoteF64(double) : double;
}

/** u32 number of values of each level, then the values; empty for an empty sketch. */
function emitWriteSketch(context: EmitContext, { state, levels }: Sketch): Value {
  const { b } = context;
  const header = i32.const(headerBytes(levels));
  const values = b.local("i32", i32.const(0));
  b.forRange(i32.const(0), i32.const(levels), (number) => b.set(values, i32.add(values, i32.load(levelOf(state, number), countOffset))));
  const length = b.local("i32", i32.const(0));
  const address = b.local("i32", i32.const(0));
  b.if_(values, () => {
    b.set(length, i32.add(header, i32.shl(values, i32.const(3))));
    b.set(address, context.allocate(length));
    const to = b.local("i32", i32.add(address, header));
    b.forRange(i32.const(0), i32.const(levels), (number) => {
      const level = b.temp(levelOf(state, number));
      const count = b.temp(i32.load(level, countOffset));
      b.store("i32.store", i32.add(address, i32.shl(number, i32.const(2))), count);
      b.copyBytes(to, i32.load(level), i32.shl(count, i32.const(3)));
      b.set(to, wordAt(to, count));
    });
  });
  return valueOf(VARBINARY, address, length);
}

function emitFinal(context: EmitContext, sketch: Sketch, type: Type, isMany: boolean): Value {
  const { b } = context;
  const rows = emitRows(b, sketch);
  const isNull = b.temp(i64.eqz(rows));
  const wanted = loadWanted(context, sketch.state, isMany);
  const cursors = b.temp(context.allocate(i32.const(headerBytes(sketch.levels))));
  emitSortLevels(b, sketch);
  if (!isMany) {
    // emitQuantile requires at least one row.
    const key = b.local("i64", i64.const(0n));
    b.if_(i32.eqz(isNull), () => b.set(key, emitQuantile(b, sketch, rows, { share: part(wanted, 0), cursors })));
    return { type, parts: [b.temp(fromKey(type, key))], isNull };
  }
  const [address, length] = [b.local("i32", i32.const(0)), b.local("i32", i32.const(0))];
  b.if_(i32.eqz(isNull), () => {
    const shares = openArray(b, DOUBLE, part(wanted, 0));
    const array = emitArrayOf(context, type, shares.count, (index) => {
      const share = part(emitElement(b, shares, index), 0);
      return valueOf(type, b.temp(fromKey(type, emitQuantile(b, sketch, rows, { share, cursors }))));
    });
    b.set(address, part(array, 0));
    b.set(length, part(array, 1));
  });
  return { type: arrayType(type), parts: [address, length], isNull };
}

/**
 * Arguments: the value (bigint, real or double), an optional weight (double), and the percentile from 0 to 1 or an array of percentiles.
 */
export function percentile(
  type: Type,
  { isWeighted, isMany }: { readonly isWeighted: boolean; readonly isMany: boolean },
): AggregateImplementation {
  const levels = isWeighted ? weightedLevels : plainLevels;
  return {
    stateBytes: levelsOffset + levelBytes * levels,
    stateAlignment: 8,
    intermediateTypes: [VARBINARY, isMany ? arrayType(DOUBLE) : DOUBLE],
    wantsNulls: false,
    emitAdd: (context, state, args) => {
      const key = emitKey(context.b, args[0] as Value);
      if (isWeighted) {
        emitInsertWeighted(context, { state, levels }, part(args[1] as Value, 0), key);
      }
      emitWanted(context, state, args.at(-1) as Value, isMany);
      if (!isWeighted) {
        emitInsert(context, { state, levels }, i32.const(0), key);
      }
    },
    emitMerge: (context, state, [sketch, wanted]) => {
      const { b } = context;
      const [address, length] = [part(sketch as Value, 0), part(sketch as Value, 1)];
      b.if_(length, () => {
        emitWanted(context, state, wanted as Value, isMany);
        const from = b.local("i32", i32.add(address, i32.const(headerBytes(levels))));
        b.forRange(i32.const(0), i32.const(levels), (number) => {
          b.forRange(i32.const(0), b.temp(i32.load(i32.add(address, i32.shl(number, i32.const(2))))), () => {
            emitInsert(context, { state, levels }, number, b.temp(i64.load(from)));
            b.set(from, i32.add(from, i32.const(8)));
          });
        });
      });
    },
    emitIntermediate: (context, state) => [emitWriteSketch(context, { state, levels }), loadWanted(context, state, isMany)],
    emitFinal: (context, state) => emitFinal(context, { state, levels }, type, isMany),
  };
}
