/**
 * Leaves operations directly above a scan to the connector, if it computes the same rows: an aggregation, LIMIT, TopN or join, with the
 * filter below it. A filter alone stays: connectors know it as a constraint, and by the conditions that are none. A TopN stays above the
 * rows that the connector returns. Scans are described for EXPLAIN.
 */
import { knobOf } from "../../../ports/knobs.ts";
import { alwaysTrue, type ColumnMetadata } from "../../../connectors/spi.ts";
import type { ConnectorExpression, PushedAggregate, PushedOperation } from "../../../connectors/pushdown.ts";
import { constraintOf, constraintsOf } from "../../domain/constraints.ts";
import { conjunctsOf } from "../../plan/expression-tree.ts";
import type { AggregationNode, JoinNode, PlanNode, TableScanNode } from "../../plan/node.ts";
import { layOut, passesOn, rewritePlan } from "../../plan/plan-tree.ts";
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import type { Rule, RuleContext } from "./rule.ts";

export const pushIntoConnectors: Rule = {
  name: "push_into_connectors",
  apply: (plan, context) =>
    context.metadataOf === undefined
      ? plan
      : describeScans(
          rewritePlan(
            rewritePlan(plan, (node) => push(node, context)),
            (node) => narrow(node, context),
          ),
          context,
        ),
};

/** Rows of the tables of a join for each row of its result, at least, if the connector computes it. */
const joinReduction = 4;

/** A scan, the filter above it, and its columns by the variables that the operation sees. */
interface Leaf {
  readonly scan: TableScanNode;
  readonly conditions: readonly ConnectorExpression[];
  readonly columnOf: (variable: RowExpression) => ColumnMetadata | undefined;
}

function push(node: PlanNode, context: RuleContext): PlanNode {
  switch (node.kind) {
    case "Aggregation":
      return pushAggregation(node, context) ?? node;
    case "Limit":
      return pushLimit(node, context) ?? node;
    case "TopN":
      return pushTopN(node, context) ?? node;
    case "Join":
      return pushJoin(node, context) ?? node;
    default:
      return node;
  }
}

function pushAggregation(node: AggregationNode, context: RuleContext): PlanNode | undefined {
  if (node.step !== "SINGLE" || node.globalSets !== undefined || node.aggregates.some(({ mask }) => mask !== undefined)) {
    return undefined;
  }
  const leaf = leafOf(node.source);
  const keys = node.keys.map((key) => leaf?.columnOf(key)?.name);
  const aggregates = node.aggregates.map(({ name, args, output }): PushedAggregate | undefined => {
    const [argument] = args;
    const column = argument && leaf?.columnOf(argument)?.name;
    return args.length > 1 || (argument !== undefined && column === undefined)
      ? undefined
      : { name, type: output.type, ...(column !== undefined && { argument: column }) };
  });
  if (leaf === undefined || !isComplete(keys) || !isComplete(aggregates) || new Set(keys).size < keys.length) {
    return undefined;
  }
  const outputs = [...node.keys, ...node.aggregates.map(({ output }) => output)];
  const rows = context.estimator.estimate(node).rows;
  return pushed({ leaf, outputs, rows, operation: { columns: leaf.scan.columns, aggregation: { keys, aggregates } } }, context);
}

function pushLimit({ source, count }: PlanNode & { kind: "Limit" }, context: RuleContext): PlanNode | undefined {
  const leaf = leafOf(source);
  if (leaf === undefined || source.kind === "Project") {
    return undefined;
  }
  const { columns, outputs } = leaf.scan;
  return pushed({ leaf, outputs, rows: Math.min(count, rowsOf(source, context)), operation: { columns, limit: count } }, context);
}

function pushTopN(node: PlanNode & { kind: "TopN" }, context: RuleContext): PlanNode | undefined {
  const { source, count, orderBy, withTies } = node;
  const leaf = leafOf(source);
  if (leaf === undefined || source.kind === "Project" || withTies === true) {
    return undefined;
  }
  const order = orderBy.map(({ variable, descending, nullsFirst }) => {
    const column = leaf.columnOf(variable)?.name;
    return column === undefined ? undefined : { column, descending, nullsFirst };
  });
  if (!isComplete(order)) {
    return undefined;
  }
  const { columns, outputs } = leaf.scan;
  const rows = Math.min(count, rowsOf(source, context));
  const scan = pushed({ leaf, outputs, rows, operation: { columns, orderBy: order, limit: count } }, context);
  return scan && { ...node, source: scan };
}

/** A join goes to the connector if it returns much fewer rows than its tables. */
function pushJoin(node: JoinNode, context: RuleContext): PlanNode | undefined {
  if (node.type !== "INNER" || node.filter !== undefined || node.criteria.length === 0) {
    return undefined;
  }
  const [left, right] = [leafOf(node.left), leafOf(node.right)];
  const catalog = left?.scan.table.catalog;
  if (left === undefined || right === undefined || catalog === undefined || right.scan.table.catalog !== catalog) {
    return undefined;
  }
  const { known, rows } = context.estimator.estimate(node);
  if (!known || rows * joinReduction > rowsOf(node.left, context) + rowsOf(node.right, context)) {
    return undefined;
  }
  const criteria = node.criteria.map((pair) => {
    const [one, other] = [left.columnOf(pair.left)?.name, right.columnOf(pair.right)?.name];
    return one === undefined || other === undefined ? undefined : { left: one, right: other };
  });
  const [one, other] = [left, right].map(({ scan, conditions }) => ({ handle: scan.table.handle, columns: scan.columns, conditions }));
  if (!isComplete(criteria) || one === undefined || other === undefined) {
    return undefined;
  }
  const found = context.metadataOf?.(catalog)?.pushJoin?.({ left: one, right: other, criteria });
  const outputs = [...left.scan.outputs, ...right.scan.outputs];
  return (
    found &&
    layOut(
      context.ids,
      {
        kind: "TableScan",
        id: context.ids.node(),
        table: { ...left.scan.table, handle: found.handle, joined: [right.scan.table.name], rows },
        outputs,
        columns: found.columns,
      },
      node.outputs,
    )
  );
}

