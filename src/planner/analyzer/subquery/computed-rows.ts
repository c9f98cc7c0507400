/**
 * Correlated subqueries that read no table: `(SELECT o.x WHERE o.y > 1)`, `(VALUES o.x, o.y)`, `(SELECT max(o.x))`. Their columns, and the
 * conditions under which their rows exist, are expressions over the outer row. No join is needed, so a join condition with such a subquery
 * keeps its equalities as join keys.
 */
import { knobOf } from "../../../ports/knobs.ts";
import { BOOLEAN, type Type } from "../../../types/type.ts";
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import {
  and,
  cast,
  childrenOf,
  collectVariables,
  conjunctsOf,
  constant,
  isDeterministic,
  not,
  special,
  substitute,
} from "../../plan/expression-tree.ts";
import {
  type AggregateCall,
  type AggregationNode,
  type JoinNode,
  outputsOf,
  type PlanNode,
  type SemiJoinNode,
  type UnionNode,
} from "../../plan/node.ts";
import type { Analysis, PendingSubquery } from "../analysis.ts";
import { count } from "../window/row-numbers.ts";
import { crossJoin, semiJoin } from "./joins.ts";
import { isOneRow } from "./one-row.ts";
import { outerVariables } from "./pull.ts";

export interface ComputedRow {
  /** The row exists if all conditions are true. */
  readonly conditions: readonly RowExpression[];
  /** Expressions for the plan's outputs, by name. */
  readonly columns: ReadonlyMap<string, RowExpression>;
}

type Rows = readonly ComputedRow[];

export interface ComputedRows {
  readonly rows: Rows;
  /** Uncorrelated subqueries inside, whose results the rows' expressions read. */
  readonly joins: readonly PendingSubquery[];
}

interface Context {
  readonly analysis: Analysis;
  readonly joins: PendingSubquery[];
}

/** Maximum size of expressions. Above it, a join is cheaper, as it is above a number of rows. */
const sizeMax = 400;

/**
 * Returns the rows of a plan that reads tables only in uncorrelated subqueries. Returns undefined for other plans, and for expressions that
 * may be evaluated only once.
 */
export function computedRows(plan: PlanNode, analysis: Analysis): ComputedRows | undefined {
  const joins: PendingSubquery[] = [];
  const rows = boundedRows(plan, { analysis, joins });
  return rows && { rows, joins };
}

function boundedRows(plan: PlanNode, context: Context): Rows | undefined {
  const rows = rowsOf(plan, context);
  return rows === undefined || rows.length > knobOf(context.analysis.context, "computed-rows") || !rows.every(isSmall) ? undefined : rows;
}

function rowsOf(plan: PlanNode, context: Context): Rows | undefined {
  switch (plan.kind) {
    case "Values":
      return plan.rows.map((row) => ({
        conditions: [],
        columns: new Map(plan.outputs.map(({ name }, index) => [name, row[index] as RowExpression])),
      }));
    case "Project":
      return boundedRows(plan.source, context)?.map(({ conditions, columns }) => ({
        conditions,
        columns: new Map(plan.assignments.map(({ output, expression }) => [output.name, substitute(expression, columns)])),
      }));
    case "Filter":
      return boundedRows(plan.source, context)?.map(({ conditions, columns }) => ({
        conditions: [...conditions, ...conjunctsOf(substitute(plan.predicate, columns))],
        columns,
      }));
    case "EnforceSingleRow":
      return onlyRow(plan.source, context, (row) => ({
        conditions: [],
        columns: mapColumns(row, (value) => whereTrue(row.conditions, value)),
      }));
    case "Limit": {
      const rows = boundedRows(plan.source, context);
      return rows !== undefined && rows.length <= plan.count ? rows : undefined;
    }
    case "Sort":
      return boundedRows(plan.source, context);
    case "Union":
      return unite(plan, context);
    case "Aggregation":
      return aggregate(plan, context);
    case "Join":
      return joinValue(plan, context);
    case "SemiJoin":
      return joinMembership(plan, context);
    default:
      return undefined;
  }
}

/** A join with the value of an uncorrelated scalar subquery. */
function joinValue({ type, left, right, criteria, filter }: JoinNode, context: Context): Rows | undefined {
  const [output, ...others] = outputsOf(right);
  if (type !== "INNER" || criteria.length > 0 || filter !== undefined || output === undefined || others.length > 0) {
    return undefined;
  }
  if (!isOneRow(right) || outerVariables(right).length > 0) {
    return undefined;
  }
  return onlyRow(left, context, ({ conditions, columns }) => {
    context.joins.push({ output, uses: [], apply: (node) => crossJoin(context.analysis, node, right) });
    return { conditions, columns: new Map([...columns, [output.name, output]]) };
  });
}

