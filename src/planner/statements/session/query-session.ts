/** WITH SESSION: session properties that hold for one query. Called by plan-statement.ts, and by the statements that explain or describe a query. */
import type { Statement } from "../../../sql/ast/ast.ts";
import { semanticError } from "../../analyzer/errors.ts";
import type { PlanContext } from "../../context.ts";
import { timeZoneProperty } from "../../session-properties.ts";
import { assignedProperty } from "./session.ts";

export interface QuerySession {
  /** As the query sees it. */
  readonly context: PlanContext;
  /** What the query sets; absent where it sets nothing. */
  readonly sessionProperties?: Readonly<Record<string, string>>;
}

/** Values are computed in the session of the client: no property of a query acts on the others. */
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
