/** Rules that end nodes: at the n-th page of a query, or at once. */
import type { RuleInForce, SeenRequest } from "./rule-in-force.ts";
import type { Rules } from "./rules.ts";
import type { ChaosTarget } from "./target.ts";
import type { Rule } from "./vocabulary.ts";

type NodeRule = Extract<Rule, { fault: "worker-killed" | "coordinator-restarted" }>;

/** Whether the rule waits for a page of a query. A coordinator restarts while it handles a request if its rule has no page. */
export function waitsForPage(rule: Rule): boolean {
  return rule.fault === "worker-killed" || (rule.fault === "coordinator-restarted" && rule.page !== undefined);
}

function isOfNode(rule: Rule): rule is NodeRule {
  return rule.fault === "worker-killed" || rule.fault === "coordinator-restarted";
}

export class NodeEnds {
  readonly #target: ChaosTarget;
  readonly #rules: Rules;

  constructor(target: ChaosTarget, rules: Rules) {
    this.#target = target;
    this.#rules = rules;
  }

  /** Called when a page with rows is on its way to the client; `page` counts from 1. */
  pageSent(request: SeenRequest, page: number, inForce: readonly RuleInForce[]): void {
    for (const one of inForce) {
      const { rule } = one;
      if (isOfNode(rule) && waitsForPage(rule) && (rule.page ?? 1) === page && one.concerns(request) && one.strikes()) {
        this.#end(one, rule, { method: request.method, path: `page ${page}`, queryId: request.queryId });
      }
    }
  }

  /** The rule says `now`. */
  strikeNow(inForce: RuleInForce): void {
    const { rule } = inForce;
    if (isOfNode(rule) && inForce.strikes()) {
      this.#end(inForce, rule, { method: "POST", path: "now", queryId: undefined });
    }
  }

  #end(inForce: RuleInForce, rule: NodeRule, where: Parameters<Rules["landed"]>[1]): void {
    if (rule.fault === "coordinator-restarted") {
      this.#rules.landed(inForce, where);
      // The client sees the restart by its next request.
      void this.#target.restartCoordinator?.();
      return;
    }
    const { workers } = this.#target;
    const worker = rule.worker ?? workers[inForce.choose(workers.length)];
    if (worker !== undefined) {
      this.#rules.landed(inForce, { ...where, node: worker });
      this.#target.killWorker(worker);
    }
  }
}
