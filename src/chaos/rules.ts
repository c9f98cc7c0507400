/** The rules in force behind a door, those of single queries included, and what landed. */
import type { ChaosTarget } from "./target.ts";
import { RuleInForce } from "./rule-in-force.ts";
import { type Rule, RuleError } from "./vocabulary.ts";

/** A fault that happened. */
export interface Landed {
  readonly rule: string;
  readonly fault: Rule["fault"];
  /** Seconds of the cluster's time since the door opened. */
  readonly atSeconds: number;
  readonly method: string;
  readonly path: string;
  readonly queryId?: string | undefined;
  readonly node?: string | undefined;
}

const rulesMax = 1000;
const scopesMax = 1000;
const landedMax = 1000;

export class Rules {
  readonly #target: ChaosTarget;
  readonly #rules = new Map<string, RuleInForce>();
  /** Rules of headers by scope, and by the header's text. */
  readonly #scopes = new Map<string, Map<string, readonly RuleInForce[]>>();
  #landed: Landed[] = [];
  #landedCount = 0;
  #added = 0;

  constructor(target: ChaosTarget) {
    this.#target = target;
  }

  /** Throws RuleError. */
  add(rules: readonly Rule[]): readonly RuleInForce[] {
    rules.forEach((rule) => refuseImpossible(rule, this.#target));
    this.#forgetEnded();
    if (this.#rules.size + rules.length > rulesMax) {
      throw new RuleError(`at most ${rulesMax} rules are in force at a time`);
    }
    return rules.map((rule) => {
      const inForce = this.#inForce(String(++this.#added), rule);
      this.#rules.set(inForce.id, inForce);
      return inForce;
    });
  }

  /** Puts the rules of a header in force for one scope, once for each text. Throws RuleError. */
  scope(scope: string, text: string, parse: () => readonly Rule[]): void {
    const texts = this.#scopes.get(scope) ?? new Map<string, readonly RuleInForce[]>();
    if (texts.has(text)) {
      return;
    }
    const rules = parse();
    rules.forEach((rule) => refuseImpossible(rule, this.#target));
    texts.set(
      text,
      rules.map((rule, index) => this.#inForce(`header ${scope} ${text} ${index}`, rule)),
    );
    this.#scopes.delete(scope);
    this.#scopes.set(scope, texts);
    const [oldest] = this.#scopes.keys();
    if (this.#scopes.size > scopesMax && oldest !== undefined) {
      this.#scopes.delete(oldest);
    }
  }

  /** The rules of a submission become those of its query. */
  move(from: string, to: string): void {
    const texts = this.#scopes.get(from);
    if (texts !== undefined && from !== to) {
      this.#scopes.delete(from);
      this.#scopes.set(to, texts);
    }
  }

  /** Rules that may hit a request of this scope, the oldest first. */
  of(scope: string): readonly RuleInForce[] {
    const nowMs = this.#target.nowMs();
    const scoped = [...(this.#scopes.get(scope)?.values() ?? [])].flat();
    return [...this.#rules.values(), ...scoped].filter((rule) => !rule.isOver(nowMs));
  }

  get all(): readonly RuleInForce[] {
    return [...this.#rules.values()];
  }

  /** The latest faults, the oldest first. */
  get recent(): readonly Landed[] {
    return this.#landed;
  }

  get landedCount(): number {
    return this.#landedCount;
  }

  landed(inForce: RuleInForce, where: Pick<Landed, "method" | "path" | "queryId" | "node">): void {
    this.#landedCount++;
    const rule = inForce.id.startsWith("header") ? "header" : inForce.id;
    this.#landed.push({ rule, fault: inForce.rule.fault, atSeconds: this.#target.nowMs() / 1000, ...where });
    if (this.#landed.length > landedMax) {
      this.#landed = this.#landed.slice(-landedMax / 2);
    }
  }

  /** Returns false if there is no such rule. */
  remove(id: string): boolean {
    return this.#rules.delete(id);
  }

  clear(): void {
    this.#rules.clear();
    this.#scopes.clear();
  }

  #inForce(id: string, rule: Rule): RuleInForce {
    const { seed } = this.#target;
    return new RuleInForce(id, rule, { seed, nowMs: this.#target.nowMs() });
  }

  /** Ended rules stay listed until others need their place. */
  #forgetEnded(): void {
    const nowMs = this.#target.nowMs();
    for (const [id, rule] of this.#rules) {
      if (this.#rules.size > rulesMax / 2 && rule.isOver(nowMs)) {
        this.#rules.delete(id);
      }
    }
  }
}

/** Throws RuleError for a rule about a node that this cluster cannot end. */
function refuseImpossible(rule: Rule, { restartCoordinator, workers }: ChaosTarget): void {
  if (rule.fault === "worker-killed") {
    if (workers.length === 0) {
      throw new RuleError("worker-killed: no worker runs in this process");
    }
    if (rule.worker !== undefined && !workers.includes(rule.worker)) {
      throw new RuleError(`worker-killed: no worker of this process is called '${rule.worker}'; one of: ${workers.join(", ")}`);
    }
  }
  if (rule.fault === "coordinator-restarted" && restartCoordinator === undefined) {
    throw new RuleError("coordinator-restarted: a coordinator that records cannot restart");
  }
}
