/**
 * The query list: all queries in memory and in the history as rows, filtered, sorted and cut to a page. A page costs time in proportion to
 * the number of queries, without an object or a document for those that are not on it.
 */
import { errorCatalogue } from "../../protocol/errors.ts";
import { HttpError } from "../../protocol/http/http.ts";
import type { Query } from "../query/query.ts";
import type { QueryTracker } from "../query/query-tracker.ts";
import type { QueryHistory } from "../history/query-history.ts";
import type { WaitFacts } from "../query/query-wait.ts";
import type { ListParameters } from "./list-parameters.ts";
import { byCreation, comparisonBy, FirstRows } from "./query-order.ts";
import { QueryInMemory, type QueryRow } from "./query-row.ts";

export interface QueryPage {
  readonly rows: readonly QueryRow[];
  /** Number of matches, on this page or not. */
  readonly matchCount: number;
}

export class QueryList {
  readonly #tracker: QueryTracker;
  readonly #waitFacts: () => WaitFacts;
  readonly #history: QueryHistory | undefined;
  /** Rows of queries whose numbers no longer change. */
  readonly #settled = new WeakMap<Query, QueryRow>();

  /** `waitFacts`: those of this moment. */
  constructor(tracker: QueryTracker, waitFacts: () => WaitFacts, history?: QueryHistory) {
    this.#tracker = tracker;
    this.#history = history;
    this.#waitFacts = waitFacts;
  }

  /** Queries in memory, in the order of creation. */
  inMemory(): readonly QueryRow[] {
    const waitFacts = this.#factsOnce();
    return this.#tracker.all().map((query) => this.#rowOf(query, waitFacts));
  }

  /** The queries of the history and those in memory. */
  async all(): Promise<readonly QueryRow[]> {
    await this.#history?.load();
    const rows: QueryRow[] = [];
    for (const entry of this.#history?.index.entries() ?? []) {
      if (!entry.isInMemory) {
        rows.push(entry);
      }
    }
    return rows.concat(this.inMemory());
  }

  live(): readonly QueryRow[] {
    const waitFacts = this.#factsOnce();
    return this.#tracker.live().map((query) => this.#rowOf(query, waitFacts));
  }

  /** Throws HttpError 400 if the query of `after` is unknown. Without a limit the page has all matches among the queries in memory. */
  async page(parameters: ListParameters, isVisible: (owner: string) => boolean): Promise<QueryPage> {
    const rows = parameters.limit === undefined ? this.inMemory() : await this.all();
    return pageOf(
      rows.filter(({ user }) => isVisible(user)),
      parameters,
    );
  }

  /** The rows of one list share the facts, which are taken when the first row needs them. */
  #factsOnce(): () => WaitFacts {
    let facts: WaitFacts | undefined;
    return () => {
      facts ??= this.#waitFacts();
      return facts;
    };
  }

  #rowOf(query: Query, waitFacts: () => WaitFacts): QueryRow {
    const known = this.#settled.get(query);
    if (known !== undefined) {
      return known;
    }
    const row = new QueryInMemory(query, waitFacts);
    if (query.settled) {
      this.#settled.set(query, row);
    }
    return row;
  }
}

/** Throws HttpError 400 if `after` is not among the rows. */
export function pageOf(rows: readonly QueryRow[], parameters: ListParameters): QueryPage {
  const { after, limit, sort } = parameters;
  const matches = matcher(parameters);
  const compare = sort === undefined ? byCreation : comparisonBy(sort);
  const last = after === undefined ? undefined : find(rows, after);
  const first = new FirstRows(compare, limit ?? Number.POSITIVE_INFINITY);
  let matchCount = 0;
  for (const row of rows) {
    if (matches(row)) {
      matchCount += 1;
      if (last === undefined || compare(row, last) > 0) {
        first.add(row);
      }
    }
  }
  return { rows: first.sorted(), matchCount };
}

function find(rows: readonly QueryRow[], id: string): QueryRow {
  const found = rows.find((row) => row.id === id);
  if (found === undefined) {
    throw new HttpError(400, `Parameter after must be the id of a query: ${id}`);
  }
  return found;
}

function matcher(parameters: ListParameters): (row: QueryRow) => boolean {
  const { errorTypes, search, source, states, user } = parameters;
  // A pattern finds a text in any case without a copy of each text that it searches.
  const pattern = search === undefined ? undefined : new RegExp(search.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "iu");
  return (row) =>
    (states === undefined || states.has(row.state)) &&
    (user === undefined || row.user === user) &&
    (source === undefined || row.source === source) &&
    (errorTypes === undefined || (row.errorName !== undefined && errorTypes.has(errorCatalogue[row.errorName].type))) &&
    (pattern === undefined || pattern.test(row.text) || pattern.test(row.id) || pattern.test(row.user) || pattern.test(row.source ?? ""));
}
