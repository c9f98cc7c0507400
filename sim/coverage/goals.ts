/**
 * Rare situations that some runs must reach, each as a sentence. A situation that no run has reached was not tested.
 */
import { causes } from "../checkers/causes.ts";

const named = {
  "page-fetched-again": "a page was fetched again after the response with it was lost",
  "page-answer-cut": "a response with pages was truncated",
  "page-waited-for": "a consumer waited for a page until its time-out",
  "empty-output": "a task reported an output without any page to a consumer",
  "many-pages": "a task sent a hundred pages or more to one consumer",
  broadcast: "several consumers read the whole output of a task",
  "pages-from-leaving": "a worker that was shutting down served pages",
  spilled: "pages of an output were spilled",
  "spilled-read-back": "spilled pages were read back and the output was completed",
  "buffer-closed-early": "a consumer closed an output while its producer was running",
  "deleted-under-reader": "a task was deleted while a consumer waited for its pages",
  "task-created-twice": "a request that creates a task arrived a second time",
  "task-created-late": "a request that creates a task arrived after the task was deleted",
  "task-created-by-retry": "a task was created, the response was lost, and the request was repeated",
  "filter-crossed": "a waiting scan received a dynamic filter of a join in other tasks",
  "filter-given-twice": "a scan received a dynamic filter a second time",
  "filter-lost": "a message with a dynamic filter, or the response to it, was lost",
  "rows-left-out": "a dynamic filter of a join in other tasks removed rows of a scan",
  "task-unknown-in-next-life": "a restarted worker received a request about a task of its former incarnation",
  "delete-repeated": "a task was deleted a second time",
  "served-twice": "a duplicated request was executed twice",
  "answered-too-late": "a node responded to a request after its client had abandoned it",
  overtaken: "a message overtook another on the same link",
  "lost-unread": "a worker was lost before its task had sent a page",
  "lost-half-read": "a worker was lost while its task's output was partly read",
  "lost-read-out": "a worker was lost after its task had sent all its pages",
  "lost-several-tasks": "a worker with tasks of two or more queries was lost",
  "finished-despite-loss": "a statement finished although a worker with a task of it was lost meanwhile",
  "finished-despite-lost-page": "a statement finished although a response with its pages was lost",
  "coordinator-lost-polled": "the coordinator was lost while a client waited for a response",
  "coordinator-lost-early": "the coordinator was lost while a query was not yet running",
  "coordinator-lost-queued": "the coordinator was lost while a query waited for a slot",
  "coordinator-lost-half-read": "the coordinator was lost while a client had received a part of a query's rows",
  "worker-lost-half-read": "a worker with a task of a query was lost while the client had received a part of its rows",
  "stage-ended": "a user cancelled a stage of a running query",
  "stage-ended-and-finished": "a query finished after its user had cancelled a stage",
  "executed-prepared": "a prepared statement was executed with values",
  "coordinator-back": "a client asked a restarted coordinator for a query of its former incarnation",
  "canceled-before-tasks": "a query was cancelled before its first task was created",
  "canceled-running": "a query was cancelled while its tasks ran",
  "canceled-streaming": "a query was cancelled after its user had received some of its rows",
  "canceled-ended": "a query was cancelled after it had ended by itself",
  abandoned: "a user left, and the query was failed as abandoned",
  "asked-twice": "a client requested the same token twice",
  "old-token": "a client requested a token that it had already acknowledged",
  "submitted-twice": "a client sent the same submission twice",
  "submitted-early": "a statement was submitted before the coordinator was ready",
  "waited-for-workers": "a query waited for workers",
  "client-turned-away": "a client's request was rejected with 503",
  "worker-turned-away": "a worker rejected a request of the coordinator with 503",
  "two-queries": "two queries ran at the same time",
  "six-queries": "six queries ran at the same time",
  "five-stages": "a query had five or more stages",
  "wide-stage": "a stage had tasks on four or more workers",
  "write-on-lost-worker": "a worker was lost while it wrote rows of a table",
  "read-of-lost-table": "a table was read after some of its rows were lost",
  "table-read-back": "a table was written and read back",
  "drained-with-tasks": "a worker with tasks was told to shut down",
  "came-back": "a worker restarted while its former incarnation still counted as announced",
  "failed-and-back": "a worker that had been listed as failed got tasks again",
  "heartbeat-missed": "a heartbeat got no response although its worker was running",
  "two-faults": "a fault started while another was in effect",
  "four-faults": "four faults were in effect at the same time",
  "paused-with-tasks": "a worker with tasks was paused",
  "short-of-memory": "a query reached its memory limit while another ran",
  "disk-gave-other-bytes": "a disk returned corrupt data",
  "disk-failed": "a disk operation failed",
  upgraded: "a cluster had nodes of two versions",
} as const;

export type Goal = keyof typeof named;

export interface NamedGoal {
  readonly id: string;
  readonly sentence: string;
}

export interface ExcludedGoal extends NamedGoal {
  readonly reason: string;
}

/** Errors that a node may declare, but with which no statement of a run ends. */
const unseen: Readonly<Record<string, string>> = {
  USER_CANCELED: "a user who cancels receives no further document, and no error",
  CORRUPT_PAGE: "the node that reads its disk verifies checksums, and the network changes no bytes",
};

/** One goal for each error that a cluster may declare: a statement that ended with it. */
const endings: readonly NamedGoal[] = Object.keys(causes).map((errorName) => ({
  id: `ended ${errorName}`,
  sentence: `a statement ended with ${errorName}`,
}));

export const excludedGoals: readonly ExcludedGoal[] = endings.flatMap((goal) => {
  const reason = unseen[goal.id.replace("ended ", "")];
  return reason === undefined ? [] : [{ ...goal, reason }];
});

export const goals: readonly NamedGoal[] = [
  ...Object.entries(named).map(([id, sentence]) => ({ id, sentence })),
  ...endings.filter(({ id }) => !excludedGoals.some((excluded) => excluded.id === id)),
];
