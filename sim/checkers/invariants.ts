/**
 * Every invariant that a run is checked against: the name that a violation carries, a sentence, the kind of failure, and the file of its
 * check.
 */
import { causes } from "./causes.ts";
import { modelKinds } from "./models/models.ts";
import type { Invariant } from "./violation.ts";

export const invariants: readonly Invariant[] = [
  {
    name: "results",
    sentence:
      "A statement returns exactly the rows, columns and types of the run without faults, in order if it sorts, or an error that has its cause; it never succeeds with fewer rows. A user who cancels stages gets only rows of that result.",
    kind: "wrong-result",
    checkedIn: "checkers/results/results.ts, checkers/causes.ts",
  },
  {
    name: "tables",
    sentence:
      "A table contains the rows of its successful writes, regardless of failed ones; lost rows cause TABLE_DATA_LOST, never a smaller result.",
    kind: "wrong-result",
    checkedIn: "checkers/results/tables.ts",
  },
  {
    name: "lease",
    sentence:
      "Of coordinators that share a directory one is the owner at a time: each has an epoch of its own, greater than those before, and none answers clients once another one is the owner.",
    kind: "safety",
    checkedIn: "cluster.ts",
  },
  {
    name: "relations",
    sentence:
      "The rows where a condition is true, false and null are together all rows; counting the rows where it is true equals summing how often it is true; an outer join has as many rows with a partner as the inner join.",
    kind: "wrong-result",
    checkedIn: "checkers/results/relations.ts",
  },
  {
    name: "sessions",
    sentence:
      "The session that a client carries from statement to statement is exactly what its statements made of it, and it determines the semantics of each statement.",
    kind: "wrong-result",
    checkedIn: "checkers/results/sessions.ts",
  },
  {
    name: "statement-chain",
    sentence:
      "Tokens advance by one, the same token has the same bytes, FINISHED has no nextUri, data has columns; the chain begins and ends as clients of its header family expect.",
    kind: "safety",
    checkedIn: "checkers/protocol/statement-chain.ts",
  },
  {
    name: "retries",
    sentence:
      "A query runs again only after a loss of nodes or messages, as often as it may and after its delays, and fails with a loss only after that; the tasks of a lost attempt end.",
    kind: "safety",
    checkedIn: "checkers/liveness/retries.ts",
  },
  {
    name: "attempts",
    sentence: "A query that runs again computes the same: the task of a partition emits the same pages in each attempt, byte by byte.",
    kind: "nondeterminism",
    checkedIn: "checkers/results/attempts.ts",
  },
  {
    name: "cluster-twin",
    sentence: "A calm cluster of another size returns the same rows in the same order, byte by byte.",
    kind: "nondeterminism",
    checkedIn: "checkers/results/cluster-twin.ts",
  },
  {
    name: "segments",
    sentence:
      "The segments of a result continue row by row, have the same bytes each time and the announced size, are gone once they are acknowledged, and stay within their bound.",
    kind: "safety",
    checkedIn: "checkers/protocol/segments.ts",
  },
  {
    name: "history",
    sentence:
      "The query history on the disk has each query once, none that did not end, and loses none that it had when the coordinator crashes.",
    kind: "safety",
    checkedIn: "checkers/resources/history.ts",
  },
  {
    name: "delivery",
    sentence:
      "Every page of a task's output reaches its one consumer once, in order and intact: the same token has the same bytes, nothing follows the last page, acknowledged pages are not served again, a task has one instance id.",
    kind: "safety",
    checkedIn: "checkers/protocol/delivery.ts",
  },
  {
    name: "data-plane",
    sentence: "A task that is replayed in another world, with other timing, emits the same pages byte by byte.",
    kind: "nondeterminism",
    checkedIn: "checkers/results/data-plane.ts, checkers/results/task-replay.ts",
  },
  {
    name: "deletions",
    sentence:
      "Every task that was created is deleted once its attempt has ended; a deletion without a response is retried for as long as the coordinator tolerates failures of a worker that is not gone.",
    kind: "liveness",
    checkedIn: "checkers/protocol/deletions.ts, checkers/liveness/task-ends.ts",
  },
  {
    name: "closings",
    sentence: "A task that has ended has closed each of its sources, so that no task works or holds memory for a consumer that is gone.",
    kind: "leak",
    checkedIn: "checkers/protocol/closings.ts",
  },
  {
    name: "last-asked",
    sentence:
      "A worker tracks the last request about a task: its document reports no older time than that of the last update or request, and it fails no task as abandoned before its time-out.",
    kind: "safety",
    checkedIn: "checkers/protocol/last-asked.ts",
  },
  {
    name: "progress",
    sentence: "A producer never waits for space in its output buffer while a consumer of that buffer waits for a page.",
    kind: "liveness",
    checkedIn: "checkers/resources/resources.ts",
  },
  {
    name: "state-tables",
    sentence: "Every state transition of a query or stage is in its table.",
    kind: "safety",
    checkedIn: "checkers/membership/states.ts",
  },
  {
    name: "query-life",
    sentence:
      "A query ends once and stays ended, and its tasks end with it. A cancelled query ends at once. An ended query is kept while its client may still fetch rows; of the others, only the newest and the young ones are kept, never more than three times the history. The query resource reports what the user saw, and no client without the slug sees the query.",
    kind: "safety",
    checkedIn: "checkers/liveness/query-life.ts",
  },
  {
    name: "one-life",
    sentence:
      "A task belongs to one incarnation of its node; no other incarnation creates it again, unless the network delivered one request to both.",
    kind: "safety",
    checkedIn: "checkers/membership/tasks.ts",
  },
  {
    name: "deleted-tasks",
    sentence: "A deleted task is never shown or listed again.",
    kind: "safety",
    checkedIn: "checkers/membership/tasks.ts",
  },
  {
    name: "task-versions",
    sentence: "A task's version never decreases, and increases with every state transition.",
    kind: "safety",
    checkedIn: "checkers/membership/tasks.ts",
  },
  {
    name: "statistics",
    sentence:
      "Drivers, splits, times and memory add up; the output of one task is the input of the next; a query reports the rows that its client received; no counter decreases.",
    kind: "safety",
    checkedIn: "checkers/results/counter-sums.ts",
  },
  {
    name: "resources",
    sentence:
      "No reservation is negative or above its limit, the reservations of queries add up to the node's counter, and an output buffer holds no more in memory than its bound.",
    kind: "safety",
    checkedIn: "checkers/resources/resources.ts",
  },
  {
    name: "limits",
    sentence:
      "A successful query has used no more time, CPU time or scanned bytes than its configuration and session allow; a query that was ended for a limit had exceeded it shortly before.",
    kind: "safety",
    checkedIn: "checkers/resources/limits.ts",
  },
  {
    name: "low-memory",
    sentence:
      "A query is ended for the memory of the cluster only while tasks wait for memory, only if the policy says so and names it, and not sooner after another one than the delay.",
    kind: "safety",
    checkedIn: "checkers/resources/low-memory.ts",
  },
  {
    name: "membership",
    sentence:
      "An announcement expires by its age, independent of wall clocks; a node is listed as failed exactly if its heartbeats failed by the rule; a node gets no work before its current incarnation has answered a heartbeat, or after it announced its shutdown; and a node that is gone gets no task requests.",
    kind: "safety",
    checkedIn: "checkers/membership/membership.ts",
  },
  {
    name: "ready",
    sentence:
      "A node returns no rows before it is ready, except those of another cluster. It reports that it is starting until then; a coordinator also reports it whenever it has too few workers.",
    kind: "safety",
    checkedIn: "checkers/liveness/query-life.ts",
  },
  {
    name: "decay",
    sentence: "The counters of the node resource are the heartbeats that crossed the network, with a decay by a factor of e per minute.",
    kind: "safety",
    checkedIn: "checkers/membership/decay.ts",
  },
  {
    name: "documents",
    sentence:
      "Every document in a request or response conforms to its schema. Checked are all documents for users; of the others, the first of each kind and then one in sixteen.",
    kind: "safety",
    checkedIn: "checkers/protocol/documents.ts",
  },
  { name: "answers", sentence: "No node responds with status 500.", kind: "crash", checkedIn: "checkers/checkers.ts" },
  {
    name: "probes",
    sentence: "Old tokens, repeated requests and similar probes are answered as the interface specifies.",
    kind: "safety",
    checkedIn: "checkers/checkers.ts",
  },
  {
    name: "promptness",
    sentence:
      "No component waits for something that is available: a cancel ends its query at once; a free slot or worker is used within seconds; a query with all its rows does not wait for final statistics; an abandoned query is failed in time; and a node that was told to shut down is gone when its work or its grace period is over.",
    kind: "liveness",
    checkedIn: "checkers/liveness/promptness.ts",
  },
  {
    name: "every-statement-ends",
    sentence: "Every statement ends after the last fault has healed.",
    kind: "liveness",
    checkedIn: "run.ts",
  },
  {
    name: "convergence",
    sentence: "After the heal every worker is used again, and a simple query returns its rows.",
    kind: "liveness",
    checkedIn: "run.ts",
  },
  {
    name: "goodput",
    sentence: "After the faults have ended, the service reaches the throughput of a run without them.",
    kind: "liveness",
    checkedIn: "run.ts",
  },
  {
    name: "quiescence",
    sentence: "At the end of a run no task, buffer, reservation, timer or spill file is left.",
    kind: "leak",
    checkedIn: "run.ts",
  },
  {
    name: "traps",
    sentence: "No code in a run uses real time, entropy or the host.",
    kind: "nondeterminism",
    checkedIn: "world/traps.ts",
  },
  {
    name: "engine",
    sentence: "No assertion of the engine fails, and no rejected promise is unhandled.",
    kind: "crash",
    checkedIn: "run.ts",
  },
  { name: "client", sentence: "The statement client receives nothing unexpected.", kind: "crash", checkedIn: "run.ts" },
  { name: "start", sentence: "A node starts with any content of its disk.", kind: "crash", checkedIn: "run.ts" },
  {
    name: "useful-work",
    sentence: "At least one statement returned rows, so that the run tests something.",
    kind: "vacuous",
    checkedIn: "run.ts",
  },
  {
    name: "expectations",
    sentence: "The run reached the counters that its scenario expects.",
    kind: "vacuous",
    checkedIn: "checkers/results/expectations.ts",
  },
  ...modelKinds.map(({ invariant }) => invariant),
];

export function describeInvariants(): readonly string[] {
  return [
    ...invariants.map(({ name, sentence, kind, checkedIn }) => `${name} (${kind}, ${checkedIn})\n  ${sentence}`),
    "Errors that a cluster may declare, and the cause that each requires:",
    ...Object.entries(causes).map(([errorName, { sentence }]) => `  ${errorName}: ${sentence}`),
  ];
}
