/**
 * The kernels of aggregates over frames. One state follows the frames of consecutive rows. A frame that only grew adds its new rows. Any
 * other frame is computed anew: from its rows if they are few, otherwise from the nodes of a tree.
 *
 * Node k of level l is the state of positions [k F^(l+1), (k + 1) F^(l+1)) of the partition. So a frame of n rows costs at most F log n,
 * and growing frames add each row once.
 */
import { emitStoreValue, type InputLayout, openInput, outputArgumentsBytes } from "../../expressions/columns.ts";
import type { ExpressionContext } from "../../expressions/expression-compiler.ts";
import { partTypes, type Value } from "../../../functions/runtime/value.ts";
import { buildKernel, type CodeBuilder, i32, i32s, i64, type Local, select } from "../../../codegen/builder.ts";
import type { Expr, Kernel } from "../../../codegen/ir.ts";
import { physicalType, type Type } from "../../../types/type.ts";
import { emitUpdate, type PlacedAggregate } from "../aggregation/aggregation-kernels.ts";
import { contextParams, type KernelExpressions } from "../kernel-expressions.ts";
import { wordAt } from "./kernels.ts";

/** F: children of a node. */
export const fanout = 16;
const fanoutBits = 4;
export const levelsMax = 8;

export interface WindowAggregationShape {
  /** `args` and `mask` are indices into `channels`. */
  readonly aggregates: readonly PlacedAggregate[];
  readonly channels: readonly number[];
  readonly types: readonly Type[];
  readonly recordBytes: number;
  /** Frames of more rows are computed from the tree. */
  readonly directRows: number;
  /** Contexts of the states that follow frames, of the tree, and of output strings. */
  readonly states: KernelExpressions;
  readonly nodes: KernelExpressions;
  readonly results: KernelExpressions;
}

/** u32 words: first position and end of the rows in the state, rows added to growing states of the partition so far, their maximum. */
export const controlBytes = 16;
/** u32 words: levels, first position of the partition, addresses of the levels' nodes. */
export const treeBytes = 8 + 4 * levelsMax;

interface Emitter {
  readonly b: CodeBuilder;
  readonly context: ExpressionContext;
  readonly shape: WindowAggregationShape;
}

function stateOf({ b }: Emitter, record: Expr, offset: number): Expr {
  return offset === 0 ? record : b.temp(i32.add(record, i32.const(offset)));
}

/** Resets the states to those of no rows. */
function emitReset(emitter: Emitter, record: Expr): void {
  const { b, context, shape } = emitter;
  for (let offset = 0; offset < shape.recordBytes; offset += 8) {
    b.store("i64.store", record, i64.const(0n), offset);
  }
  for (const { implementation, offset } of shape.aggregates) {
    implementation.emitInit?.(context, stateOf(emitter, record, offset));
  }
}

function emitAddRow(emitter: Emitter, record: Expr, values: readonly Value[]): void {
  const { b, context, shape } = emitter;
  for (const aggregate of shape.aggregates) {
    emitUpdate(b, aggregate, values, (args) => aggregate.implementation.emitAdd(context, stateOf(emitter, record, aggregate.offset), args));
  }
}

function emitMergeRecord(emitter: Emitter, record: Expr, other: Expr): void {
  const { context, shape } = emitter;
  for (const { implementation, offset } of shape.aggregates) {
    const intermediates = implementation.emitIntermediate(context, stateOf(emitter, other, offset));
    implementation.emitMerge(context, stateOf(emitter, record, offset), intermediates);
  }
}

/**
 * Builds the nodes from `first` to `end` from their children: `add` adds the child at a position, counted from `base`. Returns from the
 * kernel.
 */
function emitNodes(
  emitter: Emitter,
  level: { readonly nodes: Expr; readonly first: Expr; readonly end: Expr; readonly base: Expr },
  add: (record: Expr, position: Expr) => void,
): void {
  const { b, context, shape } = emitter;
  context.guarded(() => {
    b.forRange(level.first, level.end, (node) => {
      const record = b.temp(i32.add(level.nodes, i32.mul(node, i32.const(shape.recordBytes))));
      emitReset(emitter, record);
      const start = b.temp(i32.add(level.base, i32.shl(node, i32.const(fanoutBits))));
      b.forRange(start, i32.add(start, i32.const(fanout)), (position) => add(record, position));
    });
    b.return_(i32.const(0));
  });
  b.return_(i32.const(1));
}

/**
 * Level 0. Parameters: page arguments, order, first position, nodes, first node, end; context of the nodes. Returns 0, or 1 after an error.
 */
