/**
 * Causes of failures, of every statement that the coordinator answers: those of clients that give up too, and those on tables that several
 * users write. Written from the published lists of errors (section 6 of the reference), docs/interface.md (Limits of a query),
 * docs/deployment.md (Lost workers) and docs/connectors.md (memory):
 * - An error that the statement does not cause itself has its cause in the run: a fault that struck, a limit that was drawn, a request.
 * - A loss of a node, of its pages or of its tasks needs trouble at that node while the query existed, or shortly before: the coordinator
 *   then used a node whose loss it had not noticed yet.
 * - A query ends with SERVER_STARTING_UP only if the coordinator was started again after its submission, with USER_CANCELED only if a
 *   request named it, and is killed or preempted only by a request that says so.
 * - Rows of a table in memory are freed while a statement has yet to read them only if another one has rewritten the table meanwhile.
 * Errors of the type USER_ERROR follow from the statement, and other checkers know the right ones.
 */
import { nodeMemoryBytes } from "../../../shared.ts";
import { nanosPerSecond } from "../../../world/world.ts";
import { type CauseContext, lacksCause } from "../../causes.ts";
import type { Observed } from "../../protocol/wire.ts";
import type { SharedStep } from "../../../workload/shared-table.ts";
import type { Judged, Model, ModelKind, Note, StatementEnd } from "../model.ts";
import { statementAnswer, type StatementDocument } from "./answer.ts";

/** Time in which a coordinator notices that a node is gone, or has another incarnation: heartbeats, their time-out and their grace. */
const noticedNanos = 15 * nanosPerSecond;

/** Errors about a node that was lost, or what was on it. */
const losses: ReadonlySet<string> = new Set([
  "PAGE_TRANSPORT_ERROR",
  "PAGE_TRANSPORT_TIMEOUT",
  "REMOTE_TASK_ERROR",
  "REMOTE_TASK_MISMATCH",
  "REMOTE_HOST_GONE",
  "REMOTE_BUFFER_CLOSE_FAILED",
  "TOO_MANY_REQUESTS_FAILED",
]);
/** A buffer that another reader has closed, on a node that was not lost. */
const goneMessage = /but was 410$/;
const freedMessage = /^Table '\S+' lost data: worker \S+ was told to forget it$/;
const killed = { ADMINISTRATIVELY_KILLED: "killed", ADMINISTRATIVELY_PREEMPTED: "preempted" } as const;
const killPath = /^\/v1\/query\/([^/]+)\/(killed|preempted)$/;
const killCall = /kill_query\([^)]*'(\d{8}_\d{6}_\d{5}_\w+)'/i;
/** Errors of statements on a table that others create and change. When they are right the model of shared tables knows. */
const ofSharedTables: ReadonlySet<string> = new Set(["TRANSACTION_CONFLICT", "TABLE_NOT_FOUND"]);

interface Query {
  readonly user: string;
  readonly sql: string;
  readonly startNanos: number;
  readonly shared: SharedStep | undefined;
  hasFailed: boolean;
}

interface Failure {
  readonly id: string;
  readonly query: Query;
  readonly errorName: string;
  readonly errorType: string;
  readonly message: string;
}

/** A statement that writes the shared table anew, from its submission to its end. */
interface Rewrite {
  readonly user: string;
  readonly startNanos: number;
  endNanos: number;
}

class StatementFailures implements Model {
  readonly notes = ["start", "submit"];
  readonly #context: Judged;
  readonly #coordinator: string;
  readonly #places: readonly string[];
  readonly #causes: CauseContext;
  readonly #users: ReadonlySet<string>;
  /** Shared steps by user and text. */
  readonly #sharedSteps = new Map<string, SharedStep>();
  readonly #queries = new Map<string, Query>();
  readonly #rewrites: Rewrite[] = [];
  /** Queries that a request kills or preempts: `killed <id>`. */
  readonly #kills = new Set<string>();
  /** Cancelled queries are judged at the end: the request may be answered after the query. */
  readonly #canceled: Failure[] = [];
  #startedNanos = 0;

  constructor(context: Judged) {
    const { facts, nowNanos, plan } = context;
    this.#context = context;
    this.#coordinator = plan.coordinator.name;
    this.#places = [plan.coordinator, ...plan.workers].map(({ name }) => name);
    // A client that sends inquiries also submits statements that are wrong on purpose.
    this.#users = new Set(plan.users.flatMap(({ inquires, name }) => (inquires === undefined ? [name] : [])));
    const sessions = new Map(plan.users.map(({ name, session = {} }) => [name, session]));
    // What a user's transaction may meet is of the type USER_ERROR.
    const transactions = { mayBeAborted: () => true, mayHaveEnded: () => true };
    const sessionOf = (user: string): Readonly<Record<string, string>> => sessions.get(user) ?? {};
    this.#causes = { facts, plan, coordinator: this.#coordinator, nodeMemoryBytes, nowNanos, sessionOf, transactions };
    for (const { name, statements } of plan.users) {
      for (const { shared, sql } of statements) {
        if (shared !== undefined) {
          this.#sharedSteps.set(`${name} ${sql}`, shared);
        }
      }
    }
  }

