/**
 * Implementation of array_agg. The state is a linked list of the values in arrival order; the result is built from it. map_agg and similar
 * aggregates are functions of that array (analyzer/aggregation/collections.ts).
 */
import { type CodeBuilder, i32 } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import { elementWidth, nestedCountBytes } from "../../types/nested/nested.ts";
import { arrayType, physicalType, type Type } from "../../types/type.ts";
import type { AggregateImplementation } from "../registry/aggregate.ts";
import type { EmitContext } from "../runtime/emit.ts";
import { storeParts } from "../runtime/memory-values.ts";
import { emitElement, openArray } from "../runtime/nested-kernels.ts";
import { ifNotNull } from "./sums.ts";
import { part, type Value } from "../runtime/value.ts";

/** State: u32 first link, u32 last link, u32 count, u32 total bytes of variable-width values. */
const lastOffset = 4;
const countOffset = 8;
const bytesOffset = 12;
const stateBytes = 16;
/** A link: u32 next, u32 null flag, then the value in page layout, or u32 length and the bytes. */
const nullOffset = 4;
const valueOffset = 8;
const dataOffset = 12;
const fixedLinkBytes = 24;

function emitAppend(context: EmitContext, state: Expr, value: Value): void {
  const { b } = context;
  const isNull = b.temp(value.isNull ?? i32.const(0));
  const link = b.local("i32", i32.const(0));
  if (physicalType(value.type) === "bytes") {
    const length = b.local("i32", part(value, 1));
    b.if_(isNull, () => b.set(length, i32.const(0)));
    b.set(link, context.allocate(b.temp(i32.add(length, i32.const(dataOffset)))));
    b.store("i32.store", link, length, valueOffset);
    b.if_(length, () => b.copyBytes(i32.add(link, i32.const(dataOffset)), part(value, 0), length));
    b.store("i32.store", state, i32.add(i32.load(state, bytesOffset), length), bytesOffset);
  } else {
    b.set(link, context.allocate(i32.const(fixedLinkBytes)));
    storeParts(b, value.type, link, value.parts, valueOffset);
  }
  b.store("i32.store", link, i32.const(0));
  b.store("i32.store", link, isNull, nullOffset);
  const last = b.temp(i32.load(state, lastOffset));
  b.if_(
    last,
    () => b.store("i32.store", last, link),
    () => b.store("i32.store", state, link),
  );
  b.store("i32.store", state, link, lastOffset);
  b.store("i32.store", state, i32.add(i32.load(state, countOffset), i32.const(1)), countOffset);
}

/** Emits the array; NULL for an empty group. */
function emitArray(context: EmitContext, state: Expr, element: Type): Value {
  const { b } = context;
  const width = elementWidth(element);
  const count = b.temp(i32.load(state, countOffset));
  const dataStart = b.temp(i32.add(i32.const(nestedCountBytes), i32.mul(count, i32.const(width + 1))));
  const length = b.temp(i32.add(dataStart, i32.load(state, bytesOffset)));
  const array = b.temp(context.allocate(length));
  b.store("i32.store", array, count);
  const link = b.local("i32", i32.load(state));
  const nulls = b.local("i32", i32.add(array, i32.const(nestedCountBytes)));
  const fixed = b.local("i32", i32.add(nulls, count));
  const end = b.local("i32", i32.const(0));
  const data = b.temp(i32.add(array, dataStart));
  b.while_(
    () => link,
    () => {
      const isNull = b.temp(i32.load(link, nullOffset));
      b.store("i32.store8", nulls, isNull);
      emitEntry(b, { element, link, isNull, fixed, end, data, width });
      b.set(nulls, i32.add(nulls, i32.const(1)));
      b.set(fixed, i32.add(fixed, i32.const(width)));
      b.set(link, i32.load(link));
    },
  );
  return { type: arrayType(element), parts: [array, length], isNull: b.temp(i32.eqz(count)) };
}

interface Entry {
  readonly element: Type;
  readonly link: Expr;
  readonly isNull: Expr;
  readonly fixed: Expr;
  readonly end: ReturnType<CodeBuilder["local"]>;
  readonly data: Expr;
  readonly width: number;
}

/** NULL elements are written as zeros, so that equal arrays have equal bytes. */
function emitEntry(b: CodeBuilder, { element, link, isNull, fixed, end, data, width }: Entry): void {
  if (physicalType(element) === "bytes") {
    const length = b.temp(i32.load(link, valueOffset));
    b.if_(length, () => b.copyBytes(i32.add(data, end), i32.add(link, i32.const(dataOffset)), length));
    b.set(end, i32.add(end, length));
    return b.store("i32.store", fixed, end);
  }
  b.if_(
    isNull,
    () => b.fillBytes(fixed, i32.const(0), i32.const(width)),
    () => b.copyBytes(fixed, i32.add(link, i32.const(valueOffset)), i32.const(width)),
  );
}

export function collectArray(element: Type): AggregateImplementation {
  return {
    stateBytes,
    stateAlignment: 8,
    intermediateTypes: [arrayType(element)],
    wantsNulls: true,
    emitAdd: (context, state, args) => emitAppend(context, state, args[0] as Value),
    emitMerge: (context, state, intermediates) => {
      const { b } = context;
      const partial = intermediates[0] as Value;
      ifNotNull(b, partial, () => {
        const array = openArray(b, element, part(partial, 0));
        b.forRange(i32.const(0), array.count, (index) => emitAppend(context, state, emitElement(b, array, index)));
      });
    },
    emitIntermediate: (context, state) => [emitArray(context, state, element)],
    emitFinal: (context, state) => emitArray(context, state, element),
  };
}
