/**
 * Windows met in the expressions of one SELECT: collected while it is analysed, planned above its aggregation and below its projection. A call stands as
 * the variable that will hold its value.
 */
import { isAggregate, isScalar, isWindow } from "../../../functions/registry/registry.ts";
import type {
  Expression,
  FunctionCall,
  Identifier,
  Window,
  WindowDefinition,
  WindowMeasure,
  WindowSpecification,
} from "../../../sql/ast/ast.ts";
import { printExpression } from "../../../sql/printer/printer.ts";
import type { Constant, RowExpression, Variable } from "../../plan/typed-expression.ts";
import { expressionKey, usesAny } from "../../plan/expression-tree.ts";
import type { PlanIds } from "../../plan/ids.ts";
import { outputsOf, type Ordering, type PlanNode, type WindowBound, type WindowCall, type WindowFrame } from "../../plan/node.ts";
import { distinctOrderings, distinctVariables, projectNode } from "../../plan/plan-tree.ts";
import { Columns } from "../aggregation/aggregates.ts";
import type { Environment } from "../analysis.ts";
import { analyzeCollection, isCollection } from "../aggregation/collections.ts";
import { requireWindowOrder, requireWindowPartition } from "../expression/comparable.ts";
import { notSupported, semanticError } from "../errors.ts";
import { analyzeExpression, analyzePredicate } from "../expression/expression-analyzer.ts";
import { chooseWindowFunction, type ChosenFunction } from "../expression/functions.ts";
import { type AnalyzedMeasure, measureNamed } from "../pattern/recognition.ts";
import { type AnalyzedWindowPattern, analyzeWindowPattern, prepareWindowPattern } from "../pattern/window.ts";
import { type AnalyzedBound, type AnalyzedFrame, analyzeFrame, defaultFrame, offsetConstant } from "./window-frames.ts";

/** An expression that the window reads, and where it stands. */
export interface WindowInput {
  readonly expression: RowExpression;
  readonly syntax: Expression;
  /** What must be an aggregate expression or in GROUP BY; by default the expression itself. */
  readonly ungrouped?: { readonly at: Expression; readonly subject: string };
}

interface WindowOrdering extends WindowInput {
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

export interface AnalyzedWindow {
  readonly partitionBy: readonly WindowInput[];
  readonly orderBy: readonly WindowOrdering[];
  readonly frame?: AnalyzedFrame;
  /** With a row pattern: its functions see the rows of the match. */
  readonly recognition?: AnalyzedWindowPattern;
}

interface CollectedMeasure {
  readonly output: Variable;
  readonly measure: AnalyzedMeasure;
  readonly window: AnalyzedWindow;
}

interface CollectedWindow {
  readonly output: Variable;
  readonly chosen: ChosenFunction;
  readonly args: readonly WindowInput[];
  readonly ignoreNulls: boolean;
  readonly filter?: WindowInput;
  readonly window: AnalyzedWindow;
}

interface SpecificationKeys {
  readonly partitionBy: readonly Variable[];
  readonly orderBy: readonly Ordering[];
}

/** Names of windows follow the standard: unquoted ones are in upper case, quoted ones as they are. */
function windowKey({ value, delimited }: Identifier): string {
  return delimited ? value : value.toUpperCase();
}

export class WindowCollector {
  private readonly byKey = new Map<string, CollectedWindow>();
  private readonly named = new Map<string, AnalyzedWindow>();
  private readonly measures = new Map<AnalyzedMeasure, CollectedMeasure>();
  /** Windows with a pattern are the same only when they are one. */
  private readonly patterns: AnalyzedWindowPattern[] = [];
  constructor(private readonly ids: PlanIds) {}

  /** The WINDOW clause: each window may build on those before it. */
  define(definitions: readonly WindowDefinition[], env: Environment): void {
    for (const { name, window } of definitions) {
      const key = windowKey(name);
      if (this.named.has(key)) {
        throw semanticError("DUPLICATE_WINDOW_NAME", name, `WINDOW name '${name.value}' specified more than once`);
      }
      this.named.set(key, this.specification(window, env));
    }
  }

  window(window: Window, env: Environment): AnalyzedWindow {
    return window.kind === "WindowReference" ? this.find(window.name) : this.specification(window, env);
  }

