/**
 * What a live query waits for at this moment, as a reason and a sentence, derived from its state and the latest reports of its tasks. A
 * task waits for memory only while older queries fill its node; a query that needs more than its limit fails.
 */
import type { WaitReason } from "../../protocol/documents/query.ts";
import { formatDataSize, formatDuration } from "../../protocol/units.ts";
import { isEndedTask } from "../../execution/task/state.ts";
import type { QueuePlace } from "../groups/resource-groups.ts";
import { globalGroup } from "../groups/specification.ts";
import type { TurnPlace } from "../groups/start-turns.ts";
import type { Stage } from "../scheduler/stage.ts";
import type { StageTask } from "../scheduler/stage-task.ts";
import type { Query } from "./query.ts";
import type { QueryExecution } from "./query-execution.ts";

export interface QueryWait {
  readonly reason: WaitReason;
  /** A sentence without its full stop. */
  readonly message: string;
  /** The query runs, but none of its stages can work. */
  readonly isBlocked: boolean;
}

/** The facts about the coordinator that waits depend on. */
export interface WaitFacts {
  readonly nowNanos: number;
  /** Undefined for a query that is not queued. */
  readonly place: (queryId: string) => QueuePlace | undefined;
  /** Undefined for a query that does not wait for its turn to be planned. */
  readonly turn: (queryId: string) => TurnPlace | undefined;
  readonly activeWorkers: number;
  /** query-manager.required-workers */
  readonly requiredWorkers: number;
}

/** Names that a sentence lists before it only counts them. */
const namesMax = 3;

/** Presto's blockedReasons of a query. */
export function blockedReasons(wait: QueryWait | undefined): string[] {
  return wait?.reason === "MEMORY" ? ["WAITING_FOR_MEMORY"] : [];
}

/** Undefined for a query that has ended. */
export function waitOf(query: Query, facts: WaitFacts): QueryWait | undefined {
  switch (query.state) {
    case "QUEUED":
      return queued(query, facts);
    case "WAITING_FOR_RESOURCES":
      return turn(query, facts) ?? waiting("WORKERS", `Waiting for workers: ${facts.activeWorkers} of ${facts.requiredWorkers} are active`);
    case "PLANNING":
      return query.unlistedTables.size > 0
        ? waiting("SPLITS", `Waiting for the splits of ${names([...new Set(query.unlistedTables.values())])}`)
        : waiting("PLANNING", "The statement is being analyzed and planned");
    case "STARTING":
    case "RUNNING":
      if (query.routed !== undefined) {
        return routed(query, query.routed.cluster, facts);
      }
      return query.execution === undefined ? waiting("NONE", "The statement is being carried out") : running(query, query.execution, facts);
    case "FINISHING":
      return finishing(query.execution);
    case "FINISHED":
    case "FAILED":
      return undefined;
  }
}

function waiting(reason: WaitReason, message: string): QueryWait {
  return { reason, message, isBlocked: false };
}

function turn({ id }: Query, { turn: placeOf }: WaitFacts): QueryWait | undefined {
  const place = placeOf(id);
  return place === undefined
    ? undefined
    : waiting("ADMISSION", `Waiting to be planned: number ${place.number} of ${place.of} queries that have a slot`);
}

function queued(query: Query, facts: WaitFacts): QueryWait {
  const found = facts.place(query.id);
  if (found === undefined) {
    return turn(query, facts) ?? waiting("NONE", "The query has a slot and is about to begin");
  }
  const { group, number, of } = found;
  const queue = isGlobal(group) ? "the queue" : `the queue of ${group.join(".")}`;
  return waiting("ADMISSION", `Waiting for a slot: number ${number} of ${of} in ${queue}; ${reasonOf(found)}`);
}

function reasonOf({ held }: QueuePlace): string {
  if (held === undefined) {
    return "it is about to begin";
  }
  const { cpuNanos, id, limits, memoryLimitBytes, runningCount, scanBytes, usedBytes } = held.group;
  const name = id.join(".");
  switch (held.obstacle) {
    case "memory":
      return `${name} uses ${formatDataSize(usedBytes)} of memory and may use ${formatDataSize(memoryLimitBytes)}`;
    case "cpu":
      return `${name} has used ${formatDuration(cpuNanos)} of CPU time and may use ${formatDuration(limits.cpu?.hard ?? 0)}`;
    case "scan":
      return `${name} has scanned ${formatDataSize(scanBytes)} and may scan ${formatDataSize(limits.scan?.hard ?? 0)}`;
    case "concurrency": {
      const queries = isGlobal(id) ? "queries" : `queries of ${name}`;
      return `${runningCount} of at most ${limits.runningMax} ${queries} are running`;
    }
  }
}

function isGlobal(id: readonly string[]): boolean {
  return id.length === 1 && id[0] === globalGroup;
}

function finishing(execution: QueryExecution | undefined): QueryWait {
  const live = execution?.tasks.filter((task) => !isEndedTask(task.state)) ?? [];
  return live.length === 0
    ? waiting("NONE", "The query is ending")
    : waiting("WORKERS", `Waiting for the last reports of ${some(live.length, "task")} on ${names(nodesOf(live))}`);
}

