/**
 * Pushes predicates down as far as their columns allow: through projections, grouping keys, unions and joins. With `push_predicates`
 * switched off, only the conditions of joins are converted.
 *
 * Equalities between two join sides become join keys; a key that is not a column is computed by a projection below. A LEFT join becomes
 * INNER if a predicate rejects its NULL rows.
 */
import { sameType } from "../../../types/type.ts";
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import {
  and,
  call,
  cast,
  childrenOf,
  collectVariables,
  conjunctsOf,
  distinctExpressions,
  isDeterministic,
} from "../../plan/expression-tree.ts";
import { substitute, TRUE, usesAny, usesOnly } from "../../plan/expression-tree.ts";
import { atOnce, RulePace, type Walk, walked } from "../../pieces.ts";
import type { PlanIds } from "../../plan/ids.ts";
import { hasOneFormEach } from "../stats/dependencies.ts";
import { type JoinCriterion, type JoinNode, ownOutputs, type PlanNode } from "../../plan/node.ts";
import {
  distinctVariables,
  extendProject,
  filterNode,
  namesOf,
  outputNames,
  projectNode,
  sourcesOf,
  withSources,
} from "../../plan/plan-tree.ts";
import { impliedBy } from "./disjunctions.ts";
import type { Rule, RuleContext } from "./rule.ts";
import { truthsOf } from "./truths.ts";

export const pushPredicates: Rule = {
  name: "convert_join_conditions",
  apply: (plan, context) => atOnce(walked(push(plan, [], { ...context, pace: new RulePace() }))),
  inPieces: (plan, context) => walked(push(plan, [], { ...context, pace: new RulePace() })),
};

interface Pushing extends RuleContext {
  readonly pace: RulePace;
}

type Conjuncts = readonly RowExpression[];

/** A conjunct is looked at by each node on its way, in columns that take as long. */
const elementsOfConjunct = 16;

function* pushEach(sources: readonly PlanNode[], conjuncts: Conjuncts, context: Pushing): Walk<readonly PlanNode[]> {
  const pushed: PlanNode[] = [];
  for (const source of sources) {
    pushed.push(yield* push(source, conjuncts, context));
  }
  return pushed;
}

function* push(node: PlanNode, conjuncts: Conjuncts, context: Pushing): Walk<PlanNode> {
  return (yield pushNode(node, conjuncts, context)) as PlanNode;
}

function* pushNode(node: PlanNode, conjuncts: Conjuncts, context: Pushing): Walk<PlanNode> {
  const { ids, pace } = context;
  if (pace.isDue(ownOutputs(node).own.length + conjuncts.length * elementsOfConjunct)) {
    yield;
  }
  switch (node.kind) {
    case "Filter": {
      const all = distinctExpressions(truths([...conjuncts, ...conjunctsOf(node.predicate)], context));
      return pushes(context) ? yield* push(node.source, all, context) : filterNode(ids, yield* push(node.source, [], context), all);
    }
    case "Project":
      return yield* pushThroughProject(node, conjuncts, context);
    case "Aggregation": {
      const keys = namesOf(node.keys);
      const [down, stay] = split(conjuncts, (c) => node.keys.length > 0 && isDeterministic(c) && usesOnly(c, keys));
      // Global grouping sets have a group even without input rows, so the pushed conjuncts are also evaluated above.
      const above = node.globalSets === undefined ? stay : conjuncts;
      return filterNode(ids, { ...node, source: yield* push(node.source, down, context) }, above);
    }
    case "GroupId":
      return yield* pushThroughGroupId(node, conjuncts, context);
    case "MarkDistinct": {
      const keys = namesOf(node.keys);
      const [down, stay] = split(conjuncts, (c) => isDeterministic(c) && usesOnly(c, keys));
      return filterNode(ids, { ...node, source: yield* push(node.source, down, context) }, stay);
    }
    case "PatternRecognition":
    case "Window": {
      const keys = namesOf(node.partitionBy);
      const [down, stay] = split(conjuncts, (c) => keys.size > 0 && isDeterministic(c) && usesOnly(c, keys));
      return filterNode(ids, { ...node, source: yield* push(node.source, down, context) }, stay);
    }
    case "TableFunction": {
      const [input] = node.inputs;
      // Partitions that the predicate rejects can be dropped below. That is not valid for a table that is kept when empty: the function
      // would then return rows for the missing partitions.
      const isPart = node.inputs.length === 1 && input?.prunesWhenEmpty === true && !input.passesThrough;
      const keys = namesOf(isPart ? input.partitionBy.filter(({ type }) => hasOneFormEach(type)) : []);
      const [down, stay] = split(conjuncts, (c) => keys.size > 0 && isDeterministic(c) && usesOnly(c, keys));
      return filterNode(ids, withSources(node, yield* pushEach(node.sources, down, context)), stay);
    }
    case "SemiJoin": {
      const [down, stay] = split(conjuncts, (c) => isDeterministic(c) && !usesAny(c, new Set([node.output.name])));
      const pushed = { ...node, source: yield* push(node.source, down, context), filtering: yield* push(node.filtering, [], context) };
      return filterNode(ids, pushed, stay);
    }
    case "Union":
      return yield* pushThroughUnion(node, conjuncts, context);
    case "Sort":
      return { ...node, source: yield* push(node.source, conjuncts, context) };
    case "Unnest": {
      const [stay, down] = split(conjuncts, (c) => node.ordinal !== undefined && usesAny(c, new Set([node.ordinal.name])));
      return filterNode(ids, { ...node, source: yield* push(node.source, down, context) }, stay);
    }
    case "AssignUniqueId": {
      const [stay, down] = split(conjuncts, (c) => usesAny(c, new Set([node.idVariable.name])));
      return filterNode(ids, { ...node, source: yield* push(node.source, down, context) }, stay);
    }
    case "Join":
      return yield* pushThroughJoin(node, conjuncts, context);
    default: {
      const pushed = withSources(node, yield* pushEach(sourcesOf(node), [], context));
      return filterNode(ids, pushed, conjuncts);
    }
  }
}

