/**
 * Tables that users write. The possible contents of each table are tracked through the user's statements, including failed writes, and
 * every read is compared with the same query over immutable data. Checked at the end of a run, when the required reference rows are known.
 */
import { changedRowsQuery, contentQuery, noRows, type TableStep, type TableWrite } from "../../workload/user-tables.ts";
import { type Ending } from "../../user.ts";
import { type Circumstances, describeOutcome, isDeclared, type Outcome, rowsDiffer } from "./results.ts";
import type { Verdict } from "../violation.ts";

const oracle = "tables";

/** The writes that produced a table's rows, in order, and whether its columns are NOT NULL; null if the table does not exist. */
type Content = { readonly writes: readonly TableWrite[]; readonly isStrict: boolean } | null;

interface Observation {
  readonly user: string;
  readonly step: TableStep;
  readonly ending: Ending;
  /** Number of coordinator crashes before the statement ended that lose the tables. */
  readonly crashes: number;
  /** Number of the user's statements so far that the network duplicated and that run independently. */
  readonly copies: number;
}

const contentsMax = 64;

export class TableOracle {
  readonly #observations: Observation[] = [];
  readonly #verdict: Verdict;
  readonly #circumstances: Circumstances;

  constructor(verdict: Verdict, circumstances: Circumstances) {
    this.#verdict = verdict;
    this.#circumstances = circumstances;
  }

  observe(observation: Omit<Observation, "copies">): void {
    const { facts } = this.#circumstances.causes;
    this.#observations.push({ ...observation, copies: facts.copiesOf(observation.user) });
  }

  /** Statements whose reference rows the next `judge` needs and lacks. */
  missing(references: ReadonlyMap<string, Outcome>): readonly string[] {
    const missing = new Set<string>();
    this.#follow(references, (sql) => missing.add(sql), undefined);
    return [...missing];
  }

  check(references: ReadonlyMap<string, Outcome>): void {
    this.#follow(references, () => undefined, this.#verdict);
  }

  #follow(references: ReadonlyMap<string, Outcome>, onMissing: (sql: string) => void, verdict: Verdict | undefined): void {
    const tables = new Map<string, { contents: Content[]; crashes: number }>();
    for (const observation of this.#observations) {
      const { step, ending, crashes, copies } = observation;
      const known = tables.get(step.table) ?? { contents: [null], crashes: 0 };
      tables.set(step.table, known);
      // The end of a duplicate is not observed either.
      if (known.contents.length === 0 || copies > 0) {
        known.contents = [];
        continue;
      }
      const lost: Content[] = crashes > known.crashes ? [null] : [];
      const before = distinct([...known.contents, ...lost]);
      known.crashes = crashes;
      const after = this.#after(observation, before, { references, onMissing, verdict });
      const unclear = ending.kind === "unanswered" || ending.kind === "vanished";
      const written = step.operation !== "read";
      // A write whose end was not observed may still happen at any time, so the content becomes unknown.
      known.contents = (unclear && written) || after.length > contentsMax ? [] : distinct([...after, ...lost]);
    }
  }

  /** Possible contents of the table after the statement ended. */
  #after(
    { user, step, ending }: Observation,
    before: readonly Content[],
    judging: {
      readonly references: ReadonlyMap<string, Outcome>;
      readonly onMissing: (sql: string) => void;
      readonly verdict: Verdict | undefined;
    },
  ): readonly Content[] {
    if (ending.kind !== "outcome") {
      return [...before, ...before.map((content) => written(step, content))];
    }
    const { outcome } = ending;
    if (outcome.kind === "error" && this.#namesWhoEnded(outcome.message) && isDeclared(outcome, user, this.#circumstances)) {
      judging.verdict?.held(oracle);
      return [...before, ...before.map((content) => written(step, content))];
    }
    const expected = before.map((content) => ({ content, outcome: expectedOutcome(step, content, judging) }));
    if (expected.some((one) => one.outcome === undefined)) {
      return before;
    }
    const right = expected.filter((one) => one.outcome !== undefined && agrees(one.outcome, outcome));
    if (right.length > 0) {
      judging.verdict?.held(oracle);
      return right.map(({ content }) => (outcome.kind === "rows" ? written(step, content) : content));
    }
    const choices = expected.map((one) => (one.outcome === undefined ? "" : describeOutcome(one.outcome))).join(" or ");
    judging.verdict?.violate(
      "wrong-result",
      oracle,
      `${user} got ${describeOutcome(outcome)} where ${choices} is right: ${step.operation} ${step.table} ${step.query}`,
    );
    return before;
  }

  /** Whether the worker that the message reports as restarted did restart. */
  #namesWhoEnded(message: string): boolean {
    const worker = /lost data: worker (\w+) restarted$/.exec(message)?.[1];
    return worker === undefined || this.#circumstances.causes.facts.hasEnded(worker);
  }
}

