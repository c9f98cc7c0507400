/**
 * A table or a view as its reader may see it: rows that pass the row filter, and masks in the place of columns.
 */
import { canCoerce } from "../../../functions/registry/coercion.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { qualifiedText, type QualifiedRelation, type SecuredExpression, type TableRights } from "../../../security/access-control.ts";
import { parseSingleExpression } from "../../../sql/parser/parser.ts";
import { BOOLEAN, displayType } from "../../../types/type.ts";
import { describedRelation } from "../../access/described.ts";
import { readerOf, securedSession } from "../../access/reader.ts";
import type { Assignment, PlanNode } from "../../plan/node.ts";
import { variablesOf } from "../../plan/expression-tree.ts";
import { filterNode, projectNode } from "../../plan/plan-tree.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import type { SecuredUse } from "../../access/reads.ts";
import type { Analysis, Environment, PendingSubquery } from "../analysis.ts";
import { type Placed, semanticError } from "../errors.ts";
import { requireScalar } from "../aggregation/calls-inside.ts";
import { analyzeExpression } from "../expression/analyze-expression.ts";
import { coerce } from "../expression/functions.ts";
import type { Field, RelationPlan } from "../scope/scope.ts";

/** Who may read a table about another one sees that one as it is. */
const unsecured: Pick<TableRights, "filter" | "masks"> = Object.freeze({ masks: new Map() });

interface Secured {
  readonly table: QualifiedRelation;
  readonly fields: readonly Field[];
  readonly analysis: Analysis;
  /** Where the statement names the table. */
  readonly at: Placed;
}

/** A row filter or a mask over the columns of its table. */
interface SecuredValue extends SecuredUse {
  readonly value: RowExpression;
}

/** Records the read; returns the relation itself if rights are not checked. `at`: where the statement names it. */
export function securedRelation(table: QualifiedRelation, { fields, node }: RelationPlan, analysis: Analysis, at: Placed): RelationPlan {
  const { ids, reads } = analysis;
  if (reads === undefined) {
    return { node, fields };
  }
  const { session } = analysis.context;
  const described = describedRelation(table, analysis.context);
  const { filter, masks } = described === undefined ? reads.access.tableRights(readerOf(session), table) : unsecured;
  const scope: Secured = { table, fields, analysis, at };
  const filtered = filter === undefined ? undefined : filteredRows(filter, node, scope);
  const masked = maskedColumns(masks, filtered?.node ?? node, scope);
  const outputs = fields.map(({ expression, name }) => ids.variable(name ?? "column", expression.type));
  const assignments = fields.map((field, index): Assignment => {
    const output = outputs[index] as Assignment["output"];
    const expression = masked.values.get(field.name ?? "")?.value ?? field.expression;
    return { output, expression, ...(field.name !== undefined && { column: field.name }) };
  });
  const read = reads.add({
    table,
    described,
    session,
    columns: fields.flatMap(({ hidden, name }) => (hidden || name === undefined ? [] : [name])),
    isSecured: filter !== undefined || masked.values.size > 0,
    filter: filtered?.use,
    masks: masked.values,
  });
  return {
    node: Object.assign(projectNode(ids, masked.node, assignments), { read, ...(filter !== undefined && { fence: true as const }) }),
    fields: fields.map((field, index): Field => Object.assign({}, field, { expression: outputs[index] })),
  };
}

function filteredRows(filter: SecuredExpression, node: PlanNode, secured: Secured): { readonly node: PlanNode; readonly use: SecuredUse } {
  const subqueries: PendingSubquery[] = [];
  const text = qualifiedText(secured.table);
  const use = analyzed(filter, { errorName: "INVALID_ROW_FILTER", what: "row filter", of: text }, secured, subqueries);
  const { type } = use.value;
  if (type.kind !== "boolean" && type.kind !== "unknown") {
    const what = `Expected row filter for '${text}' to be of type BOOLEAN, but was ${displayType(type)}`;
    throw semanticError("TYPE_MISMATCH", secured.at, what);
  }
  return { node: filterNode(secured.analysis.ids, applied(node, subqueries), [coerce(use.value, BOOLEAN)]), use };
}