function pushes({ rulesOff }: RuleContext): boolean {
  return !rulesOff.has("push_predicates");
}

function truths(conjuncts: Conjuncts, { rulesOff }: RuleContext): Conjuncts {
  return rulesOff.has("simplify_conditions") ? conjuncts : conjuncts.flatMap(truthsOf);
}

/** Conditions that follow from those of a join for one of its sides. */
function derived(conjuncts: Conjuncts, names: ReadonlySet<string>, { rulesOff }: RuleContext): Conjuncts {
  return rulesOff.has("split_disjunctions") ? [] : conjuncts.flatMap((conjunct) => impliedBy(conjunct, names) ?? []);
}

function split(conjuncts: Conjuncts, goesDown: (conjunct: RowExpression) => boolean): readonly [Conjuncts, Conjuncts] {
  return [conjuncts.filter(goesDown), conjuncts.filter((conjunct) => !goesDown(conjunct))];
}

function* pushThroughProject(node: PlanNode & { kind: "Project" }, conjuncts: Conjuncts, context: Pushing): Walk<PlanNode> {
  const values = new Map(node.assignments.map((assignment) => [assignment.output.name, assignment.expression]));
  const computed = new Set(node.assignments.filter((a) => !isDeterministic(a.expression)).map((a) => a.output.name));
  const [down, stay] = split(conjuncts, (c) => !usesAny(c, computed) && (node.fence !== true || cannotFail(c, values)));
  const pushed = yield* push(
    node.source,
    down.map((conjunct) => substitute(conjunct, values)),
    context,
  );
  return filterNode(context.ids, { ...node, source: pushed }, stay);
}

const comparisons: ReadonlySet<string> = new Set(["$eq", "$ne", "$lt", "$le", "$gt", "$ge"]);
const nestedKinds: ReadonlySet<string> = new Set(["array", "map", "row", "json"]);

/** Comparisons of columns and constants, over the columns that `values` are: they raise no error for any row. */
function cannotFail(conjunct: RowExpression, values: ReadonlyMap<string, RowExpression>): boolean {
  const isPlain = (one: RowExpression): boolean =>
    !nestedKinds.has(one.type.kind) && (one.kind === "constant" || (one.kind === "variable" && values.get(one.name)?.kind === "variable"));
  return (
    (conjunct.kind === "call" && comparisons.has(conjunct.name) && conjunct.args.every(isPlain)) ||
    (conjunct.kind === "special" && (conjunct.form === "IS_NULL" || conjunct.form === "IN") && conjunct.args.every(isPlain))
  );
}

function* pushThroughUnion(node: PlanNode & { kind: "Union" }, conjuncts: Conjuncts, context: Pushing): Walk<PlanNode> {
  const [down, stay] = split(conjuncts, isDeterministic);
  const sources: PlanNode[] = [];
  for (const [index, source] of node.sources.entries()) {
    const variables = node.sourceVariables[index] ?? [];
    const values = new Map(node.outputs.map((output, column) => [output.name, variables[column] as RowExpression]));
    const conditions = down.map((conjunct) => substitute(conjunct, values));
    sources.push(yield* push(source, conditions, context));
  }
  return filterNode(context.ids, { ...node, sources }, stay);
}

