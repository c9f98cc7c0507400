/**
 * Queries of former incarnations of the coordinator that wait for their clients. Nothing of them runs before the client asks: its token
 * says which rows it has, and many clients never come back.
 */
import type { Clock, Timer } from "../../ports/clock.ts";
import type { JournaledFailure } from "../../protocol/documents/query-journal.ts";
import type { JournaledQuery } from "./journal-records.ts";
import type { QueryJournal } from "./query-journal.ts";

export interface WaitingQueriesOptions {
  readonly clock: Clock;
  readonly journal: QueryJournal;
  /** query.client.timeout, from the start of the coordinator. */
  readonly waitMs: number;
}

export class WaitingQueries {
  readonly #options: WaitingQueriesOptions;
  readonly #queries = new Map<string, JournaledQuery>();
  readonly #loading: Promise<void>;
  #timer: Timer | undefined;
  #closed = false;

  constructor(options: WaitingQueriesOptions) {
    this.#options = options;
    this.#loading = this.#load();
  }

  /** Undefined for a query that is not known, or another slug. */
  async find(id: string, slug: string | undefined): Promise<JournaledQuery | undefined> {
    await this.#loading;
    const query = this.#queries.get(id);
    return query?.slug === slug ? query : undefined;
  }

  /** Whether the id belongs to a query whose client may still come. */
  async has(id: string): Promise<boolean> {
    await this.#loading;
    return this.#queries.has(id);
  }

  /** The user of the query; undefined if it is not known. */
  async ownerOf(id: string): Promise<string | undefined> {
    await this.#loading;
    return this.#queries.get(id)?.session.user;
  }

  /**
   * The query ends with this failure, which its client gets when it comes. Resolves when that is recorded; undefined if the query does not
   * wait any more.
   */
  async fail(id: string, failure: JournaledFailure): Promise<"failed" | "had-failed" | undefined> {
    const query = this.#queries.get(id);
    if (query === undefined || query.failure !== undefined) {
      return query && "had-failed";
    }
    this.#queries.set(id, { ...query, failure });
    await this.#options.journal.fail(id, failure);
    return "failed";
  }

  /** The query goes on, or its client does not want it. Returns false if another request was faster. */
  remove(id: string): boolean {
    return this.#queries.delete(id);
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#queries.clear();
  }

  async #load(): Promise<void> {
    const { clock, journal, waitMs } = this.#options;
    for (const query of await journal.load()) {
      this.#queries.set(query.id, query);
    }
    if (this.#queries.size > 0 && !this.#closed) {
      this.#timer = clock.timer("query-recovery", waitMs, () => this.#giveUp());
    }
  }

  #giveUp(): void {
    for (const id of this.#queries.keys()) {
      this.#options.journal.end(id);
    }
    this.#queries.clear();
  }
}