/** The masks of columns that there are, by name. */
function maskedColumns(
  masks: ReadonlyMap<string, SecuredExpression>,
  node: PlanNode,
  secured: Secured,
): { readonly node: PlanNode; readonly values: ReadonlyMap<string, SecuredValue> } {
  const values = new Map<string, SecuredValue>();
  const subqueries: PendingSubquery[] = [];
  for (const { expression, name } of secured.fields) {
    const mask = name === undefined ? undefined : masks.get(name);
    if (name !== undefined && mask !== undefined) {
      const column = `${qualifiedText(secured.table)}.${name}`;
      const use = analyzed(mask, { errorName: "INVALID_COLUMN_MASK", what: "column mask", of: column }, secured, subqueries);
      const { type } = expression;
      const { type: own } = use.value;
      if (own.kind !== "unknown" && !canCoerce(own, type)) {
        const what = `Expected column mask for '${column}' to be of type ${displayType(type)}, but was ${displayType(own)}`;
        throw semanticError("TYPE_MISMATCH", secured.at, what);
      }
      values.set(name, { ...use, value: coerce(use.value, type) });
    }
  }
  return { node: applied(node, subqueries), values };
}

interface Purpose {
  readonly errorName: "INVALID_ROW_FILTER" | "INVALID_COLUMN_MASK";
  readonly what: "row filter" | "column mask";
  /** Name of the table or of the column. */
  readonly of: string;
}

function analyzed(
  expression: SecuredExpression,
  { errorName, of, what }: Purpose,
  { analysis, at, fields, table }: Secured,
  subqueries: PendingSubquery[],
): SecuredValue {
  const title = `${what === "row filter" ? "Row filter" : "Column mask"} for '${of}'`;
  // Another user may have another filter for the same table.
  const key = `${qualifiedText(table)} ${readerOf(analysis.context.session)}`;
  if (analysis.securing?.includes(key) === true) {
    throw semanticError(errorName, at, `${title} is recursive`);
  }
  const { routines: _routines, ...rest } = analysis;
  const session = securedSession(expression, table, analysis.context.session);
  const inside: Analysis = {
    ...rest,
    context: { ...analysis.context, session },
    tables: analysis.tables.within(session),
    securing: [...(analysis.securing ?? []), key],
  };
  const parsed = explained(() => parseSingleExpression(expression.sql));
  requireScalar(parsed, title);
  const before = subqueries.length;
  const scope = { fields, queryBoundary: true };
  const env: Environment = { analysis: inside, scope, queries: { named: new Map() }, clause: what, subqueries };
  const value = explained(() => analyzeExpression(parsed, env));
  const read = [value, ...subqueries.slice(before).flatMap(({ uses }) => uses)];
  const used = new Set(variablesOf(read).map(({ name }) => name));
  const columns = fields.flatMap((field) => {
    const isUsed = field.expression.kind === "variable" && used.has(field.expression.name);
    return isUsed && field.name !== undefined ? [field.name] : [];
  });
  return { value, session, columns };

  function explained<T>(analyze: () => T): T {
    try {
      return analyze();
    } catch (error) {
      throw error instanceof QueryError ? semanticError(errorName, at, `Invalid ${what} for '${of}': ${withoutLocation(error)}`) : error;
    }
  }
}

/** Locations in the expression mean nothing to who reads the statement. */
function withoutLocation({ location, message }: QueryError): string {
  const place = location === undefined ? "" : `line ${location.lineNumber}:${location.columnNumber}: `;
  return message.startsWith(place) ? message.slice(place.length) : message;
}

function applied(node: PlanNode, subqueries: readonly PendingSubquery[]): PlanNode {
  return subqueries.reduce((current, subquery) => subquery.apply(current, (value) => value), node);
}
