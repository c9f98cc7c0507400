/**
 * How queries, stages and buffers end. Written from the published protocol (deletion of a task, states of stages) and docs/interface.md:
 * - A query is FINISHED when its tasks have told their last numbers: each was deleted with `abort=false`, and its deletion was answered.
 *   Its stages are not ABORTED. Failures of nodes and messages excuse it, and so does a query that runs again.
 * - Tasks of a query that failed are deleted with `abort=true`, those of one that goes on or has finished with `abort=false`.
 * - A coordinator that ends a task early closes all its output buffers, in one moment, each as often as the others.
 */
import { nanosPerSecond } from "../../../world/world.ts";
import { readBody } from "../../protocol/bodies.ts";
import type { Observed } from "../../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note, Transition } from "../model.ts";

const taskRequest =
  /^\S+ \S+>(\S+) (task-update|task-delete|buffer-delete) (\S+) \/v1\/task\/([^/? ]+)(?:\/results\/(\d+))?(?:\?abort=(true|false))?/;
const answered = /^(\S+) \S+ task-delete (\d+)/;
/** Fault points by which a query ends without the last numbers, or deletes its tasks late. */
const late = ["query-ends-without-last-numbers", "task-deleted-late"] as const;
/** A node that computes answers later than the coordinator waits. */
const lastNumbersNanos = 0.4 * nanosPerSecond;

interface Query {
  /** Tasks that were created, with their workers, and those whose deletion was answered. */
  readonly created: Map<string, string>;
  readonly deleted: Set<string>;
  readonly aborted: Set<string>;
  /** Time of the first task. */
  sinceNanos: number;
  finishingNanos: number | undefined;
  end: string | undefined;
  runsAgain: boolean;
}

interface Closing {
  readonly taskId: string;
  readonly counts: Map<string, number>;
}

class QueryEndings implements Model {
  readonly notes = ["request", "answer", "start"];
  readonly #context: Judged;
  readonly #coordinator: string;
  readonly #queries = new Map<string, Query>();
  /** Task of a deletion by message. */
  readonly #deletions = new Map<string, string>();
  /** Buffers of each task, as its creation says. */
  readonly #buffers = new Map<string, number>();
  #closing: (Closing & { readonly nanos: number }) | undefined;

  constructor(context: Judged) {
    this.#context = context;
    this.#coordinator = context.plan.coordinator.name;
  }

  note({ place, kind, detail, nowNanos }: Note): void {
    if (place !== this.#coordinator) {
      return;
    }
    if (kind === "start") {
      this.#queries.clear();
      this.#deletions.clear();
      this.#closing = undefined;
    } else if (kind === "answer") {
      const [, message = "", status] = answered.exec(detail) ?? [];
      const taskId = this.#deletions.get(message);
      if (taskId !== undefined) {
        this.#deletions.delete(message);
        if (status !== "503") {
          this.#of(taskId).deleted.add(taskId);
        }
      }
    } else if (detail.includes(" /v1/task/")) {
      this.#request(detail, nowNanos);
    }
  }

  observe({ task, request }: Observed): void {
    if (task?.what === "task" && request.method === "POST" && !this.#buffers.has(task.taskId)) {
      const [, count] = /"bufferCount":(\d+)/.exec(readBody(request.body).text()) ?? [];
      if (count !== undefined) {
        this.#buffers.set(task.taskId, Number(count));
      }
    }
  }

  observeTransition({ kind, id, to, nowNanos }: Transition): void {
    if (kind === "stage" && to === "ABORTED") {
      this.#of(id).aborted.add(id);
    } else if (kind === "stage" && to === "SCHEDULING") {
      // The next attempt of a query that runs again.
      const query = this.#of(id);
      query.runsAgain ||= query.aborted.delete(id);
    } else if (kind === "query" && to === "FINISHING") {
      this.#of(id).finishingNanos = nowNanos;
    } else if (kind === "query" && (to === "FINISHED" || to === "FAILED")) {
      const query = this.#of(id);
      query.end = to;
      if (to === "FINISHED") {
        this.#finished(id, query, nowNanos);
      }
    }
  }

