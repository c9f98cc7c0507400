/** What a door remembers of recent queries: their clients, and how many pages it has sent. Bounded; the oldest are forgotten. */
import type { HttpRequest } from "../ports/network.ts";
import { hashBytes } from "../recording/hash.ts";
import { type Client, clientOf, requestKind } from "./request.ts";

interface KnownQuery extends Client {
  pages: number;
}

const queriesMax = 10_000;

export class Queries {
  readonly #known = new Map<string, KnownQuery>();

  clientOf(queryId: string): Client | undefined {
    return this.#known.get(queryId);
  }

  /** The answer to a request named the query. Returns the scope of its rules. */
  answered(request: HttpRequest, queryId: string, { source, user }: Client): string {
    if (!this.#known.has(queryId)) {
      this.#known.set(queryId, { user, source, pages: 0 });
      const [oldest] = this.#known.keys();
      if (this.#known.size > queriesMax && oldest !== undefined) {
        this.#known.delete(oldest);
      }
    }
    return this.scopeOf(request, queryId);
  }

  /** Counts a page with rows; returns its number, from 1 on. */
  countPage(queryId: string): number {
    const query = this.#known.get(queryId);
    if (query === undefined) {
      return 1;
    }
    query.pages++;
    return query.pages;
  }

  /**
   * Name under which the rules of a request's header are kept: the query's, or the submission's as long as it has none. A repeated
   * submission of the same client has the same name, so that its rules do not begin again.
   */
  scopeOf(request: HttpRequest, queryId: string | undefined): string {
    return queryId === undefined ? this.submissionScope(request) : `query ${queryId}`;
  }

  submissionScope(request: HttpRequest): string {
    const { source = "", user = "" } = clientOf(request.headers);
    return requestKind(request) === "submit" ? `submission ${user}/${source}/${hashBytes(request.body)}` : "other";
  }
}
