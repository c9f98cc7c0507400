/**
 * The door between clients and a cluster: applies the rules in force to each request, and serves `/v1/chaos`. It knows neither sockets nor
 * the cluster; the transport carries out what a request's ending says.
 */
import type { HttpRequest, HttpResponse } from "../ports/network.ts";
import { firstHeader } from "../protocol/http/headers.ts";
import { textResponse } from "../protocol/http/http.ts";
import { encodeUtf8 } from "../types/utf8.ts";
import { chaosHeader, parseChaosHeader } from "./header.ts";
import { NodeEnds, waitsForPage } from "./node-ends.ts";
import { Queries } from "./queries.ts";
import { ChaosResource, isChaosPath } from "./resource.ts";
import { clientOf, queryIdOf, readStatementAnswer, requestKind, shownPath } from "./request.ts";
import type { RuleInForce, SeenRequest } from "./rule-in-force.ts";
import { Rules } from "./rules.ts";
import type { ChaosTarget } from "./target.ts";
import { type Rule, RuleError } from "./vocabulary.ts";

/** How a request ends on its connection. */
export type RequestEnding =
  | { readonly kind: "answered"; readonly response: HttpResponse }
  /** The bytes of the answer are sent twice, and the connection ends. */
  | { readonly kind: "answered-twice"; readonly response: HttpResponse }
  /** The connection is reset: after half of the body if there is a response. */
  | { readonly kind: "reset"; readonly response: HttpResponse | undefined }
  /** Nothing is sent until the client leaves. */
  | { readonly kind: "silent" };

/** Sends the request to the cluster. May be called twice. */
export type Forward = () => Promise<RequestEnding>;

/** A rule that hit a request. */
interface Strike {
  readonly inForce: RuleInForce;
  readonly rule: Rule;
}

export class ChaosDoor {
  readonly #target: ChaosTarget;
  readonly #rules: Rules;
  readonly #queries = new Queries();
  readonly #nodeEnds: NodeEnds;
  readonly #resource: ChaosResource;

  constructor(target: ChaosTarget) {
    this.#target = target;
    this.#rules = new Rules(target);
    this.#nodeEnds = new NodeEnds(target, this.#rules);
    this.#resource = new ChaosResource({ target, rules: this.#rules, nodeEnds: this.#nodeEnds });
  }

  /** Puts rules in force. Throws RuleError. */
  add(rules: readonly Rule[]): void {
    this.#rules.add(rules);
  }

  async answer(request: HttpRequest, forward: Forward): Promise<RequestEnding> {
    if (isChaosPath(request.url)) {
      return { kind: "answered", response: await this.#resource.answer(request) };
    }
    const seen = this.#see(request);
    let strikes: readonly Strike[];
    try {
      strikes = this.#strikes(request, seen);
    } catch (error) {
      if (error instanceof RuleError) {
        return { kind: "answered", response: textResponse(400, `${chaosHeader}: ${error.message}`) };
      }
      throw error;
    }
    const ending = await this.#carry(strikes, { request, seen }, forward);
    if (ending.kind !== "answered") {
      return ending;
    }
    const answer = readStatementAnswer(ending.response);
    if (answer !== undefined) {
      const scope = this.#queries.answered(request, answer.queryId, seen);
      this.#rules.move(this.#queries.submissionScope(request), scope);
      if (answer.hasRows) {
        const page = this.#queries.countPage(answer.queryId);
        this.#nodeEnds.pageSent({ ...seen, queryId: answer.queryId }, page, this.#rules.of(scope));
      }
    }
    return ending;
  }

  #see(request: HttpRequest): SeenRequest {
    const queryId = queryIdOf(request.url);
    const own = clientOf(request.headers);
    const known = queryId === undefined ? undefined : this.#queries.clientOf(queryId);
    return {
      kind: requestKind(request),
      method: request.method,
      queryId,
      // A poll may name no user, and another source than its statement.
      user: known?.user ?? own.user,
      source: known?.source ?? own.source,
    };
  }