/** Content after the statement succeeded. */
function written({ operation, query }: TableStep, content: Content): Content {
  switch (operation) {
    case "create":
      return content ?? { writes: [{ kind: "rows", query }], isStrict: false };
    case "define":
      return content ?? { writes: [noRows], isStrict: true };
    case "replace":
      return { writes: [{ kind: "rows", query }], isStrict: false };
    case "insert":
    case "insert-nulls":
      return content === null || (operation === "insert-nulls" && content.isStrict)
        ? content
        : { ...content, writes: [...content.writes, { kind: "rows", query }] };
    case "merge":
      return content === null ? null : { ...content, writes: [...content.writes, { kind: "merge", query }] };
    case "read":
      return content;
    case "drop":
      return null;
  }
}

/** Whether the statement creates a table that does not exist. */
function makes({ operation }: TableStep): boolean {
  return operation === "create" || operation === "define";
}

function expectedOutcome(
  step: TableStep,
  content: Content,
  judging: { readonly references: ReadonlyMap<string, Outcome>; readonly onMissing: (sql: string) => void },
): Outcome | undefined {
  const { operation } = step;
  if (makes(step) && content !== null) {
    return { kind: "error", errorName: "TABLE_ALREADY_EXISTS", message: "" };
  }
  if (!makes(step) && operation !== "replace" && content === null) {
    return { kind: "error", errorName: "TABLE_NOT_FOUND", message: "" };
  }
  if (operation === "insert-nulls" && content?.isStrict === true) {
    return { kind: "error", errorName: "CONSTRAINT_VIOLATION", message: "" };
  }
  if (operation === "drop" || operation === "define") {
    return { kind: "rows", rows: [[true]] };
  }
  const sql = referenceOf(step, content?.writes ?? []);
  const outcome = judging.references.get(sql);
  if (outcome === undefined) {
    judging.onMissing(sql);
  }
  return outcome;
}

/** The statement that returns the expected rows. */
function referenceOf({ operation, query, table, readAs = table }: TableStep, writes: readonly TableWrite[]): string {
  return operation === "read"
    ? query.replace(readAs, contentQuery(writes))
    : changedRowsQuery({ kind: operation === "merge" ? "merge" : "rows", query }, writes);
}

/** Reference statements of a user if every write succeeds at once. */
export function likelyReferences(steps: readonly TableStep[]): readonly string[] {
  const statements: string[] = [];
  const contents = new Map<string, Content>();
  for (const step of steps) {
    const content = contents.get(step.table) ?? null;
    const hasReference = step.operation !== "drop" && step.operation !== "define";
    if (hasReference && (step.operation === "replace" || makes(step) === (content === null))) {
      statements.push(referenceOf(step, content?.writes ?? []));
    }
    contents.set(step.table, written(step, content));
  }
  return statements;
}

function agrees(expected: Outcome, found: Outcome): boolean {
  if (expected.kind === "error" || found.kind === "error") {
    return expected.kind === "error" && found.kind === "error" && expected.errorName === found.errorName;
  }
  return rowsDiffer(expected.rows, found.rows, false) === undefined;
}

function distinct(contents: readonly Content[]): Content[] {
  return [...new Map(contents.map((content) => [JSON.stringify(content), content])).values()];
}
