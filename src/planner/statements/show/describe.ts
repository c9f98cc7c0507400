/**
 * DESCRIBE INPUT lists the parameters of a prepared statement, DESCRIBE OUTPUT its result columns and their origins.
 */
import type { DescribeInput, DescribeOutput, LongLiteral, Query, Statement } from "../../../sql/ast/ast.ts";
import { parseStatement } from "../../../sql/parser/parser.ts";
import { visitSyntax } from "../../../sql/ast/walk.ts";
import { BIGINT, BOOLEAN, INTEGER, type Type } from "../../../types/type.ts";
import type { Analysis } from "../../analyzer/analysis.ts";
import { planQuery } from "../../analyzer/query/query.ts";
import type { Field, RelationPlan } from "../../analyzer/scope/scope.ts";
import { requireReads } from "../../access/relation-reads.ts";
import type { PlanContext } from "../../context.ts";
import { outputsOf, type PlanNode } from "../../plan/node.ts";
import { startAnalysis } from "../../plan-query.ts";
import type { PlannedQuery } from "../../planned.ts";
import { sourcesOf } from "../../plan/plan-tree.ts";
import { describable } from "./describable.ts";
import { countParameters, preparedText } from "../session/prepared.ts";
import { querySession } from "../session/query-session.ts";
import { hasPlan, showsRows } from "../statement-kinds.ts";
import { planRows, varcharColumn } from "../values.ts";

export async function planDescribeInput(statement: DescribeInput, context: PlanContext): Promise<PlannedQuery> {
  const prepared = parseStatement(preparedText(statement.name.value, context));
  await requireTarget(prepared, context);
  const count = countParameters(prepared);
  const counts = new Map<number, Type>();
  const query = describable(prepared);
  const plan = query === undefined ? undefined : await planDescribed(withRowCounts(query, counts), context);
  const types = new Map([...counts, ...(plan === undefined ? [] : parameterTypes(plan.relation.node))]);
  const rows = Array.from({ length: count }, (_, position) => {
    const type = types.get(position);
    return [position, type === undefined ? "unknown" : context.typeText(type)];
  });
  return planRows([{ name: "Position", type: INTEGER }, varcharColumn("Type")], rows);
}

/** Checks that the target table of a statement that changes rows exists, because its description does not depend on the table. */
async function requireTarget(prepared: Statement, context: PlanContext): Promise<void> {
  const { kind } = prepared;
  if (kind === "Delete" || kind === "Insert" || kind === "Merge" || kind === "Update") {
    (await startAnalysis(prepared, context)).tables.resolveRelation(prepared.table, prepared);
  }
}

interface Described {
  readonly relation: RelationPlan;
  readonly analysis: Analysis;
}

/**
 * Parameters are marked constants of unknown type in the plan. The cast that an operator adds to such a constant determines the parameter's
 * type.
 */
async function planDescribed(query: Query, given: PlanContext): Promise<Described> {
  const { context } = await querySession(query, given);
  const analysis: Analysis = { ...(await startAnalysis(query, context)), describesParameters: true };
  const relation = planQuery(query, analysis, { named: new Map() });
  requireReads(relation, analysis);
  return { relation, analysis };
}

function parameterTypes(plan: PlanNode): ReadonlyMap<number, Type> {
  const types = new Map<number, Type>();
  visitSyntax(plan, (node) => {
    const arg = node["arg"] as { readonly kind?: string; readonly type?: Type; readonly value?: unknown } | undefined;
    if (node["kind"] !== "cast" || arg?.kind !== "constant" || arg.type?.kind !== "unknown" || typeof arg.value !== "string") {
      return;
    }
    const position = Number(arg.value.slice(1));
    if (!types.has(position)) {
      types.set(position, node["type"] as Type);
    }
  });
  return types;
}

/** Parameters of LIMIT, OFFSET and FETCH FIRST are bigint. An arbitrary number replaces them. */
function withRowCounts(query: Query, types: Map<number, Type>): Query {
  const bind = (value: unknown, key: string): unknown => {
    if (typeof value !== "object" || value === null) {
      return value;
    }
    const { kind, location } = value as { readonly kind?: string; readonly location?: unknown };
    if (kind !== undefined && (key === "count" || key === "offset") && countParameters(value) > 0) {
      visitSyntax(value, ({ kind: inner, position }) => {
        if (inner === "Parameter") {
          types.set(position as number, BIGINT);
        }
      });
      return { kind: "LongLiteral", value: "1", location } as LongLiteral;
    }
    if (Array.isArray(value)) {
      return value.map((item) => bind(item, ""));
    }
    return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, bind(child, name)]));
  };
  return bind(query, "") as Query;
}

