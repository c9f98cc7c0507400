/**
 * Sessions: what a client carries from one statement to the next is what its statements have made of it and nothing else, and a statement means what the
 * session says: EXECUTE gives the rows of the prepared query with its values in it, a name without a schema is that of the schema in use.
 */
import type { ClientSession } from "../../../src/client/session.ts";
import { stringifyJson } from "../../../src/protocol/json.ts";
import { parseStatement } from "../../../src/sql/parser/parser.ts";
import { printStatement } from "../../../src/sql/printer/printer.ts";
import type { Ending } from "../../user.ts";
import { qualifiedStatement, sessionAfterStep, sessionStatement, type SessionStep } from "../../workload/sessions.ts";
import type { Outcome } from "./results.ts";
import type { Verdict } from "../violation.ts";

const oracle = "sessions";

export interface SessionEnd {
  readonly user: string;
  readonly step: SessionStep;
  readonly ending: Ending;
  /** As the client had it when it submitted, and as it has it now. */
  readonly before: ClientSession;
  readonly after: ClientSession;
}

export class SessionOracle {
  readonly #verdict: Verdict;

  constructor(verdict: Verdict) {
    this.#verdict = verdict;
  }

  observe({ user, step, ending, before, after }: SessionEnd): void {
    const succeeded = ending.kind === "outcome" && ending.outcome.kind === "rows";
    const failed = ending.kind === "outcome" && ending.outcome.kind === "error";
    // Who went away, or lost the last answer, may have seen the answer that changes the session, and may not.
    const allowed = [...(succeeded ? [] : [before]), ...(failed ? [] : [sessionAfterStep(before, step)])];
    const found = told(after);
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

  /** What the statement must give in this session; undefined where the references know it under the meaning of the step. */
  expected(step: SessionStep, before: ClientSession): { readonly sql: string } | { readonly outcome: Outcome } {
    const isThere = "name" in step && Object.hasOwn(before.preparedStatements, step.name);
    switch (step.kind) {
      case "execute":
        return isThere ? { sql: qualifiedStatement(step, placeOf(before)) } : notFound(step.name);
      case "deallocate":
        return isThere ? { outcome: { kind: "rows", rows: [[true]], shape: "result boolean; DEALLOCATE " } } : notFound(step.name);
      default:
        return { sql: qualifiedStatement(step, placeOf(before)) };
    }
  }
}

/** SHOW SESSION gives the value that the session has in place of the default. */
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

/** What may change, in one order; texts of prepared statements as the engine spells them. */
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
