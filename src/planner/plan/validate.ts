/**
 * Asserts invariants of plans: after analysis, after every optimizer rule and for the final plan.
 *
 * - A variable is produced below the node that uses it, with the same type.
 * - Node ids are unique.
 * - Both sides of a join key have the same type.
 *
 * A violation is a bug of the engine.
 */
import { assert } from "../../protocol/errors.ts";
import { displayType, isNested, sameType } from "../../types/type.ts";
import type { RowExpression, Variable } from "./typed-expression.ts";
import { atOnce, type Steps } from "../pieces.ts";
import { childrenOf, collectVariables } from "./expression-tree.ts";
import type { FragmentedPlan } from "../fragmenter/fragment.ts";
import {
  outputsOf,
  ownOutputs,
  marksOf,
  type AggregateCall,
  type AggregationNode,
  type JoinNode,
  type PlanNode,
  type SemiJoinNode,
  type TableFunctionInput,
  type TableFunctionNode,
  type WindowCall,
  type PatternRecognitionNode,
} from "./node.ts";
import { patternInputs } from "./pattern-tree.ts";
import type { PatternExpression } from "./pattern-nodes.ts";
import { sourcesOf, upwards, visitPlan } from "./plan-tree.ts";

/** Returns every expression that a node evaluates and every variable that it reads from its sources. */
export function expressionsOf(node: PlanNode): readonly RowExpression[] {
  switch (node.kind) {
    case "TableScan":
    case "SharedSource":
    case "RemoteSource":
    case "EnforceSingleRow":
    case "Limit":
    case "Offset":
    case "Exchange":
    case "Sample":
    case "AssignUniqueId":
      return [];
    case "Values":
      return node.rows.flat();
    case "Filter":
      return [node.predicate];
    case "Project":
      return node.assignments.map((assignment) => assignment.expression);
    case "Aggregation":
      return [...node.keys, ...node.aggregates.flatMap((call) => inputsOf(call, node.step))];
    case "GroupId":
      return node.columns.map((column) => column.input);
    case "MarkDistinct":
      return node.keys;
    case "Join":
      return [...node.criteria.flatMap((c) => [c.left, c.right]), ...(node.filter ? [node.filter] : []), ...node.outputs];
    case "SemiJoin":
      return [node.sourceKey, node.filteringKey];
    case "Window":
      return [...node.partitionBy, ...node.orderBy.map((ordering) => ordering.variable), ...node.functions.flatMap(windowInputs)];
    case "Sort":
    case "TopN":
      return node.orderBy.map((ordering) => ordering.variable);
    case "Unnest":
      return [node.count];
    case "Union":
      return node.sourceVariables.flat();
    case "PatternRecognition":
      return patternInputs(node);
    case "TableFunction":
      return node.inputs.flatMap(tableFunctionInputs);
    case "Output":
      return node.outputs;
    case "TableWriter":
      return node.inputs;
    case "TableFinish":
      return [];
  }
}

function inputsOf(call: AggregateCall, step: AggregationNode["step"]): readonly RowExpression[] {
  if (step === "FINAL") {
    return call.intermediates ?? [];
  }
  return call.mask === undefined ? call.args : [...call.args, call.mask];
}

function tableFunctionInputs({ partitionBy, orderBy, required, passed }: TableFunctionInput): readonly Variable[] {
  return [...partitionBy, ...orderBy.map(({ variable }) => variable), ...required, ...passed];
}

function windowInputs({ args, mask, frame }: WindowCall): readonly RowExpression[] {
  const bounds = [frame.start, frame.end].flatMap(({ offset, range }) => [
    ...(offset === undefined ? [] : [offset]),
    ...(range === undefined ? [] : [range.key, range.limit]),
  ]);
  return [...args, ...(mask === undefined ? [] : [mask]), ...bounds];
}

/**
 * `sound` holds nodes that passed validation before and are skipped; the call adds the nodes that pass now. This is safe because nodes are
 * immutable.
 */
export function validatePlan(root: PlanNode, after: string, sound: Set<PlanNode> = new Set()): void {
  atOnce(validateInSteps(root, after, sound));
}

/** Variables between two yields: some milliseconds. */
const variablesAtOnce = 16_384;