export async function planDescribeOutput(
  statement: DescribeOutput,
  context: PlanContext,
  planStatement: (
    statement: Statement,
    context: PlanContext,
  ) => Promise<{ readonly kind: string; readonly columns?: PlannedQuery["columns"] }>,
): Promise<PlannedQuery> {
  const prepared = parseStatement(preparedText(statement.name.value, context));
  await requireTarget(prepared, context);
  const columns = [
    ...["Column Name", "Catalog", "Schema", "Table", "Type"].map(varcharColumn),
    { name: "Type Size", type: INTEGER },
    { name: "Aliased", type: BOOLEAN },
  ];
  if (prepared.kind === "Query") {
    const { relation } = await planDescribed(withRowCounts(prepared, new Map()), context);
    const fields = relation.fields.filter((field) => !field.hidden);
    return planRows(
      columns,
      fields.map((field, index) =>
        describeField(field, index, relation.node, { hasAlias: aliasOf(prepared, index), typeText: context.typeText }),
      ),
    );
  }
  if (hasPlan(prepared) && !showsRows(prepared)) {
    return planRows(columns, [["rows", "", "", "", "bigint", 8, false]]);
  }
  const isShown = showsRows(prepared) && countParameters(prepared) === 0;
  const planned = isShown ? await planStatement(prepared, context) : undefined;
  const shown = planned?.kind === "query" ? (planned.columns ?? []) : [];
  return planRows(
    columns,
    shown.map(({ name, type }) => [name, "", "", "", context.typeText(type), typeSize(type), true]),
  );
}

/** Returns whether the SELECT item has an alias. Only possible if every item is a single column. */
function aliasOf({ body }: Query, index: number): boolean {
  if (body.kind !== "QuerySpecification") {
    return false;
  }
  const { items } = body.select;
  const item = items.some(({ kind }) => kind === "AllColumns") ? undefined : items[index];
  return item?.kind === "SingleColumn" && item.alias !== undefined;
}

function describeField(
  field: Field,
  index: number,
  plan: PlanNode,
  shown: { readonly hasAlias: boolean; readonly typeText: PlanContext["typeText"] },
) {
  const { expression, name } = field;
  const origin = expression.kind === "variable" ? originOf(expression.name, plan) : undefined;
  const isRenamed = name !== undefined && name.toLowerCase() !== origin?.column;
  const type = shown.typeText(expression.type);
  const table = [origin?.catalog ?? "", origin?.schema ?? "", origin?.table ?? ""];
  return [name ?? `_col${index}`, ...table, type, typeSize(expression.type), shown.hasAlias || isRenamed];
}

interface Origin {
  readonly catalog: string;
  readonly schema: string;
  readonly table: string;
  readonly column: string;
}

/** Returns the table column that passes through to the output unchanged; undefined for a computed column. */
function originOf(name: string, node: PlanNode): Origin | undefined {
  switch (node.kind) {
    case "TableScan": {
      const column = node.columns[node.outputs.findIndex((output) => output.name === name)];
      const { catalog, name: table } = node.table;
      return column === undefined ? undefined : { catalog, ...table, column: column.name };
    }
    case "Project": {
      const value = node.assignments.find(({ output }) => output.name === name)?.expression;
      return value?.kind === "variable" ? originOf(value.name, node.source) : undefined;
    }
    case "Union":
      return undefined;
    default: {
      const source = sourcesOf(node).find((one) => outputsOf(one).some((output) => output.name === name));
      return source === undefined ? undefined : originOf(name, source);
    }
  }
}

/** Size of a value in bytes; 0 for variable-width types. */
function typeSize(type: Type): number {
  switch (type.kind) {
    case "boolean":
    case "tinyint":
      return 1;
    case "smallint":
      return 2;
    case "integer":
    case "real":
    case "date":
    case "interval year to month":
      return 4;
    case "bigint":
    case "double":
    case "interval day to second":
      return 8;
    case "timestamp":
      return type.precision <= 6 ? 8 : 16;
    case "decimal":
      return type.precision <= 18 ? 8 : 16;
    default:
      return 0;
  }
}