  end(): void {
    this.#checkClosing();
  }

  #of(id: string): Query {
    const queryId = id.split(".", 1)[0] ?? "";
    const known = this.#queries.get(queryId);
    if (known !== undefined) {
      return known;
    }
    const query = {
      created: new Map<string, string>(),
      deleted: new Set<string>(),
      aborted: new Set<string>(),
      sinceNanos: this.#context.nowNanos(),
      finishingNanos: undefined,
      end: undefined,
      runsAgain: false,
    };
    this.#queries.set(queryId, query);
    return query;
  }

  #request(detail: string, nowNanos: number): void {
    const [, worker = "", label, , taskId = "", buffer, abort] = taskRequest.exec(detail) ?? [];
    if (label === undefined) {
      return;
    }
    const query = this.#of(taskId);
    if (label === "task-update") {
      query.created.set(taskId, worker);
    } else if (label === "task-delete") {
      this.#deletions.set(detail.slice(0, detail.indexOf(" ")), taskId);
      const isOver = query.end !== undefined;
      // Before the end of a query whose attempt is lost, its tasks are aborted.
      query.runsAgain ||= !isOver && abort === "true";
      this.#context.check(
        query.end !== "FINISHED" || abort === "false" || query.runsAgain || query.aborted.size > 0 || this.#context.facts.hasReruns(taskId),
        () => `${taskId} is deleted with abort=${String(abort)}, and its query is ${String(query.end)}`,
      );
    } else {
      this.#close(taskId, buffer ?? "", nowNanos);
    }
  }

  #close(taskId: string, buffer: string, nowNanos: number): void {
    if (this.#closing?.taskId !== taskId || this.#closing.nanos !== nowNanos) {
      this.#checkClosing();
      this.#closing = { taskId, counts: new Map(), nanos: nowNanos };
    }
    const { counts } = this.#closing;
    counts.set(buffer, (counts.get(buffer) ?? 0) + 1);
  }

  /** The closing of a task's buffers is over. */
  #checkClosing(): void {
    const { counts, taskId } = this.#closing ?? {};
    const count = this.#buffers.get(taskId ?? "");
    this.#closing = undefined;
    if (counts === undefined || taskId === undefined || count === undefined) {
      return;
    }
    const asked = [...Array(count).keys()].map((buffer) => counts.get(String(buffer)) ?? 0);
    this.#context.check(
      // Some readers of a task that was run again have ended before.
      (counts.size === count && new Set(asked).size === 1 && !asked.includes(0)) || this.#context.facts.isRerun(taskId),
      () => `${taskId} has ${count} buffers, and is to close ${[...counts.keys()].join()}`,
    );
  }

  #finished(id: string, { aborted, created, deleted, finishingNanos, runsAgain, sinceNanos }: Query, nowNanos: number): void {
    const { facts, plan } = this.#context;
    const isForced = runsAgain || late.some((point) => (plan.points?.[point] ?? 0) > 0);
    const isTroubled = [...created.values()].some((worker) => facts.troubledSince(this.#coordinator, worker, sinceNanos));
    const hasWaited = nowNanos - (finishingNanos ?? nowNanos) >= lastNumbersNanos;
    const left = [...created.keys()].filter((taskId) => !deleted.has(taskId));
    this.#context.check(
      (left.length === 0 && aborted.size === 0) || isForced || isTroubled || hasWaited,
      () =>
        `${id} is FINISHED, and has not heard of the end of ${left.join() || "none"} of its tasks; its stages ${[...aborted].join()} are ABORTED`,
    );
  }
}

export const queryEndings: ModelKind = {
  invariant: {
    name: "query-endings",
    sentence:
      "A query is FINISHED when its tasks have told their last numbers, with no stage ABORTED; tasks are aborted only if their query fails or runs again; a task that is ended early has all its buffers closed.",
    kind: "safety",
    checkedIn: "checkers/models/query/query-endings.ts",
  },
  create: (context) => new QueryEndings(context),
};