/** As `validatePlan`; yields between the nodes of a large plan. */
export function* validateInSteps(root: PlanNode, after: string, sound: Set<PlanNode> = new Set()): Steps<void> {
  const ids = new Set<string>();
  // Outputs of the sources of nodes that come later. Those of sound nodes are made where they are needed.
  const made: (Outputs | undefined)[] = [];
  let variables = 0;
  for (const node of upwards(root)) {
    const sources = sourcesOf(node);
    const given = made.splice(made.length - sources.length);
    if (ids.has(node.id)) {
      assert(false, `after ${after}: node id ${node.id} occurs twice (${node.kind})`);
    }
    ids.add(node.id);
    if (sound.has(node)) {
      made.push(undefined);
      continue;
    }
    const where = `after ${after}: ${node.kind} ${node.id}`;
    const below = sources.map((source, index) => given[index] ?? outputMap(source));
    const expressions = expressionsOf(node);
    validateNode(node, { expressions, sources: below }, where);
    sound.add(node);
    const outputs = outputsAbove(node, below, where);
    made.push(outputs);
    variables += expressions.length + outputs.size;
    if (variables >= variablesAtOnce) {
      variables = 0;
      yield;
    }
  }
}

/** Outputs of a node, by name. */
type Outputs = Map<string, Variable>;

/** Finds variables by name. */
type Made = Pick<ReadonlyMap<string, Variable>, "get">;

/**
 * A node that passes the outputs of its source adds its own to their map, which nothing below needs any more: a chain of a thousand nodes
 * would otherwise have a thousand maps of up to as many outputs.
 */
function outputsAbove(node: PlanNode, sources: readonly Outputs[], where: string): Outputs {
  const { own, passedFrom } = ownOutputs(node);
  const outputs: Outputs = passedFrom === undefined ? new Map() : (sources[sourcesOf(node).indexOf(passedFrom)] as Outputs);
  for (const output of own) {
    // Columns of a result may repeat.
    if (outputs.has(output.name) && node.kind !== "Output") {
      assert(false, `${where}: output ${output.name} occurs twice`);
    }
    outputs.set(output.name, output);
  }
  return outputs;
}

/** Outputs of all sources. */
function madeBelow(sources: readonly Outputs[]): Made {
  const [first = new Map<string, Variable>(), second, ...others] = sources;
  if (second === undefined) {
    return first;
  }
  // Both sides of each join of a chain may have many columns.
  return others.length === 0 ? { get: (name) => first.get(name) ?? second.get(name) } : new Map(sources.flatMap((outputs) => [...outputs]));
}

interface Below {
  /** Of the node. */
  readonly expressions: readonly RowExpression[];
  readonly sources: readonly Outputs[];
}

function validateNode(node: PlanNode, { expressions, sources }: Below, where: string): void {
  const below = madeBelow(sources);
  for (const expression of expressions) {
    requireVariables(expression, below, where);
  }
  switch (node.kind) {
    case "Filter":
      assert(node.predicate.type.kind === "boolean", `${where}: predicate of type ${displayType(node.predicate.type)}`);
      return;
    case "Project":
      for (const { output, expression } of node.assignments) {
        requireType(output, expression, where);
      }
      return;
    case "Values":
      for (const row of node.rows) {
        requireRow(row, node.outputs, where);
      }
      return;
    case "SharedSource":
      for (const column of node.columns) {
        requireVariable(column, outputMap(node.plan.root), where);
      }
      requireRow(node.columns, node.outputs, where);
      return;
    case "Aggregation":
      validateAggregation(node, where);
      return;
    case "GroupId":
      for (const { output, input } of node.columns) {
        requireType(output, input, where);
      }
      return;
    case "Window":
      for (const call of node.functions) {
        validateWindowCall(call, where);
      }
      return;
    case "Join":
      validateJoin(node, sources, where);
      return;
    case "SemiJoin":
      requireVariable(node.sourceKey, sources[0] ?? new Map(), where);
      requireVariable(node.filteringKey, sources[1] ?? new Map(), where);
      requireType(node.sourceKey, node.filteringKey, where);
      assert(node.build !== "SOURCE" || !isNested(node.sourceKey.type), `${where}: a key that may hold NULLs`);
      for (const key of filterKeys(node)) {
        requireVariable(key, sources[node.build === "SOURCE" ? 0 : 1] ?? new Map(), where);
      }
      return;
    case "AssignUniqueId":
      assert(node.idVariable.type.kind === "bigint", `${where}: id is no bigint`);
      return;
    case "Unnest":
      assert(node.count.type.kind === "bigint", `${where}: count is no bigint`);
      return;
    case "Union":
      node.sources.forEach((_source, index) => {
        const variables = node.sourceVariables[index];
        assert(variables !== undefined, `${where}: no variables for source ${index}`);
        const outputs = sources[index] ?? new Map();
        for (const variable of variables) {
          requireVariable(variable, outputs, where);
        }
        requireRow(variables, node.outputs, where);
      });
      return;
    case "PatternRecognition":
      validatePatternRecognition(node, where);
      return;
    case "TableFunction":
      validateTableFunction(node, where);
      return;
    case "Exchange":
      validateExchange(node, where);
      return;
    case "Output":
      assert(node.columnNames.length === node.outputs.length, `${where}: names and columns differ in number`);
      return;
    case "TableScan":
      assert(node.columns.length === node.outputs.length, `${where}: columns and outputs differ in number`);
      for (const { variable } of [...(node.dynamicFilters ?? []), ...(node.remoteDynamicFilters ?? [])]) {
        requireVariable(variable, outputMap(node), where);
      }
      return;
    case "TableWriter":
      assert(
        node.inputs.length === node.target.columns.length + marksOf(node.target).length,
        `${where}: inputs and columns of the table differ in number`,
      );
      return;
    default:
      return;
  }
}

