/**
 * WITH RECURSIVE as in Trino. The query is expanded to the maximum recursion depth of the session. Each level reads the rows of the
 * previous one. Rows beyond the last level are an error.
 */
import { knobOf } from "../../../ports/knobs.ts";
import { canCoerce } from "../../../functions/registry/coercion.ts";
import type { Query, QueryBody, Relation, SetOperation, With, WithQuery } from "../../../sql/ast/ast.ts";
import { lowerName } from "../../../sql/ast/ast.ts";
import { visitSyntax } from "../../../sql/ast/walk.ts";
import { BIGINT, BOOLEAN, displayType } from "../../../types/type.ts";
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import { constant, TRUE } from "../../plan/expression-tree.ts";
import type { AggregateCall, PlanNode } from "../../plan/node.ts";
import { maxRecursionDepth } from "../../session-properties.ts";
import { shareRows } from "../../fragmenter/shared-plans.ts";
import { extendProject, filterNode, projectNode, visitPlan } from "../../plan/plan-tree.ts";
import type { Analysis, NamedQueries, NamedQuery, QueryContext, Recursion } from "../analysis.ts";
import { copyPlan } from "../subquery/copy.ts";
import { outerVariables } from "../subquery/pull.ts";
import { notSupported, semanticError, type Placed } from "../errors.ts";
import { recognitionInside } from "../pattern/labels.ts";
import { callFunction, callOperator, chooseAggregate, coerce } from "../expression/functions.ts";
import { requireLinearStep } from "./linear-recursion.ts";
import { renameFields, type RelationPlan } from "../scope/scope.ts";
import { distinctRows } from "./set-operations.ts";

/** Returns undefined for a query that is not recursive. Throws for forms of recursion that Trino does not allow. */
export function recursionOf(item: WithQuery): Recursion | undefined {
  if (item.columnNames === undefined) {
    throw semanticError("MISSING_COLUMN_ALIASES", item, "missing column aliases in recursive WITH query");
  }
  const name = lowerName(item.name);
  visitSyntax(item.query, (node) => {
    if (node["kind"] !== "With" || node["recursive"] !== true) {
      return;
    }
    throw semanticError("NESTED_RECURSIVE", node as unknown as Placed, "nested recursive WITH query");
  });
  const { body } = item.query;
  if (body.kind !== "SetOperation" || body.operator !== "UNION" || body.terms.length !== 2) {
    const [stray] = referencesTo(name, item.query);
    if (stray === undefined) {
      return undefined;
    }
    throw semanticError("INVALID_RECURSIVE_REFERENCE", stray, "recursive reference not allowed in this context");
  }
  const [anchor, step] = body.terms as readonly [QueryBody, QueryBody];
  const [inAnchor] = referencesTo(name, anchor);
  if (inAnchor !== undefined) {
    throw semanticError("INVALID_RECURSIVE_REFERENCE", inAnchor, "WITH table name is referenced in the base relation of recursion");
  }
  const [reference, another] = referencesTo(name, step);
  if (another !== undefined) {
    throw semanticError("INVALID_RECURSIVE_REFERENCE", another, "multiple recursive references in the step relation of recursion");
  }
  if (reference === undefined) {
    return undefined;
  }
  const pattern = recognitionInside(item.query);
  if (pattern !== undefined) {
    throw semanticError("NESTED_ROW_PATTERN_RECOGNITION", pattern, "nested row pattern recognition in recursive query");
  }
  refuseClauses(item.query, body);
  requireInFrom(name, step, reference);
  if (body.distinct) {
    requireLinearStep(step, (part) => referencesTo(name, part));
  }
  return { anchor, step, distinct: body.distinct, columnNames: item.columnNames.map((column) => column.value) };
}

function refuseClauses(query: Query, body: SetOperation): void {
  const refuse = (at: Placed | undefined, what: string): void => {
    if (at !== undefined) {
      throw notSupported(at, `immediate ${what} clause in recursive query is not supported`);
    }
  };
  refuse(query.with, "WITH");
  refuse(query.orderBy[0], "ORDER BY");
  refuse(query.offset, "OFFSET");
  refuse(body.corresponding, "CORRESPONDING");
  if (query.limit !== undefined) {
    throw semanticError("INVALID_LIMIT_CLAUSE", query.limit, "immediate FETCH FIRST / LIMIT clause in recursive query");
  }
}

