/** Rare things that must happen in some runs, each as a sentence: what no run has brought about was not tested. */
import { causes } from "../checkers/causes.ts";

const named = {
  "page-fetched-again": "a page was fetched again after its answer was lost",
  "page-answer-cut": "an answer with pages was cut off in the middle",
  "page-waited-for": "a consumer waited for a page until its time was over",
  "empty-output": "a task had no page at all for a consumer, and said so",
  "many-pages": "a task gave a hundred pages or more to one consumer",
  broadcast: "an output was read whole by several consumers",
  "pages-from-leaving": "a worker that was leaving served pages",
  spilled: "pages of an output went to the disk",
  "spilled-read-back": "spilled pages were read back and the output came to its end",
  "buffer-closed-early": "a consumer closed an output whose producer was still running",
  "deleted-under-reader": "a task was deleted while somebody waited for its pages",
  "task-created-twice": "a request that creates a task arrived a second time",
  "task-created-late": "a request that creates a task arrived after the task was deleted",
  "task-created-by-retry": "a task was created, the answer was lost, and the request came again",
  "filter-crossed": "a scan that waited was given a dynamic filter of a join in other tasks",
  "filter-given-twice": "a scan was given a dynamic filter a second time",
  "filter-lost": "a message with a dynamic filter, or the answer to it, was lost",
  "rows-left-out": "a scan left out rows by a dynamic filter of a join in other tasks",
  "task-unknown-in-next-life": "a restarted worker was asked for a task of its former life",
  "delete-repeated": "a task was deleted a second time",
  "served-twice": "a duplicated request was carried out twice",
  "answered-too-late": "a node answered a request after its sender had given it up",
  overtaken: "a message overtook another on the same link",
  "lost-unread": "a worker was lost before its task had given a page",
  "lost-half-read": "a worker was lost while its task's output was half read",
  "lost-read-out": "a worker was lost after its task had given all its pages",
  "lost-several-tasks": "a worker was lost with tasks of two queries or more",
  "finished-despite-loss": "a statement finished although a worker that had worked for it was lost meanwhile",
  "finished-despite-lost-page": "a statement finished although an answer with its pages was lost",
  "coordinator-lost-polled": "the coordinator was lost while a client waited for an answer",
  "coordinator-lost-early": "the coordinator was lost while a query was not yet running",
  "coordinator-lost-queued": "the coordinator was lost while a query waited for a slot",
  "coordinator-lost-half-read": "the coordinator was lost while a client had some of the rows of a query and not all",
  "worker-lost-half-read": "a worker was lost that worked for a query of whose rows a client had some and not all",
  "stage-ended": "a user ended a stage of a running query",
  "stage-ended-and-finished": "a query finished of which its user had ended a stage",
  "executed-prepared": "a prepared statement was executed with values",
  "coordinator-back": "a client asked a restarted coordinator for a query of its former life",
  "canceled-before-tasks": "a query was cancelled before its first task was created",
  "canceled-running": "a query was cancelled while its tasks ran",
  "canceled-streaming": "a query was cancelled after its user had some of its rows",
  "canceled-ended": "a query was cancelled that had ended by itself",
  abandoned: "a user left, and the service ended the query by itself",
  "asked-twice": "a client asked for the same answer twice",
  "old-token": "a client asked for an answer that it had already acknowledged",
  "submitted-twice": "a client sent the same submission twice",
  "submitted-early": "a statement was submitted before the coordinator was ready",
  "waited-for-workers": "a query waited for workers",
  "client-turned-away": "a client was turned away with 503",
  "worker-turned-away": "a worker turned a request of the coordinator away with 503",
  "two-queries": "two queries ran at once",
  "six-queries": "six queries ran at once",
  "five-stages": "a query had five stages or more",
  "wide-stage": "a stage had a task on each of four workers or more",
  "write-on-lost-worker": "a worker was lost while it wrote rows of a table",
  "read-of-lost-table": "a table was read after some of its rows were lost",
  "table-read-back": "a table was written and read back",
  "drained-with-tasks": "a worker was told to leave while it had tasks",
  "came-back": "a worker came back in another life while the old one still counted as announced",
  "failed-and-back": "a worker that had been listed as failed was given tasks again",
  "heartbeat-missed": "a heartbeat had no answer although its worker lived",
  "two-faults": "a fault struck while another lasted",
  "four-faults": "four faults lasted at once",
  "paused-with-tasks": "a worker with tasks was paused",
  "short-of-memory": "a query hit its memory limit while another ran",
  "disk-gave-other-bytes": "a disk gave other bytes than were written",
  "disk-failed": "a disk operation failed",
  upgraded: "nodes of two versions were in one cluster",
} as const;

export type Goal = keyof typeof named;

export interface NamedGoal {
  readonly id: string;
  readonly sentence: string;
}

export interface ExcludedGoal extends NamedGoal {
  readonly reason: string;
}

/** Errors that no statement of a run ends with, although a node may declare them. */
const unseen: Readonly<Record<string, string>> = {
  USER_CANCELED: "whoever cancels lets go of the statement, and is told no error",
  CORRUPT_PAGE: "a disk's own node compares what it reads with its checksum, and the network changes no bytes",
};

/** Statements that ended with each error that a cluster may declare. */
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