function outputMap(node: PlanNode): Outputs {
  return new Map(outputsOf(node).map((output) => [output.name, output]));
}

function validateAggregation(node: PlanNode & { kind: "Aggregation" }, where: string): void {
  const { globalSets } = node;
  if (globalSets !== undefined) {
    assert(
      node.keys.some((key) => key.name === globalSets.groupId.name),
      `${where}: the number of the set is no key`,
    );
  }
  for (const call of node.aggregates) {
    if (node.step !== "FINAL") {
      requireTypes(call.args, call.argumentTypes, where);
      for (const arg of call.args) {
        assert(arg.kind === "variable" || arg.kind === "constant", `${where}: an aggregate's argument is computed`);
      }
      if (call.mask !== undefined) {
        assert(call.mask.type.kind === "boolean", `${where}: mask is no boolean`);
      }
    }
    assert((node.step === "SINGLE") === (call.intermediates === undefined), `${where}: intermediates do not fit step ${node.step}`);
  }
}

function validateWindowCall({ args, argumentTypes, mask, frame }: WindowCall, where: string): void {
  requireTypes(args, argumentTypes, where);
  if (mask !== undefined) {
    assert(mask.type.kind === "boolean", `${where}: mask is no boolean`);
  }
  for (const { type, offset, range } of [frame.start, frame.end]) {
    const hasOffset = type === "PRECEDING" || type === "FOLLOWING";
    assert(hasOffset === (offset !== undefined), `${where}: offset does not fit ${type}`);
    assert((hasOffset && frame.type === "RANGE") === (range !== undefined), `${where}: range does not fit ${frame.type} ${type}`);
    if (offset !== undefined && range === undefined) {
      assert(offset.type.kind === "bigint", `${where}: offset of ${displayType(offset.type)}`);
    }
    if (range !== undefined) {
      requireType(range.key, range.limit, where);
    }
  }
}

function validateJoin(node: JoinNode, [left, right]: readonly Outputs[], where: string): void {
  assert(left !== undefined && right !== undefined, `${where}: a join has two sources`);
  const [fewer, more] = left.size < right.size ? [left, right] : [right, left];
  for (const name of fewer.keys()) {
    if (more.has(name)) {
      assert(false, `${where}: ${name} on both sides`);
    }
  }
  for (const criterion of node.criteria) {
    requireVariable(criterion.left, left, where);
    requireVariable(criterion.right, right, where);
    requireType(criterion.left, criterion.right, where);
  }
  for (const key of filterKeys(node)) {
    requireVariable(key, right, where);
  }
  if (node.filter !== undefined) {
    assert(node.filter.type.kind === "boolean", `${where}: filter is no boolean`);
  }
}

function filterKeys({ dynamicFilters, remoteDynamicFilters }: JoinNode | SemiJoinNode): readonly Variable[] {
  return [...Object.values(dynamicFilters ?? {}), ...Object.values(remoteDynamicFilters ?? {})];
}

function validateTableFunction(node: TableFunctionNode, where: string): void {
  assert(node.inputs.length === node.sources.length, `${where}: inputs and sources differ in number`);
  for (const [index, input] of node.inputs.entries()) {
    const made = outputMap(node.sources[index] as PlanNode);
    for (const variable of tableFunctionInputs(input)) {
      requireVariable(variable, made, where);
    }
    const isSet = input.semantics === "SET";
    assert(isSet || (input.partitionBy.length === 0 && input.orderBy.length === 0), `${where}: rows of ${input.argument} have keys`);
  }
  for (const places of node.copartitioned) {
    const [first, ...others] = places.map((place) => node.inputs[place]?.partitionBy);
    assert(first !== undefined && first.length > 0, `${where}: copartitioned without keys`);
    for (const keys of others) {
      requireRow(keys ?? [], first, where);
    }
  }
}

