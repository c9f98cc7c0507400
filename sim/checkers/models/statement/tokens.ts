/**
 * Model of the chain of a statement: which status and which bytes may answer each request of a chain. Written from docs/interface.md,
 * "Statement": the current token answers again with the same bytes; an older one is 410, a future or unknown one 404, a wrong slug 404;
 * PUT with the same id, slug and text is idempotent, another slug or a query that was polled is 409; DELETE is 204 in every state and has
 * no body; a parameter that cannot be read is 400 and takes nothing; HEAD produces no answer and acknowledges none; a query that its client
 * has abandoned loses its rows (410), and a query without a client may be forgotten. A new incarnation of the coordinator knows no query.
 * With query-recovery.enabled it knows those of its journal: a client goes on with the token that it has, or asks for the last one again. A
 * query that the disk has lost is unknown (404).
 */
import type { RunPlan } from "../../../plan.ts";
import { durationProperty, recoversQueries } from "../../../properties.ts";
import { nanosPerMs } from "../../../world/world.ts";
import type { Judged, Model, ModelKind, Note } from "../model.ts";
import { slugOf, type StatementAnswer, statementAnswer, tokenOf } from "./answer.ts";

/** Durations and sizes begin with a digit. */
function hasBadParameter(url: string): boolean {
  return /[?&](?:maxWait|targetResultSize)=[^\d]/.test(url);
}

/** Note of a poll that has arrived: `m17 u1>c statement-poll GET /v1/statement/ID/TOKEN?slug=S`. */
const poll = / GET (\/v1\/statement\/([^/]+)\/\d+\?\S*)$/;

interface Chain {
  slug: string | undefined;
  /** Text and response of the submission. */
  readonly sql: string;
  readonly first: string;
  /** The last token that was answered, with its response and the time; undefined before the first. */
  current: { readonly token: number; readonly text: string; readonly atNanos: number } | undefined;
  /** Token of the last `nextUri`; undefined after the last response. */
  next: number | undefined;
  /** Whether a request for a token has arrived, whatever its response is. */
  isPolled: boolean;
  /** Whether the query was cancelled, or a client was told that it is gone. */
  isOver: boolean;
  /** Time of the coordinator's clock when the client was last heard of. */
  heardNanos: number;
  /** No request for it has come since the coordinator was started again. */
  isFormer: boolean;
}

class Tokens implements Model {
  readonly notes = ["start", "stopped", "serve"];
  readonly #context: Judged;
  readonly #coordinator: string;
  readonly #clientTimeoutNanos: number;
  readonly #hasSlowRecords: boolean;
  readonly #chains = new Map<string, Chain>();
  #startedNanos = 0;

  constructor(context: Judged) {
    this.#context = context;
    this.#coordinator = context.plan.coordinator.name;
    this.#hasSlowRecords = context.plan.faults.some((fault) => fault.kind === "slow-disk" && fault.node === this.#coordinator);
    this.#clientTimeoutNanos = durationProperty(context.plan.properties, "query.client.timeout") * nanosPerMs;
  }

  note({ kind, place, detail, nowNanos }: Note): void {
    if (place !== this.#coordinator) {
      return;
    }
    if (kind === "serve") {
      this.#arrived(detail);
      return;
    }
    this.#startedNanos = nowNanos;
    // An orderly stop has ended all queries.
    if (kind === "stopped" || !recoversQueries(this.#context.plan.properties)) {
      this.#chains.clear();
    }
    for (const chain of this.#chains.values()) {
      chain.isFormer = true;
      // A new life waits for the client anew, by its own clock.
      chain.heardNanos = this.#context.localNanos(this.#coordinator);
    }
  }

  /** A poll waits for its answer, and counts from its arrival. */
  #arrived(detail: string): void {
    const [, url = "", id = ""] = poll.exec(detail) ?? [];
    const chain = this.#chains.get(id);
    if (chain?.isFormer === false && slugOf(url) === chain.slug && !hasBadParameter(url)) {
      chain.isPolled = true;
    }
  }

