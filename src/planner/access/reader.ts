/**
 * Whose rights count for a part of a statement.
 */
import type { QualifiedSchema, SecuredExpression } from "../../security/access-control.ts";
import type { PlanSession } from "../context.ts";

/** The user of the session, or the owner of the view that is planned. */
export function readerOf({ owner, user }: PlanSession): string {
  return owner ?? user;
}

/** The view is read by another user than its owner, who thereby passes a right on. */
export function isPassedOn({ owner, ownerOf, user }: PlanSession): boolean {
  return owner !== undefined && owner !== user && ownerOf !== "rule";
}

/** Session of a row filter or a mask: names belong to the schema of its table. */
export function securedSession(expression: SecuredExpression, { catalog, schema }: QualifiedSchema, session: PlanSession): PlanSession {
  const { path: _path, ...rest } = session;
  return { ...rest, catalog, schema, ...(expression.user !== undefined && { owner: expression.user, ownerOf: "rule" }) };
}