/** A condition on columns that every grouping set contains also holds for the source's rows. */
function* pushThroughGroupId(node: PlanNode & { kind: "GroupId" }, conjuncts: Conjuncts, context: Pushing): Walk<PlanNode> {
  const everywhere = node.columns.filter(({ output }) => node.sets.every((set) => set.includes(output.name)));
  const inputs = new Map(everywhere.map(({ output, input }) => [output.name, input]));
  const known = new Set([...outputNames(node.source), ...inputs.keys()]);
  const [down, stay] = split(conjuncts, (c) => isDeterministic(c) && usesOnly(c, known));
  const source = yield* push(
    node.source,
    down.map((conjunct) => substitute(conjunct, inputs)),
    context,
  );
  return filterNode(context.ids, { ...node, source }, stay);
}

interface Sides {
  readonly left: ReadonlySet<string>;
  readonly right: ReadonlySet<string>;
}

function* pushThroughJoin(join: JoinNode, conjuncts: Conjuncts, context: Pushing): Walk<PlanNode> {
  const sides: Sides = { left: outputNames(join.left), right: outputNames(join.right) };
  const on = join.filter === undefined ? [] : truths(conjunctsOf(join.filter), context);
  const keys = join.criteria.map((c) => call("$eq", TRUE.type, [c.left, c.right]));
  const converts = !context.rulesOff.has("convert_outer_joins");
  switch (join.type) {
    case "INNER":
      return yield* pushInner(join, [...truths(conjuncts, context), ...keys, ...on], sides, context);
    case "LEFT":
      if (converts && conjuncts.some((conjunct) => rejectsNulls(conjunct, sides.right))) {
        return yield* pushThroughJoin({ ...join, type: "INNER" }, conjuncts, context);
      }
      return yield* pushLeft(join, conjuncts, [...keys, ...on], sides, context);
    case "RIGHT":
      // The analyzer writes it as LEFT already, so only a rule that ran before has made it.
      return yield* pushThroughJoin(exchanged(join), conjuncts, context);
    case "FULL":
      if (converts && conjuncts.some((conjunct) => rejectsNulls(conjunct, sides.left))) {
        return yield* pushThroughJoin({ ...join, type: "LEFT" }, conjuncts, context);
      }
      if (converts && conjuncts.some((conjunct) => rejectsNulls(conjunct, sides.right))) {
        return yield* pushThroughJoin(exchanged(join), conjuncts, context);
      }
      return yield* pushFull(join, conjuncts, [...keys, ...on], context);
  }
}

/** The join with its sides exchanged: a LEFT join of its right side. */
function exchanged(join: JoinNode): JoinNode {
  const criteria = join.criteria.map(({ left, right }) => ({ left: right, right: left }));
  return { ...join, type: "LEFT", left: join.right, right: join.left, criteria };
}

function* pushInner(join: JoinNode, conjuncts: Conjuncts, sides: Sides, context: Pushing): Walk<PlanNode> {
  const implied = [sides.left, sides.right].flatMap((names) => derived(conjuncts, names, context));
  const all = distinctExpressions([...conjuncts, ...implied, ...inferred([...conjuncts, ...implied], { sides, to: "both" }, context)]);
  const [toLeft, others] = split(all, (c) => pushes(context) && isDeterministic(c) && usesOnly(c, sides.left));
  const toRight = others.filter((c) => pushes(context) && isDeterministic(c) && usesOnly(c, sides.right));
  const taken = new Set([...toLeft, ...toRight]);
  const rest = all.filter((c) => !taken.has(c));
  const [now, above] = split(rest, isDeterministic);
  const joined = buildJoin(join, yield* push(join.left, toLeft, context), yield* push(join.right, toRight, context), now, context.ids);
  return filterNode(context.ids, joined, above);
}

function* pushLeft(join: JoinNode, above: Conjuncts, on: Conjuncts, sides: Sides, context: Pushing): Walk<PlanNode> {
  const [toLeft, stay] = split(above, (c) => isDeterministic(c) && usesOnly(c, sides.left));
  const implied = derived(on, sides.right, context);
  const conditions = distinctExpressions([...on, ...implied, ...inferred([...on, ...toLeft], { sides, to: "right" }, context)]);
  if (!pushes(context)) {
    const unpushed = buildJoin(join, yield* push(join.left, [], context), yield* push(join.right, [], context), conditions, context.ids);
    return filterNode(context.ids, unpushed, above);
  }
  const [toRight, rest] = split(conditions, (c) => isDeterministic(c) && usesOnly(c, sides.right) && collectVariables(c).size > 0);
  const joined = buildJoin(join, yield* push(join.left, toLeft, context), yield* push(join.right, toRight, context), rest, context.ids);
  return filterNode(context.ids, joined, stay);
}