  observe(answer: Parameters<typeof statementAnswer>[0]): void {
    const said = statementAnswer(answer);
    // A node that is overloaded or leaves answers 503 to anything.
    if (said === undefined || answer.to !== this.#coordinator || said.status === 503 || answer.arrivedNanos < this.#startedNanos) {
      return;
    }
    const chain = this.#chains.get(said.id);
    if (chain?.isFormer === true && said.slug === chain.slug) {
      this.#goesOn(said, chain);
    } else if (said.isSubmission) {
      this.#submitted(said, chain);
    } else if (chain === undefined) {
      this.#say(said, said.status === 404 || said.status === 410, "of a query that it does not know");
    } else if (said.slug !== chain.slug || said.token === undefined) {
      this.#say(said, said.status === 404, "with a slug that is not the query's");
    } else if (said.answer.request.method === "GET" && hasBadParameter(said.answer.request.url)) {
      this.#say(said, said.status === 400, "with a parameter that cannot be read");
    } else {
      this.#asked(said, chain, said.token);
      chain.heardNanos = this.#heardNanos(said.answer);
    }
  }

  /** The first answers of a new incarnation: the rows are as before, the documents need not be. */
  #goesOn(said: StatementAnswer, chain: Chain): void {
    const { answer, document, status, token } = said;
    const { method } = answer.request;
    const mayBeGone = this.#mayBeGone(chain);
    chain.heardNanos = this.#heardNanos(answer);
    if (status === 404 || status === 410) {
      const isOld = token !== undefined && chain.current !== undefined && token < chain.current.token;
      const isLost = status === 404 && mayLoseSyncs(this.#context.plan);
      this.#say(said, isOld || isLost || mayBeGone || method === "HEAD", "of a query that the journal has");
    } else if (method === "DELETE") {
      this.#say(said, status === 204 && answer.response.body.length === 0, "to cancel");
      chain.isOver ||= status === 204;
    } else if (said.isSubmission) {
      const isSame = new TextDecoder().decode(answer.request.body) === chain.sql;
      this.#say(said, status === 409 || (isSame && status === 200), "of a submission that the journal has");
      this.#begin(said, chain.slug);
    } else if (method === "GET" && hasBadParameter(answer.request.url)) {
      this.#say(said, status === 400, "with a parameter that cannot be read");
    } else if (method === "GET" && token !== undefined) {
      this.#say(said, status === 200 && document !== undefined, "of a query that the journal has");
      const nextUri = document?.nextUri;
      chain.current = { token, text: answer.text(), atNanos: answer.nowNanos };
      chain.next = typeof nextUri === "string" ? tokenOf(nextUri) : undefined;
      chain.isPolled = true;
      chain.isOver = false;
      chain.isFormer = false;
      this.#say(said, nextUri === undefined || chain.next === token + 1, "with a nextUri that does not lead to the next token");
    }
  }

  #submitted(said: StatementAnswer, chain: Chain | undefined): void {
    const { answer, status, slug } = said;
    const sql = new TextDecoder().decode(answer.request.body);
    if (chain === undefined) {
      this.#begin(said, slug);
      return;
    }
    if (answer.request.method === "POST") {
      this.#say(said, false, `with the id of another query, ${said.id}`);
    } else if (chain.isFormer && status === 200 && (this.#mayBeGone(chain) || mayLoseSyncs(this.#context.plan))) {
      // This life does not have the query, so it is a new one.
      this.#begin(said, slug);
    } else if (slug !== chain.slug || sql !== chain.sql) {
      this.#say(said, status === 409 || (status === 410 && this.#mayBeGone(chain)), "with another slug or text");
    } else if (status === 200) {
      this.#say(said, answer.text() === chain.first, "with other bytes than the first submission");
    } else {
      this.#say(said, (status === 409 && chain.isPolled) || (status === 410 && this.#mayBeGone(chain)), "of a submission that it has");
    }
  }

