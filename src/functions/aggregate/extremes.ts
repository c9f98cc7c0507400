/**
 * States that keep one value: min, max, arbitrary, min_by, max_by. The versions that keep n values are in extreme-lists.ts. Strings are
 * copied into memory with the lifetime of the state; the buffer is reused if the next string fits.
 */
import { type CodeBuilder, i32 } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import { BOOLEAN, physicalType, type Type } from "../../types/type.ts";
import type { AggregateImplementation } from "../registry/aggregate.ts";
import type { EmitContext } from "../runtime/emit.ts";
import { loadParts, storeParts } from "../runtime/memory-values.ts";
import { emitCompare } from "../runtime/operations.ts";
import { ifNotNull } from "./sums.ts";
import { part, type Value } from "../runtime/value.ts";

/** A slot: i32 kind (0 empty, 1 value, 2 NULL), u32 bytes allocated for a string, 16 bytes of value parts. */
export const slotBytes = 24;
const capacityOffset = 4;
const partsOffset = 8;
const smallestCapacity = 16;

export function loadSlot(b: CodeBuilder, slot: Expr, offset: number, type: Type): Value {
  return { type, parts: loadParts(b, type, slot, offset + partsOffset), isNull: b.temp(i32.ne(i32.load(slot, offset), i32.const(1))) };
}

export function storeSlot(context: EmitContext, slot: Expr, offset: number, value: Value): void {
  const { b } = context;
  if (value.isNull === undefined) {
    b.store("i32.store", slot, i32.const(1), offset);
    return storeSlotParts(context, slot, offset, value);
  }
  b.store("i32.store", slot, i32.add(value.isNull, i32.const(1)), offset);
  b.if_(i32.eqz(value.isNull), () => storeSlotParts(context, slot, offset, value));
}

function storeSlotParts(context: EmitContext, slot: Expr, offset: number, value: Value): void {
  const { b } = context;
  if (physicalType(value.type) !== "bytes") {
    return storeParts(b, value.type, slot, value.parts, offset + partsOffset);
  }
  const [address, bytes] = value.parts as readonly [Expr, Expr];
  b.if_(i32.gtU(bytes, i32.load(slot, offset + capacityOffset)), () => {
    const capacity = b.temp(i32.add(bytes, i32.const(smallestCapacity)));
    b.store("i32.store", slot, context.allocate(capacity), offset + partsOffset);
    b.store("i32.store", slot, capacity, offset + capacityOffset);
  });
  b.store("i32.store", slot, bytes, offset + partsOffset + 4);
  b.copyBytes(i32.load(slot, offset + partsOffset), address, bytes);
}

/** Whether `value` replaces the value in the slot, as i32 0 or 1. Among equal values the first stays; any number replaces NaN. */
export function emitReplaces(b: CodeBuilder, kind: "min" | "max", slot: Expr, value: Value): Expr {
  const replaces = b.local("i32", i32.const(1));
  b.if_(i32.load(slot), () => {
    const kept = { type: value.type, parts: loadParts(b, value.type, slot, partsOffset), isNull: undefined };
    const order = emitCompare(b, value, kept, kind === "min" ? "NaN last" : "NaN first");
    b.set(replaces, kind === "min" ? i32.ltS(order, i32.const(0)) : i32.gtS(order, i32.const(0)));
  });
  return replaces;
}

function keeping(type: Type, add: (context: EmitContext, state: Expr, value: Value) => void): AggregateImplementation {
  return {
    stateBytes: slotBytes,
    stateAlignment: 8,
    intermediateTypes: [type],
    wantsNulls: false,
    emitAdd: (context, state, args) => add(context, state, args[0] as Value),
    emitMerge: (context, state, values) => {
      const value = values[0] as Value;
      ifNotNull(context.b, value, () => add(context, state, { ...value, isNull: undefined }));
    },
    emitIntermediate: ({ b }, state) => [loadSlot(b, state, 0, type)],
    emitFinal: ({ b }, state) => loadSlot(b, state, 0, type),
  };
}

export function keepExtreme(kind: "min" | "max", type: Type): AggregateImplementation {
  return keeping(type, (context, state, value) => {
    const given = { ...value, isNull: undefined };
    context.b.if_(emitReplaces(context.b, kind, state, given), () => storeSlot(context, state, 0, given));
  });
}

export function keepFirst(type: Type): AggregateImplementation {
  return keeping(type, (context, state, value) =>
    context.b.if_(i32.eqz(i32.load(state)), () => storeSlot(context, state, 0, { ...value, isNull: undefined })),
  );
}

/**
 * State: the slot of the ordering value, then the slot of the value. Intermediates: value, ordering value, and a flag that the state has a
 * row (the value may be NULL).
 */
export function extremeBy(kind: "min" | "max", valueType: Type, orderType: Type): AggregateImplementation {
  const add = (context: EmitContext, state: Expr, value: Value, order: Value) => {
    const { b } = context;
    ifNotNull(b, order, () => {
      const given = { ...order, isNull: undefined };
      b.if_(emitReplaces(b, kind, state, given), () => {
        storeSlot(context, state, 0, given);
        storeSlot(context, state, slotBytes, value);
      });
    });
  };
  return {
    stateBytes: 2 * slotBytes,
    stateAlignment: 8,
    intermediateTypes: [valueType, orderType, BOOLEAN],
    wantsNulls: true,
    emitAdd: (context, state, args) => add(context, state, args[0] as Value, args[1] as Value),
    emitMerge: (context, state, values) => {
      const [value, order, exists] = values as readonly [Value, Value, Value];
      context.b.if_(part(exists, 0), () => add(context, state, value, order));
    },
    emitIntermediate: ({ b }, state) => [
      loadSlot(b, state, slotBytes, valueType),
      loadSlot(b, state, 0, orderType),
      { type: BOOLEAN, parts: [b.temp(i32.ne(i32.load(state), i32.const(0)))], isNull: undefined },
    ],
    emitFinal: ({ b }, state) => loadSlot(b, state, slotBytes, valueType),
  };
}