/**
 * A FULL join preserves unmatched rows of both sides, so nothing is pushed below it. Without an equality, all rows get the same key and the
 * filter decides alone.
 */
function* pushFull(join: JoinNode, above: Conjuncts, on: Conjuncts, context: Pushing): Walk<PlanNode> {
  const { ids } = context;
  const [left, right] = [yield* push(join.left, [], context), yield* push(join.right, [], context)];
  const joined = buildJoin(join, left, right, on, ids);
  if (joined.criteria.length > 0) {
    return filterNode(ids, joined, above);
  }
  const keys: Keys = { ids, projections: new Set() };
  const [leftKey, rightKey] = [keyColumn(left, TRUE, keys), keyColumn(right, TRUE, keys)];
  const criteria = [{ left: leftKey.variable, right: rightKey.variable }];
  return filterNode(ids, { ...joined, left: leftKey.node, right: rightKey.node, criteria, distribution: "PARTITIONED" }, above);
}

/** Conditions on one column each, by its name. */
function byColumn(conjuncts: Conjuncts): ReadonlyMap<string, Conjuncts> {
  const found = new Map<string, RowExpression[]>();
  for (const conjunct of conjuncts) {
    const [only, other] = collectVariables(conjunct).keys();
    if (only === undefined || other !== undefined || !isDeterministic(conjunct)) {
      continue;
    }
    const own = found.get(only);
    if (own === undefined) {
      found.set(only, [conjunct]);
    } else {
      own.push(conjunct);
    }
  }
  return found;
}

/** From `a = b` and a condition on a alone, infers the same condition on b. */
function inferred(
  conjuncts: Conjuncts,
  { sides, to }: { readonly sides: Sides; readonly to: "both" | "right" },
  { rulesOff }: RuleContext,
): Conjuncts {
  const found: RowExpression[] = [];
  if (rulesOff.has("infer_predicates")) {
    return found;
  }
  const ofOneColumn = byColumn(conjuncts);
  for (const equality of conjuncts) {
    if (equality.kind !== "call" || equality.name !== "$eq") {
      continue;
    }
    const [a, b] = equality.args;
    if (a?.kind !== "variable" || b?.kind !== "variable" || !sameType(a.type, b.type)) {
      continue;
    }
    // 0e0 = -0e0 is true, but some functions distinguish the two values.
    if (a.type.kind === "double" || a.type.kind === "real") {
      continue;
    }
    for (const [from, into] of [
      [a, b],
      [b, a],
    ] as const) {
      if (sides.left.has(from.name) === sides.left.has(into.name)) {
        continue;
      }
      if (to === "right" && !sides.right.has(into.name)) {
        continue;
      }
      for (const conjunct of ofOneColumn.get(from.name) ?? []) {
        found.push(substitute(conjunct, new Map([[from.name, into]])));
      }
    }
  }
  return found;
}

/** Builds the join: equalities between the sides become criteria, all other conditions its filter. */
function buildJoin(join: JoinNode, left: PlanNode, right: PlanNode, conditions: Conjuncts, ids: PlanIds): JoinNode {
  const sides: Sides = { left: outputNames(left), right: outputNames(right) };
  const criteria = new Map<string, JoinCriterion>();
  const filters: RowExpression[] = [];
  const keys: Keys = { ids, projections: new Set() };
  let [newLeft, newRight] = [left, right];
  for (const condition of conditions) {
    const equality = equalitySides(condition, sides);
    if (equality === undefined) {
      filters.push(condition);
      continue;
    }
    const leftKey = keyColumn(newLeft, equality.left, keys);
    const rightKey = keyColumn(newRight, equality.right, keys);
    [newLeft, newRight] = [leftKey.node, rightKey.node];
    const pair = JSON.stringify([leftKey.variable.name, rightKey.variable.name]);
    if (!criteria.has(pair)) {
      criteria.set(pair, { left: leftKey.variable, right: rightKey.variable });
    }
  }
  const { filter: _filter, ...rest } = join;
  return {
    ...rest,
    left: newLeft,
    right: newRight,
    criteria: [...criteria.values()],
    ...(filters.length > 0 && { filter: and(filters) }),
    outputs: join.outputs,
    distribution: criteria.size === 0 ? "REPLICATED" : "PARTITIONED",
  };
}

