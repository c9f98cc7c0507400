/**
 * Plans queries: WITH, the body, ORDER BY, OFFSET and LIMIT.
 */
import type { QualifiedName, Query, QueryBody, With } from "../../../sql/ast/ast.ts";
import { lowerName } from "../../../sql/ast/ast.ts";
import { visitSyntax } from "../../../sql/ast/walk.ts";
import { unreachable } from "../../../protocol/errors.ts";
import type { Analysis, Environment, NamedQueries, NamedQuery, QueryContext } from "../analysis.ts";
import { requireSortable } from "../expression/comparable.ts";
import { semanticError } from "../errors.ts";
import { atOnce, gathered, type InPieces } from "../../pieces.ts";
import { analyzeExpression } from "../expression/analyze-expression.ts";
import { planNamedQuery } from "./named-queries.ts";
import { ordinal, sortNode } from "./order-by.ts";
import { planValues } from "./values.ts";
import { recursionOf } from "./recursion.ts";
import { limitRows } from "./row-limits.ts";
import { tableInPieces } from "../relation/relations.ts";
import { withFunctions } from "../routine/call.ts";
import type { Field, RelationPlan, Scope } from "../scope/scope.ts";
import { planSetOperation } from "./set-operations.ts";
import { planSpecification } from "./specification.ts";

/** A query between two yields, in columns that take as long. */
const elementsOfQuery = 16;

/** Implements `Analyzers.query`. */
export function planQuery(query: Query, analysis: Analysis, queries: QueryContext): RelationPlan {
  return atOnce(planQueryInPieces(query, analysis, queries));
}

/** Implements `Analyzers.queryInPieces`. */
export function* planInnerQuery(query: Query, analysis: Analysis, queries: QueryContext): InPieces<RelationPlan> {
  analysis.pace.elements += elementsOfQuery;
  return yield* gathered(planQueryInPieces(query, analysis, queries), analysis.pace);
}

export function* planQueryInPieces(query: Query, given: Analysis, queries: QueryContext): InPieces<RelationPlan> {
  const analysis = query.functions === undefined ? given : withFunctions(query.functions, given);
  const inside = query.with === undefined ? queries : withQueries(query.with, queries);
  if (query.with !== undefined) {
    yield* checkUnused(query.with, query, inside, analysis);
  }
  const { body } = query;
  analysis.ids.enterQuery();
  try {
    const ordered =
      body.kind === "QuerySpecification"
        ? yield* planSpecification(body, query.orderBy, analysis, inside)
        : orderBody(yield* planBodyInPieces(body, analysis, inside), query, analysis, inside);
    return { node: limitRows(ordered.node, query, analysis), fields: ordered.fields };
  } finally {
    analysis.ids.leaveQuery();
  }
}

function withQueries(clause: With, queries: QueryContext): QueryContext {
  const declared = new Map<string, Declared>();
  // Each query sees those before it. They share one map: there may be many thousands.
  const before = (ordinal: number): NamedQueries => ({
    get: (name) => {
      const own = declared.get(name);
      return own !== undefined && own.ordinal < ordinal ? own.query : queries.named.get(name);
    },
  });
  for (const item of clause.queries) {
    const name = lowerName(item.name);
    if (declared.has(name)) {
      throw semanticError("DUPLICATE_NAMED_QUERY", item, `WITH query name '${name}' specified more than once`);
    }
    const recursion = clause.recursive ? recursionOf(item) : undefined;
    const query: NamedQuery = {
      query: item.query,
      ...(recursion && { recursion: { ...recursion, name } }),
      surroundings: { named: before(declared.size), ...(queries.outer && { outer: queries.outer }) },
      ...(item.columnNames && { columnNames: item.columnNames }),
    };
    declared.set(name, { ordinal: declared.size, query });
  }
  return { ...queries, named: before(declared.size) };
}

interface Declared {
  readonly ordinal: number;
  readonly query: NamedQuery;
}

/**
 * Plans unused WITH queries too, to report their errors. The check for use only compares names. If the same name refers to another query or
 * table, the WITH query counts as used.
 */
function* checkUnused(clause: With, query: Query, { named }: QueryContext, analysis: Analysis): InPieces<void> {
  if (analysis.checkedWith.has(clause)) {
    return;
  }
  analysis.checkedWith.add(clause);
  const mentioned = new Set<string>();
  visitSyntax(query, (node) => {
    if (node["kind"] !== "Table" && node["kind"] !== "TableQuery") {
      return;
    }
    const { parts } = node["name"] as QualifiedName;
    if (parts.length === 1 && parts[0] !== undefined) {
      mentioned.add(lowerName(parts[0]));
    }
  });
  for (const item of clause.queries) {
    const own = named.get(lowerName(item.name));
    if (own !== undefined && !mentioned.has(lowerName(item.name))) {
      yield* planNamedQuery(own, analysis, item);
      yield elementsOfQuery;
    }
  }
}

/** Implements `Analyzers.queryBody`. */
export function planQueryBody(body: QueryBody, analysis: Analysis, queries: QueryContext): RelationPlan {
  return atOnce(planBodyInPieces(body, analysis, queries));
}

/** Implements `Analyzers.bodyInPieces`. */
export function* planBodyInPieces(body: QueryBody, analysis: Analysis, queries: QueryContext): InPieces<RelationPlan> {
  switch (body.kind) {
    case "QuerySpecification":
      return yield* planSpecification(body, [], analysis, queries);
    case "SetOperation":
      return yield* planSetOperation(body, analysis, queries);
    case "Values":
      return yield* planValues(body, analysis, queries);
    case "TableQuery":
      return yield* tableInPieces(body.name, analysis, queries);
    case "TableSubquery":
      return yield* planQueryInPieces(body.query, analysis, queries);
    default:
      return unreachable(body);
  }
}

/** ORDER BY of a query that is not a plain SELECT can reference only output columns, by name or position. */
function orderBody(plan: RelationPlan, query: Query, analysis: Analysis, queries: QueryContext): RelationPlan {
  const { orderBy } = query;
  if (orderBy.length === 0) {
    return plan;
  }
  const scope: Scope = { fields: plan.fields, queryBoundary: true, ...(queries.outer && { parent: queries.outer }) };
  const env: Environment = { analysis, scope, queries, clause: "ORDER BY clause" };
  const visible = plan.fields.filter((field) => !field.hidden);
  const keys = orderBy.map((item) => {
    const position = ordinal(item.key, visible.length, "ORDER BY");
    return position === undefined ? analyzeExpression(item.key, env) : (visible[position] as Field).expression;
  });
  requireSortable(orderBy, keys, query);
  return { node: sortNode(plan.node, orderBy, keys, analysis), fields: plan.fields };
}
