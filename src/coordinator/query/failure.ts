/** From thrown values to failures as they travel, and which of several failures of one query is told to the client. */
import type { FailureInfo } from "../../execution/task/api.ts";
import { MemoryLimitExceeded } from "../../memory/memory.ts";
import { type ErrorName, internalErrorText, isStackOverflow, QueryError, statementTooLarge } from "../../protocol/errors.ts";
import { formatDataSize } from "../../protocol/units.ts";

export function toFailure(error: unknown): FailureInfo {
  if (error instanceof QueryError) {
    return {
      errorName: error.errorName,
      message: error.message,
      ...(error.location === undefined ? {} : { location: error.location }),
    };
  }
  if (error instanceof MemoryLimitExceeded) {
    return {
      errorName: "EXCEEDED_LOCAL_MEMORY_LIMIT",
      message: `Query exceeded per-node user memory limit of ${formatDataSize(error.limitBytes)} [result rows]`,
    };
  }
  if (isStackOverflow(error)) {
    return { errorName: "COMPILER_ERROR", message: statementTooLarge };
  }
  return { errorName: "GENERIC_INTERNAL_ERROR", message: internalErrorText(error) };
}

/** What a reader reports when the node that it read from broke: seldom the cause. */
const symptoms: readonly ErrorName[] = [
  "PAGE_TRANSPORT_ERROR",
  "PAGE_TRANSPORT_TIMEOUT",
  "REMOTE_BUFFER_CLOSE_FAILED",
  "REMOTE_TASK_MISMATCH",
];

export function isSymptom(failure: FailureInfo): boolean {
  return symptoms.includes(failure.errorName);
}

/** Of a query that somebody else has ended, in Presto's words. */
export function killed(message: string | undefined): FailureInfo {
  return { errorName: "ADMINISTRATIVELY_KILLED", message: `Query killed. ${reason(message)}` };
}

export function preempted(message: string | undefined): FailureInfo {
  return { errorName: "ADMINISTRATIVELY_PREEMPTED", message: `Query preempted. ${reason(message)}` };
}

function reason(message: string | undefined): string {
  return message === undefined || message === "" ? "No message provided." : `Message: ${message}`;
}
