/**
 * Plans the windows of one SELECT.
 */
import { isAggregate } from "../../../functions/registry/registry.ts";
import type { Constant, RowExpression, Variable } from "../../plan/typed-expression.ts";
import { usesAny } from "../../plan/expression-tree.ts";
import type { PlanIds } from "../../plan/ids.ts";
import { outputsOf, type Ordering, type PlanNode, type WindowBound, type WindowCall, type WindowFrame } from "../../plan/node.ts";
import { distinctOrderings, distinctVariables, projectNode } from "../../plan/plan-tree.ts";
import { Columns } from "../aggregation/aggregates.ts";
import { semanticError } from "../errors.ts";
import type { ChosenFunction } from "../expression/functions.ts";
import type { AnalyzedWindowPattern } from "../pattern/context.ts";
import { prepareWindowPattern } from "../pattern/window.ts";
import type { CollectedWindow, WindowCollector } from "./collector.ts";
import { offsetConstant } from "./window-frames.ts";
import {
  type AnalyzedBound,
  type AnalyzedFrame,
  type AnalyzedWindow,
  defaultFrame,
  nestedInArguments,
  type WindowInput,
} from "./specification.ts";

/** Returns the column of the source that holds an input of a window. */
type ColumnOf = (input: WindowInput, hint: string) => Variable;

interface SpecificationKeys {
  readonly partitionBy: readonly Variable[];
  readonly orderBy: readonly Ordering[];
}

/**
 * Plans a Window node for each specification over a projection of all inputs. Windows with a row pattern read the node that finds the
 * matches. `rewrite` translates an expression over FROM into one over `source`.
 */
export function planWindows(
  collector: WindowCollector,
  ids: PlanIds,
  source: PlanNode,
  rewrite: (input: WindowInput) => RowExpression,
): PlanNode {
  const outputs = collector.outputs();
  if (outputs.length === 0) {
    return source;
  }
  const names = new Set(outputs.map(({ name }) => name));
  const columns = new Columns(ids, outputsOf(source));
  const column = (input: WindowInput, hint: string): Variable => {
    if (usesAny(input.expression, names)) {
      throw semanticError("NESTED_WINDOW", input.syntax, nestedInArguments);
    }
    return columns.variableFor(rewrite(input), hint);
  };
  const keysOf = ({ partitionBy, orderBy }: AnalyzedWindow): SpecificationKeys => ({
    partitionBy: distinctVariables(
      partitionBy.filter(({ expression }) => expression.kind !== "constant").map((key) => column(key, "partition")),
    ),
    orderBy: distinctOrderings(
      orderBy.map((item): Ordering => ({ variable: column(item, "order"), descending: item.descending, nullsFirst: item.nullsFirst })),
    ),
  });
  const patterns = planPatterns(collector, ids, keysOf, column);
  const calls = collector.functions().map((collected) => ({
    keys: keysOf(collected.window),
    pattern: collected.window.recognition,
    call: windowCall(collected, column),
  }));
  let node: PlanNode = projectNode(ids, source, columns.assignments());
  const frames = new Map<AnalyzedWindowPattern, WindowFrame | undefined>();
  for (const { over, keys, recognition } of patterns) {
    const planned = over({ source: node, ...keys });
    node = planned.node;
    frames.set(recognition, planned.frame);
  }
  const specifications = new Map<string, SpecificationKeys & { functions: WindowCall[] }>();
  for (const { call, keys, pattern } of calls) {
    const made = { ...call, frame: (pattern === undefined ? undefined : frames.get(pattern)) ?? call.frame };
    const key = JSON.stringify([
      keys.partitionBy.map(({ name }) => name),
      keys.orderBy.map((o) => [o.variable.name, o.descending, o.nullsFirst]),
    ]);
    const specification = specifications.get(key);
    if (specification === undefined) {
      specifications.set(key, { ...keys, functions: [made] });
    } else {
      specification.functions.push(made);
    }
  }
  for (const specification of specifications.values()) {
    node = { kind: "Window", id: ids.node(), source: node, ...specification };
  }
  return node;
}

function windowCall({ output, chosen, args, ignoreNulls, filter, window }: CollectedWindow, column: ColumnOf): WindowCall {
  return {
    output,
    name: chosen.name,
    argumentTypes: chosen.argumentTypes,
    args: args.map((arg, index) => countArgument(chosen, arg, index) ?? column(arg, chosen.name)),
    ignoreNulls,
    ...(filter !== undefined && { mask: column(filter, "filter") }),
    frame: planFrame(window.frame ?? defaultFrame, column),
  };
}

function planPatterns(collector: WindowCollector, ids: PlanIds, keysOf: (window: AnalyzedWindow) => SpecificationKeys, column: ColumnOf) {
  const windows = new Map<AnalyzedWindowPattern, AnalyzedWindow>();
  const functions = new Set<AnalyzedWindowPattern>();
  for (const { window } of collector.patternMeasures()) {
    if (window.recognition !== undefined) {
      windows.set(window.recognition, window);
    }
  }
  for (const { window } of collector.functions()) {
    if (window.recognition === undefined) {
      continue;
    }
    windows.set(window.recognition, window);
    functions.add(window.recognition);
  }
  return [...windows].map(([recognition, window]) => {
    const measures = collector.patternMeasures().filter((one) => one.window.recognition === recognition);
    const { frame = defaultFrame } = window;
    const options = { ids, frame, recognition, measures, hasFunctions: functions.has(recognition) };
    return { recognition, keys: keysOf(window), over: prepareWindowPattern(options, column) };
  });
}

/** Returns a count argument as a constant: the common case for lag, lead, nth_value and ntile. */
function countArgument(chosen: ChosenFunction, arg: WindowInput, index: number): Constant | undefined {
  if (isAggregate(chosen.name) || chosen.argumentTypes[index]?.kind !== "bigint") {
    return undefined;
  }
  return index === 1 || chosen.name === "ntile" ? offsetConstant(arg.expression) : undefined;
}

function planFrame(frame: AnalyzedFrame, column: ColumnOf): WindowFrame {
  const bound = ({ type, offset, range }: AnalyzedBound): WindowBound => ({
    type,
    ...(offset !== undefined && {
      offset: (range === undefined ? offsetConstant(offset.expression) : undefined) ?? column(offset, "offset"),
    }),
    ...(range !== undefined && { range: { key: column(range.key, "frame_key"), limit: column(range.limit, "frame_limit") } }),
  });
  return { type: frame.type, start: bound(frame.start), end: bound(frame.end) };
}
