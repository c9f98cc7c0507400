/**
 * Pairs of conditions that coincide: a kind of message and the state of its receiver, a kind of fault and the phase of a query, an operator
 * and the loss of its task. The universe is closed, so that missing pairs can be counted. Impossible pairs are excluded, each with a
 * reason.
 */
import { queryStates as everyQueryState } from "../../src/protocol/documents/statement.ts";
import { taskStates as everyTaskState } from "../../src/protocol/documents/task.ts";
import { drawnKinds } from "../faults/registry.ts";

export interface Pair {
  readonly id: string;
  readonly sentence: string;
}

export interface Excluded extends Pair {
  readonly reason: string;
}

export const taskMessages = [
  "task-update",
  "task-filter",
  "task-status",
  "task-info",
  "task-delete",
  "buffer-delete",
  "exchange-fetch",
  "exchange-close",
] as const;
const taskStates = ["unknown", ...everyTaskState, "deleted"] as const;
export const nodeMessages = [...taskMessages, "heartbeat", "catalog-call"] as const;
const nodeStates = ["ACTIVE", "SHUTTING_DOWN", "not yet ready", "restarted"] as const;
export const queryMessages = [
  "statement-submit",
  "statement-poll",
  "statement-cancel",
  "statement-partial-cancel",
  "odd-poll",
  "odd-cancel",
] as const;
const queryStates = ["unknown", ...everyQueryState] as const;
const phases = ["no query", ...everyQueryState.filter((state) => state !== "FINISHED" && state !== "FAILED"), "just ended"] as const;
/** Operators by their names in the plan's fragments; joins by their type. */
export const operators = [
  "TableScan",
  "Values",
  "Filter",
  "Project",
  "Aggregation",
  "GroupId",
  "MarkDistinct",
  "Join INNER",
  "Join LEFT",
  "Join RIGHT",
  "Join FULL",
  "SemiJoin",
  "Window",
  "EnforceSingleRow",
  "Sort",
  "TopN",
  "Limit",
  "Offset",
  "Sample",
  "Unnest",
  "AssignUniqueId",
  "Union",
  "RemoteSource",
  "TableWriter",
] as const;
export const lossPoints = ["unread", "half read", "read out"] as const;

export function messagePair(message: string, state: string): string {
  return `message ${message} | ${state}`;
}

export function faultPair(kind: string, phase: string): string {
  return `fault ${kind} | ${phase}`;
}

export function operatorPair(operator: string, point: string): string {
  return `operator ${operator} | ${point}`;
}

/** Reasons why pairs are impossible. */
const rules: readonly { readonly pattern: RegExp; readonly reason: string }[] = [
  { pattern: /\| (CANCELED|ABORTED)$/, reason: "a task is cancelled or aborted by its deletion only, and forgotten in the same event" },
  {
    pattern: /^message statement-partial-cancel \| query (QUEUED|WAITING_FOR_RESOURCES|PLANNING)$/,
    reason: "a stage can be cancelled only while its query runs",
  },
  { pattern: /\| (query )?(PLANNING|STARTING)$/, reason: "a query is planned, started and running within one event" },
];

function an(message: string): string {
  return `${/^[aeo]/.test(message) ? "an" : "a"} ${message}`;
}

function everyPair(): readonly Pair[] {
  const pairs: Pair[] = [];
  for (const message of taskMessages) {
    for (const state of taskStates) {
      const who =
        state === "unknown"
          ? "a worker that does not know its task"
          : state === "deleted"
            ? "a worker that has deleted its task"
            : `a task that is ${state}`;
      pairs.push({ id: messagePair(message, state), sentence: `${an(message)} arrived at ${who}` });
    }
  }
  for (const message of nodeMessages) {
    for (const state of nodeStates) {
      pairs.push({ id: messagePair(message, state), sentence: `${an(message)} arrived at a worker that was ${state}` });
    }
  }
  for (const message of queryMessages) {
    for (const state of queryStates) {
      const who = state === "unknown" ? "a coordinator that does not know its query" : `a query that is ${state}`;
      pairs.push({ id: messagePair(message, `query ${state}`), sentence: `${an(message)} arrived at ${who}` });
    }
  }
  for (const kind of drawnKinds) {
    for (const phase of phases) {
      const when =
        phase === "no query"
          ? "while there was no query"
          : phase === "just ended"
            ? "right after a query had ended"
            : `while a query was ${phase}`;
      pairs.push({ id: faultPair(kind, phase), sentence: `${kind} started ${when}` });
    }
  }
  for (const operator of operators) {
    for (const point of lossPoints) {
      pairs.push({ id: operatorPair(operator, point), sentence: `a worker was lost while its task ran ${operator} and was ${point}` });
    }
  }
  return pairs;
}

const everything = everyPair();

export const excludedPairs: readonly Excluded[] = everything.flatMap((pair) => {
  const rule = rules.find(({ pattern }) => pattern.test(pair.id));
  return rule === undefined ? [] : [{ ...pair, reason: rule.reason }];
});

export const possiblePairs: readonly Pair[] = everything.filter(({ id }) => !rules.some(({ pattern }) => pattern.test(id)));
