/**
 * Transactions that clients hold open, and whether one of their statements has failed. Each read sees what is committed when it begins.
 * Writes commit on their own, so a transaction refuses them. With a journal, transactions survive the coordinator.
 */
import type { Connector } from "../../connectors/spi.ts";
import type { RuntimeTransaction } from "../../connectors/shared/runtime-tables.ts";
import type { PlannedStatement, TransactionMode } from "../../planner/planned.ts";
import { visitPlan } from "../../planner/plan/plan-tree.ts";
import type { Clock, MonotonicNanos, WallMillis } from "../../ports/clock.ts";
import { hexDigits, type Random } from "../../ports/random.ts";
import { QueryError } from "../../protocol/errors.ts";
import type { QueryJournal } from "../recovery/query-journal.ts";
import { IndexedHeap } from "../lifetime/indexed-heap.ts";

const transactionsMax = 10_000;

const isolationLevels: readonly TransactionMode["isolation"][] = ["READ UNCOMMITTED", "READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"];

export interface Transaction {
  readonly id: string;
  /** Who has begun it. */
  readonly user: string;
  readonly mode: TransactionMode;
  /** The query whose failure has aborted it. */
  abortedBy: string | undefined;
  /** Resolves when the journal has its present state. */
  recorded: Promise<void> | undefined;
  /** When its last statement has ended. */
  usedNanos: MonotonicNanos;
  /** Statements that have not ended: as long as there is one, the transaction is not idle. */
  live: number;
  readonly createMillis: WallMillis;
  /** Catalogs that the transaction's statements have read. */
  readonly catalogs: Set<string>;
}

export class Transactions {
  readonly #clock: Clock;
  readonly #random: Random;
  /** transaction.idle-timeout */
  readonly #idleNanosMax: number;
  readonly #open = new Map<string, Transaction>();
  /** Idle ones, by when each was used last: a look costs what it forgets. */
  readonly #used = new IndexedHeap<Transaction>();
  readonly #journal: QueryJournal | undefined;
  #loading: Promise<void> | undefined;

  constructor(ports: { readonly clock: Clock; readonly random: Random }, idleMsMax: number, journal?: QueryJournal) {
    this.#clock = ports.clock;
    this.#random = ports.random;
    this.#idleNanosMax = idleMsMax * 1e6;
    this.#journal = journal;
  }

