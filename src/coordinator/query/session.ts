/** What a client said about itself with its statement, and what a statement changes of it. Made from headers by statement-resource.ts. */
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

/** Told to the client in the headers of every response after the effect is known. */
export interface SessionEffects {
  readonly setCatalog?: string;
  readonly setSchema?: string;
  readonly setPath?: string;
  readonly setSession?: Readonly<Record<string, string>>;
  readonly startedTransactionId?: string;
  readonly clearTransactionId?: true;
  /** By catalog. */
  readonly setRole?: Readonly<Record<string, string>>;
  readonly setAuthorizationUser?: string;
  readonly resetAuthorizationUser?: true;
  readonly clearSession?: readonly string[];
  readonly addedPrepare?: Readonly<Record<string, string>>;
  readonly deallocatedPrepare?: readonly string[];
}

/** The client wants type texts and values with their true fraction digits. */
export function parametricDatetime(session: QuerySession): boolean {
  return session.clientCapabilities.includes("PARAMETRIC_DATETIME");
}

/** Types in tables of metadata and SHOW, where they are told otherwise than the engine shows them: Presto's clients see them as in columns of results. */
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
  };
}