  /** Rules that hit the request. Each rule counts it at most once. Throws RuleError. */
  #strikes(request: HttpRequest, seen: SeenRequest): readonly Strike[] {
    const text = firstHeader(request.headers, chaosHeader);
    const scope = this.#queries.scopeOf(request, seen.queryId);
    if (text !== undefined) {
      this.#rules.scope(scope, text, () => parseChaosHeader(text));
    }
    const struck: Strike[] = [];
    for (const inForce of this.#rules.of(scope)) {
      if (!waitsForPage(inForce.rule) && inForce.concerns(seen) && inForce.strikes()) {
        struck.push({ inForce, rule: inForce.rule });
      }
    }
    return struck;
  }

  /** Delays add up; of the other faults, the first rule decides. */
  async #carry(
    strikes: readonly Strike[],
    asked: { readonly request: HttpRequest; readonly seen: SeenRequest },
    forward: Forward,
  ): Promise<RequestEnding> {
    let answerDelayMs = 0;
    let decisive: Strike | undefined;
    for (const strike of strikes) {
      const { rule } = strike;
      if (rule.fault !== "delay") {
        decisive ??= strike;
      } else {
        this.#land(strike, asked);
        if (rule.part === "answer") {
          answerDelayMs += rule.delayMs;
        } else {
          await this.#target.pause(rule.delayMs);
        }
      }
    }
    if (decisive === undefined) {
      return this.#later(answerDelayMs, await forward());
    }
    this.#land(decisive, asked);
    return this.#later(answerDelayMs, await this.#apply(decisive, forward));
  }

  async #later(delayMs: number, ending: RequestEnding): Promise<RequestEnding> {
    if (delayMs > 0) {
      await this.#target.pause(delayMs);
    }
    return ending;
  }

  #land({ inForce }: Strike, { request, seen }: { readonly request: HttpRequest; readonly seen: SeenRequest }): void {
    this.#rules.landed(inForce, { method: request.method, path: shownPath(request.url), queryId: seen.queryId });
  }

  async #apply({ rule }: Strike, forward: Forward): Promise<RequestEnding> {
    switch (rule.fault) {
      // Delays are over, and a worker ends when a page is sent.
      case "delay":
      case "worker-killed":
        return forward();
      case "status":
        return answered(statusAnswer(rule));
      case "overloaded":
        return answered(textResponse(503, "Server is overloaded", { "retry-after": String(rule.retryAfterSeconds ?? 1) }));
      case "gone":
        return answered(textResponse(410, "The token is already gone"));
      case "reset":
        return rule.part === "request" ? { kind: "reset", response: undefined } : cut(await forward(), rule.part ?? "body");
      case "truncated":
        return truncated(await forward());
      case "never-answered":
        if (rule.part === "answer") {
          await forward();
        }
        return { kind: "silent" };
      case "duplicated":
        return rule.part === "answer" ? twice(await forward()) : secondOf(forward);
      case "coordinator-restarted":
        await this.#target.restartCoordinator?.();
        return { kind: "reset", response: undefined };
    }
  }
}

function answered(response: HttpResponse): RequestEnding {
  return { kind: "answered", response };
}

function statusAnswer(rule: Extract<Rule, { fault: "status" }>): HttpResponse {
  const headers = {
    "content-type": "text/plain",
    ...(rule.retryAfterSeconds === undefined ? {} : { "retry-after": String(rule.retryAfterSeconds) }),
    ...(rule.location === undefined ? {} : { location: rule.location }),
  };
  const body = rule.status === 204 || rule.status === 304 ? "" : (rule.body ?? `Answered with ${rule.status} by a rule`);
  return { status: rule.status, headers, body: encodeUtf8(body) };
}

function cut(ending: RequestEnding, part: "answer" | "body"): RequestEnding {
  return ending.kind === "answered" ? { kind: "reset", response: part === "body" ? ending.response : undefined } : ending;
}

function twice(ending: RequestEnding): RequestEnding {
  return ending.kind === "answered" ? { kind: "answered-twice", response: ending.response } : ending;
}

function truncated(ending: RequestEnding): RequestEnding {
  if (ending.kind !== "answered") {
    return ending;
  }
  const { response } = ending;
  return answered({ ...response, body: response.body.subarray(0, response.body.length >> 1) });
}

async function secondOf(forward: Forward): Promise<RequestEnding> {
  await forward();
  return forward();
}
