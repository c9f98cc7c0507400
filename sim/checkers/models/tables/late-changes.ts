/**
 * Changes of tables in an object store, written from docs/connectors.md (Writing to a bucket). A table changes by the request that puts or
 * removes its description.
 * - A coordinator sends that request for the first time while the query that makes the change runs. After the end of the query, because it
 *   was canceled or has failed, it may only be repeated.
 */
import type { Observed } from "../../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note, Transition } from "../model.ts";

interface Owner {
  readonly user: string;
  /** Requests so far: a repeated one has the same content. */
  readonly sent: Set<string>;
}

/** A table in a bucket that only this user writes. */
const tableInBucket = /^bucket\.default\.(\w+)$/;
const ends: ReadonlySet<string> = new Set(["FINISHED", "FAILED"]);

class LateChanges implements Model {
  readonly notes = ["start", "store-change"];
  readonly #context: Judged;
  /** By the name of the table. */
  readonly #owners = new Map<string, Owner>();
  /** Queries that run; a client that was not answered yet does not know the id of its query. */
  readonly #running = new Set<string>();
  readonly #userOf = new Map<string, string>();

  constructor(context: Judged) {
    this.#context = context;
    for (const { name, statements } of context.plan.users) {
      const table = tableInBucket.exec(statements[0]?.step?.table ?? "")?.[1];
      if (table !== undefined) {
        this.#owners.set(table, { user: name, sent: new Set() });
      }
    }
  }

  observe({ from, request, response, json }: Observed): void {
    if (this.#owners.size > 0 && request.method === "POST" && response.status === 200 && request.url.endsWith("/v1/statement")) {
      this.#userOf.set((json() as { readonly id: string }).id, from);
    }
  }

  observeTransition({ kind, id, to }: Transition): void {
    if (kind !== "query" || this.#owners.size === 0) {
      return;
    }
    if (to === "RUNNING") {
      this.#running.add(id);
    } else if (ends.has(to)) {
      this.#running.delete(id);
    }
  }

  note({ place, kind, detail }: Note): void {
    if (kind === "start") {
      if (place === this.#context.plan.coordinator.name) {
        this.#running.clear();
      }
      return;
    }
    const [, request, table = ""] = /^(\S+) (\w+)\//.exec(detail) ?? [];
    const owner = this.#owners.get(table);
    if (owner === undefined) {
      return;
    }
    const mayBeOfOwner = (id: string): boolean => (this.#userOf.get(id) ?? owner.user) === owner.user;
    this.#context.check(
      owner.sent.has(detail) || [...this.#running].some(mayBeOfOwner),
      () => `${place} changes table ${table} by ${String(request)}, and no query of ${owner.user}, who alone writes it, runs`,
    );
    owner.sent.add(detail);
  }
}

export const lateChanges: ModelKind = {
  invariant: {
    name: "late-changes",
    sentence: "A query that has ended does not change a table in an object store, but for requests that were sent before.",
    kind: "safety",
    checkedIn: "checkers/models/tables/late-changes.ts",
  },
  create: (context) => new LateChanges(context),
};
