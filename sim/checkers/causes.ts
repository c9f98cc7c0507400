/**
 * The errors that a cluster may declare, and the event that each requires. An error without its cause is a wrong result. Errors that a
 * statement itself causes are not listed here, because the reference run has them too.
 */
import { recoversQueries, recoversTables, sizeProperty } from "../properties.ts";
import { nanosPerMs } from "../world/world.ts";
import { parseDataSize, parseDurationMs } from "../../src/protocol/units.ts";
import type { RunPlan } from "../plan.ts";
import type { Facts } from "./facts.ts";
import { plannedLimits } from "./resources/limits.ts";

export interface DeclaredError {
  readonly errorName: string;
  readonly message: string;
  readonly user: string;
  /** Text of the statement, if it is known. */
  readonly sql?: string;
}

export interface CauseContext {
  readonly facts: Facts;
  readonly plan: Pick<RunPlan, "points" | "properties" | "remote" | "replication" | "resourceGroups" | "store" | "workers">;
  /** Returns the session properties of a user's statements. */
  readonly sessionOf: (user: string) => Readonly<Record<string, string>>;
  /** Knows whether a statement of a user's transaction may have failed, and which transactions may have ended. */
  readonly transactions: { readonly mayBeAborted: (user: string) => boolean; readonly mayHaveEnded: (transactionId: string) => boolean };
  /** Name of the coordinator's place. */
  readonly coordinator: string;
  /** Memory of a node, in bytes. */
  readonly nodeMemoryBytes: number;
  readonly nowNanos: () => number;
}