/** References to the name, except where an inner WITH query with the same name hides it. */
function referencesTo(name: string, root: object): readonly Placed[] {
  const found: Placed[] = [];
  visitSyntax(root, (node) => {
    if (isReference(node, name)) {
      found.push(node);
    }
    if (!isQueryWith(node)) {
      return true;
    }
    found.push(...referencesInside(name, node));
    return false;
  });
  return found;
}

type QueryWith = Query & { readonly with: With };

function isQueryWith(value: object): value is QueryWith {
  return "kind" in value && value.kind === "Query" && "with" in value && value.with !== undefined;
}

function referencesInside(name: string, { with: inner, ...query }: QueryWith): readonly Placed[] {
  const found: Placed[] = [];
  for (const item of inner.queries) {
    const isHidden = lowerName(item.name) === name;
    if (!isHidden || !inner.recursive) {
      found.push(...referencesTo(name, item.query));
    }
    if (isHidden) {
      return found;
    }
  }
  return [...found, ...referencesTo(name, query)];
}

function isReference(value: object, name: string): value is Placed {
  if (!("kind" in value) || (value.kind !== "Table" && value.kind !== "TableQuery") || !("name" in value)) {
    return false;
  }
  const { parts } = value.name as { readonly parts: readonly { readonly value: string }[] };
  return parts.length === 1 && parts[0]?.value.toLowerCase() === name;
}

function requireInFrom(name: string, step: QueryBody, reference: Placed): void {
  const plain = (body: QueryBody): QueryBody => (body.kind === "TableSubquery" ? plain(body.query.body) : body);
  requireMonotone(name, step);
  const body = plain(step);
  const from = body.kind === "QuerySpecification" ? body.from : undefined;
  if (body.kind === "TableQuery" || (body.kind === "QuerySpecification" && (from === undefined || referencesTo(name, from).length === 0))) {
    throw semanticError(
      "INVALID_RECURSIVE_REFERENCE",
      reference,
      "recursive reference outside of FROM clause of the step relation of recursion",
    );
  }
  if (from !== undefined) {
    requireKeptRows(name, from);
  }
}

/**
 * The step must be monotonic: more rows at one level must not remove rows from the next. Rejects references in subtracted terms of EXCEPT
 * and in terms of set operations with ALL.
 */
function requireMonotone(name: string, step: QueryBody): void {
  visitSyntax(step, (node) => {
    if (node["kind"] !== "SetOperation") {
      return;
    }
    const { operator, distinct, terms } = node as unknown as SetOperation;
    const kind = `${operator} ${distinct ? "DISTINCT" : "ALL"}`;
    const refused = operator === "UNION" ? [] : kind === "EXCEPT DISTINCT" ? terms.slice(1) : kind === "INTERSECT DISTINCT" ? [] : terms;
    for (const term of refused) {
      const [reference] = referencesTo(name, term);
      const side = term === terms[0] ? "left" : "right";
      if (reference === undefined) {
        continue;
      }
      throw semanticError("INVALID_RECURSIVE_REFERENCE", reference, `recursive reference in ${side} relation of ${kind}`);
    }
  });
}

/**
 * Rejects a reference on the null-supplying side of an outer join. Such a join returns rows for missing matches, so a level could not be
 * computed from the previous level alone.
 */
function requireKeptRows(name: string, relation: Relation): void {
  if (relation.kind === "AliasedRelation" || relation.kind === "SampledRelation") {
    return requireKeptRows(name, relation.relation);
  }
  if (relation.kind !== "Join") {
    return;
  }
  const [inLeft] = referencesTo(name, relation.left);
  const [inRight] = referencesTo(name, relation.right);
  const refuse = (at: Placed | undefined, where: string): void => {
    if (at !== undefined) {
      throw semanticError("INVALID_RECURSIVE_REFERENCE", at, `recursive reference in ${where}`);
    }
  };
  const { type } = relation;
  if (type === "RIGHT" || type === "FULL") {
    refuse(inLeft, `left source of ${type} join`);
  }
  if (type === "LEFT" || type === "FULL") {
    refuse(inRight, `right source of ${type} join`);
  }
  requireKeptRows(name, relation.left);
  requireKeptRows(name, relation.right);
}