function running(query: Query, execution: QueryExecution, facts: WaitFacts): QueryWait {
  if (query.retriesAfter !== undefined) {
    const message = `Waiting to run again after attempt ${query.attempts} has failed with ${query.retriesAfter.errorName}`;
    return { reason: "WORKERS", message, isBlocked: true };
  }
  const live = execution.stages.filter((stage) => !stage.done);
  const working = live.filter((stage) => stage.tasks.some(works));
  const isBlocked = working.length === 0;
  const client = clientText(query, facts);
  if (client !== undefined) {
    return { reason: "CLIENT", message: client, isBlocked };
  }
  return isBlocked ? blocked(execution, live) : waiting("NONE", workText(working, live));
}

/** Undefined unless the query waits for its client. */
function clientText({ lastHeartbeatNanos, results }: Query, { nowNanos }: WaitFacts): string | undefined {
  if (results?.isFull !== true) {
    return undefined;
  }
  const silent = formatDuration(Math.max(0, nowNanos - lastHeartbeatNanos));
  const bytes = formatDataSize(results.availableBytes);
  return `Waiting for the client: the result buffer is full (${bytes}) and the client has not fetched for ${silent}`;
}

function routed(query: Query, cluster: string, facts: WaitFacts): QueryWait {
  if (query.retriesAfter !== undefined) {
    const message = `Waiting to be sent to cluster ${cluster} again after ${query.retriesAfter.errorName}`;
    return { reason: "WORKERS", message, isBlocked: true };
  }
  const client = clientText(query, facts);
  return client === undefined
    ? waiting("NONE", `Cluster ${cluster} runs the query`)
    : { reason: "CLIENT", message: client, isBlocked: true };
}

/** A driver runs, or all drivers are about to. A task with blocked drivers counts as working only if another of its drivers runs. */
function works({ counters, state }: StageTask): boolean {
  if (counters === undefined || isEndedTask(state)) {
    return false;
  }
  const blockedDrivers = counters.blockedDrivers ?? 0;
  return counters.runningDrivers > blockedDrivers || (counters.queuedDrivers > 0 && blockedDrivers === 0);
}

function workText(working: readonly Stage[], live: readonly Stage[]): string {
  const counters = working.flatMap((stage) => stage.tasks.flatMap((task) => task.counters ?? []));
  const [done, total] = counters.reduce(([a, b], task) => [a + task.completedDrivers, b + task.totalDrivers], [0, 0]);
  const others = live.filter((stage) => !working.includes(stage));
  const rest = others.length === 0 ? "" : `; ${stageNames(others)} ${others.length === 1 ? "waits" : "wait"}`;
  return capital(`${stageNames(working)} ${working.length === 1 ? "is" : "are"} working, ${done} of ${total} splits are done${rest}`);
}

/** A query whose tasks are still being created is not blocked. */
function blocked(execution: QueryExecution, live: readonly Stage[]): QueryWait {
  const tasks = live.flatMap((stage) => stage.tasks);
  const missing = tasks.filter((task) => task.counters === undefined && !isEndedTask(task.state));
  if (missing.length > 0) {
    return waiting("WORKERS", `Waiting for ${names(nodesOf(missing))} to create ${missing.length} of ${some(tasks.length, "task")}`);
  }
  const waitingTasks = tasks.filter((task) => task.waitsForMemory);
  if (waitingTasks.length > 0) {
    const message = `Waiting for older queries to free memory of ${names(nodesOf(waitingTasks))}`;
    return { reason: "MEMORY", message, isBlocked: true };
  }
  const filtered = live.filter((stage) => execution.filters.awaitedBy(stage));
  if (filtered.length > 0) {
    const message = `${stageNames(filtered)} ${filtered.length === 1 ? "waits" : "wait"} for the dynamic filters of a join`;
    return { reason: "EXCHANGE", message: capital(message), isBlocked: true };
  }
  const unsplit = live.filter((stage) => stage.tasks.some((task) => task.awaitsSplits === true));
  if (unsplit.length > 0) {
    const message = `${stageNames(unsplit)} ${unsplit.length === 1 ? "waits" : "wait"} for further splits from the coordinator`;
    return { reason: "SPLITS", message: capital(message), isBlocked: true };
  }
  return { reason: "EXCHANGE", message: exchangeText(execution, live), isBlocked: true };
}

/** A stage waits for the pages of the stages that it reads, or for its readers to take its own. */
function exchangeText(execution: QueryExecution, live: readonly Stage[]): string {
  const sentences = live.map((stage) => {
    const sources = execution.childrenOf(stage).filter((child) => !child.done);
    const readers = execution.readersOf(stage).filter((reader) => !reader.done);
    if (sources.length > 0) {
      return `${stageNames([stage])} waits for pages of ${stageNames(sources)}`;
    }
    return readers.length > 0
      ? `${stageNames([stage])} waits until ${stageNames(readers)} takes its pages`
      : `${stageNames([stage])} waits for its last pages`;
  });
  return sentences.length === 0 ? "The last rows are on their way" : capital(list(sentences, "; "));
}

function nodesOf(tasks: readonly StageTask[]): readonly string[] {
  return [...new Set(tasks.map((task) => task.nodeId))];
}

function stageNames(stages: readonly Stage[]): string {
  return `stage${stages.length === 1 ? "" : "s"} ${names(stages.map((stage) => String(stage.fragment.id)))}`;
}

function names(all: readonly string[]): string {
  return list(all, ", ");
}

function list(all: readonly string[], separator: string): string {
  const more = all.length - namesMax;
  return `${all.slice(0, namesMax).join(separator)}${more > 0 ? ` and ${more} more` : ""}`;
}

function some(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
