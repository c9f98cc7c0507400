/**
 * WITH RECURSIVE as Trino has it: the query is written out to the depth that the session allows, each level over the rows of the one before, and it is an
 * error when the level behind the last one still has rows.
 */
import { canCoerce } from "../../functions/coercion.ts";
import type { Query, QueryBody, Relation, SetOperation, WithQuery } from "../../sql/ast.ts";
import { lowerName } from "../../sql/ast.ts";
import { visitSyntax } from "../../sql/walk.ts";
import { BIGINT, displayType } from "../../types/type.ts";
import type { RowExpression, Variable } from "../expression.ts";
import { constant } from "../expressions.ts";
import type { PlanNode } from "../node.ts";
import { maxRecursionDepth } from "../session-properties.ts";
import { filterNode, projectNode } from "../tree.ts";
import type { Analysis, NamedQuery, QueryContext } from "./analysis.ts";
import { copyPlan } from "./copy.ts";
import { notSupported, semanticError, type Placed } from "./errors.ts";
import { recognitionInside } from "./patterns/labels.ts";
import { callFunction, chooseAggregate, coerce } from "./functions.ts";
import { planBody } from "./query.ts";
import { renameFields } from "./relations.ts";
import type { RelationPlan } from "./scope.ts";

/** A query of WITH RECURSIVE that names itself once, behind UNION ALL. */
export interface Recursion {
  readonly anchor: QueryBody;
  readonly step: QueryBody;
  readonly columnNames: readonly string[];
}