export function planRecursive(recursion: Recursion, named: NamedQuery, name: string, analysis: Analysis, at: Placed): RelationPlan {
  const depth = maxRecursionDepth(analysis.context.session.properties);
  const levels = new Levels({ recursion, surroundings: named.surroundings, name, analysis, at, depth });
  const last = recursion.distinct ? levels.newRows(depth + 1) : levels.plan(depth + 1);
  const all = unionOf([...levels.upTo(depth), endOfRecursion(last, depth, analysis, at)], analysis);
  const node = recursion.distinct ? distinctRows(all.node, all.variables, analysis) : all.node;
  return { node, fields: fieldsOf(all.variables, recursion.columnNames) };
}

function unionOf(levels: readonly Level[], { ids }: Analysis): Level {
  const outputs = (levels[0]?.variables ?? []).map((variable) => ids.variable(variable.name, variable.type));
  const [sources, sourceVariables] = [levels.map(({ node }) => node), levels.map(({ variables }) => variables)];
  return { node: { kind: "Union", id: ids.node(), sources, outputs, sourceVariables }, variables: outputs };
}

interface Level {
  readonly node: PlanNode;
  readonly variables: readonly Variable[];
}

function fieldsOf(variables: readonly Variable[], names: readonly string[]): RelationPlan["fields"] {
  return variables.map((expression, index) => ({ name: names[index] ?? "", expression, hidden: false }));
}

/** Maximum number of nodes of a level that is planned twice, for the next level and for the union. A separate stage would cost more. */
const repeatedNodesMax = 40;

interface LevelsOptions {
  readonly recursion: Recursion;
  readonly surroundings: QueryContext;
  readonly name: string;
  readonly analysis: Analysis;
  readonly at: Placed;
  readonly depth: number;
}

class Levels {
  readonly #options: LevelsOptions;
  readonly #planned: Level[] = [];

  constructor(options: LevelsOptions) {
    this.#options = options;
  }

  upTo(level: number): readonly Level[] {
    return Array.from({ length: level + 1 }, (_, number) => this.plan(number));
  }

  /** Rows of a level that no earlier level contains. */
  newRows(level: number): Level {
    const { ids } = this.#options.analysis;
    const marked = (part: Level, isNew: boolean): Level => {
      const marker = ids.variable("new", BOOLEAN);
      const expression = isNew ? TRUE : constant(BOOLEAN, null);
      return { node: extendProject(ids, part.node, [{ output: marker, expression }]), variables: [...part.variables, marker] };
    };
    const { node: source, variables } = unionOf(
      [marked(this.plan(level), true), ...this.upTo(level - 1).map((before) => marked(before, false))],
      this.#options.analysis,
    );
    const [keys, marker] = [variables.slice(0, -1), variables.at(-1) as Variable];
    const [rows, news] = [[], [marker]].map((args) => countOf(args, this.#options.analysis, this.#options.at)) as [
      AggregateCall,
      AggregateCall,
    ];
    const groups: PlanNode = { kind: "Aggregation", id: ids.node(), source, step: "SINGLE", keys, aggregates: [rows, news] };
    // Each level contains a row at most once.
    const isNew = [
      callOperator("$eq", [rows.output, constant(BIGINT, "1")], this.#options.at),
      callOperator("$eq", [news.output, constant(BIGINT, "1")], this.#options.at),
    ];
    return { node: filterNode(ids, groups, isNew), variables: keys };
  }

  /** Rows after `level` steps, with fresh variables for each call. */
  plan(level: number): Level {
    const { analysis } = this.#options;
    this.#planned[level] ??= this.#shared(level === 0 ? this.#anchor() : this.#step(this.plan(level - 1)));
    const { node, variables } = this.#planned[level];
    const copy = copyPlan(node, analysis.ids);
    return { node: copy.node, variables: variables.map((one) => copy.renamed(one)) };
  }

  #anchor(): Level {
    const { recursion, surroundings, name, analysis, at } = this.#options;
    const { node, fields } = analysis.analyzers.queryBody(recursion.anchor, analysis, surroundings);
    const names = recursion.columnNames.map((value) => ({ value }));
    const columns = renameFields(fields, names, name, at);
    return this.#columns(
      node,
      columns.map((field) => field.expression),
    );
  }

  #step(before: Level): Level {
    const { recursion, surroundings, name, analysis } = this.#options;
    let mentions = 0;
    const relation = (): RelationPlan => {
      // A WITH query inside the step may be referenced several times, and each reference reads the previous level. Every read after the
      // first needs a copy.
      const { node, renamed } =
        mentions++ === 0 ? { node: before.node, renamed: (one: Variable) => one } : copyPlan(before.node, analysis.ids);
      return { node, fields: fieldsOf(before.variables.map(renamed), recursion.columnNames) };
    };
    const own = { ...this.#previous(), relation };
    const named: NamedQueries = { get: (other) => (other === name ? own : surroundings.named.get(other)) };
    const inside: Analysis = { ...analysis, isRecursive: true };
    const { node, fields } = analysis.analyzers.queryBody(recursion.step, inside, { ...surroundings, named });
    const values = fields.filter((field) => !field.hidden).map((field) => field.expression);
    return this.#columns(node, this.#asAnchor(values, before.variables));
  }

  /** Makes a level a shared plan for the union and the next level. A step with outer references cannot be shared. */
  #shared(level: Level): Level {
    const { analysis, depth } = this.#options;
    let [nodes, readsTable] = [0, false];
    visitPlan(level.node, ({ kind }) => {
      nodes++;
      readsTable ||= kind === "TableScan";
    });
    const isWorthIt = nodes > repeatedNodesMax || (readsTable && depth <= knobOf(analysis.context, "staged-depth"));
    return isWorthIt && outerVariables(level.node).length === 0 ? { ...level, node: shareRows(level.node, analysis.ids) } : level;
  }

