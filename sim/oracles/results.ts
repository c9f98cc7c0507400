/**
 * Rows against the fault-free run on one node: the same statement gives the same rows under every schedule and every fault, or a declared error;
 * never fewer, never more, never other ones. Order counts where the statement sorts.
 */
import { stringifyJson } from "../../src/protocol/json.ts";
import type { Verdict } from "./violation.ts";

const oracle = "results";

export type Outcome =
  | { readonly kind: "rows"; readonly rows: readonly unknown[] }
  | { readonly kind: "error"; readonly errorName: string; readonly message: string };

/** Errors that a cluster under faults may declare, whatever the statement. */
const declaredErrors: ReadonlySet<string> = new Set([
  "PAGE_TRANSPORT_ERROR",
  "PAGE_TRANSPORT_TIMEOUT",
  "REMOTE_TASK_ERROR",
  "REMOTE_TASK_MISMATCH",
  "REMOTE_HOST_GONE",
  "REMOTE_BUFFER_CLOSE_FAILED",
  "TOO_MANY_REQUESTS_FAILED",
  "NO_NODES_AVAILABLE",
  "SERVER_SHUTTING_DOWN",
  "SERVER_STARTING_UP",
  "ABANDONED_QUERY",
  "ABANDONED_TASK",
  "GENERIC_INSUFFICIENT_RESOURCES",
  "EXCEEDED_TIME_LIMIT",
  "USER_CANCELED",
  "TABLE_DATA_LOST",
  "OUT_OF_SPILL_SPACE",
]);

/** A statement that sorts at its outermost level promises an order. */
export function isOrdered(sql: string): boolean {
  return /\bORDER BY\b(?![^(]*\))/i.test(sql);
}

/** Of a node whose disk fails, in the words of Presto's spiller, and of one that read other bytes than were written. */
const spillMessage = /^Failed to (spill pages|read spilled pages)$/;

const memoryError = "EXCEEDED_LOCAL_MEMORY_LIMIT";
const memoryMessage = /^Query exceeded per-node user memory limit of \S+ \[.+\]$/;

export interface Circumstances {
  /** Something has gone wrong in this world that a query may rightly fail of. Without it an error has no cause. */
  troubled(): boolean;
  /** The plan gives queries little memory. */
  readonly shortOfMemory: boolean;
  /** A disk has failed or given other bytes. */
  diskTroubled?(): boolean;
}

/** The error is one that a cluster may declare as things are. */
export function isDeclared(found: Extract<Outcome, { kind: "error" }>, circumstances: Circumstances): boolean {
  if (found.errorName === memoryError) {
    return circumstances.shortOfMemory && memoryMessage.test(found.message);
  }
  if (found.errorName === "CORRUPT_PAGE" || (found.errorName === "GENERIC_INTERNAL_ERROR" && spillMessage.test(found.message))) {
    return circumstances.diskTroubled?.() === true;
  }
  return declaredErrors.has(found.errorName) && circumstances.troubled();
}

export class ResultsOracle {
  readonly #verdict: Verdict;
  readonly #expected: ReadonlyMap<string, Outcome>;
  readonly #circumstances: Circumstances;

  constructor(verdict: Verdict, expected: ReadonlyMap<string, Outcome>, circumstances: Circumstances) {
    this.#verdict = verdict;
    this.#expected = expected;
    this.#circumstances = circumstances;
  }

  /** The service gave no answer at all. */
  checkUnanswered(user: string, sql: string, message: string): void {
    if (this.#circumstances.troubled()) {
      this.#verdict.held(oracle);
    } else {
      this.#verdict.violate("liveness", oracle, `${user} got no answer in a world without faults (${message}): ${sql}`);
    }
  }

  check(user: string, sql: string, found: Outcome): void {
    const expected = this.#expected.get(sql);
    if (expected === undefined) {
      this.#verdict.violate("crash", oracle, `no reference for: ${sql}`);
      return;
    }
    if (found.kind === "error") {
      const same =
        expected.kind === "error" && expected.errorName === found.errorName && masked(expected.message) === masked(found.message);
      if (same || isDeclared(found, this.#circumstances)) {
        this.#verdict.held(oracle);
      } else {
        this.#verdict.violate(
          "wrong-result",
          oracle,
          `${user} got ${found.errorName} "${found.message}" where ${describeOutcome(expected)} is right: ${sql}`,
        );
      }
      return;
    }
    if (expected.kind === "error") {
      this.#verdict.violate(
        "wrong-result",
        oracle,
        `${user} got ${found.rows.length} rows where ${describeOutcome(expected)} is right: ${sql}`,
      );
      return;
    }
    const difference = rowsDiffer(expected.rows, found.rows, isOrdered(sql));
    if (difference === undefined) {
      this.#verdict.held(oracle);
    } else {
      this.#verdict.violate(
        "wrong-result",
        oracle,
        `${user} got ${found.rows.length} of ${expected.rows.length} rows, ${difference}: ${sql}`,
      );
    }
  }
}

/** Of several rows that fail, which one is met first depends on the schedule: the values in the message may differ, nothing else. */
function masked(message: string): string {
  return message.replaceAll(/\d+/g, "#");
}

export function describeOutcome(outcome: Outcome): string {
  return outcome.kind === "rows" ? `${outcome.rows.length} rows` : `${outcome.errorName} "${outcome.message}"`;
}

/** The first difference in words; undefined when they are the same rows. */
export function rowsDiffer(expected: readonly unknown[], found: readonly unknown[], ordered: boolean): string | undefined {
  const texts = (rows: readonly unknown[]): string[] => {
    const all = rows.map((row) => stringifyJson(row));
    return ordered ? all : all.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  };
  const left = texts(expected);
  const right = texts(found);
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    if (left[index] !== right[index]) {
      return `first difference at row ${index}: expected ${left[index] ?? "nothing"}, found ${right[index] ?? "nothing"}`;
    }
  }
  return undefined;
}
