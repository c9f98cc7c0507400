/** From thrown values to the errors that clients meet, in Presto's words, and to failures as they travel between nodes. */
import { MemoryLimitExceeded } from "../../memory/memory.ts";
import { internalErrorText, isStackOverflow, QueryError, statementTooLarge } from "../../protocol/errors.ts";
import { formatDataSize } from "../../protocol/units.ts";
import type { FailureInfo } from "../task/api.ts";

/** `holder` held the memory when a limit was exceeded. An unexpected value is a bug of the engine and becomes the error's cause. */
export function toQueryError(error: unknown, holder: string | undefined): QueryError {
  if (error instanceof QueryError) {
    return error;
  }
  if (error instanceof MemoryLimitExceeded) {
    const text = `Query exceeded per-node user memory limit of ${formatDataSize(error.limitBytes)}`;
    return new QueryError("EXCEEDED_LOCAL_MEMORY_LIMIT", holder === undefined ? text : `${text} [${holder}]`);
  }
  if (isStackOverflow(error)) {
    return new QueryError("COMPILER_ERROR", statementTooLarge);
  }
  return new QueryError("GENERIC_INTERNAL_ERROR", internalErrorText(error), undefined, { cause: error });
}

export function toFailure(error: unknown, holder?: string): FailureInfo {
  const { errorName, location, message } = toQueryError(error, holder);
  return { errorName, message, ...(location === undefined ? {} : { location }) };
}