function isComplete<T>(items: readonly (T | undefined)[]): items is readonly T[] {
  return items.every((item) => item !== undefined);
}

function rowsOf(node: PlanNode, { estimator }: RuleContext): number {
  return estimator.estimate(node).rows;
}

/** The scan of the rows that the connector computes. */
function pushed(
  request: {
    readonly leaf: Leaf;
    readonly outputs: readonly Variable[];
    readonly rows: number;
    readonly operation: Omit<PushedOperation, "conditions">;
  },
  { ids, metadataOf }: RuleContext,
): TableScanNode | undefined {
  const { leaf, outputs, rows, operation } = request;
  const { table } = leaf.scan;
  const found = metadataOf?.(table.catalog)?.pushDown?.(table.handle, { ...operation, conditions: leaf.conditions });
  return found && { kind: "TableScan", id: ids.node(), table: { ...table, handle: found.handle, rows }, outputs, columns: found.columns };
}

/** Undefined if something else is between the operation and the scan, or a condition cannot be expressed. */
export function leafOf(node: PlanNode): Leaf | undefined {
  if (passesOn(node)) {
    const below = leafOf(node.source);
    const names = new Map(node.assignments.map(({ output, expression }) => [output.name, expression]));
    return (
      below && {
        ...below,
        columnOf: (variable) => {
          const inner = variable.kind === "variable" ? names.get(variable.name) : undefined;
          return inner && below.columnOf(inner);
        },
      }
    );
  }
  const [scan, conjuncts] = node.kind === "Filter" ? [node.source, conjunctsOf(node.predicate)] : [node, []];
  const leaf = scan.kind === "TableScan" ? scanLeaf(scan) : undefined;
  const conditions = conjuncts.map((conjunct) => leaf && expressionOf(conjunct, leaf.columnOf));
  return leaf !== undefined && isComplete(conditions) ? { ...leaf, conditions } : undefined;
}

function scanLeaf(scan: TableScanNode): Leaf {
  const columnOf = (variable: RowExpression): ColumnMetadata | undefined =>
    variable.kind === "variable" ? scan.columns[scan.outputs.findIndex(({ name }) => name === variable.name)] : undefined;
  return { scan, conditions: [], columnOf };
}

const forms: ReadonlyMap<string, string> = new Map([
  ["AND", "$and"],
  ["OR", "$or"],
  ["IN", "$in"],
  ["IS_NULL", "$is_null"],
]);

/** undefined if a connector cannot be told of it. */
export function expressionOf(expression: RowExpression, columnOf: Leaf["columnOf"]): ConnectorExpression | undefined {
  switch (expression.kind) {
    case "variable": {
      const column = columnOf(expression);
      return column && { kind: "column", name: column.name, type: column.type };
    }
    case "constant":
      return expression;
    case "cast":
      // Every varchar(n) is a varchar.
      return expression.type.kind === "varchar" && expression.type.length === undefined && expression.arg.type.kind === "varchar"
        ? expressionOf(expression.arg, columnOf)
        : undefined;
    case "call":
    case "special": {
      const name = expression.kind === "call" ? expression.name : forms.get(expression.form);
      const args = expression.args.map((arg) => expressionOf(arg, columnOf));
      return name === undefined || !isComplete(args) ? undefined : { kind: "call", name, type: expression.type, args };
    }
    case "lambda":
      return undefined;
  }
}

/** Gives the connector the conditions of a filter that are no part of a constraint. */
function narrow(node: PlanNode, context: RuleContext): PlanNode {
  const leaf = node.kind === "Filter" && node.source.kind === "TableScan" ? scanLeaf(node.source) : undefined;
  if (leaf === undefined || node.kind !== "Filter") {
    return node;
  }
  const { table } = leaf.scan;
  const metadata = context.metadataOf?.(table.catalog);
  if (metadata?.narrow === undefined) {
    return node;
  }
  const valuesMax = knobOf(context, "constraint-values");
  const others = conjunctsOf(node.predicate).filter((conjunct) =>
    [...constraintOf(leaf.scan, conjunct, valuesMax).summary.domains.values()].every((domain) => domain.values.isAll),
  );
  const handle = metadata.narrow(
    table.handle,
    others.flatMap((conjunct) => expressionOf(conjunct, leaf.columnOf) ?? []),
  );
  return handle === undefined ? node : { ...node, source: { ...leaf.scan, table: { ...table, handle } } };
}

function describeScans(plan: PlanNode, context: RuleContext): PlanNode {
  const constraints = constraintsOf(plan, context);
  return rewritePlan(plan, (node) => {
    if (node.kind !== "TableScan") {
      return node;
    }
    const { table, columns } = node;
    const source = context.metadataOf?.(table.catalog)?.describeScan?.(table.handle, columns, constraints.get(node.id) ?? alwaysTrue);
    return source === undefined ? node : { ...node, table: { ...table, source } };
  });
}