  #previous(): NamedQuery {
    const { location } = this.#options.recursion.anchor;
    return {
      query: { kind: "Query", body: this.#options.recursion.anchor, orderBy: [], location },
      surroundings: this.#options.surroundings,
    };
  }

  #asAnchor(expressions: readonly RowExpression[], anchor: readonly Variable[]): readonly RowExpression[] {
    const { step } = this.#options.recursion;
    if (expressions.length !== anchor.length) {
      throw semanticError(
        "TYPE_MISMATCH",
        step,
        `base and step relations of recursion have different number of fields: ${anchor.length}, ${expressions.length}`,
      );
    }
    return expressions.map((expression, index) => {
      const { type } = anchor[index] as Variable;
      if (canCoerce(expression.type, type)) {
        return coerce(expression, type);
      }
      throw semanticError(
        "TYPE_MISMATCH",
        step,
        `recursion step relation output type (${displayType(expression.type)}) is not coercible to recursion base relation output type (${displayType(type)}) at column ${index + 1}`,
      );
    });
  }

  #columns(node: PlanNode, values: readonly RowExpression[]): Level {
    const { ids } = this.#options.analysis;
    const assignments = values.map((expression, index) => ({
      output: ids.variable(this.#options.recursion.columnNames[index] ?? "expr", expression.type),
      expression,
    }));
    const variables = assignments.map(({ output }) => output);
    const rows = projectNode(ids, node, assignments);
    return { node: this.#options.recursion.distinct ? distinctRows(rows, variables, this.#options.analysis) : rows, variables };
  }
}

/** Returns no rows, and raises an error if the level has rows. */
function endOfRecursion(level: Level, depth: number, analysis: Analysis, at: Placed): Level {
  const { ids } = analysis;
  const rows = countOf([], analysis, at);
  const counted: PlanNode = { kind: "Aggregation", id: ids.node(), source: level.node, step: "SINGLE", keys: [], aggregates: [rows] };
  const over = callFunction("$recursion_goes_on", [rows.output, constant(BIGINT, String(depth))], at);
  const none = filterNode(ids, counted, [over]);
  const assignments = level.variables.map((variable) => ({
    output: ids.variable(variable.name, variable.type),
    expression: constant(variable.type, null),
  }));
  return { node: projectNode(ids, none, assignments), variables: assignments.map(({ output }) => output) };
}

function countOf(args: readonly Variable[], { ids }: Analysis, at: Placed): AggregateCall {
  const { name, argumentTypes, returnType } = chooseAggregate("count", args, at);
  return { output: ids.variable("count", returnType), name, argumentTypes, args };
}
