/**
 * The state of a memory catalog and, if the coordinator has a folder for it, its record on the disk, with which the next incarnation of the
 * coordinator begins. One change is made after the other: it is checked, recorded, and then visible.
 */
import { QueryError } from "../../protocol/errors.ts";
import type { ConnectorContext, RecordedStatement } from "../spi.ts";
import { CatalogJournal, type CatalogIdentity, type CatalogRecord, reasonOf } from "./catalog-journal.ts";
import { type CatalogChange, CatalogState } from "./catalog-state.ts";

/** Statements whose clients may still ask what they have done. */
const statementsMax = 10_000;

export interface KeptCatalogOptions {
  readonly context: ConnectorContext;
  /** The owner of the parts, unless the disk knows one. */
  readonly incarnation: string;
  /** The state of a former incarnation of the coordinator is there. */
  readonly onRestart: () => void;
}

export class KeptCatalog {
  readonly #catalog: string;
  readonly #journal: CatalogJournal | undefined;
  readonly #onRestart: () => void;
  readonly #statements = new Map<string, RecordedStatement>();
  /** Queries whose statements were forgotten since the last record. */
  #forgotten: string[] = [];
  #state = new CatalogState();
  #identity: CatalogIdentity;
  #loading: Promise<void> | undefined;
  #isLoaded: boolean;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ context, incarnation, onRestart }: KeptCatalogOptions) {
    const { catalog, catalogStorage: storage, ports } = context;
    const { clock, knobs, log, points } = ports;
    this.#catalog = catalog;
    this.#identity = { owner: incarnation, lives: 0 };
    this.#onRestart = onRestart;
    this.#journal = storage && new CatalogJournal({ catalog, clock, knobs, log, points, storage });
    this.#isLoaded = this.#journal === undefined;
  }

  /** True if the state survives the coordinator. */
  get isKept(): boolean {
    return this.#journal !== undefined;
  }

  /** False if the next incarnation of the coordinator may find a change that has failed in this one. */
  get isCertain(): boolean {
    return this.#journal?.isCertain ?? true;
  }

  /** As it is after `load`. */
  get state(): CatalogState {
    return this.#state;
  }

  get identity(): CatalogIdentity {
    return this.#identity;
  }

  /** Resolves when the state is there. Throws CONNECTOR_ERROR if the disk does not give it; the next call tries again. */
  load(): Promise<void> {
    if (this.#isLoaded || this.#journal === undefined) {
      return Promise.resolve();
    }
    this.#loading ??= this.#load(this.#journal).finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /**
   * `prepare` checks the change and throws if it is not possible; nothing else changes between the check and the change. Throws
   * CONNECTOR_ERROR if the change cannot be recorded.
   */
  async change(prepare: () => CatalogChange, statement?: RecordedStatement): Promise<void> {
    await this.load();
    const journal = this.#journal;
    if (journal === undefined) {
      this.#state.apply(prepare());
      return;
    }
    const made = this.#last.then(async () => {
      const change = prepare();
      const forgotten = [...this.#forgotten];
      const record: CatalogRecord = {
        change,
        ...(statement !== undefined && { statement }),
        ...(forgotten.length > 0 && { forgotten }),
      };
      await journal.append(record, { identity: this.#identity, state: () => recordsOf(this.#state, this.#statements) });
      this.#forgotten = this.#forgotten.slice(forgotten.length);
      this.#state.apply(change);
      this.#keep(statement);
    });
    this.#last = made.catch(() => undefined);
    await made;
  }

  /** The statement if it has made its change, "unknown" if that was forgotten. */
  async statement(queryId: string): Promise<RecordedStatement | "unknown" | undefined> {
    await this.load();
    return this.#statements.get(queryId) ?? (this.#identity.forgets === true ? "unknown" : undefined);
  }

  forget(queryIds: readonly string[]): void {
    for (const queryId of queryIds) {
      if (this.#statements.delete(queryId)) {
        this.#forgotten.push(queryId);
      }
    }
  }

  async #load(journal: CatalogJournal): Promise<void> {
    const found = await journal.load();
    const state = new CatalogState();
    const statements = new Map<string, RecordedStatement>();
    for (const { change, forgotten = [], statement } of found?.records ?? []) {
      for (const queryId of forgotten) {
        statements.delete(queryId);
      }
      if (change !== undefined) {
        state.apply(change);
      }
      if (statement !== undefined) {
        statements.set(statement.queryId, statement);
      }
    }
    const identity = found === undefined ? this.#identity : { ...found.identity, lives: found.identity.lives + 1 };
    try {
      await journal.begin(identity, recordsOf(state, statements));
    } catch (error) {
      throw new QueryError("CONNECTOR_ERROR", `Catalog '${this.#catalog}' cannot record its tables: ${reasonOf(error)}`);
    }
    this.#state = state;
    this.#identity = identity;
    this.#isLoaded = true;
    for (const statement of statements.values()) {
      this.#keep(statement);
    }
    if (identity.lives > 0) {
      this.#onRestart();
    }
  }

  #keep(statement: RecordedStatement | undefined): void {
    if (statement === undefined) {
      return;
    }
    this.#statements.set(statement.queryId, statement);
    const [oldest] = this.#statements.keys();
    if (this.#statements.size > statementsMax && oldest !== undefined) {
      this.#statements.delete(oldest);
      this.#identity = { ...this.#identity, forgets: true };
    }
  }
}

function recordsOf(state: CatalogState, statements: ReadonlyMap<string, RecordedStatement>): readonly CatalogRecord[] {
  return [...state.changes().map((change) => ({ change })), ...[...statements.values()].map((statement) => ({ statement }))];
}
