/**
 * Rows against the fault-free run on one node: the same statement gives the same rows under every schedule and every fault, or a declared error;
 * never fewer, never more, never other ones. Order counts where the statement sorts.
 */
import { stringifyJson } from "../../../src/protocol/json.ts";
import { type CauseContext, lacksCause } from "../causes.ts";
import type { Verdict } from "../violation.ts";

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

  /** Of a statement of which its user has ended stages: no rows but those that are right, where what it asks for is for each row by itself. */
  checkCut(user: string, sql: string, found: Outcome, expected: Outcome | undefined): void {
    if (found.kind === "error" || expected?.kind !== "rows") {
      // What fails on all rows need not fail on some of them.
      if (found.kind === "error") {
        this.#checkCutError(user, sql, found, expected);
      }
      return;
    }
    const difference =
      shapesDiffer(expected.shape, found.shape) ?? (isRowByRow(sql) ? strangers(expected.rows, found.rows, isOrdered(sql)) : undefined);
    if (difference === undefined) {
      this.#verdict.held(oracle);
    } else {
      this.#verdict.violate(
        "wrong-result",
        oracle,
        `${user} ended stages and got ${found.rows.length} of ${expected.rows.length} rows, ${difference}: ${sql}`,
      );
    }
  }

  #checkCutError(user: string, sql: string, found: FoundError, expected: Outcome | undefined): void {
    if (isRowByRow(sql) || !computedErrors.has(found.errorName)) {
      this.check(user, sql, found, expected);
    }
  }

  check(user: string, sql: string, found: Outcome, expected: Outcome | undefined = this.#expected.get(sql)): void {
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

/** Errors that the values of aggregates can bring about: of fewer rows other ones. */
const computedErrors: ReadonlySet<string> = new Set([
  "DIVISION_BY_ZERO",
  "NUMERIC_VALUE_OUT_OF_RANGE",
  "INVALID_CAST_ARGUMENT",
  "SUBQUERY_MULTIPLE_ROWS",
]);

const acrossRows =
  /\b(GROUP BY|HAVING|LEFT|RIGHT|FULL|EXCEPT|INTERSECT|LIMIT|FETCH|OFFSET|OVER|(count|count_if|sum|avg|min|max|bool_and|bool_or|every)\s*\()|\(SELECT|\(WITH|^WITH|^EXECUTE|^EXPLAIN|^SHOW|^DESCRIBE/;

/** Fewer rows read are fewer rows of the result, and no others. */
export function isRowByRow(sql: string): boolean {
  return !acrossRows.test(sql);
}

/** The first found row that is not among the expected ones so often, or out of their order; undefined when there is none. */
function strangers(expected: readonly unknown[], found: readonly unknown[], ordered: boolean): string | undefined {
  const texts = textsOf(expected);
  if (ordered) {
    let place = 0;
    for (const row of found) {
      const text = stringifyJson(row);
      place = texts.indexOf(text, place) + 1;
      if (place === 0) {
        return `${text} is none of them, or out of order`;
      }
    }
    return undefined;
  }
  const left = new Map<string, number>();
  for (const text of texts) {
    left.set(text, (left.get(text) ?? 0) + 1);
  }
  for (const row of found) {
    const text = stringifyJson(row);
    const count = left.get(text) ?? 0;
    if (count === 0) {
      return `${text} is none of them, or there too often`;
    }
    left.set(text, count - 1);
  }
  return undefined;
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

function textsOf(rows: readonly unknown[]): string[] {
  return rows.map((row) => stringifyJson(row));
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Of rows that many runs are held against. */
const sortedTextsOf = new WeakMap<readonly unknown[], readonly string[]>();

function sortedTexts(rows: readonly unknown[]): readonly string[] {
  let texts = sortedTextsOf.get(rows);
  if (texts === undefined) {
    texts = textsOf(rows).sort(byText);
    sortedTextsOf.set(rows, texts);
  }
  return texts;
}

/** The first difference in words; undefined when they are the same rows. `expected` never changes. */
export function rowsDiffer(expected: readonly unknown[], found: readonly unknown[], ordered: boolean): string | undefined {
  const left = ordered ? textsOf(expected) : sortedTexts(expected);
  const right = ordered ? textsOf(found) : textsOf(found).sort(byText);
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    if (left[index] !== right[index]) {
      return `first difference at row ${index}: expected ${left[index] ?? "nothing"}, found ${right[index] ?? "nothing"}`;
    }
  }
  return undefined;
}