function validatePatternRecognition(node: PatternRecognitionNode, where: string): void {
  assert((node.rows === "WINDOW") === (node.frame !== undefined), `${where}: the frame does not fit ${node.rows}`);
  const check = ({ expression, accesses, aggregates }: PatternExpression): void => {
    const read = [...accesses, ...aggregates].map(({ output }): [string, Variable] => [output.name, output]);
    requireVariables(expression, new Map(read), where);
    for (const { args, argumentTypes, inputs, mask } of aggregates) {
      const made = new Map(inputs.map(({ output }) => [output.name, output]));
      for (const arg of mask === undefined ? args : [...args, mask]) {
        requireVariables(arg, made, where);
      }
      requireTypes(args, argumentTypes, where);
    }
    for (const { output, value } of accesses) {
      if (value.kind === "COLUMN") {
        requireType(output, value.column, where);
      }
    }
  };
  for (const definition of node.definitions) {
    assert(definition.expression.type.kind === "boolean", `${where}: a condition of type ${displayType(definition.expression.type)}`);
    check(definition);
  }
  for (const measure of node.measures) {
    requireType(measure.output, measure.expression, where);
    check(measure);
  }
}

function validateExchange(node: PlanNode & { kind: "Exchange" }, where: string): void {
  for (const source of node.sources) {
    requireRow(outputsOf(source), node.outputs, where);
  }
  const made = new Map(node.outputs.map((output) => [output.name, output]));
  if (node.partitioning.kind === "HASH") {
    for (const key of node.partitioning.keys) {
      requireVariable(key, made, where);
    }
  }
  for (const ordering of node.orderBy ?? []) {
    requireVariable(ordering.variable, made, where);
  }
}

function requireVariables(expression: RowExpression, made: Made, where: string): void {
  if (expression.kind === "variable") {
    requireVariable(expression, made, where);
  } else if (expression.kind === "lambda") {
    for (const variable of collectVariables(expression).values()) {
      requireVariable(variable, made, where);
    }
  } else {
    for (const child of childrenOf(expression)) {
      requireVariables(child, made, where);
    }
  }
}

function requireVariable(variable: Variable, made: Made, where: string): void {
  const found = made.get(variable.name);
  // The error text is built only for a violation, because this check runs for every variable of every plan.
  if (found === undefined) {
    assert(false, `${where}: ${variable.name} is not made below`);
  }
  requireType(variable, found, where);
}

function requireType(a: { type: Variable["type"] }, b: { type: Variable["type"] }, where: string): void {
  if (!sameType(a.type, b.type)) {
    assert(false, `${where}: ${displayType(a.type)} meets ${displayType(b.type)}`);
  }
}

function requireTypes(row: readonly RowExpression[], types: readonly Variable["type"][], where: string): void {
  assert(row.length === types.length, `${where}: ${row.length} values for ${types.length} types`);
  row.forEach((value, index) => requireType(value, { type: types[index] as Variable["type"] }, where));
}

function requireRow(row: readonly RowExpression[], outputs: readonly Variable[], where: string): void {
  requireTypes(
    row,
    outputs.map((output) => output.type),
    where,
  );
}

/**
 * Asserts invariants of fragments: the root fragment runs on the coordinator, source fragments follow their readers, and a remote source
 * has the types of the fragments it reads. Yields between and within large fragments.
 */
export function* validateInPieces(plan: FragmentedPlan): Steps<void> {
  const told = new Map<string, Variable["type"]>();
  for (const [index, fragment] of plan.fragments.entries()) {
    assert(fragment.id === index, "fragments are in the order of their ids");
    const made = new Set<string>();
    yield* validateInSteps(fragment.root, "fragmenting");
    visitPlan(fragment.root, (node) => {
      assert(node.kind !== "Exchange" && node.kind !== "SharedSource", "an exchange is left uncut");
      if (node.kind === "Join" || node.kind === "SemiJoin") {
        for (const id of Object.keys(node.dynamicFilters ?? {})) {
          made.add(id);
        }
      }
      if (node.kind === "TableScan") {
        for (const { id } of node.dynamicFilters ?? []) {
          assert(made.has(id), `scan ${node.id} waits for ${id}, which no join above it makes`);
        }
        for (const { id, variable } of node.remoteDynamicFilters ?? []) {
          const type = told.get(id);
          assert(type !== undefined, `scan ${node.id} waits for ${id}, which no fragment before it tells`);
          // A varchar may have been widened on the way; its values are unchanged.
          if (variable.type.kind !== "varchar" || type.kind !== "varchar") {
            requireType(variable, { type }, `scan ${node.id}`);
          }
        }
      }
      if (node.kind === "Join" || node.kind === "SemiJoin") {
        for (const [id, { type }] of Object.entries(node.remoteDynamicFilters ?? {})) {
          told.set(id, type);
        }
      }
      if (node.kind !== "RemoteSource") {
        return;
      }
      for (const id of node.fragmentIds) {
        const source = plan.fragments[id];
        assert(source !== undefined && id > fragment.id, `fragment ${fragment.id} reads fragment ${id}`);
        requireTypes(node.outputs, source.outputTypes, `fragment ${fragment.id}`);
      }
    });
  }
  assert(plan.fragments[0]?.partitioning === "COORDINATOR", "the root fragment runs on the coordinator");
}
