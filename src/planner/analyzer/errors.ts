/**
 * Analysis errors with their location in the statement.
 */
import { QueryError, type ErrorLocation, type ErrorName } from "../../protocol/errors.ts";

export interface Placed {
  readonly location: ErrorLocation;
}

export function semanticError(name: ErrorName, at: Placed, message: string): QueryError {
  return new QueryError(name, message, at.location);
}

export function notSupported(at: Placed, message: string): QueryError {
  return semanticError("NOT_SUPPORTED", at, message);
}
