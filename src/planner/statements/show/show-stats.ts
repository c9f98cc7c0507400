/**
 * SHOW STATS FOR a table or a query: the optimizer's estimates, one row for each column, then a row with the row count.
 */
import { formatDate } from "../../../functions/runtime/formats.ts";
import type { Query, ShowStats } from "../../../sql/ast/ast.ts";
import { assert } from "../../../protocol/errors.ts";
import { DOUBLE, physicalType, type Type } from "../../../types/type.ts";
import type { PlanContext } from "../../context.ts";
import type { ConstantValue } from "../../plan/typed-expression.ts";
import { notSupported } from "../../analyzer/errors.ts";
import { analyzeInTurns, optimizeInTurns, startAnalysis } from "../../plan-query.ts";
import type { PlannedQuery } from "../../planned.ts";
import type { ColumnEstimate } from "../../optimizer/stats/estimate.ts";
import { planRows, varcharColumn, type ShownColumn } from "../values.ts";

const doubleColumn = (name: string): ShownColumn => ({ name, type: DOUBLE });

const columns: readonly ShownColumn[] = Object.freeze([
  varcharColumn("column_name"),
  doubleColumn("data_size"),
  doubleColumn("distinct_values_count"),
  doubleColumn("nulls_fraction"),
  doubleColumn("row_count"),
  varcharColumn("low_value"),
  varcharColumn("high_value"),
]);

export async function planShowStats(statement: ShowStats, context: PlanContext): Promise<PlannedQuery> {
  const query = statement.query ?? wholeTable(statement);
  const analysis = await startAnalysis(query, context);
  const analyzed = await analyzeInTurns(query, analysis);
  if (analysis.reads?.hasSecured === true) {
    throw notSupported(statement, "SHOW STATS is not supported for a table with a row filter or column masks");
  }
  const { root, estimator } = await optimizeInTurns(analyzed, analysis);
  const { rows, known, columns: estimates } = estimator.estimate(root.source);
  const shown = root.outputs.map((output, index): readonly ConstantValue[] => {
    const estimate = known ? (estimates.get(output.name) ?? {}) : {};
    return [root.columnNames[index] ?? "", ...columnValues(output.type, estimate, rows)];
  });
  return planRows(columns, [...shown, [null, null, null, null, known ? rows : null, null, null]]);
}

function wholeTable({ table, location }: ShowStats): Query {
  assert(table !== undefined, "SHOW STATS names a table or has a query");
  return { kind: "Query", body: { kind: "TableQuery", name: table, location }, orderBy: [], location };
}

function columnValues(
  type: Type,
  { distinct, nullsFraction, low, high, averageBytes }: ColumnEstimate,
  rows: number,
): readonly ConstantValue[] {
  const values = rows * (1 - (nullsFraction ?? 0));
  const isText = physicalType(type) === "bytes";
  return [
    isText && averageBytes !== undefined ? averageBytes * values : null,
    distinct === undefined ? null : Math.min(distinct, values),
    nullsFraction ?? null,
    null,
    low === undefined ? null : boundText(type, low),
    high === undefined ? null : boundText(type, high),
  ];
}

/** Formats a bound in the column's type. Returns null for types whose bounds are not shown. */
function boundText(type: Type, value: number): string | null {
  switch (type.kind) {
    case "tinyint":
    case "smallint":
    case "integer":
    case "bigint":
      return String(Math.round(value));
    case "date":
      return formatDate(Math.round(value));
    case "decimal":
      return value.toFixed(type.scale);
    case "double":
    case "real":
      return String(value);
    default:
      return null;
  }
}
