/**
 * Model of rights: who may end a query and what others learn of it. Written from section 4.1 of the interface (the slug is a nonce that is
 * required by subsequent requests), from docs/interface.md (a wrong slug is 404; DELETE cancels; "Query and cluster"), and from the public
 * protocol (DELETE of the query resource cancels, and a kill says that it was one): a query is cancelled only by a DELETE that has its slug
 * or names it at the query resource; a request that is refused changes nothing; the slug is told to the client of the query alone; and the
 * query resource names the user and the statement that were submitted. Without authentication any user may use the query resource.
 */
import type { JsonValue } from "../../../src/protocol/json.ts";
import type { Observed } from "../protocol/wire.ts";
import { shownText } from "./shown-text.ts";
import type { Judged, Model, ModelKind, Note, Transition } from "./model.ts";
import { familyOf, slugOf, statementAnswer } from "./statement/answer.ts";

const acceptedStatus = 202;

interface Query {
  readonly user: string;
  readonly sql: string;
  slug: string | undefined;
  /** Whether a DELETE that may cancel the query was answered. */
  isCanceled: boolean;
  isSaid: boolean;
}

class Rights implements Model {
  readonly notes = ["start"];
  readonly #context: Judged;
  readonly #coordinator: string;
  readonly #queries = new Map<string, Query>();
  /** Cancels of queries whose submission has not been answered yet. */
  readonly #canceledEarly = new Set<string>();
  readonly #failedNanos = new Map<string, number>();
  /** Name of the error of each query that a client killed. */
  readonly #killed = new Map<string, string>();

  constructor(context: Judged) {
    this.#context = context;
    this.#coordinator = context.plan.coordinator.name;
  }

  note({ place }: Note): void {
    if (place === this.#coordinator) {
      this.#queries.clear();
      this.#canceledEarly.clear();
      this.#killed.clear();
    }
  }

  observeTransition({ kind, id, to, nowNanos }: Transition): void {
    if (kind === "query" && to === "FAILED") {
      this.#failedNanos.set(id, nowNanos);
    }
  }

  observe(answer: Observed): void {
    const { to, path, request, response } = answer;
    if (to !== this.#coordinator) {
      return;
    }
    if (path.startsWith("/v1/query") || path.startsWith("/ui/")) {
      this.#resource(answer);
      return;
    }
    const said = statementAnswer(answer);
    if (said === undefined) {
      return;
    }
    const { id, document } = said;
    const known = this.#queries.get(id);
    if (request.method === "DELETE" && known !== undefined) {
      const isOwn = said.slug === known.slug;
      known.isCanceled ||= isOwn && response.status < 300;
      this.#context.check(
        isOwn || this.#failedNanos.get(id) !== answer.nowNanos,
        () => `${id} failed when ${answer.from} tried to cancel it`,
      );
    }
    if (document === undefined) {
      return;
    }
    const next = document.nextUri === undefined ? undefined : slugOf(document.nextUri);
    if (known === undefined && said.isSubmission) {
      const user = String(request.headers[`x-${familyOf(request) ?? "engine"}-user`] ?? "");
      const sql = new TextDecoder().decode(request.body);
      this.#queries.set(id, { user, sql, slug: said.slug ?? next, isCanceled: this.#canceledEarly.has(id), isSaid: false });
    }
    const query = this.#queries.get(id);
    this.#context.check(
      next === undefined || query === undefined || next === query.slug,
      () => `${answer.from} was told the slug of another query with ${id}`,
    );
    this.#ended(id, query, errorNameOf(document.error));
  }

  /** A cancel has somebody who cancelled, a kill somebody who killed. */
  #ended(id: string, query: Query | undefined, errorName: string): void {
    if (query !== undefined && errorName !== "" && !query.isSaid) {
      query.isSaid = true;
      const isFree = errorName !== "USER_CANCELED" || query.isCanceled;
      this.#context.check(isFree, () => `${id} was cancelled, and nobody with its slug asked for that`);
      const isAsked = !errorName.startsWith("ADMINISTRATIVELY_") || this.#killed.get(id) === errorName;
      this.#context.check(isAsked, () => `${id} says ${errorName}, and nobody asked for that`);
    }
  }

  #resource(answer: Observed): void {
    const { path, request, response } = answer;
    const id = path.split("/")[3] ?? "";
    if (request.method === "DELETE" && response.status < 300) {
      const query = this.#queries.get(id);
      if (query === undefined) {
        this.#canceledEarly.add(id);
      } else {
        query.isCanceled = true;
      }
    }
    const killing = /^\/v1\/query\/[^/]+\/(killed|preempted)$/.exec(path)?.[1];
    if (request.method === "PUT" && killing !== undefined && response.status === acceptedStatus) {
      this.#killed.set(id, `ADMINISTRATIVELY_${killing.toUpperCase()}`);
    }
    if (request.method !== "GET" || response.status !== 200) {
      return;
    }
    const text = answer.text();
    for (const [known, { slug }] of this.#queries) {
      this.#context.check(slug === undefined || !text.includes(slug), () => `${path} told ${answer.from} the slug of ${known}`);
    }
    if (request.url === "/v1/query") {
      const listed = answer.exactJson();
      for (const element of Array.isArray(listed) ? listed : []) {
        this.#listed(element);
      }
    }
  }

  #listed(element: JsonValue): void {
    const { queryId, query: sql, session, errorCode } = element as unknown as ListedQuery;
    const query = this.#queries.get(queryId);
    if (query !== undefined) {
      this.#context.check(
        session.user === query.user && sql === shownText(query.sql),
        () => `${queryId} of ${query.user} is listed as ${session.user}'s: ${sql}`,
      );
      this.#ended(queryId, query, errorCode?.name ?? "");
    }
  }
}

interface ListedQuery {
  readonly queryId: string;
  readonly query: string;
  readonly session: { readonly user: string };
  readonly errorCode?: { readonly name: string };
}

export const rights: ModelKind = {
  invariant: {
    name: "rights",
    sentence:
      "A query is cancelled only by a request that has its slug or names it at the query resource; a refused request changes nothing; nobody but its client learns its slug; and it is listed with its own user and statement.",
    kind: "safety",
    checkedIn: "checkers/models/rights.ts",
  },
  create: (context) => new Rights(context),
};

function errorNameOf(error: Readonly<Record<string, unknown>> | undefined): string {
  const name = error?.["errorName"];
  return typeof name === "string" ? name : "";
}
