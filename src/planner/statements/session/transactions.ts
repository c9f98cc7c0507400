/**
 * START TRANSACTION, COMMIT and ROLLBACK. The coordinator holds the transactions.
 */
import { QueryError } from "../../../protocol/errors.ts";
import type { Commit, Rollback, StartTransaction } from "../../../sql/ast/ast.ts";
import type { PlanContext } from "../../context.ts";
import type { PlannedSessionChange } from "../../planned.ts";

export function planStartTransaction(statement: StartTransaction, { session }: PlanContext): PlannedSessionChange {
  if (session.clientTransactionSupport !== true) {
    throw new QueryError("INCOMPATIBLE_CLIENT", "Client does not support transactions");
  }
  if (session.transactionId !== undefined) {
    throw new QueryError("NOT_SUPPORTED", "Nested transactions not supported");
  }
  const mode = { isolation: statement.isolation ?? "READ UNCOMMITTED", readOnly: statement.accessMode === "READ ONLY" } as const;
  return { kind: "session", updateType: "START TRANSACTION", change: { action: "START_TRANSACTION", mode } };
}

export function planEndTransaction(statement: Commit | Rollback, { session }: PlanContext): PlannedSessionChange {
  if (session.transactionId === undefined) {
    throw new QueryError("NOT_IN_TRANSACTION", "No transaction in progress");
  }
  return statement.kind === "Commit"
    ? { kind: "session", updateType: "COMMIT", change: { action: "COMMIT" } }
    : { kind: "session", updateType: "ROLLBACK", change: { action: "ROLLBACK" } };
}
