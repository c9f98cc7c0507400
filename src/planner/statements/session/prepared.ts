/**
 * PREPARE, EXECUTE ... USING and DEALLOCATE PREPARE. Prepared statements are texts in the client's session.
 */
import { QueryError } from "../../../protocol/errors.ts";
import type { Deallocate, Execute, ExecuteImmediate, Expression, Prepare, Statement } from "../../../sql/ast/ast.ts";
import { parseStatement } from "../../../sql/parser/parser.ts";
import { printStatement } from "../../../sql/printer/printer.ts";
import { visitSyntax } from "../../../sql/ast/walk.ts";
import { semanticError } from "../../analyzer/errors.ts";
import type { PlanContext } from "../../context.ts";
import type { PlannedSessionChange } from "../../planned.ts";

const notPreparable: ReadonlySet<string> = new Set(["Prepare", "Execute", "ExecuteImmediate", "Deallocate"]);

export function planPrepare(statement: Prepare): PlannedSessionChange {
  if (notPreparable.has(statement.statement.kind)) {
    throw new QueryError("NOT_SUPPORTED", `Invalid statement type for prepared statement: ${statement.statement.kind.toUpperCase()}`);
  }
  const change = { action: "PREPARE", name: statement.name.value, sql: printStatement(statement.statement) } as const;
  return { kind: "session", updateType: "PREPARE", change };
}

export function planDeallocate(statement: Deallocate, context: PlanContext): PlannedSessionChange {
  preparedText(statement.name.value, context);
  return { kind: "session", updateType: "DEALLOCATE", change: { action: "DEALLOCATE", name: statement.name.value } };
}

/** Returns the prepared (or immediate) statement with the parameters of EXECUTE substituted. */
export function preparedStatement(statement: Execute | ExecuteImmediate, context: PlanContext): Statement {
  const parsed = statement.kind === "Execute" ? parseStatement(preparedText(statement.name.value, context)) : statement.statement;
  const expected = countParameters(parsed);
  if (expected !== statement.parameters.length) {
    throw semanticError(
      "INVALID_PARAMETER_USAGE",
      statement,
      `Incorrect number of parameters: expected ${expected} but found ${statement.parameters.length}`,
    );
  }
  return expected === 0 ? parsed : (bindParameters(parsed, statement.parameters) as Statement);
}

/** Resolves EXECUTE to its statement; returns other statements unchanged. */
export function executedStatement(statement: Statement, context: PlanContext): Statement {
  return statement.kind === "Execute" || statement.kind === "ExecuteImmediate" ? preparedStatement(statement, context) : statement;
}

export function preparedText(name: string, context: PlanContext): string {
  const prepared = context.session.preparedStatements ?? {};
  const text = Object.hasOwn(prepared, name) ? prepared[name] : undefined;
  if (text === undefined) {
    throw new QueryError("NOT_FOUND", `Prepared statement not found: ${name}`);
  }
  return text;
}

function isParameter(node: object): node is Expression & { kind: "Parameter" } {
  return "kind" in node && node.kind === "Parameter";
}

export function countParameters(statement: object): number {
  let count = 0;
  visitSyntax(statement, (node) => {
    if (isParameter(node)) {
      count++;
    }
  });
  return count;
}

function bindParameters(value: unknown, parameters: readonly Expression[]): unknown {
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if (isParameter(value)) {
    return parameters[value.position] ?? value;
  }
  if (Array.isArray(value)) {
    return value.map((item) => bindParameters(item, parameters));
  }
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, bindParameters(child, parameters)]));
}
