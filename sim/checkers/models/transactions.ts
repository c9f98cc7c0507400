/**
 * Model of transactions, written from docs/configuration.md (transaction.idle-timeout) and the reference (section 1, transactions). It
 * judges the answers of all statements of a transaction together:
 * - A transaction is unknown once it has ended, to other users, and when no statement of it has run for its time-out, and not before.
 * - It does not outlive its time-out. As long as one of its statements runs it is not idle.
 * - It is aborted by statements that have failed, and not by what happens to a statement after its end.
 */
import { durationProperty } from "../../properties.ts";
import { nanosPerMs } from "../../world/world.ts";
import { headerOf, type Observed } from "../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note, Transition } from "./model.ts";
import { familyOf, statementAnswer, submittedSession } from "./statement/answer.ts";

/** Between what the coordinator measures and what the model sees. */
const roundingMs = 250;
const unknown = "UNKNOWN_TRANSACTION";

interface Statement {
  readonly id: string;
  readonly user: string;
  /** COMMIT or ROLLBACK. */
  readonly ends: boolean;
  readonly arrivedMs: number;
  errorName: string | undefined;
}

interface Transaction {
  readonly user: string;
  /** Arrival of the statement that has begun it, and the first answer that told it. */
  readonly beganMs: number;
  readonly toldMs: number;
  readonly statements: Map<string, Statement>;
}

interface End {
  readonly atMs: number;
  readonly failed: boolean;
}

class Transactions implements Model {
  readonly notes = ["start"];
  readonly #context: Judged;
  readonly #open = new Map<string, Transaction>();
  /** Ends of queries, by id: an answer may come after them. */
  readonly #ends = new Map<string, End>();
  /** Arrivals of submissions, by query. */
  readonly #arrivals = new Map<string, number>();

  constructor(context: Judged) {
    this.#context = context;
  }

  /** Another life counts time anew, and begins to count idle time when it has read its journal. */
  note({ place }: Note): void {
    if (place === this.#context.plan.coordinator.name) {
      this.end();
      this.#open.clear();
      this.#ends.clear();
      this.#arrivals.clear();
    }
  }

  observeTransition({ kind, id, place, to }: Transition): void {
    if (kind === "query" && (to === "FINISHED" || to === "FAILED") && place === this.#context.plan.coordinator.name) {
      this.#ends.set(id, { atMs: this.#nowMs, failed: to === "FAILED" });
    }
  }

  observe(answer: Observed): void {
    const said = answer.to === this.#context.plan.coordinator.name ? statementAnswer(answer) : undefined;
    if (said === undefined || said.status !== 200) {
      return;
    }
    const { request, response } = answer;
    const family = familyOf(request) ?? "engine";
    const nowMs = this.#nowMs;
    const arrivedMs = nowMs - (answer.nowNanos - answer.arrivedNanos) / nanosPerMs;
    if (said.isSubmission && !this.#arrivals.has(said.id)) {
      this.#arrivals.set(said.id, arrivedMs);
      const { sql = "", user = "" } = submittedSession(request) ?? {};
      const transaction = this.#open.get(headerOf(request.headers, `x-${family}-transaction-id`) ?? "");
      const ends = /^\s*(?:COMMIT|ROLLBACK)\b/i.test(sql);
      transaction?.statements.set(said.id, { id: said.id, user, ends, arrivedMs, errorName: undefined });
    }
    const begun = headerOf(response.headers, `x-${family}-started-transaction-id`);
    if (begun !== undefined && !this.#open.has(begun)) {
      const user = headerOf(request.headers, `x-${family}-user`) ?? "";
      this.#open.set(begun, { user, beganMs: this.#arrivals.get(said.id) ?? arrivedMs, toldMs: nowMs, statements: new Map() });
    }
    const error = said.document?.error;
    if (error !== undefined) {
      for (const { statements } of this.#open.values()) {
        const statement = statements.get(said.id);
        if (statement !== undefined) {
          statement.errorName ??= String(error["errorName"]);
        }
      }
    }
  }

  end(): void {
    for (const [id, transaction] of this.#open) {
      for (const statement of transaction.statements.values()) {
        this.#judge(id, transaction, statement);
      }
    }
  }

  #judge(id: string, transaction: Transaction, statement: Statement): void {
    const { check, plan } = this.#context;
    const end = this.#ends.get(statement.id);
    if (end === undefined) {
      return;
    }
    const timeoutMs = durationProperty(plan.properties, "transaction.idle-timeout");
    const others = [...transaction.statements.values()].filter((other) => other !== statement);
    const before = others.filter(({ arrivedMs }) => arrivedMs <= end.atMs);
    const endsBefore = before.flatMap((other) => this.#ends.get(other.id)?.atMs ?? []).filter((atMs) => atMs <= end.atMs);
    const isOver = before.some(({ ends, errorName, user }) => ends || (errorName === unknown && user === transaction.user));
    const what = `${statement.id} of transaction ${id}`;
    if (statement.errorName === unknown) {
      const idleMs = end.atMs - Math.max(transaction.beganMs, ...endsBefore);
      check(
        isOver || statement.user !== transaction.user || idleMs >= timeoutMs - roundingMs,
        () => `${what} was told that it is unknown, ${idleMs.toFixed(0)} ms after the last one; it may be idle for ${timeoutMs} ms`,
      );
    } else if (statement.errorName === "TRANSACTION_ALREADY_ABORTED") {
      const hasFailed = before.some((other) => this.#ends.get(other.id)?.failed ?? true);
      check(hasFailed, () => `${what} was told that it is aborted, and none of its statements has failed`);
    } else if (
      !end.failed &&
      !statement.ends &&
      before.every((other) => (this.#ends.get(other.id)?.atMs ?? end.atMs) <= statement.arrivedMs)
    ) {
      const idleMs = statement.arrivedMs - Math.max(transaction.toldMs, ...endsBefore);
      check(
        !isOver && idleMs <= timeoutMs + roundingMs,
        () =>
          `${what} was carried out ${isOver ? "after its end" : `${idleMs.toFixed(0)} ms after the last one; it may be idle for ${timeoutMs} ms`}`,
      );
    }
  }

  get #nowMs(): number {
    return this.#context.localNanos(this.#context.plan.coordinator.name) / nanosPerMs;
  }
}

export const transactions: ModelKind = {
  invariant: {
    name: "transactions",
    sentence:
      "A transaction is there until it ends or no statement of it has run for its time-out, and not longer; only statements that fail abort it.",
    kind: "safety",
    checkedIn: "checkers/models/transactions.ts",
  },
  create: (context) => new Transactions(context),
};
