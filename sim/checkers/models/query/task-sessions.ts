/**
 * The session of tasks, written from docs/interface.md (Task; Statement) and decision 107:
 * - The tasks of a query have the user, catalog, schema and properties that its client sent, after a restart of the coordinator too.
 * - All tasks of a query have the same start and the same zone, so that `now()` is one moment on all workers.
 */
import { hasOlderNodes } from "../../../faults/registry.ts";
import { readBody } from "../../protocol/bodies.ts";
import type { Observed } from "../../protocol/wire.ts";
import { recoversQueries } from "../../../properties.ts";
import type { Judged, Model, ModelKind, Note } from "../model.ts";
import { type SubmittedSession, submittedSession } from "../statement/answer.ts";

interface TaskSession {
  readonly user: string;
  readonly catalog?: string;
  readonly schema?: string;
  readonly timeZone: string;
  readonly startMillis: number;
  readonly properties: Readonly<Record<string, string>>;
}

class TaskSessionModel implements Model {
  readonly notes = ["start"];
  readonly #context: Judged;
  /** A build of an upgrade leaves out what documents need not have. */
  readonly #mayOmit: boolean;
  readonly #sent = new Map<string, SubmittedSession>();
  /** What all tasks of a query have. */
  readonly #common = new Map<string, string>();
  readonly #seen = new Set<string>();

  constructor(context: Judged) {
    this.#context = context;
    this.#mayOmit = hasOlderNodes(context.plan.faults);
  }

  /** What a former life has not answered, or has no journal of, a client may submit once more with its id: that is another query. */
  note({ kind, place }: Note): void {
    const { facts, plan } = this.#context;
    const coordinator = plan.coordinator.name;
    if (kind !== "start" || place !== coordinator) {
      return;
    }
    const isKept = recoversQueries(plan.properties) && !facts.mayForget(coordinator);
    for (const id of this.#common.keys()) {
      if (!isKept || !this.#sent.has(id)) {
        this.#common.delete(id);
      }
    }
  }

  observe({ json, path, request, response, task, to }: Observed): void {
    if (response.status !== 200 || request.body.length === 0) {
      return;
    }
    if (to === this.#context.plan.coordinator.name && path.startsWith("/v1/statement")) {
      const { id } = json() as { readonly id: string };
      const session = submittedSession(request);
      if (session !== undefined && !this.#sent.has(id)) {
        this.#sent.set(id, session);
      }
    } else if (task?.what === "task" && request.method === "POST" && !this.#seen.has(task.taskId)) {
      this.#seen.add(task.taskId);
      const { session } = readBody(request.body).json() as { readonly session: TaskSession };
      this.#task(task.taskId, task.queryId, session);
    }
  }

  #task(taskId: string, queryId: string, session: TaskSession): void {
    const { startMillis, timeZone } = session;
    const own = `${startMillis} ${timeZone}`;
    const common = this.#common.get(queryId) ?? own;
    this.#common.set(queryId, common);
    this.#context.check(own === common, () => `${taskId} begins at ${own}; other tasks of its query at ${common}`);
    const sent = this.#sent.get(queryId);
    // A statement with a session of its own has another one than its headers.
    if (sent === undefined || sent.sql.includes("WITH SESSION")) {
      return;
    }
    for (const name of ["user", "catalog", "schema"] as const) {
      const value = sent[name];
      this.#context.check(
        value === undefined ||
          value === "" ||
          /[^ -~]|%/.test(value) ||
          session[name] === value ||
          (this.#mayOmit && session[name] === undefined),
        () => `${taskId} has the ${name} ${String(session[name])}; the client of its query sent ${String(value)}`,
      );
    }
    for (const [name, value] of Object.entries(sent.properties)) {
      const own = session.properties[name];
      this.#context.check(own === value, () => `${taskId} has ${name} ${String(own)}; the client of its query sent ${value}`);
    }
  }
}

export const taskSessions: ModelKind = {
  invariant: {
    name: "task-sessions",
    sentence: "Tasks have the user, catalog, schema and properties that the client of their query sent, and one start and zone.",
    kind: "safety",
    checkedIn: "checkers/models/query/task-sessions.ts",
  },
  create: (context) => new TaskSessionModel(context),
};
