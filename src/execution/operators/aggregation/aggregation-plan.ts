/** What the kernels of an aggregation are made of: its expressions, and the places of its states in the record of a group. */
import { resolveAggregate } from "../../../functions/registry/registry.ts";
import type { ResolvedAggregate } from "../../../functions/registry/aggregate.ts";
import type { RowExpression, Variable } from "../../../planner/plan/typed-expression.ts";
import { substitute } from "../../../planner/plan/expression-tree.ts";
import type { AggregateCall, AggregationNode } from "../../../planner/plan/node.ts";
import { assert } from "../../../protocol/errors.ts";
import { displayType, isBytes, type Type } from "../../../types/type.ts";
import type { AggregationShape, PlacedAggregate } from "./aggregation-kernels.ts";
import { drawsIn } from "../../expressions/prepare.ts";
import { rowsOfAggregation } from "../../expressions/pace.ts";
import { KernelExpressions } from "../kernel-expressions.ts";
import { type OperatorContext, seedOf } from "../operator.ts";
import type { Pace } from "./sliced-rows.ts";

export interface AggregationOptions {
  readonly context: OperatorContext;
  readonly node: AggregationNode;
  /** Columns of the incoming pages. */
  readonly layout: readonly Variable[];
  /** Projections that the aggregation evaluates in its own kernel. */
  readonly inlined: ReadonlyMap<string, RowExpression>;
}

function resolve(call: AggregateCall): ResolvedAggregate {
  const resolved = resolveAggregate(call.name, call.argumentTypes);
  assert(
    !("error" in resolved),
    `plan has an aggregate ${call.name}(${call.argumentTypes.map(displayType).join()}) that the catalogue does not have`,
  );
  return resolved;
}

/** Rows or groups of a slice that merges or gives out states of any size. */
const rowsOfLargeStates = 256;

/** The pace is that of adding rows. */
export interface AggregationPlan extends Pace {
  /** Pace of giving out groups. */
  readonly results: Pace;
  readonly shape: AggregationShape;
  readonly key: string;
  readonly outputTypes: readonly Type[];
  readonly hasInit: boolean;
  /** The state of a row is about as small as the row. A sketch is not. */
  readonly canPass: boolean;
  /**
   * The state of a group may go to disk and come back as the same state. Random arguments depend on the order of evaluation.
   */
  readonly isSpillable: boolean;
  /** No state has memory beside its record. */
  readonly isOfFixedSize: boolean;
  /** For each state the aggregate whose intermediate values hold all of it. */
  readonly stateAggregates: readonly PlacedAggregate[];
  /** Called before one of its kernels is loaded. */
  readonly ensureHosts: () => void;
}

export function planAggregation({ context, node, layout, inlined }: AggregationOptions): AggregationPlan {
  const expressions: RowExpression[] = [];
  const numberOf = (expression: RowExpression): number => {
    const own = substitute(expression, inlined);
    const known = expressions.findIndex(
      (other) => other === own || (own.kind === "variable" && other.kind === "variable" && other.name === own.name),
    );
    return known >= 0 ? known : expressions.push(own) - 1;
  };
  const merges = node.step === "FINAL";
  const names: string[] = [];
  const outputTypes: Type[] = [];
  let recordBytes = 0;
  let alignment = 8;
  const offsets = new Map<string, number>();
  const aggregates = node.aggregates.map((call): PlacedAggregate => {
    const { implementation, returnType } = resolve(call);
    const args = (merges ? (call.intermediates ?? []) : call.args).map(numberOf);
    const mask = call.mask === undefined ? undefined : numberOf(call.mask);
    const stateKey = merges || implementation.stateKey === undefined ? undefined : `${implementation.stateKey} ${args.join()} ${mask}`;
    const shared = stateKey === undefined ? undefined : offsets.get(stateKey);
    const offset = shared ?? roundUp(recordBytes, implementation.stateAlignment);
    if (shared === undefined) {
      alignment = Math.max(alignment, implementation.stateAlignment);
      recordBytes = offset + implementation.stateBytes;
      if (stateKey !== undefined) {
        offsets.set(stateKey, offset);
      }
    }
    outputTypes.push(...(node.step === "PARTIAL" ? implementation.intermediateTypes : [returnType]));
    names.push(`${call.name}(${call.argumentTypes.map(displayType).join()};${args.join()}${mask === undefined ? "" : ` if ${mask}`})`);
    return {
      implementation: merges ? { ...implementation, wantsNulls: true } : implementation,
      offset,
      args,
      mask,
      isShared: shared !== undefined,
    };
  });
  const uncountedOffset = roundUp(recordBytes, 8);
  recordBytes = uncountedOffset + 8;
  const { runtime } = context.services;
  const isLong = aggregates.some(({ implementation }) => implementation.registerHosts !== undefined);
  const shape: AggregationShape = {
    isLong,
    aggregates,
    recordBytes: roundUp(recordBytes, alignment),
    uncountedOffset,
    merges,
    hasGroups: node.keys.length > 0,
    inputs: layout,
    expressions: new KernelExpressions(runtime, context.memory, expressions, layout, () => seedOf(context)),
    states: new KernelExpressions(runtime, context.memory, [], []),
  };
  const rowsMax = rowsOfAggregation(shape.expressions.prepared.expressions, aggregates.length);
  const isOfFixedSize = aggregates.every(({ implementation }) => !implementation.intermediateTypes.some(isBytes));
  const key = `aggregate ${node.step} ${shape.hasGroups ? "groups" : ""} ${names.join(" ")} ${shape.expressions.prepared.key}`;
  return {
    shape,
    isLong,
    rowsMax: rowsMax ?? (merges && !isOfFixedSize ? rowsOfLargeStates : undefined),
    results: { isLong, rowsMax: rowsMax ?? (isOfFixedSize ? undefined : rowsOfLargeStates) },
    key,
    outputTypes,
    canPass: !isLong,
    isSpillable:
      !drawsIn(shape.expressions.prepared) &&
      aggregates.every(({ implementation }) => implementation.registerHosts === undefined || implementation.spilled !== undefined),
    isOfFixedSize,
    stateAggregates: stateAggregates(aggregates),
    hasInit: aggregates.some(({ implementation }) => implementation.emitInit !== undefined),
    ensureHosts: () => {
      shape.expressions.ensureHosts();
      aggregates.forEach(({ implementation }) => implementation.registerHosts?.(runtime));
    },
  };
}

/** Aggregates that share a state may pass on a part of it only: sum passes no count, avg does. */
function stateAggregates(aggregates: readonly PlacedAggregate[]): readonly PlacedAggregate[] {
  const byOffset = new Map<number, PlacedAggregate>();
  for (const aggregate of aggregates) {
    const other = byOffset.get(aggregate.offset);
    if (other === undefined || other.implementation.intermediateTypes.length < aggregate.implementation.intermediateTypes.length) {
      byOffset.set(aggregate.offset, aggregate);
    }
  }
  return [...byOffset.values()];
}

function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}
