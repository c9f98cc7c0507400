/**
 * Small plans for the tests of single rules, and plans as short text.
 */
import type { ConnectorExpression } from "../../../../../src/connectors/pushdown.ts";
import type { ConnectorMetadata } from "../../../../../src/connectors/spi.ts";
import type { RowExpression, Variable } from "../../../../../src/planner/plan/typed-expression.ts";
import { and, call, constant, expressionKey } from "../../../../../src/planner/plan/expression-tree.ts";
import { PlanIds } from "../../../../../src/planner/plan/ids.ts";
import type { RuleName } from "../../../../../src/planner/optimizer/rule-table.ts";
import { outputsOf, type JoinNode, type PlanNode, type SemiJoinNode, type WindowNode } from "../../../../../src/planner/plan/node.ts";
import type { Rule, RuleContext } from "../../../../../src/planner/optimizer/rules/rule.ts";
import { Estimator } from "../../../../../src/planner/optimizer/stats/stats-calculator.ts";
import { sourcesOf } from "../../../../../src/planner/plan/plan-tree.ts";
import { validatePlan } from "../../../../../src/planner/plan/validate.ts";
import { QueryError } from "../../../../../src/protocol/errors.ts";
import { BIGINT, BOOLEAN } from "../../../../../src/types/type.ts";
import { printExpression } from "../../../../../src/planner/explain/print.ts";

export const ids = new PlanIds();

export function column(name: string): Variable {
  return { kind: "variable", name, type: BIGINT };
}

export function number(value: number): RowExpression {
  return constant(BIGINT, String(value));
}

export function compare(operator: string, left: RowExpression, right: RowExpression): RowExpression {
  return call(operator, BOOLEAN, [left, right]);
}

export function add(left: RowExpression, right: RowExpression): RowExpression {
  return call("$add", BIGINT, [left, right]);
}

/** The row count follows from the table name: `big`, `small_2`. A column named `id` is a key. */
export function scan(table: string, ...columns: readonly string[]): PlanNode {
  return {
    kind: "TableScan",
    id: ids.node(),
    table: { catalog: "c", name: { schema: "s", table }, handle: null, coordinatorOnly: false },
    outputs: columns.map(column),
    columns: columns.map((name) => ({ name, type: BIGINT })),
  };
}

export function filter(source: PlanNode, ...conjuncts: readonly RowExpression[]): PlanNode {
  return { kind: "Filter", id: ids.node(), source, predicate: and(conjuncts) };
}

export function project(source: PlanNode, assignments: Readonly<Record<string, RowExpression>>): PlanNode {
  return {
    kind: "Project",
    id: ids.node(),
    source,
    assignments: Object.entries(assignments).map(([name, expression]) => ({
      output: { kind: "variable", name, type: expression.type },
      expression,
    })),
  };
}

export function join(
  type: JoinNode["type"],
  left: PlanNode,
  right: PlanNode,
  criteria: Readonly<Record<string, string>> = {},
  on?: RowExpression,
): JoinNode {
  return {
    kind: "Join",
    id: ids.node(),
    type,
    left,
    right,
    criteria: Object.entries(criteria).map(([l, r]) => ({ left: column(l), right: column(r) })),
    ...(on !== undefined && { filter: on }),
    outputs: [...outputsOf(left), ...outputsOf(right)],
    distribution: "PARTITIONED",
  };
}

/** `source` with the boolean `output`: whether `key` is among the values of `among` in `filtering`. */
export function semiJoin(
  source: PlanNode,
  filtering: PlanNode,
  { key, among, output: found }: Record<"key" | "among" | "output", string>,
): PlanNode {
  return {
    kind: "SemiJoin",
    id: ids.node(),
    source,
    filtering,
    sourceKey: column(key),
    filteringKey: column(among),
    output: { kind: "variable", name: found, type: BOOLEAN },
    distribution: "REPLICATED",
  };
}

/** One count(*) for each name. */
export function group(source: PlanNode, by: readonly string[], ...counts: readonly string[]): PlanNode {
  const aggregates = counts.map((name) => ({ output: column(name), name: "count", argumentTypes: [], args: [] }));
  return { kind: "Aggregation", id: ids.node(), source, step: "SINGLE", keys: by.map(column), aggregates };
}

/** One sum over the default frame for each name, of the column that it names. */
export function window(
  source: PlanNode,
  { by = [], order = [] }: { readonly by?: readonly string[]; readonly order?: readonly string[] },
  functions: Readonly<Record<string, string>>,
): WindowNode {
  return {
    kind: "Window",
    id: ids.node(),
    source,
    partitionBy: by.map(column),
    orderBy: order.map((name) => ({ variable: column(name), descending: false, nullsFirst: false })),
    functions: Object.entries(functions).map(([name, argument]) => ({
      output: column(name),
      name: "sum",
      argumentTypes: [BIGINT],
      args: [column(argument)],
      ignoreNulls: false,
      frame: { type: "RANGE", start: { type: "UNBOUNDED_PRECEDING" }, end: { type: "CURRENT_ROW" } },
    })),
  };
}

export function output(source: PlanNode, ...names: readonly string[]): PlanNode {
  return { kind: "Output", id: ids.node(), source, columnNames: names, outputs: names.map(column) };
}

function expressionText(expression: ConnectorExpression): string {
  return expression.kind === "column"
    ? expression.name
    : expression.kind === "constant"
      ? String(expression.value)
      : `${expression.name}(${expression.args.map(expressionText).join(" ")})`;
}

