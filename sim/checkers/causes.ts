/**
 * Which errors a cluster may declare, and what must have happened for each: an error without its cause is a wrong answer, however clean it looks. Errors that
 * a statement itself brings about are not here; the reference run has them too.
 */
import { sizeProperty } from "../properties.ts";
import { nanosPerMs } from "../world/world.ts";
import { parseDataSize, parseDurationMs } from "../../src/protocol/units.ts";
import type { Properties } from "../plan.ts";
import { unlimited } from "../../src/coordinator/context.ts";
import type { Facts } from "./facts.ts";
import { plannedLimits } from "./resources/limits.ts";

export interface DeclaredError {
  readonly errorName: string;
  readonly message: string;
  readonly user: string;
}

export interface CauseContext {
  readonly facts: Facts;
  readonly properties: Properties;
  /** Session properties of a user's statements. */
  readonly sessionOf: (user: string) => Readonly<Record<string, string>>;
  /** The coordinator's place. */
  readonly coordinator: string;
  /** Bytes of memory of a node. */
  readonly nodeMemoryBytes: number;
  readonly nowNanos: () => number;
}

interface Cause {
  /** What must have happened, as a person would say it. */
  readonly sentence: string;
  readonly holds: (error: DeclaredError, context: CauseContext) => boolean;
}

/** `w2` in a message that names `http://w2:8080`; undefined when it names nobody. */
function hostIn({ message }: DeclaredError): string | undefined {
  return /http:\/\/([^:/\s]+):8080/.exec(message)?.[1];
}

/** Of the node that the message names; of any when it names none. */
function ofHost(holds: (host: string, context: CauseContext) => boolean): Cause["holds"] {
  return (error, context) => {
    const host = hostIn(error);
    return host === undefined ? context.facts.anyTrouble() : holds(host, context);
  };
}

/** What a node says of a task that has ended for longer than it remembers tasks. */
const unknownMessage = /^Task is unknown to its node,/;
/** A statement that is submitted again under its own id to another life of the coordinator has tasks of the same names, which workers have deleted. */
const usedMessage = /task-update was answered with status 410$/;
const goneMessage = /but was 410$/;

const failuresMin = 3;

const defaultDurations = { "exchange.max-error-duration": "5m", "query.remote-task.max-error-duration": "5m", "task.info.max-age": "15m" };

/** A duration of the configuration, in nanoseconds; what it is when the plan says nothing of it. */
function longest({ properties }: CauseContext, name: keyof typeof defaultDurations): number {
  return (parseDurationMs(properties[name] ?? defaultDurations[name]) ?? 0) * nanosPerMs;
}

const memoryMessage = /^Query exceeded per-node user memory limit of (\S+) \[.+\]$/;
const tableMemoryMessage = /^Memory limit \[(\d+)\] for memory connector exceeded$/;
const spillMessage = /^Failed to (spill pages|read spilled pages)$/;

