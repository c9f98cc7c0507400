/** Which failures make a query run again, how often and after which delays (retry-policy). */
import type { FailureInfo } from "../../execution/task/api.ts";
import type { RetryPolicy } from "../../planner/session-properties.ts";
import type { ErrorName } from "../../protocol/errors.ts";

export interface RetryConfig {
  /** retry-policy; a session can override it. */
  readonly policy: RetryPolicy;
  /** query-retry-attempts: how often a query runs again. */
  readonly attemptsMax: number;
  /** task-retry-attempts-per-task: how often a task runs again in one attempt of its query. */
  readonly taskAttemptsMax: number;
  /** speculative-execution-enabled: with policy TASK, stragglers run twice; a session can override it. */
  readonly speculates?: boolean | undefined;
  /** retry-initial-delay */
  readonly initialDelayMs: number;
  /** retry-max-delay */
  readonly delayMsMax: number;
  /** retry-delay-scale-factor: each delay is this many times the one before. */
  readonly delayScaleFactor: number;
}

/** Builds without the property: a lost worker fails its queries. */
export const noRetry: RetryConfig = Object.freeze({
  policy: "NONE",
  attemptsMax: 0,
  taskAttemptsMax: 0,
  initialDelayMs: 0,
  delayMsMax: 0,
  delayScaleFactor: 1,
});

/** Failures of nodes and of the network between them, as opposed to failures that the statement itself causes. */
const losses: ReadonlySet<ErrorName> = new Set<ErrorName>([
  "ABANDONED_TASK",
  "NO_NODES_AVAILABLE",
  "PAGE_TRANSPORT_ERROR",
  "PAGE_TRANSPORT_TIMEOUT",
  "REMOTE_BUFFER_CLOSE_FAILED",
  "REMOTE_HOST_GONE",
  "REMOTE_TASK_ERROR",
  "REMOTE_TASK_MISMATCH",
  "SERVER_SHUTTING_DOWN",
  "TOO_MANY_REQUESTS_FAILED",
]);

export function isLoss({ errorName }: FailureInfo): boolean {
  return losses.has(errorName);
}

/** Delay before the query runs again for the `retry`-th time, counted from 1, in milliseconds. */
export function retryDelayMs({ delayMsMax, delayScaleFactor, initialDelayMs }: RetryConfig, retry: number): number {
  return Math.min(delayMsMax, Math.round(initialDelayMs * delayScaleFactor ** (retry - 1)));
}
