/**
 * A table that several users write at once, written from decision 20 and docs/connectors.md (memory). Each user changes batches of rows of
 * its own, one statement after the other:
 * - Every statement reads one snapshot: of each user it sees the changes up to some statement, all of them and no part of one. It sees
 *   each change that had succeeded before it began, and none that began after it ended.
 * - A write happens once or not at all, however often its request was sent. It tells the number of rows that it changed.
 * - A change fails with TRANSACTION_CONFLICT only if another statement has written the table meanwhile. It has then changed nothing.
 * - Rows that a worker lost are TABLE_DATA_LOST, never fewer rows. With the coordinator the whole table is gone, unless
 *   table-recovery.enabled.
 * - A change of the table while a statement reads or changes it is never an error of its files.
 * - In an object store the table outlives every node. A write that fails there may become visible after its statement has ended
 *   (docs/connectors.md, Writing to a bucket).
 */
import { batchRows, type SharedStep } from "../../../workload/shared-table.ts";
import { recoversTables } from "../../../properties.ts";
import type { Judged, Model, ModelKind, Note, StatementEnd } from "../model.ts";

/** Failed writes of one user that may have happened nevertheless; beyond that its batches are not judged. */
const unclearMax = 5;

interface Change {
  readonly step: SharedStep;
  readonly startNanos: number;
  endNanos: number;
  /** `maybe` for a write that failed while something was wrong: its commit may have been the last that happened. */
  fate: "open" | "done" | "not" | "maybe";
  /** The statement that creates the table has succeeded. */
  hasCreated: boolean;
}

interface Writer {
  readonly changes: Change[];
  /** The user's connection to the outcome of a write is lost. What it writes from then on is unknown. */
  unknown: boolean;
}

/** Rows and amount of each batch. */
type Batches = ReadonlyMap<string, { readonly rows: number; readonly amount: number }>;

class SharedTableModel implements Model {
  readonly notes = ["submit"];
  readonly #context: Judged;
  readonly #writers = new Map<string, Writer>();

  constructor(context: Judged) {
    this.#context = context;
  }

  note({ place: user, detail: sql, nowNanos }: Note): void {
    const planned = this.#context.plan.users.find(({ name }) => name === user);
    const shared = planned?.statements.find((statement) => statement.sql === sql)?.shared;
    if (shared !== undefined) {
      const writer = this.#writers.get(user) ?? { changes: [], unknown: false };
      this.#writers.set(user, writer);
      writer.changes.push({ step: shared, startNanos: nowNanos, endNanos: Number.POSITIVE_INFINITY, fate: "open", hasCreated: false });
    }
  }

  endStatement({ user, statement: { shared }, ending, nowNanos }: StatementEnd): void {
    const writer = this.#writers.get(user);
    const change = writer?.changes.at(-1);
    const { facts, plan } = this.#context;
    if (shared === undefined || writer === undefined || change === undefined) {
      return;
    }
    change.endNanos = nowNanos;
    // A statement that the network delivered twice runs twice. Without recovery, what another incarnation has is another table.
    if (ending.kind !== "outcome" || facts.copiesOf(user) > 0) {
      writer.unknown = true;
    }
    const isLost = shared.table === undefined && facts.hasEnded(plan.coordinator.name) && !recoversTables(plan.properties);
    if (ending.kind !== "outcome" || isLost) {
      change.fate = "maybe";
      return;
    }
    const { outcome } = ending;
    if (outcome.kind === "error") {
      this.#failed(user, change, outcome.errorName);
    } else {
      change.hasCreated = shared.operation === "create";
      change.fate = shared.operation === "read" || shared.operation === "create" ? "not" : "done";
      if (shared.operation === "read") {
        this.#read(user, change, outcome.rows);
      } else if (shared.operation !== "create") {
        this.#counted(user, writer, change, Number((outcome.rows[0] as readonly unknown[] | undefined)?.[0]));
      }
    }
    writer.unknown ||= writer.changes.filter(({ fate }) => fate === "maybe").length > unclearMax;
  }

