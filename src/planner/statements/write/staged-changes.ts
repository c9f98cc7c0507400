/**
 * Plans a DELETE, UPDATE or MERGE of a connector that changes single rows: the rows that change are computed by the engine, written to the
 * connector with their new values and with the values by which it finds them again, and changed at the commit.
 */
import type { ColumnMetadata } from "../../../connectors/spi.ts";
import type { StagedChange } from "../../../connectors/pushdown.ts";
import { INTEGER } from "../../../types/type.ts";
import type { Analysis } from "../../analyzer/analysis.ts";
import type { ResolvedTable } from "../../analyzer/metadata.ts";
import type { Assignment, PlanNode, RewriteKind, WriteTarget } from "../../plan/node.ts";
import { projectNode } from "../../plan/plan-tree.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import type { PlannedQuery } from "../../planned.ts";
import { planWrite } from "./write.ts";

export interface StagedRows {
  readonly kind: RewriteKind;
  readonly table: ResolvedTable;
  /** Result of changedBy of the connector. */
  readonly changedBy: readonly string[];
  readonly changes: readonly StagedChange[];
  /** The rows that change, each once. */
  readonly node: PlanNode;
  /** Index of the change of a row. */
  readonly change: RowExpression;
  /** The value before the change. */
  readonly old: (column: string) => RowExpression;
  /** The value after the change, for the changes that write the column. */
  readonly value: (column: ColumnMetadata) => RowExpression;
}

export function planStagedChanges(staged: StagedRows, analysis: Analysis): Promise<PlannedQuery> {
  const { changedBy, changes, kind, node, table } = staged;
  const { ids } = analysis;
  const { columns, coordinatorOnly, name } = table.metadata;
  const hasOld = changes.some((change) => change.kind !== "INSERT");
  const found = hasOld ? changedBy.flatMap((one) => columns.find((column) => column.name === one) ?? []) : [];
  const written = columns.filter((column) => changes.some((change) => change.columns.includes(column.name)));
  const sinkColumns: readonly ColumnMetadata[] = [
    { name: "change", type: INTEGER },
    ...found.map((column) => ({ name: `old ${column.name}`, type: column.type })),
    ...written.map((column) => writtenColumn(column, changes)),
  ];
  const values = [staged.change, ...found.map((column) => staged.old(column.name)), ...written.map((column) => staged.value(column))];
  const assignments = sinkColumns.map((column, index): Assignment => {
    return { output: ids.variable(column.name, column.type), expression: values[index] as RowExpression };
  });
  const target: WriteTarget = {
    catalog: table.catalog,
    name,
    kind,
    changes,
    columns: sinkColumns,
    handle: null,
    ...(coordinatorOnly === true && { coordinatorOnly }),
  };
  return planWrite(projectNode(ids, node, assignments), { target, table: table.metadata }, kind, analysis);
}

/** The writer checks NOT NULL if every row has a new value. Otherwise the connector does, as a row of another change has a NULL there. */
function writtenColumn({ name, nullable, type }: ColumnMetadata, changes: readonly StagedChange[]): ColumnMetadata {
  return { name, type, ...(nullable === false && changes.every(({ columns }) => columns.includes(name)) && { nullable }) };
}