const draws = /\b(?:random|rand|uuid|shuffle)\(/i;

interface Cause {
  /** The required event, in plain words. */
  readonly sentence: string;
  readonly holds: (error: DeclaredError, context: CauseContext) => boolean;
}

/** Messages show durations with two decimal places. */
const durationRounding = 0.006;

/** The host in a message, for example `w2` for `http://w2:8080`; undefined if it names none. */
function hostIn({ message }: DeclaredError): string | undefined {
  return /http:\/\/([^:/\s]+):8080/.exec(message)?.[1];
}

/** Tests the node that the message names, or any trouble if it names none. */
function ofHost(holds: (host: string, context: CauseContext) => boolean): Cause["holds"] {
  return (error, context) => {
    const host = hostIn(error);
    return host === undefined ? context.facts.anyTrouble() : holds(host, context);
  };
}

/** A node's error for a task that it has forgotten. */
const unknownMessage = /^Task is unknown to its node,/;
/**
 * If a client resubmits a statement under its own id to another incarnation of the coordinator, its tasks reuse names of tasks that workers
 * have deleted.
 */
const usedMessage = /task-update was answered with status 410$/;
const goneMessage = /but was 410$/;

const silentMessage = /^The node may have crashed or be unreachable: /;

const failuresMin = 3;

const defaultDurations = { "exchange.max-error-duration": "5m", "query.remote-task.max-error-duration": "5m", "task.info.max-age": "15m" };

/** A configured duration in nanoseconds; the default if the plan does not set it. */
function longest({ plan: { properties } }: CauseContext, name: keyof typeof defaultDurations): number {
  return (parseDurationMs(properties[name] ?? defaultDurations[name]) ?? 0) * nanosPerMs;
}

const memoryMessage = /^Query exceeded per-node user memory limit of (\S+) \[.+\]$/;
const tableMemoryMessage = /^Memory limit \[(\d+)\] for memory connector exceeded$/;
const catalogMessage = /^Catalog '(?:memory|vault)' cannot (read|record) (its tables|the change): /;
const storeMessage = /^File \S+ cannot be (?:read|written): .+ \(\d+ attempts?(?:, and too many other requests failed)?\)$/;
const spillMessage = /^Failed to (spill pages|read spilled pages)$/;

export const causes: Readonly<Record<string, Cause>> = {
  PAGE_TRANSPORT_ERROR: {
    sentence:
      "the node with the pages restarted, or its response was truncated, or a worker restarted and its former incarnation had consumed the pages, or the user cancelled the stage of the pages while a response was lost",
    holds: (error, context) =>
      (goneMessage.test(error.message) && (context.facts.anyWorkerEnded() || context.facts.hasEndedStages(error.user))) ||
      ofHost((host, { facts }) => facts.answeredOddly(host) && (facts.forgotOrBroke(host) || facts.hitSince(host, 0)))(error, context),
  },
  PAGE_TRANSPORT_TIMEOUT: {
    sentence: "consecutive requests for pages of one buffer failed for as long as an exchange retries",
    holds: ofHost((host, context) => context.facts.readFailedFor(host, longest(context, "exchange.max-error-duration"), failuresMin)),
  },
  REMOTE_TASK_ERROR: {
    sentence:
      "the node of the task restarted or was hit by a fault, or a document was truncated, or a former incarnation of the coordinator had a task with that id there, or a message to the node was delayed for longer than the node keeps ended tasks",
    holds: (error, context) =>
      (unknownMessage.test(error.message) &&
        context.facts.waitedFor(context.coordinator, hostIn(error) ?? "", longest(context, "task.info.max-age"))) ||
      (usedMessage.test(error.message) && context.facts.livesOf(context.coordinator) > 1) ||
      ofHost((host, { facts }) => facts.answeredOddly(host) && (facts.forgotOrBroke(host) || facts.hitSince(host, 0)))(error, context),
  },
  REMOTE_TASK_MISMATCH: {
    sentence: "the node of the task restarted",
    holds: ofHost((host, { facts }) => facts.livesOf(host) > 1),
  },
  REMOTE_HOST_GONE: {
    sentence: "the node crashed, stopped, or could not be reached",
    holds: ofHost((host, { facts }) => facts.placeTroubled(host)),
  },
  REMOTE_BUFFER_CLOSE_FAILED: {
    sentence:
      "requests to the node with the pages failed for as long as an exchange retries; a node that does not know the buffer has nothing to close",
    holds: ofHost((host, context) => context.facts.failedFor(host, longest(context, "exchange.max-error-duration"), failuresMin)),
  },
  TOO_MANY_REQUESTS_FAILED: {
    sentence:
      "requests to the node of the task failed for as long as the coordinator retries, or it could not be reached; for how long it was silent a model of its own judges",
    holds: (error, context) =>
      ofHost((host, { facts }) =>
        silentMessage.test(error.message)
          ? facts.placeTroubled(host)
          : facts.failedFor(host, longest(context, "query.remote-task.max-error-duration"), failuresMin),
      )(error, context),
  },
  NO_NODES_AVAILABLE: {
    sentence: "a worker was lost: it crashed, shut down, or its messages failed",
    holds: (_, { facts }) => facts.anyTrouble(),
  },
  GENERIC_INSUFFICIENT_RESOURCES: {
    sentence: "a worker was lost for as long as a statement waits for workers",
    holds: (_, { facts }) => facts.anyTrouble(),
  },
  SERVER_SHUTTING_DOWN: {
    sentence: "the grace period of a node that was told to shut down was over, by its own clock",
    holds: (_, { facts, nowNanos }) => facts.anybodyOutOfTime(nowNanos()),
  },
  SERVER_STARTING_UP: {
    sentence: "the coordinator was started again, and the query cannot go on for a reason that its message gives",
    // Another life plans the statement anew, with the random values that the journal has unless the disk has lost them.
    // Tables that survive it tell what a statement has done.
    // The cluster to which a statement was sent gives its own reason.
    holds: ({ message, sql = "" }, { facts, coordinator, plan: { properties, remote } }) =>
      (facts.livesOf(coordinator) > 1 || (remote !== undefined && facts.livesOf(remote.name) > 1)) &&
      !(message.includes("what it has done is not known") && recoversTables(properties) && /\bmemory\./.test(sql)) &&
      (message.includes("the query cannot go on: ") ||
        (message.includes("what it reads has changed since") && draws.test(sql) && facts.mayForget(coordinator))),
  },
  TRANSACTION_ALREADY_ABORTED: {
    sentence: "a statement of the user's transaction failed, or its end was not seen",
    holds: ({ user }, { transactions }) => transactions.mayBeAborted(user),
  },
  UNKNOWN_TRANSACTION: {
    sentence:
      "the coordinator was started again and keeps no journal, or its disk may have lost the transaction; or the statement was sent twice; or the user did not see the end of the transaction; or transactions time out soon, which a model of its own judges",
    holds: ({ message, user }, { facts, coordinator, plan: { properties }, transactions }) => {
      const [, id] = /^Unknown transaction ID: ([0-9a-f-]{36})\./.exec(message) ?? [];
      const mayLose = !recoversQueries(properties) || facts.mayHaveLost(coordinator) || facts.diskFailed(coordinator);
      const isLost = facts.livesOf(coordinator) > 1 && mayLose;
      const timesOut = properties["transaction.idle-timeout"] !== undefined;
      return id !== undefined && (isLost || timesOut || facts.copiesOf(user) > 0 || transactions.mayHaveEnded(id));
    },
  },
  ABANDONED_QUERY: {
    sentence: "the user's messages failed, or the coordinator was hit by a fault, for longer than the client time-out",
    holds: ({ user }, { facts, coordinator }) =>
      facts.linkTroubled(user, coordinator) || facts.hitSince(coordinator, 0) || facts.struck("crowd"),
  },
  ABANDONED_TASK: {
    sentence: "the coordinator could not send requests about the task for longer than its time-out",
    holds: (_, { facts, coordinator }) => facts.placeTroubled(coordinator),
  },
  USER_CANCELED: {
    sentence: "a DELETE by this user was answered",
    holds: ({ user }, { facts }) => facts.wasCanceled(user),
  },
  TABLE_DATA_LOST: {
    sentence:
      "each worker with a copy of the rows restarted, or is gone; it was the only one if the others were in trouble or there is one copy; no worker is told to drop rows that a table still has",
    holds: ({ message }, { facts, plan: { points, replication = 2, workers } }) => {
      const reasons = [...message.matchAll(/(?::|,) worker (\S+) (restarted|is gone)(?=,|$)/g)];
      const named = new Set(reasons.map(([, worker = ""]) => worker));
      const others = workers.map(({ name }) => name).filter((name) => !named.has(name));
      // A worker that refuses a copy leaves a part without it for a while.
      const isOnly = named.size < replication && others.length > 0 && points?.["memory-copy-refused"] === undefined;
      return (
        named.size > 0 &&
        (!isOnly || others.some((worker) => facts.placeTroubled(worker))) &&
        reasons.every(([, worker = "", reason]) => (reason === "restarted" ? facts.livesOf(worker) > 1 : facts.placeTroubled(worker)))
      );
    },
  },
  CONNECTOR_ERROR: {
    sentence:
      "a disk failed or was full while a catalog of tables in memory was read or recorded, or an object store failed for as often as a request is repeated",
    holds: ({ message }, { facts, plan: { properties, store } }) =>
      (catalogMessage.test(message) && recoversTables(properties) && (facts.diskFailed() || facts.struck("full-disk"))) ||
      (storeMessage.test(message) && store !== undefined && store.faultPercent + (store.lostPercent ?? 0) > 0),
  },
  OUT_OF_SPILL_SPACE: {
    sentence: "a disk was full",
    holds: (_, { facts }) => facts.struck("full-disk"),
  },
  CORRUPT_PAGE: {
    sentence: "a disk returned corrupt data",
    holds: (_, { facts }) => facts.diskFailed(),
  },
  GENERIC_INTERNAL_ERROR: {
    sentence: "a disk failed while the spiller used it",
    holds: ({ message }, { facts }) => spillMessage.test(message) && facts.diskFailed(),
  },
  EXCEEDED_LOCAL_MEMORY_LIMIT: {
    sentence: "the limit in the message is the plan's limit for queries, or the node had no more memory",
    holds: ({ message }, { facts, plan: { properties }, nodeMemoryBytes }) => {
      const ofTables = tableMemoryMessage.exec(message)?.[1];
      if (ofTables !== undefined) {
        // Tables have no limit except the node's memory, which is reached only when another process on the machine takes memory.
        return Number(ofTables) === nodeMemoryBytes && facts.struck("memory-pressure");
      }
      const limit = parseDataSize(memoryMessage.exec(message)?.[1] ?? "");
      const planned = sizeProperty(properties, "query.max-memory-per-node");
      const isPlanned = limit !== undefined && Math.abs(limit - planned) <= planned / 100;
      return limit !== undefined && (isPlanned || limit >= nodeMemoryBytes * 0.99 || facts.struck("memory-pressure"));
    },
  },
  EXCEEDED_GLOBAL_MEMORY_LIMIT: {
    sentence: "the plan or the user's session limits the memory of a statement to the value in the message",
    holds: ({ message, user }, context) => {
      const { totalMemoryBytes, userMemoryBytes } = plannedLimits(context.plan.properties, context.sessionOf(user));
      const limitBytes = message.includes(" total ") ? totalMemoryBytes : userMemoryBytes;
      const told = parseDataSize(/ limit of (\S+)$/.exec(message)?.[1] ?? "") ?? Number.NaN;
      return Math.abs(told - limitBytes) <= limitBytes / 100;
    },
  },
  CLUSTER_OUT_OF_MEMORY: {
    sentence: "nodes were out of memory, or queries were made to wait for it, and the plan's policy ends one of them",
    holds: (_, { facts, plan: { points, properties } }) =>
      properties["query.low-memory-killer.policy"] !== "none" &&
      ((points?.["query-waits-for-memory"] ?? 0) > 0 || facts.struck("memory-pressure")),
  },
  EXCEEDED_TIME_LIMIT: {
    sentence: "the plan or the user's session limits the run time of a statement to the value in the message",
    holds: ({ message, user }, context) => {
      const { runMs, executionMs } = plannedLimits(context.plan.properties, context.sessionOf(user));
      const limitMs = message.includes("execution") ? executionMs : runMs;
      const toldMs = parseDurationMs(/ limit of (\S+)$/.exec(message)?.[1] ?? "") ?? Number.NaN;
      return Number.isFinite(limitMs) && Math.abs(toldMs - limitMs) <= limitMs * durationRounding;
    },
  },
  EXCEEDED_CPU_LIMIT: {
    sentence: "the plan or the user's session limits the CPU time of a statement",
    holds: ({ user }, context) => Number.isFinite(plannedLimits(context.plan.properties, context.sessionOf(user)).cpuMs),
  },
  EXCEEDED_SCAN_LIMIT: {
    sentence: "the plan or the user's session limits the bytes that the scans of a statement read",
    holds: ({ user }, context) => plannedLimits(context.plan.properties, context.sessionOf(user)).scanBytes < Number.POSITIVE_INFINITY,
  },
  QUERY_QUEUE_FULL: {
    sentence: "the plan limits the number of queued statements",
    holds: (_, { plan: { properties, resourceGroups } }) =>
      properties["query.max-queued-queries"] !== undefined || resourceGroups !== undefined,
  },
};

/** Returns undefined if the error has its cause; otherwise the missing cause, as the end of a sentence. */
export function lacksCause(error: DeclaredError, context: CauseContext): string | undefined {
  const cause = Object.hasOwn(causes, error.errorName) ? causes[error.errorName] : undefined;
  if (cause === undefined) {
    return "no cluster may declare it";
  }
  return cause.holds(error, context) ? undefined : `it requires that ${cause.sentence}, which did not happen`;
}