  /** `slug`: as the client has chosen it. */
  #begin(said: StatementAnswer, slug: string | undefined): void {
    const { answer, document } = said;
    if (document === undefined) {
      return;
    }
    const next = String(document.nextUri ?? "");
    const chosen = slug ?? slugOf(next);
    this.#chains.set(said.id, {
      slug: chosen,
      sql: new TextDecoder().decode(answer.request.body),
      first: answer.text(),
      current: undefined,
      next: tokenOf(next),
      isPolled: false,
      isOver: false,
      isFormer: false,
      heardNanos: this.#heardNanos(answer),
    });
    this.#say(said, next === "" || slugOf(next) === chosen, "with a nextUri that has not the query's slug");
  }

  #asked(said: StatementAnswer, chain: Chain, token: number): void {
    const { answer, status, document } = said;
    const { current } = chain;
    // Whatever this answer says: a client that was silent for too long may be told later that its query is gone.
    chain.isOver ||= this.#mayBeGone(chain);
    const isGone = (status === 410 || status === 404) && chain.isOver;
    chain.isPolled = true;
    if (answer.request.method === "DELETE") {
      this.#say(said, (status === 204 && answer.response.body.length === 0) || isGone, "to cancel");
      chain.isOver ||= status === 204;
    } else if (answer.request.method === "HEAD") {
      this.#say(said, answer.response.body.length === 0, "with a body");
    } else if (status === 200 && token === chain.next && document !== undefined) {
      const { nextUri } = document;
      chain.current = { token, text: answer.text(), atNanos: answer.nowNanos };
      chain.next = typeof nextUri === "string" ? tokenOf(nextUri) : undefined;
      this.#say(said, nextUri === undefined || chain.next === token + 1, "with a nextUri that does not lead to the next token");
      this.#say(said, nextUri === undefined || slugOf(String(nextUri)) === chain.slug, "with a nextUri that has not the query's slug");
    } else if (status === 200) {
      const isSame = current?.token === token && current.text === answer.text();
      // A request that was waiting when the token became an old one gets the response of its time.
      const wasSame = current !== undefined && token === current.token - 1 && answer.arrivedNanos <= current.atNanos;
      this.#say(said, isSame || wasSame, `although ${describe(chain)}`);
    } else if (token === current?.token || token === chain.next) {
      this.#say(said, isGone, `although ${describe(chain)}`);
    } else {
      const isOld = current === undefined ? token < (chain.next ?? 0) : token < current.token;
      this.#say(said, status === (isOld ? 410 : 404) || isGone, `although ${describe(chain)}`);
    }
  }

  /** Whether no client waits for the query: it has the last response, has cancelled, or has been silent for its time. */
  #mayBeGone({ next, isOver, heardNanos }: Chain): boolean {
    const silentNanos = this.#context.localNanos(this.#coordinator) - heardNanos;
    return next === undefined || isOver || silentNanos >= this.#clientTimeoutNanos - nanosPerMs;
  }

  /** A client is heard of until its answer is made; a slow disk may then keep the answer until its record is written. */
  #heardNanos({ arrivedNanos, nowNanos }: StatementAnswer["answer"]): number {
    const keptNanos = this.#hasSlowRecords ? nowNanos - arrivedNanos : 0;
    return this.#context.localNanos(this.#coordinator) - keptNanos;
  }

  #say({ answer, id, token, status }: StatementAnswer, holds: boolean, how: string): void {
    const { from, request } = answer;
    const what = token === undefined ? `${request.method} ${id}` : `${request.method} ${id}/${token}`;
    this.#context.check(holds, () => `${what} of ${from} was answered ${status} ${how}`);
  }
}

/** A crash of the coordinator that leaves less than what was written, or a disk that fails. */
function mayLoseSyncs({ faults }: RunPlan): boolean {
  return faults.some(
    (fault) => (fault.kind === "coordinator-crash" && (fault.disk ?? "kept") !== "kept") || /disk|wiped|corrupt/.test(fault.kind),
  );
}

function describe({ current, next }: Chain): string {
  const last = current === undefined ? "no token was answered" : `token ${current.token} is the last that was answered`;
  return `${last}, and ${next === undefined ? "none follows" : `${next} is the next`}`;
}

export const tokens: ModelKind = {
  invariant: {
    name: "statement-tokens",
    sentence:
      "Each request of a statement's chain gets the status and the bytes that the interface allows at that step: the current token again, the next one, 410 for an older one, 404 for others and for a wrong slug, 409 for another submission, 204 for a cancel.",
    kind: "safety",
    checkedIn: "checkers/models/statement/tokens.ts",
  },
  create: (context) => new Tokens(context),
};