  add(call: Omit<CollectedWindow, "output">): Variable {
    const key = JSON.stringify([
      call.chosen.name,
      call.args.map(({ expression }) => expressionKey(expression)),
      call.ignoreNulls,
      call.filter && expressionKey(call.filter.expression),
      call.window.partitionBy.map(({ expression }) => expressionKey(expression)),
      call.window.orderBy.map(({ expression, descending, nullsFirst }) => [expressionKey(expression), descending, nullsFirst]),
      frameKey(call.window.frame ?? defaultFrame),
      this.patternNumber(call.window),
    ]);
    const known = this.byKey.get(key);
    if (known !== undefined) {
      return known.output;
    }
    const output = this.ids.variable(call.chosen.name, call.chosen.returnType);
    this.byKey.set(key, { ...call, output });
    return output;
  }

  addMeasure(measure: AnalyzedMeasure, window: AnalyzedWindow): Variable {
    const known = this.measures.get(measure);
    if (known !== undefined) {
      return known.output;
    }
    const output = this.ids.variable(measure.name.value, measure.expression.type);
    this.measures.set(measure, { output, measure, window });
    return output;
  }

  outputs(): readonly Variable[] {
    return [...this.byKey.values(), ...this.measures.values()].map(({ output }) => output);
  }

  private patternNumber({ recognition }: AnalyzedWindow): number {
    if (recognition === undefined) {
      return -1;
    }
    const known = this.patterns.indexOf(recognition);
    return known >= 0 ? known : this.patterns.push(recognition) - 1;
  }

  /**
   * A Window for each specification over a projection of all that they read, those with a row pattern over the node that finds the matches; `rewrite` turns an expression
   * over FROM into one over `source`.
   */
  plan(source: PlanNode, rewrite: (input: WindowInput) => RowExpression): PlanNode {
    if (this.byKey.size + this.measures.size === 0) {
      return source;
    }
    const names = new Set(this.outputs().map(({ name }) => name));
    const columns = new Columns(this.ids, outputsOf(source));
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
    const patterns = this.planPatterns(keysOf, column);
    const calls = [...this.byKey.values()].map((collected) => ({
      keys: keysOf(collected.window),
      pattern: collected.window.recognition,
      call: this.windowCall(collected, column),
    }));
    let node: PlanNode = projectNode(this.ids, source, columns.assignments());
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
      node = { kind: "Window", id: this.ids.node(), source: node, ...specification };
    }
    return node;
  }

  private windowCall(
    { output, chosen, args, ignoreNulls, filter, window }: CollectedWindow,
    column: (input: WindowInput, hint: string) => Variable,
  ): WindowCall {
    return {
      output,
      name: chosen.name,
      argumentTypes: chosen.argumentTypes,
      args: args.map((arg, index) => this.argument(chosen, arg, index) ?? column(arg, chosen.name)),
      ignoreNulls,
      ...(filter !== undefined && { mask: column(filter, "filter") }),
      frame: planFrame(window.frame ?? defaultFrame, column),
    };
  }

  private planPatterns(keysOf: (window: AnalyzedWindow) => SpecificationKeys, column: (input: WindowInput, hint: string) => Variable) {
    const windows = new Map<AnalyzedWindowPattern, AnalyzedWindow>();
    const functions = new Set<AnalyzedWindowPattern>();
    for (const { window } of this.measures.values()) {
      if (window.recognition !== undefined) {
        windows.set(window.recognition, window);
      }
    }
    for (const { window } of this.byKey.values()) {
      if (window.recognition === undefined) {
        continue;
      }
      windows.set(window.recognition, window);
      functions.add(window.recognition);
    }
    return [...windows].map(([recognition, window]) => {
      const measures = [...this.measures.values()].filter((one) => one.window.recognition === recognition);
      const { frame = defaultFrame } = window;
      const options = { ids: this.ids, frame, recognition, measures, hasFunctions: functions.has(recognition) };
      return { recognition, keys: keysOf(window), over: prepareWindowPattern(options, column) };
    });
  }

  /** How many, as a constant: the common case of lag, lead, nth_value and ntile. */
  private argument(chosen: ChosenFunction, arg: WindowInput, index: number): Constant | undefined {
    if (isAggregate(chosen.name) || chosen.argumentTypes[index]?.kind !== "bigint") {
      return undefined;
    }
    return index === 1 || chosen.name === "ntile" ? offsetConstant(arg.expression) : undefined;
  }

