/** Errors of the public client: a statement that failed on the server. A failure of the connection is a ClientError. */
import type { ErrorType } from "../protocol/errors.ts";
import type { StatementError } from "../protocol/documents/statement.ts";

export { ClientError, type ClientErrorKind } from "./requester.ts";

export type { ErrorType };

/** Place of an error in the text of a statement; both count from 1. */
export interface ErrorLocation {
  readonly lineNumber: number;
  readonly columnNumber: number;
}

export interface QueryFailure {
  readonly queryId: string | undefined;
  /** For example `COLUMN_NOT_FOUND`. */
  readonly errorName: string;
  readonly errorCode: number;
  readonly errorType: ErrorType;
  readonly location: ErrorLocation | undefined;
}

/** The server ended a statement with an error. */
export class QueryFailedError extends Error implements QueryFailure {
  override readonly name = "QueryFailedError";
  readonly queryId: string | undefined;
  readonly errorName: string;
  readonly errorCode: number;
  readonly errorType: ErrorType;
  readonly location: ErrorLocation | undefined;

  constructor(message: string, failure: QueryFailure) {
    super(message);
    this.queryId = failure.queryId;
    this.errorName = failure.errorName;
    this.errorCode = failure.errorCode;
    this.errorType = failure.errorType;
    this.location = failure.location;
  }
}

export function queryFailed(error: StatementError, queryId: string | undefined): QueryFailedError {
  const { message, errorName, errorCode, errorType, errorLocation } = error;
  return new QueryFailedError(message, { queryId, errorName, errorCode, errorType, location: errorLocation });
}
