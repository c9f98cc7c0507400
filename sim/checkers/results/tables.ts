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

/** A possible state of a table. */
interface State {
  readonly content: Content;
  /** Writes whose statements have ended before their commits: each may still happen, once. */
  readonly late: readonly TableStep[];
}

/** A commit in an object store is several requests, which are repeated. A statement that ends in the midst of it does not take it back. */
const commitsLate = /^bucket\./;

interface Observation {
  readonly user: string;
  readonly step: TableStep;
  readonly ending: Ending;
  /** Number of coordinator crashes before the statement ended that lose the tables. */
  readonly crashes: number;
  /** Number of the user's statements so far that the network duplicated and that run independently. */
  readonly copies: number;
}

const absent: State = { content: null, late: [] };
const statesMax = 64;

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
    const tables = new Map<string, { states: State[]; crashes: number }>();
    for (const observation of this.#observations) {
      const { step, ending, crashes, copies } = observation;
      const known = tables.get(step.table) ?? { states: [absent], crashes: 0 };
      tables.set(step.table, known);
      // The end of a duplicate is not observed either.
      if (known.states.length === 0 || copies > 0) {
        known.states = [];
        continue;
      }
      const lost = crashes > known.crashes ? [absent] : [];
      const before = distinct([...known.states, ...lost].flatMap(withLate));
      known.crashes = crashes;
      const after = this.#after(observation, before, { references, onMissing, verdict });
      const unclear = ending.kind === "unanswered" || ending.kind === "vanished";
      const written = step.operation !== "read";
      // A write whose end was not observed may still happen at any time, so the content becomes unknown.
      known.states = (unclear && written) || after.length > statesMax ? [] : distinct([...after, ...lost]);
    }
  }

  /** Possible states of the table after the statement ended. */
  #after(
    { user, step, ending }: Observation,
    before: readonly State[],
    judging: {
      readonly references: ReadonlyMap<string, Outcome>;
      readonly onMissing: (sql: string) => void;
      readonly verdict: Verdict | undefined;
    },
  ): readonly State[] {
    if (ending.kind !== "outcome") {
      return perhapsWritten(step, before);
    }
    const { outcome } = ending;
    if (outcome.kind === "error" && this.#namesWhoEnded(outcome.message) && isDeclared(outcome, user, this.#circumstances)) {
      judging.verdict?.held(oracle);
      return perhapsWritten(step, before);
    }
    const expected = before.map((state) => ({ state, outcome: expectedOutcome(step, state.content, judging) }));
    if (expected.some((one) => one.outcome === undefined)) {
      return before;
    }
    const right = expected.filter((one) => one.outcome !== undefined && agrees(one.outcome, outcome));
    if (right.length > 0) {
      judging.verdict?.held(oracle);
      return right.map(({ state }) => (outcome.kind === "rows" ? { ...state, content: written(step, state.content) } : state));
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

/** The statement has ended, and whether it has written is not known. */
function perhapsWritten(step: TableStep, before: readonly State[]): readonly State[] {
  if (step.operation === "read") {
    return before;
  }
  return commitsLate.test(step.table)
    ? before.map(({ content, late }) => ({ content, late: [...late, step] }))
    : [...before, ...before.map(({ content, late }) => ({ content: written(step, content), late }))];
}

/** The state as it is, and after each order in which late writes may have happened. */
function withLate(state: State): readonly State[] {
  return [
    state,
    ...state.late.flatMap((step, index) =>
      withLate({ content: written(step, state.content), late: state.late.filter((_, other) => other !== index) }),
    ),
  ];
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

function distinct(states: readonly State[]): State[] {
  return [...new Map(states.map((state) => [JSON.stringify(state), state])).values()];
}
