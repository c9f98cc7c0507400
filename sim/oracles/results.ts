/**
 * Rows against the fault-free run on one node: the same statement gives the same rows under every schedule and every fault, or a declared error;
 * never fewer, never more, never other ones. Order counts where the statement sorts.
 */
import { stringifyJson } from "../../src/protocol/json.ts";
import { type CauseContext, lacksCause } from "./causes.ts";
import type { Verdict } from "./violation.ts";

const oracle = "results";

export type Outcome =
  | {
      readonly kind: "rows";
      readonly rows: readonly unknown[];
      /** Names and types of the columns, and what was written: `orderkey bigint, clerk varchar(15)`. */
      readonly shape?: string;
    }
  | { readonly kind: "error"; readonly errorName: string; readonly message: string };

/** A statement that sorts at its outermost level promises an order. */
export function isOrdered(sql: string): boolean {
  return /\bORDER BY\b(?![^(]*\))/i.test(sql);
}

export interface Circumstances {
  /** Something has gone wrong in this world that a query may rightly fail of. Without it an error has no cause. */
  troubled(): boolean;
  readonly causes: CauseContext;
}

type FoundError = Extract<Outcome, { kind: "error" }>;

/** The error is one that a cluster may declare as things are. */
export function isDeclared(found: FoundError, user: string, { causes }: Circumstances): boolean {
  return lacksCause({ ...found, user }, causes) === undefined;
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
      const lack = same ? undefined : lacksCause({ ...found, user }, this.#circumstances.causes);
      if (lack === undefined) {
        this.#verdict.held(oracle);
      } else {
        this.#verdict.violate(
          "wrong-result",
          oracle,
          `${user} got ${found.errorName} "${found.message}" where ${describeOutcome(expected)} is right (${lack}): ${sql}`,
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
    const difference = shapesDiffer(expected.shape, found.shape) ?? rowsDiffer(expected.rows, found.rows, isOrdered(sql));
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
  return message.replaceAll(/'[^']*'/g, "'~'").replaceAll(/\d+/g, "#");
}

function shapesDiffer(expected: string | undefined, found: string | undefined): string | undefined {
  return expected === undefined || found === undefined || expected === found ? undefined : `expected (${expected}), found (${found})`;
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
