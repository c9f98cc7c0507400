/**
 * WITH SESSION: session properties for a single query.
 */
import type { Statement } from "../../../sql/ast/ast.ts";
import { semanticError } from "../../analyzer/errors.ts";
import type { PlanContext } from "../../context.ts";
import { timeZoneProperty } from "../../session-properties.ts";
import { assignedProperty } from "./session.ts";

export interface QuerySession {
  /** The context with the query's session properties. */
  readonly context: PlanContext;
  /** Properties that the query sets; absent if it sets none. */
  readonly sessionProperties?: Readonly<Record<string, string>>;
}

/** Property values are evaluated in the client's session: no property of the query affects the others. */
export async function querySession(statement: Statement, context: PlanContext): Promise<QuerySession> {
  const assignments = statement.kind === "Query" ? (statement.session ?? []) : [];
  if (assignments.length === 0) {
    return { context };
  }
  const values = new Map<string, string>();
  for (const assignment of assignments) {
    const { name, value } = await assignedProperty(assignment, context);
    if (values.has(name)) {
      throw semanticError("INVALID_SESSION_PROPERTY", assignment, `Session property '${name}' is set more than once`);
    }
    values.set(name, value);
  }
  const sessionProperties = Object.fromEntries(values);
  const { session } = context;
  const timeZone = values.get(timeZoneProperty) ?? session.timeZone;
  return {
    context: { ...context, session: { ...session, timeZone, properties: { ...session.properties, ...sessionProperties } } },
    sessionProperties,
  };
}