  note({ place, kind, detail, nowNanos }: Note): void {
    if (kind === "submit") {
      const operation = this.#sharedSteps.get(`${place} ${detail}`)?.operation;
      if (operation === "update" || operation === "merge" || operation === "delete") {
        this.#rewrites.push({ user: place, startNanos: nowNanos, endNanos: Number.POSITIVE_INFINITY });
      }
    } else if (place === this.#coordinator) {
      this.#startedNanos = nowNanos;
    }
  }

  endStatement({ user, ending, nowNanos, statement: { shared } }: StatementEnd): void {
    const rewrite = this.#rewrites.findLast((one) => one.user === user);
    // The end of a statement whose client has left is not known.
    if (shared !== undefined && ending.kind === "outcome" && rewrite !== undefined) {
      rewrite.endNanos = Math.min(rewrite.endNanos, nowNanos);
    }
  }

  observe(answer: Observed): void {
    // Another cluster has errors of its own.
    if (answer.to !== this.#coordinator || this.#context.plan.remote !== undefined) {
      return;
    }
    const [, killedId, how] = answer.request.method === "PUT" ? (killPath.exec(answer.path) ?? []) : [];
    if (killedId !== undefined) {
      this.#kills.add(`${String(how)} ${killedId}`);
    }
    const said = statementAnswer(answer);
    if (said?.document === undefined) {
      return;
    }
    const { id, document, isSubmission } = said;
    const query = this.#queries.get(id) ?? (isSubmission ? this.#submitted(id, answer) : undefined);
    if (query !== undefined && document.error !== undefined && !query.hasFailed) {
      query.hasFailed = true;
      this.#failed(failureOf(id, query, document.error));
    }
  }

  end(): void {
    for (const { id } of this.#canceled) {
      this.#context.check(this.#context.facts.wasCanceled(id), () => `${id} ended with USER_CANCELED, and no request has cancelled it`);
    }
  }

  #submitted(id: string, { from, request, arrivedNanos }: Observed): Query {
    const sql = new TextDecoder().decode(request.body);
    const shared = this.#sharedSteps.get(`${from} ${sql}`);
    const query = { user: from, sql, startNanos: arrivedNanos, shared, hasFailed: false };
    this.#queries.set(id, query);
    const toKill = killCall.exec(sql)?.[1];
    if (toKill !== undefined) {
      this.#kills.add(`killed ${toKill}`);
    }
    return query;
  }

  #failed(failure: Failure): void {
    const { errorName, errorType, id, message, query } = failure;
    if (losses.has(errorName)) {
      this.#lost(failure);
    }
    if (errorName === "SERVER_STARTING_UP") {
      this.#check(failure, this.#startedNanos > query.startNanos, "the coordinator was not started again after its submission");
    } else if (errorName === "USER_CANCELED") {
      this.#canceled.push(failure);
    } else if (errorName === "ADMINISTRATIVELY_KILLED" || errorName === "ADMINISTRATIVELY_PREEMPTED") {
      this.#check(failure, this.#kills.has(`${killed[errorName]} ${id}`), "no request says so");
    } else if (query.shared !== undefined && freedMessage.test(message)) {
      this.#check(failure, this.#wasRewritten(query), "no other statement has rewritten the table meanwhile");
    } else if (query.shared === undefined ? this.#users.has(query.user) && errorType !== "USER_ERROR" : !ofSharedTables.has(errorName)) {
      const { sql, user } = query;
      const lack = lacksCause({ errorName, message, user, sql }, this.#causes);
      this.#check(failure, lack === undefined, String(lack));
    }
  }

  /** The node that the message names was in trouble while the query existed, or shortly before; any node if it names none. */
  #lost(failure: Failure): void {
    const { message, query } = failure;
    const { facts } = this.#context;
    const host = /http:\/\/([^:/\s]+):8080/.exec(message)?.[1];
    const places = host === undefined || goneMessage.test(message) ? this.#places : [host];
    const since = query.startNanos - noticedNanos;
    this.#check(
      failure,
      facts.hasEndedStages(failure.id) || places.some((place) => facts.lastTroubleNanos(place) >= since),
      `${places.join(" and ")} had no trouble since ${(since / nanosPerSecond).toFixed(1)} s`,
    );
  }

  #wasRewritten({ startNanos, user }: Query): boolean {
    return (
      this.#rewrites.some((rewrite) => rewrite.user !== user && rewrite.endNanos >= startNanos) || this.#context.facts.copiesOf(user) > 0
    );
  }

  #check({ errorName, id, message, query }: Failure, holds: boolean, lack: string): void {
    this.#context.check(holds, () => `${id} of ${query.user} failed with ${errorName} "${message}" (${lack}): ${query.sql}`);
  }
}

function failureOf(id: string, query: Query, error: NonNullable<StatementDocument["error"]>): Failure {
  const text = (name: string): string => String(error[name]);
  return { id, query, errorName: text("errorName"), errorType: text("errorType"), message: text("message") };
}

export const statementFailures: ModelKind = {
  invariant: {
    name: "statement-failures",
    sentence:
      "An error that a statement does not cause itself has its cause in the run, in the time of its query: trouble at the node that it names, a limit, a request, or another writer of its table.",
    kind: "wrong-result",
    checkedIn: "checkers/models/statement/failures.ts",
  },
  create: (context) => new StatementFailures(context),
};
