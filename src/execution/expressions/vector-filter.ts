/**
 * Conditions on several rows at once: comparisons of integers that lie next to each other in 1, 2 or 4 bytes, with constants or with each
 * other. One instruction compares the 16, 8 or 4 rows of a vector, and a vector without a row that is kept costs nothing more.
 */
import { type CodeBuilder, i16x8, i32, i32x4, i64, i8x16, type Local, v128 } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import type { Call, Constant, RowExpression, Variable } from "../../planner/plan/typed-expression.ts";
import { physicalType, physicalWidth, type Type } from "../../types/type.ts";
import { columnValues, type InputLayout } from "./columns.ts";

const lanesOf = Object.freeze({ 1: i8x16, 2: i16x8, 4: i32x4 });

type LaneBytes = keyof typeof lanesOf;

interface Comparison {
  readonly name: string;
  readonly left: Variable | Constant;
  readonly right: Variable | Constant;
}

export interface VectorFilter {
  readonly comparisons: readonly Comparison[];
  readonly laneBytes: LaneBytes;
}

const comparisonNames: ReadonlySet<string> = new Set(["$eq", "$lt", "$le", "$gt", "$ge"]);

/** Undefined if the predicate has other conditions, or the columns another layout. */
export function vectorFilter(predicate: RowExpression, inputs: readonly Variable[], layout: InputLayout): VectorFilter | undefined {
  const comparisons = comparisonsOf(predicate);
  if (comparisons === undefined || layout.selected) {
    return undefined;
  }
  const widths = comparisons
    .flatMap(({ left, right }) => [left, right])
    .filter((operand) => operand.kind === "variable")
    .map((column) =>
      laneBytesOf(
        layout,
        inputs.findIndex(({ name }) => name === column.name),
      ),
    );
  const [laneBytes] = widths;
  return laneBytes === undefined || widths.some((width) => width !== laneBytes) ? undefined : { comparisons, laneBytes };
}

function comparisonsOf(predicate: RowExpression): readonly Comparison[] | undefined {
  if (predicate.kind === "special" && predicate.form === "AND") {
    const parts = predicate.args.map(comparisonsOf);
    return parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? []);
  }
  const comparison = predicate.kind === "call" && comparisonNames.has(predicate.name) ? comparisonOf(predicate) : undefined;
  return comparison === undefined ? undefined : [comparison];
}

function comparisonOf({ args: [left, right], name }: Call): Comparison | undefined {
  const isPlain = isOperand(left) && isOperand(right) && (left.kind === "variable" || right.kind === "variable");
  return isPlain ? { name, left, right } : undefined;
}

function isOperand(operand: RowExpression | undefined): operand is Variable | Constant {
  return (operand?.kind === "variable" || (operand?.kind === "constant" && operand.value !== null)) && isInteger(operand.type);
}

/** Types whose values are compared as signed integers. */
function isInteger(type: Type): boolean {
  switch (type.kind) {
    case "integer":
    case "bigint":
    case "date":
      return true;
    case "decimal":
      return physicalType(type) === "i64";
    default:
      return false;
  }
}

function laneBytesOf({ columns }: InputLayout, index: number): LaneBytes | undefined {
  const shape = columns[index];
  if (shape === undefined || shape.nullable || shape.indirect) {
    return undefined;
  }
  const bytes = shape.narrow ?? physicalWidth(physicalType(shape.type));
  return bytes === 8 || bytes === 16 ? undefined : (bytes as LaneBytes);
}

export interface VectorFilterOptions {
  readonly page: Expr;
  readonly positionCount: Expr;
  readonly inputs: readonly Variable[];
  /** Address of the next kept row. */
  readonly next: Local;
  /** The constant in a local, i32 or i64. */
  readonly constant: (constant: Constant) => Expr;
}

/** Judges the rows of whole vectors. Returns the first row that is left: 0 if a constant does not fit in a lane. */
export function emitVectorFilter(b: CodeBuilder, { comparisons, laneBytes }: VectorFilter, options: VectorFilterOptions): Expr {
  const { constant, inputs, next, page, positionCount } = options;
  const lanes = lanesOf[laneBytes];
  const count = 16 / laneBytes;
  const first = b.local("i32", i32.const(0));
  const constants = comparisons.flatMap(({ left, right }) => [left, right].filter((operand) => operand.kind === "constant"));
  const words = new Map(constants.map((one) => [one, constant(one)]));
  const fits = [...words.values()].map((word) => fitsLane(word, laneBytes));
  const vectors = new Map([...words].map(([one, word]) => [one, b.local("v128", lanes.splat(asWord(word)))]));
  b.if_(
    fits.reduce((left, right) => i32.and(left, right), i32.const(1)),
    () => {
      const addresses = new Map<string, Local>();
      for (const { left, right } of comparisons) {
        for (const operand of [left, right]) {
          if (operand.kind === "variable" && !addresses.has(operand.name)) {
            const index = inputs.findIndex(({ name }) => name === operand.name);
            addresses.set(operand.name, b.local("i32", columnValues(page, index)));
          }
        }
      }
      const steps = b.temp(i32.divU(positionCount, i32.const(count)));
      b.forRange(i32.const(0), steps, () => {
        const read = new Map([...addresses].map(([name, address]) => [name, b.temp(v128.load(address))]));
        const operandOf = (operand: Variable | Constant): Expr =>
          (operand.kind === "variable" ? read.get(operand.name) : vectors.get(operand)) as Expr;
        const holds = comparisons.map(({ left, name, right }) => compared(lanes, name, operandOf(left), operandOf(right)));
        const mask = b.temp(lanes.bitmask(holds.reduce((left, right) => v128.and(left, right))));
        b.if_(mask, () => emitKept(b, { mask, next, first, count }));
        b.set(first, i32.add(first, i32.const(count)));
        for (const address of addresses.values()) {
          b.set(address, i32.add(address, i32.const(16)));
        }
      });
    },
  );
  return first;
}

function compared(lanes: (typeof lanesOf)[LaneBytes], name: string, left: Expr, right: Expr): Expr {
  switch (name) {
    case "$eq":
      return lanes.eq(left, right);
    case "$gt":
      return lanes.gtS(left, right);
    case "$ge":
      return lanes.geS(left, right);
    case "$lt":
      return lanes.gtS(right, left);
    default:
      return lanes.geS(right, left);
  }
}

interface KeptRows {
  /** Bit n: row `first` + n is kept. */
  readonly mask: Expr;
  readonly next: Local;
  readonly first: Local;
  readonly count: number;
}

/** Each row is written, and the cursor advances only if it is kept: no branch to mispredict. */
function emitKept(b: CodeBuilder, { count, first, mask, next }: KeptRows): void {
  for (let lane = 0; lane < count; lane++) {
    b.store("i32.store", next, lane === 0 ? first : i32.add(first, i32.const(lane)));
    const bit = lane < 2 ? i32.shl(mask, i32.const(2 - lane)) : i32.shrU(mask, i32.const(lane - 2));
    b.set(next, i32.add(next, i32.and(bit, i32.const(4))));
  }
}

function asWord(word: Expr): Expr {
  return word.type === "i64" ? i32.wrapI64(word) : word;
}

/** i32 1 if the constant has the same value in a lane. */
function fitsLane(word: Expr, laneBytes: LaneBytes): Expr {
  const low = asWord(word);
  const lane = laneBytes === 1 ? i32.extend8S(low) : laneBytes === 2 ? i32.extend16S(low) : low;
  return word.type === "i64" ? i64.eq(i64.extendI32S(lane), word) : i32.eq(lane, word);
}
