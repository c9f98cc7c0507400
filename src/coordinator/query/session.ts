/**
 * The client's session as sent with a statement, and the changes that a statement makes to it.
 */
import type { SessionFacts } from "../../execution/task/api.ts";
import { timeZoneProperty } from "../../planner/session-properties.ts";
import type { SessionRequest } from "../../protocol/http/headers.ts";
import { typeTextsOf } from "../../protocol/documents/statement.ts";
import type { TypeTextOptions } from "../../types/type-text.ts";

export interface QuerySession extends SessionRequest {
  readonly remoteUserAddress: string;
  /** Epoch milliseconds. */
  readonly startMillis: number;
}

/** Sent to the client in the headers of every response once the effect is known. */
export interface SessionEffects {
  readonly setCatalog?: string;
  readonly setSchema?: string;
  readonly setPath?: string;
  readonly setSession?: Readonly<Record<string, string>>;
  readonly startedTransactionId?: string;
  readonly clearTransactionId?: true;
  /** Role by catalog. */
  readonly setRole?: Readonly<Record<string, string>>;
  readonly setAuthorizationUser?: string;
  readonly resetAuthorizationUser?: true;
  readonly clearSession?: readonly string[];
  readonly addedPrepare?: Readonly<Record<string, string>>;
  readonly deallocatedPrepare?: readonly string[];
}

/** True if the client accepts types with precision and values with all their fraction digits (PARAMETRIC_DATETIME). */
export function parametricDatetime(session: QuerySession): boolean {
  return session.clientCapabilities.includes("PARAMETRIC_DATETIME");
}

/**
 * How metadata tables and SHOW print types if the client expects another form than the engine's: Presto's clients see the same text as in
 * the columns of results.
 */
export function shownTypeTexts(session: QuerySession): TypeTextOptions | undefined {
  return session.family === "presto" ? typeTextsOf("presto", parametricDatetime(session)) : undefined;
}

export function sessionFacts(session: QuerySession): SessionFacts {
  return {
    user: session.user,
    timeZone: session.properties[timeZoneProperty] ?? session.timeZone ?? "UTC",
    startMillis: session.startMillis,
    properties: session.properties,
    ...(session.catalog === undefined ? {} : { catalog: session.catalog }),
    ...(session.schema === undefined ? {} : { schema: session.schema }),
    ...(Object.keys(session.roles).length === 0 ? {} : { roles: session.roles }),
    ...(session.traceParent === undefined ? {} : { traceParent: session.traceParent }),
  };
}