export const causes: Readonly<Record<string, Cause>> = {
  PAGE_TRANSPORT_ERROR: {
    sentence:
      "the node that held the pages was started anew, or only a part of its answer arrived, or a worker was started anew and a former life of it had taken them, or the user ended the stage of the pages while an answer was lost",
    holds: (error, context) =>
      (goneMessage.test(error.message) && (context.facts.anyWorkerEnded() || context.facts.hasEndedStages(error.user))) ||
      ofHost((host, { facts }) => facts.answeredOddly(host) && (facts.forgotOrBroke(host) || facts.hitSince(host, 0)))(error, context),
  },
  PAGE_TRANSPORT_TIMEOUT: {
    sentence: "requests for pages of one buffer failed one after the other for as long as an exchange tries",
    holds: ofHost((host, context) => context.facts.readFailedFor(host, longest(context, "exchange.max-error-duration"), failuresMin)),
  },
  REMOTE_TASK_ERROR: {
    sentence:
      "the node of the task was started anew or hit by a fault, or only a part of a document arrived, or a former life of the coordinator had a task of that name there, or a message to the node was missed for longer than it remembers tasks",
    holds: (error, context) =>
      (unknownMessage.test(error.message) &&
        context.facts.waitedFor(context.coordinator, hostIn(error) ?? "", longest(context, "task.info.max-age"))) ||
      (usedMessage.test(error.message) && context.facts.livesOf(context.coordinator) > 1) ||
      ofHost((host, { facts }) => facts.answeredOddly(host) && (facts.forgotOrBroke(host) || facts.hitSince(host, 0)))(error, context),
  },
  REMOTE_TASK_MISMATCH: {
    sentence: "the node of the task was started anew",
    holds: ofHost((host, { facts }) => facts.livesOf(host) > 1),
  },
  REMOTE_HOST_GONE: {
    sentence: "the node crashed, stopped, or could not be reached",
    holds: ofHost((host, { facts }) => facts.placeTroubled(host)),
  },
  REMOTE_BUFFER_CLOSE_FAILED: {
    sentence:
      "requests to the node that held the pages failed for as long as an exchange tries; one that knows nothing of them has none left",
    holds: ofHost((host, context) => context.facts.failedFor(host, longest(context, "exchange.max-error-duration"), failuresMin)),
  },
  TOO_MANY_REQUESTS_FAILED: {
    sentence: "requests to the node of the task failed again and again for as long as the coordinator tries",
    holds: ofHost((host, context) => context.facts.failedFor(host, longest(context, "query.remote-task.max-error-duration"), failuresMin)),
  },
  NO_NODES_AVAILABLE: {
    sentence: "a worker was lost: it crashed, left, or its messages went astray",
    holds: (_, { facts }) => facts.anyTrouble(),
  },
  GENERIC_INSUFFICIENT_RESOURCES: {
    sentence: "a worker was lost for as long as a statement waits for workers",
    holds: (_, { facts }) => facts.anyTrouble(),
  },
  SERVER_SHUTTING_DOWN: {
    sentence: "a node that was told to leave had, by its own clock, no time left",
    holds: (_, { facts, nowNanos }) => facts.anybodyOutOfTime(nowNanos()),
  },
  ABANDONED_QUERY: {
    sentence: "the user's messages went astray, or the coordinator was hit, for longer than a client may be silent",
    holds: ({ user }, { facts, coordinator }) =>
      facts.linkTroubled(user, coordinator) || facts.hitSince(coordinator, 0) || facts.struck("crowd"),
  },
  ABANDONED_TASK: {
    sentence: "the coordinator could not ask for the task for longer than it may be silent",
    holds: (_, { facts, coordinator }) => facts.placeTroubled(coordinator),
  },
  USER_CANCELED: {
    sentence: "a DELETE of this user's was answered",
    holds: ({ user }, { facts }) => facts.wasCanceled(user),
  },
  TABLE_DATA_LOST: {
    sentence: "the worker that kept the rows was started anew, or is gone: nobody tells it to forget what a table still has",
    holds: ({ message }, { facts }) => {
      const [, worker = "", reason] = /: worker (\S+) (restarted|is gone)$/.exec(message) ?? [];
      return reason === "restarted" ? facts.livesOf(worker) > 1 : reason === "is gone" && facts.placeTroubled(worker);
    },
  },
  OUT_OF_SPILL_SPACE: {
    sentence: "a disk was full",
    holds: (_, { facts }) => facts.struck("full-disk"),
  },
  CORRUPT_PAGE: {
    sentence: "a disk gave other bytes than were written",
    holds: (_, { facts }) => facts.diskFailed(),
  },
  GENERIC_INTERNAL_ERROR: {
    sentence: "a disk failed, in the words of the spiller",
    holds: ({ message }, { facts }) => spillMessage.test(message) && facts.diskFailed(),
  },
  EXCEEDED_LOCAL_MEMORY_LIMIT: {
    sentence: "the limit that the message names is the plan's for queries, or the node had no more memory",
    holds: ({ message }, { facts, properties, nodeMemoryBytes }) => {
      const ofTables = tableMemoryMessage.exec(message)?.[1];
      if (ofTables !== undefined) {
        // Tables have no limit but the node's, which only somebody else on the machine brings near.
        return Number(ofTables) === nodeMemoryBytes && facts.struck("memory-pressure");
      }
      const limit = parseDataSize(memoryMessage.exec(message)?.[1] ?? "");
      const planned = sizeProperty(properties, "query.max-memory-per-node");
      const isPlanned = limit !== undefined && Math.abs(limit - planned) <= planned / 100;
      return limit !== undefined && (isPlanned || limit >= nodeMemoryBytes * 0.99 || facts.struck("memory-pressure"));
    },
  },
  EXCEEDED_TIME_LIMIT: {
    sentence: "the plan, or the user's session, limits how long a statement runs, to what the message says",
    holds: ({ message, user }, context) => {
      const { runMs, executionMs, texts } = plannedLimits(context.properties, context.sessionOf(user));
      const [limit, text] = message.includes("execution") ? [executionMs, texts.executionMs] : [runMs, texts.runMs];
      return Number.isFinite(limit) && message.endsWith(` limit of ${text}`);
    },
  },
  EXCEEDED_CPU_LIMIT: {
    sentence: "the plan, or the user's session, limits the CPU time of a statement",
    holds: ({ user }, context) => Number.isFinite(plannedLimits(context.properties, context.sessionOf(user)).cpuMs),
  },
  EXCEEDED_SCAN_LIMIT: {
    sentence: "the plan, or the user's session, limits what the scans of a statement read",
    holds: ({ user }, context) => plannedLimits(context.properties, context.sessionOf(user)).scanBytes < unlimited,
  },
  QUERY_QUEUE_FULL: {
    sentence: "the plan limits how many statements wait",
    holds: (_, { properties }) => properties["query.max-queued-queries"] !== undefined,
  },
};

/** undefined when the error has its cause; otherwise why it has none, as the end of a sentence. */
export function lacksCause(error: DeclaredError, context: CauseContext): string | undefined {
  const cause = Object.hasOwn(causes, error.errorName) ? causes[error.errorName] : undefined;
  if (cause === undefined) {
    return "no cluster may declare it";
  }
  return cause.holds(error, context) ? undefined : `it takes that ${cause.sentence}, which did not happen`;
}