  private find(name: Identifier): AnalyzedWindow {
    const window = this.named.get(windowKey(name));
    if (window === undefined) {
      throw semanticError("INVALID_WINDOW_REFERENCE", name, `Cannot resolve WINDOW name ${name.value}`);
    }
    return window;
  }

  private specification(node: WindowSpecification, env: Environment): AnalyzedWindow {
    const base = node.existingWindow === undefined ? undefined : this.find(node.existingWindow);
    const inside = { ...withoutWindows(env), clause: insideSpecification };
    if (base !== undefined) {
      const [partition] = node.partitionBy;
      const [order] = node.orderBy;
      if (partition !== undefined) {
        throw semanticError(
          "INVALID_PARTITION_BY",
          partition,
          "WINDOW specification with named WINDOW reference cannot specify PARTITION BY",
        );
      }
      if (order !== undefined && base.orderBy.length > 0) {
        throw semanticError("INVALID_ORDER_BY", order, "Cannot specify ORDER BY if referenced named WINDOW specifies ORDER BY");
      }
      if (base.frame !== undefined) {
        throw semanticError("INVALID_WINDOW_REFERENCE", node, "Cannot reference named WINDOW containing frame specification");
      }
    }
    const partitionBy =
      base?.partitionBy ??
      node.partitionBy.map((syntax) => ({
        expression: analyzeExpression(syntax, inside),
        syntax,
        ...ungrouped("PARTITION BY", syntax),
      }));
    const orderBy =
      base !== undefined && base.orderBy.length > 0
        ? base.orderBy
        : node.orderBy.map(
            (item): WindowOrdering => ({
              expression: analyzeExpression(item.key, inside),
              syntax: item.key,
              ...ungrouped("ORDER BY", item.key),
              descending: item.ordering === "DESC",
              nullsFirst: item.nulls === "FIRST",
            }),
          );
    for (const { expression, syntax } of partitionBy) {
      requireWindowPartition(expression.type, syntax);
    }
    for (const { expression, syntax } of orderBy) {
      requireWindowOrder(expression.type, syntax);
    }
    if (node.frame === undefined) {
      return { partitionBy, orderBy };
    }
    const { recognition: clauses } = node.frame;
    const recognition = clauses === undefined ? undefined : analyzeWindowPattern(node.frame, clauses, inside);
    const frame = analyzeFrame(node.frame, node, orderBy, inside);
    return { partitionBy, orderBy, frame, ...(recognition !== undefined && { recognition }) };
  }
}

const insideArguments = "window function arguments";
const insideSpecification = "window specification";
const nestedInArguments = "Cannot nest window functions or row pattern measures inside window function arguments";

function ungrouped(kind: string, at: Expression): Required<Pick<WindowInput, "ungrouped">> {
  return { ungrouped: { at, subject: `${kind} expression '${printExpression(at)}'` } };
}

/** Surroundings in which no window may stand. */
export function withoutWindows(env: Environment): Environment {
  const { windows: _windows, ...rest } = env;
  return rest;
}

export function analyzeWindowCall(name: string, node: FunctionCall & { readonly window: Window }, env: Environment): RowExpression {
  const collector = env.windows;
  if (collector === undefined) {
    throw windowNotAllowed(node, env);
  }
  if (!isWindow(name) && !isAggregate(name) && !isCollection(name)) {
    throw isScalar(name)
      ? semanticError("FUNCTION_NOT_WINDOW", node, `Not a window function: ${name}`)
      : semanticError("FUNCTION_NOT_FOUND", node, `Function '${name}' not registered`);
  }
  checkForm(name, node);
  const window = collector.window(node.window, env);
  if (name === "lag" || name === "lead") {
    if (window.orderBy.length === 0) {
      throw semanticError("MISSING_ORDER_BY", node.window, `${name} function requires an ORDER BY window clause`);
    }
    if (window.frame !== undefined) {
      throw semanticError("INVALID_WINDOW_FRAME", node.window, `Cannot specify window frame for ${name} function`);
    }
  }
  const inside = { ...withoutWindows(env), clause: insideArguments };
  const filter =
    node.filter === undefined
      ? undefined
      : { expression: analyzePredicate(node.filter, { ...inside, clause: "FILTER clause" }), syntax: node.filter };
  if (isCollection(name)) {
    const collection = analyzeCollection(name, node, { inside, env, filter: filter?.expression });
    const [syntax = node] = node.arguments;
    const array = collector.add({
      chosen: chooseWindowFunction("array_agg", [collection.collected], node),
      args: [{ expression: collection.collected, syntax }],
      ignoreNulls: false,
      filter: { expression: collection.filter, syntax: node.filter ?? syntax },
      window,
    });
    return collection.finish(array);
  }
  const analyzed = node.arguments.map((argument) => analyzeExpression(argument, inside));
  const chosen = chooseWindowFunction(name, analyzed, node);
  // A default of NULL is none.
  const isDefault = (index: number): boolean =>
    index === 2 && !isAggregate(name) && chosen.args[2]?.kind === "constant" && chosen.args[2].value === null;
  const at = env.item ?? node;
  const whole = { at, subject: `'${printExpression(at)}'` };
  const args = chosen.args.flatMap((expression, index) =>
    isDefault(index) ? [] : [{ expression, syntax: node.arguments[index] as Expression, ungrouped: whole }],
  );
  return collector.add({
    chosen: { ...chosen, args: args.map(({ expression }) => expression), argumentTypes: chosen.argumentTypes.slice(0, args.length) },
    args,
    ignoreNulls: node.nullTreatment === "IGNORE",
    ...(filter !== undefined && { filter }),
    window,
  });
}