export function leavesKernel(name: string, layout: InputLayout, shape: WindowAggregationShape): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: [...i32s(6), ...contextParams], result: "i32" }, (b, params) => {
      const [pageArguments, order, base, nodes, first, end, ...ofNodes] = params;
      const emitter: Emitter = { b, context: shape.nodes.open(b, ofNodes), shape };
      const input = openInput(b, pageArguments, layout, new Set(shape.channels));
      emitNodes(emitter, { nodes, first, end, base }, (record, position) => {
        const row = b.temp(i32.load(wordAt(order, position)));
        emitAddRow(
          emitter,
          record,
          shape.channels.map((channel) => input.column(channel, row)),
        );
      });
    });
  });
}

/** Parameters: nodes of the level below, nodes, first node, end; context of the nodes. Returns 0, or 1 after an error. */
export function nodesKernel(name: string, shape: WindowAggregationShape): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: [...i32s(4), ...contextParams], result: "i32" }, (b, [below, nodes, first, end, ...ofNodes]) => {
      const emitter: Emitter = { b, context: shape.nodes.open(b, ofNodes), shape };
      emitNodes(emitter, { nodes, first, end, base: i32.const(0) }, (record, child) => {
        emitMergeRecord(emitter, record, b.temp(i32.add(below, i32.mul(child, i32.const(shape.recordBytes)))));
      });
    });
  });
}

/**
 * Parameters: page arguments, order, frame starts, frame ends (u32 each, from the first row), rows, output row of the first one; record,
 * control, tree (0: none), output arguments; context of the states, context of the results. Returns 0, or 1 after an error. `onColumn`
 * reports which columns can be NULL.
 */
export function framesKernel(
  name: string,
  layout: InputLayout,
  shape: WindowAggregationShape,
  onColumn: (index: number, nullable: boolean) => void,
): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: [...i32s(10), ...contextParams, ...contextParams], result: "i32" }, (b, params) => {
      const [pageArguments, order, starts, ends, count, firstOutput, record, control, tree, outputArguments, ...contexts] = params;
      const [errorBlock, arena, constants, ...ofResults] = contexts;
      const emitter: Emitter = { b, context: shape.states.open(b, [errorBlock, arena, constants]), shape };
      const results = shape.results.open(b, ofResults);
      const input = openInput(b, pageArguments, layout, new Set(shape.channels));
      const heldStart = b.local("i32", i32.load(control));
      const heldEnd = b.local("i32", i32.load(control, 4));
      const changed = b.local("i32", i32.const(1));
      const kept = shape.types.map((type) => ({ parts: partTypes(type).map((part) => b.local(part)), isNull: b.local("i32") }));
      const nullable: boolean[] = [];
      emitter.context.guarded(() => {
        b.forRange(i32.const(0), count, (index) => {
          const start = b.temp(i32.load(wordAt(starts, index)));
          const end = b.temp(i32.load(wordAt(ends, index)));
          const position = b.local("i32", heldEnd);
          const walksTree = b.local("i32", i32.const(0));
          b.if_(
            emitGrows(b, { start, end, heldStart, heldEnd, control, tree, directRows: shape.directRows }),
            () => {
              b.if_(i32.ltU(heldEnd, end), () => b.set(changed, i32.const(1)));
              b.store("i32.store", control, i32.add(i32.load(control, 8), i32.sub(end, heldEnd)), 8);
            },
            () => {
              emitReset(emitter, record);
              b.set(changed, i32.const(1));
              b.set(position, start);
              b.set(walksTree, i32.and(i32.ne(tree, i32.const(0)), i32.gtU(i32.sub(end, start), i32.const(shape.directRows))));
            },
          );
          emitWalk(emitter, { position, end, walksTree, tree, record }, (at) => {
            const row = b.temp(i32.load(wordAt(order, at)));
            emitAddRow(
              emitter,
              record,
              shape.channels.map((channel) => input.column(channel, row)),
            );
          });
          b.set(heldStart, start);
          b.set(heldEnd, end);
          b.if_(changed, () => {
            b.set(changed, i32.const(0));
            for (const [column, { implementation, offset }] of shape.aggregates.entries()) {
              const value = implementation.emitFinal(emitter.context, stateOf(emitter, record, offset));
              nullable[column] = value.isNull !== undefined;
              keepValue(b, results, kept[column] as Kept, value);
            }
          });
          const row = b.temp(i32.add(firstOutput, index));
          for (const [column, type] of shape.types.entries()) {
            const { parts, isNull } = kept[column] as Kept;
            const at = column === 0 ? 0 : outputArgumentsBytes(column);
            const target = {
              values: b.temp(i32.load(outputArguments, at)),
              nulls: nullable[column] === true ? b.temp(i32.load(outputArguments, at + 4)) : undefined,
            };
            emitStoreValue(b, target, row, { type, parts, isNull: nullable[column] === true ? isNull : undefined });
            onColumn(column, nullable[column] === true);
          }
        });
        b.store("i32.store", control, heldStart);
        b.store("i32.store", control, heldEnd, 4);
        b.return_(i32.const(0));
      });
      b.return_(i32.const(1));
    });
  });
}

