/**
 * Expands a view. Its query is planned in the session context of its creation, and its columns must still match the stored ones.
 */
import { canCoerce } from "../../../functions/registry/coercion.ts";
import { QueryError } from "../../../protocol/errors.ts";
import type { QualifiedName } from "../../../sql/ast/ast.ts";
import { displayType } from "../../../types/type.ts";
import type { Assignment } from "../../plan/node.ts";
import { extendProject } from "../../plan/plan-tree.ts";
import type { Analysis } from "../analysis.ts";
import { semanticError } from "../errors.ts";
import { coerce } from "../expression/functions.ts";
import { viewSession, type ResolvedView } from "../metadata.ts";
import type { InPieces } from "../../pieces.ts";
import type { Field, RelationPlan } from "../scope/scope.ts";
import { securedRelation } from "./secured.ts";

export function* planView(resolved: ResolvedView, at: QualifiedName, analysis: Analysis): InPieces<RelationPlan> {
  const { catalog, name, query, view } = resolved;
  const qualifier = [catalog, name.schema, name.table];
  const text = qualifier.join(".");
  if (query instanceof QueryError) {
    throw semanticError("INVALID_VIEW", at, `Failed parsing stored view '${text}': ${query.message}`);
  }
  if (analysis.views?.includes(text)) {
    throw semanticError(
      "VIEW_IS_RECURSIVE",
      at,
      text === analysis.createdView ? "Statement would create a recursive view" : "View is recursive",
    );
  }
  const session = viewSession(view, analysis.context.session);
  const { routines: _routines, ...rest } = analysis;
  const inside: Analysis = {
    ...rest,
    context: { ...analysis.context, session },
    tables: analysis.tables.within(session),
    views: [...(analysis.views ?? []), text],
  };
  const plan = yield* planStored(analysis.analyzers.queryInPieces(query, inside, { named: new Map() }), text, at);
  const visible = plan.fields.filter((field) => !field.hidden);
  const reason = staleness(visible, view.columns);
  if (reason !== undefined) {
    throw semanticError("VIEW_IS_STALE", at, `View '${text}' is stale or in invalid state: ${reason}`);
  }
  const added: Assignment[] = [];
  const fields = view.columns.map((column, index): Field => {
    const expression = coerce((visible[index] as Field).expression, column.type);
    if (expression.kind === "variable") {
      return { name: column.name, qualifier, expression, hidden: false };
    }
    const output = analysis.ids.variable(column.name, column.type);
    added.push({ output, expression });
    return { name: column.name, qualifier, expression: output, hidden: false };
  });
  return securedRelation({ catalog, ...name }, { node: extendProject(analysis.ids, plan.node, added), fields }, analysis, at);
}

function* planStored(plan: InPieces<RelationPlan>, name: string, at: QualifiedName): InPieces<RelationPlan> {
  try {
    return yield* plan;
  } catch (error) {
    if (!(error instanceof QueryError)) {
      throw error;
    }
    throw semanticError("INVALID_VIEW", at, `Failed analyzing stored view '${name}': ${error.message}`);
  }
}

type StoredColumns = ResolvedView["view"]["columns"];

/** Returns why the stored columns of the view no longer match its query, in Trino's words; undefined if they match. */
function staleness(fields: readonly Field[], columns: StoredColumns): string | undefined {
  if (fields.length !== columns.length) {
    return `stored view column count (${columns.length}) does not match column count derived from the view query analysis (${fields.length})`;
  }
  for (const [index, column] of columns.entries()) {
    const field = fields[index] as Field;
    const type = displayType(field.expression.type);
    const place = `projected from query view at position ${index}`;
    const stored = `column [${column.name}] of type ${displayType(column.type)} stored in view definition`;
    if (field.name === undefined) {
      return `a column of type ${type} ${place} has no name`;
    }
    if (field.name.toLowerCase() !== column.name.toLowerCase()) {
      return `column [${field.name}] of type ${type} ${place} has a different name from ${stored}`;
    }
    if (!canCoerce(field.expression.type, column.type)) {
      return `column [${field.name}] of type ${type} ${place} cannot be coerced to ${stored}`;
    }
  }
  return undefined;
}
