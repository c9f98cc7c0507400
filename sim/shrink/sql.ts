/**
 * Shortens the text of statements; candidates still parse, and the shortest come first.
 */
import type { PlannedStatement, RunPlan } from "../plan.ts";
import { tableStatement } from "../workload/user-tables.ts";
import type { Search } from "./search.ts";
import { shorterTexts } from "./sql-candidates.ts";

export async function reduceSql(search: Search): Promise<void> {
  await search.exhaust(function* (best) {
    for (const [userIndex, user] of best.users.entries()) {
      for (const [index, statement] of user.statements.entries()) {
        for (const shorter of shorterStatements(statement)) {
          yield replaceStatement(best, { userIndex, index, statement: shorter });
        }
      }
    }
  });
}

/** For a table step, only the query gets shorter; the table stays. A statement with an equivalent stays as it is. */
function* shorterStatements(statement: PlannedStatement): Generator<PlannedStatement> {
  const { catalogStep, granting, restricted, sessionStep, step, volatile } = statement;
  if ((sessionStep ?? catalogStep ?? granting ?? restricted ?? volatile) !== undefined) {
    return;
  }
  if (step === undefined) {
    for (const sql of shorterTexts(statement.sql)) {
      yield { ...statement, sql };
    }
    return;
  }
  for (const query of step.operation === "drop" || step.operation === "define" ? [] : shorterTexts(step.query)) {
    if (step.operation === "read" && !query.includes(step.table)) {
      continue;
    }
    const shorter = { ...step, query };
    yield { ...statement, sql: tableStatement(shorter), step: shorter };
  }
}

function replaceStatement(
  plan: RunPlan,
  { userIndex, index, statement }: { readonly userIndex: number; readonly index: number; readonly statement: PlannedStatement },
): RunPlan {
  const users = plan.users.map((user, at) =>
    at === userIndex ? { ...user, statements: user.statements.map((one, place) => (place === index ? statement : one)) } : user,
  );
  return { ...plan, users };
}
