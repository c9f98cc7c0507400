/** What statements change in the client's session: SET, RESET, USE, PREPARE and transactions. */
import type { SessionChange } from "../../planner/planned.ts";
import { assert, QueryError } from "../../protocol/errors.ts";
import { isHeaderText } from "../../protocol/http/header-text.ts";
import type { Query } from "./query.ts";
import type { SessionEffects } from "./session.ts";
import type { Transactions } from "./transactions.ts";

/** Carries the change out. What it returns is told to the client. Throws QueryError. */
export async function changeSession(change: SessionChange, query: Query, transactions: Transactions): Promise<SessionEffects> {
  switch (change.action) {
    case "START_TRANSACTION":
      return { startedTransactionId: await transactions.begin(change.mode, query.session.user) };
    case "COMMIT":
    case "ROLLBACK":
      return endTransaction(query, transactions, change.action === "COMMIT");
    case "USE":
      return {
        setSchema: headerText(change.schema, "Schema"),
        ...(change.catalog === undefined ? {} : { setCatalog: headerText(change.catalog, "Catalog") }),
      };
    case "SET_SESSION":
      return { setSession: { [change.name]: change.value } };
    case "SET_PATH":
      return { setPath: headerText(change.path, "Path") };
    case "SET_ROLE":
      return { setRole: { [change.catalog]: change.role } };
    case "SET_AUTHORIZATION":
      return { setAuthorizationUser: headerText(change.user, "User") };
    case "RESET_AUTHORIZATION":
      return { resetAuthorizationUser: true };
    case "RESET_SESSION":
      return { clearSession: [change.name] };
    case "PREPARE":
      return { addedPrepare: { [change.name]: change.sql } };
    case "DEALLOCATE":
      return { deallocatedPrepare: [change.name] };
  }
}

function endTransaction(query: Query, transactions: Transactions, commits: boolean): SessionEffects {
  const { transaction } = query;
  assert(transaction !== undefined || !commits, "checked in planning");
  // The client must drop the transaction id even if the commit fails.
  query.effects = { clearTransactionId: true };
  if (transaction !== undefined) {
    transactions.end(transaction, { queryId: query.id, commits });
  }
  return query.effects;
}

/** The client gets the text in a header, which cannot hold control characters. */
function headerText(text: string, what: string): string {
  if (!isHeaderText(text)) {
    throw new QueryError("NOT_SUPPORTED", `${what} name has control characters, which a header cannot hold`);
  }
  return text;
}
