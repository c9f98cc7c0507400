/**
 * Queries that run again (retry-policy). Only a loss of nodes or messages makes a query run again, as often as the plan allows and after
 * its delays. A loss fails a query only if it has run again as often as that, or cannot: its rows may be visible, or its user has ended a
 * stage. The tasks of an attempt that was given up end, and stages begin again only with a new attempt.
 */
import type { OrreryNode } from "../../../src/node.ts";
import type { Properties } from "../../plan.ts";
import { durationProperty, numberProperty, retryPolicyOf } from "../../properties.ts";
import { nanosPerSecond, type World } from "../../world/world.ts";
import type { Facts } from "../facts.ts";
import { check, type Verdict } from "../violation.ts";

const oracle = "retries";

/** Errors of nodes and of the network between them. The engine's list, repeated. */
const losses: ReadonlySet<string> = new Set([
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
/** Losses that end a statement before it has tasks. */
const early = /^(No nodes available to run query|Server is shutting down)/;
const writes = /^\s*(CREATE|INSERT|DELETE|UPDATE|MERGE)\b/i;
const changing = /\b(memory|system|information_schema)\.|\bSHOW\b/i;
/** Attempts that the fault point gives up. */
const forcedMax = 2;
/** Time within which a coordinator that can reach a worker has ended the tasks of an attempt there. */
const tasksGoneNanos = 10 * nanosPerSecond;

/** Times that lost tasks of one attempt run again, at most. */
const roundsMax = 40;
/** Decision 107. */
const attemptsPerLife = 100;

interface Tries {
  lost: number;
  forced: number;
  /** Times that single tasks have run again. */
  rounds: number;
  /** Second runs of stragglers, which have numbers as rounds have. */
  seconds: number;
  /** Losses of tasks, by stage. */
  readonly tasksLost: Map<string, number>;
  /** Error of the first lost attempt. */
  first: string | undefined;
  /** Why a loss has failed the query. */
  reason: string | undefined;
  /** Times that its root stage has left PLANNED. */
  begun: number;
}

export interface RetryOptions {
  readonly verdict: Verdict;
  readonly world: World;
  readonly facts: Facts;
  readonly properties: Properties;
  readonly coordinator: string;
  readonly workers: readonly string[];
  readonly sessionOf: (user: string) => Readonly<Record<string, string>>;
  readonly node: (name: string) => OrreryNode | undefined;
  /** Whether the coordinator knows that the worker is gone. It then leaves the tasks there to be abandoned. */
  readonly isGone: (worker: string) => boolean;
  readonly count: (counter: string) => void;
  /** Another cluster may run a query, whose rows have no order that a second run has too. */
  readonly hasRemote: boolean;
  /** A former owner of the directory does not know at once that another one has taken over, and goes on with what it runs. */
  readonly hasStandby: boolean;
}

/** A statement that ended with an error. */
export interface FailedStatement {
  readonly queryId: string;
  readonly user: string;
  readonly sql: string;
  readonly errorName: string;
  readonly message: string;
}

export class RetryOracle {
  readonly #options: RetryOptions;
  readonly #attemptsMax: number;
  /** By the coordinator's incarnation and the query. */
  readonly #tries = new Map<string, Tries>();
  /** Tasks of lost attempts that were judged, or whose workers were gone at that time, and of former lives: nobody asks to delete them. */
  readonly #leftBehind = new Set<string>();
  #ranAgainElsewhere = false;

  constructor(options: RetryOptions) {
    this.#options = options;
    this.#attemptsMax = numberProperty(options.properties, "query-retry-attempts");
  }

  /** Receives every note of the world. */
  note(place: string, kind: string, detail: string): void {
    if (place === this.#options.coordinator && kind === "start") {
      this.#started();
    }
    if (place !== this.#options.coordinator || kind !== "log-info") {
      return;
    }
    if (detail.startsWith("node-unresponsive ")) {
      this.#options.count("unresponsive workers");
    }
    const [, event = "", fields = ""] =
      /^(query-attempt-lost|query-attempt-given-up|query-not-run-again|task-lost|tasks-run-again|task-runs-again|task-replaced) (\{.*\})$/.exec(
        detail,
      ) ?? [];
    if (event === "task-runs-again" || event === "task-replaced") {
      this.#toldOfSecond(event, JSON.parse(fields) as { readonly taskId: string; readonly speculative?: boolean });
    } else if (event !== "") {
      this.#told(event, JSON.parse(fields) as Record<string, string | number>);
    }
  }

  /**
   * Receives notes of another cluster. The attempts of a routed query are those of that cluster, where it has another id; its coordinator
   * may also go on with the queries of its former life.
   */
  noteElsewhere(detail: string): void {
    this.#ranAgainElsewhere ||= /^query-attempt-(?:lost|given-up) |^query-journal-loaded \{"queries":[1-9]/.test(detail);
  }

  /** Whether the query has, or may have, begun to run again in a life of the coordinator; in that of now if none is given. */
  hasRunAgain(queryId: string, incarnation = this.#incarnation): boolean {
    const { forced, lost } = this.#of(queryId, incarnation);
    return this.#ranAgainElsewhere || forced + lost > 0;
  }

  /** A stage leaves PLANNED although it has ended: only a new attempt may do that. */
  mayBeginAgain(stageId: string): boolean {
    return this.hasRunAgain(stageId.slice(0, stageId.indexOf(".")));
  }

  observeStage(id: string, from: string): void {
    const [queryId = "", number] = id.split(".");
    if (from === "PLANNED" && number === "0") {
      const tries = this.#of(queryId);
      tries.begun++;
      const { begun, forced, lost } = tries;
      this.#check(begun <= 1 + lost + forced, () => `${queryId} began ${begun} times, and lost ${lost + forced} attempts`);
    }
  }

  observeFailure({ queryId, user, sql, errorName, message }: FailedStatement): void {
    const policy = this.#policyOf(user);
    const { first, lost, reason, tasksLost } = this.#of(queryId);
    if (!losses.has(errorName) || policy === "NONE" || early.test(message)) {
      return;
    }
    // The data of the other catalogs never change.
    const isChanged = message.includes("what it reads has changed") && changing.test(sql);
    const explained =
      (reason === "attempts" && (lost === this.#attemptsMax || this.#ofTask(user, tasksLost))) ||
      (reason === "committing" && writes.test(sql)) ||
      (reason === "rows given" && this.#options.hasRemote) ||
      (reason === "cut" && this.#options.facts.hasEndedStages(queryId)) ||
      (reason === undefined && lost > 0 && !message.includes("what it reads has changed"));
    this.#check(
      lost === 0 || errorName === first || reason === "committing" || reason === "cut",
      () => `${queryId} failed with ${errorName}; its first loss was ${String(first)}`,
    );
    this.#check(explained || isChanged, () => `${queryId} failed with ${errorName} after ${lost} lost attempts (${reason ?? "no reason"})`);
  }

  #told(event: string, { attempt, delayMs, errorName, queryId, reason, taskId }: Record<string, string | number>): void {
    const id = String(queryId);
    if (event === "task-lost") {
      this.#check(losses.has(String(errorName)), () => `a task of ${id} is lost after ${String(errorName)}, which no node has caused`);
      const own = this.#of(id);
      own.first ??= String(errorName);
      const position = `${id}.${String(taskId).split(".")[1] ?? ""}`;
      own.tasksLost.set(position, (own.tasksLost.get(position) ?? 0) + 1);
      return;
    }
    const tries = this.#triesOf(id, Number(attempt));
    if (event === "query-not-run-again") {
      tries.reason = String(reason);
      return;
    }
    if (event === "tasks-run-again") {
      tries.rounds++;
      this.#options.count("rounds of lost tasks");
      this.#check(tries.rounds <= roundsMax * (1 + tries.lost), () => `tasks of ${id} were run again ${tries.rounds} times`);
      return;
    }
    // An attempt whose tasks find no place is lost before it has a number. A query of the coordinator's n-th life counts from 100 n.
    const past = Math.floor(Number(attempt) / attemptsPerLife);
    const isOfThisLife = past < this.#incarnation;
    this.#check(
      isOfThisLife && Number(attempt) % attemptsPerLife <= tries.lost + tries.forced + tries.rounds + tries.seconds,
      () => `${id} lost attempt ${String(attempt)} after ${tries.lost} lost ones`,
    );
    if (event === "query-attempt-given-up") {
      tries.forced++;
      this.#options.count("attempts given up");
      this.#check(tries.forced <= forcedMax, () => `${id} was given up ${tries.forced} times`);
    } else {
      tries.lost++;
      tries.first ??= String(errorName);
      this.#options.count("attempts lost");
      // Another cluster may have forgotten a query of the coordinator's former life. It is sent there again, once.
      const isForgotten = errorName === "SERVER_STARTING_UP" && this.#options.hasRemote && this.#incarnation > 1 && tries.lost === 1;
      this.#check(
        isForgotten || losses.has(String(errorName)),
        () => `${id} runs again after ${String(errorName)}, which no node has caused`,
      );
      this.#check(tries.lost <= this.#attemptsMax, () => `${id} runs again ${tries.lost} times, of at most ${this.#attemptsMax}`);
      const { properties } = this.#options;
      const factor = Number(properties["retry-delay-scale-factor"] ?? "2.0");
      const first = durationProperty(properties, "retry-initial-delay");
      const wanted = Math.min(durationProperty(properties, "retry-max-delay"), Math.round(first * factor ** (tries.lost - 1)));
      this.#check(delayMs === wanted, () => `${id} runs again after ${String(delayMs)} ms, not ${wanted} ms`);
    }
    this.#watchTasks(id);
  }

  #toldOfSecond(event: string, { speculative, taskId }: { readonly taskId: string; readonly speculative?: boolean }): void {
    if (event === "task-replaced") {
      this.#options.count("second runs kept");
    } else if (speculative === true) {
      this.#options.count("second runs");
      this.#of(taskId.slice(0, taskId.indexOf("."))).seconds++;
    }
  }

  /** Tasks of a former life end when nobody asks for them: the new one does not know them. */
  #started(): void {
    const { node, workers } = this.#options;
    for (const { taskId } of workers.flatMap((worker) => node(worker)?.accounts().tasks ?? [])) {
      this.#leftBehind.add(taskId);
    }
  }

  /** The tasks that the attempt has now are gone some time later. */
  #watchTasks(queryId: string): void {
    const { coordinator, facts, isGone, node, workers, world } = this.#options;
    const sinceNanos = world.nowNanos;
    const incarnation = facts.livesOf(coordinator);
    const tasksAt = (worker: string): readonly string[] =>
      (node(worker)?.accounts().tasks ?? []).map(({ taskId }) => taskId).filter((taskId) => taskId.startsWith(`${queryId}.`));
    for (const taskId of workers.filter(isGone).flatMap(tasksAt)) {
      this.#leftBehind.add(taskId);
    }
    const before = workers.map((worker) => [worker, tasksAt(worker).filter((taskId) => !this.#leftBehind.has(taskId))] as const);
    // A later attempt's end does not judge them again.
    for (const taskId of before.flatMap(([, tasks]) => tasks)) {
      this.#leftBehind.add(taskId);
    }
    world.at(sinceNanos + tasksGoneNanos, "attempt-gone", () => {
      for (const [worker, tasks] of before) {
        if (facts.livesOf(coordinator) === incarnation && !facts.troubledSince(coordinator, worker, sinceNanos)) {
          const left = tasksAt(worker).find((taskId) => tasks.includes(taskId));
          this.#check(left === undefined, () => `${worker} still has ${left ?? ""}, whose attempt was given up 10 s ago`);
        }
      }
    });
  }

  /** Some task was lost more often than tasks run again. */
  #ofTask(user: string, tasksLost: ReadonlyMap<string, number>): boolean {
    const most = numberProperty(this.#options.properties, "task-retry-attempts-per-task");
    return this.#policyOf(user) === "TASK" && Math.max(0, ...tasksLost.values()) > most;
  }

  #policyOf(user: string): string {
    return this.#options.sessionOf(user)["retry_policy"] ?? retryPolicyOf(this.#options.properties);
  }

  /** Those of the former owner if only they explain the number of the attempt. */
  #triesOf(queryId: string, attempt: number): Tries {
    const own = this.#of(queryId);
    const { coordinator, facts, hasStandby } = this.#options;
    const former = hasStandby ? this.#tries.get(`${facts.livesOf(coordinator) - 1} ${queryId}`) : undefined;
    return former !== undefined && attempt % attemptsPerLife > own.lost + own.forced + own.rounds + own.seconds ? former : own;
  }

  get #incarnation(): number {
    return this.#options.facts.livesOf(this.#options.coordinator);
  }

  #of(queryId: string, incarnation = this.#incarnation): Tries {
    const key = `${incarnation} ${queryId}`;
    const tries = this.#tries.get(key) ?? {
      lost: 0,
      forced: 0,
      rounds: 0,
      seconds: 0,
      tasksLost: new Map<string, number>(),
      first: undefined,
      reason: undefined,
      begun: 0,
    };
    this.#tries.set(key, tries);
    return tries;
  }

  #check(holds: boolean, sentence: () => string): void {
    check(this.#options.verdict, "safety", oracle, holds, sentence);
  }
}
