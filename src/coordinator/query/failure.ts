/** Which of several failures of one query is told to the client, and failures of a query that somebody else has ended. */
import type { FailureInfo } from "../../execution/task/api.ts";
import type { ErrorName } from "../../protocol/errors.ts";

/** Errors that a consumer reports when the node it reads from broke. They are seldom the root cause. */
const symptoms: readonly ErrorName[] = [
  "PAGE_TRANSPORT_ERROR",
  "PAGE_TRANSPORT_TIMEOUT",
  "REMOTE_BUFFER_CLOSE_FAILED",
  "REMOTE_TASK_MISMATCH",
];

export function isSymptom(failure: FailureInfo): boolean {
  return symptoms.includes(failure.errorName);
}

/** Failure of a query that another user ended, with Presto's message. */
export function killed(message: string | undefined): FailureInfo {
  return { errorName: "ADMINISTRATIVELY_KILLED", message: `Query killed. ${reason(message)}` };
}

export function preempted(message: string | undefined): FailureInfo {
  return { errorName: "ADMINISTRATIVELY_PREEMPTED", message: `Query preempted. ${reason(message)}` };
}

function reason(message: string | undefined): string {
  return message === undefined || message === "" ? "No message provided." : `Message: ${message}`;
}
