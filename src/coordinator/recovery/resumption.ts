/** How a query goes on that a former incarnation of the coordinator has begun, from what the journal and its client say. */
import type { FailureInfo } from "../../execution/task/api.ts";
import type { JournaledQuery } from "./journal-records.ts";
import type { JournaledFailure, Position, RoutedPosition } from "../../protocol/documents/query-journal.ts";

export interface Resumption {
  /** The token that the client asks for. */
  readonly token: number;
  /** Rows that the client has; undefined if it has none. */
  readonly given: Position | undefined;
  /** Number of the first attempt of this incarnation: its tasks have other numbers than those of former ones. */
  readonly attempt: number;
  /** The client has all rows, although they are not counted: those of a statement without tasks. */
  readonly hasAll: boolean;
  /** Where its run on another cluster goes on. */
  readonly routed: RoutedPosition | undefined;
  /** Random bits of its plan. */
  readonly drawn: readonly bigint[];
  /** Defined if the query cannot go on. */
  readonly failure: FailureInfo | undefined;
}

/** Attempts of one incarnation, at most. */
const attemptsPerLife = 100;

/** Undefined for a token that the client has acknowledged. `usesSegments`: the client gets its rows in segments (the spooled protocol). */
export function resumptionOf(query: JournaledQuery, token: number, usesSegments: boolean): Resumption | undefined {
  const last = query.positions.at(-1);
  const lastToken = last?.token ?? 0;
  if (token < lastToken) {
    return undefined;
  }
  // Who asks for the last document again does not have its rows.
  const given = token === lastToken ? query.positions.at(-2) : last;
  const failure = token > lastToken + 1 ? lost("the disk has lost what its client has") : whyNot(query, given, usesSegments);
  const attempt = query.lives * attemptsPerLife;
  return { token, given, attempt, hasAll: given?.isKnown === false, routed: query.routed, drawn: (query.drawn ?? []).map(BigInt), failure };
}

function whyNot({ failure, isAbridged }: JournaledQuery, given: Position | undefined, usesSegments: boolean): FailureInfo | undefined {
  if (failure !== undefined) {
    return failureOf(failure);
  }
  if (isAbridged) {
    return lost("its text is not kept");
  }
  const hasRows = (given?.rowCount ?? 0) > 0 || given?.isKnown === false;
  return usesSegments && hasRows ? lost("segments that its client has not fetched are gone") : undefined;
}

/** It failed in a former incarnation, and its client may not have heard of it. */
function failureOf({ errorName, foreign, location, message, remoteHost }: JournaledFailure): FailureInfo {
  return {
    errorName,
    message,
    ...(location !== undefined && { location }),
    ...(remoteHost !== undefined && { remoteHost }),
    ...(foreign !== undefined && { foreign }),
  };
}

/** The error of a query that does not survive its coordinator. Clients may submit it again. */
export function lost(reason: string): FailureInfo {
  return { errorName: "SERVER_STARTING_UP", message: `The coordinator was restarted, and the query cannot go on: ${reason}` };
}

/**
 * The error of a query that runs again because of a failure, if its rows do not begin with those that its client has. `isCut`: its user has
 * ended a stage early.
 */
export function otherRows({ errorName, message }: FailureInfo, isCut: boolean): FailureInfo {
  const reason = isCut ? "a stage was canceled while it ran again" : "what it reads has changed since its first rows were returned";
  return { errorName, message: `${message} (The query cannot be run again: ${reason})` };
}

/** The cause if a former incarnation has begun the query. */
export const restarted: FailureInfo = Object.freeze({ errorName: "SERVER_STARTING_UP", message: "The coordinator was restarted" });