  /** Transactions of former incarnations are known. */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** Resolves once the transaction survives the coordinator. */
  async begin(mode: TransactionMode, user: string): Promise<string> {
    await this.load();
    this.#forgetIdle();
    if (this.#open.size >= transactionsMax) {
      throw new QueryError("GENERIC_INSUFFICIENT_RESOURCES", `There are ${transactionsMax} open transactions`);
    }
    const digits = this.#random.stream("transaction-ids").nextText(32, hexDigits);
    const id = digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    const [usedNanos, createMillis] = [this.#clock.monotonicNanos(), this.#clock.wallMillis()];
    const record = { id, user, ...mode, createMillis };
    const recorded = this.#journal?.beginTransaction(record);
    this.#add({ id, user, mode, abortedBy: undefined, recorded, usedNanos, live: 0, createMillis, catalogs: new Set<string>() });
    await recorded;
    return id;
  }

  has(id: string): boolean {
    this.#forgetIdle();
    return this.#open.has(id);
  }

  all(): readonly RuntimeTransaction[] {
    this.#forgetIdle();
    const now = this.#clock.monotonicNanos();
    return [...this.#open.values()].map(({ id, user, mode, live, usedNanos, createMillis, catalogs }) => ({
      transactionId: id,
      user,
      isolationLevel: mode.isolation.replaceAll(" ", "_"),
      readOnly: mode.readOnly,
      created: createMillis,
      idleTimeSecs: live > 0 ? 0 : Math.floor((now - usedNanos) / 1e9),
      catalogs: [...catalogs],
    }));
  }

  /**
   * Returns the transaction of a user's statement, which is not idle until the statement is `done`. An aborted transaction accepts only
   * COMMIT and ROLLBACK.
   */
  use(id: string, { endsIt, queryId, user }: { readonly user: string; readonly queryId: string; readonly endsIt: boolean }): Transaction {
    this.#forgetIdle();
    const transaction = this.#open.get(id);
    // A transaction of another user is as unknown as one that is gone.
    if (transaction === undefined || transaction.user !== user) {
      throw new QueryError(
        "UNKNOWN_TRANSACTION",
        `Unknown transaction ID: ${id}. Possibly expired? Commands ignored until end of transaction block`,
      );
    }
    // The query that has aborted it may run again in another incarnation.
    if (transaction.abortedBy !== undefined && transaction.abortedBy !== queryId && !endsIt) {
      throw new QueryError(
        "TRANSACTION_ALREADY_ABORTED",
        "Current transaction is aborted, commands ignored until end of transaction block",
      );
    }
    transaction.live += 1;
    this.#used.delete(transaction);
    return transaction;
  }

  /** A statement of the transaction has ended. */
  done(transaction: Transaction): void {
    transaction.live -= 1;
    if (transaction.live === 0 && this.#open.has(transaction.id)) {
      transaction.usedNanos = this.#clock.monotonicNanos();
      this.#used.set(transaction, transaction.usedNanos);
    }
  }

  /** A query of the transaction has failed. */
  abort(transaction: Transaction, queryId: string): void {
    if (transaction.abortedBy === undefined && this.#open.has(transaction.id)) {
      transaction.abortedBy = queryId;
      transaction.recorded = this.#journal?.abortTransaction(transaction.id, queryId);
    }
  }

  /** Ends the transaction in either case. An aborted transaction cannot be committed and fails here. */
  end(transaction: Transaction, { commits, queryId }: { readonly queryId: string; readonly commits: boolean }): void {
    this.#open.delete(transaction.id);
    this.#used.delete(transaction);
    this.#journal?.endTransaction(transaction.id, queryId);
    if (commits && transaction.abortedBy !== undefined) {
      throw new QueryError("TRANSACTION_ALREADY_ABORTED", "Current transaction has already been aborted");
    }
  }

  #forgetIdle(): void {
    const idleSince = this.#clock.monotonicNanos() - this.#idleNanosMax - 1;
    for (let idle = this.#used.take(idleSince); idle !== undefined; idle = this.#used.take(idleSince)) {
      this.#open.delete(idle.id);
      this.#journal?.endTransaction(idle.id);
    }
  }

  #add(transaction: Transaction): void {
    this.#open.set(transaction.id, transaction);
    this.#used.set(transaction, transaction.usedNanos);
  }

  async #load(): Promise<void> {
    for (const { abortedBy, createMillis, id, isolation, readOnly, user } of (await this.#journal?.openTransactions()) ?? []) {
      const usedNanos = this.#clock.monotonicNanos();
      const mode = { isolation, readOnly };
      this.#add({
        id,
        user,
        mode,
        abortedBy,
        recorded: undefined,
        usedNanos,
        live: 0,
        createMillis: createMillis as WallMillis,
        catalogs: new Set(),
      });
    }
  }
}

/** Catalogs support two kinds of access within a transaction: reading immutable data, or reading committed data. None supports writes. */
export function requireAllowed(
  planned: PlannedStatement,
  { mode, catalogs }: Transaction,
  connector: (catalog: string) => Connector | undefined,
): void {
  const written = writtenCatalog(planned);
  if (written !== undefined) {
    if (mode.readOnly) {
      throw new QueryError("READ_ONLY_VIOLATION", "Cannot execute write in a read-only transaction");
    }
    throw new QueryError("AUTOCOMMIT_WRITE_CONFLICT", `Catalog only supports writes using autocommit: ${written}`);
  }
  if (planned.kind !== "query") {
    return;
  }
  const isAboveCommitted = isolationLevels.indexOf(mode.isolation) > isolationLevels.indexOf("READ COMMITTED");
  for (const { root } of planned.plan.fragments) {
    visitPlan(root, (node) => {
      if (node.kind === "TableScan") {
        catalogs.add(node.table.catalog);
      }
      if (isAboveCommitted && node.kind === "TableScan" && connector(node.table.catalog)?.metadata.beginInsert !== undefined) {
        throw new QueryError(
          "UNSUPPORTED_ISOLATION_LEVEL",
          `Connector supported isolation level READ COMMITTED does not meet requested isolation level ${mode.isolation}`,
        );
      }
    });
  }
}

function writtenCatalog(planned: PlannedStatement): string | undefined {
  if (planned.kind === "query") {
    return planned.write?.target.catalog;
  }
  return planned.kind === "dataDefinition" && "catalog" in planned.definition ? planned.definition.catalog : undefined;
}
