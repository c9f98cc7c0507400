/** Every invariant that a run is held against, stated once: the name that a violation carries, the sentence a person would say, what kind of failure it is, and where it is checked. */
import { causes } from "./causes.ts";
import type { FailureKind } from "./violation.ts";

export interface Invariant {
  readonly name: string;
  readonly sentence: string;
  /** The usual kind of a violation. */
  readonly kind: FailureKind;
  readonly checkedIn: string;
}

export const invariants: readonly Invariant[] = [
  {
    name: "results",
    sentence:
      "A statement gives exactly the rows, columns and types of the run without faults, in order where it sorts, or an error that has its cause; never a short success. Whoever ends stages of it gets no other rows than these.",
    kind: "wrong-result",
    checkedIn: "checkers/results/results.ts, checkers/causes.ts",
  },
  {
    name: "tables",
    sentence:
      "A table holds what its successful writes say, whatever became of the failed ones; lost parts are TABLE_DATA_LOST, never fewer rows.",
    kind: "wrong-result",
    checkedIn: "checkers/results/tables.ts",
  },
  {
    name: "relations",
    sentence:
      "Rows where a condition holds, does not hold and is null are all rows; counting where it holds is counting how often it holds.",
    kind: "wrong-result",
    checkedIn: "checkers/results/relations.ts",
  },
  {
    name: "sessions",
    sentence:
      "A client carries from one statement to the next what its statements have made of its session and nothing else, and what a statement means is what that session says.",
    kind: "wrong-result",
    checkedIn: "checkers/results/sessions.ts",
  },
  {
    name: "statement-chain",
    sentence:
      "Tokens advance by one, the same token has the same bytes, FINISHED has no nextUri, data has columns; the chain begins and ends as the clients of its header family expect.",
    kind: "safety",
    checkedIn: "checkers/protocol/statement-chain.ts",
  },
  {
    name: "segments",
    sentence:
      "Segments of a result follow one another row by row, have the same bytes each time and those that were announced, are gone once they are acknowledged, and keep within their bound.",
    kind: "safety",
    checkedIn: "checkers/protocol/segments.ts",
  },
  {
    name: "delivery",
    sentence:
      "Every page of a task's output reaches its one consumer once, in order and whole: the same token has the same bytes, nothing follows the last page, nothing acknowledged comes again, a task has one instance id.",
    kind: "safety",
    checkedIn: "checkers/protocol/delivery.ts",
  },
  {
    name: "data-plane",
    sentence: "A task that is run again, elsewhere and at another pace, emits the same pages to the byte.",
    kind: "nondeterminism",
    checkedIn: "checkers/results/data-plane.ts, checkers/results/task-replay.ts",
  },
  {
    name: "deletions",
    sentence:
      "Every task that was created is deleted once its query has ended; a deletion that was not answered is tried again, for as long as the coordinator is patient with a worker that is there.",
    kind: "liveness",
    checkedIn: "checkers/protocol/deletions.ts, checkers/liveness/task-ends.ts",
  },
  {
    name: "closings",
    sentence:
      "A task that has ended has told each source that it reads no more of it, so that nobody works or holds memory for a reader that is gone.",
    kind: "leak",
    checkedIn: "checkers/protocol/closings.ts",
  },
  {
    name: "last-asked",
    sentence:
      "A worker knows when somebody last asked for a task: its document says no older time than that of the last update or question, and it gives none up before its time.",
    kind: "safety",
    checkedIn: "checkers/protocol/last-asked.ts",
  },
  {
    name: "progress",
    sentence: "A producer never waits for room in its output while a reader waits there for a page.",
    kind: "liveness",
    checkedIn: "checkers/resources/resources.ts",
  },
  {
    name: "state-tables",
    sentence: "Every change of a query's or a stage's state is in its table.",
    kind: "safety",
    checkedIn: "checkers/membership/states.ts",
  },
  {
    name: "query-life",
    sentence:
      "A query ends once and stays ended, at once when it is cancelled, its tasks go with it, an ended one is remembered while its client is still to come for rows, of the others only the newest and those that are young, and never more than three times the history, the query resource tells of it what its user saw, and nobody without its slug sees it.",
    kind: "safety",
    checkedIn: "checkers/liveness/query-life.ts",
  },
  {
    name: "one-life",
    sentence: "A task belongs to one life of its node; no other life creates it once more, unless the network gave one request to both.",
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
    sentence: "A task's version never falls, and grows with every change of its state.",
    kind: "safety",
    checkedIn: "checkers/membership/tasks.ts",
  },
  {
    name: "statistics",
    sentence:
      "Drivers, splits, times and memory add up; what went out of one task is what came into the next; a query gave the rows its client received; nothing counted goes back.",
    kind: "safety",
    checkedIn: "checkers/results/counter-sums.ts",
  },
  {
    name: "resources",
    sentence:
      "Nothing is reserved below zero or above its limit, what queries hold is what the node counts, and an output holds no more in memory than its bound.",
    kind: "safety",
    checkedIn: "checkers/resources/resources.ts",
  },
  {
    name: "limits",
    sentence:
      "A query that ends well has used no more time, CPU time or scanned bytes than its configuration and session allow; one that was ended for a limit had passed it, and not long before.",
    kind: "safety",
    checkedIn: "checkers/resources/limits.ts",
  },
  {
    name: "membership",
    sentence:
      "An announcement counts until its age ends it, whatever wall clocks do; who is listed as failed failed its heartbeats by the rule, and no other; nobody gets work before its present life has answered a heartbeat, or after it said that it leaves; and who is gone is asked for none.",
    kind: "safety",
    checkedIn: "checkers/membership/membership.ts",
  },
  {
    name: "ready",
    sentence:
      "A node gives no rows before it is ready. It says that it is starting until then, and a coordinator whenever it has too few workers.",
    kind: "safety",
    checkedIn: "checkers/liveness/query-life.ts",
  },
  {
    name: "decay",
    sentence: "The counters of the node resource are the heartbeats that crossed the network, fading by e a minute.",
    kind: "safety",
    checkedIn: "checkers/membership/decay.ts",
  },
  {
    name: "documents",
    sentence:
      "Every document, in requests and answers, is as its schema says: all that users see, of the others the first of each kind and then one in sixteen.",
    kind: "safety",
    checkedIn: "checkers/protocol/documents.ts",
  },
  { name: "answers", sentence: "No node answers 500.", kind: "crash", checkedIn: "checkers/checkers.ts" },
  {
    name: "probes",
    sentence: "Old tokens, repeated requests and the like are answered as the interface says.",
    kind: "safety",
    checkedIn: "checkers/checkers.ts",
  },
  {
    name: "promptness",
    sentence:
      "Nobody waits for what is there: a cancel ends its query at once, a free slot and a worker are taken within seconds, a query with all its rows waits for no last numbers, one whose client has gone is given up in time, and who was told to leave is gone when its work or its time is over.",
    kind: "liveness",
    checkedIn: "checkers/liveness/promptness.ts",
  },
  {
    name: "every-statement-ends",
    sentence: "After the last fault has healed every statement ends.",
    kind: "liveness",
    checkedIn: "run.ts",
  },
  {
    name: "convergence",
    sentence: "After the heal every worker is used again, and a plain query is answered.",
    kind: "liveness",
    checkedIn: "run.ts",
  },
  {
    name: "goodput",
    sentence: "After the trigger has ended the service does as much work as before it.",
    kind: "liveness",
    checkedIn: "run.ts",
  },
  {
    name: "quiescence",
    sentence: "At the end no task, buffer, reservation, timer or spilled file is left.",
    kind: "leak",
    checkedIn: "run.ts",
  },
  {
    name: "traps",
    sentence: "Nothing in a run reaches real time, entropy or the host.",
    kind: "nondeterminism",
    checkedIn: "world/traps.ts",
  },
  {
    name: "engine",
    sentence: "No assertion of the engine breaks and no promise is left without a handler.",
    kind: "crash",
    checkedIn: "run.ts",
  },
  { name: "client", sentence: "The statement client meets nothing that it does not know.", kind: "crash", checkedIn: "run.ts" },
  { name: "start", sentence: "A node starts, whatever its disk holds.", kind: "crash", checkedIn: "run.ts" },
  { name: "useful-work", sentence: "The run did something that could have gone wrong.", kind: "vacuous", checkedIn: "run.ts" },
  {
    name: "expectations",
    sentence: "The run did what its story is about.",
    kind: "vacuous",
    checkedIn: "checkers/results/expectations.ts",
  },
];

export function describeInvariants(): readonly string[] {
  return [
    ...invariants.map(({ name, sentence, kind, checkedIn }) => `${name} (${kind}, ${checkedIn})\n  ${sentence}`),
    "errors that a cluster may declare, and what must have happened:",
    ...Object.entries(causes).map(([errorName, { sentence }]) => `  ${errorName}: ${sentence}`),
  ];
}