interface Kept {
  readonly parts: readonly Local[];
  readonly isNull: Local;
}

/** Copies a value into locals. Later rows overwrite strings of states, so strings are copied. */
function keepValue(b: CodeBuilder, results: ExpressionContext, kept: Kept, value: Value): void {
  if (value.isNull !== undefined) {
    b.set(kept.isNull, value.isNull);
  }
  if (physicalType(value.type) !== "bytes") {
    value.parts.forEach((part, index) => b.set(kept.parts[index] as Local, part));
    return;
  }
  const [address, length] = value.parts as readonly [Expr, Expr];
  const bytes = b.temp(value.isNull === undefined ? length : select(value.isNull, i32.const(0), length));
  const copy = results.allocate(bytes);
  b.copyBytes(copy, address, bytes);
  b.set(kept.parts[0] as Local, copy);
  b.set(kept.parts[1] as Local, bytes);
}

/** Whether the state may continue from the last frame: the same start, and not many more rows than it may add in all. */
function emitGrows(
  b: CodeBuilder,
  at: {
    readonly start: Expr;
    readonly end: Expr;
    readonly heldStart: Expr;
    readonly heldEnd: Expr;
    readonly control: Expr;
    readonly tree: Expr;
    readonly directRows: number;
  },
): Expr {
  const added = b.temp(i32.sub(at.end, at.heldEnd));
  const isCheap = i32.or(
    i32.or(i32.eqz(at.tree), i32.leU(added, i32.const(at.directRows))),
    i32.leU(i32.add(i32.load(at.control, 8), added), i32.load(at.control, 12)),
  );
  return b.temp(i32.and(i32.and(i32.eq(at.start, at.heldStart), i32.geU(at.end, at.heldEnd)), isCheap));
}

/** Adds positions [position, end) in order: single rows, and whole nodes where they fit. */
function emitWalk(
  emitter: Emitter,
  walk: { readonly position: Local; readonly end: Expr; readonly walksTree: Local; readonly tree: Expr; readonly record: Expr },
  addRow: (position: Expr) => void,
): void {
  const { b, shape } = emitter;
  const { position, end, walksTree, tree, record } = walk;
  const inPartition = b.local("i32", i32.const(0));
  b.while_(
    () => i32.ltU(position, end),
    () => {
      const rowsEnd = b.local("i32", end);
      b.if_(walksTree, () => {
        b.set(inPartition, i32.sub(position, i32.load(tree, 4)));
        const inNode = b.temp(i32.and(inPartition, i32.const(fanout - 1)));
        // Number of rows up to the next node; 0 if a node fits at this position.
        const next = b.temp(i32.add(i32.sub(position, inNode), select(inNode, i32.const(fanout), i32.const(0))));
        const behind = b.temp(i32.add(next, i32.const(fanout)));
        b.set(rowsEnd, select(i32.gtU(behind, end), end, next));
      });
      b.while_(
        () => i32.ltU(position, rowsEnd),
        () => {
          addRow(position);
          b.set(position, i32.add(position, i32.const(1)));
        },
      );
      b.if_(i32.ltU(position, end), () => {
        b.set(inPartition, i32.sub(position, i32.load(tree, 4)));
        const level = b.local("i32", i32.const(0));
        const width = b.local("i32", i32.const(fanout));
        const wider = (): Expr => i32.shl(width, i32.const(fanoutBits));
        b.while_(
          () =>
            i32.and(
              i32.ltU(i32.add(level, i32.const(1)), i32.load(tree)),
              i32.and(i32.eqz(i32.and(inPartition, i32.sub(wider(), i32.const(1)))), i32.leU(wider(), i32.sub(end, position))),
            ),
          () => {
            b.set(level, i32.add(level, i32.const(1)));
            b.set(width, wider());
          },
        );
        const number = b.temp(i32.shrU(inPartition, i32.mul(i32.add(level, i32.const(1)), i32.const(fanoutBits))));
        const nodes = b.temp(i32.load(wordAt(tree, level), 8));
        emitMergeRecord(emitter, record, b.temp(i32.add(nodes, i32.mul(number, i32.const(shape.recordBytes)))));
        b.set(position, i32.add(position, width));
      });
    },
  );
}