  #failed(user: string, change: Change, errorName: string): void {
    const { step, startNanos, endNanos } = change;
    const created = [...this.#writers.values()].some(({ changes }) =>
      changes.some(({ hasCreated, endNanos: nanos }) => hasCreated && nanos < startNanos),
    );
    this.#context.check(
      errorName !== "TABLE_NOT_FOUND" || !created,
      () => `${user} is told that the shared table does not exist, and it was created before`,
    );
    this.#context.check(
      !errorName.startsWith("FILE_"),
      () => `${user} is told ${errorName} in its ${step.operation}, and what the shared table is made of does not change`,
    );
    if (errorName === "TRANSACTION_CONFLICT") {
      const others = [...this.#writers].filter(([name]) => name !== user).flatMap(([, { changes }]) => changes);
      const together = others.some(
        (other) => isWrite(other.step) && other.fate !== "not" && other.startNanos <= endNanos && other.endNanos >= startNanos,
      );
      const late = [...this.#writers.values()].some(({ unknown, changes }) => unknown || changes.some(({ fate }) => fate === "maybe"));
      this.#context.check(
        isRewrite(step) && (together || late),
        () => `${user} is told of a conflict in its ${step.operation} of ${step.batch}, and nobody wrote the table meanwhile`,
      );
    }
    change.fate = errorName === "TRANSACTION_CONFLICT" || errorName === "TABLE_NOT_FOUND" || !isWrite(step) ? "not" : "maybe";
  }

  /** The number of rows that the client was told. */
  #counted(user: string, { changes, unknown }: Writer, { step }: Change, found: number): void {
    const possible = versions(changes.slice(0, -1)).map((before) =>
      step.operation === "insert" ? batchRows : (before.get(step.batch)?.rows ?? 0),
    );
    this.#context.check(
      unknown || possible.includes(found),
      () => `${user} is told that its ${step.operation} of ${step.batch} changed ${found} rows, of ${[...new Set(possible)].join(" or ")}`,
    );
  }

  #read(reader: string, { startNanos, endNanos }: Change, rows: readonly unknown[]): void {
    const found = rows as readonly (readonly [string, number, number, number])[];
    for (const [user, { changes, unknown }] of this.#writers) {
      if (unknown) {
        continue;
      }
      const own = found.filter(([batch]) => batch.startsWith(`${user}-`));
      const first = changes.filter((change) => change.endNanos < startNanos).length;
      const last = changes.filter((change) => change.startNanos <= endNanos).length;
      const possible = Array.from({ length: last - first + 1 }, (_, index) => versions(changes.slice(0, first + index))).flat();
      this.#context.check(
        possible.some((batches) => isSame(batches, own)),
        () => `${reader} sees of ${user} ${own.map((row) => row.join(":")).join(" ")}, where ${possible.map(told).join(" or ")} is right`,
      );
    }
  }
}

function isWrite({ operation }: SharedStep): boolean {
  return operation !== "read" && operation !== "create";
}

/** A change of rows that are there writes the table anew. */
function isRewrite({ operation }: SharedStep): boolean {
  return operation === "update" || operation === "merge" || operation === "delete";
}

/** The possible batches of a user after these statements; an open one counts as done. */
function versions(changes: readonly Change[]): readonly Batches[] {
  let all: readonly Batches[] = [new Map()];
  for (const { step, fate } of changes) {
    const after = fate === "not" ? [] : all.map((before) => changed(before, step));
    all = fate === "not" ? all : fate === "maybe" ? [...all, ...after] : after;
  }
  return all;
}

function changed(before: Batches, { operation, batch }: SharedStep): Batches {
  const after = new Map(before);
  const known = before.get(batch);
  if (operation === "insert") {
    after.set(batch, { rows: batchRows, amount: batchRows });
  } else if (operation === "delete") {
    after.delete(batch);
  } else if (known !== undefined && (operation === "update" || operation === "merge")) {
    after.set(batch, { rows: known.rows, amount: known.amount + known.rows });
  }
  return after;
}

function isSame(batches: Batches, rows: readonly (readonly [string, number, number, number])[]): boolean {
  return (
    rows.length === batches.size &&
    rows.every(([batch, count, items, amount]) => {
      const known = batches.get(batch);
      return Number(count) === known?.rows && Number(items) === known.rows && Number(amount) === known.amount;
    })
  );
}

function told(batches: Batches): string {
  return batches.size === 0 ? "nothing" : [...batches].map(([batch, { rows, amount }]) => `${batch}:${rows}:${rows}:${amount}`).join(" ");
}

export const sharedTables: ModelKind = {
  invariant: {
    name: "shared-tables",
    sentence:
      "A table that several users write: each read sees one snapshot, with all changes that had succeeded before it; each write happens once or not at all; a change conflicts only with another write of the same time.",
    kind: "wrong-result",
    checkedIn: "checkers/models/tables/shared-tables.ts",
  },
  create: (context) => new SharedTableModel(context),
};