/** undefined for a query that is not recursive. Throws where it would be, but not as Trino allows it. */
export function recursionOf(item: WithQuery): Recursion | undefined {
  if (item.columnNames === undefined) throw semanticError("MISSING_COLUMN_ALIASES", item, "missing column aliases in recursive WITH query");
  const name = lowerName(item.name);
  const { body } = item.query;
  if (body.kind !== "SetOperation" || body.operator !== "UNION" || body.terms.length !== 2) {
    const [stray] = referencesTo(name, item.query);
    if (stray === undefined) return undefined;
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
  if (reference === undefined) return undefined;
  const pattern = recognitionInside(item.query);
  if (pattern !== undefined) {
    throw semanticError("NESTED_ROW_PATTERN_RECOGNITION", pattern, "nested row pattern recognition in recursive query");
  }
  refuseClauses(item.query, body);
  requireInFrom(name, step, reference);
  return { anchor, step, columnNames: item.columnNames.map((column) => column.value) };
}

function refuseClauses(query: Query, body: SetOperation): void {
  const refuse = (at: Placed | undefined, what: string): void => {
    if (at !== undefined) throw notSupported(at, `immediate ${what} clause in recursive query is not supported`);
  };
  if (query.with?.recursive === true) throw semanticError("NESTED_RECURSIVE", query.with, "nested recursive WITH query");
  refuse(query.with, "WITH");
  refuse(query.orderBy[0], "ORDER BY");
  refuse(query.offset, "OFFSET");
  refuse(query.limit, query.limit?.kind === "FetchFirst" ? "FETCH FIRST" : "LIMIT");
  refuse(body.corresponding, "CORRESPONDING");
  if (body.distinct) throw notSupported(body, "UNION DISTINCT in recursive queries is not supported");
}

function referencesTo(name: string, root: object): readonly Placed[] {
  const found: Placed[] = [];
  visitSyntax(root, (node) => {
    if (isReference(node, name)) found.push(node);
  });
  return found;
}

function isReference(value: object, name: string): value is Placed {
  if (!("kind" in value) || (value.kind !== "Table" && value.kind !== "TableQuery") || !("name" in value)) return false;
  const { parts } = value.name as { readonly parts: readonly { readonly value: string }[] };
  return parts.length === 1 && parts[0]?.value.toLowerCase() === name;
}

function requireInFrom(name: string, step: QueryBody, reference: Placed): void {
  const plain = (body: QueryBody): QueryBody => (body.kind === "TableSubquery" ? plain(body.query.body) : body);
  const body = plain(step);
  if (body.kind !== "QuerySpecification") return;
  if (body.from === undefined || referencesTo(name, body.from).length === 0) {
    throw semanticError(
      "INVALID_RECURSIVE_REFERENCE",
      reference,
      "recursive reference outside of FROM clause of the step relation of recursion",
    );
  }
  requireKeptRows(name, body.from);
}

/** An outer join gives rows for what is not there yet; a level could not be computed from the one before alone. */
function requireKeptRows(name: string, relation: Relation): void {
  if (relation.kind === "AliasedRelation" || relation.kind === "SampledRelation") return requireKeptRows(name, relation.relation);
  if (relation.kind !== "Join") return;
  const [inLeft] = referencesTo(name, relation.left);
  const [inRight] = referencesTo(name, relation.right);
  const refuse = (at: Placed | undefined, where: string): void => {
    if (at !== undefined) throw semanticError("INVALID_RECURSIVE_REFERENCE", at, `recursive reference in ${where}`);
  };
  if (relation.type === "LEFT") refuse(inRight, "right source of LEFT join");
  if (relation.type === "RIGHT") refuse(inLeft, "left source of RIGHT join");
  if (relation.type === "FULL") refuse(inLeft ?? inRight, "FULL join");
  requireKeptRows(name, relation.left);
  requireKeptRows(name, relation.right);
}

export function planRecursive(recursion: Recursion, named: NamedQuery, name: string, analysis: Analysis, at: Placed): RelationPlan {
  const { ids } = analysis;
  const depth = maxRecursionDepth(analysis.context.session.properties);
  const levels = new Levels(recursion, named.surroundings, name, analysis, at);
  const sources = Array.from({ length: depth + 1 }, (_, level) => levels.plan(level));
  const outputs = (sources[0]?.variables ?? []).map((variable) => ids.variable(variable.name, variable.type));
  const last = endOfRecursion(levels.plan(depth + 1), depth, analysis, at);
  const all = [...sources, last];
  const node: PlanNode = {
    kind: "Union",
    id: ids.node(),
    sources: all.map((level) => level.node),
    outputs,
    sourceVariables: all.map((level) => level.variables),
  };
  return { node, fields: fieldsOf(outputs, recursion.columnNames) };
}

interface Level {
  readonly node: PlanNode;
  readonly variables: readonly Variable[];
}

function fieldsOf(variables: readonly Variable[], names: readonly string[]): RelationPlan["fields"] {
  return variables.map((expression, index) => ({ name: names[index] ?? "", expression, hidden: false }));
}

class Levels {
  constructor(
    private readonly recursion: Recursion,
    private readonly surroundings: QueryContext,
    private readonly name: string,
    private readonly analysis: Analysis,
    private readonly at: Placed,
  ) {}

  /** The rows that are there after `level` steps, planned anew. */
  plan(level: number): Level {
    const { columnNames, anchor } = this.recursion;
    if (level === 0) {
      const { node, fields } = planBody(anchor, this.analysis, this.surroundings);
      const columns = renameFields(
        fields,
        columnNames.map((value) => ({ value })),
        this.name,
        this.at,
      );
      return this.columns(
        node,
        columns.map((field) => field.expression),
      );
    }
    const before = this.plan(level - 1);
    let mentions = 0;
    const relation = (): RelationPlan => {
      // A query of WITH within the step may be named more than once, and with it what it is over.
      const { node, renamed } =
        mentions++ === 0 ? { node: before.node, renamed: (one: Variable) => one } : copyPlan(before.node, this.analysis.ids);
      return { node, fields: fieldsOf(before.variables.map(renamed), columnNames) };
    };
    const previous: NamedQuery = { ...this.previous(), relation };
    const named = new Map(this.surroundings.named).set(this.name, previous);
    const { node, fields } = planBody(this.recursion.step, this.analysis, { ...this.surroundings, named });
    const values = fields.filter((field) => !field.hidden).map((field) => field.expression);
    return this.columns(node, this.asAnchor(values, before.variables));
  }

  private previous(): NamedQuery {
    const { location } = this.recursion.anchor;
    return { query: { kind: "Query", body: this.recursion.anchor, orderBy: [], location }, surroundings: this.surroundings };
  }

  private asAnchor(expressions: readonly RowExpression[], anchor: readonly Variable[]): readonly RowExpression[] {
    const { step } = this.recursion;
    if (expressions.length !== anchor.length) {
      throw semanticError(
        "TYPE_MISMATCH",
        step,
        `base and step relations of recursion have different number of fields: ${anchor.length}, ${expressions.length}`,
      );
    }
    return expressions.map((expression, index) => {
      const { type } = anchor[index] as Variable;
      if (canCoerce(expression.type, type)) return coerce(expression, type);
      throw semanticError(
        "TYPE_MISMATCH",
        step,
        `recursion step relation output type (${displayType(expression.type)}) is not coercible to recursion base relation output type (${displayType(type)}) at column ${index + 1}`,
      );
    });
  }

  private columns(node: PlanNode, values: readonly RowExpression[]): Level {
    const { ids } = this.analysis;
    const assignments = values.map((expression, index) => ({
      output: ids.variable(this.recursion.columnNames[index] ?? "expr", expression.type),
      expression,
    }));
    return { node: projectNode(ids, node, assignments), variables: assignments.map(({ output }) => output) };
  }
}

/** No rows, or an error when the level has some. */
function endOfRecursion(level: Level, depth: number, analysis: Analysis, at: Placed): Level {
  const { ids } = analysis;
  const rows = ids.variable("count", BIGINT);
  const chosen = chooseAggregate("count", [], at);
  const counted: PlanNode = {
    kind: "Aggregation",
    id: ids.node(),
    source: level.node,
    step: "SINGLE",
    keys: [],
    aggregates: [{ output: rows, name: chosen.name, argumentTypes: chosen.argumentTypes, args: [] }],
  };
  const over = callFunction("$recursion_goes_on", [rows, constant(BIGINT, String(depth))], at);
  const none = filterNode(ids, counted, [over]);
  const assignments = level.variables.map((variable) => ({
    output: ids.variable(variable.name, variable.type),
    expression: constant(variable.type, null),
  }));
  return { node: projectNode(ids, none, assignments), variables: assignments.map(({ output }) => output) };
}
