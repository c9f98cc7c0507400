/**
 * Plans VALUES. An expression of row type is a row, like `(a, b)`. Rows with subqueries, and rows computed by one expression, become
 * separate plans.
 */
import { displayType } from "../../../types/type.ts";
import type { Expression, Values } from "../../../sql/ast/ast.ts";
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import { outputsOf, type PlanNode, type ValuesNode } from "../../plan/node.ts";
import { extendProject, projectNode } from "../../plan/plan-tree.ts";
import type { Analysis, Environment, PendingSubquery, QueryContext } from "../analysis.ts";
import { semanticError } from "../errors.ts";
import { type InPieces, mapInPieces } from "../../pieces.ts";
import { analyzeExpression } from "../expression/analyze-expression.ts";
import { coerceToCommon } from "../expression/functions.ts";
import type { RelationPlan, Scope } from "../scope/scope.ts";
import { fieldAt } from "../expression/structures.ts";
import { applySubqueries } from "../subquery/subqueries.ts";

interface ValuesRow {
  readonly syntax: Expression;
  readonly columns: readonly RowExpression[];
  /** Plan that computes the inputs of `columns`; absent if they need none. */
  readonly source?: PlanNode;
}

export function* planValues(values: Values, analysis: Analysis, queries: QueryContext): InPieces<RelationPlan> {
  const scope: Scope = { fields: [], queryBoundary: true, ...(queries.outer && { parent: queries.outer }) };
  const env: Environment = { analysis, scope, queries, clause: "VALUES" };
  const rows = yield* mapInPieces(values.rows, (row) => analyzeRow(row, env));
  const width = rows[0]?.columns.length ?? 0;
  const mismatch = (odd: ValuesRow | undefined): string =>
    `Values rows have mismatched types: ${rowType(rows[0]?.columns ?? [])} vs ${rowType(odd?.columns ?? [])}`;
  for (const row of rows) {
    if (row.columns.length !== width) {
      throw semanticError("TYPE_MISMATCH", values, `Values rows have mismatched sizes: ${width} vs ${row.columns.length}`);
    }
  }
  yield rows.length;
  const columns = Array.from({ length: width }, (_, column) =>
    coerceToCommon(
      rows.map((row) => row.columns[column] as RowExpression),
      (_common, index) => semanticError("TYPE_MISMATCH", values, mismatch(rows[index])),
    ),
  );
  yield width;
  const outputs = columns.map((column): Variable => analysis.ids.variable("field", (column[0] as RowExpression).type));
  const coerced = rows.map((row, index) => ({ ...row, columns: columns.map((column) => column[index] as RowExpression) }));
  const node = unionOf(coerced, outputs, analysis);
  return { node, fields: outputsOf(node).map((expression) => ({ expression, hidden: false })) };
}

function analyzeRow(syntax: Expression, given: Environment): ValuesRow {
  const { analysis } = given;
  const subqueries: PendingSubquery[] = [];
  const env = { ...given, subqueries };
  const source = (): PlanNode => {
    const single: ValuesNode = { kind: "Values", id: analysis.ids.node(), outputs: [], rows: [[]] };
    return applySubqueries(single, subqueries);
  };
  if (syntax.kind === "Row") {
    const columns = syntax.items.map((item) => analyzeExpression(item, env));
    return { syntax, columns, ...(subqueries.length > 0 && { source: source() }) };
  }
  const value = analyzeExpression(syntax, env);
  const { type } = value;
  if (type.kind !== "row") {
    return { syntax, columns: [value], ...(subqueries.length > 0 && { source: source() }) };
  }
  const row = analysis.ids.variable("row", type);
  const computed = extendProject(analysis.ids, source(), [{ output: row, expression: value }]);
  return { syntax, columns: type.fields.map((_field, index) => fieldAt(row, index)), source: computed };
}

/** Preserves the order of the rows. Adjacent rows without a source share one Values node. */
function unionOf(rows: readonly ValuesRow[], outputs: readonly Variable[], { ids }: Analysis): PlanNode {
  const isPlain = rows.every(({ source }) => source === undefined);
  const parts: PlanNode[] = [];
  const made = (): readonly Variable[] =>
    rows.length === 1 || isPlain ? outputs : outputs.map(({ name, type }) => ids.variable(name, type));
  let plain: (readonly RowExpression[])[] = [];
  const endPlain = (): void => {
    if (plain.length > 0) {
      parts.push({ kind: "Values", id: ids.node(), outputs: made(), rows: plain });
    }
    plain = [];
  };
  for (const { columns, source } of rows) {
    if (source === undefined) {
      plain.push(columns);
      continue;
    }
    endPlain();
    const variables = made();
    const assignments = columns.map((expression, index) => ({ output: variables[index] as Variable, expression }));
    parts.push(projectNode(ids, source, assignments));
  }
  endPlain();
  const [only] = parts;
  if (only !== undefined && parts.length === 1) {
    return only;
  }
  return { kind: "Union", id: ids.node(), sources: parts, outputs, sourceVariables: parts.map(outputsOf) };
}

function rowType(row: readonly RowExpression[]): string {
  return `row(${row.map((item) => displayType(item.type)).join(", ")})`;
}