/** A semi-join that tests membership in an uncorrelated subquery. */
function joinMembership({ source, filtering, sourceKey, filteringKey, output }: SemiJoinNode, context: Context): Rows | undefined {
  if (outerVariables(filtering).length > 0) {
    return undefined;
  }
  return onlyRow(source, context, ({ conditions, columns }) => {
    const value = substitute(sourceKey, columns);
    const apply: PendingSubquery["apply"] = (node, rewrite) =>
      semiJoin(context.analysis, node, rewrite(value), filtering, filteringKey, output);
    context.joins.push({ output, uses: [...collectVariables(value).values()], apply });
    return { conditions, columns: new Map([...columns, [output.name, output]]) };
  });
}

function isSmall({ conditions, columns }: ComputedRow): boolean {
  let left = sizeMax;
  const visit = (expression: RowExpression): boolean => --left >= 0 && childrenOf(expression).every(visit);
  return [...conditions, ...columns.values()].every((expression) => visit(expression) && isDeterministic(expression));
}

function onlyRow(source: PlanNode, context: Context, change: (row: ComputedRow) => ComputedRow | undefined): Rows | undefined {
  const [row, ...others] = boundedRows(source, context) ?? [];
  const changed = row === undefined || others.length > 0 ? undefined : change(row);
  return changed && [changed];
}

function mapColumns({ columns }: ComputedRow, change: (value: RowExpression) => RowExpression): ReadonlyMap<string, RowExpression> {
  return new Map([...columns].map(([name, value]) => [name, change(value)]));
}

function unite({ outputs, sources, sourceVariables }: UnionNode, context: Context): Rows | undefined {
  const parts = sources.map((source, index) =>
    boundedRows(source, context)?.map(({ conditions, columns }): ComputedRow => {
      const values = (sourceVariables[index] ?? []).map((variable) => substitute(variable, columns));
      return { conditions, columns: new Map(outputs.map(({ name }, column) => [name, values[column] as RowExpression])) };
    }),
  );
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
}

/**
 * Aggregates a single row. Without keys, there is always a result row. With keys, the group exists if the row does. DISTINCT returns the
 * rows unchanged.
 */
function aggregate({ source, keys, aggregates, globalSets }: AggregationNode, context: Context): Rows | undefined {
  if (globalSets !== undefined) {
    return undefined;
  }
  const isGrouped = keys.length > 0;
  if (isGrouped && aggregates.length === 0) {
    return boundedRows(source, context);
  }
  return onlyRow(source, context, ({ conditions, columns }) => {
    const results = aggregates.map((call) => aggregateOne(call, isGrouped ? [] : conditions, columns));
    if (!results.every((result) => result !== undefined)) {
      return undefined;
    }
    const made = aggregates.map(({ output }, index) => [output.name, results[index] as RowExpression] as const);
    const kept = keys.map((key: Variable) => [key.name, substitute(key, columns)] as const);
    return { conditions: isGrouped ? conditions : [], columns: new Map([...kept, ...made]) };
  });
}

/** Aggregates the row if `conditions` are true, and no row otherwise. Returns undefined for other aggregates. */
function aggregateOne(
  { output, name, args, mask }: AggregateCall,
  conditions: readonly RowExpression[],
  columns: ComputedRow["columns"],
): RowExpression | undefined {
  const [value, ...others] = args.map((arg) => substitute(arg, columns));
  if (others.length > 0) {
    return undefined;
  }
  const all = [...conditions, ...(mask === undefined ? [] : [substitute(mask, columns)])];
  if (name === "count") {
    const counted = value === undefined ? all : [...all, not(special("IS_NULL", BOOLEAN, [value]))];
    return special("IF", output.type, [and(counted), count(1), count(0)]);
  }
  return value !== undefined && isItsArgument(name, value.type) ? whereTrue(all, cast(value, output.type)) : undefined;
}

/** Returns whether the aggregate of a single value is that value. Sums of doubles are not, because they start with a positive zero. */
function isItsArgument(name: string, { kind }: Type): boolean {
  switch (name) {
    case "min":
    case "max":
    case "any_value":
    case "arbitrary":
    case "bool_and":
    case "bool_or":
    case "every":
      return kind !== "double" && kind !== "real";
    case "sum":
    case "avg":
      return kind === "decimal" || kind === "bigint" || kind === "integer" || kind === "smallint" || kind === "tinyint";
    default:
      return false;
  }
}

/** Returns the value if all conditions are true, otherwise NULL. */
export function whereTrue(conditions: readonly RowExpression[], value: RowExpression): RowExpression {
  return conditions.length === 0 ? value : special("IF", value.type, [and(conditions), value, constant(value.type, null)]);
}