/** A connector that computes everything but sums. Handles, and the sources of scans, are texts of what it was given. */
const computing: Partial<ConnectorMetadata> = {
  pushDown: (handle, { columns, conditions, aggregation, orderBy, limit }) => {
    const calls = (aggregation?.aggregates ?? []).map(({ name, argument = "*" }) => `${name}(${argument})`);
    const parts = [
      ...(handle === null ? [] : [`[${handle as string}]`]),
      ...(aggregation === undefined ? [columns.map(({ name }) => name).join(" ")] : [...aggregation.keys, ...calls]),
      ...(conditions.length === 0 ? [] : ["where", ...conditions.map(expressionText)]),
      ...(orderBy === undefined ? [] : ["order", ...orderBy.map(({ column: name, descending }) => `${name}${descending ? " desc" : ""}`)]),
      ...(limit === undefined ? [] : [`limit ${limit}`]),
    ];
    const outputs = [...(aggregation?.keys ?? []), ...calls].map((name) => ({ name, type: BIGINT }));
    return calls.some((name) => name.startsWith("sum"))
      ? undefined
      : { handle: parts.join(" "), columns: aggregation === undefined ? columns : outputs };
  },
  pushJoin: ({ left, right, criteria }) => {
    const [one, other] = [left, right].map(({ columns, conditions }) =>
      [...columns.map(({ name }) => name), ...(conditions.length === 0 ? [] : ["where", ...conditions.map(expressionText)])].join(" "),
    );
    const keys = criteria.map((pair) => `${pair.left}=${pair.right}`);
    return { handle: `${one} join ${other} on ${keys.join(" ")}`, columns: [...left.columns, ...right.columns] };
  },
  narrow: (_handle, conditions) => (conditions.length === 0 ? undefined : `narrowed ${conditions.map(expressionText).join(" ")}`),
  describeScan: (handle) => (handle === null ? undefined : (handle as string)),
};

const context: RuleContext = {
  ids,
  estimator: new Estimator(({ name: { table } }) => ({
    rowCount: table.startsWith("big") ? 10_000_000 : 100,
    columns: {},
    uniqueKeys: [["id"]],
  })),
  session: { dynamicFiltering: true, joinDistribution: "AUTOMATIC", joinReordering: "AUTOMATIC" },
  rulesOff: new Set(),
  metadataOf: () => computing as ConnectorMetadata,
  evaluateConstant: (expression) => {
    const [a, b] =
      expression.kind === "call" ? expression.args.map((arg) => (arg.kind === "constant" ? Number(arg.value) : Number.NaN)) : [];
    if (expression.kind === "call" && a !== undefined && b !== undefined) {
      if (expression.name === "$add") {
        return String(a + b);
      }
      if (expression.name === "$lt") {
        return a < b;
      }
      if (expression.name === "$divide" && b === 0) {
        throw new QueryError("DIVISION_BY_ZERO", "Division by zero");
      }
    }
    throw new QueryError("NOT_SUPPORTED", expressionKey(expression));
  },
};

/** The plan after the rule, validated, as text. */
export function after(rule: Rule, plan: PlanNode, session: Partial<RuleContext["session"]> = {}, off: readonly RuleName[] = []): string {
  validatePlan(plan, "building");
  const result = rule.apply(plan, { ...context, session: { ...context.session, ...session }, rulesOff: new Set(off) });
  validatePlan(result, rule.name);
  return text(result);
}

/** One line per node, sources indented. */
export function text(node: PlanNode, indent = ""): string {
  return [`${indent}${describe(node)}`, ...sourcesOf(node).map((source) => text(source, `${indent}  `))].join("\n");
}

function assignmentsOf({ dynamicFilters = {} }: JoinNode | SemiJoinNode): string {
  return Object.entries(dynamicFilters)
    .map(([id, { name }]) => ` ${name}->#${id}`)
    .join("");
}

function describe(node: PlanNode): string {
  const names = (variables: readonly Variable[]) => variables.map((variable) => variable.name).join(" ");
  switch (node.kind) {
    case "TableScan":
      return `scan ${node.table.name.table}: ${names(node.outputs)}${node.table.source === undefined ? "" : ` from ${node.table.source}`}${(node.dynamicFilters ?? []).map((use) => ` ${use.variable.name}=#${use.id}`).join("")}`;
    case "Values":
      return `values ${names(node.outputs)}: ${node.rows.length}`;
    case "Filter":
      return `filter ${printExpression(node.predicate)}`;
    case "Project":
      return `project ${node.assignments.map((a) => `${a.output.name}=${printExpression(a.expression)}`).join(" ")}`;
    case "Join": {
      const criteria = node.criteria.map((c) => ` ${c.left.name}=${c.right.name}`).join("");
      return `${node.type} join${criteria}${node.filter ? ` on ${printExpression(node.filter)}` : ""} ${node.distribution}${assignmentsOf(node)}`;
    }
    case "Limit":
    case "TopN":
    case "Offset":
      return `${node.kind} ${node.count}`;
    case "Window":
      return `window by ${names(node.partitionBy)} order ${names(node.orderBy.map((ordering) => ordering.variable))}: ${names(node.functions.map((call) => call.output))}`;
    case "SemiJoin":
      return `${node.output.name}: ${node.sourceKey.name} in ${node.filteringKey.name} ${node.distribution}${node.build === undefined ? "" : ` builds ${node.build}`}${assignmentsOf(node)}`;
    case "Union":
      return `union ${names(node.outputs)}`;
    case "Exchange":
      return `exchange ${node.partitioning.kind}${node.partitioning.kind === "HASH" ? ` ${names(node.partitioning.keys)}` : ""}`;
    case "Aggregation":
      return `group by ${names(node.keys)}: ${names(node.aggregates.map((call) => call.output))}`;
    default:
      return node.kind;
  }
}
