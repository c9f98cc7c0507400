/**
 * Analyzes window functions and the measures of their row patterns, and adds them to the collector of their SELECT.
 */
import { isAggregate, isScalar, isWindow } from "../../../functions/registry/registry.ts";
import type { Expression, FunctionCall, Window, WindowDefinition, WindowMeasure, WindowSpecification } from "../../../sql/ast/ast.ts";
import { printExpression } from "../../../sql/printer/printer.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import type { Environment } from "../analysis.ts";
import { analyzeExpression, analyzePredicate } from "../expression/analyze-expression.ts";
import { analyzeCollection, isCollection } from "../aggregation/collections.ts";
import { requireWindowOrder, requireWindowPartition } from "../expression/comparable.ts";
import { notSupported, semanticError } from "../errors.ts";
import { chooseWindowFunction } from "../expression/functions.ts";
import { measureNamed } from "../pattern/recognition.ts";
import { analyzeWindowPattern } from "../pattern/window.ts";
import type { WindowCollector } from "./collector.ts";
import { analyzeFrame } from "./window-frames.ts";
import { type AnalyzedWindow, nestedInArguments, type WindowInput, type WindowOrdering } from "./specification.ts";

const insideArguments = "window function arguments";
const insideSpecification = "window specification";

function ungrouped(kind: string, at: Expression): Required<Pick<WindowInput, "ungrouped">> {
  return { ungrouped: { at, subject: `${kind} expression '${printExpression(at)}'` } };
}

/** Defines the windows of the WINDOW clause; each may refer to earlier ones. */
export function defineWindows(definitions: readonly WindowDefinition[], collector: WindowCollector, env: Environment): void {
  for (const { name, window } of definitions) {
    collector.define(name, () => analyzeSpecification(window, collector, env));
  }
}

function analyzeWindow(window: Window, collector: WindowCollector, env: Environment): AnalyzedWindow {
  return window.kind === "WindowReference" ? collector.find(window.name) : analyzeSpecification(window, collector, env);
}

function analyzeSpecification(node: WindowSpecification, collector: WindowCollector, env: Environment): AnalyzedWindow {
  const base = node.existingWindow === undefined ? undefined : collector.find(node.existingWindow);
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

/** Returns an environment that allows no window functions. */
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
  const window = analyzeWindow(node.window, collector, env);
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
  // A NULL default is the same as no default.
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
  const window = analyzeWindow(node.window, collector, env);
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