function equalitySides(condition: RowExpression, sides: Sides): { left: RowExpression; right: RowExpression } | undefined {
  if (condition.kind !== "call" || condition.name !== "$eq" || !isDeterministic(condition)) {
    return undefined;
  }
  const [a, b] = ofOneLength(condition.args);
  if (a === undefined || b === undefined || collectVariables(a).size === 0 || collectVariables(b).size === 0) {
    return undefined;
  }
  if (!sameType(a.type, b.type)) {
    return undefined;
  }
  if (usesOnly(a, sides.left) && usesOnly(b, sides.right)) {
    return { left: a, right: b };
  }
  if (usesOnly(a, sides.right) && usesOnly(b, sides.left)) {
    return { left: b, right: a };
  }
  return undefined;
}

/** Comparisons accept varchars of different lengths, but both columns of a join key need the same type. */
function ofOneLength(args: readonly RowExpression[]): readonly RowExpression[] {
  const types = args.flatMap(({ type }) => (type.kind === "varchar" || type.kind === "char" ? [type] : []));
  if (types.length < args.length || types.some(({ kind }) => kind !== types[0]?.kind)) {
    return args;
  }
  const longest = types.reduce((a, b) => (b.length === undefined || (a.length !== undefined && b.length > a.length) ? b : a));
  return args.map((arg) => cast(arg, longest));
}

interface Keys {
  readonly ids: PlanIds;
  /** Those that were made for keys. Further keys at their place join them: a condition may have thousands. */
  readonly projections: Set<PlanNode>;
}

/** Returns a column that holds `expression`. The projection is placed as close to its inputs as inner joins allow. */
function keyColumn(node: PlanNode, expression: RowExpression, keys: Keys): { node: PlanNode; variable: Variable } {
  if (expression.kind === "variable") {
    return { node, variable: expression };
  }
  if (node.kind === "Join" && node.type === "INNER") {
    for (const side of ["left", "right"] as const) {
      if (!usesOnly(expression, outputNames(node[side]))) {
        continue;
      }
      const below = keyColumn(node[side], expression, keys);
      const outputs = distinctVariables([...node.outputs, below.variable]);
      return { node: { ...node, [side]: below.node, outputs }, variable: below.variable };
    }
  }
  const { ids, projections } = keys;
  const variable = ids.variable("key", expression.type);
  const added = { output: variable, expression };
  const isMade = node.kind === "Project" && projections.has(node);
  const made = isMade ? projectNode(ids, node.source, [...node.assignments, added]) : extendProject(ids, node, [added]);
  projections.add(made);
  return { node: made, variable };
}

const nullRejecting: ReadonlySet<string> = new Set(["$eq", "$ne", "$lt", "$le", "$gt", "$ge", "like"]);
const strictOperators: ReadonlySet<string> = new Set([
  ...nullRejecting,
  "$add",
  "$subtract",
  "$multiply",
  "$divide",
  "$modulus",
  "$negate",
]);

/** Returns whether the condition cannot be true if all of `names` are NULL. */
function rejectsNulls(condition: RowExpression, names: ReadonlySet<string>): boolean {
  if (condition.kind === "special" && condition.form === "AND") {
    return condition.args.some((arg) => rejectsNulls(arg, names));
  }
  if (condition.kind === "special" && condition.form === "OR") {
    return condition.args.every((arg) => rejectsNulls(arg, names));
  }
  if (condition.kind === "special" && condition.form === "IN") {
    return condition.args[0] !== undefined && isNullWith(condition.args[0], names);
  }
  if (condition.kind === "variable") {
    return names.has(condition.name);
  }
  if (condition.kind !== "call") {
    return false;
  }
  if (condition.name === "$not") {
    const [arg] = condition.args;
    if (arg === undefined) {
      return false;
    }
    if (arg.kind === "special" && arg.form === "IS_NULL") {
      return arg.args[0] !== undefined && isNullWith(arg.args[0], names);
    }
    return isNullWith(arg, names);
  }
  return nullRejecting.has(condition.name) && condition.args.some((arg) => isNullWith(arg, names));
}

function isNullWith(expression: RowExpression, names: ReadonlySet<string>): boolean {
  if (expression.kind === "variable") {
    return names.has(expression.name);
  }
  if (expression.kind === "cast") {
    return isNullWith(expression.arg, names);
  }
  if (expression.kind === "call") {
    return strictOperators.has(expression.name) && childrenOf(expression).some((child) => isNullWith(child, names));
  }
  return false;
}
