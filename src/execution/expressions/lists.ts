/**
 * Long IN lists of constants. They are sorted once, when expressions are prepared, and the kernel does a binary search. Otherwise code and
 * locals would grow with the list, beyond the limits of WebAssembly compilers.
 */
import { loadParts } from "../../functions/runtime/memory-values.ts";
import { emitCompare } from "../../functions/runtime/operations.ts";
import type { Value } from "../../functions/runtime/value.ts";
import { type CodeBuilder, i32, type Local } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import type { Constant, RowExpression, SpecialForm } from "../../planner/plan/typed-expression.ts";
import { encodeUtf8 } from "../../types/utf8.ts";
import { hostValueOfConstant } from "./constants.ts";

/** Minimum length of a list that is searched. Shorter lists are compared item by item, which is faster. */
const listedMin = 64;

export interface ListSplit {
  /** The value, then the items that are not listed constants. */
  readonly others: readonly RowExpression[];
  /** Ascending and distinct, in the order of emitCompare. */
  readonly listed: readonly Constant[];
}

/** Constants of a list: `count` indexes from `first`. */
export interface ConstantList {
  readonly first: number;
  readonly count: number;
}

/** Whether the constants of a list are searched, and not compared one by one. */
export function isSearched({ form, args }: Pick<SpecialForm, "form" | "args">): boolean {
  const [value] = args;
  return form === "IN" && value !== undefined && args.length > listedMin && isListable(value.type.kind);
}

/** Undefined for an IN whose items are compared one by one. */
export function splitList({ form, args }: SpecialForm): ListSplit | undefined {
  const [value, ...items] = args;
  if (value === undefined || !isSearched({ form, args })) {
    return undefined;
  }
  const listed: Constant[] = [];
  const others: RowExpression[] = [value];
  for (const item of items) {
    if (item.kind === "constant" && item.value !== null) {
      listed.push(item);
    } else {
      others.push(item);
    }
  }
  return listed.length < listedMin ? undefined : { others, listed: sorted(listed) };
}

/** Excludes doubles, which have two zeros, and CHAR, whose padding is ignored in comparisons. */
function isListable(kind: Constant["type"]["kind"]): boolean {
  switch (kind) {
    case "tinyint":
    case "smallint":
    case "integer":
    case "bigint":
    case "decimal":
    case "date":
    case "timestamp":
    case "varchar":
      return true;
    default:
      return false;
  }
}

function sorted(constants: readonly Constant[]): readonly Constant[] {
  const keyed = constants.map((constant) => {
    const value = hostValueOfConstant(constant);
    return { constant, key: typeof value === "string" ? encodeUtf8(value) : (value as number | bigint) };
  });
  keyed.sort((left, right) => compareKeys(left.key, right.key));
  return keyed
    .filter(({ key }, index) => index === 0 || compareKeys((keyed[index - 1] as (typeof keyed)[number]).key, key) !== 0)
    .map(({ constant }) => constant);
}

type Key = Uint8Array | number | bigint;

function compareKeys(left: Key, right: Key): number {
  if (typeof left !== "object" || typeof right !== "object") {
    return left < right ? -1 : left > right ? 1 : 0;
  }
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index++) {
    const difference = (left[index] as number) - (right[index] as number);
    if (difference !== 0) {
      return difference;
    }
  }
  return left.length - right.length;
}

/** Sets `found` if `value`, which is not NULL, is in the list at `address`. The list's constants take `stride` bytes each. */
export function emitListSearch(b: CodeBuilder, list: ListSearch): void {
  const { value, found, address, count, stride } = list;
  const low = b.local("i32", i32.const(0));
  const high = b.local("i32", i32.const(count));
  b.block((done) => {
    b.loop((again) => {
      b.break_(done, i32.geU(low, high));
      const middle = b.temp(i32.shrU(i32.add(low, high), i32.const(1)));
      const parts = loadParts(b, value.type, b.temp(i32.add(address, i32.mul(middle, i32.const(stride)))));
      const order = b.temp(emitCompare(b, value, { type: value.type, parts, isNull: undefined }));
      b.if_(i32.eqz(order), () => {
        b.set(found, i32.const(1));
        b.break_(done);
      });
      b.if_(
        i32.ltS(order, i32.const(0)),
        () => b.set(high, middle),
        () => b.set(low, i32.add(middle, i32.const(1))),
      );
      b.continue_(again);
    });
  });
}

export interface ListSearch {
  readonly value: Value;
  readonly found: Local;
  readonly address: Expr;
  readonly count: number;
  readonly stride: number;
}
