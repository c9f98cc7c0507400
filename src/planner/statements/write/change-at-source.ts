/**
 * Plans DELETE and UPDATE for connectors that change rows by a statement of their source. The condition and the new values go through the
 * optimizer as a query of them would, so that constants are folded; what is left has to be exactly what the connector can say.
 */
import type { ConnectorMetadata } from "../../../connectors/spi.ts";
import type { RowChange } from "../../../connectors/pushdown.ts";
import type { Delete, Update } from "../../../sql/ast/ast.ts";
import { BOOLEAN } from "../../../types/type.ts";
import type { Analysis } from "../../analyzer/analysis.ts";
import type { ResolvedTable } from "../../analyzer/metadata.ts";
import { expressionOf, leafOf } from "../../optimizer/rules/push-into-connectors.ts";
import { TRUE } from "../../plan/expression-tree.ts";
import type { Assignment, OutputNode, PlanNode } from "../../plan/node.ts";
import { filterNode, projectNode } from "../../plan/plan-tree.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import { optimizeInTurns } from "../../plan-query.ts";
import type { DataDefinition, PlannedDataDefinition } from "../../planned.ts";

export interface ChangeAtSource {
  readonly analysis: Analysis;
  readonly table: ResolvedTable;
  /** The rows of the table. */
  readonly node: PlanNode;
  readonly predicate: RowExpression;
  /** New values by column, in the types of the columns. */
  readonly values: ReadonlyMap<string, RowExpression>;
}

type ChangeOfRows = Extract<DataDefinition, { readonly action: "CHANGE_ROWS" }>;

/** undefined if the connector may change other rows, or give them other values. */
export async function planChangeAtSource(
  statement: Delete | Update,
  asked: ChangeAtSource,
  metadata: ConnectorMetadata,
): Promise<PlannedDataDefinition | undefined> {
  const { analysis, table, values } = asked;
  const kind = statement.kind === "Delete" ? "DELETE" : "UPDATE";
  const columns = [...values.keys()];
  const { root } = await optimizeInTurns(queryOf(asked), analysis);
  const { schema, table: name } = table.metadata.name;
  const target = `Table${kind === "DELETE" ? "Delete" : "Update"}[table = ${table.catalog}:${schema}.${name}]`;
  const planned = (rows: ChangeOfRows["run"], source: string | undefined): PlannedDataDefinition => ({
    kind: "dataDefinition",
    updateType: kind,
    definition: {
      action: "CHANGE_ROWS",
      catalog: table.catalog,
      run: rows,
      description: `${target}\n    ${source === undefined ? "no row changes" : `source = ${source}`}\n`,
    },
  });
  if (hasNoRows(root)) {
    return planned(async () => 0, undefined);
  }
  const [below, assignments] = root.source.kind === "Project" ? [root.source.source, root.source.assignments] : [root.source, []];
  const leaf = leafOf(below);
  const byName = new Map(assignments.map(({ output, expression }) => [output.name, expression]));
  const found = columns.map((column, index) => {
    const expression = byName.get(root.outputs[index]?.name ?? "") ?? root.outputs[index];
    const value = leaf && expression && expressionOf(withoutCast(expression), leaf.columnOf);
    return value && { column, value };
  });
  const assigned: RowChange["assignments"] = found.flatMap((one) => one ?? []);
  const change =
    leaf === undefined || assigned.length < found.length
      ? undefined
      : metadata.planChange?.(table.metadata, { kind, conditions: leaf.conditions, assignments: assigned });
  if (change === undefined) {
    return undefined;
  }
  return planned(async (connector, query) => connector.runChange?.(change, query) ?? 0, metadata.describeChange?.(change));
}

/** The database converts a computed decimal to the type of its column. */
function withoutCast(expression: RowExpression): RowExpression {
  const isComputed = expression.kind === "cast" && expression.type.kind === "decimal" && expression.arg.kind === "call";
  return isComputed && expression.arg.type.kind === "decimal" ? expression.arg : expression;
}

/** The rows that change, and their new values. */
function queryOf({ analysis, node, predicate, values }: ChangeAtSource): OutputNode {
  const { ids } = analysis;
  const changed: Assignment = { output: ids.variable("changed", BOOLEAN), expression: TRUE };
  const assignments = [...values].map(([name, expression]): Assignment => ({ output: ids.variable(name, expression.type), expression }));
  const all = [...assignments, changed];
  const source = projectNode(ids, filterNode(ids, node, [predicate]), all);
  return {
    kind: "Output",
    id: ids.node(),
    source,
    columnNames: all.map(({ output }) => output.name),
    outputs: all.map(({ output }) => output),
  };
}

function hasNoRows({ source }: OutputNode): boolean {
  const below = source.kind === "Project" ? source.source : source;
  return below.kind === "Values" && below.rows.length === 0;
}