/** `measure OVER w` */
export function analyzeWindowMeasure(node: WindowMeasure, env: Environment): RowExpression {
  const collector = env.windows;
  if (collector === undefined) {
    throw windowNotAllowed(node, env);
  }
  const window = collector.window(node.window, env);
  const found = measureNamed(window.recognition?.measures ?? [], node.name);
  const [measure] = found;
  if (measure === undefined) {
    throw semanticError("INVALID_WINDOW_MEASURE", node, `Measure ${node.name.value} is not defined in the corresponding window`);
  }
  if (found.length > 1) {
    throw semanticError("AMBIGUOUS_NAME", node, `Measure ${node.name.value} is defined more than once`);
  }
  return collector.addMeasure(measure, window);
}

function checkForm(name: string, node: FunctionCall): void {
  const aggregates = isAggregate(name) || isCollection(name);
  if (node.orderBy.length > 0) {
    throw notSupported(node, "Window function with ORDER BY is not supported");
  }
  if (node.distinct) {
    throw notSupported(node, `DISTINCT in window function parameters not yet supported: ${printExpression(node)}`);
  }
  if (node.filter !== undefined && !aggregates) {
    throw semanticError("FUNCTION_NOT_AGGREGATE", node, "Filter is only valid for aggregation functions");
  }
  if (node.nullTreatment !== undefined && aggregates) {
    throw semanticError("NULL_TREATMENT_NOT_ALLOWED", node, `Cannot specify null treatment clause for ${name} function`);
  }
}

function windowNotAllowed(node: FunctionCall | WindowMeasure, env: Environment): Error {
  switch (env.clause) {
    case insideArguments:
    case "FILTER clause":
      return semanticError("NESTED_WINDOW", node, nestedInArguments);
    case insideSpecification:
      return semanticError("NESTED_WINDOW", node, "Cannot nest window functions or row pattern measures inside window specification");
    case "an aggregation":
      return semanticError(
        "NESTED_WINDOW",
        node,
        `Cannot nest window functions or row pattern measures inside aggregation: [${printExpression(node)}]`,
      );
    case "HAVING clause":
      return semanticError("NESTED_WINDOW", node, "HAVING clause cannot contain window functions or row pattern measures");
    default:
      return semanticError(
        "EXPRESSION_NOT_SCALAR",
        node,
        `${env.clause} cannot contain aggregations, window functions or grouping operations: [${printExpression(node)}]`,
      );
  }
}

function planFrame(frame: AnalyzedFrame, column: (input: WindowInput, hint: string) => Variable): WindowFrame {
  const bound = ({ type, offset, range }: AnalyzedBound): WindowBound => ({
    type,
    ...(offset !== undefined && {
      offset: (range === undefined ? offsetConstant(offset.expression) : undefined) ?? column(offset, "offset"),
    }),
    ...(range !== undefined && { range: { key: column(range.key, "frame_key"), limit: column(range.limit, "frame_limit") } }),
  });
  return { type: frame.type, start: bound(frame.start), end: bound(frame.end) };
}

function frameKey({ type, start, end }: AnalyzedFrame): unknown {
  const bound = ({ type: kind, offset }: AnalyzedBound) => [kind, offset && expressionKey(offset.expression)];
  return [type, bound(start), bound(end)];
}
