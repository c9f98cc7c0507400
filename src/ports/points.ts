/**
 * Fault points: places in the engine where a rare but legal event can be forced, such as a short response, an early end of a slice, or a
 * late request. In production they never fire. A simulated node draws at each point, so that rare paths are exercised often. Results must
 * be the same whichever points fire.
 */

/** Every fault point, with its effect. */
export const faultPoints = {
  "exchange-asks-for-little": "The exchange asks for one page although more would fit.",
  "exchange-does-not-fetch-ahead": "The exchange asks only the source that its reader waits for.",
  "exchange-forgets-an-answer": "The exchange drops an answer: it asks for the same pages again, or closes a buffer a second time.",
  "exchange-retries-at-once": "A failed exchange request is repeated without a pause.",
  "exchange-retries-late": "A failed exchange request is repeated after the longest pause.",
  "buffer-answers-empty": "An output buffer answers without pages before the reader's wait ends.",
  "buffer-answers-one-page": "An output buffer answers with one page although more fit.",
  "buffer-spills-early": "A page goes to the disk although the output buffer has room.",
  "page-cut-early": "Output pages hold a few rows each. Holds for a whole run: what a task emits depends on its input alone.",
  "page-without-dictionary": "Output pages spell every value out, dictionaries too. Holds for a whole run.",
  "partial-aggregation-flushes-early":
    "A partial aggregation gives its groups out after every page, a few at a time. Holds for a whole run.",
  "top-rows-cut-early": "Whoever keeps the best rows sorts and drops the others after a few, not after a page. Holds for a whole run.",
  "hash-table-grows-early": "A table of groups is rehashed long before it is full.",
  "memory-reservation-fails": "A page finds no memory left in its query: the declared error.",
  "slice-ends-early": "A driver's slice ends after one step.",
  "slice-out-of-turn": "The executor runs the query whose turn is last.",
  "task-update-turned-away": "A worker answers the creation of a task with 503.",
  "task-results-turned-away": "A worker answers a request for pages with 503.",
  "task-status-at-once": "A long poll for a task's status is answered at once, without news.",
  "task-created-late": "The coordinator waits before it creates a task.",
  "task-created-twice": "The request that creates a task is sent a second time when it was answered.",
  "tasks-created-one-by-one": "The tasks of a stage are created one after the other.",
  "task-info-instead-of-status": "The coordinator asks for a task's whole document where the status would do.",
  "task-deleted-late": "The coordinator waits before it deletes a task: clean-up and last numbers come late.",
  "task-retries-at-once": "A failed request to a task is repeated without a pause.",
  "task-retries-late": "A failed request to a task is repeated after the longest pause.",
  "query-admitted-late": "A query waits for its slot although there are some.",
  "query-ends-without-last-numbers": "A finished query does not wait for the last numbers of its tasks.",
  "statement-answers-without-rows": "A statement's document carries no rows although some are there.",
  "statement-answers-few-rows": "A statement's document carries one page of rows.",
  "statement-poll-at-once": "A statement's poll is answered without any wait.",
  "heartbeat-skipped": "The coordinator leaves out a heartbeat.",
  "heartbeat-impatient": "The coordinator gives a heartbeat one millisecond.",
  "announcement-skipped": "A worker leaves out an announcement.",
  "announcement-repeated": "A worker announces itself twice in a row.",
  "memory-copy-refused":
    "A worker refuses to copy a part of a table in memory: another one is asked, or the coordinator makes the copy later.",
  "memory-copy-answered-early": "A worker that copies a part of a table in memory answers at once that it still does.",
  "memory-part-read-elsewhere": "A part of a table in memory that this node has is read on another node that has a copy.",
  "memory-catalog-synced-late": "A change of tables in memory waits between its record on the coordinator's disk and the sync.",
  "memory-catalog-answers-late": "A change of tables in memory that is on the coordinator's disk waits before anybody learns of it.",
  "query-runs-again": "The coordinator takes an attempt of a query for lost, and runs the query again.",
  "operator-spills-early": "An operator writes its rows to the disk although there is room in memory.",
  "query-waits-for-memory": "A query waits for the memory of older ones although the node has some.",
} as const;

export type PointName = keyof typeof faultPoints;

export interface FaultPoints {
  /** Called each time the point is passed. */
  fires(name: PointName): boolean;
}

export const noPoints: FaultPoints = Object.freeze({ fires: () => false });
