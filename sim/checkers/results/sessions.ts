/**
 * Sessions: the session that a client carries from statement to statement is exactly what its statements made of it, and it determines each
 * statement's semantics. EXECUTE returns the rows of the prepared query with its values, and an unqualified name resolves in the current
 * schema.
 */
import type { ClientSession } from "../../../src/client/session.ts";
import { stringifyJson } from "../../../src/protocol/json.ts";
import { parseStatement } from "../../../src/sql/parser/parser.ts";
import { printStatement } from "../../../src/sql/printer/printer.ts";
import type { Ending } from "../../user.ts";
import { qualifiedStatement, sessionAfterStep, sessionStatement, type SessionStep, withoutTransaction } from "../../workload/sessions.ts";
import type { Outcome } from "./results.ts";
import type { Verdict } from "../violation.ts";

const oracle = "sessions";

export interface SessionEnd {
  readonly user: string;
  readonly step: SessionStep;
  readonly ending: Ending;
  /** The client's session when it submitted the statement; `after` is its session now. */
  readonly before: ClientSession;
  readonly after: ClientSession;
}

export class SessionOracle {
  readonly #verdict: Verdict;
  readonly #mayForget: () => boolean;
  /** Transactions of which a statement has failed, or may have. */
  readonly #failed = new Map<string, "certain" | "possible">();
  /** Users of such transactions. */
  readonly #users = new Set<string>();
  /** Transactions that their clients have asked to end, without the word that they have. */
  readonly #ending = new Set<string>();

  /** `mayForget`: whether the disk of the coordinator may have lost which transactions are aborted. */
  constructor(verdict: Verdict, mayForget: () => boolean = () => false) {
    this.#verdict = verdict;
    this.#mayForget = mayForget;
  }

  observe({ user, step, ending, before, after }: SessionEnd): void {
    const succeeded = ending.kind === "outcome" && ending.outcome.kind === "rows";
    const failed = ending.kind === "outcome" && ending.outcome.kind === "error";
    // A client that left, or lost the last response, may or may not have seen the response that changes the session.
    // A COMMIT that fails ends the transaction, if it is known.
    const fails = failed && step.kind !== "end";
    const next = step.kind === "begin" ? withAnyTransaction(before, after) : sessionAfterStep(before, step);
    const allowed = [...(succeeded ? [] : [before]), ...(fails ? [] : [next])];
    const found = told(after);
    this.#noteFailure({ user, step, ending, before });
    if (allowed.some((session) => told(session) === found)) {
      this.#verdict.held(oracle);
    } else {
      const right = allowed.map(told).join(" or ");
      this.#verdict.violate(
        "wrong-result",
        oracle,
        `${user} has the session ${found} where ${right} is right, after ${sessionStatement(step)}`,
      );
    }
  }

  /** Expected outcome of the statement in this session; or the equivalent statement by which the references know it. */
  expected(step: SessionStep, before: ClientSession): { readonly sql: string } | { readonly outcome: Outcome } {
    const isThere = "name" in step && Object.hasOwn(before.preparedStatements, step.name);
    switch (step.kind) {
      case "execute":
        return isThere ? { sql: qualifiedStatement(step, placeOf(before)) } : notFound(step.name);
      case "begin":
        return done("START TRANSACTION");
      case "end":
        if (before.transactionId === undefined) {
          // The answer that began it was lost.
          return { outcome: { kind: "error", errorName: "NOT_IN_TRANSACTION", message: "No transaction in progress" } };
        }
        return step.commits && this.#isAborted(before)
          ? aborted("Current transaction has already been aborted")
          : done(step.commits ? "COMMIT" : "ROLLBACK");
      case "read":
        return this.#isAborted(before)
          ? aborted("Current transaction is aborted, commands ignored until end of transaction block")
          : { sql: qualifiedStatement(step, placeOf(before)) };
      case "deallocate":
        return isThere ? done("DEALLOCATE") : notFound(step.name);
      default:
        return { sql: qualifiedStatement(step, placeOf(before)) };
    }
  }

  /** Whether a statement of the user's transaction may have failed: one whose end its user has not seen, or that a fault has failed. */
  mayBeAborted(user: string): boolean {
    return this.#users.has(user);
  }

  /** Whether a transaction may have ended although its client still names it. */
  mayHaveEnded(transactionId: string): boolean {
    return this.#ending.has(transactionId);
  }

  #isAborted({ transactionId = "" }: ClientSession): boolean {
    return this.#failed.get(transactionId) === "certain" && !this.#mayForget();
  }

  /** A statement that is analyzed fails in its transaction; one that fails earlier does not. */
  #noteFailure({ user, step: { kind }, ending, before: { transactionId } }: Omit<SessionEnd, "after">): void {
    const succeeded = ending.kind === "outcome" && ending.outcome.kind === "rows";
    if (transactionId !== undefined && kind === "end" && !succeeded) {
      this.#ending.add(transactionId);
    }
    if (transactionId === undefined || kind === "end" || succeeded || this.#failed.get(transactionId) === "certain") {
      return;
    }
    const isAnalyzed = ending.kind === "outcome" && ending.outcome.kind === "error" && ending.outcome.errorName === "COLUMN_NOT_FOUND";
    this.#users.add(user);
    this.#failed.set(transactionId, isAnalyzed ? "certain" : "possible");
  }
}

/** A transaction has an id of the service's. */
function withAnyTransaction(before: ClientSession, { transactionId }: ClientSession): ClientSession {
  const isNew = transactionId !== undefined && transactionId !== before.transactionId;
  return { ...withoutTransaction(before), transactionId: isNew ? transactionId : "of the service" };
}

function done(updateType: string): { readonly outcome: Outcome } {
  return { outcome: { kind: "rows", rows: [[true]], shape: `result boolean; ${updateType} ` } };
}

function aborted(message: string): { readonly outcome: Outcome } {
  return { outcome: { kind: "error", errorName: "TRANSACTION_ALREADY_ABORTED", message } };
}

/** SHOW SESSION returns the session's value instead of the default. */
export function shownIn(outcome: Outcome, session: ClientSession): Outcome {
  if (outcome.kind !== "rows") {
    return outcome;
  }
  const rows = (outcome.rows as readonly (readonly unknown[])[]).map(([name, value, ...rest]) => [
    name,
    session.properties[String(name)] ?? value,
    ...rest,
  ]);
  return { ...outcome, rows };
}

function notFound(name: string): { readonly outcome: Outcome } {
  return { outcome: { kind: "error", errorName: "NOT_FOUND", message: `Prepared statement not found: ${name}` } };
}

function placeOf({ catalog = "", schema = "" }: ClientSession): { readonly catalog: string; readonly schema: string } {
  return { catalog, schema };
}

/** The mutable parts of a session in canonical order, with prepared statements as the engine prints them. */
function told({ catalog, schema, properties, preparedStatements, transactionId }: ClientSession): string {
  const sorted = (values: Readonly<Record<string, string>>): readonly (readonly [string, string])[] =>
    Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  const prepared = sorted(preparedStatements).map(([name, text]) => [name, spelled(text)]);
  return stringifyJson([catalog ?? "", schema ?? "", sorted(properties), prepared, transactionId ?? ""]);
}

function spelled(text: string): string {
  try {
    return printStatement(parseStatement(text)).replaceAll(/\s+/g, " ");
  } catch {
    return `no statement: ${text}`;
  }
}
