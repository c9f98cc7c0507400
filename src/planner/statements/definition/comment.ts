/**
 * Plans COMMENT ON TABLE, VIEW and COLUMN; a column may belong to a table or a view. The checks run here; the connector makes the change.
 */
import { type Comment, type Identifier, lowerName } from "../../../sql/ast/ast.ts";
import { semanticError } from "../../analyzer/errors.ts";
import { commentedTable, qualifyTable, requireConnector, type ResolvedView, tableIsNoView, viewNotFound } from "../../analyzer/metadata.ts";
import type { PlanContext } from "../../context.ts";
import { startAnalysis } from "../../plan-query.ts";
import type { PlannedDataDefinition } from "../../planned.ts";
import { altered, find } from "./alter.ts";
import { change, nothing, unsupported } from "./data-definition.ts";

export function planComment(statement: Comment, context: PlanContext): Promise<PlannedDataDefinition> {
  switch (statement.object) {
    case "TABLE":
      return commentOnTable(statement, context);
    case "VIEW":
      return commentOnView(statement, context);
    case "COLUMN":
      return commentOnColumn(statement, context);
  }
}

async function commentOnTable(statement: Comment, context: PlanContext): Promise<PlannedDataDefinition> {
  const meant = (text: string) => `COMMENT ON VIEW ${text} IS ...`;
  const found = await altered({ name: statement.name, meant }, statement, context);
  if (found === undefined) {
    return nothing("COMMENT");
  }
  const { setTableComment } = found.metadata;
  if (setTableComment === undefined) {
    throw unsupported(statement, "setting table comments");
  }
  return change("COMMENT", found.catalog, async (metadata, query) => metadata.setTableComment?.(found.table, statement.comment, query));
}

async function commentOnView(statement: Comment, context: PlanContext): Promise<PlannedDataDefinition> {
  const { tables } = await startAnalysis(statement, context);
  const view = tables.findView(statement.name);
  if (view === undefined) {
    const name = qualifyTable(statement.name, context.session);
    if (tables.find(statement.name) === undefined) {
      throw viewNotFound(statement, name);
    }
    throw tableIsNoView("TABLE_NOT_FOUND", statement, name, (text) => `COMMENT ON TABLE ${text} IS ...`);
  }
  const { setViewComment } = requireConnector(context, view.catalog, statement).metadata;
  if (setViewComment === undefined) {
    throw unsupported(statement, "setting view comments");
  }
  return change("COMMENT", view.catalog, async (metadata, query) => metadata.setViewComment?.(view.name, statement.comment, query));
}

async function commentOnColumn(statement: Comment, context: PlanContext): Promise<PlannedDataDefinition> {
  const name = commentedTable(statement.name, true);
  const column = statement.name.parts.at(-1);
  if (name === undefined || column === undefined) {
    throw semanticError("MISSING_TABLE", statement, "Table must be specified");
  }
  const { tables } = await startAnalysis(statement, context);
  const view = tables.findView(name, statement);
  if (view !== undefined) {
    return commentOnViewColumn(statement, view, column, context);
  }
  const found = await altered({ name }, statement, context);
  if (found === undefined) {
    return nothing("COMMENT");
  }
  const commented = find(found.columns, column);
  if (commented === undefined) {
    throw columnNotFound(statement, column);
  }
  const { setColumnComment } = found.metadata;
  if (setColumnComment === undefined) {
    throw unsupported(statement, "setting column comments");
  }
  return change("COMMENT", found.catalog, async (metadata, query) =>
    metadata.setColumnComment?.(found.table, commented.name, statement.comment, query),
  );
}

function commentOnViewColumn(
  statement: Comment,
  { catalog, name, view }: ResolvedView,
  column: Identifier,
  context: PlanContext,
): PlannedDataDefinition {
  const commented = view.columns.find((one) => one.name === lowerName(column));
  if (commented === undefined) {
    throw columnNotFound(statement, column);
  }
  const { setViewColumnComment } = requireConnector(context, catalog, statement).metadata;
  if (setViewColumnComment === undefined) {
    throw unsupported(statement, "setting view column comments");
  }
  return change("COMMENT", catalog, async (metadata, query) =>
    metadata.setViewColumnComment?.(name, commented.name, statement.comment, query),
  );
}

function columnNotFound(statement: Comment, column: Identifier): Error {
  return semanticError("COLUMN_NOT_FOUND", statement, `Column does not exist: ${lowerName(column)}`);
}
