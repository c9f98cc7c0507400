/**
 * The small kernels of the window operator: starts of partitions and peer groups, bounds of RANGE with an offset, values with defaults.
 * Positions are places in the sorted order, rows are rows of the store; `order` (u32) has the row of each position.
 */
import { type InputLayout, openInput, openOutput } from "../../expressions/columns.ts";
import { emitCompare, emitNotDistinct } from "../../../functions/runtime/operations.ts";
import type { Value } from "../../../functions/runtime/value.ts";
import { buildKernel, type CodeBuilder, f64, i32, i32s, i64 } from "../../../codegen/builder.ts";
import type { Expr, Kernel } from "../../../codegen/ir.ts";
import { physicalType } from "../../../types/type.ts";
import type { SortColumn } from "../sort/sort-rows.ts";

export const samePeers = 0;
export const newPeers = 1;
export const newPartition = 2;

export function wordAt(base: Expr, index: Expr): Expr {
  return i32.add(base, i32.shl(index, i32.const(2)));
}

/**
 * Parameters: page arguments (partition keys, then order keys), order, flags (u8), first position, end. Sets the flag of each position:
 * whether it starts a partition or a peer group.
 */
export function beginningsKernel(name: string, layout: InputLayout, partitionKeys: number): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i32", "i32", "i32"] }, (b, params) => {
      const [pageArguments, order, flags, first, end] = params;
      const input = openInput(b, pageArguments, layout);
      b.forRange(first, end, (position) => {
        const flag = b.local("i32", i32.const(newPartition));
        b.if_(position, () => {
          const row = b.temp(i32.load(wordAt(order, position)));
          const before = b.temp(i32.load(wordAt(order, i32.sub(position, i32.const(1)))));
          b.set(flag, i32.const(samePeers));
          // The first key that differs decides: partition keys come first.
          b.block((decided) => {
            for (let index = 0; index < layout.columns.length; index++) {
              const isSame = emitNotDistinct(b, input.column(index, row), input.column(index, before));
              b.if_(i32.eqz(isSame), () => {
                b.set(flag, i32.const(index < partitionKeys ? newPartition : newPeers));
                b.break_(decided);
              });
            }
          });
        });
        b.store("i32.store8", i32.add(flags, position), flag);
      });
    });
  });
}

/**
 * (page arguments (key, limit, offset), order, first, count, partition starts, partition ends, peer starts, peer ends, result) -> 0, or 1
 * when an offset is NULL or negative. All but `first` and `count` are addresses of u32 arrays with one entry for each row of a chunk, whose
 * first row is at position `first`. For the start of frames the result is the first position whose key is not before the limit of the row;
 * for the end the first one behind it. A NULL key reaches its peers.
 */
export function reachKernel(name: string, layout: InputLayout, column: SortColumn, side: "start" | "end"): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: i32s(9), result: "i32" }, (b, params) => {
      const [pageArguments, order, first, count, partitionStarts, partitionEnds, peerStarts, peerEnds, result] = params;
      const input = openInput(b, pageArguments, layout);
      b.forRange(i32.const(0), count, (index) => {
        const row = b.temp(i32.load(wordAt(order, i32.add(first, index))));
        b.if_(emitIsBadOffset(b, input.column(2, row)), () => b.return_(i32.const(1)));
        const low = b.local("i32", i32.load(wordAt(side === "start" ? peerStarts : peerEnds, index)));
        const isNull = input.isNull(0, row) ?? i32.const(0);
        b.if_(i32.eqz(isNull), () => {
          const limit: Value = { ...input.column(1, row), isNull: undefined };
          b.set(low, i32.load(wordAt(partitionStarts, index)));
          const high = b.local("i32", i32.load(wordAt(partitionEnds, index)));
          b.while_(
            () => i32.ltU(low, high),
            () => {
              const middle = b.temp(i32.shrU(i32.add(low, high), i32.const(1)));
              const other = b.temp(i32.load(wordAt(order, middle)));
              b.if_(
                emitIsBefore(b, input.column(0, other), limit, { ...column, side }),
                () => b.set(low, i32.add(middle, i32.const(1))),
                () => b.set(high, middle),
              );
            },
          );
        });
        b.store("i32.store", wordAt(result, index), low);
      });
      b.return_(i32.const(0));
    });
  });
}

function emitIsBefore(b: CodeBuilder, key: Value, limit: Value, column: SortColumn & { readonly side: "start" | "end" }): Expr {
  const before = b.local("i32", i32.const(column.nullsFirst ? 1 : 0));
  const compare = (): void => {
    const order = b.temp(emitCompare(b, { ...key, isNull: undefined }, limit));
    const directed = column.descending ? i32.sub(i32.const(0), order) : order;
    b.set(before, column.side === "start" ? i32.ltS(directed, i32.const(0)) : i32.leS(directed, i32.const(0)));
  };
  if (key.isNull === undefined) {
    compare();
  } else {
    b.if_(i32.eqz(key.isNull), compare);
  }
  return before;
}

/** NULL, negative, or NaN. */
function emitIsBadOffset(b: CodeBuilder, offset: Value): Expr {
  const [first, second] = offset.parts as readonly [Expr, Expr];
  const isNegative = (): Expr => {
    switch (physicalType(offset.type)) {
      case "f32":
        return i32.eqz(f64.ge(f64.promoteF32(first), f64.const(0)));
      case "f64":
        return i32.eqz(f64.ge(first, f64.const(0)));
      case "i64":
        return i64.ltS(first, i64.const(0n));
      case "i128":
        return i64.ltS(second, i64.const(0n));
      default:
        return i32.ltS(first, i32.const(0));
    }
  };
  const negative = b.temp(isNegative());
  return offset.isNull === undefined ? negative : b.temp(i32.or(offset.isNull, negative));
}

/**
 * Parameters: page arguments (value, default), order, first position, count, picks (u32 rows; `none`: the default of the row itself), none,
 * output arguments. Strings are not copied.
 */
export function pickKernel(name: string, layout: InputLayout): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: i32s(7) }, (b, params) => {
      const [pageArguments, order, first, count, picks, none, outputArguments] = params;
      const input = openInput(b, pageArguments, layout);
      const output = openOutput(b, outputArguments, [layout.columns.some(({ nullable }) => nullable)]);
      b.forRange(i32.const(0), count, (index) => {
        const pick = b.temp(i32.load(wordAt(picks, index)));
        b.if_(
          i32.eq(pick, none),
          () => output.store(0, index, input.column(1, b.temp(i32.load(wordAt(order, i32.add(first, index)))))),
          () => output.store(0, index, input.column(0, pick)),
        );
      });
    });
  });
}
