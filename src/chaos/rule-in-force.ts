/** One rule with its counters: decides for each request whether the rule hits it. */
import { hashBytes } from "../recording/hash.ts";
import { encodeUtf8 } from "../types/utf8.ts";
import type { Client, RequestKind } from "./request.ts";
import { hits, type Rule, targetOf } from "./vocabulary.ts";
import type { HttpMethod } from "../ports/network.ts";

/** A request as rules see it. */
export interface SeenRequest extends Client {
  readonly kind: RequestKind;
  readonly method: HttpMethod;
  /** Undefined for a submission. */
  readonly queryId: string | undefined;
}

export class RuleInForce {
  readonly id: string;
  readonly rule: Rule;
  /** Time at which the rule ends, in milliseconds of the cluster's clock. */
  readonly expiresMs: number | undefined;
  readonly #seed: string;
  #matches = 0;
  #hits = 0;

  constructor(id: string, rule: Rule, options: { readonly seed: string; readonly nowMs: number }) {
    this.id = id;
    this.rule = rule;
    this.#seed = options.seed;
    this.expiresMs = rule.expiresSeconds === undefined ? undefined : options.nowMs + rule.expiresSeconds * 1000;
  }

  get matches(): number {
    return this.#matches;
  }

  get hits(): number {
    return this.#hits;
  }

  isOver(nowMs: number): boolean {
    return (this.expiresMs !== undefined && nowMs >= this.expiresMs) || this.#hits >= this.#timesMax;
  }

  /** `nth` alone means that match only; `now` is a single moment. */
  get #timesMax(): number {
    return this.rule.times ?? (this.rule.nth === undefined && !isNow(this.rule) ? Number.POSITIVE_INFINITY : 1);
  }

  concerns({ kind, method, queryId, source, user }: SeenRequest): boolean {
    const { rule } = this;
    return (
      !isNow(rule) &&
      hits(targetOf(rule), kind) &&
      (rule.method === undefined || rule.method === method) &&
      (rule.user === undefined || rule.user === user) &&
      (rule.source === undefined || rule.source === source) &&
      (rule.queryId === undefined || rule.queryId === queryId)
    );
  }

  /** Counts a match and returns whether the rule hits it. */
  strikes(): boolean {
    const { nth = 1, percent = 100 } = this.rule;
    this.#matches++;
    if (this.#matches < nth || this.#hits >= this.#timesMax || !this.#chance(percent)) {
      return false;
    }
    this.#hits++;
    return true;
  }

  /** The seed's choice of one of `count` things. */
  choose(count: number): number {
    return this.#draw("choice") % Math.max(1, count);
  }

  #chance(percent: number): boolean {
    return percent >= 100 || this.#draw("chance") / 2 ** 32 < percent / 100;
  }

  /** The same seed, rule and match draw the same number. */
  #draw(what: string): number {
    return hashBytes(encodeUtf8(`${this.#seed}/${this.id}/${this.#matches}/${what}`));
  }
}

/** Such a rule strikes when it is added, and hits no request. */
export function isNow(rule: Rule): boolean {
  return "now" in rule && rule.now === true;
}
