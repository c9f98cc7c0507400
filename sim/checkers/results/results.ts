/**
 * Compares rows with the fault-free run on one node. The same statement gives the same rows under every schedule and every fault, or a
 * declared error. Order is compared if the statement sorts.
 */
import { stringifyJson } from "../../../src/protocol/json.ts";
import { type CauseContext, lacksCause } from "../causes.ts";
import type { Verdict } from "../violation.ts";

const oracle = "results";

export type Outcome =
  | {
      readonly kind: "rows";
      readonly rows: readonly unknown[];
      /** Names and types of the columns, and the kind of update: `orderkey bigint, clerk varchar(15)`. */
      readonly shape?: string;
    }
  | { readonly kind: "error"; readonly errorName: string; readonly message: string };

/** A statement that sorts at its outermost level promises an order. */
export function isOrdered(sql: string): boolean {
  let outermost = sql.replaceAll(/'(?:[^']|'')*'/g, "");
  for (let before = ""; before !== outermost; ) {
    before = outermost;
    outermost = outermost.replaceAll(/\([^()]*\)/g, "");
  }
  return /\bORDER BY\b/i.test(outermost);
}

export interface Circumstances {
  /** Whether anything happened from which a query may fail. Without it, an error has no cause. */
  troubled(): boolean;
  readonly causes: CauseContext;
}

type FoundError = Extract<Outcome, { kind: "error" }>;

/** Whether a cluster may declare the error under these circumstances. */
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

  /** Handles a statement that the service never answered. */
  checkUnanswered(user: string, sql: string, message: string): void {
    if (this.#circumstances.troubled()) {
      this.#verdict.held(oracle);
    } else {
      this.#verdict.violate("liveness", oracle, `${user} got no answer in a world without faults (${message}): ${sql}`);
    }
  }

  /** Checks a statement that rules of access control refuse: with this text in the message. */
  checkDenied(user: string, sql: string, found: Outcome, text: string): void {
    const isDenied = found.kind === "error" && found.errorName === "PERMISSION_DENIED" && found.message.includes(`Access Denied: ${text}`);
    if (isDenied || (found.kind === "error" && lacksCause({ ...found, user }, this.#circumstances.causes) === undefined)) {
      this.#verdict.held(oracle);
    } else {
      this.#verdict.violate(
        "wrong-result",
        oracle,
        `${user} got ${describeOutcome(found)} where "Access Denied: ${text}" is right: ${sql}`,
      );
    }
  }

  /** Checks a statement about rights that a catalog keeps, whose model judges who is refused, and what is there. */
  checkRights(user: string, sql: string, found: Outcome): void {
    const lack =
      found.kind === "rows" || ofRights.has(found.errorName) ? undefined : lacksCause({ ...found, user, sql }, this.#circumstances.causes);
    if (lack === undefined) {
      this.#verdict.held(oracle);
    } else {
      this.#verdict.violate("wrong-result", oracle, `${user} got ${describeOutcome(found)} (${lack}): ${sql}`);
    }
  }

  /** Checks a statement whose user cancelled stages. If its rows are independent of each other, every returned row must be correct. */
  checkCut(user: string, sql: string, found: Outcome, expected: Outcome | undefined): void {
    if (found.kind === "error" || expected?.kind !== "rows") {
      // A statement that fails on all rows need not fail on some of them.
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
      const lack = same ? undefined : lacksCause({ ...found, user, sql }, this.#circumstances.causes);
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

/** Errors of statements on tables and roles that others create and drop. */
const ofRights: ReadonlySet<string> = new Set([
  "PERMISSION_DENIED",
  "TABLE_NOT_FOUND",
  "TABLE_ALREADY_EXISTS",
  "ROLE_NOT_FOUND",
  "ROLE_ALREADY_EXISTS",
  "INVALID_ARGUMENTS",
  "TRANSACTION_CONFLICT",
]);

/** Errors that aggregates can cause; fewer input rows may cause other errors. */
const computedErrors: ReadonlySet<string> = new Set([
  "DIVISION_BY_ZERO",
  "NUMERIC_VALUE_OUT_OF_RANGE",
  "INVALID_CAST_ARGUMENT",
  "SUBQUERY_MULTIPLE_ROWS",
]);

const acrossRows =
  /\b(GROUP BY|HAVING|LEFT|RIGHT|FULL|EXCEPT|INTERSECT|LIMIT|FETCH|OFFSET|OVER|(count|count_if|sum|avg|min|max|bool_and|bool_or|every)\s*\()|\(SELECT|\(WITH|MATCH_RECOGNIZE|TABLE\(|^WITH|^EXECUTE|^EXPLAIN|^SHOW|^DESCRIBE/;

/** Whether fewer input rows give a subset of the result's rows. */
export function isRowByRow(sql: string): boolean {
  return !acrossRows.test(sql);
}

/** Returns the first found row that occurs more often than expected, or is out of order; undefined if there is none. */
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

/** If several rows fail, the schedule decides which error is reported. Only the values in the message may differ. */
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

/** Sorted texts of expected rows; many runs are compared with the same rows. */
const sortedTextsOf = new WeakMap<readonly unknown[], readonly string[]>();

function sortedTexts(rows: readonly unknown[]): readonly string[] {
  let texts = sortedTextsOf.get(rows);
  if (texts === undefined) {
    texts = textsOf(rows).sort(byText);
    sortedTextsOf.set(rows, texts);
  }
  return texts;
}

/** Describes the first difference; undefined if the rows are equal. `expected` is never modified. */
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
