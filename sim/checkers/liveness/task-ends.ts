/**
 * Every task that was created on a worker is deleted there once its attempt has ended, even if its creation was confirmed only after that.
 * An attempt ends with its query, or when its root stage is aborted because the query runs again. A cancelled or aborted stage does not
 * wait for that.
 * The coordinator must send a DELETE for each, unless it holds the worker for gone at that time; then the worker abandons the task. Other
 * oracles check whether the DELETE arrives and how often it is retried. Observed on the wire, at the coordinator.
 */
import { nanosPerSecond, type World } from "../../world/world.ts";
import type { Facts } from "../facts.ts";
import type { Verdict } from "../violation.ts";

const oracle = "deletions";
const creation = " task-update ";
const deletion = " task-delete ";
/**
 * A lost task runs again under another number. Until then it is kept: its readers, who ask on until they know where the next run is, find a
 * buffer without pages and not an error.
 */
const runsAgain = /^task-runs-again \{"taskId":"[^"]+","former":"([^"]+)","nodeId":"[^"]+"\}$/;
/** Time within which the deletion must be sent; forced delays are over by then. */
const deletedNanos = 3 * nanosPerSecond;

interface CreatedTask {
  readonly taskId: string;
  readonly worker: string;
  readonly workerIncarnation: number;
}

interface Due {
  readonly queryId: string;
  readonly task: CreatedTask;
  readonly nanos: number;
  /** The coordinator considered the worker gone when the deletion was due, and then sends none. */
  wasGone: boolean;
}

export interface TaskEndOptions {
  readonly verdict: Verdict;
  readonly world: World;
  readonly facts: Facts;
  readonly coordinator: string;
  /** Whether the coordinator knows that the worker is gone. */
  readonly isGone: (worker: string) => boolean;
}

export class TaskEndOracle {
  readonly #options: TaskEndOptions;
  /** Tasks of the coordinator's current incarnation, by query. */
  readonly #created = new Map<string, Map<string, CreatedTask>>();
  /** Tasks that the coordinator has asked a worker to create, by query. */
  readonly #wanted = new Map<string, Set<string>>();
  /** Tasks whose stage or attempt has ended. */
  readonly #over = new Set<string>();
  readonly #ended = new Set<string>();
  readonly #deleted = new Set<string>();
  /** Task id by message. */
  readonly #asked = new Map<string, string>();
  /** Incarnation of the worker that answered a creation, by message: it may be gone when the answer arrives. */
  readonly #answeredBy = new Map<string, number>();
  /**
   * Creation requests without a response yet, by task. The deletion is sent after them, so that none arrives later and creates the task
   * again.
   */
  readonly #creating = new Map<string, Set<string>>();
  /** Tasks to delete, ordered by deadline. */
  readonly #due: Due[] = [];
  readonly #dueOf = new Map<string, Due>();
  /** Those by task whose worker is not known to be gone, and for which no deletion has been sent: in a large cluster most have one soon. */
  readonly #undecided = new Map<string, Due>();

  constructor(options: TaskEndOptions) {
    this.#options = options;
  }

  /** Receives every note of the world. */
  note(place: string, kind: string, detail: string): void {
    this.#check();
    if (kind === "respond" && detail.includes(creation)) {
      this.#answeredBy.set(detail.slice(0, detail.indexOf(" ")), this.#options.facts.livesOf(place));
    }
    if (place !== this.#options.coordinator) {
      return;
    }
    if (kind === "start" || kind === "crash" || kind === "stopped" || (kind === "log-info" && detail.startsWith("shutdown-started"))) {
      this.#created.clear();
      this.#wanted.clear();
      this.#over.clear();
      this.#ended.clear();
      this.#creating.clear();
      return;
    }
    if (kind === "timer" || kind === "answer" || kind === "network-error" || (kind === "log-info" && detail.startsWith("node-state "))) {
      // Events that trigger a deletion. By then the coordinator may know that the worker is gone, and forget it when the worker returns.
      this.#lookAtDue();
    }
    const lost = kind === "log-info" ? runsAgain.exec(detail)?.[1] : undefined;
    if (lost !== undefined && !this.#over.has(lost)) {
      this.#over.add(lost);
      this.#awaitIfCreated(lost);
    }
    if (detail.includes(creation) || detail.includes(deletion)) {
      this.#request(kind, detail);
    }
  }

  /** Handles the end of a query: all its tasks must be deleted. */
  queryEnded(queryId: string): void {
    this.#ended.add(queryId);
    this.#end(queryId, () => true);
  }

  /** Handles a new state of a stage, as `query.stage`. If it ends, its tasks must be deleted; if the root stage ends, all tasks. */
  observeStage(stageId: string, to: string): void {
    const queryId = queryOf(stageId);
    const isRoot = stageId === `${queryId}.0`;
    if (to === "ABORTED" || to === "CANCELED" || (to === "FAILED" && isRoot)) {
      this.#end(queryId, (taskId) => isRoot || taskId.startsWith(`${stageId}.`));
    }
  }

  #end(queryId: string, isMeant: (taskId: string) => boolean): void {
    for (const taskId of this.#wanted.get(queryId) ?? []) {
      if (isMeant(taskId) && !this.#over.has(taskId)) {
        this.#over.add(taskId);
        this.#awaitIfCreated(taskId);
      }
    }
  }

  #request(kind: string, detail: string): void {
    const [message = "", link = "", label = "", rest = "", path = ""] = detail.split(" ");
    const worker = link.split(">")[1] ?? "";
    if (kind === "request") {
      const taskId = path.replace(/^\/v1\/task\//, "").replace(/\?.*/, "");
      this.#asked.set(message, taskId);
      if (label === deletion.trim()) {
        this.#deleted.add(taskId);
        this.#undecided.delete(taskId);
      } else {
        const queryId = queryOf(taskId);
        this.#wanted.set(queryId, (this.#wanted.get(queryId) ?? new Set()).add(taskId));
        this.#creating.set(taskId, (this.#creating.get(taskId) ?? new Set()).add(message));
        if (this.#ended.has(queryId)) {
          this.#over.add(taskId);
        }
      }
    } else if (label === creation.trim() && (kind === "answer" || kind === "network-error")) {
      const taskId = this.#asked.get(message) ?? "";
      this.#creating.get(taskId)?.delete(message);
      if (kind === "answer" && rest === "200") {
        this.#createdOn(worker, taskId, this.#answeredBy.get(message) ?? this.#options.facts.livesOf(worker));
      }
      this.#answeredBy.delete(message);
      this.#creationOver(taskId);
    }
  }

  /** The last response to a creation came after the end of its attempt; the deadline for the deletion starts then. */
  #creationOver(taskId: string): void {
    if (this.#over.has(taskId)) {
      this.#awaitIfCreated(taskId);
    }
  }

  #isBeingCreated(taskId: string): boolean {
    return (this.#creating.get(taskId)?.size ?? 0) > 0;
  }

  #createdOn(worker: string, taskId: string, workerIncarnation: number): void {
    const queryId = queryOf(taskId);
    const tasks = this.#created.get(queryId) ?? new Map<string, CreatedTask>();
    this.#created.set(queryId, tasks);
    if (!tasks.has(taskId)) {
      tasks.set(taskId, { taskId, worker, workerIncarnation });
    }
  }

  #awaitIfCreated(taskId: string): void {
    const { isGone, world } = this.#options;
    const queryId = queryOf(taskId);
    const task = this.#created.get(queryId)?.get(taskId);
    if (task !== undefined) {
      const known = this.#dueOf.get(taskId);
      if (known?.task === task) {
        this.#due.splice(this.#due.indexOf(known), 1);
        this.#undecided.delete(taskId);
      }
      const due = { queryId, task, nanos: world.nowNanos + deletedNanos, wasGone: isGone(task.worker) };
      this.#due.push(due);
      this.#dueOf.set(taskId, due);
      if (!due.wasGone && !this.#deleted.has(taskId)) {
        this.#undecided.set(taskId, due);
      }
    }
  }

  #check(): void {
    const { world, facts, verdict, isGone } = this.#options;
    while ((this.#due[0]?.nanos ?? Number.POSITIVE_INFINITY) < world.nowNanos) {
      const due = this.#due.shift() as Due;
      const { queryId, task, wasGone } = due;
      const { taskId, worker, workerIncarnation } = task;
      for (const dues of [this.#dueOf, this.#undecided]) {
        if (dues.get(taskId) === due) {
          dues.delete(taskId);
        }
      }
      const isKnown = this.#created.get(queryId)?.get(taskId) === task && facts.livesOf(worker) === workerIncarnation;
      if (this.#deleted.has(taskId)) {
        verdict.held(oracle);
      } else if (isKnown && !wasGone && !isGone(worker) && !this.#isBeingCreated(taskId)) {
        verdict.violate(
          "leak",
          oracle,
          `${taskId} was created on ${worker}, its attempt has ended, and nobody asks ${worker} to delete it`,
        );
      }
    }
  }

  #lookAtDue(): void {
    for (const [taskId, due] of this.#undecided) {
      if (this.#options.isGone(due.task.worker)) {
        due.wasGone = true;
        this.#undecided.delete(taskId);
      }
    }
  }
}

/** The query of a stage or a task. */
function queryOf(id: string): string {
  return id.split(".", 1)[0] ?? "";
}
