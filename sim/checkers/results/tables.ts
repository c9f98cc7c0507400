/**
 * Tables that users write: what each of them may hold is followed through the user's statements, failed writes included, and every read is held
 * against the same query over data that never changes. Judged at the end of a run, when it is known which reference rows it takes.
 */
import { changedRowsQuery, contentQuery, noRows, type TableStep, type TableWrite } from "../../workload/user-tables.ts";
import { type Ending } from "../../user.ts";
import { type Circumstances, describeOutcome, isDeclared, type Outcome, rowsDiffer } from "./results.ts";
import type { Verdict } from "../violation.ts";

const oracle = "tables";

/** The writes that made a table's rows, in order, and whether its columns take no NULL; null when there is no table. */
type Content = { readonly writes: readonly TableWrite[]; readonly isStrict: boolean } | null;

interface Observation {
  readonly user: string;
  readonly step: TableStep;
  readonly ending: Ending;
  /** Coordinators that had crashed when it ended: the tables of each are gone with it. */
  readonly crashes: number;
  /** Statements of the user's so far of which the network brought a copy that runs by itself. */
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

  /** Statements without whose reference rows the next `judge` cannot do. */
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
      // Nobody sees the end of a copy either.
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
      // A write that nobody has seen the end of may still happen at any time: nothing can be said of the table any more.
      known.contents = (unclear && written) || after.length > contentsMax ? [] : distinct([...after, ...lost]);
    }
  }

  /** What the table may hold after the statement has ended as it did. */
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

  /** Who says that a worker was started anew names one that was. */
  #namesWhoEnded(message: string): boolean {
    const worker = /lost data: worker (\w+) restarted$/.exec(message)?.[1];
    return worker === undefined || this.#circumstances.causes.facts.hasEnded(worker);
  }
}

/** The statement succeeded. */
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

/** Statements that make a table where there is none. */
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

/** The statement whose rows are the right answer. */
function referenceOf({ operation, query, table }: TableStep, writes: readonly TableWrite[]): string {
  return operation === "read"
    ? query.replace(table, contentQuery(writes))
    : changedRowsQuery({ kind: operation === "merge" ? "merge" : "rows", query }, writes);
}

/** Reference statements of a user whose every write succeeds at once. */
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
