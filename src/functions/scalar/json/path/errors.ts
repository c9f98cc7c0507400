/**
 * Errors of SQL/JSON functions while they read input, evaluate a path, or produce a result. ON ERROR decides how they are handled.
 */
import { type ErrorName, QueryError } from "../../../../protocol/errors.ts";

/** An error that ON ERROR handles. */
export class JsonError extends Error {
  override readonly name: string = "JsonError";

  constructor(
    readonly errorName: ErrorName,
    message: string,
  ) {
    super(message);
  }

  toQueryError(): QueryError {
    return new QueryError(this.errorName, this.message);
  }
}

/** An error during path evaluation. Inside a filter it makes the predicate unknown. */
export class PathError extends JsonError {
  override readonly name = "PathError";

  constructor(message: string) {
    super("PATH_EVALUATION_ERROR", `path evaluation failed: ${message}`);
  }
}

export function structuralError(message: string): PathError {
  return new PathError(`structural error: ${message}`);
}

export function itemTypeError(expected: string, actual: string): PathError {
  return new PathError(`invalid item type. Expected: ${expected}, actual: ${actual}`);
}

export function inputError(): JsonError {
  return new JsonError("JSON_INPUT_CONVERSION_ERROR", "conversion to JSON failed: ");
}

export function outputError(message: string): JsonError {
  return new JsonError("JSON_OUTPUT_CONVERSION_ERROR", `conversion from JSON failed: ${message}`);
}

export function valueError(message: string): JsonError {
  return new JsonError("JSON_VALUE_RESULT_ERROR", `cannot extract SQL scalar from JSON: ${message}`);
}
