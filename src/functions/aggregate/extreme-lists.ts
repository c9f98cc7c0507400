/**
 * max(x, n), min(x, n), max_by(x, y, n), min_by(x, y, n). The state is a sorted list of the best n values, best first. A value that is no
 * better than the last entry of a full list costs one comparison; other values are placed by binary search. Among equal values the first
 * stays in front, so the list depends only on the order of the rows.
 */
import { i32, i64 } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import { arrayType, BIGINT, type Type } from "../../types/type.ts";
import type { AggregateImplementation } from "../registry/aggregate.ts";
import type { EmitContext } from "../runtime/emit.ts";
import { emitReplaces, loadSlot, slotBytes, storeSlot } from "./extremes.ts";
import { emitElement, openArray } from "../runtime/nested-kernels.ts";
import { emitArrayOf } from "../runtime/nested-writing.ts";
import { ifNotNull } from "./sums.ts";
import { part, type Value, valueOf } from "../runtime/value.ts";

/** State: u32 n (0: not known yet), u32 number of entries, u32 address of the array of entry addresses, u32 capacity of that array. */
const countOffset = 4;
const listOffset = 8;
const roomOffset = 12;
const stateBytes = 16;
/** An entry is the slot of the ordering value; the functions of two values have the slot of the other value behind it. */
const entryBytes = 2 * slotBytes;
const smallestRoom = 8;
const wantedMax = 10_000;

interface Entry {
  readonly order: Value;
  readonly value?: Value;
}

function addressAt(list: Expr, index: Expr): Expr {
  return i32.add(list, i32.shl(index, i32.const(2)));
}

/** The first n of a group is used for the whole group. An n out of range fails with Presto's message. */
function emitWanted(context: EmitContext, state: Expr, wanted: Expr, isBy: boolean): void {
  const { b } = context;
  b.if_(i32.eqz(i32.load(state)), () => {
    b.if_(i64.leS(wanted, i64.const(0n)), () => context.raise(isBy ? "EXTREMES_BY_NOT_POSITIVE" : "EXTREMES_NOT_POSITIVE"));
    b.if_(i64.gtS(wanted, i64.const(BigInt(wantedMax))), () => context.raise(isBy ? "EXTREMES_BY_TOO_MANY" : "EXTREMES_TOO_MANY", wanted));
    b.store("i32.store", state, i32.wrapI64(wanted));
  });
}

/** Ensures capacity for one more address. */
function emitRoom(context: EmitContext, state: Expr, count: Expr): void {
  const { b } = context;
  b.if_(i32.eq(count, i32.load(state, roomOffset)), () => {
    const room = b.temp(i32.add(i32.shl(count, i32.const(1)), i32.const(smallestRoom)));
    const list = b.temp(context.allocate(b.temp(i32.shl(room, i32.const(2)))));
    b.if_(count, () => b.copyBytes(list, i32.load(state, listOffset), i32.shl(count, i32.const(2))));
    b.store("i32.store", state, list, listOffset);
    b.store("i32.store", state, room, roomOffset);
  });
}

function emitAdd(context: EmitContext, kind: "min" | "max", state: Expr, { order, value }: Entry): void {
  const { b } = context;
  const count = b.local("i32", i32.load(state, countOffset));
  const entry = b.local("i32", i32.const(0));
  const isTaken = b.local("i32", i32.const(1));
  b.if_(
    i32.ltU(count, i32.load(state)),
    () => {
      emitRoom(context, state, count);
      b.set(entry, context.allocate(i32.const(entryBytes)));
      b.fillBytes(entry, i32.const(0), i32.const(entryBytes));
      b.store("i32.store", state, i32.add(count, i32.const(1)), countOffset);
    },
    () => {
      b.set(count, i32.sub(count, i32.const(1)));
      b.set(entry, i32.load(addressAt(i32.load(state, listOffset), count)));
      b.set(isTaken, emitReplaces(b, kind, entry, order));
    },
  );
  b.if_(isTaken, () => {
    const list = b.temp(i32.load(state, listOffset));
    const [low, high] = [b.local("i32", i32.const(0)), b.local("i32", count)];
    b.while_(
      () => i32.ltU(low, high),
      () => {
        const middle = b.temp(i32.shrU(i32.add(low, high), i32.const(1)));
        b.if_(
          emitReplaces(b, kind, b.temp(i32.load(addressAt(list, middle))), order),
          () => b.set(high, middle),
          () => b.set(low, i32.add(middle, i32.const(1))),
        );
      },
    );
    const place = b.temp(addressAt(list, low));
    b.copyBytes(i32.add(place, i32.const(4)), place, i32.shl(i32.sub(count, low), i32.const(2)));
    b.store("i32.store", place, entry);
    storeSlot(context, entry, 0, order);
    if (value !== undefined) {
      storeSlot(context, entry, slotBytes, value);
    }
  });
}

/**
 * Arguments: the value, the ordering value if `orderType` is given, and n (bigint). Intermediates: array of ordering values, array of
 * values, n or 0.
 */
export function extremeList(kind: "min" | "max", valueType: Type, orderType?: Type): AggregateImplementation {
  const isBy = orderType !== undefined;
  const keyType = orderType ?? valueType;
  const list = (context: EmitContext, state: Expr, offset: number, type: Type): Value => {
    const { b } = context;
    const addresses = b.temp(i32.load(state, listOffset));
    return emitArrayOf(context, type, b.temp(i32.load(state, countOffset)), (index) =>
      loadSlot(b, b.temp(i32.load(addressAt(addresses, index))), offset, type),
    );
  };
  return {
    stateBytes,
    stateAlignment: 8,
    intermediateTypes: [arrayType(keyType), ...(isBy ? [arrayType(valueType)] : []), BIGINT],
    wantsNulls: isBy,
    emitAdd: (context, state, args) => {
      const [first, second, third] = args as readonly [Value, Value, Value];
      if (!isBy) {
        emitWanted(context, state, part(second, 0), false);
        return emitAdd(context, kind, state, { order: { ...first, isNull: undefined } });
      }
      ifNotNull(context.b, third, () => {
        emitWanted(context, state, part(third, 0), true);
        ifNotNull(context.b, second, () => emitAdd(context, kind, state, { order: { ...second, isNull: undefined }, value: first }));
      });
    },
    emitMerge: (context, state, intermediates) => {
      const { b } = context;
      const wanted = b.temp(part(intermediates.at(-1) as Value, 0));
      b.if_(i64.ne(wanted, i64.const(0n)), () => {
        emitWanted(context, state, wanted, isBy);
        const orders = openArray(b, keyType, part(intermediates[0] as Value, 0));
        const values = isBy ? openArray(b, valueType, part(intermediates[1] as Value, 0)) : undefined;
        b.forRange(i32.const(0), orders.count, (index) => {
          const order = { ...emitElement(b, orders, index), isNull: undefined };
          emitAdd(context, kind, state, { order, ...(values !== undefined && { value: emitElement(b, values, index) }) });
        });
      });
    },
    emitIntermediate: (context, state) => [
      list(context, state, 0, keyType),
      ...(isBy ? [list(context, state, slotBytes, valueType)] : []),
      valueOf(BIGINT, context.b.temp(i64.extendI32U(i32.load(state)))),
    ],
    emitFinal: (context, state) => ({
      ...list(context, state, isBy ? slotBytes : 0, valueType),
      isNull: context.b.temp(i32.eqz(i32.load(state, countOffset))),
    }),
  };
}
